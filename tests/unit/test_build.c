// The builder: what it refuses, what it drops, and how it packs.
#include "check.h"

#include "model/check.h"
#include "model/model.h"
#include "support/failing_allocator.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Two bones and two parts, in arrays that a test may change.
//
//   part 0 "arm"    0---1   order 2    vertices 0, 3 on bone 0, 1 on bone 1, 2 on both
//                   | \ |
//                   3---2
//   part 1 "body"   one triangle, order 1, all on bone 0
typedef struct scene {
    mrw_node_desc nodes[5];
    float positions[2][8], uvs[2][8];
    uint32_t indices[2][6], first[2][5], joint[2][8];
    double weight[2][8];
    mrw_mesh_desc meshes[2];
    mrw_skin_desc skins[1];
    mrw_part_desc parts[3];
    uint32_t joints[3];
    double binds[18];
    mrw_asset_path assets[1];
    mrw_warning warnings[1];
    mrw_model_desc desc;
} scene;

static const scene plain = {
    .nodes = { { .name = "root", .parent = -1, .x = 10, .y = 20 }, { .name = "tip", .parent = 0, .x = 5 } },
    .positions = { { 0, 0, 8, 0, 8, 8, 0, 8 }, { 1, 1, 4, 1, 1, -4 } },
    .uvs = { { 0, 0, 1, 0, 1, 1, 0, 1 }, { 0, 0, 1, 0, 0, 1 } },
    .indices = { { 0, 2, 1, 0, 3, 2 }, { 0, 1, 2 } },
    .first = { { 0, 1, 2, 4, 5 }, { 0, 1, 2, 3 } },
    .joint = { { 0, 1, 0, 1, 0 }, { 0, 0, 0 } },
    .weight = { { 1, 1, 0.25, 0.75, 1 }, { 1, 1, 1 } },
    .assets = { { "9f6a1c9e-0000-8000-8000-000000000001", "arm.png" } },
    .warnings = { { MRW_BAD_TYPE, "$.bones[0].x", "found by a reader" } },
};

static scene scene_now;

static scene* scene_begin(void)
{
    scene_now = plain;
    scene* s = &scene_now;
    for (int i = 0; i < 2; i++) {
        s->meshes[i] = (mrw_mesh_desc) { i == 0 ? 4 : 3, i == 0 ? 6 : 3, i == 0 ? 5 : 3, s->positions[i], s->uvs[i], s->indices[i],
            s->first[i], s->joint[i], s->weight[i] };
    }
    s->parts[0] = (mrw_part_desc) { .name = "arm", .mesh = 0, .sprite = s->assets[0].guid, .order = 2 };
    s->parts[1] = (mrw_part_desc) { .name = "body", .mesh = 1, .sprite = "body.png", .order = 1, .hidden = true };
    s->parts[2] = (mrw_part_desc) { .name = "none", .mesh = -1, .skin = -1, .order = 1 };
    s->desc = (mrw_model_desc) { .id = "9f6a1c9e-0000-8000-8000-000000000002",
        .node_count = 2,
        .mesh_count = 2,
        .skin_count = 1,
        .part_count = 2,
        .asset_count = 1,
        .nodes = s->nodes,
        .meshes = s->meshes,
        .skins = s->skins,
        .parts = s->parts,
        .assets = s->assets,
        .file_version = 2,
        .stated_version = -1 };
    return s;
}

static mrwi_model* create(mrw_context* context, const scene* s)
{
    mrw_model_id id;
    mrw_error error = { 0 };
    CHECK_EQ_INT(mrw_model_create(context, &s->desc, NULL, &id, &error), MRW_OK);
    CHECK_STR(error.message, "");
    return mrwi_model_get(context, id);
}

typedef void (*spoil_function)(scene* s);
static void spoil_nodes(scene* s)
{
    s->desc.nodes = NULL;
}
static void spoil_parts(scene* s)
{
    s->desc.parts = NULL;
}
static void spoil_x(scene* s)
{
    s->nodes[1].x = NAN;
}
static void spoil_rotation(scene* s)
{
    s->nodes[0].rotation = INFINITY;
}
static void spoil_y(scene* s)
{
    s->nodes[0].y = 1e300;
}
static void spoil_positions(scene* s)
{
    s->meshes[0].positions = NULL;
}
static void spoil_position(scene* s)
{
    s->positions[0][5] = NAN;
}
static void spoil_uv(scene* s)
{
    s->uvs[1][2] = INFINITY;
}
static void spoil_indices(scene* s)
{
    s->meshes[1].indices = NULL;
}
static void spoil_first(scene* s)
{
    s->first[0][4] = 6;
}
static void spoil_order_of_first(scene* s)
{
    s->first[0][2] = 0;
}
static void spoil_joint(scene* s)
{
    s->joint[0][3] = 2;
}
static void spoil_weight(scene* s)
{
    s->weight[0][2] = -0.5;
}
static void spoil_nan_weight(scene* s)
{
    s->weight[1][0] = NAN;
}
static void spoil_part_mesh(scene* s)
{
    s->parts[1].mesh = 2;
}
static void spoil_part_skin(scene* s)
{
    s->parts[0].skin = 1;
}
static void spoil_part_order(scene* s)
{
    s->parts[0].order = NAN;
}
static void spoil_blend(scene* s)
{
    s->parts[1].blend = (mrw_blend_mode)7;
}
static void spoil_asset(scene* s)
{
    s->assets[0].path = NULL;
}
static void spoil_joints(scene* s)
{
    s->joints[1] = 9;
    s->skins[0] = (mrw_skin_desc) { 2, s->joints, NULL };
}
static void spoil_binds(scene* s)
{
    s->binds[7] = NAN;
    s->skins[0] = (mrw_skin_desc) { 0, NULL, s->binds };
}
static void spoil_node_count(scene* s)
{
    s->desc.node_count = 17;
}
static void spoil_vertex_count(scene* s)
{
    s->parts[1].mesh = s->parts[2].mesh = 0, s->desc.part_count = 3;
}

TEST(a_bad_description_is_refused_with_its_place)
{
    static const struct {
        spoil_function spoil;
        mrw_result code;
        const char* path;
    } cases[] = {
        { spoil_nodes, MRW_BAD_ARGUMENT, "$.bones" },
        { spoil_parts, MRW_BAD_ARGUMENT, "$.parts" },
        { spoil_x, MRW_BAD_VALUE, "$.bones[1].x" },
        { spoil_y, MRW_BAD_VALUE, "$.bones[0].y" },
        { spoil_rotation, MRW_BAD_VALUE, "$.bones[0].rot" },
        { spoil_positions, MRW_BAD_ARGUMENT, "$.meshes[0].positions" },
        { spoil_position, MRW_BAD_VALUE, "$.meshes[0].positions[5]" },
        { spoil_uv, MRW_BAD_VALUE, "$.meshes[1].uvs[2]" },
        { spoil_indices, MRW_BAD_ARGUMENT, "$.meshes[1].indices" },
        { spoil_first, MRW_BAD_COUNT, "$.meshes[0].influenceFirst" },
        { spoil_order_of_first, MRW_BAD_COUNT, "$.meshes[0].influenceFirst[2]" },
        { spoil_joint, MRW_BAD_INDEX, "$.parts[0].skinIndices[3]" },
        { spoil_weight, MRW_BAD_VALUE, "$.meshes[0].influenceWeight[2]" },
        { spoil_nan_weight, MRW_BAD_VALUE, "$.meshes[1].influenceWeight[0]" },
        { spoil_part_mesh, MRW_BAD_INDEX, "$.parts[1].mesh" },
        { spoil_part_skin, MRW_BAD_INDEX, "$.parts[0].skin" },
        { spoil_part_order, MRW_BAD_VALUE, "$.parts[0].order" },
        { spoil_blend, MRW_BAD_VALUE, "$.parts[1].blend" },
        { spoil_asset, MRW_BAD_ARGUMENT, "$.assets[0].path" },
        { spoil_joints, MRW_BAD_INDEX, "$.skins[0].joints[1]" },
        { spoil_binds, MRW_BAD_VALUE, "$.skins[0].inverseBinds[7]" },
        { spoil_node_count, MRW_LIMIT, "$.bones" },
        { spoil_vertex_count, MRW_LIMIT, "$.parts" },
    };
    mrw_context* context = mrw_context_create(&(mrw_context_desc) { .limits = { .nodes = 16, .vertices = 11 } });
    size_t memory = mrw_context_memory(context);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        scene* s = scene_begin();
        cases[i].spoil(s);
        mrw_model_id id = { 7 };
        mrw_error error = { 0 };
        CHECK_EQ_INT(mrw_model_create(context, &s->desc, NULL, &id, &error), cases[i].code);
        CHECK_EQ_INT(error.code, cases[i].code);
        CHECK_STR(error.path, cases[i].path);
        CHECK_EQ_INT(id.value, 0);
        // The error may be left out, and a document refuses the same.
        CHECK_EQ_INT(mrw_model_create(context, &s->desc, NULL, &id, NULL), cases[i].code);
        mrw_document* document = NULL;
        CHECK_EQ_INT(mrw_document_from_model_desc(context, &s->desc, &document), cases[i].code);
        CHECK(document == NULL);
    }
    CHECK_EQ_INT(mrw_context_memory(context), memory);
    mrw_context_destroy(context);
}

TEST(an_empty_description_makes_an_empty_model)
{
    mrw_context* context = mrw_context_create(NULL);
    mrw_model_id id;
    REQUIRE(mrw_model_create(context, &(mrw_model_desc) { 0 }, NULL, &id, NULL) == MRW_OK);
    const mrwi_model* model = mrwi_model_get(context, id);
    CHECK_EQ_INT(model->node_count, 0);
    CHECK_EQ_INT(model->part_count, 0);
    CHECK_EQ_INT(model->vertex_count, 0);
    for (int i = 0; i < 4; i++) {
        CHECK_EQ_INT(model->bind_bounds[i], 0);
    }
    mrw_context_destroy(context);
}

TEST(nodes_come_after_their_parents_and_else_in_file_order)
{
    // 0 hangs on 2, 2 on 1; 3 names nothing, 4 names itself.
    mrw_context* context = mrw_context_create(NULL);
    scene* s = scene_begin();
    static const int32_t parents[5] = { 2, -1, 1, 99, 4 };
    static const int32_t expected_file_index[5] = { 1, 2, 0, 3, 4 };
    static const int32_t expected_parents[5] = { -1, 0, 1, -1, -1 };
    for (int i = 0; i < 5; i++) {
        s->nodes[i] = (mrw_node_desc) { .name = (const char*[]) { "a", "b", "c", "d", "e" }[i], .parent = parents[i], .x = i + 1 };
    }
    s->nodes[4].scale_x = 2;
    s->nodes[4].no_scale = true;
    s->desc.node_count = 5;
    const mrwi_model* model = create(context, s);
    REQUIRE(model != NULL);
    CHECK_EQ_INT(model->node_stride, 8);
    CHECK_BYTES(model->node_file_index, expected_file_index, sizeof expected_file_index);
    CHECK_BYTES(model->node_parents, expected_parents, sizeof expected_parents);
    CHECK_BYTES(model->file_parents, parents, sizeof parents);
    for (int i = 0; i < 5; i++) {
        int32_t node = model->node_of_file_index[i];
        CHECK_EQ_INT(model->node_file_index[node], i);
        CHECK_STR(model->node_names[node], s->nodes[i].name);
        CHECK_EQ_INT(model->rest[node], i + 1);
        CHECK_EQ_INT(model->node_no_scale[node], i == 4);
    }
    CHECK(model->any_no_scale);
    // A scale of 0, 0 means 1, 1; half a scale is a scale.
    CHECK_EQ_INT(model->rest[MRW_FIELD_SCALE_X * 8], 1);
    CHECK_EQ_INT(model->rest[MRW_FIELD_SCALE_Y * 8], 1);
    CHECK_EQ_INT(model->rest[MRW_FIELD_SCALE_X * 8 + 4], 2);
    CHECK_EQ_INT(model->rest[MRW_FIELD_SCALE_Y * 8 + 4], 0);
    // a = b + c + a: 2 + 3 + 1
    CHECK_EQ_INT(model->rest_world[2][4], 6);
    mrw_context_destroy(context);
}

TEST(a_cycle_is_cut_at_the_node_that_closes_it)
{
    // 0 -> 1 -> 0: resolving 0 asks for 1, whose parent 0 is on the way already, so 1 is the root.
    mrw_context* context = mrw_context_create(NULL);
    scene* s = scene_begin();
    s->nodes[0] = (mrw_node_desc) { .parent = 1, .x = 1 };
    s->nodes[1] = (mrw_node_desc) { .parent = 0, .y = 10 };
    const mrwi_model* model = create(context, s);
    REQUIRE(model != NULL);
    CHECK_EQ_INT(model->node_file_index[0], 1);
    CHECK_EQ_INT(model->node_parents[0], -1);
    CHECK_EQ_INT(model->node_parents[1], 0);
    CHECK_EQ_INT(model->rest_world[0][4], 0);
    CHECK_EQ_INT(model->rest_world[0][5], 10);
    CHECK_EQ_INT(model->rest_world[1][4], 1);
    CHECK_EQ_INT(model->rest_world[1][5], 10);
    // Joints name nodes by file index; their binds take the rest position back.
    CHECK_EQ_INT(model->skins[0].joints[0], 1);
    CHECK_EQ_INT(model->skins[0].binds_f64[0][4], -1);
    CHECK_EQ_INT(model->skins[0].binds[0].f, -10);
    CHECK_EQ_INT(model->skins[0].binds[1].e, 0);
    mrw_context_destroy(context);
}

TEST(a_skin_takes_its_own_joints_and_binds)
{
    mrw_context* context = mrw_context_create(NULL);
    scene* s = scene_begin();
    s->joints[0] = 1;
    s->joints[1] = 0;
    for (int i = 0; i < 12; i++) {
        s->binds[i] = i;
    }
    s->skins[0] = (mrw_skin_desc) { 2, s->joints, s->binds };
    const mrwi_model* model = create(context, s);
    REQUIRE(model != NULL);
    CHECK_EQ_INT(model->skins[0].joint_count, 2);
    CHECK_EQ_INT(model->skins[0].joints[0], 1);
    CHECK_EQ_INT(model->skins[0].binds_f64[1][3], 9);
    CHECK_EQ_INT(model->skins[0].binds[0].f, 5);
    // Vertex 1 of the arm has joint 1, which is node 0.
    uint32_t vertex_count;
    const uint32_t *first, *joint;
    const float* weight;
    REQUIRE(mrw_model_influences(context, model->id, 1, &vertex_count, &first, &joint, &weight) == MRW_OK);
    CHECK_EQ_INT(vertex_count, 4);
    CHECK_EQ_INT(joint[first[1]], 0);
    CHECK_EQ_INT(joint[first[0]], 1);
    mrw_context_destroy(context);
}

TEST(weights_are_normalised_merged_and_never_vanish)
{
    mrw_context* context = mrw_context_create(NULL);
    scene* s = scene_begin();
    static const uint32_t first[5] = { 0, 3, 5, 7, 7 };
    static const uint32_t joint[8] = { 1, 0, 1, 1, 0, 1, 0 };
    // vertex 0: 2 and 4 of 9 on bone 1, 3 on bone 0; vertex 1: no weight, so all on its first slot's bone; vertex 2: too small
    // for f32, as above; vertex 3: no slots, so it rests.
    static const double weight[8] = { 2, 3, 4, 0, 0, 1e-320, 0 };
    memcpy(s->first[0], first, sizeof first);
    memcpy(s->joint[0], joint, sizeof joint);
    memcpy(s->weight[0], weight, sizeof weight);
    s->meshes[0].influence_count = 7;
    const mrwi_model* model = create(context, s);
    REQUIRE(model != NULL);
    const mrwi_influences* arm = &model->parts[1].influences;
    static const uint32_t expected_first[5] = { 0, 2, 3, 4, 4 };
    static const uint32_t expected_joint[4] = { 1, 0, 1, 1 };
    CHECK_BYTES(arm->first, expected_first, sizeof expected_first);
    CHECK_BYTES(arm->joint, expected_joint, sizeof expected_joint);
    CHECK_NEAR(arm->weight[0], 6.0 / 9.0, 1e-7);
    CHECK_EQ_INT(arm->weight[1] == (float)(3.0 / 9.0), true);
    CHECK_EQ_INT(arm->weight[2], 1);
    CHECK_EQ_INT(arm->weight[3], 1);
    CHECK_EQ_INT(model->max_influences, 2);
    CHECK_EQ_INT(model->influence_count, 4 + 3);
    mrw_context_destroy(context);
}

static void check_part_matches_file(const mrwi_model* model, const scene* s, uint32_t draw_order)
{
    const mrwi_part* part = &model->parts[draw_order];
    const mrw_mesh_desc* mesh = &s->meshes[s->parts[part->file_index].mesh];
    REQUIRE(part->vertex_count == mesh->vertex_count && part->index_count == mesh->index_count);
    uint32_t seen = 0;
    for (uint32_t i = 0; i < part->vertex_count; i++) {
        uint32_t file = part->vertex_map[i], block = part->first_vertex + i;
        seen |= 1u << file;
        CHECK_BYTES(model->bind + block * 2, mesh->positions + file * 2, 8);
        CHECK_BYTES(model->local_uvs + block * 2, mesh->uvs + file * 2, 8);
        CHECK_BYTES(model->uvs + block * 2, mesh->uvs + file * 2, 8);
    }
    CHECK_EQ_INT(seen, (1u << mesh->vertex_count) - 1);
    for (uint32_t i = 0; i < part->index_count; i++) {
        uint32_t block = model->indices[part->first_index + i];
        REQUIRE(block >= part->first_vertex && block < part->first_vertex + part->vertex_count);
        CHECK_EQ_INT(part->vertex_map[block - part->first_vertex], mesh->indices[i]);
    }
    for (uint32_t i = 0; i < MRWI_PLAN_SLACK * 2; i++) {
        CHECK_EQ_INT(model->bind[(part->first_vertex + part->vertex_count) * 2 + i], 0);
    }
}

TEST(parts_lie_in_draw_order_in_one_block)
{
    mrw_context* context = mrw_context_create(NULL);
    scene* s = scene_begin();
    s->desc.part_count = 3;
    const mrwi_model* model = create(context, s);
    REQUIRE(model != NULL && model->part_count == 3);
    // body and none both have order 1 and keep the file's order; arm is in front.
    CHECK_STR(model->parts[0].name, "body");
    CHECK_STR(model->parts[1].name, "none");
    CHECK_STR(model->parts[2].name, "arm");
    CHECK_EQ_INT(model->parts[0].first_vertex, 0);
    CHECK_EQ_INT(model->parts[1].first_vertex, 3 + MRWI_PLAN_SLACK);
    CHECK_EQ_INT(model->parts[2].first_vertex, 3 + 2 * MRWI_PLAN_SLACK);
    CHECK_EQ_INT(model->vertex_count, 7 + 3 * MRWI_PLAN_SLACK);
    CHECK_EQ_INT(model->index_count, 9);
    check_part_matches_file(model, s, 0);
    check_part_matches_file(model, s, 2);
    CHECK(model->parts[0].hidden && !model->parts[2].hidden);
    // Pictures in the order of the parts that show them; no picture is no sprite.
    CHECK_EQ_INT(model->sprite_count, 2);
    CHECK_STR(model->sprites[0].guid, "body.png");
    CHECK(!model->sprites[0].is_guid && model->sprites[1].is_guid);
    CHECK_EQ_INT(model->parts[0].sprite, 0);
    CHECK_EQ_INT(model->parts[1].sprite, -1);
    CHECK_EQ_INT(model->parts[2].sprite, 1);
    CHECK_EQ_INT(model->sprites[1].page, 1);
    // The hidden part counts for the bounds.
    static const float bounds[4] = { 0, -4, 8, 8 };
    CHECK_BYTES(model->bind_bounds, bounds, sizeof bounds);
    mrw_context_destroy(context);
}

TEST(parts_that_show_the_same_picture_share_a_sprite)
{
    mrw_context* context = mrw_context_create(NULL);
    scene* s = scene_begin();
    char same[] = "body.png";
    s->parts[0].sprite = same;
    const mrwi_model* model = create(context, s);
    REQUIRE(model != NULL);
    CHECK_EQ_INT(model->sprite_count, 1);
    CHECK_EQ_INT(model->parts[0].sprite, 0);
    CHECK_EQ_INT(model->parts[1].sprite, 0);
    mrw_context_destroy(context);
}

TEST(sorting_parts_is_stable_at_any_count)
{
    mrw_context* context = mrw_context_create(NULL);
    enum { PART_COUNT = 37 };
    mrw_part_desc parts[PART_COUNT];
    for (int i = 0; i < PART_COUNT; i++) {
        parts[i] = (mrw_part_desc) { .name = "", .mesh = -1, .skin = -1, .order = (i * 7) % 5 - 1.5 };
    }
    mrw_model_id id;
    mrw_model_desc desc = { .part_count = PART_COUNT, .parts = parts, .file_version = 2 };
    REQUIRE(mrw_model_create(context, &desc, NULL, &id, NULL) == MRW_OK);
    const mrwi_model* model = mrwi_model_get(context, id);
    for (uint32_t i = 1; i < PART_COUNT; i++) {
        const mrwi_part *a = &model->parts[i - 1], *b = &model->parts[i];
        CHECK(a->order < b->order || (a->order == b->order && a->file_index < b->file_index));
    }
    mrw_context_destroy(context);
}

TEST(a_bad_triangle_is_dropped_whole)
{
    mrw_context* context = mrw_context_create(NULL);
    scene* s = scene_begin();
    s->indices[0][1] = 4;
    s->meshes[1].index_count = 2;
    const mrwi_model* model = create(context, s);
    REQUIRE(model != NULL);
    CHECK_EQ_INT(model->parts[0].index_count, 0);
    CHECK_EQ_INT(model->parts[1].index_count, 3);
    CHECK_EQ_INT(model->index_count, 3);
    CHECK_EQ_INT(model->parts[1].vertex_map[model->indices[1] - model->parts[1].first_vertex], 3);
    REQUIRE(model->warning_count == 2);
    CHECK_EQ_INT(model->warnings[0].code, MRW_BAD_INDEX);
    CHECK_STR(model->warnings[0].path, "$.parts[0].mesh.tris[0]");
    CHECK_EQ_INT(model->warnings[1].code, MRW_BAD_COUNT);
    CHECK_STR(model->warnings[1].path, "$.parts[1].mesh.tris[0]");

    mrw_model_id id;
    mrw_error error;
    CHECK_EQ_INT(mrw_model_create(context, &s->desc, &(mrw_load_options) { .strict = true }, &id, &error), MRW_BAD_INDEX);
    CHECK_STR(error.path, "$.parts[0].mesh.tris[0]");
    CHECK_EQ_INT(id.value, 0);
    // A rig of version 1 has its mesh at the top.
    s->desc.file_version = 1;
    CHECK_EQ_INT(mrw_model_create(context, &s->desc, &(mrw_load_options) { .strict = true }, &id, &error), MRW_BAD_INDEX);
    CHECK_STR(error.path, "$.mesh.tris[0]");
    mrw_context_destroy(context);
}

TEST(a_rig_without_bones_rests)
{
    mrw_context* context = mrw_context_create(NULL);
    scene* s = scene_begin();
    s->desc.node_count = 0;
    // With no bone there is no index that could be right; nothing reads them.
    s->joint[0][0] = 77;
    const mrwi_model* model = create(context, s);
    REQUIRE(model != NULL);
    CHECK_EQ_INT(model->parts[1].skin, -1);
    CHECK_EQ_INT(model->influence_count, 0);
    CHECK_EQ_INT(model->parts[1].influences.first[4], 0);
    for (uint32_t i = 0; i < model->parts[1].plan.span_count; i++) {
        CHECK_EQ_INT(model->parts[1].plan.spans[i].kind, MRWI_SPAN_REST);
    }
    check_part_matches_file(model, s, 1);
    mrw_context_destroy(context);
}

TEST(denormals_become_zero)
{
    mrw_context* context = mrw_context_create(NULL);
    scene* s = scene_begin();
    s->positions[1][0] = 1e-39f;
    s->positions[1][1] = -FLT_MIN;
    s->nodes[0].x = -1e-40;
    s->weight[0][2] = 1e-39;
    s->weight[0][3] = 1;
    const mrwi_model* model = create(context, s);
    REQUIRE(model != NULL);
    for (uint32_t i = 0; i < 3; i++) {
        if (model->parts[0].vertex_map[i] == 0) {
            CHECK_EQ_INT(model->bind[i * 2] == 0.0f, true);
            CHECK_EQ_INT(model->bind[i * 2 + 1] == -FLT_MIN, true);
        }
    }
    CHECK_EQ_INT(model->rest[0] == 0.0f, true);
    CHECK_EQ_INT(model->skins[0].binds[0].e == 0.0f, true);
    CHECK_EQ_INT(model->parts[1].influences.first[3] - model->parts[1].influences.first[2], 1);
    mrw_context_destroy(context);
}

TEST(what_the_reader_found_stays_with_the_model)
{
    mrw_context* context = mrw_context_create(NULL);
    scene* s = scene_begin();
    s->desc.warnings = s->warnings;
    s->desc.warning_count = 1;
    s->desc.stated_version = 3;
    const mrwi_model* model = create(context, s);
    REQUIRE(model != NULL && model->warning_count == 1);
    CHECK(model->warnings[0].path != s->warnings[0].path);
    CHECK_STR(model->warnings[0].message, "found by a reader");
    CHECK_EQ_INT(model->stated_version, 3);
    CHECK_STR(model->guid, s->desc.id);
    CHECK_EQ_INT(model->asset_count, 1);
    CHECK_STR(model->assets[0].path, "arm.png");
    mrw_context_destroy(context);
}

TEST(the_list_of_warnings_has_an_end)
{
    mrw_context* context = mrw_context_create(NULL);
    mrwi_model* model = create(context, scene_begin());
    REQUIRE(model != NULL);
    for (int i = 0; i < 1500; i++) {
        REQUIRE(mrwi_model_warn(model, MRW_UNKNOWN, "$.tracks", NULL) == MRW_OK);
    }
    CHECK_EQ_INT(model->warning_count, 1001);
    CHECK_EQ_INT(model->warnings[999].code, MRW_UNKNOWN);
    CHECK_EQ_INT(model->warnings[1000].code, MRW_LIMIT);
    mrw_context_destroy(context);
}

TEST(a_released_model_is_stale_and_leaves_nothing)
{
    mrw_context* context = mrw_context_create(NULL);
    scene* s = scene_begin();
    const uint8_t pixels[2 * 3 * 4] = { 1 };
    size_t memory = 0;
    for (int i = 0; i < 100; i++) {
        mrw_model_id id;
        REQUIRE(mrw_model_create(context, &s->desc, NULL, &id, NULL) == MRW_OK);
        REQUIRE(mrw_model_set_image(context, id, 1, 2, 3, pixels) == MRW_OK);
        REQUIRE(mrw_model_release(context, id) == MRW_OK);
        memory = i == 0 ? mrw_context_memory(context) : memory;
        const uint32_t* numbers;
        const float* weights;
        uint32_t count;
        CHECK_EQ_INT(mrw_model_release(context, id), MRW_STALE);
        CHECK_EQ_INT(mrw_model_set_image(context, id, 1, 2, 3, pixels), MRW_STALE);
        CHECK_EQ_INT(mrw_model_set_frame(context, id, 0, NULL), MRW_STALE);
        CHECK_EQ_INT(mrw_model_influences(context, id, 0, &count, &numbers, &numbers, &weights), MRW_STALE);
    }
    CHECK_EQ_INT(mrw_context_memory(context), memory);
    mrw_context_destroy(context);
}

// Stands in for the runtime: an instance is a number, and the model's list is a counter.
static mrwi_model* instances_of;
static int destroyed_count;
static int instances[3];

static void destroy_instance(struct mrwi_instance* instance)
{
    CHECK(instance == (struct mrwi_instance*)&instances[destroyed_count]);
    destroyed_count++;
    instances_of->first_instance = destroyed_count < 3 ? (struct mrwi_instance*)&instances[destroyed_count] : NULL;
}

TEST(a_model_takes_its_instances_along)
{
    for (int i = 0; i < 2; i++) {
        mrw_context* context = mrw_context_create(NULL);
        instances_of = create(context, scene_begin());
        REQUIRE(instances_of != NULL);
        context->destroy_instance = destroy_instance;
        instances_of->first_instance = (struct mrwi_instance*)&instances[0];
        destroyed_count = 0;
        if (i == 0) {
            CHECK_EQ_INT(mrw_model_release(context, instances_of->id), MRW_OK);
            CHECK_EQ_INT(destroyed_count, 3);
        }
        mrw_context_destroy(context);
        CHECK_EQ_INT(destroyed_count, 3);
    }
}

TEST(images_belong_to_pages)
{
    mrw_context* context = mrw_context_create(&(mrw_context_desc) { .limits = { .image_pixels = 6 } });
    const mrwi_model* model = create(context, scene_begin());
    REQUIRE(model != NULL);
    const uint8_t pixels[2 * 3 * 4] = { 1, 2, 3, 4, [23] = 5 };
    CHECK_EQ_INT(mrw_model_set_image(context, model->id, 0, 0, 3, pixels), MRW_BAD_ARGUMENT);
    CHECK_EQ_INT(mrw_model_set_image(context, model->id, 0, 7, 1, pixels), MRW_LIMIT);
    CHECK_EQ_INT(mrw_model_set_image(context, model->id, 0, 0x10000, 0x10000, pixels), MRW_LIMIT);
    CHECK_EQ_INT(mrw_model_set_image(context, model->id, 0xffffffff, 2, 3, pixels), MRW_LIMIT);
    CHECK_EQ_INT(mrw_model_set_image(context, model->id, 0xffffffff, 0, 0, NULL), MRW_OK);
    CHECK_EQ_INT(model->page_count, 0);
    CHECK_EQ_INT(mrw_model_set_image(context, model->id, 3, 2, 3, pixels), MRW_OK);
    REQUIRE(model->page_count == 4);
    CHECK(model->images[2].pixels == NULL && model->images[3].pixels != pixels);
    CHECK_EQ_INT(model->images[3].height, 3);
    CHECK_BYTES(model->images[3].pixels, pixels, sizeof pixels);
    CHECK_EQ_INT(mrw_model_set_image(context, model->id, 3, 1, 1, pixels), MRW_OK);
    CHECK_EQ_INT(model->images[3].width, 1);
    CHECK_EQ_INT(mrw_model_set_image(context, model->id, 3, 0, 0, NULL), MRW_OK);
    CHECK(model->images[3].pixels == NULL);
    mrw_context_destroy(context);
}

TEST(frames_move_the_uvs_of_their_sprite_only)
{
    mrw_context* context = mrw_context_create(NULL);
    scene* s = scene_begin();
    mrwi_model* model = create(context, s);
    REQUIRE(model != NULL);
    mrw_frame frame = { .page = 9, .page_width = 64, .page_height = 32, .x = 16, .y = 8, .width = 32, .height = 16 };
    uint32_t version = model->uv_version;
    CHECK_EQ_INT(mrw_model_set_frame(context, model->id, 2, &frame), MRW_BAD_ARGUMENT);
    // Sprite 1 is the arm's: u' = 16/64 + u * 32/64, v' = 8/32 + v * 16/32.
    CHECK_EQ_INT(mrw_model_set_frame(context, model->id, 1, &frame), MRW_OK);
    CHECK(model->uv_version != version);
    CHECK_EQ_INT(model->sprites[1].page, 9);
    CHECK(model->sprites[1].has_frame);
    const mrwi_part* arm = &model->parts[1];
    for (uint32_t i = 0; i < 4; i++) {
        const float* local = s->uvs[0] + arm->vertex_map[i] * 2;
        CHECK_EQ_INT(model->uvs[(arm->first_vertex + i) * 2] == 0.25f + 0.5f * local[0], true);
        CHECK_EQ_INT(model->uvs[(arm->first_vertex + i) * 2 + 1] == 0.25f + 0.5f * local[1], true);
    }
    CHECK_BYTES(model->uvs, model->local_uvs, (3 + MRWI_PLAN_SLACK) * 8);
    CHECK_EQ_INT(mrw_model_set_frame(context, model->id, 1, NULL), MRW_OK);
    CHECK_EQ_INT(model->sprites[1].page, 1);
    CHECK_BYTES(model->uvs, model->local_uvs, model->vertex_count * 8);
    float* const members[] = { &frame.page_width, &frame.page_height, &frame.width, &frame.height, &frame.source_width };
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        float good = *members[i];
        *members[i] = i == 4 ? -1 : 0;
        CHECK_EQ_INT(mrw_model_set_frame(context, model->id, 1, &frame), MRW_BAD_ARGUMENT);
        *members[i] = NAN;
        CHECK_EQ_INT(mrw_model_set_frame(context, model->id, 1, &frame), MRW_BAD_ARGUMENT);
        *members[i] = good;
    }
    mrw_context_destroy(context);
}

TEST(turned_and_trimmed_frames)
{
    // A sprite of 20 x 10 pixels, cut to the 8 x 6 pixels from (4, 2) on, and stored turned clockwise, so 6 wide and 8 high,
    // at (30, 40) of a 100 x 200 page.
    //
    //   untrimmed        cut, turned
    //   A---------B      C--A
    //   |  +--+   |      |  |      the cut's top left is the stored frame's top right
    //   C--+--+---D      D--B
    static const mrw_frame frame = { .page_width = 100,
        .page_height = 200,
        .x = 30,
        .y = 40,
        .width = 6,
        .height = 8,
        .rotated = true,
        .trim_x = 4,
        .trim_y = 2,
        .source_width = 20,
        .source_height = 10 };
    // The cut's corners (4,2) (12,2) (4,8) and the sprite's own corner (0,0).
    float uvs[8] = { 4 / 20.0f, 2 / 10.0f, 12 / 20.0f, 2 / 10.0f, 4 / 20.0f, 8 / 10.0f, 0, 0 };
    static const float expected[8]
        = { 36 / 100.0f, 40 / 200.0f, 36 / 100.0f, 48 / 200.0f, 30 / 100.0f, 40 / 200.0f, 38 / 100.0f, 36 / 200.0f };
    mrw_frame_uvs(uvs, 4, &frame, uvs);
    for (int i = 0; i < 8; i++) {
        CHECK_NEAR(uvs[i], expected[i], 1e-6);
    }
    // Without a trim the sizes come from the frame: turned back, 8 x 6.
    static const mrw_frame whole = { .page_width = 100, .page_height = 200, .x = 30, .y = 40, .width = 6, .height = 8, .rotated = true };
    float corner[4] = { 1, 0, 0, 1 };
    mrw_frame_uvs(corner, 2, &whole, corner);
    CHECK_NEAR(corner[0], 0.36, 1e-6);
    CHECK_NEAR(corner[1], 0.24, 1e-6);
    CHECK_NEAR(corner[2], 0.30, 1e-6);
    CHECK_NEAR(corner[3], 0.20, 1e-6);
}

static mrw_result attempt_create(mrw_context* context, void* user)
{
    mrw_model_id id;
    mrw_error error;
    mrw_result result = mrw_model_create(context, &((scene*)user)->desc, NULL, &id, &error);
    if (result != MRW_OK) {
        CHECK_EQ_INT(error.code, result);
        CHECK_EQ_INT(id.value, 0);
        return result;
    }
    const uint8_t pixels[4] = { 0 };
    result = mrw_model_set_image(context, id, 3, 1, 1, pixels);
    CHECK_EQ_INT(mrw_model_release(context, id), MRW_OK);
    return result;
}

static mrw_result attempt_document(mrw_context* context, void* user)
{
    mrw_document* document;
    mrw_result result = mrw_document_from_model_desc(context, &((scene*)user)->desc, &document);
    mrw_document_release(document);
    return result;
}

TEST(every_failed_allocation_is_a_result)
{
    scene* s = scene_begin();
    s->desc.part_count = 3;
    s->desc.warnings = s->warnings;
    s->desc.warning_count = 1;
    s->indices[0][0] = 1000;
    FAILING_ALLOCATOR_SWEEP(attempt_create, s);
    FAILING_ALLOCATOR_SWEEP(attempt_document, s);
}

TEST(a_document_owns_what_it_holds)
{
    mrw_context* context = mrw_context_create(NULL);
    scene* s = scene_begin();
    s->parts[0].extras = "\"a\":1";
    s->parts[0].mesh_extras = "\"b\":2";
    s->nodes[1].extras = "\"c\":3";
    s->desc.extras = "\"d\":4";
    s->desc.warnings = s->warnings;
    s->desc.warning_count = 1;
    s->joints[0] = 1;
    s->joints[1] = 0;
    s->skins[0] = (mrw_skin_desc) { 2, s->joints, s->binds };
    mrw_document* document = NULL;
    REQUIRE(mrw_document_from_model_desc(context, &s->desc, &document) == MRW_OK);
    memset(&scene_now, 0x55, sizeof scene_now);
    const mrw_model_desc* desc = mrw_document_model(document);
    REQUIRE(desc != NULL);
    CHECK(mrw_document_clip(document) == NULL);
    CHECK_STR(desc->nodes[1].name, "tip");
    CHECK_STR(desc->nodes[1].extras, "\"c\":3");
    CHECK_STR(desc->parts[0].extras, "\"a\":1");
    CHECK_STR(desc->parts[0].mesh_extras, "\"b\":2");
    CHECK_STR(desc->extras, "\"d\":4");
    CHECK_STR(desc->assets[0].path, "arm.png");
    CHECK_EQ_INT(desc->skins[0].joints[0], 1);
    CHECK_EQ_INT(desc->skins[0].inverse_binds[11], 0);
    CHECK_BYTES(desc->meshes[0].positions, plain.positions[0], sizeof plain.positions[0]);
    CHECK_BYTES(desc->meshes[0].uvs, plain.uvs[0], sizeof plain.uvs[0]);
    CHECK_BYTES(desc->meshes[0].indices, plain.indices[0], sizeof plain.indices[0]);
    CHECK_BYTES(desc->meshes[0].influence_first, plain.first[0], sizeof plain.first[0]);
    CHECK_BYTES(desc->meshes[0].influence_joint, plain.joint[0], 5 * 4);
    CHECK_BYTES(desc->meshes[0].influence_weight, plain.weight[0], 5 * 8);
    const mrw_warning* warnings;
    REQUIRE(mrw_document_warnings(document, &warnings) == 1);
    CHECK_STR(warnings[0].message, "found by a reader");
    mrw_document_release(document);
    mrw_document_release(NULL);
    mrw_context_destroy(context);
}
