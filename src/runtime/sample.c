#include "base/simd.h"
#include "runtime/pose.h"

/// Steps tried from the cursor before the search turns binary.
#define NEAR_STEPS 4

/// The last interval of [first, end) that starts at or before `time`; `first` when none does.
static uint32_t find_interval(const float* start, uint32_t first, uint32_t end, float time)
{
    uint32_t low = first, high = end;
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

/// Moves a cursor (relative to `first`, below `end`) to `time` and returns the interval.
static uint32_t seek(const float* start, uint32_t first, uint32_t end, float time, uint32_t* cursor)
{
    uint32_t at = first + *cursor;
    if (at >= end) {
        at = first;
    }
    if (at > first && time < start[at]) {
        at = find_interval(start, first, at, time);
    } else {
        uint32_t steps = 0;
        while (at + 1 < end && start[at + 1] <= time) {
            at++;
            if (++steps == NEAR_STEPS) {
                at = find_interval(start, at, end, time);
            }
        }
    }
    *cursor = at - first;
    return at;
}

static void evaluate_channel(const mrwi_clip* clip, uint32_t channel, float now, uint32_t* cursors, float* values)
{
    const uint32_t first = clip->channel_first[channel], end = clip->channel_first[channel + 1];
    if (first == end || now >= clip->channel_end[channel]) {
        values[channel] = clip->channel_last[channel];
        return;
    }
    const uint32_t at = seek(clip->interval_time, first, end, now, &cursors[channel]);
    const float* cubic = clip->interval_cubic[at];
    const float since = now - clip->interval_time[at];
    const float s = since > 0 ? since : 0;
    values[channel] = ((cubic[3] * s + cubic[2]) * s + cubic[1]) * s + cubic[0];
}

void mrwi_clip_evaluate_scalar(const mrwi_clip* clip, double time, uint32_t* cursors, float* values)
{
    for (uint32_t channel = 0; channel < clip->channel_count; channel++) {
        evaluate_channel(clip, channel, (float)time, cursors, values);
    }
}

#if MRW_SIMD

/// Four channels from `channel` on. False, and nothing done, when one of them is empty.
static bool evaluate_four(const mrwi_clip* clip, uint32_t channel, float now, uint32_t* cursors, float* values)
{
    const uint32_t* first = clip->channel_first + channel;
    if (first[0] == first[1] || first[1] == first[2] || first[2] == first[3] || first[3] == first[4]) {
        return false;
    }
    const uint32_t p = seek(clip->interval_time, first[0], first[1], now, &cursors[channel]);
    const uint32_t q = seek(clip->interval_time, first[1], first[2], now, &cursors[channel + 1]);
    const uint32_t r = seek(clip->interval_time, first[2], first[3], now, &cursors[channel + 2]);
    const uint32_t s = seek(clip->interval_time, first[3], first[4], now, &cursors[channel + 3]);
    const float* time = clip->interval_time;
    const mrwi_f32x4 since = mrwi_sub(mrwi_splat(now), mrwi_set(time[p], time[q], time[r], time[s]));
    const mrwi_f32x4 x = mrwi_larger(since, mrwi_splat(0));

    // rows of four coefficients to columns
    const mrwi_f32x4 row_p = mrwi_load(clip->interval_cubic[p]), row_q = mrwi_load(clip->interval_cubic[q]);
    const mrwi_f32x4 row_r = mrwi_load(clip->interval_cubic[r]), row_s = mrwi_load(clip->interval_cubic[s]);
    const mrwi_f32x4 low_pq = mrwi_zip_low(row_p, row_q), low_rs = mrwi_zip_low(row_r, row_s);
    const mrwi_f32x4 high_pq = mrwi_zip_high(row_p, row_q), high_rs = mrwi_zip_high(row_r, row_s);
    const mrwi_f32x4 c0 = mrwi_join_low(low_pq, low_rs), c1 = mrwi_join_high(low_pq, low_rs);
    const mrwi_f32x4 c2 = mrwi_join_low(high_pq, high_rs), c3 = mrwi_join_high(high_pq, high_rs);

    const mrwi_f32x4 value = mrwi_add(mrwi_mul(mrwi_add(mrwi_mul(mrwi_add(mrwi_mul(c3, x), c2), x), c1), x), c0);
    const mrwi_i32x4 held = mrwi_at_most(mrwi_load(clip->channel_end + channel), mrwi_splat(now));
    mrwi_store(values + channel, mrwi_select(held, mrwi_load(clip->channel_last + channel), value));
    return true;
}

void mrwi_clip_evaluate(const mrwi_clip* clip, double time, uint32_t* cursors, float* values)
{
    const float now = (float)time;
    uint32_t channel = 0;
    while (channel < clip->channel_count) {
        if (channel + 4 <= clip->channel_count && evaluate_four(clip, channel, now, cursors, values)) {
            channel += 4;
        } else {
            evaluate_channel(clip, channel++, now, cursors, values);
        }
    }
}

#else

void mrwi_clip_evaluate(const mrwi_clip* clip, double time, uint32_t* cursors, float* values)
{
    mrwi_clip_evaluate_scalar(clip, time, cursors, values);
}

#endif
