/// A world: instances in update order (carriers before the carried), one palette array with ranges, scratch for deforms.
#ifndef MRWI_RUNTIME_WORLD_H
#define MRWI_RUNTIME_WORLD_H

#include "runtime/instance.h"
#include "runtime/ranges.h"

struct mrwi_world {
    mrw_context* context;
    mrw_world_id id;
    mrw_world_state state;
    uint32_t count, capacity;
    mrwi_instance** instances; ///< update order: carriers before the carried, else as created; NULL where one was released
    mrwi_instance** ordered;   ///< room for the next order, at least `capacity`
    uint32_t ordered_capacity;
    bool order_stale;
    uint32_t* changed; ///< at least `capacity` entries
    uint32_t changed_capacity;
    mrwi_ranges palette_ranges;
    mrwi_affine2* palette;
    uint32_t palette_capacity;
    float* scratch; ///< bind plus offsets of the largest part, or matrices of the largest tree
    uint32_t scratch_capacity;
    mrwi_clip_values values;
    mrwi_crowd* first_crowd;
};

mrwi_world* mrwi_world_get(const mrw_context* context, mrw_world_id id);
mrw_result mrwi_world_insert(mrwi_world* world, mrwi_instance* instance);
void mrwi_world_remove(mrwi_world* world, mrwi_instance* instance);
/// Carriers before what they carry, everything else in the order it had; closes the gaps that released instances left. Never allocates.
void mrwi_world_resolve_order(mrwi_world* world);
/// Grows scratch to `floats` and the palette array so that `palette_count` more matrices fit; bases stay.
mrw_result mrwi_world_reserve(mrwi_world* world, uint32_t palette_count, size_t floats, uint32_t* out_palette_first);

/// The instance as its mixer sees it.
mrwi_subject mrwi_instance_subject(mrwi_instance* instance);

#endif
