#include "marrow.h"

#include "math/trig.h"

#include <float.h>
#include <string.h>

#define HALF_PI 1.57079632679489661923
#define DEFAULT_PIXELS_PER_UNIT 100.0

// Turned about the vertical axis so that +z looks at the camera.
static void face_camera(const mrw_billboard_args* args, double out[4])
{
    double x = args->camera_position[0] - args->position[0];
    double z = args->camera_position[2] - args->position[2];
    double half = mrwi_atan2(x, z) * 0.5;
    out[0] = 0;
    out[2] = 0;
    mrwi_sincos(half, &out[1], &out[3]);
}

// The mesh is (x, -y, 0) / pixels per unit, so a greater rig y lies lower unless it is flipped.
static double anchor_offset(const mrw_billboard_args* args, double scale_y)
{
    double top = -scale_y * args->bind_min_y;
    double bottom = -scale_y * args->bind_max_y;
    if (args->anchor == MRW_ANCHOR_CENTER) {
        return -(top + bottom) * 0.5;
    }
    return -(top < bottom ? top : bottom);
}

void mrw_billboard_place(const mrw_billboard_args* args, mrw_billboard_placement* out)
{
    double unit = 1 / (args->pixels_per_unit > 0 ? args->pixels_per_unit : DEFAULT_PIXELS_PER_UNIT);
    mrw_billboard_placement placement = { .inner_scale = { args->flip_x ? -unit : unit, args->flip_y ? -unit : unit, 1 } };
    switch (args->mode) {
    case MRW_BILLBOARD_FLAT:
        // Rig y (down) becomes world +z: the picture lies on the ground.
        memcpy(placement.outer_rotation, args->rotation, sizeof placement.outer_rotation);
        placement.inner_rotation_x = -HALF_PI;
        break;
    case MRW_BILLBOARD_SPHERICAL:
        memcpy(placement.outer_rotation, args->camera_rotation, sizeof placement.outer_rotation);
        placement.inner_offset_y = anchor_offset(args, placement.inner_scale[1]);
        break;
    case MRW_BILLBOARD_CYLINDRICAL:
    default:
        face_camera(args, placement.outer_rotation);
        placement.inner_offset_y = anchor_offset(args, placement.inner_scale[1]);
        break;
    }
    *out = placement;
}

// Farther first, then the one that was there first. A distance that is no number counts as farthest.
static bool draws_before(const double* distances, uint32_t left, uint32_t right)
{
    double a = distances[left] <= DBL_MAX ? distances[left] : DBL_MAX;
    double b = distances[right] <= DBL_MAX ? distances[right] : DBL_MAX;
    return a > b || (a == b && left < right);
}

// Lets the entry at `at` sink until none of its children draws after it.
static void sink(const double* distances, uint32_t* order, uint32_t count, uint32_t at)
{
    for (uint64_t child = (uint64_t)at * 2 + 1; child < count; child = (uint64_t)at * 2 + 1) {
        if (child + 1 < count && draws_before(distances, order[child], order[child + 1])) {
            child++;
        }
        if (!draws_before(distances, order[at], order[child])) {
            return;
        }
        uint32_t moved = order[at];
        order[at] = order[child];
        order[child] = moved;
        at = (uint32_t)child;
    }
}

void mrw_billboard_order(const double* squared_distances, uint32_t count, uint32_t* order)
{
    for (uint32_t i = 0; i < count; i++) {
        order[i] = i;
    }
    // Heap sort: in place, and no worse for any input.
    for (uint32_t i = count / 2; i > 0; i--) {
        sink(squared_distances, order, count, i - 1);
    }
    for (uint32_t end = count; end > 1; end--) {
        uint32_t last = order[0];
        order[0] = order[end - 1];
        order[end - 1] = last;
        sink(squared_distances, order, end - 1, 0);
    }
}
