// Layers over the main clip: weights, masks, additive ones, their order and events.
#include "support/failing_allocator.h"
#include "support/puppet.h"

#include <stdio.h>

static const puppet_clip slide = { .name = "slide",
    .duration = 2,
    .event_count = 1,
    .event_times = { 1 },
    .track_count = 2,
    .tracks = { { "root/arm", "Transform", "x", 0, 0, 8 }, { "root/arm/hand", "Transform", "x", 0, 0, 8 } } };
static const puppet_clip lift = { .name = "lift",
    .duration = 1,
    .event_count = 1,
    .event_times = { 0.5 },
    .track_count = 4,
    .tracks = { { "root", "Transform", "y", 0, 40, 50 }, { "root/arm", "Transform", "x", 0, 100, 110 },
        { "root/arm/hand", "Transform", "sx", 0, 2, 4 }, { "", "SkinnedSprite2D", "opacity", 0, 1, 0 } } };

static uint32_t node_of(const puppet* at, const char* name)
{
    uint32_t node = 0;
    CHECK_EQ_INT(mrw_instance_find_node(at->context, at->instance, name, &node), MRW_OK);
    return node;
}

static void set_layer(const puppet* at, const char* name, mrw_layer_desc desc)
{
    CHECK_EQ_INT(mrw_instance_set_layer(at->context, at->instance, name, &desc), MRW_OK);
}

TEST(a_layer_replaces_by_its_weight)
{
    puppet at = puppet_open();
    uint32_t main = puppet_clip_of(&at, &slide);
    uint32_t over = puppet_clip_of(&at, &lift);
    puppet_play(&at, main, (mrw_play_options) { 0 });
    set_layer(&at, "over", (mrw_layer_desc) { .clip = over, .weight = 0.25f });
    puppet_update(&at, 0.5);
    // slide: x 2; lift: x 105, y 45, sx 3, opacity 0.5
    CHECK_NEAR(puppet_local(&at, PUPPET_ARM, MRW_FIELD_X), 2 + 103 * 0.25, 1e-4);
    CHECK_NEAR(puppet_local(&at, PUPPET_ROOT, MRW_FIELD_Y), 45 * 0.25, 1e-4);
    CHECK_NEAR(puppet_local(&at, PUPPET_HAND, MRW_FIELD_SCALE_X), 1 + 2 * 0.25, 1e-6);
    CHECK_NEAR(at.state->shown.opacity, 1 - 0.5 * 0.25, 1e-6);
    CHECK_EQ_INT(mrw_instance_set_layer_weight(at.context, at.instance, "over", 1), MRW_OK);
    puppet_update(&at, 0);
    CHECK_NEAR(puppet_local(&at, PUPPET_ARM, MRW_FIELD_X), 105, 1e-4);
    CHECK_EQ_INT(mrw_instance_set_layer_weight(at.context, at.instance, "over", -3), MRW_OK);
    puppet_update(&at, 0);
    CHECK_NEAR(puppet_local(&at, PUPPET_ARM, MRW_FIELD_X), 2, 1e-5);
    CHECK(at.state->shown.opacity == 1);
    CHECK_STR(mrw_instance_layer_name(at.context, at.instance, 0), "over");
    CHECK(mrw_instance_layer_name(at.context, at.instance, 1) == NULL);
    CHECK_EQ_INT(mrw_instance_clear_layer(at.context, at.instance, "over"), MRW_OK);
    CHECK(mrw_instance_layer_name(at.context, at.instance, 0) == NULL);
    CHECK_EQ_INT(mrw_instance_clear_layer(at.context, at.instance, "over"), MRW_NOT_FOUND);
    puppet_close(&at);
}

TEST(an_instance_holds_256_layers)
{
    puppet at = puppet_open();
    const mrw_layer_desc desc = { .clip = puppet_clip_of(&at, &slide), .weight = 1 };
    char name[8];
    for (int i = 0; i < 256; i++) {
        snprintf(name, sizeof name, "l%d", i);
        set_layer(&at, name, desc);
    }
    CHECK_EQ_INT(mrw_instance_set_layer(at.context, at.instance, "one more", &desc), MRW_LIMIT);
    set_layer(&at, "l255", desc);
    puppet_update(&at, 0.5);
    CHECK_EQ_INT(mrw_instance_clear_layer(at.context, at.instance, "l7"), MRW_OK);
    set_layer(&at, "one more", desc);
    puppet_close(&at);
}

TEST(an_additive_layer_adds_its_difference_and_multiplies_scales)
{
    puppet at = puppet_open();
    uint32_t main = puppet_clip_of(&at, &slide);
    uint32_t over = puppet_clip_of(&at, &lift);
    puppet_set_base(&at, PUPPET_HAND, MRW_FIELD_SCALE_X, 3);
    puppet_play(&at, main, (mrw_play_options) { 0 });
    set_layer(&at, "over", (mrw_layer_desc) { .clip = over, .weight = 1, .additive = true });
    puppet_update(&at, 0);
    // At its first frame it changes nothing.
    CHECK_NEAR(puppet_local(&at, PUPPET_ARM, MRW_FIELD_X), 0, 1e-5);
    CHECK_NEAR(puppet_local(&at, PUPPET_HAND, MRW_FIELD_SCALE_X), 3, 1e-6);
    puppet_update(&at, 0.5);
    CHECK_NEAR(puppet_local(&at, PUPPET_ARM, MRW_FIELD_X), 2 + 5, 1e-4);
    CHECK_NEAR(puppet_local(&at, PUPPET_ROOT, MRW_FIELD_Y), 5, 1e-4);
    CHECK_NEAR(puppet_local(&at, PUPPET_HAND, MRW_FIELD_SCALE_X), 3 * (3.0 / 2.0), 1e-5);
    CHECK_NEAR(at.state->shown.opacity, 0.5, 1e-6);
    CHECK_EQ_INT(mrw_instance_set_layer_weight(at.context, at.instance, "over", 0.5f), MRW_OK);
    puppet_update(&at, 0);
    CHECK_NEAR(puppet_local(&at, PUPPET_ARM, MRW_FIELD_X), 2 + 2.5, 1e-4);
    CHECK_NEAR(puppet_local(&at, PUPPET_HAND, MRW_FIELD_SCALE_X), 3 * 1.25, 1e-5);
    puppet_close(&at);
}

TEST(a_mask_limits_nodes_to_subtrees)
{
    puppet at = puppet_open();
    uint32_t over = puppet_clip_of(&at, &lift);
    uint32_t arm = node_of(&at, "arm");
    uint32_t hand = node_of(&at, "hand");
    set_layer(&at, "over", (mrw_layer_desc) { .clip = over, .weight = 1, .mask = &arm, .mask_count = 1 });
    puppet_update(&at, 0.5);
    CHECK(puppet_local(&at, PUPPET_ROOT, MRW_FIELD_Y) == 0);
    CHECK_NEAR(puppet_local(&at, PUPPET_ARM, MRW_FIELD_X), 105, 1e-4);
    CHECK_NEAR(puppet_local(&at, PUPPET_HAND, MRW_FIELD_SCALE_X), 3, 1e-5);
    CHECK_NEAR(at.state->shown.opacity, 0.5, 1e-6);
    // The subtree is that of the live tree.
    CHECK_EQ_INT(mrw_instance_reparent_node(at.context, at.instance, hand, 0xffffffffu), MRW_OK);
    CHECK_EQ_INT(mrw_instance_reparent_node(at.context, at.instance, hand, arm), MRW_OK);
    puppet_update(&at, 0);
    CHECK_NEAR(puppet_local(&at, PUPPET_HAND, MRW_FIELD_SCALE_X), 3, 1e-5);
    set_layer(&at, "over", (mrw_layer_desc) { .clip = over, .weight = 1, .mask = &hand, .mask_count = 1 });
    puppet_update(&at, 0.5);
    CHECK(puppet_local(&at, PUPPET_ARM, MRW_FIELD_X) == 10);
    // A mask of no node at all, and the root: everything.
    set_layer(&at, "over", (mrw_layer_desc) { .clip = over, .weight = 1, .mask = &hand, .mask_count = 0 });
    puppet_update(&at, 0.5);
    CHECK(puppet_local(&at, PUPPET_HAND, MRW_FIELD_SCALE_X) == 1);
    const uint32_t root = 0xffffffffu;
    set_layer(&at, "over", (mrw_layer_desc) { .clip = over, .weight = 1, .mask = &root, .mask_count = 1 });
    puppet_update(&at, 0.5);
    CHECK_NEAR(puppet_local(&at, PUPPET_ROOT, MRW_FIELD_Y), 45, 1e-4);
    puppet_close(&at);
}

TEST(layers_apply_in_the_order_of_their_first_appearance)
{
    puppet at = puppet_open();
    uint32_t low = puppet_clip_of(&at, &slide);
    uint32_t high = puppet_clip_of(&at, &lift);
    set_layer(&at, "a", (mrw_layer_desc) { .clip = low, .weight = 1 });
    set_layer(&at, "b", (mrw_layer_desc) { .clip = high, .weight = 1 });
    puppet_update(&at, 0.5);
    CHECK_NEAR(puppet_local(&at, PUPPET_ARM, MRW_FIELD_X), 105, 1e-4);
    // Set again it keeps its place and starts anew.
    set_layer(&at, "a", (mrw_layer_desc) { .clip = high, .weight = 1 });
    set_layer(&at, "b", (mrw_layer_desc) { .clip = low, .weight = 1 });
    puppet_update(&at, 0.5);
    CHECK_NEAR(puppet_local(&at, PUPPET_ARM, MRW_FIELD_X), 2, 1e-4);
    CHECK_NEAR(puppet_local(&at, PUPPET_ROOT, MRW_FIELD_Y), 45, 1e-4);
    CHECK_EQ_INT(mrw_instance_clear_layer(at.context, at.instance, "a"), MRW_OK);
    set_layer(&at, "a", (mrw_layer_desc) { .clip = high, .weight = 1 });
    puppet_update(&at, 0.5);
    CHECK_NEAR(puppet_local(&at, PUPPET_ARM, MRW_FIELD_X), 105, 1e-4);
    puppet_close(&at);
}

TEST(layers_have_speeds_ends_and_events_of_their_own)
{
    puppet at = puppet_open();
    uint32_t main = puppet_clip_of(&at, &slide);
    uint32_t over = puppet_clip_of(&at, &lift);
    puppet_play(&at, main, (mrw_play_options) { 0 });
    set_layer(&at, "first", (mrw_layer_desc) { .clip = over, .weight = 0, .speed = 2, .once = true });
    set_layer(&at, "second", (mrw_layer_desc) { .clip = over, .weight = 1, .speed = -1 });
    puppet_update(&at, 1.25);
    static const struct {
        mrw_event_kind kind;
        int layer;
        double time;
    } expected[] = { { MRW_EVENT_MARK, -1, 1 }, { MRW_EVENT_MARK, 0, 0.5 }, { MRW_EVENT_END, 0, 1 }, { MRW_EVENT_MARK, 1, 0.5 },
        { MRW_EVENT_LOOP, 1, 0 } };
    mrw_event event;
    for (int i = 0; i < 5; i++) {
        REQUIRE(CHECK_EQ_INT(mrw_instance_next_event(at.context, at.instance, &event), MRW_OK));
        CHECK_EQ_INT(event.kind, expected[i].kind);
        CHECK_EQ_INT(event.layer, expected[i].layer);
        CHECK(event.time == expected[i].time);
    }
    CHECK_EQ_INT(mrw_instance_next_event(at.context, at.instance, &event), MRW_NOT_FOUND);
    // second stands at 0.75: x 107.5
    CHECK_NEAR(puppet_local(&at, PUPPET_ARM, MRW_FIELD_X), 107.5, 1e-4);
    // A cleared layer takes the rest of its events along; those behind it stay.
    puppet_update(&at, 1);
    while (mrw_instance_next_event(at.context, at.instance, &event) == MRW_OK && event.layer < 0) { }
    CHECK_EQ_INT(event.layer, 1);
    CHECK_EQ_INT(mrw_instance_clear_layer(at.context, at.instance, "first"), MRW_OK);
    CHECK_EQ_INT(mrw_instance_next_event(at.context, at.instance, &event), MRW_OK);
    CHECK_EQ_INT(event.layer, 0);
    CHECK_EQ_INT(mrw_instance_clear_layer(at.context, at.instance, "second"), MRW_OK);
    CHECK_EQ_INT(mrw_instance_next_event(at.context, at.instance, &event), MRW_NOT_FOUND);
    puppet_close(&at);
}

TEST(layers_stay_when_the_main_clip_stops)
{
    puppet at = puppet_open();
    uint32_t main = puppet_clip_of(&at, &slide);
    uint32_t over = puppet_clip_of(&at, &lift);
    puppet_play(&at, main, (mrw_play_options) { 0 });
    set_layer(&at, "over", (mrw_layer_desc) { .clip = over, .weight = 1 });
    puppet_update(&at, 0.25);
    CHECK_EQ_INT(mrw_instance_stop(at.context, at.instance), MRW_OK);
    puppet_update(&at, 0.25);
    CHECK_NEAR(puppet_local(&at, PUPPET_ARM, MRW_FIELD_X), 105, 1e-4);
    CHECK(puppet_local(&at, PUPPET_HAND, MRW_FIELD_X) == 10);
    // Pausing stops everything that plays.
    CHECK_EQ_INT(mrw_instance_pause(at.context, at.instance, true), MRW_OK);
    puppet_update(&at, 0.25);
    CHECK_NEAR(puppet_local(&at, PUPPET_ARM, MRW_FIELD_X), 105, 1e-4);
    puppet_close(&at);
}

static void check_eye(const puppet* at, double x0, double y1)
{
    const mrw_part_state* eye = &at->state->parts[PUPPET_EYE];
    for (uint32_t i = 0; i < 3; i++) {
        const float* position = at->state->positions + 2 * (size_t)(eye->first_vertex + i);
        if (eye->vertex_map[i] == 0) {
            CHECK_NEAR(position[0], x0, 1e-5);
        } else if (eye->vertex_map[i] == 1) {
            CHECK_NEAR(position[1], y1, 1e-5);
        }
    }
}

TEST(offsets_of_layers_lie_on_top)
{
    puppet at = puppet_open();
    // Vertex 0 moves by (8, 0), vertex 1 by (0, 8) in 2 s; the other clip moves vertex 0 by (-4, 0) in 1 s.
    const puppet_clip grow = { .name = "grow", .duration = 2, .deformed_part = "eye", .offsets = { 8, 0, 0, 8 } };
    const puppet_clip shrink = { .name = "shrink", .duration = 1, .deformed_part = "eye", .offsets = { -4, 0 } };
    uint32_t main = puppet_clip_of(&at, &grow);
    uint32_t over = puppet_clip_of(&at, &shrink);
    puppet_play(&at, main, (mrw_play_options) { .once = true });
    set_layer(&at, "over", (mrw_layer_desc) { .clip = over, .weight = 0.5f, .once = true });
    puppet_update(&at, 1);
    check_eye(&at, 20 + (4 - 4) * 0.5, 4 * 0.5);
    set_layer(&at, "over", (mrw_layer_desc) { .clip = over, .weight = 0.5f, .once = true, .additive = true });
    puppet_update(&at, 1);
    check_eye(&at, 20 + 8 - 2, 8);
    CHECK_EQ_INT(mrw_instance_clear_layer(at.context, at.instance, "over"), MRW_OK);
    puppet_update(&at, 0);
    check_eye(&at, 28, 8);
    puppet_close(&at);
}

TEST(misuse_is_refused)
{
    puppet at = puppet_open();
    uint32_t clip = puppet_clip_of(&at, &slide);
    const mrw_instance_id stale = { 0xfffff };
    static const uint32_t dead_node = 0x12300000u;
    const mrw_layer_desc good = { .clip = clip, .weight = 1 };
    CHECK_EQ_INT(mrw_instance_set_layer(at.context, stale, "a", &good), MRW_STALE);
    CHECK_EQ_INT(mrw_instance_set_layer_weight(at.context, stale, "a", 1), MRW_STALE);
    CHECK_EQ_INT(mrw_instance_clear_layer(at.context, stale, "a"), MRW_STALE);
    CHECK(mrw_instance_layer_name(at.context, stale, 0) == NULL);
    CHECK_EQ_INT(mrw_instance_set_layer(at.context, at.instance, NULL, &good), MRW_BAD_ARGUMENT);
    CHECK_EQ_INT(mrw_instance_set_layer(at.context, at.instance, "a", NULL), MRW_BAD_ARGUMENT);
    CHECK_EQ_INT(mrw_instance_set_layer_weight(at.context, at.instance, "a", 1), MRW_NOT_FOUND);
    CHECK_EQ_INT(mrw_instance_set_layer_weight(at.context, at.instance, NULL, 1), MRW_BAD_ARGUMENT);
    CHECK_EQ_INT(mrw_instance_clear_layer(at.context, at.instance, NULL), MRW_BAD_ARGUMENT);
    static const struct {
        mrw_layer_desc desc;
        mrw_result result;
    } bad[] = {
        { { .clip = 1, .weight = 1 }, MRW_BAD_INDEX },
        { { .weight = NAN }, MRW_BAD_ARGUMENT },
        { { .weight = 1, .speed = INFINITY }, MRW_BAD_ARGUMENT },
        { { .weight = 1, .mask_count = 1 }, MRW_BAD_ARGUMENT },
        { { .weight = 1, .mask = &dead_node, .mask_count = 1 }, MRW_STALE },
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK_EQ_INT(mrw_instance_set_layer(at.context, at.instance, "a", &bad[i].desc), bad[i].result);
    }
    CHECK_EQ_INT(mrw_instance_clear_layer(at.context, at.instance, "a"), MRW_NOT_FOUND);
    puppet_close(&at);
}

static mrw_result attempt_layers(mrw_context* context, void* user)
{
    (void)user;
    puppet at;
    uint32_t clips[2] = { 0 };
    uint32_t mask = 0xffffffffu;
    mrw_result result = puppet_open_in(&at, context);
    if (result == MRW_OK) {
        result = puppet_add_clip(&at, &slide, &clips[0]);
    }
    if (result == MRW_OK) {
        result = puppet_add_clip(&at, &lift, &clips[1]);
    }
    if (result == MRW_OK) {
        result = puppet_add_instance(&at);
    }
    if (result == MRW_OK) {
        CHECK_EQ_INT(mrw_instance_find_node(context, at.instance, "arm", &mask), MRW_OK);
    }
    static const char* const names[] = { "a", "b", "a", "c", "d" };
    for (uint32_t i = 0; i < 5 && result == MRW_OK; i++) {
        const mrw_layer_desc desc = { .clip = clips[i % 2], .weight = 0.5f, .additive = i < 3, .mask = &mask, .mask_count = i % 2 };
        result = mrw_instance_set_layer(context, at.instance, names[i], &desc);
        CHECK_EQ_INT(mrw_world_update(context, at.world, 0.25), MRW_OK);
    }
    if (result == MRW_OK) {
        puppet_clip replaced = lift;
        replaced.name = "slide";
        result = puppet_add_clip(&at, &replaced, NULL);
        CHECK_EQ_INT(mrw_world_update(context, at.world, 0.25), MRW_OK);
    }
    return result;
}

TEST(any_allocation_may_fail)
{
    FAILING_ALLOCATOR_SWEEP(attempt_layers, NULL);
}

static uint32_t random_state = 1;
static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % limit;
}

static void do_something(const puppet* at, uint32_t what, uint32_t clip, uint32_t node, float value)
{
    switch (what) {
    case 0:
        puppet_play(at, clip, (mrw_play_options) { 0 });
        break;
    case 1:
        puppet_play(at, clip, (mrw_play_options) { .fade = 0.7f });
        break;
    case 2:
        CHECK_EQ_INT(mrw_instance_stop(at->context, at->instance), MRW_OK);
        break;
    case 3:
        set_layer(at, "over", (mrw_layer_desc) { .clip = clip, .weight = 0.5f });
        break;
    case 4:
        mrw_instance_clear_layer(at->context, at->instance, "over");
        break;
    case 5:
        puppet_set_base(at, node, MRW_FIELD_Y, value);
        break;
    case 6:
        puppet_set_base(at, node, MRW_FIELD_X, value < 0 ? NAN : value);
        break;
    case 7:
        at->state->override_values[MRW_FIELD_X * at->state->node_stride + node] = value > 3 ? INFINITY : value;
        at->state->override_mask[node] = value > 0 ? 1u << MRW_FIELD_X : 0;
        at->state->dirty = 1;
        break;
    default:
        break; // time goes on
    }
}

TEST(what_is_kept_from_the_last_update_is_what_a_fresh_one_gives)
{
    // Two alike, but one is told each time that something was written and so begins at base.
    puppet kept = puppet_open(), fresh = kept;
    CHECK_EQ_INT(puppet_add_instance(&fresh), MRW_OK);
    const uint32_t clips[2] = { puppet_clip_of(&kept, &slide), puppet_clip_of(&kept, &lift) };
    for (uint32_t step = 0; step < 2000; step++) {
        const uint32_t what = random_below(16), clip = clips[random_below(2)], node = random_below(3);
        const float value = (float)random_below(11) - 5;
        do_something(&kept, what, clip, node, value);
        do_something(&fresh, what, clip, node, value);
        fresh.state->dirty = 1;
        puppet_update(&kept, 0.13);
        const size_t size = (size_t)MRW_FIELD_COUNT * kept.state->node_stride * sizeof(float);
        REQUIRE(CHECK_BYTES(kept.state->local, fresh.state->local, size));
    }
    puppet_close(&kept);
}
