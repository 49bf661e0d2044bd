#include "runtime/player.h"

#include "math/trig.h"
#include "runtime/pose.h"

#include <float.h>
#include <math.h>
#include <string.h>

void mrwi_clip_values_release(mrw_context* context, mrwi_clip_values* values)
{
    mrwi_release(context, values->channels, values->channel_capacity, 2 * sizeof *values->channels);
    mrwi_release(context, values->parts, values->part_capacity, sizeof *values->parts);
    mrwi_release(context, values->marks, values->mark_capacity, 2);
    *values = (mrwi_clip_values) { 0 };
}

const mrwi_clip* mrwi_player_clip(const mrwi_player* player, const mrwi_model* model)
{
    return player->at.clip < 0 || model == NULL ? NULL : model->clips[player->at.clip];
}

int32_t* mrwi_player_targets(const mrwi_player* player, const mrwi_clip* clip)
{
    return (int32_t*)(void*)(player->cursors + mrwi_cursor_count(clip->channels.count));
}

mrw_result mrwi_player_reserve(const mrwi_subject* subject, mrwi_player* player, const mrwi_clip* clip)
{
    mrw_context* context = subject->context;
    mrwi_clip_values* values = subject->values;
    const bool has_room
        = mrwi_grow(context, &values->channels, &values->channel_capacity, mrwi_channel_room(clip), 2 * sizeof *values->channels)
        && mrwi_grow(context, &values->parts, &values->part_capacity, subject->state->part_count, sizeof *values->parts)
        && mrwi_grow(context, &player->cursors, &player->capacity, mrwi_cursor_count(clip->channels.count) + mrwi_driven_count(clip),
            sizeof *player->cursors);
    return has_room ? MRW_OK : MRW_NO_MEMORY;
}

void mrwi_player_release(mrw_context* context, mrwi_player* player)
{
    mrwi_release(context, player->cursors, player->capacity, sizeof *player->cursors);
    *player = (mrwi_player) { .at.clip = -1 };
}

mrwi_playhead mrwi_playhead_of(const mrwi_clip* clip, uint32_t index, float speed, bool once)
{
    speed = speed == 0.0f ? 1.0f : speed;
    return (mrwi_playhead) { speed < 0.0f ? clip->duration : 0.0, (int32_t)index, speed, once, .fresh = true };
}

void mrwi_player_bind(const mrwi_subject* subject, mrwi_player* player)
{
    const mrwi_clip* clip = mrwi_player_clip(player, subject->model);
    if (clip == NULL) {
        return;
    }
    player->untouched = subject->tree->untouched;
    int32_t* targets = mrwi_player_targets(player, clip);
    for (uint32_t i = 0; i < mrwi_driven_count(clip); i++) {
        const mrwi_track* track = &clip->tracks[i];
        int32_t entry = track->target_index;
        if (track->target == MRWI_TARGET_VIEW) {
            entry = 0;
        } else if (track->target == MRWI_TARGET_PART) {
            entry++;
        } else {
            entry = player->untouched ? entry : mrwi_tree_find_path(subject->tree, subject->model, track->path);
            entry = entry < 0 ? -1 : entry + (int32_t)mrwi_first_node_entry(subject->state->part_count);
        }
        targets[i] = entry < 0 ? -1 : 8 * entry + track->target_field;
    }
    // A replaced clip may be shorter.
    player->at.time = mrwi_player_clip_time(clip, player->at.once, player->at.time);
    memset(player->cursors, 0, mrwi_cursor_count(clip->channels.count) * sizeof *player->cursors);
}

bool mrwi_player_evaluate(mrwi_player* player, const mrwi_clip* clip, float* values)
{
    player->values = values;
    return mrwi_clip_evaluate(clip, player->at.time, player->cursors, values);
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
    player->at.time = is_inside ? x : wrap(x, duration, &out->wraps);
}

static void advance_once(mrwi_player* player, double duration, double x, mrwi_crossing* out)
{
    bool arrives = out->backward ? x <= 0.0 : x >= duration;
    player->at.time = arrives ? (out->backward ? 0.0 : duration) : x;
    out->ends = arrives && !player->at.ended;
    player->at.ended = arrives;
}

bool mrwi_player_advance(mrwi_player* player, const mrwi_clip* clip, double dt, mrwi_crossing* out)
{
    double duration = clip->duration;
    double step = dt * (double)player->at.speed;
    *out = (mrwi_crossing) { .backward = step < 0.0, .clip = player->at.clip, .from = player->at.time, .to = player->at.time };
    out->starts = player->at.fresh && player->at.time == 0.0 && player->at.speed >= 0.0f;
    player->at.fresh = false;
    if (step != 0.0) {
        // More than 2^52 loops in one step count as 2^52; a step of no finite length is one too.
        double longest = duration > 0.0 ? duration * 0x1p52 : 1.0;
        step = step > longest ? longest : (step < -longest ? -longest : step);
        double x = player->at.time + step;
        if (player->at.once) {
            advance_once(player, duration, x, out);
        } else if (duration > 0.0) {
            advance_looping(player, duration, x, out);
        }
        out->to = player->at.time;
    }
    out->is_live = out->starts || out->ends || out->wraps > 0 || out->from != out->to;
    return out->wraps > 0 || out->from != out->to;
}
