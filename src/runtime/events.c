#include "runtime/events.h"

// A pass is the part of the way between two wraps. Forward, a pass crosses the events in (low, high]; backwards those in (low, high]
// too, from high down: an event at t lies just before t, so turning round at t crosses it again.

typedef struct pass {
    double low, high;
    bool holds_low; ///< an event at `low` belongs to the pass
} pass;

static pass make_pass(const mrwi_crossing* crossing, double duration, uint64_t index)
{
    bool is_first = index == 0;
    bool is_last = index == crossing->wraps;
    if (crossing->backward) {
        double low = is_last ? crossing->to : 0.0;
        return (pass) { low, is_first ? crossing->from : duration, !is_last || crossing->ends };
    }
    double low = is_first ? crossing->from : 0.0;
    return (pass) { low, is_last ? crossing->to : duration, !is_first || crossing->starts };
}

/// How many passes the one at `index` stands for. Those between the first and the last are all alike.
static uint64_t count_alike(const mrwi_crossing* crossing, const mrwi_clip* clip, uint64_t index)
{
    bool is_inner = index > 0 && index < crossing->wraps;
    bool is_long = crossing->wraps > MRWI_EVENTS_TOLD / ((uint64_t)clip->event_count + 1);
    return is_inner && is_long ? crossing->wraps - index : 1;
}

/// The first event behind the pass's low end; `past` counts events at that very time as before it.
static uint32_t first_after(const mrwi_clip* clip, double time, bool past)
{
    uint32_t low = 0;
    uint32_t high = clip->event_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        double at = clip->events[middle].time;
        if (at < time || (past && at == time)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/// Event number `done` of a pass, or -1 behind its last one.
static int32_t mark_of(const mrwi_clip* clip, const pass* range, bool backward, uint32_t done)
{
    uint32_t first = first_after(clip, range->low, !range->holds_low);
    uint32_t end = first_after(clip, range->high, true);
    if (end <= first || done >= end - first) {
        return -1;
    }
    return (int32_t)(backward ? end - 1 - done : first + done);
}

bool mrwi_crossing_next(const mrwi_crossing* crossing, const mrwi_clip* clip, mrwi_event_cursor* cursor, mrw_event* out)
{
    if (!crossing->is_live || cursor->pass > crossing->wraps) {
        return false;
    }
    pass range = make_pass(crossing, clip->duration, cursor->pass);
    int32_t mark = mark_of(clip, &range, crossing->backward, cursor->marks_done);
    uint64_t alike = count_alike(crossing, clip, cursor->pass);
    *out = (mrw_event) {
        .kind = MRW_EVENT_MARK, .clip = (uint32_t)crossing->clip, .event = mark, .layer = out->layer, .count = (double)alike
    };
    if (mark >= 0) {
        out->time = clip->events[mark].time;
        cursor->marks_done++;
        return true;
    }
    bool is_last = cursor->pass == crossing->wraps;
    cursor->pass += alike;
    cursor->marks_done = 0;
    if (is_last && !crossing->ends) {
        return false;
    }
    out->kind = is_last ? MRW_EVENT_END : MRW_EVENT_LOOP;
    out->time = is_last ? crossing->to : (crossing->backward ? 0.0 : clip->duration);
    return true;
}
