#include "check.h"

#include "runtime/ranges.h"

#include <string.h>

static uint32_t take(mrw_context* context, mrwi_ranges* ranges, uint32_t count)
{
    uint32_t first = 0;
    CHECK_EQ_INT(mrwi_ranges_take(context, ranges, count, &first), MRW_OK);
    return first;
}

// taken  0..9 10..29 30..39    a freed middle is used again, and what is freed beside it grows it
TEST(freed_neighbours_merge)
{
    mrw_context* context = mrw_context_create(NULL);
    mrwi_ranges ranges = { 0 };
    CHECK_EQ_INT(take(context, &ranges, 10), 0);
    CHECK_EQ_INT(take(context, &ranges, 20), 10);
    CHECK_EQ_INT(take(context, &ranges, 10), 30);
    CHECK_EQ_INT(ranges.capacity, 64);
    mrwi_ranges_give(&ranges, 0, 10);
    mrwi_ranges_give(&ranges, 10, 20);
    CHECK_EQ_INT(ranges.free_count, 2);
    CHECK_EQ_INT(ranges.free[0].count, 30);
    CHECK_EQ_INT(take(context, &ranges, 30), 0);
    CHECK_EQ_INT(ranges.free_count, 1);
    mrwi_ranges_give(&ranges, 30, 10);
    CHECK_EQ_INT(ranges.free_count, 1);
    CHECK_EQ_INT(ranges.free[0].first, 30);
    mrwi_ranges_give(&ranges, 0, 30);
    CHECK_EQ_INT(ranges.free[0].count, ranges.capacity);
    mrwi_ranges_release(context, &ranges);
    mrw_context_destroy(context);
}

TEST(grows_to_powers_of_two_from_the_free_end)
{
    mrw_context* context = mrw_context_create(NULL);
    mrwi_ranges ranges = { 0 };
    take(context, &ranges, 40);
    CHECK_EQ_INT(take(context, &ranges, 60), 40);
    CHECK_EQ_INT(ranges.capacity, 128);
    CHECK_EQ_INT(take(context, &ranges, 1000), 100);
    CHECK_EQ_INT(ranges.capacity, 2048);
    CHECK_EQ_INT(take(context, &ranges, 0), 0);
    mrwi_ranges_give(&ranges, 0, 0);
    CHECK_EQ_INT(ranges.taken_count, 3);
    mrwi_ranges_release(context, &ranges);
    mrw_context_destroy(context);
}

TEST(refuses_what_no_index_reaches)
{
    mrw_context* context = mrw_context_create(NULL);
    mrwi_ranges ranges = { 0 };
    uint32_t first = 7;
    CHECK_EQ_INT(mrwi_ranges_take(context, &ranges, 0x80000001u, &first), MRW_NO_MEMORY);
    take(context, &ranges, 100);
    CHECK_EQ_INT(mrwi_ranges_take(context, &ranges, 0x80000000u - 99, &first), MRW_NO_MEMORY);
    CHECK_EQ_INT(first, 7);
    CHECK_EQ_INT(ranges.capacity, 128);
    mrwi_ranges_release(context, &ranges);
    mrw_context_destroy(context);
}

#define CELLS 4096
#define HELD 64

// Against a map of cells: nothing is handed out twice, and the free list is the complement of what is taken.
TEST(random_ranges_never_overlap)
{
    static uint8_t cells[CELLS];
    memset(cells, 0, sizeof cells);
    mrwi_range held[HELD] = { 0 };
    mrw_context* context = mrw_context_create(NULL);
    mrwi_ranges ranges = { 0 };
    uint32_t random = 12345;
    for (int step = 0; step < 4000; step++) {
        random = random * 1664525u + 1013904223u;
        mrwi_range* at = &held[random >> 26];
        if (at->count > 0) {
            memset(cells + at->first, 0, at->count);
            mrwi_ranges_give(&ranges, at->first, at->count);
            at->count = 0;
        } else {
            at->count = 1 + (random >> 8) % 40;
            at->first = take(context, &ranges, at->count);
            REQUIRE(at->first + at->count <= ranges.capacity && ranges.capacity <= CELLS);
            for (uint32_t i = at->first; i < at->first + at->count; i++) {
                REQUIRE(cells[i] == 0);
                cells[i] = 1;
            }
        }
        uint32_t free_cells = 0;
        for (uint32_t i = 0; i < ranges.free_count; i++) {
            REQUIRE(i == 0 || ranges.free[i].first > ranges.free[i - 1].first + ranges.free[i - 1].count);
            for (uint32_t k = 0; k < ranges.free[i].count; k++) {
                REQUIRE(cells[ranges.free[i].first + k] == 0);
            }
            free_cells += ranges.free[i].count;
        }
        uint32_t taken_cells = 0;
        for (uint32_t i = 0; i < ranges.capacity; i++) {
            taken_cells += cells[i];
        }
        REQUIRE(taken_cells + free_cells == ranges.capacity);
    }
    CHECK(ranges.capacity >= 64);
    mrwi_ranges_release(context, &ranges);
    mrw_context_destroy(context);
}
