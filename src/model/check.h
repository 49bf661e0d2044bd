/// Checks of a description before anything is built from it or copied.
#ifndef MRWI_MODEL_CHECK_H
#define MRWI_MODEL_CHECK_H

#include "base/memory.h"

/// Parts of a model: what is counted by part stays countable in 32 bits.
#define MRWI_PARTS_MAX (UINT32_MAX / 16)

/// Every count within the context's limits, every array there, every number finite and representable as f32, every index in
/// range. What stays legal: parents that name no node, parent cycles, triangles with indices out of range.
mrw_result mrwi_model_desc_check(const mrw_context* context, const mrw_model_desc* desc, mrw_error* error);

/// Number of joints of skin `index` of a checked description (a skin without a list has all nodes); 0 for -1.
uint32_t mrwi_skin_joint_count(const mrw_model_desc* desc, int32_t index);

#endif
