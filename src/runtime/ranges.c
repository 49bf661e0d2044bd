#include "runtime/ranges.h"

#include <string.h>

// Every taken range can leave at most one free range behind it, and one may lie before the first.
static mrw_result reserve_free_list(mrw_context* context, mrwi_ranges* ranges)
{
    if (ranges->taken_count + 2 <= ranges->free_capacity) {
        return MRW_OK;
    }
    uint32_t capacity = ranges->free_capacity == 0 ? 8 : ranges->free_capacity * 2;
    mrwi_range* list = mrwi_reallocate(context, ranges->free, ranges->free_capacity, capacity, sizeof(mrwi_range));
    if (list == NULL) {
        return MRW_NO_MEMORY;
    }
    ranges->free = list;
    ranges->free_capacity = capacity;
    return MRW_OK;
}

static void remove_free(mrwi_ranges* ranges, uint32_t at)
{
    memmove(&ranges->free[at], &ranges->free[at + 1], (ranges->free_count - at - 1) * sizeof(mrwi_range));
    ranges->free_count--;
}

// Merges [first, first + count) with what it touches. The list has room (see reserve_free_list).
static void insert_free(mrwi_ranges* ranges, uint32_t first, uint32_t count)
{
    uint32_t at = 0;
    while (at < ranges->free_count && ranges->free[at].first < first) {
        at++;
    }
    bool touches_left = at > 0 && ranges->free[at - 1].first + ranges->free[at - 1].count == first;
    bool touches_right = at < ranges->free_count && first + count == ranges->free[at].first;
    if (touches_left && touches_right) {
        ranges->free[at - 1].count += count + ranges->free[at].count;
        remove_free(ranges, at);
    } else if (touches_left) {
        ranges->free[at - 1].count += count;
    } else if (touches_right) {
        ranges->free[at].first = first;
        ranges->free[at].count += count;
    } else {
        memmove(&ranges->free[at + 1], &ranges->free[at], (ranges->free_count - at) * sizeof(mrwi_range));
        ranges->free[at] = (mrwi_range) { first, count };
        ranges->free_count++;
    }
}

// Makes the last free range at least `count` long by moving the end.
static mrw_result grow(mrwi_ranges* ranges, uint32_t count)
{
    const uint32_t largest = 0x80000000u;
    uint32_t used = ranges->capacity;
    if (ranges->free_count > 0) {
        const mrwi_range* last = &ranges->free[ranges->free_count - 1];
        if (last->first + last->count == ranges->capacity) {
            used = last->first;
        }
    }
    if (count > largest || used > largest - count) {
        return MRW_NO_MEMORY;
    }
    uint32_t capacity = ranges->capacity == 0 ? 64 : ranges->capacity;
    while (capacity < used + count) {
        capacity *= 2;
    }
    uint32_t added = capacity - ranges->capacity;
    uint32_t end = ranges->capacity;
    ranges->capacity = capacity;
    insert_free(ranges, end, added);
    return MRW_OK;
}

mrw_result mrwi_ranges_take(mrw_context* context, mrwi_ranges* ranges, uint32_t count, uint32_t* out_first)
{
    if (count == 0) {
        *out_first = 0;
        return MRW_OK;
    }
    mrw_result result = reserve_free_list(context, ranges);
    if (result != MRW_OK) {
        return result;
    }
    uint32_t at = 0;
    while (at < ranges->free_count && ranges->free[at].count < count) {
        at++;
    }
    if (at == ranges->free_count) {
        result = grow(ranges, count);
        if (result != MRW_OK) {
            return result;
        }
        at = ranges->free_count - 1;
    }
    mrwi_range* range = &ranges->free[at];
    *out_first = range->first;
    range->first += count;
    range->count -= count;
    if (range->count == 0) {
        remove_free(ranges, at);
    }
    ranges->taken_count++;
    return MRW_OK;
}

void mrwi_ranges_give(mrwi_ranges* ranges, uint32_t first, uint32_t count)
{
    if (count > 0) {
        insert_free(ranges, first, count);
        ranges->taken_count--;
    }
}

void mrwi_ranges_release(mrw_context* context, mrwi_ranges* ranges)
{
    mrwi_release(context, ranges->free, ranges->free_capacity, sizeof(mrwi_range));
    *ranges = (mrwi_ranges) { 0 };
}
