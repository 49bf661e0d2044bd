/// What every binary exports: its version, its context, plain memory.
#include "module.h"

#include <stdlib.h>

mrw_context* context;
struct exchange exchange;

EXPORT(uint32_t, abi_version, (void))
{
    return MRW_ABI_VERSION;
}
EXPORT(struct exchange*, exchange, (void))
{
    return &exchange;
}
EXPORT(const char*, result_name, (mrw_result result))
{
    return mrw_result_name(result);
}
EXPORT(const char*, result_message, (mrw_result result))
{
    return mrw_result_message(result);
}

EXPORT(mrw_result, start,
    (size_t input_bytes, size_t memory_bytes, uint32_t nodes, uint32_t vertices, uint32_t json_depth, uint32_t image_pixels,
        uint32_t clips))
{
    mrw_context_desc desc = { 0 };
    desc.limits = (mrw_limits) { .input_bytes = input_bytes,
        .memory_bytes = memory_bytes,
        .nodes = nodes,
        .vertices = vertices,
        .json_depth = json_depth,
        .image_pixels = image_pixels,
        .clips = clips };
    context = mrw_context_create(&desc);
    return context == NULL ? MRW_NO_MEMORY : MRW_OK;
}
EXPORT(void, stop, (void))
{
    mrw_context_destroy(context);
    context = NULL;
}
EXPORT(size_t, memory_used, (void))
{
    return mrw_context_memory(context);
}
EXPORT(double, allocations, (void))
{
    return (double)mrw_context_allocations(context);
}

/// Plain memory for what JavaScript copies in. Outside the context's count.
EXPORT(void*, allocate, (size_t size))
{
    return malloc(size);
}
EXPORT(void, release, (void* block))
{
    free(block);
}
EXPORT(void, text_release, (char* text, size_t size))
{
    mrw_text_release(context, text, size);
}
