#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "rig.h"

#define MATRIX_SIZE ((uint32_t)sizeof(mrwi_affine2))

static uint32_t seen[RIG_MAX_VERTICES];

/// Counts a vertex of the plan and compares its joints and weights with the file's. `weights` lie `stride` words apart.
static bool vertex_matches(
    const rig* r, uint32_t plan_vertex, const mrwi_plan_word* joints, uint32_t count, const mrwi_plan_word* weights, uint32_t stride)
{
    const uint32_t vertex = r->map[plan_vertex];
    const uint32_t first = r->first[vertex], end = r->first[vertex + 1];
    seen[vertex]++;
    bool matches = end - first == count;
    for (uint32_t i = 0; matches && i < count; i++) {
        uint32_t at = first;
        while (at < end && r->joint[at] * MATRIX_SIZE != joints[i].offset) {
            at++;
        }
        matches = at < end;
        if (matches && i > 0) {
            matches = weights[(i - 1) * stride].weight == r->weight[at] && joints[i].offset > joints[i - 1].offset;
        }
    }
    return matches;
}

/// Segments and quads. `data` moves past what was read.
static bool sets_match(const rig* r, const mrwi_span* span, uint32_t* data)
{
    bool matches = true;
    for (uint32_t done = 0; done < span->count;) {
        const mrwi_plan_word* set = r->plan.data + *data;
        const uint32_t count = set[0].count;
        matches = matches && (span->kind == MRWI_SPAN_QUADS ? count == 3 || count == 4 : count >= 12 && count % 4 != 1);
        for (uint32_t i = 0; i < count; i++) {
            const mrwi_plan_word* weights = set + 1 + span->influences + i / 4 * 4 * (span->influences - 1) + i % 4;
            matches = matches && vertex_matches(r, span->first + done + i, set + 1, span->influences, weights, 4);
        }
        done += count;
        *data += 1 + span->influences + (count + 3) / 4 * 4 * (span->influences - 1);
    }
    return matches;
}

/// Twins and runs.
static bool pairs_match(const rig* r, const mrwi_span* span, uint32_t* data)
{
    bool matches = span->kind == MRWI_SPAN_RUN || span->count % 2 == 0;
    const uint32_t second = span->kind == MRWI_SPAN_RUN ? span->influences : 0;
    for (uint32_t i = 0; i < span->count; i += 2) {
        const mrwi_plan_word* pair = r->plan.data + *data;
        const mrwi_plan_word* weights = pair + span->influences + second;
        matches = matches && vertex_matches(r, span->first + i, pair, span->influences, weights, 2);
        if (i + 1 < span->count) {
            matches = matches && vertex_matches(r, span->first + i + 1, pair + second, span->influences, weights + 1, 2);
        } else {
            matches = matches && pair[second].offset < RIG_MAX_JOINTS * MATRIX_SIZE; // the padding is read as well
        }
        *data += span->influences + second + 2 * (span->influences - 1);
    }
    return matches;
}

static bool generic_matches(const rig* r, const mrwi_span* span, uint32_t* data)
{
    bool matches = true;
    for (uint32_t i = 0; i < span->count; i++) {
        const mrwi_plan_word* joints = r->plan.data + *data;
        const uint32_t count = joints[0].count;
        matches = matches && count > 4 && count <= span->influences;
        matches = matches && vertex_matches(r, span->first + i, joints + 1, count, joints + 1 + count, 1);
        *data += 2 * count;
    }
    return matches;
}

/// Spans cover the plan without gaps, their words lie without gaps, each vertex occurs once and keeps its influences.
static bool plan_matches(const rig* r)
{
    memset(seen, 0, sizeof(seen));
    uint32_t vertex = 0, data = 0;
    bool matches = r->plan.vertex_count == r->influences.vertex_count;
    for (uint32_t s = 0; matches && s < r->plan.span_count; s++) {
        const mrwi_span* span = &r->plan.spans[s];
        matches = span->first == vertex && span->count > 0 && span->data == data;
        if (span->kind == MRWI_SPAN_SEGMENT || span->kind == MRWI_SPAN_QUADS) {
            matches = matches && sets_match(r, span, &data);
        } else if (span->kind == MRWI_SPAN_TWINS || span->kind == MRWI_SPAN_RUN) {
            matches = matches && pairs_match(r, span, &data);
        } else if (span->kind == MRWI_SPAN_GENERIC) {
            matches = matches && generic_matches(r, span, &data);
        } else {
            for (uint32_t i = 0; i < span->count; i++) {
                matches = matches && vertex_matches(r, span->first + i, NULL, 0, NULL, 0);
            }
        }
        vertex += span->count;
    }
    matches = matches && vertex == r->plan.vertex_count && data == r->plan.data_count;
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

/// Adds `count` vertices of one set.
static void add_vertices(rig* r, uint32_t* state, uint32_t count, uint32_t influences, const uint32_t* joints)
{
    for (uint32_t i = 0; i < count; i++) {
        rig_add(r, state, influences, joints);
    }
}

TEST(a_small_mesh_takes_one_span_per_influence_count)
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
    static const mrwi_span spans[] = { { MRWI_SPAN_REST, 0, 0, 1, 0 }, { MRWI_SPAN_RUN, 1, 1, 3, 0 }, { MRWI_SPAN_RUN, 2, 4, 2, 4 },
        { MRWI_SPAN_GENERIC, 5, 6, 1, 10 } };
    REQUIRE(r->plan.span_count == 4);
    CHECK_BYTES(r->plan.spans, spans, sizeof(spans));
    REQUIRE(r->plan.data_count == 20);
    static const uint32_t offsets[] = { 64, 64, 64, 64, 0, 32, 0, 32 };
    CHECK_BYTES(r->plan.data, offsets, sizeof(offsets));
    CHECK(r->plan.data[8].weight == r->weight[r->first[1] + 1]); // joint 1 of vertex 1
    CHECK(r->plan.data[9].weight == r->weight[r->first[4]]);     // joint 1 of vertex 4 comes first in the file
    static const uint32_t generic[] = { 5, 0, 32, 64, 96, 128 };
    CHECK_BYTES(r->plan.data + 10, generic, sizeof(generic));
    CHECK(plan_matches(r));
    rig_free(r);
}

TEST(a_set_is_cut_into_segment_quads_twins_and_a_single)
{
    // 300 vertices of {9} make the mesh a large one and are a segment; the other sets have two joints and n vertices
    //   n       1    2      3      4      5         6          7       13
    //   cut     run  twins  quad   quad   quad+run  quad+twins 2 quads segment+run
    static const uint32_t counts[] = { 1, 2, 3, 4, 5, 6, 7, 13 };
    static const uint32_t nine[] = { 9 };
    uint32_t state = 4;
    rig* r = rig_begin();
    add_vertices(r, &state, 300, 1, nine);
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t joints[] = { i, i + 1 };
        add_vertices(r, &state, counts[i], 2, joints);
    }
    REQUIRE(rig_plan(r) == MRW_OK);
    CHECK(plan_matches(r));
    static const uint32_t expected[][4] = { { MRWI_SPAN_SEGMENT, 1, 0, 300 }, { MRWI_SPAN_SEGMENT, 2, 300, 12 },
        { MRWI_SPAN_QUADS, 2, 312, 3 + 4 + 4 + 4 + 7 }, { MRWI_SPAN_TWINS, 2, 334, 2 + 2 }, { MRWI_SPAN_RUN, 2, 338, 1 + 1 + 1 } };
    REQUIRE(r->plan.span_count == 5);
    for (uint32_t s = 0; s < 5; s++) {
        CHECK_BYTES(&r->plan.spans[s], expected[s], sizeof(expected[s]));
    }
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
    rig_fill(r, 5, 3000, 30, 4);
    REQUIRE(rig_plan(r) == MRW_OK);
    bool ascend = true;
    uint32_t segments = 0;
    for (uint32_t s = 0; s < r->plan.span_count; s++) {
        const mrwi_span* span = &r->plan.spans[s];
        uint32_t before = 0;
        for (uint32_t done = 0, at = span->data; span->kind == MRWI_SPAN_SEGMENT && done < span->count; segments++) {
            const uint32_t count = r->plan.data[at].count, iterations = (count + 3) / 4;
            ascend = ascend && iterations >= before;
            before = iterations;
            done += count;
            at += 1 + span->influences + 4 * iterations * (span->influences - 1);
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
    CHECK_EQ_INT(r->plan.data[0].offset, joints[0] * MATRIX_SIZE);
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
