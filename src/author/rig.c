#include "author/grid.h"
#include "base/result.h"
#include "model/check.h"
#include "model/document.h"

#include <math.h>
#include <string.h>

#define SLOTS 4
#define MOST_SUGGESTED 6
#define DEFAULT_CELL 48.0
#define MOST_DEFAULT_CELLS 24.0

// `wanted`, or as many cells of the usual size as fit.
static double cells_along(double wanted, double side, double cell_size)
{
    if (wanted > 0) {
        return wanted;
    }
    double size = cell_size > 0 ? cell_size : DEFAULT_CELL;
    double count = floor(side / (size > 1 ? size : 1) + 0.5);
    return count > 1 ? (count < MOST_DEFAULT_CELLS ? count : MOST_DEFAULT_CELLS) : 1;
}

static const char* copy_text(mrwi_arena* arena, const char* text)
{
    return mrwi_arena_text(arena, text, strlen(text));
}

static mrw_result add_bones(mrw_document* document, const mrw_rig_options* options)
{
    mrwi_arena* arena = &document->arena;
    mrw_node_desc suggested[MOST_SUGGESTED];
    const mrw_node_desc* bones = options->bones;
    uint32_t count = options->bone_count_given;
    if (bones == NULL) {
        mrw_bone_options chain
            = { options->width, options->height, options->bone_count, options->pivot_x, options->pivot_y, options->axis, options->mask };
        count = mrw_author_suggest_bones(&chain, suggested);
        bones = suggested;
    }
    mrw_node_desc* nodes = mrwi_arena_allocate(arena, count, sizeof *nodes);
    if (nodes == NULL) {
        return MRW_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        char numbered[16];
        mrwi_format(numbered, sizeof numbered, "bone%u", i);
        bool named = bones[i].name != NULL && bones[i].name[0] != 0;
        nodes[i] = bones[i];
        nodes[i].name = copy_text(arena, named ? bones[i].name : numbered);
        nodes[i].extras = bones[i].extras == NULL ? NULL : copy_text(arena, bones[i].extras);
        if (nodes[i].name == NULL || (bones[i].extras != NULL && nodes[i].extras == NULL)) {
            return MRW_NO_MEMORY;
        }
    }
    document->model.nodes = nodes;
    document->model.node_count = count;
    return MRW_OK;
}

static mrw_result add_weights(mrw_document* document, const mrwi_grid* grid, const mrw_weight_options* options, mrw_mesh_desc* mesh)
{
    mrwi_arena* arena = &document->arena;
    size_t slot_count = (size_t)grid->vertex_count * SLOTS;
    uint32_t* first = mrwi_arena_allocate(arena, (size_t)grid->vertex_count + 1, sizeof *first);
    uint32_t* joints = mrwi_arena_allocate(arena, slot_count, sizeof *joints);
    double* weights = mrwi_arena_allocate(arena, slot_count, sizeof *weights);
    if (first == NULL || joints == NULL || weights == NULL) {
        return MRW_NO_MEMORY;
    }
    mrw_result result = mrw_author_weights(
        arena->context, document->model.nodes, document->model.node_count, grid->positions, grid->vertex_count, options, joints, weights);
    if (result != MRW_OK) {
        return result;
    }
    // Slots of weight zero are padding: the list moves together over them.
    uint32_t count = 0;
    for (uint32_t v = 0; v < grid->vertex_count; v++) {
        first[v] = count;
        for (size_t slot = (size_t)v * SLOTS; slot < (size_t)(v + 1) * SLOTS; slot++) {
            if (weights[slot] > 0) {
                joints[count] = joints[slot];
                weights[count++] = weights[slot];
            }
        }
    }
    first[grid->vertex_count] = count;
    mesh->influence_count = count;
    mesh->influence_first = first;
    mesh->influence_joint = joints;
    mesh->influence_weight = weights;
    return MRW_OK;
}

static const float* rounded(mrwi_arena* arena, const double* values, size_t count)
{
    float* out = mrwi_arena_allocate(arena, count, sizeof *out);
    for (size_t i = 0; i < count && out != NULL; i++) {
        out[i] = (float)values[i];
    }
    return out;
}

static mrw_result add_mesh(mrw_document* document, const mrw_rig_options* options)
{
    mrwi_arena* arena = &document->arena;
    mrw_grid_options shape = { options->width, options->height, cells_along(options->columns, options->width, options->cell_size),
        cells_along(options->rows, options->height, options->cell_size), options->pivot_x, options->pivot_y, options->mask };
    mrwi_grid grid;
    mrw_result result = mrwi_grid_build(arena, &shape, &grid);
    if (result != MRW_OK) {
        return result;
    }
    mrw_mesh_desc* mesh = mrwi_arena_allocate(arena, 1, sizeof *mesh);
    if (mesh == NULL) {
        return MRW_NO_MEMORY;
    }
    mesh->vertex_count = grid.vertex_count;
    mesh->index_count = grid.index_count;
    mesh->positions = rounded(arena, grid.positions, (size_t)grid.vertex_count * 2);
    mesh->uvs = rounded(arena, grid.uvs, (size_t)grid.vertex_count * 2);
    mesh->indices = grid.indices;
    if (mesh->positions == NULL || mesh->uvs == NULL) {
        return MRW_NO_MEMORY;
    }
    document->model.meshes = mesh;
    document->model.mesh_count = 1;
    return add_weights(document, &grid, &options->weights, mesh);
}

// A v1 document is one part named `main` whose skin is all bones.
static mrw_result add_part(mrw_document* document, const mrw_rig_options* options)
{
    mrwi_arena* arena = &document->arena;
    mrw_model_desc* model = &document->model;
    mrw_skin_desc* skin = mrwi_arena_allocate(arena, 1, sizeof *skin);
    mrw_part_desc* part = mrwi_arena_allocate(arena, 1, sizeof *part);
    const char* name = copy_text(arena, "main");
    const char* sprite = copy_text(arena, options->sprite == NULL ? "" : options->sprite);
    const char* id = options->id == NULL ? NULL : copy_text(arena, options->id);
    if (skin == NULL || part == NULL || name == NULL || sprite == NULL || (options->id != NULL && id == NULL)) {
        return MRW_NO_MEMORY;
    }
    part->name = name;
    part->sprite = sprite;
    model->id = id;
    model->skins = skin;
    model->skin_count = 1;
    model->parts = part;
    model->part_count = 1;
    model->file_version = 1;
    model->stated_version = -1;
    return MRW_OK;
}

mrw_result mrw_author_rig(mrw_context* context, const mrw_rig_options* options, mrw_document** out, mrw_error* error)
{
    *out = NULL;
    mrw_document* document = mrwi_document_create(context, MRWI_DOCUMENT_RIG);
    if (document == NULL) {
        return mrwi_fail(error, MRW_NO_MEMORY, NULL, NULL);
    }
    mrw_result result = add_bones(document, options);
    result = result == MRW_OK ? add_mesh(document, options) : result;
    result = result == MRW_OK ? add_part(document, options) : result;
    if (result != MRW_OK) {
        mrwi_fail(error, result, NULL, NULL);
    } else {
        // Bones come from the caller and may hold anything.
        result = mrwi_model_desc_check(context, &document->model, error);
    }
    if (result != MRW_OK) {
        mrw_document_release(document);
        return result;
    }
    *out = document;
    return MRW_OK;
}
