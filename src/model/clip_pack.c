#include "model/clip_pack.h"

#include "base/result.h"
#include "base/sort.h"
#include "model/bezier.h"
#include "model/clip_target.h"
#include "model/curve.h"
#include "model/narrow.h"

#include <math.h>
#include <string.h>

/// What packing needs beside the clip; gone when it is done.
typedef struct packer {
    mrwi_model* model;
    const mrw_clip_desc* desc;
    mrwi_clip* clip;
    mrwi_arena scratch;
    mrwi_targets targets;
    bool strict;
    mrw_error* error;
} packer;

static const char* text_or_empty(const char* text)
{
    return text == NULL ? "" : text;
}

static const char* copy_text(mrwi_arena* arena, const char* text)
{
    return mrwi_arena_text(arena, text_or_empty(text), strlen(text_or_empty(text)));
}

static mrw_result warn(packer* pack, mrw_result code, const char* array, uint32_t index, const char* member, const char* message)
{
    char path[96];
    char text[160];
    mrwi_format(path, sizeof path, "$.%s[%u].%s", array, index, member);
    mrwi_format(text, sizeof text, "clip \"%s\": %s", text_or_empty(pack->desc->name), message);
    if (pack->strict) {
        return mrwi_fail(pack->error, code, path, "%s", text);
    }
    return mrwi_model_warn(pack->model, code, path, text);
}

/// Where a track goes: 0 numbers of nodes, 1 other numbers, 2 colors, 3 booleans and enums, 4 skipped.
static uint32_t group_of(const mrwi_track* track)
{
    if (track->target == MRWI_TARGET_NONE) {
        return 4;
    }
    if (track->type == MRW_TRACK_NUMBER) {
        return track->target == MRWI_TARGET_NODE ? 0 : 1;
    }
    return track->type == MRW_TRACK_COLOR ? 2 : 3;
}

/// Copies a track; it has no target yet.
static mrw_result copy_track(packer* pack, uint32_t index, mrwi_track* out)
{
    mrwi_arena* arena = &pack->clip->arena;
    const mrw_track_desc* track = &pack->desc->tracks[index];
    mrw_key_desc* keys = mrwi_arena_allocate(arena, track->key_count, sizeof *keys);
    out->path = copy_text(arena, track->path);
    out->trait = copy_text(arena, track->trait);
    out->field = copy_text(arena, track->field);
    if (arena->failed) {
        return MRW_NO_MEMORY;
    }
    for (uint32_t i = 0; i < track->key_count; i++) {
        keys[i] = track->keys[i];
        keys[i].extras = NULL;
    }
    out->type = (uint8_t)track->type;
    out->file_index = index;
    out->keys = keys;
    out->key_count = track->key_count;
    return MRW_OK;
}

/// Finds the target of a track that has keys. Of two that drive the same field the later one counts; `last` has a track for each field.
static mrw_result bind_track(packer* pack, mrwi_track* track, mrwi_track** last)
{
    const char *member = "field", *message = "an earlier track drives the same field and is skipped";
    const mrw_result problem = mrwi_targets_find(&pack->targets, track, &member, &message);
    if (problem != MRW_OK) {
        return warn(pack, problem, "tracks", track->file_index, member, message);
    }
    mrwi_track** slot = &last[mrwi_targets_slot(&pack->targets, track)];
    mrwi_track* earlier = *slot;
    *slot = track;
    if (earlier == NULL) {
        return MRW_OK;
    }
    earlier->target = MRWI_TARGET_NONE;
    return warn(pack, MRW_DUPLICATE, "tracks", track->file_index, member, message);
}

/// Whether a track may take a node beyond what is tame.
static bool is_wild(const mrwi_track* track, uint32_t node_count)
{
    const bool is_scale = track->target_field == MRW_FIELD_SCALE_X || track->target_field == MRW_FIELD_SCALE_Y;
    const double limit = (double)(is_scale ? mrwi_tame_scale(node_count) : MRWI_TAME_LENGTH);
    for (uint32_t i = 0; i < track->key_count; i++) {
        double points[4];
        mrwi_bezier_values(track->keys, track->key_count, i, points);
        for (int k = 0; k < 4; k++) {
            if (!(fabs(points[k]) <= limit)) {
                return true;
            }
        }
    }
    return false;
}

/// By group; numbers of nodes by field, then node, so that one copy writes the values of many, and behind those that are unresolved.
static size_t rank_of(const packer* pack, const mrwi_track* track)
{
    const uint32_t group = group_of(track);
    if (group > 0) {
        return mrwi_targets_slot_count(&pack->targets) + group;
    }
    return track->target_index < 0 ? 0 : 1 + mrwi_targets_slot(&pack->targets, track);
}

static bool ranks_before(const void* user, uint32_t a, uint32_t b)
{
    const size_t* ranks = user;
    return ranks[a] < ranks[b];
}

static mrw_result find_stretches(mrwi_clip* clip)
{
    mrwi_stretch* stretches = mrwi_arena_allocate(&clip->arena, clip->node_number_count, sizeof *stretches);
    if (stretches == NULL) {
        return MRW_NO_MEMORY;
    }
    for (uint32_t i = 0; i < clip->node_number_count; i++) {
        const mrwi_track* track = &clip->tracks[i];
        mrwi_stretch* last = clip->stretch_count == 0 ? NULL : &stretches[clip->stretch_count - 1];
        if (track->target_index < 0) {
            continue;
        }
        if (last != NULL && last->field == track->target_field && last->node + last->count == (uint32_t)track->target_index) {
            last->count++;
        } else {
            stretches[clip->stretch_count++] = (mrwi_stretch) { i, track->target_field, (uint32_t)track->target_index, 1 };
        }
    }
    clip->stretches = stretches;
    return MRW_OK;
}

static mrw_result pack_channels(packer* pack)
{
    mrwi_clip* clip = pack->clip;
    uint32_t count = clip->number_count + 3 * clip->color_count + clip->discrete_count;
    mrwi_channel_source* channels = mrwi_arena_allocate(&pack->scratch, count, sizeof *channels);
    if (channels == NULL) {
        return MRW_NO_MEMORY;
    }
    uint32_t channel = 0;
    for (const mrwi_track* track = clip->tracks; channel < count; track++) {
        const uint32_t components = track->type == MRW_TRACK_COLOR ? 3 : 1;
        for (uint32_t component = 0; component < components; component++) {
            mrwi_cubic* cubics = mrwi_arena_allocate(&pack->scratch, (size_t)track->key_count + 1, sizeof *cubics);
            if (cubics == NULL) {
                return MRW_NO_MEMORY;
            }
            const uint32_t pieces = mrwi_curve_split(track->keys, track->key_count, (mrw_track_type)track->type, component, cubics);
            channels[channel++] = (mrwi_channel_source) { cubics, pieces };
        }
    }
    return mrwi_channels_pack(&clip->arena, count, channels, &clip->channels);
}

/// Brings the tracks into their order and counts them.
static void order_tracks(packer* pack, const mrwi_track* from, const uint32_t* order, mrwi_track* to, uint32_t* of_file_index)
{
    mrwi_clip* clip = pack->clip;
    uint32_t counts[5] = { 0 };
    clip->tracks = to;
    clip->track_of_file_index = of_file_index;
    clip->track_count = pack->desc->track_count;
    for (uint32_t i = 0; i < clip->track_count; i++) {
        to[i] = from[order[i]];
        of_file_index[order[i]] = i;
        counts[group_of(&to[i])]++;
        clip->drives_parts |= to[i].target == MRWI_TARGET_PART;
        clip->is_wild |= to[i].target == MRWI_TARGET_NODE && is_wild(&to[i], pack->model->node_count);
    }
    clip->node_number_count = counts[0];
    clip->number_count = counts[0] + counts[1];
    clip->color_count = counts[2];
    clip->discrete_count = counts[3];
}

static mrw_result pack_tracks(packer* pack)
{
    const uint32_t count = pack->desc->track_count;
    mrwi_track* ordered = mrwi_arena_allocate(&pack->clip->arena, count, sizeof *ordered);
    uint32_t* of_file_index = mrwi_arena_allocate(&pack->clip->arena, count, sizeof *of_file_index);
    mrwi_track* tracks = mrwi_arena_allocate(&pack->scratch, count, sizeof *tracks);
    mrwi_track** last = mrwi_arena_allocate(&pack->scratch, mrwi_targets_slot_count(&pack->targets), sizeof *last);
    size_t* ranks = mrwi_arena_allocate(&pack->scratch, count, sizeof *ranks);
    uint32_t* order = mrwi_arena_allocate(&pack->scratch, count, sizeof *order);
    uint32_t* spare = mrwi_arena_allocate(&pack->scratch, count, sizeof *spare);
    mrw_result result = pack->clip->arena.failed || pack->scratch.failed ? MRW_NO_MEMORY : MRW_OK;
    for (uint32_t i = 0; i < count && result == MRW_OK; i++) {
        result = copy_track(pack, i, &tracks[i]);
        if (result == MRW_OK && tracks[i].key_count > 0) {
            result = bind_track(pack, &tracks[i], last);
        }
    }
    if (result != MRW_OK) {
        return result;
    }
    for (uint32_t i = 0; i < count; i++) {
        ranks[i] = rank_of(pack, &tracks[i]);
        order[i] = i;
    }
    mrwi_sort(order, spare, count, ranks_before, ranks);
    order_tracks(pack, tracks, order, ordered, of_file_index);
    result = find_stretches(pack->clip);
    return result == MRW_OK ? pack_channels(pack) : result;
}

static mrw_result pack_deform_track(packer* pack, const mrw_deform_track_desc* desc, uint32_t part_index, mrwi_deform_track* out)
{
    mrwi_arena* arena = &pack->clip->arena;
    const mrwi_part* part = &pack->model->parts[part_index];
    const size_t value_count = 2 * (size_t)part->vertex_count;
    float* times = mrwi_arena_allocate(arena, desc->key_count, sizeof *times);
    const float** offsets = mrwi_arena_allocate(arena, desc->key_count, sizeof *offsets);
    float* values = mrwi_arena_allocate(arena, desc->key_count, value_count * sizeof *values);
    if (arena->failed) {
        return MRW_NO_MEMORY;
    }
    *out = (mrwi_deform_track) { part_index, desc->key_count, times, offsets };
    for (uint32_t i = 0; i < desc->key_count; i++) {
        const mrw_deform_key_desc* key = &desc->keys[i];
        times[i] = mrwi_to_f32(key->time);
        offsets[i] = values;
        for (size_t k = 0; k < value_count; k++) {
            const size_t file = 2 * (size_t)part->vertex_map[k / 2] + k % 2;
            *values++ = file < key->offset_count ? mrwi_to_f32((double)key->offsets[file]) : 0.0f;
        }
    }
    return MRW_OK;
}

/// The draw order index of the part that a deform track drives, or -1 with a warning (none for a track without keys).
static mrw_result find_deformed_part(packer* pack, uint32_t index, int32_t* out_part)
{
    const mrw_deform_track_desc* track = &pack->desc->deform_tracks[index];
    const char* name = text_or_empty(track->part);
    *out_part = -1;
    if (track->key_count == 0) {
        return MRW_OK;
    }
    if (!mrwi_path_is_root(text_or_empty(track->path))) {
        return warn(pack, MRW_UNKNOWN, "deformTracks", index, "path", "only parts of the root can be deformed");
    }
    *out_part = mrwi_names_find(&pack->targets.parts, -1, name, strlen(name));
    if (*out_part < 0) {
        return warn(pack, MRW_BAD_REFERENCE, "deformTracks", index, "part", "no part of this name");
    }
    size_t offset_count = 2 * (size_t)pack->model->parts[*out_part].vertex_count;
    for (uint32_t i = 0; i < track->key_count; i++) {
        if (track->keys[i].offset_count != offset_count) {
            return warn(pack, MRW_BAD_COUNT, "deformTracks", index, "keys",
                "offsets do not match the part's vertices: missing ones count as 0, others are ignored");
        }
    }
    return MRW_OK;
}

static mrw_result pack_deforms(packer* pack)
{
    const mrw_clip_desc* desc = pack->desc;
    const uint32_t part_count = pack->model->part_count;
    const mrw_deform_track_desc** track_of_part = mrwi_arena_allocate(&pack->scratch, part_count, sizeof *track_of_part);
    mrwi_deform_track* deforms = mrwi_arena_allocate(&pack->clip->arena, desc->deform_track_count, sizeof *deforms);
    mrw_result result = track_of_part == NULL || deforms == NULL ? MRW_NO_MEMORY : MRW_OK;
    for (uint32_t i = 0; i < desc->deform_track_count && result == MRW_OK; i++) {
        int32_t part = -1;
        result = find_deformed_part(pack, i, &part);
        if (part < 0) {
            continue;
        }
        if (result == MRW_OK && track_of_part[part] != NULL) {
            result = warn(pack, MRW_DUPLICATE, "deformTracks", i, "part", "an earlier track deforms the same part and is skipped");
        }
        track_of_part[part] = &desc->deform_tracks[i];
    }
    pack->clip->deforms = deforms;
    for (uint32_t part = 0; part < part_count && result == MRW_OK; part++) {
        if (track_of_part[part] != NULL) {
            result = pack_deform_track(pack, track_of_part[part], part, &deforms[pack->clip->deform_count++]);
        }
    }
    return result;
}

static mrw_result pack_events(packer* pack)
{
    mrwi_arena* arena = &pack->clip->arena;
    const mrw_clip_desc* desc = pack->desc;
    mrwi_clip_event* events = mrwi_arena_allocate(arena, desc->event_count, sizeof *events);
    if (events == NULL) {
        return MRW_NO_MEMORY;
    }
    for (uint32_t i = 0; i < desc->event_count; i++) {
        const mrw_event_desc* event = &desc->events[i];
        events[i].time = event->time;
        events[i].name = copy_text(arena, event->name);
        events[i].data = event->data == NULL ? NULL : copy_text(arena, event->data);
    }
    pack->clip->events = events;
    pack->clip->event_count = desc->event_count;
    return MRW_OK;
}

static mrw_result pack_all(packer* pack)
{
    mrwi_clip* clip = pack->clip;
    clip->name = copy_text(&clip->arena, pack->desc->name);
    clip->id = copy_text(&clip->arena, pack->desc->id);
    clip->duration = pack->desc->duration > 0.0 ? pack->desc->duration : 0.0;
    clip->frame_rate = pack->desc->frame_rate;
    clip->once = pack->desc->once;
    mrw_result result = mrwi_targets_init(&pack->targets, &pack->scratch, pack->model);
    result = result == MRW_OK ? pack_tracks(pack) : result;
    result = result == MRW_OK ? pack_deforms(pack) : result;
    result = result == MRW_OK ? pack_events(pack) : result;
    return result == MRW_OK && clip->arena.failed ? MRW_NO_MEMORY : result; // of texts, which no step waits for
}

mrw_result mrwi_clip_create(mrwi_model* model, const mrw_clip_desc* desc, bool strict, mrwi_clip** out, mrw_error* error)
{
    *out = NULL;
    packer pack = { .model = model, .desc = desc, .strict = strict, .error = error };
    pack.clip = mrwi_allocate(model->context, 1, sizeof *pack.clip);
    if (pack.clip == NULL) {
        return mrwi_fail(error, MRW_NO_MEMORY, NULL, NULL);
    }
    mrwi_arena_init(&pack.clip->arena, model->context);
    mrwi_arena_init(&pack.scratch, model->context);
    mrw_result result = pack_all(&pack);
    mrwi_arena_release(&pack.scratch);
    if (result != MRW_OK) {
        mrwi_clip_release(pack.clip);
        return result == MRW_NO_MEMORY ? mrwi_fail(error, result, NULL, NULL) : result;
    }
    *out = pack.clip;
    return MRW_OK;
}
