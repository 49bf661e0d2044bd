// What the generators do beyond the reference values: bad arguments, limits, masks, the way of a rig through a file.
#include "check.h"
#include "io/json.h"
#include "support/failing_allocator.h"

#include <math.h>
#include <string.h>

static const char sprite_guid[] = "0d1f8c6a-7f2e-4a54-9f0b-2f6f6c3f1a11";
static const char rig_guid[] = "5a1f8c6a-7f2e-4a54-9f0b-2f6f6c3f1a12";

static mrw_context* new_context(void)
{
    mrw_context* context = mrw_context_create(NULL);
    CHECK(context != NULL);
    return context;
}

TEST(grids_refuse_bad_arguments)
{
    mrw_context* context = mrw_context_create(&(mrw_context_desc) { .limits = { .vertices = 1000 } });
    REQUIRE(context != NULL);
    static const struct {
        mrw_grid_options options;
        mrw_result expected;
        uint32_t vertices;
    } cases[] = {
        { { .width = 10, .height = 10, .columns = 3.9, .rows = -3 }, MRW_OK, 8 },
        { { .width = 10, .height = 10, .columns = 0, .rows = 0.2 }, MRW_OK, 4 },
        { { .width = 10, .height = 10, .columns = (double)NAN, .rows = 1 }, MRW_BAD_ARGUMENT, 0 },
        { { .width = (double)INFINITY, .height = 10, .columns = 1, .rows = 1 }, MRW_BAD_ARGUMENT, 0 },
        { { .width = 10, .height = 10, .columns = 1, .rows = 1, .pivot_y = (double)NAN }, MRW_BAD_ARGUMENT, 0 },
        { { .width = 10, .height = 10, .columns = 1e300, .rows = 1 }, MRW_LIMIT, 0 },
        { { .width = 10, .height = 10, .columns = (double)INFINITY, .rows = 1 }, MRW_LIMIT, 0 },
        { { .width = 10, .height = 10, .columns = 31, .rows = 31 }, MRW_LIMIT, 0 }, // 1024 vertices
        { { .width = 10, .height = 10, .columns = 24, .rows = 39 }, MRW_OK, 1000 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t vertex_count = 0;
        uint32_t index_count = 0;
        mrw_result result = mrw_author_grid(context, &cases[i].options, &vertex_count, &index_count, NULL, NULL, NULL);
        CHECK_EQ_INT(result, cases[i].expected);
        CHECK_EQ_INT(vertex_count, cases[i].vertices);
    }
    mrw_context_destroy(context);
}

TEST(weights_have_a_bone_whatever_is_asked)
{
    mrw_context* context = new_context();
    const mrw_node_desc bones[2] = { { .name = "a", .parent = -1 }, { .name = "b", .parent = 0, .x = 10 } };
    const double point[2] = { 9, 0 };
    uint32_t joints[4];
    double weights[4];
    // No bones at all.
    CHECK_EQ_INT(mrw_author_weights(context, NULL, 0, point, 1, NULL, joints, weights), MRW_OK);
    CHECK(joints[0] == 0 && weights[0] == 1 && weights[1] == 0);
    // Out of every radius: the nearest.
    mrw_weight_options options = { .radius = 0.5, .max_influences = -1 };
    CHECK_EQ_INT(mrw_author_weights(context, bones, 2, point, 1, &options, joints, weights), MRW_OK);
    CHECK(joints[0] == 1 && weights[0] == 1 && weights[1] == 0);
    // A falloff that overflows must not give NaN.
    options = (mrw_weight_options) { .falloff = 1e6, .max_influences = -1 };
    CHECK_EQ_INT(mrw_author_weights(context, bones, 2, point, 1, &options, joints, weights), MRW_OK);
    CHECK_NEAR(weights[0] + weights[1], 1, 1e-12);
    options.falloff = (double)NAN;
    CHECK_EQ_INT(mrw_author_weights(context, bones, 2, point, 1, &options, joints, weights), MRW_OK);
    CHECK_NEAR(weights[0] + weights[1], 1, 1e-12);
    // By hand, distances 9 and 1: raw 1 / 81.0001 and 1 / 1.0001.
    CHECK_EQ_INT(mrw_author_weights(context, bones, 2, point, 1, NULL, joints, weights), MRW_OK);
    CHECK(joints[0] == 1 && joints[1] == 0);
    CHECK_NEAR(weights[1], 1.0001 / 82.0002, 1e-12);
    // 0 influences are 1, the default is negative.
    options = (mrw_weight_options) { .max_influences = 0 };
    CHECK_EQ_INT(mrw_author_weights(context, bones, 2, point, 1, &options, joints, weights), MRW_OK);
    CHECK(joints[0] == 1 && weights[0] == 1 && weights[1] == 0);
    mrw_context_destroy(context);
}

// Six joints around the point, all as far: the first four in order.
TEST(of_equal_bones_the_first_are_kept)
{
    mrw_context* context = new_context();
    mrw_node_desc bones[6] = { 0 };
    static const double places[6][2] = { { 5, 0 }, { -5, 0 }, { 3, 4 }, { -3, 4 }, { 0, 5 }, { 4, -3 } };
    for (uint32_t i = 0; i < 6; i++) {
        bones[i] = (mrw_node_desc) { .parent = -1, .x = places[i][0], .y = places[i][1] };
    }
    const double point[2] = { 0, 0 };
    uint32_t joints[4];
    double weights[4];
    CHECK_EQ_INT(mrw_author_weights(context, bones, 6, point, 1, NULL, joints, weights), MRW_OK);
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_EQ_INT(joints[i], i);
        CHECK_NEAR(weights[i], 0.25, 1e-15);
    }
    mrw_context_destroy(context);
}

TEST(mask_sizes_keep_the_shape)
{
    static const uint32_t cases[][4] = { { 1, 1, 1, 1 }, { 256, 256, 256, 256 }, { 257, 256, 256, 255 }, { 512, 3, 256, 2 },
        { 4096, 1, 256, 1 }, { 1400, 700, 256, 128 }, { 100, 200, 100, 200 }, { 0, 50, 0, 0 }, { 4000000000u, 2000000000u, 256, 128 } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t width;
        uint32_t height;
        mrw_author_mask_size(cases[i][0], cases[i][1], &width, &height);
        CHECK_EQ_INT(width, cases[i][2]);
        CHECK_EQ_INT(height, cases[i][3]);
    }
}

TEST(small_masks_compare_alpha_exactly)
{
    const uint8_t pixels[16] = { 0, 0, 0, 8, 0, 0, 0, 9, 255, 255, 255, 0, 0, 0, 0, 255 };
    uint8_t mask[4];
    mrw_author_mask(pixels, 4, 1, 8, mask);
    const uint8_t expected[4] = { 0, 1, 0, 1 };
    CHECK_BYTES(mask, expected, 4);
}

// 384 pixels over 256 cells: a cell is 1.5 pixels. Pixel 1 (alpha 24) gives half of itself to cells 0 and 1, a mean of 8 each: not
// above 8. Pixel 3 (alpha 14) lies in cell 2 alone: 14 / 1.5 = 9.33. Pixel 382 (alpha 26) is shared by cells 254 and 255: 8.67.
TEST(large_masks_take_the_mean_of_a_cell)
{
    uint8_t pixels[384 * 4] = { 0 };
    pixels[1 * 4 + 3] = 24;
    pixels[3 * 4 + 3] = 14;
    pixels[382 * 4 + 3] = 26;
    uint8_t mask[256];
    mrw_author_mask(pixels, 384, 1, 8, mask);
    for (uint32_t i = 0; i < 256; i++) {
        CHECK_EQ_INT(mask[i], i == 2 || i == 254 || i == 255);
    }
}

// An opaque line one pixel wide through 2048 x 2048 (eight pixels a cell, mean 31.9).
TEST(thin_lines_survive_in_masks)
{
    enum { SIDE = 2048 };
    uint8_t* pixels = calloc((size_t)SIDE * SIDE, 4);
    uint8_t mask[256 * 256];
    REQUIRE(pixels != NULL);
    for (size_t y = 0; y < SIDE; y++) {
        pixels[(y * SIDE + 1003) * 4 + 3] = 255;
    }
    mrw_author_mask(pixels, SIDE, SIDE, 8, mask);
    for (uint32_t i = 0; i < 256 * 256; i++) {
        if (mask[i] != (i % 256 == 1003 / 8)) {
            CHECK_EQ_INT(mask[i], i % 256 == 1003 / 8);
        }
    }
    CHECK_EQ_INT(mask[1003 / 8], 1);
    free(pixels);
}

static mrw_rig_options rig_options(void)
{
    return (mrw_rig_options) { .id = rig_guid,
        .sprite = sprite_guid,
        .width = 100,
        .height = 300,
        .pivot_x = 0.5,
        .pivot_y = 0.5,
        .weights = { .max_influences = -1 } };
}

// What the generator makes is clean: written, read back strictly and built without a repair.
TEST(generated_rigs_read_back_clean)
{
    mrw_context* context = new_context();
    mrw_rig_options options = rig_options();
    mrw_document* document;
    REQUIRE(mrw_author_rig(context, &options, &document, NULL) == MRW_OK);
    char* text;
    size_t size;
    REQUIRE(mrw_document_write(document, &text, &size) == MRW_OK);
    mrw_error error = { 0 };
    mrw_document* again = NULL;
    const mrw_load_options strict = { .strict = true };
    CHECK_EQ_INT(mrw_document_read_rig2d(context, text, size, &strict, &again, &error), MRW_OK);
    CHECK_STR(error.message, "");
    mrw_model_id model;
    CHECK_EQ_INT(mrw_model_load_rig2d(context, text, size, &strict, &model, &error), MRW_OK);
    CHECK_STR(error.message, "");
    if (again != NULL) {
        const mrw_model_desc* first = mrw_document_model(document);
        const mrw_model_desc* second = mrw_document_model(again);
        CHECK_STR(second->id, rig_guid);
        CHECK_EQ_INT(second->file_version, 1);
        CHECK_EQ_INT(second->node_count, first->node_count);
        CHECK_EQ_INT(second->meshes[0].vertex_count, first->meshes[0].vertex_count);
        CHECK_BYTES(second->meshes[0].positions, first->meshes[0].positions, first->meshes[0].vertex_count * 2 * sizeof(float));
        CHECK_BYTES(second->meshes[0].indices, first->meshes[0].indices, first->meshes[0].index_count * sizeof(uint32_t));
    }
    mrw_document_release(again);
    mrw_text_release(context, text, size);
    mrw_document_release(document);
    mrw_context_destroy(context);
}

TEST(rigs_refuse_bad_bones)
{
    mrw_context* context = new_context();
    mrw_node_desc bones[2] = { { .name = "a", .parent = -1 }, { .parent = 0, .x = (double)NAN } };
    mrw_rig_options options = rig_options();
    options.bones = bones;
    options.bone_count_given = 2;
    mrw_document* document = (mrw_document*)&options;
    mrw_error error = { 0 };
    CHECK_EQ_INT(mrw_author_rig(context, &options, &document, &error), MRW_BAD_VALUE);
    CHECK(document == NULL);
    CHECK_STR(error.path, "$.bones[1].x");
    // A name that is missing is made up, a bone that scales itself stays one, and no bones at all make a rig that rests.
    bones[1].x = 4;
    bones[1].no_scale = true;
    REQUIRE(mrw_author_rig(context, &options, &document, &error) == MRW_OK);
    CHECK_STR(mrw_document_model(document)->nodes[1].name, "bone1");
    CHECK(mrw_document_model(document)->nodes[1].no_scale);
    mrw_document_release(document);
    options.bone_count_given = 0;
    REQUIRE(mrw_author_rig(context, &options, &document, &error) == MRW_OK);
    mrw_model_id model;
    CHECK_EQ_INT(mrw_model_create(context, mrw_document_model(document), NULL, &model, &error), MRW_OK);
    mrw_document_release(document);
    options.columns = 1e9;
    CHECK_EQ_INT(mrw_author_rig(context, &options, &document, &error), MRW_LIMIT);
    CHECK_EQ_INT(error.code, MRW_LIMIT);
    mrw_context_destroy(context);
}

static mrw_result attempt_rig(mrw_context* context, void* user)
{
    mrw_rig_options options = rig_options();
    uint8_t inside[4] = { 1, 1, 0, 1 };
    options.mask = (mrw_mask) { 2, 2, inside };
    mrw_document* document = NULL;
    mrw_result result = mrw_author_rig(context, &options, &document, user);
    mrw_document_release(document);
    return result;
}

TEST(every_allocation_of_a_rig_may_fail)
{
    mrw_error error;
    FAILING_ALLOCATOR_SWEEP(attempt_rig, &error);
}

// A brush on a vertex whose only bone is taken away: with joints the nearest other bone takes over, without them it stays whole.
TEST(painted_weights_sum_to_one)
{
    const double points[2] = { 0, 0 };
    const double places[6] = { 0, 0, 50, 0, 3, 0 };
    for (int with_places = 0; with_places < 2; with_places++) {
        mrw_paint_options options = {
            .positions = points, .vertex_count = 1, .bone = 0, .radius = 5, .strength = 1, .mode = MRW_PAINT_SUBTRACT, .constant = true
        };
        options.bone_positions = with_places ? places : NULL;
        options.bone_position_count = with_places ? 3 : 0;
        uint32_t joints[4] = { 0, 0, 0, 0 };
        double weights[4] = { 1, 0, 0, 0 };
        mrw_author_paint(&options, joints, weights);
        CHECK_EQ_INT(joints[0], with_places ? 2 : 0);
        CHECK_NEAR(weights[0] + weights[1] + weights[2] + weights[3], 1, 1e-12);
    }
}

// Any strokes: weights stay sorted, at least zero, and sum to one; vertices out of reach keep their bits.
TEST(strokes_keep_weights_in_order)
{
    enum { VERTICES = 30 };
    double points[VERTICES * 2];
    uint32_t joints[VERTICES * 4];
    double weights[VERTICES * 4];
    uint32_t state = 9;
    for (uint32_t v = 0; v < VERTICES; v++) {
        points[v * 2] = v;
        points[v * 2 + 1] = v % 7;
        for (uint32_t i = 0; i < 4; i++) {
            joints[v * 4 + i] = (v + i) % 6;
            weights[v * 4 + i] = 0.25;
        }
    }
    for (int stroke = 0; stroke < 500; stroke++) {
        state = state * 1664525u + 1013904223u;
        mrw_paint_options options = { .positions = points,
            .vertex_count = VERTICES,
            .bone = state >> 8 & 7,
            .center_x = state >> 12 & 31,
            .center_y = 3,
            .radius = state >> 17 & 7,
            .strength = (state >> 20 & 15) / 12.0,
            .mode = (mrw_paint_mode)((state >> 24 & 7) % 3),
            .constant = state >> 28 & 1 };
        uint32_t joints_before[VERTICES * 4];
        double weights_before[VERTICES * 4];
        memcpy(joints_before, joints, sizeof joints);
        memcpy(weights_before, weights, sizeof weights);
        mrw_author_paint(&options, joints, weights);
        bool good = true;
        for (uint32_t v = 0; v < VERTICES; v++) {
            double x = points[v * 2] - options.center_x;
            double y = points[v * 2 + 1] - options.center_y;
            const double* w = &weights[v * 4];
            if (sqrt(x * x + y * y) >= options.radius) {
                good = good && memcmp(w, &weights_before[v * 4], 4 * sizeof(double)) == 0
                    && memcmp(&joints[v * 4], &joints_before[v * 4], 16) == 0;
            } else {
                good = good && w[0] >= w[1] && w[1] >= w[2] && w[2] >= w[3] && w[3] >= 0;
            }
            good = good && fabs(w[0] + w[1] + w[2] + w[3] - 1) < 1e-12;
        }
        CHECK(good);
    }
}

// The prefab's text, read as JSON.
static mrwi_json* read_prefab(const mrw_document* document, mrw_context* context, char** text, size_t* size)
{
    mrwi_json* json = NULL;
    CHECK_EQ_INT(mrw_author_prefab(document, "hero", sprite_guid, text, size), MRW_OK);
    CHECK_EQ_INT(mrwi_json_parse(context, *text, *size, true, &json, NULL), MRW_OK);
    return json;
}

static double number_in(const mrwi_json_cursor* at, const char* first, const char* second)
{
    mrwi_json_cursor inner = mrwi_json_member(at, first);
    mrwi_json_cursor member = mrwi_json_member(&inner, second);
    CHECK_EQ_INT(mrwi_json_type_of(&member), MRWI_JSON_NUMBER);
    return mrwi_json_number(&member);
}

static const char* text_in(const mrwi_json_cursor* at, const char* first, const char* second)
{
    mrwi_json_cursor inner = mrwi_json_member(at, first);
    mrwi_json_cursor member = mrwi_json_member(&inner, second);
    return mrwi_json_string(&member);
}

TEST(prefabs_have_an_entity_a_bone)
{
    mrw_context* context = new_context();
    const mrw_node_desc bones[4] = { { .name = "hip", .parent = -1, .x = 1.5, .y = -2, .rotation = 0.25 },
        { .name = "leg", .parent = 0, .y = 30 }, { .name = "lost", .parent = 99, .x = 7 }, { .name = "self", .parent = 3 } };
    mrw_rig_options options = rig_options();
    options.bones = bones;
    options.bone_count_given = 4;
    mrw_document* document;
    REQUIRE(mrw_author_rig(context, &options, &document, NULL) == MRW_OK);
    char* text;
    size_t size;
    mrwi_json* json = read_prefab(document, context, &text, &size);
    REQUIRE(json != NULL);
    mrwi_json_cursor root = mrwi_json_root(json);
    mrwi_json_cursor id = mrwi_json_member(&root, "id");
    CHECK_STR(mrwi_json_string(&id), sprite_guid);
    mrwi_json_cursor entities = mrwi_json_member(&root, "entities");
    REQUIRE(CHECK_EQ_INT(mrwi_json_count(&entities), 5));
    static const double parents[5] = { 0, 1, 2, 1, 1 };
    static const char* const names[5] = { "hero", "hip", "leg", "lost", "self" };
    mrwi_json_cursor entity;
    uint32_t index = 0;
    for (bool more = mrwi_json_first(&entities, &entity); more; more = mrwi_json_next(&entity), index++) {
        mrwi_json_cursor local_id = mrwi_json_member(&entity, "localId");
        CHECK_NEAR(mrwi_json_number(&local_id), index + 1, 0);
        mrwi_json_cursor traits = mrwi_json_member(&entity, "traits");
        CHECK_NEAR(number_in(&traits, "EntityAttributes", "parentId"), parents[index], 0);
        CHECK_STR(text_in(&traits, "EntityAttributes", "name"), names[index]);
        CHECK_STR(text_in(&traits, "EntityAttributes", "layer"), "2d");
        CHECK_STR(text_in(&traits, "Bone2D", "name"), index == 0 ? NULL : names[index]);
        CHECK_STR(text_in(&traits, "SkinnedSprite2D", "rig"), index == 0 ? rig_guid : NULL);
        CHECK_NEAR(number_in(&traits, "Transform", "x"), index == 0 ? 0 : bones[index - 1].x, 0);
        CHECK_NEAR(number_in(&traits, "Transform", "y"), index == 0 ? 0 : bones[index - 1].y, 0);
        CHECK_NEAR(number_in(&traits, "Transform", "rz"), index == 0 ? 0 : bones[index - 1].rotation, 0);
        CHECK_NEAR(number_in(&traits, "Transform", "sx"), 1, 0);
    }
    mrwi_json_release(json);
    mrw_text_release(context, text, size);
    mrw_document_release(document);
    mrw_context_destroy(context);
}

TEST(prefabs_need_two_ids)
{
    mrw_context* context = new_context();
    mrw_rig_options options = rig_options();
    mrw_document* document;
    REQUIRE(mrw_author_rig(context, &options, &document, NULL) == MRW_OK);
    char* text = (char*)&options;
    size_t size = 5;
    CHECK_EQ_INT(mrw_author_prefab(document, "hero", "no guid", &text, &size), MRW_BAD_ARGUMENT);
    CHECK(text == NULL && size == 0);
    mrw_document_release(document);
    options.id = NULL;
    REQUIRE(mrw_author_rig(context, &options, &document, NULL) == MRW_OK);
    CHECK_EQ_INT(mrw_author_prefab(document, "hero", sprite_guid, &text, &size), MRW_BAD_REFERENCE);
    CHECK_EQ_INT(mrw_author_prefab(NULL, "hero", sprite_guid, &text, &size), MRW_BAD_ARGUMENT);
    mrw_document_release(document);
    mrw_context_destroy(context);
}

static mrw_result attempt_prefab(mrw_context* context, void* user)
{
    (void)user;
    mrw_rig_options options = rig_options();
    mrw_document* document = NULL;
    char* text = NULL;
    size_t size = 0;
    mrw_result result = mrw_author_rig(context, &options, &document, NULL);
    result = result == MRW_OK ? mrw_author_prefab(document, "hero", sprite_guid, &text, &size) : result;
    mrw_text_release(context, text, size);
    mrw_document_release(document);
    return result;
}

TEST(every_allocation_of_a_prefab_may_fail)
{
    FAILING_ALLOCATOR_SWEEP(attempt_prefab, NULL);
}
