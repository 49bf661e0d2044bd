#include "formats/coerce.h"

#include "io/number.h"

#include <math.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

// The base that a prefix gives, or 0.
static uint32_t base_of(const char* text)
{
    char letter = text[0] == '0' ? (char)(text[1] | 32) : 0;
    return letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 0;
}

bool mrwi_coerce_text(const char* text, double* out)
{
    const char* end = text + strlen(text);
    while (is_blank(*text)) {
        text++;
    }
    while (end > text && is_blank(end[-1])) {
        end--;
    }
    uint32_t base = base_of(text);
    const char* digits = base > 0 ? text + 2 : text[0] == '+' && text[1] != '-' ? text + 1 : text;
    const char* at = digits;
    double value = 0;
    for (; at < end && mrwi_digit(*at) < base; at++) {
        value = value * base + mrwi_digit(*at);
    }
    if (base == 0) {
        value = mrwi_number_read(&at, end);
    }
    if (text < end && (at == digits || at < end || !isfinite(value))) {
        return false;
    }
    *out = value;
    return true;
}
