#include "runtime/world.h"

#include <string.h>

mrwi_world* mrwi_world_get(const mrw_context* context, mrw_world_id id)
{
    return mrwi_slots_get(&context->worlds, id.value);
}

// A walk over the mount lists, without recursion: down to the first carried, else up to the next sibling.
void mrwi_world_resolve_order(mrwi_world* world)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < world->count; i++) {
        mrwi_instance* at = world->instances[i];
        if (at == NULL || at->carrier != NULL) {
            continue;
        }
        const mrwi_instance* top = at;
        while (at != NULL) {
            world->ordered[count] = at;
            at->world_index = count;
            count++;
            if (at->first_carried != NULL) {
                at = at->first_carried;
                continue;
            }
            while (at != top && at->next_carried == NULL) {
                at = at->carrier;
            }
            at = at == top ? NULL : at->next_carried;
        }
    }
    memcpy(world->instances, world->ordered, count * sizeof(mrwi_instance*));
    world->count = count;
    world->order_stale = false;
}

static mrw_result grow_instances(mrw_context* context, mrwi_instance*** list, uint32_t* capacity, uint32_t wanted)
{
    if (*capacity >= wanted) {
        return MRW_OK;
    }
    mrwi_instance** grown = mrwi_reallocate(context, *list, *capacity, wanted, sizeof(mrwi_instance*));
    if (grown == NULL) {
        return MRW_NO_MEMORY;
    }
    *list = grown;
    *capacity = wanted;
    return MRW_OK;
}

static mrw_result reserve_instance(mrwi_world* world)
{
    if (world->count == world->capacity && world->order_stale) {
        mrwi_world_resolve_order(world); // closes the gaps that released instances left
    }
    if (world->count < world->capacity) {
        return MRW_OK;
    }
    uint32_t wanted = world->capacity == 0 ? 16 : world->capacity * 2;
    mrw_result result = grow_instances(world->context, &world->ordered, &world->ordered_capacity, wanted);
    if (result == MRW_OK && world->changed_capacity < wanted) {
        uint32_t* changed = mrwi_reallocate(world->context, world->changed, world->changed_capacity, wanted, sizeof *changed);
        if (changed == NULL) {
            return MRW_NO_MEMORY;
        }
        world->changed = changed;
        world->changed_capacity = wanted;
        world->state.changed = changed;
    }
    return result == MRW_OK ? grow_instances(world->context, &world->instances, &world->capacity, wanted) : result;
}

mrw_result mrwi_world_insert(mrwi_world* world, mrwi_instance* instance)
{
    mrw_result result = reserve_instance(world);
    if (result == MRW_OK) {
        instance->world_index = world->count;
        world->instances[world->count] = instance;
        world->count++;
        world->state.instance_count++;
    }
    return result;
}

void mrwi_world_remove(mrwi_world* world, mrwi_instance* instance)
{
    world->instances[instance->world_index] = NULL;
    world->order_stale = true;
    world->state.instance_count--;
}

mrw_result mrwi_world_reserve(mrwi_world* world, uint32_t palette_count, size_t floats, uint32_t* out_palette_first)
{
    mrw_context* context = world->context;
    if (world->scratch_count < floats) {
        float* scratch = mrwi_reallocate(context, world->scratch, world->scratch_count, floats, sizeof *scratch);
        if (scratch == NULL) {
            return MRW_NO_MEMORY;
        }
        world->scratch = scratch;
        world->scratch_count = floats;
    }
    uint32_t first = 0;
    mrw_result result = mrwi_ranges_take(context, &world->palette_ranges, palette_count, &first);
    if (result == MRW_OK && world->palette_capacity < world->palette_ranges.capacity) {
        uint32_t capacity = world->palette_ranges.capacity;
        mrwi_affine2* palette = mrwi_reallocate(context, world->palette, world->palette_capacity, capacity, sizeof *palette);
        if (palette == NULL) {
            mrwi_ranges_give(&world->palette_ranges, first, palette_count);
            return MRW_NO_MEMORY;
        }
        world->palette = palette;
        world->palette_capacity = capacity;
    }
    if (result == MRW_OK) {
        *out_palette_first = first;
    }
    return result;
}
