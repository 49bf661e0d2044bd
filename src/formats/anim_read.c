// Reads `.anim.json`. Lenient as the reference is: what has the wrong type takes its default, and every such repair is a warning.
#include "base/context.h"
#include "base/result.h"
#include "formats/formats.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

static const char* const clip_members[] = { "id", "name", "duration", "frameRate", "loop", "tracks", "deformTracks", "events", NULL };
static const char* const track_members[] = { "path", "trait", "field", "type", "keys", NULL };
static const char* const key_members[] = { "t", "v", "inTangent", "outTangent", "inWeight", "outWeight", "broken", "tangentMode", NULL };
static const char* const deform_track_members[] = { "path", "part", "keys", NULL };
static const char* const deform_key_members[] = { "t", "offsets", NULL };
static const char* const event_members[] = { "t", "name", "data", NULL };

static const char* const type_names[] = { "number", "color", "boolean", "enum", NULL };
static const char* const mode_names[] = { "", "auto", "linear", "constant", "free", NULL };

typedef struct reader {
    mrwi_arena* arena;
    mrw_error* error;
    mrw_result result; ///< the first failure; every step after it does nothing
} reader;

static void note(reader* read, mrw_result result)
{
    if (read->result == MRW_OK) {
        read->result = result;
    }
}

static void warn(reader* read, const mrwi_json_cursor* at, mrw_result code, const char* message)
{
    if (read->result == MRW_OK) {
        note(read, mrwi_json_warn(at, read->error, code, "%s", message));
    }
}

static void* allocate(reader* read, size_t count, size_t size)
{
    void* block = read->result == MRW_OK ? mrwi_arena_allocate(read->arena, count, size) : NULL;
    if (block == NULL) {
        note(read, MRW_NO_MEMORY);
    }
    return block;
}

/// True when the member is there and not null: null and absent mean the same.
static bool is_given(const mrwi_json_cursor* at)
{
    return mrwi_json_type_of(at) > MRWI_JSON_NULL;
}

static double read_number(reader* read, const mrwi_json_cursor* object, const char* name, double fallback)
{
    mrwi_json_cursor at = mrwi_json_member(object, name);
    if (!is_given(&at)) {
        return fallback;
    }
    if (mrwi_json_type_of(&at) != MRWI_JSON_NUMBER) {
        warn(read, &at, MRW_BAD_TYPE, "not a number, the default is taken");
        return fallback;
    }
    double value = mrwi_json_number(&at);
    if (value - value != 0.0) {
        warn(read, &at, MRW_BAD_VALUE, "not finite, the default is taken");
        return fallback;
    }
    return value;
}

/// A number that a file has to state.
static double read_needed_number(reader* read, const mrwi_json_cursor* object, const char* name)
{
    mrwi_json_cursor at = mrwi_json_member(object, name);
    if (!is_given(&at)) {
        warn(read, mrwi_json_type_of(&at) == MRWI_JSON_NONE ? object : &at, MRW_BAD_VALUE, "a number is missing, 0 is taken");
        return 0.0;
    }
    return read_number(read, object, name, 0.0);
}

static const char* read_text(reader* read, const mrwi_json_cursor* object, const char* name, const char* fallback)
{
    mrwi_json_cursor at = mrwi_json_member(object, name);
    const char* text = mrwi_json_string(&at);
    if (text == NULL) {
        if (is_given(&at)) {
            warn(read, &at, MRW_BAD_TYPE, "not a string, the default is taken");
        }
        text = fallback;
    }
    const char* copy = read->result == MRW_OK ? mrwi_arena_text(read->arena, text, strlen(text)) : NULL;
    if (copy == NULL) {
        note(read, MRW_NO_MEMORY);
    }
    return copy;
}

/// Index of the member's value in `names`; `fallback` when it is none of them.
static int read_choice(reader* read, const mrwi_json_cursor* object, const char* name, const char* const* names, int fallback)
{
    mrwi_json_cursor at = mrwi_json_member(object, name);
    if (!is_given(&at)) {
        return fallback;
    }
    const char* text = mrwi_json_string(&at);
    for (int i = 0; text != NULL && names[i] != NULL; i++) {
        if (names[i][0] != 0 && strcmp(names[i], text) == 0) {
            return i;
        }
    }
    warn(read, &at, MRW_UNKNOWN, "not a known name, the default is taken");
    return fallback;
}

static mrw_extras read_extras(reader* read, const mrwi_json_cursor* object, const char* const* known)
{
    mrw_extras extras = NULL;
    if (read->result == MRW_OK) {
        note(read, mrwi_json_extras(object, known, read->arena, &extras));
    }
    return extras;
}

/// The member's array and its length; absent or something else is an empty one.
static mrwi_json_cursor read_array(reader* read, const mrwi_json_cursor* object, const char* name, uint32_t* out_count)
{
    mrwi_json_cursor at = mrwi_json_member(object, name);
    bool is_array = mrwi_json_type_of(&at) == MRWI_JSON_ARRAY;
    if (!is_array && is_given(&at)) {
        warn(read, &at, MRW_BAD_TYPE, "not an array, an empty one is taken");
    }
    *out_count = is_array ? mrwi_json_count(&at) : 0;
    return at;
}

/// False, with a warning, when there is no object.
static bool is_object(reader* read, const mrwi_json_cursor* at, const char* message)
{
    if (mrwi_json_type_of(at) == MRWI_JSON_OBJECT) {
        return true;
    }
    warn(read, at, MRW_BAD_TYPE, message);
    return false;
}

static const char element_is_dropped[] = "not an object, dropped";
static const char element_is_empty[] = "not an object, an empty one is taken";

// Elements start with their time, so one stable merge sort serves keys, deform keys and events.
_Static_assert(offsetof(mrw_key_desc, time) == 0, "sorted by time");
_Static_assert(offsetof(mrw_deform_key_desc, time) == 0, "sorted by time");
_Static_assert(offsetof(mrw_event_desc, time) == 0, "sorted by time");

static double time_at(const char* elements, size_t size, size_t index)
{
    double time = 0.0;
    memcpy(&time, elements + index * size, sizeof time);
    return time;
}

static void merge(const char* src, char* dst, size_t size, size_t first, size_t middle, size_t end)
{
    size_t left = first;
    size_t right = middle;
    for (size_t i = first; i < end; i++) {
        bool takes_left = left < middle && (right >= end || time_at(src, size, left) <= time_at(src, size, right));
        size_t from = takes_left ? left++ : right++;
        memcpy(dst + i * size, src + from * size, size);
    }
}

/// Sorts by time, stable; returns where the sorted elements lie: `elements` or a copy in the arena. Warns when there is work.
static void* sort_by_time(reader* read, const mrwi_json_cursor* at, void* elements, size_t size, uint32_t count)
{
    size_t sorted = 1;
    while (sorted < count && time_at(elements, size, sorted - 1) <= time_at(elements, size, sorted)) {
        sorted++;
    }
    if (sorted >= count) {
        return elements;
    }
    warn(read, at, MRW_BAD_VALUE, "times do not ascend, sorted");
    char* src = elements;
    char* dst = allocate(read, count, size);
    for (size_t width = 1; dst != NULL && width < count; width *= 2) {
        for (size_t first = 0; first < count; first += 2 * width) {
            size_t middle = first + width < count ? first + width : count;
            size_t end = middle + width < count ? middle + width : count;
            merge(src, dst, size, first, middle, end);
        }
        char* other = src;
        src = dst;
        dst = other;
    }
    return src;
}

/// The reference writes an infinite slope as null; whatever is not finite counts as 0 there.
static double read_tangent(reader* read, const mrwi_json_cursor* key, const char* name, mrw_tangent_mode mode)
{
    mrwi_json_cursor at = mrwi_json_member(key, name);
    if (mrwi_json_type_of(&at) == MRWI_JSON_NULL && mode != MRW_TANGENT_CONSTANT) {
        warn(read, &at, MRW_BAD_VALUE, "a tangent is null, 0 is taken");
    }
    return read_number(read, key, name, 0.0);
}

static double read_weight(reader* read, const mrwi_json_cursor* key, const char* name)
{
    double weight = read_number(read, key, name, -1.0);
    mrwi_json_cursor at = mrwi_json_member(key, name);
    if (weight < 0.0 && mrwi_json_type_of(&at) == MRWI_JSON_NUMBER) {
        warn(read, &at, MRW_BAD_VALUE, "a weight below 0 counts as 0");
        return 0.0;
    }
    return weight;
}

static double read_value(reader* read, const mrwi_json_cursor* key, mrw_track_type type)
{
    mrwi_json_cursor at = mrwi_json_member(key, "v");
    if (mrwi_json_type_of(&at) == MRWI_JSON_BOOLEAN) {
        warn(read, &at, MRW_BAD_TYPE, "a boolean instead of 0 or 1");
        return mrwi_json_boolean(&at) ? 1.0 : 0.0;
    }
    double value = read_needed_number(read, key, "v");
    if (type == MRW_TRACK_COLOR && !(value >= 0.0 && value <= 16777215.0 && floor(value) == value)) {
        warn(read, &at, MRW_BAD_VALUE, "not a color 0xRRGGBB, the nearest is taken");
        return value > 0.0 ? (value < 16777215.0 ? floor(value) : 16777215.0) : 0.0;
    }
    return value;
}

static void read_key(reader* read, const mrwi_json_cursor* at, mrw_track_type type, mrw_key_desc* key)
{
    key->time = read_needed_number(read, at, "t");
    key->value = read_value(read, at, type);
    key->mode = (mrw_tangent_mode)read_choice(read, at, "tangentMode", mode_names, MRW_TANGENT_NONE);
    key->in_tangent = read_tangent(read, at, "inTangent", key->mode);
    key->out_tangent = read_tangent(read, at, "outTangent", key->mode);
    if (key->mode == MRW_TANGENT_CONSTANT) {
        key->out_tangent = INFINITY;
    }
    key->in_weight = read_weight(read, at, "inWeight");
    key->out_weight = read_weight(read, at, "outWeight");
    mrwi_json_cursor broken = mrwi_json_member(at, "broken");
    if (mrwi_json_type_of(&broken) == MRWI_JSON_BOOLEAN) {
        key->has_broken = true;
        key->broken = mrwi_json_boolean(&broken);
    } else if (is_given(&broken)) {
        warn(read, &broken, MRW_BAD_TYPE, "not a boolean, dropped");
    }
    key->extras = read_extras(read, at, key_members);
}

static void read_track(reader* read, const mrwi_json_cursor* at, mrw_track_desc* track)
{
    track->path = read_text(read, at, "path", "");
    track->trait = read_text(read, at, "trait", "");
    track->field = read_text(read, at, "field", "");
    track->type = (mrw_track_type)read_choice(read, at, "type", type_names, MRW_TRACK_NUMBER);
    track->extras = read_extras(read, at, track_members);
    uint32_t count = 0;
    mrwi_json_cursor array = read_array(read, at, "keys", &count);
    mrw_key_desc* keys = allocate(read, count, sizeof *keys);
    mrwi_json_cursor child;
    for (bool more = count > 0 && mrwi_json_first(&array, &child); more && read->result == MRW_OK; more = mrwi_json_next(&child)) {
        if (is_object(read, &child, element_is_dropped)) {
            read_key(read, &child, track->type, &keys[track->key_count++]);
        }
    }
    track->keys = sort_by_time(read, &array, keys, sizeof *keys, track->key_count);
}

static void read_deform_key(reader* read, const mrwi_json_cursor* at, mrw_deform_key_desc* key)
{
    key->time = read_needed_number(read, at, "t");
    key->extras = read_extras(read, at, deform_key_members);
    mrwi_json_cursor array = read_array(read, at, "offsets", &key->offset_count);
    float* offsets = allocate(read, key->offset_count, sizeof *offsets);
    key->offsets = offsets;
    mrwi_json_cursor child;
    uint32_t i = 0;
    for (bool more = key->offset_count > 0 && mrwi_json_first(&array, &child); more && read->result == MRW_OK;
         more = mrwi_json_next(&child)) {
        double value = mrwi_json_number(&child);
        bool is_good = mrwi_json_type_of(&child) == MRWI_JSON_NUMBER && fabs(value) <= 3.0e38;
        if (!is_good) {
            warn(read, &child, MRW_BAD_VALUE, "not a finite number, 0 is taken");
        }
        offsets[i++] = is_good ? (float)value : 0.0f;
    }
}

static void read_deform_track(reader* read, const mrwi_json_cursor* at, mrw_deform_track_desc* track)
{
    track->path = read_text(read, at, "path", "");
    track->part = read_text(read, at, "part", "");
    track->extras = read_extras(read, at, deform_track_members);
    uint32_t count = 0;
    mrwi_json_cursor array = read_array(read, at, "keys", &count);
    mrw_deform_key_desc* keys = allocate(read, count, sizeof *keys);
    mrwi_json_cursor child;
    for (bool more = count > 0 && mrwi_json_first(&array, &child); more && read->result == MRW_OK; more = mrwi_json_next(&child)) {
        if (is_object(read, &child, element_is_dropped)) {
            read_deform_key(read, &child, &keys[track->key_count++]);
        }
    }
    track->keys = sort_by_time(read, &array, keys, sizeof *keys, track->key_count);
}

static void read_event(reader* read, const mrwi_json_cursor* at, mrw_event_desc* event)
{
    event->time = read_needed_number(read, at, "t");
    event->name = read_text(read, at, "name", "");
    event->extras = read_extras(read, at, event_members);
    mrwi_json_cursor data = mrwi_json_member(at, "data");
    if (mrwi_json_type_of(&data) != MRWI_JSON_NONE && read->result == MRW_OK) {
        note(read, mrwi_json_text(&data, read->arena, &event->data));
    }
}

static void read_tracks(reader* read, const mrwi_json_cursor* root, mrw_clip_desc* clip)
{
    uint32_t count = 0;
    mrwi_json_cursor array = read_array(read, root, "tracks", &count);
    mrw_track_desc* tracks = allocate(read, count, sizeof *tracks);
    mrwi_json_cursor child;
    for (bool more = count > 0 && mrwi_json_first(&array, &child); more && read->result == MRW_OK; more = mrwi_json_next(&child)) {
        // Tracks are known by their place in the file, so none is dropped.
        is_object(read, &child, element_is_empty);
        read_track(read, &child, &tracks[clip->track_count++]);
    }
    clip->tracks = tracks;
}

static void read_deform_tracks(reader* read, const mrwi_json_cursor* root, mrw_clip_desc* clip)
{
    uint32_t count = 0;
    mrwi_json_cursor array = read_array(read, root, "deformTracks", &count);
    mrw_deform_track_desc* tracks = allocate(read, count, sizeof *tracks);
    mrwi_json_cursor child;
    for (bool more = count > 0 && mrwi_json_first(&array, &child); more && read->result == MRW_OK; more = mrwi_json_next(&child)) {
        is_object(read, &child, element_is_empty);
        read_deform_track(read, &child, &tracks[clip->deform_track_count++]);
    }
    clip->deform_tracks = tracks;
}

static void read_events(reader* read, const mrwi_json_cursor* root, mrw_clip_desc* clip)
{
    uint32_t count = 0;
    mrwi_json_cursor array = read_array(read, root, "events", &count);
    mrw_event_desc* events = allocate(read, count, sizeof *events);
    mrwi_json_cursor child;
    for (bool more = count > 0 && mrwi_json_first(&array, &child); more && read->result == MRW_OK; more = mrwi_json_next(&child)) {
        if (is_object(read, &child, element_is_dropped)) {
            read_event(read, &child, &events[clip->event_count++]);
        }
    }
    clip->events = sort_by_time(read, &array, events, sizeof *events, clip->event_count);
}

static void read_clip(reader* read, const mrwi_json_cursor* root, mrw_clip_desc* clip)
{
    clip->id = read_text(read, root, "id", "");
    clip->name = read_text(read, root, "name", "Clip");
    clip->duration = read_number(read, root, "duration", 1.0);
    if (clip->duration > MRWI_CLIP_DURATION_MAX) {
        mrwi_json_cursor at = mrwi_json_member(root, "duration");
        warn(read, &at, MRW_BAD_VALUE, "longer than a clip can be, 1e9 is taken");
        clip->duration = MRWI_CLIP_DURATION_MAX;
    }
    clip->frame_rate = read_number(read, root, "frameRate", 60.0);
    if (!(clip->frame_rate > 0.0)) {
        mrwi_json_cursor at = mrwi_json_member(root, "frameRate");
        warn(read, &at, MRW_BAD_VALUE, "not a positive number, 60 is taken");
        clip->frame_rate = 60.0;
    }
    mrwi_json_cursor loop = mrwi_json_member(root, "loop");
    if (mrwi_json_type_of(&loop) == MRWI_JSON_BOOLEAN) {
        clip->once = !mrwi_json_boolean(&loop);
    } else if (is_given(&loop)) {
        warn(read, &loop, MRW_BAD_TYPE, "not a boolean, true is taken");
    }
    read_tracks(read, root, clip);
    read_deform_tracks(read, root, clip);
    read_events(read, root, clip);
    clip->extras = read_extras(read, root, clip_members);
}

static mrw_result read_document(mrw_document* document, mrwi_json* json, mrw_error* error)
{
    mrwi_json_cursor root = mrwi_json_root(json);
    reader read = { &document->arena, error, MRW_OK };
    is_object(&read, &root, element_is_empty);
    read_clip(&read, &root, &document->clip);
    note(&read, mrwi_json_warnings(json, &document->arena, &document->warnings, &document->warning_count));
    if (read.result == MRW_NO_MEMORY) {
        return mrwi_fail(error, MRW_NO_MEMORY, NULL, NULL);
    }
    return read.result;
}

MRW_API mrw_result mrw_document_read_anim(
    mrw_context* context, const void* bytes, size_t size, const mrw_load_options* options, mrw_document** out, mrw_error* error)
{
    *out = NULL;
    mrwi_json* json = NULL;
    mrw_result result = mrwi_json_parse(context, bytes, size, options != NULL && options->strict, &json, error);
    if (result != MRW_OK) {
        return result;
    }
    mrw_document* document = mrwi_document_create(context, MRWI_DOCUMENT_CLIP);
    result = document == NULL ? mrwi_fail(error, MRW_NO_MEMORY, NULL, NULL) : read_document(document, json, error);
    mrwi_json_release(json);
    if (result != MRW_OK) {
        mrw_document_release(document);
        return result;
    }
    *out = document;
    return MRW_OK;
}

MRW_API mrw_result mrw_model_add_clip(mrw_context* context, mrw_model_id model, const void* bytes, size_t size,
    const mrw_load_options* options, uint32_t* out_index, mrw_error* error)
{
    mrwi_model* found = mrwi_model_get(context, model);
    if (found == NULL) {
        return mrwi_fail(error, MRW_STALE, NULL, NULL);
    }
    mrw_document* document = NULL;
    mrw_result result = mrw_document_read_anim(context, bytes, size, options, &document, error);
    if (result != MRW_OK) {
        return result;
    }
    bool is_strict = options != NULL && options->strict;
    result = mrwi_model_add_clip(found, &document->clip, document->warnings, document->warning_count, is_strict, out_index, error);
    mrw_document_release(document);
    return result;
}
