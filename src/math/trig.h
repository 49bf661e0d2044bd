/// Own trigonometry: the same bits on every target, since libms differ. f64 within 2 ulp, f32 within 2 ulp, for |x| up to
/// 1e5 (f32) and 1e9 (f64); larger arguments are reduced as well as the format allows. Nothing traps: where a result has no value
/// (an infinite angle, a NaN anywhere, the logarithm of a negative number) it is one NaN, the positive quiet one.
#ifndef MRWI_MATH_TRIG_H
#define MRWI_MATH_TRIG_H

#include "marrow.h"

/// The definition of mrwi_sincosf, which SIMD twins follow operation by operation. `f32` and `f64` say where an operation rounds;
/// none is fused.
///     if not |x| <= MRWI_SINCOSF_LIMIT:  this lane takes the scalar function (large, infinite, NaN)
///     n = rint(x * MRWI_SINCOSF_TWO_OVER_PI)                                  f32, ties to even; q = n as an integer
///     r = (x - n * MRWI_SINCOSF_HALF_PI_HIGH) - n * MRWI_SINCOSF_HALF_PI_LOW  f64 (the first product is exact), then rounded to f32
///     z = r * r                                                               f32 from here on
///     s = r + (r * z) * ((MRWI_SINCOSF_S3 * z + MRWI_SINCOSF_S2) * z + MRWI_SINCOSF_S1)
///     c = (1 - 0.5 * z) + (z * z) * ((MRWI_SINCOSF_C3 * z + MRWI_SINCOSF_C2) * z + MRWI_SINCOSF_C1)
///     sin = q & 1 ? c : s, its sign bit flipped if q & 2;  cos = q & 1 ? s : c, its sign bit flipped if (q + 1) & 2
/// The reduction is in f64, because three f32 constants leave an error of 1e-9, which is many ulp near a multiple of pi. The
/// polynomials are minimax fits on |r| <= 0.8 (2^-27.7 and 2^-32.6).
#define MRWI_SINCOSF_LIMIT 131072.0f
#define MRWI_SINCOSF_TWO_OVER_PI 0x1.45f306p-1f
#define MRWI_SINCOSF_HALF_PI_HIGH 0x1.921fb5444p+0 // 36 bits, so that its product with a 17-bit n is exact
#define MRWI_SINCOSF_HALF_PI_LOW 0x1.68c234c4c6629p-39
#define MRWI_SINCOSF_S1 -0x1.555544p-3f
#define MRWI_SINCOSF_S2 0x1.1106aep-7f
#define MRWI_SINCOSF_S3 -0x1.990f92p-13f
#define MRWI_SINCOSF_C1 0x1.555548p-5f
#define MRWI_SINCOSF_C2 -0x1.6c0af4p-10f
#define MRWI_SINCOSF_C3 0x1.99911cp-16f

void mrwi_sincos(double x, double* out_sin, double* out_cos);
void mrwi_sincosf(float x, float* out_sin, float* out_cos);
/// As in C for zeros and infinities.
double mrwi_atan2(double y, double x);
double mrwi_exp(double x);
double mrwi_log(double x);
/// base >= 0; exponents 0, 1 and 2 are exact up to the last rounding.
double mrwi_pow(double base, double exponent);
/// IEEE remainder towards zero (fmod, exact), and x wrapped into [-pi, pi].
double mrwi_fmod(double x, double y);
double mrwi_wrap_angle(double x);

#endif
