#include "base/memory.h"

#include <string.h>

bool mrwi_size_multiply(size_t a, size_t b, size_t* out)
{
    if (b != 0 && a > SIZE_MAX / b) {
        return false;
    }
    *out = a * b;
    return true;
}

bool mrwi_size_add(size_t a, size_t b, size_t* out)
{
    if (a > SIZE_MAX - b) {
        return false;
    }
    *out = a + b;
    return true;
}

// Bytes of a block. An empty one gets a byte, so that it has an address; the allocator's 0 means release.
static bool block_size(size_t count, size_t size, size_t* out)
{
    if (!mrwi_size_multiply(count, size, out)) {
        return false;
    }
    if (*out == 0) {
        *out = 1;
    }
    return true;
}

static mrwi_memory* memory_of(mrw_context* context)
{
    return (mrwi_memory*)context;
}

static void* resize(mrwi_memory* memory, void* block, size_t old_size, size_t new_size)
{
    size_t others = memory->used - old_size;
    if (new_size > old_size && (others > memory->limit || new_size > memory->limit - others)) {
        return NULL;
    }
    void* result = memory->allocator.reallocate(memory->allocator.user, block, old_size, new_size);
    if (result == NULL) {
        return NULL;
    }
    memory->used = others + new_size;
    memory->allocations++;
    if (new_size > old_size) {
        memset((char*)result + old_size, 0, new_size - old_size);
    }
    return result;
}

void* mrwi_allocate(mrw_context* context, size_t count, size_t size)
{
    size_t bytes;
    return block_size(count, size, &bytes) ? resize(memory_of(context), NULL, 0, bytes) : NULL;
}

void* mrwi_reallocate(mrw_context* context, void* block, size_t old_count, size_t new_count, size_t size)
{
    size_t old_bytes, new_bytes;
    if (block == NULL) {
        return mrwi_allocate(context, new_count, size);
    }
    if (!block_size(old_count, size, &old_bytes) || !block_size(new_count, size, &new_bytes)) {
        return NULL;
    }
    void* result = resize(memory_of(context), block, old_bytes, new_bytes);
    if (result != NULL && old_count == 0) {
        memset(result, 0, new_bytes); // the byte of an empty block is nobody's element
    }
    return result;
}

bool mrwi_grow(mrw_context* context, void* array, uint32_t* capacity, size_t wanted, size_t size)
{
    if (wanted <= *capacity) {
        return true;
    }
    const uint32_t twice = *capacity == 0 ? 8 : 2 * *capacity;
    const uint32_t count = wanted > twice ? (uint32_t)wanted : twice;
    void* block;
    memcpy(&block, array, sizeof block);
    void* grown = wanted > UINT32_MAX / 2 ? NULL : mrwi_reallocate(context, block, *capacity, count, size);
    if (grown == NULL) {
        return false;
    }
    memcpy(array, &grown, sizeof grown);
    *capacity = count;
    return true;
}

char* mrwi_text_copy(mrw_context* context, const char* text)
{
    const size_t size = strlen(text) + 1;
    char* copy = mrwi_allocate(context, size, 1);
    if (copy != NULL) {
        memcpy(copy, text, size);
    }
    return copy;
}

void mrwi_text_release(mrw_context* context, char* text)
{
    if (text != NULL) {
        mrwi_release(context, text, strlen(text) + 1, 1);
    }
}

void mrwi_release(mrw_context* context, void* block, size_t count, size_t size)
{
    size_t bytes;
    if (block == NULL || !block_size(count, size, &bytes)) {
        return;
    }
    mrwi_memory* memory = memory_of(context);
    memory->allocator.reallocate(memory->allocator.user, block, bytes, 0);
    memory->used -= bytes;
}
