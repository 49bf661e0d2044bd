#include "base/memory.h"
#include "math/trig.h"
#include "model/rest.h"

#include <float.h>
#include <math.h>

#define SLOTS 4
// Keeps the weight of a vertex on a joint finite.
#define SOFTENING 1e-4

typedef struct settings {
    double falloff, radius;
    uint32_t keep;
} settings;

static settings settings_of(const mrw_weight_options* options)
{
    settings result = { 2, 0, SLOTS };
    if (options == NULL) {
        return result;
    }
    result.falloff = options->falloff == 0 ? 2 : options->falloff;
    result.radius = options->radius > 0 ? options->radius : 0;
    double keep = floor(options->max_influences);
    if (keep >= 0 && keep < SLOTS) {
        result.keep = keep < 1 ? 1 : (uint32_t)keep;
    }
    return result;
}

static double raw_weight(const settings* by, double distance)
{
    if (by->radius > 0) {
        return distance >= by->radius ? 0 : mrwi_pow(1 - distance / by->radius, by->falloff);
    }
    // The usual falloff needs no rounding beyond the product's.
    double power = by->falloff == 2 ? distance * distance : mrwi_pow(distance, by->falloff);
    return 1 / (power + SOFTENING);
}

// Keeps the `keep` heaviest bones in descending order; of equal ones the first stays in front.
static uint32_t rank(double weight, uint32_t bone, uint32_t keep, uint32_t used, uint32_t* joints, double* weights)
{
    uint32_t at = used;
    while (at > 0 && weights[at - 1] < weight) {
        at--;
    }
    if (at >= keep) {
        return used;
    }
    uint32_t end = used < keep ? used : keep - 1;
    for (uint32_t i = end; i > at; i--) {
        joints[i] = joints[i - 1];
        weights[i] = weights[i - 1];
    }
    joints[at] = bone;
    weights[at] = weight;
    return end + 1;
}

static void weigh_vertex(
    const double point[2], const double (*rest)[6], uint32_t bone_count, const settings* by, uint32_t* joints, double* weights)
{
    for (uint32_t i = 0; i < SLOTS; i++) {
        joints[i] = 0;
        weights[i] = 0;
    }
    uint32_t used = 0;
    uint32_t nearest = 0;
    double least = DBL_MAX;
    for (uint32_t bone = 0; bone < bone_count; bone++) {
        double x = point[0] - rest[bone][4];
        double y = point[1] - rest[bone][5];
        double distance = sqrt(x * x + y * y);
        if (distance < least) {
            least = distance;
            nearest = bone;
        }
        double weight = raw_weight(by, distance);
        if (weight > 0) {
            used = rank(weight, bone, by->keep, used, joints, weights);
        }
    }
    double sum = 0;
    for (uint32_t i = 0; i < used; i++) {
        sum += weights[i];
    }
    bool usable = sum > 0 && sum <= DBL_MAX;
    for (uint32_t i = 0; i < used; i++) {
        joints[i] = usable ? joints[i] : 0;
        weights[i] = usable ? weights[i] / sum : 0;
    }
    if (!usable) {
        joints[0] = nearest;
        weights[0] = 1;
    }
}

mrw_result mrw_author_weights(mrw_context* context, const mrw_node_desc* bones, uint32_t bone_count, const double* positions,
    uint32_t vertex_count, const mrw_weight_options* options, uint32_t* joints, double* weights)
{
    double(*rest)[6] = mrwi_allocate(context, bone_count, sizeof *rest);
    mrw_result result = rest == NULL ? MRW_NO_MEMORY : mrwi_rest_resolve(context, bones, bone_count, NULL, rest);
    if (result == MRW_OK) {
        settings by = settings_of(options);
        for (size_t v = 0; v < vertex_count; v++) {
            weigh_vertex(&positions[v * 2], rest, bone_count, &by, &joints[v * SLOTS], &weights[v * SLOTS]);
        }
    }
    mrwi_release(context, rest, bone_count, sizeof *rest);
    return result;
}
