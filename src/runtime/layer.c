#include "runtime/layer.h"

#include "runtime/pose.h"

#include <string.h>

mrw_result mrwi_layer_reserve(const mrwi_subject* subject, mrwi_layer* layer, uint32_t node_stride)
{
    const mrwi_clip* clip = mrwi_player_clip(&layer->player, subject->model);
    const uint32_t entries = mrwi_first_node_entry(subject->state->part_count) + node_stride;
    const bool has_room = mrwi_player_reserve(subject, &layer->player, clip) == MRW_OK
        && (!layer->additive
            || mrwi_grow(subject->context, &layer->reference, &layer->reference_capacity, mrwi_channel_room(clip), sizeof(float)))
        && (layer->roots == NULL || mrwi_grow(subject->context, &layer->mask, &layer->mask_capacity, entries, 1));
    return has_room ? MRW_OK : MRW_NO_MEMORY;
}

void mrwi_layer_release(mrw_context* context, mrwi_layer* layer)
{
    mrwi_player_release(context, &layer->player);
    mrwi_text_release(context, layer->name);
    mrwi_release(context, layer->reference, layer->reference_capacity, sizeof *layer->reference);
    mrwi_release(context, layer->roots, layer->root_count, sizeof *layer->roots);
    mrwi_release(context, layer->mask, layer->mask_capacity, 1);
    *layer = (mrwi_layer) { .player.at.clip = -1 };
}

/// Marks the roots and everything below them; parts and the view are not masked.
static void bind_mask(const mrwi_subject* subject, mrwi_layer* layer)
{
    const mrwi_tree* tree = subject->tree;
    const uint32_t first_node = mrwi_first_node_entry(subject->state->part_count);
    uint8_t* nodes = layer->mask + first_node;
    memset(layer->mask, 1, first_node);
    memset(nodes, 0, layer->mask_capacity - first_node);
    for (uint32_t i = 0; i < layer->root_count; i++) {
        int32_t slot = mrwi_tree_slot(tree, layer->roots[i]);
        if (slot >= 0) {
            nodes[slot] = 1;
        }
    }
    // Parents come first in either order.
    uint32_t count = tree->untouched ? tree->count : tree->order_count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = tree->untouched ? i : tree->order[i];
        int32_t parent = tree->parents[node];
        if (parent >= 0 && nodes[parent] != 0) {
            nodes[node] = 1;
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
        bind_mask(subject, layer);
    }
}

mrwi_layer_args mrwi_layer_describe(const mrwi_layer* layer)
{
    return (mrwi_layer_args) { layer->name, layer->player.at, layer->weight, layer->additive, layer->roots, layer->root_count };
}

mrw_result mrwi_layer_make(const mrwi_subject* subject, const mrwi_layer_args* args, mrwi_layer* out)
{
    mrw_context* context = subject->context;
    *out = (mrwi_layer) { .player.at = args->at, .weight = args->weight, .additive = args->additive, .root_count = args->root_count };
    out->name = mrwi_text_copy(context, args->name);
    if (args->roots != NULL) {
        out->roots = mrwi_allocate(context, args->root_count, sizeof *out->roots);
    }
    bool has_all = out->name != NULL && (args->roots == NULL || out->roots != NULL);
    if (!has_all || mrwi_layer_reserve(subject, out, subject->state->node_stride) != MRW_OK) {
        mrwi_layer_release(context, out);
        return MRW_NO_MEMORY;
    }
    if (args->roots != NULL) {
        memcpy(out->roots, args->roots, args->root_count * sizeof *out->roots);
    }
    mrwi_layer_bind(subject, out);
    return MRW_OK;
}

void mrwi_layer_apply(const mrwi_subject* subject, mrwi_layer* layer, const mrwi_sink* sink)
{
    const mrwi_clip* clip = mrwi_player_clip(&layer->player, subject->model);
    if (layer->weight > 0.0f) {
        mrwi_player_evaluate(&layer->player, clip, subject->values->channels + subject->values->channel_capacity);
        mrwi_blend how = { .weight = layer->weight, .mask = layer->mask, .reference = layer->additive ? layer->reference : NULL };
        mrwi_blend_player(sink, clip, &layer->player, &how);
    }
}
