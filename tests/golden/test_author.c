// The generators and the brush against reference values of the same operations.
#include "check.h"
#include "support/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 4

typedef void (*check_case)(reference* file, const mrwi_json_cursor* at, uint32_t index);

static void each_case(const char* path, uint32_t count, check_case check)
{
    reference file;
    REQUIRE(reference_open(&file, path));
    CHECK_EQ_INT(mrwi_json_count(&file.file.cases), count);
    mrwi_json_cursor at;
    uint32_t index = 0;
    for (bool more = mrwi_json_first(&file.file.cases, &at); more; more = mrwi_json_next(&at)) {
        check(&file, &at, index++);
    }
    reference_close(&file);
}

static void check_numbers(const float* actual, uint32_t count, reference_numbers expected, double tolerance)
{
    REQUIRE(CHECK_EQ_INT(count, expected.count));
    for (uint32_t i = 0; i < count; i++) {
        CHECK_NEAR(actual[i], expected.values[i], tolerance);
    }
}

static void check_indices(reference* file, const mrwi_json_cursor* at, const char* name, const uint32_t* actual, uint32_t count)
{
    uint32_t expected_count;
    const uint32_t* expected = reference_indices(file, at, name, &expected_count);
    REQUIRE(CHECK_EQ_INT(count, expected_count));
    CHECK_BYTES(actual, expected, count * sizeof(uint32_t));
}

static void check_grid(reference* file, const mrwi_json_cursor* at, uint32_t index)
{
    (void)index;
    mrwi_json_cursor input = mrwi_json_member(at, "input");
    mrwi_json_cursor expected = mrwi_json_member(at, "expected");
    mrw_grid_options options = { reference_number(&input, "width", 0), reference_number(&input, "height", 0),
        reference_number(&input, "cols", 0), reference_number(&input, "rows", 0), reference_number(&input, "pivotX", 0.5),
        reference_number(&input, "pivotY", 0.5), reference_mask(file, &input, "mask") };
    uint32_t vertex_count;
    uint32_t index_count;
    REQUIRE(mrw_author_grid(file->file.context, &options, &vertex_count, &index_count, NULL, NULL, NULL) == MRW_OK);
    float* positions = calloc((size_t)vertex_count * 4 + 1, sizeof(float));
    uint32_t* indices = calloc((size_t)index_count + 1, sizeof(uint32_t));
    REQUIRE(positions != NULL && indices != NULL);
    float* uvs = positions + (size_t)vertex_count * 2;
    CHECK_EQ_INT(mrw_author_grid(file->file.context, &options, &vertex_count, &index_count, positions, uvs, indices), MRW_OK);
    check_numbers(positions, vertex_count * 2, reference_array(file, &expected, "verts"), 1e-5);
    check_numbers(uvs, vertex_count * 2, reference_array(file, &expected, "uvs"), 1e-5);
    check_indices(file, &expected, "tris", indices, index_count);
    free(indices);
    free(positions);
}

TEST(grids_match_the_reference)
{
    each_case("golden/modoki/grid-s1.json", 10, check_grid);
}

// The weight of one bone in slots first to end.
static double weight_in(const uint32_t* joints, const double* weights, uint32_t first, uint32_t end, uint32_t bone)
{
    double sum = 0;
    for (uint32_t slot = first; slot < end; slot++) {
        sum += joints[slot] == bone ? weights[slot] : 0;
    }
    return sum;
}

// Slots may come in another order where weights are equal, so vertices compare as maps from bone to weight.
static void check_slots(
    reference* file, const mrwi_json_cursor* expected, const uint32_t* joints, const double* weights, uint32_t vertex_count)
{
    uint32_t count;
    const uint32_t* expected_joints = reference_indices(file, expected, "skinIndices", &count);
    reference_numbers expected_weights = reference_array(file, expected, "skinWeights");
    REQUIRE(count == vertex_count * SLOTS && expected_weights.count == count);
    for (uint32_t slot = 0; slot < count; slot++) {
        uint32_t first = slot / SLOTS * SLOTS;
        const uint32_t bones[2] = { joints[slot], expected_joints[slot] };
        for (int i = 0; i < 2; i++) {
            CHECK_NEAR(weight_in(joints, weights, first, first + SLOTS, bones[i]),
                weight_in(expected_joints, expected_weights.values, first, first + SLOTS, bones[i]), 1e-5);
        }
        CHECK(slot == first || weights[slot] <= weights[slot - 1]);
        CHECK_NEAR(weights[slot], expected_weights.values[slot], 1e-5);
    }
}

static mrw_weight_options weight_options(const mrwi_json_cursor* options)
{
    return (mrw_weight_options) { reference_number(options, "falloff", 0), reference_number(options, "radius", 0),
        reference_number(options, "maxInfluences", -1) };
}

static void check_weights(reference* file, const mrwi_json_cursor* at, uint32_t index)
{
    (void)index;
    uint32_t bone_count;
    const mrw_node_desc* bones = reference_bones(file, at, "bones", &bone_count);
    reference_numbers points = reference_array(file, at, "verts");
    uint32_t vertex_count = points.count / 2;
    mrwi_json_cursor member = mrwi_json_member(at, "options");
    mrw_weight_options options = weight_options(&member);
    uint32_t* joints = calloc((size_t)vertex_count * SLOTS + 1, sizeof(uint32_t));
    double* weights = calloc((size_t)vertex_count * SLOTS + 1, sizeof(double));
    REQUIRE(joints != NULL && weights != NULL);
    CHECK_EQ_INT(mrw_author_weights(file->file.context, bones, bone_count, points.values, vertex_count, &options, joints, weights), MRW_OK);
    mrwi_json_cursor expected = mrwi_json_member(at, "expected");
    check_slots(file, &expected, joints, weights, vertex_count);
    free(weights);
    free(joints);
}

TEST(weights_match_the_reference)
{
    each_case("golden/modoki/autoweights-s1.json", 11, check_weights);
}

static void check_bones(const mrw_node_desc* bones, uint32_t count, const mrw_node_desc* expected, uint32_t expected_count)
{
    REQUIRE(CHECK_EQ_INT(count, expected_count));
    for (uint32_t i = 0; i < count; i++) {
        CHECK_STR(bones[i].name, expected[i].name);
        CHECK_EQ_INT(bones[i].parent, expected[i].parent);
        CHECK_NEAR(bones[i].x, expected[i].x, 1e-6 * (1 + fabs(expected[i].x)));
        CHECK_NEAR(bones[i].y, expected[i].y, 1e-6 * (1 + fabs(expected[i].y)));
        CHECK_NEAR(bones[i].rotation, expected[i].rotation, 1e-6 * (1 + fabs(expected[i].rotation)));
    }
}

static void check_suggestion(reference* file, const mrwi_json_cursor* at, uint32_t index)
{
    (void)index;
    mrwi_json_cursor input = mrwi_json_member(at, "input");
    mrw_bone_options options = { reference_number(&input, "width", 0), reference_number(&input, "height", 0),
        reference_number(&input, "count", 0), reference_number(&input, "pivotX", 0.5), reference_number(&input, "pivotY", 0.5),
        reference_string(&input, "axis", "")[0], reference_mask(file, &input, "mask") };
    mrw_node_desc bones[6];
    uint32_t count = mrw_author_suggest_bones(&options, bones);
    uint32_t expected_count;
    const mrw_node_desc* expected = reference_bones(file, at, "expected", &expected_count);
    check_bones(bones, count, expected, expected_count);
}

TEST(suggested_bones_match_the_reference)
{
    each_case("golden/modoki/autobones-s1.json", 12, check_suggestion);
}

// Influences of a mesh of a document as four slots a vertex.
static void slots_of(const mrw_mesh_desc* mesh, uint32_t* joints, double* weights)
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t first = mesh->influence_first[v];
        uint32_t count = mesh->influence_first[v + 1] - first;
        CHECK(count <= SLOTS);
        for (uint32_t i = 0; i < count && i < SLOTS; i++) {
            joints[v * SLOTS + i] = mesh->influence_joint[first + i];
            weights[v * SLOTS + i] = mesh->influence_weight[first + i];
        }
    }
}

static void check_rig(reference* file, const mrwi_json_cursor* at, uint32_t index)
{
    (void)index;
    mrwi_json_cursor input = mrwi_json_member(at, "input");
    mrwi_json_cursor weights_member = mrwi_json_member(&input, "weights");
    mrw_rig_options options = {
        .id = reference_string(&input, "id", NULL),
        .sprite = reference_string(&input, "sprite", NULL),
        .width = reference_number(&input, "width", 0),
        .height = reference_number(&input, "height", 0),
        .pivot_x = reference_number(&input, "pivotX", 0.5),
        .pivot_y = reference_number(&input, "pivotY", 0.5),
        .columns = reference_number(&input, "cols", 0),
        .rows = reference_number(&input, "rows", 0),
        .cell_size = reference_number(&input, "cellSize", 0),
        .bone_count = reference_number(&input, "boneCount", 0),
        .weights = weight_options(&weights_member),
        .mask = reference_mask(file, &input, "mask"),
    };
    bool given = strcmp(reference_string(at, "op", ""), "buildRig2D") == 0;
    CHECK_EQ_INT(given, reference_has(&input, "bones"));
    if (given) {
        options.bones = reference_bones(file, &input, "bones", &options.bone_count_given);
    }
    mrw_document* document;
    mrw_error error = { 0 };
    REQUIRE(CHECK_EQ_INT(mrw_author_rig(file->file.context, &options, &document, &error), MRW_OK));
    const mrw_model_desc* model = mrw_document_model(document);
    mrwi_json_cursor expected = mrwi_json_member(at, "expected");
    uint32_t bone_count;
    const mrw_node_desc* bones = reference_bones(file, &expected, "bones", &bone_count);
    check_bones(model->nodes, model->node_count, bones, bone_count);
    CHECK_STR(model->id, reference_string(&expected, "id", NULL));
    CHECK_EQ_INT(model->file_version, 1);
    REQUIRE(model->part_count == 1 && model->mesh_count == 1);
    CHECK_STR(model->parts[0].name, "main");
    CHECK_STR(model->parts[0].sprite, reference_string(&expected, "sprite", NULL));
    mrwi_json_cursor mesh_member = mrwi_json_member(&expected, "mesh");
    const mrw_mesh_desc* mesh = &model->meshes[model->parts[0].mesh];
    check_numbers(mesh->positions, mesh->vertex_count * 2, reference_array(file, &mesh_member, "verts"), 1e-5);
    check_numbers(mesh->uvs, mesh->vertex_count * 2, reference_array(file, &mesh_member, "uvs"), 1e-5);
    check_indices(file, &mesh_member, "tris", mesh->indices, mesh->index_count);
    uint32_t* joints = calloc((size_t)mesh->vertex_count * SLOTS + 1, sizeof(uint32_t));
    double* weights = calloc((size_t)mesh->vertex_count * SLOTS + 1, sizeof(double));
    REQUIRE(joints != NULL && weights != NULL);
    slots_of(mesh, joints, weights);
    check_slots(file, &expected, joints, weights, mesh->vertex_count);
    free(weights);
    free(joints);
    mrw_document_release(document);
}

TEST(rigs_match_the_reference)
{
    each_case("golden/modoki/autorig-s1.json", 8, check_rig);
}

static mrw_paint_mode paint_mode(const char* name)
{
    return strcmp(name, "subtract") == 0 ? MRW_PAINT_SUBTRACT : strcmp(name, "set") == 0 ? MRW_PAINT_SET : MRW_PAINT_ADD;
}

static void check_paint(reference* file, const mrwi_json_cursor* at, uint32_t index)
{
    (void)index;
    mrwi_json_cursor input = mrwi_json_member(at, "input");
    reference_numbers points = reference_array(file, &input, "verts");
    reference_numbers center = reference_array(file, &input, "center");
    reference_numbers positions = { 0, NULL };
    if (reference_has(&input, "bonePositions")) {
        positions = reference_array(file, &input, "bonePositions");
    }
    mrw_paint_options options = {
        .positions = points.values,
        .vertex_count = points.count / 2,
        .bone = (uint32_t)reference_number(&input, "boneIndex", 0),
        .center_x = center.values[0],
        .center_y = center.values[1],
        .radius = reference_number(&input, "radius", 0),
        .strength = reference_number(&input, "strength", 0),
        .mode = paint_mode(reference_string(&input, "mode", "add")),
        .constant = strcmp(reference_string(&input, "falloff", "smooth"), "constant") == 0,
        .bone_positions = positions.values,
        .bone_position_count = positions.count / 2,
    };
    uint32_t* joints = reference_indices(file, &input, "skinIndices", NULL);
    double* weights = reference_array(file, &input, "skinWeights").values;
    mrw_author_paint(&options, joints, weights);
    mrwi_json_cursor expected = mrwi_json_member(at, "expected");
    uint32_t count;
    const uint32_t* expected_joints = reference_indices(file, &expected, "skinIndices", &count);
    reference_numbers expected_weights = reference_array(file, &expected, "skinWeights");
    REQUIRE(CHECK_EQ_INT(count, options.vertex_count * SLOTS));
    for (uint32_t slot = 0; slot < count; slot++) {
        uint32_t first = slot / SLOTS * SLOTS;
        const uint32_t bones[2] = { joints[slot], expected_joints[slot] };
        for (int i = 0; i < 2; i++) {
            CHECK_NEAR(weight_in(joints, weights, first, first + SLOTS, bones[i]),
                weight_in(expected_joints, expected_weights.values, first, first + SLOTS, bones[i]), 1e-5);
        }
    }
}

TEST(brush_matches_the_reference)
{
    each_case("golden/modoki/paint-s1.json", 12, check_paint);
}

TEST(weight_fields_match_the_reference)
{
    reference file;
    REQUIRE(reference_open(&file, "golden/modoki/paint-s1.json"));
    mrwi_json_cursor fields = mrwi_json_member(&file.file.root, "fields");
    CHECK_EQ_INT(mrwi_json_count(&fields), 4);
    mrwi_json_cursor at;
    for (bool more = mrwi_json_first(&fields, &at); more; more = mrwi_json_next(&at)) {
        const uint32_t* joints = reference_indices(&file, &at, "skinIndices", NULL);
        const double* weights = reference_array(&file, &at, "skinWeights").values;
        uint32_t vertex_count = (uint32_t)reference_number(&at, "vertCount", 0);
        double field[16];
        uint32_t dominant[16];
        REQUIRE(vertex_count > 0 && vertex_count <= 16);
        mrw_author_weight_field(joints, weights, vertex_count, (uint32_t)reference_number(&at, "bone", 0), field);
        mrw_author_dominant_bones(joints, weights, vertex_count, dominant);
        reference_numbers expected = reference_array(&file, &at, "weightField");
        REQUIRE(CHECK_EQ_INT(expected.count, vertex_count));
        for (uint32_t v = 0; v < vertex_count; v++) {
            CHECK_NEAR(field[v], expected.values[v], 1e-5);
        }
        check_indices(&file, &at, "dominant", dominant, vertex_count);
    }
    reference_close(&file);
}

TEST(bone_colors_match_the_reference)
{
    reference file;
    REQUIRE(reference_open(&file, "golden/modoki/paint-s1.json"));
    reference_numbers colors = reference_array(&file, &file.file.root, "bonePalette");
    REQUIRE(CHECK_EQ_INT(colors.count, 24));
    for (uint32_t bone = 0; bone < 16; bone++) {
        const double* rgb = &colors.values[bone % 8 * 3];
        CHECK_EQ_INT(mrw_author_bone_color(bone), (int64_t)(rgb[0] * 65536 + rgb[1] * 256 + rgb[2]));
    }
    reference_close(&file);
}
