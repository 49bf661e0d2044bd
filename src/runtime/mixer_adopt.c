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

/// Fills the arguments of each layer that goes on; `roots` has room for all their roots.
static uint32_t carry_layers(
    const mrwi_subject* subject, const mrwi_mixer* mixer, const mrwi_model* old, mrwi_layer_args* args, uint32_t* roots)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < mixer->layer_count; i++) {
        const mrwi_layer* layer = &mixer->layers[i];
        const mrwi_player* player = &layer->player;
        int32_t clip = same_clip(subject->model, old, player->clip);
        if (clip < 0) {
            continue;
        }
        for (uint32_t j = 0; j < layer->root_count; j++) {
            roots[j] = same_node(subject, old, layer->roots[j]);
        }
        mrwi_layer_args* out = &args[count++];
        *out = (mrwi_layer_args) { layer->name, *player, layer->weight, layer->additive, NULL, layer->root_count };
        out->player.clip = clip;
        out->roots = layer->roots == NULL ? NULL : roots;
        roots += layer->root_count;
    }
    return count;
}

mrw_result mrwi_mixer_adopt(const mrwi_subject* subject, mrwi_mixer* mixer, const mrwi_model* old)
{
    if (old == NULL) {
        return mrwi_mixer_rebind(subject, mixer);
    }
    size_t root_count = 0;
    for (uint32_t i = 0; i < mixer->layer_count; i++) {
        root_count += mixer->layers[i].root_count;
    }
    mrwi_arena arena;
    mrwi_arena_init(&arena, subject->context);
    mrwi_layer_args* layers = mrwi_arena_allocate(&arena, mixer->layer_count, sizeof *layers);
    uint32_t* roots = mrwi_arena_allocate(&arena, root_count, sizeof *roots);
    mrw_result result = layers == NULL || roots == NULL ? MRW_NO_MEMORY : MRW_OK;
    mrwi_mixer fresh;
    if (result == MRW_OK) {
        mrwi_mixer_args args = { mixer->main, mixer->paused, NULL, carry_layers(subject, mixer, old, layers, roots), layers };
        args.main.clip = same_clip(subject->model, old, mixer->main.clip);
        result = mrwi_mixer_make(subject, &args, &fresh);
    }
    mrwi_arena_release(&arena);
    if (result == MRW_OK) {
        mrwi_mixer_replace(subject, mixer, &fresh);
    }
    return result;
}
