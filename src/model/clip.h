/// A packed clip: channels of f32 cubics for the runtime, the keys in f64 for exact evaluation, deform keys in the order of the model's
/// vertices, events. Belongs to a model; const once made.
#ifndef MRWI_MODEL_CLIP_H
#define MRWI_MODEL_CLIP_H

#include "model/channels.h"

typedef struct mrwi_model mrwi_model;

/// Seconds; about thirty years. It keeps sums of times and steps far from overflow.
#define MRWI_CLIP_DURATION_MAX 1e9

/// What a track drives. NODE fields are mrw_field; PART: 0 visible, 1 color, 2 opacity; VIEW: index of a mrw_view_fields member
/// (0 color, 1 opacity, 2 flip_x, 3 flip_y, 4 visible, 5 mode, 6 anchor). NONE: skipped (warned about unless it has no keys).
typedef enum mrwi_target { MRWI_TARGET_NONE, MRWI_TARGET_NODE, MRWI_TARGET_PART, MRWI_TARGET_VIEW } mrwi_target;
typedef enum mrwi_part_field { MRWI_PART_VISIBLE, MRWI_PART_COLOR, MRWI_PART_OPACITY, MRWI_PART_FIELD_COUNT } mrwi_part_field;
typedef enum mrwi_view_field {
    MRWI_VIEW_COLOR,
    MRWI_VIEW_OPACITY,
    MRWI_VIEW_FLIP_X,
    MRWI_VIEW_FLIP_Y,
    MRWI_VIEW_VISIBLE,
    MRWI_VIEW_MODE,
    MRWI_VIEW_ANCHOR,
    MRWI_VIEW_FIELD_COUNT
} mrwi_view_field;

typedef struct mrwi_track {
    const char *path, *trait, *field;
    uint8_t type;   ///< mrw_track_type
    uint8_t target; ///< mrwi_target
    uint8_t target_field;
    int32_t target_index; ///< node (model order, by path in the model's own tree; -1 unresolved) or part (draw order)
    uint32_t file_index;
    const mrw_key_desc* keys; ///< f64, for mrw_curve_sample
    uint32_t key_count;
} mrwi_track;

/// Number tracks `track` .. `track` + `count` - 1 drive one field of consecutive nodes from `node` on, in the model's own tree.
typedef struct mrwi_stretch {
    uint32_t track, field, node, count;
} mrwi_stretch;

/// Deform keys of one part: `offsets` are 2 * vertex_count floats a key, in the part's vertex order (plan order).
typedef struct mrwi_deform_track {
    uint32_t part;      ///< draw order
    uint32_t key_count; ///< at least 1
    const float* times;
    const float* const* offsets;
} mrwi_deform_track;

typedef struct mrwi_clip_event {
    double time;
    const char *name, *data;
} mrwi_clip_event;

typedef struct mrwi_clip {
    mrwi_arena arena;
    const char *name, *id;
    double duration, frame_rate;
    bool once;
    bool drives_parts; ///< some track targets a part's fields
    bool is_wild;      ///< some track drives a node beyond mrwi_tame_scale or MRWI_TAME_LENGTH, so that poses may overflow
    /// Numbers first (those of nodes before the others), then colors, then booleans and enums, then skipped tracks without a channel.
    uint32_t track_count;
    uint32_t number_count, color_count, discrete_count;
    uint32_t node_number_count; ///< number tracks of nodes: tracks 0..node_number_count-1, channel = track; by field, then node
    const mrwi_track* tracks;
    const uint32_t* track_of_file_index;
    uint32_t stretch_count;
    const mrwi_stretch* stretches; ///< cover the number tracks of resolved nodes
    mrwi_channels channels;        ///< of all tracks that have one, in their order
    uint32_t deform_count;
    const mrwi_deform_track* deforms; ///< by part, ascending; at most one a part
    uint32_t event_count;
    const mrwi_clip_event* events; ///< ascending in time
} mrwi_clip;

/// Poses of `node_count` nodes whose scales, lengths and angles lie within these, either way, never overflow, since neither does the
/// product of all scales; f32 has room for binds and vertices beside it.
#define MRWI_TAME_LENGTH 1e9f
float mrwi_tame_scale(uint32_t node_count);

/// Releases a clip that is in no model's list; NULL is fine.
void mrwi_clip_release(mrwi_clip* clip);

#endif
