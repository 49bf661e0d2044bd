// Text of values, for extras: taken from the input, so that numbers keep all their digits.
#include "io/json.h"
#include "io/json_check.h"

#include <string.h>

// Copies a value without the blanks in it. Returns the size.
static size_t compact(const char* source, size_t source_size, char* out)
{
    size_t size = 0;
    bool in_string = false;
    for (size_t i = 0; i < source_size; i++) {
        char c = source[i];
        if (in_string && c == '\\') {
            out[size++] = c;
            i++;
        } else if (c == '"') {
            in_string = !in_string;
        } else if (!in_string && (c == ' ' || c == '\t' || c == '\n' || c == '\r')) {
            continue;
        }
        out[size++] = source[i];
    }
    return size;
}

mrw_result mrwi_json_text(const mrwi_json_cursor* at, mrwi_arena* arena, const char** out)
{
    size_t size = 0;
    const char* source = mrwi_json_source(at, &size);
    *out = NULL;
    if (source == NULL) {
        return MRW_OK;
    }
    char* text = mrwi_arena_allocate(arena, size + 1, 1);
    if (text == NULL) {
        return MRW_NO_MEMORY;
    }
    compact(source, size, text);
    *out = text;
    return MRW_OK;
}

static bool is_listed(const char* name, const char* const* known)
{
    while (*known != NULL && strcmp(*known, name) != 0) {
        known++;
    }
    return *known != NULL;
}

// Room for the unknown members of an object; 0 when there are none.
static size_t measure(const mrwi_json_cursor* at, const char* const* known)
{
    mrwi_json_cursor member;
    size_t size = 0;
    for (bool more = mrwi_json_first(at, &member); more; more = mrwi_json_next(&member)) {
        if (!is_listed(member.key, known)) {
            size_t value_size = 0;
            mrwi_json_source(&member, &value_size);
            size += mrwi_json_quoted_size(member.key) + value_size + 2; // colon and comma
        }
    }
    return size;
}

mrw_result mrwi_json_extras(const mrwi_json_cursor* at, const char* const* known, mrwi_arena* arena, mrw_extras* out)
{
    size_t size = mrwi_json_type_of(at) == MRWI_JSON_OBJECT ? measure(at, known) : 0;
    *out = NULL;
    if (size == 0) {
        return MRW_OK;
    }
    char* text = mrwi_arena_allocate(arena, size, 1);
    if (text == NULL) {
        return MRW_NO_MEMORY;
    }
    mrwi_json_cursor member;
    size = 0;
    for (bool more = mrwi_json_first(at, &member); more; more = mrwi_json_next(&member)) {
        if (!is_listed(member.key, known)) {
            size_t value_size = 0;
            const char* value = mrwi_json_source(&member, &value_size);
            if (size > 0) {
                text[size++] = ',';
            }
            size += mrwi_json_quote(text + size, member.key);
            text[size++] = ':';
            size += compact(value, value_size, text + size);
        }
    }
    *out = text;
    return MRW_OK;
}
