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
    bool paused;           ///< main clip, fade and layers stand still
    bool moved;            ///< something changed since the last apply
    const mrwi_clip* held; ///< the only clip that was applied to state.local last, or NULL: see mrwi_fade_apply
    mrwi_event_cursor cursor;
    struct mrwi_part_base* parts; ///< scratch of apply, once a clip that drives parts was played
    uint32_t part_capacity;
} mrwi_mixer;

/// Nothing plays. Called once, when the instance is made; its model may still be missing. Allocates nothing.
void mrwi_mixer_init(struct mrwi_instance* instance);
/// Rows and masks over nodes are about to get `node_stride` entries instead of state.node_stride (never fewer): the mixer's own
/// follow. Failure leaves everything as it was; after success the instance's stride changes before anything else is called.
mrw_result mrwi_mixer_grow(struct mrwi_instance* instance, uint32_t node_stride);
/// The instance has just got another model than `old` (NULL: it waited for one); tree, values and deforms are the new ones
/// already. Players and layers go on with the clips of the same names at the same times, those without one stop; masks follow
/// node names; a running fade ends. Failure leaves the mixer as it was.
mrw_result mrwi_mixer_adopt(struct mrwi_instance* instance, const mrwi_model* old);
/// Advances every player by dt. True when the pose must be evaluated again.
bool mrwi_mixer_advance(struct mrwi_instance* instance, double dt);
/// base -> main clip (cross-fade) -> layers -> overrides, into state.local, part states, state.shown and deforms[].sampled.
/// Returns bit 0: part fields changed (runs stale), bit 1: view fields changed, bit 2: state.local may hold what is no number.
/// Never allocates.
uint32_t mrwi_mixer_apply(struct mrwi_instance* instance);
/// Resolves all tracks again (the tree or the model's clips changed). Allocates only when a clip was replaced.
mrw_result mrwi_mixer_rebind(struct mrwi_instance* instance);
void mrwi_mixer_release(struct mrwi_instance* instance);

/// What makes a mixer anew: an instance's own state carried over to another model, or a snapshot's.
typedef struct mrwi_mixer_args {
    mrwi_player main; ///< where it stands; without buffers
    bool paused;
    const mrwi_fade* fade; ///< copied, or NULL
    uint32_t layer_count;
    const mrwi_layer_args* layers;
} mrwi_mixer_args;
/// A mixer of its own, bound to the instance but not yet in it. On failure nothing is left.
mrw_result mrwi_mixer_make(struct mrwi_instance* instance, const mrwi_mixer_args* args, mrwi_mixer* out);
/// Releases a mixer that is in no instance.
void mrwi_mixer_discard(const struct mrwi_instance* instance, mrwi_mixer* mixer);
/// Puts it in, in place of the one that is there.
void mrwi_mixer_replace(struct mrwi_instance* instance, mrwi_mixer* mixer);
/// Copies what state shows of the mixer (time, clip, playing, event_pending).
void mrwi_mixer_publish(struct mrwi_instance* instance);
/// Room for what applying `clip` (NULL: anything that drives parts) needs beside a player.
mrw_result mrwi_mixer_reserve_parts(struct mrwi_instance* instance, mrwi_mixer* mixer, const mrwi_clip* clip);
/// Offsets of the clips in play, into deforms[].sampled.
void mrwi_mixer_apply_deforms(struct mrwi_instance* instance);

#endif
