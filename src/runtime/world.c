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

static bool reserve_instance(mrwi_world* world)
{
    if (world->count == world->capacity && world->order_stale) {
        mrwi_world_resolve_order(world); // closes the gaps that released instances left
    }
    mrw_context* context = world->context;
    const uint32_t wanted = world->count + 1;
    bool reserved = mrwi_grow(context, &world->ordered, &world->ordered_capacity, wanted, sizeof(mrwi_instance*))
        && mrwi_grow(context, &world->changed, &world->changed_capacity, wanted, sizeof *world->changed)
        && mrwi_grow(context, &world->instances, &world->capacity, wanted, sizeof(mrwi_instance*));
    world->state.changed = world->changed;
    return reserved;
}

mrw_result mrwi_world_insert(mrwi_world* world, mrwi_instance* instance)
{
    if (!reserve_instance(world)) {
        return MRW_NO_MEMORY;
    }
    instance->world_index = world->count;
    world->instances[world->count] = instance;
    world->count++;
    world->state.instance_count++;
    return MRW_OK;
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
    if (!mrwi_grow(context, &world->scratch, &world->scratch_capacity, floats, sizeof *world->scratch)) {
        return MRW_NO_MEMORY;
    }
    mrwi_ranges* ranges = &world->palette_ranges;
    mrw_result result = mrwi_ranges_take(context, ranges, palette_count, out_palette_first);
    if (result == MRW_OK && !mrwi_grow(context, &world->palette, &world->palette_capacity, ranges->capacity, sizeof *world->palette)) {
        mrwi_ranges_give(ranges, *out_palette_first, palette_count);
        result = MRW_NO_MEMORY;
    }
    return result;
}

mrwi_subject mrwi_instance_subject(mrwi_instance* instance)
{
    return (mrwi_subject) {
        .context = instance->context,
        .model = instance->model,
        .tree = &instance->tree,
        .state = &instance->state,
        .part_states = instance->part_states,
        .part_bases = instance->part_bases,
        .deforms = instance->deforms,
        .values = &instance->world->values,
    };
}
