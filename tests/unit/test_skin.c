#include "runtime/skin.h"

#include <string.h>

#include "base/hash.h"
#include "check.h"
#include "rig.h"

#define CANARY 12345.5f
#define ROOM (2 * (RIG_MAX_VERTICES + MRWI_PLAN_SLACK) + 2)

static const mrwi_affine2 turned = { 0, 1, -1, 0, 30, -20, { 0, 0 } }; // by 90 degrees, +x towards +y
static float fast[ROOM], plain[ROOM];

/// Skins by both twins; false when their bits differ or one wrote behind the slack.
static bool skin_both(const rig* r, const mrwi_affine2* root)
{
    for (uint32_t i = 0; i < ROOM; i++) {
        fast[i] = plain[i] = CANARY;
    }
    mrwi_skin_linear(&r->plan, r->palette, root, r->source, fast);
    mrwi_skin_linear_scalar(&r->plan, r->palette, root, r->source, plain);
    const size_t count = r->plan.vertex_count, behind = 2 * (count + MRWI_PLAN_SLACK);
    return memcmp(fast, plain, 2 * count * sizeof(float)) == 0 && fast[behind] == CANARY && plain[2 * count] == CANARY;
}

/// The largest distance of `fast` from the textbook's result.
static double error_of(const rig* r, const mrwi_affine2* root)
{
    double worst = 0;
    for (uint32_t i = 0; i < r->plan.vertex_count; i++) {
        double expected[2];
        rig_reference(r, r->map[i], root, expected);
        for (uint32_t axis = 0; axis < 2; axis++) {
            const double error = fast[2 * i + axis] - expected[axis];
            worst = error > worst ? error : -error > worst ? -error : worst;
        }
    }
    return worst;
}

static void place(rig* r, uint32_t vertex, float x, float y)
{
    r->position[2 * vertex] = x;
    r->position[2 * vertex + 1] = y;
}

TEST(nothing_is_written_for_an_empty_plan)
{
    rig* r = rig_begin();
    REQUIRE(rig_plan(r) == MRW_OK);
    CHECK(skin_both(r, NULL));
    CHECK(fast[0] == CANARY);
    rig_free(r);
}

TEST(a_strip_bends_by_ninety_degrees)
{
    // 0---1---2   joint 0 rests, joint 1 turns by 90 degrees about vertex 1: vertex 2 lands below it. Vertex 1 is half and half,
    // and vertex 3 at (1.5, 0) too: the mean of where both joints put it, (1.5, 0) and (1, 0.5).
    static const uint32_t first[] = { 0 }, second[] = { 1 }, both[] = { 0, 1 };
    uint32_t state = 1;
    rig* r = rig_begin();
    rig_add(r, &state, 1, first);
    rig_add(r, &state, 2, both);
    rig_add(r, &state, 1, second);
    rig_add(r, &state, 2, both);
    for (uint32_t i = 1; i < 6; i++) {
        r->weight[i] = i == 3 ? 1 : 0.5f;
    }
    place(r, 0, 0, 0);
    place(r, 1, 1, 0);
    place(r, 2, 2, 0);
    place(r, 3, 1.5f, 0);
    r->palette[0] = (mrwi_affine2) { 1, 0, 0, 1, 0, 0, { 0, 0 } };
    r->palette[1] = (mrwi_affine2) { 0, 1, -1, 0, 1, -1, { 0, 0 } }; // (x, y) to (1 - y, x - 1)
    REQUIRE(rig_plan(r) == MRW_OK);
    REQUIRE(skin_both(r, NULL));
    static const float expected[4][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 1.25f, 0.25f } };
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_NEAR(fast[2 * i], expected[r->map[i]][0], 1e-6);
        CHECK_NEAR(fast[2 * i + 1], expected[r->map[i]][1], 1e-6);
    }
    rig_free(r);
}

TEST(resting_vertices_follow_the_root_or_stay)
{
    for (uint32_t count = 1; count < 9; count++) {
        uint32_t state = count;
        rig* r = rig_begin();
        for (uint32_t i = 0; i < count; i++) {
            rig_add(r, &state, 0, NULL);
        }
        REQUIRE(rig_plan(r) == MRW_OK);
        CHECK(skin_both(r, NULL));
        CHECK_BYTES(fast, r->source, 2 * count * sizeof(float));
        CHECK(skin_both(r, &turned));
        CHECK_NEAR(fast[0], 30 - r->source[1], 1e-4);
        CHECK_NEAR(fast[1], -20 + r->source[0], 1e-4);
        CHECK(error_of(r, &turned) < 1e-4);
        rig_free(r);
    }
}

TEST(kernels_follow_the_textbook_and_have_equal_bits)
{
    static const uint32_t vertex_counts[] = { 1, 2, 3, 5, 64, 299, 300, 1001, 4096 };
    static const uint32_t joint_counts[] = { 1, 3, 20, 200 };
    static const uint32_t most[] = { 1, 2, 3, 4, 10 };
    for (size_t v = 0; v < sizeof(vertex_counts) / sizeof(*vertex_counts); v++) {
        for (size_t j = 0; j < sizeof(joint_counts) / sizeof(*joint_counts); j++) {
            for (size_t m = 0; m < sizeof(most) / sizeof(*most); m++) {
                rig* r = rig_begin();
                rig_fill(r, (uint32_t)(v * 100 + j * 10 + m), vertex_counts[v], joint_counts[j], most[m]);
                REQUIRE(rig_plan(r) == MRW_OK);
                CHECK(skin_both(r, &turned));
                CHECK(error_of(r, &turned) < 1e-3);
                rig_free(r);
            }
        }
    }
}

TEST(equal_matrices_move_rigidly)
{
    rig* r = rig_begin();
    rig_fill(r, 11, 1000, 40, 7);
    for (uint32_t j = 0; j < RIG_MAX_JOINTS; j++) {
        r->palette[j] = turned;
    }
    REQUIRE(rig_plan(r) == MRW_OK);
    REQUIRE(skin_both(r, &turned));
    uint32_t apart = 0;
    for (uint32_t i = 0; i < r->plan.vertex_count; i++) {
        apart += fast[2 * i] != 30 - r->source[2 * i + 1] || fast[2 * i + 1] != r->source[2 * i] - 20;
    }
    CHECK_EQ_INT(apart, 0);
    rig_free(r);
}

TEST(a_skin_of_many_joints_is_not_cut)
{
    // the last of 70,000 joints: its byte offset needs more than 16 bits, its index too
    static mrwi_affine2 palette[70000];
    static const uint32_t joints[] = { 1, 69999 };
    for (uint32_t j = 0; j < 70000; j++) {
        palette[j] = (mrwi_affine2) { 1, 0, 0, 1, (float)j, 0, { 0, 0 } };
    }
    uint32_t state = 2;
    rig* r = rig_begin();
    rig_add(r, &state, 2, joints);
    r->weight[0] = 0.25f;
    r->weight[1] = 0.75f;
    place(r, 0, 0, 8);
    REQUIRE(rig_plan(r) == MRW_OK);
    mrwi_skin_linear(&r->plan, palette, NULL, r->source, fast);
    CHECK_NEAR(fast[0], 0.25 * 1 + 0.75 * 69999, 0.01);
    CHECK_NEAR(fast[1], 8, 1e-6);
    rig_free(r);
}

TEST(every_build_gives_the_same_bits)
{
    rig* r = rig_begin();
    rig_fill(r, 77, 4000, 60, 6);
    REQUIRE(rig_plan(r) == MRW_OK);
    REQUIRE(skin_both(r, &turned));
    CHECK(error_of(r, &turned) < 1e-3);
    // The values were checked above; this compares builds (compilers, native and wasm, SIMD and not) with each other.
    CHECK(mrwi_hash(MRWI_HASH_START, fast, 8000 * sizeof(float)) == 0xdac5c9a3dc1896c4u);
    rig_free(r);
}

TEST(offsets_are_added)
{
    float bind[8], offsets[8], sum[8];
    for (uint32_t i = 0; i < 8; i++) {
        bind[i] = (float)i;
        offsets[i] = 0.5f * (float)i - 1;
        sum[i] = CANARY;
    }
    mrwi_skin_add(3, bind, offsets, sum);
    CHECK(sum[0] == -1 && sum[1] == 0.5f && sum[2] == 2);
    CHECK(sum[4] == CANARY);
    mrwi_skin_add(0, bind, offsets, sum + 4);
    CHECK(sum[4] == CANARY);
}
