#include "runtime/blend.h"

#include "math/trig.h"

#include <math.h>
#include <string.h>

static float lerp(float from, float to, float weight)
{
    return from + (to - from) * weight;
}

/// Along the shorter arc.
static float turn(float from, float to, float weight)
{
    return (float)((double)from + mrwi_wrap_angle((double)to - (double)from) * (double)weight);
}

static float toward(float from, float to, float weight, uint32_t field)
{
    if (weight == 1.0f) {
        return to;
    }
    return field == MRW_FIELD_ROTATION ? turn(from, to, weight) : lerp(from, to, weight);
}

/// Scales multiply, everything else adds.
static float add(float from, float value, float reference, float weight, uint32_t field)
{
    if (field == MRW_FIELD_SCALE_X || field == MRW_FIELD_SCALE_Y) {
        return reference == 0.0f ? from : from * (1.0f + (value / reference - 1.0f) * weight);
    }
    return from + (value - reference) * weight;
}

static uint32_t round_channel(float value)
{
    return value > 0.0f ? (value < 255.0f ? (uint32_t)(value + 0.5f) : 255) : 0;
}

static float channel_of(uint32_t color, uint32_t channel)
{
    return (float)((color >> (16 - 8 * channel)) & 0xff);
}

static uint32_t blend_color(uint32_t from, const float* values, const float* reference, float weight)
{
    uint32_t packed = 0;
    for (uint32_t channel = 0; channel < 3; channel++) {
        float start = channel_of(from, channel);
        // What a color track shows is rounded, so it is rounded before it is mixed too.
        float value = (float)round_channel(values[channel]);
        float mixed = reference == NULL ? lerp(start, value, weight) : start + (value - reference[channel]) * weight;
        packed = packed << 8 | round_channel(mixed);
    }
    return packed;
}

static uint32_t color_toward(uint32_t from, uint32_t to, float weight)
{
    const float values[3] = { channel_of(to, 0), channel_of(to, 1), channel_of(to, 2) };
    return blend_color(from, values, NULL, weight);
}

/// Where a field lies; one of the three pointers is set.
typedef struct place {
    float* number;
    uint32_t *color, *integer;
    uint8_t field;
} place;

static place node_place(const mrwi_sink* sink, uint32_t node, uint8_t field)
{
    return (place) { .number = &sink->rows[(size_t)field * sink->stride + node], .field = field };
}

static place part_place(const mrwi_sink* sink, uint32_t part, uint8_t field)
{
    mrwi_part_base* base = &sink->parts[part];
    if (field == MRWI_PART_OPACITY) {
        return (place) { .number = &base->opacity, .field = MRW_FIELD_COUNT };
    }
    return field == MRWI_PART_COLOR ? (place) { .color = &base->color } : (place) { .integer = &base->visible, .field = MRWI_VIEW_VISIBLE };
}

static place view_place(const mrwi_sink* sink, uint8_t field)
{
    mrw_view_fields* view = sink->view;
    uint32_t* integers[MRWI_VIEW_FIELD_COUNT] = { NULL, NULL, &view->flip_x, &view->flip_y, &view->visible, &view->mode, &view->anchor };
    if (field == MRWI_VIEW_OPACITY) {
        return (place) { .number = &view->opacity, .field = MRW_FIELD_COUNT };
    }
    return field == MRWI_VIEW_COLOR ? (place) { .color = &view->color } : (place) { .integer = integers[field], .field = field };
}

static place track_place(const mrwi_sink* sink, const mrwi_track* track, int32_t target)
{
    if (track->target == MRWI_TARGET_NODE) {
        return node_place(sink, (uint32_t)target / 8, track->target_field);
    }
    return track->target == MRWI_TARGET_PART ? part_place(sink, (uint32_t)target, track->target_field)
                                             : view_place(sink, track->target_field);
}

/// What an integer member takes from a clip's value.
static uint32_t integer_of(uint8_t field, float value)
{
    if (field == MRWI_VIEW_MODE) {
        return value >= 0.5f ? (value >= 1.5f ? MRW_BILLBOARD_FLAT : MRW_BILLBOARD_SPHERICAL) : MRW_BILLBOARD_CYLINDRICAL;
    }
    if (field == MRWI_VIEW_ANCHOR) {
        return value >= 0.5f ? MRW_ANCHOR_CENTER : MRW_ANCHOR_BOTTOM;
    }
    return value != 0.0f ? 1 : 0;
}

static void blend_track(const place* at, uint8_t type, const float* values, const float* reference, float weight)
{
    if (at->color != NULL) {
        *at->color = blend_color(*at->color, values, reference, weight);
    } else if (at->integer != NULL) {
        if (weight >= 0.5f) {
            *at->integer = integer_of(at->field, *values);
        }
    } else if (type != MRW_TRACK_NUMBER) {
        if (weight >= 0.5f) {
            *at->number = *values;
        }
    } else {
        *at->number = reference == NULL ? toward(*at->number, *values, weight, at->field)
                                        : add(*at->number, *values, *reference, weight, at->field);
    }
}

static bool is_marked(const mrwi_marks* marks, const mrwi_track* track, int32_t target)
{
    if (track->target == MRWI_TARGET_NODE) {
        return (marks->nodes[target / 8] >> track->target_field & 1) != 0;
    }
    uint8_t bits = track->target == MRWI_TARGET_PART ? marks->parts[target] : marks->view;
    return (bits >> track->target_field & 1) != 0;
}

static float weight_of(const mrwi_blend* how, const mrwi_track* track, int32_t target)
{
    return how->partner == NULL || is_marked(how->partner, track, target) ? how->weight : 1.0f;
}

/// Tracks `first` to `end` with `width` channels each, beginning at `channel`.
static void blend_tracks(const mrwi_sink* sink, const mrwi_clip* clip, const mrwi_player* player, const mrwi_blend* how, uint32_t first,
    uint32_t end, uint32_t channel, uint32_t width)
{
    for (uint32_t i = first; i < end; i++, channel += width) {
        const mrwi_track* track = &clip->tracks[i];
        int32_t target = player->targets[i];
        if (target < 0 || (track->target == MRWI_TARGET_NODE && how->mask != NULL && how->mask[target / 8] == 0)) {
            continue;
        }
        place at = track_place(sink, track, target);
        const float* reference = how->reference == NULL ? NULL : &how->reference[channel];
        blend_track(&at, track->type, &player->values[channel], reference, weight_of(how, track, target));
    }
}

static void set_stretches(const mrwi_sink* sink, const mrwi_clip* clip, const mrwi_player* player)
{
    for (uint32_t i = 0; i < clip->stretch_count; i++) {
        const mrwi_stretch* at = &clip->stretches[i];
        float* out = &sink->rows[(size_t)at->field * sink->stride + at->node];
        const float* values = &player->values[at->track];
        for (uint32_t j = 0; j < at->count; j++) {
            out[j] = values[j];
        }
    }
}

/// The common case: numbers of nodes at full strength.
static void set_nodes(const mrwi_sink* sink, const mrwi_clip* clip, const mrwi_player* player)
{
    if (player->untouched) {
        set_stretches(sink, clip, player);
        return;
    }
    for (uint32_t i = 0; i < clip->node_number_count; i++) {
        int32_t target = player->targets[i];
        if (target >= 0) {
            sink->rows[(size_t)(target & 7) * sink->stride + (uint32_t)(target >> 3)] = player->values[i];
        }
    }
}

void mrwi_blend_player(const mrwi_sink* sink, const mrwi_clip* clip, const mrwi_player* player, const mrwi_blend* how)
{
    uint32_t first = 0;
    if (how->weight == 1.0f && how->mask == NULL && how->reference == NULL) {
        set_nodes(sink, clip, player);
        first = clip->node_number_count;
    }
    uint32_t colors = clip->number_count + clip->color_count;
    uint32_t discrete_channel = clip->number_count + 3 * clip->color_count;
    blend_tracks(sink, clip, player, how, first, clip->number_count, first, 1);
    blend_tracks(sink, clip, player, how, clip->number_count, colors, clip->number_count, 3);
    blend_tracks(sink, clip, player, how, colors, colors + clip->discrete_count, discrete_channel, 1);
}

void mrwi_blend_mark(mrwi_marks* marks, const mrwi_clip* clip, const mrwi_player* player)
{
    for (uint32_t i = 0; i < clip->number_count + clip->color_count + clip->discrete_count; i++) {
        const mrwi_track* track = &clip->tracks[i];
        int32_t target = player->targets[i];
        if (target < 0) {
            continue;
        }
        uint8_t* bits = track->target == MRWI_TARGET_NODE ? &marks->nodes[target / 8]
            : track->target == MRWI_TARGET_PART           ? &marks->parts[target]
                                                          : &marks->view;
        *bits = (uint8_t)(*bits | 1u << track->target_field);
    }
}

static void move_toward(const place* at, const place* other, float weight)
{
    if (at->color != NULL) {
        *at->color = color_toward(*at->color, *other->color, weight);
    } else if (at->integer != NULL) {
        *at->integer = weight >= 0.5f ? *other->integer : *at->integer;
    } else {
        *at->number = toward(*at->number, *other->number, weight, at->field);
    }
}

void mrwi_blend_toward(
    const mrwi_sink* sink, const mrwi_sink* other, const mrwi_marks* marks, const mrwi_marks* except, uint32_t part_count, float weight)
{
    uint32_t node_count = sink->stride < other->stride ? sink->stride : other->stride;
    for (uint32_t node = 0; node < node_count; node++) {
        uint32_t bits = marks->nodes[node] & ~(except == NULL ? 0u : except->nodes[node]);
        for (uint8_t field = 0; bits != 0; field++, bits >>= 1) {
            if ((bits & 1) != 0) {
                place a = node_place(sink, node, field);
                place b = node_place(other, node, field);
                move_toward(&a, &b, weight);
            }
        }
    }
    for (uint32_t part = 0; part < part_count; part++) {
        uint32_t bits = marks->parts[part] & ~(except == NULL ? 0u : except->parts[part]);
        for (uint8_t field = 0; bits != 0; field++, bits >>= 1) {
            if ((bits & 1) != 0) {
                place a = part_place(sink, part, field);
                place b = part_place(other, part, field);
                move_toward(&a, &b, weight);
            }
        }
    }
    uint32_t bits = marks->view & ~(except == NULL ? 0u : except->view);
    for (uint8_t field = 0; bits != 0; field++, bits >>= 1) {
        if ((bits & 1) != 0) {
            place a = view_place(sink, field);
            place b = view_place(other, field);
            move_toward(&a, &b, weight);
        }
    }
}
