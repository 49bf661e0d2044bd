#include "runtime/instance_nodes.h"
#include "runtime/mount.h"

#include <string.h>

// The parent argument of an edit; the root is -1.
static bool find_parent(const mrwi_instance* instance, uint32_t node, int32_t* out)
{
    *out = node == MRWI_ROOT ? -1 : mrwi_tree_slot(&instance->tree, node);
    return node == MRWI_ROOT || *out >= 0;
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
    mrw_result result = mrwi_nodes_reserve(instance, 1);
    if (result != MRW_OK) {
        return result;
    }
    char* copy = mrwi_text_copy(context, name);
    if (copy == NULL) {
        return MRW_NO_MEMORY;
    }
    uint32_t slot = mrwi_nodes_take(instance, copy, parent_slot, bone);
    if (out_node != NULL) {
        *out_node = mrwi_tree_node(&instance->tree, slot);
    }
    return MRW_OK;
}

mrw_result mrw_instance_remove_node(mrw_context* context, mrw_instance_id id, uint32_t node)
{
    mrwi_instance* instance = mrwi_instance_get(context, id);
    int32_t slot = instance == NULL ? -1 : mrwi_tree_slot(&instance->tree, node);
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
    mrwi_tree_free_name(context, &instance->tree, (uint32_t)slot);
    uint32_t generation = mrwi_node_generation(tree->flags[slot]) + 1;
    tree->flags[slot] = generation << MRWI_NODE_GENERATION_SHIFT;
    tree->parents[slot] = -1;
    tree->free_count += generation <= MRWI_NODE_LAST_GENERATION ? 1 : 0;
    instance->state.override_mask[slot] = 0;
    mrwi_tree_touch(&instance->tree);
    return MRW_OK;
}

mrw_result mrw_instance_rename_node(mrw_context* context, mrw_instance_id id, uint32_t node, const char* name)
{
    mrwi_instance* instance = mrwi_instance_get(context, id);
    int32_t slot = instance == NULL ? -1 : mrwi_tree_slot(&instance->tree, node);
    if (slot < 0) {
        return MRW_STALE;
    }
    if (name == NULL) {
        return MRW_BAD_ARGUMENT;
    }
    if (strcmp(mrwi_tree_name(&instance->tree, instance->model, (uint32_t)slot), name) == 0) {
        return MRW_OK;
    }
    char* copy = mrwi_text_copy(context, name);
    if (copy == NULL) {
        return MRW_NO_MEMORY;
    }
    mrwi_tree_free_name(context, &instance->tree, (uint32_t)slot);
    instance->tree.names[slot] = copy;
    mrwi_tree_touch(&instance->tree);
    return MRW_OK;
}

mrw_result mrw_instance_reparent_node(mrw_context* context, mrw_instance_id id, uint32_t node, uint32_t parent)
{
    mrwi_instance* instance = mrwi_instance_get(context, id);
    int32_t slot = instance == NULL ? -1 : mrwi_tree_slot(&instance->tree, node);
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
        mrwi_tree_touch(&instance->tree);
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
    int32_t slot = name == NULL ? -1 : mrwi_tree_find(&instance->tree, instance->model, name);
    if (slot < 0) {
        return MRW_NOT_FOUND;
    }
    *out_node = mrwi_tree_node(&instance->tree, (uint32_t)slot);
    return MRW_OK;
}

const char* mrw_instance_node_name(mrw_context* context, mrw_instance_id id, uint32_t node)
{
    const mrwi_instance* instance = mrwi_instance_get(context, id);
    int32_t slot = instance == NULL ? -1 : mrwi_tree_slot(&instance->tree, node);
    return slot < 0 ? NULL : mrwi_tree_name(&instance->tree, instance->model, (uint32_t)slot);
}
