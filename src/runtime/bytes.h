/// Numbers as little-endian bytes, whatever the machine.
#ifndef MRWI_RUNTIME_BYTES_H
#define MRWI_RUNTIME_BYTES_H

#include "marrow.h"

#include <string.h>

/// Writes when `out` is not NULL and counts always, so one routine measures and writes.
typedef struct mrwi_bytes_writer {
    uint8_t* out;
    size_t size;
} mrwi_bytes_writer;

/// After a read past the end `failed` is set and everything reads as 0.
typedef struct mrwi_bytes_reader {
    const uint8_t* bytes;
    size_t size, at;
    bool failed;
} mrwi_bytes_reader;

static inline void mrwi_put(mrwi_bytes_writer* writer, uint64_t value, uint32_t byte_count)
{
    for (uint32_t i = 0; i < byte_count; i++) {
        if (writer->out != NULL) {
            writer->out[writer->size] = (uint8_t)(value >> (8 * i));
        }
        writer->size++;
    }
}
static inline void mrwi_put_u8(mrwi_bytes_writer* writer, uint32_t value)
{
    mrwi_put(writer, value, 1);
}
static inline void mrwi_put_u32(mrwi_bytes_writer* writer, uint32_t value)
{
    mrwi_put(writer, value, 4);
}
static inline void mrwi_put_u64(mrwi_bytes_writer* writer, uint64_t value)
{
    mrwi_put(writer, value, 8);
}
static inline void mrwi_put_f32(mrwi_bytes_writer* writer, float value)
{
    uint32_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    mrwi_put_u32(writer, bits);
}
static inline void mrwi_put_f64(mrwi_bytes_writer* writer, double value)
{
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    mrwi_put_u64(writer, bits);
}

/// An array, or a struct, of members of 32 bits.
static inline void mrwi_put_words(mrwi_bytes_writer* writer, const void* words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, (const char*)words + i * sizeof word, sizeof word);
        mrwi_put_u32(writer, word);
    }
}

static inline uint64_t mrwi_take(mrwi_bytes_reader* reader, uint32_t byte_count)
{
    if (reader->failed || reader->size - reader->at < byte_count) {
        reader->failed = true;
        return 0;
    }
    uint64_t value = 0;
    for (uint32_t i = 0; i < byte_count; i++) {
        value |= (uint64_t)reader->bytes[reader->at++] << (8 * i);
    }
    return value;
}
static inline uint32_t mrwi_take_u8(mrwi_bytes_reader* reader)
{
    return (uint32_t)mrwi_take(reader, 1);
}
static inline uint32_t mrwi_take_u32(mrwi_bytes_reader* reader)
{
    return (uint32_t)mrwi_take(reader, 4);
}
static inline uint64_t mrwi_take_u64(mrwi_bytes_reader* reader)
{
    return mrwi_take(reader, 8);
}
static inline float mrwi_take_f32(mrwi_bytes_reader* reader)
{
    uint32_t bits = mrwi_take_u32(reader);
    float value = 0.0f;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static inline double mrwi_take_f64(mrwi_bytes_reader* reader)
{
    uint64_t bits = mrwi_take_u64(reader);
    double value = 0.0;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static inline void mrwi_take_words(mrwi_bytes_reader* reader, void* words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t word = mrwi_take_u32(reader);
        memcpy((char*)words + i * sizeof word, &word, sizeof word);
    }
}
/// `count` bytes in place, or NULL.
static inline const uint8_t* mrwi_take_block(mrwi_bytes_reader* reader, size_t count)
{
    if (reader->failed || reader->size - reader->at < count) {
        reader->failed = true;
        return NULL;
    }
    const uint8_t* block = reader->bytes + reader->at;
    reader->at += count;
    return block;
}

#endif
