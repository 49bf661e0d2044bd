/// One animation curve in f64: exact evaluation (weighted cubic Bezier, solved) and its split into plain cubics.
#ifndef MRWI_MODEL_CURVE_H
#define MRWI_MODEL_CURVE_H

#include "base/memory.h"

/// value(t) = ((c[3] s + c[2]) s + c[1]) s + c[0] with s = t - time. Intervals ascend; the last one before t applies; before the
/// first and after `end` the curve holds.
typedef struct mrwi_cubic {
    double time;
    double c[4];
} mrwi_cubic;

/// Splits a track of numbers into cubics within 1e-7 (relative to the track's value range) of the exact curve. Stepped keys stay
/// exact. `key_count` is at least 1. The other types go by mrwi_curve_channel.
mrw_result mrwi_curve_split(mrwi_arena* arena, const mrw_key_desc* keys, uint32_t key_count, const mrwi_cubic** out, uint32_t* out_count);
/// The intervals of one channel of a track that is no number: straight lines through channel 0..2 (r, g, b in 0..255) of a color,
/// constants of a boolean (0 or 1) or enum. `out` has room for key_count intervals. Returns how many it wrote.
uint32_t mrwi_curve_channel(const mrw_key_desc* keys, uint32_t key_count, mrw_track_type type, uint32_t channel, mrwi_cubic* out);
/// Channel 0..2 of a packed color, 0..255.
double mrwi_color_channel(double color, uint32_t channel);

#endif
