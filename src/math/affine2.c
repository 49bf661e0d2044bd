#include "math/affine2.h"

#include "math/trig.h"

#include <math.h>
#include <string.h>

void mrw_affine2_compose(double x, double y, double rotation, double scale_x, double scale_y, double out[6])
{
    double sin, cos;
    mrwi_sincos(rotation, &sin, &cos);
    out[0] = cos * scale_x;
    out[1] = sin * scale_x;
    out[2] = -sin * scale_y;
    out[3] = cos * scale_y;
    out[4] = x;
    out[5] = y;
}

void mrw_affine2_multiply(const double a[6], const double b[6], double out[6])
{
    double product[6];
    for (int column = 0; column < 6; column += 2) {
        product[column] = a[0] * b[column] + a[2] * b[column + 1];
        product[column + 1] = a[1] * b[column] + a[3] * b[column + 1];
    }
    product[4] += a[4];
    product[5] += a[5];
    memcpy(out, product, sizeof product);
}

void mrw_affine2_invert(const double a[6], double out[6])
{
    double determinant = a[0] * a[3] - a[1] * a[2];
    double scale = 1 / determinant;
    if (!(fabs(determinant) < INFINITY) || !(fabs(scale) < INFINITY)) {
        const double identity[6] = { 1, 0, 0, 1, 0, 0 };
        memcpy(out, identity, sizeof identity);
        return;
    }
    const double inverse[6] = {
        a[3] * scale,
        -a[1] * scale,
        -a[2] * scale,
        a[0] * scale,
        (a[2] * a[5] - a[3] * a[4]) * scale,
        (a[1] * a[4] - a[0] * a[5]) * scale,
    };
    memcpy(out, inverse, sizeof inverse);
}

void mrw_affine2_remove_scale(const double a[6], double out[6])
{
    double first = sqrt(a[0] * a[0] + a[1] * a[1]);
    double second = sqrt(a[2] * a[2] + a[3] * a[3]);
    // A zero column stays as it is.
    first = first > 0 ? first : 1;
    second = second > 0 ? second : 1;
    const double result[6] = { a[0] / first, a[1] / first, a[2] / second, a[3] / second, a[4], a[5] };
    memcpy(out, result, sizeof result);
}
