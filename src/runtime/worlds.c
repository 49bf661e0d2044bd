// The calls that create, release and update worlds.
#include "runtime/crowd.h"
#include "runtime/crowd_update.h"
#include "runtime/instance_create.h"
#include "runtime/instance_model.h"
#include "runtime/instance_update.h"
#include "runtime/world.h"

#include <float.h>

static void destroy_world(mrw_context* context, void* object)
{
    mrwi_world* world = object;
    for (uint32_t i = 0; i < world->count; i++) {
        if (world->instances[i] != NULL) {
            mrwi_instance_destroy(world->instances[i]);
        }
    }
    while (world->first_crowd != NULL) {
        mrwi_crowd_destroy(world->first_crowd);
    }
    mrwi_ranges_release(context, &world->palette_ranges);
    mrwi_release(context, world->palette, world->palette_capacity, sizeof *world->palette);
    mrwi_release(context, world->scratch, world->scratch_capacity, sizeof *world->scratch);
    mrwi_clip_values_release(context, &world->values);
    mrwi_release(context, world->instances, world->capacity, sizeof(mrwi_instance*));
    mrwi_release(context, world->ordered, world->ordered_capacity, sizeof(mrwi_instance*));
    mrwi_release(context, world->changed, world->changed_capacity, sizeof *world->changed);
    if (world->id.value != 0) {
        mrwi_slots_remove(&context->worlds, world->id.value);
    }
    mrwi_release(context, world, 1, sizeof *world);
}

mrw_result mrw_world_create(mrw_context* context, mrw_world_id* out)
{
    out->value = 0;
    mrwi_world* world = mrwi_allocate(context, 1, sizeof *world);
    if (world == NULL) {
        return MRW_NO_MEMORY;
    }
    world->context = context;
    world->id.value = mrwi_slots_add(context, &context->worlds, world);
    if (world->id.value == 0) {
        destroy_world(context, world);
        return MRW_NO_MEMORY;
    }
    context->destroy_world = destroy_world;
    context->destroy_instance = mrwi_instance_destroy;
    context->clip_changed = mrwi_instances_change_clip;
    *out = world->id;
    return MRW_OK;
}

mrw_result mrw_world_release(mrw_context* context, mrw_world_id id)
{
    mrwi_world* world = mrwi_world_get(context, id);
    if (world == NULL) {
        return MRW_STALE;
    }
    destroy_world(context, world);
    return MRW_OK;
}

mrw_world_state* mrw_world_get_state(mrw_context* context, mrw_world_id id)
{
    mrwi_world* world = mrwi_world_get(context, id);
    return world == NULL ? NULL : &world->state;
}

mrw_result mrw_world_update(mrw_context* context, mrw_world_id id, double dt)
{
    mrwi_world* world = mrwi_world_get(context, id);
    if (world == NULL) {
        return MRW_STALE;
    }
    if (!(dt >= 0 && dt <= DBL_MAX)) {
        return MRW_BAD_ARGUMENT;
    }
    mrw_world_state* state = &world->state;
    state->changed_count = 0;
    state->vertices_written = 0;
    state->instances_skinned = 0;
    state->nodes_changed = 0;
    state->time += dt;
    if (world->order_stale) {
        mrwi_world_resolve_order(world);
    }
    for (uint32_t i = 0; i < world->count; i++) {
        mrwi_instance_update(world->instances[i], dt);
    }
    for (mrwi_crowd* crowd = world->first_crowd; crowd != NULL; crowd = crowd->next) {
        mrwi_crowd_update(crowd);
    }
    return MRW_OK;
}
