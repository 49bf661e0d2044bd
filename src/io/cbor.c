#include "io/cbor.h"

#include <math.h>
#include <string.h>

// First bytes of what is written; the lengths of texts have 32 bits.
#define BYTES 0x5au
#define TEXT 0x7au
#define LIST 0x9fu
#define MAP 0xbfu
#define JSON_TAG 0xd90106u
#define NO 0xf4u
#define YES 0xf5u
#define NOTHING 0xf6u
#define FLOAT 0xfau
#define DOUBLE 0xfbu
#define END 0xffu

// The lowest `size` bytes of a number, highest first.
static void put(mrwi_writer* to, uint64_t value, uint32_t size)
{
    char bytes[8];
    for (uint32_t i = 0; i < size; i++) {
        bytes[i] = (char)(value >> 8 * (size - 1 - i));
    }
    mrwi_writer_append(to, bytes, size);
}

static void put_string(mrwi_writer* to, uint32_t head, const char* text)
{
    size_t size = strlen(text);
    put(to, (uint64_t)head << 32 | (uint32_t)size, 5);
    mrwi_writer_append(to, text, size);
}

void mrwi_cbor_open_map(mrwi_writer* to)
{
    put(to, MAP, 1);
}

void mrwi_cbor_open_list(mrwi_writer* to)
{
    put(to, LIST, 1);
}

void mrwi_cbor_close(mrwi_writer* to)
{
    put(to, END, 1);
}

void mrwi_cbor_text(mrwi_writer* to, const char* text)
{
    if (text == NULL) {
        put(to, NOTHING, 1);
    } else {
        put_string(to, TEXT, text);
    }
}

void mrwi_cbor_boolean(mrwi_writer* to, bool value)
{
    put(to, value ? YES : NO, 1);
}

void mrwi_cbor_float(mrwi_writer* to, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (isfinite(value)) {
        put(to, (uint64_t)FLOAT << 32 | bits, 5);
    } else {
        put(to, NOTHING, 1);
    }
}

void mrwi_cbor_double(mrwi_writer* to, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (isfinite(value)) {
        put(to, DOUBLE, 1);
        put(to, bits, 8);
    } else {
        put(to, NOTHING, 1);
    }
}

void mrwi_cbor_json(mrwi_writer* to, const char* json_text)
{
    if (json_text == NULL) {
        put(to, NOTHING, 1);
    } else {
        put(to, JSON_TAG, 3);
        put_string(to, BYTES, json_text);
    }
}

// ---- back, as JSON

typedef struct source {
    const char* bytes;
    size_t at;
    mrw_context* context;
} source;

static uint64_t take(source* from, uint32_t size)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < size; i++) {
        value = value << 8 | (unsigned char)from->bytes[from->at++];
    }
    return value;
}

// Texts are not zero-terminated there.
static void convert_text(source* from, mrwi_writer* to, void (*write)(mrwi_writer*, const char*))
{
    size_t size = (size_t)take(from, 4);
    char* text = mrwi_allocate(from->context, size + 1, 1);
    if (text == NULL) {
        to->failed = true;
    } else {
        memcpy(text, from->bytes + from->at, size);
        write(to, text);
    }
    from->at += size;
    mrwi_release(from->context, text, size + 1, 1);
}

static void convert_value(source* from, mrwi_writer* to, uint32_t head)
{
    float single;
    double number;
    uint64_t bits = head == FLOAT || head == DOUBLE ? take(from, head == FLOAT ? 4 : 8) : 0;
    uint32_t low = (uint32_t)bits;
    switch (head) {
    case TEXT:
        convert_text(from, to, mrwi_write_string);
        break;
    case JSON_TAG >> 16:
        take(from, 3);
        convert_text(from, to, mrwi_write_raw);
        break;
    case FLOAT:
        memcpy(&single, &low, sizeof single);
        mrwi_write_float(to, single);
        break;
    case DOUBLE:
        memcpy(&number, &bits, sizeof number);
        mrwi_write_double(to, number);
        break;
    case NOTHING:
        mrwi_write_null(to);
        break;
    default:
        mrwi_write_boolean(to, head == YES);
    }
}

void mrwi_cbor_to_json(const char* bytes, size_t size, mrwi_writer* to)
{
    source from = { bytes, 0, to->context };
    uint64_t lists = 0; // which of the open ones, the innermost lowest, are lists; descriptions are a few levels deep
    bool is_key = false;
    while (from.at < size && !to->failed) {
        uint32_t head = (uint32_t)take(&from, 1);
        if (head == END) {
            mrwi_write_close(to, lists & 1 ? ']' : '}');
            lists >>= 1;
        } else if (head == LIST || head == MAP) {
            mrwi_write_open(to, head == LIST ? '[' : '{');
            lists = lists << 1 | (head == LIST ? 1 : 0);
        } else if (is_key) {
            convert_text(&from, to, mrwi_write_key);
        } else {
            convert_value(&from, to, head);
        }
        // In a map a key follows unless one was just written.
        is_key = to->depth > 0 && (lists & 1) == 0 && !to->after_key;
    }
}
