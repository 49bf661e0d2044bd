/// JSON over cJSON behind a cursor that knows its path. Strict where cJSON is loose: UTF-8 is checked, a BOM skipped, `\u0000`,
/// trailing bytes and malformed numbers refused; of equal keys the last counts, with a warning. Arrays are walked, never indexed.
#ifndef MRWI_IO_JSON_H
#define MRWI_IO_JSON_H

#include "base/memory.h"
#include "base/result.h"

struct cJSON;
typedef struct mrwi_json mrwi_json;

typedef enum mrwi_json_type {
    MRWI_JSON_NONE,
    MRWI_JSON_NULL,
    MRWI_JSON_BOOLEAN,
    MRWI_JSON_NUMBER,
    MRWI_JSON_STRING,
    MRWI_JSON_ARRAY,
    MRWI_JSON_OBJECT
} mrwi_json_type;

/// A place in a document. Small, passed by value; `up` points at the caller's cursor, which must outlive it.
typedef struct mrwi_json_cursor {
    mrwi_json* json;
    const struct cJSON* item; ///< NULL: absent
    const struct mrwi_json_cursor* up;
    const char* key; ///< member name, or NULL for an array element
    uint32_t index;
} mrwi_json_cursor;

/// Parses; `*out` owns the tree (release it). Errors carry line, column and offset. `bytes` must stay valid while the json lives:
/// places and extras are read from them. MRW_LIMIT beyond the context's input_bytes and json_depth (at most MRWI_JSON_DEPTH).
mrw_result mrwi_json_parse(mrw_context* context, const void* bytes, size_t size, bool strict, mrwi_json** out, mrw_error* error);
void mrwi_json_release(mrwi_json* json);
mrwi_json_cursor mrwi_json_root(mrwi_json* json);

mrwi_json_type mrwi_json_type_of(const mrwi_json_cursor* at);
double mrwi_json_number(const mrwi_json_cursor* at);      ///< 0 when not a number
bool mrwi_json_boolean(const mrwi_json_cursor* at);       ///< false when not a boolean
const char* mrwi_json_string(const mrwi_json_cursor* at); ///< NULL when not a string; lives as long as the json
/// Number of elements or members.
uint32_t mrwi_json_count(const mrwi_json_cursor* at);
/// The member, or an absent cursor. Case-sensitive; the last of equal names.
mrwi_json_cursor mrwi_json_member(const mrwi_json_cursor* at, const char* name);
/// Walks children in order: begin with `*child` from mrwi_json_first; false at the end.
bool mrwi_json_first(const mrwi_json_cursor* at, mrwi_json_cursor* child);
bool mrwi_json_next(mrwi_json_cursor* child);

/// A repair at `at`. Not strict: recorded (message formatted like mrwi_fail), returns MRW_OK. Strict: fills `error` with path,
/// line and column, and returns `code`; the caller passes it up. NO_MEMORY, without filling `error`, when the list cannot grow.
mrw_result mrwi_json_warn(const mrwi_json_cursor* at, mrw_error* error, mrw_result code, const char* format, ...) MRWI_FORMAT(4, 5);
mrw_result mrwi_json_warn_list(const mrwi_json_cursor* at, mrw_error* error, mrw_result code, const char* format, va_list arguments)
    MRWI_FORMAT(4, 0);
/// An error at `at` with path, line and column.
mrw_result mrwi_json_fail(const mrwi_json_cursor* at, mrw_error* error, mrw_result code, const char* format, ...) MRWI_FORMAT(4, 5);
/// An error at a byte of the text, with the path of `at`.
mrw_result mrwi_json_fail_at(
    const mrwi_json_cursor* at, size_t offset, mrw_error* error, mrw_result code, const char* format, va_list arguments) MRWI_FORMAT(5, 0);
/// Copies the warnings into an arena. At most 1000 are kept, then one that counts the rest.
mrw_result mrwi_json_warnings(mrwi_json* json, mrwi_arena* arena, const mrw_warning** out, uint32_t* out_count);

/// The text that begins with the value; NULL when it is absent.
const char* mrwi_json_source(const mrwi_json_cursor* at, size_t* out_size);

/// Names in a table: the first of `count` that lie `stride` bytes apart.
typedef struct mrwi_json_names {
    const char* const* first;
    size_t count, stride;
} mrwi_json_names;
/// The members of an object whose names are not `known`, as text for `mrw_extras`; NULL when none.
mrw_result mrwi_json_extras(const mrwi_json_cursor* at, mrwi_json_names known, mrwi_arena* arena, mrw_extras* out);
/// Compact text of any value.
mrw_result mrwi_json_text(const mrwi_json_cursor* at, mrwi_arena* arena, const char** out);

/// Grows text in the context's memory. After a failed allocation every call does nothing and `mrwi_writer_take` fails.
typedef struct mrwi_writer {
    mrw_context* context;
    char* text;
    size_t size, capacity;
    bool failed, compact;
    uint32_t depth;
    bool needs_comma; ///< something stands before the next value in its object or array
    bool after_key;
} mrwi_writer;
void mrwi_writer_init(mrwi_writer* writer, mrw_context* context, bool compact);
/// Bytes as they are, whatever stands before them.
void mrwi_writer_append(mrwi_writer* writer, const char* bytes, size_t size);
void mrwi_write_open(mrwi_writer* writer, char bracket);  ///< '{' or '['
void mrwi_write_close(mrwi_writer* writer, char bracket); ///< '}' or ']'
void mrwi_write_key(mrwi_writer* writer, const char* key);
void mrwi_write_string(mrwi_writer* writer, const char* text);
void mrwi_write_boolean(mrwi_writer* writer, bool value);
void mrwi_write_null(mrwi_writer* writer);
void mrwi_write_integer(mrwi_writer* writer, int64_t value);
/// Shortest decimal that reads back as the same f32, or f64; non-finite values become null.
void mrwi_write_float(mrwi_writer* writer, float value);
void mrwi_write_double(mrwi_writer* writer, double value);
/// `[1,2,3]` on one line.
void mrwi_write_floats(mrwi_writer* writer, const float* values, size_t count);
void mrwi_write_raw(mrwi_writer* writer, const char* json_text); ///< one complete value
void mrwi_write_extras(mrwi_writer* writer, mrw_extras extras);  ///< members, inside an open object
/// Hands over the text (zero-terminated; release with mrw_text_release, size without the zero). A text that is not compact ends
/// with a line break. On failure the text is gone, and `*out_text` is NULL.
mrw_result mrwi_writer_take(mrwi_writer* writer, char** out_text, size_t* out_size);
/// Drops the text of a writer that is not taken.
void mrwi_writer_release(mrwi_writer* writer);

#endif
