// A weighted segment is no polynomial of time. It is cut, at steps of u, into Hermite cubics that share its values and slopes,
// until each stays within the tolerance; where a weight of zero makes the curve bend like s^1.5 the steps shrink towards it.
#include "model/bezier.h"
#include "model/curve.h"

#include <math.h>

#define TOLERANCE 9e-8
#define SMALLEST_STEP 0x1p-40
#define MAX_PIECES 512

/// The cubic through two points with two slopes, over `span` seconds from `time`.
static mrwi_cubic hermite(double time, double span, double value_a, double slope_a, double value_b, double slope_b)
{
    double secant = (value_b - value_a) / span;
    mrwi_cubic cubic = { time,
        { value_a, slope_a, (3.0 * secant - 2.0 * slope_a - slope_b) / span, (slope_a + slope_b - 2.0 * secant) / (span * span) } };
    return cubic;
}

static double cubic_at(const mrwi_cubic* cubic, double s)
{
    return ((cubic->c[3] * s + cubic->c[2]) * s + cubic->c[1]) * s + cubic->c[0];
}

/// The piece from u0 to u1; its time counts from the segment's first key.
static mrwi_cubic make_piece(const mrwi_bezier* curve, double u0, double u1)
{
    double x0 = mrwi_bezier_x(curve, u0);
    double x1 = mrwi_bezier_x(curve, u1);
    return hermite(
        x0, x1 - x0, mrwi_bezier_y(curve, u0), mrwi_bezier_slope(curve, u0), mrwi_bezier_y(curve, u1), mrwi_bezier_slope(curve, u1));
}

/// Largest distance from the curve at points in between. An overflow counts as 0: no number of pieces would help.
static double piece_error(const mrwi_bezier* curve, const mrwi_cubic* piece, double u0, double u1)
{
    double largest = 0.0;
    for (int i = 1; i < 8; i++) {
        double u = u0 + (u1 - u0) * 0.125 * i;
        double error = fabs(cubic_at(piece, mrwi_bezier_x(curve, u) - piece->time) - mrwi_bezier_y(curve, u));
        if (error > largest && error < INFINITY) {
            largest = error;
        }
    }
    return largest;
}

/// The step that should just meet the tolerance: the error of a Hermite cubic grows with the fourth power of its span.
static double better_step(double step, double tolerance, double error)
{
    double factor = error > 0.0 ? 0.95 * sqrt(sqrt(tolerance / error)) : 4.0;
    return step * (factor < 4.0 ? (factor > 0.1 ? factor : 0.1) : 4.0);
}

/// Writes the pieces of a weighted segment that begins at `time` (nothing when `out` is NULL) and counts them.
static uint32_t split_weighted(const mrwi_bezier* curve, double time, double tolerance, mrwi_cubic* out)
{
    uint32_t count = 0;
    double u = 0.0;
    double step = 1.0;
    while (u < 1.0) {
        double next = u + step < 1.0 && count < MAX_PIECES - 1 ? u + step : 1.0;
        mrwi_cubic piece = make_piece(curve, u, next);
        double error = piece_error(curve, &piece, u, next);
        double used = next - u;
        step = better_step(used, tolerance, error);
        if (error > tolerance && used > SMALLEST_STEP && count < MAX_PIECES - 1) {
            continue;
        }
        step = step > SMALLEST_STEP ? step : SMALLEST_STEP;
        if (mrwi_bezier_x(curve, next) > piece.time) {
            if (out != NULL) {
                piece.time += time;
                out[count] = piece;
            }
            count++;
        }
        u = next;
    }
    return count;
}

/// Writes the intervals from key `index` to the next one and counts them.
static uint32_t split_segment(const mrw_key_desc* keys, uint32_t index, double tolerance, mrwi_cubic* out)
{
    const mrw_key_desc* a = &keys[index];
    const mrw_key_desc* b = a + 1;
    bool is_instant = !(b->time - a->time > 0.0);
    if (is_instant && index > 0) {
        return 0;
    }
    mrwi_bezier curve;
    mrwi_cubic cubic = { a->time, { a->value, 0.0, 0.0, 0.0 } };
    // The first key's value holds before the track begins, even when another key follows at the same time.
    if (!is_instant && !mrwi_key_is_stepped(a)) {
        if (mrwi_bezier_make(a, b, &curve)) {
            return split_weighted(&curve, a->time, tolerance, out);
        }
        cubic = hermite(a->time, curve.x3, a->value, a->out_tangent, b->value, b->in_tangent);
    }
    if (out != NULL) {
        *out = cubic;
    }
    return 1;
}

/// TOLERANCE times the range of the curve's values, and never below the rounding of the values themselves.
static double tolerance_of(const mrw_key_desc* keys, uint32_t key_count)
{
    double low = keys->value;
    double high = keys->value;
    for (uint32_t i = 0; i < key_count; i++) {
        double values[4] = { keys[i].value, keys[i].value, keys[i].value, keys[i].value };
        if (i + 1 < key_count && !mrwi_key_is_stepped(&keys[i])) {
            mrwi_bezier curve;
            mrwi_bezier_make(&keys[i], &keys[i + 1], &curve);
            for (int quarter = 1; quarter < 4; quarter++) {
                values[quarter] = mrwi_bezier_y(&curve, 0.25 * quarter);
            }
        }
        for (int j = 0; j < 4; j++) {
            low = values[j] < low ? values[j] : low;
            high = values[j] > high ? values[j] : high;
        }
    }
    return TOLERANCE * (high - low) + 1e-14 * (fabs(low) > fabs(high) ? fabs(low) : fabs(high));
}

mrw_result mrwi_curve_split(mrwi_arena* arena, const mrw_key_desc* keys, uint32_t key_count, const mrwi_cubic** out, uint32_t* out_count)
{
    double tolerance = tolerance_of(keys, key_count);
    uint64_t total = 0;
    for (uint32_t i = 0; i + 1 < key_count; i++) {
        total += split_segment(keys, i, tolerance, NULL);
    }
    total = total > 0 ? total : 1;
    mrwi_cubic* cubics = total > UINT32_MAX ? NULL : mrwi_arena_allocate(arena, (size_t)total, sizeof *cubics);
    if (cubics == NULL) {
        return MRW_NO_MEMORY;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i + 1 < key_count; i++) {
        count += split_segment(keys, i, tolerance, &cubics[count]);
    }
    if (count == 0) {
        cubics[count++] = (mrwi_cubic) { keys->time, { keys->value, 0.0, 0.0, 0.0 } };
    }
    *out = cubics;
    *out_count = count;
    return MRW_OK;
}

uint32_t mrwi_curve_channel(const mrw_key_desc* keys, uint32_t key_count, mrw_track_type type, uint32_t channel, mrwi_cubic* out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < key_count; i++) {
        double value = keys[i].value;
        double slope = 0.0;
        bool is_last = i + 1 == key_count;
        double span = is_last ? 0.0 : keys[i + 1].time - keys[i].time;
        if (i > 0 && !is_last && !(span > 0.0)) {
            continue;
        }
        if (type == MRW_TRACK_BOOLEAN) {
            value = value != 0.0 ? 1.0 : 0.0;
        } else if (type == MRW_TRACK_COLOR) {
            value = mrwi_color_channel(keys[i].value, channel);
            if (span > 0.0 && !mrwi_key_is_stepped(&keys[i])) {
                slope = (mrwi_color_channel(keys[i + 1].value, channel) - value) / span;
            }
        }
        out[count++] = (mrwi_cubic) { keys[i].time, { value, slope, 0.0, 0.0 } };
    }
    return count;
}
