/// One animation curve in f64: exact evaluation (weighted cubic Bezier, solved) and its split into segments.
#ifndef MRWI_MODEL_CURVE_H
#define MRWI_MODEL_CURVE_H

#include "marrow.h"

/// A piece of a channel: value(t) = ((c[3] s + c[2]) s + c[1]) s + c[0] with s = t - time, until the next one begins.
typedef struct mrwi_cubic {
    double time;
    double c[4];                  ///< of a weighted segment the first key's value alone
    const mrw_key_desc* weighted; ///< the first key of a weighted segment, which is no cubic (see model/curve_fit.h), else NULL
    double tolerance;             ///< how near cubics must come to it: 1e-7 of the track's range of values, or what f32 rounds
} mrwi_cubic;

/// The pieces of one channel, ascending in time: the value before the first key, the segments, the value after the last key. The
/// first one's time is the first key's, too. Channels of a color are `component` 0..2 (r, g, b in 0..255) and run straight; booleans
/// (0 or 1) and enums are constant between keys. `key_count` is at least 1; `out` has room for one piece more. Returns how many it
/// wrote.
uint32_t mrwi_curve_split(const mrw_key_desc* keys, uint32_t key_count, mrw_track_type type, uint32_t component, mrwi_cubic* out);
/// Channel 0..2 of a packed color, 0..255.
double mrwi_color_channel(double color, uint32_t channel);

#endif
