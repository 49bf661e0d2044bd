/// Own trigonometry: the same bits on every target, since libms differ. f64 within 2 ulp, f32 within 2 ulp, for |x| up to
/// 1e5 (f32) and 1e9 (f64); larger and non-finite arguments are reduced as well as the format allows and never trap.
#ifndef MRWI_MATH_TRIG_H
#define MRWI_MATH_TRIG_H

void mrwi_sincos(double x, double* out_sin, double* out_cos);
void mrwi_sincosf(float x, float* out_sin, float* out_cos);
double mrwi_atan2(double y, double x);
double mrwi_exp(double x);
double mrwi_log(double x);
/// base >= 0.
double mrwi_pow(double base, double exponent);
/// IEEE remainder towards zero (fmod), and x wrapped into [-pi, pi].
double mrwi_fmod(double x, double y);
double mrwi_wrap_angle(double x);

#endif
