/// The live tree of an instance: nodes that can be added, removed, renamed and reparented. Slots 0..model.node_count-1 start as
/// the model's nodes in model order; added ones take free slots or grow the arrays.
#ifndef MRWI_RUNTIME_TREE_H
#define MRWI_RUNTIME_TREE_H

#include "base/memory.h"

typedef struct mrwi_tree {
    uint32_t capacity, count; ///< capacity: entries of every array, the row stride too; count: slots in use or free
    uint32_t free_count;      ///< slots that an added node can take
    uint32_t* flags;          ///< MRWI_NODE_ALIVE, MRWI_NODE_BONE, bits 8..31 generation (12 bits in use; a slot that used all is retired)
    int32_t* parents;
    char** names;      ///< own copies for changed names, else NULL: the model's
    uint32_t* created; ///< rises with creation, decides between equal names
    uint32_t creation_count;
    bool untouched; ///< still the model's own tree: packed order, joints by index
    bool stale;     ///< order, cuts, joints and the mixer's targets must be resolved before the next pose
    bool any_no_scale;
    uint32_t order_count;
    uint32_t* order;   ///< alive nodes parent-first
    uint8_t* cuts;     ///< a bone whose direct parent is no bone starts a chain of its own
    uint8_t* no_scale; ///< by name
    int32_t* joints;   ///< joint -> node or -1, all skins one after the other
} mrwi_tree;

#define MRWI_NODE_ALIVE 1u
#define MRWI_NODE_BONE 2u
#define MRWI_NODE_GENERATION_SHIFT 8
#define MRWI_NODE_LAST_GENERATION 4095u
#define MRWI_NODE_CAPACITY_MAX 0xfffffu ///< 20 bits of index, and all ones mean the root

struct mrwi_instance;
/// The model's tree; an empty one when `no_nodes` is set or there is no model yet.
mrw_result mrwi_tree_init(struct mrwi_instance* instance, bool no_nodes);
void mrwi_tree_release(struct mrwi_instance* instance);
/// Gives the instance a new block for `capacity` nodes and the joints of its model, and forgets the old one.
mrw_result mrwi_tree_allocate(struct mrwi_instance* instance, uint32_t capacity);
/// Copies all nodes of another instance, names by pointer. The capacity must suffice.
void mrwi_tree_copy(struct mrwi_instance* instance, const struct mrwi_instance* from);
char* mrwi_tree_copy_name(mrw_context* context, const char* name);
void mrwi_tree_free_name(struct mrwi_instance* instance, uint32_t slot);
/// Value of a field of a node that nothing was done to.
float mrwi_tree_rest(const struct mrwi_instance* instance, uint32_t slot, uint32_t field);
/// Makes room for `added` more nodes: the arrays may move, and the structure version rises then.
mrw_result mrwi_tree_reserve(struct mrwi_instance* instance, uint32_t added);
/// Takes a slot (mrwi_tree_reserve made room) for a node at rest. Takes over `name`, a block of its length and a zero.
uint32_t mrwi_tree_take(struct mrwi_instance* instance, char* name, int32_t parent, bool bone);
/// Slot of a node argument, or -1 when it is stale; and the argument that means a slot.
int32_t mrwi_instance_slot(const struct mrwi_instance* instance, uint32_t node);
uint32_t mrwi_instance_node(const struct mrwi_instance* instance, uint32_t slot);
/// state.local, to write.
float* mrwi_tree_local(const struct mrwi_instance* instance);
/// Resolves order, cuts and joints of a changed tree. Never allocates.
void mrwi_tree_resolve(struct mrwi_instance* instance);
const char* mrwi_tree_name(const struct mrwi_instance* instance, uint32_t slot);
/// Node at a "/"-separated path of names from the root ("" is -1); of equal siblings the one created last. -1 when unresolved.
int32_t mrwi_tree_find_path(const struct mrwi_instance* instance, const char* path);

#endif
