#include "runtime/tree_adopt.h"

#include "runtime/instance_nodes.h"

#include <string.h>

static bool is_alive(const mrwi_tree* tree, uint32_t slot)
{
    return (tree->flags[slot] & MRWI_NODE_ALIVE) != 0;
}

static int32_t find_slot(const mrwi_instance* instance, const char* name)
{
    return mrwi_tree_find(&instance->tree, instance->model, name);
}

static bool is_kept(const mrwi_instance* before)
{
    bool waited_empty = before->model == NULL && before->tree.count == 0 && !before->no_nodes;
    return !before->tree.untouched && !waited_empty;
}

// Keeps what was set by hand: a base that differs from the old rest, and overrides.
static void carry_values(mrwi_instance* instance, uint32_t slot, const mrwi_instance* before, uint32_t old)
{
    for (uint32_t field = 0; field < MRW_FIELD_COUNT; field++) {
        size_t from = (size_t)field * before->tree.capacity + old;
        float rest = mrwi_tree_rest(&before->tree, before->model, old, field);
        if (memcmp(&before->state.base[from], &rest, sizeof rest) != 0) {
            mrwi_nodes_set(instance, slot, field, before->state.base[from]);
        }
        instance->state.override_values[(size_t)field * instance->tree.capacity + slot] = before->state.override_values[from];
    }
    instance->state.override_mask[slot] = before->state.override_mask[old];
}

static mrw_result adopt_untouched(mrwi_instance* instance, const mrwi_instance* before)
{
    mrw_result result = mrwi_nodes_init(instance);
    if (result != MRW_OK) {
        return result;
    }
    mrwi_tree* tree = &instance->tree;
    for (uint32_t i = 0; i < tree->count; i++) {
        const char* name = mrwi_tree_name(&instance->tree, instance->model, i);
        bool same = i < before->tree.count && strcmp(mrwi_tree_name(&before->tree, before->model, i), name) == 0;
        if (i < before->tree.count) {
            uint32_t generation = mrwi_node_generation(before->tree.flags[i]) + (same ? 0 : 1);
            tree->flags[i] |= (generation & MRWI_NODE_LAST_GENERATION) << MRWI_NODE_GENERATION_SHIFT;
        }
        int32_t old = same ? (int32_t)i : find_slot(before, name);
        if (old >= 0) {
            carry_values(instance, i, before, (uint32_t)old);
        }
    }
    return MRW_OK;
}

// The model's node `node` is new, and the tree has no node of its name.
static bool is_missing(const mrwi_instance* before, const mrwi_model* model, uint32_t node)
{
    const char* name = model->node_names[node];
    return !before->no_nodes && mrwi_tree_find_original(before->model, name) < 0 && find_slot(before, name) < 0;
}

static void set_rest(mrwi_instance* instance, uint32_t slot, uint32_t node)
{
    const mrwi_model* model = instance->model;
    for (uint32_t field = 0; field < MRW_FIELD_COUNT; field++) {
        mrwi_nodes_set(instance, slot, field, model->rest[(size_t)field * model->node_stride + node]);
    }
}

static mrw_result add_missing(mrwi_instance* instance, const mrwi_instance* before)
{
    const mrwi_model* model = instance->model;
    for (uint32_t i = 0; i < model->node_count; i++) {
        if (!is_missing(before, model, i)) {
            continue;
        }
        int32_t parent = model->node_parents[i];
        int32_t parent_slot = parent < 0 ? -1 : find_slot(instance, model->node_names[parent]);
        char* name = mrwi_text_copy(instance->context, model->node_names[i]);
        if (name == NULL) {
            return MRW_NO_MEMORY;
        }
        set_rest(instance, mrwi_nodes_take(instance, name, parent_slot, true), i);
    }
    return MRW_OK;
}

// Nodes of the old model become nodes with names of their own, at the rest of the new model where they were at rest.
static mrw_result keep_nodes(mrwi_instance* instance, const mrwi_instance* before)
{
    for (uint32_t i = 0; i < before->tree.count; i++) {
        if (!is_alive(&before->tree, i)) {
            continue;
        }
        const char* name = mrwi_tree_name(&before->tree, before->model, i);
        instance->tree.names[i] = mrwi_text_copy(instance->context, name);
        if (instance->tree.names[i] == NULL) {
            return MRW_NO_MEMORY;
        }
        int32_t node = before->tree.names[i] != NULL ? -1 : mrwi_tree_find_original(instance->model, name);
        if (node >= 0) {
            set_rest(instance, i, (uint32_t)node);
            carry_values(instance, i, before, i);
        }
    }
    return MRW_OK;
}

static mrw_result adopt_kept(mrwi_instance* instance, const mrwi_instance* before)
{
    uint32_t missing = 0;
    for (uint32_t i = 0; i < instance->model->node_count; i++) {
        missing += is_missing(before, instance->model, i) ? 1 : 0;
    }
    if (missing > MRWI_NODE_CAPACITY_MAX - 3 - before->tree.count) {
        return MRW_LIMIT;
    }
    instance->tree = before->tree;
    mrw_result result = mrwi_nodes_allocate(instance, (before->tree.count + missing + 3) & ~3u);
    if (result != MRW_OK) {
        return result;
    }
    mrwi_nodes_copy(instance, before);
    instance->tree.stale = true;
    instance->tree.order_count = 0;
    result = keep_nodes(instance, before);
    return result == MRW_OK ? add_missing(instance, before) : result;
}

mrw_result mrwi_tree_adopt(mrwi_instance* instance, const mrwi_instance* before)
{
    return is_kept(before) ? adopt_kept(instance, before) : adopt_untouched(instance, before);
}

uint32_t mrwi_tree_same_slot(const mrwi_instance* instance, const mrwi_instance* before, uint32_t slot)
{
    if (slot == MRWI_ROOT || is_kept(before)) {
        return slot;
    }
    int32_t found = find_slot(instance, mrwi_tree_name(&before->tree, before->model, slot));
    return found < 0 ? MRWI_ROOT : (uint32_t)found;
}
