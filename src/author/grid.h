/// The grid mesh in f64, before it is rounded to the f32 of a mesh.
#ifndef MRWI_AUTHOR_GRID_H
#define MRWI_AUTHOR_GRID_H

#include "base/memory.h"

typedef struct mrwi_grid {
    uint32_t vertex_count, index_count;
    double *positions, *uvs; ///< two numbers a vertex
    uint32_t* indices;
} mrwi_grid;

/// Arrays go to `arena`. Errors as `mrw_author_grid`.
mrw_result mrwi_grid_build(mrwi_arena* arena, const mrw_grid_options* options, mrwi_grid* out);

#endif
