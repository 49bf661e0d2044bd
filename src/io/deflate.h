/// A zlib stream (RFC 1950, 1951) for writing PNGs. stb_image_write's own compressor writes through a null pointer when memory is
/// short; this one needs a bounded amount of it, up front.
#ifndef MRWI_IO_DEFLATE_H
#define MRWI_IO_DEFLATE_H

#include "base/memory.h"

/// Compresses `size` bytes (below 2^31) with fixed Huffman codes, or stores them where that is smaller. NULL when memory is short.
uint8_t* mrwi_deflate(mrwi_arena* arena, const uint8_t* bytes, size_t size, size_t* out_size);

#endif
