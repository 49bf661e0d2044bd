/// Pieces of channels side by side into cubics that count from a common start. A weighted segment is no polynomial of time, so it is
/// cut into spans on which a cubic stays within a tolerance of it.
#ifndef MRWI_MODEL_CURVE_FIT_H
#define MRWI_MODEL_CURVE_FIT_H

#include "model/curve.h"

/// Finds the longest span from `from` on, and not beyond `until`, on which each cubic stays within its piece's tolerance, and returns
/// its end: all of it when no piece is weighted. `c` gets the cubics, one for each piece; they count from `from`. `step` is a first
/// guess of the length and becomes one for the next span; spans of no more than `least` are taken as they are.
float mrwi_fit_span(
    const mrwi_cubic* const* pieces, uint32_t piece_count, float from, float until, double least, double* step, double (*c)[4]);

#endif
