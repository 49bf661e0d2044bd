// The calls that set and clear layers.
#include "runtime/world.h"

#include <string.h>

static uint32_t find_layer(const mrwi_mixer* mixer, const char* name)
{
    uint32_t index = 0;
    while (index < mixer->layer_count && strcmp(mixer->layers[index].name, name) != 0) {
        index++;
    }
    return index;
}

static float clamp_weight(float weight)
{
    return weight > 0.0f ? (weight < 1.0f ? weight : 1.0f) : 0.0f;
}

static mrw_result set_layer(mrwi_instance* instance, const mrwi_layer_args* args)
{
    mrwi_mixer* mixer = &instance->mixer;
    uint32_t index = find_layer(mixer, args->name);
    if (index == MRWI_LAYERS_MAX) {
        return MRW_LIMIT;
    }
    const mrwi_subject subject = mrwi_instance_subject(instance);
    mrw_result result = mrwi_mixer_put_layer(&subject, mixer, index, args);
    if (result == MRW_OK) {
        mrwi_mixer_publish(mixer, instance->model, &instance->state);
    }
    return result;
}

MRW_API mrw_result mrw_instance_set_layer(mrw_context* context, mrw_instance_id id, const char* name, const mrw_layer_desc* desc)
{
    mrwi_instance* instance = mrwi_instance_get(context, id);
    if (instance == NULL) {
        return MRW_STALE;
    }
    if (name == NULL || desc == NULL || desc->weight - desc->weight != 0.0f || desc->speed - desc->speed != 0.0f
        || (desc->mask == NULL && desc->mask_count > 0)) {
        return MRW_BAD_ARGUMENT;
    }
    if (instance->model == NULL || desc->clip >= instance->model->clip_count) {
        return MRW_BAD_INDEX;
    }
    const uint32_t* roots = desc->mask;
    for (uint32_t i = 0; i < desc->mask_count; i++) {
        if (desc->mask[i] == MRWI_ROOT) {
            roots = NULL;
        } else if (mrwi_tree_slot(&instance->tree, desc->mask[i]) < 0) {
            return MRW_STALE;
        }
    }
    const mrwi_clip* clip = instance->model->clips[desc->clip];
    const mrwi_layer_args args = { name, mrwi_playhead_of(clip, desc->clip, desc->speed, desc->once), clamp_weight(desc->weight),
        desc->additive, roots, roots == NULL ? 0 : desc->mask_count };
    return set_layer(instance, &args);
}

MRW_API mrw_result mrw_instance_set_layer_weight(mrw_context* context, mrw_instance_id id, const char* name, float weight)
{
    mrwi_instance* instance = mrwi_instance_get(context, id);
    if (instance == NULL) {
        return MRW_STALE;
    }
    if (name == NULL || weight - weight != 0.0f) {
        return MRW_BAD_ARGUMENT;
    }
    uint32_t index = find_layer(&instance->mixer, name);
    if (index == instance->mixer.layer_count) {
        return MRW_NOT_FOUND;
    }
    instance->mixer.layers[index].weight = clamp_weight(weight);
    instance->mixer.moved = true;
    return MRW_OK;
}

MRW_API mrw_result mrw_instance_clear_layer(mrw_context* context, mrw_instance_id id, const char* name)
{
    mrwi_instance* instance = mrwi_instance_get(context, id);
    if (instance == NULL) {
        return MRW_STALE;
    }
    if (name == NULL) {
        return MRW_BAD_ARGUMENT;
    }
    mrwi_mixer* mixer = &instance->mixer;
    uint32_t index = find_layer(mixer, name);
    if (index == mixer->layer_count) {
        return MRW_NOT_FOUND;
    }
    mrwi_layer_release(instance->context, &mixer->layers[index]);
    mixer->layer_count--;
    memmove(&mixer->layers[index], &mixer->layers[index + 1], (mixer->layer_count - index) * sizeof *mixer->layers);
    // Player 0 is the main clip, so this layer was player index + 1; what is left of its events goes with it.
    if (mixer->cursor.player > index + 1) {
        mixer->cursor.player--;
    } else if (mixer->cursor.player == index + 1) {
        mixer->cursor = (mrwi_event_cursor) { .player = index + 1 };
    }
    mixer->moved = true;
    mrwi_mixer_publish(mixer, instance->model, &instance->state);
    return MRW_OK;
}

MRW_API const char* mrw_instance_layer_name(mrw_context* context, mrw_instance_id id, uint32_t layer)
{
    const mrwi_instance* instance = mrwi_instance_get(context, id);
    return instance == NULL || layer >= instance->mixer.layer_count ? NULL : instance->mixer.layers[layer].name;
}
