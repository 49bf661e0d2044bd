#include "runtime/tree.h"

#include "model/names.h"

#include <string.h>

#define INDEX_BITS 20
#define INDEX_MASK 0xfffffu

int32_t mrwi_tree_slot(const mrwi_tree* tree, uint32_t node)
{
    uint32_t slot = node & INDEX_MASK;
    bool live
        = slot < tree->count && (tree->flags[slot] & MRWI_NODE_ALIVE) != 0 && mrwi_node_generation(tree->flags[slot]) == node >> INDEX_BITS;
    return live ? (int32_t)slot : -1;
}

uint32_t mrwi_tree_node(const mrwi_tree* tree, uint32_t slot)
{
    return mrwi_node_generation(tree->flags[slot]) << INDEX_BITS | slot;
}

const char* mrwi_tree_name(const mrwi_tree* tree, const mrwi_model* model, uint32_t slot)
{
    const char* name = tree->names[slot];
    return name != NULL ? name : model->node_names[slot];
}

// A node that the model brought and nobody renamed.
static bool is_original(const mrwi_tree* tree, const mrwi_model* model, uint32_t slot)
{
    return model != NULL && slot < model->node_count && tree->names[slot] == NULL;
}

float mrwi_tree_rest(const mrwi_tree* tree, const mrwi_model* model, uint32_t slot, uint32_t field)
{
    if (is_original(tree, model, slot)) {
        return model->rest[(size_t)field * model->node_stride + slot];
    }
    return field == MRW_FIELD_SCALE_X || field == MRW_FIELD_SCALE_Y ? 1.0f : 0.0f;
}

void mrwi_tree_free_name(mrw_context* context, mrwi_tree* tree, uint32_t slot)
{
    mrwi_text_release(context, tree->names[slot]);
    tree->names[slot] = NULL;
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

int32_t mrwi_tree_find_original(const mrwi_model* model, const char* name)
{
    for (uint32_t i = model == NULL ? 0 : model->node_count; i-- > 0;) {
        int32_t node = model->node_of_file_index[i];
        if (strcmp(model->node_names[node], name) == 0) {
            return node;
        }
    }
    return -1;
}

static bool rig_says_no_scale(const mrwi_model* model, const char* name)
{
    int32_t node = model != NULL && model->any_no_scale ? mrwi_tree_find_original(model, name) : -1;
    return node >= 0 && model->node_no_scale[node] != 0;
}

static bool is_bone(const mrwi_tree* tree, uint32_t slot)
{
    const uint32_t both = MRWI_NODE_ALIVE | MRWI_NODE_BONE;
    return (tree->flags[slot] & both) == both;
}

// Writes the slots of the bones that have names of their own and returns their number.
static uint32_t resolve_bones(mrwi_tree* tree, const mrwi_model* model, uint32_t* named)
{
    uint32_t named_count = 0;
    tree->any_no_scale = false;
    for (uint32_t i = 0; i < tree->order_count; i++) {
        uint32_t slot = tree->order[i];
        bool bone = is_bone(tree, slot);
        int32_t parent = tree->parents[slot];
        tree->cuts[slot] = bone && parent >= 0 && !is_bone(tree, (uint32_t)parent);
        if (is_original(tree, model, slot)) {
            tree->no_scale[slot] = model->node_no_scale[slot];
        } else {
            tree->no_scale[slot] = bone && rig_says_no_scale(model, tree->names[slot]);
            named[named_count] = slot;
            named_count += bone ? 1 : 0;
        }
        tree->any_no_scale = tree->any_no_scale || tree->no_scale[slot] != 0;
    }
    return named_count;
}

// The node of the model itself, unless a bone of the same name was created later.
static int32_t resolve_joint(const mrwi_tree* tree, const mrwi_model* model, int32_t node, const uint32_t* named, uint32_t named_count)
{
    uint32_t own = (uint32_t)node;
    int32_t best = own < tree->count && is_original(tree, model, own) && is_bone(tree, own) ? node : -1;
    const char* name = model->node_names[node];
    for (uint32_t i = 0; i < named_count; i++) {
        uint32_t slot = named[i];
        if ((best < 0 || tree->created[slot] > tree->created[best]) && strcmp(tree->names[slot], name) == 0) {
            best = (int32_t)slot;
        }
    }
    return best;
}

void mrwi_tree_resolve(mrwi_tree* tree, const mrwi_model* model, uint32_t* scratch)
{
    resolve_order(tree, scratch, scratch + tree->count);
    uint32_t named_count = resolve_bones(tree, model, scratch);
    uint32_t at = 0;
    for (uint32_t s = 0; model != NULL && s < model->skin_count; s++) {
        const mrwi_skin* skin = &model->skins[s];
        for (uint32_t j = 0; j < skin->joint_count; j++) {
            tree->joints[at] = resolve_joint(tree, model, skin->joints[j], scratch, named_count);
            at++;
        }
    }
    tree->stale = false;
}

#define ANY_PARENT (-2)

// Of equal nodes the one created last; -1 when there is none.
static int32_t find(const mrwi_tree* tree, const mrwi_model* model, int32_t parent, const char* name, size_t length)
{
    int32_t best = -1;
    for (uint32_t i = 0; i < tree->count; i++) {
        if ((tree->flags[i] & MRWI_NODE_ALIVE) == 0 || (parent != ANY_PARENT && tree->parents[i] != parent)) {
            continue;
        }
        const char* own = mrwi_tree_name(tree, model, i);
        if ((best < 0 || tree->created[i] > tree->created[best]) && strncmp(own, name, length) == 0 && own[length] == 0) {
            best = (int32_t)i;
        }
    }
    return best;
}

int32_t mrwi_tree_find(const mrwi_tree* tree, const mrwi_model* model, const char* name)
{
    return find(tree, model, ANY_PARENT, name, strlen(name));
}

int32_t mrwi_tree_find_path(const mrwi_tree* tree, const mrwi_model* model, const char* path)
{
    int32_t at = -1;
    while (*path != 0) {
        size_t length = mrwi_path_step(path);
        if (length > 0) {
            at = find(tree, model, at, path, length);
            if (at < 0) {
                return -1;
            }
        }
        path += length;
        path += *path == '/' ? 1 : 0;
    }
    return at;
}
