#include "support/stage.h"

#include <float.h>
#include <math.h>

static const float quarter = 1.57079633f;

TEST(bad_arguments)
{
    stage s = stage_open();
    mrw_instance_id id = stage_add(&s, stage_bar(s.context));
    const double bad[] = { -1e-9, (double)NAN, (double)INFINITY, -(double)INFINITY };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK_EQ_INT(mrw_world_update(s.context, s.world, bad[i]), MRW_BAD_ARGUMENT);
    }
    CHECK_EQ_INT(stage_state(&s, id)->version, 0);
    CHECK_NEAR(mrw_world_get_state(s.context, s.world)->time, 0, 0);
    CHECK_EQ_INT(mrw_world_update(s.context, (mrw_world_id) { 0 }, 0), MRW_STALE);
    mrw_instance_id none = { 5 };
    CHECK_EQ_INT(mrw_instance_create(s.context, s.world, &(mrw_instance_desc) { .no_nodes = false }, &none), MRW_BAD_ARGUMENT);
    CHECK_EQ_INT(none.value, 0);
    CHECK_EQ_INT(mrw_instance_create(s.context, s.world, &(mrw_instance_desc) { .model = { 99 } }, &none), MRW_STALE);
    CHECK_EQ_INT(mrw_instance_create(s.context, (mrw_world_id) { 99 }, &(mrw_instance_desc) { .guid = "g" }, &none), MRW_STALE);
    stage_close(&s);
}

TEST(every_function_knows_a_stale_id)
{
    stage s = stage_open();
    mrw_model_id model = stage_bar(s.context);
    mrw_instance_id id = stage_add(&s, model);
    CHECK_EQ_INT(mrw_instance_release(s.context, id), MRW_OK);
    mrw_bounds bounds;
    mrw_hit hit;
    uint32_t node;
    CHECK_EQ_INT(mrw_instance_release(s.context, id), MRW_STALE);
    CHECK(mrw_instance_get_state(s.context, id) == NULL);
    CHECK_EQ_INT(mrw_instance_bounds(s.context, id, -1, &bounds), MRW_STALE);
    CHECK_EQ_INT(mrw_instance_hit(s.context, id, 0, 0, 0, &hit), MRW_STALE);
    CHECK_EQ_INT(mrw_instance_set_part(s.context, id, 0, &(mrw_part_change) { 0 }), MRW_STALE);
    CHECK_EQ_INT(mrw_instance_set_deform(s.context, id, 0, NULL, 0), MRW_STALE);
    CHECK_EQ_INT(mrw_instance_add_node(s.context, id, "n", STAGE_ROOT, true, &node), MRW_STALE);
    CHECK_EQ_INT(mrw_instance_remove_node(s.context, id, 0), MRW_STALE);
    CHECK_EQ_INT(mrw_instance_rename_node(s.context, id, 0, "n"), MRW_STALE);
    CHECK_EQ_INT(mrw_instance_reparent_node(s.context, id, 0, STAGE_ROOT), MRW_STALE);
    CHECK_EQ_INT(mrw_instance_find_node(s.context, id, "mid", &node), MRW_STALE);
    CHECK(mrw_instance_node_name(s.context, id, 0) == NULL);
    mrw_instance_id other = stage_add(&s, model);
    CHECK_EQ_INT(mrw_instance_mount(s.context, id, other, STAGE_ROOT), MRW_STALE);
    CHECK_EQ_INT(mrw_instance_mount(s.context, other, id, STAGE_ROOT), MRW_STALE);
    CHECK_EQ_INT(mrw_instance_mount(s.context, id, (mrw_instance_id) { 0 }, STAGE_ROOT), MRW_STALE);
    CHECK_EQ_INT(mrw_world_release(s.context, s.world), MRW_OK);
    CHECK_EQ_INT(mrw_world_release(s.context, s.world), MRW_STALE);
    CHECK_EQ_INT(mrw_world_update(s.context, s.world, 0), MRW_STALE);
    CHECK(mrw_world_get_state(s.context, s.world) == NULL);
    CHECK(mrw_instance_get_state(s.context, other) == NULL);
    CHECK_EQ_INT(mrw_instance_create(s.context, s.world, &(mrw_instance_desc) { .model = model }, &other), MRW_STALE);
    stage_close(&s);
}

TEST(an_idle_update_writes_nothing)
{
    stage s = stage_open();
    mrw_instance_id id = stage_add(&s, stage_bar(s.context));
    const mrw_world_state* world = mrw_world_get_state(s.context, s.world);
    stage_update(&s);
    CHECK_EQ_INT(world->vertices_written, 27);
    CHECK_EQ_INT(world->instances_skinned, 1);
    CHECK_EQ_INT(world->nodes_changed, 3);
    CHECK_EQ_INT(world->changed_count, 1);
    CHECK_EQ_INT(world->changed[0], id.value);
    const mrw_instance_state before = *stage_state(&s, id);
    for (int i = 0; i < 3; i++) {
        // Once as it is, once marked dirty though nothing changed, once more.
        stage_state(&s, id)->dirty = i == 1 ? 1 : 0;
        CHECK_EQ_INT(mrw_world_update(s.context, s.world, 0.25), MRW_OK);
        CHECK_EQ_INT(world->vertices_written, 0);
        CHECK_EQ_INT(world->instances_skinned, 0);
        CHECK_EQ_INT(world->nodes_changed, 0);
        CHECK_EQ_INT(world->changed_count, 0);
    }
    const mrw_instance_state* state = stage_state(&s, id);
    CHECK_BYTES(state, &before, sizeof before);
    CHECK_NEAR(world->time, 0.75, 0);
    stage_close(&s);
}

TEST(versions_rise_by_one_and_only_when_something_changed)
{
    stage s = stage_open();
    mrw_instance_id id = stage_add(&s, stage_bar(s.context));
    stage_update(&s);
    mrw_instance_state before = *stage_state(&s, id);
    stage_set(&s, id, stage_node(&s, id, "tip"), MRW_FIELD_ROTATION, 0.5f);
    stage_update(&s);
    const mrw_instance_state* state = stage_state(&s, id);
    CHECK_EQ_INT(state->version, before.version + 1);
    CHECK_EQ_INT(state->pose_version, before.pose_version + 1);
    CHECK_EQ_INT(state->structure_version, before.structure_version);
    CHECK_EQ_INT(state->view_version, before.view_version);
    CHECK_EQ_INT(mrw_world_get_state(s.context, s.world)->nodes_changed, 1);
    before = *state;
    stage_state(&s, id)->view.color = 0xff0000;
    stage_state(&s, id)->dirty = 1;
    stage_update(&s);
    CHECK_EQ_INT(state->view_version, before.view_version + 1);
    CHECK_EQ_INT(state->shown.color, 0xff0000);
    CHECK_EQ_INT(state->version, before.version);
    // The root is the view's business: the vertices do not move.
    before = *state;
    stage_state(&s, id)->root[0] = 10;
    stage_update(&s);
    CHECK_EQ_INT(state->version, before.version);
    CHECK_EQ_INT(state->pose_version, before.pose_version);
    CHECK_NEAR(state->matrix[4], 10, 0);
    CHECK_EQ_INT(mrw_world_get_state(s.context, s.world)->changed_count, 1);
    stage_close(&s);
}

TEST(an_inactive_instance_keeps_its_changes_for_later)
{
    stage s = stage_open();
    mrw_instance_id id = stage_add(&s, stage_bar(s.context));
    stage_update(&s);
    stage_state(&s, id)->active = 0;
    stage_set(&s, id, stage_node(&s, id, "mid"), MRW_FIELD_ROTATION, quarter);
    stage_update(&s);
    CHECK_EQ_INT(mrw_world_get_state(s.context, s.world)->vertices_written, 0);
    CHECK_VERTEX(s, id, 0, 1, 0, -128);
    stage_state(&s, id)->active = 1;
    stage_update(&s);
    CHECK_VERTEX(s, id, 0, 1, 128, 0);
    stage_close(&s);
}

// Its clip goes on unseen: at 0.5 s mid stands at 0.35, its key there. Nothing moves in the update that shows it.
TEST(an_inactive_instance_keeps_time)
{
    stage s = stage_open();
    mrw_model_id model = stage_bar(s.context);
    size_t size = 0;
    const uint8_t* clip = fixture_get("assets/bar/bar.anim.json", &size);
    CHECK_EQ_INT(mrw_model_add_clip(s.context, model, clip, size, NULL, NULL, NULL), MRW_OK);
    mrw_instance_id id = stage_add(&s, model);
    CHECK_EQ_INT(mrw_instance_play(s.context, id, 0, NULL), MRW_OK);
    stage_update(&s);
    uint32_t version = stage_state(&s, id)->version;
    stage_state(&s, id)->active = 0;
    CHECK_EQ_INT(mrw_world_update(s.context, s.world, 0.5), MRW_OK);
    CHECK_NEAR(stage_state(&s, id)->time, 0.5, 0);
    CHECK_EQ_INT(stage_state(&s, id)->version, version);
    CHECK_EQ_INT(mrw_instance_pause(s.context, id, true), MRW_OK);
    stage_state(&s, id)->active = 1;
    stage_update(&s);
    CHECK_EQ_INT(stage_state(&s, id)->version, version + 1);
    CHECK_NEAR(stage_state(&s, id)->world[8 * 1 + 1], sin(0.35), 1e-5);
    stage_close(&s);
}

// A sword at (5, 0) on the tip. The tip rests at (0, -128); a quarter turn of mid takes it to (128, 0), and the sword to (128, 5).
TEST(the_carried_follow_a_node)
{
    stage s = stage_open();
    mrw_model_id model = stage_bar(s.context);
    mrw_instance_id sword = stage_add(&s, model);
    mrw_instance_id hero = stage_add(&s, model);
    stage_state(&s, sword)->root[0] = 5;
    CHECK_EQ_INT(mrw_instance_mount(s.context, sword, hero, stage_node(&s, hero, "tip")), MRW_OK);
    stage_update(&s);
    const float* matrix = stage_state(&s, sword)->matrix;
    CHECK_NEAR(matrix[4], 5, 1e-4);
    CHECK_NEAR(matrix[5], -128, 1e-4);
    stage_set(&s, hero, stage_node(&s, hero, "mid"), MRW_FIELD_ROTATION, quarter);
    stage_update(&s);
    CHECK_NEAR(matrix[0], 0, 1e-6);
    CHECK_NEAR(matrix[1], 1, 1e-6);
    CHECK_NEAR(matrix[4], 128, 1e-4);
    CHECK_NEAR(matrix[5], 5, 1e-4);
    const mrw_world_state* world = mrw_world_get_state(s.context, s.world);
    CHECK_EQ_INT(world->changed_count, 2);
    CHECK_EQ_INT(world->changed[0], hero.value); // the carrier first, though it was created last
    CHECK_EQ_INT(world->changed[1], sword.value);
    CHECK_EQ_INT(world->instances_skinned, 1);
    // The carrier's own root moves what it carries too.
    stage_state(&s, hero)->root[1] = 100;
    stage_update(&s);
    CHECK_NEAR(matrix[5], 105, 1e-4);
    stage_update(&s);
    CHECK_EQ_INT(world->changed_count, 0);
    stage_close(&s);
}

TEST(chains_of_carriers_are_updated_in_one_go)
{
    stage s = stage_open();
    mrw_model_id model = stage_bar(s.context);
    mrw_instance_id ids[6];
    for (int i = 0; i < 6; i++) {
        ids[i] = stage_add(&s, model);
        stage_state(&s, ids[i])->root[0] = 1;
    }
    // 5 carries 4, 4 carries 3, and so on: against the order of creation
    for (int i = 0; i < 5; i++) {
        CHECK_EQ_INT(mrw_instance_mount(s.context, ids[i], ids[i + 1], STAGE_ROOT), MRW_OK);
    }
    stage_update(&s);
    for (int i = 0; i < 6; i++) {
        CHECK_NEAR(stage_state(&s, ids[i])->matrix[4], 6 - i, 0);
    }
    CHECK_EQ_INT(mrw_instance_mount(s.context, ids[5], ids[0], STAGE_ROOT), MRW_CYCLE);
    CHECK_EQ_INT(mrw_instance_mount(s.context, ids[2], ids[2], STAGE_ROOT), MRW_CYCLE);
    // Without the one in the middle, those above it stay where their roots say.
    CHECK_EQ_INT(mrw_instance_release(s.context, ids[3]), MRW_OK);
    stage_update(&s);
    CHECK_NEAR(stage_state(&s, ids[2])->matrix[4], 1, 0);
    CHECK_NEAR(stage_state(&s, ids[1])->matrix[4], 2, 0);
    CHECK_NEAR(stage_state(&s, ids[4])->matrix[4], 2, 0);
    CHECK_EQ_INT(mrw_instance_mount(s.context, ids[1], (mrw_instance_id) { 0 }, STAGE_ROOT), MRW_OK);
    stage_update(&s);
    CHECK_NEAR(stage_state(&s, ids[1])->matrix[4], 1, 0);
    CHECK_EQ_INT(mrw_world_get_state(s.context, s.world)->instance_count, 5);
    stage_close(&s);
}

TEST(mounts_keep_to_their_world_and_to_live_nodes)
{
    stage s = stage_open();
    mrw_model_id model = stage_bar(s.context);
    mrw_world_id other_world = { 0 };
    mrw_instance_id stranger = { 0 };
    mrw_instance_id hero = stage_add(&s, model);
    mrw_instance_id sword = stage_add(&s, model);
    CHECK_EQ_INT(mrw_world_create(s.context, &other_world), MRW_OK);
    CHECK_EQ_INT(mrw_instance_create(s.context, other_world, &(mrw_instance_desc) { .model = model }, &stranger), MRW_OK);
    CHECK_EQ_INT(mrw_instance_mount(s.context, sword, stranger, STAGE_ROOT), MRW_BAD_ARGUMENT);
    CHECK_EQ_INT(mrw_instance_mount(s.context, sword, hero, 17), MRW_STALE);
    // What hung on a removed node hangs on its parent: here mid, at (0, 0), then the root.
    stage_state(&s, hero)->root[0] = 7;
    CHECK_EQ_INT(mrw_instance_mount(s.context, sword, hero, stage_node(&s, hero, "tip")), MRW_OK);
    stage_update(&s);
    CHECK_NEAR(stage_state(&s, sword)->matrix[5], -128, 1e-4);
    CHECK_EQ_INT(mrw_instance_remove_node(s.context, hero, stage_node(&s, hero, "tip")), MRW_OK);
    stage_update(&s);
    CHECK_NEAR(stage_state(&s, sword)->matrix[5], 0, 1e-4);
    stage_set(&s, hero, stage_node(&s, hero, "mid"), MRW_FIELD_X, 3);
    stage_update(&s);
    CHECK_NEAR(stage_state(&s, sword)->matrix[4], 10, 1e-4);
    CHECK_EQ_INT(mrw_instance_remove_node(s.context, hero, stage_node(&s, hero, "mid")), MRW_OK);
    CHECK_EQ_INT(mrw_instance_remove_node(s.context, hero, stage_node(&s, hero, "base")), MRW_OK);
    stage_update(&s);
    CHECK_NEAR(stage_state(&s, sword)->matrix[4], 7, 1e-4);
    stage_close(&s);
}

TEST(values_that_are_no_numbers_stay_where_they_are)
{
    const float bad[] = { NAN, INFINITY, -INFINITY };
    stage s = stage_open();
    mrw_model_id model = stage_bar(s.context);
    mrw_instance_id hero = stage_add(&s, model);
    mrw_instance_id sword = stage_add(&s, model);
    mrw_instance_id bystander = stage_add(&s, model);
    CHECK_EQ_INT(mrw_instance_mount(s.context, sword, hero, stage_node(&s, hero, "tip")), MRW_OK);
    for (int i = 0; i < 3; i++) {
        for (uint32_t field = 0; field < MRW_FIELD_COUNT; field++) {
            stage_set(&s, hero, 1, (mrw_field)field, bad[i]);
            stage_state(&s, hero)->root[field] = bad[i];
        }
        stage_update(&s);
        // mid counts as at rest, and the root as the identity
        CHECK_VERTEX(s, hero, 0, 1, 0, -128);
        CHECK_NEAR(stage_state(&s, sword)->matrix[5], -128, 1e-4);
        CHECK_NEAR(stage_state(&s, hero)->matrix[0], 1, 0);
        CHECK_VERTEX(s, bystander, 0, 1, 0, -128);
    }
    // Numbers that overflow on the way reach the instance's own vertices only.
    for (uint32_t node = 0; node < 3; node++) {
        stage_set(&s, hero, node, MRW_FIELD_SCALE_X, 1e30f);
        stage_set(&s, hero, node, MRW_FIELD_SCALE_Y, 1e30f);
    }
    stage_update(&s);
    for (int i = 0; i < 6; i++) {
        CHECK(isfinite(stage_state(&s, sword)->matrix[i]));
    }
    CHECK_VERTEX(s, sword, 0, 1, 0, -128);
    // Where the carrier's own scale takes them beyond f32, what is carried goes as far as f32 does.
    stage_state(&s, hero)->root[3] = 1e30f;
    stage_state(&s, hero)->root[4] = -1e30f;
    stage_update(&s);
    CHECK(stage_state(&s, sword)->matrix[0] == FLT_MAX && stage_state(&s, sword)->matrix[3] == -FLT_MAX);
    CHECK(stage_state(&s, sword)->matrix[1] == 0 && stage_state(&s, sword)->matrix[5] == FLT_MAX);
    mrw_bounds bounds;
    CHECK_EQ_INT(mrw_instance_bounds(s.context, hero, -1, &bounds), MRW_OK);
    CHECK(bounds.empty != 0 || isfinite(bounds.radius));
    stage_close(&s);
}

// A busy frame: posing, clips, deforms, mounts, parts, order, nodes on a changed tree.
TEST(an_update_never_allocates)
{
    stage s = stage_open();
    mrw_model_id model = stage_bar(s.context);
    size_t size = 0;
    const uint8_t* clip = fixture_get("assets/bar/bar.anim.json", &size);
    CHECK_EQ_INT(mrw_model_add_clip(s.context, model, clip, size, NULL, NULL, NULL), MRW_OK);
    mrw_instance_id ids[20];
    mrw_crowd_id crowd = { 0 };
    CHECK_EQ_INT(mrw_crowd_create(s.context, s.world, &crowd), MRW_OK);
    for (int i = 0; i < 20; i++) {
        if (i % 4 == 3) {
            CHECK_EQ_INT(mrw_crowd_add(s.context, crowd, model, &ids[i]), MRW_OK);
        } else {
            ids[i] = stage_add(&s, model);
        }
        CHECK_EQ_INT(mrw_instance_play(s.context, ids[i], 0, &(mrw_play_options) { .fade = 0.1f }), MRW_OK);
        CHECK_EQ_INT(mrw_instance_set_deform(s.context, ids[i], 0, (float[2]) { 1, 2 }, 2), MRW_OK);
        if (i % 3 == 1) {
            CHECK_EQ_INT(mrw_instance_mount(s.context, ids[i - 1], ids[i], stage_node(&s, ids[i], "tip")), MRW_OK);
        }
        if (i % 5 == 2) {
            uint32_t node = 0;
            CHECK_EQ_INT(mrw_instance_add_node(s.context, ids[i], "grip", stage_node(&s, ids[i], "tip"), false, &node), MRW_OK);
        }
    }
    uint64_t allocations = mrw_context_allocations(s.context);
    size_t memory = mrw_context_memory(s.context);
    for (int frame = 0; frame < 60; frame++) {
        for (int i = 0; i < 20; i++) {
            stage_set(&s, ids[i], 1, MRW_FIELD_ROTATION, 0.01f * (float)(frame + i));
            stage_state(&s, ids[i])->root[0] = (float)frame;
            stage_state(&s, ids[i])->order = (float)((frame * 7 + i * 3) % 20);
            stage_state(&s, ids[i])->active = (frame + i) % 7 != 0;
            mrw_instance_set_part(s.context, ids[i], 0, &(mrw_part_change) { .set = 2, .color = (uint32_t)frame });
        }
        CHECK_EQ_INT(mrw_world_update(s.context, s.world, 1.0 / 60), MRW_OK);
    }
    CHECK_EQ_INT(mrw_context_allocations(s.context), allocations);
    CHECK_EQ_INT(mrw_context_memory(s.context), memory);
    stage_close(&s);
}

TEST(coming_and_going_keeps_memory_flat)
{
    stage s = stage_open();
    mrw_model_id model = stage_bar(s.context);
    size_t memory = 0;
    for (int round = 0; round < 2000; round++) {
        mrw_instance_id a = stage_add(&s, model);
        mrw_instance_id b = stage_add(&s, model);
        REQUIRE(mrw_instance_mount(s.context, a, b, 1) == MRW_OK);
        if (round % 500 == 0) {
            stage_update(&s);
        }
        REQUIRE(mrw_instance_release(s.context, round % 2 == 0 ? a : b) == MRW_OK);
        REQUIRE(mrw_instance_release(s.context, round % 2 == 0 ? b : a) == MRW_OK);
        memory = round == 9 ? mrw_context_memory(s.context) : memory;
    }
    CHECK_EQ_INT(mrw_context_memory(s.context), memory);
    CHECK_EQ_INT(mrw_world_get_state(s.context, s.world)->instance_count, 0);
    stage_close(&s);
}

TEST(a_model_takes_its_instances_along)
{
    stage s = stage_open();
    mrw_model_id model = stage_bar(s.context);
    mrw_model_id other = stage_bar(s.context);
    mrw_instance_id sword = stage_add(&s, model);
    mrw_instance_id hero = stage_add(&s, other);
    mrw_instance_id hat = stage_add(&s, other);
    CHECK_EQ_INT(mrw_instance_mount(s.context, sword, hero, 2), MRW_OK);
    CHECK_EQ_INT(mrw_instance_mount(s.context, hat, sword, STAGE_ROOT), MRW_OK);
    CHECK_EQ_INT(mrw_model_release(s.context, model), MRW_OK);
    CHECK(mrw_instance_get_state(s.context, sword) == NULL);
    stage_update(&s);
    CHECK_EQ_INT(mrw_world_get_state(s.context, s.world)->instance_count, 2);
    CHECK_EQ_INT(mrw_model_release(s.context, other), MRW_OK);
    stage_update(&s);
    CHECK_EQ_INT(mrw_world_get_state(s.context, s.world)->instance_count, 0);
    stage_close(&s);
}
