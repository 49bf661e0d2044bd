#include "check.h"
#include "io/number.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t random_state = 1;

static uint64_t random_bits(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return random_state >> 32;
}

static double read(const char* text)
{
    return mrwi_number_read(&text, text + strlen(text));
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

// Middles between two doubles, ends of the range, numbers other readers are known to hang on or round wrongly.
TEST(reading_rounds_correctly)
{
    const struct {
        const char* text;
        double value;
    } table[] = {
        { "0", 0 },
        { "-0", -0.0 },
        { "-0.0e-5", -0.0 },
        { "0e999999999999999999999", 0 },
        { "12.5", 12.5 },
        { "-12.5e+1", -125 },
        { "0.1", 0x1.999999999999ap-4 },
        { "1e23", 0x1.52d02c7e14af6p+76 },
        { "8.5e22", 8.5e22 },
        { "9007199254740993", 0x1p53 },
        { "9007199254740993.0000000000000000000000000000000000001", 0x1.0000000000001p53 },
        { "9007199254740995", 0x1.0000000000002p53 },
        { "2.2250738585072011e-308", 0x0.fffffffffffffp-1022 },
        { "2.2250738585072012e-308", 0x1p-1022 },
        { "2.2250738585072014e-308", 0x1p-1022 },
        { "4.9406564584124654e-324", 0x1p-1074 },
        { "2.4703282292062327e-324", 0 },
        { "2.4703282292062328e-324", 0x1p-1074 },
        { "1.7976931348623157e308", DBL_MAX },
        { "1.7976931348623158e308", DBL_MAX },
        { "1.7976931348623159e308", (double)INFINITY },
        { "1e999", (double)INFINITY },
        { "-1e99999999999999999999", -(double)INFINITY },
        { "1e-99999999999999999999", 0 },
        { "-1e-400", -0.0 },
        { "123456789012345678901234567890", 0x1.8ee90ff6c373ep+96 },
        { "0.000001", 1e-6 },
        { "7.2057594037927933e16", 0x1p56 },
        { "6.631236846766476e-316", 0x1p-1047 },
        { "5.445618932859895e-255", 0x1.47108a09127p-845 },
        { "6.9294956446009195e15", 0x1.89e56ee5e7a58p+52 },
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        double value = read(table[i].text);
        if (!CHECK(same_bits(value, table[i].value))) {
            printf("    %s gives %a instead of %a\n", table[i].text, value, table[i].value);
        }
    }
}

static const char* repeat(char* out, const char* before, char digit, size_t count, const char* after)
{
    size_t size = strlen(before);
    memcpy(out, before, size);
    memset(out + size, digit, count);
    memcpy(out + size + count, after, strlen(after) + 1);
    return out;
}

TEST(reading_takes_any_number_of_digits)
{
    static char text[40000];
    CHECK(read(repeat(text, "1", '0', 400, "e-400")) == 1);
    CHECK(read(repeat(text, "0.", '0', 1000, "1e1001")) == 1);
    CHECK(read(repeat(text, "0.", '0', 30000, "1e30000")) == 0.1);
    CHECK(read(repeat(text, "", '9', 308, "")) == 1e308);
    CHECK(read(repeat(text, "", '9', 400, "")) == (double)INFINITY);
    CHECK(read(repeat(text, "0.3", '3', 5000, "")) == 1.0 / 3.0);
    CHECK(read(repeat(text, "12.", '0', 5000, "")) == 12);
    // Just above, at and just below the middle of 1 and the next double; the difference comes after 2000 zeros.
    CHECK(read(repeat(text, "1.00000000000000011102230246251565404236316680908203125", '0', 2000, "1")) == 0x1.0000000000001p0);
    CHECK(read(repeat(text, "1.00000000000000011102230246251565404236316680908203125", '0', 2000, "")) == 1);
    CHECK(read(repeat(text, "1.00000000000000011102230246251565404236316680908203124", '9', 2000, "")) == 1);
}

// The digits of factor * 5^1075, which is factor / 2^1075 but for the exponent.
static size_t halved_1075_times(char* out, uint64_t factor)
{
    uint8_t digits[800] = { 0 }; // lowest first
    size_t count = 0;
    for (; factor != 0; factor /= 10) {
        digits[count++] = (uint8_t)(factor % 10);
    }
    for (int i = 0; i < 1075; i++) {
        unsigned carry = 0;
        for (size_t k = 0; k < count || carry != 0; k++) {
            carry += digits[k] * 5u;
            digits[k] = (uint8_t)(carry % 10);
            carry /= 10;
            count = k < count ? count : k + 1;
        }
    }
    for (size_t k = 0; k < count; k++) {
        out[k] = (char)('0' + digits[count - 1 - k]);
    }
    return count;
}

// An odd number of halves of the least double lies in the middle of two neighbours; none have more digits.
TEST(reading_rounds_the_longest_middles)
{
    const uint64_t halves[] = { 1, 3, 5, 0xfffffffffffff, 0x10000000000001, 0x1fffffffffffff };
    for (size_t i = 0; i < sizeof halves / sizeof halves[0]; i++) {
        char text[900];
        size_t size = halved_1075_times(text, halves[i]);
        double below = ldexp((double)(halves[i] / 2), -1074);
        double above = ldexp((double)(halves[i] / 2 + 1), -1074);
        memcpy(text + size, "e-1075", 7);
        CHECK(read(text) == (halves[i] / 2 % 2 == 0 ? below : above));
        memcpy(text + size, "0000000000000000000000001e-1100", 32);
        CHECK(read(text) == above);
        text[size - 1]--;
        memcpy(text + size, "9999999999999999999999999e-1100", 32);
        CHECK(read(text) == below);
    }
}

static const char* written(double value)
{
    static char text[MRWI_NUMBER_TEXT];
    size_t size = mrwi_number_write(text, value);
    return size == strlen(text) ? text : "wrong length";
}

static const char* written_float(float value)
{
    static char text[MRWI_NUMBER_TEXT];
    size_t size = mrwi_number_write_float(text, value);
    return size == strlen(text) ? text : "wrong length";
}

// What JavaScript prints, except for minus zero, whose sign is kept, and what JSON cannot hold.
TEST(writing_takes_the_form_of_javascript)
{
    const struct {
        double value;
        const char* text;
    } table[] = { { 0, "0" }, { -0.0, "-0" }, { 1, "1" }, { -1.5, "-1.5" }, { 0.1, "0.1" }, { 0.3, "0.3" },
        { 0.1 + 0.2, "0.30000000000000004" }, { 100, "100" }, { 123456, "123456" }, { 1e21, "1e+21" }, { 1.5e21, "1.5e+21" },
        { 123456789012345680000.0, "123456789012345680000" }, { 999999999999999900000.0, "999999999999999900000" },
        { 0.000001, "0.000001" }, { 0.00000123, "0.00000123" }, { 1e-7, "1e-7" }, { -1.23e-7, "-1.23e-7" }, { 5e-324, "5e-324" },
        { DBL_MAX, "1.7976931348623157e+308" }, { DBL_MIN, "2.2250738585072014e-308" }, { 9007199254740993.0, "9007199254740992" },
        { 1e23, "1e+23" }, { 2e-323, "2e-323" }, { 4.35, "4.35" }, { (double)INFINITY, "null" }, { -(double)INFINITY, "null" },
        { (double)NAN, "null" }, { 0x1p-1074 * 3, "1.5e-323" } };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        CHECK_STR(written(table[i].value), table[i].text);
    }
    const struct {
        float value;
        const char* text;
    } floats[] = { { 0, "0" }, { -0.0f, "-0" }, { 0.1f, "0.1" }, { 16777216.0f, "16777216" }, { FLT_MAX, "3.4028235e+38" },
        { 0x1p-149f, "1e-45" }, { FLT_MIN, "1.1754944e-38" }, { 8589934592.0f, "8589935000" }, { 0.333333343f, "0.33333334" },
        { (float)INFINITY, "null" }, { (float)NAN, "null" }, { 3.3e-5f, "0.000033" } };
    for (size_t i = 0; i < sizeof floats / sizeof floats[0]; i++) {
        CHECK_STR(written_float(floats[i].value), floats[i].text);
    }
}

static size_t digit_count(const char* text)
{
    size_t count = 0;
    size_t zeros = 0;
    for (; *text != 0 && *text != 'e'; text++) {
        if (*text >= '1' && *text <= '9') {
            count += zeros + 1;
            zeros = 0;
        } else if (*text == '0' && count > 0) {
            zeros++;
        }
    }
    return count;
}

static double random_double(int i)
{
    uint64_t bits = random_bits() << 32 | random_bits();
    if (i % 2 == 0) {
        bits = (bits & 0x800fffffffffffffu) | (uint64_t)(1000 + i % 60) << 52; // sizes that occur in files
    } else if (i % 7 == 0) {
        bits &= 0xfff0000000000000u; // powers of two, where the distances of the neighbours differ
    }
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// 100000 doubles: the text reads back, here and in libc; libc finds no text with fewer digits that does.
TEST(doubles_survive_and_are_short)
{
    int wrong = 0;
    int longer = 0;
    for (int i = 0; i < 100000; i++) {
        double value = random_double(i);
        if (!(fabs(value) < (double)INFINITY)) {
            continue;
        }
        const char* text = written(value);
        wrong += same_bits(read(text), value) && same_bits(strtod(text, NULL), value) ? 0 : 1;
        size_t digits = digit_count(text);
        if (i % 20 == 0 && digits > 1) {
            char shorter[64];
            snprintf(shorter, sizeof shorter, "%.*e", (int)digits - 2, value);
            longer += strtod(shorter, NULL) == value ? 1 : 0;
        }
    }
    CHECK_EQ_INT(wrong, 0);
    CHECK_EQ_INT(longer, 0);
}

TEST(floats_survive_and_are_short)
{
    int wrong = 0;
    int longer = 0;
    for (int i = 0; i < 100000; i++) {
        uint32_t bits = (uint32_t)random_bits();
        if (i % 2 == 0) {
            bits = (bits & 0x807fffffu) | (uint32_t)(110 + i % 40) << 23;
        } else if (i % 7 == 0) {
            bits &= 0xff800000u;
        }
        float value;
        memcpy(&value, &bits, sizeof value);
        if (!(fabsf(value) < (float)INFINITY)) {
            continue;
        }
        const char* text = written_float(value);
        float back = (float)read(text);
        float back_libc = strtof(text, NULL);
        wrong += memcmp(&back, &value, sizeof value) == 0 && memcmp(&back_libc, &value, sizeof value) == 0 ? 0 : 1;
        size_t digits = digit_count(text);
        if (i % 20 == 0 && digits > 1) {
            char shorter[64];
            snprintf(shorter, sizeof shorter, "%.*e", (int)digits - 2, (double)value);
            longer += strtof(shorter, NULL) == value ? 1 : 0;
        }
    }
    CHECK_EQ_INT(wrong, 0);
    CHECK_EQ_INT(longer, 0);
}

// Numbers with random digits: libc rounds correctly too.
TEST(reading_agrees_with_libc)
{
    int differing = 0;
    for (int i = 0; i < 50000; i++) {
        char text[64];
        size_t size = 0;
        size_t count = 1 + (size_t)(random_bits() % 30);
        text[size++] = (char)('1' + random_bits() % 9);
        text[size++] = '.';
        for (size_t k = 0; k < count; k++) {
            text[size++] = (char)('0' + random_bits() % 10);
        }
        int exponent = i % 2 == 0 ? (int)(random_bits() % 40) - 20 : (int)(random_bits() % 640) - 325;
        snprintf(text + size, sizeof text - size, "e%d", exponent);
        differing += same_bits(read(text), strtod(text, NULL)) ? 0 : 1;
    }
    CHECK_EQ_INT(differing, 0);
}
