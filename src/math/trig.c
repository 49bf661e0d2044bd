#include "math/trig.h"

#include <math.h>

#define PI 0x1.921fb54442d18p+1
#define PI_REST 0x1.1a62633145c07p-53
#define HALF_PI 0x1.921fb54442d18p+0
#define HALF_PI_REST 0x1.1a62633145c07p-54
#define TWO_PI 0x1.921fb54442d18p+2
#define TWO_OVER_PI 0x1.45f306dc9c883p-1

// Beyond this the argument is first taken modulo the double next to two pi.
#define SINCOS_LIMIT 1e9

static void choose(double s, double c, int32_t quadrant, double* out_sin, double* out_cos)
{
    double sin = quadrant & 1 ? c : s;
    double cos = quadrant & 1 ? s : c;
    *out_sin = quadrant & 2 ? -sin : sin;
    *out_cos = (quadrant + 1) & 2 ? -cos : cos;
}

// a + b in two doubles, exactly (Knuth).
static double two_sum(double a, double b, double* rest)
{
    double sum = a + b;
    double part = sum - a;
    *rest = (a - (sum - part)) + (b - part);
    return sum;
}

// x - n * pi/2 as high + low, within 2^-110. Pi/2 is cut into pieces of 23 bits, so that products with an n of 30 bits are exact.
static double reduce(double x, double n, double* low)
{
    static const double pieces[4] = { 0x1.921fb4p+0, 0x1.4442dp-24, 0x1.846988p-48, 0x1.8cc514p-72 };
    double high = x - n * pieces[0];
    double rest = 0;
    for (int i = 1; i < 4; i++) {
        double error;
        high = two_sum(high, -(n * pieces[i]), &error);
        rest += error;
    }
    rest -= n * 0x1.80dc1cd129025p-95;
    return two_sum(high, rest, low);
}

void mrwi_sincos(double x, double* out_sin, double* out_cos)
{
    if (!(fabs(x) <= SINCOS_LIMIT)) {
        if (!(fabs(x) < INFINITY)) {
            *out_sin = (double)NAN;
            *out_cos = (double)NAN;
            return;
        }
        x = mrwi_fmod(x, TWO_PI);
    }
    double n = rint(x * TWO_OVER_PI);
    double low;
    double r = reduce(x, n, &low);
    double z = r * r;
    // Minimax on |r| <= pi/4: 2^-57.9 and 2^-63.9.
    double p = ((((0x1.5d8b5575c8492p-33 * z - 0x1.ae5e4b8391c5ep-26) * z + 0x1.71de35552b06cp-19) * z - 0x1.a01a019be9214p-13) * z
                   + 0x1.111111110f730p-7)
            * z
        - 0x1.5555555555548p-3;
    double q = ((((-0x1.8fa65ee7b3b40p-37 * z + 0x1.1ee9db8eae29bp-29) * z - 0x1.27e4f7f141896p-22) * z + 0x1.a01a019c8ed0cp-16) * z
                   - 0x1.6c16c16c15013p-10)
            * z
        + 0x1.555555555554bp-5;
    double half = 0.5 * z;
    // sin(r + low) = sin(r) + low cos(r), cos(r + low) = cos(r) - low sin(r); `1 - half` is followed by what it rounded away.
    double s = r + (r * z * p + low * (1.0 - half));
    double big = 1.0 - half;
    double c = big + (((1.0 - big) - half) + (z * z * q - r * low));
    choose(s, c, (int32_t)n, out_sin, out_cos);
}

void mrwi_sincosf(float x, float* out_sin, float* out_cos)
{
    double sin, cos;
    if (fabsf(x) <= MRWI_SINCOSF_LIMIT) {
        float n = rintf(x * MRWI_SINCOSF_TWO_OVER_PI);
        float r = (float)(((double)x - (double)n * MRWI_SINCOSF_HALF_PI_HIGH) - (double)n * MRWI_SINCOSF_HALF_PI_LOW);
        float z = r * r;
        float s = r + (r * z) * ((MRWI_SINCOSF_S3 * z + MRWI_SINCOSF_S2) * z + MRWI_SINCOSF_S1);
        float c = (1.0f - 0.5f * z) + (z * z) * ((MRWI_SINCOSF_C3 * z + MRWI_SINCOSF_C2) * z + MRWI_SINCOSF_C1);
        choose((double)s, (double)c, (int32_t)n, &sin, &cos);
    } else {
        mrwi_sincos((double)x, &sin, &cos);
    }
    *out_sin = (float)sin;
    *out_cos = (float)cos;
}

// atan(small / large) for 0 <= small <= large, both finite and far from the ends of the range, as high + low.
static double arctangent(double small, double large, double* low)
{
    // atan(t) = atan(k) + atan((t - k) / (1 + k t)) with the k that leaves an argument below 0.19.
    static const double angles[4][2] = { { 0, 0 }, { 0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57 },
        { 0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56 }, { 0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55 } };
    static const double tangents[4] = { 0, 0.25, 0.5, 1 };
    int i = small * 8 < large ? 0 : small * 8 < large * 3 ? 1 : small * 16 < large * 11 ? 2 : 3;
    double u = (small - tangents[i] * large) / (large + tangents[i] * small);
    double z = u * u;
    // Minimax on |u| <= 0.1876: 2^-67.
    double p = (((((((-0x1.264d0f6325c1bp-5 * z + 0x1.d1b2bed2e3612p-5) * z - 0x1.10982ab01e15dp-4) * z + 0x1.3b0fb2924a2f8p-4) * z
                      - 0x1.745d033b5e9fcp-4)
                         * z
                     + 0x1.c71c718bdabfdp-4)
                        * z
                    - 0x1.249249246182cp-3)
                       * z
                   + 0x1.999999999972ap-3)
            * z
        - 0x1.5555555555555p-2;
    double error;
    double high = two_sum(angles[i][0], u, &error);
    *low = error + (u * z * p + angles[i][1]);
    return high;
}

double mrwi_atan2(double y, double x)
{
    if (x != x || y != y) {
        return (double)NAN;
    }
    double across = fabs(x);
    double up = fabs(y);
    if (across == INFINITY && up == INFINITY) {
        across = 1;
        up = 1;
    }
    double large = across > up ? across : up;
    double small = across > up ? up : across;
    double high = 0;
    double low = 0;
    if (small > 0 && large < INFINITY) {
        // Away from overflow and from subnormal numbers; a power of two changes no bit of the quotient.
        double scale = large > 0x1p1000 ? 0x1p-100 : large < 0x1p-900 ? 0x1p100 : 1;
        high = arctangent(small * scale, large * scale, &low);
    }
    if (up > across) {
        low = HALF_PI_REST - low;
        high = two_sum(HALF_PI, -high, &small);
        low += small;
    }
    if (signbit(x)) {
        low = PI_REST - low;
        high = two_sum(PI, -high, &small);
        low += small;
    }
    double angle = high + low;
    return copysign(angle, y);
}

double mrwi_fmod(double x, double y)
{
    double rest = fabs(x);
    double divisor = fabs(y);
    if (!(rest < INFINITY) || !(divisor > 0)) {
        return (double)NAN;
    }
    if (rest < divisor) {
        return x;
    }
    // Long division: the steps are the divisor times powers of two, and no difference rounds, since its numbers are at most a factor
    // of two apart.
    double step = divisor;
    while (step <= 0.5 * rest) {
        step *= 2;
    }
    for (; step >= divisor; step *= 0.5) {
        if (rest >= step) {
            rest -= step;
        }
    }
    return copysign(rest, x);
}

double mrwi_wrap_angle(double x)
{
    double angle = mrwi_fmod(x, TWO_PI);
    if (angle > PI) {
        angle -= TWO_PI;
    } else if (angle < -PI) {
        angle += TWO_PI;
    }
    return angle;
}
