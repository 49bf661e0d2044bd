#include "base/context.h"
#include "base/sort.h"
#include "io/json_check.h"
#include "io/json_tree.h"
#include "io/number.h"

#include <cJSON.h>
#include <string.h>

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
            items[order[i - 1]]->type |= MRWI_JSON_SHADOWED;
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
    if (item->type & MRWI_JSON_SHADOWED) {
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
