// Snapshots: what comes back, and that damaged bytes change nothing.
#include "support/failing_allocator.h"
#include "support/puppet.h"

#include <stdlib.h>

static const puppet_clip slide = { .name = "slide",
    .duration = 2,
    .event_count = 1,
    .event_times = { 0 },
    .track_count = 2,
    .tracks = { { "root/arm", "Transform", "x", 0, 0, 8 }, { "", "Part", "eye.opacity", 0, 0, 1 } } };
static const puppet_clip turn = { .name = "turn",
    .duration = 1,
    .track_count = 2,
    .tracks = { { "root", "Transform", "rz", 0, 0, 2 }, { "", "SkinnedSprite2D", "opacity", 0, 1, 0.5 } } };

#define MEMBERS 3

/// A world of three instances: the first on its own, the second mounted on it, the third in a crowd.
typedef struct stage {
    puppet at;
    uint32_t clips[2];
    mrw_instance_id ids[MEMBERS];
    mrw_instance_state* states[MEMBERS];
} stage;

static mrw_result open_stage_in(stage* made, mrw_context* context)
{
    mrw_crowd_id crowd = { 0 };
    *made = (stage) { 0 };
    mrw_result result = puppet_open_in(&made->at, context);
    if (result == MRW_OK) {
        result = puppet_add_clip(&made->at, &slide, &made->clips[0]);
    }
    if (result == MRW_OK) {
        result = puppet_add_clip(&made->at, &turn, &made->clips[1]);
    }
    const mrw_instance_desc desc = { .model = made->at.model };
    for (int i = 0; i < 2 && result == MRW_OK; i++) {
        result = mrw_instance_create(context, made->at.world, &desc, &made->ids[i]);
    }
    if (result == MRW_OK) {
        result = mrw_crowd_create(context, made->at.world, &crowd);
    }
    if (result == MRW_OK) {
        result = mrw_crowd_add(context, crowd, made->at.model, &made->ids[2]);
    }
    for (int i = 0; i < MEMBERS && result == MRW_OK; i++) {
        made->states[i] = mrw_instance_get_state(context, made->ids[i]);
    }
    return result;
}

/// Puts the world into a state in which everything that a snapshot keeps differs from its default.
static mrw_result liven(stage* s, float seed)
{
    mrw_context* context = s->at.context;
    uint32_t arm = 0;
    static const float offsets[6] = { 1, 2, 3, 4, 5, 6 };
    mrw_result result = MRW_OK;
    for (uint32_t i = 0; i < MEMBERS && result == MRW_OK; i++) {
        const mrw_play_options fade = { .fade = 2, .speed = 0.5f + seed };
        const mrw_part_change change = { 15, 1, 0x123456 + i, 0.75f, (int32_t)i % 2 };
        result = mrw_instance_find_node(context, s->ids[i], "arm", &arm);
        const mrw_layer_desc layer
            = { .clip = s->clips[1], .weight = 0.5f, .speed = 2, .additive = i == 1, .mask = &arm, .mask_count = i % 2 };
        result = result == MRW_OK ? mrw_instance_play(context, s->ids[i], s->clips[0], NULL) : result;
        result = result == MRW_OK ? mrw_world_update(context, s->at.world, 0.25) : result;
        result = result == MRW_OK ? mrw_instance_play(context, s->ids[i], s->clips[1], &fade) : result;
        result = result == MRW_OK && i > 0 ? mrw_instance_play(context, s->ids[i], s->clips[0], &fade) : result;
        result = result == MRW_OK ? mrw_instance_set_layer(context, s->ids[i], "over", &layer) : result;
        result = result == MRW_OK ? mrw_instance_set_part(context, s->ids[i], PUPPET_EYE, &change) : result;
        result = result == MRW_OK && i != 1 ? mrw_instance_set_deform(context, s->ids[i], PUPPET_EYE, offsets, 6) : result;
        mrw_instance_state* state = s->states[i];
        state->root[0] = seed + (float)i;
        state->order = 5 - seed;
        state->view.color = 0x00ff00;
        state->base[state->node_stride * MRW_FIELD_Y + PUPPET_HAND] = 3 + seed;
        state->override_values[PUPPET_ROOT] = seed;
        state->override_mask[PUPPET_ROOT] = 1;
        state->dirty = 1;
    }
    if (result == MRW_OK) {
        result = mrw_instance_mount(context, s->ids[1], s->ids[0], arm);
    }
    return result == MRW_OK ? mrw_world_update(context, s->at.world, 0.125) : result;
}

/// What a viewer can see.
typedef struct view {
    float local[MEMBERS][15], positions[MEMBERS][64], matrix[MEMBERS][6], opacity[MEMBERS][2];
    uint32_t colors[MEMBERS][2];
    int32_t sprites[MEMBERS][2], clips[MEMBERS];
    mrw_view_fields shown[MEMBERS];
    double times[MEMBERS];
} view;

static view look_at(const stage* s)
{
    view seen;
    memset(&seen, 0, sizeof seen);
    for (uint32_t i = 0; i < MEMBERS; i++) {
        const mrw_instance_state* state = s->states[i];
        for (uint32_t j = 0; j < 15; j++) {
            seen.local[i][j] = state->local[j % 5 * state->node_stride + j / 5];
        }
        for (uint32_t part = 0; part < 2; part++) {
            const mrw_part_state* at = &state->parts[part];
            memcpy(&seen.positions[i][part * 16], state->positions + 2 * (size_t)at->first_vertex, 2 * at->vertex_count * sizeof(float));
            seen.colors[i][part] = at->color;
            seen.opacity[i][part] = at->opacity;
            seen.sprites[i][part] = at->sprite;
        }
        memcpy(seen.matrix[i], state->matrix, sizeof seen.matrix[i]);
        seen.shown[i] = state->shown;
        seen.times[i] = state->time;
        seen.clips[i] = state->clip;
    }
    return seen;
}

static void play_on(const stage* s, view out[6])
{
    for (int i = 0; i < 6; i++) {
        puppet_update(&s->at, 0.3);
        out[i] = look_at(s);
    }
}

TEST(a_restored_world_plays_on_as_the_first_did)
{
    stage s;
    CHECK_EQ_INT(open_stage_in(&s, mrw_context_create(NULL)), MRW_OK);
    CHECK_EQ_INT(liven(&s, 0.25f), MRW_OK);
    char* bytes = NULL;
    size_t size = 0;
    REQUIRE(CHECK_EQ_INT(mrw_world_snapshot(s.at.context, s.at.world, &bytes, &size), MRW_OK));
    static view first[6], again[6];
    play_on(&s, first);
    double time = mrw_world_get_state(s.at.context, s.at.world)->time;
    // Away from there in every respect, then back.
    for (int i = 0; i < MEMBERS; i++) {
        CHECK_EQ_INT(mrw_instance_stop(s.at.context, s.ids[i]), MRW_OK);
        CHECK_EQ_INT(mrw_instance_clear_layer(s.at.context, s.ids[i], "over"), MRW_OK);
        CHECK_EQ_INT(mrw_instance_set_deform(s.at.context, s.ids[i], PUPPET_EYE, NULL, 0), MRW_OK);
        CHECK_EQ_INT(mrw_instance_set_deform(s.at.context, s.ids[i], PUPPET_BODY, (const float[2]) { 9, 9 }, 2), MRW_OK);
        s.states[i]->override_mask[PUPPET_ROOT] = 0;
        s.states[i]->override_mask[PUPPET_HAND] = 31;
        s.states[i]->base[PUPPET_ARM] = 77;
        s.states[i]->root[0] = -40;
        s.states[i]->view.flip_x = 1;
        s.states[i]->dirty = 1;
    }
    CHECK_EQ_INT(mrw_instance_mount(s.at.context, s.ids[1], (mrw_instance_id) { 0 }, 0), MRW_OK);
    CHECK_EQ_INT(mrw_instance_mount(s.at.context, s.ids[0], s.ids[1], 0xffffffffu), MRW_OK);
    puppet_update(&s.at, 0.7);
    mrw_error error = { 0 };
    if (!CHECK_EQ_INT(mrw_world_restore(s.at.context, s.at.world, bytes, size, &error), MRW_OK)) {
        CHECK_STR(error.message, "");
    }
    play_on(&s, again);
    CHECK_BYTES(again, first, sizeof first);
    CHECK(mrw_world_get_state(s.at.context, s.at.world)->time == time);
    // The same state gives the same bytes.
    char* second = NULL;
    size_t second_size = 0;
    REQUIRE(CHECK_EQ_INT(mrw_world_restore(s.at.context, s.at.world, bytes, size, NULL), MRW_OK));
    REQUIRE(CHECK_EQ_INT(mrw_world_snapshot(s.at.context, s.at.world, &second, &second_size), MRW_OK));
    CHECK_EQ_INT(second_size, size);
    CHECK_BYTES(second, bytes, size);
    mrw_text_release(s.at.context, second, second_size);
    mrw_text_release(s.at.context, bytes, size);
    puppet_close(&s.at);
}

TEST(events_of_a_clip_that_just_started_come_after_restoring)
{
    stage s;
    CHECK_EQ_INT(open_stage_in(&s, mrw_context_create(NULL)), MRW_OK);
    CHECK_EQ_INT(mrw_instance_play(s.at.context, s.ids[0], s.clips[0], NULL), MRW_OK);
    char* bytes = NULL;
    size_t size = 0;
    REQUIRE(CHECK_EQ_INT(mrw_world_snapshot(s.at.context, s.at.world, &bytes, &size), MRW_OK));
    puppet_update(&s.at, 0.5);
    CHECK_EQ_INT(s.states[0]->event_pending, 1);
    CHECK_EQ_INT(mrw_world_restore(s.at.context, s.at.world, bytes, size, NULL), MRW_OK);
    CHECK_EQ_INT(s.states[0]->event_pending, 0);
    puppet_update(&s.at, 0.5);
    CHECK_EQ_INT(s.states[0]->event_pending, 1);
    mrw_text_release(s.at.context, bytes, size);
    puppet_close(&s.at);
}

static void check_refused(stage* s, const char* bytes, size_t size)
{
    char* before = NULL;
    char* after = NULL;
    size_t before_size = 0, after_size = 0;
    mrw_error error = { 0 };
    CHECK_EQ_INT(mrw_world_snapshot(s->at.context, s->at.world, &before, &before_size), MRW_OK);
    CHECK_EQ_INT(mrw_world_restore(s->at.context, s->at.world, bytes, size, &error), MRW_BAD_VALUE);
    CHECK_EQ_INT(error.code, MRW_BAD_VALUE);
    CHECK_EQ_INT(mrw_world_snapshot(s->at.context, s->at.world, &after, &after_size), MRW_OK);
    CHECK_EQ_INT(after_size, before_size);
    CHECK_BYTES(after, before, before_size);
    mrw_text_release(s->at.context, before, before_size);
    mrw_text_release(s->at.context, after, after_size);
}

TEST(any_truncation_is_refused_and_changes_nothing)
{
    stage s;
    CHECK_EQ_INT(open_stage_in(&s, mrw_context_create(NULL)), MRW_OK);
    CHECK_EQ_INT(liven(&s, 0.25f), MRW_OK);
    char* bytes = NULL;
    size_t size = 0;
    REQUIRE(CHECK_EQ_INT(mrw_world_snapshot(s.at.context, s.at.world, &bytes, &size), MRW_OK));
    CHECK_EQ_INT(liven(&s, 0.5f), MRW_OK);
    for (size_t cut = 0; cut < size; cut++) {
        char* exact = malloc(cut == 0 ? 1 : cut);
        REQUIRE(exact != NULL);
        memcpy(exact, bytes, cut);
        check_refused(&s, exact, cut);
        free(exact);
    }
    char* longer = malloc(size + 1);
    REQUIRE(longer != NULL);
    memcpy(longer, bytes, size);
    longer[size] = 0;
    check_refused(&s, longer, size + 1);
    free(longer);
    // Magic, version, number of instances.
    for (size_t at = 0; at < 20; at++) {
        bytes[at] ^= (at >= 8 && at < 16) ? (char)0xff : 1;
        if (at < 8 || at >= 16) {
            check_refused(&s, bytes, size);
        }
        bytes[at] ^= (at >= 8 && at < 16) ? (char)0xff : 1;
    }
    mrw_text_release(s.at.context, bytes, size);
    puppet_close(&s.at);
}

TEST(another_world_or_model_is_refused)
{
    stage s;
    CHECK_EQ_INT(open_stage_in(&s, mrw_context_create(NULL)), MRW_OK);
    char* bytes = NULL;
    size_t size = 0;
    REQUIRE(CHECK_EQ_INT(mrw_world_snapshot(s.at.context, s.at.world, &bytes, &size), MRW_OK));
    mrw_world_id other = { 0 };
    CHECK_EQ_INT(mrw_world_create(s.at.context, &other), MRW_OK);
    CHECK_EQ_INT(mrw_world_restore(s.at.context, other, bytes, size, NULL), MRW_BAD_VALUE);
    CHECK_EQ_INT(mrw_world_restore(s.at.context, (mrw_world_id) { 0 }, bytes, size, NULL), MRW_STALE);
    CHECK_EQ_INT(mrw_world_restore(s.at.context, s.at.world, NULL, 0, NULL), MRW_BAD_ARGUMENT);
    // A renamed node makes another tree, a new clip another model.
    uint32_t hand = 0;
    CHECK_EQ_INT(mrw_instance_find_node(s.at.context, s.ids[0], "hand", &hand), MRW_OK);
    CHECK_EQ_INT(mrw_instance_rename_node(s.at.context, s.ids[0], hand, "claw"), MRW_OK);
    check_refused(&s, bytes, size);
    CHECK_EQ_INT(mrw_instance_rename_node(s.at.context, s.ids[0], hand, "hand"), MRW_OK);
    CHECK_EQ_INT(mrw_world_restore(s.at.context, s.at.world, bytes, size, NULL), MRW_OK);
    puppet_clip third = turn;
    third.name = "third";
    puppet_clip_of(&s.at, &third);
    check_refused(&s, bytes, size);
    CHECK_EQ_INT(mrw_instance_release(s.at.context, s.ids[2]), MRW_OK);
    check_refused(&s, bytes, size);
    mrw_text_release(s.at.context, bytes, size);
    puppet_close(&s.at);
}

static mrw_result attempt_restore(mrw_context* context, void* user)
{
    (void)user;
    stage s;
    char* bytes = NULL;
    char* now = NULL;
    size_t size = 0, now_size = 0;
    mrw_result result = open_stage_in(&s, context);
    result = result == MRW_OK ? liven(&s, 0.25f) : result;
    result = result == MRW_OK ? mrw_world_snapshot(context, s.at.world, &bytes, &size) : result;
    for (int i = 0; i < MEMBERS && result == MRW_OK; i++) {
        result = mrw_instance_set_deform(context, s.ids[i], PUPPET_EYE, NULL, 0);
        result = result == MRW_OK ? mrw_instance_clear_layer(context, s.ids[i], "over") : result;
    }
    result = result == MRW_OK ? mrw_world_snapshot(context, s.at.world, &now, &now_size) : result;
    if (result == MRW_OK) {
        result = mrw_world_restore(context, s.at.world, bytes, size, NULL);
        CHECK_EQ_INT(mrw_world_update(context, s.at.world, result == MRW_OK ? 0.1 : 0), MRW_OK);
        if (result != MRW_OK) {
            // Going back to where it is succeeds and leaves it there: nothing was changed half way.
            char* after = NULL;
            size_t after_size = 0;
            if (mrw_world_snapshot(context, s.at.world, &after, &after_size) == MRW_OK) {
                CHECK_EQ_INT(after_size, now_size);
                CHECK_BYTES(after, now, now_size);
                mrw_text_release(context, after, after_size);
            }
        }
    }
    if (bytes != NULL) {
        mrw_text_release(context, bytes, size);
    }
    if (now != NULL) {
        mrw_text_release(context, now, now_size);
    }
    return result;
}

TEST(any_allocation_may_fail)
{
    FAILING_ALLOCATOR_SWEEP(attempt_restore, NULL);
}
