/// The skinning plan of one part: its vertices re-ordered by influence count and bone set, so that a kernel keeps matrices in
/// registers. Large sets are segments, what is smaller is cut into quads, twins and single vertices of indexed runs; more than four
/// influences take a generic run.
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

/// Offsets are of matrices in the palette, in bytes: its index times sizeof(mrwi_affine2).
typedef union mrwi_plan_word {
    uint32_t count, offset;
    float weight;
} mrwi_plan_word;

/// How the vertices of a span are stored. A vertex with k influences has k joints, ascending, and k - 1 weights: the weight of
/// the first joint is what the others leave of 1. Weights of vertices side by side are interleaved: the second joint's of all,
/// then the third joint's of all, ...
typedef enum mrwi_span_kind {
    MRWI_SPAN_REST,    ///< nothing
    MRWI_SPAN_SEGMENT, ///< per set: vertex count, k offsets, then for each 4 vertices (padded) their weights
    MRWI_SPAN_QUADS,   ///< per 3 or 4 vertices of one set: their number, k offsets, weights of 4 (padded)
    MRWI_SPAN_TWINS,   ///< per 2 vertices of one set: k offsets, weights of both
    MRWI_SPAN_RUN,     ///< per 2 vertices (padded): k offsets of the first, k of the second, weights of both
    MRWI_SPAN_GENERIC  ///< per vertex: k, k offsets, weights
} mrwi_span_kind;

/// `count` vertices in a row that one kernel call treats alike. Spans cover the part in ascending order.
typedef struct mrwi_span {
    uint32_t kind;       ///< mrwi_span_kind
    uint32_t influences; ///< k, 1 to 4; 0 for REST, the largest for GENERIC
    uint32_t first, count;
    uint32_t data; ///< where its words begin
} mrwi_span;

typedef struct mrwi_plan {
    uint32_t vertex_count, span_count, data_count;
    const mrwi_span* spans;
    const mrwi_plan_word* data;
} mrwi_plan;

/// Builds a plan; arrays go to `arena`. `vertex_map` has vertex_count entries: plan index -> file index. A vertex names a joint once
/// and has no weight that is denormal. MRW_LIMIT when a joint or a size does not fit 32 bits.
mrw_result mrwi_plan_build(mrwi_arena* arena, const mrwi_influences* influences, mrwi_plan* out, uint32_t* vertex_map);

#endif
