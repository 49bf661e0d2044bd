/// The C library's allocator for the binaries: a heap over all of linear memory behind the data.
#include "base/heap.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define PAGE_SIZE ((size_t)65536)

/// JavaScript makes its views again.
__attribute__((import_module("env"), import_name("emscripten_notify_memory_growth"))) void emscripten_notify_memory_growth(size_t memory);

/// Set by the linker.
extern char __heap_base;

static mrwi_heap heap;
static size_t pages_owned;

// Adds what memory there is, whoever made it grow, or makes it grow by `size` bytes or more.
static bool add_memory(size_t size)
{
    size_t pages = __builtin_wasm_memory_size(0);
    if (pages == pages_owned) {
        // An eighth more than there is keeps growing rare. The last two pages are for headers and what is not a whole page.
        size_t needed = size / PAGE_SIZE + 2;
        size_t wanted = needed > pages / 8 ? needed : pages / 8;
        if (__builtin_wasm_memory_grow(0, wanted) == SIZE_MAX && __builtin_wasm_memory_grow(0, needed) == SIZE_MAX) {
            return false;
        }
        emscripten_notify_memory_growth(0);
        pages = __builtin_wasm_memory_size(0);
    }
    pages_owned = pages;
    mrwi_heap_extend(&heap, &__heap_base, (char*)(pages * PAGE_SIZE));
    return true;
}

void* malloc(size_t size)
{
    void* block = mrwi_heap_take(&heap, size);
    while (block == NULL && add_memory(size)) {
        block = mrwi_heap_take(&heap, size);
    }
    return block;
}

/// Every block is aligned to 16 bytes; nobody asks for more.
void* aligned_alloc(size_t alignment, size_t size)
{
    (void)alignment;
    return malloc(size);
}

void free(void* block)
{
    if (block != NULL) {
        mrwi_heap_give(&heap, block);
    }
}
