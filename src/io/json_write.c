#include "io/json.h"
#include "io/json_chars.h"
#include "io/number.h"

#include <string.h>

// ---- growing text

void mrwi_writer_init(mrwi_writer* writer, mrw_context* context, bool compact)
{
    *writer = (mrwi_writer) { .context = context, .compact = compact };
}

void mrwi_writer_release(mrwi_writer* writer)
{
    mrwi_release(writer->context, writer->text, writer->capacity, 1);
    writer->text = NULL;
    writer->size = 0;
    writer->capacity = 0;
}

// Room for `size` more bytes, or NULL.
static char* reserve(mrwi_writer* writer, size_t size)
{
    size_t needed;
    if (writer->failed) {
        return NULL;
    }
    if (!mrwi_size_add(writer->size, size, &needed)) {
        writer->failed = true;
        return NULL;
    }
    if (needed > writer->capacity) {
        size_t capacity = writer->capacity < 256 ? 256 : writer->capacity;
        while (capacity < needed) {
            capacity = capacity > SIZE_MAX / 2 ? needed : capacity * 2;
        }
        char* grown = mrwi_reallocate(writer->context, writer->text, writer->capacity, capacity, 1);
        if (grown == NULL) {
            writer->failed = true;
            return NULL;
        }
        writer->text = grown;
        writer->capacity = capacity;
    }
    return writer->text + writer->size;
}

void mrwi_writer_append(mrwi_writer* writer, const char* bytes, size_t size)
{
    char* out = reserve(writer, size);
    if (out != NULL && size > 0) {
        memcpy(out, bytes, size);
        writer->size += size;
    }
}

static void break_line(mrwi_writer* writer)
{
    if (writer->compact) {
        return;
    }
    mrwi_writer_append(writer, "\n", 1);
    for (uint32_t i = 0; i < writer->depth; i++) {
        mrwi_writer_append(writer, "  ", 2);
    }
}

// What stands between the value before and the next one.
static void begin_item(mrwi_writer* writer)
{
    if (writer->after_key) {
        writer->after_key = false;
        return;
    }
    if (writer->needs_comma) {
        mrwi_writer_append(writer, ",", 1);
    }
    if (writer->depth > 0) {
        break_line(writer);
    }
}

static void write_value(mrwi_writer* writer, const char* text, size_t size)
{
    begin_item(writer);
    mrwi_writer_append(writer, text, size);
    writer->needs_comma = true;
}

// ---- values

void mrwi_write_open(mrwi_writer* writer, char bracket)
{
    begin_item(writer);
    mrwi_writer_append(writer, &bracket, 1);
    writer->depth++;
    writer->needs_comma = false;
}

void mrwi_write_close(mrwi_writer* writer, char bracket)
{
    writer->depth--;
    if (writer->needs_comma) {
        break_line(writer);
    }
    mrwi_writer_append(writer, &bracket, 1);
    writer->needs_comma = true;
}

static void write_quoted(mrwi_writer* writer, const char* text)
{
    char* out = reserve(writer, mrwi_json_quoted_size(text));
    if (out != NULL) {
        writer->size += mrwi_json_quote(out, text);
    }
}

void mrwi_write_key(mrwi_writer* writer, const char* key)
{
    begin_item(writer);
    write_quoted(writer, key);
    mrwi_writer_append(writer, ": ", writer->compact ? 1 : 2);
    writer->after_key = true;
}

void mrwi_write_string(mrwi_writer* writer, const char* text)
{
    if (text == NULL) {
        mrwi_write_null(writer);
        return;
    }
    begin_item(writer);
    write_quoted(writer, text);
    writer->needs_comma = true;
}

void mrwi_write_boolean(mrwi_writer* writer, bool value)
{
    write_value(writer, value ? "true" : "false", value ? 4 : 5);
}

void mrwi_write_null(mrwi_writer* writer)
{
    write_value(writer, "null", 4);
}

static size_t integer_text(char out[MRWI_NUMBER_TEXT], int64_t value)
{
    char digits[20];
    size_t count = 0;
    size_t size = 0;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do {
        digits[count++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (value < 0) {
        out[size++] = '-';
    }
    while (count > 0) {
        out[size++] = digits[--count];
    }
    return size;
}

void mrwi_write_integer(mrwi_writer* writer, int64_t value)
{
    char text[MRWI_NUMBER_TEXT];
    write_value(writer, text, integer_text(text, value));
}

void mrwi_write_float(mrwi_writer* writer, float value)
{
    char text[MRWI_NUMBER_TEXT];
    write_value(writer, text, mrwi_number_write_float(text, value));
}

void mrwi_write_double(mrwi_writer* writer, double value)
{
    char text[MRWI_NUMBER_TEXT];
    write_value(writer, text, mrwi_number_write(text, value));
}

// ---- an array of numbers, on one line

void mrwi_write_floats(mrwi_writer* writer, const float* values, size_t count)
{
    begin_item(writer);
    mrwi_writer_append(writer, "[", 1);
    for (size_t i = 0; i < count && !writer->failed; i++) {
        char text[MRWI_NUMBER_TEXT];
        mrwi_writer_append(writer, ",", i == 0 ? 0 : 1);
        mrwi_writer_append(writer, text, mrwi_number_write_float(text, values[i]));
    }
    mrwi_writer_append(writer, "]", 1);
    writer->needs_comma = true;
}

// ---- text that is JSON already

void mrwi_write_raw(mrwi_writer* writer, const char* json_text)
{
    write_value(writer, json_text, strlen(json_text));
}

static const char* skip_blanks(const char* text)
{
    return text + strspn(text, " \t\n\r");
}

void mrwi_write_extras(mrwi_writer* writer, mrw_extras extras)
{
    const char* at = skip_blanks(extras == NULL ? "" : extras);
    const char* end = at + strlen(at);
    while (at < end) {
        size_t compact_size;
        size_t name_size = mrwi_json_compact(at, (size_t)(end - at), NULL, &compact_size);
        const char* value = skip_blanks(skip_blanks(at + name_size) + 1); // behind the colon
        size_t value_size = mrwi_json_compact(value, (size_t)(end - value), NULL, &compact_size);
        begin_item(writer);
        mrwi_writer_append(writer, at, name_size);
        mrwi_writer_append(writer, ": ", writer->compact ? 1 : 2);
        mrwi_writer_append(writer, value, value_size);
        writer->needs_comma = true;
        at = skip_blanks(value + value_size);
        at = skip_blanks(*at == ',' ? at + 1 : at);
    }
}

mrw_result mrwi_writer_take(mrwi_writer* writer, char** out_text, size_t* out_size)
{
    *out_text = NULL;
    if (!writer->compact) {
        mrwi_writer_append(writer, "\n", 1);
    }
    mrwi_writer_append(writer, "", 1); // the zero
    char* text = writer->failed ? NULL : mrwi_reallocate(writer->context, writer->text, writer->capacity, writer->size, 1);
    if (text == NULL) {
        mrwi_writer_release(writer);
        writer->failed = true;
        return MRW_NO_MEMORY;
    }
    *out_text = text;
    *out_size = writer->size - 1;
    writer->text = NULL;
    writer->size = 0;
    writer->capacity = 0;
    return MRW_OK;
}
