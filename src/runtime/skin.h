/// Linear blend skinning of one part along its plan.
#ifndef MRWI_RUNTIME_SKIN_H
#define MRWI_RUNTIME_SKIN_H

#include "math/affine2.h"
#include "model/plan.h"

/// out = sum of weight * (matrix * source). `source` and `out` hold x, y pairs in plan order, with MRWI_PLAN_SLACK vertices of
/// room behind the last on both; they may not overlap. Vertices without influences are multiplied by `root` (NULL: copied).
void mrwi_skin_linear(const mrwi_plan* plan, const mrwi_affine2* palette, const mrwi_affine2* root, const float* source, float* out);
/// sum[i] = bind[i] + offsets[i], `count` floats (padded to 4).
void mrwi_skin_add(uint32_t count, const float* bind, const float* offsets, float* sum);

#endif
