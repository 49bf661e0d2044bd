/// A document: an arena with a description in it. Readers (formats) fill it, edits (author) change it, writers print it.
#ifndef MRWI_MODEL_DOCUMENT_H
#define MRWI_MODEL_DOCUMENT_H

#include "base/memory.h"

typedef enum mrwi_document_kind { MRWI_DOCUMENT_RIG, MRWI_DOCUMENT_CLIP } mrwi_document_kind;

/// Arrays inside `model` and `clip` live in `arena`; their const is cast away only by edits of the document itself. An edit that
/// grows an array makes a new one in the arena.
struct mrw_document {
    mrwi_arena arena;
    mrwi_document_kind kind;
    mrw_model_desc model;
    mrw_clip_desc clip;
    const mrw_warning* warnings;
    uint32_t warning_count;
    uint32_t node_capacity; ///< room in the nodes' array that edits made; less than node_count: none beyond the count
};

/// An empty document; NULL when memory is short.
mrw_document* mrwi_document_create(mrw_context* context, mrwi_document_kind kind);

#endif
