#include "runtime/mixer.h"

#include "runtime/mix_deform.h"

#include <string.h>

void mrwi_mixer_init(mrwi_mixer* mixer)
{
    *mixer = (mrwi_mixer) { .main.at.clip = -1, .fade.outgoing.at.clip = -1, .moved = true };
}

void mrwi_mixer_release(mrw_context* context, mrwi_mixer* mixer)
{
    mrwi_player_release(context, &mixer->main);
    mrwi_fade_release(context, &mixer->fade);
    for (uint32_t i = 0; i < mixer->layer_count; i++) {
        mrwi_layer_release(context, &mixer->layers[i]);
    }
    mrwi_release(context, mixer->layers, mixer->layer_capacity, sizeof *mixer->layers);
    mrwi_mixer_init(mixer);
}

mrw_result mrwi_mixer_grow(const mrwi_subject* subject, mrwi_mixer* mixer, uint32_t node_stride)
{
    mrwi_player* players[] = { &mixer->main, &mixer->fade.outgoing };
    mrw_result result = mrwi_fade_is_live(&mixer->fade) ? mrwi_fade_reserve(subject, node_stride) : MRW_OK;
    for (uint32_t i = 0; i < 2 && result == MRW_OK; i++) {
        const mrwi_clip* clip = mrwi_player_clip(players[i], subject->model);
        result = clip == NULL ? MRW_OK : mrwi_player_reserve(subject, players[i], clip);
    }
    for (uint32_t i = 0; i < mixer->layer_count && result == MRW_OK; i++) {
        result = mrwi_layer_reserve(subject, &mixer->layers[i], node_stride);
    }
    return result;
}

mrw_result mrwi_mixer_rebind(const mrwi_subject* subject, mrwi_mixer* mixer)
{
    mrw_result result = mrwi_mixer_grow(subject, mixer, subject->state->node_stride);
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

mrw_result mrwi_mixer_put_layer(const mrwi_subject* subject, mrwi_mixer* mixer, uint32_t index, const mrwi_layer_args* args)
{
    mrwi_layer layer;
    mrw_result result = MRW_NO_MEMORY;
    if (mrwi_grow(subject->context, &mixer->layers, &mixer->layer_capacity, (size_t)index + 1, sizeof layer)) {
        result = mrwi_layer_make(subject, args, &layer);
    }
    if (result != MRW_OK) {
        return result;
    }
    if (index == mixer->layer_count) {
        mixer->layer_count++;
    } else {
        mrwi_layer_release(subject->context, &mixer->layers[index]);
    }
    mixer->layers[index] = layer;
    mixer->moved = true;
    return MRW_OK;
}

void mrwi_mixer_exchange(const mrwi_subject* subject, mrwi_mixer* mixer, mrwi_mixer* other)
{
    const mrwi_mixer before = *mixer;
    *mixer = *other;
    *other = before;
    subject->state->clip_version++;
    mrwi_mixer_publish(mixer, subject->model, subject->state);
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
    state->time = mixer->main.at.clip < 0 ? 0.0 : mixer->main.at.time;
    state->clip = mixer->main.at.clip;
    state->playing = mixer->main.at.clip >= 0 && mixer->paused == 0 && !mixer->main.at.ended ? 1 : 0;
    state->event_pending = model != NULL && mrwi_mixer_next_event(mixer, model, &ahead, &event) ? 1 : 0;
}

static bool advance_fade(mrwi_fade* fade, const mrwi_model* model, double dt)
{
    if (!mrwi_fade_is_live(fade)) {
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
    if (mixer->main.at.clip < 0 && mixer->layer_count == 0 && !mixer->crossing.is_live && !had_events) {
        return mixer->moved; // nothing plays, and nothing did in the last update
    }
    mixer->cursor = (mrwi_event_cursor) { 0 };
    mixer->crossing.is_live = false;
    for (uint32_t i = 0; i < mixer->layer_count; i++) {
        mixer->layers[i].crossing.is_live = false;
    }
    if (model == NULL || mixer->paused != 0) {
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
    const mrwi_clip* clip = mrwi_player_clip(&mixer->main, subject->model);
    const bool is_fading = mrwi_fade_is_live(&mixer->fade);
    const bool is_alone = !is_fading && mixer->layer_count == 0;
    bool drives_parts = is_fading || (clip != NULL && clip->drives_parts);
    for (uint32_t i = 0; i < mixer->layer_count; i++) {
        drives_parts |= mrwi_player_clip(&mixer->layers[i].player, subject->model)->drives_parts;
    }
    mrwi_part_base* parts = drives_parts ? subject->values->parts : NULL;
    const mrwi_sink sink = { (float*)state->local, state->node_stride, state->part_count, parts, &view };
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
    changes |= show_parts(subject, parts != NULL ? parts : subject->part_bases) ? 1 : 0;
    if (memcmp(&state->shown, &view, sizeof view) != 0) {
        state->shown = view;
        changes |= 2;
    }
    return changes;
}
