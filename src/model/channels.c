#include "model/channels.h"

#include "model/curve_fit.h"
#include "model/narrow.h"

#include <math.h>
#include <string.h>

static float start_of(double time)
{
    const float start = mrwi_round_down(time);
    return start > MRWI_CHANNELS_LIMIT ? MRWI_CHANNELS_LIMIT : start < MRWI_CHANNELS_BEGIN ? MRWI_CHANNELS_BEGIN : start;
}

/// Piece 0 holds before the first key, 1..count are the cubics, count + 1 holds from the end on.
static float piece_start(const mrwi_channel_source* source, uint32_t piece)
{
    if (piece == 0) {
        return MRWI_CHANNELS_BEGIN;
    }
    return start_of(piece > source->count ? source->end : source->cubics[piece - 1].time);
}

/// Coefficients of a piece with its origin moved to `start`.
static void move_piece(const mrwi_channel_source* source, uint32_t piece, float start, float out[4])
{
    out[1] = out[2] = out[3] = 0;
    if (piece == 0 || piece > source->count) {
        out[0] = mrwi_to_f32(piece == 0 ? source->cubics[0].c[0] : source->last);
        return;
    }
    const double* c = source->cubics[piece - 1].c;
    const double d = (double)start - source->cubics[piece - 1].time;
    out[0] = mrwi_to_f32(((c[3] * d + c[2]) * d + c[1]) * d + c[0]);
    out[1] = mrwi_to_f32((3.0 * c[3] * d + 2.0 * c[2]) * d + c[1]);
    out[2] = mrwi_to_f32(3.0 * c[3] * d + c[2]);
    out[3] = mrwi_to_f32(c[3]);
}

/// Of a cache line, where a cubic of four channels fits.
#define CUBIC_ALIGNMENT 64u

/// An interval as long as the number of all is not known.
typedef struct interval {
    float start;
    float cubic[4][4];
} interval;

typedef struct packer {
    mrw_context* context;
    interval* intervals;
    uint32_t count, capacity;
    // of the group at hand
    const mrwi_channel_source* sources;
    uint32_t lanes;
    uint32_t piece[4];
    mrwi_fit fits[4];
    double step; ///< the guess for the next span of weighted segments
} packer;

static interval* append(packer* pack)
{
    if (pack->count == pack->capacity) {
        const uint32_t wanted = pack->capacity < 64 ? 64 : 2 * (pack->capacity < UINT32_MAX / 2 ? pack->capacity : UINT32_MAX / 2);
        interval* grown = mrwi_reallocate(pack->context, pack->intervals, pack->capacity, wanted, sizeof *grown);
        if (!grown) {
            return NULL;
        }
        pack->intervals = grown;
        pack->capacity = wanted;
    }
    return &pack->intervals[pack->count++];
}

/// The keys of a lane's piece if that is a weighted segment.
static const mrw_key_desc* weighted_keys(const packer* pack, uint32_t lane)
{
    const mrwi_channel_source* source = &pack->sources[lane];
    const uint32_t piece = pack->piece[lane];
    return piece == 0 || piece > source->count ? NULL : source->cubics[piece - 1].weighted;
}

/// Brings all lanes to the pieces that hold from `start` on. Returns where the first of them ends.
static float enter_pieces(packer* pack, float start)
{
    float next = INFINITY;
    for (uint32_t lane = 0; lane < pack->lanes; lane++) {
        const mrwi_channel_source* source = &pack->sources[lane];
        const uint32_t before = pack->piece[lane], last = source->count + 1;
        while (pack->piece[lane] < last && piece_start(source, pack->piece[lane] + 1) <= start) {
            pack->piece[lane]++;
        }
        if (pack->piece[lane] < last) {
            const float candidate = piece_start(source, pack->piece[lane] + 1);
            next = candidate < next ? candidate : next;
        }
        if (pack->piece[lane] != before && weighted_keys(pack, lane)) {
            mrwi_fit_begin(&pack->fits[lane], weighted_keys(pack, lane), source->tolerance);
        }
    }
    return next;
}

/// Fits what is weighted from `start` on. Returns where the cubics end, `next` at the latest.
static float fit_pieces(packer* pack, float start, float next)
{
    mrwi_fit* fits[4];
    uint32_t count = 0;
    for (uint32_t lane = 0; lane < pack->lanes; lane++) {
        if (weighted_keys(pack, lane)) {
            fits[count++] = &pack->fits[lane];
        }
    }
    return count == 0 ? next : mrwi_fit_span(fits, count, start, next, &pack->step);
}

static void put_interval(const packer* pack, float start, interval* out)
{
    out->start = start;
    for (uint32_t lane = 0; lane < pack->lanes; lane++) {
        float moved[4];
        if (weighted_keys(pack, lane)) {
            for (uint32_t k = 0; k < 4; k++) {
                moved[k] = mrwi_to_f32(pack->fits[lane].c[k]);
            }
        } else {
            move_piece(&pack->sources[lane], pack->piece[lane], start, moved);
        }
        for (uint32_t k = 0; k < 4; k++) {
            out->cubic[k][lane] = moved[k];
        }
    }
}

/// Appends the intervals of up to four channels: each start of a piece of any of them begins one.
static mrw_result merge_group(packer* pack, const mrwi_channel_source* sources, uint32_t lanes)
{
    pack->sources = sources;
    pack->lanes = lanes;
    memset(pack->piece, 0, sizeof pack->piece);
    pack->step = INFINITY;
    for (float start = MRWI_CHANNELS_BEGIN, next; start < INFINITY; start = next) {
        interval* added = append(pack);
        if (!added) {
            return MRW_NO_MEMORY;
        }
        next = fit_pieces(pack, start, enter_pieces(pack, start));
        put_interval(pack, start, added);
    }
    return MRW_OK;
}

/// Merges all groups; `first` gets their first intervals.
static mrw_result merge_groups(packer* pack, uint32_t count, const mrwi_channel_source* sources, uint32_t* first)
{
    uint32_t group = 0;
    for (uint32_t channel = 0; channel < count; channel += 4, group++) {
        first[group] = pack->count;
        const mrw_result result = merge_group(pack, sources + channel, count - channel < 4 ? count - channel : 4);
        if (result != MRW_OK) {
            return result;
        }
    }
    first[group] = pack->count;
    return pack->count < UINT32_MAX - group ? MRW_OK : MRW_LIMIT;
}

static mrw_result copy_intervals(const packer* pack, mrwi_arena* arena, uint32_t group_count, const uint32_t* first, mrwi_channels* out)
{
    float* start = mrwi_arena_allocate(arena, (size_t)pack->count + group_count, sizeof *start);
    char* cubics = mrwi_arena_allocate(arena, (size_t)pack->count + 1, sizeof *out->cubic);
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
