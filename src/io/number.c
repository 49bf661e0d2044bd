#include "io/number.h"

#include "base/result.h"

#include <stdlib.h>
#include <string.h>

// ---- reading

// A decimal that is not half way between two doubles in its first 768 digits is decided by them; one more digit says whether
// anything follows.
#define DIGITS_KEPT 770u

typedef struct decimal {
    bool negative;
    uint64_t leading; ///< the first 19 significant digits
    uint32_t leading_count;
    uint32_t digit_count; ///< kept in `digits`
    bool more;            ///< a digit other than 0 was not kept
    int64_t exponent;     ///< value = digits * 10^exponent
    char digits[DIGITS_KEPT + 24];
} decimal;

static void add_digit(decimal* number, char digit, bool after_point)
{
    if (digit == '0' && number->digit_count == 0) {
        number->exponent -= after_point ? 1 : 0;
        return;
    }
    if (number->digit_count == DIGITS_KEPT) {
        number->more = number->more || digit != '0';
        number->exponent += after_point ? 0 : 1;
        return;
    }
    if (number->leading_count < 19) {
        number->leading = number->leading * 10 + (uint64_t)(digit - '0');
        number->leading_count++;
    }
    number->digits[number->digit_count] = digit;
    number->digit_count++;
    number->exponent -= after_point ? 1 : 0;
}

static void read_decimal(const char* text, size_t size, decimal* number)
{
    size_t at = 0;
    bool after_point = false;
    if (at < size && text[at] == '-') {
        number->negative = true;
        at++;
    }
    for (; at < size && text[at] != 'e' && text[at] != 'E'; at++) {
        if (text[at] == '.') {
            after_point = true;
        } else {
            add_digit(number, text[at], after_point);
        }
    }
    at++;
    bool negative = at < size && text[at] == '-';
    at += at < size && (text[at] == '-' || text[at] == '+') ? 1 : 0;
    int64_t exponent = 0;
    for (; at < size; at++) {
        // Beyond this the result is an infinity or zero whatever the digits are; the text itself is shorter than 2^31.
        exponent = exponent > INT64_MAX / 20 ? exponent : exponent * 10 + (text[at] - '0');
    }
    number->exponent += negative ? -exponent : exponent;
}

// The digits without a point: "12.5e3" becomes "125e2". strtod is correctly rounded in the C libraries in use (glibc, musl), and
// without a point its result does not depend on the locale.
static double read_slowly(decimal* number)
{
    char* end = number->digits + number->digit_count;
    int64_t exponent = number->exponent;
    if (number->more) {
        *end = '1';
        end++;
        exponent--;
    }
    exponent = exponent < -100000 ? -100000 : exponent > 100000 ? 100000 : exponent;
    mrwi_format(end, 16, "e%d", (int)exponent);
    return strtod(number->digits, NULL);
}

double mrwi_number_read(const char* text, size_t size)
{
    static const double powers[23] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
        1e18, 1e19, 1e20, 1e21, 1e22 };
    decimal number;
    memset(&number, 0, offsetof(decimal, digits));
    read_decimal(text, size, &number);
    double value;
    if (number.digit_count == 0) {
        value = 0;
    } else if (number.digit_count == number.leading_count && number.leading <= (UINT64_C(1) << 53) && number.exponent >= -22
        && number.exponent <= 22) {
        // Both operands are exact, so that the one operation rounds correctly (Clinger).
        value = (double)number.leading;
        value = number.exponent < 0 ? value / powers[-number.exponent] : value * powers[number.exponent];
    } else {
        value = read_slowly(&number);
    }
    return number.negative ? -value : value;
}

// ---- writing

// An unsigned integer of up to 1280 bits; the largest that occurs is 10^324 * 2^54, below 2^1132.
#define BIG_WORDS 40
typedef struct big {
    uint32_t words[BIG_WORDS]; ///< lowest first
    int count;                 ///< without leading zeros
} big;

static big big_of(uint64_t value)
{
    big result;
    result.words[0] = (uint32_t)value;
    result.words[1] = (uint32_t)(value >> 32);
    result.count = result.words[1] != 0 ? 2 : result.words[0] != 0 ? 1 : 0;
    return result;
}

static void big_multiply(big* a, uint32_t factor)
{
    uint64_t carry = 0;
    for (int i = 0; i < a->count; i++) {
        carry += (uint64_t)a->words[i] * factor;
        a->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0) {
        a->words[a->count] = (uint32_t)carry;
        a->count++;
    }
}

static void big_multiply_power_of_ten(big* a, int exponent)
{
    for (; exponent >= 9; exponent -= 9) {
        big_multiply(a, 1000000000);
    }
    for (; exponent > 0; exponent--) {
        big_multiply(a, 10);
    }
}

static void big_shift_left(big* a, int bits)
{
    int words = bits / 32;
    if (a->count == 0) {
        return;
    }
    memmove(a->words + words, a->words, (size_t)a->count * sizeof a->words[0]);
    memset(a->words, 0, (size_t)words * sizeof a->words[0]);
    a->count += words;
    big_multiply(a, 1u << (bits % 32));
}

static int big_compare(const big* a, const big* b)
{
    if (a->count != b->count) {
        return a->count < b->count ? -1 : 1;
    }
    for (int i = a->count - 1; i >= 0; i--) {
        if (a->words[i] != b->words[i]) {
            return a->words[i] < b->words[i] ? -1 : 1;
        }
    }
    return 0;
}

static big big_sum(const big* a, const big* b)
{
    big result;
    uint64_t carry = 0;
    result.count = a->count > b->count ? a->count : b->count;
    for (int i = 0; i < result.count; i++) {
        carry += (uint64_t)(i < a->count ? a->words[i] : 0) + (i < b->count ? b->words[i] : 0);
        result.words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0) {
        result.words[result.count] = (uint32_t)carry;
        result.count++;
    }
    return result;
}

// a -= b, for a >= b.
static void big_subtract(big* a, const big* b)
{
    uint64_t borrow = 0;
    for (int i = 0; i < a->count; i++) {
        uint64_t word = (uint64_t)a->words[i] - (i < b->count ? b->words[i] : 0) - borrow;
        a->words[i] = (uint32_t)word;
        borrow = word >> 63;
    }
    while (a->count > 0 && a->words[a->count - 1] == 0) {
        a->count--;
    }
}

/// A positive number f * 2^e; the neighbour below is half as far away when f is the lowest of its binade.
typedef struct binary {
    uint64_t f;
    int e;
    bool closer_below;
} binary;

/// The value is 0.d1 d2 d3 ... * 10^point.
typedef struct digits {
    char text[20];
    int count, point;
} digits;

/// value = rest / unit; `above` and `below` are the distances to the ends of the interval that reads back as the value.
typedef struct scaled {
    big rest, unit, above, below;
    bool ends_read_back; ///< ties go to the even significand
} scaled;

static scaled scale(const binary* number, int* point)
{
    scaled s;
    // Everything is doubled (and doubled again for a closer neighbour), so that half distances are whole.
    int extra = number->closer_below ? 2 : 1;
    s.rest = big_of(number->f);
    s.unit = big_of(1);
    s.above = big_of(number->closer_below ? 2 : 1);
    s.below = big_of(1);
    s.ends_read_back = number->f % 2 == 0;
    int up = number->e > 0 ? number->e : 0;
    big_shift_left(&s.rest, up + extra);
    big_shift_left(&s.above, up);
    big_shift_left(&s.below, up);
    big_shift_left(&s.unit, (number->e < 0 ? -number->e : 0) + extra);

    // floor(log10 2^top) by a fraction that is exact enough for all exponents; it may be one too low, never too high.
    int top = number->e - 1;
    for (uint64_t f = number->f; f != 0; f >>= 1) {
        top++;
    }
    int64_t scaled_log = (int64_t)top * 78913; // log10(2) * 2^18
    *point = (int)(scaled_log >= 0 ? scaled_log >> 18 : -((-scaled_log + (1 << 18) - 1) >> 18));
    if (*point > 0) {
        big_multiply_power_of_ten(&s.unit, *point);
    } else {
        big_multiply_power_of_ten(&s.rest, -*point);
        big_multiply_power_of_ten(&s.above, -*point);
        big_multiply_power_of_ten(&s.below, -*point);
    }
    return s;
}

static bool reaches_unit(const scaled* s)
{
    big end = big_sum(&s->rest, &s->above);
    int order = big_compare(&end, &s->unit);
    return s->ends_read_back ? order >= 0 : order > 0;
}

// Free-format generation of digits (Steele and White, Dybvig): digits come until what has come lies inside the interval.
static void shortest(const binary* number, digits* out)
{
    scaled s = scale(number, &out->point);
    while (reaches_unit(&s)) {
        big_multiply(&s.unit, 10);
        out->point++;
    }
    out->count = 0;
    bool below, above;
    int digit;
    do {
        big_multiply(&s.rest, 10);
        big_multiply(&s.above, 10);
        big_multiply(&s.below, 10);
        digit = 0;
        while (big_compare(&s.rest, &s.unit) >= 0) {
            big_subtract(&s.rest, &s.unit);
            digit++;
        }
        int order = big_compare(&s.rest, &s.below);
        below = s.ends_read_back ? order <= 0 : order < 0;
        above = reaches_unit(&s);
        out->text[out->count] = (char)('0' + digit);
        out->count++;
    } while (!below && !above);
    if (below && above) {
        // Both neighbours read back: the nearer one, and the even digit in the middle.
        big twice = big_sum(&s.rest, &s.rest);
        int order = big_compare(&twice, &s.unit);
        above = order > 0 || (order == 0 && digit % 2 != 0);
    }
    if (above) {
        // Never a carry: ten here would mean that one digit less had been enough.
        out->text[out->count - 1]++;
    }
}

static size_t lay_out(char* out, bool negative, const digits* number)
{
    char* at = out;
    int count = number->count;
    int point = number->point;
    if (negative) {
        *at++ = '-';
    }
    if (point > 21 || point <= -6) {
        *at++ = number->text[0];
        if (count > 1) {
            *at++ = '.';
            memcpy(at, number->text + 1, (size_t)count - 1);
            at += count - 1;
        }
        at += mrwi_format(at, 8, point > 0 ? "e+%d" : "e%d", point - 1);
    } else if (point <= 0) {
        memcpy(at, "0.00000", (size_t)(2 - point));
        at += 2 - point;
        memcpy(at, number->text, (size_t)count);
        at += count;
    } else {
        for (int i = 0; i < count || i < point; i++) {
            if (i == point) {
                *at++ = '.';
            }
            *at++ = i < count ? number->text[i] : '0';
        }
    }
    *at = 0;
    return (size_t)(at - out);
}

static size_t write_text(char* out, const char* text)
{
    return mrwi_format(out, MRWI_NUMBER_TEXT, "%s", text);
}

size_t mrwi_number_write(char out[MRWI_NUMBER_TEXT], double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bool negative = bits >> 63 != 0;
    int exponent = (int)(bits >> 52 & 0x7ff);
    uint64_t fraction = bits & 0xfffffffffffffu;
    if (exponent == 0x7ff) {
        return write_text(out, "null");
    }
    if (exponent == 0 && fraction == 0) {
        return write_text(out, negative ? "-0" : "0");
    }
    binary number = { fraction, -1074, false };
    if (exponent > 0) {
        number = (binary) { fraction | 0x10000000000000u, exponent - 1075, fraction == 0 && exponent > 1 };
    }
    digits text;
    shortest(&number, &text);
    return lay_out(out, negative, &text);
}

size_t mrwi_number_write_float(char out[MRWI_NUMBER_TEXT], float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bool negative = bits >> 31 != 0;
    int exponent = (int)(bits >> 23 & 0xff);
    uint32_t fraction = bits & 0x7fffff;
    if (exponent == 0xff || (exponent == 0 && fraction == 0)) {
        return mrwi_number_write(out, (double)value);
    }
    binary number = { fraction, -149, false };
    if (exponent > 0) {
        number = (binary) { fraction | 0x800000u, exponent - 150, fraction == 0 && exponent > 1 };
    }
    digits text;
    shortest(&number, &text);
    size_t size = lay_out(out, negative, &text);
    // A reader rounds twice, to f64 and to f32. A decimal that lies within 2^-54 of the middle between two floats could come out
    // as the neighbour: then all digits of the f64 are written.
    return (float)mrwi_number_read(out, size) == value ? size : mrwi_number_write(out, (double)value);
}
