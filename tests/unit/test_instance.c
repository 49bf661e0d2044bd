#include "support/stage.h"

#include <math.h>

// The bar: three columns at x -32, 0, 32, nine rows from y -128 to 128, vertex 3 * row + column; base carries mid at (0, 0), mid
// carries tip at (0, -128). Rows 0..2 follow the tip alone, 12..14 base and mid alike, 24..26 the base alone.

TEST(bar_rests_at_bind)
{
    stage s = stage_open();
    mrw_instance_id hero = stage_add(&s, stage_bar(s.context));
    CHECK_EQ_INT(stage_state(&s, hero)->version, 0);
    CHECK_VERTEX(s, hero, 0, 0, -32, -128);
    stage_update(&s);
    CHECK_EQ_INT(stage_state(&s, hero)->version, 1);
    for (uint32_t vertex = 0; vertex < 27; vertex++) {
        CHECK_VERTEX(s, hero, 0, vertex, -32.0f + 32.0f * (float)(vertex % 3), -128.0f + 32.0f * (float)(vertex / 3));
    }
    stage_close(&s);
}

// A quarter turn of mid takes (x, y) to (-y, x) about (0, 0); what both bones carry alike stays half way.
TEST(bar_bends_by_ninety_degrees)
{
    stage s = stage_open();
    mrw_instance_id hero = stage_add(&s, stage_bar(s.context));
    stage_set(&s, hero, stage_node(&s, hero, "mid"), MRW_FIELD_ROTATION, 1.57079633f);
    stage_update(&s);
    CHECK_VERTEX(s, hero, 0, 0, 128, -32);
    CHECK_VERTEX(s, hero, 0, 1, 128, 0);
    CHECK_VERTEX(s, hero, 0, 2, 128, 32);
    CHECK_VERTEX(s, hero, 0, 12, -16, -16);
    CHECK_VERTEX(s, hero, 0, 13, 0, 0);
    CHECK_VERTEX(s, hero, 0, 24, -32, 128);
    CHECK_VERTEX(s, hero, 0, 26, 32, 128);
    stage_close(&s);
}
