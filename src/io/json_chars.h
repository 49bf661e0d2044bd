/// The characters of a JSON text: blanks and escapes.
#ifndef MRWI_IO_JSON_CHARS_H
#define MRWI_IO_JSON_CHARS_H

#include <stdbool.h>
#include <stddef.h>

bool mrwi_json_is_one_of(char c, const char* set);

/// Passes over the value that `text` begins with. Returns its size, and in `*out_size` the size without the blanks in it, which `out`
/// (may be NULL) receives.
size_t mrwi_json_compact(const char* text, size_t size, char* out, size_t* out_size);

/// Writes `text` in quotes with its escapes, without a zero; `out` has room for mrwi_json_quoted_size. Returns the size.
size_t mrwi_json_quote(char* out, const char* text);
size_t mrwi_json_quoted_size(const char* text);

#endif
