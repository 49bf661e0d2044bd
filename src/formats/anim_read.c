// Reads `.anim.json`. Lenient as the reference is: what has the wrong type takes its default, and every such repair is a warning.
#include "base/sort.h"
#include "formats/formats.h"
#include "formats/reader.h"
#include "model/clips.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const char* const clip_members[] = { "id", "name", "duration", "frameRate", "loop", "tracks", "deformTracks", "events", NULL };
static const char* const track_members[] = { "path", "trait", "field", "type", "keys", NULL };
static const char* const key_members[] = { "t", "v", "inTangent", "outTangent", "inWeight", "outWeight", "broken", "tangentMode", NULL };
static const char* const deform_track_members[] = { "path", "part", "keys", NULL };
static const char* const deform_key_members[] = { "t", "offsets", NULL };
static const char* const event_members[] = { "t", "name", "data", NULL };

/// Values and slopes of numbers lie within this, either way, so that no pose overflows.
#define VALUE_MAX 1e9

/// True when the member is there and not null: null and absent mean the same.
static bool is_given(const mrwi_json_cursor* at)
{
    return mrwi_json_type_of(at) > MRWI_JSON_NULL;
}

static double read_number(mrwi_reader* read, const mrwi_json_cursor* object, const char* name, double fallback)
{
    mrwi_json_cursor at = mrwi_json_member(object, name);
    if (!is_given(&at)) {
        return fallback;
    }
    if (mrwi_json_type_of(&at) != MRWI_JSON_NUMBER) {
        mrwi_reader_note(read, &at, MRW_BAD_TYPE, "not a number, the default is taken");
        return fallback;
    }
    double value = mrwi_json_number(&at);
    if (value - value != 0.0) {
        mrwi_reader_note(read, &at, MRW_BAD_VALUE, "not finite, the default is taken");
        return fallback;
    }
    return value;
}

/// A number that a file has to state.
static double read_needed_number(mrwi_reader* read, const mrwi_json_cursor* object, const char* name)
{
    mrwi_json_cursor at = mrwi_json_member(object, name);
    if (!is_given(&at)) {
        mrwi_reader_note(read, mrwi_json_type_of(&at) == MRWI_JSON_NONE ? object : &at, MRW_BAD_VALUE, "a number is missing, 0 is taken");
        return 0.0;
    }
    return read_number(read, object, name, 0.0);
}

static const char* read_text(mrwi_reader* read, const mrwi_json_cursor* object, const char* name, const char* fallback)
{
    mrwi_json_cursor at = mrwi_json_member(object, name);
    const char* text = is_given(&at) ? mrwi_reader_text(read, &at) : NULL;
    return text != NULL ? text : mrwi_reader_copy(read, fallback);
}

/// Index of the member's value in `names`; `fallback` when it is none of them.
static int read_choice(mrwi_reader* read, const mrwi_json_cursor* object, const char* name, const char* const* names, int fallback)
{
    mrwi_json_cursor at = mrwi_json_member(object, name);
    int found = mrwi_reader_choice(&at, names);
    if (found < 0 && is_given(&at)) {
        mrwi_reader_note(read, &at, MRW_UNKNOWN, "not a known name, the default is taken");
    }
    return found < 0 ? fallback : found;
}

/// What elements of a list that are no objects become.
typedef enum stray { STRAY_DROPPED, STRAY_EMPTY } stray;

/// Reads the member's list; absent or something else is an empty one. `*at` is where it lies.
static void* read_list(mrwi_reader* read, const mrwi_json_cursor* object, const char* name, size_t size, mrwi_element_reader* each,
    void* user, mrwi_json_cursor* at, uint32_t* out_count)
{
    *at = mrwi_json_member(object, name);
    if (mrwi_json_type_of(at) != MRWI_JSON_ARRAY) {
        if (is_given(at)) {
            mrwi_reader_note(read, at, MRW_BAD_TYPE, "not an array, an empty one is taken");
        }
        at->item = NULL;
    }
    return mrwi_reader_list(read, at, size, each, user, out_count);
}

/// False, with a warning, when there is no object.
static bool is_object(mrwi_reader* read, const mrwi_json_cursor* at, stray otherwise)
{
    if (mrwi_json_type_of(at) == MRWI_JSON_OBJECT) {
        return true;
    }
    mrwi_reader_note(
        read, at, MRW_BAD_TYPE, otherwise == STRAY_DROPPED ? "not an object, dropped" : "not an object, an empty one is taken");
    return false;
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
static void* sort_by_time(mrwi_reader* read, const mrwi_json_cursor* at, timed_list list, uint32_t count)
{
    uint32_t sorted = 1;
    while (sorted < count && !is_earlier(&list, sorted, sorted - 1)) {
        sorted++;
    }
    if (sorted >= count) {
        return list.elements;
    }
    mrwi_reader_note(read, at, MRW_BAD_VALUE, "times do not ascend, sorted");
    char* copy = mrwi_reader_allocate(read, count, list.size);
    uint32_t* order = mrwi_reader_allocate(read, count, 2 * sizeof *order);
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
static void* read_timed(mrwi_reader* read, const mrwi_json_cursor* object, const char* name, size_t size, mrwi_element_reader* each,
    void* user, uint32_t* out_count)
{
    mrwi_json_cursor at;
    void* elements = read_list(read, object, name, size, each, user, &at, out_count);
    return sort_by_time(read, &at, (timed_list) { elements, size }, *out_count);
}

/// A number within VALUE_MAX.
static double clamp_value(mrwi_reader* read, const mrwi_json_cursor* at, double value)
{
    if (fabs(value) <= VALUE_MAX) {
        return value;
    }
    mrwi_reader_note(read, at, MRW_BAD_VALUE, "the number is beyond 1e9, which is taken");
    return value > 0.0 ? VALUE_MAX : -VALUE_MAX;
}

/// The reference writes an infinite slope as null; whatever is not finite counts as 0 there.
static double read_tangent(mrwi_reader* read, const mrwi_json_cursor* key, const char* name, mrw_tangent_mode mode)
{
    mrwi_json_cursor at = mrwi_json_member(key, name);
    if (mrwi_json_type_of(&at) == MRWI_JSON_NULL && mode != MRW_TANGENT_CONSTANT) {
        mrwi_reader_note(read, &at, MRW_BAD_VALUE, "a tangent is null, 0 is taken");
    }
    return clamp_value(read, &at, read_number(read, key, name, 0.0));
}

static double read_weight(mrwi_reader* read, const mrwi_json_cursor* key, const char* name)
{
    double weight = read_number(read, key, name, -1.0);
    mrwi_json_cursor at = mrwi_json_member(key, name);
    if (weight < 0.0 && mrwi_json_type_of(&at) == MRWI_JSON_NUMBER) {
        mrwi_reader_note(read, &at, MRW_BAD_VALUE, "a weight below 0 counts as 0");
        return 0.0;
    }
    return weight;
}

static double read_color(mrwi_reader* read, const mrwi_json_cursor* at, double value)
{
    if (value >= 0.0 && value <= 16777215.0 && floor(value) == value) {
        return value;
    }
    mrwi_reader_note(read, at, MRW_BAD_VALUE, "not a color 0xRRGGBB, the nearest is taken");
    return value > 0.0 ? (value < 16777215.0 ? floor(value) : 16777215.0) : 0.0;
}

/// "opacity" of the whole, or "<part>.opacity".
static bool is_opacity(const mrw_track_desc* track)
{
    const char* dot = strrchr(track->field, '.');
    return (strcmp(track->trait, "SkinnedSprite2D") == 0 && strcmp(track->field, "opacity") == 0)
        || (strcmp(track->trait, "Part") == 0 && dot != NULL && strcmp(dot, ".opacity") == 0);
}

static double read_value(mrwi_reader* read, const mrwi_json_cursor* key, const mrw_track_desc* track)
{
    mrwi_json_cursor at = mrwi_json_member(key, "v");
    if (mrwi_json_type_of(&at) == MRWI_JSON_BOOLEAN) {
        mrwi_reader_note(read, &at, MRW_BAD_TYPE, "a boolean instead of 0 or 1");
        return mrwi_json_boolean(&at) ? 1.0 : 0.0;
    }
    double value = read_needed_number(read, key, "v");
    if (track->type == MRW_TRACK_COLOR) {
        return read_color(read, &at, value);
    }
    if (is_opacity(track) && !(value >= 0.0 && value <= 1.0)) {
        mrwi_reader_note(read, &at, MRW_BAD_VALUE, "an opacity outside 0 to 1, the nearest is taken");
        return value > 0.0 ? 1.0 : 0.0;
    }
    return clamp_value(read, &at, value);
}

/// `user` is the track.
static bool read_key(mrwi_reader* read, const mrwi_json_cursor* at, void* element, void* user)
{
    if (!is_object(read, at, STRAY_DROPPED)) {
        return false;
    }
    mrw_key_desc* key = element;
    key->time = read_needed_number(read, at, "t");
    key->value = read_value(read, at, user);
    key->mode = (mrw_tangent_mode)read_choice(read, at, "tangentMode", mrwi_tangent_mode_names, MRW_TANGENT_NONE);
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
        mrwi_reader_note(read, &broken, MRW_BAD_TYPE, "not a boolean, dropped");
    }
    key->extras = mrwi_reader_extras(read, at, key_members);
    return true;
}

// Tracks are known by their place in the file, so none is dropped.
static bool read_track(mrwi_reader* read, const mrwi_json_cursor* at, void* element, void* user)
{
    (void)user;
    is_object(read, at, STRAY_EMPTY);
    mrw_track_desc* track = element;
    track->path = read_text(read, at, "path", "");
    track->trait = read_text(read, at, "trait", "");
    track->field = read_text(read, at, "field", "");
    track->type = (mrw_track_type)read_choice(read, at, "type", mrwi_track_type_names, MRW_TRACK_NUMBER);
    track->extras = mrwi_reader_extras(read, at, track_members);
    if (read->result == MRW_OK) {
        track->keys = read_timed(read, at, "keys", sizeof *track->keys, read_key, track, &track->key_count);
    }
    return true;
}

static bool read_offset(mrwi_reader* read, const mrwi_json_cursor* at, void* element, void* user)
{
    (void)user;
    float* offset = element;
    double value = mrwi_json_number(at);
    if (mrwi_json_type_of(at) != MRWI_JSON_NUMBER || !(fabs(value) <= (double)FLT_MAX)) {
        mrwi_reader_note(read, at, MRW_BAD_VALUE, "not a finite number, 0 is taken");
        value = 0.0;
    }
    *offset = (float)clamp_value(read, at, value);
    return true;
}

static bool read_deform_key(mrwi_reader* read, const mrwi_json_cursor* at, void* element, void* user)
{
    (void)user;
    if (!is_object(read, at, STRAY_DROPPED)) {
        return false;
    }
    mrw_deform_key_desc* key = element;
    mrwi_json_cursor list;
    key->time = read_needed_number(read, at, "t");
    key->extras = mrwi_reader_extras(read, at, deform_key_members);
    key->offsets = read_list(read, at, "offsets", sizeof *key->offsets, read_offset, NULL, &list, &key->offset_count);
    return true;
}

static bool read_deform_track(mrwi_reader* read, const mrwi_json_cursor* at, void* element, void* user)
{
    (void)user;
    is_object(read, at, STRAY_EMPTY);
    mrw_deform_track_desc* track = element;
    track->path = read_text(read, at, "path", "");
    track->part = read_text(read, at, "part", "");
    track->extras = mrwi_reader_extras(read, at, deform_track_members);
    track->keys = read_timed(read, at, "keys", sizeof *track->keys, read_deform_key, NULL, &track->key_count);
    return true;
}

static bool read_event(mrwi_reader* read, const mrwi_json_cursor* at, void* element, void* user)
{
    (void)user;
    if (!is_object(read, at, STRAY_DROPPED)) {
        return false;
    }
    mrw_event_desc* event = element;
    event->time = read_needed_number(read, at, "t");
    event->name = read_text(read, at, "name", "");
    event->extras = mrwi_reader_extras(read, at, event_members);
    mrwi_json_cursor data = mrwi_json_member(at, "data");
    if (mrwi_json_type_of(&data) != MRWI_JSON_NONE && read->result == MRW_OK) {
        read->result = mrwi_json_text(&data, &read->document->arena, &event->data);
    }
    return true;
}

static void read_clip(mrwi_reader* read, const mrwi_json_cursor* root)
{
    mrw_clip_desc* clip = &read->document->clip;
    clip->id = read_text(read, root, "id", "");
    clip->name = read_text(read, root, "name", "Clip");
    clip->duration = read_number(read, root, "duration", 1.0);
    if (clip->duration > MRWI_CLIP_DURATION_MAX) {
        mrwi_json_cursor at = mrwi_json_member(root, "duration");
        mrwi_reader_note(read, &at, MRW_BAD_VALUE, "longer than a clip can be, 1e9 is taken");
        clip->duration = MRWI_CLIP_DURATION_MAX;
    } else if (clip->duration < 0.0) {
        // It stays as it is, so that it is written back.
        mrwi_json_cursor at = mrwi_json_member(root, "duration");
        mrwi_reader_note(read, &at, MRW_BAD_VALUE, "a negative duration counts as 0");
    }
    clip->frame_rate = read_number(read, root, "frameRate", 60.0);
    if (!(clip->frame_rate > 0.0)) {
        mrwi_json_cursor at = mrwi_json_member(root, "frameRate");
        mrwi_reader_note(read, &at, MRW_BAD_VALUE, "not a positive number, 60 is taken");
        clip->frame_rate = 60.0;
    }
    mrwi_json_cursor at = mrwi_json_member(root, "loop");
    if (mrwi_json_type_of(&at) == MRWI_JSON_BOOLEAN) {
        clip->once = !mrwi_json_boolean(&at);
    } else if (is_given(&at)) {
        mrwi_reader_note(read, &at, MRW_BAD_TYPE, "not a boolean, true is taken");
    }
    clip->tracks = read_list(read, root, "tracks", sizeof *clip->tracks, read_track, NULL, &at, &clip->track_count);
    clip->deform_tracks
        = read_list(read, root, "deformTracks", sizeof *clip->deform_tracks, read_deform_track, NULL, &at, &clip->deform_track_count);
    clip->events = read_timed(read, root, "events", sizeof *clip->events, read_event, NULL, &clip->event_count);
    clip->extras = mrwi_reader_extras(read, root, clip_members);
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
