#include "runtime/bounds.h"

#include <float.h>
#include <math.h>

// Grows the box by a part's vertices; those that are no numbers do not count.
static void add_box(const mrwi_instance* instance, uint32_t index, mrw_bounds* bounds)
{
    const mrw_part_state* part = &instance->part_states[index];
    const float* at = instance->output + 2 * (size_t)part->first_vertex;
    for (uint32_t i = 0; i < part->vertex_count; i++, at += 2) {
        if (!(fabsf(at[0]) <= FLT_MAX) || !(fabsf(at[1]) <= FLT_MAX)) {
            continue;
        }
        bounds->min_x = at[0] < bounds->min_x ? at[0] : bounds->min_x;
        bounds->min_y = at[1] < bounds->min_y ? at[1] : bounds->min_y;
        bounds->max_x = at[0] > bounds->max_x ? at[0] : bounds->max_x;
        bounds->max_y = at[1] > bounds->max_y ? at[1] : bounds->max_y;
        bounds->empty = 0;
    }
}

static double farthest(const mrwi_instance* instance, uint32_t index, const mrw_bounds* bounds, double least)
{
    const mrw_part_state* part = &instance->part_states[index];
    const float* at = instance->output + 2 * (size_t)part->first_vertex;
    for (uint32_t i = 0; i < part->vertex_count; i++, at += 2) {
        double x = (double)at[0] - (double)bounds->center_x;
        double y = (double)at[1] - (double)bounds->center_y;
        double squared = x * x + y * y;
        least = squared > least && squared <= DBL_MAX ? squared : least;
    }
    return least;
}

static float round_up(double value)
{
    float rounded = (float)value;
    return (double)rounded >= value ? rounded : rounded * (1.0f + FLT_EPSILON);
}

static bool counts(const mrwi_instance* instance, int32_t part, uint32_t index)
{
    return part < 0 ? instance->part_states[index].visible != 0 : index == (uint32_t)part;
}

static void measure(const mrwi_instance* instance, int32_t part, mrw_bounds* out)
{
    mrw_bounds bounds = { FLT_MAX, FLT_MAX, -FLT_MAX, -FLT_MAX, 0, 0, 0, 1 };
    for (uint32_t i = 0; i < instance->state.part_count; i++) {
        if (counts(instance, part, i)) {
            add_box(instance, i, &bounds);
        }
    }
    if (bounds.empty != 0) {
        *out = (mrw_bounds) { .empty = 1 };
        return;
    }
    bounds.center_x = (float)(((double)bounds.min_x + (double)bounds.max_x) / 2);
    bounds.center_y = (float)(((double)bounds.min_y + (double)bounds.max_y) / 2);
    double squared = 0;
    for (uint32_t i = 0; i < instance->state.part_count; i++) {
        if (counts(instance, part, i)) {
            squared = farthest(instance, i, &bounds, squared);
        }
    }
    bounds.radius = round_up(sqrt(squared));
    *out = bounds;
}

const mrw_bounds* mrwi_instance_bounds(mrwi_instance* instance, int32_t part)
{
    mrwi_bounds_cache* cache = &instance->bounds[part + 1];
    const mrw_instance_state* state = &instance->state;
    if (!cache->known || cache->version != state->version || cache->structure_version != state->structure_version) {
        measure(instance, part, &cache->bounds);
        cache->known = true;
        cache->version = state->version;
        cache->structure_version = state->structure_version;
    }
    return &cache->bounds;
}

mrw_result mrw_instance_bounds(mrw_context* context, mrw_instance_id id, int32_t part, mrw_bounds* out)
{
    mrwi_instance* instance = mrwi_instance_get(context, id);
    if (instance == NULL) {
        return MRW_STALE;
    }
    if (instance->model == NULL && part == -1) {
        *out = (mrw_bounds) { .empty = 1 };
        return MRW_OK;
    }
    if (part < -1 || part >= (int32_t)instance->state.part_count) {
        return MRW_BAD_INDEX;
    }
    *out = *mrwi_instance_bounds(instance, part);
    return MRW_OK;
}
