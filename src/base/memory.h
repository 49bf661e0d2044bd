/// Memory of a context: counted blocks and arenas. Every size that comes from a file goes through `mrwi_size_multiply`.
#ifndef MRWI_BASE_MEMORY_H
#define MRWI_BASE_MEMORY_H

#include "marrow.h"

/// a * b and a + b; false (and *out untouched) on overflow.
bool mrwi_size_multiply(size_t a, size_t b, size_t* out);
bool mrwi_size_add(size_t a, size_t b, size_t* out);

/// One for each thread. A WebAssembly module has one, and linkers refuse the storage class without the feature of threads.
#ifdef __wasm__
#define MRWI_THREAD_LOCAL
#else
#define MRWI_THREAD_LOCAL _Thread_local
#endif

/// What a context starts with: all that this file knows of one.
typedef struct mrwi_memory {
    mrw_allocator allocator;
    size_t limit; ///< of `used`
    size_t used;  ///< bytes in blocks that live
    uint64_t allocations;
} mrwi_memory;

/// Blocks from the context's allocator, 16-byte aligned, zeroed. NULL when memory is short, the limit is reached, or
/// count * size overflows. `count` 0 gives a valid block of no use.
void* mrwi_allocate(mrw_context* context, size_t count, size_t size);
/// Keeps the first `old_count` elements, zeroes the rest. On failure the old block stays valid.
void* mrwi_reallocate(mrw_context* context, void* block, size_t old_count, size_t new_count, size_t size);
/// Makes room for `wanted` elements in an array whose length is `*capacity`; `array` is the address of its pointer. Grows to twice the
/// length at least. False when memory is short: nothing changed.
bool mrwi_grow(mrw_context* context, void* array, uint32_t* capacity, size_t wanted, size_t size);
/// A block with the text and its zero; NULL when memory is short. mrwi_text_release takes NULL too.
char* mrwi_text_copy(mrw_context* context, const char* text);
void mrwi_text_release(mrw_context* context, char* text);
/// `count` and `size` as given when allocated. NULL is fine. What `mrw_text_release` gets must be a block of its size + 1 bytes.
void mrwi_release(mrw_context* context, void* block, size_t count, size_t size);

/// Grows by chunks and is freed whole. Zero-initialised plus `context` is a valid empty arena.
typedef struct mrwi_arena_chunk mrwi_arena_chunk;
typedef struct mrwi_arena {
    mrw_context* context;
    mrwi_arena_chunk* chunks;
    size_t used; ///< in the newest chunk
    bool failed; ///< some allocation gave NULL; asked once after many
} mrwi_arena;
void mrwi_arena_init(mrwi_arena* arena, mrw_context* context);
/// Zeroed, 16-byte aligned; NULL when memory is short or count * size overflows.
void* mrwi_arena_allocate(mrwi_arena* arena, size_t count, size_t size);
/// Copies `size` bytes of text and adds a zero.
char* mrwi_arena_text(mrwi_arena* arena, const char* text, size_t size);
void mrwi_arena_release(mrwi_arena* arena);
size_t mrwi_arena_size(const mrwi_arena* arena);

#endif
