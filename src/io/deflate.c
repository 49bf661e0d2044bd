#include "io/deflate.h"

#include <string.h>

#define WINDOW 32768u
#define HASH_SIZE 32768u
#define SHORTEST_MATCH 3u
#define LONGEST_MATCH 258u
#define CHAIN_LIMIT 96
#define STORED_LIMIT 65535u

/// Positions are stored plus one, so that 0 means none.
typedef struct matcher {
    const uint8_t* bytes;
    size_t size;
    uint32_t* newest;   ///< by hash of three bytes
    uint32_t* previous; ///< by position modulo the window: the one before with the same hash
} matcher;

typedef struct bits {
    uint8_t* out;
    size_t size, capacity;
    uint32_t pending, pending_count;
    bool full;
} bits;

static void put_bits(bits* b, uint32_t value, uint32_t count)
{
    b->pending |= value << b->pending_count;
    b->pending_count += count;
    while (b->pending_count >= 8) {
        if (b->size == b->capacity) {
            b->full = true;
            b->size = 0;
        }
        b->out[b->size++] = (uint8_t)b->pending;
        b->pending >>= 8;
        b->pending_count -= 8;
    }
}

// Huffman codes go out from their highest bit.
static void put_code(bits* b, uint32_t code, uint32_t count)
{
    uint32_t reversed = 0;
    for (uint32_t i = 0; i < count; i++) {
        reversed |= (code >> i & 1u) << (count - 1 - i);
    }
    put_bits(b, reversed, count);
}

// RFC 1951, 3.2.6.
static void put_symbol(bits* b, uint32_t symbol)
{
    if (symbol < 144) {
        put_code(b, 0x30 + symbol, 8);
    } else if (symbol < 256) {
        put_code(b, 0x190 + symbol - 144, 9);
    } else if (symbol < 280) {
        put_code(b, symbol - 256, 7);
    } else {
        put_code(b, 0xc0 + symbol - 280, 8);
    }
}

static uint32_t top_bit(uint32_t value)
{
    uint32_t bit = 0;
    while (value >> bit > 1) {
        bit++;
    }
    return bit;
}

// RFC 1951, 3.2.5: a power of two of lengths, or distances, is split into four, or two, codes with the low bits behind them.
static void put_match(bits* b, uint32_t length, uint32_t distance)
{
    if (length == LONGEST_MATCH) {
        put_symbol(b, 285);
    } else if (length < 11) {
        put_symbol(b, 254 + length);
    } else {
        uint32_t extra = top_bit(length - 3) - 2;
        put_symbol(b, 257 + 4 * extra + ((length - 3) >> extra));
        put_bits(b, (length - 3) & ((1u << extra) - 1), extra);
    }
    if (distance < 5) {
        put_code(b, distance - 1, 5);
    } else {
        uint32_t extra = top_bit(distance - 1) - 1;
        put_code(b, 2 * extra + ((distance - 1) >> extra), 5);
        put_bits(b, (distance - 1) & ((1u << extra) - 1), extra);
    }
}

static uint32_t hash_at(const matcher* m, size_t at)
{
    uint32_t value = (uint32_t)m->bytes[at] | (uint32_t)m->bytes[at + 1] << 8 | (uint32_t)m->bytes[at + 2] << 16;
    return (value * 0x9e3779b1u) >> 17;
}

static void insert(matcher* m, size_t at)
{
    if (at + SHORTEST_MATCH <= m->size) {
        uint32_t hash = hash_at(m, at);
        m->previous[at % WINDOW] = m->newest[hash];
        m->newest[hash] = (uint32_t)at + 1;
    }
}

// The longest match for what starts at `at` (not inserted yet), nearest first; 0 when there is none.
static uint32_t find_match(const matcher* m, size_t at, uint32_t* distance)
{
    if (at + SHORTEST_MATCH > m->size) {
        return 0;
    }
    uint32_t limit = m->size - at < LONGEST_MATCH ? (uint32_t)(m->size - at) : LONGEST_MATCH;
    uint32_t best = SHORTEST_MATCH - 1;
    const uint8_t* here = m->bytes + at;
    uint32_t candidate = m->newest[hash_at(m, at)];
    for (int i = 0; i < CHAIN_LIMIT && candidate != 0 && at - (candidate - 1) < WINDOW && best < limit; i++) {
        const uint8_t* there = m->bytes + candidate - 1;
        if (there[best] == here[best]) {
            uint32_t length = 0;
            while (length < limit && there[length] == here[length]) {
                length++;
            }
            if (length > best) {
                best = length;
                *distance = (uint32_t)(at - (candidate - 1));
            }
        }
        uint32_t older = m->previous[(candidate - 1) % WINDOW];
        candidate = older < candidate ? older : 0;
    }
    return best >= SHORTEST_MATCH ? best : 0;
}

static void compress(matcher* m, bits* b)
{
    put_bits(b, 1, 1); // the last block
    put_bits(b, 1, 2); // fixed codes
    size_t at = 0;
    uint32_t distance = 0;
    uint32_t length = find_match(m, 0, &distance);
    while (at < m->size && !b->full) {
        insert(m, at);
        // A longer match one byte on is worth a literal.
        uint32_t next_distance = 0;
        uint32_t next_length = length < 64 ? find_match(m, at + 1, &next_distance) : 0;
        if (length == 0 || next_length > length) {
            put_symbol(b, m->bytes[at]);
            at++;
            length = next_length;
            distance = next_distance;
            continue;
        }
        put_match(b, length, distance);
        for (uint32_t i = 1; i < length; i++) {
            insert(m, at + i);
        }
        at += length;
        length = find_match(m, at, &distance);
    }
    put_symbol(b, 256);
    put_bits(b, 0, 7); // fills the last byte; what stays pending is nothing
}

static size_t store(uint8_t* out, const uint8_t* bytes, size_t size)
{
    size_t out_size = 0;
    size_t at = 0;
    do {
        size_t part = size - at < STORED_LIMIT ? size - at : STORED_LIMIT;
        out[out_size++] = at + part == size ? 1 : 0;
        out[out_size++] = (uint8_t)part;
        out[out_size++] = (uint8_t)(part >> 8);
        out[out_size++] = (uint8_t)~part;
        out[out_size++] = (uint8_t)(~part >> 8);
        memcpy(out + out_size, bytes + at, part);
        out_size += part;
        at += part;
    } while (at < size);
    return out_size;
}

static uint32_t adler32(const uint8_t* bytes, size_t size)
{
    uint32_t low = 1;
    uint32_t high = 0;
    for (size_t i = 0; i < size; i++) {
        low = (low + bytes[i]) % 65521;
        high = (high + low) % 65521;
    }
    return high << 16 | low;
}

uint8_t* mrwi_deflate(mrwi_arena* arena, const uint8_t* bytes, size_t size, size_t* out_size)
{
    size_t stored_size = size + 5 * (size / STORED_LIMIT + 1);
    uint8_t* out = mrwi_arena_allocate(arena, stored_size + 6, 1);
    matcher m
        = { bytes, size, mrwi_arena_allocate(arena, HASH_SIZE, sizeof(uint32_t)), mrwi_arena_allocate(arena, WINDOW, sizeof(uint32_t)) };
    if (out == NULL || m.newest == NULL || m.previous == NULL) {
        return NULL;
    }
    out[0] = 0x78; // a window of 32 KiB
    out[1] = 0x9c; // the default level; with the byte before a multiple of 31
    bits b = { out + 2, 0, stored_size, 0, 0, false };
    compress(&m, &b);
    size_t body = b.full ? store(out + 2, bytes, size) : b.size;
    uint32_t sum = adler32(bytes, size);
    for (size_t i = 0; i < 4; i++) {
        out[2 + body + i] = (uint8_t)(sum >> (24 - 8 * i));
    }
    *out_size = body + 6;
    return out;
}
