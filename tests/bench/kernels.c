#include "kernels.h"

#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "model/curve.h"
#include "runtime/pose.h"
#include "runtime/skin.h"

#ifdef __wasm__
#define EXPORT(name) __attribute__((export_name(#name), used))
#else
#define EXPORT(name)
#endif

#define KEY_NUMBERS 6

/// Frames between a character and the next that joined it.
#define FRAMES_APART 7

struct bench_character {
    mrwi_arena arena;
    uint32_t bone_count;
    double duration;
    mrwi_influences influences;
    mrwi_plan plan;
    uint32_t* map;
    float* source;
    int32_t* joints;
    mrwi_affine2* binds;
    mrwi_clip clip;
    // what each character has for itself
    mrwi_pose_args pose;
    float *rows, *scratch, *out;
    mrwi_affine2 *world, *palette;
    mrwi_cursor* cursors;
    bench_character* next; ///< of those that joined
};

/// Follows the words of a description.
typedef struct reader {
    const uint32_t* at;
} reader;

static const uint32_t* take(reader* r, size_t words)
{
    const uint32_t* from = r->at;
    r->at += words;
    return from;
}

static float take_number(reader* r)
{
    float number;
    memcpy(&number, take(r, 1), sizeof(number));
    return number;
}

EXPORT(bench_reserve) void* bench_reserve(uint32_t size)
{
    return aligned_alloc(16, ((size_t)size + 15) / 16 * 16);
}

static bool read_mesh(bench_character* character, reader* r, uint32_t vertex_count, uint32_t influence_count)
{
    character->influences.vertex_count = vertex_count;
    character->influences.first = take(r, (size_t)vertex_count + 1);
    character->influences.joint = take(r, influence_count);
    character->influences.weight = (const float*)(const void*)take(r, influence_count);
    const float* positions = (const float*)(const void*)take(r, 2 * (size_t)vertex_count);
    character->map = mrwi_arena_allocate(&character->arena, vertex_count, sizeof(uint32_t));
    character->source = mrwi_arena_allocate(&character->arena, (size_t)vertex_count + MRWI_PLAN_SLACK, 2 * sizeof(float));
    if (!character->map || !character->source
        || mrwi_plan_build(&character->arena, &character->influences, &character->plan, character->map) != MRW_OK) {
        return false;
    }
    for (uint32_t i = 0; i < vertex_count; i++) {
        memcpy(character->source + 2 * (size_t)i, positions + 2 * (size_t)character->map[i], 2 * sizeof(float));
    }
    return true;
}

static bool read_bones(bench_character* character, reader* r)
{
    const uint32_t count = character->bone_count;
    character->joints = mrwi_arena_allocate(&character->arena, count, sizeof(int32_t));
    character->binds = mrwi_arena_allocate(&character->arena, count, sizeof(mrwi_affine2));
    if (!character->joints || !character->binds) {
        return false;
    }
    character->pose.parents = (const int32_t*)(const void*)take(r, count);
    for (uint32_t i = 0; i < count; i++) {
        character->joints[i] = (int32_t)i;
        memcpy(&character->binds[i].a, take(r, 6), 6 * sizeof(float));
    }
    return true;
}

/// Allocates what a character has for itself, from the first one's arena.
static bool make_alive(bench_character* character, mrwi_arena* arena)
{
    const uint32_t count = character->bone_count, stride = (count + 3) / 4 * 4;
    character->rows = mrwi_arena_allocate(arena, stride, MRW_FIELD_COUNT * sizeof(float));
    character->out = mrwi_arena_allocate(arena, (size_t)character->plan.vertex_count + MRWI_PLAN_SLACK, 2 * sizeof(float));
    character->scratch = mrwi_arena_allocate(arena, stride, 4 * sizeof(float));
    character->world = mrwi_arena_allocate(arena, count, sizeof(mrwi_affine2));
    character->palette = mrwi_arena_allocate(arena, count, sizeof(mrwi_affine2));
    character->cursors = mrwi_arena_allocate(arena, mrwi_cursor_count(character->clip.channels.count), sizeof(mrwi_cursor));
    if (!character->rows || !character->scratch || !character->out || !character->world || !character->palette || !character->cursors) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        character->rows[MRW_FIELD_SCALE_X * stride + i] = character->rows[MRW_FIELD_SCALE_Y * stride + i] = 1;
    }
    character->pose.node_count = count;
    character->pose.stride = stride;
    character->pose.rows = character->rows;
    character->pose.scratch = character->scratch;
    character->pose.world = character->world;
    return true;
}

static bool read_clip(bench_character* character, reader* r, uint32_t channel_count)
{
    mrwi_arena* arena = &character->arena;
    mrwi_channel_source* sources = mrwi_arena_allocate(arena, channel_count, sizeof(*sources));
    for (uint32_t channel = 0; sources && channel < channel_count; channel++) {
        const uint32_t key_count = *take(r, 1);
        mrw_key_desc* keys = mrwi_arena_allocate(arena, key_count, sizeof(*keys));
        for (uint32_t i = 0; keys && i < key_count; i++) {
            float numbers[KEY_NUMBERS];
            memcpy(numbers, take(r, KEY_NUMBERS), sizeof(numbers));
            keys[i] = (mrw_key_desc) { .time = numbers[0],
                .value = numbers[1],
                .in_tangent = numbers[2],
                .out_tangent = numbers[3],
                .in_weight = numbers[4],
                .out_weight = numbers[5] };
        }
        mrwi_cubic* cubics = mrwi_arena_allocate(arena, (size_t)key_count + 1, sizeof(*cubics));
        if (!keys || !cubics) {
            return false;
        }
        sources[channel] = (mrwi_channel_source) { cubics, mrwi_curve_split(keys, key_count, MRW_TRACK_NUMBER, 0, cubics) };
    }
    return sources && mrwi_channels_pack(arena, channel_count, sources, &character->clip.channels) == MRW_OK;
}

EXPORT(bench_create) bench_character* bench_create(const uint32_t* data)
{
    reader r = { data };
    const uint32_t vertex_count = *take(&r, 1), influence_count = *take(&r, 1);
    const uint32_t bone_count = *take(&r, 1), channel_count = *take(&r, 1);
    const double duration = take_number(&r);
    mrw_context* context = mrw_context_create(NULL);
    bench_character* character = context ? mrwi_allocate(context, 1, sizeof(*character)) : NULL;
    if (!character) {
        return NULL;
    }
    mrwi_arena_init(&character->arena, context);
    character->bone_count = bone_count;
    character->duration = duration;
    const bool made = read_mesh(character, &r, vertex_count, influence_count) && read_bones(character, &r)
        && read_clip(character, &r, channel_count) && make_alive(character, &character->arena);
    return made ? character : NULL;
}

EXPORT(bench_join) bool bench_join(bench_character* first)
{
    bench_character* last = first;
    while (last->next) {
        last = last->next;
    }
    bench_character* added = mrwi_arena_allocate(&first->arena, 1, sizeof(*added));
    if (!added) {
        return false;
    }
    *added = *first;
    added->next = NULL;
    if (!make_alive(added, &first->arena)) {
        return false;
    }
    last->next = added;
    return true;
}

EXPORT(bench_map) uint32_t* bench_map(bench_character* character)
{
    return character->map;
}

EXPORT(bench_palette) float* bench_palette(bench_character* character)
{
    return &character->palette->a;
}

EXPORT(bench_output) float* bench_output(bench_character* character)
{
    return character->out;
}

static double time_of(const bench_character* character, uint32_t frame)
{
    const double time = frame / 60.0;
    return time - character->duration * (double)(int64_t)(time / character->duration);
}

static bool pose(bench_character* character, uint32_t frame)
{
    // the channels are rows x, y and rotation of all bones, so values land where the pose reads them
    mrwi_clip_evaluate(&character->clip, time_of(character, frame), character->cursors, character->rows);
    mrwi_pose_world(&character->pose);
    return mrwi_pose_palette(character->bone_count, character->joints, character->binds, character->world, NULL, character->palette);
}

EXPORT(bench_skin) void bench_skin(bench_character* character, uint32_t iterations)
{
    for (uint32_t i = 0; i < iterations; i++) {
        mrwi_skin_linear(&character->plan, character->palette, NULL, character->source, character->out);
    }
}

EXPORT(bench_skin_scalar) void bench_skin_scalar(bench_character* character, uint32_t iterations)
{
    for (uint32_t i = 0; i < iterations; i++) {
        mrwi_skin_linear_scalar(&character->plan, character->palette, NULL, character->source, character->out);
    }
}

EXPORT(bench_pose) void bench_pose(bench_character* character, uint32_t iterations, uint32_t frame)
{
    for (uint32_t i = 0; i < iterations; i++) {
        pose(character, frame + i);
    }
}

EXPORT(bench_pose_scalar) void bench_pose_scalar(bench_character* character, uint32_t iterations, uint32_t frame)
{
    for (uint32_t i = 0; i < iterations; i++) {
        mrwi_clip_evaluate_scalar(&character->clip, time_of(character, frame + i), character->cursors, character->rows);
        mrwi_pose_world_scalar(&character->pose);
        mrwi_pose_palette_scalar(character->bone_count, character->joints, character->binds, character->world, NULL, character->palette);
    }
}

EXPORT(bench_frame) void bench_frame(bench_character* character, uint32_t iterations, uint32_t frame)
{
    for (uint32_t i = 0; i < iterations; i++) {
        uint32_t at = frame + i;
        for (bench_character* member = character; member; member = member->next) {
            if (pose(member, at)) {
                mrwi_skin_linear(&member->plan, member->palette, NULL, member->source, member->out);
            }
            at += FRAMES_APART;
        }
    }
}
