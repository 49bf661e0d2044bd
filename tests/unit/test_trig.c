#include "base/hash.h"
#include "check.h"
#include "math/trig.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Numerical Recipes' 64-bit generator; the upper bits are used.
static uint64_t random_state = 1;

static double random_unit(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (double)(random_state >> 11) * 0x1p-53;
}

static double random_between(double low, double high)
{
    return low + (high - low) * random_unit();
}

// Distance in units of the last place of the correctly rounded value; the reference is libm's long double.
static double ulps(double actual, long double expected)
{
    int exponent;
    frexpl(expected, &exponent);
    long double unit = ldexpl(1.0L, exponent - 53 < -1074 ? -1074 : exponent - 53);
    return (double)(fabsl((long double)actual - expected) / unit);
}

static double ulps_f32(float actual, double expected)
{
    int exponent;
    frexp(expected, &exponent);
    return fabs((double)actual - expected) / ldexp(1.0, exponent - 24 < -149 ? -149 : exponent - 24);
}

static bool is_the_nan(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits == 0x7ff8000000000000u;
}

static double worst(double a, double b)
{
    return a > b ? a : b;
}

TEST(angles_that_have_no_sine)
{
    const double table[] = { (double)INFINITY, -(double)INFINITY, (double)NAN, -(double)NAN };
    for (size_t i = 0; i < 4; i++) {
        double s, c;
        float sf, cf;
        mrwi_sincos(table[i], &s, &c);
        CHECK(is_the_nan(s) && is_the_nan(c));
        mrwi_sincosf((float)table[i], &sf, &cf);
        CHECK(sf != sf && cf != cf);
        CHECK(is_the_nan(mrwi_wrap_angle(table[i])));
        CHECK(is_the_nan(mrwi_fmod(table[i], 3)));
    }
    CHECK(is_the_nan(mrwi_fmod(1, 0)));
    CHECK(is_the_nan(mrwi_fmod(1, (double)NAN)));
    CHECK(mrwi_fmod(1, (double)INFINITY) == 1);
    CHECK(is_the_nan(mrwi_atan2((double)NAN, 1)));
    CHECK(is_the_nan(mrwi_atan2(1, (double)NAN)));
    CHECK(is_the_nan(mrwi_exp((double)NAN)));
    CHECK(is_the_nan(mrwi_log(-1)));
    CHECK(is_the_nan(mrwi_log((double)NAN)));
    CHECK(is_the_nan(mrwi_pow(-1, 3)));
    CHECK(is_the_nan(mrwi_pow(2, (double)NAN)));
}

// The four quadrants of the circle: what is exact in f64 near multiples of a quarter turn.
TEST(sincos_of_quarter_turns)
{
    const struct {
        double x, sin, cos;
    } table[] = { { 0, 0, 1 }, { 1.5707963267948966, 1, 6.123233995736766e-17 }, { 3.141592653589793, 1.2246467991473532e-16, -1 },
        { -1.5707963267948966, -1, 6.123233995736766e-17 }, { 4.71238898038469, -1, -1.8369701987210297e-16 },
        { 0.5235987755982988, 0.49999999999999994, 0.8660254037844387 } };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        double s, c;
        float sf, cf;
        mrwi_sincos(table[i].x, &s, &c);
        CHECK_NEAR(s, table[i].sin, 2.3e-16 * fabs(table[i].sin));
        CHECK_NEAR(c, table[i].cos, 2.3e-16 * fabs(table[i].cos));
        mrwi_sincosf((float)table[i].x, &sf, &cf);
        CHECK_NEAR(sf, table[i].sin, 1e-7);
        CHECK_NEAR(cf, table[i].cos, 1e-7);
    }
}

static void sincos_error(double x, double* bound)
{
    double s, c;
    mrwi_sincos(x, &s, &c);
    *bound = worst(*bound, worst(ulps(s, sinl((long double)x)), ulps(c, cosl((long double)x))));
}

static void sincosf_error(float x, double* bound)
{
    float s, c;
    mrwi_sincosf(x, &s, &c);
    *bound = worst(*bound, worst(ulps_f32(s, sin((double)x)), ulps_f32(c, cos((double)x))));
}

TEST(sincos_is_within_two_ulp)
{
    double error = 0;
    double error_f32 = 0;
    const double ranges[] = { 1e-300, 1e-8, 0.8, 7, 1e3, 1e5, 1e9 };
    for (size_t r = 0; r < sizeof ranges / sizeof ranges[0]; r++) {
        for (int i = 0; i < 10000; i++) {
            double x = random_between(-ranges[r], ranges[r]);
            sincos_error(x, &error);
            if (ranges[r] <= 1e5 && ranges[r] >= 1e-8) {
                sincosf_error((float)x, &error_f32);
            }
        }
    }
    // The hard ones: numbers next to multiples of a quarter turn.
    for (int i = 1; i < 60000; i++) {
        double x = (double)((long double)i * 1.57079632679489661923132169163975L);
        sincos_error(x, &error);
        sincos_error(nextafter(x, 0), &error);
        sincos_error(x * 10000, &error);
        sincosf_error((float)x, &error_f32);
        sincosf_error(nextafterf((float)x, 0), &error_f32);
    }
    printf("    worst: f64 %.3f ulp, f32 %.3f ulp\n", error, error_f32);
    CHECK(error < 2);
    CHECK(error_f32 < 2);
}

TEST(large_angles_stay_on_the_circle)
{
    const double table[] = { 1.0000001e9, 1e12, 1e17, -1e22, 1e300, DBL_MAX };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        double s, c;
        mrwi_sincos(table[i], &s, &c);
        CHECK_NEAR(s * s + c * c, 1, 1e-15);
    }
    const float table_f32[] = { 131072.0f, 131073.0f, -1e9f, 1e20f, FLT_MAX };
    for (size_t i = 0; i < sizeof table_f32 / sizeof table_f32[0]; i++) {
        float s, c;
        mrwi_sincosf(table_f32[i], &s, &c);
        CHECK_NEAR(s * s + c * c, 1, 5e-7);
    }
    double error = 0;
    for (int i = 0; i < 1000; i++) {
        sincosf_error((float)random_between(131072, 1e9), &error);
    }
    CHECK(error < 2);
}

TEST(atan2_follows_the_signs)
{
    const double pi = 3.141592653589793;
    const double inf = (double)INFINITY;
    const struct {
        double y, x, angle;
    } table[] = { { 0, 1, 0 }, { 0, -1, pi }, { -0.0, -1, -pi }, { 0, 0, 0 }, { 0, -0.0, pi }, { 1, 0, pi / 2 }, { -1, -0.0, -pi / 2 },
        { 1, 1, pi / 4 }, { 1, -1, 2.356194490192345 }, { -1, -1, -2.356194490192345 }, { inf, inf, pi / 4 },
        { -inf, -inf, -2.356194490192345 }, { 1, inf, 0 }, { 1, -inf, pi }, { inf, -5, pi / 2 }, { 3e-320, 3e-320, pi / 4 },
        { 1e308, 1e308, pi / 4 }, { 1e-320, 1e308, 0 } };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        CHECK(mrwi_atan2(table[i].y, table[i].x) == table[i].angle);
    }
    CHECK(signbit(mrwi_atan2(-0.0, 1)) && mrwi_atan2(-0.0, 1) == 0);
}

TEST(atan2_is_within_two_ulp)
{
    double error = 0;
    for (int i = 0; i < 100000; i++) {
        double scale = pow(10, random_between(-5, 5));
        double y = random_between(-1, 1) * scale;
        double x = random_between(-1, 1);
        error = worst(error, ulps(mrwi_atan2(y, x), atan2l((long double)y, (long double)x)));
    }
    printf("    worst: %.3f ulp\n", error);
    CHECK(error < 2);
}

TEST(exp_and_log_at_the_ends)
{
    const double inf = (double)INFINITY;
    CHECK(mrwi_exp(0) == 1);
    CHECK(mrwi_exp(-inf) == 0);
    CHECK(mrwi_exp(inf) == inf);
    CHECK(mrwi_exp(709.79) == inf);
    CHECK(mrwi_exp(-745.14) == 0);
    CHECK(mrwi_exp(-745.1) == 5e-324);
    CHECK(mrwi_exp(1e300) == inf);
    CHECK(mrwi_exp(-1e300) == 0);
    CHECK(mrwi_log(1) == 0);
    CHECK(mrwi_log(0) == -inf);
    CHECK(mrwi_log(-0.0) == -inf);
    CHECK(mrwi_log(inf) == inf);
    CHECK_NEAR(mrwi_log(5e-324), -744.4400719213812, 1e-12);
    CHECK_NEAR(mrwi_log(DBL_MAX), 709.782712893384, 1e-12);
}

TEST(exp_and_log_are_within_two_ulp)
{
    double exp_error = 0;
    double log_error = 0;
    for (int i = 0; i < 100000; i++) {
        double x = i % 2 == 0 ? random_between(-708, 709) : random_between(-1, 1);
        exp_error = worst(exp_error, ulps(mrwi_exp(x), expl((long double)x)));
        double y = i % 2 == 0 ? random_between(0.5, 2) : exp(random_between(-700, 700));
        log_error = worst(log_error, ulps(mrwi_log(y), logl((long double)y)));
    }
    printf("    worst: exp %.3f ulp, log %.3f ulp\n", exp_error, log_error);
    CHECK(exp_error < 2);
    CHECK(log_error < 2);
}

TEST(pow_of_special_arguments)
{
    const double inf = (double)INFINITY;
    const double nan = (double)NAN;
    const struct {
        double base, exponent, expected;
    } table[] = { { 0, 0, 1 }, { nan, 0, 1 }, { 1, nan, 1 }, { 0, 3, 0 }, { 0, -3, inf }, { inf, 2.5, inf }, { inf, -1, 0 }, { 5, 1, 5 },
        { 0.1, 2, 0.1 * 0.1 }, { 2, inf, inf }, { 0.5, inf, 0 }, { 2, -inf, 0 }, { 0.5, -inf, inf }, { 2, 10, 1024 }, { 3, 5, 243 },
        { 9, 0.5, 3 }, { 10, 22, 1e22 }, { 2, -1074, 5e-324 }, { 2, 1023, 0x1p1023 }, { 2, 1024, inf }, { 2, -1080, 0 }, { 7, 1e-310, 1 },
        { 1.0000000000000002, 1e300, inf }, { 5e-324, 0.5, 0x1p-537 }, { 8, 1.0 / 3.0, 2 } };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        CHECK(mrwi_pow(table[i].base, table[i].exponent) == table[i].expected);
    }
}

TEST(pow_is_within_two_ulp)
{
    double error = 0;
    for (int i = 0; i < 100000; i++) {
        double base = i % 2 == 0 ? random_between(0, 1000) : exp(random_between(-100, 100));
        double exponent = i % 3 == 0 ? random_between(-100, 100) : random_between(-3, 3);
        long double expected = powl((long double)base, (long double)exponent);
        if (expected < 1e-307L || expected > 1e307L) {
            continue;
        }
        error = worst(error, ulps(mrwi_pow(base, exponent), expected));
    }
    printf("    worst: %.3f ulp\n", error);
    CHECK(error < 2);
}

// libm's fmod is exact as well, so it must agree to the bit.
TEST(fmod_is_exact)
{
    int differing = 0;
    for (int i = 0; i < 100000; i++) {
        uint64_t bits[2];
        double numbers[2];
        for (int k = 0; k < 2; k++) {
            (void)random_unit();
            bits[k] = random_state;
            (void)random_unit();
            bits[k] ^= random_state >> 32;
            if (i % 3 == 0) {
                bits[k] = (bits[k] & 0x800fffffffffffffu) | (uint64_t)(1000 + (i + k) % 60) << 52;
            } else if (i % 5 == 0) {
                bits[k] &= 0x801fffffffffffffu;
            }
        }
        memcpy(numbers, bits, sizeof numbers);
        if (!(fabs(numbers[0]) < (double)INFINITY) || !(fabs(numbers[1]) > 0)) {
            continue;
        }
        double expected = fmod(numbers[0], numbers[1]);
        double actual = mrwi_fmod(numbers[0], numbers[1]);
        differing += memcmp(&actual, &expected, sizeof actual) != 0;
    }
    CHECK_EQ_INT(differing, 0);
    CHECK(mrwi_fmod(5.5, 2) == 1.5);
    CHECK(mrwi_fmod(-5.5, 2) == -1.5);
    CHECK(mrwi_fmod(5.5, -2) == 1.5);
    CHECK(mrwi_fmod(6, 2) == 0);
    CHECK(signbit(mrwi_fmod(-6, 2)));
}

TEST(wrap_angle_takes_the_short_way)
{
    const double pi = 3.141592653589793;
    CHECK(mrwi_wrap_angle(0.5) == 0.5);
    CHECK(mrwi_wrap_angle(pi) == pi);
    CHECK(mrwi_wrap_angle(-pi) == -pi);
    CHECK_NEAR(mrwi_wrap_angle(4), 4 - 2 * pi, 1e-15);
    CHECK_NEAR(mrwi_wrap_angle(-4), 2 * pi - 4, 1e-15);
    CHECK_NEAR(mrwi_wrap_angle(2 * pi), 0, 0);
    CHECK_NEAR(mrwi_wrap_angle(20 * pi + 1), 1, 1e-13);
    for (int i = 0; i < 1000; i++) {
        REQUIRE(fabs(mrwi_wrap_angle(random_between(-1e6, 1e6))) <= pi);
    }
}

// Equal bits on every target. The hash says nothing about being right, which the tests above do; it was taken from a debug build of
// gcc, and clang, optimised builds and WebAssembly must give the same.
TEST(results_have_the_same_bits_everywhere)
{
    random_state = 2;
    uint64_t hash = MRWI_HASH_START;
    for (int i = 0; i < 100000; i++) {
        double x = random_between(-1, 1);
        double scale = (double)(1 << (i % 20));
        double values[7];
        float values_f32[2];
        mrwi_sincos(x * scale, &values[0], &values[1]);
        mrwi_sincosf((float)(x * scale), &values_f32[0], &values_f32[1]);
        values[2] = mrwi_atan2(x, random_between(-1, 1) * scale);
        values[3] = mrwi_exp(x * (double)(i % 40));
        values[4] = mrwi_log(fabs(x) * scale);
        values[5] = mrwi_pow(fabs(x) * scale, random_between(-4, 4));
        values[6] = mrwi_wrap_angle(x * scale);
        hash = mrwi_hash(hash, values, sizeof values);
        hash = mrwi_hash(hash, values_f32, sizeof values_f32);
    }
    CHECK(hash == 0x201b3e85c85d161bu);
}
