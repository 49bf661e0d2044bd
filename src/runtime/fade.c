#include "runtime/fade.h"

#include <string.h>

mrw_result mrwi_fade_reserve(const mrwi_subject* subject, uint32_t node_stride)
{
    mrwi_clip_values* values = subject->values;
    const uint32_t count = mrwi_first_node_entry(subject->state->part_count) + node_stride;
    return mrwi_grow(subject->context, &values->marks, &values->mark_capacity, count, 2) ? MRW_OK : MRW_NO_MEMORY;
}

void mrwi_fade_release(mrw_context* context, mrwi_fade* fade)
{
    mrwi_player_release(context, &fade->outgoing);
    mrwi_seen_release(context, &fade->seen);
}

size_t mrwi_seen_size(const mrwi_seen* seen)
{
    const size_t part_size = sizeof(mrwi_part_base) + 1;
    const size_t node_size = MRW_FIELD_COUNT * sizeof(float) + 1;
    return sizeof(mrw_view_fields) + 1 + part_size * seen->part_count + node_size * seen->node_count;
}

mrwi_sink mrwi_seen_sink(const mrwi_seen* seen, uint8_t** out_marks)
{
    mrw_view_fields* view = seen->block;
    mrwi_part_base* parts = (mrwi_part_base*)(void*)(view + 1);
    float* rows = (float*)(void*)(parts + seen->part_count);
    *out_marks = (uint8_t*)(rows + (size_t)MRW_FIELD_COUNT * seen->node_count);
    return (mrwi_sink) { rows, seen->node_count, seen->part_count, parts, view };
}

void mrwi_seen_release(mrw_context* context, mrwi_seen* seen)
{
    mrwi_release(context, seen->block, mrwi_seen_size(seen), 1);
    *seen = (mrwi_seen) { 0 };
}

void mrwi_fade_stop(mrwi_fade* fade)
{
    fade->duration = 0.0;
    fade->elapsed = 0.0;
    fade->one_sided_full = 0;
    fade->outgoing.at = (mrwi_playhead) { .clip = -1 };
}

static void write_rows(const mrwi_subject* subject, const mrwi_sink* sink)
{
    for (size_t row = 0; row < MRW_FIELD_COUNT; row++) {
        memcpy(
            sink->rows + row * sink->stride, subject->state->base + row * subject->state->node_stride, sink->stride * sizeof *sink->rows);
    }
}

/// Of parts and the view there is little, and layers may have changed them.
static void write_part_bases(const mrwi_subject* subject, const mrwi_sink* sink)
{
    if (sink->parts != NULL) {
        memcpy(sink->parts, subject->part_bases, sink->part_count * sizeof *sink->parts);
    }
    *sink->view = subject->state->view;
}

/// What the fade comes from, over base; marks which fields that drives.
static void write_from(const mrwi_subject* subject, mrwi_player* outgoing, const mrwi_seen* seen, const mrwi_sink* sink, uint8_t* marks)
{
    const mrwi_clip* clip = mrwi_player_clip(outgoing, subject->model);
    if (clip != NULL) {
        mrwi_player_evaluate(outgoing, clip, subject->values->channels + subject->values->channel_capacity);
        mrwi_blend_player(sink, clip, outgoing, &(mrwi_blend) { .weight = 1.0f });
        mrwi_blend_mark(marks, clip, outgoing);
    } else if (seen->block != NULL) {
        uint8_t* seen_marks = NULL;
        const mrwi_sink other = mrwi_seen_sink(seen, &seen_marks);
        mrwi_blend_toward(sink, &other, seen_marks, NULL, 1.0f);
        memcpy(marks, seen_marks, mrwi_first_node_entry(seen->part_count) + seen->node_count);
    }
}

/// From what the fade comes from to what the main clip shows.
static void apply_fade(const mrwi_subject* subject, mrwi_fade* fade, const mrwi_clip* clip, const mrwi_player* main, const mrwi_sink* sink)
{
    const mrw_instance_state* state = subject->state;
    const size_t mark_count = mrwi_first_node_entry(state->part_count) + state->node_stride;
    uint8_t* from = subject->values->marks;
    uint8_t* to = from + subject->values->mark_capacity;
    memset(from, 0, mark_count);
    memset(to, 0, mark_count);
    const float weight = (float)(fade->elapsed / fade->duration);
    write_from(subject, &fade->outgoing, &fade->seen, sink, from);
    // A field that only the new clip drives comes from base, which is what `sink` holds there.
    const mrwi_blend in = { .weight = weight, .partner = fade->one_sided_full != 0 ? from : NULL };
    mrwi_blend_player(sink, clip, main, &in);
    mrwi_blend_mark(to, clip, main);
    if (fade->one_sided_full == 0) {
        mrw_view_fields view = state->view;
        const mrwi_sink base = { state->base, state->node_stride, state->part_count, subject->part_bases, &view };
        mrwi_blend_toward(sink, &base, from, to, weight);
    }
}

bool mrwi_fade_apply(const mrwi_subject* subject, mrwi_fade* fade, mrwi_player* main, const mrwi_sink* sink, bool rows_hold)
{
    const mrwi_clip* clip = mrwi_player_clip(main, subject->model);
    rows_hold = rows_hold && clip != NULL && !mrwi_fade_is_live(fade);
    if (!rows_hold) {
        write_rows(subject, sink);
    }
    write_part_bases(subject, sink);
    if (clip == NULL) {
        return false;
    }
    bool finite = mrwi_player_evaluate(main, clip, subject->values->channels);
    if (mrwi_fade_is_live(fade)) {
        apply_fade(subject, fade, clip, main, sink);
    } else {
        mrwi_blend_player(sink, clip, main, &(mrwi_blend) { .weight = 1.0f });
    }
    return rows_hold && finite;
}

mrw_result mrwi_fade_see(const mrwi_subject* subject, mrwi_fade* fade, mrwi_player* main)
{
    mrwi_seen seen = { NULL, subject->state->node_count, subject->state->part_count };
    seen.block = mrwi_allocate(subject->context, mrwi_seen_size(&seen), 1);
    if (seen.block == NULL) {
        return MRW_NO_MEMORY;
    }
    uint8_t* marks = NULL;
    const mrwi_sink sink = mrwi_seen_sink(&seen, &marks);
    mrwi_fade_apply(subject, fade, main, &sink, false);
    const uint8_t* from = subject->values->marks;
    const uint8_t* to = from + subject->values->mark_capacity;
    for (uint32_t i = 0; i < mrwi_first_node_entry(seen.part_count) + seen.node_count; i++) {
        marks[i] = from[i] | to[i];
    }
    mrwi_seen_release(subject->context, &fade->seen);
    fade->seen = seen;
    fade->outgoing.at = (mrwi_playhead) { .clip = -1 };
    return MRW_OK;
}
