#include "runtime/pose.h"

#include <float.h>
#include <math.h>

#include "base/simd.h"

/// Steps tried from the cursor before the search turns binary.
#define NEAR_STEPS 4

/// The interval of `count` that holds `time`, near `at` first. Intervals cover all times.
static uint32_t seek(const float* start, uint32_t count, float time, uint32_t at)
{
    uint32_t low = 0, high = count;
    if (time < start[at]) {
        high = at;
    } else {
        for (uint32_t step = 0; step < NEAR_STEPS; step++) {
            if (time < start[at + 1]) {
                return at;
            }
            at++;
        }
        low = at;
    }
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (start[middle] <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/// Brings the intervals of all groups of channels to `now`.
static void move_cursors(const mrwi_channels* channels, float now, mrwi_cursor* cursors)
{
    if (cursors[0].time <= now && now < cursors[1].time) {
        return;
    }
    const float* start = channels->start;
    const uint32_t* first = channels->first;
    const uint32_t group_count = (channels->count + 3) / 4;
    float from = -INFINITY, until = INFINITY;
    for (uint32_t group = 0; group < group_count; group++) {
        const float* starts = start + (first[group] + group);
        uint32_t at = cursors[2 + group].interval;
        if (!(starts[at] <= now && now < starts[at + 1])) {
            at = seek(starts, first[group + 1] - first[group], now, at);
            cursors[2 + group].interval = at;
        }
        from = starts[at] > from ? starts[at] : from;
        until = starts[at + 1] < until ? starts[at + 1] : until;
    }
    cursors[0].time = from;
    cursors[1].time = until;
}

static float clamp_time(double time)
{
    const double limit = (double)MRWI_CHANNELS_LIMIT;
    return (float)(time < limit ? (time > -limit ? time : -limit) : limit);
}

bool mrwi_clip_evaluate_scalar(const mrwi_clip* clip, double time, mrwi_cursor* cursors, float* values)
{
    const mrwi_channels* channels = &clip->channels;
    const float now = clamp_time(time);
    bool finite = true;
    if (channels->count == 0) {
        return finite; // and there may be no cursors
    }
    move_cursors(channels, now, cursors);
    for (uint32_t channel = 0; channel < channels->count; channel += 4) {
        const uint32_t group = channel / 4, at = cursors[2 + group].interval;
        const float(*cubic)[4] = channels->cubic[channels->first[group] + at];
        const float s = now - mrwi_channels_starts(channels, group)[at];
        for (uint32_t lane = 0; lane < 4; lane++) {
            values[channel + lane] = ((cubic[3][lane] * s + cubic[2][lane]) * s + cubic[1][lane]) * s + cubic[0][lane];
            finite = finite && fabsf(values[channel + lane]) <= FLT_MAX;
        }
    }
    return finite;
}

#if MRW_SIMD

bool mrwi_clip_evaluate(const mrwi_clip* clip, double time, mrwi_cursor* cursors, float* values)
{
    const mrwi_channels* channels = &clip->channels;
    const float now = clamp_time(time);
    if (channels->count == 0) {
        return true; // and there may be no cursors
    }
    move_cursors(channels, now, cursors);
    const float *start = channels->start, (*cubics)[4][4] = channels->cubic;
    const uint32_t* first = channels->first;
    const mrwi_cursor* cursor = cursors + 2;
    mrwi_f32x4 zero = mrwi_splat(0); // as long as all values are finite
    for (float *to = values, *stop = values + ((size_t)channels->count + 3) / 4 * 4; to != stop; to += 4, first++, cursor++, start++) {
        const uint32_t at = *first + cursor->interval; // `start` is ahead by one for each group
        const float(*cubic)[4] = cubics[at];
        const mrwi_f32x4 s = mrwi_splat(now - start[at]);
        mrwi_f32x4 value = mrwi_add(mrwi_mul(mrwi_load(cubic[3]), s), mrwi_load(cubic[2]));
        value = mrwi_add(mrwi_mul(value, s), mrwi_load(cubic[1]));
        value = mrwi_add(mrwi_mul(value, s), mrwi_load(cubic[0]));
        mrwi_store(to, value);
        zero = mrwi_mul(zero, value);
    }
    return mrwi_int_all(mrwi_at_most(zero, zero));
}

#else

bool mrwi_clip_evaluate(const mrwi_clip* clip, double time, mrwi_cursor* cursors, float* values)
{
    return mrwi_clip_evaluate_scalar(clip, time, cursors, values);
}

#endif
