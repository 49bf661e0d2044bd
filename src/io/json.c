#include "io/json_tree.h"
#include "io/number.h"

#include <cJSON.h>
#include <string.h>

#define WARNINGS_KEPT 1000u

// ---- cursors

mrwi_json_cursor mrwi_json_root(mrwi_json* json)
{
    return (mrwi_json_cursor) { json, json->root, NULL, NULL, 0 };
}

mrwi_json_type mrwi_json_type_of(const mrwi_json_cursor* at)
{
    switch (at->item == NULL ? cJSON_Invalid : at->item->type & 0xff) {
    case cJSON_NULL:
        return MRWI_JSON_NULL;
    case cJSON_False:
    case cJSON_True:
        return MRWI_JSON_BOOLEAN;
    case cJSON_Number:
        return MRWI_JSON_NUMBER;
    case cJSON_String:
        return MRWI_JSON_STRING;
    case cJSON_Array:
        return MRWI_JSON_ARRAY;
    case cJSON_Object:
        return MRWI_JSON_OBJECT;
    default:
        return MRWI_JSON_NONE;
    }
}

double mrwi_json_number(const mrwi_json_cursor* at)
{
    return cJSON_IsNumber(at->item) ? at->item->valuedouble : 0;
}

bool mrwi_json_boolean(const mrwi_json_cursor* at)
{
    return cJSON_IsTrue(at->item);
}

const char* mrwi_json_string(const mrwi_json_cursor* at)
{
    return cJSON_IsString(at->item) ? at->item->valuestring : NULL;
}

static const cJSON* skip_shadowed(const cJSON* item)
{
    while (item != NULL && (item->type & MRWI_JSON_SHADOWED) != 0) {
        item = item->next;
    }
    return item;
}

bool mrwi_json_first(const mrwi_json_cursor* at, mrwi_json_cursor* child)
{
    const cJSON* item = at->item == NULL ? NULL : skip_shadowed(at->item->child);
    *child = (mrwi_json_cursor) { at->json, item, at, item == NULL ? NULL : item->string, 0 };
    return item != NULL;
}

bool mrwi_json_next(mrwi_json_cursor* child)
{
    child->item = child->item == NULL ? NULL : skip_shadowed(child->item->next);
    child->key = child->item == NULL ? NULL : child->item->string;
    child->index++;
    return child->item != NULL;
}

uint32_t mrwi_json_count(const mrwi_json_cursor* at)
{
    uint32_t count = 0;
    for (const cJSON* item = at->item == NULL ? NULL : skip_shadowed(at->item->child); item != NULL; item = skip_shadowed(item->next)) {
        count++;
    }
    return count;
}

mrwi_json_cursor mrwi_json_member(const mrwi_json_cursor* at, const char* name)
{
    mrwi_json_cursor member = { at->json, NULL, at, name, 0 };
    if (cJSON_IsObject(at->item)) {
        const cJSON* item = skip_shadowed(at->item->child);
        while (item != NULL && strcmp(item->string, name) != 0) {
            item = skip_shadowed(item->next);
        }
        member.item = item;
    }
    return member;
}

static bool is_plain_name(const char* name)
{
    for (const char* c = name; *c != 0; c++) {
        bool letter = ((*c | 32) >= 'a' && (*c | 32) <= 'z') || *c == '_' || *c == '$';
        if (!letter && (c == name || mrwi_digit(*c) >= 10)) {
            return false;
        }
    }
    return *name != 0;
}

static size_t write_path(const mrwi_json_cursor* at, char* out, size_t capacity)
{
    if (at->up == NULL) {
        return mrwi_format(out, capacity, "$");
    }
    size_t size = write_path(at->up, out, capacity);
    out += size;
    capacity -= size;
    return size
        + (at->key == NULL ? mrwi_format(out, capacity, "[%u]", (unsigned)at->index)
                           : mrwi_format(out, capacity, is_plain_name(at->key) ? ".%s" : "[\"%s\"]", at->key));
}

// Byte of the text at which the value starts; of an absent one, its nearest present ancestor.
static size_t offset_of(const mrwi_json_cursor* at)
{
    while (at->item == NULL && at->up != NULL) {
        at = at->up;
    }
    return at->item == NULL ? 0 : (size_t)at->item->valueint;
}

const char* mrwi_json_source(const mrwi_json_cursor* at, size_t* out_size)
{
    if (at->item == NULL) {
        *out_size = 0;
        return NULL;
    }
    size_t start = offset_of(at);
    *out_size = at->json->size - start;
    return at->json->text + start;
}

// ---- errors and warnings

// All but line, column and offset.
static void describe(const mrwi_json_cursor* at, mrw_error* error, mrw_result code, const char* format, va_list arguments)
{
    mrwi_fail_list(error, code, NULL, format, arguments);
    write_path(at, error->path, sizeof error->path);
}

mrw_result mrwi_json_fail_at(
    const mrwi_json_cursor* at, size_t offset, mrw_error* error, mrw_result code, const char* format, va_list arguments)
{
    if (error != NULL) {
        describe(at, error, code, format, arguments);
        error->line = 1;
        error->column = 1;
        error->offset = (int64_t)(at->json->mark_size + offset);
        for (const char* c = at->json->text; c < at->json->text + offset; c++) {
            if (*c == '\n') {
                error->line++;
                error->column = 1;
            } else if (((unsigned char)*c & 0xc0u) != 0x80u) {
                error->column++;
            }
        }
    }
    return code;
}

mrw_result mrwi_json_fail(const mrwi_json_cursor* at, mrw_error* error, mrw_result code, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    mrwi_json_fail_at(at, offset_of(at), error, code, format, arguments);
    va_end(arguments);
    return code;
}

static mrw_result record(const mrwi_json_cursor* at, mrw_result code, const char* format, va_list arguments)
{
    mrwi_json* json = at->json;
    if (json->warning_count <= WARNINGS_KEPT) {
        mrwi_json_warning* entry = mrwi_arena_allocate(&json->arena, 1, sizeof *entry);
        if (entry == NULL) {
            return MRW_NO_MEMORY;
        }
        entry->older = json->newest;
        json->newest = entry;
        json->warning_count++;
    }
    mrw_error* content = &json->newest->content;
    if (json->warning_count <= WARNINGS_KEPT) {
        describe(at, content, code, format, arguments);
    } else {
        json->dropped_count++;
        mrwi_fail(content, MRW_LIMIT, NULL, "%u more repairs are not listed", (unsigned)json->dropped_count);
    }
    return MRW_OK;
}

mrw_result mrwi_json_warn_list(const mrwi_json_cursor* at, mrw_error* error, mrw_result code, const char* format, va_list arguments)
{
    return at->json->strict ? mrwi_json_fail_at(at, offset_of(at), error, code, format, arguments) : record(at, code, format, arguments);
}

mrw_result mrwi_json_warn(const mrwi_json_cursor* at, mrw_error* error, mrw_result code, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    mrw_result result = mrwi_json_warn_list(at, error, code, format, arguments);
    va_end(arguments);
    return result;
}

mrw_result mrwi_json_warnings(mrwi_json* json, mrwi_arena* arena, const mrw_warning** out, uint32_t* out_count)
{
    mrw_warning* list = mrwi_arena_allocate(arena, json->warning_count, sizeof *list);
    if (list == NULL) {
        return MRW_NO_MEMORY;
    }
    mrw_warning* to = list + json->warning_count;
    for (const mrwi_json_warning* entry = json->newest; entry != NULL; entry = entry->older) {
        const mrw_error* content = &entry->content;
        to--;
        to->code = content->code;
        to->path = mrwi_arena_text(arena, content->path, strlen(content->path));
        to->message = mrwi_arena_text(arena, content->message, strlen(content->message));
        if (to->path == NULL || to->message == NULL) {
            return MRW_NO_MEMORY;
        }
    }
    *out = list;
    *out_count = json->warning_count;
    return MRW_OK;
}
