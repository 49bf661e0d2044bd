#include "formats/coerce.h"

#include "io/number.h"

#include <math.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static size_t skip_digits(const char* text, size_t at, size_t size)
{
    while (at < size && text[at] >= '0' && text[at] <= '9') {
        at++;
    }
    return at;
}

// Digits with at most one point, at least one digit, and an exponent or none.
static bool is_decimal(const char* text, size_t size)
{
    size_t whole = skip_digits(text, 0, size);
    size_t digit_count = whole;
    size_t at = whole;
    if (at < size && text[at] == '.') {
        at = skip_digits(text, whole + 1, size);
        digit_count = at - 1;
    }
    if (digit_count > 0 && at < size && (text[at] == 'e' || text[at] == 'E')) {
        at += at + 1 < size && (text[at + 1] == '+' || text[at + 1] == '-') ? 2 : 1;
        size_t end = skip_digits(text, at, size);
        return end > at && end == size;
    }
    return digit_count > 0 && at == size;
}

static bool read_prefixed(const char* text, size_t size, double* out)
{
    uint32_t base = size > 2 && text[0] == '0' ? ((text[1] | 32) == 'x' ? 16
                            : (text[1] | 32) == 'o'                     ? 8
                            : (text[1] | 32) == 'b'                     ? 2
                                                                        : 0)
                                               : 0;
    double value = 0;
    for (size_t i = 2; i < size && base > 0; i++) {
        uint32_t digit = mrwi_digit(text[i]);
        if (digit >= base) {
            return false;
        }
        value = value * base + digit;
    }
    *out = value;
    return base > 0;
}

bool mrwi_coerce_text(const char* text, double* out)
{
    size_t size = strlen(text);
    while (size > 0 && is_blank(text[size - 1])) {
        size--;
    }
    while (size > 0 && is_blank(text[0])) {
        text++;
        size--;
    }
    double value = 0;
    if (size > 0 && !read_prefixed(text, size, &value)) {
        bool negative = text[0] == '-';
        size_t sign = negative || text[0] == '+' ? 1 : 0;
        if (!is_decimal(text + sign, size - sign)) {
            return false;
        }
        value = mrwi_number_read(text + sign, size - sign);
        value = negative ? -value : value;
    }
    if (!isfinite(value)) {
        return false;
    }
    *out = value;
    return true;
}
