#include "model/build.h"

#include "base/sort.h"
#include "model/names.h"
#include "model/narrow.h"

#include <math.h>
#include <string.h>

// What the parts share while they are packed one after the other.
typedef struct part_block {
    uint32_t* order; ///< draw order -> file index
    mrwi_part* parts;
    float *bind, *local_uvs;
    uint32_t* indices;
    mrwi_names sprites; ///< sprite texts to indices in the model's list
} part_block;

const mrw_mesh_desc* mrwi_build_mesh(const mrwi_build* build, uint32_t part)
{
    static const mrw_mesh_desc no_mesh;
    const int32_t mesh = build->desc->parts[part].mesh;
    return mesh >= 0 ? &build->desc->meshes[mesh] : &no_mesh;
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
    if (mrwi_build_memory(build) != MRW_OK) {
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
    mrwi_model* model = build->model;
    uint32_t part_count = build->desc->part_count, index_count = 0;
    for (uint32_t i = 0; i < part_count; i++) {
        const mrw_mesh_desc* mesh = mrwi_build_mesh(build, i);
        // The check has bounded both sums.
        model->vertex_count += mesh->vertex_count + MRWI_PLAN_SLACK;
        index_count += mesh->index_count;
    }
    model->parts = block->parts = mrwi_build_keep(build, part_count, sizeof *block->parts);
    model->bind = block->bind = mrwi_build_keep(build, model->vertex_count, 2 * sizeof(float));
    model->local_uvs = block->local_uvs = mrwi_build_keep(build, model->vertex_count, 2 * sizeof(float));
    model->uvs = mrwi_build_keep(build, model->vertex_count, 2 * sizeof(float));
    model->indices = block->indices = mrwi_build_keep(build, index_count, sizeof(uint32_t));
    model->sprites = mrwi_build_keep(build, part_count, sizeof *model->sprites);
    mrw_result result = mrwi_names_init(&block->sprites, &build->scratch, part_count);
    return result == MRW_OK ? mrwi_build_memory(build) : result;
}

// The model's influences, with joints as file node indices, and the plan, with joints as palette indices.
static mrw_result plan_part(mrwi_build* build, mrwi_part* part)
{
    const mrwi_influences* from = &build->influences[part->file_index];
    const uint32_t count = from->first[from->vertex_count];
    uint32_t* nodes = mrwi_build_keep(build, count, sizeof *nodes);
    float* weight = mrwi_build_keep(build, count, sizeof *weight);
    uint32_t* places = mrwi_build_scratch(build, count, sizeof *places);
    uint32_t* vertex_map = mrwi_build_keep(build, from->vertex_count, sizeof *vertex_map);
    if (mrwi_build_memory(build) != MRW_OK) {
        return MRW_NO_MEMORY;
    }
    part->skin = count > 0 ? build->desc->parts[part->file_index].skin : -1;
    const uint32_t skin = (uint32_t)part->skin;
    for (uint32_t i = 0; i < count; i++) {
        nodes[i] = mrwi_build_joint(build, skin, from->joint[i]);
        places[i] = build->places[skin][from->joint[i]];
        weight[i] = from->weight[i];
    }
    part->vertex_map = vertex_map;
    part->influences = (mrwi_influences) { from->vertex_count, from->first, nodes, weight };
    const mrwi_influences placed = { from->vertex_count, from->first, places, weight };
    return mrwi_plan_build(&build->model->arena, &placed, &part->plan, vertex_map);
}

static mrw_result fill_triangles(mrwi_build* build, const mrw_mesh_desc* mesh, const mrwi_part* part, uint32_t* out)
{
    uint32_t* inverse_map = mrwi_build_scratch(build, part->vertex_count, sizeof *inverse_map);
    if (inverse_map == NULL) {
        return MRW_NO_MEMORY;
    }
    for (uint32_t i = 0; i < part->vertex_count; i++) {
        inverse_map[part->vertex_map[i]] = part->first_vertex + i;
    }
    for (uint32_t i = 0; i < mesh->index_count; i++) {
        out[i] = inverse_map[mesh->indices[i]];
    }
    return MRW_OK;
}

static void fill_vertices(const mrw_mesh_desc* mesh, const mrwi_part* part, part_block* block, float bounds[4])
{
    float* bind = block->bind + (size_t)part->first_vertex * 2;
    float* uvs = block->local_uvs + (size_t)part->first_vertex * 2;
    for (size_t i = 0; i < part->vertex_count; i++) {
        const size_t from = (size_t)part->vertex_map[i] * 2;
        for (size_t axis = 0; axis < 2; axis++) {
            const float at = mrwi_to_f32((double)mesh->positions[from + axis]);
            bounds[axis] = at < bounds[axis] ? at : bounds[axis];
            bounds[axis + 2] = at > bounds[axis + 2] ? at : bounds[axis + 2];
            *bind++ = at;
            *uvs++ = mesh->uvs[from + axis];
        }
    }
}

// Index of a sprite in the model's list, which holds every text once in the order of its first part; -1 for no text.
static int32_t find_sprite(mrwi_build* build, part_block* block, const char* text)
{
    if (text == NULL || text[0] == 0) {
        return -1;
    }
    int32_t found = mrwi_names_find(&block->sprites, -1, text, strlen(text));
    if (found < 0) {
        mrwi_model* model = build->model;
        found = (int32_t)model->sprite_count++;
        mrwi_names_put(&block->sprites, -1, text, found);
        model->sprites[found]
            = (mrwi_sprite) { .guid = mrwi_build_text(build, text), .is_guid = mrw_is_guid(text), .page = (uint32_t)found };
    }
    return found;
}

static mrw_result build_part(mrwi_build* build, part_block* block, uint32_t file_index, mrwi_part* part)
{
    const mrw_part_desc* desc = &build->desc->parts[file_index];
    const mrw_mesh_desc* mesh = mrwi_build_mesh(build, file_index);
    part->name = mrwi_build_text(build, desc->name);
    part->file_index = file_index;
    part->sprite = find_sprite(build, block, desc->sprite);
    part->order = mrwi_to_f32(desc->order);
    part->hidden = desc->hidden;
    part->blend = desc->blend;
    part->vertex_count = mesh->vertex_count;
    part->index_count = mesh->index_count;
    mrw_result result = plan_part(build, part);
    if (result != MRW_OK) {
        return result;
    }
    fill_vertices(mesh, part, block, build->model->bind_bounds);
    return fill_triangles(build, mesh, part, block->indices + part->first_index);
}

mrw_result mrwi_build_parts(mrwi_build* build)
{
    part_block block = { 0 };
    mrw_result result = sort_parts(build, &block);
    result = result == MRW_OK ? allocate_block(build, &block) : result;
    mrwi_model* model = build->model;
    model->bind_bounds[0] = model->bind_bounds[1] = INFINITY;
    model->bind_bounds[2] = model->bind_bounds[3] = -INFINITY;
    uint32_t first_vertex = 0;
    for (uint32_t i = 0; i < build->desc->part_count && result == MRW_OK; i++) {
        mrwi_part* part = &block.parts[i];
        part->first_vertex = first_vertex;
        part->first_index = model->index_count;
        result = build_part(build, &block, block.order[i], part);
        first_vertex += part->vertex_count + MRWI_PLAN_SLACK;
        model->index_count += part->index_count;
    }
    if (result != MRW_OK) {
        return result;
    }
    model->part_count = build->desc->part_count;
    memcpy(model->uvs, model->local_uvs, (size_t)model->vertex_count * 2 * sizeof(float));
    if (!(model->bind_bounds[0] <= model->bind_bounds[2])) {
        memset(model->bind_bounds, 0, sizeof model->bind_bounds); // no vertex at all
    }
    return MRW_OK;
}
