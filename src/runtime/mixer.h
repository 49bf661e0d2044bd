/// Playback: the main clip with its cross-fade, layers, overrides, events.
#ifndef MRWI_RUNTIME_MIXER_H
#define MRWI_RUNTIME_MIXER_H

#include "model/clip.h"

struct mrwi_instance;

/// One clip in play.
typedef struct mrwi_player {
    int32_t clip; ///< index in the model's clips, -1 none
    double time, previous_time;
    float speed;
    bool once, playing, ended;
    uint32_t loops_done; ///< wraps during the last advance
    uint32_t* cursors;   ///< one a channel
    float* values;       ///< channel values of the last evaluation
    int32_t* targets;    ///< per track: node slot or part resolved on the live tree, -1 none
} mrwi_player;

typedef struct mrwi_layer {
    char* name;
    mrwi_player player;
    float weight;
    bool additive;
    float* reference; ///< additive: channel values at the clip's start
    uint8_t* mask;    ///< one byte a node, NULL all
} mrwi_layer;

/// B's own fields (snapshot of a half-faded pose, event cursor) go here too.
typedef struct mrwi_mixer {
    mrwi_player main, outgoing;
    float fade_time, fade_elapsed;
    bool one_sided_full;
    bool fade_from_seen; ///< the fade starts from `seen` instead of `outgoing`
    float* seen;         ///< driven values when the fade began
    uint8_t* seen_mask;
    uint32_t layer_count, layer_capacity;
    mrwi_layer* layers;
    bool moved;                                     ///< something changed since the last apply
    uint32_t event_player, event_loop, event_index; ///< cursor of mrw_instance_next_event
} mrwi_mixer;

/// Nothing plays. Called once, when the instance is made; its model may still be missing. Allocates nothing.
void mrwi_mixer_init(struct mrwi_instance* instance);
/// Rows and masks over nodes are about to get `node_stride` entries instead of state.node_stride (never fewer): the mixer's own
/// follow. Failure leaves everything as it was; after success the instance's stride changes before anything else is called.
mrw_result mrwi_mixer_grow(struct mrwi_instance* instance, uint32_t node_stride);
/// The instance has just got another model than `old` (NULL: it waited for one); tree, values and deforms are the new ones
/// already. Players and layers go on with the clips of the same names at the same times, those without one stop; masks follow
/// node names. Failure leaves the mixer as it was.
mrw_result mrwi_mixer_adopt(struct mrwi_instance* instance, const mrwi_model* old);
/// Advances every player by dt. True when the pose must be evaluated again.
bool mrwi_mixer_advance(struct mrwi_instance* instance, double dt);
/// base -> main clip (cross-fade) -> layers -> overrides, into state.local, part states, state.shown and deforms[].sampled.
/// Returns bit 0: part fields changed (runs stale), bit 1: view fields changed. Never allocates.
uint32_t mrwi_mixer_apply(struct mrwi_instance* instance);
/// Resolves all tracks again (the tree or the model's clips changed). Allocates only when a clip was replaced.
mrw_result mrwi_mixer_rebind(struct mrwi_instance* instance);
void mrwi_mixer_release(struct mrwi_instance* instance);

#endif
