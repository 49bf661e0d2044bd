// Reads `.anim.json`. Lenient as the reference is: what has the wrong type takes its default, and every such repair is a warning.
#include "base/sort.h"
#include "formats/formats.h"
#include "formats/reader.h"
#include "model/clips.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/// Values and slopes of numbers lie within this, either way, so that no pose overflows.
#define VALUE_MAX 1e9

static const char default_taken[] = "the default is taken";

/// Leaves `out` as it is where there is no finite number.
static void read_number(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    (void)user;
    double value = mrwi_json_number(at);
    if (!isfinite(value)) {
        mrwi_reader_reject(reader, at, MRW_BAD_VALUE, "finite", default_taken);
    } else if (mrwi_reader_has(reader, at, MRWI_JSON_NUMBER, default_taken)) {
        *(double*)out = value;
    }
}

/// A number that a file has to state.
static void read_needed_number(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    if (mrwi_json_type_of(at) <= MRWI_JSON_NULL) {
        mrwi_reader_note(reader, at->item == NULL ? at->up : at, MRW_BAD_VALUE, "a number is missing; 0 is taken");
    }
    read_number(reader, at, out, user);
}

static void read_text(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    (void)user;
    const char** text = out;
    const char* given = mrwi_reader_text(reader, at);
    *text = given != NULL ? given : *text != NULL ? *text : "";
}

static double clamp_value(mrwi_reader* reader, const mrwi_json_cursor* at, double value)
{
    return mrwi_reader_clamp(reader, at, value, -VALUE_MAX, VALUE_MAX, "a number within 1e9");
}

/// The list at `at`; absent or something else is an empty one.
static void* read_list(mrwi_reader* reader, mrwi_json_cursor* at, size_t size, mrwi_element_reader* each, void* user, uint32_t* out_count)
{
    return mrwi_reader_list(reader, at, mrwi_reader_count(reader, at), size, each, user, out_count);
}

// Elements start with their time, so one comparison serves keys, deform keys and events.
_Static_assert(offsetof(mrw_key_desc, time) == 0, "sorted by time");
_Static_assert(offsetof(mrw_deform_key_desc, time) == 0, "sorted by time");
_Static_assert(offsetof(mrw_event_desc, time) == 0, "sorted by time");

typedef struct timed_list {
    char* elements;
    size_t size; ///< of one
} timed_list;

static bool is_earlier(const void* user, uint32_t a, uint32_t b)
{
    const timed_list* list = user;
    double times[2];
    memcpy(&times[0], list->elements + a * list->size, sizeof(double));
    memcpy(&times[1], list->elements + b * list->size, sizeof(double));
    return times[0] < times[1];
}

/// Sorts by time, stable; returns where the sorted elements lie: in the list or in a copy. Warns when there is work.
static void* sort_by_time(mrwi_reader* reader, const mrwi_json_cursor* at, timed_list list, uint32_t count)
{
    uint32_t sorted = 1;
    while (sorted < count && !is_earlier(&list, sorted, sorted - 1)) {
        sorted++;
    }
    if (sorted >= count) {
        return list.elements;
    }
    mrwi_reader_note(reader, at, MRW_BAD_VALUE, "times do not ascend; they are sorted");
    char* copy = mrwi_reader_allocate(reader, count, list.size);
    uint32_t* order = mrwi_reader_allocate(reader, count, 2 * sizeof *order);
    if (copy == NULL || order == NULL) {
        return list.elements;
    }
    for (uint32_t i = 0; i < count; i++) {
        order[i] = i;
    }
    mrwi_sort(order, order + count, count, is_earlier, &list);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(copy + i * list.size, list.elements + order[i] * list.size, list.size);
    }
    return copy;
}

/// A list of elements that begin with their time.
static void* read_timed(mrwi_reader* reader, mrwi_json_cursor* at, size_t size, mrwi_element_reader* each, void* user, uint32_t* out_count)
{
    void* elements = read_list(reader, at, size, each, user, out_count);
    return sort_by_time(reader, at, (timed_list) { elements, size }, *out_count);
}

/// False, with a warning, for elements of a list that are no objects.
static bool is_object(mrwi_reader* reader, mrwi_json_cursor* at)
{
    return mrwi_reader_has(reader, at, MRWI_JSON_OBJECT, "it is dropped");
}

// ---- keys

/// "opacity" of the whole, or "<part>.opacity".
static bool is_opacity(const mrw_track_desc* track)
{
    const char* dot = strrchr(track->field, '.');
    return (strcmp(track->trait, "SkinnedSprite2D") == 0 && strcmp(track->field, "opacity") == 0)
        || (strcmp(track->trait, "Part") == 0 && dot != NULL && strcmp(dot, ".opacity") == 0);
}

/// `user` is the track.
static void read_value(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    const mrw_track_desc* track = user;
    double* value = out;
    if (mrwi_json_type_of(at) == MRWI_JSON_BOOLEAN) {
        mrwi_reader_reject(reader, at, MRW_BAD_TYPE, "a number", "true counts as 1, false as 0");
        *value = mrwi_json_boolean(at) ? 1.0 : 0.0;
        return;
    }
    read_needed_number(reader, at, out, user);
    if (track->type == MRW_TRACK_COLOR) {
        double color = mrwi_reader_clamp(reader, at, *value, 0.0, 16777215.0, "a color 0xRRGGBB");
        *value = floor(color);
        if (*value != color) {
            mrwi_reader_reject(reader, at, MRW_BAD_VALUE, "a color 0xRRGGBB", "the nearest is taken");
        }
    } else if (is_opacity(track)) {
        *value = mrwi_reader_clamp(reader, at, *value, 0.0, 1.0, "an opacity from 0 to 1");
    } else {
        *value = clamp_value(reader, at, *value);
    }
}

static void read_mode(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    (void)user;
    *(mrw_tangent_mode*)out = (mrw_tangent_mode)mrwi_reader_choice(reader, at, mrwi_tangent_mode_names, MRW_UNKNOWN, "a tangent mode");
}

/// The reference writes an infinite slope as null; whatever is not finite counts as 0 there.
static void read_tangent(mrwi_reader* reader, mrwi_json_cursor* at, double* tangent, mrw_tangent_mode mode)
{
    if (mrwi_json_type_of(at) == MRWI_JSON_NULL && mode != MRW_TANGENT_CONSTANT) {
        mrwi_reader_note(reader, at, MRW_BAD_VALUE, "a tangent is null; 0 is taken");
    }
    read_number(reader, at, tangent, NULL);
    *tangent = clamp_value(reader, at, *tangent);
}

static void read_in_tangent(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    (void)user;
    mrw_key_desc* key = out;
    read_tangent(reader, at, &key->in_tangent, key->mode);
}

static void read_out_tangent(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    (void)user;
    mrw_key_desc* key = out;
    read_tangent(reader, at, &key->out_tangent, key->mode);
}

static void read_weight(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    double* weight = out;
    *weight = -1.0; // not given
    read_number(reader, at, out, user);
    if (mrwi_json_type_of(at) == MRWI_JSON_NUMBER) {
        *weight = mrwi_reader_clamp(reader, at, *weight, 0.0, DBL_MAX, "a weight from 0 on");
    }
}

static void read_broken(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    (void)user;
    mrw_key_desc* key = out;
    key->has_broken = mrwi_reader_has(reader, at, MRWI_JSON_BOOLEAN, "it is dropped");
    key->broken = mrwi_json_boolean(at);
}

/// `user` is the track.
static bool read_key(mrwi_reader* reader, mrwi_json_cursor* at, void* element, void* user)
{
    static const mrwi_field fields[] = {
        { "t", read_needed_number, offsetof(mrw_key_desc, time) },
        { "v", read_value, offsetof(mrw_key_desc, value) },
        { "tangentMode", read_mode, offsetof(mrw_key_desc, mode) },
        { "inTangent", read_in_tangent, 0 },
        { "outTangent", read_out_tangent, 0 },
        { "inWeight", read_weight, offsetof(mrw_key_desc, in_weight) },
        { "outWeight", read_weight, offsetof(mrw_key_desc, out_weight) },
        { "broken", read_broken, 0 },
    };
    if (!is_object(reader, at)) {
        return false;
    }
    mrw_key_desc* key = element;
    key->extras = mrwi_reader_fields(reader, at, fields, COUNT(fields), key, user);
    if (key->mode == MRW_TANGENT_CONSTANT) {
        key->out_tangent = INFINITY;
    }
    return true;
}

// ---- tracks, which are known by their place in the file, so none is dropped

static void read_type(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    (void)user;
    *(mrw_track_type*)out = (mrw_track_type)mrwi_reader_choice(reader, at, mrwi_track_type_names, MRW_UNKNOWN, "a track type");
}

static void read_keys(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    (void)user;
    mrw_track_desc* track = out;
    if (reader->result == MRW_OK) {
        track->keys = read_timed(reader, at, sizeof *track->keys, read_key, track, &track->key_count);
    }
}

static bool read_track(mrwi_reader* reader, mrwi_json_cursor* at, void* element, void* user)
{
    static const mrwi_field fields[] = {
        { "path", read_text, offsetof(mrw_track_desc, path) },
        { "trait", read_text, offsetof(mrw_track_desc, trait) },
        { "field", read_text, offsetof(mrw_track_desc, field) },
        { "type", read_type, offsetof(mrw_track_desc, type) },
        { "keys", read_keys, 0 },
    };
    mrw_track_desc* track = element;
    mrwi_reader_has(reader, at, MRWI_JSON_OBJECT, "an empty one is taken");
    track->extras = mrwi_reader_fields(reader, at, fields, COUNT(fields), track, user);
    return true;
}

static bool read_offset(mrwi_reader* reader, mrwi_json_cursor* at, void* element, void* user)
{
    (void)user;
    double value = mrwi_json_number(at);
    if (mrwi_json_type_of(at) != MRWI_JSON_NUMBER || !isfinite(value)) {
        mrwi_reader_reject(reader, at, MRW_BAD_VALUE, "a finite number", "0 is taken");
        value = 0.0;
    }
    *(float*)element = (float)clamp_value(reader, at, value);
    return true;
}

static void read_offsets(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    (void)user;
    mrw_deform_key_desc* key = out;
    key->offsets = read_list(reader, at, sizeof *key->offsets, read_offset, NULL, &key->offset_count);
}

static bool read_deform_key(mrwi_reader* reader, mrwi_json_cursor* at, void* element, void* user)
{
    static const mrwi_field fields[] = {
        { "t", read_needed_number, offsetof(mrw_deform_key_desc, time) },
        { "offsets", read_offsets, 0 },
    };
    if (!is_object(reader, at)) {
        return false;
    }
    mrw_deform_key_desc* key = element;
    key->extras = mrwi_reader_fields(reader, at, fields, COUNT(fields), key, user);
    return true;
}

static void read_deform_keys(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    mrw_deform_track_desc* track = out;
    track->keys = read_timed(reader, at, sizeof *track->keys, read_deform_key, user, &track->key_count);
}

static bool read_deform_track(mrwi_reader* reader, mrwi_json_cursor* at, void* element, void* user)
{
    static const mrwi_field fields[] = {
        { "path", read_text, offsetof(mrw_deform_track_desc, path) },
        { "part", read_text, offsetof(mrw_deform_track_desc, part) },
        { "keys", read_deform_keys, 0 },
    };
    mrw_deform_track_desc* track = element;
    mrwi_reader_has(reader, at, MRWI_JSON_OBJECT, "an empty one is taken");
    track->extras = mrwi_reader_fields(reader, at, fields, COUNT(fields), track, user);
    return true;
}

// ---- clips

static void read_data(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    (void)user;
    if (reader->result == MRW_OK) {
        reader->result = mrwi_json_text(at, &reader->document->arena, out);
    }
}

static bool read_event(mrwi_reader* reader, mrwi_json_cursor* at, void* element, void* user)
{
    static const mrwi_field fields[] = {
        { "t", read_needed_number, offsetof(mrw_event_desc, time) },
        { "name", read_text, offsetof(mrw_event_desc, name) },
        { "data", read_data, offsetof(mrw_event_desc, data) },
    };
    if (!is_object(reader, at)) {
        return false;
    }
    mrw_event_desc* event = element;
    event->extras = mrwi_reader_fields(reader, at, fields, COUNT(fields), event, user);
    return true;
}

static void read_duration(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    double* duration = out;
    *duration = 1.0;
    read_number(reader, at, out, user);
    double played = mrwi_reader_clamp(reader, at, *duration, 0.0, MRWI_CLIP_DURATION_MAX, "a duration from 0 to 1e9");
    // A negative one stays as it is, so that it is written back.
    *duration = *duration > played ? played : *duration;
}

static void read_frame_rate(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    double* rate = out;
    *rate = 60.0;
    read_number(reader, at, out, user);
    if (!(*rate > 0.0)) {
        mrwi_reader_reject(reader, at, MRW_BAD_VALUE, "a positive number", "60 is taken");
        *rate = 60.0;
    }
}

static void read_loop(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    (void)user;
    *(bool*)out = mrwi_reader_has(reader, at, MRWI_JSON_BOOLEAN, "true is taken") && !mrwi_json_boolean(at);
}

static void read_tracks(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    mrw_clip_desc* clip = out;
    clip->tracks = read_list(reader, at, sizeof *clip->tracks, read_track, user, &clip->track_count);
}

static void read_deform_tracks(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    mrw_clip_desc* clip = out;
    clip->deform_tracks = read_list(reader, at, sizeof *clip->deform_tracks, read_deform_track, user, &clip->deform_track_count);
}

static void read_events(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    mrw_clip_desc* clip = out;
    clip->events = read_timed(reader, at, sizeof *clip->events, read_event, user, &clip->event_count);
}

static void read_clip(mrwi_reader* reader, const mrwi_json_cursor* root)
{
    static const mrwi_field fields[] = {
        { "id", read_text, offsetof(mrw_clip_desc, id) },
        { "name", read_text, offsetof(mrw_clip_desc, name) },
        { "duration", read_duration, offsetof(mrw_clip_desc, duration) },
        { "frameRate", read_frame_rate, offsetof(mrw_clip_desc, frame_rate) },
        { "loop", read_loop, offsetof(mrw_clip_desc, once) },
        { "tracks", read_tracks, 0 },
        { "deformTracks", read_deform_tracks, 0 },
        { "events", read_events, 0 },
    };
    mrw_clip_desc* clip = &reader->document->clip;
    clip->name = "Clip";
    clip->extras = mrwi_reader_fields(reader, root, fields, COUNT(fields), clip, NULL);
}

static mrw_result open_clip(mrw_context* context, mrwi_extras_reader* read_extras, const void* bytes, size_t size,
    const mrw_load_options* options, mrw_document** out, mrw_error* error)
{
    static const mrwi_document_format format = {
        .kind = MRWI_DOCUMENT_CLIP,
        .read = read_clip,
        .own = mrwi_anim_marks,
        .others = mrwi_rig2d_marks,
        .mismatch = "a rig (.rig2d.json), where a clip (.anim.json) is expected",
    };
    return mrwi_reader_open(context, &format, read_extras, bytes, size, options, out, error);
}

mrw_result mrw_document_read_anim(
    mrw_context* context, const void* bytes, size_t size, const mrw_load_options* options, mrw_document** out, mrw_error* error)
{
    return open_clip(context, mrwi_json_extras, bytes, size, options, out, error);
}

mrw_result mrw_model_add_clip(mrw_context* context, mrw_model_id model, const void* bytes, size_t size, const mrw_load_options* options,
    uint32_t* out_index, mrw_error* error)
{
    mrwi_model* found = mrwi_model_get(context, model);
    if (found == NULL) {
        return mrwi_fail(error, MRW_STALE, NULL, NULL);
    }
    mrw_document* document = NULL;
    mrw_result result = open_clip(context, NULL, bytes, size, options, &document, error);
    if (result != MRW_OK) {
        return result;
    }
    bool is_strict = options != NULL && options->strict;
    result = mrwi_model_add_clip(found, &document->clip, document->warnings, document->warning_count, is_strict, out_index, error);
    mrw_document_release(document);
    return result;
}
