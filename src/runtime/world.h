/// A world: instances in update order (carriers before the carried), one palette array with ranges, scratch for deforms.
#ifndef MRWI_RUNTIME_WORLD_H
#define MRWI_RUNTIME_WORLD_H

#include "runtime/crowd.h"
#include "runtime/instance.h"
#include "runtime/ranges.h"

struct mrwi_world {
    mrw_context* context;
    mrw_world_id id;
    mrw_world_state state;
    uint32_t count, capacity;
    mrwi_instance** instances; ///< update order: carriers before the carried, else as created; NULL where one was released
    mrwi_instance** ordered;   ///< room for the next order
    bool order_stale;
    uint32_t* changed; ///< capacity entries
    mrwi_ranges palette_ranges;
    mrwi_affine2* palette; ///< palette_ranges.capacity matrices
    float* scratch;        ///< bind plus offsets of the largest part, or matrices of the largest tree
    size_t scratch_count;
    mrwi_crowd* first_crowd;
};

mrwi_world* mrwi_world_get(const mrw_context* context, mrw_world_id id);
/// Grows the palette array so that `count` matrices fit; bases stay. Grows scratch to `floats`.
mrw_result mrwi_world_reserve(mrwi_world* world, uint32_t palette_count, size_t floats, uint32_t* out_palette_first);

#endif
