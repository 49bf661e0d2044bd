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

void mrwi_clip_evaluate_scalar(const mrwi_clip* clip, double time, uint32_t* cursors, float* values)
{
    const float now = (float)time;
    for (uint32_t channel = 0; channel < clip->channel_count; channel++) {
        const uint32_t first = clip->channel_first[channel], end = clip->channel_first[channel + 1];
        if (first == end) {
            values[channel] = clip->channel_last[channel];
            continue;
        }
        const uint32_t at = seek(clip->interval_time, first, end, now, &cursors[channel]);
        const float* cubic = clip->interval_cubic[at];
        const float since = now - clip->interval_time[at];
        const float s = since > 0 ? since : 0;
        const float value = ((cubic[3] * s + cubic[2]) * s + cubic[1]) * s + cubic[0];
        values[channel] = now < clip->channel_end[channel] ? value : clip->channel_last[channel];
    }
}

void mrwi_clip_evaluate(const mrwi_clip* clip, double time, uint32_t* cursors, float* values)
{
    mrwi_clip_evaluate_scalar(clip, time, cursors, values);
}
