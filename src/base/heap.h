/// A heap over memory that its owner has: what the WebAssembly binaries use in place of the C library's, which is larger. Blocks are
/// aligned to 16 bytes. Free blocks lie in lists by the power of two below their size; a freed one joins its free neighbours at once.
#ifndef MRWI_BASE_HEAP_H
#define MRWI_BASE_HEAP_H

#include <stddef.h>

typedef struct mrwi_heap_block mrwi_heap_block;

/// Zeros are a heap without memory.
typedef struct mrwi_heap {
    mrwi_heap_block* free[8 * sizeof(size_t)];
    mrwi_heap_block* end; ///< behind the last block; NULL without memory
} mrwi_heap;

/// Adds memory: at first from `begin` to `end`, at least 64 bytes; later whatever has come behind what it had, up to `end`. Less than
/// 64 bytes more are left for the next time.
void mrwi_heap_extend(mrwi_heap* heap, char* begin, char* end);
/// A block of at least `size` bytes with any content; NULL when none is large enough.
void* mrwi_heap_take(mrwi_heap* heap, size_t size);
/// Takes a block back.
void mrwi_heap_give(mrwi_heap* heap, void* block);

#endif
