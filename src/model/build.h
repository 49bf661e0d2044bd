/// The builder: description to packed model, in three steps that share a state.
#ifndef MRWI_MODEL_BUILD_H
#define MRWI_MODEL_BUILD_H

#include "model/model.h"

/// Packs a description that passes mrwi_model_desc_check, which is not asked again: `mrw_model_create` checks what it is given, and a
/// reader makes nothing that fails.
mrw_result mrwi_model_build(mrw_context* context, const mrw_model_desc* desc, bool strict, mrw_model_id* out, mrw_error* error);

typedef struct mrwi_build {
    const mrw_model_desc* desc; ///< checked
    mrwi_model* model;          ///< what is packed; lives in its own arena
    mrwi_arena scratch;         ///< gone when the builder returns
    const uint32_t** places;    ///< of each skin's joints in its palette; what no vertex uses has none (UINT32_MAX)
    bool strict;
    mrw_error* error;
} mrwi_build;

/// Nodes parent-first, rest pose, rest matrices.
mrw_result mrwi_build_nodes(mrwi_build* build);
/// Joints that vertices use, and their inverse binds; needs the nodes.
mrw_result mrwi_build_skins(mrwi_build* build);
/// Parts in draw order, plans, vertex block, indices, sprites, bounds; needs the skins.
mrw_result mrwi_build_parts(mrwi_build* build);
/// Sets `used` (zeroed, an entry a joint) where a vertex of the skin's parts has the joint.
void mrwi_build_mark_joints(const mrw_model_desc* desc, uint32_t skin, uint8_t* used);

/// Arrays of the model and of the scratch arena, zeroed; NULL when memory is short. A count of 0 gives a valid pointer.
void* mrwi_build_keep(mrwi_build* build, size_t count, size_t size);
void* mrwi_build_scratch(mrwi_build* build, size_t count, size_t size);
/// A copy in the model's arena; NULL text becomes "".
const char* mrwi_build_text(mrwi_build* build, const char* text);

#endif
