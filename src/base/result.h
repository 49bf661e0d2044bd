/// Filling an `mrw_error`.
#ifndef MRWI_BASE_RESULT_H
#define MRWI_BASE_RESULT_H

#include "marrow.h"

/// Fills `error` (may be NULL) and returns `code`. `path` NULL means "$". The message is printf-like with only %s, %d, %u and %%
/// (own formatter: locale-free, no libc printf in the binary); NULL takes the code's default. Line, column, offset are unknown.
mrw_result mrwi_fail(mrw_error* error, mrw_result code, const char* path, const char* format, ...);
/// The formatter itself; always terminates, truncates at `capacity`. Returns the length written.
size_t mrwi_format(char* out, size_t capacity, const char* format, ...);

#endif
