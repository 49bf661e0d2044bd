/// Playback: the main clip with its cross-fade, layers, overrides, events.
#ifndef MRWI_RUNTIME_MIXER_H
#define MRWI_RUNTIME_MIXER_H

#include "runtime/events.h"
#include "runtime/fade.h"
#include "runtime/layer.h"

typedef struct mrwi_mixer {
    mrwi_player main;
    mrwi_crossing crossing; ///< of the main clip; outlives it until the next advance
    mrwi_fade fade;
    uint32_t layer_count, layer_capacity;
    mrwi_layer* layers;
    uint32_t paused;       ///< 1: main clip, fade and layers stand still
    bool moved;            ///< something changed since the last apply
    const mrwi_clip* held; ///< the only clip that was applied to state.local last, or NULL: see mrwi_fade_apply
    mrwi_event_cursor cursor;
} mrwi_mixer;

/// Nothing plays. Allocates nothing.
void mrwi_mixer_init(mrwi_mixer* mixer);
void mrwi_mixer_release(mrw_context* context, mrwi_mixer* mixer);
/// Rows and masks over nodes are about to get `node_stride` entries instead of state.node_stride (never fewer): the mixer's own
/// follow. Failure leaves everything as it was; after success the subject's stride changes before anything else is called.
mrw_result mrwi_mixer_grow(const mrwi_subject* subject, mrwi_mixer* mixer, uint32_t node_stride);
/// Advances every player by dt. True when the pose must be evaluated again. `model` is NULL while the instance waits for one.
bool mrwi_mixer_advance(mrwi_mixer* mixer, const mrwi_model* model, mrw_instance_state* state, double dt);
/// base -> main clip (cross-fade) -> layers -> overrides, into state.local, part states, state.shown and deforms[].sampled.
/// Returns bit 0: part fields changed (runs stale), bit 1: view fields changed, bit 2: state.local may hold what is no number.
/// Never allocates.
uint32_t mrwi_mixer_apply(const mrwi_subject* subject, mrwi_mixer* mixer);
/// Resolves all tracks again (the tree or the model's clips changed, or a mixer was made). Allocates only for clips that have no
/// room yet.
mrw_result mrwi_mixer_rebind(const mrwi_subject* subject, mrwi_mixer* mixer);
/// A new layer, bound, in place of layer `index`, or behind the last one. Failure leaves everything as it was.
mrw_result mrwi_mixer_put_layer(const mrwi_subject* subject, mrwi_mixer* mixer, uint32_t index, const mrwi_layer_args* args);
/// Exchanges `mixer`, the subject's own, with `other`, which is bound.
void mrwi_mixer_exchange(const mrwi_subject* subject, mrwi_mixer* mixer, mrwi_mixer* other);
/// Copies what state shows of the mixer (time, clip, playing, event_pending).
void mrwi_mixer_publish(const mrwi_mixer* mixer, const mrwi_model* model, mrw_instance_state* state);
/// The next event of all players, or false.
bool mrwi_mixer_next_event(const mrwi_mixer* mixer, const mrwi_model* model, mrwi_event_cursor* cursor, mrw_event* out);

#endif
