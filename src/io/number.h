/// Decimal text and binary numbers. Reading is correctly rounded, writing gives the shortest text that reads back; neither depends
/// on the locale, and both give the same on every target.
#ifndef MRWI_IO_NUMBER_H
#define MRWI_IO_NUMBER_H

#include "marrow.h"

/// Room for the longest text and its zero: "-1.2345678901234567e-308".
#define MRWI_NUMBER_TEXT 32

/// What a hexadecimal digit stands for, or 16.
uint32_t mrwi_digit(char c);

/// The number that the text begins with, in JSON's grammar; leading zeros and a point without digits on one side are fine, too. Too
/// large gives an infinity, too small a zero. `*text` moves behind the number, and stays where none is.
double mrwi_number_read(const char** text, const char* end);

/// Writes the shortest decimal that reads back as the same f64 (closest to it among those), in the form JavaScript uses: 0.1, 1e+21,
/// 1.5e-7; minus zero keeps its sign. Non-finite values give "null". Returns the length.
size_t mrwi_number_write(char out[MRWI_NUMBER_TEXT], double value);
/// The same for an f32: what reads back as `value` when read as f64 and rounded to f32.
size_t mrwi_number_write_float(char out[MRWI_NUMBER_TEXT], float value);

#endif
