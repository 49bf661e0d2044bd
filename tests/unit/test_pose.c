#include "runtime/pose.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "check.h"
#include "rig.h"

#define MAX_NODES 64
#define MAX_CHANNELS 40
#define MAX_INTERVALS (11 * MAX_CHANNELS)

/// A random tree of `node_count` nodes, and what poses it.
typedef struct tree {
    float rows[MRW_FIELD_COUNT * MAX_NODES];
    int32_t parents[MAX_NODES];
    uint32_t order[MAX_NODES];
    uint8_t no_scale[MAX_NODES], cuts[MAX_NODES];
    float scratch[4 * MAX_NODES];
    mrwi_pose_args args;
} tree;

static mrwi_affine2 fast[MAX_NODES + 1], plain[MAX_NODES + 1];
static double world[MAX_NODES][6];

static void tree_fill(tree* t, uint32_t seed, uint32_t node_count)
{
    uint32_t state = seed;
    memset(t, 0, sizeof(*t));
    for (uint32_t i = 0; i < node_count; i++) {
        t->rows[MRW_FIELD_X * MAX_NODES + i] = (float)(rig_random(&state) * 40 - 20);
        t->rows[MRW_FIELD_Y * MAX_NODES + i] = (float)(rig_random(&state) * 40 - 20);
        t->rows[MRW_FIELD_ROTATION * MAX_NODES + i] = (float)(rig_random(&state) * 14 - 7);
        t->rows[MRW_FIELD_SCALE_X * MAX_NODES + i] = (float)(rig_random(&state) * 0.6 + 0.7);
        t->rows[MRW_FIELD_SCALE_Y * MAX_NODES + i] = (float)(rig_random(&state) * 0.6 - 1.3); // mirrored
        t->parents[i] = i > 0 && rig_random(&state) < 0.9 ? (int32_t)(i - 1 - rig_random_below(&state, i < 4 ? i : 4)) : -1;
        t->no_scale[i] = rig_random(&state) < 0.2;
        t->cuts[i] = rig_random(&state) < 0.1;
    }
    t->args
        = (mrwi_pose_args) { .node_count = node_count, .stride = MAX_NODES, .rows = t->rows, .parents = t->parents, .scratch = t->scratch };
}

/// Renames nodes so that they no longer lie parent-first; `order` names them parent-first.
static void tree_shuffle(tree* t, uint32_t seed)
{
    uint32_t state = seed, name[MAX_NODES];
    const uint32_t count = t->args.node_count;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t other = rig_random_below(&state, i + 1);
        name[i] = name[other];
        name[other] = i;
    }
    const tree old = *t;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t field = 0; field < MRW_FIELD_COUNT; field++) {
            t->rows[field * MAX_NODES + name[i]] = old.rows[field * MAX_NODES + i];
        }
        t->parents[name[i]] = old.parents[i] < 0 ? -1 : (int32_t)name[old.parents[i]];
        t->no_scale[name[i]] = old.no_scale[i];
        t->cuts[name[i]] = old.cuts[i];
        t->order[i] = name[i];
    }
    t->args.order = t->order;
}

/// Poses by both twins; false when bits or counts differ or something behind the last node was written.
static bool pose_both(tree* t)
{
    memset(fast, 0x55, sizeof(fast));
    memset(plain, 0x55, sizeof(plain));
    const mrwi_affine2 canary = fast[MAX_NODES];
    const uint32_t count = t->args.node_count;
    t->args.world = fast;
    bool good = mrwi_pose_world(&t->args) == count && mrwi_pose_world(&t->args) == 0;
    t->args.world = plain;
    good = good && mrwi_pose_world_scalar(&t->args) == count && mrwi_pose_world_scalar(&t->args) == 0;
    return good && memcmp(fast, plain, sizeof(fast)) == 0 && memcmp(&fast[count], &canary, sizeof(canary)) == 0;
}

/// The textbook in f64 with the C library's functions, node by node.
static double world_error(const tree* t)
{
    double worst = 0;
    for (uint32_t i = 0; i < t->args.node_count; i++) {
        const uint32_t node = t->args.order ? t->args.order[i] : i;
        const float* row = t->rows + node;
        const double angle = row[MRW_FIELD_ROTATION * MAX_NODES];
        const double sx = row[MRW_FIELD_SCALE_X * MAX_NODES], sy = row[MRW_FIELD_SCALE_Y * MAX_NODES];
        const double x = row[MRW_FIELD_X * MAX_NODES], y = row[MRW_FIELD_Y * MAX_NODES];
        const double q[6] = { cos(angle) * sx, sin(angle) * sx, -sin(angle) * sy, cos(angle) * sy, x, y };
        double p[6] = { 1, 0, 0, 1, 0, 0 };
        if (t->parents[node] >= 0 && !(t->args.cuts && t->cuts[node])) {
            memcpy(p, world[t->parents[node]], sizeof(p));
            if (t->args.no_scale && t->no_scale[node]) {
                const double long_x = sqrt(p[0] * p[0] + p[1] * p[1]), long_y = sqrt(p[2] * p[2] + p[3] * p[3]);
                p[0] /= long_x;
                p[1] /= long_x;
                p[2] /= long_y;
                p[3] /= long_y;
            }
        }
        double* m = world[node];
        for (uint32_t column = 0; column < 3; column++) {
            const double u = q[2 * column], v = q[2 * column + 1];
            m[2 * column] = p[0] * u + p[2] * v + (column == 2 ? p[4] : 0);
            m[2 * column + 1] = p[1] * u + p[3] * v + (column == 2 ? p[5] : 0);
        }
        const float* actual = &fast[node].a;
        for (uint32_t k = 0; k < 6; k++) {
            const double error = fabs(actual[k] - m[k]) / (1 + fabs(m[k]));
            worst = error > worst ? error : worst;
        }
    }
    return worst;
}

TEST(nothing_is_posed_without_nodes)
{
    tree t;
    tree_fill(&t, 1, 0);
    CHECK(pose_both(&t));
}

TEST(a_chain_of_two_is_posed_by_hand)
{
    // node 0 at (10, 0) turned by 90 degrees and twice as wide; node 1 sits 3 along its x axis: at (10, 6)
    tree t;
    tree_fill(&t, 1, 2);
    static const float rows[MRW_FIELD_COUNT][2] = { { 10, 3 }, { 0, 0 }, { 1.57079637f, 0 }, { 2, 1 }, { 1, 1 } };
    for (uint32_t field = 0; field < MRW_FIELD_COUNT; field++) {
        memcpy(t.rows + field * MAX_NODES, rows[field], sizeof(rows[field]));
    }
    t.parents[0] = -1;
    t.parents[1] = 0;
    REQUIRE(pose_both(&t));
    static const float expected[6] = { 0, 2, -1, 0, 10, 6 };
    for (uint32_t i = 0; i < 6; i++) {
        CHECK_NEAR((&fast[1].a)[i], expected[i], 1e-6);
    }
    // without the parent's scale it is 3 away, and no wider than it says itself
    t.no_scale[1] = 1;
    t.args.no_scale = t.no_scale;
    REQUIRE(pose_both(&t));
    CHECK_NEAR(fast[1].b, 1, 1e-6);
    CHECK_NEAR(fast[1].f, 3, 1e-6);
    // cut from its parent it stands alone
    t.cuts[1] = 1;
    t.args.cuts = t.cuts;
    REQUIRE(pose_both(&t));
    CHECK(fast[1].a == 1 && fast[1].b == 0 && fast[1].e == 3 && fast[1].f == 0);
}

TEST(a_parent_without_width_keeps_its_zeros)
{
    tree t;
    tree_fill(&t, 3, 2);
    t.rows[MRW_FIELD_SCALE_X * MAX_NODES] = 0;
    t.parents[0] = -1;
    t.parents[1] = 0;
    t.no_scale[1] = 1;
    t.args.no_scale = t.no_scale;
    REQUIRE(pose_both(&t));
    CHECK(isfinite(fast[1].a) && isfinite(fast[1].f));
}

TEST(poses_follow_the_textbook_and_have_equal_bits)
{
    for (uint32_t count = 1; count <= MAX_NODES; count++) {
        for (uint32_t variant = 0; variant < 16; variant++) {
            tree t;
            tree_fill(&t, count * 8 + variant % 8, count);
            for (uint32_t i = 0; variant & 8 && i < count; i++) { // up to 45 degrees: nothing to reduce
                float* rotation = &t.rows[MRW_FIELD_ROTATION * MAX_NODES + i];
                *rotation = i % 5 == 0 ? -0.0f : *rotation * 0.1122f;
            }
            if (variant & 4) {
                tree_shuffle(&t, count);
            }
            t.args.no_scale = variant & 1 ? t.no_scale : NULL;
            t.args.cuts = variant & 2 ? t.cuts : NULL;
            CHECK(pose_both(&t));
            CHECK(world_error(&t) < 2e-5);
        }
    }
}

TEST(unusual_angles_take_the_scalar_path_lane_by_lane)
{
    static const float angles[] = { 0, -0.0f, 1e-40f, 0.785398f, 3.14159f, -1000, 131072, 131073, -3e8f, 1e30f };
    for (uint32_t i = 0; i < sizeof(angles) / sizeof(*angles); i++) {
        tree t;
        tree_fill(&t, i, 7);
        t.rows[MRW_FIELD_ROTATION * MAX_NODES + i % 7] = angles[i];
        CHECK(pose_both(&t));
        CHECK(angles[i] > 1e9f || world_error(&t) < 2e-5); // beyond it only the bits are promised
    }
    tree t;
    tree_fill(&t, 99, 4);
    t.rows[MRW_FIELD_ROTATION * MAX_NODES + 3] = INFINITY;
    t.args.world = fast;
    mrwi_pose_world(&t.args);
    CHECK(isnan(fast[3].a) && isfinite(fast[2].a));
}

TEST(only_matrices_that_changed_are_counted)
{
    // a chain of ten: turning node 6 changes it and the three behind it
    for (uint32_t variant = 0; variant < 2; variant++) {
        tree t;
        tree_fill(&t, 5, 10);
        for (uint32_t i = 0; i < 10; i++) {
            t.parents[i] = (int32_t)i - 1;
            t.order[i] = i;
        }
        t.args.order = variant == 1 ? t.order : NULL;
        REQUIRE(pose_both(&t));
        t.rows[MRW_FIELD_ROTATION * MAX_NODES + 6] += 0.125f;
        t.args.world = fast;
        CHECK_EQ_INT(mrwi_pose_world(&t.args), 4);
        t.args.world = plain;
        CHECK_EQ_INT(mrwi_pose_world_scalar(&t.args), 4);
    }
}

TEST(one_value_beyond_the_limit_is_found)
{
    static const float bad[] = { INFINITY, -INFINITY, NAN, 2.0000002f, -2.0000002f };
    float values[24];
    for (uint32_t i = 0; i < 24; i++) {
        values[i] = i % 2 == 0 ? 2.0f : -2.0f;
    }
    CHECK(mrwi_pose_is_within(values, 0, 2.0f));
    CHECK(mrwi_pose_is_within(values, 24, 2.0f));
    for (uint32_t i = 0; i < 24; i++) {
        const float kept = values[i];
        values[i] = bad[i % 5];
        CHECK(!mrwi_pose_is_within(values, 24, 2.0f));
        values[i] = kept;
    }
}

/// Random joints (some missing) and binds.
static void palette_fill(uint32_t seed, int32_t* joints, mrwi_affine2* binds)
{
    uint32_t state = seed;
    for (uint32_t i = 0; i < MAX_NODES; i++) {
        joints[i] = (int32_t)rig_random_below(&state, MAX_NODES + 10) - 10;
        joints[i] = joints[i] < 0 ? -1 : joints[i];
        for (uint32_t k = 0; k < 6; k++) {
            (&binds[i].a)[k] = (float)(rig_random(&state) * 2 - 1);
        }
    }
}

TEST(palettes_are_products_and_report_changed_bytes)
{
    static const mrwi_affine2 roots[] = { { 2, 0, 0, 3, 5, -7, { 0, 0 } } };
    int32_t joints[MAX_NODES];
    mrwi_affine2 binds[MAX_NODES], first[MAX_NODES], second[MAX_NODES];
    memset(binds, 0, sizeof(binds));
    palette_fill(5, joints, binds);
    tree t;
    tree_fill(&t, 6, MAX_NODES);
    REQUIRE(pose_both(&t));
    for (uint32_t pass = 0; pass < 2; pass++) {
        const mrwi_affine2* root = pass == 0 ? NULL : roots;
        memset(first, 0, sizeof(first));
        memset(second, 0, sizeof(second));
        CHECK(mrwi_pose_palette(MAX_NODES, joints, binds, fast, root, first));
        CHECK(mrwi_pose_palette_scalar(MAX_NODES, joints, binds, fast, root, second));
        CHECK_BYTES(first, second, sizeof(first));
        CHECK(!mrwi_pose_palette(MAX_NODES, joints, binds, fast, root, first));
        CHECK(!mrwi_pose_palette_scalar(MAX_NODES, joints, binds, fast, root, second));
        for (uint32_t j = 0; j < MAX_NODES; j++) {
            const mrwi_affine2 *p = &fast[joints[j] < 0 ? 0 : joints[j]], *q = &binds[j];
            double x = joints[j] < 0 ? 0 : p->a * (double)q->e + p->c * (double)q->f + p->e;
            x = root ? 2 * x + 5 : x;
            CHECK_NEAR(first[j].e, x, 1e-4);
        }
        first[MAX_NODES - 1].f = -first[MAX_NODES - 1].f;
        CHECK(mrwi_pose_palette(MAX_NODES, joints, binds, fast, root, first));
    }
    CHECK(!mrwi_pose_palette(0, joints, binds, fast, NULL, first));
    joints[0] = -1;
    mrwi_pose_palette(1, joints, binds, fast, NULL, first);
    CHECK(first[0].a == 1 && first[0].b == 0 && first[0].d == 1 && first[0].e == 0);
}

/// Random channels of cubics, and the clip that they are packed into.
typedef struct curves {
    mrwi_clip clip;
    mrwi_channel_source sources[MAX_CHANNELS];
    mrwi_cubic cubics[MAX_INTERVALS];
} curves;

static curves shared;

static void curves_fill(rig* r, uint32_t seed, uint32_t channel_count)
{
    uint32_t state = seed, interval = 0;
    memset(&shared, 0, sizeof(shared));
    for (uint32_t channel = 0; channel < channel_count; channel++) {
        const uint32_t count = 1 + rig_random_below(&state, 9);
        double time = rig_random(&state);
        mrwi_cubic* cubics = &shared.cubics[interval];
        shared.sources[channel] = (mrwi_channel_source) { cubics, count + 2 };
        for (uint32_t i = 1; i <= count; i++) {
            cubics[i].time = time;
            time += 0.05 + rig_random(&state);
            for (uint32_t k = 0; k < 4; k++) {
                cubics[i].c[k] = rig_random(&state) * 8 - 4;
            }
        }
        cubics[0] = (mrwi_cubic) { .time = cubics[1].time, .c[0] = cubics[1].c[0] };
        cubics[count + 1] = (mrwi_cubic) { .time = time, .c[0] = rig_random(&state) };
        interval += count + 2;
    }
    CHECK_EQ_INT(mrwi_channels_pack(&r->arena, channel_count, shared.sources, &shared.clip.channels), MRW_OK);
}

static double value_at(uint32_t channel, double time)
{
    const mrwi_channel_source* source = &shared.sources[channel];
    uint32_t at = 0;
    for (uint32_t i = 1; i < source->count; i++) {
        at = source->cubics[i].time <= time ? i : at;
    }
    const double s = at == 0 ? 0 : time - source->cubics[at].time;
    const double* c = source->cubics[at].c;
    return c[0] + (at == source->count - 1 ? 0 : c[1] * s + c[2] * s * s + c[3] * s * s * s);
}

/// The largest error of `values` at a time, relative to the value.
static double values_error(const float* values, uint32_t channel_count, double time)
{
    double worst = 0;
    for (uint32_t i = 0; i < channel_count; i++) {
        const double expected = value_at(i, time);
        const double error = fabs(values[i] - expected) / (1 + fabs(expected));
        worst = error > worst ? error : worst;
    }
    return worst;
}

TEST(channels_follow_their_cubics_at_any_time)
{
    rig* r = rig_begin();
    for (uint32_t channels = 0; channels <= MAX_CHANNELS; channels++) {
        curves_fill(r, channels, channels);
        mrwi_cursor cursors[2][2 + MAX_CHANNELS / 4];
        uint32_t state = channels;
        memset(cursors, 0, sizeof(cursors));
        for (uint32_t step = 0; step < 60; step++) {
            // forward in small steps, then anywhere
            const double time = step < 30 ? step * 0.21 : rig_random(&state) * 12 - 2;
            float first[MAX_CHANNELS + 4], second[MAX_CHANNELS + 4];
            memset(first, 0, sizeof(first));
            memset(second, 0, sizeof(second));
            mrwi_clip_evaluate(&shared.clip, time, cursors[0], first);
            mrwi_clip_evaluate_scalar(&shared.clip, time, cursors[1], second);
            CHECK_BYTES(first, second, sizeof(first));
            CHECK(values_error(first, channels, time) < 2e-5);
        }
    }
    rig_free(r);
}

TEST(a_stepped_channel_holds_to_the_very_key)
{
    // 1 from 0 s, 2 from 0.1 s, ends at 0.3 s with 5; beside it a straight line over the same time
    rig* r = rig_begin();
    curves_fill(r, 1, 0);
    const mrwi_cubic steps[4] = { { .c[0] = 1 }, { .time = 0, .c[0] = 1 }, { .time = 0.1, .c[0] = 2 }, { .time = 0.3, .c[0] = 5 } };
    const mrwi_cubic line[3] = { { .time = 0.05 }, { .time = 0.05, .c[1] = 100 }, { .time = 0.25, .c[0] = 20 } };
    const mrwi_channel_source sources[2] = { { steps, 4 }, { line, 3 } };
    REQUIRE(mrwi_channels_pack(&r->arena, 2, sources, &shared.clip.channels) == MRW_OK);
    static const double times[] = { -1, 0, 0.0999, 0.1, 0.2, 0.2999, 0.3, 1e9, INFINITY, 0.2, -INFINITY };
    static const float expected[] = { 1, 1, 1, 2, 2, 2, 5, 5, 5, 2, 1 };
    static const float beside[] = { 0, 0, 4.99f, 5, 15, 20, 20, 20, 20, 15, 0 };
    mrwi_cursor cursor[3] = { { 0 } };
    for (uint32_t i = 0; i < 11; i++) {
        float values[4];
        mrwi_clip_evaluate(&shared.clip, times[i], cursor, values);
        CHECK(values[0] == expected[i]);
        CHECK_NEAR(values[1], beside[i], 1e-5);
    }
    // starts of both: begin, 0, 0.05, 0.1, 0.25, 0.3
    CHECK_EQ_INT(shared.clip.channels.first[1], 6);
    rig_free(r);
}

TEST(weighted_segments_share_their_intervals)
{
    // Four weighted tracks of three keys, beside a plain one in a group of its own. The plain one's interval is not cut.
    rig* r = rig_begin();
    curves_fill(r, 1, 0);
    mrw_key_desc keys[5][3];
    mrwi_cubic cubics[5][4];
    mrwi_channel_source sources[5];
    uint32_t state = 5;
    for (uint32_t track = 0; track < 5; track++) {
        for (uint32_t i = 0; i < 3; i++) {
            const double weight = track == 4 ? -1 : 0.1 + 0.5 * rig_random(&state);
            keys[track][i] = (mrw_key_desc) { .time = 0.4 * i, .value = rig_random(&state), .in_weight = weight, .out_weight = weight };
        }
        sources[track] = (mrwi_channel_source) { cubics[track], mrwi_curve_split(keys[track], 3, MRW_TRACK_NUMBER, 0, cubics[track]) };
        CHECK_EQ_INT(sources[track].count, 4);
    }
    REQUIRE(mrwi_channels_pack(&r->arena, 5, sources, &shared.clip.channels) == MRW_OK);
    const uint32_t* first = shared.clip.channels.first;
    CHECK(first[1] > 20 && first[1] < 100);
    CHECK_EQ_INT(first[2] - first[1], 4);
    mrwi_cursor cursor[4] = { { 0 } };
    for (double time = -0.1; time < 0.9; time += 0.0007) {
        float values[8];
        mrwi_clip_evaluate(&shared.clip, time, cursor, values);
        for (uint32_t track = 0; track < 5; track++) {
            CHECK_NEAR(values[track], mrw_curve_sample(keys[track], 3, MRW_TRACK_NUMBER, (double)(float)time), 4e-7);
        }
    }
    rig_free(r);
}

TEST(keys_at_one_time_and_beyond_any_time_are_packed)
{
    // two pieces that begin at once: the later one counts; the last key lies where no f32 does
    rig* r = rig_begin();
    curves_fill(r, 1, 0);
    const mrwi_cubic cubics[4]
        = { { .time = 1, .c[0] = 1 }, { .time = 1, .c[0] = 2 }, { .time = 2, .c[0] = 3 }, { .time = 1e300, .c[0] = 4 } };
    const mrwi_channel_source source = { cubics, 4 };
    REQUIRE(mrwi_channels_pack(&r->arena, 1, &source, &shared.clip.channels) == MRW_OK);
    static const double times[] = { 0, 1, 1.5, 2, 1e30, 1e301 };
    static const float expected[] = { 1, 2, 2, 3, 3, 4 };
    mrwi_cursor cursor[3] = { { 0 } };
    for (uint32_t i = 0; i < 6; i++) {
        float values[4];
        mrwi_clip_evaluate(&shared.clip, times[i], cursor, values);
        CHECK(values[0] == expected[i] && values[1] == 0);
    }
    rig_free(r);
}

TEST(every_build_gives_the_same_bits)
{
    tree t;
    tree_fill(&t, 123, MAX_NODES);
    t.args.no_scale = t.no_scale;
    t.args.cuts = t.cuts;
    REQUIRE(pose_both(&t));
    CHECK(world_error(&t) < 2e-5);
    // The values were checked above; this compares builds (compilers, native and wasm, SIMD and not) with each other.
    CHECK(mrwi_hash(MRWI_HASH_START, fast, MAX_NODES * sizeof(*fast)) == 0x5e3e6d8efc1956c0u);
}
