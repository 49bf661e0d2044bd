/// Random meshes and poses for the tests of plan and kernels, and skinning in f64 by the textbook sum of weight * (matrix * p).
#ifndef RIG_H
#define RIG_H

#include "base/context.h"
#include "math/affine2.h"
#include "model/plan.h"

#define RIG_MAX_VERTICES 4096
#define RIG_MAX_INFLUENCES 12
#define RIG_MAX_JOINTS 256

typedef struct rig {
    mrw_context* context;
    mrwi_arena arena;
    mrwi_influences influences;
    uint32_t first[RIG_MAX_VERTICES + 1];
    uint32_t joint[RIG_MAX_VERTICES * RIG_MAX_INFLUENCES];
    float weight[RIG_MAX_VERTICES * RIG_MAX_INFLUENCES];
    float position[2 * RIG_MAX_VERTICES]; ///< file order
    mrwi_affine2 palette[RIG_MAX_JOINTS];
    mrwi_plan plan;
    uint32_t map[RIG_MAX_VERTICES];
    float source[2 * (RIG_MAX_VERTICES + MRWI_PLAN_SLACK)]; ///< plan order
} rig;

/// Deterministic numbers in [0, 1) and [0, limit).
double rig_random(uint32_t* state);
uint32_t rig_random_below(uint32_t* state, uint32_t limit);

/// An empty rig with a context; `rig_free` releases it. One rig at a time.
rig* rig_begin(void);
void rig_free(rig* r);
/// Appends a vertex at a random place with `count` influences; weights are normalised here.
void rig_add(rig* r, uint32_t* state, uint32_t count, const uint32_t* joints);
/// A random mesh: vertices cluster around sets of neighbouring joints as they do on a character.
void rig_fill(rig* r, uint32_t seed, uint32_t vertex_count, uint32_t joint_count, uint32_t most_influences);
void rig_random_palette(rig* r, uint32_t seed);
/// Builds the plan and brings the positions into its order.
mrw_result rig_plan(rig* r);
/// Where the textbook puts file vertex `vertex`; `root` NULL is the identity.
void rig_reference(const rig* r, uint32_t vertex, const mrwi_affine2* root, double out[2]);

#endif
