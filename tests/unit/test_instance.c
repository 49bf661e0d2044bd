#include "support/stage.h"

#include <math.h>

// The bar: three columns at x -32, 0, 32, nine rows from y -128 to 128, vertex 3 * row + column; base carries mid at (0, 0), mid
// carries tip at (0, -128). Rows 0..2 follow the tip alone, 12..14 base and mid alike, 24..26 the base alone.

TEST(bar_rests_at_bind)
{
    stage s = stage_open();
    mrw_instance_id hero = stage_add(&s, stage_bar(s.context));
    CHECK_EQ_INT(stage_state(&s, hero)->version, 0);
    CHECK_VERTEX(s, hero, 0, 0, -32, -128);
    stage_update(&s);
    CHECK_EQ_INT(stage_state(&s, hero)->version, 1);
    for (uint32_t vertex = 0; vertex < 27; vertex++) {
        CHECK_VERTEX(s, hero, 0, vertex, -32.0f + 32.0f * (float)(vertex % 3), -128.0f + 32.0f * (float)(vertex / 3));
    }
    stage_close(&s);
}

// A quarter turn of mid takes (x, y) to (-y, x) about (0, 0); what both bones carry alike stays half way.
TEST(bar_bends_by_ninety_degrees)
{
    stage s = stage_open();
    mrw_instance_id hero = stage_add(&s, stage_bar(s.context));
    stage_set(&s, hero, stage_node(&s, hero, "mid"), MRW_FIELD_ROTATION, 1.57079633f);
    stage_update(&s);
    CHECK_VERTEX(s, hero, 0, 0, 128, -32);
    CHECK_VERTEX(s, hero, 0, 1, 128, 0);
    CHECK_VERTEX(s, hero, 0, 2, 128, 32);
    CHECK_VERTEX(s, hero, 0, 12, -16, -16);
    CHECK_VERTEX(s, hero, 0, 13, 0, 0);
    CHECK_VERTEX(s, hero, 0, 24, -32, 128);
    CHECK_VERTEX(s, hero, 0, 26, 32, 128);
    stage_close(&s);
}

// Parts of one square each, four vertices and two triangles, bound to the only bone.
#define SQUARE(name, sprite, more)                                                                                 \
    "{\"name\":\"" name "\",\"sprite\":\"" sprite "\"," more "\"mesh\":{\"verts\":[[0,0],[10,0],[10,10],[0,10]],"  \
    "\"uvs\":[[0,0],[1,0],[1,1],[0,1]],\"tris\":[0,1,2,0,2,3]},\"skinIndices\":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]," \
    "\"skinWeights\":[1,0,0,0,1,0,0,0,1,0,0,0,1,0,0,0]}"
#define EMPTY(name, sprite, more) "{\"name\":\"" name "\",\"sprite\":\"" sprite "\"," more "\"mesh\":{}}"
#define A "aaaaaaaa-0000-4000-8000-000000000000"
#define B "bbbbbbbb-0000-4000-8000-000000000000"
// draw order: a b (empty) c d, then e on another page
static const char parts[] = "{\"bones\":[{\"name\":\"root\"}],\"parts\":[" SQUARE("a", A, "") "," SQUARE("b", A, "") "," EMPTY(
    "empty", B, "") "," SQUARE("c", A, "\"visible\":false,") "," SQUARE("d", A, "") "," SQUARE("e", B, "") "]}";

typedef struct expected_run {
    uint32_t page, first_part, part_count, first_index, index_count;
} expected_run;

static void check_runs(const mrw_instance_state* state, const expected_run* expected, uint32_t count)
{
    REQUIRE(CHECK_EQ_INT(state->run_count, count));
    for (uint32_t i = 0; i < count; i++) {
        const mrw_run* run = &state->runs[i];
        const mrw_part_state* last = &state->parts[run->first_part + run->part_count - 1];
        CHECK_EQ_INT(run->page, expected[i].page);
        CHECK_EQ_INT(run->first_part, expected[i].first_part);
        CHECK_EQ_INT(run->part_count, expected[i].part_count);
        CHECK_EQ_INT(run->first_index, expected[i].first_index);
        CHECK_EQ_INT(run->index_count, expected[i].index_count);
        CHECK_EQ_INT(run->first_vertex, state->parts[run->first_part].first_vertex);
        CHECK_EQ_INT(run->first_vertex + run->vertex_count, last->first_vertex + last->vertex_count);
        for (uint32_t k = run->first_index; k < run->first_index + run->index_count; k++) {
            CHECK(state->indices[k] >= run->first_vertex && state->indices[k] < run->first_vertex + run->vertex_count);
        }
    }
}

static void change(const stage* s, mrw_instance_id id, uint32_t part, mrw_part_change what)
{
    CHECK_EQ_INT(mrw_instance_set_part(s->context, id, part, &what), MRW_OK);
    stage_update(s);
}

TEST(runs_join_visible_parts_that_look_alike)
{
    stage s = stage_open();
    mrw_instance_id id = stage_add(&s, stage_model(s.context, parts));
    const mrw_instance_state* state = stage_state(&s, id);
    const expected_run at_start[] = { { 0, 0, 2, 0, 12 }, { 0, 4, 1, 18, 6 }, { 1, 5, 1, 24, 6 } };
    check_runs(state, at_start, 3);
    stage_update(&s);
    uint32_t structure = state->structure_version;
    change(&s, id, 3, (mrw_part_change) { .set = 1, .visible = 1 });
    // the part without triangles shows nothing and parts nothing
    const expected_run all_shown[] = { { 0, 0, 5, 0, 24 }, { 1, 5, 1, 24, 6 } };
    check_runs(state, all_shown, 2);
    CHECK_EQ_INT(state->structure_version, structure + 1);
    change(&s, id, 2, (mrw_part_change) { .set = 1, .visible = 0 });
    check_runs(state, all_shown, 2);
    CHECK_EQ_INT(state->structure_version, structure + 1);
    change(&s, id, 1, (mrw_part_change) { .set = 6, .color = 0x123456, .opacity = 0.5f });
    const expected_run tinted[] = { { 0, 0, 1, 0, 6 }, { 0, 1, 1, 6, 6 }, { 0, 3, 2, 12, 12 }, { 1, 5, 1, 24, 6 } };
    check_runs(state, tinted, 4);
    CHECK_EQ_INT(state->runs[1].color, 0x123456);
    CHECK_NEAR(state->runs[1].opacity, 0.5, 0);
    CHECK_EQ_INT(state->runs[2].color, 0xffffff);
    for (uint32_t part = 0; part < 6; part++) {
        change(&s, id, part, (mrw_part_change) { .set = 1, .visible = 0 });
    }
    CHECK_EQ_INT(state->run_count, 0);
    stage_close(&s);
}

TEST(hidden_parts_are_skinned_too)
{
    stage s = stage_open();
    mrw_instance_id id = stage_add(&s, stage_model(s.context, parts));
    stage_set(&s, id, 0, MRW_FIELD_X, 5);
    stage_update(&s);
    CHECK_VERTEX(s, id, 3, 2, 15, 10);
    CHECK_EQ_INT(mrw_world_get_state(s.context, s.world)->vertices_written, 20);
    stage_close(&s);
}

TEST(set_part_refuses_what_is_not_there)
{
    stage s = stage_open();
    mrw_instance_id id = stage_add(&s, stage_model(s.context, parts));
    CHECK_EQ_INT(mrw_instance_set_part(s.context, id, 6, &(mrw_part_change) { 0 }), MRW_BAD_INDEX);
    CHECK_EQ_INT(mrw_instance_set_part(s.context, id, 0, &(mrw_part_change) { .set = 8, .sprite = 2 }), MRW_BAD_INDEX);
    CHECK_EQ_INT(mrw_instance_set_part(s.context, id, 0, &(mrw_part_change) { .set = 8, .sprite = -2 }), MRW_BAD_INDEX);
    CHECK_EQ_INT(mrw_instance_set_part(s.context, id, 0, &(mrw_part_change) { .set = 4, .opacity = NAN }), MRW_BAD_ARGUMENT);
    stage_update(&s);
    CHECK_EQ_INT(stage_state(&s, id)->parts[0].sprite, 0);
    CHECK_NEAR(stage_state(&s, id)->parts[0].opacity, 1, 0);
    stage_close(&s);
}

// The corner of part 0 whose file uv is (1, 1).
static const float* far_uv(const mrw_instance_state* state)
{
    for (uint32_t i = 0; i < 4; i++) {
        if (state->parts[0].vertex_map[i] == 2) {
            return state->uvs + 2 * (state->parts[0].first_vertex + i);
        }
    }
    return NULL;
}

TEST(a_part_can_show_another_sprite)
{
    stage s = stage_open();
    mrw_model_id model = stage_model(s.context, parts);
    mrw_instance_id id = stage_add(&s, model);
    mrw_instance_id other = stage_add(&s, model);
    stage_update(&s);
    const mrw_instance_state* state = stage_state(&s, id);
    uint32_t structure = state->structure_version;
    CHECK(state->uvs == stage_state(&s, other)->uvs);
    change(&s, id, 0, (mrw_part_change) { .set = 8, .sprite = 1 });
    CHECK_EQ_INT(state->structure_version, structure + 1);
    CHECK_EQ_INT(state->parts[0].page, 1);
    CHECK_EQ_INT(state->parts[0].sprite, 1);
    CHECK_NEAR(far_uv(state)[0], 1, 0);
    // Both frames of page 9, 100 x 100: the part follows the frame of the sprite it shows.
    const mrw_frame frames[2] = { { .page = 9, .page_width = 100, .page_height = 100, .width = 10, .height = 10 },
        { .page = 9, .page_width = 100, .page_height = 100, .x = 50, .y = 20, .width = 10, .height = 10 } };
    CHECK_EQ_INT(mrw_model_set_frame(s.context, model, 0, &frames[0]), MRW_OK);
    CHECK_EQ_INT(mrw_model_set_frame(s.context, model, 1, &frames[1]), MRW_OK);
    stage_update(&s);
    CHECK_EQ_INT(mrw_world_get_state(s.context, s.world)->changed_count, 2);
    CHECK_EQ_INT(state->structure_version, structure + 2);
    CHECK_EQ_INT(state->run_count, 2);
    CHECK_EQ_INT(state->runs[1].page, 9);
    CHECK_NEAR(far_uv(state)[0], 0.6, 1e-6);
    CHECK_NEAR(far_uv(state)[1], 0.3, 1e-6);
    CHECK_NEAR(far_uv(stage_state(&s, other))[0], 0.1, 1e-6);
    change(&s, id, 0, (mrw_part_change) { .set = 8, .sprite = 0 });
    CHECK_NEAR(far_uv(state)[1], 0.1, 1e-6);
    change(&s, id, 0, (mrw_part_change) { .set = 8, .sprite = -1 });
    CHECK_EQ_INT(state->parts[0].page, 0xffffffff);
    CHECK_NEAR(far_uv(state)[1], 1, 0);
    stage_close(&s);
}

// Offsets move the bind vertices, so a quarter turn of mid turns them too: (0, -128) + (2, 3) goes to (125, 2).
TEST(deforms_lie_below_the_skin)
{
    stage s = stage_open();
    mrw_instance_id id = stage_add(&s, stage_bar(s.context));
    const float offsets[4] = { 0, 0, 2, 3 };
    CHECK_EQ_INT(mrw_instance_set_deform(s.context, id, 0, offsets, 4), MRW_OK);
    stage_set(&s, id, stage_node(&s, id, "mid"), MRW_FIELD_ROTATION, 1.57079633f);
    stage_update(&s);
    CHECK_VERTEX(s, id, 0, 0, 128, -32);
    CHECK_VERTEX(s, id, 0, 1, 125, 2);
    CHECK_VERTEX(s, id, 0, 2, 128, 32); // what is missing counts as 0
    uint32_t version = stage_state(&s, id)->version;
    CHECK_EQ_INT(mrw_instance_set_deform(s.context, id, 0, offsets, 4), MRW_OK);
    stage_update(&s);
    CHECK_EQ_INT(stage_state(&s, id)->version, version);
    CHECK_EQ_INT(mrw_instance_set_deform(s.context, id, 0, NULL, 0), MRW_OK);
    stage_update(&s);
    CHECK_EQ_INT(stage_state(&s, id)->version, version + 1);
    CHECK_VERTEX(s, id, 0, 1, 128, 0);
    const float bad[2] = { NAN, 0 };
    CHECK_EQ_INT(mrw_instance_set_deform(s.context, id, 1, offsets, 4), MRW_BAD_INDEX);
    CHECK_EQ_INT(mrw_instance_set_deform(s.context, id, 0, offsets, 55), MRW_BAD_COUNT);
    CHECK_EQ_INT(mrw_instance_set_deform(s.context, id, 0, bad, 2), MRW_BAD_VALUE);
    CHECK_EQ_INT(mrw_instance_set_deform(s.context, id, 0, NULL, 0), MRW_OK);
    stage_update(&s);
    CHECK_EQ_INT(stage_state(&s, id)->version, version + 1);
    stage_close(&s);
}

TEST(a_bone_that_no_vertex_follows_writes_none)
{
    // A triangle follows "arm" (one of its corners by a weight of zero names "tip" too); "tip" carries nothing.
    stage s = stage_open();
    mrw_model_id model = stage_model(s.context,
        "{\"version\":2,\"bones\":[{\"name\":\"root\",\"parent\":-1},{\"name\":\"tip\",\"parent\":0},{\"name\":\"arm\",\"parent\":0}],"
        "\"parts\":[{\"name\":\"body\",\"mesh\":{\"verts\":[[0,0],[4,0],[0,4]],\"uvs\":[[0,0],[1,0],[0,1]],\"tris\":[0,1,2]},"
        "\"skinIndices\":[2,1,0,0,2,0,0,0,2,0,0,0],\"skinWeights\":[1,0,0,0,1,0,0,0,1,0,0,0]}]}");
    mrw_instance_id id = stage_add(&s, model);
    stage_update(&s);
    const mrw_instance_state before = *stage_state(&s, id);
    stage_set(&s, id, stage_node(&s, id, "tip"), MRW_FIELD_ROTATION, 1);
    stage_update(&s);
    CHECK_EQ_INT(stage_state(&s, id)->pose_version, before.pose_version + 1);
    CHECK_EQ_INT(stage_state(&s, id)->version, before.version);
    CHECK_EQ_INT(mrw_world_get_state(s.context, s.world)->vertices_written, 0);
    stage_set(&s, id, stage_node(&s, id, "arm"), MRW_FIELD_X, 3);
    stage_update(&s);
    CHECK_EQ_INT(stage_state(&s, id)->version, before.version + 1);
    CHECK_VERTEX(s, id, 0, 1, 7, 0);
    // The live tree may say that "tip" is another node; still nothing follows it.
    const uint32_t root = stage_node(&s, id, "root");
    uint32_t added = 0;
    CHECK_EQ_INT(mrw_instance_add_node(s.context, id, "tip", root, true, &added), MRW_OK);
    stage_update(&s);
    stage_set(&s, id, added, MRW_FIELD_X, 5);
    stage_update(&s);
    CHECK_EQ_INT(stage_state(&s, id)->version, before.version + 1);
    stage_close(&s);
}

// A deform of one part writes that part alone.
TEST(only_what_changed_is_skinned)
{
    stage s = stage_open();
    mrw_instance_id id = stage_add(&s, stage_model(s.context, parts));
    stage_update(&s);
    CHECK_EQ_INT(mrw_instance_set_deform(s.context, id, 4, (float[2]) { 1, 1 }, 2), MRW_OK);
    stage_update(&s);
    CHECK_EQ_INT(mrw_world_get_state(s.context, s.world)->vertices_written, 4);
    CHECK_VERTEX(s, id, 4, 0, 1, 1);
    stage_close(&s);
}

TEST(a_clip_moves_what_is_not_overridden)
{
    stage s = stage_open();
    mrw_model_id model = stage_bar(s.context);
    size_t size = 0;
    const uint8_t* clip = fixture_get("assets/bar/bar.anim.json", &size);
    CHECK_EQ_INT(mrw_model_add_clip(s.context, model, clip, size, NULL, NULL, NULL), MRW_OK);
    mrw_instance_id id = stage_add(&s, model);
    CHECK_EQ_INT(mrw_instance_play(s.context, id, 0, NULL), MRW_OK);
    CHECK_EQ_INT(mrw_world_update(s.context, s.world, 0.5), MRW_OK);
    mrw_instance_state* state = stage_state(&s, id);
    uint32_t mid = stage_node(&s, id, "mid");
    size_t rotation = MRW_FIELD_ROTATION * (size_t)state->node_stride + mid;
    CHECK_NEAR(state->local[rotation], 0.35, 1e-6); // its key there
    CHECK_NEAR(state->base[rotation], 0, 0);
    state->override_values[rotation] = 1.57079633f;
    state->override_mask[mid] = 1u << MRW_FIELD_ROTATION;
    state->dirty = 1;
    stage_update(&s);
    CHECK_NEAR(state->world[8 * mid + 1], 1, 1e-6);
    state->override_mask[mid] = 0;
    state->dirty = 1;
    CHECK_EQ_INT(mrw_instance_stop(s.context, id), MRW_OK);
    stage_update(&s);
    CHECK_NEAR(state->local[rotation], 0, 0);
    CHECK_VERTEX(s, id, 0, 1, 0, -128);
    stage_close(&s);
}
