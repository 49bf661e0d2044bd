#include "runtime/skin.h"

#include "base/simd.h"

#if MRW_SIMD

// A v128 holds two vertices: x0 y0 x1 y1. A matrix is held as three columns, each for both vertices: (a b), (c d), (e f).
// Kernels write up to three vertices past their span; the next span, or the part's slack, takes them.

#define PARAMETERS const mrwi_plan_word *data, const mrwi_affine2 *palette, const float *source, const float *end, uintptr_t shift
#define ARGUMENTS data, palette, source, end, shift

typedef void (*kernel)(PARAMETERS);

/// Two vertices under their matrices.
typedef struct columns {
    mrwi_f32x4 x, y, translation;
} columns;

MRWI_INLINE const float* matrix_at(const mrwi_affine2* palette, mrwi_plan_word joint)
{
    return (const float*)((const char*)palette + joint.offset);
}

/// Where a vertex of the source goes. One address and a constant distance take a register less than two addresses.
MRWI_INLINE float* target_of(const float* source, uintptr_t shift)
{
    return (float*)((uintptr_t)source + shift);
}

MRWI_INLINE columns load_shared(const float* matrix)
{
    return (columns) { mrwi_load_pair(matrix), mrwi_load_pair(matrix + 2), mrwi_load_pair(matrix + 4) };
}

MRWI_INLINE columns load_both(const float* first, const float* second)
{
    const mrwi_f32x4 p = mrwi_load(first), q = mrwi_load(second);
    return (columns) { mrwi_join_low(p, q), mrwi_join_high(p, q), mrwi_join_low(mrwi_load(first + 4), mrwi_load(second + 4)) };
}

MRWI_INLINE mrwi_f32x4 transform(columns m, mrwi_f32x4 x, mrwi_f32x4 y)
{
    return mrwi_add(mrwi_add(mrwi_mul(m.x, x), mrwi_mul(m.y, y)), m.translation);
}

MRWI_INLINE mrwi_f32x4 lean(mrwi_f32x4 sum, mrwi_f32x4 weight, mrwi_f32x4 to, mrwi_f32x4 from)
{
    return mrwi_add(sum, mrwi_mul(weight, mrwi_sub(to, from)));
}

/// Four vertices of one set: all matrices of the set and the weights of the block.
MRWI_INLINE void blend_four(uint32_t influences, const columns* m, const mrwi_plan_word* weights, const float* source, float* out)
{
    const mrwi_f32x4 p = mrwi_load(source), q = mrwi_load(source + 4);
    const mrwi_f32x4 px = mrwi_even(p), py = mrwi_odd(p), qx = mrwi_even(q), qy = mrwi_odd(q);
    const mrwi_f32x4 p0 = transform(m[0], px, py), q0 = transform(m[0], qx, qy);
    mrwi_f32x4 p_sum = p0, q_sum = q0;
    for (uint32_t i = 1; i < influences; i++) {
        const mrwi_f32x4 weight = mrwi_load(&weights[4 * (i - 1)].weight);
        p_sum = lean(p_sum, mrwi_zip_low(weight, weight), transform(m[i], px, py), p0);
        q_sum = lean(q_sum, mrwi_zip_high(weight, weight), transform(m[i], qx, qy), q0);
    }
    mrwi_store(out, p_sum);
    mrwi_store(out + 4, q_sum);
}

MRWI_INLINE void skin_segments(uint32_t influences, PARAMETERS)
{
    while (source < end) {
        const float* stop = source + 2 * data[0].count;
        columns m[4];
        for (uint32_t i = 0; i < influences; i++) {
            m[i] = load_shared(matrix_at(palette, data[1 + i]));
        }
        data += 1 + influences;
        do {
            blend_four(influences, m, data, source, target_of(source, shift));
            data += 4 * (influences - 1);
            source += 8;
        } while (source < stop);
        source = stop;
    }
}

MRWI_INLINE void skin_quads(uint32_t influences, PARAMETERS)
{
    while (source < end) {
        columns m[4];
        for (uint32_t i = 0; i < influences; i++) {
            m[i] = load_shared(matrix_at(palette, data[1 + i]));
        }
        blend_four(influences, m, data + 1 + influences, source, target_of(source, shift));
        source += 2 * data[0].count;
        data += 1 + influences + 4 * (influences - 1);
    }
}

/// Two vertices, `second` words between their joints: 0 when they share them.
MRWI_INLINE void skin_pairs(uint32_t influences, uint32_t second, PARAMETERS)
{
    for (; source < end; source += 4) {
        const mrwi_plan_word* weights = data + influences + second;
        const mrwi_f32x4 p = mrwi_load(source), x = mrwi_even(p), y = mrwi_odd(p);
        mrwi_f32x4 start = x, sum = x;
        for (uint32_t i = 0; i < influences; i++) {
            const float* matrix = matrix_at(palette, data[i]);
            const columns m = second ? load_both(matrix, matrix_at(palette, data[second + i])) : load_shared(matrix);
            const mrwi_f32x4 point = transform(m, x, y);
            if (i == 0) {
                start = sum = point;
            } else {
                const mrwi_f32x4 weight = mrwi_load_low(&weights[2 * (i - 1)].weight);
                sum = lean(sum, mrwi_zip_low(weight, weight), point, start);
            }
        }
        mrwi_store(target_of(source, shift), sum);
        data = weights + 2 * (influences - 1);
    }
}

/// One vertex an iteration, in the two low lanes.
static void skin_generic(PARAMETERS)
{
    for (; source < end; source += 2) {
        const uint32_t influences = data[0].count;
        const mrwi_plan_word* weights = data + 1 + influences;
        const mrwi_f32x4 x = mrwi_splat(source[0]), y = mrwi_splat(source[1]);
        const mrwi_f32x4 start = transform(load_shared(matrix_at(palette, data[1])), x, y);
        mrwi_f32x4 sum = start;
        for (uint32_t i = 1; i < influences; i++) {
            const mrwi_f32x4 point = transform(load_shared(matrix_at(palette, data[1 + i])), x, y);
            sum = lean(sum, mrwi_splat(weights[i - 1].weight), point, start);
        }
        mrwi_store_low(target_of(source, shift), sum);
        data = weights + influences - 1;
    }
}

static void skin_rest(const mrwi_affine2* root, const float* source, const float* end, uintptr_t shift)
{
    if (!root) {
        memcpy(target_of(source, shift), source, (size_t)((const char*)end - (const char*)source));
        return;
    }
    const columns m = load_shared(&root->a);
    for (; source < end; source += 8) {
        blend_four(1, &m, NULL, source, target_of(source, shift));
    }
}

// One function, and one loop, for each influence count: loops that share a function take each other's registers.
#define FOR_EACH_COUNT(name, ...)    \
    static void name##_1(PARAMETERS) \
    {                                \
        __VA_ARGS__(1, ARGUMENTS);   \
    }                                \
    static void name##_2(PARAMETERS) \
    {                                \
        __VA_ARGS__(2, ARGUMENTS);   \
    }                                \
    static void name##_3(PARAMETERS) \
    {                                \
        __VA_ARGS__(3, ARGUMENTS);   \
    }                                \
    static void name##_4(PARAMETERS) \
    {                                \
        __VA_ARGS__(4, ARGUMENTS);   \
    }
#define TWINS(influences, ...) skin_pairs(influences, 0, __VA_ARGS__)
#define RUN(influences, ...) skin_pairs(influences, influences, __VA_ARGS__)
FOR_EACH_COUNT(segments, skin_segments)
FOR_EACH_COUNT(quads, skin_quads)
FOR_EACH_COUNT(twins, TWINS)
FOR_EACH_COUNT(run, RUN)

void mrwi_skin_linear(const mrwi_plan* plan, const mrwi_affine2* palette, const mrwi_affine2* root, const float* source, float* out)
{
    // NOTE: calls go through a table because wasm-opt folds a function with one caller into it, however large.
    static const kernel kernels[][4] = {
        [MRWI_SPAN_SEGMENT] = { segments_1, segments_2, segments_3, segments_4 },
        [MRWI_SPAN_QUADS] = { quads_1, quads_2, quads_3, quads_4 },
        [MRWI_SPAN_TWINS] = { twins_1, twins_2, twins_3, twins_4 },
        [MRWI_SPAN_RUN] = { run_1, run_2, run_3, run_4 },
        [MRWI_SPAN_GENERIC] = { skin_generic },
    };
    const uintptr_t shift = (uintptr_t)out - (uintptr_t)source;
    for (uint32_t i = 0; i < plan->span_count; i++) {
        const mrwi_span* span = &plan->spans[i];
        const float *from = source + 2 * (size_t)span->first, *end = from + 2 * (size_t)span->count;
        if (span->kind == MRWI_SPAN_REST) {
            skin_rest(root, from, end, shift);
        } else {
            const uint32_t column = span->kind == MRWI_SPAN_GENERIC ? 0 : span->influences - 1;
            kernels[span->kind][column](plan->data + span->data, palette, from, end, shift);
        }
    }
}

void mrwi_skin_add(uint32_t count, const float* bind, const float* offsets, float* sum)
{
    for (uint32_t i = 0; i < count; i += 4) {
        mrwi_store(sum + i, mrwi_add(mrwi_load(bind + i), mrwi_load(offsets + i)));
    }
}

#else

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

#endif
