/// 2x3 affines [a b c d e f] in f32 for the runtime; the f64 functions are public (marrow.h).
#ifndef MRWI_MATH_AFFINE2_H
#define MRWI_MATH_AFFINE2_H

#include "marrow.h"

/// Eight floats so that one matrix is two v128: (a b c d) (e f 0 0).
typedef struct mrwi_affine2 {
    float a, b, c, d, e, f, zero[2];
} mrwi_affine2;

static inline mrwi_affine2 mrwi_affine2_multiply(const mrwi_affine2* p, const mrwi_affine2* q)
{
    mrwi_affine2 r = { p->a * q->a + p->c * q->b, p->b * q->a + p->d * q->b, p->a * q->c + p->c * q->d, p->b * q->c + p->d * q->d,
        p->a * q->e + p->c * q->f + p->e, p->b * q->e + p->d * q->f + p->f, { 0, 0 } };
    return r;
}

#endif
