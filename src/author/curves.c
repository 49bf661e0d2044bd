// Edits of one track: tangents by mode, key insertion.
#include "marrow.h"

#include <math.h>
#include <string.h>

/// Keys nearer than this are one key.
#define MATCH_SECONDS 1e-4
#define SMALLEST_SPAN 1e-6

static double secant(const mrw_key_desc* from, const mrw_key_desc* to)
{
    double span = to->time - from->time;
    return (to->value - from->value) / (span > SMALLEST_SPAN ? span : SMALLEST_SPAN);
}

MRW_API void mrw_curve_set_mode(mrw_key_desc* keys, uint32_t key_count, uint32_t index, mrw_tangent_mode mode)
{
    if (index >= key_count) {
        return;
    }
    mrw_key_desc* key = &keys[index];
    // At an end the key stands in for the neighbour it lacks.
    const mrw_key_desc* previous = index > 0 ? key - 1 : key;
    const mrw_key_desc* next = index + 1 < key_count ? key + 1 : key;
    key->mode = mode == MRW_TANGENT_NONE ? MRW_TANGENT_AUTO : mode;
    key->broken = key->mode != MRW_TANGENT_AUTO;
    key->has_broken = true;
    switch (key->mode) {
    case MRW_TANGENT_LINEAR:
        key->in_tangent = secant(previous, key);
        key->out_tangent = secant(key, next);
        break;
    case MRW_TANGENT_CONSTANT:
        key->out_tangent = INFINITY;
        break;
    case MRW_TANGENT_FREE:
        break;
    default:
        key->in_tangent = next->time - previous->time > SMALLEST_SPAN ? secant(previous, next) : 0.0;
        key->out_tangent = key->in_tangent;
    }
}

MRW_API uint32_t mrw_curve_insert(mrw_key_desc* keys, uint32_t* key_count, double time, double value)
{
    uint32_t count = *key_count;
    uint32_t index = 0;
    while (index < count && keys[index].time < time && !(time - keys[index].time <= MATCH_SECONDS)) {
        index++;
    }
    if (index < count && fabs(keys[index].time - time) <= MATCH_SECONDS) {
        keys[index].value = value;
    } else {
        memmove(&keys[index + 1], &keys[index], (count - index) * sizeof *keys);
        keys[index] = (mrw_key_desc) { .time = time, .value = value, .in_weight = -1.0, .out_weight = -1.0 };
        *key_count = ++count;
    }
    for (uint32_t i = index > 0 ? index - 1 : 0; i <= index + 1 && i < count; i++) {
        mrw_curve_set_mode(keys, count, i, keys[i].mode);
    }
    return index;
}
