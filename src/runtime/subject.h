/// What clips are played on: an instance, as far as players, fades, layers and the mixer look at it.
#ifndef MRWI_RUNTIME_SUBJECT_H
#define MRWI_RUNTIME_SUBJECT_H

#include "runtime/tree.h"

/// Base of a part's shown fields.
typedef struct mrwi_part_base {
    uint32_t visible, color;
    float opacity;
    int32_t sprite;
} mrwi_part_base;

/// Offsets in the part's vertex order (2 * vertex_count floats) that are added to bind before skinning.
typedef struct mrwi_deform {
    float* manual;     ///< set by hand, or NULL
    float* sampled;    ///< the mixer writes here, or NULL when no clip of the model deforms the part
    bool sampled_live; ///< the mixer wrote it in this update
    bool was_live;     ///< offsets were applied in the last skinning
    bool changed;      ///< the mixer wrote other offsets than were skinned last
    bool manual_changed;
    bool was_folded; ///< its vertices lay in one point after the last skinning
} mrwi_deform;

/// Room for what clips are mixed in, shared by all players of a world; nothing in it outlives the mixing.
typedef struct mrwi_clip_values {
    float* channels; ///< `channel_capacity` of the main clip, then as many of another
    mrwi_part_base* parts;
    uint8_t* marks; ///< `mark_capacity` of what a fade comes from, then as many of the main clip
    uint32_t channel_capacity, part_capacity, mark_capacity;
} mrwi_clip_values;

/// Made where it is needed (mrwi_instance_subject) and valid until the instance gets another model.
typedef struct mrwi_subject {
    mrw_context* context;
    const mrwi_model* model; ///< NULL while the instance waits for one
    const mrwi_tree* tree;
    mrw_instance_state* state;
    mrw_part_state* part_states;
    mrwi_part_base* part_bases;
    mrwi_deform* deforms;     ///< an entry a part
    mrwi_clip_values* values; ///< of the world
} mrwi_subject;

#endif
