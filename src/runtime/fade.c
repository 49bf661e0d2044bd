#include "runtime/fade.h"

#include <string.h>

static mrw_result grow_bits(mrw_context* context, uint8_t** bits, uint32_t* capacity, uint32_t count)
{
    if (count <= *capacity) {
        return MRW_OK;
    }
    uint8_t* grown = mrwi_reallocate(context, *bits, *capacity, count, 1);
    if (grown == NULL) {
        return MRW_NO_MEMORY;
    }
    *bits = grown;
    *capacity = count;
    return MRW_OK;
}

static mrw_result reserve_marks(mrw_context* context, mrwi_marks* marks, uint32_t node_count, uint32_t part_count)
{
    mrw_result result = grow_bits(context, &marks->nodes, &marks->node_capacity, node_count);
    return result == MRW_OK ? grow_bits(context, &marks->parts, &marks->part_capacity, part_count) : result;
}

static void release_marks(mrw_context* context, mrwi_marks* marks)
{
    mrwi_release(context, marks->nodes, marks->node_capacity, 1);
    mrwi_release(context, marks->parts, marks->part_capacity, 1);
    *marks = (mrwi_marks) { 0 };
}

static void clear_marks(mrwi_marks* marks)
{
    if (marks->node_capacity > 0) {
        memset(marks->nodes, 0, marks->node_capacity);
    }
    if (marks->part_capacity > 0) {
        memset(marks->parts, 0, marks->part_capacity);
    }
    marks->view = 0;
}

mrw_result mrwi_fade_reserve(mrw_context* context, mrwi_fade* fade, uint32_t node_stride, uint32_t part_count)
{
    mrw_result result = reserve_marks(context, &fade->from, node_stride, part_count);
    return result == MRW_OK ? reserve_marks(context, &fade->to, node_stride, part_count) : result;
}

void mrwi_fade_release(mrw_context* context, mrwi_fade* fade)
{
    mrwi_player_release(context, &fade->outgoing);
    mrwi_seen_release(context, &fade->seen);
    release_marks(context, &fade->from);
    release_marks(context, &fade->to);
}

mrw_result mrwi_seen_make(mrw_context* context, uint32_t node_stride, uint32_t part_count, mrwi_seen* out)
{
    *out = (mrwi_seen) { .stride = node_stride, .part_count = part_count };
    out->rows = mrwi_allocate(context, (size_t)node_stride * MRW_FIELD_COUNT, sizeof *out->rows);
    out->parts = mrwi_allocate(context, part_count, sizeof *out->parts);
    if (out->rows == NULL || out->parts == NULL) {
        mrwi_seen_release(context, out);
        return MRW_NO_MEMORY;
    }
    return MRW_OK;
}

void mrwi_seen_release(mrw_context* context, mrwi_seen* seen)
{
    mrwi_release(context, seen->rows, (size_t)seen->stride * MRW_FIELD_COUNT, sizeof *seen->rows);
    mrwi_release(context, seen->parts, seen->part_count, sizeof *seen->parts);
    *seen = (mrwi_seen) { 0 };
}

mrwi_sink mrwi_seen_sink(mrwi_seen* seen)
{
    return (mrwi_sink) { seen->rows, seen->stride, seen->parts, &seen->view };
}

static void copy_seen(mrwi_fade* to, const mrwi_fade* from)
{
    const mrwi_seen* seen = &from->seen;
    memcpy(to->seen.rows, seen->rows, (size_t)MRW_FIELD_COUNT * seen->stride * sizeof *seen->rows);
    memcpy(to->from.nodes, from->from.nodes, seen->stride);
    if (seen->part_count > 0) {
        memcpy(to->seen.parts, seen->parts, seen->part_count * sizeof *seen->parts);
        memcpy(to->from.parts, from->from.parts, seen->part_count);
    }
    to->seen.view = seen->view;
    to->from.view = from->from.view;
}

mrw_result mrwi_fade_copy(const mrwi_subject* subject, const mrwi_fade* fade, mrwi_fade* out)
{
    *out = (mrwi_fade) { fade->is_live, fade->one_sided_full, fade->from_seen, fade->duration, fade->elapsed, .outgoing.clip = -1 };
    const mrwi_clip* clip = mrwi_player_clip(&fade->outgoing, subject->model);
    mrw_result result = mrwi_fade_reserve(subject->context, out, subject->state->node_stride, subject->state->part_count);
    if (result == MRW_OK && clip != NULL) {
        result = mrwi_player_reserve(subject, &out->outgoing, clip);
        mrwi_player_follow(&out->outgoing, clip, &fade->outgoing);
    }
    if (result == MRW_OK && fade->from_seen && fade->seen.rows != NULL) {
        result = mrwi_seen_make(subject->context, fade->seen.stride, fade->seen.part_count, &out->seen);
        if (result == MRW_OK) {
            copy_seen(out, fade);
        }
    }
    if (result != MRW_OK) {
        mrwi_fade_release(subject->context, out);
    }
    return result;
}

void mrwi_fade_from_base(mrwi_fade* fade)
{
    fade->from_seen = true;
    clear_marks(&fade->from);
}

void mrwi_fade_stop(mrwi_fade* fade)
{
    fade->is_live = false;
    fade->outgoing.clip = -1;
}

static void write_base(const mrwi_subject* subject, const mrwi_sink* sink)
{
    memcpy(sink->rows, subject->state->base, (size_t)MRW_FIELD_COUNT * sink->stride * sizeof *sink->rows);
}

/// Of parts and the view there is little, and layers may have changed them.
static void write_part_bases(const mrwi_subject* subject, const mrwi_sink* sink)
{
    if (sink->parts != NULL && subject->state->part_count > 0) {
        memcpy(sink->parts, subject->part_bases, subject->state->part_count * sizeof *sink->parts);
    }
    *sink->view = subject->state->view;
}

/// What the fade comes from, over base; notes which fields that drives.
static void write_from(const mrwi_subject* subject, mrwi_fade* fade, const mrwi_sink* sink)
{
    if (fade->from_seen) {
        const mrwi_sink seen = mrwi_seen_sink(&fade->seen);
        if (fade->seen.rows != NULL) {
            mrwi_blend_toward(sink, &seen, &fade->from, NULL, fade->seen.part_count, 1.0f);
        }
        return;
    }
    const mrwi_clip* clip = mrwi_player_clip(&fade->outgoing, subject->model);
    clear_marks(&fade->from);
    if (clip != NULL) {
        mrwi_player_evaluate(&fade->outgoing, clip, subject->values->other);
        mrwi_blend_player(sink, clip, &fade->outgoing, &(mrwi_blend) { .weight = 1.0f });
        mrwi_blend_mark(&fade->from, clip, &fade->outgoing);
    }
}

/// From what the fade comes from to what the main clip shows.
static void apply_fade(const mrwi_subject* subject, mrwi_fade* fade, const mrwi_clip* clip, const mrwi_player* main, const mrwi_sink* sink)
{
    float weight = (float)(fade->elapsed / fade->duration);
    write_from(subject, fade, sink);
    // A field that only the new clip drives comes from base, which is what `sink` holds there.
    mrwi_blend in = { .weight = weight, .partner = fade->one_sided_full ? &fade->from : NULL };
    mrwi_blend_player(sink, clip, main, &in);
    clear_marks(&fade->to);
    mrwi_blend_mark(&fade->to, clip, main);
    if (!fade->one_sided_full) {
        mrw_view_fields view = subject->state->view;
        const mrwi_sink base = { subject->state->base, sink->stride, subject->part_bases, &view };
        mrwi_blend_toward(sink, &base, &fade->from, &fade->to, sink->parts == NULL ? 0 : subject->state->part_count, weight);
    }
}

bool mrwi_fade_apply(const mrwi_subject* subject, mrwi_fade* fade, mrwi_player* main, const mrwi_sink* sink, bool rows_hold)
{
    const mrwi_clip* clip = mrwi_player_clip(main, subject->model);
    rows_hold = rows_hold && clip != NULL && !fade->is_live;
    if (!rows_hold) {
        write_base(subject, sink);
    }
    write_part_bases(subject, sink);
    if (clip == NULL) {
        return false;
    }
    bool finite = mrwi_player_evaluate(main, clip, subject->values->main);
    if (fade->is_live) {
        apply_fade(subject, fade, clip, main, sink);
    } else {
        mrwi_blend_player(sink, clip, main, &(mrwi_blend) { .weight = 1.0f });
    }
    return rows_hold && finite;
}
