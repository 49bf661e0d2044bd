#include "model/document.h"

#include "model/check.h"

#include <string.h>

mrw_document* mrwi_document_create(mrw_context* context, mrwi_document_kind kind)
{
    mrwi_arena arena;
    mrwi_arena_init(&arena, context);
    mrw_document* document = mrwi_arena_allocate(&arena, 1, sizeof *document);
    if (document == NULL) {
        mrwi_arena_release(&arena);
        return NULL;
    }
    document->arena = arena;
    document->kind = kind;
    document->model.stated_version = -1;
    return document;
}

void mrw_document_release(mrw_document* document)
{
    if (document != NULL) {
        // The document lies in its own arena.
        mrwi_arena arena = document->arena;
        mrwi_arena_release(&arena);
    }
}

const mrw_model_desc* mrw_document_model(const mrw_document* document)
{
    return document != NULL && document->kind == MRWI_DOCUMENT_RIG ? &document->model : NULL;
}

const mrw_clip_desc* mrw_document_clip(const mrw_document* document)
{
    return document != NULL && document->kind == MRWI_DOCUMENT_CLIP ? &document->clip : NULL;
}

uint32_t mrw_document_warnings(const mrw_document* document, const mrw_warning** out)
{
    *out = document != NULL ? document->warnings : NULL;
    return document != NULL ? document->warning_count : 0;
}

// Copies into an arena and remembers whether one of many allocations failed.
typedef struct copier {
    mrwi_arena* arena;
    bool failed;
} copier;

static char* copy_text(copier* to, const char* text)
{
    if (text == NULL) {
        return NULL;
    }
    char* copy = mrwi_arena_text(to->arena, text, strlen(text));
    to->failed |= copy == NULL;
    return copy;
}

static void* copy_block(copier* to, const void* block, size_t count, size_t size)
{
    if (block == NULL) {
        return NULL;
    }
    // An empty list is not the same as no list.
    void* copy = mrwi_arena_allocate(to->arena, count > 0 ? count : 1, size);
    if (copy == NULL) {
        to->failed = true;
        return NULL;
    }
    memcpy(copy, block, count * size);
    return copy;
}

static void copy_nodes(copier* to, const mrw_model_desc* src, mrw_model_desc* dst)
{
    mrw_node_desc* nodes = copy_block(to, src->nodes, src->node_count, sizeof *nodes);
    for (uint32_t i = 0; nodes != NULL && i < src->node_count; i++) {
        nodes[i].name = copy_text(to, nodes[i].name);
        nodes[i].extras = copy_text(to, nodes[i].extras);
    }
    dst->nodes = nodes;
}

static void copy_meshes(copier* to, const mrw_model_desc* src, mrw_model_desc* dst)
{
    mrw_mesh_desc* meshes = copy_block(to, src->meshes, src->mesh_count, sizeof *meshes);
    for (uint32_t i = 0; meshes != NULL && i < src->mesh_count; i++) {
        mrw_mesh_desc* mesh = &meshes[i];
        bool has_influences = mesh->influence_first != NULL;
        mesh->positions = copy_block(to, mesh->positions, mesh->vertex_count, 2 * sizeof(float));
        mesh->uvs = copy_block(to, mesh->uvs, mesh->vertex_count, 2 * sizeof(float));
        mesh->indices = copy_block(to, mesh->indices, mesh->index_count, sizeof(uint32_t));
        mesh->influence_first = copy_block(to, mesh->influence_first, (size_t)mesh->vertex_count + 1, sizeof(uint32_t));
        mesh->influence_count = has_influences ? mesh->influence_count : 0;
        mesh->influence_joint = copy_block(to, mesh->influence_joint, mesh->influence_count, sizeof(uint32_t));
        mesh->influence_weight = copy_block(to, mesh->influence_weight, mesh->influence_count, sizeof(double));
    }
    dst->meshes = meshes;
}

static void copy_skins(copier* to, const mrw_model_desc* src, mrw_model_desc* dst)
{
    mrw_skin_desc* skins = copy_block(to, src->skins, src->skin_count, sizeof *skins);
    for (uint32_t i = 0; skins != NULL && i < src->skin_count; i++) {
        uint32_t joint_count = mrwi_skin_joint_count(src, (int32_t)i);
        bool all_nodes = skins[i].joints == NULL;
        skins[i].joints = copy_block(to, skins[i].joints, joint_count, sizeof(uint32_t));
        skins[i].inverse_binds = copy_block(to, skins[i].inverse_binds, joint_count, 6 * sizeof(double));
        skins[i].joint_count = all_nodes ? 0 : joint_count;
    }
    dst->skins = skins;
}

static void copy_parts(copier* to, const mrw_model_desc* src, mrw_model_desc* dst)
{
    mrw_part_desc* parts = copy_block(to, src->parts, src->part_count, sizeof *parts);
    for (uint32_t i = 0; parts != NULL && i < src->part_count; i++) {
        parts[i].name = copy_text(to, parts[i].name);
        parts[i].sprite = copy_text(to, parts[i].sprite);
        parts[i].extras = copy_text(to, parts[i].extras);
        parts[i].mesh_extras = copy_text(to, parts[i].mesh_extras);
    }
    dst->parts = parts;
}

static void copy_lists(copier* to, const mrw_model_desc* src, mrw_model_desc* dst)
{
    mrw_asset_path* assets = copy_block(to, src->assets, src->asset_count, sizeof *assets);
    for (uint32_t i = 0; assets != NULL && i < src->asset_count; i++) {
        assets[i].guid = copy_text(to, assets[i].guid);
        assets[i].path = copy_text(to, assets[i].path);
    }
    dst->assets = assets;
    mrw_warning* warnings = copy_block(to, src->warnings, src->warning_count, sizeof *warnings);
    for (uint32_t i = 0; warnings != NULL && i < src->warning_count; i++) {
        warnings[i].path = copy_text(to, warnings[i].path);
        warnings[i].message = copy_text(to, warnings[i].message);
    }
    dst->warnings = warnings;
}

mrw_result mrw_document_from_model_desc(mrw_context* context, const mrw_model_desc* desc, mrw_document** out)
{
    *out = NULL;
    mrw_result result = mrwi_model_desc_check(context, desc, NULL);
    if (result != MRW_OK) {
        return result;
    }
    mrw_document* document = mrwi_document_create(context, MRWI_DOCUMENT_RIG);
    if (document == NULL) {
        return MRW_NO_MEMORY;
    }
    copier to = { &document->arena, false };
    mrw_model_desc* model = &document->model;
    *model = *desc;
    model->id = copy_text(&to, desc->id);
    model->extras = copy_text(&to, desc->extras);
    copy_nodes(&to, desc, model);
    copy_meshes(&to, desc, model);
    copy_skins(&to, desc, model);
    copy_parts(&to, desc, model);
    copy_lists(&to, desc, model);
    if (to.failed) {
        mrw_document_release(document);
        return MRW_NO_MEMORY;
    }
    document->warnings = model->warnings;
    document->warning_count = model->warning_count;
    *out = document;
    return MRW_OK;
}
