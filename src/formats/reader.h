/// What the readers of this layer share: the way from bytes to a document, memory for it, members, and repairs.
#ifndef MRWI_FORMATS_READER_H
#define MRWI_FORMATS_READER_H

#include "base/context.h"
#include "io/json.h"
#include "model/document.h"

/// mrwi_json_extras, or NULL: what is not known is left out. A model keeps nothing of it, so a player does not even hold the code.
typedef mrw_result mrwi_extras_reader(const mrwi_json_cursor* at, const char* const* known, mrwi_arena* arena, mrw_extras* out);

typedef struct mrwi_reader {
    mrw_context* context;
    mrwi_extras_reader* read_extras;
    mrw_document* document; ///< what is read goes to its arena
    mrw_error* error;
    mrw_result result;     ///< the first failure; once set nothing is noted any more, and what was read counts for nothing
    uint64_t vertex_count; ///< of all meshes so far
} mrwi_reader;

/// Notes a repair at a place; strict reading makes it the failure.
void mrwi_reader_note(mrwi_reader* reader, const mrwi_json_cursor* at, mrw_result code, const char* format, ...) MRWI_FORMAT(4, 5);

/// Reads a whole document of one kind: `read` fills it from the root, which is absent when the file holds no object. A root that has
/// none of the members `own` but one of `others` (both NULL-terminated) is a document of the other kind: MRW_BAD_TYPE.
typedef struct mrwi_document_format {
    mrwi_document_kind kind;
    void (*read)(mrwi_reader* reader, const mrwi_json_cursor* root);
    const char *const *own, *const *others;
    const char* mismatch; ///< says which it is
} mrwi_document_format;
mrw_result mrwi_reader_open(mrw_context* context, const mrwi_document_format* format, mrwi_extras_reader* read_extras, const void* bytes,
    size_t size, const mrw_load_options* options, mrw_document** out, mrw_error* error);

/// Keeps `result` if it is the first failure.
void mrwi_reader_keep(mrwi_reader* reader, mrw_result result);
/// Zeroed elements in the document; on failure NULL, and `result` says so.
void* mrwi_reader_allocate(mrwi_reader* reader, size_t count, size_t size);
/// A copy of `text` in the document.
const char* mrwi_reader_copy(mrwi_reader* reader, const char* text);
/// A copy of the string at `at`, or NULL; something else in its place is a repair.
const char* mrwi_reader_text(mrwi_reader* reader, const mrwi_json_cursor* at);
/// The index in `names` (NULL-terminated) of the string at `at`, or -1. No string is "".
int mrwi_reader_choice(const mrwi_json_cursor* at, const char* const* names);
/// The members of an object that are not `known`, for writing them back.
mrw_extras mrwi_reader_extras(mrwi_reader* reader, const mrwi_json_cursor* object, const char* const* known);

/// Reads one element of a list into `element`; false leaves it out. `user` is the caller's.
typedef bool mrwi_element_reader(mrwi_reader* reader, const mrwi_json_cursor* at, void* element, void* user);
/// Reads a list into a new array of elements of `size` bytes; `*out_count` of them were kept.
void* mrwi_reader_list(
    mrwi_reader* reader, const mrwi_json_cursor* list, size_t size, mrwi_element_reader* read, void* user, uint32_t* out_count);

#endif
