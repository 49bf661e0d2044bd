#include "runtime/pose.h"

#include <float.h>
#include <math.h>

#include "base/simd.h"
#include "math/trig.h"

#if MRW_SIMD

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

/// The right factor of a product, spread out: a a c c, b b d d, e e f f.
typedef struct spread {
    mrwi_f32x4 even, odd, translation;
} spread;

MRWI_INLINE spread spread_matrix(matrix m)
{
    return (spread) { mrwi_even(m.linear), mrwi_odd(m.linear), mrwi_zip_low(m.translation, m.translation) };
}

/// p * q in the order of mrwi_affine2_multiply.
MRWI_INLINE matrix multiply(matrix p, spread q)
{
    const mrwi_f32x4 x = mrwi_join_low(p.linear, p.linear), y = mrwi_join_high(p.linear, p.linear);
    const mrwi_f32x4 linear = mrwi_add(mrwi_mul(x, q.even), mrwi_mul(y, q.odd));
    const mrwi_f32x4 terms = mrwi_mul(p.linear, q.translation); // a e, b e, c f, d f
    const mrwi_f32x4 moved = mrwi_add(mrwi_add(terms, mrwi_join_high(terms, terms)), p.translation);
    // the two spare numbers stay zero whatever the others are
    return (matrix) { linear, mrwi_join_low(moved, mrwi_splat(0)) };
}

/// One half of the argument reduction: two lanes of x - n * pi / 2 in f64.
MRWI_INLINE mrwi_f64x2 reduce_angles(mrwi_f64x2 x, mrwi_f64x2 n)
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
MRWI_INLINE mrwi_i32x4 quadrant_signs(mrwi_i32x4 quadrant)
{
    return mrwi_int_shift_left(mrwi_int_and(quadrant, mrwi_int_splat(2)), 30);
}

/// Sine and cosine of four angles, one by one. Not inlined: the callers keep their registers.
__attribute__((noinline)) static void sincos_slowly(const float angles[4], float sines[4], float cosines[4])
{
    for (uint32_t i = 0; i < 4; i++) {
        mrwi_sincosf(angles[i], &sines[i], &cosines[i]);
    }
}

/// Lanes are small integers; their two low bits come out right, which is all that is needed.
MRWI_INLINE mrwi_i32x4 low_bits(mrwi_f32x4 integers)
{
    return mrwi_bits(mrwi_add(integers, mrwi_splat(0x1.8p23f)));
}

/// The polynomials, for four angles within a quarter of a turn around 0.
MRWI_INLINE void sincos_reduced(mrwi_f32x4 r, mrwi_f32x4* out_sin, mrwi_f32x4* out_cos)
{
    const mrwi_f32x4 z = mrwi_mul(r, r);
    *out_sin = mrwi_add(r, mrwi_mul(mrwi_mul(r, z), polynomial(z, MRWI_SINCOSF_S3, MRWI_SINCOSF_S2, MRWI_SINCOSF_S1)));
    *out_cos = mrwi_add(mrwi_sub(mrwi_splat(1), mrwi_mul(mrwi_splat(0.5f), z)),
        mrwi_mul(mrwi_mul(z, z), polynomial(z, MRWI_SINCOSF_C3, MRWI_SINCOSF_C2, MRWI_SINCOSF_C1)));
}

/// mrwi_sincosf for four angles, by its definition in math/trig.h.
MRWI_INLINE void sincos_four(mrwi_f32x4 angle, mrwi_f32x4* out_sin, mrwi_f32x4* out_cos)
{
    const mrwi_f32x4 turns = mrwi_mul(angle, mrwi_splat(MRWI_SINCOSF_TWO_OVER_PI));
    if (mrwi_int_all(mrwi_at_most(mrwi_abs(turns), mrwi_splat(0.5f)))) {
        sincos_reduced(angle, out_sin, out_cos); // there is nothing to reduce; the sine of -0 is 0 either way
        return;
    }
    if (!mrwi_int_all(mrwi_at_most(mrwi_abs(angle), mrwi_splat(MRWI_SINCOSF_LIMIT)))) {
        float angles[4], sines[4], cosines[4];
        mrwi_store(angles, angle);
        sincos_slowly(angles, sines, cosines);
        *out_sin = mrwi_load(sines);
        *out_cos = mrwi_load(cosines);
        return;
    }
    const mrwi_f32x4 n = mrwi_round(turns);
    const mrwi_i32x4 quadrant = low_bits(n);
    const mrwi_f32x4 r = mrwi_single(
        reduce_angles(mrwi_double_low(angle), mrwi_double_low(n)), reduce_angles(mrwi_double_high(angle), mrwi_double_high(n)));
    mrwi_f32x4 s, c;
    sincos_reduced(r, &s, &c);
    const mrwi_i32x4 odd = mrwi_int_equal(mrwi_int_and(quadrant, mrwi_int_splat(1)), mrwi_int_splat(1));
    const mrwi_i32x4 next = mrwi_int_add(quadrant, mrwi_int_splat(1));
    *out_sin = mrwi_from_bits(mrwi_int_xor(mrwi_bits(mrwi_select(odd, c, s)), quadrant_signs(quadrant)));
    *out_cos = mrwi_from_bits(mrwi_int_xor(mrwi_bits(mrwi_select(odd, s, c)), quadrant_signs(next)));
}

/// Four values of a row: from `first` on, or of the nodes given.
MRWI_INLINE mrwi_f32x4 load_row(const float* row, uint32_t first, const uint32_t* nodes)
{
    return nodes ? mrwi_set(row[nodes[0]], row[nodes[1]], row[nodes[2]], row[nodes[3]]) : mrwi_load(row + first);
}

/// Writes the linear parts of four local matrices to scratch: all a, all b, all c, all d.
MRWI_INLINE void compose_four(const mrwi_pose_args* args, uint32_t first)
{
    const float* rows = args->rows;
    uint32_t four[4];
    const uint32_t* nodes = NULL;
    if (args->order) {
        for (uint32_t lane = 0; lane < 4; lane++) {
            four[lane] = args->order[first + lane < args->node_count ? first + lane : first]; // lanes behind the last are not used
        }
        nodes = four;
    }
    mrwi_f32x4 sine, cosine;
    sincos_four(load_row(rows + MRW_FIELD_ROTATION * args->stride, first, nodes), &sine, &cosine);
    const mrwi_f32x4 scale_x = load_row(rows + MRW_FIELD_SCALE_X * args->stride, first, nodes);
    const mrwi_f32x4 scale_y = load_row(rows + MRW_FIELD_SCALE_Y * args->stride, first, nodes);
    const mrwi_f32x4 minus_sine = mrwi_from_bits(mrwi_int_xor(mrwi_bits(sine), mrwi_int_splat(INT32_MIN)));
    const mrwi_f32x4 a = mrwi_mul(cosine, scale_x), b = mrwi_mul(sine, scale_x);
    const mrwi_f32x4 c = mrwi_mul(minus_sine, scale_y), d = mrwi_mul(cosine, scale_y);
    float* out = args->scratch + 4 * (size_t)first;
    mrwi_store(out, a);
    mrwi_store(out + 4, b);
    mrwi_store(out + 8, c);
    mrwi_store(out + 12, d);
}

/// The four local matrices, spread out one by one: two lanes of each field side by side, the matrices of lanes 0 and 1 in `low`.
typedef struct zipped {
    mrwi_f32x4 even_low, even_high, odd_low, odd_high, move_low, move_high;
} zipped;

MRWI_INLINE zipped zip_locals(const float* linear, const float* x, const float* y)
{
    const mrwi_f32x4 a = mrwi_load(linear), b = mrwi_load(linear + 4), c = mrwi_load(linear + 8), d = mrwi_load(linear + 12);
    const mrwi_f32x4 e = mrwi_load(x), f = mrwi_load(y);
    return (zipped) { mrwi_zip_low(a, c), mrwi_zip_high(a, c), mrwi_zip_low(b, d), mrwi_zip_high(b, d), mrwi_zip_low(e, f),
        mrwi_zip_high(e, f) };
}

/// `lane` is a constant.
MRWI_INLINE spread spread_lane(zipped z, uint32_t lane)
{
    const mrwi_f32x4 even = lane < 2 ? z.even_low : z.even_high, odd = lane < 2 ? z.odd_low : z.odd_high;
    const mrwi_f32x4 move = lane < 2 ? z.move_low : z.move_high;
    return lane % 2 == 0 ? (spread) { mrwi_zip_low(even, even), mrwi_zip_low(odd, odd), mrwi_zip_low(move, move) }
                         : (spread) { mrwi_zip_high(even, even), mrwi_zip_high(odd, odd), mrwi_zip_high(move, move) };
}

/// The matrix itself of its spread form.
MRWI_INLINE matrix gather_matrix(spread s)
{
    const mrwi_f32x4 zero = mrwi_splat(0);
    return (matrix) { mrwi_mix(s.even, s.odd), mrwi_join_low(mrwi_evens(s.translation, zero), zero) };
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

/// Stores a matrix; returns which bits differ from what was there.
MRWI_INLINE mrwi_i32x4 put_matrix(mrwi_affine2* to, matrix m)
{
    const matrix old = load_matrix(to);
    store_matrix(to, m);
    return mrwi_int_or(
        mrwi_int_xor(mrwi_bits(old.linear), mrwi_bits(m.linear)), mrwi_int_xor(mrwi_bits(old.translation), mrwi_bits(m.translation)));
}

/// A child mostly follows its parent: then the parent is still in `m`, and no load waits for its store.
MRWI_INLINE matrix pose_node(mrwi_affine2* world, int32_t parent, uint32_t node, matrix m, spread local, uint32_t* changed)
{
    if (parent < 0) {
        m = gather_matrix(local);
    } else {
        if ((uint32_t)parent + 1 != node) {
            m = load_matrix(&world[parent]);
        }
        m = multiply(m, local);
    }
    *changed += mrwi_int_any(put_matrix(&world[node], m));
    return m;
}

/// Any node, also one that stands apart or takes its parent's matrix without scale.
MRWI_INLINE matrix pose_any(const mrwi_pose_args* args, uint32_t node, matrix local)
{
    const int32_t parent = args->parents[node];
    if (parent < 0 || (args->cuts && args->cuts[node])) {
        return local;
    }
    const mrwi_affine2* world = &args->world[parent];
    const matrix m = args->no_scale && args->no_scale[node] ? without_scale(world) : load_matrix(world);
    return multiply(m, spread_matrix(local));
}

uint32_t mrwi_pose_world(const mrwi_pose_args* args)
{
    const float *x = args->rows + (size_t)MRW_FIELD_X * args->stride, *y = args->rows + (size_t)MRW_FIELD_Y * args->stride;
    const float* composed = args->scratch;
    const int32_t* parents = args->parents;
    mrwi_affine2* world = args->world;
    const uint32_t count = args->node_count;
    // The usual case: packed parent-first, no node stands apart.
    const uint32_t packed = args->order || args->cuts || args->no_scale ? 0 : count & ~3u;
    matrix m = { mrwi_splat(0), mrwi_splat(0) };
    uint32_t changed = 0;
    // A limb is a chain of products that wait for each other; composing the next four nodes in between fills the wait.
    for (uint32_t next = 0; next < count + 4; next += 4) {
        if (next < count) {
            compose_four(args, next);
        }
        if (next == 0) {
            continue;
        }
        const uint32_t i = next - 4;
        if (i < packed) {
            const zipped four = zip_locals(composed, x + i, y + i);
            m = pose_node(world, parents[i], i, m, spread_lane(four, 0), &changed);
            m = pose_node(world, parents[i + 1], i + 1, m, spread_lane(four, 1), &changed);
            m = pose_node(world, parents[i + 2], i + 2, m, spread_lane(four, 2), &changed);
            m = pose_node(world, parents[i + 3], i + 3, m, spread_lane(four, 3), &changed);
        } else {
            for (uint32_t lane = 0; lane < 4 && i + lane < count; lane++) {
                const uint32_t node = args->order ? args->order[i + lane] : i + lane;
                const mrwi_f32x4 linear = mrwi_set(composed[lane], composed[lane + 4], composed[lane + 8], composed[lane + 12]);
                const matrix local = { linear, mrwi_set(x[node], y[node], 0, 0) };
                changed += mrwi_int_any(put_matrix(&world[node], pose_any(args, node, local)));
            }
        }
        composed += 16;
    }
    return changed;
}

bool mrwi_pose_is_within(const float* values, size_t count, float limit)
{
    const mrwi_f32x4 most = mrwi_splat(limit);
    mrwi_i32x4 good = mrwi_int_splat(-1);
    for (size_t i = 0; i < count; i += 4) {
        good = mrwi_int_and(good, mrwi_at_most(mrwi_abs(mrwi_load(values + i)), most));
    }
    return mrwi_int_all(good);
}

bool mrwi_pose_palette(uint32_t joint_count, const int32_t* joints, const mrwi_affine2* binds, const mrwi_affine2* world,
    const mrwi_affine2* root, mrwi_affine2* palette)
{
    const matrix base = root ? load_matrix(root) : (matrix) { mrwi_set(1, 0, 0, 1), mrwi_splat(0) };
    mrwi_i32x4 difference = mrwi_int_splat(0);
    for (uint32_t j = 0; j < joint_count; j++) {
        matrix m = base;
        if (joints[j] >= 0) {
            m = multiply(load_matrix(&world[joints[j]]), spread_matrix(load_matrix(&binds[j])));
            if (root) {
                m = multiply(base, spread_matrix(m));
            }
        }
        difference = mrwi_int_or(difference, put_matrix(&palette[j], m));
    }
    return mrwi_int_any(difference);
}

#else

uint32_t mrwi_pose_world(const mrwi_pose_args* args)
{
    return mrwi_pose_world_scalar(args);
}

bool mrwi_pose_is_within(const float* values, size_t count, float limit)
{
    bool within = true;
    for (size_t i = 0; i < count; i++) {
        within = within && fabsf(values[i]) <= limit;
    }
    return within;
}

bool mrwi_pose_palette(uint32_t joint_count, const int32_t* joints, const mrwi_affine2* binds, const mrwi_affine2* world,
    const mrwi_affine2* root, mrwi_affine2* palette)
{
    return mrwi_pose_palette_scalar(joint_count, joints, binds, world, root, palette);
}

#endif
