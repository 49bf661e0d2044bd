// The calls that start, steer and stop clips, and hand out what they crossed.
#include "runtime/world.h"

static bool is_finite(double value)
{
    return value - value == 0.0;
}

static void publish(mrwi_instance* instance)
{
    mrwi_mixer_publish(&instance->mixer, instance->model, &instance->state);
}

/// Makes the running main clip, what an interrupted fade shows, or base what the next clip fades from.
static mrw_result start_fade(const mrwi_subject* subject, mrwi_mixer* mixer, const mrwi_clip* clip, const mrw_play_options* options)
{
    mrwi_fade* fade = &mixer->fade;
    bool is_live = mrwi_fade_is_live(fade);
    bool hands_over = mixer->main.at.clip >= 0 && !is_live;
    mrw_result result = mrwi_player_reserve(subject, hands_over ? &fade->outgoing : &mixer->main, clip);
    if (result == MRW_OK) {
        result = mrwi_fade_reserve(subject, subject->state->node_stride);
    }
    if (result == MRW_OK && is_live) {
        result = mrwi_fade_see(subject, fade, &mixer->main);
    }
    if (result != MRW_OK) {
        return result;
    }
    if (!is_live) {
        mrwi_seen_release(subject->context, &fade->seen);
    }
    if (hands_over) {
        mrwi_player next = fade->outgoing;
        fade->outgoing = mixer->main;
        mixer->main = next;
    }
    fade->one_sided_full = options->one_sided_full;
    fade->duration = (double)options->fade;
    fade->elapsed = 0.0;
    return MRW_OK;
}

static mrw_result play(mrwi_instance* instance, uint32_t index, const mrw_play_options* options)
{
    mrwi_mixer* mixer = &instance->mixer;
    const mrwi_subject subject = mrwi_instance_subject(instance);
    const mrwi_clip* clip = instance->model->clips[index];
    mrwi_playhead start = mrwi_playhead_of(clip, index, options->speed, options->once);
    if (options->keep_time && mixer->main.at.clip >= 0) {
        start.time = mixer->main.at.time;
    }
    bool fades = options->fade > 0.0f;
    mrw_result result = fades ? start_fade(&subject, mixer, clip, options) : mrwi_player_reserve(&subject, &mixer->main, clip);
    if (result != MRW_OK) {
        return result;
    }
    if (!fades) {
        mrwi_fade_stop(&mixer->fade);
    }
    mixer->main.at = start;
    mrwi_player_bind(&subject, &mixer->main);
    mixer->paused = 0;
    mixer->moved = true;
    instance->state.clip_version++;
    publish(instance);
    return MRW_OK;
}

MRW_API mrw_result mrw_instance_play(mrw_context* context, mrw_instance_id id, uint32_t clip, const mrw_play_options* options)
{
    mrwi_instance* instance = mrwi_instance_get(context, id);
    const mrw_play_options defaults = { 0 };
    options = options == NULL ? &defaults : options;
    if (instance == NULL) {
        return MRW_STALE;
    }
    if (instance->model == NULL || clip >= instance->model->clip_count) {
        return MRW_BAD_INDEX;
    }
    if (!is_finite((double)options->speed) || !is_finite((double)options->fade) || options->fade < 0.0f) {
        return MRW_BAD_ARGUMENT;
    }
    return play(instance, clip, options);
}

/// The instance, whose main clip plays, or the reason why not.
static mrw_result find_playing(const mrw_context* context, mrw_instance_id id, mrwi_instance** out)
{
    *out = mrwi_instance_get(context, id);
    if (*out == NULL) {
        return MRW_STALE;
    }
    return (*out)->mixer.main.at.clip < 0 ? MRW_NOT_FOUND : MRW_OK;
}

MRW_API mrw_result mrw_instance_seek(mrw_context* context, mrw_instance_id id, double time)
{
    mrwi_instance* instance = NULL;
    mrw_result result = find_playing(context, id, &instance);
    if (result != MRW_OK) {
        return result;
    }
    if (!is_finite(time)) {
        return MRW_BAD_ARGUMENT;
    }
    mrwi_playhead* at = &instance->mixer.main.at;
    at->time = mrwi_player_clip_time(instance->model->clips[at->clip], at->once, time);
    at->ended = false;
    at->fresh = false;
    instance->mixer.moved = true;
    publish(instance);
    return MRW_OK;
}

MRW_API mrw_result mrw_instance_pause(mrw_context* context, mrw_instance_id id, bool paused)
{
    mrwi_instance* instance = mrwi_instance_get(context, id);
    if (instance == NULL) {
        return MRW_STALE;
    }
    instance->mixer.paused = paused;
    publish(instance);
    return MRW_OK;
}

MRW_API mrw_result mrw_instance_set_speed(mrw_context* context, mrw_instance_id id, float speed)
{
    mrwi_instance* instance = NULL;
    mrw_result result = find_playing(context, id, &instance);
    if (result != MRW_OK) {
        return result;
    }
    if (!is_finite((double)speed)) {
        return MRW_BAD_ARGUMENT;
    }
    instance->mixer.main.at.speed = speed;
    return MRW_OK;
}

MRW_API mrw_result mrw_instance_stop(mrw_context* context, mrw_instance_id id)
{
    mrwi_instance* instance = mrwi_instance_get(context, id);
    if (instance == NULL) {
        return MRW_STALE;
    }
    mrwi_mixer* mixer = &instance->mixer;
    instance->state.clip_version += mixer->main.at.clip >= 0 ? 1 : 0;
    mixer->main.at = (mrwi_playhead) { .clip = -1 };
    mrwi_fade_stop(&mixer->fade);
    mixer->paused = 0;
    mixer->moved = true;
    publish(instance);
    return MRW_OK;
}

MRW_API mrw_result mrw_instance_next_event(mrw_context* context, mrw_instance_id id, mrw_event* out)
{
    mrwi_instance* instance = mrwi_instance_get(context, id);
    if (instance == NULL) {
        return MRW_STALE;
    }
    mrw_event event = { 0 };
    if (instance->model == NULL || !mrwi_mixer_next_event(&instance->mixer, instance->model, &instance->mixer.cursor, &event)) {
        return MRW_NOT_FOUND;
    }
    *out = event;
    mrwi_event_cursor ahead = instance->mixer.cursor;
    instance->state.event_pending = mrwi_mixer_next_event(&instance->mixer, instance->model, &ahead, &event) ? 1 : 0;
    return MRW_OK;
}
