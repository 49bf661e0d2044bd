/// What a parsed document is made of. For json_parse.c, which makes it, and json.c, which reads it.
#ifndef MRWI_IO_JSON_TREE_H
#define MRWI_IO_JSON_TREE_H

#include "io/json.h"

/// Set on an item whose name occurs again further down: it is not there for readers. cJSON's types use the lower bits.
#define MRWI_JSON_SHADOWED (1 << 16)

typedef struct mrwi_json_warning {
    mrw_error content; ///< without line, column and offset
    struct mrwi_json_warning* older;
} mrwi_json_warning;

/// An item's `valueint` holds the byte at which it starts; cJSON's own use of it is overwritten.
struct mrwi_json {
    mrw_context* context;
    mrwi_arena arena;
    const char* text; ///< behind the byte order mark
    size_t size, mark_size;
    bool strict;
    struct cJSON* root;
    mrwi_json_warning* newest; ///< behind those kept comes one that counts the dropped ones
    uint32_t warning_count;    ///< with that one
    uint32_t dropped_count;
};

#endif
