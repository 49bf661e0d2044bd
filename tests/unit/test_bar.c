// The striped bar of assets/bar: at rest, bent by a quarter turn worked out by hand, and swaying.
//
//        y
//   tip -128 o   rows of three vertices at x = -32, 0, 32, every 32 pixels
//            |
//   mid    0 o   a quarter turn of `mid` takes (x, y) to (-y, x); what hangs on `tip` goes along
//            |
//   base 128 o
#include "check.h"

#include "marrow.h"

#define ROWS 9
#define COLUMNS 3

typedef struct bar {
    mrw_context* context;
    mrw_model_id model;
    mrw_world_id world;
    mrw_instance_id instance;
    mrw_instance_state* state;
} bar;

static bool bar_begin(bar* b)
{
    size_t size;
    const uint8_t* bytes = fixture_get("assets/bar/bar.rig2d.json", &size);
    const mrw_load_options strict = { .strict = true };
    b->context = mrw_context_create(NULL);
    bool good = CHECK(b->context != NULL) && CHECK_EQ_INT(mrw_model_load_rig2d(b->context, bytes, size, &strict, &b->model, NULL), MRW_OK)
        && CHECK_EQ_INT(mrw_world_create(b->context, &b->world), MRW_OK);
    const mrw_instance_desc desc = { .model = b->model };
    good = good && CHECK_EQ_INT(mrw_instance_create(b->context, b->world, &desc, &b->instance), MRW_OK);
    b->state = good ? mrw_instance_get_state(b->context, b->instance) : NULL;
    return good && CHECK(b->state != NULL) && CHECK_EQ_INT(mrw_world_update(b->context, b->world, 0), MRW_OK)
        && CHECK_EQ_INT(b->state->parts[0].vertex_count, ROWS * COLUMNS);
}

static void check_positions(const bar* b, const float expected[ROWS * COLUMNS][2])
{
    const mrw_part_state* part = &b->state->parts[0];
    for (uint32_t i = 0; i < part->vertex_count; i++) {
        uint32_t vertex = part->vertex_map[i];
        CHECK_NEAR(b->state->positions[(part->first_vertex + i) * 2], expected[vertex][0], 1e-4);
        CHECK_NEAR(b->state->positions[(part->first_vertex + i) * 2 + 1], expected[vertex][1], 1e-4);
    }
}

static float* rotation_of(const bar* b, const char* name)
{
    uint32_t node = 0;
    CHECK_EQ_INT(mrw_instance_find_node(b->context, b->instance, name, &node), MRW_OK);
    return &b->state->base[MRW_FIELD_ROTATION * b->state->node_stride + (node & 0xfffff)];
}

TEST(the_bar_rests_at_bind)
{
    bar b;
    if (bar_begin(&b)) {
        float rest[ROWS * COLUMNS][2];
        for (int i = 0; i < ROWS * COLUMNS; i++) {
            rest[i][0] = (float)(i % COLUMNS * 32 - 32);
            rest[i][1] = (float)(i / COLUMNS * 32 - 128);
        }
        check_positions(&b, rest);
    }
    mrw_context_destroy(b.context);
}

TEST(the_bar_bends_by_a_quarter_turn)
{
    // clang-format off
    static const float bent[ROWS * COLUMNS][2] = {
        { 128, -32 }, { 128, 0 }, { 128, 32 }, // y = -128, all on the turned bones: (-y, x)
        {  96, -32 }, {  96, 0 }, {  96, 32 },
        {  64, -32 }, {  64, 0 }, {  64, 32 },
        {  16, -32 }, {  24, -8 }, { 32, 16 }, // y = -32, a quarter on base: x / 4 + 24, 3 x / 4 - 8
        { -16, -16 }, {   0, 0 }, {  16, 16 }, // y = 0, half and half: x / 2, x / 2
        { -32,  16 }, {  -8, 24 }, { 16, 32 }, // y = 32, three quarters on base: 3 x / 4 - 8, x / 4 + 24
        { -32,  64 }, {   0, 64 }, { 32, 64 }, // all on base
        { -32,  96 }, {   0, 96 }, { 32, 96 },
        { -32, 128 }, {   0, 128 }, { 32, 128 },
    };
    // clang-format on
    bar b;
    if (bar_begin(&b)) {
        uint32_t version = b.state->version;
        *rotation_of(&b, "mid") = 1.57079632679f;
        b.state->dirty = 1;
        CHECK_EQ_INT(mrw_world_update(b.context, b.world, 0), MRW_OK);
        CHECK(b.state->version > version);
        check_positions(&b, bent);
        mrw_bounds bounds;
        CHECK_EQ_INT(mrw_instance_bounds(b.context, b.instance, -1, &bounds), MRW_OK);
        CHECK_NEAR(bounds.min_x, -32, 1e-4);
        CHECK_NEAR(bounds.max_x, 128, 1e-4);
        CHECK_NEAR(bounds.min_y, -32, 1e-4);
        CHECK_NEAR(bounds.max_y, 128, 1e-4);

        // Nothing changed since: nothing is written, and the version stays.
        version = b.state->version;
        CHECK_EQ_INT(mrw_world_update(b.context, b.world, 1), MRW_OK);
        CHECK_EQ_INT(b.state->version, version);
        CHECK_EQ_INT(mrw_world_get_state(b.context, b.world)->vertices_written, 0);
    }
    mrw_context_destroy(b.context);
}

TEST(the_tip_turns_about_the_end_of_the_bar)
{
    // A quarter turn about (0, -128): (x, y) goes to (-(y + 128), x - 128). The last row is all on the tip, the next one half.
    bar b;
    if (bar_begin(&b)) {
        *rotation_of(&b, "tip") = 1.57079632679f;
        b.state->dirty = 1;
        CHECK_EQ_INT(mrw_world_update(b.context, b.world, 0), MRW_OK);
        const mrw_part_state* part = &b.state->parts[0];
        for (uint32_t i = 0; i < part->vertex_count; i++) {
            const float* at = b.state->positions + (part->first_vertex + i) * 2;
            if (part->vertex_map[i] == 2) { // (32, -128) to (0, -96)
                CHECK_NEAR(at[0], 0, 1e-4);
                CHECK_NEAR(at[1], -96, 1e-4);
            } else if (part->vertex_map[i] == 5) { // halfway from (32, -96) to (-32, -96)
                CHECK_NEAR(at[0], 0, 1e-4);
                CHECK_NEAR(at[1], -96, 1e-4);
            } else if (part->vertex_map[i] == 14) { // no influence of the tip
                CHECK_NEAR(at[0], 32, 1e-4);
                CHECK_NEAR(at[1], 0, 1e-4);
            }
        }
    }
    mrw_context_destroy(b.context);
}

TEST(the_bar_sways)
{
    bar b;
    if (bar_begin(&b)) {
        size_t size;
        const uint8_t* bytes = fixture_get("assets/bar/bar.anim.json", &size);
        const mrw_load_options strict = { .strict = true };
        mrw_error error = { 0 };
        CHECK_EQ_INT(mrw_model_add_clip(b.context, b.model, bytes, size, &strict, NULL, &error), MRW_OK);
        CHECK_STR(error.message, "");
        CHECK_EQ_INT(mrw_instance_play(b.context, b.instance, 0, NULL), MRW_OK);
        size_t mid = (size_t)(rotation_of(&b, "mid") - b.state->base);
        size_t tip = (size_t)(rotation_of(&b, "tip") - b.state->base);
        // Keys of the file: the middle leans most at 0.5 s and 1.5 s, the tip at 0.75 s.
        CHECK_EQ_INT(mrw_world_update(b.context, b.world, 0.5), MRW_OK);
        CHECK_NEAR(b.state->local[mid], 0.35, 1e-6);
        CHECK_EQ_INT(mrw_world_update(b.context, b.world, 0.25), MRW_OK);
        CHECK_NEAR(b.state->local[tip], 0.4, 1e-6);
        CHECK_EQ_INT(mrw_world_update(b.context, b.world, 0.75), MRW_OK);
        CHECK_NEAR(b.state->local[mid], -0.35, 1e-6);
        // Round the loop: back at 0.5 s.
        CHECK_EQ_INT(mrw_world_update(b.context, b.world, 1), MRW_OK);
        CHECK_NEAR(b.state->local[mid], 0.35, 1e-6);
        CHECK_NEAR(b.state->time, 0.5, 1e-9);
    }
    mrw_context_destroy(b.context);
}
