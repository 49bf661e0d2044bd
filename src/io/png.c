/// PNG over stb.
#include "base/context.h"
#include "base/result.h"
#include "io/deflate.h"

#include <string.h>

// stb takes no user pointer, so what its allocations belong to is thread-local, set for the time of one call.

typedef struct block {
    struct block *previous, *next;
    size_t size;
} block;
#define BLOCK_HEADER 32u
_Static_assert(sizeof(block) <= BLOCK_HEADER, "blocks must be aligned");

/// Blocks are listed, because stb loses some when an allocation fails half way.
typedef struct decode_memory {
    mrw_context* context;
    block* first;
    bool failed;
} decode_memory;

static MRWI_THREAD_LOCAL decode_memory* decoding;
static MRWI_THREAD_LOCAL mrwi_arena* encoding;

static void* decode_allocate(size_t size)
{
    size_t whole;
    block* result = mrwi_size_add(size, BLOCK_HEADER, &whole) ? mrwi_allocate(decoding->context, whole, 1) : NULL;
    if (result == NULL) {
        decoding->failed = true;
        return NULL;
    }
    *result = (block) { NULL, decoding->first, size };
    if (result->next != NULL) {
        result->next->previous = result;
    }
    decoding->first = result;
    return (char*)result + BLOCK_HEADER;
}

static void decode_release(void* memory)
{
    if (memory == NULL) {
        return;
    }
    block* old = (block*)((char*)memory - BLOCK_HEADER);
    if (old->next != NULL) {
        old->next->previous = old->previous;
    }
    if (old->previous != NULL) {
        old->previous->next = old->next;
    } else {
        decoding->first = old->next;
    }
    mrwi_release(decoding->context, old, old->size + BLOCK_HEADER, 1);
}

static void* decode_reallocate(void* memory, size_t size)
{
    void* result = decode_allocate(size);
    if (result != NULL && memory != NULL) {
        size_t old_size = ((block*)((char*)memory - BLOCK_HEADER))->size;
        memcpy(result, memory, old_size < size ? old_size : size);
        decode_release(memory);
    }
    return result;
}

static void* encode_allocate(size_t size)
{
    return mrwi_arena_allocate(encoding, size, 1);
}

static uint8_t* encode_compress(const uint8_t* bytes, int size, int* out_size, int quality)
{
    (void)quality;
    size_t compressed_size = 0;
    uint8_t* result = mrwi_deflate(encoding, bytes, (size_t)size, &compressed_size);
    *out_size = (int)compressed_size;
    return result;
}

// CRC-32 of the PNG specification, four bits at a time.
static uint32_t crc32(const uint8_t* bytes, size_t size)
{
    static const uint32_t table[16] = { 0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
        0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c };
    uint32_t crc = 0xffffffffu;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        crc = table[crc & 15] ^ crc >> 4;
        crc = table[crc & 15] ^ crc >> 4;
    }
    return ~crc;
}

// As static functions, since a program may have an stb of its own; then some are declared and not defined, which gcc tells at the
// end of the file.
#pragma GCC diagnostic ignored "-Wunused-function"

#define STBI_MALLOC(size) decode_allocate(size)
#define STBI_REALLOC(memory, size) decode_reallocate(memory, size)
#define STBI_FREE(memory) decode_release(memory)
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#define STBI_NO_FAILURE_STRINGS
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
// Where the first chunk of image data is empty, as it may be, stb copies no bytes to a null pointer plus zero. Every compiler does nothing
// for that, and C2y says so.
#ifdef __clang__
#pragma clang attribute push(__attribute__((no_sanitize("pointer-overflow", "nonnull-attribute"))), apply_to = function)
#endif
#include <stb_image.h>
#ifdef __clang__
#pragma clang attribute pop
#endif

#define STBIW_MALLOC(size) encode_allocate(size)
#define STBIW_REALLOC_SIZED(memory, old_size, size) NULL // only its own compressor grows blocks
#define STBIW_FREE(memory) ((void)(memory))
#define STBIW_ZLIB_COMPRESS encode_compress
#define STBIW_CRC32(bytes, size) crc32(bytes, (size_t)(size))
#define STBI_WRITE_NO_STDIO
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>

// ---- decoding

static uint32_t big_endian(const uint8_t* at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static mrw_result fail_at(mrw_error* error, mrw_result code, size_t offset, const char* path, const char* message)
{
    mrwi_fail(error, code, path, "%s", message);
    if (error != NULL) {
        error->offset = (int64_t)offset;
    }
    return code;
}

static mrw_result check_header(const mrw_context* context, const uint8_t* data, size_t offset, mrw_error* error)
{
    uint32_t width = big_endian(data);
    uint32_t height = big_endian(data + 4);
    if (width == 0 || height == 0) {
        return fail_at(error, MRW_BAD_IMAGE, offset, "IHDR", "the image has no pixels");
    }
    if ((uint64_t)width * height > context->limits.image_pixels) {
        return fail_at(error, MRW_LIMIT, offset, "IHDR", "the image has more pixels than the context allows");
    }
    return MRW_OK;
}

// What stb does not look at: that the chunks are whole, with their sums, up to the last one, and the limits of the context.
static mrw_result check_chunks(const mrw_context* context, const uint8_t* bytes, size_t size, mrw_error* error)
{
    static const uint8_t signature[8] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };
    if (size < sizeof signature || memcmp(bytes, signature, sizeof signature) != 0) {
        return fail_at(error, MRW_BAD_IMAGE, 0, "signature", "the bytes do not begin as a PNG does");
    }
    size_t at = sizeof signature;
    for (bool is_first = true;; is_first = false) {
        char name[5] = { 0 };
        if (size - at < 12 || size - at - 12 < big_endian(bytes + at)) {
            return fail_at(error, MRW_BAD_IMAGE, at, "chunk", "the bytes end inside a chunk");
        }
        uint32_t length = big_endian(bytes + at);
        memcpy(name, bytes + at + 4, 4);
        if (crc32(bytes + at + 4, length + (size_t)4) != big_endian(bytes + at + 8 + length)) {
            return fail_at(error, MRW_BAD_IMAGE, at, is_first ? "IHDR" : "chunk", "the sum of a chunk is wrong: the file is damaged");
        }
        bool is_header = strcmp(name, "IHDR") == 0;
        if (is_header != is_first || (is_header && length != 13)) {
            return fail_at(error, MRW_BAD_IMAGE, at, "IHDR", "the header is not the first chunk, or not 13 bytes long");
        }
        bool is_known = is_header || strcmp(name, "PLTE") == 0 || strcmp(name, "IDAT") == 0 || strcmp(name, "IEND") == 0;
        if (!is_known && (name[0] & 0x20) == 0) {
            return fail_at(error, MRW_BAD_IMAGE, at, "chunk", "the image needs an extension of PNG that is not supported");
        }
        mrw_result result = is_header ? check_header(context, bytes + at + 8, at + 8, error) : MRW_OK;
        if (result != MRW_OK || strcmp(name, "IEND") == 0) {
            return result;
        }
        at += 12 + (size_t)length;
    }
}

static mrw_result copy_pixels(mrw_context* context, const uint8_t* pixels, uint32_t width, uint32_t height, char** out)
{
    size_t size;
    if (!mrwi_size_multiply((size_t)width * 4, height, &size)) {
        return MRW_NO_MEMORY;
    }
    *out = mrwi_allocate(context, size + 1, 1);
    if (*out == NULL) {
        return MRW_NO_MEMORY;
    }
    memcpy(*out, pixels, size);
    return MRW_OK;
}

mrw_result mrw_png_decode(
    mrw_context* context, const void* bytes, size_t size, uint32_t* out_width, uint32_t* out_height, char** out_pixels, mrw_error* error)
{
    *out_pixels = NULL;
    if (bytes == NULL) {
        return mrwi_fail(error, MRW_BAD_ARGUMENT, "bytes", "there are no bytes");
    }
    if (size > context->limits.input_bytes || size > INT32_MAX) {
        return mrwi_fail(error, MRW_LIMIT, "bytes", "the file is larger than the context allows");
    }
    mrw_result result = check_chunks(context, bytes, size, error);
    if (result != MRW_OK) {
        return result;
    }
    decode_memory memory = { context, NULL, false };
    decoding = &memory;
    int width = 0;
    int height = 0;
    int channels = 0;
    uint8_t* pixels = stbi_load_from_memory(bytes, (int)size, &width, &height, &channels, 4);
    if (pixels == NULL) {
        result = memory.failed ? mrwi_fail(error, MRW_NO_MEMORY, NULL, NULL)
                               : fail_at(error, MRW_BAD_IMAGE, 8, "IDAT", "the image data cannot be decoded");
    } else if (copy_pixels(context, pixels, (uint32_t)width, (uint32_t)height, out_pixels) != MRW_OK) {
        result = mrwi_fail(error, MRW_NO_MEMORY, NULL, NULL);
    } else {
        *out_width = (uint32_t)width;
        *out_height = (uint32_t)height;
    }
    while (memory.first != NULL) {
        decode_release((char*)memory.first + BLOCK_HEADER);
    }
    decoding = NULL;
    return result;
}

// ---- encoding

mrw_result mrw_png_encode(mrw_context* context, uint32_t width, uint32_t height, const uint8_t* pixels, char** out_bytes, size_t* out_size)
{
    *out_bytes = NULL;
    if (pixels == NULL || width == 0 || height == 0) {
        return MRW_BAD_ARGUMENT;
    }
    // stb counts in int; the file may be a little larger than the pixels.
    if ((uint64_t)width * height > context->limits.image_pixels || (uint64_t)width * height > INT32_MAX / 8) {
        return MRW_LIMIT;
    }
    mrwi_arena arena;
    mrwi_arena_init(&arena, context);
    encoding = &arena;
    int size = 0;
    uint8_t* bytes = stbi_write_png_to_mem(pixels, 0, (int)width, (int)height, 4, &size);
    encoding = NULL;
    char* copy = bytes == NULL ? NULL : mrwi_allocate(context, (size_t)size + 1, 1);
    if (copy != NULL) {
        memcpy(copy, bytes, (size_t)size);
        *out_bytes = copy;
        *out_size = (size_t)size;
    }
    mrwi_arena_release(&arena);
    return copy == NULL ? MRW_NO_MEMORY : MRW_OK;
}
