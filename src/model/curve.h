/// One animation curve in f64: exact evaluation (weighted cubic Bezier, solved) and its split into segments.
#ifndef MRWI_MODEL_CURVE_H
#define MRWI_MODEL_CURVE_H

#include "marrow.h"

/// value(t) = ((c[3] s + c[2]) s + c[1]) s + c[0] with s = t - time. Intervals ascend; the last one before t applies; before the
/// first and after `end` the curve holds.
typedef struct mrwi_cubic {
    double time;
    double c[4];                  ///< of a weighted segment the first key's value alone
    const mrw_key_desc* weighted; ///< the first key of a weighted segment, which is no cubic (see model/curve_fit.h), else NULL
} mrwi_cubic;

/// The intervals of a track of numbers, one for each segment. `key_count` is at least 1; `out` has room for as many intervals. Returns
/// how many it wrote. `out_tolerance`: how near the cubics of weighted segments must come, 1e-7 of the track's range of values and
/// no less than what rounding to f32 takes. The other types go by mrwi_curve_channel.
uint32_t mrwi_curve_split(const mrw_key_desc* keys, uint32_t key_count, mrwi_cubic* out, double* out_tolerance);
/// The intervals of one channel of a track that is no number: straight lines through channel 0..2 (r, g, b in 0..255) of a color,
/// constants of a boolean (0 or 1) or enum. `out` has room for key_count intervals. Returns how many it wrote.
uint32_t mrwi_curve_channel(const mrw_key_desc* keys, uint32_t key_count, mrw_track_type type, uint32_t channel, mrwi_cubic* out);
/// Channel 0..2 of a packed color, 0..255.
double mrwi_color_channel(double color, uint32_t channel);

#endif
