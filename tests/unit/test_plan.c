#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "rig.h"

#define MATRIX_SIZE ((uint32_t)sizeof(mrwi_affine2))

static uint32_t seen[RIG_MAX_VERTICES];

/// Counts a vertex of the plan and compares its joints and weights with the file's. `weights` lie `stride` apart.
static bool vertex_matches(
    const rig* r, uint32_t plan_vertex, const uint32_t* joints, uint32_t count, const float* weights, uint32_t stride)
{
    const uint32_t vertex = r->map[plan_vertex];
    const uint32_t first = r->first[vertex], end = r->first[vertex + 1];
    seen[vertex]++;
    bool matches = end - first == count;
    for (uint32_t i = 0; matches && i < count; i++) {
        uint32_t at = first;
        while (at < end && r->joint[at] * MATRIX_SIZE != joints[i]) {
            at++;
        }
        matches = at < end && (i == 0 || (weights[(i - 1) * stride] == r->weight[at] && joints[i] > joints[i - 1]));
    }
    return matches;
}

static bool segments_match(const rig* r, const mrwi_span* span, uint32_t* joint, uint32_t* weight)
{
    bool matches = true;
    for (uint32_t done = 0; done < span->count;) {
        const uint32_t* set = r->plan.joints + *joint;
        for (uint32_t i = 0; i < set[0]; i++) {
            const float* weights = r->plan.weights + *weight + (i / 4) * 4 * (span->influences - 1) + i % 4;
            matches = matches && vertex_matches(r, span->first + done + i, set + 1, span->influences, weights, 4);
        }
        matches = matches && set[0] >= 3;
        done += set[0];
        *joint += 1 + span->influences;
        *weight += (set[0] + 3) / 4 * 4 * (span->influences - 1);
    }
    return matches;
}

static bool run_matches(const rig* r, const mrwi_span* span, uint32_t* joint, uint32_t* weight)
{
    bool matches = true;
    const uint32_t padded = (span->count + 1) / 2 * 2;
    for (uint32_t i = 0; i < padded; i++) {
        const uint32_t* joints = r->plan.joints + *joint + i * span->influences;
        const float* weights = r->plan.weights + *weight + (i / 2) * 2 * (span->influences - 1) + i % 2;
        if (i < span->count) {
            matches = matches && vertex_matches(r, span->first + i, joints, span->influences, weights, 2);
        } else {
            matches = matches && joints[0] < RIG_MAX_JOINTS * MATRIX_SIZE;
        }
    }
    *joint += padded * span->influences;
    *weight += padded * (span->influences - 1);
    return matches;
}

static bool generic_matches(const rig* r, const mrwi_span* span, uint32_t* joint, uint32_t* weight)
{
    bool matches = true;
    for (uint32_t i = 0; i < span->count; i++) {
        const uint32_t* joints = r->plan.joints + *joint;
        matches = matches && joints[0] > 4 && joints[0] <= span->influences;
        matches = matches && vertex_matches(r, span->first + i, joints + 1, joints[0], r->plan.weights + *weight, 1);
        *joint += 1 + joints[0];
        *weight += joints[0] - 1;
    }
    return matches;
}

/// Spans cover the plan without gaps, their data lies without gaps, each vertex occurs once and keeps its influences.
static bool plan_matches(const rig* r)
{
    memset(seen, 0, sizeof(seen));
    uint32_t vertex = 0, joint = 0, weight = 0;
    bool matches = r->plan.vertex_count == r->influences.vertex_count;
    for (uint32_t s = 0; matches && s < r->plan.span_count; s++) {
        const mrwi_span* span = &r->plan.spans[s];
        matches = span->first == vertex && span->count > 0 && span->joints == joint && span->weights == weight;
        if (span->kind == MRWI_SPAN_SEGMENT) {
            matches = matches && segments_match(r, span, &joint, &weight);
        } else if (span->kind == MRWI_SPAN_RUN) {
            matches = matches && run_matches(r, span, &joint, &weight);
        } else if (span->kind == MRWI_SPAN_GENERIC) {
            matches = matches && generic_matches(r, span, &joint, &weight);
        } else {
            for (uint32_t i = 0; i < span->count; i++) {
                matches = matches && vertex_matches(r, span->first + i, NULL, 0, NULL, 0);
            }
        }
        vertex += span->count;
    }
    matches = matches && vertex == r->plan.vertex_count && joint == r->plan.joint_count && weight == r->plan.weight_count;
    for (uint32_t v = 0; v < r->influences.vertex_count; v++) {
        matches = matches && seen[v] == 1;
    }
    return matches;
}

TEST(an_empty_mesh_has_an_empty_plan)
{
    rig* r = rig_begin();
    CHECK_EQ_INT(rig_plan(r), MRW_OK);
    CHECK_EQ_INT(r->plan.vertex_count, 0);
    CHECK_EQ_INT(r->plan.span_count, 0);
    rig_free(r);
}

TEST(vertices_are_grouped_by_influence_count_and_set)
{
    // file      0    1      2    3    4      5    6
    // joints   {2}  {0,1}  {2}   -   {1,0}  {2}  {0,1,2,3,4}
    static const uint32_t two[] = { 2 }, pair[] = { 0, 1 }, swapped[] = { 1, 0 }, five[] = { 0, 1, 2, 3, 4 };
    uint32_t state = 1;
    rig* r = rig_begin();
    rig_add(r, &state, 1, two);
    rig_add(r, &state, 2, pair);
    rig_add(r, &state, 1, two);
    rig_add(r, &state, 0, NULL);
    rig_add(r, &state, 2, swapped);
    rig_add(r, &state, 1, two);
    rig_add(r, &state, 5, five);
    REQUIRE(rig_plan(r) == MRW_OK);

    static const uint32_t map[] = { 3, 0, 2, 5, 1, 4, 6 };
    CHECK_BYTES(r->map, map, sizeof(map));
    static const mrwi_span spans[] = { { MRWI_SPAN_REST, 0, 0, 1, 0, 0 }, { MRWI_SPAN_SEGMENT, 1, 1, 3, 0, 0 },
        { MRWI_SPAN_RUN, 2, 4, 2, 2, 0 }, { MRWI_SPAN_GENERIC, 5, 6, 1, 6, 2 } };
    REQUIRE(r->plan.span_count == 4);
    CHECK_BYTES(r->plan.spans, spans, sizeof(spans));
    static const uint32_t joints[] = { 3, 64, 0, 32, 0, 32, 5, 0, 32, 64, 96, 128 };
    REQUIRE(r->plan.joint_count == 12);
    CHECK_BYTES(r->plan.joints, joints, sizeof(joints));
    REQUIRE(r->plan.weight_count == 6);
    CHECK(r->plan.weights[0] == r->weight[r->first[1] + 1]); // joint 1 of vertex 1
    CHECK(r->plan.weights[1] == r->weight[r->first[4]]);     // joint 1 of vertex 4 comes first in the file
    CHECK(plan_matches(r));
    rig_free(r);
}

TEST(influences_of_one_joint_are_added_and_denormal_ones_dropped)
{
    static const uint32_t joints[] = { 7, 3, 7, 5 };
    static const float weights[] = { 0.25f, 0.5f, 0.25f, 1e-40f };
    uint32_t state = 1;
    rig* r = rig_begin();
    rig_add(r, &state, 4, joints);
    memcpy(r->weight, weights, sizeof(weights));
    REQUIRE(rig_plan(r) == MRW_OK);
    REQUIRE(r->plan.span_count == 1);
    CHECK_EQ_INT(r->plan.spans[0].kind, MRWI_SPAN_RUN);
    CHECK_EQ_INT(r->plan.spans[0].influences, 2);
    CHECK_EQ_INT(r->plan.joints[0], 3 * MATRIX_SIZE);
    CHECK_EQ_INT(r->plan.joints[1], 7 * MATRIX_SIZE);
    CHECK_NEAR(r->plan.weights[0], 0.5, 0);
    rig_free(r);
}

TEST(every_vertex_keeps_its_influences)
{
    static const uint32_t vertex_counts[] = { 1, 2, 3, 7, 64, 201, 1000, 4096 };
    static const uint32_t joint_counts[] = { 1, 5, 60 };
    static const uint32_t most[] = { 0, 1, 2, 4, 9 };
    for (size_t v = 0; v < sizeof(vertex_counts) / sizeof(*vertex_counts); v++) {
        for (size_t j = 0; j < sizeof(joint_counts) / sizeof(*joint_counts); j++) {
            for (size_t m = 0; m < sizeof(most) / sizeof(*most); m++) {
                rig* r = rig_begin();
                rig_fill(r, (uint32_t)(v * 100 + j * 10 + m), vertex_counts[v], joint_counts[j], most[m]);
                CHECK_EQ_INT(rig_plan(r), MRW_OK);
                CHECK(plan_matches(r));
                rig_free(r);
            }
        }
    }
}

TEST(segments_of_one_count_ascend_in_iterations)
{
    rig* r = rig_begin();
    rig_fill(r, 5, 1000, 30, 4);
    REQUIRE(rig_plan(r) == MRW_OK);
    bool ascend = true;
    uint32_t segments = 0;
    for (uint32_t s = 0; s < r->plan.span_count; s++) {
        const mrwi_span* span = &r->plan.spans[s];
        uint32_t before = 0;
        for (uint32_t done = 0, at = span->joints; span->kind == MRWI_SPAN_SEGMENT && done < span->count; segments++) {
            ascend = ascend && (r->plan.joints[at] + 3) / 4 >= before;
            before = (r->plan.joints[at] + 3) / 4;
            done += r->plan.joints[at];
            at += 1 + span->influences;
        }
    }
    CHECK(ascend);
    CHECK(segments > 20);
    rig_free(r);
}

TEST(joints_beyond_32_bits_of_offset_are_refused)
{
    static const uint32_t joints[] = { UINT32_MAX / MATRIX_SIZE, 1u << 27 };
    uint32_t state = 1;
    rig* r = rig_begin();
    rig_add(r, &state, 1, joints);
    CHECK_EQ_INT(rig_plan(r), MRW_OK);
    CHECK_EQ_INT(r->plan.joints[0], joints[0] * MATRIX_SIZE);
    rig_add(r, &state, 1, joints + 1);
    CHECK_EQ_INT(rig_plan(r), MRW_LIMIT);
    CHECK(r->plan.spans == NULL && r->plan.vertex_count == 0);
    rig_free(r);
}

typedef struct failing_allocator {
    uint32_t left;
} failing_allocator;

static void* allocate_until(void* user, void* block, size_t old_size, size_t new_size)
{
    failing_allocator* allocator = user;
    (void)old_size;
    if (new_size == 0 || block) {
        free(block); // a plan never grows a block
        return NULL;
    }
    if (allocator->left == 0) {
        return NULL;
    }
    allocator->left--;
    return aligned_alloc(16, (new_size + 15) / 16 * 16);
}

TEST(a_failed_allocation_is_a_result)
{
    rig* r = rig_begin();
    rig_fill(r, 3, 200, 10, 6);
    REQUIRE(rig_plan(r) == MRW_OK);
    bool finished = false;
    for (uint32_t allowed = 1; !finished && allowed < 100; allowed++) {
        failing_allocator allocator = { allowed };
        const mrw_context_desc desc = { .allocator = { &allocator, allocate_until } };
        mrw_context* context = mrw_context_create(&desc);
        REQUIRE(context != NULL);
        mrwi_arena arena;
        mrwi_arena_init(&arena, context);
        mrwi_plan plan;
        const mrw_result result = mrwi_plan_build(&arena, &r->influences, &plan, r->map);
        finished = result == MRW_OK;
        CHECK(finished || (result == MRW_NO_MEMORY && plan.span_count == 0));
        mrwi_arena_release(&arena);
        CHECK(mrw_context_memory(context) <= sizeof(*context));
        mrw_context_destroy(context);
    }
    CHECK(finished);
    rig_free(r);
}
