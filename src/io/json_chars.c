#include "io/json_chars.h"

#include <string.h>

bool mrwi_json_is_one_of(char c, const char* set)
{
    while (*set != 0 && *set != c) {
        set++;
    }
    return *set != 0;
}

size_t mrwi_json_compact(const char* text, size_t size, char* out, size_t* out_size)
{
    size_t at = 0, copied = 0, depth = 0;
    bool in_string = false, is_escaped = false;
    for (; at < size; at++) {
        char c = text[at];
        if (in_string) {
            in_string = is_escaped || c != '"';
            is_escaped = !is_escaped && c == '\\';
        } else if (c == '"') {
            in_string = true;
        } else if (mrwi_json_is_one_of(c, "[{")) {
            depth++;
        } else if (depth == 0 && mrwi_json_is_one_of(c, ",:]} \t\n\r")) {
            break;
        } else if (mrwi_json_is_one_of(c, "]}")) {
            depth--;
        } else if (mrwi_json_is_one_of(c, " \t\n\r")) {
            continue;
        }
        if (out != NULL) {
            out[copied] = c;
        }
        copied++;
    }
    *out_size = copied;
    return at;
}

// The escape of a character, or NULL when it stands for itself.
static const char* escape_of(unsigned char c, char room[7])
{
    switch (c) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '\b':
        return "\\b";
    case '\f':
        return "\\f";
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    default:
        break;
    }
    if (c >= 0x20) {
        return NULL;
    }
    memcpy(room, "\\u00", 4);
    room[4] = (char)('0' + (c >> 4));
    room[5] = "0123456789abcdef"[c & 15];
    room[6] = 0;
    return room;
}

size_t mrwi_json_quoted_size(const char* text)
{
    char room[7];
    size_t size = 2;
    for (; *text != 0; text++) {
        const char* escape = escape_of((unsigned char)*text, room);
        size += escape == NULL ? 1 : strlen(escape);
    }
    return size;
}

size_t mrwi_json_quote(char* out, const char* text)
{
    char room[7];
    size_t size = 0;
    out[size++] = '"';
    for (; *text != 0; text++) {
        const char* escape = escape_of((unsigned char)*text, room);
        if (escape == NULL) {
            out[size++] = *text;
        } else {
            memcpy(out + size, escape, strlen(escape));
            size += strlen(escape);
        }
    }
    out[size++] = '"';
    return size;
}
