#include "io/json_check.h"

#include "io/json_chars.h"
#include "io/number.h"

#include <string.h>

typedef struct scan {
    char* plain;
    char* at;    ///< in `plain`
    size_t size; ///< a zero stands behind the text, where every check fails
    uint32_t depth_left;
    const mrwi_json_cursor* here; ///< for the path of an error
    mrw_error* error;
    mrw_result result;
} scan;

// The first failure counts. What is left of the text is skipped, so that everything that is open ends.
static void fail(scan* s, mrw_result code, const char* format, ...) MRWI_FORMAT(3, 4);
static void fail(scan* s, mrw_result code, const char* format, ...)
{
    if (s->result == MRW_OK) {
        va_list arguments;
        va_start(arguments, format);
        s->result = mrwi_json_fail_at(s->here, (size_t)(s->at - s->plain), s->error, code, format, arguments);
        va_end(arguments);
    }
    s->at = s->plain + s->size;
}

// Length of the UTF-8 character at `text`, 0 when it is malformed, overlong, a surrogate or beyond U+10FFFF.
static size_t character_length(const char* text)
{
    uint32_t lead = (unsigned char)text[0];
    if (lead < 0x80) {
        return 1;
    }
    uint32_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    uint32_t code = lead & (0xffu >> length);
    for (uint32_t i = 1; i < length; i++) {
        if (((unsigned char)text[i] & 0xc0u) != 0x80u) {
            return 0;
        }
        code = code << 6 | ((unsigned char)text[i] & 0x3fu);
    }
    // The shorter form has 7 bits, or 11, or 16; for those of two bytes the lead tells.
    bool good = lead >= 0xc2 && code >> (5 * length - 4) != 0 && code >> 11 != 0xd800 >> 11 && code <= 0x10ffff;
    return good ? length : 0;
}

static void fail_expecting(scan* s, const char* what)
{
    char found[5] = { 0 };
    size_t length = character_length(s->at);
    memcpy(found, s->at, length);
    if (s->at == s->plain + s->size) {
        fail(s, MRW_BAD_JSON, "expected %s, found the end of the text", what);
    } else if (length == 0) {
        fail(s, MRW_BAD_UTF8, NULL);
    } else if ((unsigned char)found[0] < 0x20 || found[0] == 0x7f) {
        fail(s, MRW_BAD_JSON, "expected %s, found character %d", what, found[0]);
    } else {
        fail(s, MRW_BAD_JSON, "expected %s, found %s", what, found);
    }
}

static bool accept(scan* s, char c)
{
    bool is_there = *s->at == c;
    s->at += is_there ? 1 : 0;
    return is_there;
}

static void expect(scan* s, char c, const char* what)
{
    if (!accept(s, c)) {
        fail_expecting(s, what);
    }
}

static void skip_blanks(scan* s)
{
    while (mrwi_json_is_one_of(*s->at, " \t\n\r")) {
        s->at++;
    }
}

static void check_digits(scan* s, const char* what)
{
    if (mrwi_digit(*s->at) >= 10) {
        fail_expecting(s, what);
    }
    while (mrwi_digit(*s->at) < 10) {
        s->at++;
    }
}

static void check_number(scan* s)
{
    char* start = s->at;
    const char* what = accept(s, '-') ? "a digit" : "a value";
    if (!accept(s, '0')) {
        check_digits(s, what);
    }
    if (accept(s, '.')) {
        check_digits(s, "a digit");
    }
    if (accept(s, 'e') || accept(s, 'E')) {
        if (!accept(s, '-')) {
            accept(s, '+');
        }
        check_digits(s, "a digit");
    }
    if (s->result == MRW_OK) {
        memset(start, ' ', (size_t)(s->at - start));
        *start = '0';
    }
}

// The unit of UTF-16 that "\u12ab" at `text` stands for; 0 when nothing like that is there.
static uint32_t code_unit(const char* text)
{
    uint32_t value = 0;
    if (text[0] != '\\' || text[1] != 'u') {
        return 0;
    }
    for (uint32_t i = 2; i < 6; i++) {
        uint32_t digit = mrwi_digit(text[i]);
        if (digit >= 16) {
            return 0;
        }
        value = value * 16 + digit;
    }
    return value;
}

// Length of the escape at the backslash; 0 when it is none, which fails.
static size_t escape_length(scan* s)
{
    uint32_t unit = code_unit(s->at);
    if (mrwi_json_is_one_of(s->at[1], "\"\\/bfnrt")) {
        return 2;
    }
    if (unit >= 0xd800 && unit < 0xdc00 && code_unit(s->at + 6) >> 10 == 0xdc00 >> 10) {
        return 12;
    }
    if (unit == 0 || unit >> 11 == 0xd800 >> 11) {
        fail(s, MRW_BAD_JSON,
            "a backslash is followed by none of \" \\ / b f n r t, nor by u and four hexadecimal digits; 0000 and half of a surrogate pair "
            "do not count");
        return 0;
    }
    return 6;
}

// At the opening quote.
static void check_string(scan* s)
{
    size_t length = 1;
    while (length > 0) {
        s->at += length;
        length = *s->at == '\\' ? escape_length(s) : *s->at == '"' || (unsigned char)*s->at < 0x20 ? 0 : character_length(s->at);
    }
    expect(s, '"', "the rest of a string");
}

static void check_word(scan* s, const char* word)
{
    for (; *word != 0; word++) {
        expect(s, *word, "true, false or null");
    }
}

static void check_value(scan* s);

// A name and its colon. A zero ends the name for paths while its value is checked; returns where its closing quote was.
static char* check_name(scan* s, mrwi_json_cursor* member)
{
    s->here = member->up;
    member->key = s->at + 1;
    if (*s->at == '"') {
        check_string(s);
    } else {
        fail_expecting(s, "a name in quotes");
    }
    char* quote = s->at - 1;
    *quote = 0;
    s->here = member;
    skip_blanks(s);
    expect(s, ':', "a colon");
    skip_blanks(s);
    return quote;
}

// At the opening bracket.
static void check_children(scan* s, char closing)
{
    const mrwi_json_cursor* here = s->here;
    mrwi_json_cursor child = { here->json, NULL, here, NULL, 0 };
    if (s->depth_left == 0) {
        fail(s, MRW_LIMIT, "the text is nested too deeply");
        return;
    }
    s->depth_left--;
    s->at++;
    skip_blanks(s);
    s->here = &child;
    for (bool more = !accept(s, closing); more; child.index++) {
        char* quote = closing == '}' ? check_name(s, &child) : NULL;
        check_value(s);
        skip_blanks(s);
        more = accept(s, ',');
        if (!more) {
            expect(s, closing, closing == '}' ? "a comma or }" : "a comma or ]");
        }
        skip_blanks(s);
        if (quote != NULL) {
            *quote = '"';
        }
    }
    s->here = here;
    s->depth_left++;
}

static void check_value(scan* s)
{
    s->at[s->size + 1] = 1;
    switch (*s->at) {
    case '{':
        check_children(s, '}');
        break;
    case '[':
        check_children(s, ']');
        break;
    case '"':
        check_string(s);
        break;
    case 't':
        check_word(s, "true");
        break;
    case 'f':
        check_word(s, "false");
        break;
    case 'n':
        check_word(s, "null");
        break;
    default:
        check_number(s);
    }
}

mrw_result mrwi_json_check(const mrwi_json_cursor* root, char* plain, size_t size, uint32_t depth_limit, mrw_error* error)
{
    scan s = {
        .plain = plain,
        .at = plain,
        .size = size,
        .depth_left = depth_limit < MRWI_JSON_DEPTH ? depth_limit : MRWI_JSON_DEPTH,
        .here = root,
        .error = error,
    };
    skip_blanks(&s);
    check_value(&s);
    skip_blanks(&s);
    if (s.at != plain + size) {
        fail_expecting(&s, "the end of the text");
    }
    return s.result;
}
