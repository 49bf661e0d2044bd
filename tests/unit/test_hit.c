#include "support/stage.h"

#include <math.h>

// Two squares of ten units, "below" at x 0..10 and "above" at x 5..15, y 0..10, each a pair of triangles:
//
//     0---1      triangle 0: 0 1 2, triangle 1: 0 2 3
//     | \ |
//     3---2
#define SQUARE(name, sprite, left, right, more)                                                                                      \
    "{\"name\":\"" name "\",\"sprite\":\"" sprite "\"," more "\"mesh\":{\"verts\":[[" left ",0],[" right ",0],[" right ",10],[" left \
    ",10]],\"uvs\":[[0,0],[1,0],[1,1],[0,1]],\"tris\":[0,1,2,0,2,3]},\"skinIndices\":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],"             \
    "\"skinWeights\":[1,0,0,0,1,0,0,0,1,0,0,0,1,0,0,0]}"
#define A "aaaaaaaa-0000-4000-8000-000000000000"
#define B "bbbbbbbb-0000-4000-8000-000000000000"
static const char squares[]
    = "{\"bones\":[{\"name\":\"root\"}],\"parts\":[" SQUARE("below", A, "0", "10", "") "," SQUARE("above", B, "5", "15", "") "]}";

static mrw_hit hit(const stage* s, mrw_instance_id id, float x, float y, float threshold)
{
    mrw_hit found = { 0 };
    CHECK_EQ_INT(mrw_instance_hit(s->context, id, x, y, threshold, &found), MRW_OK);
    return found;
}

TEST(the_topmost_part_is_hit)
{
    stage s = stage_open();
    mrw_instance_id id = stage_add(&s, stage_model(s.context, squares));
    stage_update(&s);
    mrw_hit found = hit(&s, id, 7.5f, 2.5f, 0);
    CHECK_EQ_INT(found.part, 1);
    CHECK_EQ_INT(found.triangle, 1); // on the diagonal both hold it, and the last is on top
    CHECK_NEAR(found.u, 0.25, 1e-6);
    CHECK_NEAR(found.v, 0.25, 1e-6);
    CHECK_NEAR(found.alpha, 1, 0);
    CHECK_EQ_INT(hit(&s, id, 4.9f, 5, 0).part, 0);
    CHECK_EQ_INT(hit(&s, id, 14, 1, 0).triangle, 0);
    CHECK_EQ_INT(hit(&s, id, 6, 9, 0).triangle, 1);
    CHECK_EQ_INT(hit(&s, id, 15.01f, 5, 0).part, -1);
    CHECK_EQ_INT(hit(&s, id, NAN, 5, 0).part, -1);
    CHECK_EQ_INT(hit(&s, id, 7, INFINITY, 0).part, -1);
    stage_close(&s);
}

TEST(edges_and_corners_belong_to_a_part)
{
    stage s = stage_open();
    mrw_instance_id id = stage_add(&s, stage_model(s.context, squares));
    stage_update(&s);
    CHECK_EQ_INT(hit(&s, id, 0, 0, 0).part, 0);
    CHECK_EQ_INT(hit(&s, id, 0, 10, 0).part, 0);
    CHECK_EQ_INT(hit(&s, id, 5, 5, 0).part, 1);
    CHECK_EQ_INT(hit(&s, id, 15, 10, 0).part, 1);
    CHECK_EQ_INT(hit(&s, id, 10, 0, 0).part, 1);
    stage_close(&s);
}

TEST(a_mirrored_part_is_hit_and_a_flat_one_is_not)
{
    stage s = stage_open();
    mrw_instance_id id = stage_add(&s, stage_model(s.context, squares));
    uint32_t root = stage_node(&s, id, "root");
    stage_set(&s, id, root, MRW_FIELD_SCALE_X, -1);
    stage_update(&s);
    mrw_hit found = hit(&s, id, -12, 4, 0);
    CHECK_EQ_INT(found.part, 1);
    CHECK_NEAR(found.u, 0.7, 1e-6);
    CHECK_NEAR(found.v, 0.4, 1e-6);
    CHECK_EQ_INT(hit(&s, id, 12, 4, 0).part, -1);
    stage_set(&s, id, root, MRW_FIELD_SCALE_X, 0);
    stage_update(&s);
    CHECK_EQ_INT(hit(&s, id, 0, 4, 0).part, -1);
    stage_close(&s);
}

TEST(hidden_parts_are_passed_through)
{
    stage s = stage_open();
    mrw_instance_id id = stage_add(&s, stage_model(s.context, squares));
    CHECK_EQ_INT(mrw_instance_set_part(s.context, id, 1, &(mrw_part_change) { .set = 1, .visible = 0 }), MRW_OK);
    stage_update(&s);
    CHECK_EQ_INT(hit(&s, id, 7, 2, 0).part, 0);
    CHECK_EQ_INT(hit(&s, id, 12, 2, 0).part, -1);
    stage_close(&s);
}

// "above" shows a page of two pixels: the left one clear, the right one opaque. Between their centres, at u 1/4 and 3/4, alpha rises
// in a straight line.
TEST(alpha_is_read_where_the_uv_lies)
{
    stage s = stage_open();
    mrw_model_id model = stage_model(s.context, squares);
    mrw_instance_id id = stage_add(&s, model);
    const uint8_t pixels[8] = { 1, 2, 3, 0, 4, 5, 6, 255 };
    CHECK_EQ_INT(mrw_model_set_image(s.context, model, 1, 2, 1, pixels), MRW_OK);
    stage_update(&s);
    CHECK_EQ_INT(hit(&s, id, 6, 5, 0).part, 0); // clear: the part below
    CHECK_NEAR(hit(&s, id, 14, 5, 0).alpha, 1, 1e-6);
    CHECK_NEAR(hit(&s, id, 10, 5, 0).alpha, 0.5, 1e-6);
    CHECK_EQ_INT(hit(&s, id, 10.5f, 5, 0.5f).part, 1);
    CHECK_EQ_INT(hit(&s, id, 11, 5, 0.71f).part, -1);
    CHECK_EQ_INT(hit(&s, id, 7, 5, 1).part, -1); // nothing exceeds 1
    CHECK_EQ_INT(mrw_model_set_image(s.context, model, 1, 0, 0, NULL), MRW_OK);
    CHECK_EQ_INT(hit(&s, id, 6, 5, 0).part, 1);
    stage_close(&s);
}

TEST(uvs_are_those_of_the_page)
{
    stage s = stage_open();
    mrw_model_id model = stage_model(s.context, squares);
    mrw_instance_id id = stage_add(&s, model);
    const mrw_frame frame = { .page = 3, .page_width = 100, .page_height = 50, .x = 20, .y = 10, .width = 10, .height = 10 };
    CHECK_EQ_INT(mrw_model_set_frame(s.context, model, 1, &frame), MRW_OK);
    stage_update(&s);
    mrw_hit found = hit(&s, id, 10, 5, 0);
    CHECK_NEAR(found.u, 0.25, 1e-6);
    CHECK_NEAR(found.v, 0.3, 1e-6);
    CHECK_EQ_INT(stage_state(&s, id)->parts[1].page, 3);
    stage_close(&s);
}

TEST(bounds_hold_what_is_seen)
{
    stage s = stage_open();
    mrw_instance_id id = stage_add(&s, stage_model(s.context, squares));
    mrw_bounds bounds;
    stage_update(&s);
    CHECK_EQ_INT(mrw_instance_bounds(s.context, id, -1, &bounds), MRW_OK);
    CHECK_NEAR(bounds.min_x, 0, 0);
    CHECK_NEAR(bounds.max_x, 15, 0);
    CHECK_NEAR(bounds.center_x, 7.5, 0);
    CHECK_NEAR(bounds.center_y, 5, 0);
    CHECK_NEAR(bounds.radius, sqrt(7.5 * 7.5 + 25), 1e-6);
    CHECK((double)bounds.radius >= sqrt(7.5 * 7.5 + 25));
    stage_set(&s, id, 0, MRW_FIELD_Y, 100);
    CHECK_EQ_INT(mrw_instance_set_part(s.context, id, 0, &(mrw_part_change) { .set = 1, .visible = 0 }), MRW_OK);
    stage_update(&s);
    CHECK_EQ_INT(mrw_instance_bounds(s.context, id, -1, &bounds), MRW_OK);
    CHECK_NEAR(bounds.min_x, 5, 0);
    CHECK_NEAR(bounds.min_y, 100, 0);
    CHECK_EQ_INT(mrw_instance_bounds(s.context, id, 0, &bounds), MRW_OK);
    CHECK_NEAR(bounds.max_x, 10, 0);
    CHECK_EQ_INT(bounds.empty, 0);
    CHECK_EQ_INT(mrw_instance_set_part(s.context, id, 1, &(mrw_part_change) { .set = 1, .visible = 0 }), MRW_OK);
    stage_update(&s);
    CHECK_EQ_INT(mrw_instance_bounds(s.context, id, -1, &bounds), MRW_OK);
    CHECK_EQ_INT(bounds.empty, 1);
    CHECK_EQ_INT(mrw_instance_bounds(s.context, id, 2, &bounds), MRW_BAD_INDEX);
    CHECK_EQ_INT(mrw_instance_bounds(s.context, id, -2, &bounds), MRW_BAD_INDEX);
    stage_close(&s);
}
