#include "base/hash.h"
#include "check.h"
#include "draw/coverage.h"
#include "draw/raster.h"
#include "math/trig.h"
#include "support/failing_allocator.h"

#include <math.h>
#include <string.h>

enum { SIDE = 16 };

// A picture of at most SIDE x SIDE pixels and what is drawn on it.
typedef struct canvas {
    uint32_t width, height;
    uint8_t pixels[SIDE * SIDE * 4];
} canvas;

static const uint32_t quad_indices[6] = { 0, 2, 1, 1, 2, 3 };
static const float whole_uvs[8] = { 0, 0, 1, 0, 0, 1, 1, 1 };

// A quad from (x0, y0) to (x1, y1).  0-1
//                                    |/|
//                                    2-3
static void corners_of(float x0, float y0, float x1, float y1, float out[8])
{
    const float corners[8] = { x0, y0, x1, y0, x0, y1, x1, y1 };
    memcpy(out, corners, sizeof corners);
}

static mrwi_raster_batch white_quad(void)
{
    return (mrwi_raster_batch) { quad_indices, 6, NULL, { 255, 255, 255 }, 1, MRW_BLEND_NORMAL };
}

static mrw_result draw_in(
    mrw_context* context, canvas* to, uint32_t background, const float* positions, const mrwi_raster_batch* batches, uint32_t count)
{
    mrwi_raster_args args
        = { to->width, to->height, background, { 1, 0, 0, 1, 0, 0 }, positions == NULL ? 0 : 4, positions, whole_uvs, count, batches };
    return mrwi_raster_draw(context, &args, to->pixels);
}

static void draw(canvas* to, uint32_t background, const float* positions, const mrwi_raster_batch* batches, uint32_t count)
{
    mrw_context* context = mrw_context_create(NULL);
    REQUIRE(context != NULL);
    CHECK_EQ_INT(draw_in(context, to, background, positions, batches, count), MRW_OK);
    mrw_context_destroy(context);
}

// The pixel as 0xRRGGBBAA.
static uint32_t pixel_at(const canvas* from, uint32_t x, uint32_t y)
{
    const uint8_t* p = &from->pixels[(y * from->width + x) * 4];
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

TEST(background_fills_an_empty_picture)
{
    canvas picture = { 3, 2, { 0 } };
    draw(&picture, 0x12345678, NULL, NULL, 0);
    for (uint32_t i = 0; i < 6; i++) {
        CHECK_EQ_INT(pixel_at(&picture, i % 3, i / 3), 0x12345678);
    }
}

// Half-transparent, so that a pixel drawn twice would be 191 and one left out 0.
TEST(quad_covers_each_pixel_once)
{
    canvas picture = { 6, 5, { 0 } };
    float corners[8];
    corners_of(1, 1, 5, 4, corners);
    mrwi_raster_batch batch = white_quad();
    batch.opacity = 0.5f;
    draw(&picture, 0, corners, &batch, 1);
    for (uint32_t y = 0; y < 5; y++) {
        for (uint32_t x = 0; x < 6; x++) {
            bool inside = x >= 1 && x < 5 && y >= 1 && y < 4;
            CHECK_EQ_INT(pixel_at(&picture, x, y), inside ? 0xffffff80 : 0);
        }
    }
}

TEST(both_windings_are_drawn)
{
    static const uint32_t mirrored[6] = { 0, 1, 2, 1, 3, 2 };
    canvas picture = { 4, 4, { 0 } };
    float corners[8];
    corners_of(0, 0, 4, 4, corners);
    mrwi_raster_batch batch = white_quad();
    batch.indices = mirrored;
    draw(&picture, 0, corners, &batch, 1);
    CHECK_EQ_INT(pixel_at(&picture, 0, 0), 0xffffffff);
    CHECK_EQ_INT(pixel_at(&picture, 3, 3), 0xffffffff);
}

// A fan about an inner point: every edge but the outermost is shared, and lies at an odd angle and a fraction of a pixel.
TEST(shared_edges_leave_no_seam)
{
    enum { SPOKES = 23 };
    float positions[(SPOKES + 1) * 2] = { 7.37f, 8.81f };
    uint32_t indices[SPOKES * 3];
    for (uint32_t i = 0; i < SPOKES; i++) {
        double sine;
        double cosine;
        mrwi_sincos(0.1 + i * 6.283185307179586 / SPOKES, &sine, &cosine);
        positions[i * 2 + 2] = (float)(8 + 40 * cosine);
        positions[i * 2 + 3] = (float)(8 + 40 * sine);
        indices[i * 3] = 0;
        indices[i * 3 + 1] = 1 + i;
        indices[i * 3 + 2] = 1 + (i + 1) % SPOKES;
    }
    mrw_context* context = mrw_context_create(NULL);
    REQUIRE(context != NULL);
    canvas picture = { SIDE, SIDE, { 0 } };
    mrwi_raster_batch batch = { indices, SPOKES * 3, NULL, { 255, 255, 255 }, 0.5f, MRW_BLEND_NORMAL };
    mrwi_raster_args args = { SIDE, SIDE, 0, { 1, 0, 0, 1, 0, 0 }, SPOKES + 1, positions, NULL, 1, &batch };
    CHECK_EQ_INT(mrwi_raster_draw(context, &args, picture.pixels), MRW_OK);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        CHECK_EQ_INT(pixel_at(&picture, i % SIDE, i / SIDE), 0xffffff80);
    }
    mrw_context_destroy(context);
}

static uint32_t next_random(uint32_t* state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

// Random quads cut along a diagonal whose ends may lie on sample points: no sample belongs to both halves, and together they
// cover what the halves of the other diagonal cover when the quad is convex.
TEST(samples_belong_to_one_side_of_an_edge)
{
    uint32_t state = 7;
    for (int round = 0; round < 200; round++) {
        // One corner in each quadrant about (8, 8), near enough to a square to be convex. Corners lie 1/32 beside a lattice of a
        // quarter, so that many samples lie on the lines between them.
        int32_t q[4][2];
        for (int i = 0; i < 4; i++) {
            int32_t right = i == 1 || i == 2 ? 1 : -1;
            int32_t below = i >= 2 ? 1 : -1;
            q[i][0] = 8 * 256 + 8 + right * (4 * 256 + (int32_t)(next_random(&state) % 12) * 64);
            q[i][1] = 8 * 256 + 8 + below * (4 * 256 + (int32_t)(next_random(&state) % 12) * 64);
        }
        static const int cuts[4][3] = { { 0, 1, 2 }, { 0, 2, 3 }, { 1, 2, 3 }, { 1, 3, 0 } };
        mrwi_coverage halves[4];
        for (int i = 0; i < 4; i++) {
            int32_t corners[3][2];
            for (int k = 0; k < 3; k++) {
                memcpy(corners[k], q[cuts[i][k]], sizeof corners[k]);
            }
            REQUIRE(mrwi_coverage_init(&halves[i], (const int32_t(*)[2])corners));
        }
        uint32_t doubled = 0;
        uint32_t different = 0;
        uint32_t covered = 0;
        for (int32_t i = 0; i < SIDE * SIDE; i++) {
            uint32_t masks[4];
            for (int k = 0; k < 4; k++) {
                masks[k] = mrwi_coverage_mask(&halves[k], i % SIDE, i / SIDE);
            }
            doubled |= (masks[0] & masks[1]) | (masks[2] & masks[3]);
            different |= (masks[0] | masks[1]) ^ (masks[2] | masks[3]);
            covered |= masks[0];
        }
        CHECK_EQ_INT(doubled, 0);
        CHECK_EQ_INT(different, 0);
        CHECK_EQ_INT(covered, MRWI_COVERED_ALL);
    }
}

// Edges through the samples themselves: 11/32 of a pixel is where the sixth sample stands, in its column and in its row. A shape
// owns its left and top edges.
TEST(edges_through_samples_belong_to_the_shape_on_their_right_and_below)
{
    const float at = 1 + 11.0f / 32;
    for (int turned = 0; turned < 2; turned++) {
        canvas picture = { 4, 4, { 0 } };
        float corners[8];
        corners_of(turned ? 0 : at, turned ? at : 0, turned ? 4 : at + 1, turned ? at + 1 : 4, corners);
        mrwi_raster_batch batch = white_quad();
        draw(&picture, 0, corners, &batch, 1);
        // Samples 5 to 15 of the first pixel and 0 to 4 of the second: 11/16 and 5/16 of 255.
        CHECK_EQ_INT(pixel_at(&picture, turned ? 2 : 1, turned ? 1 : 2), 0xffffffaf);
        CHECK_EQ_INT(pixel_at(&picture, 2, 2), 0xffffff50);
    }
}

// The span of a row is a bound: no pixel outside it may have a covered sample.
TEST(spans_hold_every_covered_pixel)
{
    uint32_t state = 3;
    for (int round = 0; round < 300; round++) {
        int32_t corners[3][2];
        for (int i = 0; i < 6; i++) {
            corners[i / 2][i % 2] = (int32_t)(next_random(&state) % (24 * 256)) - 4 * 256;
        }
        mrwi_coverage coverage;
        if (!mrwi_coverage_init(&coverage, (const int32_t(*)[2])corners)) {
            continue;
        }
        bool lost = false;
        for (int32_t y = 0; y < SIDE; y++) {
            int32_t first = 0;
            int32_t end = 0;
            bool any = y >= coverage.first_row && y < coverage.end_row && mrwi_coverage_span(&coverage, y, SIDE, &first, &end);
            for (int32_t x = 0; x < SIDE; x++) {
                bool covered = mrwi_coverage_mask(&coverage, x, y) != 0;
                lost = lost || (covered && !(any && x >= first && x < end));
            }
        }
        CHECK(!lost);
    }
}

// The sixteen samples stand in sixteen columns, so that an edge at k/16 of a pixel covers k of them.
TEST(outer_edges_are_smooth)
{
    for (int k = 1; k < 16; k++) {
        canvas picture = { 4, 4, { 0 } };
        float corners[8];
        corners_of(1 + (float)k / 16, 1, 3, 2 + (float)k / 16, corners);
        mrwi_raster_batch batch = white_quad();
        draw(&picture, 0, corners, &batch, 1);
        CHECK_EQ_INT(pixel_at(&picture, 1, 1) & 255, (int)floor((16 - k) / 16.0 * 255 + 0.5));
        CHECK_EQ_INT(pixel_at(&picture, 2, 2) & 255, (int)floor(k / 16.0 * 255 + 0.5));
        CHECK_EQ_INT(pixel_at(&picture, 1, 1) >> 8, 0xffffff);
        CHECK_EQ_INT(pixel_at(&picture, 0, 1), 0);
    }
}

// A part that fills the left half of a page is drawn so that its right edge, at 3.25, cuts a pixel short of its centre. The color
// of that pixel comes from the part's own last texel, though its centre lies in the page's right half.
TEST(parts_do_not_show_their_neighbours_on_the_page)
{
    static const float half_uvs[8] = { 0, 0, 0.5f, 0, 0, 1, 0.5f, 1 };
    uint8_t texels[16 * 4];
    for (uint32_t x = 0; x < 16; x++) {
        const uint8_t texel[4] = { x < 8 ? 255 : 0, x < 8 ? 0 : 255, 0, 255 };
        memcpy(&texels[x * 4], texel, 4);
    }
    mrw_context* context = mrw_context_create(NULL);
    REQUIRE(context != NULL);
    mrwi_texture texture;
    mrwi_texture_init(&texture, context, &(mrw_image) { 16, 1, texels });
    canvas picture = { 5, 1, { 0 } };
    float corners[8];
    corners_of(0, 0, 3.25f, 1, corners);
    mrwi_raster_batch batch = white_quad();
    batch.texture = &texture;
    mrwi_raster_args args = { 5, 1, 0, { 1, 0, 0, 1, 0, 0 }, 4, corners, half_uvs, 1, &batch };
    CHECK_EQ_INT(mrwi_raster_draw(context, &args, picture.pixels), MRW_OK);
    CHECK_EQ_INT(pixel_at(&picture, 0, 0), 0xff0000ff);
    CHECK_EQ_INT(pixel_at(&picture, 3, 0) & 255, 64);
    CHECK((pixel_at(&picture, 3, 0) >> 24) >= 127); // on the border of the two halves at the worst
    CHECK_EQ_INT(pixel_at(&picture, 4, 0), 0);
    mrwi_texture_release(&texture);
    mrw_context_destroy(context);
}

TEST(degenerate_and_unreachable_triangles_draw_nothing)
{
    const float bad[][8] = {
        { 0, 0, 4, 4, 2, 2, 1, 1 },
        { 0, 0, NAN, 0, 0, 4, NAN, 4 },
        { 0, 0, INFINITY, 0, 0, 4, -INFINITY, 4 },
        { 0, 0, 4e6f, 0, 0, 4e6f, 4e6f, 4e6f },
        { 1, 1, 1, 1, 1, 1, 1, 1 },
        { -9, -9, -1, -9, -9, -1, -1, -1 },
        { 20, 20, 30, 20, 20, 30, 30, 30 },
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        canvas picture = { 4, 4, { 0 } };
        mrwi_raster_batch batch = white_quad();
        draw(&picture, 0x336699ff, bad[i], &batch, 1);
        for (uint32_t k = 0; k < 16; k++) {
            CHECK_EQ_INT(pixel_at(&picture, k % 4, k / 4), 0x336699ff);
        }
    }
}

TEST(large_triangles_are_clipped)
{
    canvas picture = { 5, 3, { 0 } };
    float corners[8];
    corners_of(-900000, -800000, 700000, 1000000, corners);
    mrwi_raster_batch batch = white_quad();
    batch.opacity = 0.5f;
    draw(&picture, 0, corners, &batch, 1);
    for (uint32_t i = 0; i < 15; i++) {
        CHECK_EQ_INT(pixel_at(&picture, i % 5, i / 5), 0xffffff80);
    }
}

// Draws a texture over the quad; the background is transparent.
static void draw_texture(canvas* to, const float corners[8], uint8_t* texels, uint32_t width, uint32_t height)
{
    mrw_context* context = mrw_context_create(NULL);
    REQUIRE(context != NULL);
    size_t before = mrw_context_memory(context);
    mrwi_texture texture;
    mrwi_texture_init(&texture, context, &(mrw_image) { width, height, texels });
    mrwi_raster_batch batch = white_quad();
    batch.texture = &texture;
    CHECK_EQ_INT(draw_in(context, to, 0, corners, &batch, 1), MRW_OK);
    mrwi_texture_release(&texture);
    CHECK_EQ_INT(mrw_context_memory(context), before);
    mrw_context_destroy(context);
}

// Drawn pixel on pixel, a picture comes out as it is, faint pixels included.
TEST(texels_at_their_centres_are_exact)
{
    uint8_t texels[5 * 3 * 4];
    uint32_t state = 11;
    for (size_t i = 0; i < sizeof texels; i++) {
        texels[i] = (uint8_t)next_random(&state);
    }
    texels[3] = 0;
    texels[7] = 1;
    canvas picture = { 8, 8, { 0 } };
    float corners[8];
    corners_of(2, 3, 7, 6, corners);
    draw_texture(&picture, corners, texels, 5, 3);
    for (uint32_t y = 0; y < 3; y++) {
        for (uint32_t x = 0; x < 5; x++) {
            const uint8_t* texel = &texels[(y * 5 + x) * 4];
            uint32_t expected = (uint32_t)texel[0] << 24 | (uint32_t)texel[1] << 16 | (uint32_t)texel[2] << 8 | texel[3];
            CHECK_EQ_INT(pixel_at(&picture, 2 + x, 3 + y), texel[3] == 0 ? 0 : expected);
        }
    }
}

// Two texels over eight pixels: the centres of the pixels lie at 1/8, 3/8, ... of the quad, the texels' at 1/4 and 3/4. The
// transparent texel is green, and no green may come in.
//   left weight   1    1   7/8  5/8  3/8  1/8   0    0
TEST(filtering_is_premultiplied_and_clamped)
{
    uint8_t texels[8] = { 255, 0, 0, 255, 0, 255, 0, 0 };
    static const double weights[8] = { 1, 1, 0.875, 0.625, 0.375, 0.125, 0, 0 };
    canvas picture = { 8, 2, { 0 } };
    float corners[8];
    corners_of(0, 0, 8, 2, corners);
    draw_texture(&picture, corners, texels, 2, 1);
    for (uint32_t x = 0; x < 8; x++) {
        uint32_t alpha = (uint32_t)floor(weights[x] * 255 + 0.5);
        CHECK_EQ_INT(pixel_at(&picture, x, 0), alpha == 0 ? 0 : 0xff000000 | alpha);
        CHECK_EQ_INT(pixel_at(&picture, x, 1), alpha == 0 ? 0 : 0xff000000 | alpha);
    }
}

// uvs beyond 0..1 hold the edge and do not wrap.
TEST(sampling_holds_the_edge_of_the_page)
{
    uint8_t texels[8] = { 10, 20, 30, 255, 200, 210, 220, 255 };
    mrw_context* context = mrw_context_create(NULL);
    REQUIRE(context != NULL);
    mrwi_texture texture;
    mrwi_texture_init(&texture, context, &(mrw_image) { 2, 1, texels });
    static const struct {
        double uv[2];
        double red;
    } cases[] = { { { -3, 0.5 }, 10 }, { { 0, -9 }, 10 }, { { 1.5, 0.5 }, 200 }, { { 1e30, 1e30 }, 200 }, { { NAN, NAN }, 10 },
        { { 0.5, 0.5 }, 105 } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        mrwi_footprint one = { 0, 1, 1, { 0, 0 }, { 0, 0 } };
        const double page[4] = { -10, -10, 10, 10 };
        float out[4];
        mrwi_texture_sample(&texture, &one, page, cases[i].uv, out);
        CHECK_NEAR(out[0], cases[i].red / 255, 1e-6);
        CHECK_NEAR(out[3], 1, 0);
    }
    mrwi_texture_release(&texture);
    mrw_context_destroy(context);
}

TEST(opacity_and_tint_follow_straight_alpha)
{
    canvas picture = { 2, 2, { 0 } };
    float corners[8];
    corners_of(0, 0, 2, 2, corners);
    mrwi_raster_batch batch = white_quad();
    batch.opacity = 0.5f;
    batch.tint[0] = 200;
    batch.tint[1] = 100;
    batch.tint[2] = 2;
    // Over nothing the color stays and the alpha is the opacity.
    draw(&picture, 0, corners, &batch, 1);
    CHECK_EQ_INT(pixel_at(&picture, 0, 0), 0xc8640280);
    // Over opaque black half of it, over an opaque color the mean.
    draw(&picture, 0x000000ff, corners, &batch, 1);
    CHECK_EQ_INT(pixel_at(&picture, 1, 1), 0x643201ff);
    draw(&picture, 0xfafafaff, corners, &batch, 1);
    CHECK_EQ_INT(pixel_at(&picture, 1, 0), 0xe1af7eff); // (200 + 250) / 2, (100 + 250) / 2, (2 + 250) / 2
    // Twice over nothing: alpha 1 - 0.5 * 0.5.
    mrwi_raster_batch twice[2] = { batch, batch };
    draw(&picture, 0, corners, twice, 2);
    CHECK_EQ_INT(pixel_at(&picture, 0, 1), 0xc86402bf);
}

TEST(blend_modes_match_their_formulas)
{
    static const struct {
        mrw_blend_mode mode;
        uint32_t background;
        float opacity;
        uint32_t expected;
    } cases[] = {
        // The source is 204, 102, 51 (0.8, 0.4, 0.2); what is there 102, 153, 204 (0.4, 0.6, 0.8).
        { MRW_BLEND_NORMAL, 0x6699ccff, 1, 0xcc6633ff },
        { MRW_BLEND_ADD, 0x6699ccff, 1, 0xffffffff },         // 1.2, 1, 1 clamped
        { MRW_BLEND_ADD, 0x0f1e2dff, 1, 0xdb8460ff },         // 204 + 15, 102 + 30, 51 + 45
        { MRW_BLEND_MULTIPLY, 0x6699ccff, 1, 0x523d29ff },    // 0.32 = 81.6, 0.24 = 61.2, 0.16 = 40.8
        { MRW_BLEND_MULTIPLY, 0x6699ccff, 0.5f, 0x5c6b7aff }, // 0.36 = 91.8, 0.42 = 107.1, 0.48 = 122.4
        { MRW_BLEND_SCREEN, 0x6699ccff, 1, 0xe0c2d6ff },      // 0.88 = 224.4, 0.76 = 193.8, 0.84 = 214.2
        { MRW_BLEND_SCREEN, 0x6699ccff, 0.5f, 0xa3add1ff },   // 0.64 = 163.2, 0.68 = 173.4, 0.82 = 209.1
        // Over nothing every mode shows the source.
        { MRW_BLEND_ADD, 0, 1, 0xcc6633ff },
        { MRW_BLEND_MULTIPLY, 0, 1, 0xcc6633ff },
        { MRW_BLEND_SCREEN, 0, 1, 0xcc6633ff },
        { MRW_BLEND_MULTIPLY, 0, 0.5f, 0xcc663380 },
    };
    float corners[8];
    corners_of(0, 0, 2, 2, corners);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        canvas picture = { 2, 2, { 0 } };
        mrwi_raster_batch batch = { quad_indices, 6, NULL, { 204, 102, 51 }, cases[i].opacity, cases[i].mode };
        draw(&picture, cases[i].background, corners, &batch, 1);
        CHECK_EQ_INT(pixel_at(&picture, 0, 0), cases[i].expected);
    }
}

// One quarter over one half is 5/8 for most modes and 3/4 for add.
TEST(blend_modes_add_up_alpha)
{
    static const struct {
        mrw_blend_mode mode;
        uint32_t alpha;
    } cases[] = { { MRW_BLEND_NORMAL, 159 }, { MRW_BLEND_ADD, 191 }, { MRW_BLEND_MULTIPLY, 159 }, { MRW_BLEND_SCREEN, 159 } };
    float corners[8];
    corners_of(0, 0, 1, 1, corners);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        canvas picture = { 1, 1, { 0 } };
        mrwi_raster_batch batches[2] = { white_quad(), white_quad() };
        batches[0].opacity = 0.5f;
        batches[1].opacity = 0.25f;
        batches[1].blend = cases[i].mode;
        draw(&picture, 0, corners, batches, 2);
        CHECK_EQ_INT(pixel_at(&picture, 0, 0), 0xffffff00 | cases[i].alpha);
    }
}

// 0.3 px of white on the left, 0.3 px on the right of one black pixel: 5 of 16 samples each, and they are not the same ones.
TEST(two_shapes_share_a_pixel_by_area)
{
    const float positions[16] = { 0, 0, 0.3125f, 0, 0, 1, 0.3125f, 1, 0.6875f, 0, 1, 0, 0.6875f, 1, 1, 1 };
    static const uint32_t indices[12] = { 0, 2, 1, 1, 2, 3, 4, 6, 5, 5, 6, 7 };
    canvas picture = { 1, 1, { 0 } };
    mrw_context* context = mrw_context_create(NULL);
    REQUIRE(context != NULL);
    mrwi_raster_batch batch = { indices, 12, NULL, { 255, 255, 255 }, 1, MRW_BLEND_NORMAL };
    mrwi_raster_args args = { 1, 1, 0x000000ff, { 1, 0, 0, 1, 0, 0 }, 8, positions, NULL, 1, &batch };
    CHECK_EQ_INT(mrwi_raster_draw(context, &args, picture.pixels), MRW_OK);
    CHECK_EQ_INT(pixel_at(&picture, 0, 0), 0x9f9f9fff); // 10/16 of 255 is 159.4
    mrw_context_destroy(context);
}

TEST(footprints_need_one_tap_until_the_picture_shrinks)
{
    mrw_image image = { 256, 128, NULL };
    static const struct {
        double across, down; // texels a pixel
        uint32_t level, taps_across, taps_down;
    } cases[] = {
        { 0.1, 0.1, 0, 1, 1 },
        { 1, 1, 0, 1, 1 },
        { 1.0000001, 1.0000001, 0, 1, 1 },
        { 2, 2, 0, 2, 2 },
        { 4, 4, 0, 4, 4 },
        { 5.5, 5.5, 1, 3, 3 },
        { 16, 1, 0, 16, 1 },
        { 64, 64, 4, 4, 4 },
        { 1e300, 1, 8, 1, 1 },
        { NAN, 1, 8, 1, 1 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        // A pixel to the right goes along v, so that axes cannot be mixed up unnoticed.
        const double x[2] = { 0, cases[i].across / 128 };
        const double y[2] = { cases[i].down / 256, 0 };
        mrwi_footprint footprint = mrwi_texture_footprint(&image, x, y);
        CHECK_EQ_INT(footprint.level, cases[i].level);
        CHECK_EQ_INT(footprint.across, cases[i].taps_across);
        CHECK_EQ_INT(footprint.down, cases[i].taps_down);
        if (i < 8) {
            CHECK_NEAR(footprint.step_x[1] * (1 << footprint.level), cases[i].across, 1e-12);
            CHECK_NEAR(footprint.step_y[0] * (1 << footprint.level), cases[i].down, 1e-12);
        }
    }
}

// 3 x 2 texels halve to 2 x 1: the right one is the mean of what there is. Color counts by alpha.
TEST(levels_are_means_by_alpha)
{
    uint8_t texels[24] = { 200, 0, 0, 255, 0, 0, 0, 0, 10, 20, 30, 100, 100, 0, 0, 255, 0, 90, 0, 0, 30, 40, 50, 100 };
    mrw_context* context = mrw_context_create(NULL);
    REQUIRE(context != NULL);
    mrwi_texture texture;
    mrwi_texture_init(&texture, context, &(mrw_image) { 3, 2, texels });
    CHECK_EQ_INT(mrwi_texture_reserve(&texture, 2), MRW_OK);
    CHECK_EQ_INT(texture.level_count, 3);
    CHECK_EQ_INT(texture.levels[1].width, 2);
    CHECK_EQ_INT(texture.levels[1].height, 1);
    const uint8_t half[8] = { 150, 0, 0, 128, 20, 30, 40, 100 }; // alpha (255 + 255) / 4 = 127.5
    CHECK_BYTES(texture.levels[1].pixels, half, 8);
    CHECK_EQ_INT(texture.levels[2].width, 1);
    const uint8_t quarter[4] = { 93, 13, 18, 114 }; // (150 * 128 + 20 * 100) / 228 = 92.98, 30 * 100 / 228 = 13.2, 17.5
    CHECK_BYTES(texture.levels[2].pixels, quarter, 4);
    mrwi_texture_release(&texture);
    mrw_context_destroy(context);
}

// A chequerboard of single texels turns grey, however much it shrinks: the mean over each pixel is one half, give or take a texel
// at its border.
TEST(small_copies_do_not_alias)
{
    enum { BOARD = 176 };
    static uint8_t texels[BOARD * BOARD * 4];
    for (uint32_t i = 0; i < BOARD * BOARD; i++) {
        uint8_t value = (i % BOARD + i / BOARD) % 2 == 0 ? 255 : 0;
        memset(&texels[(size_t)i * 4], value, 3);
        texels[i * 4 + 3] = 255;
    }
    for (uint32_t side = 2; side <= SIDE; side++) {
        canvas picture = { side, side, { 0 } };
        float corners[8];
        corners_of(0, 0, (float)side, (float)side, corners);
        draw_texture(&picture, corners, texels, BOARD, BOARD);
        for (uint32_t i = 0; i < side * side; i++) {
            uint32_t pixel = pixel_at(&picture, i % side, i / side);
            CHECK_EQ_INT(pixel & 255, 255);
            CHECK_NEAR(pixel >> 24, 127.5, 6);
        }
    }
}

// Stripes of one dark texel in eight, shrunk by 5.5: each pixel against the exact mean of the texels it covers.
TEST(small_copies_follow_the_mean)
{
    enum { WIDTH = 88 };
    uint8_t texels[WIDTH * 4];
    for (uint32_t x = 0; x < WIDTH; x++) {
        uint8_t value = (uint8_t)(128 + 100 * ((x / 11) % 2));
        memset(&texels[(size_t)x * 4], value, 3);
        texels[x * 4 + 3] = 255;
    }
    canvas picture = { SIDE, 1, { 0 } };
    float corners[8];
    corners_of(0, 0, SIDE, 1, corners);
    draw_texture(&picture, corners, texels, WIDTH, 1);
    for (uint32_t x = 0; x < SIDE; x++) {
        double sum = 0;
        for (uint32_t k = 0; k < 11; k++) {
            sum += texels[(x * 11 + k) / 2 * 4]; // half texels
        }
        CHECK_NEAR(pixel_at(&picture, x, 0) >> 24, sum / 11, 12);
    }
}

// Bands of rows may not show: what is drawn does not depend on how wide the picture is beside it.
TEST(bands_of_rows_do_not_show)
{
    enum { WIDTH = 5000, HEIGHT = 7 };
    mrw_context* context = mrw_context_create(NULL);
    REQUIRE(context != NULL);
    uint8_t* wide = calloc((size_t)WIDTH * HEIGHT, 4);
    REQUIRE(wide != NULL);
    const float positions[8] = { 1.3f, 0.2f, 12.9f, 1.7f, 2.1f, 6.6f, 9.4f, 5.5f };
    mrwi_raster_batch batch = white_quad();
    batch.opacity = 0.7f;
    mrwi_raster_args args = { WIDTH, HEIGHT, 0x80808080, { 1, 0, 0, 1, 0, 0 }, 4, positions, whole_uvs, 1, &batch };
    CHECK_EQ_INT(mrwi_raster_draw(context, &args, wide), MRW_OK);
    canvas picture = { SIDE, HEIGHT, { 0 } };
    draw(&picture, 0x80808080, positions, &batch, 1);
    for (uint32_t y = 0; y < HEIGHT; y++) {
        CHECK_BYTES(&wide[(size_t)y * WIDTH * 4], &picture.pixels[(size_t)y * SIDE * 4], SIDE * 4);
    }
    free(wide);
    mrw_context_destroy(context);
}

// Not a reference value: it says that every target and every build gives the same bits. It may change when the rasteriser does, and
// then the pictures have to be looked at.
TEST(pictures_have_the_same_bits_everywhere)
{
    enum { LARGE = 96, POINTS = 24 };
    mrw_context* context = mrw_context_create(NULL);
    REQUIRE(context != NULL);
    uint8_t texels[37 * 29 * 4];
    uint32_t state = 21;
    for (size_t i = 0; i < sizeof texels; i++) {
        texels[i] = (uint8_t)next_random(&state);
    }
    mrwi_texture texture;
    mrwi_texture_init(&texture, context, &(mrw_image) { 37, 29, texels });
    float positions[POINTS * 2];
    float uvs[POINTS * 2];
    uint32_t indices[4][18];
    for (uint32_t i = 0; i < POINTS * 2; i++) {
        positions[i] = (float)(next_random(&state) % 4096) / 32 - 16;
        uvs[i] = (float)(next_random(&state) % 4096) / 4096;
    }
    mrwi_raster_batch batches[4];
    for (uint32_t i = 0; i < 4; i++) {
        for (uint32_t k = 0; k < 18; k++) {
            indices[i][k] = next_random(&state) % POINTS;
        }
        batches[i] = (mrwi_raster_batch) { indices[i], 18, i == 2 ? NULL : &texture, { 250, 130, (uint8_t)(60 * i) },
            0.3f + 0.2f * (float)i, (mrw_blend_mode)i };
    }
    mrwi_raster_args args = { LARGE, LARGE, 0x20406090, { 0.9, 0.1, -0.15, 1.1, 3.7, -2.2 }, POINTS, positions, uvs, 4, batches };
    static uint8_t pixels[LARGE * LARGE * 4];
    CHECK_EQ_INT(mrwi_raster_draw(context, &args, pixels), MRW_OK);
    CHECK_EQ_INT(mrwi_hash(MRWI_HASH_START, pixels, sizeof pixels), (int64_t)0xb3c48a330807b010u);
    mrwi_texture_release(&texture);
    mrw_context_destroy(context);
}

static mrw_result attempt(mrw_context* context, void* user)
{
    (void)user;
    static uint8_t texels[64 * 64 * 4];
    canvas picture = { 4, 4, { 0 } };
    float corners[8];
    corners_of(0, 0, 4, 4, corners);
    mrwi_texture texture;
    mrwi_texture_init(&texture, context, &(mrw_image) { 64, 64, texels });
    mrwi_raster_batch batch = white_quad();
    batch.texture = &texture;
    mrw_result result = draw_in(context, &picture, 0, corners, &batch, 1);
    mrwi_texture_release(&texture);
    return result;
}

TEST(every_allocation_may_fail)
{
    FAILING_ALLOCATOR_SWEEP(attempt, NULL);
}
