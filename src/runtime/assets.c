#include "runtime/instance_model.h"

#include <string.h>

typedef struct name {
    char* guid;
    mrw_model_id model;
} name;

// What context.assets points at.
typedef struct registry {
    name* names;
    uint32_t count, capacity;
} registry;

static void destroy_assets(mrw_context* context, void* assets)
{
    registry* known = assets;
    for (uint32_t i = 0; i < known->count; i++) {
        mrwi_text_release(context, known->names[i].guid);
    }
    mrwi_release(context, known->names, known->capacity, sizeof *known->names);
    mrwi_release(context, known, 1, sizeof *known);
}

static name* find(const mrw_context* context, const char* guid)
{
    const registry* known = context->assets;
    for (uint32_t i = 0; known != NULL && i < known->count; i++) {
        if (strcmp(known->names[i].guid, guid) == 0) {
            return &known->names[i];
        }
    }
    return NULL;
}

static registry* make_registry(mrw_context* context)
{
    if (context->assets == NULL) {
        context->assets = mrwi_allocate(context, 1, sizeof(registry));
        context->destroy_assets = destroy_assets;
    }
    return context->assets;
}

// The name, which leads nowhere yet when it is new. NULL when memory is short.
static name* find_or_add(mrw_context* context, const char* guid)
{
    name* found = find(context, guid);
    registry* known = found == NULL ? make_registry(context) : NULL;
    if (known == NULL) {
        return found;
    }
    char* copy = NULL;
    if (mrwi_grow(context, &known->names, &known->capacity, known->count + 1, sizeof *known->names)) {
        copy = mrwi_text_copy(context, guid);
    }
    if (copy == NULL) {
        return NULL;
    }
    found = &known->names[known->count];
    *found = (name) { copy, { 0 } };
    known->count++;
    return found;
}

static bool follows(const mrwi_instance* instance, const char* guid, const mrwi_model* replaced)
{
    bool named = instance->guid != NULL && strcmp(instance->guid, guid) == 0;
    if (instance->model == NULL) {
        return named;
    }
    return instance->model == replaced && (named || instance->guid == NULL);
}

mrw_result mrw_asset_provide(mrw_context* context, const char* guid, mrw_model_id id)
{
    mrwi_model* model = mrwi_model_get(context, id);
    if (model == NULL) {
        return MRW_STALE;
    }
    if (guid == NULL || guid[0] == 0) {
        return MRW_BAD_ARGUMENT;
    }
    name* entry = find_or_add(context, guid);
    if (entry == NULL) {
        return MRW_NO_MEMORY;
    }
    const mrwi_model* replaced = mrwi_model_get(context, entry->model);
    if (replaced == model) {
        replaced = NULL;
    }
    uint32_t cursor = 0;
    uint32_t instance_id;
    mrwi_instance* instance = mrwi_slots_next(&context->instances, &cursor, &instance_id);
    while (instance != NULL) {
        mrw_result result = follows(instance, guid, replaced) ? mrwi_instance_replace(instance, model) : MRW_OK;
        if (result != MRW_OK) {
            return result; // the name still leads to the old model, so that providing again goes on here
        }
        instance = mrwi_slots_next(&context->instances, &cursor, &instance_id);
    }
    entry->model = id;
    return MRW_OK;
}

mrw_result mrw_asset_find(mrw_context* context, const char* guid, mrw_model_id* out)
{
    out->value = 0;
    const name* found = guid == NULL ? NULL : find(context, guid);
    if (found == NULL || mrwi_model_get(context, found->model) == NULL) {
        return MRW_NOT_FOUND;
    }
    *out = found->model;
    return MRW_OK;
}
