#include "formats/reader.h"

#include "base/result.h"

#include <string.h>

void mrwi_reader_note(mrwi_reader* reader, const mrwi_json_cursor* at, mrw_result code, const char* format, ...)
{
    if (reader->result == MRW_OK) {
        va_list arguments;
        va_start(arguments, format);
        reader->result = mrwi_json_warn_list(at, reader->error, code, format, arguments);
        va_end(arguments);
    }
}

void mrwi_reader_keep(mrwi_reader* reader, mrw_result result)
{
    if (reader->result == MRW_OK) {
        reader->result = result;
    }
}

void* mrwi_reader_allocate(mrwi_reader* reader, size_t count, size_t size)
{
    if (reader->result != MRW_OK) {
        return NULL;
    }
    void* block = mrwi_arena_allocate(&reader->document->arena, count > 0 ? count : 1, size);
    if (block == NULL) {
        reader->result = MRW_NO_MEMORY;
    }
    return block;
}

const char* mrwi_reader_copy(mrwi_reader* reader, const char* text)
{
    size_t size = strlen(text);
    char* copy = mrwi_reader_allocate(reader, size + 1, 1);
    if (copy != NULL) {
        memcpy(copy, text, size);
    }
    return copy;
}

const char* mrwi_reader_text(mrwi_reader* reader, const mrwi_json_cursor* at)
{
    const char* text = mrwi_json_string(at);
    if (text != NULL) {
        return mrwi_reader_copy(reader, text);
    }
    if (mrwi_json_type_of(at) != MRWI_JSON_NONE) {
        mrwi_reader_note(reader, at, MRW_BAD_TYPE, "not a string; it counts as missing");
    }
    return NULL;
}

int mrwi_reader_choice(const mrwi_json_cursor* at, const char* const* names)
{
    const char* text = mrwi_json_string(at);
    for (int i = 0; text != NULL && names[i] != NULL; i++) {
        if (names[i][0] != 0 && strcmp(names[i], text) == 0) {
            return i;
        }
    }
    return -1;
}

mrw_extras mrwi_reader_extras(mrwi_reader* reader, const mrwi_json_cursor* object, const char* const* known)
{
    mrw_extras extras = NULL;
    if (reader->result == MRW_OK && reader->read_extras != NULL) {
        reader->result = reader->read_extras(object, known, &reader->document->arena, &extras);
    }
    return extras;
}

void* mrwi_reader_list(
    mrwi_reader* reader, const mrwi_json_cursor* list, size_t size, mrwi_element_reader* read, void* user, uint32_t* out_count)
{
    char* elements = mrwi_reader_allocate(reader, mrwi_json_count(list), size);
    uint32_t count = 0;
    mrwi_json_cursor child;
    for (bool more = mrwi_json_first(list, &child); more && reader->result == MRW_OK; more = mrwi_json_next(&child)) {
        count += read(reader, &child, elements + count * size, user) ? 1 : 0;
    }
    *out_count = count;
    return elements;
}

static bool has_any(const mrwi_json_cursor* object, const char* const* names)
{
    for (; *names != NULL; names++) {
        mrwi_json_cursor member = mrwi_json_member(object, *names);
        if (mrwi_json_type_of(&member) != MRWI_JSON_NONE) {
            return true;
        }
    }
    return false;
}

static void read_root(mrwi_reader* reader, const mrwi_document_format* format, mrwi_json* json)
{
    mrwi_json_cursor root = mrwi_json_root(json);
    if (mrwi_json_type_of(&root) != MRWI_JSON_OBJECT) {
        mrwi_reader_note(reader, &root, MRW_BAD_TYPE, "not an object; it counts as an empty one");
        root.item = NULL;
    } else if (has_any(&root, format->others) && !has_any(&root, format->own)) {
        reader->result = mrwi_json_fail(&root, reader->error, MRW_BAD_TYPE, "%s", format->mismatch);
    }
    if (reader->result == MRW_OK) {
        format->read(reader, &root);
    }
    mrw_document* document = reader->document;
    if (reader->result == MRW_OK) {
        reader->result = mrwi_json_warnings(json, &document->arena, &document->warnings, &document->warning_count);
    }
    if (reader->result == MRW_NO_MEMORY) {
        mrwi_fail(reader->error, MRW_NO_MEMORY, NULL, NULL);
    }
}

mrw_result mrwi_reader_open(mrw_context* context, const mrwi_document_format* format, mrwi_extras_reader* read_extras, const void* bytes,
    size_t size, const mrw_load_options* options, mrw_document** out, mrw_error* error)
{
    *out = NULL;
    mrwi_json* json = NULL;
    mrw_result result = mrwi_json_parse(context, bytes, size, options != NULL && options->strict, &json, error);
    if (result != MRW_OK) {
        return result;
    }
    mrwi_reader reader = {
        .context = context,
        .read_extras = read_extras,
        .document = mrwi_document_create(context, format->kind),
        .error = error,
    };
    if (reader.document == NULL) {
        reader.result = mrwi_fail(error, MRW_NO_MEMORY, NULL, NULL);
    } else {
        read_root(&reader, format, json);
    }
    mrwi_json_release(json);
    if (reader.result != MRW_OK) {
        mrw_document_release(reader.document);
        return reader.result;
    }
    *out = reader.document;
    return MRW_OK;
}
