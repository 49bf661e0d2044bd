/// The strict half of reading JSON: grammar and UTF-8, places in the text, spans of values. Nothing here allocates.
#ifndef MRWI_IO_JSON_CHECK_H
#define MRWI_IO_JSON_CHECK_H

#include "marrow.h"

/// Deepest nesting whatever the limits say: parsing recurses, and a WebAssembly stack is small.
#define MRWI_JSON_DEPTH 256u

/// Checks that `text` is one value of RFC 8259 in UTF-8, perhaps behind a byte order mark, with no \u0000 and no half of a
/// surrogate pair. `plain` receives a copy of the same size in which the mark is blank and every number is a 0 and blanks.
mrw_result mrwi_json_check(const char* text, size_t size, uint32_t depth_limit, char* plain, mrw_error* error);

/// Length of the UTF-8 character at `text`, 0 when it is malformed, overlong, a surrogate or beyond U+10FFFF.
size_t mrwi_utf8_length(const char* text, size_t size);

/// Sets line, column and offset of an error. Columns count characters.
void mrwi_json_place(const char* text, size_t size, size_t offset, mrw_error* error);

/// In checked text: the first byte from `at` on that is no white space, and the byte behind the value that starts at `at`.
size_t mrwi_json_skip_blanks(const char* text, size_t size, size_t at);
size_t mrwi_json_skip_value(const char* text, size_t size, size_t at);

/// Appends ".name", `["odd name"]` or "[3]" (name NULL) to a path of `size` bytes. Returns the new size.
size_t mrwi_json_path_step(char* path, size_t capacity, size_t size, const char* name, size_t name_size, uint32_t index);

/// Writes `text` in quotes with its escapes, without a zero; `out` has room for mrwi_json_quoted_size. Returns the size.
size_t mrwi_json_quote(char* out, const char* text);
size_t mrwi_json_quoted_size(const char* text);

#endif
