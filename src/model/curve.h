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
/// exact. Colors: see clip.h.
mrw_result mrwi_curve_split(mrwi_arena* arena, const mrw_key_desc* keys, uint32_t key_count, const mrwi_cubic** out, uint32_t* out_count);

#endif
