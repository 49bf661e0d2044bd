/// Four lanes of f32 over WebAssembly SIMD and SSE4.1: only operations that give equal bits on both. There when MRW_SIMD is set;
/// without it a build takes the plain C twins of the kernels.
#ifndef MRWI_BASE_SIMD_H
#define MRWI_BASE_SIMD_H

/// Inlined in every build: for what is small and called a lot, and for kernel bodies that are written once for several constant
/// arguments.
#define MRWI_INLINE static inline __attribute__((always_inline))

#if MRW_SIMD

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// One operation a line, so that the two halves can be compared.
// clang-format off

#ifdef __wasm_simd128__

#include <wasm_simd128.h>

typedef v128_t mrwi_f32x4;
typedef v128_t mrwi_i32x4;
typedef v128_t mrwi_f64x2;

MRWI_INLINE mrwi_f32x4 mrwi_load(const float* from) { return wasm_v128_load(from); }
MRWI_INLINE void mrwi_store(float* to, mrwi_f32x4 v) { wasm_v128_store(to, v); }
/// p q 0 0
MRWI_INLINE mrwi_f32x4 mrwi_load_low(const float* from) { return wasm_v128_load64_zero(from); }
MRWI_INLINE void mrwi_store_low(float* to, mrwi_f32x4 v) { wasm_v128_store64_lane(to, v, 0); }
/// p q p q
MRWI_INLINE mrwi_f32x4 mrwi_load_pair(const float* from) { return wasm_v128_load64_splat(from); }
MRWI_INLINE mrwi_f32x4 mrwi_splat(float value) { return wasm_f32x4_splat(value); }
MRWI_INLINE mrwi_f32x4 mrwi_set(float p, float q, float r, float s) { return wasm_f32x4_make(p, q, r, s); }

MRWI_INLINE mrwi_f32x4 mrwi_add(mrwi_f32x4 p, mrwi_f32x4 q) { return wasm_f32x4_add(p, q); }
MRWI_INLINE mrwi_f32x4 mrwi_sub(mrwi_f32x4 p, mrwi_f32x4 q) { return wasm_f32x4_sub(p, q); }
MRWI_INLINE mrwi_f32x4 mrwi_mul(mrwi_f32x4 p, mrwi_f32x4 q) { return wasm_f32x4_mul(p, q); }
MRWI_INLINE mrwi_f32x4 mrwi_abs(mrwi_f32x4 v) { return wasm_f32x4_abs(v); }
/// To the nearest integer, ties to even.
MRWI_INLINE mrwi_f32x4 mrwi_round(mrwi_f32x4 v) { return wasm_f32x4_nearest(v); }
/// All bits of a lane where p <= q.
MRWI_INLINE mrwi_i32x4 mrwi_at_most(mrwi_f32x4 p, mrwi_f32x4 q) { return wasm_f32x4_le(p, q); }

/// v0 v0 v2 v2 and v1 v1 v3 v3
MRWI_INLINE mrwi_f32x4 mrwi_even(mrwi_f32x4 v) { return wasm_i32x4_shuffle(v, v, 0, 0, 2, 2); }
MRWI_INLINE mrwi_f32x4 mrwi_odd(mrwi_f32x4 v) { return wasm_i32x4_shuffle(v, v, 1, 1, 3, 3); }
/// p0 q0 p1 q1 and p2 q2 p3 q3
MRWI_INLINE mrwi_f32x4 mrwi_zip_low(mrwi_f32x4 p, mrwi_f32x4 q) { return wasm_i32x4_shuffle(p, q, 0, 4, 1, 5); }
MRWI_INLINE mrwi_f32x4 mrwi_zip_high(mrwi_f32x4 p, mrwi_f32x4 q) { return wasm_i32x4_shuffle(p, q, 2, 6, 3, 7); }
/// p0 p1 q0 q1 and p2 p3 q2 q3
MRWI_INLINE mrwi_f32x4 mrwi_join_low(mrwi_f32x4 p, mrwi_f32x4 q) { return wasm_i64x2_shuffle(p, q, 0, 2); }
MRWI_INLINE mrwi_f32x4 mrwi_join_high(mrwi_f32x4 p, mrwi_f32x4 q) { return wasm_i64x2_shuffle(p, q, 1, 3); }
/// p0 p2 q0 q2
MRWI_INLINE mrwi_f32x4 mrwi_evens(mrwi_f32x4 p, mrwi_f32x4 q) { return wasm_i32x4_shuffle(p, q, 0, 2, 4, 6); }
/// p0 q1 p2 q3
MRWI_INLINE mrwi_f32x4 mrwi_mix(mrwi_f32x4 p, mrwi_f32x4 q) { return wasm_i32x4_shuffle(p, q, 0, 5, 2, 7); }

MRWI_INLINE mrwi_i32x4 mrwi_bits(mrwi_f32x4 v) { return v; }
MRWI_INLINE mrwi_f32x4 mrwi_from_bits(mrwi_i32x4 v) { return v; }
MRWI_INLINE mrwi_i32x4 mrwi_int_splat(int32_t value) { return wasm_i32x4_splat(value); }
MRWI_INLINE mrwi_i32x4 mrwi_int_add(mrwi_i32x4 p, mrwi_i32x4 q) { return wasm_i32x4_add(p, q); }
MRWI_INLINE mrwi_i32x4 mrwi_int_and(mrwi_i32x4 p, mrwi_i32x4 q) { return wasm_v128_and(p, q); }
MRWI_INLINE mrwi_i32x4 mrwi_int_or(mrwi_i32x4 p, mrwi_i32x4 q) { return wasm_v128_or(p, q); }
MRWI_INLINE mrwi_i32x4 mrwi_int_xor(mrwi_i32x4 p, mrwi_i32x4 q) { return wasm_v128_xor(p, q); }
/// All bits of a lane where p == q.
MRWI_INLINE mrwi_i32x4 mrwi_int_equal(mrwi_i32x4 p, mrwi_i32x4 q) { return wasm_i32x4_eq(p, q); }
/// `count` is a constant.
#define mrwi_int_shift_left(v, count) wasm_i32x4_shl(v, count)
/// Whether any bit is set, whether no lane is 0.
MRWI_INLINE bool mrwi_int_any(mrwi_i32x4 v) { return wasm_v128_any_true(v); }
MRWI_INLINE bool mrwi_int_all(mrwi_i32x4 v) { return wasm_i32x4_all_true(v); }
/// Where all bits of a lane of `mask` are set p, where none is q.
MRWI_INLINE mrwi_f32x4 mrwi_select(mrwi_i32x4 mask, mrwi_f32x4 p, mrwi_f32x4 q) { return wasm_v128_bitselect(p, q, mask); }

/// The two low, the two high lanes; and back.
MRWI_INLINE mrwi_f64x2 mrwi_double_low(mrwi_f32x4 v) { return wasm_f64x2_promote_low_f32x4(v); }
MRWI_INLINE mrwi_f64x2 mrwi_double_high(mrwi_f32x4 v) { return wasm_f64x2_promote_low_f32x4(wasm_i64x2_shuffle(v, v, 1, 1)); }
MRWI_INLINE mrwi_f32x4 mrwi_single(mrwi_f64x2 low, mrwi_f64x2 high) { return mrwi_join_low(wasm_f32x4_demote_f64x2_zero(low), wasm_f32x4_demote_f64x2_zero(high)); }
MRWI_INLINE mrwi_f64x2 mrwi_double_splat(double value) { return wasm_f64x2_splat(value); }
MRWI_INLINE mrwi_f64x2 mrwi_double_sub(mrwi_f64x2 p, mrwi_f64x2 q) { return wasm_f64x2_sub(p, q); }
MRWI_INLINE mrwi_f64x2 mrwi_double_mul(mrwi_f64x2 p, mrwi_f64x2 q) { return wasm_f64x2_mul(p, q); }

#else

#include <smmintrin.h>

typedef __m128 mrwi_f32x4;
typedef __m128i mrwi_i32x4;
typedef __m128d mrwi_f64x2;

MRWI_INLINE double mrwi_pair_bits(const float* from)
{
    double pair;
    memcpy(&pair, from, sizeof(pair));
    return pair;
}

MRWI_INLINE mrwi_f32x4 mrwi_load(const float* from) { return _mm_loadu_ps(from); }
MRWI_INLINE void mrwi_store(float* to, mrwi_f32x4 v) { _mm_storeu_ps(to, v); }
MRWI_INLINE mrwi_f32x4 mrwi_load_low(const float* from) { return _mm_castpd_ps(_mm_set_sd(mrwi_pair_bits(from))); }
MRWI_INLINE void mrwi_store_low(float* to, mrwi_f32x4 v) { _mm_storel_pi((__m64*)(void*)to, v); }
MRWI_INLINE mrwi_f32x4 mrwi_load_pair(const float* from) { return _mm_castpd_ps(_mm_set1_pd(mrwi_pair_bits(from))); }
MRWI_INLINE mrwi_f32x4 mrwi_splat(float value) { return _mm_set1_ps(value); }
MRWI_INLINE mrwi_f32x4 mrwi_set(float p, float q, float r, float s) { return _mm_setr_ps(p, q, r, s); }

MRWI_INLINE mrwi_f32x4 mrwi_add(mrwi_f32x4 p, mrwi_f32x4 q) { return _mm_add_ps(p, q); }
MRWI_INLINE mrwi_f32x4 mrwi_sub(mrwi_f32x4 p, mrwi_f32x4 q) { return _mm_sub_ps(p, q); }
MRWI_INLINE mrwi_f32x4 mrwi_mul(mrwi_f32x4 p, mrwi_f32x4 q) { return _mm_mul_ps(p, q); }
MRWI_INLINE mrwi_f32x4 mrwi_abs(mrwi_f32x4 v) { return _mm_andnot_ps(_mm_set1_ps(-0.0f), v); }
MRWI_INLINE mrwi_f32x4 mrwi_round(mrwi_f32x4 v) { return _mm_round_ps(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
MRWI_INLINE mrwi_i32x4 mrwi_at_most(mrwi_f32x4 p, mrwi_f32x4 q) { return _mm_castps_si128(_mm_cmple_ps(p, q)); }

MRWI_INLINE mrwi_f32x4 mrwi_even(mrwi_f32x4 v) { return _mm_moveldup_ps(v); }
MRWI_INLINE mrwi_f32x4 mrwi_odd(mrwi_f32x4 v) { return _mm_movehdup_ps(v); }
MRWI_INLINE mrwi_f32x4 mrwi_zip_low(mrwi_f32x4 p, mrwi_f32x4 q) { return _mm_unpacklo_ps(p, q); }
MRWI_INLINE mrwi_f32x4 mrwi_zip_high(mrwi_f32x4 p, mrwi_f32x4 q) { return _mm_unpackhi_ps(p, q); }
MRWI_INLINE mrwi_f32x4 mrwi_join_low(mrwi_f32x4 p, mrwi_f32x4 q) { return _mm_movelh_ps(p, q); }
MRWI_INLINE mrwi_f32x4 mrwi_join_high(mrwi_f32x4 p, mrwi_f32x4 q) { return _mm_movehl_ps(q, p); }
MRWI_INLINE mrwi_f32x4 mrwi_evens(mrwi_f32x4 p, mrwi_f32x4 q) { return _mm_shuffle_ps(p, q, _MM_SHUFFLE(2, 0, 2, 0)); }
MRWI_INLINE mrwi_f32x4 mrwi_mix(mrwi_f32x4 p, mrwi_f32x4 q) { return _mm_blend_ps(p, q, 10); }

MRWI_INLINE mrwi_i32x4 mrwi_bits(mrwi_f32x4 v) { return _mm_castps_si128(v); }
MRWI_INLINE mrwi_f32x4 mrwi_from_bits(mrwi_i32x4 v) { return _mm_castsi128_ps(v); }
MRWI_INLINE mrwi_i32x4 mrwi_int_splat(int32_t value) { return _mm_set1_epi32(value); }
MRWI_INLINE mrwi_i32x4 mrwi_int_add(mrwi_i32x4 p, mrwi_i32x4 q) { return _mm_add_epi32(p, q); }
MRWI_INLINE mrwi_i32x4 mrwi_int_and(mrwi_i32x4 p, mrwi_i32x4 q) { return _mm_and_si128(p, q); }
MRWI_INLINE mrwi_i32x4 mrwi_int_or(mrwi_i32x4 p, mrwi_i32x4 q) { return _mm_or_si128(p, q); }
MRWI_INLINE mrwi_i32x4 mrwi_int_xor(mrwi_i32x4 p, mrwi_i32x4 q) { return _mm_xor_si128(p, q); }
MRWI_INLINE mrwi_i32x4 mrwi_int_equal(mrwi_i32x4 p, mrwi_i32x4 q) { return _mm_cmpeq_epi32(p, q); }
#define mrwi_int_shift_left(v, count) _mm_slli_epi32(v, count)
MRWI_INLINE bool mrwi_int_any(mrwi_i32x4 v) { return _mm_testz_si128(v, v) == 0; }
MRWI_INLINE bool mrwi_int_all(mrwi_i32x4 v) { return _mm_testz_si128(_mm_cmpeq_epi32(v, _mm_setzero_si128()), _mm_set1_epi32(-1)) != 0; }
MRWI_INLINE mrwi_f32x4 mrwi_select(mrwi_i32x4 mask, mrwi_f32x4 p, mrwi_f32x4 q) { return _mm_blendv_ps(q, p, _mm_castsi128_ps(mask)); }

MRWI_INLINE mrwi_f64x2 mrwi_double_low(mrwi_f32x4 v) { return _mm_cvtps_pd(v); }
MRWI_INLINE mrwi_f64x2 mrwi_double_high(mrwi_f32x4 v) { return _mm_cvtps_pd(_mm_movehl_ps(v, v)); }
MRWI_INLINE mrwi_f32x4 mrwi_single(mrwi_f64x2 low, mrwi_f64x2 high) { return _mm_movelh_ps(_mm_cvtpd_ps(low), _mm_cvtpd_ps(high)); }
MRWI_INLINE mrwi_f64x2 mrwi_double_splat(double value) { return _mm_set1_pd(value); }
MRWI_INLINE mrwi_f64x2 mrwi_double_sub(mrwi_f64x2 p, mrwi_f64x2 q) { return _mm_sub_pd(p, q); }
MRWI_INLINE mrwi_f64x2 mrwi_double_mul(mrwi_f64x2 p, mrwi_f64x2 q) { return _mm_mul_pd(p, q); }

#endif
#endif
#endif
