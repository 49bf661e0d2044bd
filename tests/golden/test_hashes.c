// One result on every target: hashes of everything that a scripted run computes, equal for native, wasm, scalar and SIMD builds.
// A change that is meant is written down with
//     MRW_UPDATE_HASHES=tests/golden/hashes.json build/debug/tests/golden/test_hashes
#include "support/golden_parts.h"

#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>

#define FRAMES 120
#define SCENES 4

static struct {
    const char* name;
    uint64_t hash;
} computed[SCENES];
static uint32_t computed_count;

static void write_hex(uint64_t value, char out[17])
{
    for (int i = 0; i < 16; i++) {
        out[i] = "0123456789abcdef"[value >> (60 - 4 * i) & 15];
    }
    out[16] = 0;
}

/// Without slack, which holds whatever a kernel left there.
static uint64_t hash_instance(const stage* s, mrw_instance_id id, uint64_t hash)
{
    const mrw_instance_state* state = stage_state(s, id);
    mrw_bounds bounds = { 0 };
    CHECK_EQ_INT(mrw_instance_bounds(s->context, id, -1, &bounds), MRW_OK);
    for (uint32_t i = 0; i < state->part_count; i++) {
        const mrw_part_state* part = &state->parts[i];
        hash = mrwi_hash(hash, state->positions + 2 * (size_t)part->first_vertex, 2 * sizeof(float) * part->vertex_count);
    }
    hash = mrwi_hash(hash, state->world, 8 * sizeof(float) * state->node_count);
    hash = mrwi_hash(hash, state->matrix, sizeof state->matrix);
    hash = mrwi_hash(hash, &state->version, sizeof state->version);
    return mrwi_hash(hash, &bounds, sizeof bounds);
}

/// Values with few bits, so that every language makes the same ones.
static void pose(const stage* s, mrw_instance_id id, int frame)
{
    mrw_instance_state* state = stage_state(s, id);
    for (uint32_t node = 0; node < state->node_count; node++) {
        int step = frame + 3 * (int)node;
        float* at = state->base + node;
        at[MRW_FIELD_ROTATION * (size_t)state->node_stride] = (float)(step * 7 % 400 - 200) / 64;
        at[MRW_FIELD_SCALE_X * (size_t)state->node_stride] = 1 + (float)(step % 32 - 16) / 64;
        at[MRW_FIELD_SCALE_Y * (size_t)state->node_stride] = 1 + (float)(step % 24 - 16) / 64;
        at[MRW_FIELD_X * (size_t)state->node_stride] += (float)(step % 5 - 2) / 8;
    }
    state->root[2] = (float)frame / 32;
    state->root[0] = (float)(frame % 10);
    state->dirty = 1;
}

static void finish(const char* name, uint64_t hash)
{
    computed[computed_count].name = name;
    computed[computed_count].hash = hash;
    computed_count++;
    if (getenv("MRW_UPDATE_HASHES") != NULL) {
        CHECK(hash != 0);
        return;
    }
    mrw_context* context = mrw_context_create(NULL);
    size_t size = 0;
    const uint8_t* bytes = fixture_get("golden/hashes.json", &size);
    mrwi_json* json = NULL;
    REQUIRE(CHECK_EQ_INT(mrwi_json_parse(context, bytes, size, true, &json, NULL), MRW_OK));
    mrwi_json_cursor root = mrwi_json_root(json);
    mrwi_json_cursor expected = mrwi_json_member(&root, name);
    char hex[17];
    write_hex(hash, hex);
    CHECK_STR(hex, mrwi_json_string(&expected));
    mrwi_json_release(json);
    mrw_context_destroy(context);
}

static void run_rig(const char* name, const char* path)
{
    golden file = golden_open(path);
    mrwi_json_cursor rig = mrwi_json_member(&file.root, "rig");
    stage s = { .context = file.context };
    CHECK_EQ_INT(mrw_world_create(s.context, &s.world), MRW_OK);
    const mrwi_model* model = golden_load_rig(s.context, &rig);
    REQUIRE(model != NULL);
    mrw_instance_id id = stage_add(&s, model->id);
    uint64_t hash = MRWI_HASH_START;
    for (int frame = 0; frame < FRAMES; frame++) {
        pose(&s, id, frame);
        stage_update(&s);
        hash = hash_instance(&s, id, hash);
    }
    golden_close(&file);
    finish(name, hash);
}

TEST(many_bones)
{
    run_rig("many bones", "golden/modoki/lbs-s02.json");
}

TEST(bones_without_scale)
{
    run_rig("bones without scale", "golden/modoki/lbs-s04.json");
}

static mrw_model_id bar_with_clip(mrw_context* context)
{
    mrw_model_id model = stage_bar(context);
    size_t size = 0;
    const uint8_t* clip = fixture_get("assets/bar/bar.anim.json", &size);
    CHECK_EQ_INT(mrw_model_add_clip(context, model, clip, size, NULL, NULL, NULL), MRW_OK);
    return model;
}

/// A clip that fades in under an additive layer, a node added by hand, another instance mounted on it.
TEST(clips_and_mounts)
{
    stage s = stage_open();
    mrw_model_id model = bar_with_clip(s.context);
    mrw_instance_id hero = stage_add(&s, model);
    mrw_instance_id sword = stage_add(&s, model);
    uint32_t grip = 0;
    CHECK_EQ_INT(mrw_instance_add_node(s.context, hero, "grip", stage_node(&s, hero, "tip"), false, &grip), MRW_OK);
    CHECK_EQ_INT(mrw_instance_mount(s.context, sword, hero, grip), MRW_OK);
    CHECK_EQ_INT(mrw_instance_play(s.context, hero, 0, &(mrw_play_options) { .fade = 0.5f, .speed = 1.25f }), MRW_OK);
    CHECK_EQ_INT(
        mrw_instance_set_layer(s.context, hero, "over", &(mrw_layer_desc) { .weight = 0.75f, .speed = 3, .additive = true }), MRW_OK);
    uint64_t hash = MRWI_HASH_START;
    for (int frame = 0; frame < FRAMES; frame++) {
        if (frame % 2 == 0) {
            pose(&s, sword, frame);
        }
        CHECK_EQ_INT(mrw_world_update(s.context, s.world, 1.0 / 64), MRW_OK);
        hash = hash_instance(&s, hero, hash_instance(&s, sword, hash));
    }
    stage_close(&s);
    finish("clips and mounts", hash);
}

TEST(a_crowd)
{
    stage s = stage_open();
    mrw_model_id model = bar_with_clip(s.context);
    mrw_crowd_id crowd = { 0 };
    mrw_instance_id members[7];
    CHECK_EQ_INT(mrw_crowd_create(s.context, s.world, &crowd), MRW_OK);
    for (int i = 0; i < 7; i++) {
        CHECK_EQ_INT(mrw_crowd_add(s.context, crowd, model, &members[i]), MRW_OK);
        CHECK_EQ_INT(mrw_instance_play(s.context, members[i], 0, &(mrw_play_options) { .speed = 1 + (float)i / 4 }), MRW_OK);
    }
    uint64_t hash = MRWI_HASH_START;
    for (int frame = 0; frame < FRAMES; frame++) {
        for (int i = 0; i < 7; i++) {
            stage_state(&s, members[i])->root[0] = (float)(frame * i) / 4;
            stage_state(&s, members[i])->root[2] = (float)(frame - i) / 16;
            stage_state(&s, members[i])->order = (float)((frame * 5 + i * 3) % 7);
        }
        CHECK_EQ_INT(mrw_world_update(s.context, s.world, 1.0 / 64), MRW_OK);
        for (int i = 0; i < 7; i++) {
            hash = hash_instance(&s, members[i], hash);
        }
        const mrw_crowd_state* state = mrw_crowd_get_state(s.context, crowd);
        hash = mrwi_hash(hash, state->indices, state->index_count * sizeof *state->indices);
    }
    stage_close(&s);
    finish("a crowd", hash);
}

/// Last, so that all scenes are there.
TEST(hashes_are_written_when_asked_for)
{
    const char* path = getenv("MRW_UPDATE_HASHES");
    CHECK_EQ_INT(computed_count, SCENES);
    if (path == NULL) {
        return;
    }
    FILE* file = fopen(path, "wb");
    REQUIRE(file != NULL);
    fputs("{\n", file);
    for (uint32_t i = 0; i < computed_count; i++) {
        char hex[17];
        write_hex(computed[i].hash, hex);
        fprintf(file, "  \"%s\": \"%s\"%s\n", computed[i].name, hex, i + 1 < computed_count ? "," : "");
    }
    fputs("}\n", file);
    CHECK_EQ_INT(fclose(file), 0);
}
