/// Linear blend skinning of one part along its plan.
///
/// The definition, in f32, rounding after each operation, for a vertex (x, y) with joints j0 < j1 < ... and weights w1, w2, ... of
/// all but the first:
///     q_i = ((a * x + c * y) + e, (b * x + d * y) + f)           with the matrix of joint i
///     out = (q_0 + w1 * (q_1 - q_0)) + w2 * (q_2 - q_0) + ...    summed from the left
/// The first weight is what the others leave of 1, so weights always sum to one and equal matrices move a vertex rigidly.
#ifndef MRWI_RUNTIME_SKIN_H
#define MRWI_RUNTIME_SKIN_H

#include "math/affine2.h"
#include "model/plan.h"

/// Blends each vertex of `source` into `out`. `source` and `out` hold x, y pairs in plan order, with MRWI_PLAN_SLACK vertices of
/// room behind the last on both; they may not overlap. Vertices without influences are multiplied by `root` (NULL: copied).
void mrwi_skin_linear(const mrwi_plan* plan, const mrwi_affine2* palette, const mrwi_affine2* root, const float* source, float* out);
/// The same in plain C, in every build: the definition that the kernels are compared with. Writes no scrap.
void mrwi_skin_linear_scalar(const mrwi_plan* plan, const mrwi_affine2* palette, const mrwi_affine2* root, const float* source, float* out);
/// sum[i] = bind[i] + offsets[i], `count` floats (padded to 4).
void mrwi_skin_add(uint32_t count, const float* bind, const float* offsets, float* sum);

#endif
