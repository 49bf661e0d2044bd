#include "model/channels.h"

#include "model/curve_fit.h"
#include "model/narrow.h"

#include <math.h>
#include <string.h>

/// Of a cache line, where a cubic of four channels fits.
#define CUBIC_ALIGNMENT 64u
/// Of pieces that stand side by side: how many spans they are cut into at most, and the least span as a part of them.
#define SPANS_MAX 512
#define SMALLEST_STEP 0x1p-40

/// An interval as long as the number of all is not known.
typedef struct interval {
    float start;
    float cubic[4][4];
} interval;

typedef struct packer {
    mrw_context* context;
    interval* intervals;
    size_t count, capacity;
} packer;

static float start_of(double time)
{
    const float start = mrwi_round_down(time);
    return start > MRWI_CHANNELS_LIMIT ? MRWI_CHANNELS_LIMIT : start < MRWI_CHANNELS_BEGIN ? MRWI_CHANNELS_BEGIN : start;
}

static interval* append(packer* pack)
{
    if (pack->count == pack->capacity) {
        const size_t wanted = 2 * pack->capacity + 64;
        interval* grown = mrwi_reallocate(pack->context, pack->intervals, pack->capacity, wanted, sizeof *grown);
        if (!grown) {
            return NULL;
        }
        pack->intervals = grown;
        pack->capacity = wanted;
    }
    return &pack->intervals[pack->count++];
}

/// Brings the lanes to the pieces that hold from `start` on. Returns where the first of them ends.
static float enter_pieces(const mrwi_channel_source* sources, uint32_t lanes, float start, const mrwi_cubic** pieces)
{
    float next = INFINITY;
    for (uint32_t lane = 0; lane < lanes; lane++) {
        const mrwi_cubic* last = &sources[lane].cubics[sources[lane].count - 1];
        for (; pieces[lane] != last; pieces[lane]++) {
            const float end = start_of(pieces[lane][1].time);
            if (end > start) {
                next = end < next ? end : next;
                break;
            }
        }
    }
    return next;
}

/// Appends the intervals of up to four channels: each start of a piece of any of them begins one.
static mrw_result merge_group(packer* pack, const mrwi_channel_source* sources, uint32_t lanes)
{
    const mrwi_cubic* pieces[4];
    for (uint32_t lane = 0; lane < lanes; lane++) {
        pieces[lane] = sources[lane].cubics;
    }
    for (float start = MRWI_CHANNELS_BEGIN; start < INFINITY;) {
        const float next = enter_pieces(sources, lanes, start, pieces);
        const double length = (double)next - (double)start;
        double step = INFINITY;
        for (uint32_t spans = 1; start < next; spans++) {
            interval* added = append(pack);
            if (!added) {
                return MRW_NO_MEMORY;
            }
            added->start = start;
            double c[4][4];
            start = mrwi_fit_span(pieces, lanes, start, next, spans < SPANS_MAX ? SMALLEST_STEP * length : length, &step, c);
            for (uint32_t lane = 0; lane < lanes; lane++) {
                for (uint32_t k = 0; k < 4; k++) {
                    added->cubic[k][lane] = mrwi_to_f32(c[lane][k]);
                }
            }
        }
    }
    return MRW_OK;
}

/// Merges all groups; `first` gets their first intervals.
static mrw_result merge_groups(packer* pack, uint32_t count, const mrwi_channel_source* sources, uint32_t* first)
{
    uint32_t group = 0;
    for (uint32_t channel = 0; channel < count; channel += 4, group++) {
        first[group] = (uint32_t)pack->count;
        const mrw_result result = merge_group(pack, sources + channel, count - channel < 4 ? count - channel : 4);
        if (result != MRW_OK) {
            return result;
        }
    }
    first[group] = (uint32_t)pack->count;
    return pack->count + group <= UINT32_MAX ? MRW_OK : MRW_LIMIT;
}

static mrw_result copy_intervals(const packer* pack, mrwi_arena* arena, uint32_t group_count, const uint32_t* first, mrwi_channels* out)
{
    float* start = mrwi_arena_allocate(arena, pack->count + group_count, sizeof *start);
    char* cubics = mrwi_arena_allocate(arena, pack->count + 1, sizeof *out->cubic);
    if (!start || !cubics) {
        return MRW_NO_MEMORY;
    }
    cubics += (CUBIC_ALIGNMENT - (uintptr_t)cubics % CUBIC_ALIGNMENT) % CUBIC_ALIGNMENT;
    out->start = start;
    out->cubic = (const float(*)[4][4])(void*)cubics;
    for (uint32_t group = 0; group < group_count; group++) {
        for (uint32_t i = first[group]; i < first[group + 1]; i++, cubics += sizeof *out->cubic) {
            *start++ = pack->intervals[i].start;
            memcpy(cubics, pack->intervals[i].cubic, sizeof *out->cubic);
        }
        *start++ = INFINITY;
    }
    return MRW_OK;
}

mrw_result mrwi_channels_pack(mrwi_arena* arena, uint32_t count, const mrwi_channel_source* sources, mrwi_channels* out)
{
    const uint32_t group_count = (uint32_t)(((uint64_t)count + 3) / 4);
    uint32_t* first = mrwi_arena_allocate(arena, (size_t)group_count + 1, sizeof *first);
    if (!first) {
        return MRW_NO_MEMORY;
    }
    packer pack = { .context = arena->context };
    mrw_result result = merge_groups(&pack, count, sources, first);
    if (result == MRW_OK) {
        *out = (mrwi_channels) { .count = count, .first = first };
        result = copy_intervals(&pack, arena, group_count, first, out);
    }
    mrwi_release(pack.context, pack.intervals, pack.capacity, sizeof *pack.intervals);
    return result;
}
