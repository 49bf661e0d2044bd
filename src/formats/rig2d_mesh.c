#include "formats/rig2d_mesh.h"

#include <float.h>
#include <math.h>

#define SLOTS 4u

static bool is_type(const mrwi_json_cursor* at, mrwi_json_type type)
{
    return mrwi_json_type_of(at) == type;
}

// Whether a list is there; something else in its place is a repair.
static bool has_list(mrwi_reader* reader, const mrwi_json_cursor* at)
{
    if (is_type(at, MRWI_JSON_ARRAY)) {
        return true;
    }
    if (!is_type(at, MRWI_JSON_NONE)) {
        mrwi_reader_note(reader, at, MRW_BAD_TYPE, "not an array; it counts as missing");
    }
    return false;
}

typedef double number_reader(mrwi_reader* reader, const mrwi_json_cursor* at);

static void read_pair(mrwi_reader* reader, const mrwi_json_cursor* at, number_reader* read, float out[2])
{
    if (!is_type(at, MRWI_JSON_ARRAY)) {
        mrwi_reader_note(reader, at, MRW_BAD_TYPE, "not a pair of numbers; it counts as 0, 0");
        return;
    }
    mrwi_json_cursor child;
    uint32_t count = 0;
    for (bool more = mrwi_json_first(at, &child); more; more = mrwi_json_next(&child)) {
        if (count < 2) {
            out[count] = (float)read(reader, &child);
        }
        count++;
    }
    if (count != 2) {
        mrwi_reader_note(reader, at, MRW_BAD_COUNT, "%u numbers where 2 are expected", count);
    }
}

// Fills `count` pairs; what the list does not have stays 0.
static float* read_pairs(mrwi_reader* reader, const mrwi_json_cursor* list, number_reader* read, uint32_t count)
{
    float* pairs = mrwi_reader_allocate(reader, (size_t)count, 2 * sizeof *pairs);
    mrwi_json_cursor child;
    uint32_t i = 0;
    for (bool more = pairs != NULL && mrwi_json_first(list, &child); more && i < count; more = mrwi_json_next(&child)) {
        read_pair(reader, &child, read, pairs + (size_t)i * 2);
        i++;
    }
    return pairs;
}

static void read_vertices(mrwi_reader* reader, const mrwi_json_cursor* at, mrw_mesh_desc* mesh)
{
    mrwi_json_cursor verts = mrwi_json_member(at, "verts");
    mrwi_json_cursor uvs = mrwi_json_member(at, "uvs");
    uint32_t count = has_list(reader, &verts) ? mrwi_json_count(&verts) : 0;
    uint32_t uv_count = has_list(reader, &uvs) ? mrwi_json_count(&uvs) : 0;
    reader->vertex_count += count;
    if (reader->vertex_count > reader->context->limits.vertices || reader->vertex_count > UINT32_MAX / (2 * SLOTS)) {
        if (reader->result == MRW_OK) {
            uint32_t limit = reader->context->limits.vertices;
            reader->result = mrwi_json_fail(&verts, reader->error, MRW_LIMIT, "the rig has more than %u vertices", limit);
        }
        return;
    }
    mesh->vertex_count = count;
    mesh->positions = read_pairs(reader, &verts, mrwi_rig2d_coordinate, count);
    if (uv_count != count) {
        const mrwi_json_cursor* place = is_type(&uvs, MRWI_JSON_ARRAY) ? &uvs : at;
        mrwi_reader_note(reader, place, MRW_BAD_COUNT, "%u uvs for %u vertices; missing ones count as 0, 0", uv_count, count);
    }
    mesh->uvs = read_pairs(reader, &uvs, mrwi_rig2d_number, count);
}

// An index as the reference takes it: numbers are cut to whole ones, anything else is left out of the list.
static bool read_corner(mrwi_reader* reader, const mrwi_json_cursor* at, double* out)
{
    double value = mrwi_json_number(at);
    if (!is_type(at, MRWI_JSON_NUMBER) || !isfinite(value)) {
        mrwi_reader_note(reader, at, MRW_BAD_TYPE, "not an index; it is left out");
        return false;
    }
    *out = value < 0 ? -floor(-value) : floor(value);
    if (*out != value) {
        mrwi_reader_note(reader, at, MRW_BAD_VALUE, "not a whole number; its fraction is cut off");
    }
    return true;
}

static void read_triangles(mrwi_reader* reader, const mrwi_json_cursor* at, mrw_mesh_desc* mesh)
{
    mrwi_json_cursor list = mrwi_json_member(at, "tris");
    uint32_t count = has_list(reader, &list) ? mrwi_json_count(&list) : 0;
    uint32_t* indices = mrwi_reader_allocate(reader, count, sizeof *indices);
    mrwi_json_cursor child, bad = list;
    uint32_t filled = 0, kept = 0;
    bool is_bad = false;
    for (bool more = indices != NULL && mrwi_json_first(&list, &child); more; more = mrwi_json_next(&child)) {
        double value;
        if (!read_corner(reader, &child, &value)) {
            continue;
        }
        if (value >= 0 && value < mesh->vertex_count) {
            indices[kept + filled] = (uint32_t)value;
        } else if (!is_bad) {
            is_bad = true;
            bad = child;
        }
        filled++;
        if (filled == 3) {
            if (is_bad) {
                mrwi_reader_note(reader, &bad, MRW_BAD_INDEX, "no vertex has this index; the triangle is dropped");
            }
            kept += is_bad ? 0 : 3;
            filled = 0;
            is_bad = false;
        }
    }
    if (filled > 0) {
        mrwi_reader_note(reader, &list, MRW_BAD_COUNT, "the last triangle has %u corners; it is dropped", filled);
    }
    mesh->indices = indices;
    mesh->index_count = kept;
}

static uint32_t read_joint(mrwi_reader* reader, const mrwi_json_cursor* at)
{
    double value = mrwi_json_number(at);
    uint32_t bone_count = reader->document->model.node_count;
    if (!is_type(at, MRWI_JSON_NUMBER) || value != floor(value)) {
        mrwi_reader_note(reader, at, MRW_BAD_TYPE, "not a bone index; it counts as 0");
        return 0;
    }
    // Without bones every slot says 0, and nothing reads it.
    if (value < 0 || value >= (bone_count > 0 ? bone_count : 1)) {
        mrwi_reader_note(reader, at, MRW_BAD_INDEX, "no bone has this index; it counts as 0");
        return 0;
    }
    return (uint32_t)value;
}

static double read_weight(mrwi_reader* reader, const mrwi_json_cursor* at)
{
    double value = mrwi_json_number(at);
    if (!is_type(at, MRWI_JSON_NUMBER)) {
        mrwi_reader_note(reader, at, MRW_BAD_TYPE, "not a weight; it counts as 0");
        return 0;
    }
    if (!(value >= 0 && value <= (double)FLT_MAX)) {
        mrwi_reader_note(
            reader, at, MRW_BAD_VALUE, value < 0 ? "a negative weight counts as 0" : "the weight is too large; it counts as 0");
        return 0;
    }
    return value;
}

static void read_joints(mrwi_reader* reader, const mrwi_json_cursor* list, uint32_t* joints, uint32_t slot_count)
{
    mrwi_json_cursor child;
    uint32_t i = 0;
    for (bool more = mrwi_json_first(list, &child); more && i < slot_count; more = mrwi_json_next(&child)) {
        joints[i++] = read_joint(reader, &child);
    }
}

static void read_weights(mrwi_reader* reader, const mrwi_json_cursor* list, double* weights, uint32_t slot_count)
{
    mrwi_json_cursor child, vertex = *list;
    double sum = 0;
    uint32_t i = 0;
    for (bool more = mrwi_json_first(list, &child); more && i < slot_count; more = mrwi_json_next(&child)) {
        if (i % SLOTS == 0) {
            vertex = child;
            sum = 0;
        }
        weights[i] = read_weight(reader, &child);
        sum += weights[i++];
        if (i % SLOTS > 0) {
            continue;
        }
        // Weights written with two decimals may miss 1 by this much.
        if (sum == 0) {
            mrwi_reader_note(reader, &vertex, MRW_BAD_VALUE, "the vertex has no weight; it follows its first bone");
        } else if (!(fabs(sum - 1) <= 0.02)) {
            mrwi_reader_note(reader, &vertex, MRW_BAD_VALUE, "the weights of the vertex do not sum to 1; they are divided by their sum");
        }
    }
}

static void check_slots(mrwi_reader* reader, const mrwi_json_cursor* list, uint32_t slot_count)
{
    uint32_t count = mrwi_json_count(list);
    if (count != slot_count) {
        mrwi_reader_note(reader, list, MRW_BAD_COUNT, "%u elements where %u are expected, four a vertex", count, slot_count);
    }
}

// Four slots a vertex. Indices without weights bind each vertex to its first index.
static void read_slots(mrwi_reader* reader, const mrwi_json_cursor* owner, mrw_mesh_desc* mesh)
{
    mrwi_json_cursor joint_list = mrwi_json_member(owner, "skinIndices");
    mrwi_json_cursor weight_list = mrwi_json_member(owner, "skinWeights");
    uint32_t slot_count = mesh->vertex_count * SLOTS;
    uint32_t* first = mrwi_reader_allocate(reader, (size_t)mesh->vertex_count + 1, sizeof *first);
    uint32_t* joints = mrwi_reader_allocate(reader, slot_count, sizeof *joints);
    double* weights = mrwi_reader_allocate(reader, slot_count, sizeof *weights);
    if (first == NULL || joints == NULL || weights == NULL) {
        return;
    }
    for (uint32_t v = 0; v <= mesh->vertex_count; v++) {
        first[v] = v * SLOTS;
    }
    bool has_joints = has_list(reader, &joint_list);
    if (has_joints) {
        check_slots(reader, &joint_list, slot_count);
        read_joints(reader, &joint_list, joints, slot_count);
    }
    if (has_list(reader, &weight_list)) {
        check_slots(reader, &weight_list, slot_count);
        read_weights(reader, &weight_list, weights, slot_count);
        if (!has_joints && slot_count > 0) {
            mrwi_reader_note(reader, &weight_list, MRW_BAD_COUNT, "weights without skinIndices; every vertex follows bone 0");
        }
    } else {
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            weights[v * SLOTS] = 1;
        }
    }
    mesh->influence_first = first;
    mesh->influence_joint = joints;
    mesh->influence_weight = weights;
    mesh->influence_count = slot_count;
}

void mrwi_rig2d_read_mesh(
    mrwi_reader* reader, const mrwi_json_cursor* owner, mrw_mesh_desc* meshes, int32_t* out_mesh, mrw_extras* out_extras)
{
    static const char* const known[] = { "verts", "uvs", "tris", NULL };
    mrwi_json_cursor at = mrwi_json_member(owner, "mesh");
    mrw_mesh_desc mesh = { 0 };
    *out_mesh = -1;
    if (is_type(&at, MRWI_JSON_OBJECT)) {
        *out_mesh = (int32_t)reader->document->model.mesh_count++;
        read_vertices(reader, &at, &mesh);
        read_triangles(reader, &at, &mesh);
        *out_extras = mrwi_reader_extras(reader, &at, known);
    } else if (!is_type(&at, MRWI_JSON_NONE)) {
        mrwi_reader_note(reader, &at, MRW_BAD_TYPE, "not an object; the part has no mesh");
    }
    if (reader->result == MRW_OK) {
        // Without vertices too: slots that belong to none are a repair.
        read_slots(reader, owner, &mesh);
    }
    if (*out_mesh >= 0) {
        meshes[*out_mesh] = mesh;
    }
}
