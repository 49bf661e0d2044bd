// Text of values, for extras: taken from the input, so that numbers keep all their digits.
#include "io/json.h"
#include "io/json_chars.h"

#include <string.h>

mrw_result mrwi_json_text(const mrwi_json_cursor* at, mrwi_arena* arena, const char** out)
{
    size_t rest, size;
    const char* source = mrwi_json_source(at, &rest);
    *out = NULL;
    if (source == NULL) {
        return MRW_OK;
    }
    mrwi_json_compact(source, rest, NULL, &size);
    char* text = mrwi_arena_allocate(arena, size + 1, 1);
    if (text == NULL) {
        return MRW_NO_MEMORY;
    }
    mrwi_json_compact(source, rest, text, &size);
    *out = text;
    return MRW_OK;
}

static bool is_listed(const char* name, mrwi_json_names known)
{
    for (size_t i = 0; i < known.count; i++) {
        if (strcmp(*(const char* const*)(const void*)((const char*)known.first + i * known.stride), name) == 0) {
            return true;
        }
    }
    return false;
}

// Room for the unknown members of an object; 0 when there are none.
static size_t measure(const mrwi_json_cursor* at, mrwi_json_names known)
{
    mrwi_json_cursor member;
    size_t size = 0;
    for (bool more = mrwi_json_first(at, &member); more; more = mrwi_json_next(&member)) {
        if (!is_listed(member.key, known)) {
            size_t rest, value_size;
            const char* value = mrwi_json_source(&member, &rest);
            mrwi_json_compact(value, rest, NULL, &value_size);
            size += mrwi_json_quoted_size(member.key) + value_size + 2; // colon and comma
        }
    }
    return size;
}

mrw_result mrwi_json_extras(const mrwi_json_cursor* at, mrwi_json_names known, mrwi_arena* arena, mrw_extras* out)
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
            size_t rest, value_size;
            const char* value = mrwi_json_source(&member, &rest);
            if (size > 0) {
                text[size++] = ',';
            }
            size += mrwi_json_quote(text + size, member.key);
            text[size++] = ':';
            mrwi_json_compact(value, rest, text + size, &value_size);
            size += value_size;
        }
    }
    *out = text;
    return MRW_OK;
}
