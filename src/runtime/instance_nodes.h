/// The nodes of an instance: one block with the arrays of its tree and the rows of its state.
#ifndef MRWI_RUNTIME_INSTANCE_NODES_H
#define MRWI_RUNTIME_INSTANCE_NODES_H

#include "runtime/instance.h"

/// The model's tree; an empty one when there is no model yet.
mrw_result mrwi_nodes_init(mrwi_instance* instance);
void mrwi_nodes_release(mrwi_instance* instance);
/// Gives the instance a new block for `capacity` nodes and the joints of its model, and forgets the old one.
mrw_result mrwi_nodes_allocate(mrwi_instance* instance, uint32_t capacity);
/// Copies all nodes of another instance except for their names. The capacity must suffice.
void mrwi_nodes_copy(mrwi_instance* instance, const mrwi_instance* from);
/// Makes room for `added` more nodes: the arrays may move, and the structure version rises then.
mrw_result mrwi_nodes_reserve(mrwi_instance* instance, uint32_t added);
/// Takes a slot (mrwi_nodes_reserve made room) for a node at rest. Takes over `name`, a block of its length and a zero.
uint32_t mrwi_nodes_take(mrwi_instance* instance, char* name, int32_t parent, bool bone);
/// Sets a base value, and shows it.
void mrwi_nodes_set(mrwi_instance* instance, uint32_t slot, uint32_t field, float value);
/// state.local, to write.
float* mrwi_nodes_local(const mrwi_instance* instance);

#endif
