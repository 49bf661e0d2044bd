#include "runtime/pose.h"

#include <math.h>
#include <string.h>

#include "base/simd.h"
#include "math/trig.h"

MRWI_INLINE mrwi_affine2 local_matrix(const mrwi_pose_args* args, uint32_t node)
{
    const float* row = args->rows + node;
    const uint32_t stride = args->stride;
    const float scale_x = row[MRW_FIELD_SCALE_X * stride], scale_y = row[MRW_FIELD_SCALE_Y * stride];
    float sine, cosine;
    mrwi_sincosf(row[MRW_FIELD_ROTATION * stride], &sine, &cosine);
    return (mrwi_affine2) { cosine * scale_x, sine * scale_x, -sine * scale_y, cosine * scale_y, row[MRW_FIELD_X * stride],
        row[MRW_FIELD_Y * stride], { 0, 0 } };
}

/// A column's length, 1 for a column of zeros.
static float column_length(float x, float y)
{
    const float length = sqrtf(x * x + y * y);
    return length == 0 ? 1 : length;
}

static mrwi_affine2 without_scale(const mrwi_affine2* m)
{
    const float x = column_length(m->a, m->b), y = column_length(m->c, m->d);
    return (mrwi_affine2) { m->a / x, m->b / x, m->c / y, m->d / y, m->e, m->f, { 0, 0 } };
}

uint32_t mrwi_pose_world_scalar(const mrwi_pose_args* args)
{
    uint32_t changed = 0;
    for (uint32_t i = 0; i < args->node_count; i++) {
        const uint32_t node = args->order ? args->order[i] : i;
        const int32_t parent = args->parents[node];
        mrwi_affine2 m = local_matrix(args, node);
        if (parent >= 0 && !(args->cuts && args->cuts[node])) {
            const bool scaled = !(args->no_scale && args->no_scale[node]);
            const mrwi_affine2 carrier = scaled ? args->world[parent] : without_scale(&args->world[parent]);
            m = mrwi_affine2_multiply(&carrier, &m);
        }
        changed += memcmp(&args->world[node], &m, sizeof(m)) != 0;
        args->world[node] = m;
    }
    return changed;
}

bool mrwi_pose_palette_scalar(uint32_t joint_count, const int32_t* joints, const mrwi_affine2* binds, const mrwi_affine2* world,
    const mrwi_affine2* root, mrwi_affine2* palette)
{
    static const mrwi_affine2 identity = { 1, 0, 0, 1, 0, 0, { 0, 0 } };
    bool changed = false;
    for (uint32_t j = 0; j < joint_count; j++) {
        mrwi_affine2 m = root ? *root : identity;
        if (joints[j] >= 0) {
            m = mrwi_affine2_multiply(&world[joints[j]], &binds[j]);
            if (root) {
                m = mrwi_affine2_multiply(root, &m);
            }
        }
        changed = changed || memcmp(&palette[j], &m, sizeof(m)) != 0;
        palette[j] = m;
    }
    return changed;
}
