#include "runtime/instance_nodes.h"

#include "runtime/world.h"

#include <string.h>

// What an instance keeps of one node. Arrays of these follow each other in one block; capacities are multiples of 4, so that all are
// aligned, and rows to 16 bytes. What each frame touches lies at the end, side by side with the vertices, which are allocated next:
// fewer pages of memory are in use then.
typedef struct node_room {
    float base[MRW_FIELD_COUNT], overrides[MRW_FIELD_COUNT];
    char* name;
    uint32_t flags;
    int32_t parent;
    uint32_t created, order;
    uint8_t cuts, no_scale, mask, none;
    float local[MRW_FIELD_COUNT];
    mrwi_affine2 world;
} node_room;

// The joints lie behind the order.
static uint32_t joint_room(const mrwi_instance* instance)
{
    return (instance->joint_count + 3) & ~3u;
}

static size_t block_size(const mrwi_instance* instance, uint32_t capacity)
{
    return capacity * sizeof(node_room) + joint_room(instance) * sizeof(int32_t);
}

// Points every array of the nodes into the block.
static void lay_out(mrwi_instance* instance, void* block, uint32_t capacity)
{
    mrwi_tree* tree = &instance->tree;
    mrw_instance_state* state = &instance->state;
    tree->capacity = capacity;
    state->node_stride = capacity;
    instance->values = block;
    state->base = instance->values;
    state->override_values = state->base + (size_t)MRW_FIELD_COUNT * capacity;
    tree->names = (char**)(void*)(state->override_values + (size_t)MRW_FIELD_COUNT * capacity);
    tree->flags = (uint32_t*)(void*)(tree->names + capacity);
    tree->parents = (int32_t*)(tree->flags + capacity);
    tree->created = (uint32_t*)(tree->parents + capacity);
    tree->order = tree->created + capacity;
    tree->joints = (int32_t*)(tree->order + capacity);
    tree->cuts = (uint8_t*)(tree->joints + joint_room(instance));
    tree->no_scale = tree->cuts + capacity;
    state->override_mask = tree->no_scale + capacity;
    float* local = (float*)(void*)(state->override_mask + 2 * (size_t)capacity);
    state->local = local;
    instance->node_world = (mrwi_affine2*)(void*)(local + (size_t)MRW_FIELD_COUNT * capacity);
    state->world = &instance->node_world->a;
    state->node_flags = tree->flags;
    state->node_parents = tree->parents;
}

mrw_result mrwi_nodes_allocate(mrwi_instance* instance, uint32_t capacity)
{
    void* block = mrwi_allocate(instance->context, block_size(instance, capacity), 1);
    if (block == NULL) {
        return MRW_NO_MEMORY;
    }
    lay_out(instance, block, capacity);
    return MRW_OK;
}

static void copy_rows(float* dst, uint32_t dst_stride, const float* src, uint32_t src_stride, uint32_t count)
{
    for (size_t row = 0; row < MRW_FIELD_COUNT; row++) {
        memcpy(dst + row * dst_stride, src + row * src_stride, count * sizeof(float));
    }
}

float* mrwi_nodes_local(const mrwi_instance* instance)
{
    return (float*)instance->state.local;
}

void mrwi_nodes_set(mrwi_instance* instance, uint32_t slot, uint32_t field, float value)
{
    const size_t at = (size_t)field * instance->tree.capacity + slot;
    instance->state.base[at] = value;
    mrwi_nodes_local(instance)[at] = value;
}

void mrwi_nodes_copy(mrwi_instance* instance, const mrwi_instance* from)
{
    mrwi_tree* tree = &instance->tree;
    const mrwi_tree* old = &from->tree;
    uint32_t count = old->count;
    copy_rows(instance->state.base, tree->capacity, from->state.base, old->capacity, count);
    copy_rows(instance->state.override_values, tree->capacity, from->state.override_values, old->capacity, count);
    copy_rows(mrwi_nodes_local(instance), tree->capacity, from->state.local, old->capacity, count);
    memcpy(instance->node_world, from->node_world, count * sizeof(mrwi_affine2));
    memcpy(tree->flags, old->flags, count * sizeof(uint32_t));
    memcpy(tree->parents, old->parents, count * sizeof(int32_t));
    memcpy(tree->created, old->created, count * sizeof(uint32_t));
    memcpy(tree->no_scale, old->no_scale, count);
    memcpy(instance->state.override_mask, from->state.override_mask, count);
    tree->count = count;
    instance->state.node_count = count;
}

static void release_block(mrwi_instance* instance)
{
    mrwi_release(instance->context, instance->values, block_size(instance, instance->tree.capacity), 1);
    instance->values = NULL;
}

static mrw_result grow(mrwi_instance* instance, uint32_t wanted)
{
    uint32_t capacity = instance->tree.capacity < 4 ? 8 : instance->tree.capacity * 2;
    capacity = ((capacity < wanted ? wanted : capacity) + 3) & ~3u;
    uint32_t no_palette;
    void* block = mrwi_allocate(instance->context, block_size(instance, capacity), 1);
    if (block == NULL) {
        return MRW_NO_MEMORY;
    }
    mrw_result result = mrwi_world_reserve(instance->world, 0, mrwi_instance_scratch(instance->model, capacity), &no_palette);
    if (result == MRW_OK) {
        const mrwi_subject subject = mrwi_instance_subject(instance);
        result = mrwi_mixer_grow(&subject, &instance->mixer, capacity);
    }
    if (result != MRW_OK) {
        mrwi_release(instance->context, block, block_size(instance, capacity), 1);
        return result;
    }
    mrwi_instance before = *instance;
    lay_out(instance, block, capacity);
    mrwi_nodes_copy(instance, &before);
    memcpy(instance->tree.names, before.tree.names, before.tree.count * sizeof(char*));
    memcpy(instance->tree.joints, before.tree.joints, instance->joint_count * sizeof(int32_t));
    memcpy(instance->tree.order, before.tree.order, before.tree.count * sizeof(uint32_t));
    memcpy(instance->tree.cuts, before.tree.cuts, before.tree.count);
    instance->state.structure_version++;
    release_block(&before);
    return MRW_OK;
}

mrw_result mrwi_nodes_reserve(mrwi_instance* instance, uint32_t added)
{
    const mrwi_tree* tree = &instance->tree;
    if (added > tree->free_count && tree->count + (added - tree->free_count) > MRWI_NODE_CAPACITY_MAX) {
        return MRW_LIMIT;
    }
    uint32_t room = tree->free_count + tree->capacity - tree->count;
    return added <= room ? MRW_OK : grow(instance, tree->capacity + added - room);
}

// The model's own tree: packed parent-first, joints by index.
static void fill_from_model(mrwi_instance* instance)
{
    const mrwi_model* model = instance->model;
    mrwi_tree* tree = &instance->tree;
    size_t rows = (size_t)MRW_FIELD_COUNT * model->node_stride;
    memcpy(instance->state.base, model->rest, rows * sizeof(float));
    memcpy(mrwi_nodes_local(instance), model->rest, rows * sizeof(float));
    for (uint32_t i = 0; i < model->node_count; i++) {
        tree->flags[i] = MRWI_NODE_ALIVE | MRWI_NODE_BONE;
        tree->parents[i] = model->node_parents[i];
        tree->created[i] = (uint32_t)model->node_file_index[i];
        tree->no_scale[i] = model->node_no_scale[i];
    }
    uint32_t at = 0;
    for (uint32_t s = 0; s < model->skin_count; s++) {
        memcpy(tree->joints + at, model->skins[s].joints, model->skins[s].joint_count * sizeof(int32_t));
        at += model->skins[s].joint_count;
    }
    tree->count = model->node_count;
    tree->creation_count = model->node_count;
    tree->any_no_scale = model->any_no_scale;
    instance->state.node_count = model->node_count;
}

mrw_result mrwi_nodes_init(mrwi_instance* instance)
{
    bool empty = instance->model == NULL;
    instance->tree = (mrwi_tree) { .untouched = !empty, .stale = empty };
    mrw_result result = mrwi_nodes_allocate(instance, empty ? 0 : instance->model->node_stride);
    if (result == MRW_OK && !empty) {
        fill_from_model(instance);
    }
    return result;
}

void mrwi_nodes_release(mrwi_instance* instance)
{
    for (uint32_t i = 0; i < instance->tree.count && instance->values != NULL; i++) {
        mrwi_tree_free_name(instance->context, &instance->tree, i);
    }
    release_block(instance);
}

// The lowest free slot, so that the same edits give the same ids.
static uint32_t find_free_slot(mrwi_tree* tree)
{
    uint32_t slot = tree->free_count == 0 ? tree->count : 0;
    while (slot < tree->count
        && ((tree->flags[slot] & MRWI_NODE_ALIVE) != 0 || mrwi_node_generation(tree->flags[slot]) > MRWI_NODE_LAST_GENERATION)) {
        slot++;
    }
    if (slot == tree->count) {
        tree->count++;
    } else {
        tree->free_count--;
    }
    return slot;
}

uint32_t mrwi_nodes_take(mrwi_instance* instance, char* name, int32_t parent, bool bone)
{
    mrwi_tree* tree = &instance->tree;
    uint32_t slot = find_free_slot(tree);
    tree->flags[slot] |= MRWI_NODE_ALIVE | (bone ? MRWI_NODE_BONE : 0);
    tree->parents[slot] = parent;
    tree->names[slot] = name;
    tree->created[slot] = tree->creation_count;
    tree->creation_count++;
    for (uint32_t field = 0; field < MRW_FIELD_COUNT; field++) {
        mrwi_nodes_set(instance, slot, field, mrwi_tree_rest(tree, instance->model, slot, field));
    }
    instance->state.override_mask[slot] = 0;
    instance->state.node_count = tree->count;
    mrwi_tree_touch(tree);
    return slot;
}
