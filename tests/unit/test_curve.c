// Curves by hand, and the split into cubics against the solved Bezier.
#include "check.h"

#include "math/trig.h"
#include "model/channels.h"
#include "model/curve_fit.h"
#include "model/narrow.h"

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

static double cubic_at(const double c[4], double s)
{
    return ((c[3] * s + c[2]) * s + c[1]) * s + c[0];
}

/// Largest distance of a cubic from the curve over a span whose times count from `origin`.
static double span_error(const double c[4], const mrw_key_desc* keys, uint32_t count, double origin, double from, double to)
{
    double worst = 0;
    for (int i = 0; i <= 40; i++) {
        const double time = from + (to - from) * i / 40.0;
        const double error = fabs(cubic_at(c, time - origin) - sample(keys, count, time));
        worst = error > worst ? error : worst;
    }
    return worst;
}

#define TRACKS 4
#define KEYS 4

/// Cuts the segments from keys `index` on side by side. Returns the number of spans; every one is checked.
static uint32_t cut_segments(mrw_key_desc (*tracks)[KEYS], const double tolerances[TRACKS], uint32_t index)
{
    mrwi_cubic pieces[TRACKS];
    const mrwi_cubic* all[TRACKS];
    double ends[TRACKS], c[TRACKS][4];
    for (int i = 0; i < TRACKS; i++) {
        pieces[i] = (mrwi_cubic) { .time = tracks[i][index].time, .weighted = &tracks[i][index], .tolerance = tolerances[i] };
        all[i] = &pieces[i];
    }
    uint32_t count = 0;
    double step = INFINITY;
    bool follows_least = false;
    const double first = tracks[0][index].time, last = tracks[0][index + 1].time, least = 0x1p-40 * (last - first);
    for (float from = mrwi_round_down(first), to; from < mrwi_round_down(last); from = to, count++) {
        to = mrwi_fit_span(all, TRACKS, from, mrwi_round_down(last), least, &step, c);
        CHECK(to > from);
        const bool is_least = to == nextafterf(from, INFINITY); // there is no time in between
        const double begin = (double)from < first ? first : (double)from;
        for (int i = 0; i < TRACKS; i++) {
            CHECK(is_least || span_error(c[i], tracks[i], KEYS, (double)from, begin, (double)to) <= 1.1 * tolerances[i]);
            // Neighbours meet, up to the rounding of f64 where the curve is steep.
            const double start = cubic_at(c[i], 0);
            CHECK(count == 0 || follows_least || fabs(start - ends[i]) <= 0.1 * tolerances[i]);
            ends[i] = cubic_at(c[i], (double)to - (double)from);
        }
        follows_least = is_least;
    }
    return count;
}

TEST(weighted_segments_are_cut_within_the_promise)
{
    for (int round = 0; round < 100; round++) {
        mrw_key_desc tracks[TRACKS][KEYS];
        mrwi_cubic cubics[KEYS + 1];
        double tolerances[TRACKS], times[KEYS] = { random_number(-3, 3) };
        for (int i = 1; i < KEYS; i++) {
            times[i] = times[i - 1] + random_number(0.05, 1);
        }
        for (int track = 0; track < TRACKS; track++) {
            double low = INFINITY, high = -INFINITY;
            for (int i = 0; i < KEYS; i++) {
                mrw_key_desc* at = &tracks[track][i];
                *at = key(times[i], random_number(-100, 100), random_number(-300, 300), random_number(-300, 300));
                at->in_weight = round % 3 == 0 ? 0 : random_number(0, 1.2);
                at->out_weight = round % 5 == 0 ? 0 : random_number(0, 1.2);
            }
            CHECK_EQ_INT(mrwi_curve_split(tracks[track], KEYS, MRW_TRACK_NUMBER, 0, cubics), KEYS + 1);
            tolerances[track] = cubics[1].tolerance;
            for (int i = 0; i < 1000; i++) {
                const double value = sample(tracks[track], KEYS, times[0] + (times[KEYS - 1] - times[0]) * i / 1000.0);
                low = value < low ? value : low;
                high = value > high ? value : high;
            }
            const double largest = high > -low ? high : -low;
            CHECK(tolerances[track] <= fmax(1e-7 * (high - low), largest * 0x1p-24));
        }
        for (uint32_t i = 0; i + 1 < KEYS; i++) {
            CHECK(cut_segments(tracks, tolerances, i) < 200);
        }
    }
}

TEST(a_smooth_segment_takes_few_spans)
{
    // Pieces with the curve's slopes at their ends, of which each has six times the error, would be half as many again.
    mrw_key_desc tracks[TRACKS][KEYS];
    double tolerances[TRACKS];
    for (int track = 0; track < TRACKS; track++) {
        for (int i = 0; i < KEYS; i++) {
            tracks[track][i] = key(i, i % 2, 1 + track, 1 + track);
            tracks[track][i].in_weight = tracks[track][i].out_weight = 0.4;
        }
        tolerances[track] = 1e-7;
    }
    CHECK(cut_segments(tracks, tolerances, 0) <= 33);
}

TEST(plain_keys_split_into_one_cubic_each)
{
    mrw_key_desc keys[5] = { key(0, 1, 2, 3), key(1, 4, -5, INFINITY), key(2, 6, 0, 7), key(4, -8, 9, 0), key(4, 3, 0, 0) };
    mrwi_cubic cubics[6];
    CHECK_EQ_INT(mrwi_curve_split(keys, 5, MRW_TRACK_NUMBER, 0, cubics), 5);
    for (int i = 0; i < 3; i++) {
        const mrwi_cubic* segment = &cubics[i + 1];
        CHECK(segment->time == keys[i].time && segment->weighted == NULL);
        const double end = i == 1 ? nextafter(2, 0) : keys[i + 1].time - (i == 2 ? 1e-12 : 0);
        CHECK(span_error(segment->c, keys, 5, segment->time, segment->time, i == 0 ? 1 - 1e-15 : end) <= 1e-10);
    }
    // One more before the first key and one after the last; a single key has no others.
    const double around[2][2] = { { 0, 1 }, { 4, 3 } };
    for (int i = 0; i < 2; i++) {
        const mrwi_cubic* at = &cubics[i == 0 ? 0 : 4];
        CHECK(at->time == around[i][0] && at->c[0] == around[i][1] && at->c[1] == 0 && at->c[2] == 0 && at->c[3] == 0);
    }
    CHECK_EQ_INT(mrwi_curve_split(keys, 1, MRW_TRACK_NUMBER, 0, cubics), 2);
    for (int i = 0; i < 2; i++) {
        CHECK(cubics[i].c[0] == 1 && cubics[i].c[1] == 0 && cubics[i].c[2] == 0 && cubics[i].c[3] == 0);
    }
}

/// Spans of the one segment between two keys, as packed.
static uint32_t cut_one(const mrw_key_desc* keys)
{
    mrwi_cubic cubics[3];
    mrwi_channel_source source = { cubics, mrwi_curve_split(keys, 2, MRW_TRACK_NUMBER, 0, cubics) };
    CHECK_EQ_INT(source.count, 3);
    CHECK(cubics[1].weighted == keys);
    mrw_context* context = mrw_context_create(NULL);
    mrwi_arena arena = { .context = context };
    mrwi_channels channels;
    CHECK_EQ_INT(mrwi_channels_pack(&arena, 1, &source, &channels), MRW_OK);
    const uint32_t count = channels.first[1] - 2; // one before and one after
    mrwi_arena_release(&arena);
    mrw_context_destroy(context);
    return count;
}

TEST(what_cannot_be_fitted_better_is_not_cut_further)
{
    // A flat weighted curve has no error to cut away, only rounding.
    mrw_key_desc flat[2] = { key(0, 0.1, 0, 0), key(1, 0.1, 0, 0) };
    flat[0].out_weight = 0.77;
    CHECK_EQ_INT(cut_one(flat), 1);
    // Values near the end of the range overflow; that ends the cutting, too.
    mrw_key_desc huge[2] = { key(0, -1.7e308, 1e308, 1e308), key(1, 1.7e308, 1e308, 1e308) };
    huge[0].out_weight = 0.9;
    CHECK(cut_one(huge) <= 513);
    // A weight of zero makes the curve begin like x^(2/3): spans shrink towards the key, but only so far.
    mrw_key_desc bent[2] = { key(0, 0, 0, 0), key(1, 1, 0, 0) };
    bent[0].out_weight = 0;
    bent[1].in_weight = 1;
    CHECK(cut_one(bent) <= 80);
}
