#include "io/json_check.h"

#include "base/result.h"

#include <string.h>

/// What the scan is inside of, for the path of an error.
typedef struct level {
    bool is_object;
    const char* name; ///< of the member, escapes and all; NULL in an array, and before a name has come
    size_t name_size;
    uint32_t index;
} level;

typedef struct scan {
    const char* text;
    size_t size, at;
    char* plain;
    uint32_t depth, depth_limit;
    mrw_error* error;
    level levels[MRWI_JSON_DEPTH];
} scan;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

size_t mrwi_utf8_length(const char* text, size_t size)
{
    unsigned char lead = (unsigned char)text[0];
    if (lead < 0x80) {
        return 1;
    }
    size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || size < length) {
        return 0;
    }
    for (size_t i = 1; i < length; i++) {
        if (((unsigned char)text[i] & 0xc0u) != 0x80u) {
            return 0;
        }
    }
    // Overlong forms, surrogates and what lies beyond U+10FFFF show in the second byte.
    unsigned char second = (unsigned char)text[1];
    bool wrong = (lead == 0xe0 && second < 0xa0) || (lead == 0xed && second >= 0xa0) || (lead == 0xf0 && second < 0x90)
        || (lead == 0xf4 && second >= 0x90);
    return wrong ? 0 : length;
}

void mrwi_json_place(const char* text, size_t size, size_t offset, mrw_error* error)
{
    if (error == NULL) {
        return;
    }
    int32_t line = 1;
    int32_t column = 1;
    size_t start = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    for (size_t i = start; i < offset && i < size; i++) {
        if (text[i] == '\n') {
            line++;
            column = 1;
        } else if (((unsigned char)text[i] & 0xc0u) != 0x80u) {
            column++;
        }
    }
    error->line = line;
    error->column = column;
    error->offset = (int64_t)offset;
}

static bool is_plain_name(const char* name, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        bool letter = (name[i] >= 'a' && name[i] <= 'z') || (name[i] >= 'A' && name[i] <= 'Z') || name[i] == '_' || name[i] == '$';
        if (!letter && (i == 0 || !is_digit(name[i]))) {
            return false;
        }
    }
    return size > 0;
}

size_t mrwi_json_path_step(char* path, size_t capacity, size_t size, const char* name, size_t name_size, uint32_t index)
{
    if (name == NULL) {
        return size + mrwi_format(path + size, capacity - size, "[%u]", (unsigned)index);
    }
    bool plain = is_plain_name(name, name_size);
    size += mrwi_format(path + size, capacity - size, plain ? "." : "[\"");
    for (size_t i = 0; i < name_size;) {
        size_t length = mrwi_utf8_length(name + i, name_size - i);
        length = length == 0 ? 1 : length;
        if (size + length + 4 >= capacity) {
            size += mrwi_format(path + size, capacity - size, "...");
            return size;
        }
        memcpy(path + size, name + i, length);
        size += length;
        i += length;
    }
    path[size] = 0;
    return size + mrwi_format(path + size, capacity - size, plain ? "" : "\"]");
}

static mrw_result fail_at(scan* s, size_t offset, mrw_result code, const char* format, const char* detail)
{
    if (s->error != NULL) {
        char path[sizeof s->error->path] = "$";
        size_t size = 1;
        for (uint32_t i = 0; i < s->depth && (s->levels[i].name != NULL || !s->levels[i].is_object); i++) {
            size = mrwi_json_path_step(path, sizeof path, size, s->levels[i].name, s->levels[i].name_size, s->levels[i].index);
        }
        mrwi_fail(s->error, code, path, format, detail);
        mrwi_json_place(s->text, s->size, offset, s->error);
    }
    return code;
}

static mrw_result fail(scan* s, mrw_result code, const char* message)
{
    return fail_at(s, s->at, code, "%s", message);
}

// `format` says what was expected and takes what was found.
static mrw_result fail_expecting(scan* s, const char* format)
{
    if (s->at == s->size) {
        return fail_at(s, s->at, MRW_BAD_JSON, format, "the end of the text");
    }
    size_t length = mrwi_utf8_length(s->text + s->at, s->size - s->at);
    if (length == 0) {
        return fail(s, MRW_BAD_UTF8, "a byte is not part of a UTF-8 character");
    }
    unsigned char byte = (unsigned char)s->text[s->at];
    char found[8] = { 0 };
    if (byte < 0x20 || byte == 0x7f) {
        memcpy(found, "\\x", 2);
        found[2] = "0123456789abcdef"[byte >> 4];
        found[3] = "0123456789abcdef"[byte & 15];
    } else {
        memcpy(found, s->text + s->at, length);
    }
    return fail_at(s, s->at, MRW_BAD_JSON, format, found);
}

static char peek(const scan* s)
{
    return s->at < s->size ? s->text[s->at] : 0;
}

static void skip_blanks(scan* s)
{
    s->at = mrwi_json_skip_blanks(s->text, s->size, s->at);
}

static mrw_result check_number(scan* s)
{
    size_t start = s->at;
    s->at += peek(s) == '-' ? 1 : 0;
    if (!is_digit(peek(s))) {
        return fail_expecting(s, "expected a digit, found %s");
    }
    if (peek(s) == '0') {
        s->at++;
        if (is_digit(peek(s))) {
            return fail(s, MRW_BAD_JSON, "a number begins with 0 and has more digits before the point");
        }
    }
    while (is_digit(peek(s))) {
        s->at++;
    }
    if (peek(s) == '.') {
        s->at++;
        if (!is_digit(peek(s))) {
            return fail_expecting(s, "expected a digit behind the point, found %s");
        }
        while (is_digit(peek(s))) {
            s->at++;
        }
    }
    if (peek(s) == 'e' || peek(s) == 'E') {
        s->at++;
        s->at += peek(s) == '+' || peek(s) == '-' ? 1 : 0;
        if (!is_digit(peek(s))) {
            return fail_expecting(s, "expected a digit of the exponent, found %s");
        }
        while (is_digit(peek(s))) {
            s->at++;
        }
    }
    memset(s->plain + start, ' ', s->at - start);
    s->plain[start] = '0';
    return MRW_OK;
}

// Four hexadecimal digits at `at`, or -1.
static int32_t code_unit(const scan* s, size_t at)
{
    int32_t value = 0;
    for (size_t i = at; i < at + 4; i++) {
        char c = i < s->size ? s->text[i] : 0;
        int32_t digit = is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
        if (digit < 0) {
            return -1;
        }
        value = value * 16 + digit;
    }
    return value;
}

// At the backslash.
static mrw_result check_escape(scan* s)
{
    char kind = s->at + 1 < s->size ? s->text[s->at + 1] : 0;
    if (kind != 'u') {
        if (kind == 0 || memchr("\"\\/bfnrt", kind, 8) == NULL) {
            return fail(s, MRW_BAD_JSON, "a backslash is followed by none of \" \\ / b f n r t u");
        }
        s->at += 2;
        return MRW_OK;
    }
    int32_t unit = code_unit(s, s->at + 2);
    if (unit < 0) {
        return fail(s, MRW_BAD_JSON, "\\u is not followed by four hexadecimal digits");
    }
    if (unit == 0) {
        return fail(s, MRW_BAD_JSON, "\\u0000 cannot be part of a text");
    }
    if (unit >= 0xd800 && unit <= 0xdfff) {
        bool paired = unit <= 0xdbff && s->at + 7 < s->size && s->text[s->at + 6] == '\\' && s->text[s->at + 7] == 'u';
        int32_t second = paired ? code_unit(s, s->at + 8) : -1;
        if (second < 0xdc00 || second > 0xdfff) {
            return fail(s, MRW_BAD_JSON, "half of a surrogate pair stands alone");
        }
        s->at += 6;
    }
    s->at += 6;
    return MRW_OK;
}

// At the opening quote.
static mrw_result check_string(scan* s)
{
    s->at++;
    for (;;) {
        if (s->at == s->size) {
            return fail(s, MRW_BAD_JSON, "the text ends inside a string");
        }
        char c = s->text[s->at];
        if (c == '"') {
            s->at++;
            return MRW_OK;
        }
        if (c == '\\') {
            mrw_result result = check_escape(s);
            if (result != MRW_OK) {
                return result;
            }
            continue;
        }
        if ((unsigned char)c < 0x20) {
            return fail(s, MRW_BAD_JSON, "a control character stands in a string unescaped");
        }
        size_t length = mrwi_utf8_length(s->text + s->at, s->size - s->at);
        if (length == 0) {
            return fail(s, MRW_BAD_UTF8, "a byte is not part of a UTF-8 character");
        }
        s->at += length;
    }
}

static mrw_result check_word(scan* s, const char* word)
{
    for (; *word != 0; word++) {
        if (peek(s) != *word) {
            return fail_expecting(s, "expected true, false or null, found %s");
        }
        s->at++;
    }
    return MRW_OK;
}

static mrw_result check_value(scan* s);

static mrw_result check_member(scan* s)
{
    level* inner = &s->levels[s->depth - 1];
    if (peek(s) != '"') {
        return fail_expecting(s, "expected a name in quotes, found %s");
    }
    size_t start = s->at;
    mrw_result result = check_string(s);
    if (result != MRW_OK) {
        return result;
    }
    inner->name = s->text + start + 1;
    inner->name_size = s->at - start - 2;
    skip_blanks(s);
    if (peek(s) != ':') {
        return fail_expecting(s, "expected a colon, found %s");
    }
    s->at++;
    skip_blanks(s);
    return check_value(s);
}

// At the opening bracket.
static mrw_result check_children(scan* s, bool is_object)
{
    if (s->depth == s->depth_limit) {
        return fail(s, MRW_LIMIT, "the text is nested too deeply");
    }
    level* inner = &s->levels[s->depth];
    *inner = (level) { is_object, NULL, 0, 0 };
    s->at++;
    skip_blanks(s);
    char closing = is_object ? '}' : ']';
    if (peek(s) == closing) {
        s->at++;
        return MRW_OK;
    }
    s->depth++;
    for (;;) {
        mrw_result result = is_object ? check_member(s) : check_value(s);
        if (result != MRW_OK) {
            return result;
        }
        skip_blanks(s);
        if (peek(s) == closing) {
            s->at++;
            s->depth--;
            return MRW_OK;
        }
        if (peek(s) != ',') {
            return fail_expecting(s, is_object ? "expected a comma or }, found %s" : "expected a comma or ], found %s");
        }
        s->at++;
        inner->index++;
        inner->name = NULL;
        skip_blanks(s);
    }
}

static mrw_result check_value(scan* s)
{
    switch (peek(s)) {
    case '{':
        return check_children(s, true);
    case '[':
        return check_children(s, false);
    case '"':
        return check_string(s);
    case 't':
        return check_word(s, "true");
    case 'f':
        return check_word(s, "false");
    case 'n':
        return check_word(s, "null");
    default:
        if (peek(s) == '-' || is_digit(peek(s))) {
            return check_number(s);
        }
        return fail_expecting(s, "expected a value, found %s");
    }
}

mrw_result mrwi_json_check(const char* text, size_t size, uint32_t depth_limit, char* plain, mrw_error* error)
{
    scan s;
    memset(&s, 0, offsetof(scan, levels));
    s.text = text;
    s.size = size;
    s.plain = plain;
    s.depth_limit = depth_limit < MRWI_JSON_DEPTH ? depth_limit : MRWI_JSON_DEPTH;
    s.error = error;
    if (size > 0) {
        memcpy(plain, text, size);
    }
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        memset(plain, ' ', 3);
        s.at = 3;
    }
    skip_blanks(&s);
    mrw_result result = check_value(&s);
    if (result != MRW_OK) {
        return result;
    }
    skip_blanks(&s);
    return s.at == size ? MRW_OK : fail_expecting(&s, "expected the end of the text, found %s");
}

size_t mrwi_json_skip_blanks(const char* text, size_t size, size_t at)
{
    while (at < size && is_blank(text[at])) {
        at++;
    }
    return at;
}

static size_t skip_string(const char* text, size_t size, size_t at)
{
    for (at++; at < size && text[at] != '"'; at++) {
        at += text[at] == '\\' ? 1 : 0;
    }
    return at < size ? at + 1 : size;
}

size_t mrwi_json_skip_value(const char* text, size_t size, size_t at)
{
    size_t depth = 0;
    while (at < size) {
        char c = text[at];
        if (c == '"') {
            at = skip_string(text, size, at);
        } else if (c == '{' || c == '[') {
            depth++;
            at++;
        } else if (c == '}' || c == ']') {
            depth--;
            at++;
        } else if (depth > 0) {
            at++;
        } else {
            while (at < size && !is_blank(text[at]) && text[at] != ',' && text[at] != ']' && text[at] != '}') {
                at++;
            }
        }
        if (depth == 0) {
            break;
        }
    }
    return at;
}
