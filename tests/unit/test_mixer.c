// Playing, fading, overriding: values worked out by hand.
#include "support/failing_allocator.h"
#include "support/puppet.h"

#define PI 3.14159265358979323846

// x of the arm 0 -> 8 in 2 s
static const puppet_clip slide
    = { .name = "slide", .duration = 2, .track_count = 1, .tracks = { { "root/arm", "Transform", "x", 0, 0, 8 } } };
// x of the arm 100 -> 108 in 4 s, y of the hand 20 -> 24
static const puppet_clip other = { .name = "other",
    .duration = 4,
    .track_count = 2,
    .tracks = { { "root/arm", "Transform", "x", 0, 100, 108 }, { "root/arm/hand", "Transform", "y", 0, 20, 24 } } };

TEST(without_a_clip_base_is_seen)
{
    puppet at = puppet_open();
    puppet_update(&at, 1);
    CHECK(puppet_local(&at, PUPPET_ARM, MRW_FIELD_X) == 10);
    CHECK(puppet_local(&at, PUPPET_ARM, MRW_FIELD_SCALE_X) == 1);
    CHECK_EQ_INT(at.state->clip, -1);
    CHECK_EQ_INT(at.state->playing, 0);
    puppet_set_base(&at, PUPPET_ARM, MRW_FIELD_X, 12);
    puppet_update(&at, 1);
    CHECK(puppet_local(&at, PUPPET_ARM, MRW_FIELD_X) == 12);
    puppet_close(&at);
}

TEST(a_clip_drives_its_fields_and_leaves_base_alone)
{
    puppet at = puppet_open();
    uint32_t clip = puppet_clip_of(&at, &slide);
    puppet_set_base(&at, PUPPET_ARM, MRW_FIELD_Y, 3);
    uint32_t version = at.state->clip_version;
    puppet_play(&at, clip, (mrw_play_options) { 0 });
    CHECK(at.state->clip_version > version);
    CHECK_EQ_INT(at.state->clip, clip);
    CHECK_EQ_INT(at.state->playing, 1);
    puppet_update(&at, 0.5);
    CHECK(at.state->time == 0.5);
    CHECK_NEAR(puppet_local(&at, PUPPET_ARM, MRW_FIELD_X), 2, 1e-6);
    CHECK(puppet_local(&at, PUPPET_ARM, MRW_FIELD_Y) == 3);
    CHECK(at.state->base[at.state->node_stride * MRW_FIELD_X + PUPPET_ARM] == 10);
    puppet_update(&at, 1);
    CHECK_NEAR(puppet_local(&at, PUPPET_ARM, MRW_FIELD_X), 6, 1e-6);
    // Base below a driven field shows when the clip is gone.
    puppet_set_base(&at, PUPPET_ARM, MRW_FIELD_X, 11);
    puppet_update(&at, 0);
    CHECK_NEAR(puppet_local(&at, PUPPET_ARM, MRW_FIELD_X), 6, 1e-6);
    CHECK_EQ_INT(mrw_instance_stop(at.context, at.instance), MRW_OK);
    CHECK_EQ_INT(at.state->clip, -1);
    puppet_update(&at, 0);
    CHECK(puppet_local(&at, PUPPET_ARM, MRW_FIELD_X) == 11);
    puppet_close(&at);
}

TEST(time_loops_stops_turns_and_pauses)
{
    puppet at = puppet_open();
    uint32_t clip = puppet_clip_of(&at, &slide);
    puppet_play(&at, clip, (mrw_play_options) { .speed = 2 });
    puppet_update(&at, 1.25);
    CHECK(at.state->time == 0.5);
    puppet_play(&at, clip, (mrw_play_options) { .speed = -1 });
    CHECK(at.state->time == 2);
    puppet_update(&at, 0.5);
    CHECK(at.state->time == 1.5);
    CHECK_NEAR(puppet_local(&at, PUPPET_ARM, MRW_FIELD_X), 6, 1e-6);
    CHECK_EQ_INT(mrw_instance_pause(at.context, at.instance, true), MRW_OK);
    CHECK_EQ_INT(at.state->playing, 0);
    puppet_update(&at, 0.5);
    CHECK(at.state->time == 1.5);
    CHECK_EQ_INT(mrw_instance_pause(at.context, at.instance, false), MRW_OK);
    CHECK_EQ_INT(mrw_instance_set_speed(at.context, at.instance, 1), MRW_OK);
    puppet_update(&at, 0.25);
    CHECK(at.state->time == 1.75);
    puppet_play(&at, clip, (mrw_play_options) { .once = true, .keep_time = true });
    CHECK(at.state->time == 1.75);
    uint32_t version = at.state->clip_version;
    puppet_update(&at, 5);
    CHECK(at.state->time == 2);
    CHECK_EQ_INT(at.state->playing, 0);
    CHECK_EQ_INT(at.state->clip, clip);
    CHECK(at.state->clip_version > version);
    CHECK_NEAR(puppet_local(&at, PUPPET_ARM, MRW_FIELD_X), 8, 1e-6);
    puppet_close(&at);
}

TEST(seeking_shows_a_time_and_keeps_the_very_end)
{
    puppet at = puppet_open();
    uint32_t clip = puppet_clip_of(&at, &slide);
    puppet_play(&at, clip, (mrw_play_options) { 0 });
    static const double times[6][2] = { { 1, 4 }, { 2, 8 }, { 2.5, 2 }, { -0.5, 6 }, { 0, 0 }, { 1e9 + 0.5, 2 } };
    for (int i = 0; i < 6; i++) {
        CHECK_EQ_INT(mrw_instance_seek(at.context, at.instance, times[i][0]), MRW_OK);
        puppet_update(&at, 0);
        CHECK_NEAR(puppet_local(&at, PUPPET_ARM, MRW_FIELD_X), times[i][1], 1e-6);
        CHECK_EQ_INT(at.state->event_pending, 0);
    }
    puppet_play(&at, clip, (mrw_play_options) { .once = true });
    CHECK_EQ_INT(mrw_instance_seek(at.context, at.instance, 7), MRW_OK);
    CHECK(at.state->time == 2);
    puppet_close(&at);
}

TEST(a_fade_blends_what_both_drive_and_base_with_the_rest)
{
    puppet at = puppet_open();
    uint32_t from = puppet_clip_of(&at, &slide);
    uint32_t to = puppet_clip_of(&at, &other);
    puppet_play(&at, to, (mrw_play_options) { 0 });
    CHECK_EQ_INT(mrw_instance_seek(at.context, at.instance, 1), MRW_OK);
    // other at 1 s: arm x 102, hand y 21. slide begins at 0 while other runs on to 2 s: arm x 104, hand y 22; slide at 1 s: 4.
    puppet_play(&at, from, (mrw_play_options) { .fade = 4 });
    puppet_update(&at, 1);
    CHECK_NEAR(puppet_local(&at, PUPPET_ARM, MRW_FIELD_X), 104 + (4 - 104) * 0.25, 1e-4);
    CHECK_NEAR(puppet_local(&at, PUPPET_HAND, MRW_FIELD_Y), 22 * 0.75, 1e-5); // base is 0
    CHECK_EQ_INT(at.state->clip, from);
    CHECK(at.state->time == 1);
    puppet_update(&at, 3);
    CHECK_NEAR(puppet_local(&at, PUPPET_ARM, MRW_FIELD_X), 0, 1e-4); // 4 s of slide: wrapped to 0
    CHECK(puppet_local(&at, PUPPET_HAND, MRW_FIELD_Y) == 0);
    puppet_close(&at);
}

TEST(one_sided_fields_may_stay_at_full_strength)
{
    puppet at = puppet_open();
    uint32_t from = puppet_clip_of(&at, &slide);
    uint32_t to = puppet_clip_of(&at, &other);
    puppet_play(&at, from, (mrw_play_options) { 0 });
    puppet_play(&at, to, (mrw_play_options) { .fade = 2, .one_sided_full = true });
    puppet_update(&at, 1);
    CHECK_NEAR(puppet_local(&at, PUPPET_ARM, MRW_FIELD_X), (4 + 102) * 0.5, 1e-4);
    CHECK_NEAR(puppet_local(&at, PUPPET_HAND, MRW_FIELD_Y), 21, 1e-5);
    puppet_close(&at);
}

TEST(a_fade_in_comes_from_base)
{
    puppet at = puppet_open();
    uint32_t clip = puppet_clip_of(&at, &other);
    puppet_play(&at, clip, (mrw_play_options) { .fade = 4 });
    puppet_update(&at, 1);
    CHECK_NEAR(puppet_local(&at, PUPPET_ARM, MRW_FIELD_X), 10 + (102 - 10) * 0.25, 1e-4);
    puppet_play(&at, clip, (mrw_play_options) { 0 });
    CHECK_EQ_INT(mrw_instance_stop(at.context, at.instance), MRW_OK);
    puppet_play(&at, clip, (mrw_play_options) { .fade = 4, .one_sided_full = true });
    puppet_update(&at, 1);
    CHECK_NEAR(puppet_local(&at, PUPPET_ARM, MRW_FIELD_X), 102, 1e-4);
    puppet_close(&at);
}

TEST(rotation_fades_along_the_shorter_arc)
{
    static const struct {
        double from, to, middle;
    } turns[] = { { 0, 1, 0.5 }, { 3, -3, PI }, { -3, 3, -PI }, { 0.5, 0.5 + 4 * PI, 0.5 }, { 0, 1.5 * PI, -0.25 * PI } };
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        puppet at = puppet_open();
        const puppet_clip a = { "a", 1, 1, 0, { { "root", "Transform", "rz", 0, turns[i].from, turns[i].from } }, { 0 }, NULL, { 0 } };
        const puppet_clip b = { "b", 1, 1, 0, { { "root", "Transform", "rz", 0, turns[i].to, turns[i].to } }, { 0 }, NULL, { 0 } };
        uint32_t first = puppet_clip_of(&at, &a);
        uint32_t second = puppet_clip_of(&at, &b);
        puppet_play(&at, first, (mrw_play_options) { 0 });
        puppet_play(&at, second, (mrw_play_options) { .fade = 2 });
        puppet_update(&at, 1);
        CHECK_NEAR(puppet_local(&at, PUPPET_ROOT, MRW_FIELD_ROTATION), turns[i].middle, 1e-5);
        puppet_close(&at);
    }
}

// What a part and the view show: colors, opacity and switches
static const puppet_clip look = { .name = "look",
    .duration = 1,
    .track_count = 7,
    .tracks = { { "", "Part", "eye.color", MRW_TRACK_COLOR, 0x204060, 0x204060 }, { "", "Part", "eye.opacity", 0, 0.5, 0.5 },
        { "", "Part", "body.visible", MRW_TRACK_BOOLEAN, 0, 0 }, { "", "SkinnedSprite2D", "color", MRW_TRACK_COLOR, 0xff0000, 0xff0000 },
        { "", "SkinnedSprite2D", "opacity", 0, 0.25, 0.25 }, { "", "SkinnedSprite2D", "flipX", MRW_TRACK_BOOLEAN, 1, 1 },
        { "", "Billboard3D", "mode", MRW_TRACK_ENUM, 2, 2 } } };

TEST(clips_drive_parts_and_the_view)
{
    puppet at = puppet_open();
    uint32_t clip = puppet_clip_of(&at, &look);
    puppet_update(&at, 0);
    uint32_t view_version = at.state->view_version;
    puppet_play(&at, clip, (mrw_play_options) { 0 });
    puppet_update(&at, 0.5);
    CHECK_EQ_INT(at.state->parts[PUPPET_EYE].color, 0x204060);
    CHECK(at.state->parts[PUPPET_EYE].opacity == 0.5f);
    CHECK_EQ_INT(at.state->parts[PUPPET_BODY].visible, 0);
    CHECK_EQ_INT(at.state->parts[PUPPET_BODY].color, 0xffffff);
    CHECK_EQ_INT(at.state->run_count, 1);
    CHECK_EQ_INT(at.state->runs[0].color, 0x204060);
    CHECK_EQ_INT(at.state->runs[0].first_part, PUPPET_EYE);
    CHECK_EQ_INT(at.state->shown.color, 0xff0000);
    CHECK(at.state->shown.opacity == 0.25f);
    CHECK_EQ_INT(at.state->shown.flip_x, 1);
    CHECK_EQ_INT(at.state->shown.flip_y, 0);
    CHECK_EQ_INT(at.state->shown.mode, MRW_BILLBOARD_FLAT);
    CHECK_EQ_INT(at.state->view.color, 0xffffff);
    CHECK(at.state->view_version > view_version);
    // Nothing changes any more, so no version rises.
    view_version = at.state->view_version;
    uint32_t structure_version = at.state->structure_version;
    puppet_update(&at, 0.25);
    CHECK_EQ_INT(at.state->view_version, view_version);
    CHECK_EQ_INT(at.state->structure_version, structure_version);
    CHECK_EQ_INT(mrw_instance_stop(at.context, at.instance), MRW_OK);
    puppet_update(&at, 0);
    CHECK_EQ_INT(at.state->parts[PUPPET_EYE].color, 0xffffff);
    CHECK_EQ_INT(at.state->parts[PUPPET_BODY].visible, 1);
    CHECK_EQ_INT(at.state->shown.flip_x, 0);
    puppet_close(&at);
}

TEST(colors_fade_by_channel_and_switches_flip_half_way)
{
    puppet at = puppet_open();
    uint32_t clip = puppet_clip_of(&at, &look);
    // White base: 0xff -> 0x20 by a quarter: 255 - 223 / 4 = 199.25; 0xff -> 0x40: 207.25; 0xff -> 0x60: 215.25
    puppet_play(&at, clip, (mrw_play_options) { .fade = 4 });
    puppet_update(&at, 1);
    CHECK_EQ_INT(at.state->parts[PUPPET_EYE].color, 199 << 16 | 207 << 8 | 215);
    CHECK_NEAR(at.state->parts[PUPPET_EYE].opacity, 0.875, 1e-6);
    CHECK_EQ_INT(at.state->parts[PUPPET_BODY].visible, 1);
    CHECK_EQ_INT(at.state->shown.mode, MRW_BILLBOARD_CYLINDRICAL);
    puppet_update(&at, 1);
    CHECK_EQ_INT(at.state->parts[PUPPET_BODY].visible, 0);
    CHECK_EQ_INT(at.state->shown.mode, MRW_BILLBOARD_FLAT);
    CHECK_EQ_INT(at.state->shown.flip_x, 1);
    puppet_close(&at);
}

TEST(fading_out_returns_parts_and_view_to_base)
{
    puppet at = puppet_open();
    uint32_t clip = puppet_clip_of(&at, &look);
    uint32_t plain = puppet_clip_of(&at, &slide);
    puppet_play(&at, clip, (mrw_play_options) { 0 });
    puppet_play(&at, plain, (mrw_play_options) { .fade = 4 });
    puppet_update(&at, 1);
    CHECK_NEAR(at.state->shown.opacity, 0.25 + 0.75 * 0.25, 1e-6);
    CHECK_EQ_INT(at.state->parts[PUPPET_BODY].visible, 0);
    puppet_update(&at, 1);
    CHECK_EQ_INT(at.state->parts[PUPPET_BODY].visible, 1);
    puppet_update(&at, 2);
    CHECK(at.state->shown.opacity == 1);
    CHECK_EQ_INT(at.state->parts[PUPPET_EYE].color, 0xffffff);
    puppet_close(&at);
}

/// All that a pose consists of.
typedef struct pose {
    float local[15];
    uint32_t colors[2], visible[2];
    float opacity[2];
    mrw_view_fields shown;
} pose;

static pose pose_of(const puppet* at)
{
    pose seen = { 0 };
    for (uint32_t i = 0; i < 15; i++) {
        seen.local[i] = puppet_local(at, i / 5, (mrw_field)(i % 5));
    }
    for (uint32_t i = 0; i < 2; i++) {
        seen.colors[i] = at->state->parts[i].color;
        seen.visible[i] = at->state->parts[i].visible;
        seen.opacity[i] = at->state->parts[i].opacity;
    }
    seen.shown = at->state->shown;
    return seen;
}

TEST(an_interrupted_fade_starts_from_what_is_seen)
{
    for (int mode = 0; mode < 4; mode++) {
        puppet at = puppet_open();
        uint32_t clips[3] = { puppet_clip_of(&at, &slide), puppet_clip_of(&at, &other), puppet_clip_of(&at, &look) };
        puppet_play(&at, clips[0], (mrw_play_options) { 0 });
        puppet_update(&at, 0.25);
        for (int i = 1; i < 9; i++) {
            bool full = (mode & 1) != 0;
            puppet_play(&at, clips[i % 3], (mrw_play_options) { .fade = 1, .one_sided_full = false });
            puppet_update(&at, (mode & 2) != 0 ? 0.3 : 0.6);
            pose before = pose_of(&at);
            puppet_play(&at, clips[(i + 1) % 3], (mrw_play_options) { .fade = 2, .one_sided_full = false });
            puppet_update(&at, 0);
            pose after = pose_of(&at);
            CHECK_BYTES(&after, &before, sizeof after);
            // A full-strength fade may show the new clip's own fields at once, but never a field that was driven before.
            puppet_play(&at, clips[i % 3], (mrw_play_options) { .fade = 2, .one_sided_full = full });
            puppet_update(&at, 0.1);
        }
        puppet_close(&at);
    }
}

TEST(a_fade_from_what_was_seen_arrives)
{
    puppet at = puppet_open();
    uint32_t from = puppet_clip_of(&at, &slide);
    uint32_t to = puppet_clip_of(&at, &other);
    puppet_play(&at, from, (mrw_play_options) { 0 });
    puppet_play(&at, to, (mrw_play_options) { .fade = 2 });
    puppet_update(&at, 1);
    // arm x: slide at 1 s 4, other at 1 s 102, half way: 53. hand y: 21 / 2.
    CHECK_NEAR(puppet_local(&at, PUPPET_ARM, MRW_FIELD_X), 53, 1e-4);
    puppet_play(&at, from, (mrw_play_options) { .fade = 2 });
    puppet_update(&at, 1);
    CHECK_NEAR(puppet_local(&at, PUPPET_ARM, MRW_FIELD_X), (53 + 4) * 0.5, 1e-4);
    CHECK_NEAR(puppet_local(&at, PUPPET_HAND, MRW_FIELD_Y), 10.5 * 0.5, 1e-4);
    puppet_update(&at, 1);
    CHECK(puppet_local(&at, PUPPET_HAND, MRW_FIELD_Y) == 0);
    puppet_close(&at);
}

TEST(overrides_lie_on_top)
{
    puppet at = puppet_open();
    uint32_t clip = puppet_clip_of(&at, &slide);
    puppet_play(&at, clip, (mrw_play_options) { 0 });
    puppet_override(&at, PUPPET_ARM, MRW_FIELD_X, -5);
    puppet_override(&at, PUPPET_HAND, MRW_FIELD_ROTATION, 1.5f);
    puppet_update(&at, 0.5);
    CHECK(puppet_local(&at, PUPPET_ARM, MRW_FIELD_X) == -5);
    CHECK(puppet_local(&at, PUPPET_HAND, MRW_FIELD_ROTATION) == 1.5f);
    at.state->override_mask[PUPPET_ARM] = 0;
    at.state->dirty = 1;
    puppet_update(&at, 0);
    CHECK_NEAR(puppet_local(&at, PUPPET_ARM, MRW_FIELD_X), 2, 1e-6);
    puppet_close(&at);
}

// Offsets of the eye grow to (8, 0), (0, 8), (4, 4) in 2 s, file order
static const puppet_clip grow = { .name = "grow", .duration = 2, .deformed_part = "eye", .offsets = { 8, 0, 0, 8, 4, 4 } };

static void check_eye(const puppet* at, const double* expected)
{
    const mrw_part_state* eye = &at->state->parts[PUPPET_EYE];
    const float* positions = at->state->positions + 2 * (size_t)eye->first_vertex;
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t file = eye->vertex_map[i];
        CHECK_NEAR(positions[2 * i], expected[2 * file], 1e-5);
        CHECK_NEAR(positions[2 * i + 1], expected[2 * file + 1], 1e-5);
    }
}

TEST(offsets_move_vertices_and_go_away_again)
{
    puppet at = puppet_open();
    uint32_t clip = puppet_clip_of(&at, &grow);
    uint32_t plain = puppet_clip_of(&at, &slide);
    static const double rest[6] = { 20, 0, 24, 0, 20, 4 };
    static const double half[6] = { 24, 0, 24, 4, 22, 6 };
    puppet_update(&at, 0);
    check_eye(&at, rest);
    puppet_play(&at, clip, (mrw_play_options) { .once = true });
    puppet_update(&at, 1);
    check_eye(&at, half);
    // Standing still, nothing is skinned.
    uint32_t version = at.state->version;
    CHECK_EQ_INT(mrw_instance_pause(at.context, at.instance, true), MRW_OK);
    puppet_update(&at, 1);
    CHECK_EQ_INT(at.state->version, version);
    CHECK_EQ_INT(mrw_instance_pause(at.context, at.instance, false), MRW_OK);
    // Offsets set by hand replace the clip's.
    static const float by_hand[6] = { 1, 1, 1, 1, 1, 1 };
    static const double moved[6] = { 21, 1, 25, 1, 21, 5 };
    CHECK_EQ_INT(mrw_instance_set_deform(at.context, at.instance, PUPPET_EYE, by_hand, 6), MRW_OK);
    puppet_update(&at, 0);
    check_eye(&at, moved);
    CHECK_EQ_INT(mrw_instance_set_deform(at.context, at.instance, PUPPET_EYE, NULL, 0), MRW_OK);
    puppet_update(&at, 0);
    check_eye(&at, half);
    // They do not cross-fade: a clip without offsets shows none from its first moment.
    puppet_play(&at, plain, (mrw_play_options) { .fade = 10 });
    puppet_update(&at, 0);
    check_eye(&at, rest);
    puppet_play(&at, clip, (mrw_play_options) { .fade = 10 });
    puppet_update(&at, 1);
    check_eye(&at, half);
    CHECK_EQ_INT(mrw_instance_stop(at.context, at.instance), MRW_OK);
    puppet_update(&at, 0);
    check_eye(&at, rest);
    puppet_close(&at);
}

TEST(a_replaced_clip_goes_on_at_the_same_time)
{
    puppet at = puppet_open();
    uint32_t clip = puppet_clip_of(&at, &slide);
    puppet_play(&at, clip, (mrw_play_options) { 0 });
    puppet_update(&at, 0.5);
    puppet_clip bigger = other;
    bigger.name = "slide";
    bigger.deformed_part = "eye";
    CHECK_EQ_INT(puppet_clip_of(&at, &bigger), clip);
    puppet_update(&at, 0.5);
    CHECK(at.state->time == 1);
    CHECK_NEAR(puppet_local(&at, PUPPET_ARM, MRW_FIELD_X), 102, 1e-4);
    CHECK_NEAR(puppet_local(&at, PUPPET_HAND, MRW_FIELD_Y), 21, 1e-5);
    // A shorter one cannot stand behind its own end.
    puppet_clip shorter = slide;
    shorter.duration = 0.75;
    CHECK_EQ_INT(puppet_clip_of(&at, &shorter), clip);
    puppet_update(&at, 0.25);
    CHECK(at.state->time >= 0 && at.state->time <= 0.75);
    puppet_close(&at);
}

TEST(tracks_follow_the_live_tree)
{
    puppet at = puppet_open();
    uint32_t clip = puppet_clip_of(&at, &other);
    puppet_play(&at, clip, (mrw_play_options) { 0 });
    puppet_update(&at, 1);
    CHECK_NEAR(puppet_local(&at, PUPPET_HAND, MRW_FIELD_Y), 21, 1e-5);
    uint32_t hand = 0, arm = 0, added = 0;
    CHECK_EQ_INT(mrw_instance_find_node(at.context, at.instance, "hand", &hand), MRW_OK);
    CHECK_EQ_INT(mrw_instance_find_node(at.context, at.instance, "arm", &arm), MRW_OK);
    CHECK_EQ_INT(mrw_instance_rename_node(at.context, at.instance, hand, "fist"), MRW_OK);
    puppet_update(&at, 0);
    CHECK(puppet_local(&at, PUPPET_HAND, MRW_FIELD_Y) == 0);
    // A node of the name takes over, whatever it is; enough of them to make every array grow.
    for (int i = 0; i < 40; i++) {
        CHECK_EQ_INT(mrw_instance_add_node(at.context, at.instance, "hand", arm, false, &added), MRW_OK);
    }
    puppet_update(&at, 0);
    CHECK_NEAR(puppet_local(&at, added & 0xfffff, MRW_FIELD_Y), 21, 1e-5);
    CHECK(puppet_local(&at, PUPPET_HAND, MRW_FIELD_Y) == 0);
    CHECK_NEAR(puppet_local(&at, PUPPET_ARM, MRW_FIELD_X), 102, 1e-4);
    CHECK_EQ_INT(mrw_instance_remove_node(at.context, at.instance, added), MRW_OK);
    CHECK_EQ_INT(mrw_instance_rename_node(at.context, at.instance, hand, "hand"), MRW_OK);
    puppet_update(&at, 0);
    puppet_close(&at);
}

TEST(a_growing_tree_keeps_a_fade_going)
{
    puppet at = puppet_open();
    uint32_t from = puppet_clip_of(&at, &slide);
    uint32_t to = puppet_clip_of(&at, &other);
    puppet_play(&at, from, (mrw_play_options) { 0 });
    puppet_play(&at, to, (mrw_play_options) { .fade = 2 });
    puppet_update(&at, 1);
    puppet_play(&at, from, (mrw_play_options) { .fade = 2 });
    for (int i = 0; i < 40; i++) {
        uint32_t added = 0;
        CHECK_EQ_INT(mrw_instance_add_node(at.context, at.instance, "more", 0xffffffffu, true, &added), MRW_OK);
    }
    puppet_update(&at, 1);
    CHECK_NEAR(puppet_local(&at, PUPPET_ARM, MRW_FIELD_X), (53 + 4) * 0.5, 1e-4);
    CHECK_NEAR(puppet_local(&at, PUPPET_HAND, MRW_FIELD_Y), 10.5 * 0.5, 1e-4);
    puppet_close(&at);
}

TEST(events_come_after_the_update)
{
    puppet at = puppet_open();
    puppet_clip clip = slide;
    clip.event_count = 2;
    clip.event_times[0] = 0;
    clip.event_times[1] = 1;
    uint32_t index = puppet_clip_of(&at, &clip);
    puppet_play(&at, index, (mrw_play_options) { 0 });
    CHECK_EQ_INT(at.state->event_pending, 0);
    puppet_update(&at, 2.5);
    static const struct {
        mrw_event_kind kind;
        int event;
        double time;
    } expected[] = { { MRW_EVENT_MARK, 0, 0 }, { MRW_EVENT_MARK, 1, 1 }, { MRW_EVENT_LOOP, -1, 2 }, { MRW_EVENT_MARK, 0, 0 } };
    mrw_event event;
    for (int i = 0; i < 4; i++) {
        CHECK_EQ_INT(at.state->event_pending, 1);
        REQUIRE(CHECK_EQ_INT(mrw_instance_next_event(at.context, at.instance, &event), MRW_OK));
        CHECK_EQ_INT(event.kind, expected[i].kind);
        CHECK_EQ_INT(event.event, expected[i].event);
        CHECK(event.time == expected[i].time);
        CHECK_EQ_INT(event.clip, index);
        CHECK_EQ_INT(event.layer, -1);
    }
    CHECK_EQ_INT(at.state->event_pending, 0);
    CHECK_EQ_INT(mrw_instance_next_event(at.context, at.instance, &event), MRW_NOT_FOUND);
    // What is not fetched is lost, and what a handler starts does not disturb what is left.
    puppet_update(&at, 2);
    CHECK_EQ_INT(mrw_instance_next_event(at.context, at.instance, &event), MRW_OK);
    puppet_play(&at, index, (mrw_play_options) { 0 });
    CHECK_EQ_INT(mrw_instance_next_event(at.context, at.instance, &event), MRW_OK);
    CHECK_EQ_INT(event.kind, MRW_EVENT_LOOP);
    puppet_update(&at, 0.25);
    CHECK_EQ_INT(mrw_instance_next_event(at.context, at.instance, &event), MRW_OK);
    CHECK(event.time == 0);
    puppet_update(&at, 0.25);
    CHECK_EQ_INT(at.state->event_pending, 0);
    puppet_close(&at);
}

TEST(a_clip_that_is_replaced_takes_its_events_along)
{
    puppet at = puppet_open();
    puppet_clip clip = slide;
    clip.event_count = 4;
    uint32_t index = puppet_clip_of(&at, &clip);
    puppet_play(&at, index, (mrw_play_options) { 0 });
    puppet_update(&at, 0.5);
    mrw_event event;
    CHECK_EQ_INT(mrw_instance_next_event(at.context, at.instance, &event), MRW_OK);
    puppet_clip_of(&at, &slide);
    CHECK_EQ_INT(mrw_instance_next_event(at.context, at.instance, &event), MRW_NOT_FOUND);
    puppet_close(&at);
}

/// A model like the puppet's, but with a node more in front, so that every node has another place.
static const char* longer_rig(char* out)
{
    const char* bones = strstr(puppet_rig, "\"bones\":[") + strlen("\"bones\":[");
    size_t head = (size_t)(bones - puppet_rig);
    static const char added[] = "{\"name\":\"new\",\"parent\":-1},{\"name\":\"hand\",\"parent\":3,\"x\":10},"
                                "{\"name\":\"root\",\"parent\":-1},{\"name\":\"arm\",\"parent\":2,\"x\":10}],";
    const char* rest = strstr(puppet_rig, "\"parts\"");
    memcpy(out, puppet_rig, head);
    memcpy(out + head, added, sizeof added - 1);
    memcpy(out + head + sizeof added - 1, rest, strlen(rest) + 1);
    return out;
}

TEST(a_replaced_model_goes_on_with_clips_of_the_same_names)
{
    puppet at = puppet_open();
    static char text[sizeof puppet_rig + 256];
    puppet_clip named = other;
    named.name = "shared";
    puppet_clip over = slide;
    over.name = "over";
    uint32_t gone = puppet_clip_of(&at, &look);
    uint32_t shared = puppet_clip_of(&at, &named);
    uint32_t layered = puppet_clip_of(&at, &over);
    CHECK_EQ_INT(mrw_asset_provide(at.context, "g", at.model), MRW_OK);
    const mrw_instance_desc desc = { .guid = "g" };
    mrw_instance_id second = { 0 };
    CHECK_EQ_INT(mrw_instance_create(at.context, at.world, &desc, &second), MRW_OK);
    uint32_t hand = 0;
    CHECK_EQ_INT(mrw_instance_find_node(at.context, second, "hand", &hand), MRW_OK);
    const mrw_layer_desc layer = { .clip = layered, .weight = 1, .mask = &hand, .mask_count = 1 };
    CHECK_EQ_INT(mrw_instance_play(at.context, second, shared, NULL), MRW_OK);
    CHECK_EQ_INT(mrw_instance_set_layer(at.context, second, "l", &layer), MRW_OK);
    const mrw_layer_desc lost = { .clip = gone, .weight = 1 };
    CHECK_EQ_INT(mrw_instance_set_layer(at.context, second, "lost", &lost), MRW_OK);
    CHECK_EQ_INT(mrw_instance_play(at.context, at.instance, gone, NULL), MRW_OK);
    puppet_update(&at, 1);

    // Clips in another order; "look" is missing, and "over" moves the hand, which the mask leaves free.
    puppet replacement = { .context = at.context, .world = at.world };
    longer_rig(text);
    REQUIRE(CHECK_EQ_INT(mrw_model_load_rig2d(at.context, text, strlen(text), NULL, &replacement.model, NULL), MRW_OK));
    over.tracks[0].path = "root/arm/hand";
    puppet_clip_of(&replacement, &over);
    uint32_t index = puppet_clip_of(&replacement, &named);
    CHECK_EQ_INT(mrw_asset_provide(at.context, "g", replacement.model), MRW_OK);
    puppet_update(&at, 0.5);
    const mrw_instance_state* state = mrw_instance_get_state(at.context, second);
    CHECK_EQ_INT(state->clip, index);
    CHECK(state->time == 1.5);
    uint32_t hand_slot = 0, arm_slot = 0;
    CHECK_EQ_INT(mrw_instance_find_node(at.context, second, "arm", &arm_slot), MRW_OK);
    CHECK_EQ_INT(mrw_instance_find_node(at.context, second, "hand", &hand_slot), MRW_OK);
    arm_slot &= 0xfffff;
    hand_slot &= 0xfffff;
    CHECK_NEAR(state->local[arm_slot], 103, 1e-4);
    CHECK_NEAR(state->local[state->node_stride * MRW_FIELD_Y + hand_slot], 21.5, 1e-4);
    CHECK_NEAR(state->local[hand_slot], 6, 1e-4); // "over" at 1.5 s
    CHECK_EQ_INT(mrw_instance_clear_layer(at.context, second, "lost"), MRW_NOT_FOUND);
    CHECK_EQ_INT(mrw_instance_clear_layer(at.context, second, "l"), MRW_OK);
    // The first instance follows too; what it played is gone, so it rests.
    CHECK_EQ_INT(at.state->clip, -1);
    CHECK(at.state->parts[PUPPET_BODY].visible == 1);
    puppet_close(&at);
}

TEST(updates_never_allocate)
{
    puppet at = puppet_open();
    puppet_clip deforming = grow;
    uint32_t clips[4]
        = { puppet_clip_of(&at, &slide), puppet_clip_of(&at, &other), puppet_clip_of(&at, &look), puppet_clip_of(&at, &deforming) };
    const mrw_layer_desc layer = { .clip = clips[1], .weight = 0.5f, .additive = true };
    CHECK_EQ_INT(mrw_instance_set_layer(at.context, at.instance, "over", &layer), MRW_OK);
    for (uint32_t i = 0; i < 12; i++) {
        puppet_play(&at, clips[i % 4], (mrw_play_options) { .fade = 0.5f, .speed = i % 3 == 0 ? -1.0f : 1.0f, .once = i % 5 == 0 });
        uint64_t allocations = mrw_context_allocations(at.context);
        size_t memory = mrw_context_memory(at.context);
        for (int j = 0; j < 10; j++) {
            mrw_event event;
            puppet_update(&at, 0.07);
            while (mrw_instance_next_event(at.context, at.instance, &event) == MRW_OK) { }
        }
        CHECK(mrw_context_allocations(at.context) == allocations);
        CHECK(mrw_context_memory(at.context) == memory);
    }
    puppet_close(&at);
}

TEST(misuse_is_refused)
{
    puppet at = puppet_open();
    uint32_t clip = puppet_clip_of(&at, &slide);
    const mrw_instance_id stale = { 0xfffff };
    mrw_event event;
    CHECK_EQ_INT(mrw_instance_play(at.context, stale, clip, NULL), MRW_STALE);
    CHECK_EQ_INT(mrw_instance_seek(at.context, stale, 0), MRW_STALE);
    CHECK_EQ_INT(mrw_instance_pause(at.context, stale, true), MRW_STALE);
    CHECK_EQ_INT(mrw_instance_set_speed(at.context, stale, 1), MRW_STALE);
    CHECK_EQ_INT(mrw_instance_stop(at.context, stale), MRW_STALE);
    CHECK_EQ_INT(mrw_instance_next_event(at.context, stale, &event), MRW_STALE);
    CHECK_EQ_INT(mrw_instance_seek(at.context, at.instance, 0), MRW_NOT_FOUND);
    CHECK_EQ_INT(mrw_instance_set_speed(at.context, at.instance, 1), MRW_NOT_FOUND);
    CHECK_EQ_INT(mrw_instance_stop(at.context, at.instance), MRW_OK);
    CHECK_EQ_INT(mrw_instance_play(at.context, at.instance, clip + 1, NULL), MRW_BAD_INDEX);
    static const mrw_play_options bad[]
        = { { .speed = NAN }, { .speed = INFINITY }, { .fade = NAN }, { .fade = -1 }, { .fade = INFINITY } };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK_EQ_INT(mrw_instance_play(at.context, at.instance, clip, &bad[i]), MRW_BAD_ARGUMENT);
    }
    CHECK_EQ_INT(at.state->clip, -1);
    CHECK_EQ_INT(mrw_instance_play(at.context, at.instance, clip, NULL), MRW_OK);
    CHECK_EQ_INT(mrw_instance_seek(at.context, at.instance, NAN), MRW_BAD_ARGUMENT);
    CHECK_EQ_INT(mrw_instance_set_speed(at.context, at.instance, INFINITY), MRW_BAD_ARGUMENT);
    CHECK(at.state->time == 0);
    puppet_close(&at);
}

static mrw_result attempt_playing(mrw_context* context, void* user)
{
    (void)user;
    puppet at;
    uint32_t clips[3] = { 0 };
    mrw_result result = puppet_open_in(&at, context);
    const puppet_clip* const list[4] = { &slide, &other, &look, &grow };
    for (int i = 0; i < 3 && result == MRW_OK; i++) {
        result = puppet_add_clip(&at, list[i], &clips[i]);
    }
    if (result == MRW_OK) {
        result = puppet_add_instance(&at);
    }
    for (int i = 0; i < 5 && result == MRW_OK; i++) {
        const mrw_play_options options = { .fade = 1 };
        int32_t before = at.state->clip;
        result = mrw_instance_play(context, at.instance, clips[i % 3], &options);
        CHECK(result == MRW_OK || at.state->clip == before);
        // Whatever failed, the world goes on.
        CHECK_EQ_INT(mrw_world_update(context, at.world, 0.25), MRW_OK);
    }
    if (result == MRW_OK) {
        result = puppet_add_clip(&at, &grow, NULL);
    }
    puppet_clip replaced = other;
    replaced.name = "slide";
    if (result == MRW_OK) {
        result = puppet_add_clip(&at, &replaced, NULL);
    }
    if (at.state != NULL) {
        CHECK_EQ_INT(mrw_world_update(context, at.world, 0.25), MRW_OK);
    }
    return result;
}

TEST(any_allocation_may_fail)
{
    FAILING_ALLOCATOR_SWEEP(attempt_playing, NULL);
}
