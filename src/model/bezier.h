/// The segment between two keys: a cubic Bezier in time and value.
#ifndef MRWI_MODEL_BEZIER_H
#define MRWI_MODEL_BEZIER_H

#include "marrow.h"

/// Control points: x[0] is 0 and x[3] the span, in seconds from the first key; x never falls as u goes from 0 to 1.
typedef struct mrwi_bezier {
    double x[4], y[4];
} mrwi_bezier;

/// `b` lies after `a`. Returns false when time runs linearly in u: the value is then a plain cubic of time.
bool mrwi_bezier_make(const mrw_key_desc* a, const mrw_key_desc* b, mrwi_bezier* out);
/// The values of the control points from key `index` to the next one, in whose hull the curve lies. Behind the last key, and where
/// the key is stepped, all are the key's own.
void mrwi_bezier_values(const mrw_key_desc* keys, uint32_t key_count, uint32_t index, double y[4]);
/// The x or y of the points at `u`.
double mrwi_bezier_at(const double points[4], double u);
/// The u in 0..1 where the curve reaches the time `x`, or the end that lies nearest.
double mrwi_bezier_solve(const mrwi_bezier* curve, double x);
/// An infinite out tangent holds the value until the next key.
bool mrwi_key_is_stepped(const mrw_key_desc* key);

#endif
