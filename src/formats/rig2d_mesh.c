#include "formats/rig2d_mesh.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define SLOTS 4u

static void check_count(mrwi_reader* reader, const mrwi_json_cursor* at, const char* what, uint32_t count, uint32_t expected)
{
    if (count != expected) {
        mrwi_reader_note(
            reader, at, MRW_BAD_COUNT, "%u %s where %u are expected; missing ones count as 0, others are ignored", count, what, expected);
    }
}

static void read_pair(mrwi_reader* reader, mrwi_json_cursor* at, double (*read)(mrwi_reader*, mrwi_json_cursor*), float out[2])
{
    if (!mrwi_reader_has(reader, at, MRWI_JSON_ARRAY, "it counts as 0, 0")) {
        return;
    }
    mrwi_json_cursor child;
    for (bool more = mrwi_json_first(at, &child); more && child.index < 2; more = mrwi_json_next(&child)) {
        mrwi_json_cursor number = child;
        out[child.index] = (float)read(reader, &number);
    }
    check_count(reader, at, "numbers", mrwi_json_count(at), 2);
}

static bool read_position(mrwi_reader* reader, mrwi_json_cursor* at, void* element, void* user)
{
    (void)user;
    read_pair(reader, at, mrwi_rig2d_coordinate, element);
    return true;
}

static bool read_uv(mrwi_reader* reader, mrwi_json_cursor* at, void* element, void* user)
{
    (void)user;
    read_pair(reader, at, mrwi_rig2d_number, element);
    return true;
}

static void read_vertices(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    (void)user;
    mrw_mesh_desc* mesh = out;
    mesh->vertex_count = mrwi_reader_count(reader, at);
    reader->vertex_count += mesh->vertex_count;
    // Four slots of eight bytes a vertex must be countable.
    uint32_t limit
        = reader->context->limits.vertices < UINT32_MAX / (2 * SLOTS) ? reader->context->limits.vertices : UINT32_MAX / (2 * SLOTS);
    mrwi_reader_bound(reader, at, reader->vertex_count, limit, "vertices");
    mesh->positions = mrwi_reader_list(reader, at, mesh->vertex_count, 2 * sizeof(float), read_position, NULL, &mesh->vertex_count);
}

static void read_uvs(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    (void)user;
    mrw_mesh_desc* mesh = out;
    uint32_t count = mrwi_reader_count(reader, at);
    check_count(reader, at->item != NULL ? at : at->up, "uvs", count, mesh->vertex_count);
    mesh->uvs = mrwi_reader_list(reader, at, mesh->vertex_count, 2 * sizeof(float), read_uv, NULL, &count);
}

typedef struct triangle {
    uint32_t count; ///< of corners so far
    bool is_bad;    ///< a corner of the triangle was noted
} triangle;

// An index as the reference takes it: numbers are cut to whole ones, anything else is left out of the list. UINT32_MAX names nothing.
static bool read_corner(mrwi_reader* reader, mrwi_json_cursor* at, void* element, void* user)
{
    triangle* corners = user;
    uint32_t* out = element;
    double value = mrwi_json_number(at);
    if (mrwi_json_type_of(at) != MRWI_JSON_NUMBER || !isfinite(value)) {
        mrwi_reader_reject(reader, at, MRW_BAD_TYPE, "an index", "it is left out");
        return false;
    }
    if (floor(value) != value) {
        mrwi_reader_reject(reader, at, MRW_BAD_VALUE, "a whole number", "its fraction is cut off");
    }
    corners->is_bad = corners->is_bad && corners->count % 3 > 0;
    corners->count++;
    if (value > -1 && value < reader->mesh->vertex_count) {
        *out = (uint32_t)value;
        return true;
    }
    if (!corners->is_bad) {
        mrwi_reader_reject(reader, at, MRW_BAD_INDEX, "the index of a vertex", "the triangle is dropped");
    }
    corners->is_bad = true;
    *out = UINT32_MAX;
    return true;
}

static void read_triangles(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    (void)user;
    mrw_mesh_desc* mesh = out;
    uint32_t count = mrwi_reader_count(reader, at);
    uint32_t* indices = mrwi_reader_list(reader, at, count, sizeof *indices, read_corner, &(triangle) { 0 }, &count);
    mesh->indices = indices;
    mesh->index_count = 0;
    for (uint32_t i = 0; indices != NULL && i + 2 < count; i += 3) {
        if (indices[i] != UINT32_MAX && indices[i + 1] != UINT32_MAX && indices[i + 2] != UINT32_MAX) {
            memmove(indices + mesh->index_count, indices + i, 3 * sizeof *indices);
            mesh->index_count += 3;
        }
    }
    if (count % 3 > 0) {
        mrwi_reader_note(reader, at, MRW_BAD_COUNT, "the last triangle has %u corners; it is dropped", count % 3);
    }
}

void mrwi_rig2d_read_mesh(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    static const mrwi_field fields[] = {
        { "verts", read_vertices, 0 },
        { "uvs", read_uvs, 0 },
        { "tris", read_triangles, 0 },
    };
    (void)user;
    mrw_model_desc* model = &reader->document->model;
    mrw_part_desc* part = out;
    part->mesh = -1;
    if (model->meshes == NULL) {
        return; // out of memory
    }
    reader->mesh = (mrw_mesh_desc*)model->meshes + model->mesh_count;
    reader->mesh->vertex_count = 0;
    if (mrwi_reader_has(reader, at, MRWI_JSON_OBJECT, "the part has no mesh")) {
        part->mesh = (int32_t)model->mesh_count++;
        part->mesh_extras = mrwi_reader_fields(reader, at, fields, 3, reader->mesh, NULL);
    }
}

static bool read_joint(mrwi_reader* reader, mrwi_json_cursor* at, void* element, void* user)
{
    (void)user;
    uint32_t* joint = element;
    double value = mrwi_json_number(at);
    uint32_t bone_count = reader->document->model.node_count;
    if (mrwi_json_type_of(at) != MRWI_JSON_NUMBER || value != floor(value)) {
        mrwi_reader_reject(reader, at, MRW_BAD_TYPE, "a bone index", "it counts as 0");
    } else if (value < 0 || value >= (bone_count > 0 ? bone_count : 1)) {
        // Without bones every slot says 0, and nothing reads it.
        mrwi_reader_reject(reader, at, MRW_BAD_INDEX, "the index of a bone", "it counts as 0");
    } else {
        *joint = (uint32_t)value;
    }
    return true;
}

// `user` becomes the first slot of the vertex.
static bool read_weight(mrwi_reader* reader, mrwi_json_cursor* at, void* element, void* user)
{
    mrwi_json_cursor* vertex = user;
    double* weight = element;
    double value = mrwi_json_number(at);
    uint32_t slot = at->index % SLOTS;
    if (slot == 0) {
        *vertex = *at;
    }
    if (!mrwi_reader_has(reader, at, MRWI_JSON_NUMBER, "it counts as 0")) {
        value = 0;
    } else if (!(value >= 0 && value <= (double)FLT_MAX)) {
        mrwi_reader_reject(reader, at, MRW_BAD_VALUE, "a weight from 0 on of 32 bits", "it counts as 0");
        value = 0;
    }
    *weight = value;
    if (slot == SLOTS - 1) {
        double sum = weight[-3] + weight[-2] + weight[-1] + value;
        // Weights written with two decimals may miss 1 by this much.
        if (sum == 0) {
            mrwi_reader_note(reader, vertex, MRW_BAD_VALUE, "the vertex has no weight; it follows its first bone");
        } else if (!(fabs(sum - 1) <= 0.02)) {
            mrwi_reader_note(reader, vertex, MRW_BAD_VALUE, "the weights of the vertex do not sum to 1; they are divided by their sum");
        }
    }
    return true;
}

// A list of four slots a vertex; NULL when there is none.
static void* read_slots(mrwi_reader* reader, mrwi_json_cursor* at, size_t size, mrwi_element_reader* read, void* user)
{
    uint32_t count = mrwi_reader_count(reader, at);
    if (at->item == NULL) {
        return NULL;
    }
    check_count(reader, at, "numbers", count, reader->mesh->vertex_count * SLOTS);
    return mrwi_reader_list(reader, at, reader->mesh->vertex_count * SLOTS, size, read, user, &count);
}

void mrwi_rig2d_read_joints(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    (void)out;
    (void)user;
    if (reader->result == MRW_OK) {
        reader->mesh->influence_joint = read_slots(reader, at, sizeof(uint32_t), read_joint, NULL);
    }
}

// Indices without weights bind each vertex to its first index.
void mrwi_rig2d_read_weights(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    (void)out;
    (void)user;
    mrw_mesh_desc* mesh = reader->mesh;
    if (reader->result != MRW_OK) {
        return;
    }
    mrwi_json_cursor vertex;
    uint32_t slot_count = mesh->vertex_count * SLOTS;
    double* weights = read_slots(reader, at, sizeof *weights, read_weight, &vertex);
    bool has_weights = at->item != NULL;
    uint32_t* first = mrwi_reader_allocate(reader, (size_t)mesh->vertex_count + 1, sizeof *first);
    if (!has_weights) {
        weights = mrwi_reader_allocate(reader, slot_count, sizeof *weights);
    }
    if (mesh->influence_joint == NULL) {
        mesh->influence_joint = mrwi_reader_allocate(reader, slot_count, sizeof *mesh->influence_joint);
        if (has_weights && slot_count > 0) {
            mrwi_reader_note(reader, at, MRW_BAD_COUNT, "weights without skinIndices; every vertex follows bone 0");
        }
    }
    if (reader->result != MRW_OK) {
        return;
    }
    for (uint32_t v = 0; v <= mesh->vertex_count; v++) {
        first[v] = v * SLOTS;
        if (!has_weights && v < mesh->vertex_count) {
            weights[v * SLOTS] = 1;
        }
    }
    mesh->influence_first = first;
    mesh->influence_weight = weights;
    mesh->influence_count = slot_count;
}
