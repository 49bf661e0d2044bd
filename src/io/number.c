#include "io/number.h"

#include "base/result.h"
#include "io/big.h"

#include <math.h>
#include <string.h>

// ---- reading

// A decimal that is not half way between two doubles in its first 768 digits is decided by them; one more digit says whether
// anything follows.
#define DIGITS_KEPT 770u

uint32_t mrwi_digit(char c)
{
    int letter = (c | 32) - 'a';
    return (uint32_t)(c >= '0' && c <= '9' ? c - '0' : letter >= 0 && letter < 6 ? letter + 10 : 16);
}

// bits * 2^last, and a little more where something `follows`, rounded to the nearest double, ties to even. `bits` has 55 or 56 digits,
// or fewer when `last` is -1076: two at least are beyond what a double keeps.
static double round_bits(uint64_t bits, int last, bool follows)
{
    int dropped = bits >> 55 != 0 ? 3 : 2;
    uint64_t kept = bits >> dropped;
    uint64_t rest = (bits - (kept << dropped)) << 1 | (follows ? 1 : 0);
    uint64_t half = UINT64_C(1) << dropped;
    kept += rest > half || (rest == half && kept % 2 != 0) ? 1 : 0;
    // The sum carries into the exponent, from the subnormal numbers and from the last one of each binade.
    int exponent = last + dropped + 1074;
    uint64_t pattern = exponent > 2045 ? UINT64_C(0x7ff) << 52 : ((uint64_t)exponent << 52) + kept;
    double value;
    memcpy(&value, &pattern, sizeof value);
    return value;
}

// Of numbers from 1 to 2^63 - 1.
static double divide(uint64_t rest, uint64_t unit)
{
    const uint64_t top = UINT64_C(1) << 62;
    int last = 1;
    for (; rest < top; rest <<= 1) {
        last--;
    }
    for (; unit < top; unit <<= 1) {
        last++;
    }
    uint64_t bits = 0;
    for (int i = 0; i < 56; i++) {
        bool holds = rest >= unit;
        rest = (holds ? rest - unit : rest) << 1;
        bits = bits << 1 | (holds ? 1 : 0);
        last--;
    }
    return round_bits(bits, last, rest != 0);
}

static double divide_big(mrwi_big* rest, mrwi_big* unit)
{
    int last = mrwi_big_bit_count(rest) - mrwi_big_bit_count(unit);
    if (last > 0) {
        mrwi_big_shift_left(unit, last);
    } else {
        mrwi_big_shift_left(rest, -last);
    }
    // Now the quotient lies between 1/2 and 2.
    uint64_t bits = 0;
    last++;
    for (int i = 0; i < 56 && last > -1076; i++) {
        bool holds = mrwi_big_compare(rest, unit) >= 0;
        if (holds) {
            mrwi_big_subtract(rest, unit);
        }
        mrwi_big_multiply(rest, 2, 0);
        bits = bits << 1 | (holds ? 1 : 0);
        last--;
    }
    return round_bits(bits, last, rest->count > 0);
}

// Of the digits and the point from `text` to `end`, `digit_count` of them behind the zeros in front.
static double read_slowly(const char* text, const char* end, uint32_t digit_count, int64_t exponent)
{
    int64_t point = exponent + digit_count; // value = 0.d1 d2 d3 ... * 10^point
    if (point > 309 || point < -323) {
        return point > 0 ? (double)INFINITY : 0;
    }
    mrwi_big above, below;
    mrwi_big_set(&above, 0);
    mrwi_big_set(&below, 1);
    uint32_t kept = 0;
    bool more = false; // a digit other than 0 was not kept
    for (; text < end; text++) {
        uint32_t digit = mrwi_digit(*text);
        if (digit >= 10) {
            continue; // the point
        }
        if (kept < DIGITS_KEPT) {
            mrwi_big_multiply(&above, 10, digit);
            kept += above.count > 0 ? 1 : 0;
        } else {
            more = more || digit != 0;
            exponent++;
        }
    }
    if (more) {
        mrwi_big_multiply(&above, 10, 1);
        exponent--;
    }
    mrwi_big_multiply_power_of_ten(exponent < 0 ? &below : &above, (int)(exponent < 0 ? -exponent : exponent));
    return divide_big(&above, &below);
}

// At an exponent, which `*text` moves behind, or at anything else.
static int64_t read_exponent(const char** text, const char* end)
{
    const char* at = *text;
    if (at == end || (*at | 32) != 'e') {
        return 0;
    }
    at++;
    bool negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+') ? 1 : 0;
    int64_t exponent = 0;
    for (; at < end && mrwi_digit(*at) < 10; at++) {
        // Beyond this the result is an infinity or zero whatever the digits are; the text itself is shorter than 2^31.
        exponent = exponent >> 40 != 0 ? exponent : exponent * 10 + mrwi_digit(*at);
        *text = at + 1;
    }
    return negative ? -exponent : exponent;
}

double mrwi_number_read(const char** text, const char* end)
{
    const char* at = *text;
    bool negative = at < end && *at == '-';
    at += negative ? 1 : 0;
    const char* start = at;
    uint64_t leading = 0;     // the first 19 significant digits
    uint32_t digit_count = 0; // significant ones
    int64_t exponent = 0;     // value = digits * 10^exponent
    const char* point = NULL;
    for (; at < end; at++) {
        uint32_t digit = mrwi_digit(*at);
        if (*at == '.' && point == NULL) {
            point = at;
            continue;
        }
        if (digit >= 10) {
            break;
        }
        leading = digit_count < 19 ? leading * 10 + digit : leading;
        digit_count += leading != 0 ? 1 : 0;
        exponent -= point != NULL ? 1 : 0;
    }
    if (at == start + (point != NULL ? 1 : 0)) {
        return 0; // not a digit
    }
    *text = at;
    exponent += read_exponent(text, end);
    double value = (double)leading;
    double power = 1;
    int64_t magnitude = exponent < 0 ? -exponent : exponent;
    for (int64_t i = 0; i < magnitude && i < 22; i++) {
        power *= 10; // exact up to 10^22
    }
    if (leading == 0 || (leading <= (UINT64_C(1) << 53) && digit_count <= 19 && magnitude <= 22)) {
        // Both operands are exact, so that the one operation rounds correctly (Clinger).
        value = exponent < 0 ? value / power : value * power;
    } else if (leading < UINT64_C(1) << 63 && digit_count <= 19 && exponent < 0 && magnitude <= 18) {
        value = divide(leading, (uint64_t)power); // 17 digits, as many as a double may need
    } else {
        value = read_slowly(start, at, digit_count, exponent);
    }
    return negative ? -value : value;
}

// ---- writing

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
    mrwi_big rest, unit, above, below;
    bool ends_read_back; ///< ties go to the even significand
} scaled;

static void scale(scaled* s, const binary* number, int* point)
{
    // Everything is doubled (and doubled again for a closer neighbour), so that half distances are whole.
    int extra = number->closer_below ? 2 : 1;
    mrwi_big_set(&s->rest, number->f);
    mrwi_big_set(&s->unit, 1);
    mrwi_big_set(&s->above, number->closer_below ? 2 : 1);
    mrwi_big_set(&s->below, 1);
    s->ends_read_back = number->f % 2 == 0;
    int up = number->e > 0 ? number->e : 0;
    mrwi_big_shift_left(&s->rest, up + extra);
    mrwi_big_shift_left(&s->above, up);
    mrwi_big_shift_left(&s->below, up);
    mrwi_big_shift_left(&s->unit, (number->e < 0 ? -number->e : 0) + extra);

    // floor(log10 2^top) by a fraction that is exact enough for all exponents; it may be one too low, never too high.
    int top = number->e - 1;
    for (uint64_t f = number->f; f != 0; f >>= 1) {
        top++;
    }
    int64_t scaled_log = (int64_t)top * 78913; // log10(2) * 2^18
    *point = (int)(scaled_log >= 0 ? scaled_log >> 18 : -((-scaled_log + (1 << 18) - 1) >> 18));
    if (*point > 0) {
        mrwi_big_multiply_power_of_ten(&s->unit, *point);
    } else {
        mrwi_big_multiply_power_of_ten(&s->rest, -*point);
        mrwi_big_multiply_power_of_ten(&s->above, -*point);
        mrwi_big_multiply_power_of_ten(&s->below, -*point);
    }
}

static bool reaches_unit(const scaled* s)
{
    mrwi_big end;
    mrwi_big_sum(&end, &s->rest, &s->above);
    int order = mrwi_big_compare(&end, &s->unit);
    return s->ends_read_back ? order >= 0 : order > 0;
}

// Free-format generation of digits (Steele and White, Dybvig): digits come until what has come lies inside the interval.
static void shortest(const binary* number, digits* out)
{
    scaled s;
    scale(&s, number, &out->point);
    while (reaches_unit(&s)) {
        mrwi_big_multiply(&s.unit, 10, 0);
        out->point++;
    }
    out->count = 0;
    bool below, above;
    int digit;
    do {
        mrwi_big_multiply(&s.rest, 10, 0);
        mrwi_big_multiply(&s.above, 10, 0);
        mrwi_big_multiply(&s.below, 10, 0);
        digit = 0;
        while (mrwi_big_compare(&s.rest, &s.unit) >= 0) {
            mrwi_big_subtract(&s.rest, &s.unit);
            digit++;
        }
        int order = mrwi_big_compare(&s.rest, &s.below);
        below = s.ends_read_back ? order <= 0 : order < 0;
        above = reaches_unit(&s);
        out->text[out->count] = (char)('0' + digit);
        out->count++;
    } while (!below && !above);
    if (below && above) {
        // Both neighbours read back: the nearer one, and the even digit in the middle.
        mrwi_big twice;
        mrwi_big_sum(&twice, &s.rest, &s.rest);
        int order = mrwi_big_compare(&twice, &s.unit);
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
    const char* text_end = out;
    return (float)mrwi_number_read(&text_end, out + size) == value ? size : mrwi_number_write(out, (double)value);
}
