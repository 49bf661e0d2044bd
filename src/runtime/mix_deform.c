#include "runtime/mix_deform.h"

#include <string.h>

#define CHUNK 128

/// Two keys and the place between them.
typedef struct span {
    const float *a, *b;
    float f;
} span;

static const mrwi_deform_track* find_track(const mrwi_clip* clip, uint32_t part)
{
    uint32_t low = 0;
    uint32_t high = clip->deform_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (clip->deforms[middle].part < part) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < clip->deform_count && clip->deforms[low].part == part ? &clip->deforms[low] : NULL;
}

static span find_span(const mrwi_deform_track* track, double time)
{
    uint32_t last = track->key_count - 1;
    uint32_t low = 0;
    uint32_t high = track->key_count;
    float now = (float)time;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (track->times[middle] <= now) {
            low = middle;
        } else {
            high = middle;
        }
    }
    // Before the first key and at or behind the last one the offsets hold. The next key lies after `now`, so the span is not empty.
    if (low == last || now <= track->times[0]) {
        return (span) { track->offsets[low], track->offsets[low], 0.0f };
    }
    float f = (now - track->times[low]) / (track->times[low + 1] - track->times[low]);
    return (span) { track->offsets[low], track->offsets[low + 1], f };
}

static float value_at(const span* at, size_t i)
{
    return at->a[i] + (at->b[i] - at->a[i]) * at->f;
}

/// Mixes `count` numbers from `first` on into `sum`.
static void mix(const mrwi_player* player, const mrwi_deform_track* track, const mrwi_layer* layer, size_t first, size_t count, float* sum)
{
    span now = find_span(track, player->at.time);
    bool is_additive = layer != NULL && layer->additive;
    span start = is_additive ? find_span(track, 0.0) : now;
    float weight = layer == NULL ? 1.0f : layer->weight;
    for (size_t i = 0; i < count; i++) {
        float value = value_at(&now, first + i);
        if (is_additive) {
            sum[i] += (value - value_at(&start, first + i)) * weight;
        } else {
            sum[i] = weight == 1.0f ? value : sum[i] + (value - sum[i]) * weight;
        }
    }
}

/// The players whose offsets are mixed.
typedef struct players {
    const mrwi_model* model;
    const mrwi_player* main;
    const mrwi_layer* layers;
    uint32_t layer_count;
} players;

/// Mixes `count` numbers of a part from `first` on into `sum`. False when no player in play deforms the part.
static bool mix_players(const players* from, uint32_t part, size_t first, size_t count, float* sum)
{
    bool is_deformed = false;
    for (uint32_t i = 0; i <= from->layer_count; i++) {
        const mrwi_layer* layer = i == 0 ? NULL : &from->layers[i - 1];
        const mrwi_player* player = layer == NULL ? from->main : &layer->player;
        const mrwi_clip* clip = mrwi_player_clip(player, from->model);
        const bool counts = clip != NULL && (layer == NULL || layer->weight > 0.0f);
        const mrwi_deform_track* track = counts ? find_track(clip, part) : NULL;
        if (track != NULL) {
            mix(player, track, layer, first, count, sum);
            is_deformed = true;
        }
    }
    return is_deformed;
}

void mrwi_mix_deforms(const mrwi_subject* subject, const mrwi_player* main, const mrwi_layer* layers, uint32_t layer_count)
{
    const players from = { subject->model, main, layers, layer_count };
    for (uint32_t part = 0; part < subject->state->part_count; part++) {
        mrwi_deform* deform = &subject->deforms[part];
        if (deform->sampled == NULL) {
            continue;
        }
        const size_t size = 2 * (size_t)subject->model->parts[part].vertex_count;
        bool is_live = true;
        bool changes = false;
        for (size_t first = 0; is_live && (first == 0 || first < size); first += CHUNK) {
            float sum[CHUNK] = { 0 };
            const size_t count = size - first < CHUNK ? size - first : CHUNK;
            is_live = mix_players(&from, part, first, count, sum);
            if (is_live && memcmp(deform->sampled + first, sum, count * sizeof *sum) != 0) {
                memcpy(deform->sampled + first, sum, count * sizeof *sum);
                changes = true;
            }
        }
        deform->changed |= changes || is_live != deform->sampled_live;
        deform->sampled_live = is_live;
    }
}
