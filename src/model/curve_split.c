// A track in time: each segment of numbers is a cubic of time, or weighted and left to curve_fit.c.
#include "model/bezier.h"
#include "model/curve.h"

#include <math.h>

#define TOLERANCE 9e-8
/// Half a step of f32 between neighbouring values, by their size.
#define ROUNDING 0x1p-25

/// The cubic through two keys with their slopes.
static mrwi_cubic hermite(const mrw_key_desc* a, const mrw_key_desc* b)
{
    double span = b->time - a->time;
    double secant = (b->value - a->value) / span;
    double from = a->out_tangent, to = b->in_tangent;
    return (mrwi_cubic) { a->time, { a->value, from, (3.0 * secant - 2.0 * from - to) / span, (from + to - 2.0 * secant) / (span * span) },
        NULL };
}

/// The interval from key `index` to the next one. False when there is none: both have one time. The first key's value holds before
/// the track begins, even when another key follows at the same time.
static bool make_segment(const mrw_key_desc* keys, uint32_t index, mrwi_cubic* out)
{
    const mrw_key_desc *a = &keys[index], *b = a + 1;
    bool is_instant = !(b->time - a->time > 0.0);
    mrwi_bezier curve;
    *out = (mrwi_cubic) { a->time, { a->value, 0.0, 0.0, 0.0 }, NULL };
    if (is_instant || mrwi_key_is_stepped(a)) {
        return !is_instant || index == 0;
    }
    if (mrwi_bezier_make(a, b, &curve)) {
        out->weighted = a;
    } else {
        *out = hermite(a, b);
    }
    return true;
}

/// TOLERANCE times the range of the curve's values, and never below the rounding of the values themselves to f32.
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
    double range = TOLERANCE * (high - low);
    double rounding = ROUNDING * (fabs(low) > fabs(high) ? fabs(low) : fabs(high));
    return range > rounding ? range : rounding;
}

uint32_t mrwi_curve_split(const mrw_key_desc* keys, uint32_t key_count, mrwi_cubic* out, double* out_tolerance)
{
    uint32_t count = 0;
    bool is_weighted = false;
    for (uint32_t i = 0; i + 1 < key_count; i++) {
        if (make_segment(keys, i, &out[count])) {
            is_weighted = is_weighted || out[count].weighted != NULL;
            count++;
        }
    }
    if (count == 0) {
        out[count++] = (mrwi_cubic) { keys->time, { keys->value, 0.0, 0.0, 0.0 }, NULL };
    }
    *out_tolerance = is_weighted ? tolerance_of(keys, key_count) : 0.0;
    return count;
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
        out[count++] = (mrwi_cubic) { keys[i].time, { value, slope, 0.0, 0.0 }, NULL };
    }
    return count;
}
