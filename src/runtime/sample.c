#include "runtime/pose.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/simd.h"

/// Steps tried from the cursor before the search turns binary.
#define NEAR_STEPS 4
/// Beyond this, time stands still: what it is multiplied with, be it 0, then stays finite.
#define TIME_LIMIT (FLT_MAX / 4)

/// The last interval of [low, high) that begins at or before `time`; `low` when none does.
static uint32_t search(const float* starts, uint32_t low, uint32_t high, float time)
{
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (starts[middle] <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/// The same among the `count` intervals of a channel, near `at` first.
static uint32_t seek(const float* starts, uint32_t count, float time, uint32_t at)
{
    if (time < starts[at]) {
        return search(starts, 0, at, time);
    }
    for (uint32_t step = 0; step < NEAR_STEPS; step++) {
        if (at + 1 == count || time < starts[at + 1]) {
            return at;
        }
        at++;
    }
    return search(starts, at, count, time);
}

/// What one channel does for a while.
typedef struct piece {
    float from, until;
    const float* cubic;
    float held[4]; ///< `cubic` where the channel stands still
} piece;

static void hold(piece* out, float from, float until, float value)
{
    const float held[4] = { value, 0, 0, 0 };
    memcpy(out->held, held, sizeof(held));
    out->cubic = out->held;
    out->from = from;
    out->until = until;
}

static void find_piece(const mrwi_clip* clip, uint32_t channel, float now, uint32_t* interval, piece* out)
{
    if (channel >= clip->channel_count) {
        hold(out, -FLT_MAX / 2, INFINITY, 0);
        return;
    }
    const float end = clip->channel_end[channel];
    if (end <= now) {
        hold(out, end, INFINITY, clip->channel_last[channel]);
        return;
    }
    const uint32_t first = clip->channel_first[channel], count = clip->channel_first[channel + 1] - first;
    const float* starts = clip->interval_time + first;
    const uint32_t at = seek(starts, count, now, *interval);
    *interval = at;
    if (now < starts[at]) {
        hold(out, -FLT_MAX / 2, starts[at], clip->interval_cubic[first][0]);
        return;
    }
    out->from = starts[at];
    out->until = at + 1 < count && starts[at + 1] < end ? starts[at + 1] : end;
    out->cubic = clip->interval_cubic[first + at];
}

#if MRW_SIMD

MRWI_INLINE mrwi_f32x4 gather(const float* from, mrwi_i32x4 at)
{
    return mrwi_set(from[mrwi_int_lane(at, 0)], from[mrwi_int_lane(at, 1)], from[mrwi_int_lane(at, 2)], from[mrwi_int_lane(at, 3)]);
}

/// Whole registers are stored: they are loaded at once, and a load that spans several stores has to wait for them.
MRWI_INLINE void store_cubics(mrwi_cursor* cursor, const float* p, const float* q, const float* r, const float* s)
{
    const mrwi_f32x4 row_p = mrwi_load(p), row_q = mrwi_load(q), row_r = mrwi_load(r), row_s = mrwi_load(s);
    const mrwi_f32x4 low_pq = mrwi_zip_low(row_p, row_q), low_rs = mrwi_zip_low(row_r, row_s);
    const mrwi_f32x4 high_pq = mrwi_zip_high(row_p, row_q), high_rs = mrwi_zip_high(row_r, row_s);
    mrwi_store(cursor->cubic[0], mrwi_join_low(low_pq, low_rs));
    mrwi_store(cursor->cubic[1], mrwi_join_high(low_pq, low_rs));
    mrwi_store(cursor->cubic[2], mrwi_join_low(high_pq, high_rs));
    mrwi_store(cursor->cubic[3], mrwi_join_high(high_pq, high_rs));
}

static void fill_cursor(mrwi_cursor* cursor, const piece pieces[4])
{
    store_cubics(cursor, pieces[0].cubic, pieces[1].cubic, pieces[2].cubic, pieces[3].cubic);
    mrwi_store(cursor->from, mrwi_set(pieces[0].from, pieces[1].from, pieces[2].from, pieces[3].from));
    mrwi_store(cursor->until, mrwi_set(pieces[0].until, pieces[1].until, pieces[2].until, pieces[3].until));
}

/// Where four channels are looked for.
typedef struct block {
    mrwi_i32x4 first, last; ///< intervals of each channel
    mrwi_f32x4 end, now;
} block;

/// Makes the intervals `at` present if `now` lies in all of them.
MRWI_INLINE bool enter(const mrwi_clip* clip, const block* b, mrwi_i32x4 at, mrwi_cursor* cursor)
{
    const mrwi_i32x4 following = mrwi_int_least(mrwi_int_add(at, mrwi_int_splat(1)), b->last);
    const mrwi_f32x4 from = gather(clip->interval_time, at), next = gather(clip->interval_time, following);
    const mrwi_f32x4 until = mrwi_select(mrwi_int_equal(at, b->last), b->end, mrwi_least(next, b->end));
    if (!mrwi_int_all(mrwi_int_and(mrwi_at_most(from, b->now), mrwi_less(b->now, until)))) {
        return false;
    }
    const float(*cubics)[4] = clip->interval_cubic;
    store_cubics(
        cursor, cubics[mrwi_int_lane(at, 0)], cubics[mrwi_int_lane(at, 1)], cubics[mrwi_int_lane(at, 2)], cubics[mrwi_int_lane(at, 3)]);
    mrwi_store(cursor->from, from);
    mrwi_store(cursor->until, until);
    mrwi_int_store(cursor->interval, mrwi_int_sub(at, b->first));
    return true;
}

/// `at`, or where `step` intervals on have begun, these.
MRWI_INLINE mrwi_i32x4 leap(const mrwi_clip* clip, const block* b, mrwi_i32x4 at, int32_t step)
{
    const mrwi_i32x4 next = mrwi_int_least(mrwi_int_add(at, mrwi_int_splat(step)), b->last);
    const mrwi_i32x4 begun = mrwi_at_most(gather(clip->interval_time, next), b->now);
    return mrwi_int_add(at, mrwi_int_and(begun, mrwi_int_sub(next, at)));
}

static void move_cursor(const mrwi_clip* clip, uint32_t channel, float now, mrwi_cursor* cursor);

/// Up to seven intervals ahead, without a branch a channel: how far each moves is nothing a processor predicts. `channel` and the
/// three after it are channels of the clip.
static void move_ahead(const mrwi_clip* clip, uint32_t channel, float time, mrwi_cursor* cursor)
{
    const mrwi_i32x4 first = mrwi_int_load(clip->channel_first + channel), one = mrwi_int_splat(1);
    const block b = { first, mrwi_int_sub(mrwi_int_load(clip->channel_first + channel + 1), one), mrwi_load(clip->channel_end + channel),
        mrwi_splat(time) };
    const mrwi_i32x4 at = mrwi_int_add(first, mrwi_int_load(cursor->interval));
    // A channel that went on by less than its piece is long is likely in the next one, and all channels where keys are shared.
    const mrwi_f32x4 from = mrwi_load(cursor->from), until = mrwi_load(cursor->until);
    const bool likely = mrwi_int_all(mrwi_less(mrwi_sub(b.now, until), mrwi_sub(until, from)));
    if (!(likely && enter(clip, &b, mrwi_int_least(mrwi_int_add(at, one), b.last), cursor))
        && !enter(clip, &b, leap(clip, &b, leap(clip, &b, leap(clip, &b, at, 4), 2), 1), cursor)) {
        move_cursor(clip, channel, time, cursor);
    }
}

#else

static void fill_cursor(mrwi_cursor* cursor, const piece pieces[4])
{
    for (uint32_t lane = 0; lane < 4; lane++) {
        cursor->from[lane] = pieces[lane].from;
        cursor->until[lane] = pieces[lane].until;
        for (uint32_t k = 0; k < 4; k++) {
            cursor->cubic[k][lane] = pieces[lane].cubic[k];
        }
    }
}

#endif

/// Brings a block's four channels to `now`, wherever that is.
static void move_cursor(const mrwi_clip* clip, uint32_t channel, float now, mrwi_cursor* cursor)
{
    piece pieces[4];
    for (uint32_t lane = 0; lane < 4; lane++) {
        find_piece(clip, channel + lane, now, &cursor->interval[lane], &pieces[lane]);
    }
    fill_cursor(cursor, pieces);
}

static bool is_inside(const mrwi_cursor* cursor, float now)
{
    bool inside = true;
    for (uint32_t lane = 0; lane < 4; lane++) {
        inside = inside && cursor->from[lane] <= now && now < cursor->until[lane];
    }
    return inside;
}

static float clamp_time(double time)
{
    const float now = time < (double)TIME_LIMIT ? (float)time : TIME_LIMIT;
    return now > -TIME_LIMIT ? now : -TIME_LIMIT;
}

void mrwi_clip_evaluate_scalar(const mrwi_clip* clip, double time, mrwi_cursor* cursors, float* values)
{
    const float now = clamp_time(time);
    for (uint32_t channel = 0; channel < clip->channel_count; channel += 4) {
        mrwi_cursor* cursor = &cursors[channel / 4];
        if (!is_inside(cursor, now)) {
            move_cursor(clip, channel, now, cursor);
        }
        for (uint32_t lane = 0; lane < 4; lane++) {
            const float s = now - cursor->from[lane];
            const float high = (cursor->cubic[3][lane] * s + cursor->cubic[2][lane]) * s + cursor->cubic[1][lane];
            values[channel + lane] = high * s + cursor->cubic[0][lane];
        }
    }
}

#if MRW_SIMD

void mrwi_clip_evaluate(const mrwi_clip* clip, double time, mrwi_cursor* cursors, float* values)
{
    // NOTE: a call through a table stays a call, so that the loop, which makes it rarely, keeps its registers.
    static void (*const movers[])(const mrwi_clip*, uint32_t, float, mrwi_cursor*) = { move_cursor, move_ahead };
    const float scalar_now = clamp_time(time);
    const mrwi_f32x4 now = mrwi_splat(scalar_now);
    const uint32_t channel_count = clip->channel_count;
    mrwi_cursor* cursor = cursors;
    for (uint32_t channel = 0; channel < channel_count; channel += 4, cursor++) {
        const mrwi_i32x4 begun = mrwi_at_most(mrwi_load(cursor->from), now), open = mrwi_less(now, mrwi_load(cursor->until));
        if (!mrwi_int_all(mrwi_int_and(begun, open))) {
            movers[channel + 4 <= channel_count](clip, channel, scalar_now, cursor);
        }
        const mrwi_f32x4 s = mrwi_sub(now, mrwi_load(cursor->from));
        mrwi_f32x4 value = mrwi_add(mrwi_mul(mrwi_load(cursor->cubic[3]), s), mrwi_load(cursor->cubic[2]));
        value = mrwi_add(mrwi_mul(value, s), mrwi_load(cursor->cubic[1]));
        value = mrwi_add(mrwi_mul(value, s), mrwi_load(cursor->cubic[0]));
        mrwi_store(values + channel, value);
    }
}

#else

void mrwi_clip_evaluate(const mrwi_clip* clip, double time, mrwi_cursor* cursors, float* values)
{
    mrwi_clip_evaluate_scalar(clip, time, cursors, values);
}

#endif
