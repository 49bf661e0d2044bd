/// Numbers the way the reference reads them: what is not a number is converted, or counts as 0.
#ifndef MRWI_FORMATS_COERCE_H
#define MRWI_FORMATS_COERCE_H

#include <stdbool.h>

/// Reads text as JavaScript's Number() does: blanks around it are skipped, empty text is 0, hexadecimal, octal and binary have
/// their prefixes. False when the text is no number, or an infinite one.
bool mrwi_coerce_text(const char* text, double* out);

#endif
