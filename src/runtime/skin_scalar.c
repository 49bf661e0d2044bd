#include "runtime/skin.h"

#include "base/simd.h"

MRWI_INLINE const mrwi_affine2* matrix_at(const mrwi_affine2* palette, uint32_t offset)
{
    return (const mrwi_affine2*)((const char*)palette + offset);
}

MRWI_INLINE void transform(const mrwi_affine2* m, const float* source, float* out)
{
    const float x = source[0], y = source[1];
    out[0] = m->a * x + m->c * y + m->e;
    out[1] = m->b * x + m->d * y + m->f;
}

/// One vertex; its weights lie `stride` words apart.
MRWI_INLINE void blend(const mrwi_affine2* palette, const mrwi_plan_word* joints, uint32_t count, const mrwi_plan_word* weights,
    uint32_t stride, const float* source, float* out)
{
    float start[2], x, y;
    transform(matrix_at(palette, joints[0].offset), source, start);
    x = start[0];
    y = start[1];
    for (uint32_t i = 1; i < count; i++) {
        float other[2];
        transform(matrix_at(palette, joints[i].offset), source, other);
        const float weight = weights[(i - 1) * stride].weight;
        x += weight * (other[0] - start[0]);
        y += weight * (other[1] - start[1]);
    }
    out[0] = x;
    out[1] = y;
}

static void skin_rest(const mrwi_span* span, const mrwi_affine2* root, const float* source, float* out)
{
    for (uint32_t i = 0; i < span->count; i++) {
        if (root) {
            transform(root, source + 2 * i, out + 2 * i);
        } else {
            out[2 * i] = source[2 * i];
            out[2 * i + 1] = source[2 * i + 1];
        }
    }
}

/// SEGMENT and QUADS: a count, the joints, weights in blocks of four vertices.
static void skin_sets(const mrwi_span* span, const mrwi_plan_word* data, const mrwi_affine2* palette, const float* source, float* out)
{
    const uint32_t influences = span->influences;
    for (uint32_t done = 0; done < span->count;) {
        const uint32_t count = data[0].count;
        const mrwi_plan_word *joints = data + 1, *weights = data + 1 + influences;
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t block = i / 4 * 4 * (influences - 1);
            const uint32_t at = 2 * (done + i);
            blend(palette, joints, influences, weights + block + i % 4, 4, source + at, out + at);
        }
        data = weights + (count + 3) / 4 * 4 * (influences - 1);
        done += count;
    }
}

/// TWINS and RUN: joints of both vertices or of each, weights of both.
static void skin_by_two(const mrwi_span* span, const mrwi_plan_word* data, const mrwi_affine2* palette, const float* source, float* out)
{
    const uint32_t influences = span->influences;
    const uint32_t second = span->kind == MRWI_SPAN_RUN ? influences : 0;
    for (uint32_t i = 0; i < span->count; i++) {
        const mrwi_plan_word* weights = data + influences + second;
        blend(palette, data + i % 2 * second, influences, weights + i % 2, 2, source + 2 * i, out + 2 * i);
        if (i % 2 == 1) {
            data = weights + 2 * (influences - 1);
        }
    }
}

static void skin_generic(const mrwi_span* span, const mrwi_plan_word* data, const mrwi_affine2* palette, const float* source, float* out)
{
    for (uint32_t i = 0; i < span->count; i++) {
        const uint32_t count = data[0].count;
        blend(palette, data + 1, count, data + 1 + count, 1, source + 2 * i, out + 2 * i);
        data += 2 * count;
    }
}

void mrwi_skin_linear_scalar(const mrwi_plan* plan, const mrwi_affine2* palette, const mrwi_affine2* root, const float* source, float* out)
{
    for (uint32_t i = 0; i < plan->span_count; i++) {
        const mrwi_span* span = &plan->spans[i];
        const mrwi_plan_word* data = plan->data + span->data;
        const float* from = source + 2 * (size_t)span->first;
        float* to = out + 2 * (size_t)span->first;
        switch (span->kind) {
        case MRWI_SPAN_SEGMENT:
        case MRWI_SPAN_QUADS:
            skin_sets(span, data, palette, from, to);
            break;
        case MRWI_SPAN_TWINS:
        case MRWI_SPAN_RUN:
            skin_by_two(span, data, palette, from, to);
            break;
        case MRWI_SPAN_GENERIC:
            skin_generic(span, data, palette, from, to);
            break;
        default:
            skin_rest(span, root, from, to);
        }
    }
}
