#include "model/clip_pack.h"

#include "base/result.h"
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
static int group_of(const mrw_track_desc* track, const mrwi_binding* binding)
{
    if (binding->target == MRWI_TARGET_NONE || track->key_count == 0) {
        return 4;
    }
    if (track->type == MRW_TRACK_NUMBER) {
        return binding->target == MRWI_TARGET_NODE ? 0 : 1;
    }
    return track->type == MRW_TRACK_COLOR ? 2 : 3;
}

/// Finds every track's target. Of two tracks that drive the same field the later one counts.
static mrw_result bind_tracks(packer* pack, mrwi_binding* bindings)
{
    uint32_t* last = mrwi_arena_allocate(&pack->scratch, mrwi_targets_slot_count(&pack->targets), sizeof *last);
    if (last == NULL) {
        return MRW_NO_MEMORY;
    }
    for (uint32_t i = 0; i < pack->desc->track_count; i++) {
        mrw_track_desc track = pack->desc->tracks[i];
        if (track.key_count == 0) {
            bindings[i] = (mrwi_binding) { 0 };
            continue;
        }
        track.path = text_or_empty(track.path);
        track.trait = text_or_empty(track.trait);
        track.field = text_or_empty(track.field);
        bindings[i] = mrwi_targets_find(&pack->targets, &track);
        mrw_result result = MRW_OK;
        if (bindings[i].problem != MRW_OK) {
            result = warn(pack, bindings[i].problem, "tracks", i, bindings[i].member, bindings[i].message);
        } else {
            uint32_t* before = &last[mrwi_targets_slot(&pack->targets, &bindings[i])];
            if (*before != 0) {
                bindings[*before - 1].target = MRWI_TARGET_NONE;
                result = warn(pack, MRW_DUPLICATE, "tracks", i, "field", "an earlier track drives the same field and is skipped");
            }
            *before = i + 1;
        }
        if (result != MRW_OK) {
            return result;
        }
    }
    return MRW_OK;
}

static mrw_result copy_track(packer* pack, uint32_t index, const mrwi_binding* binding, mrwi_track* out)
{
    mrwi_arena* arena = &pack->clip->arena;
    const mrw_track_desc* track = &pack->desc->tracks[index];
    mrw_key_desc* keys = mrwi_arena_allocate(arena, track->key_count, sizeof *keys);
    out->path = copy_text(arena, track->path);
    out->trait = copy_text(arena, track->trait);
    out->field = copy_text(arena, track->field);
    if (keys == NULL || out->path == NULL || out->trait == NULL || out->field == NULL) {
        return MRW_NO_MEMORY;
    }
    for (uint32_t i = 0; i < track->key_count; i++) {
        keys[i] = track->keys[i];
        keys[i].extras = NULL;
    }
    out->type = (uint8_t)track->type;
    out->target = (uint8_t)binding->target;
    out->target_field = binding->field;
    out->target_index = binding->index;
    out->file_index = index;
    out->keys = keys;
    out->key_count = track->key_count;
    return MRW_OK;
}

/// Whether a track may take a node beyond what is tame. A curve lies in the hull of its keys and the ends of their handles.
static bool is_wild(const mrwi_track* track, uint32_t node_count)
{
    const bool is_scale = track->target_field == MRW_FIELD_SCALE_X || track->target_field == MRW_FIELD_SCALE_Y;
    const double limit = (double)(is_scale ? mrwi_tame_scale(node_count) : MRWI_TAME_LENGTH);
    for (uint32_t i = 0; i < track->key_count; i++) {
        const mrw_key_desc* key = &track->keys[i];
        const double before = i > 0 ? key->time - key[-1].time : 0.0;
        const double after = i + 1 < track->key_count ? key[1].time - key->time : 0.0;
        const double in = key->in_weight < 0.0 ? before / 3.0 : before;
        const double out = mrwi_key_is_stepped(key) ? 0.0 : (key->out_weight < 0.0 ? after / 3.0 : after) * key->out_tangent;
        if (!(fabs(key->value) <= limit && fabs(key->value + out) <= limit && fabs(key->value - in * key->in_tangent) <= limit)) {
            return true;
        }
    }
    return false;
}

/// The description's tracks by group; numbers of nodes by field, then node, so that one copy writes the values of many.
static mrw_result sort_tracks(packer* pack, const mrwi_binding* bindings, uint32_t* order, uint32_t counts[5])
{
    size_t slot_count = mrwi_targets_slot_count(&pack->targets);
    uint32_t* of_slot = mrwi_arena_allocate(&pack->scratch, slot_count, sizeof *of_slot);
    if (of_slot == NULL) {
        return MRW_NO_MEMORY;
    }
    uint32_t at = 0;
    for (int group = 0; group < 5; group++) {
        for (uint32_t i = 0; i < pack->desc->track_count; i++) {
            if (group_of(&pack->desc->tracks[i], &bindings[i]) != group) {
                continue;
            }
            counts[group]++;
            if (group == 0 && bindings[i].index >= 0) {
                of_slot[mrwi_targets_slot(&pack->targets, &bindings[i])] = i + 1;
            } else {
                order[at++] = i;
            }
        }
        if (group > 0) {
            continue;
        }
        // Unresolved ones come first by now; the others follow.
        for (uint32_t slot = 0; slot < MRW_FIELD_COUNT * pack->targets.node_count; slot++) {
            uint32_t nodes = pack->targets.node_count;
            mrwi_binding wanted = { MRWI_TARGET_NODE, (uint8_t)(slot / nodes), (int32_t)(slot % nodes), MRW_OK, NULL, NULL };
            uint32_t track = of_slot[mrwi_targets_slot(&pack->targets, &wanted)];
            if (track != 0) {
                order[at++] = track - 1;
            }
        }
    }
    return MRW_OK;
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

/// Copies the tracks in their new order and counts channels.
static mrw_result order_tracks(packer* pack, const mrwi_binding* bindings)
{
    mrwi_clip* clip = pack->clip;
    uint32_t counts[5] = { 0 };
    mrwi_track* tracks = mrwi_arena_allocate(&clip->arena, pack->desc->track_count, sizeof *tracks);
    uint32_t* order = mrwi_arena_allocate(&pack->scratch, pack->desc->track_count, sizeof *order);
    mrw_result result = tracks == NULL || order == NULL ? MRW_NO_MEMORY : sort_tracks(pack, bindings, order, counts);
    for (uint32_t i = 0; i < pack->desc->track_count && result == MRW_OK; i++) {
        result = copy_track(pack, order[i], &bindings[order[i]], &tracks[i]);
        clip->drives_parts = clip->drives_parts || (result == MRW_OK && tracks[i].key_count > 0 && tracks[i].target == MRWI_TARGET_PART);
        clip->is_wild
            = clip->is_wild || (result == MRW_OK && tracks[i].target == MRWI_TARGET_NODE && is_wild(&tracks[i], pack->model->node_count));
    }
    if (result != MRW_OK) {
        return result;
    }
    clip->tracks = tracks;
    clip->track_count = pack->desc->track_count;
    clip->node_number_count = counts[0];
    clip->number_count = counts[0] + counts[1];
    clip->color_count = counts[2];
    clip->discrete_count = counts[3];
    return find_stretches(clip);
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

static mrw_result pack_tracks(packer* pack)
{
    mrwi_binding* bindings = mrwi_arena_allocate(&pack->scratch, pack->desc->track_count, sizeof *bindings);
    if (bindings == NULL) {
        return MRW_NO_MEMORY;
    }
    mrw_result result = bind_tracks(pack, bindings);
    if (result == MRW_OK) {
        result = order_tracks(pack, bindings);
    }
    return result == MRW_OK ? pack_channels(pack) : result;
}

static mrw_result pack_deform_track(packer* pack, const mrw_deform_track_desc* desc, uint32_t part_index, mrwi_deform_track* out)
{
    mrwi_arena* arena = &pack->clip->arena;
    const mrwi_part* part = &pack->model->parts[part_index];
    float* times = mrwi_arena_allocate(arena, desc->key_count, sizeof *times);
    const float** offsets = mrwi_arena_allocate(arena, desc->key_count, sizeof *offsets);
    if (times == NULL || offsets == NULL) {
        return MRW_NO_MEMORY;
    }
    for (uint32_t i = 0; i < desc->key_count; i++) {
        const mrw_deform_key_desc* key = &desc->keys[i];
        float* values = mrwi_arena_allocate(arena, (size_t)part->vertex_count, 2 * sizeof *values);
        if (values == NULL) {
            return MRW_NO_MEMORY;
        }
        for (uint32_t vertex = 0; vertex < part->vertex_count; vertex++) {
            size_t file = 2 * (size_t)part->vertex_map[vertex];
            values[2 * vertex] = file < key->offset_count ? mrwi_to_f32((double)key->offsets[file]) : 0.0f;
            values[2 * vertex + 1] = file + 1 < key->offset_count ? mrwi_to_f32((double)key->offsets[file + 1]) : 0.0f;
        }
        times[i] = mrwi_to_f32(key->time);
        offsets[i] = values;
    }
    *out = (mrwi_deform_track) { part_index, desc->key_count, times, (const float* const*)offsets };
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
    uint32_t part_count = pack->model->part_count;
    uint32_t* track_of_part = mrwi_arena_allocate(&pack->scratch, part_count, sizeof *track_of_part);
    if (track_of_part == NULL) {
        return MRW_NO_MEMORY;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < desc->deform_track_count; i++) {
        int32_t part = -1;
        mrw_result result = find_deformed_part(pack, i, &part);
        if (result == MRW_OK && part >= 0 && track_of_part[part] != 0) {
            result = warn(pack, MRW_DUPLICATE, "deformTracks", i, "part", "an earlier track deforms the same part and is skipped");
        } else if (part >= 0) {
            count++;
        }
        if (result != MRW_OK) {
            return result;
        }
        if (part >= 0) {
            track_of_part[part] = i + 1;
        }
    }
    mrwi_deform_track* deforms = mrwi_arena_allocate(&pack->clip->arena, count, sizeof *deforms);
    if (deforms == NULL) {
        return MRW_NO_MEMORY;
    }
    for (uint32_t part = 0; part < part_count; part++) {
        if (track_of_part[part] == 0) {
            continue;
        }
        mrw_result result
            = pack_deform_track(pack, &desc->deform_tracks[track_of_part[part] - 1], part, &deforms[pack->clip->deform_count++]);
        if (result != MRW_OK) {
            return result;
        }
    }
    pack->clip->deforms = deforms;
    return MRW_OK;
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
        if (events[i].name == NULL || (event->data != NULL && events[i].data == NULL)) {
            return MRW_NO_MEMORY;
        }
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
    if (clip->name == NULL || clip->id == NULL) {
        return MRW_NO_MEMORY;
    }
    clip->duration = pack->desc->duration > 0.0 ? pack->desc->duration : 0.0;
    clip->frame_rate = pack->desc->frame_rate;
    clip->once = pack->desc->once;
    mrw_result result = mrwi_targets_init(&pack->targets, &pack->scratch, pack->model);
    if (result == MRW_OK) {
        result = pack_tracks(pack);
    }
    if (result == MRW_OK) {
        result = pack_deforms(pack);
    }
    return result == MRW_OK ? pack_events(pack) : result;
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
