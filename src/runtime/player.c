#include "runtime/player.h"

#include "math/trig.h"
#include "runtime/pose.h"

#include <float.h>
#include <math.h>
#include <string.h>

mrw_result mrwi_clip_values_reserve(mrw_context* context, mrwi_clip_values* values, uint32_t channel_count)
{
    if (values->main == NULL || channel_count > values->capacity) { // a clip may have no channels
        float* grown = mrwi_reallocate(context, values->main, values->capacity, channel_count, 2 * sizeof *grown);
        if (grown == NULL) {
            return MRW_NO_MEMORY;
        }
        *values = (mrwi_clip_values) { grown, grown + channel_count, channel_count };
    }
    return MRW_OK;
}

void mrwi_clip_values_release(mrw_context* context, mrwi_clip_values* values)
{
    mrwi_release(context, values->main, values->capacity, 2 * sizeof *values->main);
    *values = (mrwi_clip_values) { 0 };
}

const mrwi_clip* mrwi_player_clip(const mrwi_player* player, const mrwi_model* model)
{
    return player->clip < 0 || model == NULL ? NULL : model->clips[player->clip];
}

/// Tracks that have a channel come first.
static uint32_t driven_count(const mrwi_clip* clip)
{
    return clip->number_count + clip->color_count + clip->discrete_count;
}

mrw_result mrwi_player_reserve(const mrwi_subject* subject, mrwi_player* player, const mrwi_clip* clip)
{
    mrw_context* context = subject->context;
    // Evaluation writes four values at once.
    uint32_t channels = (clip->channels.count + 3) / 4 * 4;
    uint32_t tracks = driven_count(clip);
    if (mrwi_clip_values_reserve(context, subject->values, channels) != MRW_OK) {
        return MRW_NO_MEMORY;
    }
    if (channels > player->channel_capacity) {
        mrwi_cursor* cursors = mrwi_allocate(context, mrwi_cursor_count(channels), sizeof *cursors);
        if (cursors == NULL) {
            return MRW_NO_MEMORY;
        }
        mrwi_release(context, player->cursors, mrwi_cursor_count(player->channel_capacity), sizeof *cursors);
        player->cursors = cursors;
        player->channel_capacity = channels;
    }
    if (tracks > player->track_capacity) {
        int32_t* targets = mrwi_reallocate(context, player->targets, player->track_capacity, tracks, sizeof *targets);
        if (targets == NULL) {
            return MRW_NO_MEMORY;
        }
        player->targets = targets;
        player->track_capacity = tracks;
    }
    return MRW_OK;
}

void mrwi_player_release(mrw_context* context, mrwi_player* player)
{
    mrwi_release(context, player->cursors, mrwi_cursor_count(player->channel_capacity), sizeof *player->cursors);
    mrwi_release(context, player->targets, player->track_capacity, sizeof *player->targets);
    *player = (mrwi_player) { .clip = -1 };
}

void mrwi_player_start(mrwi_player* player, uint32_t clip, float speed, bool once, double time)
{
    player->clip = (int32_t)clip;
    player->time = time;
    player->speed = speed;
    player->once = once;
    player->ended = false;
    player->fresh = true;
}

void mrwi_player_follow(mrwi_player* player, const mrwi_clip* clip, const mrwi_player* other)
{
    mrwi_player_start(player, (uint32_t)other->clip, other->speed, other->once, mrwi_player_clip_time(clip, other->once, other->time));
    player->ended = other->ended;
    player->fresh = other->fresh;
}

void mrwi_player_bind(const mrwi_subject* subject, mrwi_player* player)
{
    const mrwi_clip* clip = mrwi_player_clip(player, subject->model);
    if (clip == NULL) {
        return;
    }
    player->untouched = subject->tree->untouched;
    for (uint32_t i = 0; i < driven_count(clip); i++) {
        const mrwi_track* track = &clip->tracks[i];
        int32_t target = track->target_index;
        if (track->target == MRWI_TARGET_NODE) {
            int32_t node = subject->tree->untouched ? target : mrwi_tree_find_path(subject->tree, subject->model, track->path);
            target = node < 0 ? -1 : 8 * node + track->target_field;
        } else if (track->target == MRWI_TARGET_VIEW) {
            target = 0;
        }
        player->targets[i] = target;
    }
    // A replaced clip may be shorter.
    player->time = mrwi_player_clip_time(clip, player->once, player->time);
    if (clip->channels.count > 0) {
        memset(player->cursors, 0, mrwi_cursor_count(clip->channels.count) * sizeof *player->cursors);
    }
}

bool mrwi_player_evaluate(mrwi_player* player, const mrwi_clip* clip, float* values)
{
    player->values = values;
    return mrwi_clip_evaluate(clip, player->time, player->cursors, values);
}

double mrwi_player_clip_time(const mrwi_clip* clip, bool once, double time)
{
    bool is_inside = time >= 0.0 && time <= clip->duration;
    return is_inside ? time : mrw_curve_advance(0.0, time, clip->duration, !once);
}

/// x wrapped into the duration, and how often it was wrapped. Backwards, a time that rounds to the duration stays there: it has
/// passed the start, but not yet the end.
static double wrap(double x, double duration, uint64_t* out_wraps)
{
    double rest = mrwi_fmod(x, duration);
    if (rest < 0.0) {
        rest += duration;
    }
    *out_wraps = (uint64_t)rint(fabs(x - rest) / duration);
    return rest + 0.0;
}

/// The end of a step to `x` that no clip's end stops.
static void advance_looping(mrwi_player* player, double duration, double x, mrwi_crossing* out)
{
    bool is_inside = out->backward ? x >= 0.0 : x < duration;
    player->time = is_inside ? x : wrap(x, duration, &out->wraps);
}

static void advance_once(mrwi_player* player, double duration, double x, mrwi_crossing* out)
{
    bool arrives = out->backward ? x <= 0.0 : x >= duration;
    player->time = arrives ? (out->backward ? 0.0 : duration) : x;
    out->ends = arrives && !player->ended;
    player->ended = arrives;
}

bool mrwi_player_advance(mrwi_player* player, const mrwi_clip* clip, double dt, mrwi_crossing* out)
{
    double duration = clip->duration;
    double step = dt * (double)player->speed;
    *out = (mrwi_crossing) { .backward = step < 0.0, .clip = player->clip, .from = player->time, .to = player->time };
    out->starts = player->fresh && player->time == 0.0 && player->speed >= 0.0f;
    player->fresh = false;
    if (step != 0.0) {
        // More than 2^52 loops in one step count as 2^52; a step of no finite length is one too.
        double longest = duration > 0.0 ? duration * 0x1p52 : 1.0;
        step = step > longest ? longest : (step < -longest ? -longest : step);
        double x = player->time + step;
        if (player->once) {
            advance_once(player, duration, x, out);
        } else if (duration > 0.0) {
            advance_looping(player, duration, x, out);
        }
        out->to = player->time;
    }
    out->is_live = out->starts || out->ends || out->wraps > 0 || out->from != out->to;
    return out->wraps > 0 || out->from != out->to;
}
