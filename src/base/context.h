/// The context: allocator hooks, limits, the tables of everything that has an id.
#ifndef MRWI_BASE_CONTEXT_H
#define MRWI_BASE_CONTEXT_H

#include "base/memory.h"
#include "base/slots.h"

struct mrwi_instance;
struct mrwi_model;

/// Destructors of the higher layers, set by them when they first put something into a table.
struct mrw_context {
    mrwi_memory memory; ///< first: memory.c finds it at the context's own address
    mrw_limits limits;
    mrwi_slots models, worlds, instances, crowds;
    mrwi_slots_destroy destroy_world; ///< called for each live world, then destroy_model for each live model
    mrwi_slots_destroy destroy_model;
    mrwi_slots_destroy destroy_assets;
    /// Set by the runtime: releases one instance and takes it off its model's list. A model calls it for each of its instances.
    void (*destroy_instance)(struct mrwi_instance* instance);
    /// Set by the runtime, else NULL: `clips[clip]` of a model was appended or replaced; the replaced one still lives. When this
    /// fails the model takes the change back and, for a replaced clip, calls again, which cannot fail.
    mrw_result (*clip_changed)(struct mrwi_model* model, uint32_t clip);
    void* assets; ///< registry of GUIDs (runtime/assets)
};

#endif
