#include "base/memory.h"

#include <string.h>

#define FIRST_CHUNK 4096u
#define LARGEST_CHUNK (1024u * 1024u)
#define HEADER_SIZE 32u

struct mrwi_arena_chunk {
    mrwi_arena_chunk* older;
    size_t size; ///< of the whole block, header included
};
_Static_assert(sizeof(mrwi_arena_chunk) <= HEADER_SIZE, "the first allocation of a chunk must be aligned");

void mrwi_arena_init(mrwi_arena* arena, mrw_context* context)
{
    *arena = (mrwi_arena) { .context = context };
}

size_t mrwi_arena_size(const mrwi_arena* arena)
{
    size_t size = 0;
    for (const mrwi_arena_chunk* chunk = arena->chunks; chunk != NULL; chunk = chunk->older) {
        size += chunk->size;
    }
    return size;
}

static mrwi_arena_chunk* add_chunk(mrwi_arena* arena, size_t size)
{
    mrwi_arena_chunk* chunk = mrwi_allocate(arena->context, size, 1);
    if (chunk != NULL) {
        chunk->size = size;
    }
    return chunk;
}

// A block as large as a chunk gets one of its own behind the newest, whose rest stays in use.
static void* allocate_large(mrwi_arena* arena, size_t bytes)
{
    mrwi_arena_chunk* chunk = add_chunk(arena, bytes + HEADER_SIZE);
    if (chunk == NULL) {
        return NULL;
    }
    if (arena->chunks == NULL) {
        arena->chunks = chunk;
        arena->used = chunk->size;
    } else {
        chunk->older = arena->chunks->older;
        arena->chunks->older = chunk;
    }
    return (char*)chunk + HEADER_SIZE;
}

static void* allocate(mrwi_arena* arena, size_t count, size_t size)
{
    size_t bytes;
    if (!mrwi_size_multiply(count, size, &bytes) || bytes > SIZE_MAX / 2) {
        return NULL;
    }
    bytes = bytes == 0 ? 16 : (bytes + 15) & ~(size_t)15;
    if (arena->chunks == NULL || bytes > arena->chunks->size - arena->used) {
        size_t chunk_size = mrwi_arena_size(arena);
        chunk_size = chunk_size < FIRST_CHUNK ? FIRST_CHUNK : chunk_size > LARGEST_CHUNK ? LARGEST_CHUNK : chunk_size;
        if (bytes > (chunk_size - HEADER_SIZE) / 2) {
            return allocate_large(arena, bytes);
        }
        mrwi_arena_chunk* chunk = add_chunk(arena, chunk_size);
        if (chunk == NULL) {
            return NULL;
        }
        chunk->older = arena->chunks;
        arena->chunks = chunk;
        arena->used = HEADER_SIZE;
    }
    void* result = (char*)arena->chunks + arena->used;
    arena->used += bytes;
    return result;
}

void* mrwi_arena_allocate(mrwi_arena* arena, size_t count, size_t size)
{
    void* result = allocate(arena, count, size);
    arena->failed |= result == NULL;
    return result;
}

char* mrwi_arena_text(mrwi_arena* arena, const char* text, size_t size)
{
    size_t bytes;
    char* copy = mrwi_size_add(size, 1, &bytes) ? mrwi_arena_allocate(arena, bytes, 1) : NULL;
    if (copy != NULL && size > 0) {
        memcpy(copy, text, size);
    }
    return copy;
}

void mrwi_arena_release(mrwi_arena* arena)
{
    mrwi_arena_chunk* chunk = arena->chunks;
    while (chunk != NULL) {
        mrwi_arena_chunk* older = chunk->older;
        mrwi_release(arena->context, chunk, chunk->size, 1);
        chunk = older;
    }
    mrwi_arena_init(arena, arena->context);
}
