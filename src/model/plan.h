/// The skinning plan of one part: its vertices re-ordered by influence count and bone set, so that a kernel keeps matrices in
/// registers. Sets of at least three vertices are segments, the rest indexed runs; more than four influences take a generic run.
#ifndef MRWI_MODEL_PLAN_H
#define MRWI_MODEL_PLAN_H

#include "base/memory.h"

/// Vertices that a part's range must end with as slack: kernels write scrap there.
#define MRWI_PLAN_SLACK 4

/// Influences of a mesh, normalised, zero weights dropped, CSR in file order. A vertex without influences rests at bind.
typedef struct mrwi_influences {
    uint32_t vertex_count;
    const uint32_t* first; ///< vertex_count + 1
    const uint32_t* joint;
    const float* weight;
} mrwi_influences;

/// How the vertices of a span are stored. A vertex with k influences has k joints, ascending, and k - 1 weights: the weight of
/// the first joint is what the others leave of 1.
typedef enum mrwi_span_kind {
    MRWI_SPAN_REST,    ///< no joints, no weights
    MRWI_SPAN_SEGMENT, ///< joints, per set: vertex count, k joints. Weights, per 4 vertices of a set (padded): k - 1 times four
    MRWI_SPAN_RUN,     ///< per 2 vertices (padded): joints of the first, joints of the second; k - 1 times two weights
    MRWI_SPAN_GENERIC  ///< joints, per vertex: k, k joints. Weights: k - 1
} mrwi_span_kind;

/// `count` vertices in a row that one kernel call treats alike. Spans cover the part in ascending order.
typedef struct mrwi_span {
    uint32_t kind;       ///< mrwi_span_kind
    uint32_t influences; ///< k, 1 to 4; 0 for REST, the largest for GENERIC
    uint32_t first, count;
    uint32_t joints, weights; ///< where its data begins in the plan's arrays
} mrwi_span;

typedef struct mrwi_plan {
    uint32_t vertex_count, span_count, joint_count, weight_count;
    const mrwi_span* spans;
    const uint32_t* joints; ///< byte offsets into the palette: its index times sizeof(mrwi_affine2)
    const float* weights;
} mrwi_plan;

/// Builds a plan; arrays go to `arena`. `vertex_map` has vertex_count entries: plan index -> file index. Influences of a vertex
/// that name the same joint are added up, denormal weights count as none. MRW_LIMIT when a joint or a size does not fit 32 bits.
mrw_result mrwi_plan_build(mrwi_arena* arena, const mrwi_influences* influences, mrwi_plan* out, uint32_t* vertex_map);

#endif
