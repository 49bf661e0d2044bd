/// SHA-256 (for GUIDs of bytes) and a 64-bit hash for goldens.
#ifndef MRWI_BASE_HASH_H
#define MRWI_BASE_HASH_H

#include "marrow.h"

void mrwi_sha256(const void* bytes, size_t size, uint8_t out[32]);
/// FNV-1a, 64 bits; start with MRWI_HASH_START.
#define MRWI_HASH_START 0xcbf29ce484222325u
uint64_t mrwi_hash(uint64_t start, const void* bytes, size_t size);

#endif
