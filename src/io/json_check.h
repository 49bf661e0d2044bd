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

#endif
