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

typedef enum mrwi_span_kind { MRWI_SPAN_REST, MRWI_SPAN_SEGMENT, MRWI_SPAN_RUN, MRWI_SPAN_GENERIC } mrwi_span_kind;

/// `count` vertices in a row that one kernel call treats alike. Spans cover the part in ascending order.
typedef struct mrwi_span {
    uint16_t kind, influences; ///< influences a vertex; 0 for REST, the largest for GENERIC
    uint32_t first, count;     ///< vertices, in plan order
    /// Index in `joints`. SEGMENT: of the set; RUN: of the first vertex's set (padded to an even count); GENERIC: of its data.
    uint32_t joints;
    uint32_t weights; ///< index in `weights`: influences - 1 a vertex (the first weight is 1 minus their sum)
} mrwi_span;

typedef struct mrwi_plan {
    uint32_t vertex_count, span_count, joint_count, weight_count;
    const mrwi_span* spans;
    const uint32_t* joints; ///< palette indices (times 32 is the byte offset of a matrix)
    const float* weights;
} mrwi_plan;

/// Builds a plan; arrays go to `arena`. `vertex_map` has vertex_count entries: plan index -> file index.
mrw_result mrwi_plan_build(mrwi_arena* arena, const mrwi_influences* influences, mrwi_plan* out, uint32_t* vertex_map);

#endif
