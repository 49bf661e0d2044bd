#include "check.h"
#include "model/rest.h"
#include "support/failing_allocator.h"

#include <string.h>

TEST(rest_poses_come_in_any_order)
{
    // c (0) hangs on b (1), b on a (2), which is turned by a quarter: b at (0, 1) of a's (10, 0) stands at (9, 0), and c, two
    // further along b's x, at (9, 2).
    const double quarter = 1.5707963267948966;
    const mrw_node_desc nodes[3] = { { .parent = 1, .x = 2 }, { .parent = 2, .y = 1 }, { .parent = -5, .x = 10, .rotation = quarter } };
    mrw_context* context = mrw_context_create(NULL);
    REQUIRE(context != NULL);
    int32_t parents[3];
    double world[3][6];
    CHECK_EQ_INT(mrwi_rest_resolve(context, nodes, 3, parents, world), MRW_OK);
    const int32_t expected[3] = { 1, 2, -1 };
    CHECK_BYTES(parents, expected, sizeof expected);
    CHECK_NEAR(world[1][4], 9, 1e-12);
    CHECK_NEAR(world[1][5], 0, 1e-12);
    CHECK_NEAR(world[0][4], 9, 1e-12);
    CHECK_NEAR(world[0][5], 2, 1e-12);
    CHECK_NEAR(world[0][1], 1, 1e-12);
    CHECK_EQ_INT(mrwi_rest_resolve(context, NULL, 0, NULL, NULL), MRW_OK);
    mrw_context_destroy(context);
}

TEST(rest_poses_cut_cycles)
{
    static const struct {
        uint32_t count;
        int32_t parents[5], expected[5];
    } cases[] = {
        { 2, { 1, 0 }, { 1, -1 } },
        { 1, { 0 }, { -1 } },
        { 3, { 1, 2, 0 }, { 1, 2, -1 } },
        { 4, { 3, 2, 1, 1 }, { 3, 2, -1, 1 } }, // from 0: 3, 1, 2, and 2's parent 1 is on the walk
        { 5, { 4, 99, -7, 3, 1 }, { 4, -1, -1, -1, 1 } },
    };
    mrw_context* context = mrw_context_create(NULL);
    REQUIRE(context != NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        mrw_node_desc nodes[5] = { 0 };
        for (uint32_t k = 0; k < cases[i].count; k++) {
            nodes[k].parent = cases[i].parents[k];
            nodes[k].x = k + 1;
        }
        int32_t parents[5];
        double world[5][6];
        CHECK_EQ_INT(mrwi_rest_resolve(context, nodes, cases[i].count, parents, world), MRW_OK);
        for (uint32_t k = 0; k < cases[i].count; k++) {
            CHECK_EQ_INT(parents[k], cases[i].expected[k]);
            // Nothing is turned, so places add up along the way.
            double x = 0;
            for (int32_t at = (int32_t)k; at >= 0; at = cases[i].expected[at]) {
                x += at + 1;
            }
            CHECK_NEAR(world[k][4], x, 1e-12);
        }
    }
    mrw_context_destroy(context);
}

// The parent is twice as large; a child that takes no scale stands at (1 + 3, 0) instead of (1 + 6, 0) and is not enlarged.
TEST(rest_poses_leave_scale_out_where_asked)
{
    mrw_node_desc nodes[2] = { { .parent = -1, .x = 1, .scale_x = 2, .scale_y = 2 }, { .parent = 0, .x = 3 } };
    mrw_context* context = mrw_context_create(NULL);
    REQUIRE(context != NULL);
    double world[2][6];
    CHECK_EQ_INT(mrwi_rest_resolve(context, nodes, 2, NULL, world), MRW_OK);
    CHECK_NEAR(world[1][4], 7, 1e-12);
    CHECK_NEAR(world[1][0], 2, 1e-12);
    nodes[1].no_scale = true;
    CHECK_EQ_INT(mrwi_rest_resolve(context, nodes, 2, NULL, world), MRW_OK);
    CHECK_NEAR(world[1][4], 4, 1e-12);
    CHECK_NEAR(world[1][0], 1, 1e-12);
    mrw_context_destroy(context);
}

static mrw_result attempt(mrw_context* context, void* user)
{
    (void)user;
    const mrw_node_desc nodes[2] = { { .parent = -1 }, { .parent = 0 } };
    return mrwi_rest_resolve(context, nodes, 2, NULL, NULL);
}

TEST(every_allocation_may_fail)
{
    FAILING_ALLOCATOR_SWEEP(attempt, NULL);
}
