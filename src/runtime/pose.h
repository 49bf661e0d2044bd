/// Kernels over spans: local rows to world matrices, world matrices to palettes, clip channels to values. They own nothing and
/// never allocate. SIMD and scalar give equal bits; the scalar order of operations is the definition.
#ifndef MRWI_RUNTIME_POSE_H
#define MRWI_RUNTIME_POSE_H

#include "math/affine2.h"
#include "model/clip.h"

// Every kernel has a plain C twin, in every build: the definition that it is compared with.

/// Rows (MRW_FIELD_COUNT of `stride` floats, padded with zeros to a multiple of 4) to matrices. Poses the first `node_count`
/// nodes, which then lie parent-first, or with an `order` the `node_count` nodes that it names. A node with no_scale takes its
/// parent's matrix without scale. `cuts` (may be NULL): non-zero makes a node ignore its parent.
typedef struct mrwi_pose_args {
    uint32_t node_count, stride;
    const float* rows;
    const int32_t* parents;
    const uint32_t* order;
    const uint8_t* no_scale; ///< NULL when no node has it
    const uint8_t* cuts;
    mrwi_affine2* world;
} mrwi_pose_args;
void mrwi_pose_world(const mrwi_pose_args* args);
void mrwi_pose_world_scalar(const mrwi_pose_args* args);

/// palette[j] = root * (world[joints[j]] * binds[j]); a joint of -1 gives root alone. `root` NULL is the identity.
/// Returns true when any byte of `palette` changed.
bool mrwi_pose_palette(uint32_t joint_count, const int32_t* joints, const mrwi_affine2* binds, const mrwi_affine2* world,
    const mrwi_affine2* root, mrwi_affine2* palette);
bool mrwi_pose_palette_scalar(uint32_t joint_count, const int32_t* joints, const mrwi_affine2* binds, const mrwi_affine2* world,
    const mrwi_affine2* root, mrwi_affine2* palette);

/// Where four channels of a clip stand: their present cubics side by side, so that a step within them costs no look-up. All zero
/// at first and again for another clip; kept by the caller between calls.
typedef struct mrwi_cursor {
    float from[4], until[4]; ///< cubics hold for from <= t < until
    float cubic[4][4];       ///< coefficient k of each channel; t counts from `from`
    uint32_t interval[4];    ///< relative to the channel's first
} mrwi_cursor;

/// Values of all channels of a clip at `time` (f32 cubics by Horner). `cursors` has one entry for four channels, `values`
/// channel_count floats, both rounded up.
void mrwi_clip_evaluate(const mrwi_clip* clip, double time, mrwi_cursor* cursors, float* values);
void mrwi_clip_evaluate_scalar(const mrwi_clip* clip, double time, mrwi_cursor* cursors, float* values);

#endif
