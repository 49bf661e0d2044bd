#include "runtime/mixer.h"

#include "runtime/instance.h"

#include <string.h>

void mrwi_mixer_init(mrwi_instance* instance)
{
    mrwi_mixer* mixer = &instance->mixer;
    *mixer = (mrwi_mixer) { .moved = true };
    mixer->main.clip = -1;
    mixer->fade.outgoing.clip = -1;
    mrwi_mixer_publish(instance);
}

void mrwi_mixer_discard(const mrwi_instance* instance, mrwi_mixer* mixer)
{
    mrwi_player_release(instance, &mixer->main);
    mrwi_fade_release(instance, &mixer->fade);
    for (uint32_t i = 0; i < mixer->layer_count; i++) {
        mrwi_layer_release(instance, &mixer->layers[i]);
    }
    mrwi_release(instance->context, mixer->layers, mixer->layer_capacity, sizeof *mixer->layers);
    mrwi_release(instance->context, mixer->parts, mixer->part_capacity, sizeof(mrwi_part_base));
    *mixer = (mrwi_mixer) { .main.clip = -1, .fade.outgoing.clip = -1 };
}

void mrwi_mixer_release(mrwi_instance* instance)
{
    mrwi_mixer_discard(instance, &instance->mixer);
}

mrw_result mrwi_mixer_grow(mrwi_instance* instance, uint32_t node_stride)
{
    mrwi_mixer* mixer = &instance->mixer;
    mrw_result result = MRW_OK;
    if (mixer->fade.is_live) {
        result = mrwi_fade_reserve(instance, &mixer->fade, node_stride, instance->state.part_count);
    }
    for (uint32_t i = 0; i < mixer->layer_count && result == MRW_OK; i++) {
        mrwi_layer* layer = &mixer->layers[i];
        result = mrwi_layer_reserve(instance, layer, mrwi_player_clip(instance, &layer->player), node_stride);
    }
    return result;
}

mrw_result mrwi_mixer_reserve_parts(mrwi_instance* instance, mrwi_mixer* mixer, const mrwi_clip* clip)
{
    uint32_t count = instance->state.part_count;
    if ((clip != NULL && !clip->drives_parts) || count <= mixer->part_capacity) {
        return MRW_OK;
    }
    mrwi_part_base* parts = mrwi_reallocate(instance->context, mixer->parts, mixer->part_capacity, count, sizeof *parts);
    if (parts == NULL) {
        return MRW_NO_MEMORY;
    }
    mixer->parts = parts;
    mixer->part_capacity = count;
    return MRW_OK;
}

/// Room for the clips in play as they are now: enough already unless one was replaced.
static mrw_result reserve_all(mrwi_instance* instance)
{
    mrwi_mixer* mixer = &instance->mixer;
    mrwi_player* players[2] = { &mixer->main, &mixer->fade.outgoing };
    mrw_result result = MRW_OK;
    for (int i = 0; i < 2 && result == MRW_OK; i++) {
        const mrwi_clip* clip = mrwi_player_clip(instance, players[i]);
        if (clip != NULL) {
            result = mrwi_player_reserve(instance, players[i], clip);
            result = result == MRW_OK ? mrwi_mixer_reserve_parts(instance, mixer, clip) : result;
        }
    }
    for (uint32_t i = 0; i < mixer->layer_count && result == MRW_OK; i++) {
        const mrwi_clip* clip = mrwi_player_clip(instance, &mixer->layers[i].player);
        result = mrwi_layer_reserve(instance, &mixer->layers[i], clip, instance->state.node_stride);
        result = result == MRW_OK ? mrwi_mixer_reserve_parts(instance, mixer, clip) : result;
    }
    return result;
}

mrw_result mrwi_mixer_rebind(mrwi_instance* instance)
{
    mrwi_mixer* mixer = &instance->mixer;
    mrw_result result = reserve_all(instance);
    if (result != MRW_OK) {
        return result;
    }
    mrwi_player_bind(instance, &mixer->main);
    mrwi_player_bind(instance, &mixer->fade.outgoing);
    for (uint32_t i = 0; i < mixer->layer_count; i++) {
        mrwi_layer_bind(instance, &mixer->layers[i]);
    }
    mixer->moved = true;
    mixer->held = NULL;
    return MRW_OK;
}

void mrwi_mixer_publish(mrwi_instance* instance)
{
    const mrwi_mixer* mixer = &instance->mixer;
    mrw_instance_state* state = &instance->state;
    mrwi_event_cursor ahead = mixer->cursor;
    mrw_event event = { 0 };
    state->time = mixer->main.clip < 0 ? 0.0 : mixer->main.time;
    state->clip = mixer->main.clip;
    state->playing = mixer->main.clip >= 0 && !mixer->paused && !mixer->main.ended ? 1 : 0;
    state->event_pending = instance->model != NULL && mrwi_events_next(instance, &ahead, &event) ? 1 : 0;
}

static bool advance_fade(mrwi_instance* instance, double dt)
{
    mrwi_fade* fade = &instance->mixer.fade;
    if (!fade->is_live) {
        return false;
    }
    fade->elapsed += dt;
    if (fade->elapsed >= fade->duration) {
        mrwi_fade_stop(fade);
        return true;
    }
    const mrwi_clip* outgoing = mrwi_player_clip(instance, &fade->outgoing);
    mrwi_crossing unused;
    bool moves = outgoing != NULL && mrwi_player_advance(&fade->outgoing, outgoing, dt, &unused);
    return moves || dt > 0.0;
}

bool mrwi_mixer_advance(mrwi_instance* instance, double dt)
{
    mrwi_mixer* mixer = &instance->mixer;
    bool had_events = instance->state.event_pending != 0;
    mixer->cursor = (mrwi_event_cursor) { 0 };
    mixer->crossing.is_live = false;
    for (uint32_t i = 0; i < mixer->layer_count; i++) {
        mixer->layers[i].crossing.is_live = false;
    }
    if (instance->model == NULL || mixer->paused) {
        instance->state.event_pending = 0;
        return mixer->moved;
    }
    const mrwi_clip* clip = mrwi_player_clip(instance, &mixer->main);
    bool moves = false;
    if (clip != NULL) {
        moves = mrwi_player_advance(&mixer->main, clip, dt, &mixer->crossing);
        instance->state.clip_version += mixer->crossing.wraps > 0 || mixer->crossing.ends ? 1 : 0;
        moves = advance_fade(instance, dt) || moves;
    }
    for (uint32_t i = 0; i < mixer->layer_count; i++) {
        mrwi_layer* layer = &mixer->layers[i];
        const mrwi_clip* layer_clip = mrwi_player_clip(instance, &layer->player);
        moves = mrwi_player_advance(&layer->player, layer_clip, dt, &layer->crossing) || moves;
    }
    mixer->moved = mixer->moved || moves;
    if (clip != NULL || mixer->layer_count > 0 || had_events) {
        mrwi_mixer_publish(instance);
    }
    return mixer->moved;
}

/// Returns whether there is any.
static bool apply_overrides(mrwi_instance* instance)
{
    const mrw_instance_state* state = &instance->state;
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
static bool show_parts(mrwi_instance* instance, const mrwi_part_base* parts)
{
    bool changes = false;
    for (uint32_t i = 0; i < instance->state.part_count; i++) {
        mrw_part_state* shown = &instance->part_states[i];
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

uint32_t mrwi_mixer_apply(mrwi_instance* instance)
{
    mrwi_mixer* mixer = &instance->mixer;
    mrw_instance_state* state = &instance->state;
    mrw_view_fields view;
    const mrwi_sink sink = { (float*)state->local, state->node_stride, mixer->parts, &view };
    const mrwi_clip* clip = mrwi_player_clip(instance, &mixer->main);
    const bool is_alone = !mixer->fade.is_live && mixer->layer_count == 0;
    bool sound = mrwi_fade_apply(instance, &sink, is_alone && mixer->held == clip && state->dirty == 0);
    mixer->held = is_alone ? clip : NULL;
    for (uint32_t i = 0; i < mixer->layer_count; i++) {
        mrwi_layer_apply(instance, &mixer->layers[i], &sink);
    }
    sound = !apply_overrides(instance) && sound;
    mrwi_mixer_apply_deforms(instance);
    mixer->moved = false;
    state->dirty = 0;
    uint32_t changes = sound ? 0 : 4;
    changes |= show_parts(instance, mixer->parts != NULL ? mixer->parts : instance->part_bases) ? 1 : 0;
    if (memcmp(&state->shown, &view, sizeof view) != 0) {
        state->shown = view;
        changes |= 2;
    }
    return changes;
}

static mrw_result make_players(mrwi_instance* instance, const mrwi_mixer_args* args, mrwi_mixer* out)
{
    const mrwi_clip* clip = mrwi_player_clip(instance, &args->main);
    mrw_result result = MRW_OK;
    if (clip != NULL) {
        mrwi_player_follow(&out->main, clip, &args->main);
        result = mrwi_player_reserve(instance, &out->main, clip);
        result = result == MRW_OK ? mrwi_mixer_reserve_parts(instance, out, clip) : result;
    }
    if (result == MRW_OK && args->fade != NULL) {
        result = mrwi_fade_copy(instance, args->fade, &out->fade);
        // The outgoing clip, or the clips behind a snapshot, may drive parts.
        result = result == MRW_OK ? mrwi_mixer_reserve_parts(instance, out, NULL) : result;
    }
    return result;
}

static mrw_result make_layers(mrwi_instance* instance, const mrwi_mixer_args* args, mrwi_mixer* out)
{
    mrw_result result = MRW_OK;
    if (args->layer_count > 0) {
        out->layers = mrwi_allocate(instance->context, args->layer_count, sizeof *out->layers);
        out->layer_capacity = out->layers == NULL ? 0 : args->layer_count;
        result = out->layers == NULL ? MRW_NO_MEMORY : MRW_OK;
    }
    for (uint32_t i = 0; i < args->layer_count && result == MRW_OK; i++) {
        result = mrwi_mixer_reserve_parts(instance, out, mrwi_player_clip(instance, &args->layers[i].player));
        result = result == MRW_OK ? mrwi_layer_make(instance, &args->layers[i], &out->layers[i]) : result;
        out->layer_count += result == MRW_OK ? 1 : 0;
    }
    return result;
}

mrw_result mrwi_mixer_make(mrwi_instance* instance, const mrwi_mixer_args* args, mrwi_mixer* out)
{
    *out = (mrwi_mixer) { .main.clip = -1, .fade.outgoing.clip = -1, .paused = args->paused, .moved = true };
    mrw_result result = make_players(instance, args, out);
    if (result == MRW_OK) {
        result = make_layers(instance, args, out);
    }
    if (result != MRW_OK) {
        mrwi_mixer_discard(instance, out);
        return result;
    }
    mrwi_player_bind(instance, &out->main);
    mrwi_player_bind(instance, &out->fade.outgoing);
    return MRW_OK;
}

void mrwi_mixer_replace(mrwi_instance* instance, mrwi_mixer* mixer)
{
    mrwi_mixer_discard(instance, &instance->mixer);
    instance->mixer = *mixer;
    instance->state.clip_version++;
    mrwi_mixer_publish(instance);
}
