// Whatever numbers a rig, its clips and the hand hold: no vertex, matrix or bound is infinite or NaN.
#include "check.h"

#include "runtime/instance.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define DEPTH 9

// A chain of bones, each at (1e38, -3e38), and a triangle that follows the last one; the first vertex by half.
static void write_rig(char* text, size_t capacity)
{
    size_t size = (size_t)snprintf(text, capacity, "{\"bones\":[");
    for (int i = 0; i < DEPTH; i++) {
        size += (size_t)snprintf(text + size, capacity - size, "%s{\"name\":\"b%d\",\"parent\":%d,\"x\":1e38,\"y\":-3e38,\"rot\":%d%s}",
            i > 0 ? "," : "", i, i - 1, i, i == 1 ? ",\"noScale\":true" : "");
    }
    snprintf(text + size, capacity - size,
        "],\"mesh\":{\"verts\":[[3e38,0],[0,-3e38],[5,5]],\"uvs\":[[0,0],[1,0],[0,1]],\"tris\":[0,1,2]},"
        "\"skinIndices\":[8,0,0,0,8,0,0,0,8,0,0,0],\"skinWeights\":[0.5,0.5,0,0,1,0,0,0,1,0,0,0]}");
}

// One field of each bone, from `from` to `to` with steep handles.
static void write_clip(char* text, size_t capacity, const char* field, const char* from, const char* to)
{
    char path[64] = "";
    size_t size = (size_t)snprintf(text, capacity, "{\"name\":\"c\",\"tracks\":[");
    for (int i = 0; i < DEPTH; i++) {
        snprintf(path + strlen(path), sizeof path - strlen(path), "/b%d", i);
        size += (size_t)snprintf(text + size, capacity - size,
            "%s{\"path\":\"%s\",\"trait\":\"Transform\",\"field\":\"%s\",\"keys\":[{\"t\":0,\"v\":%s,\"outTangent\":3e38},{\"t\":1,\"v\":%"
            "s,"
            "\"inTangent\":-3e38}]}",
            i > 0 ? "," : "", path, field, from, to);
    }
    snprintf(text + size, capacity - size, "]}");
}

typedef struct stage {
    mrw_context* context;
    mrw_model_id model;
    mrw_world_id world;
    mrw_instance_id hero;
    mrw_instance_state* state;
} stage;

static stage open_stage(void)
{
    char rig[2048];
    write_rig(rig, sizeof rig);
    stage s = { .context = mrw_context_create(NULL) };
    CHECK_EQ_INT(mrw_model_load_rig2d(s.context, rig, strlen(rig), NULL, &s.model, NULL), MRW_OK);
    CHECK_EQ_INT(mrw_world_create(s.context, &s.world), MRW_OK);
    CHECK_EQ_INT(mrw_instance_create(s.context, s.world, &(mrw_instance_desc) { .model = s.model }, &s.hero), MRW_OK);
    s.state = mrw_instance_get_state(s.context, s.hero);
    return s;
}

static bool are_finite(const float* values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!(fabsf(values[i]) <= FLT_MAX)) {
            printf("    [%u] is %g\n", (unsigned)i, (double)values[i]);
            return false;
        }
    }
    return true;
}

static void check_finite(const stage* s)
{
    mrw_bounds bounds;
    CHECK_EQ_INT(mrw_instance_bounds(s->context, s->hero, -1, &bounds), MRW_OK);
    const float numbers[] = { bounds.min_x, bounds.min_y, bounds.max_x, bounds.max_y, bounds.center_x, bounds.center_y, bounds.radius };
    CHECK(are_finite(numbers, sizeof numbers / sizeof *numbers));
    CHECK(are_finite(s->state->bind_bounds, 4));
    CHECK(are_finite(s->state->positions, 2 * (size_t)s->state->parts[0].vertex_count));
    CHECK(are_finite(s->state->world, 8 * (size_t)DEPTH));
}

static void set_scales(const stage* s, float* rows, float x, float y)
{
    for (uint32_t i = 0; i < DEPTH; i++) {
        rows[MRW_FIELD_SCALE_X * s->state->node_stride + i] = x;
        rows[MRW_FIELD_SCALE_Y * s->state->node_stride + i] = y;
    }
    s->state->dirty = 1;
}

TEST(what_is_set_by_hand_overflows_nothing)
{
    static const float scales[] = { 1e30f, -3e38f, 1e9f, 2.5f, 1e-38f, 0.0f };
    stage s = open_stage();
    for (size_t i = 0; i < 6; i++) {
        for (size_t j = 0; j < 6; j++) {
            set_scales(&s, s.state->base, scales[i], scales[j]);
            CHECK_EQ_INT(mrw_world_update(s.context, s.world, 0), MRW_OK);
            check_finite(&s);
        }
    }
    static const float offsets[] = { 3e38f, 3e38f, -3e38f, 3e38f, 0, -3e38f };
    CHECK_EQ_INT(mrw_instance_set_deform(s.context, s.hero, 0, offsets, 6), MRW_OK);
    set_scales(&s, s.state->base, 1e30f, 1e30f);
    CHECK_EQ_INT(mrw_world_update(s.context, s.world, 0), MRW_OK);
    check_finite(&s);
    mrw_context_destroy(s.context);
}

TEST(a_crowd_overflows_nothing_either)
{
    static const float scales[] = { 1e38f, -1e20f, 1e9f, 1e3f, 1.0f, 1e-38f };
    stage s = open_stage();
    mrw_crowd_id id;
    CHECK_EQ_INT(mrw_crowd_create(s.context, s.world, &id), MRW_OK);
    CHECK_EQ_INT(mrw_crowd_add(s.context, id, s.model, &s.hero), MRW_OK);
    const mrw_crowd_state* crowd = mrw_crowd_get_state(s.context, id);
    s.state = mrw_instance_get_state(s.context, s.hero);
    for (size_t i = 0; i < 6; i++) {
        for (size_t j = 0; j < 6; j++) {
            const float root[5] = { -3e38f, 3e38f, 1, scales[i], -scales[i] };
            memcpy(s.state->root, root, sizeof root);
            s.state->view.flip_x = (uint32_t)j % 2;
            set_scales(&s, s.state->base, scales[j], scales[j]);
            CHECK_EQ_INT(mrw_world_update(s.context, s.world, 0), MRW_OK);
            check_finite(&s);
            CHECK(are_finite(crowd->positions, 2 * (size_t)crowd->vertex_count));
        }
    }
    mrw_context_destroy(s.context);
}

TEST(nothing_stays_of_an_overflow)
{
    stage s = open_stage();
    CHECK_EQ_INT(mrw_world_update(s.context, s.world, 0), MRW_OK);
    float before[8 * DEPTH], vertices[6];
    memcpy(before, s.state->world, sizeof before);
    memcpy(vertices, s.state->positions, sizeof vertices);
    set_scales(&s, s.state->base, 1e30f, 1e30f);
    CHECK_EQ_INT(mrw_world_update(s.context, s.world, 0), MRW_OK);
    CHECK(memcmp(before, s.state->world, sizeof before) != 0);
    uint32_t version = s.state->version, pose_version = s.state->pose_version;
    CHECK_EQ_INT(mrw_world_update(s.context, s.world, 1), MRW_OK);
    CHECK(s.state->version == version && s.state->pose_version == pose_version);
    s.state->dirty = 1;
    CHECK_EQ_INT(mrw_world_update(s.context, s.world, 1), MRW_OK);
    CHECK(s.state->version == version);
    set_scales(&s, s.state->base, 1, 1);
    CHECK_EQ_INT(mrw_world_update(s.context, s.world, 0), MRW_OK);
    CHECK(memcmp(before, s.state->world, sizeof before) == 0 && memcmp(vertices, s.state->positions, sizeof vertices) == 0);
    mrw_context_destroy(s.context);
}

TEST(no_clip_overflows_anything)
{
    static const char* const fields[] = { "x", "y", "rz", "sx", "sy" };
    static const char* const values[] = { "3e38", "-1e30", "1e9", "3", "0" };
    stage s = open_stage();
    for (size_t i = 0; i < 5; i++) {
        for (size_t j = 0; j < 5; j++) {
            char clip[4096];
            uint32_t index = 0;
            write_clip(clip, sizeof clip, fields[i], values[j], values[(j + 1) % 5]);
            CHECK_EQ_INT(mrw_model_add_clip(s.context, s.model, clip, strlen(clip), NULL, &index, NULL), MRW_OK);
            CHECK_EQ_INT(mrw_instance_play(s.context, s.hero, index, &(mrw_play_options) { .fade = j == 3 ? 1.5f : 0 }), MRW_OK);
            for (int frame = 0; frame < 5; frame++) {
                CHECK_EQ_INT(mrw_world_update(s.context, s.world, 0.24), MRW_OK);
                check_finite(&s);
            }
        }
    }
    mrw_context_destroy(s.context);
}

TEST(usual_scales_are_tame)
{
    CHECK(mrwi_tame_scale(0) == 2 && mrwi_tame_scale(64) == 2);
    // 2^(64 / 128), 2^(64 / 256); the product over all nodes stays 2^64
    CHECK_NEAR(mrwi_tame_scale(65), 1.41421356, 1e-6);
    CHECK_NEAR(mrwi_tame_scale(256), 1.18920712, 1e-6);
    CHECK(mrwi_tame_scale(16384) > 1);
}
