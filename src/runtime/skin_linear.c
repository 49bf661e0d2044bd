#include "runtime/skin.h"

void mrwi_skin_linear(const mrwi_plan* plan, const mrwi_affine2* palette, const mrwi_affine2* root, const float* source, float* out)
{
    mrwi_skin_linear_scalar(plan, palette, root, source, out);
}

void mrwi_skin_add(uint32_t count, const float* bind, const float* offsets, float* sum)
{
    for (uint32_t i = 0; i < count; i++) {
        sum[i] = bind[i] + offsets[i];
    }
}
