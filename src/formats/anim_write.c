// Writes `.anim.json`: what the reader reads comes out the same, what it did not know is written back.
#include "formats/formats.h"

#include <math.h>

static const char* const type_names[] = { "number", "color", "boolean", "enum" };
static const char* const mode_names[] = { NULL, "auto", "linear", "constant", "free" };

static void write_text(mrwi_writer* writer, const char* key, const char* text)
{
    mrwi_write_key(writer, key);
    mrwi_write_string(writer, text == NULL ? "" : text);
}

static void write_number(mrwi_writer* writer, const char* key, double value)
{
    mrwi_write_key(writer, key);
    mrwi_write_double(writer, value);
}

static void write_extras(mrwi_writer* writer, mrw_extras extras)
{
    if (extras != NULL) {
        mrwi_write_extras(writer, extras);
    }
}

static void write_key(mrwi_writer* writer, const mrw_key_desc* key)
{
    mrwi_write_open(writer, '{');
    write_number(writer, "t", key->time);
    write_number(writer, "v", key->value);
    write_number(writer, "inTangent", key->in_tangent);
    // JSON has no infinity: a hold is written as null, and the mode says what it meant.
    write_number(writer, "outTangent", key->out_tangent);
    if (key->in_weight >= 0.0) {
        write_number(writer, "inWeight", key->in_weight);
    }
    if (key->out_weight >= 0.0) {
        write_number(writer, "outWeight", key->out_weight);
    }
    if (key->has_broken) {
        mrwi_write_key(writer, "broken");
        mrwi_write_boolean(writer, key->broken);
    }
    mrw_tangent_mode mode = key->out_tangent == INFINITY ? MRW_TANGENT_CONSTANT : key->mode;
    if (mode != MRW_TANGENT_NONE) {
        write_text(writer, "tangentMode", mode_names[mode]);
    }
    write_extras(writer, key->extras);
    mrwi_write_close(writer, '}');
}

static void write_track(mrwi_writer* writer, const mrw_track_desc* track)
{
    mrwi_write_open(writer, '{');
    write_text(writer, "path", track->path);
    write_text(writer, "trait", track->trait);
    write_text(writer, "field", track->field);
    write_text(writer, "type", type_names[track->type]);
    mrwi_write_key(writer, "keys");
    mrwi_write_open(writer, '[');
    for (uint32_t i = 0; i < track->key_count; i++) {
        write_key(writer, &track->keys[i]);
    }
    mrwi_write_close(writer, ']');
    write_extras(writer, track->extras);
    mrwi_write_close(writer, '}');
}

static void write_deform_track(mrwi_writer* writer, const mrw_deform_track_desc* track)
{
    mrwi_write_open(writer, '{');
    write_text(writer, "path", track->path);
    write_text(writer, "part", track->part);
    mrwi_write_key(writer, "keys");
    mrwi_write_open(writer, '[');
    for (uint32_t i = 0; i < track->key_count; i++) {
        const mrw_deform_key_desc* key = &track->keys[i];
        mrwi_write_open(writer, '{');
        write_number(writer, "t", key->time);
        mrwi_write_key(writer, "offsets");
        mrwi_write_floats(writer, key->offsets, key->offset_count);
        write_extras(writer, key->extras);
        mrwi_write_close(writer, '}');
    }
    mrwi_write_close(writer, ']');
    write_extras(writer, track->extras);
    mrwi_write_close(writer, '}');
}

static void write_event(mrwi_writer* writer, const mrw_event_desc* event)
{
    mrwi_write_open(writer, '{');
    write_number(writer, "t", event->time);
    write_text(writer, "name", event->name);
    if (event->data != NULL) {
        mrwi_write_key(writer, "data");
        mrwi_write_raw(writer, event->data);
    }
    write_extras(writer, event->extras);
    mrwi_write_close(writer, '}');
}

static void write_arrays(const mrw_clip_desc* desc, mrwi_writer* writer)
{
    mrwi_write_key(writer, "tracks");
    mrwi_write_open(writer, '[');
    for (uint32_t i = 0; i < desc->track_count; i++) {
        write_track(writer, &desc->tracks[i]);
    }
    mrwi_write_close(writer, ']');
    if (desc->deform_track_count > 0) {
        mrwi_write_key(writer, "deformTracks");
        mrwi_write_open(writer, '[');
        for (uint32_t i = 0; i < desc->deform_track_count; i++) {
            write_deform_track(writer, &desc->deform_tracks[i]);
        }
        mrwi_write_close(writer, ']');
    }
    if (desc->event_count > 0) {
        mrwi_write_key(writer, "events");
        mrwi_write_open(writer, '[');
        for (uint32_t i = 0; i < desc->event_count; i++) {
            write_event(writer, &desc->events[i]);
        }
        mrwi_write_close(writer, ']');
    }
}

mrw_result mrwi_anim_write(const mrw_clip_desc* desc, mrwi_writer* writer)
{
    mrwi_write_open(writer, '{');
    write_text(writer, "id", desc->id);
    write_text(writer, "name", desc->name);
    write_number(writer, "duration", desc->duration);
    write_number(writer, "frameRate", desc->frame_rate > 0.0 ? desc->frame_rate : 60.0);
    mrwi_write_key(writer, "loop");
    mrwi_write_boolean(writer, !desc->once);
    write_arrays(desc, writer);
    write_extras(writer, desc->extras);
    mrwi_write_close(writer, '}');
    return MRW_OK;
}
