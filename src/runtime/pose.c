#include "runtime/pose.h"

#include "base/simd.h"

#if MRW_SIMD

#include <math.h>

#include "math/trig.h"

/// A matrix in two registers: a b c d and e f 0 0.
typedef struct matrix {
    mrwi_f32x4 linear, translation;
} matrix;

MRWI_INLINE matrix load_matrix(const mrwi_affine2* m)
{
    return (matrix) { mrwi_load(&m->a), mrwi_load(&m->e) };
}

MRWI_INLINE void store_matrix(mrwi_affine2* to, matrix m)
{
    mrwi_store(&to->a, m.linear);
    mrwi_store(&to->e, m.translation);
}

/// p * q in the order of mrwi_affine2_multiply, two numbers of a column side by side.
MRWI_INLINE matrix multiply(matrix p, matrix q)
{
    const mrwi_f32x4 x = mrwi_join_low(p.linear, p.linear), y = mrwi_join_high(p.linear, p.linear);
    const mrwi_f32x4 linear = mrwi_add(mrwi_mul(x, mrwi_even(q.linear)), mrwi_mul(y, mrwi_odd(q.linear)));
    const mrwi_f32x4 turned = mrwi_add(mrwi_mul(x, mrwi_even(q.translation)), mrwi_mul(y, mrwi_odd(q.translation)));
    // the two spare numbers stay zero whatever the others are
    return (matrix) { linear, mrwi_join_low(mrwi_add(turned, p.translation), mrwi_splat(0)) };
}

/// One half of the argument reduction: two lanes of x - n * pi / 2 in f64.
MRWI_INLINE mrwi_f64x2 reduce(mrwi_f64x2 x, mrwi_f64x2 n)
{
    const mrwi_f64x2 high = mrwi_double_mul(n, mrwi_double_splat(MRWI_SINCOSF_HALF_PI_HIGH));
    const mrwi_f64x2 low = mrwi_double_mul(n, mrwi_double_splat(MRWI_SINCOSF_HALF_PI_LOW));
    return mrwi_double_sub(mrwi_double_sub(x, high), low);
}

/// ((c3 * z + c2) * z) + c1
MRWI_INLINE mrwi_f32x4 polynomial(mrwi_f32x4 z, float c3, float c2, float c1)
{
    const mrwi_f32x4 inner = mrwi_add(mrwi_mul(mrwi_splat(c3), z), mrwi_splat(c2));
    return mrwi_add(mrwi_mul(inner, z), mrwi_splat(c1));
}

/// The sign bit where bit 1 of a lane is set.
MRWI_INLINE mrwi_i32x4 sign_of(mrwi_i32x4 quadrant)
{
    return mrwi_int_shift_left(mrwi_int_and(quadrant, mrwi_int_splat(2)), 30);
}

/// mrwi_sincosf for four angles, by its definition in math/trig.h.
MRWI_INLINE void sincos_four(mrwi_f32x4 angle, mrwi_f32x4* out_sin, mrwi_f32x4* out_cos)
{
    const mrwi_i32x4 usual = mrwi_at_most(mrwi_abs(angle), mrwi_splat(MRWI_SINCOSF_LIMIT));
    if (!mrwi_int_all(usual)) {
        float angles[4], sines[4], cosines[4];
        mrwi_store(angles, angle);
        for (uint32_t i = 0; i < 4; i++) {
            mrwi_sincosf(angles[i], &sines[i], &cosines[i]);
        }
        *out_sin = mrwi_load(sines);
        *out_cos = mrwi_load(cosines);
        return;
    }
    const mrwi_f32x4 n = mrwi_round(mrwi_mul(angle, mrwi_splat(MRWI_SINCOSF_TWO_OVER_PI)));
    const mrwi_i32x4 quadrant = mrwi_to_int(n);
    const mrwi_f32x4 r
        = mrwi_single(reduce(mrwi_double_low(angle), mrwi_double_low(n)), reduce(mrwi_double_high(angle), mrwi_double_high(n)));
    const mrwi_f32x4 z = mrwi_mul(r, r), one = mrwi_splat(1), half = mrwi_splat(0.5f);
    const mrwi_f32x4 s = mrwi_add(r, mrwi_mul(mrwi_mul(r, z), polynomial(z, MRWI_SINCOSF_S3, MRWI_SINCOSF_S2, MRWI_SINCOSF_S1)));
    const mrwi_f32x4 c = mrwi_add(
        mrwi_sub(one, mrwi_mul(half, z)), mrwi_mul(mrwi_mul(z, z), polynomial(z, MRWI_SINCOSF_C3, MRWI_SINCOSF_C2, MRWI_SINCOSF_C1)));
    const mrwi_i32x4 odd = mrwi_int_equal(mrwi_int_and(quadrant, mrwi_int_splat(1)), mrwi_int_splat(1));
    const mrwi_i32x4 next = mrwi_int_add(quadrant, mrwi_int_splat(1));
    *out_sin = mrwi_from_bits(mrwi_int_xor(mrwi_bits(mrwi_select(odd, c, s)), sign_of(quadrant)));
    *out_cos = mrwi_from_bits(mrwi_int_xor(mrwi_bits(mrwi_select(odd, s, c)), sign_of(next)));
}

/// Four values of a row: side by side, or of the nodes given.
MRWI_INLINE mrwi_f32x4 load_row(const float* row, const uint32_t* nodes)
{
    return nodes ? mrwi_set(row[nodes[0]], row[nodes[1]], row[nodes[2]], row[nodes[3]]) : mrwi_load(row);
}

/// Local matrices of four nodes: of `rows` on, or of `nodes`.
MRWI_INLINE void local_matrices(const float* rows, uint32_t stride, const uint32_t* nodes, matrix out[4])
{
    mrwi_f32x4 sine, cosine;
    sincos_four(load_row(rows + MRW_FIELD_ROTATION * stride, nodes), &sine, &cosine);
    const mrwi_f32x4 scale_x = load_row(rows + MRW_FIELD_SCALE_X * stride, nodes);
    const mrwi_f32x4 scale_y = load_row(rows + MRW_FIELD_SCALE_Y * stride, nodes);
    const mrwi_f32x4 minus_sine = mrwi_from_bits(mrwi_int_xor(mrwi_bits(sine), mrwi_int_splat(INT32_MIN)));
    const mrwi_f32x4 a = mrwi_mul(cosine, scale_x), b = mrwi_mul(sine, scale_x);
    const mrwi_f32x4 c = mrwi_mul(minus_sine, scale_y), d = mrwi_mul(cosine, scale_y);
    const mrwi_f32x4 e = load_row(rows + MRW_FIELD_X * stride, nodes), f = load_row(rows + MRW_FIELD_Y * stride, nodes);
    const mrwi_f32x4 zero = mrwi_splat(0);
    const mrwi_f32x4 ab_low = mrwi_zip_low(a, b), ab_high = mrwi_zip_high(a, b);
    const mrwi_f32x4 cd_low = mrwi_zip_low(c, d), cd_high = mrwi_zip_high(c, d);
    const mrwi_f32x4 ef_low = mrwi_zip_low(e, f), ef_high = mrwi_zip_high(e, f);
    out[0] = (matrix) { mrwi_join_low(ab_low, cd_low), mrwi_join_low(ef_low, zero) };
    out[1] = (matrix) { mrwi_join_high(ab_low, cd_low), mrwi_join_high(ef_low, zero) };
    out[2] = (matrix) { mrwi_join_low(ab_high, cd_high), mrwi_join_low(ef_high, zero) };
    out[3] = (matrix) { mrwi_join_high(ab_high, cd_high), mrwi_join_high(ef_high, zero) };
}

static void write_locals(const mrwi_pose_args* args)
{
    for (uint32_t i = 0; i < args->node_count; i += 4) {
        matrix locals[4];
        local_matrices(args->rows + i, args->stride, NULL, locals);
        const uint32_t left = args->node_count - i;
        store_matrix(&args->world[i], locals[0]);
        if (left > 1) {
            store_matrix(&args->world[i + 1], locals[1]);
        }
        if (left > 2) {
            store_matrix(&args->world[i + 2], locals[2]);
        }
        if (left > 3) {
            store_matrix(&args->world[i + 3], locals[3]);
        }
    }
}

static void write_ordered_locals(const mrwi_pose_args* args)
{
    for (uint32_t i = 0; i < args->node_count; i += 4) {
        uint32_t nodes[4];
        for (uint32_t lane = 0; lane < 4; lane++) {
            nodes[lane] = args->order[i + lane < args->node_count ? i + lane : i];
        }
        matrix locals[4];
        local_matrices(args->rows, args->stride, nodes, locals);
        // lanes beyond the end name the block's first node and write the same again
        store_matrix(&args->world[nodes[0]], locals[0]);
        store_matrix(&args->world[nodes[1]], locals[1]);
        store_matrix(&args->world[nodes[2]], locals[2]);
        store_matrix(&args->world[nodes[3]], locals[3]);
    }
}

/// A column's length, 1 for a column of zeros.
static float column_length(float x, float y)
{
    const float length = sqrtf(x * x + y * y);
    return length == 0 ? 1 : length;
}

static matrix without_scale(const mrwi_affine2* m)
{
    const float x = column_length(m->a, m->b), y = column_length(m->c, m->d);
    return (matrix) { mrwi_set(m->a / x, m->b / x, m->c / y, m->d / y), mrwi_load(&m->e) };
}

void mrwi_pose_world(const mrwi_pose_args* args)
{
    if (args->order) {
        write_ordered_locals(args);
    } else {
        write_locals(args);
    }
    // A child mostly follows its parent: then the parent is still in registers, and no load waits for its store.
    int32_t last = -1;
    matrix m = { mrwi_splat(0), mrwi_splat(0) };
    for (uint32_t i = 0; i < args->node_count; i++) {
        const uint32_t node = args->order ? args->order[i] : i;
        const int32_t parent = args->parents[node];
        const matrix local = load_matrix(&args->world[node]);
        if (parent < 0 || (args->cuts && args->cuts[node])) {
            m = local;
        } else {
            if (args->no_scale && args->no_scale[node]) {
                m = without_scale(&args->world[parent]);
            } else if (parent != last) {
                m = load_matrix(&args->world[parent]);
            }
            m = multiply(m, local);
            store_matrix(&args->world[node], m);
        }
        last = (int32_t)node;
    }
}

bool mrwi_pose_palette(uint32_t joint_count, const int32_t* joints, const mrwi_affine2* binds, const mrwi_affine2* world,
    const mrwi_affine2* root, mrwi_affine2* palette)
{
    const matrix identity = { mrwi_set(1, 0, 0, 1), mrwi_splat(0) };
    const matrix base = root ? load_matrix(root) : identity;
    mrwi_i32x4 difference = mrwi_int_splat(0);
    for (uint32_t j = 0; j < joint_count; j++) {
        matrix m = base;
        if (joints[j] >= 0) {
            m = multiply(load_matrix(&world[joints[j]]), load_matrix(&binds[j]));
            if (root) {
                m = multiply(base, m);
            }
        }
        const matrix old = load_matrix(&palette[j]);
        const mrwi_i32x4 linear = mrwi_int_xor(mrwi_bits(old.linear), mrwi_bits(m.linear));
        const mrwi_i32x4 translation = mrwi_int_xor(mrwi_bits(old.translation), mrwi_bits(m.translation));
        difference = mrwi_int_or(difference, mrwi_int_or(linear, translation));
        store_matrix(&palette[j], m);
    }
    return mrwi_int_any(difference);
}

#else

void mrwi_pose_world(const mrwi_pose_args* args)
{
    mrwi_pose_world_scalar(args);
}

bool mrwi_pose_palette(uint32_t joint_count, const int32_t* joints, const mrwi_affine2* binds, const mrwi_affine2* world,
    const mrwi_affine2* root, mrwi_affine2* palette)
{
    return mrwi_pose_palette_scalar(joint_count, joints, binds, world, root, palette);
}

#endif
