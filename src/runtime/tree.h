/// The live tree of an instance: nodes that can be added, removed, renamed and reparented. Slots 0..model.node_count-1 start as
/// the model's nodes in model order; added ones take free slots or grow the arrays.
#ifndef MRWI_RUNTIME_TREE_H
#define MRWI_RUNTIME_TREE_H

#include "base/memory.h"

typedef struct mrwi_tree {
    uint32_t capacity, count; ///< capacity: entries of every array, the row stride too; count: slots in use or free
    uint32_t free_count;      ///< slots that an added node can take
    uint32_t* flags;          ///< bit 0 alive, 1 bone, bits 8..31 generation (12 bits in use; a slot that used all is retired)
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

struct mrwi_instance;
mrw_result mrwi_tree_init(struct mrwi_instance* instance, bool no_nodes);
void mrwi_tree_release(struct mrwi_instance* instance);
/// Resolves order, cuts, joints and the mixer's targets of a changed tree. Never allocates.
void mrwi_tree_resolve(struct mrwi_instance* instance);
const char* mrwi_tree_name(const struct mrwi_instance* instance, uint32_t slot);
/// Node at a "/"-separated path of names from the root ("" is -1); of equal siblings the one created last. -1 when unresolved.
int32_t mrwi_tree_find_path(const struct mrwi_instance* instance, const char* path);

#endif
