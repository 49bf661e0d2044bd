#include "model/curve.h"

#include "math/trig.h"
#include "model/bezier.h"

#include <math.h>

double mrwi_color_channel(double color, uint32_t channel)
{
    uint32_t packed = color > 0.0 ? (color < 16777215.0 ? (uint32_t)color : 0xffffff) : 0;
    return (double)((packed >> (16 - 8 * channel)) & 0xff);
}

/// The last key at or before `time`, which lies inside the track.
static uint32_t find_key(const mrw_key_desc* keys, uint32_t key_count, double time)
{
    uint32_t low = 0;
    uint32_t high = key_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (keys[middle].time <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static double sample_number(const mrw_key_desc* a, const mrw_key_desc* b, double time)
{
    if (mrwi_key_is_stepped(a)) {
        return a->value;
    }
    mrwi_bezier curve;
    bool is_weighted = mrwi_bezier_make(a, b, &curve);
    double x = time - a->time;
    return mrwi_bezier_at(curve.y, is_weighted ? mrwi_bezier_solve(&curve, x) : x / curve.x[3]);
}

static double sample_color(const mrw_key_desc* a, const mrw_key_desc* b, double time)
{
    if (mrwi_key_is_stepped(a)) {
        return a->value;
    }
    double f = (time - a->time) / (b->time - a->time);
    double packed = 0.0;
    for (uint32_t channel = 0; channel < 3; channel++) {
        double from = mrwi_color_channel(a->value, channel);
        double to = mrwi_color_channel(b->value, channel);
        packed = packed * 256.0 + floor(from + (to - from) * f + 0.5);
    }
    return packed;
}

MRW_API double mrw_curve_sample(const mrw_key_desc* keys, uint32_t key_count, mrw_track_type type, double time)
{
    if (key_count == 0) {
        return type == MRW_TRACK_COLOR ? 16777215.0 : 0.0;
    }
    const mrw_key_desc* key = keys;
    if (time >= keys[key_count - 1].time) {
        key = &keys[key_count - 1];
    } else if (time > keys->time) {
        key = &keys[find_key(keys, key_count, time)];
        // The next key lies after `time`, so the span between the two is never zero.
        if (type == MRW_TRACK_NUMBER) {
            return sample_number(key, key + 1, time);
        }
        if (type == MRW_TRACK_COLOR) {
            return sample_color(key, key + 1, time);
        }
    }
    if (type == MRW_TRACK_BOOLEAN) {
        return key->value != 0.0 ? 1.0 : 0.0;
    }
    return key->value;
}

MRW_API double mrw_curve_advance(double time, double dt, double duration, bool loop)
{
    double next = time + dt;
    if (!(duration > 0.0)) {
        return 0.0;
    }
    if (!loop) {
        return next > 0.0 ? (next < duration ? next : duration) : 0.0;
    }
    if (next >= 0.0 && next < duration) {
        return next;
    }
    double wrapped = mrwi_fmod(next, duration);
    if (wrapped < 0.0) {
        wrapped += duration;
    }
    // Adding the duration to a tiny negative rest can round to the duration itself; adding zero turns -0 into 0.
    return wrapped < duration ? wrapped + 0.0 : 0.0;
}
