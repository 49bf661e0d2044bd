#include "model/build.h"

#include "base/hash.h"
#include "base/result.h"
#include "base/sort.h"
#include "model/check.h"
#include "model/narrow.h"

#include <float.h>
#include <string.h>

// What the parts share while they are packed one after the other.
typedef struct part_block {
    mrwi_part* parts;
    uint32_t* order; ///< draw order -> file index
    uint32_t vertex_count, index_count;
    float *bind, *local_uvs, *uvs;
    uint32_t* indices;
    // scratch, as large as the largest part needs
    uint32_t *first, *joint, *inverse_map;
    float* weight;
    // hash table of sprite texts; entries are indices in `sprites`, -1 free
    mrwi_sprite* sprites;
    int32_t* sprite_table;
    uint32_t sprite_count, sprite_table_size;
} part_block;

static const mrw_mesh_desc no_mesh;

static const mrw_mesh_desc* mesh_of(const mrw_model_desc* desc, uint32_t part)
{
    return desc->parts[part].mesh >= 0 ? &desc->meshes[desc->parts[part].mesh] : &no_mesh;
}

// Whether anything moves the part's vertices apart.
static bool is_skinned(const mrw_model_desc* desc, uint32_t part)
{
    return mesh_of(desc, part)->influence_first != NULL && mrwi_skin_joint_count(desc, desc->parts[part].skin) > 0;
}

static bool is_behind(const void* parts, uint32_t a, uint32_t b)
{
    return ((const mrw_part_desc*)parts)[a].order < ((const mrw_part_desc*)parts)[b].order;
}

static mrw_result sort_parts(mrwi_build* build, part_block* block)
{
    uint32_t count = build->desc->part_count;
    block->order = mrwi_build_scratch(build, count, sizeof(uint32_t));
    uint32_t* spare = mrwi_build_scratch(build, count, sizeof(uint32_t));
    if (block->order == NULL || spare == NULL) {
        return MRW_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        block->order[i] = i;
    }
    mrwi_sort(block->order, spare, count, is_behind, build->desc->parts);
    return MRW_OK;
}

static mrw_result allocate_block(mrwi_build* build, part_block* block)
{
    const mrw_model_desc* desc = build->desc;
    uint32_t largest_part = 0, most_influences = 0;
    for (uint32_t i = 0; i < desc->part_count; i++) {
        const mrw_mesh_desc* mesh = mesh_of(desc, i);
        // The check has bounded both sums.
        block->vertex_count += mesh->vertex_count + MRWI_PLAN_SLACK;
        block->index_count += mesh->index_count;
        largest_part = mesh->vertex_count > largest_part ? mesh->vertex_count : largest_part;
        // A vertex whose weights sum to zero takes one influence, which is never more than the slots it has.
        uint32_t slots = is_skinned(desc, i) ? mesh->influence_count : 0;
        most_influences = slots > most_influences ? slots : most_influences;
    }
    block->sprite_table_size = 4;
    while (block->sprite_table_size < desc->part_count * 2) {
        block->sprite_table_size *= 2;
    }
    block->parts = mrwi_build_keep(build, desc->part_count, sizeof *block->parts);
    block->bind = mrwi_build_keep(build, block->vertex_count, 2 * sizeof(float));
    block->local_uvs = mrwi_build_keep(build, block->vertex_count, 2 * sizeof(float));
    block->uvs = mrwi_build_keep(build, block->vertex_count, 2 * sizeof(float));
    block->indices = mrwi_build_keep(build, block->index_count, sizeof(uint32_t));
    block->first = mrwi_build_scratch(build, (size_t)largest_part + 1, sizeof(uint32_t));
    block->inverse_map = mrwi_build_scratch(build, largest_part, sizeof(uint32_t));
    block->joint = mrwi_build_scratch(build, most_influences, sizeof(uint32_t));
    block->weight = mrwi_build_scratch(build, most_influences, sizeof(float));
    block->sprites = mrwi_build_scratch(build, desc->part_count, sizeof *block->sprites);
    block->sprite_table = mrwi_build_scratch(build, block->sprite_table_size, sizeof(int32_t));
    if (block->parts == NULL || block->bind == NULL || block->local_uvs == NULL || block->uvs == NULL || block->indices == NULL
        || block->first == NULL || block->inverse_map == NULL || block->joint == NULL || block->weight == NULL || block->sprites == NULL
        || block->sprite_table == NULL) {
        return MRW_NO_MEMORY;
    }
    for (uint32_t i = 0; i < block->sprite_table_size; i++) {
        block->sprite_table[i] = -1;
    }
    return MRW_OK;
}

static double sum_of_weights(const mrw_mesh_desc* mesh, uint32_t begin, uint32_t end)
{
    double sum = 0;
    for (uint32_t i = begin; i < end; i++) {
        sum += mesh->influence_weight[i];
    }
    return sum;
}

static float share_of(const mrw_mesh_desc* mesh, uint32_t influence, double sum)
{
    return sum > 0 ? mrwi_flush((double)(float)mesh->influence_weight[influence] / sum) : 0;
}

// The joints that `gather` takes.
static void mark_vertex(const mrw_mesh_desc* mesh, uint32_t vertex, uint8_t* used)
{
    uint32_t begin = mesh->influence_first[vertex], end = mesh->influence_first[vertex + 1];
    double sum = sum_of_weights(mesh, begin, end);
    bool any = false;
    for (uint32_t i = begin; i < end; i++) {
        if (share_of(mesh, i, sum) > 0) {
            used[mesh->influence_joint[i]] = 1;
            any = true;
        }
    }
    if (!any && end > begin) {
        used[mesh->influence_joint[begin]] = 1;
    }
}

void mrwi_build_mark_joints(const mrw_model_desc* desc, uint32_t skin, uint8_t* used)
{
    for (uint32_t i = 0; i < desc->part_count; i++) {
        const mrw_mesh_desc* mesh = mesh_of(desc, i);
        bool follows = desc->parts[i].skin == (int32_t)skin && is_skinned(desc, i);
        for (uint32_t vertex = 0; follows && vertex < mesh->vertex_count; vertex++) {
            mark_vertex(mesh, vertex, used);
        }
    }
}

// Normalised influences of one vertex: f64 sum, f32 quotients, zeros dropped, slots of the same joint merged. Returns how many.
static uint32_t gather(const mrw_mesh_desc* mesh, uint32_t vertex, uint32_t* joint, float* weight)
{
    uint32_t begin = mesh->influence_first[vertex], end = mesh->influence_first[vertex + 1];
    double sum = sum_of_weights(mesh, begin, end);
    uint32_t count = 0;
    for (uint32_t i = begin; i < end; i++) {
        float share = share_of(mesh, i, sum);
        uint32_t same = 0;
        while (same < count && joint[same] != mesh->influence_joint[i]) {
            same++;
        }
        if (share > 0 && same < count) {
            weight[same] += share;
        } else if (share > 0) {
            joint[count] = mesh->influence_joint[i];
            weight[count++] = share;
        }
    }
    if (count == 0 && end > begin) {
        joint[0] = mesh->influence_joint[begin];
        weight[0] = 1;
        count = 1;
    }
    return count;
}

// Fills `out` with arrays of the model (joints as palette indices) and the part's own influences (joints as file node indices).
static mrw_result build_influences(mrwi_build* build, part_block* block, uint32_t file_index, mrwi_part* part, mrwi_influences* out)
{
    const mrw_mesh_desc* mesh = mesh_of(build->desc, file_index);
    bool skinned = is_skinned(build->desc, file_index);
    uint32_t count = 0, most = 0;
    block->first[0] = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t added = skinned ? gather(mesh, v, block->joint + count, block->weight + count) : 0;
        most = added > most ? added : most;
        count += added;
        block->first[v + 1] = count;
    }
    uint32_t* first = mrwi_build_keep(build, (size_t)mesh->vertex_count + 1, sizeof *first);
    uint32_t* nodes = mrwi_build_keep(build, count, sizeof *nodes);
    float* weight = mrwi_build_keep(build, count, sizeof *weight);
    if (first == NULL || nodes == NULL || weight == NULL) {
        return MRW_NO_MEMORY;
    }
    const uint32_t* joints = skinned ? build->desc->skins[part->skin].joints : NULL;
    const uint32_t* places = skinned ? build->places[part->skin] : NULL;
    memcpy(first, block->first, ((size_t)mesh->vertex_count + 1) * sizeof *first);
    for (uint32_t i = 0; i < count; i++) {
        nodes[i] = joints != NULL ? joints[block->joint[i]] : block->joint[i];
        weight[i] = block->weight[i];
        block->joint[i] = places[block->joint[i]];
    }
    part->influences = (mrwi_influences) { mesh->vertex_count, first, nodes, weight };
    *out = (mrwi_influences) { mesh->vertex_count, first, block->joint, weight };
    mrwi_model* model = build->model;
    model->influence_count += count;
    model->max_influences = most > model->max_influences ? most : model->max_influences;
    return MRW_OK;
}

static mrw_result warn_triangle(mrwi_build* build, uint32_t file_index, uint32_t triangle, mrw_result code, const char* message)
{
    char path[64];
    if (build->desc->file_version == 1) {
        mrwi_format(path, sizeof path, "$.mesh.tris[%u]", triangle * 3);
    } else {
        mrwi_format(path, sizeof path, "$.parts[%u].mesh.tris[%u]", file_index, triangle * 3);
    }
    return build->strict ? mrwi_fail(build->error, code, path, "%s", message) : mrwi_model_warn(build->model, code, path, message);
}

static mrw_result build_triangles(mrwi_build* build, part_block* block, uint32_t file_index, mrwi_part* part)
{
    const mrw_mesh_desc* mesh = mesh_of(build->desc, file_index);
    for (uint32_t i = 0; i < part->vertex_count; i++) {
        block->inverse_map[part->vertex_map[i]] = i;
    }
    mrw_result result = MRW_OK;
    uint32_t* out = block->indices + part->first_index;
    for (uint32_t t = 0; t < mesh->index_count / 3 && result == MRW_OK; t++) {
        const uint32_t* corner = mesh->indices + (size_t)t * 3;
        if (corner[0] >= mesh->vertex_count || corner[1] >= mesh->vertex_count || corner[2] >= mesh->vertex_count) {
            result = warn_triangle(build, file_index, t, MRW_BAD_INDEX, "a triangle names a vertex that does not exist; it is dropped");
            continue;
        }
        for (uint32_t k = 0; k < 3; k++) {
            out[part->index_count++] = part->first_vertex + block->inverse_map[corner[k]];
        }
    }
    if (result == MRW_OK && mesh->index_count % 3 != 0) {
        result = warn_triangle(build, file_index, mesh->index_count / 3, MRW_BAD_COUNT, "the last triangle is incomplete; it is dropped");
    }
    return result;
}

static void fill_vertices(const mrw_mesh_desc* mesh, const mrwi_part* part, part_block* block)
{
    float* bind = block->bind + (size_t)part->first_vertex * 2;
    float* uvs = block->local_uvs + (size_t)part->first_vertex * 2;
    for (size_t i = 0; i < part->vertex_count; i++) {
        size_t vertex = part->vertex_map[i];
        bind[i * 2] = mrwi_flush((double)mesh->positions[vertex * 2]);
        bind[i * 2 + 1] = mrwi_flush((double)mesh->positions[vertex * 2 + 1]);
        uvs[i * 2] = mesh->uvs[vertex * 2];
        uvs[i * 2 + 1] = mesh->uvs[vertex * 2 + 1];
    }
}

// Index of a sprite in the model's list, which holds every text once in the order of its first part; -1 for no text.
static mrw_result find_sprite(mrwi_build* build, part_block* block, const char* text, int32_t* out)
{
    *out = -1;
    if (text == NULL || text[0] == 0) {
        return MRW_OK;
    }
    uint32_t mask = block->sprite_table_size - 1;
    uint32_t slot = (uint32_t)mrwi_hash(MRWI_HASH_START, text, strlen(text)) & mask;
    while (block->sprite_table[slot] >= 0 && strcmp(block->sprites[block->sprite_table[slot]].guid, text) != 0) {
        slot = (slot + 1) & mask;
    }
    if (block->sprite_table[slot] < 0) {
        const char* copy = mrwi_build_text(build, text);
        if (copy == NULL) {
            return MRW_NO_MEMORY;
        }
        block->sprite_table[slot] = (int32_t)block->sprite_count;
        block->sprites[block->sprite_count] = (mrwi_sprite) { .guid = copy, .is_guid = mrw_is_guid(copy), .page = block->sprite_count };
        block->sprite_count++;
    }
    *out = block->sprite_table[slot];
    return MRW_OK;
}

static float to_order(double order)
{
    return order > (double)FLT_MAX ? FLT_MAX : order < -(double)FLT_MAX ? -FLT_MAX : (float)order;
}

static mrw_result build_part(mrwi_build* build, part_block* block, uint32_t file_index, mrwi_part* part)
{
    const mrw_part_desc* desc = &build->desc->parts[file_index];
    const mrw_mesh_desc* mesh = mesh_of(build->desc, file_index);
    part->name = mrwi_build_text(build, desc->name);
    part->file_index = file_index;
    part->skin = is_skinned(build->desc, file_index) ? desc->skin : -1;
    part->order = to_order(desc->order);
    part->hidden = desc->hidden;
    part->blend = desc->blend;
    part->vertex_count = mesh->vertex_count;
    uint32_t* vertex_map = mrwi_build_keep(build, mesh->vertex_count, sizeof *vertex_map);
    if (part->name == NULL || vertex_map == NULL) {
        return MRW_NO_MEMORY;
    }
    part->vertex_map = vertex_map;
    mrwi_influences influences;
    mrw_result result = build_influences(build, block, file_index, part, &influences);
    if (result == MRW_OK) {
        result = mrwi_plan_build(&build->model->arena, &influences, &part->plan, vertex_map);
    }
    if (result != MRW_OK) {
        return result;
    }
    fill_vertices(mesh, part, block);
    result = build_triangles(build, block, file_index, part);
    return result == MRW_OK ? find_sprite(build, block, desc->sprite, &part->sprite) : result;
}

static void measure_bounds(const part_block* block, uint32_t part_count, float bounds[4])
{
    bool any = false;
    for (uint32_t i = 0; i < part_count; i++) {
        const mrwi_part* part = &block->parts[i];
        for (uint32_t v = 0; v < part->vertex_count; v++) {
            const float* at = block->bind + ((size_t)part->first_vertex + v) * 2;
            for (uint32_t axis = 0; axis < 2; axis++) {
                bounds[axis] = !any || at[axis] < bounds[axis] ? at[axis] : bounds[axis];
                bounds[axis + 2] = !any || at[axis] > bounds[axis + 2] ? at[axis] : bounds[axis + 2];
            }
            any = true;
        }
    }
}

static mrw_result keep_sprites(mrwi_build* build, const part_block* block)
{
    mrwi_sprite* sprites = mrwi_build_keep(build, block->sprite_count, sizeof *sprites);
    if (sprites == NULL) {
        return MRW_NO_MEMORY;
    }
    memcpy(sprites, block->sprites, block->sprite_count * sizeof *sprites);
    build->model->sprites = sprites;
    build->model->sprite_count = block->sprite_count;
    return MRW_OK;
}

mrw_result mrwi_build_parts(mrwi_build* build)
{
    part_block block = { 0 };
    mrw_result result = sort_parts(build, &block);
    result = result == MRW_OK ? allocate_block(build, &block) : result;
    uint32_t first_vertex = 0, first_index = 0, part_count = build->desc->part_count;
    for (uint32_t i = 0; i < part_count && result == MRW_OK; i++) {
        mrwi_part* part = &block.parts[i];
        part->first_vertex = first_vertex;
        part->first_index = first_index;
        result = build_part(build, &block, block.order[i], part);
        first_vertex += part->vertex_count + MRWI_PLAN_SLACK;
        first_index += part->index_count;
    }
    result = result == MRW_OK ? keep_sprites(build, &block) : result;
    if (result != MRW_OK) {
        return result;
    }
    mrwi_model* model = build->model;
    model->parts = block.parts;
    model->part_count = part_count;
    model->vertex_count = block.vertex_count;
    model->index_count = first_index;
    model->bind = block.bind;
    model->local_uvs = block.local_uvs;
    model->uvs = block.uvs;
    model->indices = block.indices;
    memcpy(block.uvs, block.local_uvs, (size_t)block.vertex_count * 2 * sizeof(float));
    measure_bounds(&block, part_count, model->bind_bounds);
    return MRW_OK;
}
