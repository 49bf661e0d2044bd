#include "runtime/ranges.h"

#include <string.h>

static void remove_free(mrwi_ranges* ranges, uint32_t at)
{
    memmove(&ranges->free[at], &ranges->free[at + 1], (ranges->free_count - at - 1) * sizeof(mrwi_range));
    ranges->free_count--;
}

// Makes one of a free range and the next if they touch.
static void merge_with_next(mrwi_ranges* ranges, uint32_t at)
{
    mrwi_range* range = &ranges->free[at];
    if (at + 1 < ranges->free_count && range[0].first + range[0].count == range[1].first) {
        range[0].count += range[1].count;
        remove_free(ranges, at + 1);
    }
}

// The list has room (see mrwi_ranges_take).
static void insert_free(mrwi_ranges* ranges, uint32_t first, uint32_t count)
{
    uint32_t at = 0;
    while (at < ranges->free_count && ranges->free[at].first < first) {
        at++;
    }
    memmove(&ranges->free[at + 1], &ranges->free[at], (ranges->free_count - at) * sizeof(mrwi_range));
    ranges->free[at] = (mrwi_range) { first, count };
    ranges->free_count++;
    merge_with_next(ranges, at);
    if (at > 0) {
        merge_with_next(ranges, at - 1);
    }
}

// Makes the last free range at least `count` long by moving the end.
static mrw_result grow(mrwi_ranges* ranges, uint32_t count)
{
    const uint32_t largest = 0x80000000u;
    const uint32_t end = ranges->capacity;
    uint32_t used = end;
    if (ranges->free_count > 0) {
        const mrwi_range* last = &ranges->free[ranges->free_count - 1];
        used = last->first + last->count == end ? last->first : end;
    }
    if (count > largest - used) {
        return MRW_NO_MEMORY;
    }
    uint32_t capacity = end == 0 ? 64 : end;
    while (capacity < used + count) {
        capacity *= 2;
    }
    ranges->capacity = capacity;
    insert_free(ranges, end, capacity - end);
    return MRW_OK;
}

mrw_result mrwi_ranges_take(mrw_context* context, mrwi_ranges* ranges, uint32_t count, uint32_t* out_first)
{
    if (count == 0) {
        *out_first = 0;
        return MRW_OK;
    }
    // Every taken range, this one included, can leave a free one behind it, one may lie before the first, and one is being inserted.
    if (!mrwi_grow(context, &ranges->free, &ranges->free_capacity, ranges->taken_count + 3, sizeof(mrwi_range))) {
        return MRW_NO_MEMORY;
    }
    uint32_t at = 0;
    while (at < ranges->free_count && ranges->free[at].count < count) {
        at++;
    }
    if (at == ranges->free_count) {
        mrw_result result = grow(ranges, count);
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
