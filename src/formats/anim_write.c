// What the reader reads comes out the same, what it did not know is written back.
#include "formats/anim_write.h"

#include "formats/formats.h"

#include <math.h>

static void write_key(mrwi_writer* writer, const mrw_key_desc* key)
{
    mrwi_write_open(writer, '{');
    mrwi_write_number_member(writer, "t", key->time);
    mrwi_write_number_member(writer, "v", key->value);
    mrwi_write_number_member(writer, "inTangent", key->in_tangent);
    // JSON has no infinity: a hold is written as null, and the mode says what it meant.
    mrwi_write_number_member(writer, "outTangent", key->out_tangent);
    if (key->in_weight >= 0.0) {
        mrwi_write_number_member(writer, "inWeight", key->in_weight);
    }
    if (key->out_weight >= 0.0) {
        mrwi_write_number_member(writer, "outWeight", key->out_weight);
    }
    if (key->has_broken) {
        mrwi_write_key(writer, "broken");
        mrwi_write_boolean(writer, key->broken);
    }
    mrw_tangent_mode mode = key->out_tangent == INFINITY ? MRW_TANGENT_CONSTANT : key->mode;
    if (mode != MRW_TANGENT_NONE) {
        mrwi_write_text_member(writer, "tangentMode", mrwi_tangent_mode_names[mode]);
    }
    mrwi_write_extras(writer, key->extras);
    mrwi_write_close(writer, '}');
}

static void write_track(mrwi_writer* writer, const mrw_track_desc* track)
{
    mrwi_write_open(writer, '{');
    mrwi_write_text_member(writer, "path", track->path);
    mrwi_write_text_member(writer, "trait", track->trait);
    mrwi_write_text_member(writer, "field", track->field);
    mrwi_write_text_member(writer, "type", mrwi_track_type_names[track->type]);
    mrwi_write_key(writer, "keys");
    mrwi_write_open(writer, '[');
    for (uint32_t i = 0; i < track->key_count; i++) {
        write_key(writer, &track->keys[i]);
    }
    mrwi_write_close(writer, ']');
    mrwi_write_extras(writer, track->extras);
    mrwi_write_close(writer, '}');
}

static void write_deform_track(mrwi_writer* writer, const mrw_deform_track_desc* track)
{
    mrwi_write_open(writer, '{');
    mrwi_write_text_member(writer, "path", track->path);
    mrwi_write_text_member(writer, "part", track->part);
    mrwi_write_key(writer, "keys");
    mrwi_write_open(writer, '[');
    for (uint32_t i = 0; i < track->key_count; i++) {
        const mrw_deform_key_desc* key = &track->keys[i];
        mrwi_write_open(writer, '{');
        mrwi_write_number_member(writer, "t", key->time);
        mrwi_write_key(writer, "offsets");
        mrwi_write_floats(writer, key->offsets, key->offset_count);
        mrwi_write_extras(writer, key->extras);
        mrwi_write_close(writer, '}');
    }
    mrwi_write_close(writer, ']');
    mrwi_write_extras(writer, track->extras);
    mrwi_write_close(writer, '}');
}

static void write_event(mrwi_writer* writer, const mrw_event_desc* event)
{
    mrwi_write_open(writer, '{');
    mrwi_write_number_member(writer, "t", event->time);
    mrwi_write_text_member(writer, "name", event->name);
    if (event->data != NULL) {
        mrwi_write_key(writer, "data");
        mrwi_write_raw(writer, event->data);
    }
    mrwi_write_extras(writer, event->extras);
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

void mrwi_anim_write(const mrw_clip_desc* desc, mrwi_writer* writer)
{
    mrwi_write_open(writer, '{');
    mrwi_write_text_member(writer, "id", desc->id);
    mrwi_write_text_member(writer, "name", desc->name);
    mrwi_write_number_member(writer, "duration", desc->duration);
    mrwi_write_number_member(writer, "frameRate", desc->frame_rate > 0.0 ? desc->frame_rate : 60.0);
    mrwi_write_key(writer, "loop");
    mrwi_write_boolean(writer, !desc->once);
    write_arrays(desc, writer);
    mrwi_write_extras(writer, desc->extras);
    mrwi_write_close(writer, '}');
}
