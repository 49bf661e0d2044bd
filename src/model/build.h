/// The builder: description to packed model, in three steps that share a state.
#ifndef MRWI_MODEL_BUILD_H
#define MRWI_MODEL_BUILD_H

#include "model/model.h"

/// Packs a description that passes mrwi_model_desc_check and has whole triangles of vertices that exist, which is not asked again:
/// `mrw_model_create` sees to that, and a reader makes nothing else.
mrw_result mrwi_model_build(mrw_context* context, const mrw_model_desc* desc, mrw_model_id* out, mrw_error* error);

typedef struct mrwi_build {
    const mrw_model_desc* desc; ///< checked
    mrwi_model* model;          ///< what is packed; lives in its own arena
    mrwi_arena scratch;         ///< gone when the builder returns
    /// Of each part, in file order: joints by their place in the skin's list. A part that nothing moves has none.
    mrwi_influences* influences;
    const uint32_t** places; ///< of each skin's joints in its palette; what no vertex uses has none (UINT32_MAX)
} mrwi_build;

/// Nodes parent-first, rest pose, rest matrices.
mrw_result mrwi_build_nodes(mrwi_build* build);
/// Normalises the influences of all parts.
mrw_result mrwi_build_influences(mrwi_build* build);
/// Joints that vertices use, and their inverse binds; needs the nodes and the influences.
mrw_result mrwi_build_skins(mrwi_build* build);
/// Parts in draw order, plans, vertex block, indices, sprites, bounds; needs the skins.
mrw_result mrwi_build_parts(mrwi_build* build);

/// The node (file order) of a skin's joint.
uint32_t mrwi_build_joint(const mrwi_build* build, uint32_t skin, uint32_t joint);
/// Never NULL: a part without a mesh has an empty one.
const mrw_mesh_desc* mrwi_build_mesh(const mrwi_build* build, uint32_t part);

/// Arrays of the model and of the scratch arena, zeroed; NULL when memory is short.
void* mrwi_build_keep(mrwi_build* build, size_t count, size_t size);
void* mrwi_build_scratch(mrwi_build* build, size_t count, size_t size);
/// A copy in the model's arena; NULL text becomes "".
const char* mrwi_build_text(mrwi_build* build, const char* text);
/// MRW_NO_MEMORY after any of the above gave NULL.
mrw_result mrwi_build_memory(const mrwi_build* build);

#endif
