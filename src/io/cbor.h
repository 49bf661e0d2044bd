/// The part of CBOR (RFC 8949) that descriptions are made of: maps and lists of indefinite length, texts, booleans, null, numbers as
/// f32 or f64, and JSON as tag 262. What is written here has no printed numbers, so a player needs no code that prints them.
#ifndef MRWI_IO_CBOR_H
#define MRWI_IO_CBOR_H

#include "io/json.h"

void mrwi_cbor_open_map(mrwi_writer* to); ///< then keys (texts) and values by turns
void mrwi_cbor_open_list(mrwi_writer* to);
void mrwi_cbor_close(mrwi_writer* to);
void mrwi_cbor_text(mrwi_writer* to, const char* text); ///< NULL becomes null
void mrwi_cbor_boolean(mrwi_writer* to, bool value);
/// Non-finite values become null, as in JSON.
void mrwi_cbor_float(mrwi_writer* to, float value);
void mrwi_cbor_double(mrwi_writer* to, double value);
void mrwi_cbor_json(mrwi_writer* to, const char* json_text); ///< one complete value; NULL becomes null

/// Writes as JSON what the functions above have written: `size` bytes, one complete value.
void mrwi_cbor_to_json(const char* bytes, size_t size, mrwi_writer* to);

#endif
