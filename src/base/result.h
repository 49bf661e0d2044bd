/// Filling an `mrw_error`.
#ifndef MRWI_BASE_RESULT_H
#define MRWI_BASE_RESULT_H

#include "marrow.h"

#include <stdarg.h>

/// Lets gcc and clang compare the arguments with the format.
#if defined(__GNUC__)
#define MRWI_FORMAT(format_index, first_index) __attribute__((format(printf, format_index, first_index)))
#else
#define MRWI_FORMAT(format_index, first_index)
#endif

/// Fills `error` (may be NULL) and returns `code`. `path` NULL means "$". The message is printf-like with only %s, %d, %u and %%
/// (own formatter: locale-free, no libc printf in the binary); NULL takes the code's default. Line, column, offset are unknown.
mrw_result mrwi_fail(mrw_error* error, mrw_result code, const char* path, const char* format, ...) MRWI_FORMAT(4, 5);
mrw_result mrwi_fail_list(mrw_error* error, mrw_result code, const char* path, const char* format, va_list arguments) MRWI_FORMAT(4, 0);
/// The formatter itself; always terminates, truncates at `capacity` (never inside a character). Returns the length written.
size_t mrwi_format(char* out, size_t capacity, const char* format, ...) MRWI_FORMAT(3, 4);
size_t mrwi_format_list(char* out, size_t capacity, const char* format, va_list arguments) MRWI_FORMAT(3, 0);

#endif
