/// A clip that plays over the main one, by name, weight and mask.
#ifndef MRWI_RUNTIME_LAYER_H
#define MRWI_RUNTIME_LAYER_H

#include "runtime/blend.h"

/// Of one instance. Each of them costs a clip's sampling in every update.
#define MRWI_LAYERS_MAX 256

typedef struct mrwi_layer {
    char* name;
    mrwi_player player;
    mrwi_crossing crossing;
    float weight;
    bool additive;
    float* reference; ///< additive: channel values at the clip's start
    uint32_t reference_capacity;
    uint32_t* roots; ///< node arguments whose subtrees the layer touches; NULL all
    uint32_t root_count;
    uint8_t* mask; ///< one byte an entry, from `roots`; NULL all
    uint32_t mask_capacity;
} mrwi_layer;

/// What makes a layer: a caller's wish, a snapshot, or the layer of an instance whose model was replaced.
typedef struct mrwi_layer_args {
    const char* name;
    mrwi_playhead at;
    float weight;
    bool additive;
    const uint32_t* roots; ///< NULL: no mask
    uint32_t root_count;
} mrwi_layer_args;

/// What makes the layer again; names and roots are its own.
mrwi_layer_args mrwi_layer_describe(const mrwi_layer* layer);
/// A bound layer with everything allocated. On failure `out` is empty.
mrw_result mrwi_layer_make(const mrwi_subject* subject, const mrwi_layer_args* args, mrwi_layer* out);
void mrwi_layer_release(mrw_context* context, mrwi_layer* layer);
/// Room for the layer's clip and for a mask over `node_stride` nodes.
mrw_result mrwi_layer_reserve(const mrwi_subject* subject, mrwi_layer* layer, uint32_t node_stride);
/// Resolves targets, mask and reference again. Never allocates.
void mrwi_layer_bind(const mrwi_subject* subject, mrwi_layer* layer);
/// Writes the layer over `sink`.
void mrwi_layer_apply(const mrwi_subject* subject, mrwi_layer* layer, const mrwi_sink* sink);

#endif
