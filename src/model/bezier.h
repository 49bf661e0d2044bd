/// The segment between two keys: a cubic Bezier in time and value.
#ifndef MRWI_MODEL_BEZIER_H
#define MRWI_MODEL_BEZIER_H

#include "marrow.h"

/// Control points: x0 is 0 and x3 the span, in seconds from the first key; x never falls as u goes from 0 to 1.
typedef struct mrwi_bezier {
    double x1, x2, x3;
    double y0, y1, y2, y3;
} mrwi_bezier;

/// `b` lies after `a`. Returns false when time runs linearly in u: the value is then a plain cubic of time.
bool mrwi_bezier_make(const mrw_key_desc* a, const mrw_key_desc* b, mrwi_bezier* out);
double mrwi_bezier_x(const mrwi_bezier* curve, double u);
double mrwi_bezier_y(const mrwi_bezier* curve, double u);
/// dx/du; zero at an end whose weight is zero.
double mrwi_bezier_speed(const mrwi_bezier* curve, double u);
/// The u in 0..1 where the curve reaches the time `x`.
double mrwi_bezier_solve(const mrwi_bezier* curve, double x);
/// An infinite out tangent holds the value until the next key.
bool mrwi_key_is_stepped(const mrw_key_desc* key);

#endif
