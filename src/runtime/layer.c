#include "runtime/layer.h"

#include "runtime/pose.h"

#include <string.h>

static mrw_result grow(mrw_context* context, void** block, uint32_t* capacity, uint32_t count, size_t size)
{
    if (count <= *capacity) {
        return MRW_OK;
    }
    void* grown = mrwi_reallocate(context, *block, *capacity, count, size);
    if (grown == NULL) {
        return MRW_NO_MEMORY;
    }
    *block = grown;
    *capacity = count;
    return MRW_OK;
}

mrw_result mrwi_layer_reserve(const mrwi_subject* subject, mrwi_layer* layer, const mrwi_clip* clip, uint32_t node_stride)
{
    mrw_context* context = subject->context;
    mrw_result result = mrwi_player_reserve(subject, &layer->player, clip);
    if (result == MRW_OK && layer->additive) {
        void* reference = layer->reference;
        result = grow(context, &reference, &layer->reference_capacity, layer->player.channel_capacity, sizeof *layer->reference);
        layer->reference = reference;
    }
    if (result == MRW_OK && layer->roots != NULL) {
        void* mask = layer->mask;
        result = grow(context, &mask, &layer->mask_capacity, node_stride, 1);
        layer->mask = mask;
    }
    return result;
}

void mrwi_layer_release(mrw_context* context, mrwi_layer* layer)
{
    mrwi_player_release(context, &layer->player);
    if (layer->name != NULL) {
        mrwi_release(context, layer->name, strlen(layer->name) + 1, 1);
    }
    mrwi_release(context, layer->reference, layer->reference_capacity, sizeof *layer->reference);
    mrwi_release(context, layer->roots, layer->root_count, sizeof *layer->roots);
    mrwi_release(context, layer->mask, layer->mask_capacity, 1);
    *layer = (mrwi_layer) { .player.clip = -1 };
}

/// Marks the roots and everything below them.
static void bind_mask(const mrwi_tree* tree, mrwi_layer* layer)
{
    memset(layer->mask, 0, layer->mask_capacity);
    for (uint32_t i = 0; i < layer->root_count; i++) {
        int32_t slot = mrwi_tree_slot(tree, layer->roots[i]);
        if (slot >= 0) {
            layer->mask[slot] = 1;
        }
    }
    // Parents come first in either order.
    uint32_t count = tree->untouched ? tree->count : tree->order_count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = tree->untouched ? i : tree->order[i];
        int32_t parent = tree->parents[node];
        if (parent >= 0 && layer->mask[parent] != 0) {
            layer->mask[node] = 1;
        }
    }
}

void mrwi_layer_bind(const mrwi_subject* subject, mrwi_layer* layer)
{
    mrwi_player* player = &layer->player;
    const mrwi_clip* clip = mrwi_player_clip(player, subject->model);
    mrwi_player_bind(subject, player);
    if (layer->additive) {
        mrwi_clip_evaluate(clip, 0.0, player->cursors, layer->reference);
    }
    if (layer->roots != NULL) {
        bind_mask(subject->tree, layer);
    }
}

mrw_result mrwi_layer_make(const mrwi_subject* subject, const mrwi_layer_args* args, mrwi_layer* out)
{
    mrw_context* context = subject->context;
    const mrwi_clip* clip = mrwi_player_clip(&args->player, subject->model);
    size_t name_size = strlen(args->name) + 1;
    *out = (mrwi_layer) { .player.clip = -1, .weight = args->weight, .additive = args->additive };
    out->name = mrwi_allocate(context, name_size, 1);
    if (out->name != NULL) {
        memcpy(out->name, args->name, name_size);
    }
    bool has_roots = true;
    if (args->roots != NULL) {
        out->roots = mrwi_allocate(context, args->root_count, sizeof *out->roots);
        has_roots = out->roots != NULL;
        out->root_count = has_roots ? args->root_count : 0;
    }
    if (out->root_count > 0) {
        memcpy(out->roots, args->roots, args->root_count * sizeof *out->roots);
    }
    if (out->name == NULL || !has_roots || mrwi_layer_reserve(subject, out, clip, subject->state->node_stride) != MRW_OK) {
        mrwi_layer_release(context, out);
        return MRW_NO_MEMORY;
    }
    mrwi_player_follow(&out->player, clip, &args->player);
    mrwi_layer_bind(subject, out);
    return MRW_OK;
}

void mrwi_layer_apply(const mrwi_subject* subject, mrwi_layer* layer, const mrwi_sink* sink)
{
    const mrwi_clip* clip = mrwi_player_clip(&layer->player, subject->model);
    if (layer->weight > 0.0f) {
        mrwi_player_evaluate(&layer->player, clip, subject->values->other);
        mrwi_blend how = { .weight = layer->weight, .mask = layer->mask, .reference = layer->additive ? layer->reference : NULL };
        mrwi_blend_player(sink, clip, &layer->player, &how);
    }
}
