#include "runtime/mixer.h"

#include "runtime/mix_deform.h"

#include <string.h>

void mrwi_mixer_init(mrwi_mixer* mixer)
{
    *mixer = (mrwi_mixer) { .main.clip = -1, .fade.outgoing.clip = -1, .moved = true };
}

void mrwi_mixer_release(mrw_context* context, mrwi_mixer* mixer)
{
    mrwi_player_release(context, &mixer->main);
    mrwi_fade_release(context, &mixer->fade);
    for (uint32_t i = 0; i < mixer->layer_count; i++) {
        mrwi_layer_release(context, &mixer->layers[i]);
    }
    mrwi_release(context, mixer->layers, mixer->layer_capacity, sizeof *mixer->layers);
    mrwi_release(context, mixer->parts, mixer->part_capacity, sizeof *mixer->parts);
    *mixer = (mrwi_mixer) { .main.clip = -1, .fade.outgoing.clip = -1 };
}

mrw_result mrwi_mixer_grow(const mrwi_subject* subject, mrwi_mixer* mixer, uint32_t node_stride)
{
    mrw_result result = MRW_OK;
    if (mixer->fade.is_live) {
        result = mrwi_fade_reserve(subject->context, &mixer->fade, node_stride, subject->state->part_count);
    }
    for (uint32_t i = 0; i < mixer->layer_count && result == MRW_OK; i++) {
        mrwi_layer* layer = &mixer->layers[i];
        result = mrwi_layer_reserve(subject, layer, mrwi_player_clip(&layer->player, subject->model), node_stride);
    }
    return result;
}

mrw_result mrwi_mixer_reserve_parts(const mrwi_subject* subject, mrwi_mixer* mixer, const mrwi_clip* clip)
{
    uint32_t count = subject->state->part_count;
    if ((clip != NULL && !clip->drives_parts) || count <= mixer->part_capacity) {
        return MRW_OK;
    }
    mrwi_part_base* parts = mrwi_reallocate(subject->context, mixer->parts, mixer->part_capacity, count, sizeof *parts);
    if (parts == NULL) {
        return MRW_NO_MEMORY;
    }
    mixer->parts = parts;
    mixer->part_capacity = count;
    return MRW_OK;
}

/// Room for the clips in play as they are now: enough already unless one was replaced.
static mrw_result reserve_all(const mrwi_subject* subject, mrwi_mixer* mixer)
{
    mrwi_player* players[2] = { &mixer->main, &mixer->fade.outgoing };
    mrw_result result = MRW_OK;
    for (int i = 0; i < 2 && result == MRW_OK; i++) {
        const mrwi_clip* clip = mrwi_player_clip(players[i], subject->model);
        if (clip != NULL) {
            result = mrwi_player_reserve(subject, players[i], clip);
            result = result == MRW_OK ? mrwi_mixer_reserve_parts(subject, mixer, clip) : result;
        }
    }
    for (uint32_t i = 0; i < mixer->layer_count && result == MRW_OK; i++) {
        const mrwi_clip* clip = mrwi_player_clip(&mixer->layers[i].player, subject->model);
        result = mrwi_layer_reserve(subject, &mixer->layers[i], clip, subject->state->node_stride);
        result = result == MRW_OK ? mrwi_mixer_reserve_parts(subject, mixer, clip) : result;
    }
    return result;
}

mrw_result mrwi_mixer_rebind(const mrwi_subject* subject, mrwi_mixer* mixer)
{
    mrw_result result = reserve_all(subject, mixer);
    if (result != MRW_OK) {
        return result;
    }
    mrwi_player_bind(subject, &mixer->main);
    mrwi_player_bind(subject, &mixer->fade.outgoing);
    for (uint32_t i = 0; i < mixer->layer_count; i++) {
        mrwi_layer_bind(subject, &mixer->layers[i]);
    }
    mixer->moved = true;
    mixer->held = NULL;
    return MRW_OK;
}

bool mrwi_mixer_next_event(const mrwi_mixer* mixer, const mrwi_model* model, mrwi_event_cursor* cursor, mrw_event* out)
{
    for (; cursor->player <= mixer->layer_count; *cursor = (mrwi_event_cursor) { .player = cursor->player + 1 }) {
        bool is_main = cursor->player == 0;
        const mrwi_crossing* crossing = is_main ? &mixer->crossing : &mixer->layers[cursor->player - 1].crossing;
        out->layer = (int32_t)cursor->player - 1;
        if (crossing->is_live && mrwi_crossing_next(crossing, model->clips[crossing->clip], cursor, out)) {
            return true;
        }
    }
    return false;
}

void mrwi_mixer_publish(const mrwi_mixer* mixer, const mrwi_model* model, mrw_instance_state* state)
{
    mrwi_event_cursor ahead = mixer->cursor;
    mrw_event event = { 0 };
    state->time = mixer->main.clip < 0 ? 0.0 : mixer->main.time;
    state->clip = mixer->main.clip;
    state->playing = mixer->main.clip >= 0 && !mixer->paused && !mixer->main.ended ? 1 : 0;
    state->event_pending = model != NULL && mrwi_mixer_next_event(mixer, model, &ahead, &event) ? 1 : 0;
}

static bool advance_fade(mrwi_fade* fade, const mrwi_model* model, double dt)
{
    if (!fade->is_live) {
        return false;
    }
    fade->elapsed += dt;
    if (fade->elapsed >= fade->duration) {
        mrwi_fade_stop(fade);
        return true;
    }
    const mrwi_clip* outgoing = mrwi_player_clip(&fade->outgoing, model);
    mrwi_crossing unused;
    bool moves = outgoing != NULL && mrwi_player_advance(&fade->outgoing, outgoing, dt, &unused);
    return moves || dt > 0.0;
}

bool mrwi_mixer_advance(mrwi_mixer* mixer, const mrwi_model* model, mrw_instance_state* state, double dt)
{
    bool had_events = state->event_pending != 0;
    if (mixer->main.clip < 0 && mixer->layer_count == 0 && !mixer->crossing.is_live && !had_events) {
        return mixer->moved; // nothing plays, and nothing did in the last update
    }
    mixer->cursor = (mrwi_event_cursor) { 0 };
    mixer->crossing.is_live = false;
    for (uint32_t i = 0; i < mixer->layer_count; i++) {
        mixer->layers[i].crossing.is_live = false;
    }
    if (model == NULL || mixer->paused) {
        state->event_pending = 0;
        return mixer->moved;
    }
    const mrwi_clip* clip = mrwi_player_clip(&mixer->main, model);
    bool moves = false;
    if (clip != NULL) {
        moves = mrwi_player_advance(&mixer->main, clip, dt, &mixer->crossing);
        state->clip_version += mixer->crossing.wraps > 0 || mixer->crossing.ends ? 1 : 0;
        moves = advance_fade(&mixer->fade, model, dt) || moves;
    }
    for (uint32_t i = 0; i < mixer->layer_count; i++) {
        mrwi_layer* layer = &mixer->layers[i];
        const mrwi_clip* layer_clip = mrwi_player_clip(&layer->player, model);
        moves = mrwi_player_advance(&layer->player, layer_clip, dt, &layer->crossing) || moves;
    }
    mixer->moved = mixer->moved || moves;
    if (clip != NULL || mixer->layer_count > 0 || had_events) {
        mrwi_mixer_publish(mixer, model, state);
    }
    return mixer->moved;
}

/// Returns whether there is any.
static bool apply_overrides(const mrw_instance_state* state)
{
    bool any = false;
    float* local = (float*)state->local;
    for (uint32_t node = 0; node < state->node_count; node++) {
        // Overrides are rare, so eight nodes without are passed at once.
        uint64_t eight = 1;
        if (node + 8 <= state->node_count) {
            memcpy(&eight, &state->override_mask[node], sizeof eight);
        }
        if (eight == 0) {
            node += 7;
            continue;
        }
        any = any || state->override_mask[node] != 0;
        for (uint32_t bits = state->override_mask[node], field = 0; bits != 0 && field < MRW_FIELD_COUNT; bits >>= 1, field++) {
            if ((bits & 1) != 0) {
                local[field * state->node_stride + node] = state->override_values[field * state->node_stride + node];
            }
        }
    }
    return any;
}

/// Part states from what was computed; `parts` is base where no clip drives one.
static bool show_parts(const mrwi_subject* subject, const mrwi_part_base* parts)
{
    bool changes = false;
    for (uint32_t i = 0; i < subject->state->part_count; i++) {
        mrw_part_state* shown = &subject->part_states[i];
        if (shown->visible != parts[i].visible || shown->color != parts[i].color
            || memcmp(&shown->opacity, &parts[i].opacity, sizeof(float)) != 0) {
            shown->visible = parts[i].visible;
            shown->color = parts[i].color;
            shown->opacity = parts[i].opacity;
            changes = true;
        }
    }
    return changes;
}

uint32_t mrwi_mixer_apply(const mrwi_subject* subject, mrwi_mixer* mixer)
{
    mrw_instance_state* state = subject->state;
    mrw_view_fields view;
    const mrwi_sink sink = { (float*)state->local, state->node_stride, mixer->parts, &view };
    const mrwi_clip* clip = mrwi_player_clip(&mixer->main, subject->model);
    const bool is_alone = !mixer->fade.is_live && mixer->layer_count == 0;
    bool sound = mrwi_fade_apply(subject, &mixer->fade, &mixer->main, &sink, is_alone && mixer->held == clip && state->dirty == 0);
    mixer->held = is_alone ? clip : NULL;
    for (uint32_t i = 0; i < mixer->layer_count; i++) {
        mrwi_layer_apply(subject, &mixer->layers[i], &sink);
    }
    sound = !apply_overrides(state) && sound;
    mrwi_mix_deforms(subject, &mixer->main, mixer->layers, mixer->layer_count);
    mixer->moved = false;
    state->dirty = 0;
    uint32_t changes = sound ? 0 : 4;
    changes |= show_parts(subject, mixer->parts != NULL ? mixer->parts : subject->part_bases) ? 1 : 0;
    if (memcmp(&state->shown, &view, sizeof view) != 0) {
        state->shown = view;
        changes |= 2;
    }
    return changes;
}

static mrw_result make_players(const mrwi_subject* subject, const mrwi_mixer_args* args, mrwi_mixer* out)
{
    const mrwi_clip* clip = mrwi_player_clip(&args->main, subject->model);
    mrw_result result = MRW_OK;
    if (clip != NULL) {
        mrwi_player_follow(&out->main, clip, &args->main);
        result = mrwi_player_reserve(subject, &out->main, clip);
        result = result == MRW_OK ? mrwi_mixer_reserve_parts(subject, out, clip) : result;
    }
    if (result == MRW_OK && args->fade != NULL) {
        result = mrwi_fade_copy(subject, args->fade, &out->fade);
        // The outgoing clip, or the clips behind a snapshot, may drive parts.
        result = result == MRW_OK ? mrwi_mixer_reserve_parts(subject, out, NULL) : result;
    }
    return result;
}

static mrw_result make_layers(const mrwi_subject* subject, const mrwi_mixer_args* args, mrwi_mixer* out)
{
    mrw_result result = MRW_OK;
    if (args->layer_count > 0) {
        out->layers = mrwi_allocate(subject->context, args->layer_count, sizeof *out->layers);
        out->layer_capacity = out->layers == NULL ? 0 : args->layer_count;
        result = out->layers == NULL ? MRW_NO_MEMORY : MRW_OK;
    }
    for (uint32_t i = 0; i < args->layer_count && result == MRW_OK; i++) {
        result = mrwi_mixer_reserve_parts(subject, out, mrwi_player_clip(&args->layers[i].player, subject->model));
        result = result == MRW_OK ? mrwi_layer_make(subject, &args->layers[i], &out->layers[i]) : result;
        out->layer_count += result == MRW_OK ? 1 : 0;
    }
    return result;
}

mrw_result mrwi_mixer_make(const mrwi_subject* subject, const mrwi_mixer_args* args, mrwi_mixer* out)
{
    *out = (mrwi_mixer) { .main.clip = -1, .fade.outgoing.clip = -1, .paused = args->paused, .moved = true };
    mrw_result result = make_players(subject, args, out);
    if (result == MRW_OK) {
        result = make_layers(subject, args, out);
    }
    if (result != MRW_OK) {
        mrwi_mixer_release(subject->context, out);
        return result;
    }
    mrwi_player_bind(subject, &out->main);
    mrwi_player_bind(subject, &out->fade.outgoing);
    return MRW_OK;
}

void mrwi_mixer_replace(const mrwi_subject* subject, mrwi_mixer* mixer, const mrwi_mixer* next)
{
    mrwi_mixer_release(subject->context, mixer);
    *mixer = *next;
    subject->state->clip_version++;
    mrwi_mixer_publish(mixer, subject->model, subject->state);
}
