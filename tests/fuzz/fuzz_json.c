// Parses bytes as JSON, visits everything, and writes it again. A text that parsed must parse once more after writing, and
// memory must not be what fails: the context has more than any input needs.
#include "io/json.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

static void require(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void write_value(mrwi_writer* writer, const mrwi_json_cursor* at, mrw_error* error)
{
    static const char* const names[] = { "name", "id" };
    const mrwi_json_names known = { names, 2, sizeof *names };
    mrwi_json_cursor child;
    mrwi_json_type type = mrwi_json_type_of(at);
    if (type == MRWI_JSON_OBJECT || type == MRWI_JSON_ARRAY) {
        mrwi_write_open(writer, type == MRWI_JSON_OBJECT ? '{' : '[');
        for (bool more = mrwi_json_first(at, &child); more; more = mrwi_json_next(&child)) {
            if (type == MRWI_JSON_ARRAY) {
                write_value(writer, &child, error);
            } else if (strcmp(child.key, "name") == 0 || strcmp(child.key, "id") == 0) {
                mrwi_write_key(writer, child.key);
                write_value(writer, &child, error);
            }
        }
        mrwi_arena arena;
        mrwi_arena_init(&arena, writer->context);
        mrw_extras extras = NULL;
        require(mrwi_json_extras(at, known, &arena, &extras) == MRW_OK);
        mrwi_write_extras(writer, extras);
        mrwi_arena_release(&arena);
        mrwi_write_close(writer, type == MRWI_JSON_OBJECT ? '}' : ']');
    } else if (type == MRWI_JSON_NUMBER) {
        mrwi_write_double(writer, mrwi_json_number(at));
    } else if (type == MRWI_JSON_STRING) {
        mrwi_write_string(writer, mrwi_json_string(at));
    } else {
        mrwi_arena arena;
        mrwi_arena_init(&arena, writer->context);
        const char* text = NULL;
        require(mrwi_json_text(at, &arena, &text) == MRW_OK && text != NULL);
        mrwi_write_raw(writer, text);
        mrwi_arena_release(&arena);
    }
    require(mrwi_json_fail(at, error, MRW_BAD_VALUE, NULL) == MRW_BAD_VALUE && error->line > 0 && error->column > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
    mrw_context* context = mrw_context_create(NULL);
    require(context != NULL);
    mrwi_json* json = NULL;
    mrw_error error;
    mrw_result result = mrwi_json_parse(context, bytes, size, false, &json, &error);
    require(result != MRW_NO_MEMORY && (result == MRW_OK) == (json != NULL));
    if (result == MRW_OK) {
        mrwi_json_cursor root = mrwi_json_root(json);
        mrwi_writer writer;
        mrwi_writer_init(&writer, context, size % 2 == 0);
        write_value(&writer, &root, &error);
        char* text = NULL;
        size_t text_size = 0;
        require(mrwi_writer_take(&writer, &text, &text_size) == MRW_OK);
        mrwi_json_release(json);
        require(mrwi_json_parse(context, text, text_size, false, &json, &error) == MRW_OK);
        mrw_text_release(context, text, text_size);
    } else {
        require(error.code == result && error.line > 0 && error.column > 0 && error.offset >= 0 && (size_t)error.offset <= size);
    }
    mrwi_json_release(json);
    mrw_context_destroy(context);
    return 0;
}
