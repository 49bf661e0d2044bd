// An instance on a picture: what the state shows is what is drawn.
#include "check.h"
#include "support/failing_allocator.h"

#include <string.h>

enum { SIDE = 8 };

// Two parts of one rig: "back" covers (0, 0) to (4, 4) with the left half of page 0, "front" (2, 2) to (6, 6) with no known picture.
//  0-1
//  |/|
//  2-3
typedef struct stage {
    mrw_context* context;
    mrw_model_id model;
    mrw_world_id world;
    mrw_instance_id instance;
    mrw_instance_state* state;
    uint8_t pixels[SIDE * SIDE * 4];
} stage;

static mrw_result stage_begin(mrw_context* context, stage* out)
{
    static const float back[8] = { 0, 0, 4, 0, 0, 4, 4, 4 };
    static const float front[8] = { 2, 2, 6, 2, 2, 6, 6, 6 };
    static const float uvs[8] = { 0, 0, 1, 0, 0, 1, 1, 1 };
    static const uint32_t indices[6] = { 0, 2, 1, 1, 2, 3 };
    const mrw_mesh_desc meshes[2] = { { .vertex_count = 4, .index_count = 6, .positions = back, .uvs = uvs, .indices = indices },
        { .vertex_count = 4, .index_count = 6, .positions = front, .uvs = uvs, .indices = indices } };
    const mrw_part_desc parts[2] = { { .name = "back", .mesh = 0, .skin = -1, .sprite = "back.png" },
        { .name = "front", .mesh = 1, .skin = -1, .sprite = "front.png", .order = 1 } };
    const mrw_model_desc desc = { .mesh_count = 2, .part_count = 2, .meshes = meshes, .parts = parts };
    static const uint8_t page[8] = { 255, 0, 0, 255, 0, 255, 0, 255 };
    const mrw_frame frame = { .page = 0, .page_width = 2, .page_height = 1, .width = 1, .height = 1 };
    *out = (stage) { .context = context };
    mrw_result result = mrw_model_create(context, &desc, NULL, &out->model, NULL);
    result = result == MRW_OK ? mrw_model_set_frame(context, out->model, 0, &frame) : result;
    result = result == MRW_OK ? mrw_model_set_image(context, out->model, 0, 2, 1, page) : result;
    result = result == MRW_OK ? mrw_world_create(context, &out->world) : result;
    result = result == MRW_OK ? mrw_instance_create(context, out->world, &(mrw_instance_desc) { .model = out->model }, &out->instance)
                              : result;
    result = result == MRW_OK ? mrw_world_update(context, out->world, 0) : result;
    out->state = result == MRW_OK ? mrw_instance_get_state(context, out->instance) : NULL;
    return result;
}

static bool stage_open(stage* out)
{
    mrw_context* context = mrw_context_create(NULL);
    return CHECK(context != NULL) && CHECK_EQ_INT(stage_begin(context, out), MRW_OK) && CHECK(out->state != NULL);
}

static mrw_draw_options plain(void)
{
    return (mrw_draw_options) { SIDE, SIDE, { 1, 0, 0, 1, 0, 0 }, 0 };
}

static void draw(stage* to, const mrw_draw_options* options)
{
    to->state->dirty = 1;
    CHECK_EQ_INT(mrw_world_update(to->context, to->world, 0), MRW_OK);
    CHECK_EQ_INT(mrw_draw_instance(to->context, to->instance, options, to->pixels), MRW_OK);
}

// The pixel as 0xRRGGBBAA.
static uint32_t pixel_at(const stage* from, uint32_t x, uint32_t y)
{
    const uint8_t* p = &from->pixels[(y * SIDE + x) * 4];
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

TEST(drawing_refuses_bad_arguments)
{
    stage s;
    REQUIRE(stage_open(&s));
    mrw_draw_options options = plain();
    CHECK_EQ_INT(mrw_draw_instance(s.context, (mrw_instance_id) { 0 }, &options, s.pixels), MRW_STALE);
    options.width = 0;
    CHECK_EQ_INT(mrw_draw_instance(s.context, s.instance, &options, s.pixels), MRW_BAD_ARGUMENT);
    options.width = 1u << 21;
    CHECK_EQ_INT(mrw_draw_instance(s.context, s.instance, &options, s.pixels), MRW_LIMIT);
    options.width = 1u << 20;
    options.height = 1u << 20;
    CHECK_EQ_INT(mrw_draw_instance(s.context, s.instance, &options, s.pixels), MRW_LIMIT);
    mrw_context_destroy(s.context);
}

// The front lies over the back and is white; the back shows its half of the page only, though its last pixels are filtered.
TEST(parts_are_drawn_in_order_with_their_frames)
{
    stage s;
    REQUIRE(stage_open(&s));
    mrw_draw_options options = plain();
    draw(&s, &options);
    CHECK_EQ_INT(pixel_at(&s, 0, 0), 0xff0000ff);
    CHECK_EQ_INT(pixel_at(&s, 1, 3), 0xff0000ff);
    CHECK_EQ_INT(pixel_at(&s, 2, 2), 0xffffffff);
    CHECK_EQ_INT(pixel_at(&s, 5, 5), 0xffffffff);
    CHECK_EQ_INT(pixel_at(&s, 5, 1), 0);
    mrw_context_destroy(s.context);
}

TEST(matrix_and_flips_place_the_instance)
{
    stage s;
    REQUIRE(stage_open(&s));
    mrw_draw_options options = plain();
    // Mirrored about the rig's origin, then moved by (6, 1): "back" covers x 2 to 6, "front" x 0 to 4.
    s.state->view.flip_x = 1;
    options.matrix[4] = 6;
    options.matrix[5] = 1;
    draw(&s, &options);
    CHECK_EQ_INT(pixel_at(&s, 5, 1), 0xff0000ff);
    CHECK_EQ_INT(pixel_at(&s, 1, 6), 0xffffffff);
    CHECK_EQ_INT(pixel_at(&s, 6, 1), 0);
    CHECK_EQ_INT(pixel_at(&s, 5, 0), 0);
    s.state->view.flip_x = 0;
    s.state->view.flip_y = 1;
    options.matrix[4] = 0;
    options.matrix[5] = 6;
    draw(&s, &options);
    CHECK_EQ_INT(pixel_at(&s, 0, 5), 0xff0000ff);
    CHECK_EQ_INT(pixel_at(&s, 5, 0), 0xffffffff);
    CHECK_EQ_INT(pixel_at(&s, 5, 5), 0);
    mrw_context_destroy(s.context);
}

TEST(tints_and_opacities_multiply)
{
    stage s;
    REQUIRE(stage_open(&s));
    mrw_draw_options options = plain();
    s.state->view.color = 0xff8040;
    s.state->view.opacity = 0.5f;
    const mrw_part_change change = { .set = 2 | 4, .color = 0x8080ff, .opacity = 0.5f };
    CHECK_EQ_INT(mrw_instance_set_part(s.context, s.instance, 1, &change), MRW_OK);
    draw(&s, &options);
    // 0x80 * 0xff / 255, 0x80 * 0x80 / 255 = 64.25, 0x40; a quarter of the opacity.
    CHECK_EQ_INT(pixel_at(&s, 5, 5), 0x80404040);
    CHECK_EQ_INT(pixel_at(&s, 0, 0), 0xff000080);
    mrw_context_destroy(s.context);
}

TEST(what_is_hidden_is_not_drawn)
{
    stage s;
    REQUIRE(stage_open(&s));
    mrw_draw_options options = plain();
    options.background = 0x10203040;
    const mrw_part_change hide = { .set = 1, .visible = 0 };
    CHECK_EQ_INT(mrw_instance_set_part(s.context, s.instance, 1, &hide), MRW_OK);
    draw(&s, &options);
    // What the front hid: at u = 3.5 / 8, 3/8 of the way from the centre of the red texel to that of the green one.
    CHECK_EQ_INT(pixel_at(&s, 3, 3), 0x9f6000ff);
    CHECK_EQ_INT(pixel_at(&s, 5, 5), 0x10203040);
    s.state->view.visible = 0;
    draw(&s, &options);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        CHECK_EQ_INT(pixel_at(&s, i % SIDE, i / SIDE), 0x10203040);
    }
    mrw_context_destroy(s.context);
}

TEST(a_pending_instance_draws_its_background)
{
    mrw_context* context = mrw_context_create(NULL);
    REQUIRE(context != NULL);
    mrw_world_id world;
    mrw_instance_id instance;
    REQUIRE(mrw_world_create(context, &world) == MRW_OK);
    const mrw_instance_desc desc = { .guid = "0d1f8c6a-7f2e-4a54-9f0b-2f6f6c3f1a11" };
    REQUIRE(mrw_instance_create(context, world, &desc, &instance) == MRW_OK);
    mrw_draw_options options = { 1, 1, { 1, 0, 0, 1, 0, 0 }, 0x336699ff };
    uint8_t pixel[4] = { 0 };
    CHECK_EQ_INT(mrw_draw_instance(context, instance, &options, pixel), MRW_OK);
    const uint8_t expected[4] = { 0x33, 0x66, 0x99, 0xff };
    CHECK_BYTES(pixel, expected, 4);
    mrw_context_destroy(context);
}

static mrw_result attempt(mrw_context* context, void* user)
{
    (void)user;
    stage s;
    mrw_draw_options options = plain();
    mrw_result result = stage_begin(context, &s);
    return result == MRW_OK ? mrw_draw_instance(context, s.instance, &options, s.pixels) : result;
}

TEST(every_allocation_may_fail)
{
    FAILING_ALLOCATOR_SWEEP(attempt, NULL);
}
