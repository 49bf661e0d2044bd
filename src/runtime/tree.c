#include "runtime/tree.h"

#include "model/names.h"
#include "runtime/world.h"

#include <string.h>

const char* mrwi_tree_name(const mrwi_instance* instance, uint32_t slot)
{
    const char* name = instance->tree.names[slot];
    return name != NULL ? name : instance->model->node_names[slot];
}

// A node that the model brought and nobody renamed.
static bool is_original(const mrwi_instance* instance, uint32_t slot)
{
    return instance->model != NULL && slot < instance->model->node_count && instance->tree.names[slot] == NULL;
}

float mrwi_tree_rest(const mrwi_instance* instance, uint32_t slot, uint32_t field)
{
    if (is_original(instance, slot)) {
        return instance->model->rest[(size_t)field * instance->model->node_stride + slot];
    }
    return field == MRW_FIELD_SCALE_X || field == MRW_FIELD_SCALE_Y ? 1.0f : 0.0f;
}

char* mrwi_tree_copy_name(mrw_context* context, const char* name)
{
    size_t size = strlen(name) + 1;
    char* copy = mrwi_allocate(context, size, 1);
    if (copy != NULL) {
        memcpy(copy, name, size);
    }
    return copy;
}

// Points every array of the nodes into one block, or only measures it when `block` is NULL. What each frame touches lies at the end,
// side by side with the vertices, which are allocated next: fewer pages of memory are in use then.
static bool lay_out(mrwi_instance* instance, char* block, uint32_t capacity, size_t* out_size)
{
    mrwi_layout layout = { 0, false };
    size_t values = mrwi_layout_add(&layout, capacity, 2 * MRW_FIELD_COUNT * sizeof(float));
    size_t flags = mrwi_layout_add(&layout, capacity, sizeof(uint32_t));
    size_t parents = mrwi_layout_add(&layout, capacity, sizeof(int32_t));
    size_t names = mrwi_layout_add(&layout, capacity, sizeof(char*));
    size_t created = mrwi_layout_add(&layout, capacity, sizeof(uint32_t));
    size_t order = mrwi_layout_add(&layout, capacity, sizeof(uint32_t));
    size_t joints = mrwi_layout_add(&layout, instance->joint_count, sizeof(int32_t));
    size_t cuts = mrwi_layout_add(&layout, capacity, 1);
    size_t no_scale = mrwi_layout_add(&layout, capacity, 1);
    size_t mask = mrwi_layout_add(&layout, capacity, 1);
    size_t local = mrwi_layout_add(&layout, capacity, MRW_FIELD_COUNT * sizeof(float));
    size_t world = mrwi_layout_add(&layout, capacity, sizeof(mrwi_affine2));
    if (layout.overflow) {
        return false;
    }
    if (block != NULL) {
        mrwi_tree* tree = &instance->tree;
        tree->capacity = capacity;
        tree->flags = (uint32_t*)(block + flags);
        tree->parents = (int32_t*)(block + parents);
        tree->names = (char**)(block + names);
        tree->created = (uint32_t*)(block + created);
        tree->order = (uint32_t*)(block + order);
        tree->joints = (int32_t*)(block + joints);
        tree->cuts = (uint8_t*)(block + cuts);
        tree->no_scale = (uint8_t*)(block + no_scale);
        instance->values = (float*)(block + values);
        instance->node_world = (mrwi_affine2*)(block + world);
        mrw_instance_state* state = &instance->state;
        state->node_stride = capacity;
        state->base = instance->values;
        state->override_values = state->base + (size_t)MRW_FIELD_COUNT * capacity;
        state->local = (const float*)(const void*)(block + local);
        state->override_mask = (uint8_t*)(block + mask);
        state->world = (const float*)(const void*)instance->node_world;
        state->node_flags = tree->flags;
        state->node_parents = tree->parents;
    }
    *out_size = layout.size;
    return true;
}

mrw_result mrwi_tree_allocate(mrwi_instance* instance, uint32_t capacity)
{
    size_t size = 0;
    char* block = lay_out(instance, NULL, capacity, &size) ? mrwi_allocate(instance->context, size, 1) : NULL;
    return block != NULL && lay_out(instance, block, capacity, &size) ? MRW_OK : MRW_NO_MEMORY;
}

static void copy_rows(float* dst, uint32_t dst_stride, const float* src, uint32_t src_stride, uint32_t count)
{
    for (size_t row = 0; row < MRW_FIELD_COUNT; row++) {
        memcpy(dst + row * dst_stride, src + row * src_stride, count * sizeof(float));
    }
}

float* mrwi_tree_local(const mrwi_instance* instance)
{
    return (float*)instance->state.local;
}

void mrwi_tree_copy(mrwi_instance* instance, const mrwi_instance* from)
{
    mrwi_tree* tree = &instance->tree;
    const mrwi_tree* old = &from->tree;
    uint32_t count = old->count;
    copy_rows(instance->state.base, tree->capacity, from->state.base, old->capacity, count);
    copy_rows(instance->state.override_values, tree->capacity, from->state.override_values, old->capacity, count);
    copy_rows(mrwi_tree_local(instance), tree->capacity, from->state.local, old->capacity, count);
    memcpy(instance->node_world, from->node_world, count * sizeof(mrwi_affine2));
    memcpy(tree->flags, old->flags, count * sizeof(uint32_t));
    memcpy(tree->parents, old->parents, count * sizeof(int32_t));
    memcpy(tree->names, old->names, count * sizeof(char*));
    memcpy(tree->created, old->created, count * sizeof(uint32_t));
    memcpy(tree->no_scale, old->no_scale, count);
    memcpy(instance->state.override_mask, from->state.override_mask, count);
    tree->count = count;
    instance->state.node_count = count;
}

static void release_block(mrwi_instance* instance)
{
    size_t size = 0;
    if (instance->values != NULL && lay_out(instance, NULL, instance->tree.capacity, &size)) {
        mrwi_release(instance->context, instance->values, size, 1);
        instance->values = NULL;
    }
}

static mrw_result grow(mrwi_instance* instance, uint32_t wanted)
{
    uint32_t capacity = instance->tree.capacity < 4 ? 8 : instance->tree.capacity * 2;
    capacity = ((capacity < wanted ? wanted : capacity) + 3) & ~3u;
    size_t size = 0;
    uint32_t no_palette;
    char* block = lay_out(instance, NULL, capacity, &size) ? mrwi_allocate(instance->context, size, 1) : NULL;
    if (block == NULL) {
        return MRW_NO_MEMORY;
    }
    mrw_result result = mrwi_world_reserve(instance->world, 0, mrwi_instance_scratch(instance->model, capacity), &no_palette);
    if (result == MRW_OK) {
        result = mrwi_mixer_grow(instance, capacity);
    }
    if (result != MRW_OK) {
        mrwi_release(instance->context, block, size, 1);
        return result;
    }
    mrwi_instance before = *instance;
    lay_out(instance, block, capacity, &size);
    mrwi_tree_copy(instance, &before);
    memcpy(instance->tree.joints, before.tree.joints, instance->joint_count * sizeof(int32_t));
    memcpy(instance->tree.order, before.tree.order, before.tree.count * sizeof(uint32_t));
    memcpy(instance->tree.cuts, before.tree.cuts, before.tree.count);
    instance->state.structure_version++;
    release_block(&before);
    return MRW_OK;
}

mrw_result mrwi_tree_reserve(mrwi_instance* instance, uint32_t added)
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
    memcpy(mrwi_tree_local(instance), model->rest, rows * sizeof(float));
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

mrw_result mrwi_tree_init(mrwi_instance* instance, bool no_nodes)
{
    bool empty = no_nodes || instance->model == NULL;
    instance->tree = (mrwi_tree) { .untouched = !empty, .stale = empty };
    mrw_result result = mrwi_tree_allocate(instance, empty ? 0 : instance->model->node_stride);
    if (result == MRW_OK && !empty) {
        fill_from_model(instance);
    }
    return result;
}

void mrwi_tree_release(mrwi_instance* instance)
{
    for (uint32_t i = 0; i < instance->tree.count && instance->values != NULL; i++) {
        mrwi_tree_free_name(instance, i);
    }
    release_block(instance);
}

void mrwi_tree_free_name(mrwi_instance* instance, uint32_t slot)
{
    char* name = instance->tree.names[slot];
    if (name != NULL) {
        mrwi_release(instance->context, name, strlen(name) + 1, 1);
        instance->tree.names[slot] = NULL;
    }
}

// Parents before children: down to the first child, else up to the next sibling.
static void resolve_order(mrwi_tree* tree, uint32_t* first_child, uint32_t* next_sibling)
{
    const uint32_t none = UINT32_MAX;
    uint32_t first_root = none;
    for (uint32_t i = 0; i < tree->count; i++) {
        first_child[i] = none;
    }
    for (uint32_t i = tree->count; i-- > 0;) {
        if ((tree->flags[i] & MRWI_NODE_ALIVE) != 0) {
            uint32_t* head = tree->parents[i] < 0 ? &first_root : &first_child[tree->parents[i]];
            next_sibling[i] = *head;
            *head = i;
        }
    }
    tree->order_count = 0;
    uint32_t at = first_root;
    while (at != none) {
        tree->order[tree->order_count] = at;
        tree->order_count++;
        if (first_child[at] != none) {
            at = first_child[at];
            continue;
        }
        while (at != none && next_sibling[at] == none) {
            at = tree->parents[at] < 0 ? none : (uint32_t)tree->parents[at];
        }
        at = at == none ? none : next_sibling[at];
    }
}

// Of equal names in the rig the last of the file counts.
static bool rig_says_no_scale(const mrwi_model* model, const char* name)
{
    for (uint32_t i = model->any_no_scale ? model->node_count : 0; i-- > 0;) {
        int32_t node = model->node_of_file_index[i];
        if (strcmp(model->node_names[node], name) == 0) {
            return model->node_no_scale[node] != 0;
        }
    }
    return false;
}

static bool is_bone(const mrwi_tree* tree, uint32_t slot)
{
    const uint32_t both = MRWI_NODE_ALIVE | MRWI_NODE_BONE;
    return (tree->flags[slot] & both) == both;
}

// Writes the slots of the bones that have names of their own and returns their number.
static uint32_t resolve_bones(mrwi_instance* instance, uint32_t* named)
{
    mrwi_tree* tree = &instance->tree;
    uint32_t named_count = 0;
    tree->any_no_scale = false;
    for (uint32_t i = 0; i < tree->order_count; i++) {
        uint32_t slot = tree->order[i];
        bool bone = is_bone(tree, slot);
        int32_t parent = tree->parents[slot];
        tree->cuts[slot] = bone && parent >= 0 && !is_bone(tree, (uint32_t)parent);
        if (is_original(instance, slot)) {
            tree->no_scale[slot] = instance->model->node_no_scale[slot];
        } else {
            tree->no_scale[slot] = bone && instance->model != NULL && rig_says_no_scale(instance->model, tree->names[slot]);
            named[named_count] = slot;
            named_count += bone ? 1 : 0;
        }
        tree->any_no_scale = tree->any_no_scale || tree->no_scale[slot] != 0;
    }
    return named_count;
}

// The node of the model itself, unless a bone of the same name was created later.
static int32_t resolve_joint(const mrwi_instance* instance, int32_t node, const uint32_t* named, uint32_t named_count)
{
    const mrwi_tree* tree = &instance->tree;
    uint32_t own = (uint32_t)node;
    int32_t best = own < tree->count && is_original(instance, own) && is_bone(tree, own) ? node : -1;
    const char* name = instance->model->node_names[node];
    for (uint32_t i = 0; i < named_count; i++) {
        uint32_t slot = named[i];
        if ((best < 0 || tree->created[slot] > tree->created[best]) && strcmp(tree->names[slot], name) == 0) {
            best = (int32_t)slot;
        }
    }
    return best;
}

void mrwi_tree_resolve(mrwi_instance* instance)
{
    mrwi_tree* tree = &instance->tree;
    uint32_t* scratch = (uint32_t*)(void*)instance->world->scratch;
    resolve_order(tree, scratch, scratch + tree->count);
    uint32_t named_count = resolve_bones(instance, scratch);
    uint32_t at = 0;
    for (uint32_t s = 0; instance->model != NULL && s < instance->model->skin_count; s++) {
        const mrwi_skin* skin = &instance->model->skins[s];
        for (uint32_t j = 0; j < skin->joint_count; j++) {
            tree->joints[at] = resolve_joint(instance, skin->joints[j], scratch, named_count);
            at++;
        }
    }
    tree->stale = false;
}

static int32_t find_child(const mrwi_instance* instance, int32_t parent, const char* name, size_t length)
{
    const mrwi_tree* tree = &instance->tree;
    int32_t best = -1;
    for (uint32_t i = 0; i < tree->count; i++) {
        if ((tree->flags[i] & MRWI_NODE_ALIVE) == 0 || tree->parents[i] != parent) {
            continue;
        }
        const char* own = mrwi_tree_name(instance, i);
        if (strncmp(own, name, length) == 0 && own[length] == 0 && (best < 0 || tree->created[i] > tree->created[best])) {
            best = (int32_t)i;
        }
    }
    return best;
}

int32_t mrwi_tree_find_path(const mrwi_instance* instance, const char* path)
{
    int32_t at = -1;
    while (*path != 0) {
        size_t length = mrwi_path_step(path);
        if (length > 0) {
            at = find_child(instance, at, path, length);
            if (at < 0) {
                return -1;
            }
        }
        path += length;
        path += *path == '/' ? 1 : 0;
    }
    return at;
}
