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

void mrwi_reader_reject(mrwi_reader* reader, const mrwi_json_cursor* at, mrw_result code, const char* what, const char* instead)
{
    mrwi_reader_note(reader, at, code, "not %s; %s", what, instead);
}

static bool is_missing(const mrwi_reader* reader, const mrwi_json_cursor* at)
{
    mrwi_json_type type = mrwi_json_type_of(at);
    bool is_clip = reader->document->kind == MRWI_DOCUMENT_CLIP;
    return type == MRWI_JSON_NONE || (type == MRWI_JSON_NULL && is_clip && at->key != NULL);
}

bool mrwi_reader_has(mrwi_reader* reader, mrwi_json_cursor* at, mrwi_json_type type, const char* instead)
{
    static const char* const names[] = { "a boolean", "a number", "a string", "an array", "an object" };
    if (mrwi_json_type_of(at) == type) {
        return true;
    }
    if (!is_missing(reader, at)) {
        mrwi_reader_reject(reader, at, MRW_BAD_TYPE, names[type - MRWI_JSON_BOOLEAN], instead);
    }
    at->item = NULL;
    return false;
}

void mrwi_reader_bound(mrwi_reader* reader, const mrwi_json_cursor* at, uint32_t count, uint32_t limit, const char* what)
{
    if (count > limit && reader->result == MRW_OK) {
        reader->result = mrwi_json_fail(at, reader->error, MRW_LIMIT, "%u %s, the limit is %u", count, what, limit);
    }
}

void* mrwi_reader_allocate(mrwi_reader* reader, size_t count, size_t size)
{
    void* block = reader->result == MRW_OK ? mrwi_arena_allocate(&reader->document->arena, count, size) : NULL;
    if (block == NULL) {
        mrwi_reader_keep(reader, MRW_NO_MEMORY);
    }
    return block;
}

const char* mrwi_reader_text(mrwi_reader* reader, mrwi_json_cursor* at)
{
    if (!mrwi_reader_has(reader, at, MRWI_JSON_STRING, "it counts as missing")) {
        return NULL;
    }
    const char* text = mrwi_json_string(at);
    size_t size = strlen(text) + 1;
    char* copy = mrwi_reader_allocate(reader, size, 1);
    return copy != NULL ? memcpy(copy, text, size) : NULL;
}

int mrwi_reader_choice(mrwi_reader* reader, const mrwi_json_cursor* at, const char* const* names, mrw_result code, const char* what)
{
    const char* text = mrwi_json_string(at);
    for (int i = 0; text != NULL && names[i] != NULL; i++) {
        if (names[i][0] != 0 && strcmp(names[i], text) == 0) {
            return i;
        }
    }
    if (!is_missing(reader, at)) {
        mrwi_reader_reject(reader, at, code, what, "it counts as missing");
    }
    return 0;
}

double mrwi_reader_clamp(mrwi_reader* reader, const mrwi_json_cursor* at, double value, double low, double high, const char* what)
{
    double nearest = value < low ? low : value > high ? high : value;
    if (nearest != value) {
        mrwi_reader_reject(reader, at, MRW_BAD_VALUE, what, "the nearest is taken");
    }
    return nearest;
}

uint32_t mrwi_reader_count(mrwi_reader* reader, mrwi_json_cursor* at)
{
    return mrwi_reader_has(reader, at, MRWI_JSON_ARRAY, "it counts as missing") ? mrwi_json_count(at) : 0;
}

void* mrwi_reader_list(mrwi_reader* reader, const mrwi_json_cursor* list, uint32_t capacity, size_t size, mrwi_element_reader* read,
    void* user, uint32_t* out_count)
{
    char* elements = mrwi_reader_allocate(reader, capacity, size);
    uint32_t count = 0;
    mrwi_json_cursor child;
    for (bool more = mrwi_json_first(list, &child); more && child.index < capacity && reader->result == MRW_OK;
         more = mrwi_json_next(&child)) {
        const struct cJSON* item = child.item;
        count += read(reader, &child, elements + count * size, user) ? 1 : 0;
        child.item = item; // where it was of no use and became absent, too
    }
    *out_count = count;
    return elements;
}

mrw_extras mrwi_reader_extras(mrwi_reader* reader, const mrwi_json_cursor* object, const mrwi_field* fields, uint32_t count)
{
    mrw_extras extras = NULL;
    if (reader->result == MRW_OK && reader->read_extras != NULL) {
        const mrwi_json_names known = { &fields->name, count, sizeof *fields };
        reader->result = reader->read_extras(object, known, &reader->document->arena, &extras);
    }
    return extras;
}

mrw_extras mrwi_reader_fields(
    mrwi_reader* reader, const mrwi_json_cursor* object, const mrwi_field* fields, uint32_t count, void* out, void* user)
{
    for (uint32_t i = 0; i < count; i++) {
        mrwi_json_cursor at = mrwi_json_member(object, fields[i].name);
        fields[i].read(reader, &at, (char*)out + fields[i].offset, user);
    }
    return mrwi_reader_extras(reader, object, fields, count);
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
    if (mrwi_reader_has(reader, &root, MRWI_JSON_OBJECT, "an empty one is taken") && has_any(&root, format->others)
        && !has_any(&root, format->own)) {
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
