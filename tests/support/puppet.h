/// A small rig with a world and an instance, and clips of straight lines whose values are easy to work out by hand.
///
///     root (0, 0) -- arm (10, 0) -- hand (10, 0)      part "body": a quad on root and arm; part "eye": a triangle on hand, above it
#ifndef PUPPET_H
#define PUPPET_H

#include "check.h"

#include "marrow.h"

#include <math.h>
#include <string.h>

typedef struct puppet {
    mrw_context* context;
    mrw_model_id model;
    mrw_world_id world;
    mrw_instance_id instance;
    mrw_instance_state* state;
} puppet;

enum { PUPPET_ROOT, PUPPET_ARM, PUPPET_HAND };
enum { PUPPET_BODY, PUPPET_EYE };

static const char puppet_rig[]
    = "{\"version\":2,\"bones\":[{\"name\":\"root\",\"parent\":-1},{\"name\":\"arm\",\"parent\":0,\"x\":10},"
      "{\"name\":\"hand\",\"parent\":1,\"x\":10}],\"parts\":["
      "{\"name\":\"body\",\"sprite\":\"00000000-0000-4000-8000-000000000001\",\"order\":0,\"mesh\":{\"verts\":[[0,-4],[10,-4],[10,4],[0,4]]"
      ","
      "\"uvs\":[[0,0],[1,0],[1,1],[0,1]],\"tris\":[0,1,2,0,2,3]},\"skinIndices\":[0,0,0,0,1,0,0,0,1,0,0,0,0,0,0,0],"
      "\"skinWeights\":[1,0,0,0,1,0,0,0,1,0,0,0,1,0,0,0]},"
      "{\"name\":\"eye\",\"sprite\":\"00000000-0000-4000-8000-000000000002\",\"order\":1,\"mesh\":{\"verts\":[[20,0],[24,0],[20,4]],"
      "\"uvs\":[[0,0],[1,0],[0,1]],\"tris\":[0,1,2]},\"skinIndices\":[2,0,0,0,2,0,0,0,2,0,0,0],"
      "\"skinWeights\":[1,0,0,0,1,0,0,0,1,0,0,0]}]}";

static inline mrw_result puppet_open_in(puppet* made, mrw_context* context)
{
    *made = (puppet) { .context = context };
    mrw_result result = mrw_model_load_rig2d(context, puppet_rig, strlen(puppet_rig), NULL, &made->model, NULL);
    if (result == MRW_OK) {
        result = mrw_world_create(context, &made->world);
    }
    return result;
}

static inline mrw_result puppet_add_instance(puppet* made)
{
    const mrw_instance_desc desc = { .model = made->model };
    mrw_result result = mrw_instance_create(made->context, made->world, &desc, &made->instance);
    made->state = mrw_instance_get_state(made->context, made->instance);
    return result;
}

static inline puppet puppet_open(void)
{
    puppet made;
    CHECK_EQ_INT(puppet_open_in(&made, mrw_context_create(NULL)), MRW_OK);
    CHECK_EQ_INT(puppet_add_instance(&made), MRW_OK);
    return made;
}

static inline void puppet_close(puppet* made)
{
    mrw_context_destroy(made->context);
}

/// A track that runs straight from `first` at 0 to `last` at `duration`; colors run straight anyhow, the other types step.
typedef struct puppet_track {
    const char *path, *trait, *field;
    mrw_track_type type;
    double first, last;
} puppet_track;

/// Adds a clip of such tracks. At most 8 tracks, 4 events, and offsets of one part that grow from 0 to `offsets`.
typedef struct puppet_clip {
    const char* name;
    double duration;
    uint32_t track_count, event_count;
    puppet_track tracks[8];
    double event_times[4];
    const char* deformed_part;
    float offsets[8];
} puppet_clip;

static inline mrw_result puppet_add_clip(puppet* at, const puppet_clip* clip, uint32_t* out_index)
{
    mrw_key_desc keys[8][2];
    mrw_track_desc tracks[8];
    mrw_event_desc events[4] = { { 0 } };
    for (uint32_t i = 0; i < clip->track_count; i++) {
        const puppet_track* track = &clip->tracks[i];
        double slope = (track->last - track->first) / clip->duration;
        keys[i][0] = (mrw_key_desc) { .time = 0, .value = track->first, .out_tangent = slope, .in_weight = -1, .out_weight = -1 };
        keys[i][1]
            = (mrw_key_desc) { .time = clip->duration, .value = track->last, .in_tangent = slope, .in_weight = -1, .out_weight = -1 };
        tracks[i] = (mrw_track_desc) { track->path, track->trait, track->field, track->type, 2, keys[i], NULL };
    }
    for (uint32_t i = 0; i < clip->event_count; i++) {
        events[i] = (mrw_event_desc) { clip->event_times[i], "event", NULL, NULL };
    }
    const mrw_deform_key_desc deform_keys[2] = { { 0, 0, NULL, NULL }, { clip->duration, 8, clip->offsets, NULL } };
    const mrw_deform_track_desc deform = { "", clip->deformed_part, 2, deform_keys, NULL };
    const mrw_clip_desc desc = { .name = clip->name,
        .duration = clip->duration,
        .track_count = clip->track_count,
        .tracks = tracks,
        .event_count = clip->event_count,
        .events = events,
        .deform_track_count = clip->deformed_part == NULL ? 0 : 1,
        .deform_tracks = &deform };
    return mrw_model_add_clip_desc(at->context, at->model, &desc, out_index, NULL);
}

/// Adds a clip and returns its index.
static inline uint32_t puppet_clip_of(puppet* at, const puppet_clip* clip)
{
    uint32_t index = UINT32_MAX;
    CHECK_EQ_INT(puppet_add_clip(at, clip, &index), MRW_OK);
    return index;
}

static inline void puppet_play(const puppet* at, uint32_t clip, mrw_play_options options)
{
    CHECK_EQ_INT(mrw_instance_play(at->context, at->instance, clip, &options), MRW_OK);
}

static inline void puppet_update(const puppet* at, double dt)
{
    CHECK_EQ_INT(mrw_world_update(at->context, at->world, dt), MRW_OK);
}

/// A field of what the last update used.
static inline float puppet_local(const puppet* at, uint32_t node, mrw_field field)
{
    return at->state->local[(uint32_t)field * at->state->node_stride + node];
}

static inline void puppet_set_base(const puppet* at, uint32_t node, mrw_field field, float value)
{
    at->state->base[(uint32_t)field * at->state->node_stride + node] = value;
    at->state->dirty = 1;
}

static inline void puppet_override(const puppet* at, uint32_t node, mrw_field field, float value)
{
    at->state->override_values[(uint32_t)field * at->state->node_stride + node] = value;
    at->state->override_mask[node] = (uint8_t)(at->state->override_mask[node] | 1u << field);
    at->state->dirty = 1;
}

#endif
