#include "io/json.h"

#include "base/context.h"
#include "base/sort.h"
#include "io/json_check.h"
#include "io/number.h"

#include <cJSON.h>
#include <string.h>

#define WARNINGS_KEPT 1000u

/// Members of an object that are sorted on the stack.
#define FEW 16u

/// Set on an item whose name occurs again further down: it is not there for readers. cJSON's types use the lower bits.
#define SHADOWED (1 << 16)

typedef struct warning {
    mrw_warning content;
    struct warning* next;
} warning;

/// An item's `valueint` holds the byte at which it starts; cJSON's own use of it is overwritten.
struct mrwi_json {
    mrw_context* context;
    mrwi_arena arena;
    const char* text;
    size_t size;
    bool strict;
    cJSON* root;
    warning* first_warning;
    warning** end_of_warnings;
    uint32_t warning_count, dropped_count;
};

// ---- what cJSON calls in place of the C library (cmake/Deps.cmake)

// The arena of the parse that runs on this thread. The one global.
static MRWI_THREAD_LOCAL mrwi_arena* parse_arena;

void* mrwi_json_allocate(size_t size);
void* mrwi_json_allocate(size_t size)
{
    return mrwi_arena_allocate(parse_arena, size, 1);
}

void mrwi_json_keep(void* block);
void mrwi_json_keep(void* block)
{
    (void)block; // goes with the arena
}

// Only its printer asks for this, which nobody calls: it would have to know the size of the old block.
void* mrwi_json_reallocate(void* block, size_t size);
void* mrwi_json_reallocate(void* block, size_t size)
{
    (void)block;
    (void)size;
    return NULL;
}

// All numbers that it sees are zeros, see json_check.h.
double mrwi_json_zero(const char* text, char** end);
double mrwi_json_zero(const char* text, char** end)
{
    *end = (char*)text + strlen(text);
    return 0;
}

// ---- parsing

// Walks tree and text side by side: sets where each item starts, and the values of numbers. Returns the byte behind the item.
static size_t annotate(const mrwi_json* json, cJSON* item, size_t at)
{
    at = mrwi_json_skip_blanks(json->text, json->size, at);
    size_t start = at;
    item->valueint = (int)start;
    bool is_object = cJSON_IsObject(item);
    if (!is_object && !cJSON_IsArray(item)) {
        at = mrwi_json_skip_value(json->text, json->size, at);
        if (cJSON_IsNumber(item)) {
            item->valuedouble = mrwi_number_read(json->text + start, at - start);
        }
        return at;
    }
    at++;
    for (cJSON* child = item->child; child != NULL; child = child->next) {
        at = mrwi_json_skip_blanks(json->text, json->size, at);
        if (is_object) {
            at = mrwi_json_skip_value(json->text, json->size, at);
            at = mrwi_json_skip_blanks(json->text, json->size, at) + 1; // the colon
        }
        at = annotate(json, child, at);
        at = mrwi_json_skip_blanks(json->text, json->size, at);
        at += child->next != NULL ? 1 : 0; // the comma
    }
    return mrwi_json_skip_blanks(json->text, json->size, at) + 1;
}

static bool is_name_before(const void* items, uint32_t a, uint32_t b)
{
    return strcmp(((cJSON* const*)items)[a]->string, ((cJSON* const*)items)[b]->string) < 0;
}

// Marks the members of an object whose names occur again. `order` has room for twice as many as `items`.
static bool mark_sorted(const cJSON* object, cJSON** items, uint32_t* order)
{
    uint32_t count = 0;
    for (cJSON* child = object->child; child != NULL; child = child->next) {
        order[count] = count;
        items[count++] = child;
    }
    mrwi_sort(order, order + count, count, is_name_before, items);
    bool any = false;
    for (uint32_t i = 0; i + 1 < count; i++) {
        if (!is_name_before(items, order[i], order[i + 1])) {
            items[order[i]]->type |= SHADOWED;
            any = true;
        }
    }
    return any;
}

static mrw_result mark_shadowed(const mrwi_json* json, const cJSON* object, bool* any)
{
    cJSON* few[FEW];
    uint32_t few_places[2 * FEW];
    size_t count = 0;
    for (const cJSON* child = object->child; child != NULL; child = child->next) {
        count++;
    }
    if (count <= FEW) {
        *any = mark_sorted(object, few, few_places);
        return MRW_OK;
    }
    cJSON** items = mrwi_allocate(json->context, count, sizeof(cJSON*) + 2 * sizeof(uint32_t));
    if (items == NULL) {
        return MRW_NO_MEMORY;
    }
    *any = mark_sorted(object, items, (uint32_t*)(void*)(items + count));
    mrwi_release(json->context, items, count, sizeof(cJSON*) + 2 * sizeof(uint32_t));
    return MRW_OK;
}

static mrw_result resolve_duplicates(const mrwi_json_cursor* at, mrw_error* error)
{
    mrw_result result = MRW_OK;
    if (cJSON_IsObject(at->item)) {
        bool any;
        if (mark_shadowed(at->json, at->item, &any) != MRW_OK) {
            return mrwi_fail(error, MRW_NO_MEMORY, NULL, NULL);
        }
        for (const cJSON* child = any ? at->item->child : NULL; child != NULL; child = child->next) {
            if (child->type & SHADOWED) {
                mrwi_json_cursor member = { at->json, child, at, child->string, 0 };
                result = mrwi_json_warn(&member, error, MRW_DUPLICATE, "the name occurs again further down, where it counts");
                if (result != MRW_OK) {
                    return result;
                }
            }
        }
    }
    mrwi_json_cursor child;
    for (bool more = mrwi_json_first(at, &child); more && result == MRW_OK; more = mrwi_json_next(&child)) {
        if (child.item->child != NULL) {
            result = resolve_duplicates(&child, error);
        }
    }
    return result;
}

static mrw_result parse(mrwi_json* json, mrw_error* error)
{
    // One zero more, since cJSON compares words by strncmp.
    char* plain = mrwi_allocate(json->context, json->size + 1, 1);
    if (plain == NULL) {
        return mrwi_fail(error, MRW_NO_MEMORY, NULL, NULL);
    }
    mrw_result result = mrwi_json_check(json->text, json->size, json->context->limits.json_depth, plain, error);
    if (result == MRW_OK) {
        parse_arena = &json->arena;
        json->root = cJSON_ParseWithLengthOpts(plain, json->size, NULL, false);
        parse_arena = NULL;
        if (json->root == NULL) {
            result = mrwi_fail(error, MRW_NO_MEMORY, NULL, NULL); // the text itself is known to be good
        }
    }
    mrwi_release(json->context, plain, json->size + 1, 1);
    if (result == MRW_OK) {
        annotate(json, json->root, json->size >= 3 && memcmp(json->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
        mrwi_json_cursor root = mrwi_json_root(json);
        result = resolve_duplicates(&root, error);
    }
    return result;
}

mrw_result mrwi_json_parse(mrw_context* context, const void* bytes, size_t size, bool strict, mrwi_json** out, mrw_error* error)
{
    *out = NULL;
    if (bytes == NULL && size > 0) {
        return mrwi_fail(error, MRW_BAD_ARGUMENT, NULL, "there are no bytes");
    }
    if (size > context->limits.input_bytes || size > INT32_MAX - 1) {
        return mrwi_fail(
            error, MRW_LIMIT, NULL, "the text is larger than the limit of %u KiB", (unsigned)(context->limits.input_bytes / 1024));
    }
    mrwi_json* json = mrwi_allocate(context, 1, sizeof *json);
    if (json == NULL) {
        return mrwi_fail(error, MRW_NO_MEMORY, NULL, NULL);
    }
    json->context = context;
    mrwi_arena_init(&json->arena, context);
    json->text = size > 0 ? bytes : "";
    json->size = size;
    json->strict = strict;
    json->end_of_warnings = &json->first_warning;
    mrw_result result = parse(json, error);
    if (result != MRW_OK) {
        mrwi_json_release(json);
        return result;
    }
    *out = json;
    return MRW_OK;
}

void mrwi_json_release(mrwi_json* json)
{
    if (json != NULL) {
        mrwi_arena_release(&json->arena);
        mrwi_release(json->context, json, 1, sizeof *json);
    }
}

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
    while (item != NULL && (item->type & SHADOWED) != 0) {
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

static size_t write_path(const mrwi_json_cursor* at, char* out, size_t capacity)
{
    if (at->up == NULL) {
        return mrwi_format(out, capacity, "$");
    }
    size_t size = write_path(at->up, out, capacity);
    return mrwi_json_path_step(out, capacity, size, at->key, at->key == NULL ? 0 : strlen(at->key), at->index);
}

void mrwi_json_path(const mrwi_json_cursor* at, char* out, size_t capacity)
{
    if (capacity > 0) {
        write_path(at, out, capacity);
    }
}

size_t mrwi_json_offset(const mrwi_json_cursor* at)
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
    const mrwi_json* json = at->json;
    size_t start = (size_t)at->item->valueint;
    *out_size = mrwi_json_skip_value(json->text, json->size, start) - start;
    return json->text + start;
}

// ---- errors and warnings

static mrw_result fail_list(const mrwi_json_cursor* at, mrw_error* error, mrw_result code, const char* format, va_list arguments)
{
    if (error != NULL) {
        char path[sizeof error->path];
        mrwi_json_path(at, path, sizeof path);
        mrwi_fail_list(error, code, path, format, arguments);
        mrwi_json_place(at->json->text, at->json->size, mrwi_json_offset(at), error);
    }
    return code;
}

mrw_result mrwi_json_fail(const mrwi_json_cursor* at, mrw_error* error, mrw_result code, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail_list(at, error, code, format, arguments);
    va_end(arguments);
    return code;
}

static mrw_result record(const mrwi_json_cursor* at, mrw_result code, const char* format, va_list arguments)
{
    mrwi_json* json = at->json;
    if (json->warning_count == WARNINGS_KEPT) {
        json->dropped_count++;
        return MRW_OK;
    }
    mrw_error text;
    mrwi_json_path(at, text.path, sizeof text.path);
    if (format == NULL) {
        mrwi_format(text.message, sizeof text.message, "%s", mrw_result_message(code));
    } else {
        mrwi_format_list(text.message, sizeof text.message, format, arguments);
    }
    warning* entry = mrwi_arena_allocate(&json->arena, 1, sizeof *entry);
    char* path = mrwi_arena_text(&json->arena, text.path, strlen(text.path));
    char* message = mrwi_arena_text(&json->arena, text.message, strlen(text.message));
    if (entry == NULL || path == NULL || message == NULL) {
        return MRW_NO_MEMORY;
    }
    entry->content = (mrw_warning) { code, path, message };
    *json->end_of_warnings = entry;
    json->end_of_warnings = &entry->next;
    json->warning_count++;
    return MRW_OK;
}

mrw_result mrwi_json_warn_list(const mrwi_json_cursor* at, mrw_error* error, mrw_result code, const char* format, va_list arguments)
{
    mrw_result result = at->json->strict ? fail_list(at, error, code, format, arguments) : record(at, code, format, arguments);
    return result == MRW_NO_MEMORY && !at->json->strict ? mrwi_fail(error, MRW_NO_MEMORY, NULL, NULL) : result;
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
    uint32_t count = json->warning_count + (json->dropped_count > 0 ? 1 : 0);
    mrw_warning* list = mrwi_arena_allocate(arena, count, sizeof *list);
    if (list == NULL) {
        return MRW_NO_MEMORY;
    }
    uint32_t index = 0;
    for (const warning* entry = json->first_warning; entry != NULL; entry = entry->next, index++) {
        list[index].code = entry->content.code;
        list[index].path = mrwi_arena_text(arena, entry->content.path, strlen(entry->content.path));
        list[index].message = mrwi_arena_text(arena, entry->content.message, strlen(entry->content.message));
        if (list[index].path == NULL || list[index].message == NULL) {
            return MRW_NO_MEMORY;
        }
    }
    if (json->dropped_count > 0) {
        char message[64];
        size_t size = mrwi_format(message, sizeof message, "%u more repairs are not listed", (unsigned)json->dropped_count);
        list[index] = (mrw_warning) { MRW_LIMIT, "$", mrwi_arena_text(arena, message, size) };
        if (list[index].message == NULL) {
            return MRW_NO_MEMORY;
        }
    }
    *out = list;
    *out_count = count;
    return MRW_OK;
}
