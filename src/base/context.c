#include "base/context.h"

#include <stdlib.h>
#include <string.h>

#define MEBIBYTE ((size_t)1024 * 1024)

// aligned_alloc, since malloc of a 32-bit target may align to 8 bytes only.
static void* default_reallocate(void* user, void* block, size_t old_size, size_t new_size)
{
    (void)user;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    if (new_size > SIZE_MAX - 15) {
        return NULL;
    }
    void* result = aligned_alloc(16, (new_size + 15) & ~(size_t)15);
    if (result != NULL && block != NULL) {
        memcpy(result, block, old_size < new_size ? old_size : new_size);
        free(block);
    }
    return result;
}

static mrw_limits limits_with_defaults(const mrw_limits* given)
{
    mrw_limits limits = *given;
    limits.input_bytes = limits.input_bytes == 0 ? 64 * MEBIBYTE : limits.input_bytes;
    limits.memory_bytes = limits.memory_bytes == 0 ? 1024 * MEBIBYTE : limits.memory_bytes;
    limits.nodes = limits.nodes == 0 ? 16384 : limits.nodes;
    limits.vertices = limits.vertices == 0 ? 4000000 : limits.vertices;
    limits.json_depth = limits.json_depth == 0 ? 64 : limits.json_depth;
    limits.image_pixels = limits.image_pixels == 0 ? 64000000 : limits.image_pixels;
    limits.clips = limits.clips == 0 ? 4096 : limits.clips;
    return limits;
}

mrw_context* mrw_context_create(const mrw_context_desc* desc)
{
    mrw_context_desc none = { { NULL, NULL }, { 0, 0, 0, 0, 0, 0, 0 } };
    if (desc == NULL) {
        desc = &none;
    }
    // The context's own block goes through the same counting as all others: a copy on the stack starts it.
    mrw_context start;
    memset(&start, 0, sizeof start);
    start.memory.allocator = desc->allocator;
    if (start.memory.allocator.reallocate == NULL) {
        start.memory.allocator.reallocate = default_reallocate;
    }
    start.limits = limits_with_defaults(&desc->limits);
    start.memory.limit = start.limits.memory_bytes;
    mrw_context* context = mrwi_allocate(&start, 1, sizeof *context);
    if (context != NULL) {
        *context = start;
    }
    return context;
}

static void destroy_all(mrw_context* context, mrwi_slots* slots, mrwi_slots_destroy destroy)
{
    uint32_t cursor = 0;
    uint32_t id;
    void* object;
    while (destroy != NULL && (object = mrwi_slots_next(slots, &cursor, &id)) != NULL) {
        destroy(context, object);
    }
}

void mrw_context_destroy(mrw_context* context)
{
    if (context == NULL) {
        return;
    }
    destroy_all(context, &context->worlds, context->destroy_world);
    destroy_all(context, &context->models, context->destroy_model);
    if (context->destroy_assets != NULL && context->assets != NULL) {
        context->destroy_assets(context, context->assets);
    }
    mrwi_slots_release(context, &context->models);
    mrwi_slots_release(context, &context->worlds);
    mrwi_slots_release(context, &context->instances);
    mrwi_slots_release(context, &context->crowds);
    context->memory.allocator.reallocate(context->memory.allocator.user, context, sizeof *context, 0);
}

size_t mrw_context_memory(const mrw_context* context)
{
    return context == NULL ? 0 : context->memory.used;
}

uint64_t mrw_context_allocations(const mrw_context* context)
{
    return context == NULL ? 0 : context->memory.allocations;
}

void mrw_text_release(mrw_context* context, char* text, size_t size)
{
    mrwi_release(context, text, size + 1, 1);
}
