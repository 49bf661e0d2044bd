#include "runtime/mixer_adopt.h"

#include <string.h>

static int32_t same_clip(const mrwi_model* model, const mrwi_model* old, int32_t clip)
{
    for (uint32_t i = 0; clip >= 0 && i < model->clip_count; i++) {
        if (strcmp(model->clips[i]->name, old->clips[clip]->name) == 0) {
            return (int32_t)i;
        }
    }
    return -1;
}

/// The node argument, in the subject's new tree, of the name that `node` had in the old model (the last of equal names). MRWI_ROOT - 1,
/// which names nothing, when there is none.
static uint32_t same_node(const mrwi_subject* subject, const mrwi_model* old, uint32_t node)
{
    if (!subject->tree->untouched) {
        return node; // a tree that was changed by hand is kept, and its nodes with it
    }
    const mrwi_model* model = subject->model;
    uint32_t slot = node & 0xfffff;
    int32_t found = -1;
    for (uint32_t i = 0; slot < old->node_count && i < model->node_count && i < subject->tree->count; i++) {
        bool is_later = found < 0 || model->node_file_index[found] < model->node_file_index[i];
        if (is_later && strcmp(model->node_names[i], old->node_names[slot]) == 0) {
            found = (int32_t)i;
        }
    }
    return found < 0 ? MRWI_ROOT - 1 : mrwi_tree_node(subject->tree, (uint32_t)found);
}

/// Layers whose clips the new model has too.
static mrw_result carry_layers(const mrwi_subject* subject, const mrwi_mixer* mixer, const mrwi_model* old, mrwi_mixer* out)
{
    mrw_result result = MRW_OK;
    for (uint32_t i = 0; i < mixer->layer_count && result == MRW_OK; i++) {
        mrwi_layer_args args = mrwi_layer_describe(&mixer->layers[i]);
        args.at.clip = same_clip(subject->model, old, args.at.clip);
        if (args.at.clip < 0) {
            continue;
        }
        result = mrwi_mixer_put_layer(subject, out, out->layer_count, &args);
        for (uint32_t j = 0; j < args.root_count && result == MRW_OK; j++) {
            uint32_t* root = &out->layers[out->layer_count - 1].roots[j];
            *root = same_node(subject, old, *root);
        }
    }
    return result;
}

mrw_result mrwi_mixer_adopt(const mrwi_subject* subject, mrwi_mixer* mixer, const mrwi_model* old)
{
    if (old == NULL) {
        return mrwi_mixer_rebind(subject, mixer);
    }
    mrwi_mixer fresh;
    mrwi_mixer_init(&fresh);
    fresh.paused = mixer->paused;
    fresh.main.at = mixer->main.at;
    fresh.main.at.clip = same_clip(subject->model, old, mixer->main.at.clip);
    mrw_result result = carry_layers(subject, mixer, old, &fresh);
    if (result == MRW_OK) {
        result = mrwi_mixer_rebind(subject, &fresh);
    }
    if (result == MRW_OK) {
        mrwi_mixer_exchange(subject, mixer, &fresh);
    }
    mrwi_mixer_release(subject->context, &fresh);
    return result;
}
