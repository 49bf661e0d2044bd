/// Triangles to pixels. A pixel has sixteen sample points, and a point belongs to at most one of two triangles that share an edge
/// (top-left rule on whole numbers), so that neighbours leave neither gaps nor doubly blended pixels, and outer edges are smooth.
/// Colors are taken once a pixel and triangle, at the pixel's centre, so that triangles that share an edge agree there; where the
/// centre lies beyond the mesh, the uvs of the batch bound what is read, so that a part does not show its neighbours on the page.
/// Arithmetic is integer, or f32 and f64 in a fixed order: the same bits everywhere.
#ifndef MRWI_DRAW_RASTER_H
#define MRWI_DRAW_RASTER_H

#include "draw/texture.h"

/// Triangles of one picture on a page that are drawn alike, in order.
typedef struct mrwi_raster_batch {
    const uint32_t* indices;
    uint32_t index_count;
    mrwi_texture* texture; ///< NULL: white. Levels are added as needed
    uint8_t tint[3];
    float opacity; ///< clamped to 0..1
    mrw_blend_mode blend;
} mrwi_raster_batch;

typedef struct mrwi_raster_args {
    uint32_t width, height, background; ///< background 0xRRGGBBAA
    double matrix[6];                   ///< positions to pixels
    uint32_t vertex_count;
    const float *positions, *uvs; ///< two numbers a vertex
    uint32_t batch_count;
    const mrwi_raster_batch* batches; ///< back to front
} mrwi_raster_args;

/// Overwrites `pixels` (width * height * 4, straight alpha). A triangle with a vertex that is not finite or lies 2^20 pixels away is
/// not drawn. Blending works on premultiplied color with s the source, d what is there, a the alphas:
///     normal s + d (1 - as)    add min(1, s + d)    screen s + d - s d    multiply s d + s (1 - ad) + d (1 - as)
/// and alpha is as + ad (1 - as), for add min(1, as + ad). MRW_NO_MEMORY is all that can go wrong.
mrw_result mrwi_raster_draw(mrw_context* context, const mrwi_raster_args* args, uint8_t* pixels);

#endif
