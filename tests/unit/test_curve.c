// Curves by hand, and the split into cubics against the solved Bezier.
#include "check.h"

#include "base/context.h"
#include "math/trig.h"
#include "model/bezier.h"
#include "model/curve.h"

#include <math.h>
#include <string.h>

static mrw_key_desc key(double time, double value, double in_tangent, double out_tangent)
{
    return (mrw_key_desc) {
        .time = time, .value = value, .in_tangent = in_tangent, .out_tangent = out_tangent, .in_weight = -1, .out_weight = -1
    };
}

static double sample(const mrw_key_desc* keys, uint32_t count, double time)
{
    return mrw_curve_sample(keys, count, MRW_TRACK_NUMBER, time);
}

TEST(empty_tracks_have_defaults)
{
    CHECK(sample(NULL, 0, 1.0) == 0.0);
    CHECK(mrw_curve_sample(NULL, 0, MRW_TRACK_COLOR, 1.0) == 0xffffff);
    CHECK(mrw_curve_sample(NULL, 0, MRW_TRACK_BOOLEAN, 1.0) == 0.0);
    CHECK(mrw_curve_sample(NULL, 0, MRW_TRACK_ENUM, 1.0) == 0.0);
}

TEST(flat_tangents_make_a_smoothstep)
{
    // 10 * (3 u^2 - 2 u^3) at u = 1/4, 1/2, 3/4
    mrw_key_desc keys[2] = { key(0, 0, 0, 0), key(1, 10, 0, 0) };
    CHECK(sample(keys, 2, -5) == 0.0);
    CHECK(sample(keys, 2, 0) == 0.0);
    CHECK_NEAR(sample(keys, 2, 0.25), 1.5625, 1e-14);
    CHECK_NEAR(sample(keys, 2, 0.5), 5.0, 1e-14);
    CHECK_NEAR(sample(keys, 2, 0.75), 8.4375, 1e-14);
    CHECK(sample(keys, 2, 1) == 10.0);
    CHECK(sample(keys, 2, 9) == 10.0);
    CHECK(sample(keys, 2, NAN) == 0.0);
}

TEST(secant_tangents_make_a_line_whatever_the_weights)
{
    mrw_key_desc keys[2] = { key(2, 1, 4, 4), key(4, 9, 4, 4) };
    for (int i = 0; i <= 10; i++) {
        keys[0].out_weight = 0.1 * i;
        keys[1].in_weight = 1.2 - 0.1 * i;
        CHECK_NEAR(sample(keys, 2, 2.5), 3.0, 1e-12);
        CHECK_NEAR(sample(keys, 2, 3.75), 8.0, 1e-12);
    }
}

TEST(a_weighted_curve_solves_for_time)
{
    // Weights of 0.5 and flat tangents: x = 1.5 u - 1.5 u^2 + u^3, y = 3 u^2 - 2 u^3. At u = 1/4: x = 0.296875, y = 0.15625.
    mrw_key_desc keys[2] = { key(0, 0, 0, 0), key(1, 1, 0, 0) };
    keys[0].out_weight = 0.5;
    keys[1].in_weight = 0.5;
    CHECK_NEAR(sample(keys, 2, 0.296875), 0.15625, 1e-13);
    CHECK_NEAR(sample(keys, 2, 0.5), 0.5, 1e-13);
    CHECK_NEAR(sample(keys, 2, 1 - 0.296875), 1 - 0.15625, 1e-13);
    // A weight of zero bends at the key: x = 3 u^2 - 2 u^3 = y, a straight line.
    keys[0].out_weight = 0;
    keys[1].in_weight = 0;
    CHECK_NEAR(sample(keys, 2, 0.3), 0.3, 1e-13);
}

TEST(an_infinite_tangent_holds)
{
    mrw_key_desc keys[3] = { key(0, 5, 0, INFINITY), key(1, 7, 3, 0), key(2, 8, 0, 0) };
    CHECK(sample(keys, 3, 0.999999) == 5.0);
    CHECK(sample(keys, 3, 1.0) == 7.0);
    CHECK_NEAR(sample(keys, 3, 1.5), 7.5, 1e-14);
}

TEST(colors_run_straight_by_channel_and_round)
{
    // red 0 -> 255, green 255 -> 0, blue 16 -> 17
    mrw_key_desc keys[2] = { key(0, 0x00ff10, 900, 900), key(1, 0xff0011, 900, 900) };
    CHECK(mrw_curve_sample(keys, 2, MRW_TRACK_COLOR, 0.5) == 0x808011);
    CHECK(mrw_curve_sample(keys, 2, MRW_TRACK_COLOR, 0.2) == 0x33cc10);
    keys[0].out_tangent = INFINITY;
    CHECK(mrw_curve_sample(keys, 2, MRW_TRACK_COLOR, 0.9) == 0x00ff10);
}

TEST(booleans_and_enums_step)
{
    mrw_key_desc keys[3] = { key(1, 3, 9, 9), key(2, 0, 9, 9), key(3, -1, 9, 9) };
    const double times[4] = { 0, 1.99, 2, 3.5 };
    const double booleans[4] = { 1, 1, 0, 1 };
    const double enums[4] = { 3, 3, 0, -1 };
    for (int i = 0; i < 4; i++) {
        CHECK(mrw_curve_sample(keys, 3, MRW_TRACK_BOOLEAN, times[i]) == booleans[i]);
        CHECK(mrw_curve_sample(keys, 3, MRW_TRACK_ENUM, times[i]) == enums[i]);
    }
}

TEST(of_keys_at_one_time_the_first_ends_and_the_last_begins)
{
    mrw_key_desc keys[5] = { key(0, 0, 0, 0), key(1, 4, 0, 0), key(1, 99, 0, 0), key(1, 10, 0, 0), key(2, 12, 0, 0) };
    CHECK_NEAR(sample(keys, 5, 0.5), 2.0, 1e-14);
    CHECK(sample(keys, 5, 1.0) == 10.0);
    CHECK_NEAR(sample(keys, 5, 1.5), 11.0, 1e-14);
}

TEST(modes_set_tangents_at_the_ends_too)
{
    mrw_key_desc keys[3] = { key(0, 0, 7, 7), key(1, 2, 7, 7), key(3, 10, 7, 7) };
    mrw_curve_set_mode(keys, 3, 1, MRW_TANGENT_AUTO);
    CHECK_NEAR(keys[1].in_tangent, 10.0 / 3.0, 1e-15);
    CHECK_NEAR(keys[1].out_tangent, 10.0 / 3.0, 1e-15);
    mrw_curve_set_mode(keys, 3, 1, MRW_TANGENT_LINEAR);
    CHECK(keys[1].in_tangent == 2.0 && keys[1].out_tangent == 4.0 && keys[1].broken);
    mrw_curve_set_mode(keys, 3, 2, MRW_TANGENT_LINEAR);
    CHECK(keys[2].in_tangent == 4.0 && keys[2].out_tangent == 0.0);
    mrw_curve_set_mode(keys, 3, 0, MRW_TANGENT_CONSTANT);
    CHECK(keys[0].in_tangent == 7.0 && keys[0].out_tangent == INFINITY);
    mrw_curve_set_mode(keys, 3, 3, MRW_TANGENT_CONSTANT);
    CHECK(keys[2].out_tangent == 0.0);
}

TEST(insertion_keeps_time_order_and_merges_neighbours_in_time)
{
    mrw_key_desc keys[6];
    uint32_t count = 0;
    CHECK_EQ_INT(mrw_curve_insert(keys, &count, 2, 20), 0);
    CHECK_EQ_INT(mrw_curve_insert(keys, &count, 0, 0), 0);
    CHECK_EQ_INT(mrw_curve_insert(keys, &count, 1, 30), 1);
    CHECK_EQ_INT(mrw_curve_insert(keys, &count, 1.00009, 10), 1);
    CHECK_EQ_INT(mrw_curve_insert(keys, &count, 0.99991, 10), 1);
    CHECK_EQ_INT(count, 3);
    CHECK(keys[1].time == 1.0 && keys[1].value == 10.0);
    CHECK_NEAR(keys[1].out_tangent, 10.0, 1e-12);
    CHECK_EQ_INT(mrw_curve_insert(keys, &count, 1.0002, 11), 2);
    CHECK_EQ_INT(count, 4);
}

TEST(time_advances_by_the_playback_rule)
{
    CHECK(mrw_curve_advance(1.5, 1.0, 2.0, true) == 0.5);
    CHECK(mrw_curve_advance(1.5, 0.5, 2.0, true) == 0.0);
    CHECK(mrw_curve_advance(0.5, -1.0, 2.0, true) == 1.5);
    CHECK(mrw_curve_advance(1.5, 1.0, 2.0, false) == 2.0);
    CHECK(mrw_curve_advance(0.5, -1.0, 2.0, false) == 0.0);
    CHECK(mrw_curve_advance(0.5, 1.0, 0.0, true) == 0.0);
    CHECK(mrw_curve_advance(0.5, 1.0, -3.0, false) == 0.0);
    CHECK(!signbit(mrw_curve_advance(0.0, -2.0, 2.0, true)));
    CHECK(mrw_curve_advance(0.0, -1e-300, 2.0, true) < 2.0);
}

static uint32_t random_state = 1;
static double random_number(double low, double high)
{
    random_state = random_state * 1664525u + 1013904223u;
    return low + (high - low) * (double)(random_state >> 8) / 16777216.0;
}

static double cubic_at(const mrwi_cubic* cubics, uint32_t count, double time)
{
    uint32_t i = 0;
    while (i + 1 < count && cubics[i + 1].time <= time) {
        i++;
    }
    double s = time - cubics[i].time;
    s = s > 0 ? s : 0;
    return ((cubics[i].c[3] * s + cubics[i].c[2]) * s + cubics[i].c[1]) * s + cubics[i].c[0];
}

/// Largest error of the split against the solved curve, by the range of the curve.
static double split_error(mrwi_arena* arena, const mrw_key_desc* keys, uint32_t count, uint32_t* out_count)
{
    const mrwi_cubic* cubics = NULL;
    double low = INFINITY, high = -INFINITY, worst = 0;
    if (!CHECK_EQ_INT(mrwi_curve_split(arena, keys, count, &cubics, out_count), MRW_OK)) {
        return INFINITY;
    }
    double span = keys[count - 1].time - keys[0].time;
    for (int i = -3; i < 1000; i++) {
        double time = keys[0].time + span * i / 1000.0;
        double exact = sample(keys, count, time);
        double error = fabs(cubic_at(cubics, *out_count, time) - exact);
        low = exact < low ? exact : low;
        high = exact > high ? exact : high;
        worst = error > worst ? error : worst;
    }
    return worst / (high - low + 1e-30);
}

TEST(splitting_stays_within_the_promise)
{
    mrw_context* context = mrw_context_create(NULL);
    for (int round = 0; round < 300; round++) {
        mrwi_arena arena;
        mrwi_arena_init(&arena, context);
        mrw_key_desc keys[4];
        double time = 0;
        for (int i = 0; i < 4; i++) {
            keys[i] = key(time, random_number(-100, 100), random_number(-300, 300), random_number(-300, 300));
            keys[i].in_weight = round % 3 == 0 ? 0 : random_number(0, 1.2);
            keys[i].out_weight = round % 5 == 0 ? 0 : random_number(0, 1.2);
            time += random_number(0.05, 1);
        }
        uint32_t count = 0;
        CHECK(split_error(&arena, keys, 4, &count) <= 1e-7);
        CHECK(count < 3 * 200);
        mrwi_arena_release(&arena);
    }
    mrw_context_destroy(context);
}

TEST(plain_keys_split_into_one_cubic_each)
{
    mrw_context* context = mrw_context_create(NULL);
    mrwi_arena arena;
    mrwi_arena_init(&arena, context);
    mrw_key_desc keys[4] = { key(0, 1, 2, 3), key(1, 4, -5, INFINITY), key(2, 6, 0, 7), key(4, -8, 9, 0) };
    uint32_t count = 0;
    CHECK(split_error(&arena, keys, 4, &count) <= 1e-14);
    CHECK_EQ_INT(count, 3);
    const mrwi_cubic* cubics = NULL;
    CHECK_EQ_INT(mrwi_curve_split(&arena, keys, 1, &cubics, &count), MRW_OK);
    CHECK_EQ_INT(count, 1);
    CHECK(cubics[0].c[0] == 1 && cubics[0].c[1] == 0 && cubics[0].c[2] == 0 && cubics[0].c[3] == 0);
    // A flat weighted curve has no error to split away, only rounding.
    mrw_key_desc flat[2] = { key(0, 0.1, 0, 0), key(1, 0.1, 0, 0) };
    flat[0].out_weight = 0.77;
    CHECK_EQ_INT(mrwi_curve_split(&arena, flat, 2, &cubics, &count), MRW_OK);
    CHECK_EQ_INT(count, 1);
    // Values near the end of the range overflow; that ends the splitting, too.
    mrw_key_desc huge[2] = { key(0, -1.7e308, 1e308, 1e308), key(1, 1.7e308, 1e308, 1e308) };
    huge[0].out_weight = 0.9;
    CHECK_EQ_INT(mrwi_curve_split(&arena, huge, 2, &cubics, &count), MRW_OK);
    CHECK(count <= 512);
    mrwi_arena_release(&arena);
    mrw_context_destroy(context);
}
