#include "base/heap.h"

#include <stdbool.h>
#include <stdint.h>

#define ALIGNMENT ((size_t)16)
#define IN_USE ((size_t)1)

/// Sizes count the whole block, are multiples of the alignment, and carry IN_USE in their lowest bit.
struct mrwi_heap_block {
    size_t size_before; ///< of the block in front of it; 0: it is the first
    size_t size;
    mrwi_heap_block *next, *previous; ///< of its list, while it is free; the caller's bytes begin here
};

#define HEADER_SIZE offsetof(mrwi_heap_block, next)

static mrwi_heap_block* at_distance(mrwi_heap_block* block, size_t size)
{
    return (mrwi_heap_block*)(void*)((char*)block + size);
}

static bool is_free(const mrwi_heap_block* block)
{
    return (block->size & IN_USE) == 0;
}

static unsigned list_of(size_t size)
{
    unsigned list = 0;
    while ((size >>= 1) != 0) {
        list++;
    }
    return list;
}

static void link_free(mrwi_heap* heap, mrwi_heap_block* block, size_t size)
{
    mrwi_heap_block** first = &heap->free[list_of(size)];
    block->size = size;
    at_distance(block, size)->size_before = size;
    block->previous = NULL;
    block->next = *first;
    if (*first != NULL) {
        (*first)->previous = block;
    }
    *first = block;
}

static void unlink_free(mrwi_heap* heap, mrwi_heap_block* block)
{
    if (block->next != NULL) {
        block->next->previous = block->previous;
    }
    if (block->previous != NULL) {
        block->previous->next = block->next;
    } else {
        heap->free[list_of(block->size)] = block->next;
    }
}

void mrwi_heap_give(mrwi_heap* heap, void* given)
{
    mrwi_heap_block* block = (mrwi_heap_block*)(void*)((char*)given - HEADER_SIZE);
    size_t size = block->size & ~IN_USE;
    mrwi_heap_block* after = at_distance(block, size);
    if (is_free(after)) {
        unlink_free(heap, after);
        size += after->size;
    }
    if (block->size_before != 0) {
        mrwi_heap_block* before = (mrwi_heap_block*)(void*)((char*)block - block->size_before);
        if (is_free(before)) {
            unlink_free(heap, before);
            size += before->size;
            block = before;
        }
    }
    link_free(heap, block, size);
}

// The first of the smallest kind that holds enough.
static mrwi_heap_block* find(const mrwi_heap* heap, size_t size)
{
    for (unsigned list = list_of(size); list < 8 * sizeof(size_t); list++) {
        for (mrwi_heap_block* block = heap->free[list]; block != NULL; block = block->next) {
            if (block->size >= size) {
                return block;
            }
        }
    }
    return NULL;
}

void* mrwi_heap_take(mrwi_heap* heap, size_t size)
{
    if (size > SIZE_MAX / 2) {
        return NULL;
    }
    size = (size + HEADER_SIZE + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
    size = size < sizeof(mrwi_heap_block) ? sizeof(mrwi_heap_block) : size;
    mrwi_heap_block* block = find(heap, size);
    if (block == NULL) {
        return NULL;
    }
    unlink_free(heap, block);
    size_t rest = block->size - size;
    if (rest >= sizeof(mrwi_heap_block)) {
        at_distance(block, size)->size_before = size;
        link_free(heap, at_distance(block, size), rest);
        block->size = size;
    }
    block->size |= IN_USE;
    return (char*)block + HEADER_SIZE;
}

// Where a block may begin, so that what the caller gets of it is aligned: the last place up to `address`.
static mrwi_heap_block* place_below(char* address)
{
    size_t beyond = ((uintptr_t)address + HEADER_SIZE) % ALIGNMENT;
    return (mrwi_heap_block*)(void*)(address - beyond);
}

void mrwi_heap_extend(mrwi_heap* heap, char* begin, char* end)
{
    // The last header belongs to no block; it counts as in use, so that nothing joins it.
    mrwi_heap_block* last = place_below(end - HEADER_SIZE);
    mrwi_heap_block* block = heap->end;
    if (block == NULL) {
        block = place_below(begin + ALIGNMENT - 1);
        block->size_before = 0;
    } else if ((char*)end - (char*)block < 64) {
        return;
    }
    size_t size = (size_t)((char*)last - (char*)block);
    block->size = size | IN_USE;
    last->size_before = size;
    last->size = IN_USE;
    heap->end = last;
    mrwi_heap_give(heap, (char*)block + HEADER_SIZE);
}
