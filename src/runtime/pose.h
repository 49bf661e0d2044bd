/// Kernels over spans: local rows to world matrices, world matrices to palettes, clip channels to values. They own nothing and
/// never allocate. SIMD and scalar give equal bits; the scalar order of operations is the definition.
#ifndef MRWI_RUNTIME_POSE_H
#define MRWI_RUNTIME_POSE_H

#include "math/affine2.h"
#include "model/clip.h"

// Every kernel has a plain C twin, in every build: the definition that it is compared with.

/// Rows (MRW_FIELD_COUNT of `stride` floats, padded with zeros to a multiple of 4) to matrices. Poses the first `node_count`
/// nodes, which then lie parent-first, or with an `order` the `node_count` nodes that it names. A node with no_scale takes its
/// parent's matrix without scale. `cuts` (may be NULL): non-zero makes a node ignore its parent. `scratch` has 4 floats a node,
/// `node_count` rounded up to 4. Returns how many matrices of `world` changed by any byte.
typedef struct mrwi_pose_args {
    uint32_t node_count, stride;
    const float* rows;
    const int32_t* parents;
    const uint32_t* order;
    const uint8_t* no_scale; ///< NULL when no node has it
    const uint8_t* cuts;
    float* scratch;
    mrwi_affine2* world;
} mrwi_pose_args;
uint32_t mrwi_pose_world(const mrwi_pose_args* args);
uint32_t mrwi_pose_world_scalar(const mrwi_pose_args* args);
/// Whether all of `count` floats (padded to 4 with small ones) lie within `limit`, either way; one that is NaN does not.
bool mrwi_pose_is_within(const float* values, size_t count, float limit);

/// palette[j] = root * (world[joints[j]] * binds[j]); a joint of -1 gives root alone. `root` NULL is the identity.
/// Returns true when any byte of `palette` changed.
bool mrwi_pose_palette(uint32_t joint_count, const int32_t* joints, const mrwi_affine2* binds, const mrwi_affine2* world,
    const mrwi_affine2* root, mrwi_affine2* palette);
bool mrwi_pose_palette_scalar(uint32_t joint_count, const int32_t* joints, const mrwi_affine2* binds, const mrwi_affine2* world,
    const mrwi_affine2* root, mrwi_affine2* palette);

/// Where the channels of a clip stand: the first two entries are the times between which (from <= t < until) no group of four
/// leaves its interval, then comes an interval a group. All zero at first and again for another clip; kept by the caller.
typedef union mrwi_cursor {
    float time;
    uint32_t interval;
} mrwi_cursor;
static inline size_t mrwi_cursor_count(uint32_t channel_count)
{
    return 2 + ((size_t)channel_count + 3) / 4;
}

/// Values of all channels of a clip at `time` (f32 cubics by Horner). `values` has a float a channel, rounded up to 4. Returns
/// whether all are finite: large coefficients may overflow.
bool mrwi_clip_evaluate(const mrwi_clip* clip, double time, mrwi_cursor* cursors, float* values);
bool mrwi_clip_evaluate_scalar(const mrwi_clip* clip, double time, mrwi_cursor* cursors, float* values);

#endif
