#include "base/heap.h"
#include "check.h"

#include <stdint.h>
#include <string.h>

// What the heap keeps for itself: a header before each block and one at the end.
#define HEADER (2 * sizeof(size_t))

static _Alignas(16) char memory[1 << 16];

static bool is_aligned(const void* block)
{
    return (uintptr_t)block % 16 == 0;
}

TEST(a_heap_without_memory_or_with_too_little_has_no_block)
{
    mrwi_heap heap = { 0 };
    CHECK(mrwi_heap_take(&heap, 0) == NULL);
    mrwi_heap_extend(&heap, memory, memory + 1024);
    CHECK(mrwi_heap_take(&heap, 1024) == NULL);
    CHECK(mrwi_heap_take(&heap, SIZE_MAX) == NULL);
    CHECK(mrwi_heap_take(&heap, SIZE_MAX / 2) == NULL);
    void* block = mrwi_heap_take(&heap, 900);
    CHECK(block != NULL && is_aligned(block));
    CHECK(mrwi_heap_take(&heap, 900) == NULL);
}

// [a][b][c]: whatever order they are freed in, one block of all three is free behind it.
TEST(free_neighbours_join)
{
    static const int orders[6][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
    for (int order = 0; order < 6; order++) {
        mrwi_heap heap = { 0 };
        mrwi_heap_extend(&heap, memory, memory + 3 * (112 + 16) + 32);
        void* blocks[3];
        for (int i = 0; i < 3; i++) {
            blocks[i] = mrwi_heap_take(&heap, 100);
            REQUIRE(blocks[i] != NULL);
        }
        CHECK(mrwi_heap_take(&heap, 100) == NULL);
        for (int i = 0; i < 3; i++) {
            mrwi_heap_give(&heap, blocks[orders[order][i]]);
        }
        CHECK(mrwi_heap_take(&heap, 3 * 112) != NULL);
    }
}

TEST(a_block_that_is_too_small_is_passed_over)
{
    mrwi_heap heap = { 0 };
    mrwi_heap_extend(&heap, memory, memory + 4096);
    // 272 and 400 bytes are of one kind, between 256 and 512; the smaller is freed last, so it is tried first.
    void* large = mrwi_heap_take(&heap, 400);
    void* wall = mrwi_heap_take(&heap, 16);
    void* small = mrwi_heap_take(&heap, 272);
    REQUIRE(large != NULL && mrwi_heap_take(&heap, 16) != NULL && wall != NULL);
    mrwi_heap_give(&heap, large);
    mrwi_heap_give(&heap, small);
    CHECK(mrwi_heap_take(&heap, 400) == large);
    CHECK(mrwi_heap_take(&heap, 272) == small);
}

TEST(memory_that_comes_later_joins_what_is_there)
{
    for (size_t shift = 0; shift < 16; shift++) {
        mrwi_heap heap = { 0 };
        mrwi_heap_extend(&heap, memory + shift, memory + 1000 + shift);
        void* first = mrwi_heap_take(&heap, 400);
        CHECK(first != NULL && is_aligned(first));
        CHECK(mrwi_heap_take(&heap, 1400) == NULL);
        mrwi_heap_extend(&heap, memory + shift, memory + 1010 + shift); // too little
        mrwi_heap_extend(&heap, memory + shift, memory + 2000 + shift);
        void* second = mrwi_heap_take(&heap, 1400);
        CHECK(second != NULL && is_aligned(second));
        mrwi_heap_give(&heap, first);
        mrwi_heap_give(&heap, second);
        CHECK(mrwi_heap_take(&heap, 1900) != NULL);
    }
}

// Thousands of random requests; each block is filled with bytes of its own, which must be there when it is given back.
TEST(blocks_never_touch_each_other)
{
    enum { COUNT = 64 };
    mrwi_heap heap = { 0 };
    mrwi_heap_extend(&heap, memory, memory + sizeof memory);
    unsigned char* blocks[COUNT] = { NULL };
    size_t sizes[COUNT] = { 0 };
    uint32_t random = 1;
    int refused = 0;
    for (int step = 0; step < 40000; step++) {
        random = random * 1664525u + 1013904223u;
        uint32_t index = random >> 26;
        if (blocks[index] != NULL) {
            bool is_whole = true;
            for (size_t i = 0; i < sizes[index]; i++) {
                is_whole = is_whole && blocks[index][i] == (unsigned char)index;
            }
            REQUIRE(CHECK(is_whole));
            mrwi_heap_give(&heap, blocks[index]);
            blocks[index] = NULL;
            continue;
        }
        sizes[index] = (random >> 8 & 0xfff) >> (random >> 4 & 7);
        blocks[index] = mrwi_heap_take(&heap, sizes[index]);
        refused += blocks[index] == NULL ? 1 : 0;
        if (blocks[index] != NULL) {
            REQUIRE(CHECK(is_aligned(blocks[index]) && (char*)blocks[index] >= memory));
            REQUIRE(CHECK((char*)blocks[index] + sizes[index] <= memory + sizeof memory));
            memset(blocks[index], (int)index, sizes[index]);
        }
    }
    CHECK(refused < 100);
    for (int i = 0; i < COUNT; i++) {
        if (blocks[i] != NULL) {
            mrwi_heap_give(&heap, blocks[i]);
        }
    }
    CHECK(mrwi_heap_take(&heap, sizeof memory - 32 - 2 * HEADER) != NULL);
}
