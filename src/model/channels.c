#include "model/channels.h"

#include <float.h>
#include <math.h>
#include <string.h>

float mrwi_to_f32(double value)
{
    if (!(fabs(value) >= (double)FLT_MIN)) {
        return 0.0f;
    }
    if (fabs(value) > (double)FLT_MAX) {
        return value > 0.0 ? FLT_MAX : -FLT_MAX;
    }
    return (float)value;
}

/// Largest f32 at or below `value`.
static float round_down(double value)
{
    float rounded = mrwi_to_f32(value);
    if ((double)rounded > value && rounded > -FLT_MAX) {
        uint32_t bits = 0;
        memcpy(&bits, &rounded, sizeof bits);
        bits = rounded > 0.0f ? bits - 1 : (rounded < 0.0f ? bits + 1 : 0x80800000u); // below zero comes -FLT_MIN
        memcpy(&rounded, &bits, sizeof bits);
    }
    return rounded;
}

static float start_of(double time)
{
    const float start = round_down(time);
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

typedef struct intervals {
    uint64_t count, group_count;
    float* start; ///< NULL while they are only counted
    float (*cubic)[4][4];
} intervals;

/// Appends the intervals of up to four channels: each start of a piece of any of them begins one.
static void merge_group(const mrwi_channel_source* sources, uint32_t lanes, intervals* out)
{
    uint32_t piece[4] = { 0, 0, 0, 0 };
    float start = MRWI_CHANNELS_BEGIN;
    while (start < INFINITY) {
        float next = INFINITY;
        for (uint32_t lane = 0; lane < lanes; lane++) {
            const uint32_t last = sources[lane].count + 1;
            while (piece[lane] < last && piece_start(&sources[lane], piece[lane] + 1) <= start) {
                piece[lane]++;
            }
            if (piece[lane] < last) {
                const float candidate = piece_start(&sources[lane], piece[lane] + 1);
                next = candidate < next ? candidate : next;
            }
        }
        if (out->start) {
            out->start[out->count + out->group_count] = start;
            for (uint32_t lane = 0; lane < lanes; lane++) {
                float moved[4];
                move_piece(&sources[lane], piece[lane], start, moved);
                for (uint32_t k = 0; k < 4; k++) {
                    out->cubic[out->count][k][lane] = moved[k];
                }
            }
        }
        out->count++;
        start = next;
    }
    if (out->start) {
        out->start[out->count + out->group_count] = INFINITY;
    }
    out->group_count++;
}

static void merge_groups(uint32_t count, const mrwi_channel_source* sources, intervals* out, uint32_t* first)
{
    out->count = out->group_count = 0;
    for (uint32_t channel = 0; channel < count; channel += 4) {
        if (first) {
            first[channel / 4] = (uint32_t)out->count;
        }
        merge_group(sources + channel, count - channel < 4 ? count - channel : 4, out);
    }
    if (first) {
        first[((size_t)count + 3) / 4] = (uint32_t)out->count;
    }
}

mrw_result mrwi_channels_pack(mrwi_arena* arena, uint32_t count, const mrwi_channel_source* sources, mrwi_channels* out)
{
    intervals merged = { 0, 0, NULL, NULL };
    merge_groups(count, sources, &merged, NULL);
    if (merged.count + merged.group_count >= UINT32_MAX) {
        return MRW_LIMIT;
    }
    uint32_t* first = mrwi_arena_allocate(arena, (size_t)merged.group_count + 1, sizeof *first);
    merged.start = mrwi_arena_allocate(arena, (size_t)(merged.count + merged.group_count), sizeof *merged.start);
    char* cubics = mrwi_arena_allocate(arena, (size_t)merged.count + 1, sizeof *merged.cubic);
    if (!first || !merged.start || !cubics) {
        return MRW_NO_MEMORY;
    }
    cubics += (CUBIC_ALIGNMENT - (uintptr_t)cubics % CUBIC_ALIGNMENT) % CUBIC_ALIGNMENT;
    merged.cubic = (float(*)[4][4])(void*)cubics;
    merge_groups(count, sources, &merged, first);
    *out = (mrwi_channels) { count, first, merged.start, (const float(*)[4][4])merged.cubic };
    return MRW_OK;
}
