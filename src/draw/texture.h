/// A picture to sample from: bilinear, clamped to its edge, with a box filter where it is drawn smaller.
#ifndef MRWI_DRAW_TEXTURE_H
#define MRWI_DRAW_TEXTURE_H

#include "base/memory.h"

#define MRWI_TEXTURE_LEVELS 32

/// Level 0 is the caller's image; level n is half of level n - 1, rounded up, made when first asked for.
typedef struct mrwi_texture {
    mrw_context* context;
    uint32_t level_count;
    mrw_image levels[MRWI_TEXTURE_LEVELS];
} mrwi_texture;

/// `image` is kept by reference and must have pixels.
void mrwi_texture_init(mrwi_texture* texture, mrw_context* context, const mrw_image* image);
void mrwi_texture_release(mrwi_texture* texture);

/// How to read one pixel's share of the picture: `across` x `down` bilinear taps, evenly spread over the parallelogram that the
/// pixel covers, on the finest level where at most 16 of them leave no texel out. Without minification that is one tap.
typedef struct mrwi_footprint {
    uint32_t level, across, down;
    double step_x[2], step_y[2]; ///< texels of `level` for one pixel to the right, one pixel down
} mrwi_footprint;

/// `x` and `y` are the change of (u, v) for one pixel to the right and one down.
mrwi_footprint mrwi_texture_footprint(const mrw_image* image, const double x[2], const double y[2]);
/// Makes the levels up to `level`. MRW_NO_MEMORY is all that can go wrong.
mrw_result mrwi_texture_reserve(mrwi_texture* texture, uint32_t level);
/// The mean color about (u, v) with premultiplied alpha, 0..1. Taps stay within `bounds` (least u, least v, greatest u, greatest v)
/// and the picture. Weights are whole numbers (1/256 of a texel), so that a tap at the centre of a texel returns it exactly.
void mrwi_texture_sample(
    const mrwi_texture* texture, const mrwi_footprint* footprint, const double bounds[4], const double uv[2], float out[4]);

#endif
