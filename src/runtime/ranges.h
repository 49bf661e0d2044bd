/// First-fit allocator of index ranges: bases stay, freed neighbours merge, capacity grows at the end.
#ifndef MRWI_RUNTIME_RANGES_H
#define MRWI_RUNTIME_RANGES_H

#include "base/memory.h"

typedef struct mrwi_range {
    uint32_t first, count;
} mrwi_range;
typedef struct mrwi_ranges {
    uint32_t capacity, taken_count;
    uint32_t free_count, free_capacity;
    mrwi_range* free; ///< sorted by first, never touching
} mrwi_ranges;

/// Finds room for `count`, growing `capacity` to the next power of two when there is none. A count of 0 gives first 0.
mrw_result mrwi_ranges_take(mrw_context* context, mrwi_ranges* ranges, uint32_t count, uint32_t* out_first);
/// Gives a range back. Room for the free list is reserved by take, so this cannot fail.
void mrwi_ranges_give(mrwi_ranges* ranges, uint32_t first, uint32_t count);
void mrwi_ranges_release(mrw_context* context, mrwi_ranges* ranges);

#endif
