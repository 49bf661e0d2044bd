#include "runtime/instance_create.h"

#include "runtime/crowd_members.h"
#include "runtime/instance_model.h"
#include "runtime/instance_nodes.h"
#include "runtime/mount.h"
#include "runtime/world.h"

#include <string.h>

static void set_defaults(mrw_instance_state* state)
{
    state->active = 1;
    state->root[3] = 1;
    state->root[4] = 1;
    state->matrix[0] = 1;
    state->matrix[3] = 1;
    state->view = (mrw_view_fields) { .color = 0xffffff, .opacity = 1, .visible = 1, .alpha_test = 0.5f, .pixels_per_unit = 100 };
    state->shown = state->view;
}

// An instance begins without a model, and gets one as it would get another later.
static mrw_result fill(mrwi_instance* instance, mrwi_model* model, const char* guid)
{
    mrw_context* context = instance->context;
    instance->id.value = mrwi_slots_add(context, &context->instances, instance);
    instance->guid = guid == NULL ? NULL : mrwi_text_copy(context, guid);
    if (instance->id.value == 0 || (guid != NULL && instance->guid == NULL)) {
        return MRW_NO_MEMORY;
    }
    mrw_result result = mrwi_nodes_init(instance);
    if (result == MRW_OK) {
        result = mrwi_world_insert(instance->world, instance);
    }
    if (result == MRW_OK && instance->crowd != NULL) {
        result = mrwi_crowd_append(instance->crowd, instance);
    }
    return result == MRW_OK && model != NULL ? mrwi_instance_replace(instance, model) : result;
}

mrw_result mrwi_instance_create(
    mrwi_world* world, mrwi_model* model, const char* guid, bool no_nodes, mrwi_crowd* crowd, mrwi_instance** out)
{
    *out = NULL;
    mrwi_instance* instance = mrwi_allocate(world->context, 1, sizeof *instance);
    if (instance == NULL) {
        return MRW_NO_MEMORY;
    }
    instance->context = world->context;
    instance->world = world;
    instance->crowd = crowd;
    instance->no_nodes = no_nodes;
    instance->world_index = UINT32_MAX;
    instance->state.pending = 1;
    set_defaults(&instance->state);
    memcpy(instance->root_seen, instance->state.root, sizeof instance->root_seen);
    mrwi_mixer_init(&instance->mixer);
    mrwi_mixer_publish(&instance->mixer, NULL, &instance->state);
    mrw_result result = fill(instance, model, guid);
    if (result != MRW_OK) {
        mrwi_instance_destroy(instance);
        return result;
    }
    *out = instance;
    return MRW_OK;
}

void mrwi_instance_destroy(mrwi_instance* instance)
{
    mrw_context* context = instance->context;
    if (instance->crowd != NULL) {
        mrwi_crowd_member_removed(instance->crowd, instance);
    }
    mrwi_mount_clear(instance);
    mrwi_mount_clear_carried(instance);
    if (instance->world_index != UINT32_MAX) {
        mrwi_world_remove(instance->world, instance);
    }
    mrwi_mixer_release(context, &instance->mixer);
    mrwi_instance_unbind(instance);
    mrwi_text_release(context, instance->guid);
    if (instance->id.value != 0) {
        mrwi_slots_remove(&context->instances, instance->id.value);
    }
    mrwi_release(context, instance, 1, sizeof *instance);
}

mrw_result mrw_instance_create(mrw_context* context, mrw_world_id world_id, const mrw_instance_desc* desc, mrw_instance_id* out)
{
    out->value = 0;
    mrwi_world* world = mrwi_world_get(context, world_id);
    if (world == NULL) {
        return MRW_STALE;
    }
    mrw_model_id id = desc->model;
    if (id.value == 0 && desc->guid == NULL) {
        return MRW_BAD_ARGUMENT;
    }
    if (id.value == 0 && mrw_asset_find(context, desc->guid, &id) != MRW_OK) {
        id.value = 0;
    }
    mrwi_model* model = mrwi_model_get(context, id);
    if (model == NULL && id.value != 0) {
        return MRW_STALE;
    }
    mrwi_instance* instance = NULL;
    mrw_result result = mrwi_instance_create(world, model, desc->guid, desc->no_nodes, NULL, &instance);
    if (result == MRW_OK) {
        *out = instance->id;
    }
    return result;
}

mrw_result mrw_instance_release(mrw_context* context, mrw_instance_id id)
{
    mrwi_instance* instance = mrwi_instance_get(context, id);
    if (instance == NULL) {
        return MRW_STALE;
    }
    mrwi_instance_destroy(instance);
    return MRW_OK;
}
