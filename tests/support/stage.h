/// A world with models from text, for tests of instances. Vertices are compared in the file's order.
#ifndef STAGE_H
#define STAGE_H

#include "check.h"
#include "marrow.h"

#include <string.h>

#define STAGE_ROOT 0xffffffffu

typedef struct stage {
    mrw_context* context;
    mrw_world_id world;
} stage;

static inline stage stage_open(void)
{
    stage s = { .context = mrw_context_create(NULL) };
    CHECK(s.context != NULL);
    CHECK_EQ_INT(mrw_world_create(s.context, &s.world), MRW_OK);
    return s;
}

static inline void stage_close(stage* s)
{
    mrw_context_destroy(s->context);
}

static inline mrw_model_id stage_model(mrw_context* context, const char* text)
{
    mrw_model_id model = { 0 };
    mrw_error error = { 0 };
    if (!CHECK_EQ_INT(mrw_model_load_rig2d(context, text, strlen(text), NULL, &model, &error), MRW_OK)) {
        CHECK_STR(error.message, "");
    }
    return model;
}

static inline mrw_model_id stage_bar(mrw_context* context)
{
    return stage_model(context, (const char*)fixture_get("assets/bar/bar.rig2d.json", NULL));
}

static inline mrw_instance_id stage_add(const stage* s, mrw_model_id model)
{
    mrw_instance_id id = { 0 };
    CHECK_EQ_INT(mrw_instance_create(s->context, s->world, &(mrw_instance_desc) { .model = model }, &id), MRW_OK);
    return id;
}

static inline mrw_instance_state* stage_state(const stage* s, mrw_instance_id id)
{
    return mrw_instance_get_state(s->context, id);
}

static inline uint32_t stage_node(const stage* s, mrw_instance_id id, const char* name)
{
    uint32_t node = STAGE_ROOT;
    CHECK_EQ_INT(mrw_instance_find_node(s->context, id, name, &node), MRW_OK);
    return node;
}

/// Writes a base field as a host does.
static inline void stage_set(const stage* s, mrw_instance_id id, uint32_t node, mrw_field field, float value)
{
    mrw_instance_state* state = stage_state(s, id);
    state->base[field * state->node_stride + (node & 0xfffff)] = value;
    state->dirty = 1;
}

static inline void stage_pose(const stage* s, mrw_instance_id id, uint32_t node, const float values[5])
{
    for (uint32_t field = 0; field < MRW_FIELD_COUNT; field++) {
        stage_set(s, id, node, (mrw_field)field, values[field]);
    }
}

static inline void stage_update(const stage* s)
{
    CHECK_EQ_INT(mrw_world_update(s->context, s->world, 0), MRW_OK);
}

/// Where vertex `vertex` of the file is now.
static inline const float* stage_vertex(const stage* s, mrw_instance_id id, uint32_t part, uint32_t vertex)
{
    const mrw_instance_state* state = stage_state(s, id);
    const mrw_part_state* at = &state->parts[part];
    for (uint32_t i = 0; i < at->vertex_count; i++) {
        if (at->vertex_map[i] == vertex) {
            return state->positions + 2 * (at->first_vertex + i);
        }
    }
    return NULL;
}

#define CHECK_VERTEX(s, id, part, vertex, x, y)                           \
    do {                                                                  \
        const float* check_vertex = stage_vertex(&(s), id, part, vertex); \
        if (CHECK(check_vertex != NULL)) {                                \
            CHECK_NEAR(check_vertex[0], x, 1e-4);                         \
            CHECK_NEAR(check_vertex[1], y, 1e-4);                         \
        }                                                                 \
    } while (0)

#endif
