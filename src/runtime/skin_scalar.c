#include "runtime/skin.h"

static const mrwi_affine2* matrix_at(const mrwi_affine2* palette, uint32_t offset)
{
    return (const mrwi_affine2*)((const char*)palette + offset);
}

static void transform(const mrwi_affine2* m, const float* source, float* out)
{
    const float x = source[0], y = source[1];
    out[0] = m->a * x + m->c * y + m->e;
    out[1] = m->b * x + m->d * y + m->f;
}

/// One vertex; its weights lie `stride` floats apart.
static void blend(const mrwi_affine2* palette, const uint32_t* joints, uint32_t count, const float* weights, uint32_t stride,
    const float* source, float* out)
{
    const mrwi_affine2* first = matrix_at(palette, joints[0]);
    mrwi_affine2 m = *first;
    for (uint32_t i = 1; i < count; i++) {
        const mrwi_affine2* other = matrix_at(palette, joints[i]);
        const float weight = weights[(i - 1) * stride];
        m.a += weight * (other->a - first->a);
        m.b += weight * (other->b - first->b);
        m.c += weight * (other->c - first->c);
        m.d += weight * (other->d - first->d);
        m.e += weight * (other->e - first->e);
        m.f += weight * (other->f - first->f);
    }
    transform(&m, source, out);
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

static void skin_segments(const mrwi_plan* plan, const mrwi_span* span, const mrwi_affine2* palette, const float* source, float* out)
{
    const uint32_t* joints = plan->joints + span->joints;
    const float* weights = plan->weights + span->weights;
    for (uint32_t done = 0; done < span->count;) {
        const uint32_t count = joints[0];
        for (uint32_t i = 0; i < count; i++) {
            const float* block = weights + (i / 4) * 4 * (span->influences - 1);
            const uint32_t vertex = 2 * (done + i);
            blend(palette, joints + 1, span->influences, block + i % 4, 4, source + vertex, out + vertex);
        }
        weights += (count + 3) / 4 * 4 * (span->influences - 1);
        joints += 1 + span->influences;
        done += count;
    }
}

static void skin_run(const mrwi_plan* plan, const mrwi_span* span, const mrwi_affine2* palette, const float* source, float* out)
{
    const uint32_t* joints = plan->joints + span->joints;
    const float* weights = plan->weights + span->weights;
    for (uint32_t i = 0; i < span->count; i++) {
        const float* pair = weights + (i / 2) * 2 * (span->influences - 1);
        blend(palette, joints + i * span->influences, span->influences, pair + i % 2, 2, source + 2 * i, out + 2 * i);
    }
}

static void skin_generic(const mrwi_plan* plan, const mrwi_span* span, const mrwi_affine2* palette, const float* source, float* out)
{
    const uint32_t* joints = plan->joints + span->joints;
    const float* weights = plan->weights + span->weights;
    for (uint32_t i = 0; i < span->count; i++) {
        const uint32_t count = joints[0];
        blend(palette, joints + 1, count, weights, 1, source + 2 * i, out + 2 * i);
        joints += 1 + count;
        weights += count - 1;
    }
}

void mrwi_skin_linear_scalar(const mrwi_plan* plan, const mrwi_affine2* palette, const mrwi_affine2* root, const float* source, float* out)
{
    for (uint32_t i = 0; i < plan->span_count; i++) {
        const mrwi_span* span = &plan->spans[i];
        const float* from = source + 2 * (size_t)span->first;
        float* to = out + 2 * (size_t)span->first;
        switch (span->kind) {
        case MRWI_SPAN_SEGMENT:
            skin_segments(plan, span, palette, from, to);
            break;
        case MRWI_SPAN_RUN:
            skin_run(plan, span, palette, from, to);
            break;
        case MRWI_SPAN_GENERIC:
            skin_generic(plan, span, palette, from, to);
            break;
        default:
            skin_rest(span, root, from, to);
        }
    }
}
