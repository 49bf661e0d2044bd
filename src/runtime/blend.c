#include "runtime/blend.h"

#include "math/trig.h"

#include <stddef.h>

static float lerp(float from, float to, float weight)
{
    return from + (to - from) * weight;
}

/// Along the shorter arc.
static float turn(float from, float to, float weight)
{
    return (float)((double)from + mrwi_wrap_angle((double)to - (double)from) * (double)weight);
}

/// What a driven field holds; from SWITCH on an integer.
typedef enum field_kind { NUMBER, TURN, SCALE, COLOR, SWITCH, MODE, ANCHOR } field_kind;

static float toward(float from, float to, float weight, field_kind kind)
{
    if (weight == 1.0f) {
        return to;
    }
    return kind == TURN ? turn(from, to, weight) : lerp(from, to, weight);
}

/// Scales multiply, everything else adds.
static float add(float from, float value, float reference, float weight, field_kind kind)
{
    if (kind == SCALE) {
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

/// Where a field lies: a float, or 32 bits from COLOR on.
typedef struct place {
    void* at;
    field_kind kind;
} place;

static place place_of(const mrwi_sink* sink, uint32_t target)
{
    static const uint8_t node_kinds[] = { NUMBER, NUMBER, TURN, SCALE, SCALE };
    static const struct {
        uint8_t offset, kind;
    } part_fields[] = {
        { offsetof(mrwi_part_base, visible), SWITCH },
        { offsetof(mrwi_part_base, color), COLOR },
        { offsetof(mrwi_part_base, opacity), NUMBER },
    }, view_fields[] = {
        { offsetof(mrw_view_fields, color), COLOR },
        { offsetof(mrw_view_fields, opacity), NUMBER },
        { offsetof(mrw_view_fields, flip_x), SWITCH },
        { offsetof(mrw_view_fields, flip_y), SWITCH },
        { offsetof(mrw_view_fields, visible), SWITCH },
        { offsetof(mrw_view_fields, mode), MODE },
        { offsetof(mrw_view_fields, anchor), ANCHOR },
    };
    const uint32_t entry = target / 8, field = target % 8;
    const uint32_t first_node = mrwi_first_node_entry(sink->part_count);
    if (entry >= first_node) {
        return (place) { &sink->rows[(size_t)field * sink->stride + (entry - first_node)], node_kinds[field] };
    }
    if (entry > 0) {
        return (place) { (char*)&sink->parts[entry - 1] + part_fields[field].offset, part_fields[field].kind };
    }
    return (place) { (char*)sink->view + view_fields[field].offset, view_fields[field].kind };
}

/// What an integer takes from a clip's value.
static uint32_t integer_of(field_kind kind, float value)
{
    if (kind == MODE) {
        return value >= 0.5f ? (value >= 1.5f ? MRW_BILLBOARD_FLAT : MRW_BILLBOARD_SPHERICAL) : MRW_BILLBOARD_CYLINDRICAL;
    }
    return kind == ANCHOR ? value >= 0.5f : value != 0.0f;
}

/// `values`: one, or three of a color.
static void blend_field(const place* to, const float* values, const float* reference, float weight)
{
    if (to->kind >= SWITCH) {
        *(uint32_t*)to->at = integer_of(to->kind, *values);
    } else if (to->kind == COLOR) {
        uint32_t* color = to->at;
        *color = blend_color(*color, values, reference, weight);
    } else {
        float* number = to->at;
        *number = reference == NULL ? toward(*number, *values, weight, to->kind) : add(*number, *values, *reference, weight, to->kind);
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
    const int32_t* targets = mrwi_player_targets(player, clip);
    const uint32_t first_node = mrwi_first_node_entry(sink->part_count);
    for (uint32_t i = 0; i < clip->node_number_count; i++) {
        int32_t target = targets[i];
        if (target >= 0) {
            sink->rows[(size_t)(target & 7) * sink->stride + ((uint32_t)(target >> 3) - first_node)] = player->values[i];
        }
    }
}

static bool is_marked(const uint8_t* marks, uint32_t target)
{
    return (marks[target / 8] >> target % 8 & 1) != 0;
}

void mrwi_blend_player(const mrwi_sink* sink, const mrwi_clip* clip, const mrwi_player* player, const mrwi_blend* how)
{
    const int32_t* targets = mrwi_player_targets(player, clip);
    uint32_t i = 0;
    if (how->weight == 1.0f && how->mask == NULL && how->reference == NULL) {
        set_nodes(sink, clip, player);
        i = clip->node_number_count;
    }
    for (uint32_t channel = i, width; i < mrwi_driven_count(clip); i++, channel += width) {
        const mrwi_track* track = &clip->tracks[i];
        width = track->type == MRW_TRACK_COLOR ? 3 : 1;
        if (targets[i] < 0 || (how->mask != NULL && how->mask[targets[i] / 8] == 0)) {
            continue;
        }
        const uint32_t target = (uint32_t)targets[i];
        const place to = place_of(sink, target);
        const float* reference = how->reference == NULL ? NULL : &how->reference[channel];
        float weight = how->partner == NULL || is_marked(how->partner, target) ? how->weight : 1.0f;
        if (to.kind >= SWITCH || (track->type != MRW_TRACK_NUMBER && to.kind != COLOR)) {
            // All or nothing.
            if (weight < 0.5f) {
                continue;
            }
            reference = NULL;
            weight = 1.0f;
        }
        blend_field(&to, &player->values[channel], reference, weight);
    }
}

void mrwi_blend_mark(uint8_t* marks, const mrwi_clip* clip, const mrwi_player* player)
{
    const int32_t* targets = mrwi_player_targets(player, clip);
    for (uint32_t i = 0; i < mrwi_driven_count(clip); i++) {
        if (targets[i] >= 0) {
            uint8_t* bits = &marks[targets[i] / 8];
            *bits = (uint8_t)(*bits | 1u << targets[i] % 8);
        }
    }
}

static void move_toward(const place* to, const place* other, float weight)
{
    if (to->kind >= SWITCH) {
        if (weight >= 0.5f) {
            *(uint32_t*)to->at = *(const uint32_t*)other->at;
        }
    } else if (to->kind == COLOR) {
        const uint32_t color = *(const uint32_t*)other->at;
        const float values[3] = { channel_of(color, 0), channel_of(color, 1), channel_of(color, 2) };
        blend_field(to, values, NULL, weight);
    } else {
        blend_field(to, other->at, NULL, weight);
    }
}

void mrwi_blend_toward(const mrwi_sink* sink, const mrwi_sink* other, const uint8_t* marks, const uint8_t* except, float weight)
{
    const uint32_t node_count = sink->stride < other->stride ? sink->stride : other->stride;
    for (uint32_t entry = 0; entry < mrwi_first_node_entry(sink->part_count) + node_count; entry++) {
        uint32_t bits = marks[entry] & ~(except == NULL ? 0u : except[entry]);
        for (uint32_t target = 8 * entry; bits != 0; target++, bits >>= 1) {
            if ((bits & 1) != 0) {
                const place to = place_of(sink, target);
                const place from = place_of(other, target);
                move_toward(&to, &from, weight);
            }
        }
    }
}
