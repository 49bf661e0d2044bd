#include "base/memory.h"

#include <float.h>
#include <math.h>

#define SLOTS 4
// Below this the rest of a vertex counts as nothing: the painted bone is its only one.
#define NOTHING 1e-6

// Influences of one vertex while it is painted: its four, the painted bone, and the one that takes over.
typedef struct influences {
    uint32_t count;
    uint32_t joints[SLOTS + 2];
    double weights[SLOTS + 2];
} influences;

static double* entry(influences* list, uint32_t joint)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->joints[i] == joint) {
            return &list->weights[i];
        }
    }
    list->joints[list->count] = joint;
    list->weights[list->count] = 0;
    return &list->weights[list->count++];
}

static influences gather(const uint32_t* joints, const double* weights)
{
    influences list = { 0 };
    for (uint32_t i = 0; i < SLOTS; i++) {
        if (weights[i] > 0) {
            *entry(&list, joints[i]) += weights[i];
        }
    }
    return list;
}

// The four heaviest in descending order (of equal ones the first), normalised. A vertex that has nothing left, because its only bone
// was taken away without one to take over, stays as it was: weights always sum to one.
static void scatter(influences* list, uint32_t* joints, double* weights)
{
    uint32_t kept_joints[SLOTS] = { 0 };
    double kept_weights[SLOTS] = { 0 };
    double sum = 0;
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        uint32_t best = list->count;
        for (uint32_t i = 0; i < list->count; i++) {
            if (list->weights[i] > 0 && (best == list->count || list->weights[i] > list->weights[best])) {
                best = i;
            }
        }
        if (best == list->count) {
            break;
        }
        kept_joints[slot] = list->joints[best];
        kept_weights[slot] = list->weights[best];
        sum += list->weights[best];
        list->weights[best] = 0;
    }
    for (uint32_t slot = 0; slot < SLOTS && sum > 0; slot++) {
        joints[slot] = kept_joints[slot];
        weights[slot] = kept_weights[slot] / sum;
    }
}

// 0 outside the brush.
static double brush_factor(const mrw_paint_options* options, const double point[2])
{
    double x = point[0] - options->center_x;
    double y = point[1] - options->center_y;
    double distance = sqrt(x * x + y * y);
    if (!(options->radius > 0 && distance < options->radius)) {
        return 0;
    }
    if (options->constant) {
        return 1;
    }
    double near = 1 - distance / options->radius;
    return near * near * (3 - 2 * near);
}

static double painted_weight(mrw_paint_mode mode, double weight, double strength, double factor)
{
    switch (mode) {
    case MRW_PAINT_SUBTRACT:
        return weight * (1 - strength * factor);
    case MRW_PAINT_SET:
        return weight + (strength - weight) * factor;
    case MRW_PAINT_ADD:
    default:
        return weight + (1 - weight) * strength * factor;
    }
}

// The bone other than the painted one whose joint is nearest; the painted one when there is no other.
static uint32_t nearest_other(const mrw_paint_options* options, const double point[2])
{
    uint32_t nearest = options->bone;
    double least = DBL_MAX;
    for (uint32_t i = 0; i < options->bone_position_count && options->bone_positions != NULL; i++) {
        double x = options->bone_positions[(size_t)i * 2] - point[0];
        double y = options->bone_positions[(size_t)i * 2 + 1] - point[1];
        double distance = x * x + y * y;
        if (i != options->bone && distance < least) {
            least = distance;
            nearest = i;
        }
    }
    return nearest;
}

static void paint_vertex(
    const mrw_paint_options* options, const double point[2], double strength, double factor, uint32_t* joints, double* weights)
{
    influences list = gather(joints, weights);
    double* target = entry(&list, options->bone);
    double before = *target;
    double after = painted_weight(options->mode, before, strength, factor);
    bool only = 1 - before <= NOTHING;
    for (uint32_t i = 0; i < list.count; i++) {
        list.weights[i] *= only ? 0 : (1 - after) / (1 - before);
    }
    *target = after;
    if (only && after < before - 1e-9) {
        uint32_t other = nearest_other(options, point);
        if (other != options->bone) {
            *entry(&list, other) += 1 - after;
        }
    }
    scatter(&list, joints, weights);
}

void mrw_author_paint(const mrw_paint_options* options, uint32_t* joints, double* weights)
{
    double strength = options->strength > 0 ? options->strength : 0;
    strength = strength < 1 ? strength : 1;
    for (size_t v = 0; v < options->vertex_count; v++) {
        const double* point = &options->positions[v * 2];
        double factor = brush_factor(options, point);
        if (factor > 0) {
            paint_vertex(options, point, strength, factor, &joints[v * SLOTS], &weights[v * SLOTS]);
        }
    }
}

void mrw_author_weight_field(const uint32_t* joints, const double* weights, uint32_t vertex_count, uint32_t bone, double* out)
{
    for (size_t v = 0; v < vertex_count; v++) {
        double sum = 0;
        for (size_t slot = v * SLOTS; slot < (v + 1) * SLOTS; slot++) {
            sum += joints[slot] == bone ? weights[slot] : 0;
        }
        out[v] = sum;
    }
}

void mrw_author_dominant_bones(const uint32_t* joints, const double* weights, uint32_t vertex_count, uint32_t* out)
{
    for (size_t v = 0; v < vertex_count; v++) {
        size_t best = v * SLOTS;
        for (size_t slot = best + 1; slot < (v + 1) * SLOTS; slot++) {
            best = weights[slot] > weights[best] ? slot : best;
        }
        out[v] = joints[best];
    }
}

uint32_t mrw_author_bone_color(uint32_t bone)
{
    static const uint32_t colors[8] = { 0xe74c3c, 0x2ecc71, 0x3498db, 0xf1c40f, 0x9b59b6, 0x1abc9c, 0xe67e22, 0xecf0f1 };
    return colors[bone % 8];
}
