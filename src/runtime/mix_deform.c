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

/// The deform track of a player for a part, or NULL when it has none or does not count.
static const mrwi_deform_track* track_of(const players* from, const mrwi_player* player, uint32_t part)
{
    const mrwi_clip* clip = mrwi_player_clip(player, from->model);
    return clip == NULL ? NULL : find_track(clip, part);
}

static bool is_deformed(const players* from, uint32_t part)
{
    if (track_of(from, from->main, part) != NULL) {
        return true;
    }
    for (uint32_t i = 0; i < from->layer_count; i++) {
        if (from->layers[i].weight > 0.0f && track_of(from, &from->layers[i].player, part) != NULL) {
            return true;
        }
    }
    return false;
}

/// Writes the numbers from `first` on; returns whether any byte changed.
static bool write_chunk(const players* from, uint32_t part, size_t first, size_t count, float* out)
{
    float sum[CHUNK] = { 0 };
    const mrwi_deform_track* track = track_of(from, from->main, part);
    if (track != NULL) {
        mix(from->main, track, NULL, first, count, sum);
    }
    for (uint32_t i = 0; i < from->layer_count; i++) {
        const mrwi_layer* layer = &from->layers[i];
        track = layer->weight > 0.0f ? track_of(from, &layer->player, part) : NULL;
        if (track != NULL) {
            mix(&layer->player, track, layer, first, count, sum);
        }
    }
    if (memcmp(out, sum, count * sizeof *out) == 0) {
        return false;
    }
    memcpy(out, sum, count * sizeof *out);
    return true;
}

void mrwi_mix_deforms(const mrwi_subject* subject, const mrwi_player* main, const mrwi_layer* layers, uint32_t layer_count)
{
    const players from = { subject->model, main, layers, layer_count };
    for (uint32_t part = 0; part < subject->state->part_count; part++) {
        mrwi_deform* deform = &subject->deforms[part];
        if (deform->sampled == NULL) {
            continue;
        }
        bool is_live = is_deformed(&from, part);
        bool changes = is_live != deform->sampled_live;
        size_t size = 2 * (size_t)subject->model->parts[part].vertex_count;
        for (size_t first = 0; is_live && first < size; first += CHUNK) {
            size_t count = size - first < CHUNK ? size - first : CHUNK;
            changes = write_chunk(&from, part, first, count, deform->sampled + first) || changes;
        }
        deform->sampled_live = is_live;
        deform->changed = deform->changed || changes;
    }
}
