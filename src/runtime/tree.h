/// The live tree of an instance: nodes that can be added, removed, renamed and reparented. Slots 0..model.node_count-1 start as
/// the model's nodes in model order; added ones take free slots or grow the arrays.
#ifndef MRWI_RUNTIME_TREE_H
#define MRWI_RUNTIME_TREE_H

#include "model/model.h"

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

#define MRWI_ROOT UINT32_MAX ///< the node argument that means an instance's root

static inline uint32_t mrwi_node_generation(uint32_t flags)
{
    return flags >> MRWI_NODE_GENERATION_SHIFT;
}

/// Slot of a node argument, or -1 when it is stale; and the argument that means a slot.
int32_t mrwi_tree_slot(const mrwi_tree* tree, uint32_t node);
uint32_t mrwi_tree_node(const mrwi_tree* tree, uint32_t slot);
const char* mrwi_tree_name(const mrwi_tree* tree, const mrwi_model* model, uint32_t slot);
/// Value of a field of a node that nothing was done to. `model` may be NULL.
float mrwi_tree_rest(const mrwi_tree* tree, const mrwi_model* model, uint32_t slot, uint32_t field);
void mrwi_tree_free_name(mrw_context* context, mrwi_tree* tree, uint32_t slot);
/// The tree is not the model's own any more and must be resolved.
static inline void mrwi_tree_touch(mrwi_tree* tree)
{
    tree->untouched = false;
    tree->stale = true;
}
/// Resolves order, cuts and joints of a changed tree. `model` may be NULL; `scratch` has two numbers a slot. Never allocates.
void mrwi_tree_resolve(mrwi_tree* tree, const mrwi_model* model, uint32_t* scratch);
/// The live node of that name that was created last, or -1; and the model's own, of equal names the last of the file (NULL: -1).
int32_t mrwi_tree_find(const mrwi_tree* tree, const mrwi_model* model, const char* name);
int32_t mrwi_tree_find_original(const mrwi_model* model, const char* name);
/// Node at a "/"-separated path of names from the root ("" is -1); of equal siblings the one created last. -1 when unresolved.
int32_t mrwi_tree_find_path(const mrwi_tree* tree, const mrwi_model* model, const char* path);

#endif
