/// What the parts of the rig reader share.
#ifndef MRWI_FORMATS_RIG2D_READER_H
#define MRWI_FORMATS_RIG2D_READER_H

#include "base/context.h"
#include "io/json.h"
#include "model/document.h"

typedef struct mrwi_rig2d_reader {
    mrw_context* context;
    mrwi_arena* arena; ///< of the document
    mrw_model_desc* model;
    mrw_mesh_desc* meshes; ///< room for one a part; model->mesh_count are in use
    mrw_error* error;
    mrw_result result;     ///< the first failure; once set nothing is noted any more, and what was read counts for nothing
    uint64_t vertex_count; ///< of all meshes so far
} mrwi_rig2d_reader;

/// Notes a repair at a place; strict reading makes it the failure.
#define MRWI_NOTE(reader, at, ...)                                                 \
    do {                                                                           \
        if ((reader)->result == MRW_OK) {                                          \
            (reader)->result = mrwi_json_warn((at), (reader)->error, __VA_ARGS__); \
        }                                                                          \
    } while (0)

/// Zeroed elements in the document; on failure NULL, and `result` says so.
void* mrwi_rig2d_allocate(mrwi_rig2d_reader* reader, size_t count, size_t size);
/// A number as the reference reads it. Whatever is no number, or none that fits f32, is a repair.
double mrwi_rig2d_number(mrwi_rig2d_reader* reader, const mrwi_json_cursor* at);
/// Reads `owner`'s "mesh", "skinIndices" and "skinWeights". `*out_mesh` is the index of the mesh, or -1.
void mrwi_rig2d_read_mesh(mrwi_rig2d_reader* reader, const mrwi_json_cursor* owner, int32_t* out_mesh, mrw_extras* out_extras);

#endif
