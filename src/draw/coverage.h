/// Which sample points of which pixels a triangle covers, in whole numbers.
#ifndef MRWI_DRAW_COVERAGE_H
#define MRWI_DRAW_COVERAGE_H

#include "marrow.h"

/// Units of a snapped coordinate in one pixel, and sample points of one pixel.
#define MRWI_SUBPIXELS 256
#define MRWI_SAMPLES 16
/// Every sample point of a pixel.
#define MRWI_COVERED_ALL 0xffffu
/// Coordinates lie below this many pixels, so that edge functions fit 64 bits.
#define MRWI_COORDINATE_LIMIT (1 << 20)

/// a x + b y + c, not negative for points of the triangle; an edge that a neighbour owns is a unit lower.
typedef struct mrwi_edge {
    int64_t a, b, c;
    int64_t offsets[MRWI_SAMPLES]; ///< what a sample point adds to the pixel's corner
    int64_t least, greatest;       ///< of `offsets`
} mrwi_edge;

typedef struct mrwi_coverage {
    mrwi_edge edges[3];
    int32_t first_row, end_row; ///< pixels, not clipped
} mrwi_coverage;

/// Corners in 1/MRWI_SUBPIXELS of a pixel, in any winding. False for a triangle without area.
bool mrwi_coverage_init(mrwi_coverage* coverage, const int32_t corners[3][2]);
/// The pixels of a row that may hold a covered point, clipped to 0..width. False when there are none.
bool mrwi_coverage_span(const mrwi_coverage* coverage, int32_t row, int32_t width, int32_t* out_first, int32_t* out_end);
/// One bit a sample point of the pixel.
uint32_t mrwi_coverage_mask(const mrwi_coverage* coverage, int32_t x, int32_t y);

#endif
