/// What the readers of this layer share: the way from bytes to a document, memory for it, members, and repairs.
#ifndef MRWI_FORMATS_READER_H
#define MRWI_FORMATS_READER_H

#include "base/context.h"
#include "io/json.h"
#include "model/document.h"

/// mrwi_json_extras, or NULL: what is not known is left out. A model keeps nothing of it, so a player does not even hold the code.
typedef mrw_result mrwi_extras_reader(const mrwi_json_cursor* at, mrwi_json_names known, mrwi_arena* arena, mrw_extras* out);

typedef struct mrwi_reader {
    mrw_context* context;
    mrwi_extras_reader* read_extras;
    mrw_document* document; ///< what is read goes to its arena
    mrw_error* error;
    mrw_result result;     ///< the first failure; once set nothing is noted any more, and what was read counts for nothing
    uint32_t vertex_count; ///< of all meshes so far; each takes some bytes of a text that is shorter than 2^31
    mrw_mesh_desc* mesh;   ///< of the part that is read
} mrwi_reader;

// ---- repairs, which strict reading makes the failure

/// Notes a repair at a place.
void mrwi_reader_note(mrwi_reader* reader, const mrwi_json_cursor* at, mrw_result code, const char* format, ...) MRWI_FORMAT(4, 5);
/// Notes "not <what>; <instead>".
void mrwi_reader_reject(mrwi_reader* reader, const mrwi_json_cursor* at, mrw_result code, const char* what, const char* instead);
/// Whether a value of this type is there. Anything else is absent from then on. That is a repair where something stood in its place;
/// null as a member of a clip is nothing.
bool mrwi_reader_has(mrwi_reader* reader, mrwi_json_cursor* at, mrwi_json_type type, const char* instead);
/// Keeps `result` if it is the first failure.
void mrwi_reader_keep(mrwi_reader* reader, mrw_result result);
/// Fails when there are more than `limit` of something.
void mrwi_reader_bound(mrwi_reader* reader, const mrwi_json_cursor* at, uint32_t count, uint32_t limit, const char* what);

// ---- values

/// Zeroed elements in the document; on failure NULL, and `result` says so.
void* mrwi_reader_allocate(mrwi_reader* reader, size_t count, size_t size);
/// A copy in the document of the string at `at`, or NULL.
const char* mrwi_reader_text(mrwi_reader* reader, mrwi_json_cursor* at);
/// The index in `names` (NULL-terminated) of the string at `at`, or 0, which stands for a missing one; `what` they are. No string is "".
int mrwi_reader_choice(mrwi_reader* reader, const mrwi_json_cursor* at, const char* const* names, mrw_result code, const char* what);
/// `value`, or the nearest from `low` to `high`; `what` says which those are.
double mrwi_reader_clamp(mrwi_reader* reader, const mrwi_json_cursor* at, double value, double low, double high, const char* what);

/// Reads one element of a list into `element`; false leaves it out. `user` is the caller's.
typedef bool mrwi_element_reader(mrwi_reader* reader, mrwi_json_cursor* at, void* element, void* user);
/// The number of elements of a list; what is no list has none.
uint32_t mrwi_reader_count(mrwi_reader* reader, mrwi_json_cursor* at);
/// Reads up to `capacity` elements of a list (or members of an object) into a new array of as many elements of `size` bytes;
/// `*out_count` of them were kept, the others are zero.
void* mrwi_reader_list(mrwi_reader* reader, const mrwi_json_cursor* list, uint32_t capacity, size_t size, mrwi_element_reader* read,
    void* user, uint32_t* out_count);

/// Reads one member, which may be absent, into `out`.
typedef void mrwi_field_reader(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user);
typedef struct mrwi_field {
    const char* name;
    mrwi_field_reader* read;
    size_t offset; ///< of `out` in the structure
} mrwi_field;
/// Reads members of an object into a structure, in the order of `fields`, and returns its others.
mrw_extras mrwi_reader_fields(
    mrwi_reader* reader, const mrwi_json_cursor* object, const mrwi_field* fields, uint32_t count, void* out, void* user);
/// The members of an object that are not `fields`, for writing them back.
mrw_extras mrwi_reader_extras(mrwi_reader* reader, const mrwi_json_cursor* object, const mrwi_field* fields, uint32_t count);

// ---- documents

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

#endif
