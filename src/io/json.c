#include "io/json.h"

#include "base/context.h"
#include "base/sort.h"
#include "io/json_check.h"
#include "io/number.h"

#include <cJSON.h>
#include <string.h>

#define WARNINGS_KEPT 1000u

/// Set on an item whose name occurs again further down: it is not there for readers. cJSON's types use the lower bits.
#define SHADOWED (1 << 16)

typedef struct warning {
    mrw_error content; ///< without line, column and offset
    struct warning* older;
} warning;

/// An item's `valueint` holds the byte at which it starts; cJSON's own use of it is overwritten.
struct mrwi_json {
    mrw_context* context;
    mrwi_arena arena;
    const char* text; ///< behind the byte order mark
    size_t size, mark_size;
    bool strict;
    cJSON* root;
    warning* newest;        ///< behind those kept comes one that counts the dropped ones
    uint32_t warning_count; ///< with that one
    uint32_t dropped_count;
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

static bool is_name_before(const void* items, uint32_t a, uint32_t b)
{
    return strcmp(((cJSON* const*)items)[a]->string, ((cJSON* const*)items)[b]->string) < 0;
}

// Marks the members of an object whose names occur again.
static mrw_result mark_shadowed(const mrwi_json_cursor* object)
{
    uint32_t count = mrwi_json_count(object);
    cJSON** items = mrwi_arena_allocate(&object->json->arena, count, sizeof(cJSON*) + 2 * sizeof(uint32_t));
    if (items == NULL) {
        return MRW_NO_MEMORY;
    }
    uint32_t* order = (uint32_t*)(void*)(items + count);
    uint32_t i = 0;
    for (cJSON* child = object->item->child; child != NULL; child = child->next) {
        order[i] = i;
        items[i++] = child;
    }
    mrwi_sort(order, order + count, count, is_name_before, items);
    for (i = 1; i < count; i++) {
        if (!is_name_before(items, order[i - 1], order[i])) {
            items[order[i - 1]]->type |= SHADOWED;
        }
    }
    return MRW_OK;
}

// Walks the tree in the order of the text. Sets where each item starts, which is where `starts` says so next, and the values of numbers,
// and notes what is shadowed.
static mrw_result annotate(const mrwi_json_cursor* at, cJSON* item, const char* starts, size_t* next, mrw_error* error)
{
    mrwi_json* json = at->json;
    mrw_result result = MRW_OK;
    while (starts[*next] == 0) {
        ++*next;
    }
    item->valueint = (int)*next;
    if (cJSON_IsNumber(item)) {
        const char* text = json->text + *next;
        item->valuedouble = mrwi_number_read(&text, json->text + json->size);
    }
    ++*next;
    if (item->type & SHADOWED) {
        result = mrwi_json_warn(at, error, MRW_DUPLICATE, "the name occurs again further down, where it counts");
    }
    if (result == MRW_OK && cJSON_IsObject(item)) {
        result = mark_shadowed(at);
    }
    mrwi_json_cursor child = { json, NULL, at, NULL, 0 };
    for (cJSON* inner = item->child; inner != NULL && result == MRW_OK; inner = inner->next) {
        child.item = inner;
        child.key = inner->string;
        result = annotate(&child, inner, starts, next, error);
        child.index++;
    }
    return result;
}

static mrw_result parse(mrwi_json* json, mrw_error* error)
{
    // See mrwi_json_check for what lies in it.
    char* plain = mrwi_allocate(json->context, json->size + 1, 2);
    if (plain == NULL) {
        return MRW_NO_MEMORY;
    }
    memcpy(plain, json->text, json->size);
    mrwi_json_cursor root = mrwi_json_root(json);
    mrw_result result = mrwi_json_check(&root, plain, json->size, json->context->limits.json_depth, error);
    if (result == MRW_OK) {
        parse_arena = &json->arena;
        json->root = cJSON_ParseWithLengthOpts(plain, json->size, NULL, false);
        parse_arena = NULL;
        size_t next = 0;
        root.item = json->root;
        // The text itself is known to be good.
        result = json->root == NULL ? MRW_NO_MEMORY : annotate(&root, json->root, plain + json->size + 1, &next, error);
    }
    mrwi_release(json->context, plain, json->size + 1, 2);
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
    mrw_result result = MRW_NO_MEMORY;
    if (json != NULL) {
        json->context = context;
        mrwi_arena_init(&json->arena, context);
        json->mark_size = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
        json->text = size > 0 ? (const char*)bytes + json->mark_size : "";
        json->size = size - json->mark_size;
        json->strict = strict;
        result = parse(json, error);
    }
    if (result == MRW_OK) {
        *out = json;
        return MRW_OK;
    }
    mrwi_json_release(json);
    return result == MRW_NO_MEMORY ? mrwi_fail(error, MRW_NO_MEMORY, NULL, NULL) : result;
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

void mrwi_json_path(const mrwi_json_cursor* at, char* out, size_t capacity)
{
    if (capacity > 0) {
        write_path(at, out, capacity);
    }
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
        warning* entry = mrwi_arena_allocate(&json->arena, 1, sizeof *entry);
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
    for (const warning* entry = json->newest; entry != NULL; entry = entry->older) {
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
