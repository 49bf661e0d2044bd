/// Builds PNG files for tests byte by byte, independently of the library: chunks with their sums, image data in one stored block.
#ifndef PNG_BUILD_H
#define PNG_BUILD_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct png_build {
    uint8_t bytes[4096];
    size_t size;
} png_build;

static inline void png_build_put(png_build* png, const void* bytes, size_t size)
{
    memcpy(png->bytes + png->size, bytes, size);
    png->size += size;
}

static inline void png_build_put_u32(png_build* png, uint32_t value)
{
    const uint8_t bytes[4] = { (uint8_t)(value >> 24), (uint8_t)(value >> 16), (uint8_t)(value >> 8), (uint8_t)value };
    png_build_put(png, bytes, 4);
}

/// CRC-32 bit by bit, as the PNG specification defines it.
static inline uint32_t png_build_crc(const uint8_t* bytes, size_t size)
{
    uint32_t crc = 0xffffffffu;
    for (size_t i = 0; i < size * 8; i++) {
        uint32_t bit = (crc ^ (uint32_t)(bytes[i / 8] >> (i % 8))) & 1u;
        crc = crc >> 1 ^ (bit != 0 ? 0xedb88320u : 0);
    }
    return ~crc;
}

static inline void png_build_chunk(png_build* png, const char* name, const void* data, size_t size)
{
    png_build_put_u32(png, (uint32_t)size);
    size_t start = png->size;
    png_build_put(png, name, 4);
    if (size > 0) {
        png_build_put(png, data, size);
    }
    png_build_put_u32(png, png_build_crc(png->bytes + start, png->size - start));
}

static inline void png_build_start(png_build* png, uint32_t width, uint32_t height, uint8_t depth, uint8_t color, uint8_t interlace)
{
    png_build header = { .size = 0 };
    png_build_put_u32(&header, width);
    png_build_put_u32(&header, height);
    const uint8_t rest[5] = { depth, color, 0, 0, interlace };
    png_build_put(&header, rest, 5);
    png->size = 0;
    png_build_put(png, "\x89PNG\r\n\x1a\n", 8);
    png_build_chunk(png, "IHDR", header.bytes, header.size);
}

/// IDAT with `rows` (each with its filter byte in front), and the end. At most 2000 bytes.
static inline void png_build_finish(png_build* png, const uint8_t* rows, size_t size)
{
    png_build data = { .size = 0 };
    const uint8_t head[7] = { 0x78, 0x01, 1, (uint8_t)size, (uint8_t)(size >> 8), (uint8_t)~size, (uint8_t)(~size >> 8) };
    uint32_t low = 1;
    uint32_t high = 0;
    for (size_t i = 0; i < size; i++) {
        low = (low + rows[i]) % 65521;
        high = (high + low) % 65521;
    }
    png_build_put(&data, head, 7);
    png_build_put(&data, rows, size);
    png_build_put_u32(&data, high << 16 | low);
    png_build_chunk(png, "IDAT", data.bytes, data.size);
    png_build_chunk(png, "IEND", NULL, 0);
}

#endif
