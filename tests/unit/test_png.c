#include "base/context.h"
#include "check.h"
#include "support/failing_allocator.h"
#include "support/png_build.h"

#include <stdlib.h>
#include <string.h>

static mrw_result decode(mrw_context* context, const png_build* png, uint8_t* out, size_t room, uint32_t* width, uint32_t* height)
{
    char* pixels = NULL;
    mrw_result result = mrw_png_decode(context, png->bytes, png->size, width, height, &pixels, NULL);
    if (result == MRW_OK) {
        size_t size = (size_t)*width * *height * 4;
        memcpy(out, pixels, size < room ? size : room);
        mrw_text_release(context, pixels, size);
    } else {
        CHECK(pixels == NULL);
    }
    return result;
}

// Two rows of two pixels each: red, half transparent green; blue, white.
static const uint8_t four_pixels[16] = { 255, 0, 0, 255, 0, 255, 0, 128, 0, 0, 255, 255, 255, 255, 255, 255 };

static png_build four_pixel_png(void)
{
    png_build png;
    uint8_t rows[18] = { 0 };
    memcpy(rows + 1, four_pixels, 8);
    memcpy(rows + 10, four_pixels + 8, 8);
    png_build_start(&png, 2, 2, 8, 6, 0);
    png_build_finish(&png, rows, sizeof rows);
    return png;
}

TEST(bad_files_are_refused)
{
    mrw_context* context = mrw_context_create(NULL);
    REQUIRE(context != NULL);
    uint32_t width, height;
    char* pixels = "";
    CHECK_EQ_INT(mrw_png_decode(context, NULL, 0, &width, &height, &pixels, NULL), MRW_BAD_ARGUMENT);
    CHECK(pixels == NULL);
    mrw_error error;
    CHECK_EQ_INT(mrw_png_decode(context, "GIF89a..........", 16, &width, &height, &pixels, &error), MRW_BAD_IMAGE);
    CHECK_STR(error.path, "signature");
    CHECK_EQ_INT(error.offset, 0);
    CHECK_EQ_INT(error.line, 0);

    const uint8_t row[9] = { 0 };
    png_build png;
    const struct {
        uint32_t width, height;
        uint8_t depth, color, interlace;
        mrw_result result;
    } headers[] = { { 0, 1, 8, 6, 0, MRW_BAD_IMAGE }, { 1, 0, 8, 6, 0, MRW_BAD_IMAGE }, { 1, 1, 3, 0, 0, MRW_BAD_IMAGE },
        { 1, 1, 8, 1, 0, MRW_BAD_IMAGE }, { 1, 1, 8, 7, 0, MRW_BAD_IMAGE }, { 1, 1, 16, 3, 0, MRW_BAD_IMAGE },
        { 1, 1, 8, 6, 2, MRW_BAD_IMAGE }, { 1, 1, 8, 3, 0, MRW_BAD_IMAGE }, // no palette
        { 4294967295u, 4294967295u, 8, 6, 0, MRW_LIMIT }, { 64000001, 1, 8, 6, 0, MRW_LIMIT }, { 3, 1, 8, 6, 0, MRW_BAD_IMAGE } };
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        uint8_t out[4];
        png_build_start(&png, headers[i].width, headers[i].height, headers[i].depth, headers[i].color, headers[i].interlace);
        png_build_finish(&png, row, 5);
        CHECK_EQ_INT(decode(context, &png, out, 0, &width, &height), headers[i].result);
    }
    // The order of chunks: no header, two headers, no data, empty data, an unknown chunk that must be understood, no end.
    uint8_t out[4];
    png.size = 8;
    png_build_finish(&png, row, 5);
    CHECK_EQ_INT(decode(context, &png, out, 0, &width, &height), MRW_BAD_IMAGE);
    png_build_start(&png, 1, 1, 8, 6, 0);
    png_build_chunk(&png, "IHDR", png.bytes + 16, 13);
    png_build_finish(&png, row, 5);
    CHECK_EQ_INT(decode(context, &png, out, 0, &width, &height), MRW_BAD_IMAGE);
    png_build_start(&png, 1, 1, 8, 6, 0);
    png_build_chunk(&png, "IEND", NULL, 0);
    CHECK_EQ_INT(decode(context, &png, out, 0, &width, &height), MRW_BAD_IMAGE);
    png_build_start(&png, 1, 1, 8, 6, 0);
    png_build_chunk(&png, "IDAT", NULL, 0);
    png_build_chunk(&png, "IEND", NULL, 0);
    CHECK_EQ_INT(decode(context, &png, out, 0, &width, &height), MRW_BAD_IMAGE);
    png_build_start(&png, 1, 1, 8, 6, 0);
    png_build_chunk(&png, "CgBI", "abcd", 4);
    png_build_finish(&png, row, 5);
    CHECK_EQ_INT(decode(context, &png, out, 0, &width, &height), MRW_BAD_IMAGE);
    png_build_start(&png, 1, 1, 8, 6, 0);
    CHECK_EQ_INT(decode(context, &png, out, 0, &width, &height), MRW_BAD_IMAGE);
    // One that need not be understood is skipped, and data may begin with an empty one.
    png_build_start(&png, 1, 1, 8, 6, 0);
    png_build_chunk(&png, "teSt", "abcd", 4);
    png_build_chunk(&png, "IDAT", NULL, 0);
    png_build_finish(&png, row, 5);
    CHECK_EQ_INT(decode(context, &png, out, sizeof out, &width, &height), MRW_OK);
    mrw_context_destroy(context);
}

TEST(limits_hold)
{
    mrw_context* context = mrw_context_create(&(mrw_context_desc) { .limits = { .image_pixels = 3 } });
    REQUIRE(context != NULL);
    uint32_t width, height;
    uint8_t out[16];
    png_build png = four_pixel_png();
    CHECK_EQ_INT(decode(context, &png, out, 16, &width, &height), MRW_LIMIT);
    char* bytes;
    size_t size;
    CHECK_EQ_INT(mrw_png_encode(context, 2, 2, four_pixels, &bytes, &size), MRW_LIMIT);
    mrw_context_destroy(context);
    context = mrw_context_create(&(mrw_context_desc) { .limits = { .input_bytes = png.size - 1 } });
    REQUIRE(context != NULL);
    CHECK_EQ_INT(decode(context, &png, out, 16, &width, &height), MRW_LIMIT);
    mrw_context_destroy(context);
    // A small file that claims 60 million pixels needs memory that the context may not have.
    context = mrw_context_create(&(mrw_context_desc) { .limits = { .memory_bytes = 1 << 20 } });
    REQUIRE(context != NULL);
    png_build_start(&png, 6000, 10000, 8, 6, 0);
    png_build_finish(&png, out, 5);
    mrw_result result = decode(context, &png, out, 16, &width, &height);
    CHECK(result == MRW_NO_MEMORY || result == MRW_BAD_IMAGE);
    CHECK_EQ_INT(mrw_context_memory(context), sizeof(mrw_context));
    mrw_context_destroy(context);
}

TEST(pixels_come_out_as_rgba)
{
    mrw_context* context = mrw_context_create(NULL);
    REQUIRE(context != NULL);
    uint8_t out[64];
    uint32_t width, height;
    png_build png = four_pixel_png();
    CHECK_EQ_INT(decode(context, &png, out, sizeof out, &width, &height), MRW_OK);
    CHECK_EQ_INT(width, 2);
    CHECK_EQ_INT(height, 2);
    CHECK_BYTES(out, four_pixels, 16);

    // Grey, one bit a pixel: 1 0 1.
    png_build_start(&png, 3, 1, 1, 0, 0);
    png_build_finish(&png, (const uint8_t[]) { 0, 0xa0 }, 2);
    CHECK_EQ_INT(decode(context, &png, out, sizeof out, &width, &height), MRW_OK);
    CHECK_BYTES(out, ((const uint8_t[]) { 255, 255, 255, 255, 0, 0, 0, 255, 255, 255, 255, 255 }), 12);

    // A palette with two bits a pixel, 2 0 1, where entry 0 is transparent and 1 half so.
    png_build_start(&png, 3, 1, 2, 3, 0);
    png_build_chunk(&png, "PLTE", "\x01\x02\x03\x0a\x0b\x0c\xf0\xf1\xf2", 9);
    png_build_chunk(&png, "tRNS", "\x00\x80", 2);
    png_build_finish(&png, (const uint8_t[]) { 0, 0x84 }, 2);
    CHECK_EQ_INT(decode(context, &png, out, sizeof out, &width, &height), MRW_OK);
    CHECK_BYTES(out, ((const uint8_t[]) { 0xf0, 0xf1, 0xf2, 255, 1, 2, 3, 0, 0x0a, 0x0b, 0x0c, 0x80 }), 12);

    // 16 bits: the upper byte counts. Grey with alpha.
    png_build_start(&png, 1, 1, 16, 4, 0);
    png_build_finish(&png, (const uint8_t[]) { 0, 0x12, 0x34, 0x56, 0x78 }, 5);
    CHECK_EQ_INT(decode(context, &png, out, sizeof out, &width, &height), MRW_OK);
    CHECK_BYTES(out, ((const uint8_t[]) { 0x12, 0x12, 0x12, 0x56 }), 4);

    // RGB with one color that is transparent.
    png_build_start(&png, 2, 1, 8, 2, 0);
    png_build_chunk(&png, "tRNS", "\x00\x05\x00\x06\x00\x07", 6);
    png_build_finish(&png, (const uint8_t[]) { 0, 5, 6, 7, 5, 6, 8 }, 7);
    CHECK_EQ_INT(decode(context, &png, out, sizeof out, &width, &height), MRW_OK);
    CHECK_BYTES(out, ((const uint8_t[]) { 5, 6, 7, 0, 5, 6, 8, 255 }), 8);
    mrw_context_destroy(context);
}

// Grey 2 x 5, the same ten values behind each filter: 10 20 / 30 40 / 50 60 / 70 80 / 90 100.
TEST(filters_and_interlace)
{
    mrw_context* context = mrw_context_create(NULL);
    REQUIRE(context != NULL);
    const uint8_t rows[] = { 0, 10, 20, // none
        1, 30, 10,                      // left: 30, 30 + 10
        2, 20, 20,                      // above: 30 + 20, 40 + 20
        3, 45, 15,                      // mean of left and above: (0 + 50) / 2 + 45, (70 + 60) / 2 + 15
        4, 20, 10 };                    // Paeth: 70 + 20; left 90, above 80, corner 70, estimate 100: left is nearest
    uint8_t out[64];
    uint32_t width, height;
    png_build png;
    png_build_start(&png, 2, 5, 8, 0, 0);
    png_build_finish(&png, rows, sizeof rows);
    CHECK_EQ_INT(decode(context, &png, out, sizeof out, &width, &height), MRW_OK);
    for (int i = 0; i < 10; i++) {
        CHECK_EQ_INT(out[i * 4], 10 + 10 * i);
    }
    // Adam7 of 2 x 2: pass 1 has (0, 0), pass 6 (1, 0), pass 7 the second row.
    png_build_start(&png, 2, 2, 8, 0, 1);
    png_build_finish(&png, (const uint8_t[]) { 0, 1, 0, 2, 0, 3, 4 }, 7);
    CHECK_EQ_INT(decode(context, &png, out, sizeof out, &width, &height), MRW_OK);
    for (int i = 0; i < 4; i++) {
        CHECK_EQ_INT(out[i * 4], i + 1);
    }
    mrw_context_destroy(context);
}

TEST(damaged_files_are_refused)
{
    failing_allocator allocator = failing_allocator_start(-1);
    mrw_context* context = mrw_context_create(&(mrw_context_desc) { .allocator = failing_allocator_hooks(&allocator) });
    REQUIRE(context != NULL);
    png_build png = four_pixel_png();
    char* pixels;
    uint32_t width, height;
    for (size_t i = 0; i < png.size; i++) {
        uint8_t* cut = malloc(i == 0 ? 1 : i);
        REQUIRE(cut != NULL);
        memcpy(cut, png.bytes, i);
        mrw_error error;
        CHECK_EQ_INT(mrw_png_decode(context, cut, i, &width, &height, &pixels, &error), MRW_BAD_IMAGE);
        CHECK(error.offset >= 0 && error.offset <= (int64_t)i);
        free(cut);
        // Any one bit that flips: each byte lies in the signature or under a sum.
        png.bytes[i] ^= (uint8_t)(1u << (i % 8));
        mrw_result result = mrw_png_decode(context, png.bytes, png.size, &width, &height, &pixels, NULL);
        CHECK(result == MRW_BAD_IMAGE || result == MRW_LIMIT);
        png.bytes[i] ^= (uint8_t)(1u << (i % 8));
    }
    mrw_context_destroy(context);
    CHECK_EQ_INT(allocator.held_count, 0);
    CHECK_EQ_INT(allocator.mistakes, 0);
}

static size_t encoded_size(mrw_context* context, uint32_t width, uint32_t height, const uint8_t* pixels)
{
    char* bytes = NULL;
    char* back = NULL;
    size_t size = 0;
    uint32_t back_width = 0;
    uint32_t back_height = 0;
    CHECK_EQ_INT(mrw_png_encode(context, width, height, pixels, &bytes, &size), MRW_OK);
    CHECK_EQ_INT(mrw_png_decode(context, bytes, size, &back_width, &back_height, &back, NULL), MRW_OK);
    CHECK_EQ_INT(back_width, width);
    CHECK_EQ_INT(back_height, height);
    if (back != NULL) {
        CHECK_BYTES(back, pixels, (size_t)width * height * 4);
        mrw_text_release(context, back, (size_t)width * height * 4);
    }
    mrw_text_release(context, bytes, size);
    return size;
}

TEST(what_is_encoded_decodes)
{
    failing_allocator allocator = failing_allocator_start(-1);
    mrw_context* context = mrw_context_create(&(mrw_context_desc) { .allocator = failing_allocator_hooks(&allocator) });
    REQUIRE(context != NULL);
    char* bytes = "";
    size_t size = 0;
    CHECK_EQ_INT(mrw_png_encode(context, 0, 1, four_pixels, &bytes, &size), MRW_BAD_ARGUMENT);
    CHECK_EQ_INT(mrw_png_encode(context, 1, 0, four_pixels, &bytes, &size), MRW_BAD_ARGUMENT);
    CHECK_EQ_INT(mrw_png_encode(context, 1, 1, NULL, &bytes, &size), MRW_BAD_ARGUMENT);
    CHECK(bytes == NULL);
    encoded_size(context, 1, 1, four_pixels);
    encoded_size(context, 2, 2, four_pixels);
    encoded_size(context, 4, 1, four_pixels);

    enum { SIDE = 200, BYTES = SIDE * SIDE * 4 };
    static uint8_t pixels[BYTES];
    uint64_t state = 1;
    for (size_t i = 0; i < BYTES; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        pixels[i] = (uint8_t)(state >> 56);
    }
    // Noise does not get smaller, nor much larger.
    size_t noise = encoded_size(context, SIDE, SIDE, pixels);
    CHECK(noise > BYTES && noise < BYTES + 400);
    // Noise that repeats after 12 KB, with short matches of every length in between.
    for (size_t i = 12000; i < BYTES; i++) {
        pixels[i] = i % 700 < i / 700 % 40 ? (uint8_t)i : pixels[i - 12000];
    }
    CHECK(encoded_size(context, SIDE, SIDE, pixels) < BYTES);
    for (size_t i = 0; i < BYTES; i++) {
        pixels[i] = (uint8_t)(i / 4 % SIDE);
    }
    CHECK(encoded_size(context, SIDE, SIDE, pixels) < 2000);
    // 160200 bytes as 621 matches of 258, at 13 bits each.
    memset(pixels, 0, BYTES);
    CHECK(encoded_size(context, SIDE, SIDE, pixels) < 1100);
    CHECK(encoded_size(context, SIDE * SIDE, 1, pixels) < 1100);
    for (uint32_t width = 1; width < 30; width++) {
        encoded_size(context, width, 7, pixels);
    }
    mrw_context_destroy(context);
    CHECK_EQ_INT(allocator.held_count, 0);
    CHECK_EQ_INT(allocator.mistakes, 0);
}

static mrw_result attempt_decode(mrw_context* context, void* user)
{
    const png_build* png = user;
    char* pixels = NULL;
    uint32_t width, height;
    mrw_error error;
    mrw_result result = mrw_png_decode(context, png->bytes, png->size, &width, &height, &pixels, &error);
    if (result == MRW_OK) {
        mrw_text_release(context, pixels, (size_t)width * height * 4);
    }
    return result;
}

static mrw_result attempt_encode(mrw_context* context, void* user)
{
    char* bytes = NULL;
    size_t size = 0;
    mrw_result result = mrw_png_encode(context, 2, 2, user, &bytes, &size);
    CHECK((result == MRW_OK) == (bytes != NULL));
    if (result == MRW_OK) {
        mrw_text_release(context, bytes, size);
    }
    return result;
}

TEST(failed_allocations_are_results)
{
    png_build png = four_pixel_png();
    FAILING_ALLOCATOR_SWEEP(attempt_decode, &png);
    png_build_start(&png, 3, 1, 2, 3, 0);
    png_build_chunk(&png, "PLTE", "\x01\x02\x03\x0a\x0b\x0c\xf0\xf1\xf2", 9);
    png_build_finish(&png, (const uint8_t[]) { 0, 0x84 }, 2);
    FAILING_ALLOCATOR_SWEEP(attempt_decode, &png);
    png_build_start(&png, 1, 1, 16, 4, 1);
    png_build_finish(&png, (const uint8_t[]) { 0, 0x12, 0x34, 0x56, 0x78 }, 5);
    FAILING_ALLOCATOR_SWEEP(attempt_decode, &png);
    uint8_t pixels[16];
    memcpy(pixels, four_pixels, 16);
    FAILING_ALLOCATOR_SWEEP(attempt_encode, pixels);
}
