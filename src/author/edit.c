// Structural edits of a rig's bones. Each first gathers what may fail, then changes the document, so that a failed edit leaves it
// as it was. They also write down, for every bone, the parent that counts: a parent that named nothing, or closed a cycle, must not
// come to life when indices move.
#include "base/context.h"
#include "base/result.h"
#include "model/document.h"
#include "model/rest.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define MOST_INFLUENCES 4

static bool is_float(double value)
{
    return fabs(value) <= (double)FLT_MAX;
}

// Rigs whose skins are all bones in order, with binds from the rest pose: what the readers and the generator make. Joint lists of
// their own would have to follow each edit.
static mrw_result editable(const mrw_document* document)
{
    if (document == NULL || document->kind != MRWI_DOCUMENT_RIG) {
        return MRW_BAD_ARGUMENT;
    }
    for (uint32_t i = 0; i < document->model.skin_count; i++) {
        const mrw_skin_desc* skin = &document->model.skins[i];
        if (skin->joints != NULL || skin->inverse_binds != NULL) {
            return MRW_UNSUPPORTED;
        }
    }
    return MRW_OK;
}

static mrw_node_desc* nodes_of(mrw_document* document)
{
    return (mrw_node_desc*)document->model.nodes;
}

typedef struct skeleton {
    mrw_context* context;
    uint32_t count;
    int32_t* parents; // that count
    double (*rest)[6];
} skeleton;

static void release_skeleton(skeleton* bones)
{
    mrwi_release(bones->context, bones->rest, bones->count, sizeof *bones->rest);
    mrwi_release(bones->context, bones->parents, bones->count, sizeof *bones->parents);
}

static mrw_result resolve_skeleton(const mrw_document* document, skeleton* out)
{
    mrw_context* context = document->arena.context;
    uint32_t count = document->model.node_count;
    *out = (skeleton) { context, count, mrwi_allocate(context, count, sizeof(int32_t)), mrwi_allocate(context, count, 6 * sizeof(double)) };
    mrw_result result = MRW_NO_MEMORY;
    if (out->parents != NULL && out->rest != NULL) {
        result = mrwi_rest_resolve(context, document->model.nodes, count, out->parents, out->rest);
    }
    if (result != MRW_OK) {
        release_skeleton(out);
    }
    return result;
}

static void write_parents(mrw_document* document, const skeleton* bones)
{
    for (uint32_t i = 0; i < bones->count; i++) {
        nodes_of(document)[i].parent = bones->parents[i];
    }
}

// The number k of a name "bonek" as this file writes it; 0 for any other name, or a number above `most`.
static uint32_t numbered_name(const char* name, uint32_t most)
{
    if (name == NULL || strncmp(name, "bone", 4) != 0 || name[4] == '0') {
        return 0;
    }
    uint64_t number = 0;
    for (const char* digit = name + 4; *digit != 0; digit++) {
        if (*digit < '0' || *digit > '9' || number > most) {
            return 0;
        }
        number = number * 10 + (uint64_t)(*digit - '0');
    }
    return number > most ? 0 : (uint32_t)number;
}

// The first free of bone1, bone2, ... NULL when memory is short.
static const char* free_name(mrw_document* document)
{
    uint32_t count = document->model.node_count;
    size_t room = (size_t)count + 2;
    uint8_t* used = mrwi_allocate(document->arena.context, room, 1);
    if (used == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        used[numbered_name(document->model.nodes[i].name, count)] = 1;
    }
    uint32_t number = 1;
    while (used[number] != 0) {
        number++;
    }
    mrwi_release(document->arena.context, used, room, 1);
    char name[16];
    size_t size = mrwi_format(name, sizeof name, "bone%u", number);
    return mrwi_arena_text(&document->arena, name, size);
}

// A list of nodes with room for one more: the document's own, or a copy of twice its size.
static mrw_node_desc* nodes_with_room(mrw_document* document)
{
    uint32_t count = document->model.node_count;
    if (document->node_capacity > count) {
        return nodes_of(document);
    }
    uint32_t capacity = count < 8 ? 16 : count * 2;
    mrw_node_desc* nodes = mrwi_arena_allocate(&document->arena, capacity, sizeof *nodes);
    if (nodes != NULL) {
        document->node_capacity = capacity;
        if (count > 0) {
            memcpy(nodes, document->model.nodes, count * sizeof *nodes);
        }
        document->model.nodes = nodes;
    }
    return nodes;
}

mrw_result mrw_edit_add_bone(mrw_document* document, int32_t parent, double x, double y, uint32_t* out_bone)
{
    mrw_result result = editable(document);
    if (result != MRW_OK) {
        return result;
    }
    uint32_t count = document->model.node_count;
    if (!is_float(x) || !is_float(y)) {
        return MRW_BAD_ARGUMENT;
    }
    if (count >= document->arena.context->limits.nodes) {
        return MRW_LIMIT;
    }
    skeleton bones;
    result = resolve_skeleton(document, &bones);
    if (result != MRW_OK) {
        return result;
    }
    const char* name = free_name(document);
    mrw_node_desc* nodes = name == NULL ? NULL : nodes_with_room(document);
    if (nodes != NULL) {
        write_parents(document, &bones);
        bool below = parent >= 0 && (uint32_t)parent < count;
        nodes[count] = (mrw_node_desc) { .name = name, .parent = below ? parent : -1, .x = x, .y = y };
        document->model.node_count = count + 1;
        *out_bone = count;
    }
    release_skeleton(&bones);
    return nodes == NULL ? MRW_NO_MEMORY : MRW_OK;
}

// Influences of one vertex, in place.
typedef struct influences {
    uint32_t count;
    uint32_t* joints;
    double* weights;
} influences;

// Adds to the entry of `joint`, or makes one at the end.
static void add_influence(influences* list, uint32_t joint, double weight)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->joints[i] == joint) {
            list->weights[i] += weight;
            return;
        }
    }
    list->joints[list->count] = joint;
    list->weights[list->count++] = weight;
}

// Moves the heaviest four to the front in descending order (of equal ones the first) and normalises them.
static void keep_heaviest(influences* list)
{
    uint32_t kept = list->count < MOST_INFLUENCES ? list->count : MOST_INFLUENCES;
    double sum = 0;
    for (uint32_t slot = 0; slot < kept; slot++) {
        uint32_t best = slot;
        for (uint32_t i = slot + 1; i < list->count; i++) {
            best = list->weights[i] > list->weights[best] ? i : best;
        }
        uint32_t joint = list->joints[best];
        double weight = list->weights[best];
        for (uint32_t i = best; i > slot; i--) {
            list->joints[i] = list->joints[i - 1];
            list->weights[i] = list->weights[i - 1];
        }
        list->joints[slot] = joint;
        list->weights[slot] = weight;
        sum += weight;
    }
    list->count = kept;
    for (uint32_t slot = 0; slot < kept; slot++) {
        list->weights[slot] /= sum;
    }
}

typedef struct removal {
    uint32_t bone;
    int32_t parent; // of the removed bone, -1 none; both are numbers before the removal
} removal;

static uint32_t index_after(uint32_t bone, const removal* gone)
{
    return bone > gone->bone ? bone - 1 : bone;
}

// Reads `count` influences at `joints` and `weights` and writes what is left of them to `list`, which may begin at the same place.
static void remap_vertex(const removal* gone, const uint32_t* joints, const double* weights, uint32_t count, influences* list)
{
    bool touched = false;
    for (uint32_t i = 0; i < count; i++) {
        touched = touched || (joints[i] == gone->bone && weights[i] > 0);
    }
    double freed = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t joint = joints[i];
        double weight = weights[i];
        if (joint == gone->bone) {
            freed += weight;
        } else if (!touched) {
            // Nothing changes but the numbers.
            list->joints[list->count] = index_after(joint, gone);
            list->weights[list->count++] = weight;
        } else if (weight > 0) {
            add_influence(list, index_after(joint, gone), weight);
        }
    }
    if (!touched) {
        return;
    }
    if (gone->parent >= 0) {
        add_influence(list, index_after((uint32_t)gone->parent, gone), freed);
    }
    if (list->count == 0) {
        // As the loader reads a vertex without weights.
        add_influence(list, 0, 1);
    }
    keep_heaviest(list);
}

static void remap_mesh(mrw_mesh_desc* mesh, const removal* gone)
{
    if (mesh->influence_first == NULL) {
        return;
    }
    uint32_t* first = (uint32_t*)mesh->influence_first;
    uint32_t* joints = (uint32_t*)mesh->influence_joint;
    double* weights = (double*)mesh->influence_weight;
    uint32_t written = 0;
    uint32_t begin = first[0];
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t end = first[v + 1];
        first[v] = written;
        influences list = { 0, &joints[written], &weights[written] };
        if (end > begin) {
            remap_vertex(gone, &joints[begin], &weights[begin], end - begin, &list);
        }
        written += list.count;
        begin = end;
    }
    first[mesh->vertex_count] = written;
    mesh->influence_count = written;
}

// A child's transform relative to its grandparent, so that its joint stays and what hangs on it too. Rest poses have no skew, so
// the angles add up.
static void lift_child(mrw_node_desc* child, const mrw_node_desc* parent)
{
    double m[6];
    mrwi_rest_local(parent, m);
    double x = m[0] * child->x + m[2] * child->y + m[4];
    double y = m[1] * child->x + m[3] * child->y + m[5];
    child->x = x;
    child->y = y;
    child->rotation += parent->rotation;
    bool parent_unset = parent->scale_x == 0 && parent->scale_y == 0;
    bool child_unset = child->scale_x == 0 && child->scale_y == 0;
    if (!parent_unset) {
        child->scale_x = parent->scale_x * (child_unset ? 1 : child->scale_x);
        child->scale_y = parent->scale_y * (child_unset ? 1 : child->scale_y);
    }
}

mrw_result mrw_edit_remove_bone(mrw_document* document, uint32_t bone, bool* out_changed)
{
    mrw_result result = editable(document);
    if (result != MRW_OK) {
        return result;
    }
    uint32_t count = document->model.node_count;
    if (bone >= count) {
        *out_changed = false;
        return MRW_OK;
    }
    skeleton bones;
    result = resolve_skeleton(document, &bones);
    if (result != MRW_OK) {
        return result;
    }
    write_parents(document, &bones);
    release_skeleton(&bones);
    mrw_node_desc* nodes = nodes_of(document);
    removal gone = { bone, nodes[bone].parent };
    for (uint32_t i = 0; i < count; i++) {
        if (nodes[i].parent == (int32_t)bone) {
            lift_child(&nodes[i], &nodes[bone]);
            nodes[i].parent = gone.parent;
        }
    }
    memmove(&nodes[bone], &nodes[bone + 1], (count - bone - 1) * sizeof *nodes);
    document->model.node_count = count - 1;
    for (uint32_t i = 0; i + 1 < count; i++) {
        if (nodes[i].parent >= 0) {
            nodes[i].parent = (int32_t)index_after((uint32_t)nodes[i].parent, &gone);
        }
    }
    for (uint32_t i = 0; i < document->model.mesh_count; i++) {
        remap_mesh((mrw_mesh_desc*)&document->model.meshes[i], &gone);
    }
    *out_changed = true;
    return MRW_OK;
}

static bool may_hang_on(const skeleton* bones, int32_t bone, int32_t parent)
{
    int32_t count = (int32_t)bones->count;
    if (bone < 0 || bone >= count || parent < -1 || parent >= count || bones->parents[bone] == parent) {
        return false;
    }
    for (int32_t at = parent; at >= 0; at = bones->parents[at]) {
        if (at == bone) {
            return false;
        }
    }
    return true;
}

mrw_result mrw_edit_reparent_bone(mrw_document* document, int32_t bone, int32_t parent, bool* out_changed)
{
    mrw_result result = editable(document);
    skeleton bones;
    result = result == MRW_OK ? resolve_skeleton(document, &bones) : result;
    if (result != MRW_OK) {
        return result;
    }
    *out_changed = may_hang_on(&bones, bone, parent);
    if (*out_changed) {
        double x = bones.rest[bone][4];
        double y = bones.rest[bone][5];
        double m[6] = { 1, 0, 0, 1, 0, 0 };
        if (parent >= 0) {
            mrw_affine2_invert(bones.rest[parent], m);
        }
        write_parents(document, &bones);
        mrw_node_desc* node = &nodes_of(document)[bone];
        node->parent = parent;
        node->x = m[0] * x + m[2] * y + m[4];
        node->y = m[1] * x + m[3] * y + m[5];
    }
    release_skeleton(&bones);
    return MRW_OK;
}

mrw_result mrw_edit_set_bone(mrw_document* document, uint32_t bone, double x, double y, double rotation, bool* out_changed)
{
    mrw_result result = editable(document);
    if (result != MRW_OK) {
        return result;
    }
    if (!is_float(x) || !is_float(y) || !is_float(rotation)) {
        return MRW_BAD_ARGUMENT;
    }
    *out_changed = bone < document->model.node_count;
    if (*out_changed) {
        mrw_node_desc* node = &nodes_of(document)[bone];
        node->x = x;
        node->y = y;
        node->rotation = rotation;
    }
    return MRW_OK;
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

mrw_result mrw_edit_rename_bone(mrw_document* document, uint32_t bone, const char* name, bool* out_changed)
{
    mrw_result result = editable(document);
    if (result != MRW_OK) {
        return result;
    }
    while (is_space(*name)) {
        name++;
    }
    size_t size = strlen(name);
    while (size > 0 && is_space(name[size - 1])) {
        size--;
    }
    *out_changed = false;
    if (size == 0 || bone >= document->model.node_count) {
        return MRW_OK;
    }
    const char* copy = mrwi_arena_text(&document->arena, name, size);
    if (copy == NULL) {
        return MRW_NO_MEMORY;
    }
    nodes_of(document)[bone].name = copy;
    *out_changed = true;
    return MRW_OK;
}
