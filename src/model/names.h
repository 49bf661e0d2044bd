/// A table from (owner, name) to an index: children of a node by name, parts by name. Of equal entries the last one put counts.
#ifndef MRWI_MODEL_NAMES_H
#define MRWI_MODEL_NAMES_H

#include "base/memory.h"

typedef struct mrwi_name {
    const char* text;
    int32_t owner, index;
} mrwi_name;
typedef struct mrwi_names {
    mrwi_name* entries; ///< a power of two of them; text NULL: free
    size_t capacity;
} mrwi_names;

/// Room for `count` entries in `arena`. The texts that are put must outlive the table.
mrw_result mrwi_names_init(mrwi_names* names, mrwi_arena* arena, uint32_t count);
void mrwi_names_put(mrwi_names* names, int32_t owner, const char* text, int32_t index);
/// The index of the name `text` of `size` bytes, or -1.
int32_t mrwi_names_find(const mrwi_names* names, int32_t owner, const char* text, size_t size);
/// Follows the "/"-separated names of `path` from owner -1; empty ones are skipped. -1 when a step finds nothing, or all are empty.
int32_t mrwi_names_find_path(const mrwi_names* names, const char* path);
/// True when `path` has no names: it means the root.
bool mrwi_path_is_root(const char* path);
/// Bytes of a path up to the next slash, or to its end.
size_t mrwi_path_step(const char* path);

#endif
