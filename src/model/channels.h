/// The channels of a clip as the runtime reads them: four side by side on common intervals, so that a group has one look-up, one
/// time and whole registers of coefficients.
#ifndef MRWI_MODEL_CHANNELS_H
#define MRWI_MODEL_CHANNELS_H

#include "base/memory.h"
#include "model/curve.h"

/// The earliest start of an interval; nothing overflows when it is subtracted from a time within MRWI_CHANNELS_LIMIT.
#define MRWI_CHANNELS_BEGIN (-0x1p126f)
#define MRWI_CHANNELS_LIMIT 0x1p125f

/// A number or discrete track is one channel, a color three (r, g, b in 0..255, unrounded). The intervals of a group cover all
/// times: before the first key and after the last one channels hold.
typedef struct mrwi_channels {
    uint32_t count;
    const uint32_t* first;      ///< first interval of each group; (count + 3) / 4 + 1 entries
    const float* start;         ///< of each interval, and +infinity behind each group's last: see mrwi_channels_starts
    const float (*cubic)[4][4]; ///< [k][lane] is coefficient k of a channel; t counts from the start. One cache line an interval
} mrwi_channels;

/// The starts of a group's intervals: interval i, counted from the group's first, is for start[i] <= t < start[i + 1].
static inline const float* mrwi_channels_starts(const mrwi_channels* channels, uint32_t group)
{
    return channels->start + channels->first[group] + group;
}

/// One channel in f64, as mrwi_curve_split makes it.
typedef struct mrwi_channel_source {
    const mrwi_cubic* cubics;
    uint32_t count; ///< at least 1; the first one holds from the beginning of time
} mrwi_channel_source;

/// Arrays go to `arena`. Starts are rounded down to f32, so that a key's own time is never before it, and cubics are moved to the
/// rounded start. Weighted segments of a group are cut at common times into cubics within their tolerances.
mrw_result mrwi_channels_pack(mrwi_arena* arena, uint32_t count, const mrwi_channel_source* sources, mrwi_channels* out);

#endif
