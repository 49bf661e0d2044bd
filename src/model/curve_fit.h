/// Weighted segments into cubics: a weighted segment is no polynomial of time, so it is cut into spans on which a cubic stays within
/// a tolerance of it. Segments that are read side by side are cut at common times.
#ifndef MRWI_MODEL_CURVE_FIT_H
#define MRWI_MODEL_CURVE_FIT_H

#include "model/bezier.h"

/// A weighted segment and how far it is cut.
typedef struct mrwi_fit {
    mrwi_bezier curve;
    double time;            ///< of its first key
    double tolerance;       ///< largest distance of a cubic from the curve
    double first_u, last_u; ///< of the span that was fitted last
    double c[4];            ///< the cubic there; it counts from the span's start
    uint32_t count;         ///< spans so far
} mrwi_fit;

void mrwi_fit_begin(mrwi_fit* fit, const mrw_key_desc* keys, double tolerance);
/// Fits all of `fits` to the longest span from `from` on, and not beyond `until`, on which each stays within its tolerance, and
/// returns the span's end. Spans of a fit follow each other. `step` is a first guess of the length and becomes one for the next span.
float mrwi_fit_span(mrwi_fit* const* fits, uint32_t fit_count, float from, float until, double* step);

#endif
