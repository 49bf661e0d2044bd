// A track in time: each segment of numbers is a cubic of time, or weighted and left to curve_fit.c.
#include "model/bezier.h"
#include "model/curve.h"

#include <float.h>
#include <math.h>

#define TOLERANCE 9e-8
/// Half a step of f32 between neighbouring values, by their size.
#define ROUNDING 0x1p-25

static double value_of(const mrw_key_desc* key, mrw_track_type type, uint32_t component)
{
    if (type == MRW_TRACK_COLOR) {
        return mrwi_color_channel(key->value, component);
    }
    return type == MRW_TRACK_BOOLEAN ? (key->value != 0.0 ? 1.0 : 0.0) : key->value;
}

static mrwi_cubic constant(double time, double value)
{
    return (mrwi_cubic) { .time = time, .c[0] = value };
}

/// Makes a constant the cubic through two keys with their slopes.
static void bend(const mrw_key_desc* a, const mrw_key_desc* b, double span, double c[4])
{
    double secant = (b->value - a->value) / span;
    double from = a->out_tangent, to = b->in_tangent;
    c[1] = from;
    c[2] = (3.0 * secant - 2.0 * from - to) / span;
    c[3] = (from + to - 2.0 * secant) / (span * span);
}

/// TOLERANCE times the range of the curve's values, and never below the rounding of the values themselves to f32.
static double tolerance_of(const mrw_key_desc* keys, uint32_t key_count)
{
    double low = keys->value, high = low;
    for (uint32_t i = 0; i < key_count; i++) {
        double points[4];
        mrwi_bezier_values(keys, key_count, i, points);
        for (int quarter = 0; quarter < 4; quarter++) {
            const double y = mrwi_bezier_at(points, 0.25 * quarter);
            low = y < low ? y : low;
            high = y > high ? y : high;
        }
    }
    const double range = TOLERANCE * (high - low);
    const double largest = high > -low ? high : -low;
    const double rounding = ROUNDING * (largest > (double)FLT_MIN ? largest : (double)FLT_MIN);
    return range > rounding ? range : rounding;
}

uint32_t mrwi_curve_split(const mrw_key_desc* keys, uint32_t key_count, mrw_track_type type, uint32_t component, mrwi_cubic* out)
{
    const mrw_key_desc* last = &keys[key_count - 1];
    uint32_t count = 0;
    double tolerance = 0.0;
    out[count++] = constant(keys->time, value_of(keys, type, component));
    for (const mrw_key_desc* a = keys; a != last; a++) {
        const mrw_key_desc* b = a + 1;
        const double span = b->time - a->time;
        if (!(span > 0.0)) {
            continue;
        }
        mrwi_cubic* piece = &out[count++];
        *piece = constant(a->time, value_of(a, type, component));
        if (mrwi_key_is_stepped(a)) {
            continue;
        }
        mrwi_bezier curve;
        if (type == MRW_TRACK_COLOR) {
            piece->c[1] = (value_of(b, type, component) - piece->c[0]) / span;
        } else if (type == MRW_TRACK_NUMBER && mrwi_bezier_make(a, b, &curve)) {
            tolerance = tolerance > 0.0 ? tolerance : tolerance_of(keys, key_count);
            piece->weighted = a;
            piece->tolerance = tolerance;
        } else if (type == MRW_TRACK_NUMBER) {
            bend(a, b, span, piece->c);
        }
    }
    out[count++] = constant(last->time, value_of(last, type, component));
    return count;
}
