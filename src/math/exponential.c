#include "math/trig.h"

#include <math.h>
#include <string.h>

#define LN2_HIGH 0x1.62e42fefa38p-1 // 42 bits, so that its product with an exponent is exact
#define LN2_LOW 0x1.ef35793c7673p-45
#define ONE_OVER_LN2 0x1.71547652b82fep+0

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// 2^n for a normal result.
static double power_of_two(int n)
{
    return double_of((uint64_t)(n + 1023) << 52);
}

// exp(high + low), |low| far below |high|.
static double exp_of_sum(double high, double low)
{
    if (high != high) {
        return (double)NAN;
    }
    if (high > 710) {
        return INFINITY;
    }
    if (high < -746) {
        return 0;
    }
    double n = rint(high * ONE_OVER_LN2);
    double r = high - n * LN2_HIGH;
    double rest = low - n * LN2_LOW;
    double whole = r + rest;
    rest += r - whole;
    // exp(r) = 1 + r + r^2 p(r), minimax on |r| <= ln(2) / 2: 2^-56.2.
    double p
        = ((((((((0x1.af63a06ec766ep-26 * whole + 0x1.2891d676885b5p-22) * whole + 0x1.71ddf6757d7e1p-19) * whole + 0x1.a019b8c8be1fbp-16)
                      * whole
                  + 0x1.a01a01b02246cp-13)
                     * whole
                 + 0x1.6c16c1789d8a0p-10)
                    * whole
                + 0x1.111111110f7d5p-7)
                   * whole
               + 0x1.5555555553d35p-5)
                  * whole
              + 0x1.5555555555558p-3)
            * whole
        + 0x1.0000000000001p-1;
    double sum = 1.0 + whole;
    double lost = whole - (sum - 1.0);
    double value = sum + (lost + (rest + whole * whole * p));
    // Two steps, since 2^n alone may overflow or be subnormal when the product is neither.
    int exponent = (int)n;
    int half = exponent / 2;
    return value * power_of_two(half) * power_of_two(exponent - half);
}

double mrwi_exp(double x)
{
    return exp_of_sum(x, 0);
}

// x = 2^k * m with m in [sqrt(1/2), sqrt(2)), for a positive finite x.
static double normalise(double x, double* exponent)
{
    int shift = 0;
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        shift = 54;
    }
    uint64_t bits = bits_of(x);
    int k = (int)(bits >> 52) - 1023;
    double m = double_of((bits & 0xfffffffffffffu) | 0x3ff0000000000000u);
    if (m >= 0x1.6a09e667f3bcdp+0) {
        m *= 0.5;
        k++;
    }
    *exponent = k - shift;
    return m;
}

double mrwi_log(double x)
{
    if (!(x >= 0)) {
        return (double)NAN;
    }
    if (x == 0 || x == INFINITY) {
        return x == 0 ? -INFINITY : x;
    }
    double k;
    double f = normalise(x, &k) - 1.0;
    // log(1 + f) = f - (f^2/2 - s (f^2/2 + R)) with s = f / (2 + f) and R = 2 atanh(s) / s - 2, minimax: 2^-58.5.
    double s = f / (2.0 + f);
    double z = s * s;
    double p = ((((((0x1.2f043204d3a71p-3 * z + 0x1.39a1de2d0c1f8p-3) * z + 0x1.74663d48b008ap-3) * z + 0x1.c71c5212e134ep-3) * z
                     + 0x1.24924941e2aa4p-2)
                        * z
                    + 0x1.999999997ff0bp-2)
                       * z
                   + 0x1.5555555555592p-1)
        * z;
    double half = 0.5 * f * f;
    return k * LN2_HIGH - ((half - (s * (half + p) + k * LN2_LOW)) - f);
}

typedef struct pair {
    double high, low;
} pair;

static pair sum(double a, double b)
{
    double high = a + b;
    double part = high - a;
    return (pair) { high, (a - (high - part)) + (b - part) };
}

// a * b exactly: the factors are cut in halves of 26 bits (Dekker).
static pair product(double a, double b)
{
    double cut = 134217729.0 * a;
    double a_high = cut - (cut - a);
    double a_low = a - a_high;
    cut = 134217729.0 * b;
    double b_high = cut - (cut - b);
    double b_low = b - b_high;
    double high = a * b;
    return (pair) { high, ((a_high * b_high - high) + a_high * b_low + a_low * b_high) + a_low * b_low };
}

static pair multiply(pair a, pair b)
{
    pair result = product(a.high, b.high);
    result.low += a.high * b.low + a.low * b.high;
    return sum(result.high, result.low);
}

static pair add(pair a, pair b)
{
    pair result = sum(a.high, b.high);
    result.low += a.low + b.low;
    return sum(result.high, result.low);
}

// log(x) within 2^-65: 2 s + 2/3 s^3 in two doubles, the rest of the series of 2 atanh(s) in one.
static pair log_pair(double x)
{
    double k;
    double m = normalise(x, &k);
    double f = m - 1.0;
    pair denominator = sum(m, 1.0);
    double quotient = f / denominator.high;
    pair back = product(quotient, denominator.high);
    double rest = (((f - back.high) - back.low) - quotient * denominator.low) / denominator.high;
    pair s = sum(quotient, rest);
    pair z = multiply(s, s);
    double q = z.high;
    // Minimax of (2 atanh(s) - 2 s - 2/3 s^3) / s^5: 2^-73.
    double p = ((((((0x1.eac61ff826a6ep-4 * q + 0x1.de3d66558aebep-4) * q + 0x1.11206f63edb5fp-3) * q + 0x1.3b1364c834b64p-3) * q
                     + 0x1.745d18295938bp-3)
                        * q
                    + 0x1.c71c71c5968cfp-3)
                       * q
                   + 0x1.2492492492f51p-2)
            * q
        + 0x1.9999999999996p-2;
    pair factor = { 0x1.5555555555555p-1, 0x1.5555555555555p-55 }; // 2/3
    pair cubic = multiply(multiply(s, z), factor);
    cubic.low += s.high * q * q * p;
    pair value = add((pair) { 2 * s.high, 2 * s.low }, cubic);
    return add((pair) { k * LN2_HIGH, k * LN2_LOW }, value);
}

double mrwi_pow(double base, double exponent)
{
    if (exponent == 0 || base == 1) {
        return 1;
    }
    if (!(base >= 0) || exponent != exponent) {
        return (double)NAN;
    }
    if (exponent == 1) {
        return base;
    }
    if (exponent == 2) {
        return base * base;
    }
    if (base == 0 || base == INFINITY) {
        return (base == 0) == (exponent > 0) ? 0 : INFINITY;
    }
    pair logarithm = log_pair(base);
    double size = logarithm.high * exponent;
    if (!(fabs(size) < 1000)) {
        return size > 0 ? INFINITY : 0;
    }
    if (fabs(exponent) < 0x1p-900) {
        return 1; // also keeps the halves of the exact product from being subnormal
    }
    pair power = multiply(logarithm, (pair) { exponent, 0 });
    return exp_of_sum(power.high, power.low);
}
