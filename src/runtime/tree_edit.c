#include "runtime/mount.h"
#include "runtime/world.h"

#include <string.h>

#define INDEX_BITS 20
#define INDEX_MASK 0xfffffu

static uint32_t generation_of(uint32_t flags)
{
    return flags >> MRWI_NODE_GENERATION_SHIFT;
}

int32_t mrwi_instance_slot(const mrwi_instance* instance, uint32_t node)
{
    uint32_t slot = node & INDEX_MASK;
    const mrwi_tree* tree = &instance->tree;
    bool live = slot < tree->count && (tree->flags[slot] & MRWI_NODE_ALIVE) != 0 && generation_of(tree->flags[slot]) == node >> INDEX_BITS;
    return live ? (int32_t)slot : -1;
}

uint32_t mrwi_instance_node(const mrwi_instance* instance, uint32_t slot)
{
    return generation_of(instance->tree.flags[slot]) << INDEX_BITS | slot;
}

// The parent argument of an edit; the root is -1.
static bool find_parent(const mrwi_instance* instance, uint32_t node, int32_t* out)
{
    *out = node == MRWI_ROOT ? -1 : mrwi_instance_slot(instance, node);
    return node == MRWI_ROOT || *out >= 0;
}

static void touch(mrwi_instance* instance)
{
    instance->tree.untouched = false;
    instance->tree.stale = true;
}

// The lowest free slot, so that the same edits give the same ids.
static uint32_t find_free_slot(mrwi_tree* tree)
{
    uint32_t slot = tree->free_count == 0 ? tree->count : 0;
    while (slot < tree->count
        && ((tree->flags[slot] & MRWI_NODE_ALIVE) != 0 || generation_of(tree->flags[slot]) > MRWI_NODE_LAST_GENERATION)) {
        slot++;
    }
    if (slot == tree->count) {
        tree->count++;
    } else {
        tree->free_count--;
    }
    return slot;
}

uint32_t mrwi_tree_take(mrwi_instance* instance, char* name, int32_t parent, bool bone)
{
    mrwi_tree* tree = &instance->tree;
    uint32_t slot = find_free_slot(tree);
    tree->flags[slot] |= MRWI_NODE_ALIVE | (bone ? MRWI_NODE_BONE : 0);
    tree->parents[slot] = parent;
    tree->names[slot] = name;
    tree->created[slot] = tree->creation_count;
    tree->creation_count++;
    float* local = mrwi_tree_local(instance);
    for (size_t field = 0; field < MRW_FIELD_COUNT; field++) {
        float rest = mrwi_tree_rest(instance, slot, (uint32_t)field);
        instance->state.base[field * tree->capacity + slot] = rest;
        local[field * tree->capacity + slot] = rest;
    }
    instance->state.override_mask[slot] = 0;
    instance->state.node_count = tree->count;
    touch(instance);
    return slot;
}

mrw_result mrw_instance_add_node(mrw_context* context, mrw_instance_id id, const char* name, uint32_t parent, bool bone, uint32_t* out_node)
{
    mrwi_instance* instance = mrwi_instance_get(context, id);
    int32_t parent_slot;
    if (instance == NULL || !find_parent(instance, parent, &parent_slot)) {
        return MRW_STALE;
    }
    if (name == NULL) {
        return MRW_BAD_ARGUMENT;
    }
    mrw_result result = mrwi_tree_reserve(instance, 1);
    if (result != MRW_OK) {
        return result;
    }
    char* copy = mrwi_tree_copy_name(context, name);
    if (copy == NULL) {
        return MRW_NO_MEMORY;
    }
    uint32_t slot = mrwi_tree_take(instance, copy, parent_slot, bone);
    if (out_node != NULL) {
        *out_node = mrwi_instance_node(instance, slot);
    }
    return MRW_OK;
}

mrw_result mrw_instance_remove_node(mrw_context* context, mrw_instance_id id, uint32_t node)
{
    mrwi_instance* instance = mrwi_instance_get(context, id);
    int32_t slot = instance == NULL ? -1 : mrwi_instance_slot(instance, node);
    if (slot < 0) {
        return MRW_STALE;
    }
    mrwi_tree* tree = &instance->tree;
    int32_t parent = tree->parents[slot];
    for (uint32_t i = 0; i < tree->count; i++) {
        if (tree->parents[i] == slot) {
            tree->parents[i] = parent;
        }
    }
    mrwi_mount_move(instance, (uint32_t)slot, parent < 0 ? MRWI_ROOT : (uint32_t)parent);
    mrwi_tree_free_name(instance, (uint32_t)slot);
    uint32_t generation = generation_of(tree->flags[slot]) + 1;
    tree->flags[slot] = generation << MRWI_NODE_GENERATION_SHIFT;
    tree->parents[slot] = -1;
    tree->free_count += generation <= MRWI_NODE_LAST_GENERATION ? 1 : 0;
    instance->state.override_mask[slot] = 0;
    touch(instance);
    return MRW_OK;
}

mrw_result mrw_instance_rename_node(mrw_context* context, mrw_instance_id id, uint32_t node, const char* name)
{
    mrwi_instance* instance = mrwi_instance_get(context, id);
    int32_t slot = instance == NULL ? -1 : mrwi_instance_slot(instance, node);
    if (slot < 0) {
        return MRW_STALE;
    }
    if (name == NULL) {
        return MRW_BAD_ARGUMENT;
    }
    if (strcmp(mrwi_tree_name(instance, (uint32_t)slot), name) == 0) {
        return MRW_OK;
    }
    char* copy = mrwi_tree_copy_name(context, name);
    if (copy == NULL) {
        return MRW_NO_MEMORY;
    }
    mrwi_tree_free_name(instance, (uint32_t)slot);
    instance->tree.names[slot] = copy;
    touch(instance);
    return MRW_OK;
}

mrw_result mrw_instance_reparent_node(mrw_context* context, mrw_instance_id id, uint32_t node, uint32_t parent)
{
    mrwi_instance* instance = mrwi_instance_get(context, id);
    int32_t slot = instance == NULL ? -1 : mrwi_instance_slot(instance, node);
    int32_t parent_slot;
    if (slot < 0 || !find_parent(instance, parent, &parent_slot)) {
        return MRW_STALE;
    }
    for (int32_t at = parent_slot; at >= 0; at = instance->tree.parents[at]) {
        if (at == slot) {
            return MRW_CYCLE;
        }
    }
    if (instance->tree.parents[slot] != parent_slot) {
        instance->tree.parents[slot] = parent_slot;
        touch(instance);
    }
    return MRW_OK;
}

mrw_result mrw_instance_find_node(mrw_context* context, mrw_instance_id id, const char* name, uint32_t* out_node)
{
    *out_node = MRWI_ROOT;
    const mrwi_instance* instance = mrwi_instance_get(context, id);
    if (instance == NULL) {
        return MRW_STALE;
    }
    const mrwi_tree* tree = &instance->tree;
    int32_t best = -1;
    for (uint32_t i = 0; i < tree->count && name != NULL; i++) {
        if ((tree->flags[i] & MRWI_NODE_ALIVE) != 0 && (best < 0 || tree->created[i] > tree->created[best])
            && strcmp(mrwi_tree_name(instance, i), name) == 0) {
            best = (int32_t)i;
        }
    }
    if (best < 0) {
        return MRW_NOT_FOUND;
    }
    *out_node = mrwi_instance_node(instance, (uint32_t)best);
    return MRW_OK;
}

const char* mrw_instance_node_name(mrw_context* context, mrw_instance_id id, uint32_t node)
{
    const mrwi_instance* instance = mrwi_instance_get(context, id);
    int32_t slot = instance == NULL ? -1 : mrwi_instance_slot(instance, node);
    return slot < 0 ? NULL : mrwi_tree_name(instance, (uint32_t)slot);
}
