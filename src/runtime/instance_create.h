/// The life of an instance.
#ifndef MRWI_RUNTIME_INSTANCE_CREATE_H
#define MRWI_RUNTIME_INSTANCE_CREATE_H

#include "runtime/instance.h"

/// An instance in `world`. `model` NULL: it waits for `guid` (may be NULL otherwise; copied). `crowd` not NULL: it becomes a
/// member, without an output block of its own.
mrw_result mrwi_instance_create(
    mrwi_world* world, mrwi_model* model, const char* guid, bool no_nodes, mrwi_crowd* crowd, mrwi_instance** out);
/// Tells its crowd, takes it out of the world and unmounts what it carries.
void mrwi_instance_destroy(mrwi_instance* instance);

#endif
