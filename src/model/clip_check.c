#include "model/clip_check.h"

#include "base/result.h"
#include "model/clip.h"

#include <math.h>

/// Not NaN either; the difference of a finite number and itself is zero.
static bool is_finite(double value)
{
    return value - value == 0.0;
}

static mrw_result fail_at(mrw_error* error, mrw_result code, const char* array, uint32_t index, const char* message)
{
    char path[64];
    mrwi_format(path, sizeof path, "$.%s[%u]", array, index);
    return mrwi_fail(error, code, path, "%s", message);
}

static mrw_result check_keys(const mrw_track_desc* track, uint32_t index, mrw_error* error)
{
    if (track->key_count > 0 && track->keys == NULL) {
        return fail_at(error, MRW_BAD_ARGUMENT, "tracks", index, "no keys where some are counted");
    }
    for (uint32_t i = 0; i < track->key_count; i++) {
        const mrw_key_desc* key = &track->keys[i];
        if (!is_finite(key->time) || !is_finite(key->value) || !is_finite(key->in_tangent)
            || !(is_finite(key->out_tangent) || key->out_tangent == INFINITY)) {
            return fail_at(error, MRW_BAD_VALUE, "tracks", index, "a key's number is not finite");
        }
        if (i > 0 && key->time < track->keys[i - 1].time) {
            return fail_at(error, MRW_BAD_VALUE, "tracks", index, "the keys do not ascend in time");
        }
    }
    return MRW_OK;
}

static mrw_result check_deform_keys(const mrw_deform_track_desc* track, uint32_t index, mrw_error* error)
{
    if (track->key_count > 0 && track->keys == NULL) {
        return fail_at(error, MRW_BAD_ARGUMENT, "deformTracks", index, "no keys where some are counted");
    }
    for (uint32_t i = 0; i < track->key_count; i++) {
        const mrw_deform_key_desc* key = &track->keys[i];
        if (key->offset_count > 0 && key->offsets == NULL) {
            return fail_at(error, MRW_BAD_ARGUMENT, "deformTracks", index, "no offsets where some are counted");
        }
        if (!is_finite(key->time) || (i > 0 && key->time < track->keys[i - 1].time)) {
            return fail_at(error, MRW_BAD_VALUE, "deformTracks", index, "the keys do not ascend in time");
        }
        for (uint32_t j = 0; j < key->offset_count; j++) {
            if (!is_finite((double)key->offsets[j])) {
                return fail_at(error, MRW_BAD_VALUE, "deformTracks", index, "an offset is not finite");
            }
        }
    }
    return MRW_OK;
}

mrw_result mrwi_clip_check(const mrw_clip_desc* desc, mrw_error* error)
{
    if ((desc->track_count > 0 && desc->tracks == NULL) || (desc->deform_track_count > 0 && desc->deform_tracks == NULL)
        || (desc->event_count > 0 && desc->events == NULL)) {
        return mrwi_fail(error, MRW_BAD_ARGUMENT, "$", "no array where something is counted");
    }
    if (!(desc->duration <= MRWI_CLIP_DURATION_MAX) || !is_finite(desc->duration)) {
        return mrwi_fail(error, MRW_BAD_VALUE, "$.duration", "the duration is not finite or longer than 1e9");
    }
    mrw_result result = MRW_OK;
    for (uint32_t i = 0; i < desc->track_count && result == MRW_OK; i++) {
        result = check_keys(&desc->tracks[i], i, error);
    }
    for (uint32_t i = 0; i < desc->deform_track_count && result == MRW_OK; i++) {
        result = check_deform_keys(&desc->deform_tracks[i], i, error);
    }
    for (uint32_t i = 0; i < desc->event_count && result == MRW_OK; i++) {
        const mrw_event_desc* event = &desc->events[i];
        if (!is_finite(event->time) || (i > 0 && event->time < desc->events[i - 1].time)) {
            result = fail_at(error, MRW_BAD_VALUE, "events", i, "the events do not ascend in time");
        }
    }
    return result;
}
