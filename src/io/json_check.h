/// The strict half of reading JSON: grammar and UTF-8. Nothing here allocates.
#ifndef MRWI_IO_JSON_CHECK_H
#define MRWI_IO_JSON_CHECK_H

#include "io/json.h"

/// Deepest nesting whatever the limits say: parsing recurses, and a WebAssembly stack is small.
#define MRWI_JSON_DEPTH 256u

/// Checks that `plain` holds one value of RFC 8259 in UTF-8, with no \u0000 and no half of a surrogate pair. It is a copy of a text of
/// `size` bytes, which is also the root's, with as many bytes and two more behind it, all zero. In the copy every number becomes a 0
/// and blanks; `plain[size + 1 + i]` becomes 1 where a value starts at byte i.
mrw_result mrwi_json_check(const mrwi_json_cursor* root, char* plain, size_t size, uint32_t depth_limit, mrw_error* error);

/// An error at a byte of the text, with the path of `at`.
mrw_result mrwi_json_fail_at(
    const mrwi_json_cursor* at, size_t offset, mrw_error* error, mrw_result code, const char* format, va_list arguments) MRWI_FORMAT(5, 0);

bool mrwi_json_is_one_of(char c, const char* set);

/// Passes over the value that `text` begins with. Returns its size, and in `*out_size` the size without the blanks in it, which `out`
/// (may be NULL) receives.
size_t mrwi_json_compact(const char* text, size_t size, char* out, size_t* out_size);

/// Writes `text` in quotes with its escapes, without a zero; `out` has room for mrwi_json_quoted_size. Returns the size.
size_t mrwi_json_quote(char* out, const char* text);
size_t mrwi_json_quoted_size(const char* text);

#endif
