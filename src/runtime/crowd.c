#include "runtime/crowd.h"

#include "runtime/instance_create.h"
#include "runtime/world.h"

static mrwi_crowd* get(const mrw_context* context, mrw_crowd_id id)
{
    return mrwi_slots_get(&context->crowds, id.value);
}

MRW_API mrw_result mrw_crowd_create(mrw_context* context, mrw_world_id world_id, mrw_crowd_id* out)
{
    *out = (mrw_crowd_id) { 0 };
    mrwi_world* world = mrwi_world_get(context, world_id);
    if (world == NULL) {
        return MRW_STALE;
    }
    mrwi_crowd* crowd = mrwi_allocate(context, 1, sizeof *crowd);
    if (crowd == NULL) {
        return MRW_NO_MEMORY;
    }
    crowd->id.value = mrwi_slots_add(context, &context->crowds, crowd);
    if (crowd->id.value == 0) {
        mrwi_release(context, crowd, 1, sizeof *crowd);
        return MRW_NO_MEMORY;
    }
    crowd->context = context;
    crowd->world = world;
    crowd->next = world->first_crowd;
    world->first_crowd = crowd;
    *out = crowd->id;
    return MRW_OK;
}

void mrwi_crowd_destroy(mrwi_crowd* crowd)
{
    mrw_context* context = crowd->context;
    while (crowd->state.member_count > 0) {
        mrwi_instance_destroy(crowd->members[crowd->state.member_count - 1].instance);
    }
    mrwi_crowd** link = &crowd->world->first_crowd;
    while (*link != crowd) {
        link = &(*link)->next;
    }
    *link = crowd->next;
    mrwi_slots_remove(&context->crowds, crowd->id.value);
    mrwi_crowd_release_buffers(crowd);
    mrwi_release(context, crowd, 1, sizeof *crowd);
}

MRW_API mrw_result mrw_crowd_release(mrw_context* context, mrw_crowd_id id)
{
    mrwi_crowd* crowd = get(context, id);
    if (crowd == NULL) {
        return MRW_STALE;
    }
    mrwi_crowd_destroy(crowd);
    return MRW_OK;
}

MRW_API mrw_crowd_state* mrw_crowd_get_state(mrw_context* context, mrw_crowd_id id)
{
    mrwi_crowd* crowd = get(context, id);
    return crowd == NULL ? NULL : &crowd->state;
}

MRW_API mrw_result mrw_crowd_add(mrw_context* context, mrw_crowd_id id, mrw_model_id model_id, mrw_instance_id* out)
{
    *out = (mrw_instance_id) { 0 };
    mrwi_crowd* crowd = get(context, id);
    mrwi_model* model = mrwi_model_get(context, model_id);
    if (crowd == NULL || model == NULL) {
        return MRW_STALE;
    }
    mrwi_instance* instance = NULL;
    mrw_result result = mrwi_instance_create(crowd->world, model, NULL, false, crowd, &instance);
    if (result != MRW_OK) {
        return result;
    }
    *out = instance->id;
    return MRW_OK;
}
