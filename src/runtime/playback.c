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

/// The fields as they are seen now, before layers and overrides, become what the next fade comes from.
static mrw_result see(mrwi_instance* instance)
{
    mrwi_fade* fade = &instance->mixer.fade;
    mrwi_seen seen;
    mrw_result result = mrwi_seen_make(instance->context, instance->state.node_stride, instance->state.part_count, &seen);
    if (result != MRW_OK) {
        return result;
    }
    const mrwi_sink sink = mrwi_seen_sink(&seen);
    const mrwi_subject subject = mrwi_instance_subject(instance);
    mrwi_fade_apply(&subject, fade, &instance->mixer.main, &sink, false);
    for (uint32_t i = 0; i < fade->from.node_capacity; i++) {
        fade->from.nodes[i] |= fade->to.nodes[i];
    }
    for (uint32_t i = 0; i < fade->from.part_capacity; i++) {
        fade->from.parts[i] |= fade->to.parts[i];
    }
    fade->from.view |= fade->to.view;
    mrwi_seen_release(instance->context, &fade->seen);
    fade->seen = seen;
    fade->from_seen = true;
    fade->outgoing.clip = -1;
    return MRW_OK;
}

/// Room for everything that starting `clip` in `player` needs.
static mrw_result reserve(mrwi_instance* instance, mrwi_player* player, const mrwi_clip* clip, bool fades)
{
    mrwi_mixer* mixer = &instance->mixer;
    const mrwi_subject subject = mrwi_instance_subject(instance);
    mrw_result result = mrwi_player_reserve(&subject, player, clip);
    if (result == MRW_OK) {
        result = mrwi_mixer_reserve_parts(&subject, mixer, clip);
    }
    if (result == MRW_OK && fades) {
        result = mrwi_fade_reserve(instance->context, &mixer->fade, instance->state.node_stride, instance->state.part_count);
    }
    return result;
}

/// Makes the running main clip, a snapshot of an interrupted fade, or base what the next clip fades from.
static mrw_result start_fade(mrwi_instance* instance, const mrwi_clip* clip, const mrw_play_options* options)
{
    mrwi_mixer* mixer = &instance->mixer;
    mrwi_fade* fade = &mixer->fade;
    bool hands_over = mixer->main.clip >= 0 && !fade->is_live;
    mrw_result result = reserve(instance, hands_over ? &fade->outgoing : &mixer->main, clip, true);
    if (result == MRW_OK && fade->is_live) {
        result = see(instance);
    }
    if (result != MRW_OK) {
        return result;
    }
    if (hands_over) {
        mrwi_player next = fade->outgoing;
        fade->outgoing = mixer->main;
        mixer->main = next;
        fade->from_seen = false;
    } else if (!fade->is_live) {
        mrwi_fade_from_base(fade);
    }
    fade->is_live = true;
    fade->one_sided_full = options->one_sided_full;
    fade->duration = (double)options->fade;
    fade->elapsed = 0.0;
    return MRW_OK;
}

static mrw_result play(mrwi_instance* instance, uint32_t index, const mrw_play_options* options)
{
    mrwi_mixer* mixer = &instance->mixer;
    const mrwi_clip* clip = instance->model->clips[index];
    float speed = options->speed == 0.0f ? 1.0f : options->speed;
    bool keeps_time = options->keep_time && mixer->main.clip >= 0;
    double time = keeps_time ? mixer->main.time : (speed < 0.0f ? clip->duration : 0.0);
    if (options->fade > 0.0f) {
        mrw_result result = start_fade(instance, clip, options);
        if (result != MRW_OK) {
            return result;
        }
    } else {
        mrw_result result = reserve(instance, &mixer->main, clip, false);
        if (result != MRW_OK) {
            return result;
        }
        mrwi_fade_stop(&mixer->fade);
    }
    mrwi_player_start(&mixer->main, index, speed, options->once, mrwi_player_clip_time(clip, options->once, time));
    const mrwi_subject subject = mrwi_instance_subject(instance);
    mrwi_player_bind(&subject, &mixer->main);
    mixer->paused = false;
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
    return (*out)->mixer.main.clip < 0 ? MRW_NOT_FOUND : MRW_OK;
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
    mrwi_player* player = &instance->mixer.main;
    player->time = mrwi_player_clip_time(mrwi_player_clip(player, instance->model), player->once, time);
    player->ended = false;
    player->fresh = false;
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
    instance->mixer.main.speed = speed;
    return MRW_OK;
}

MRW_API mrw_result mrw_instance_stop(mrw_context* context, mrw_instance_id id)
{
    mrwi_instance* instance = mrwi_instance_get(context, id);
    if (instance == NULL) {
        return MRW_STALE;
    }
    mrwi_mixer* mixer = &instance->mixer;
    instance->state.clip_version += mixer->main.clip >= 0 ? 1 : 0;
    mixer->main.clip = -1;
    mrwi_fade_stop(&mixer->fade);
    mixer->paused = false;
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
