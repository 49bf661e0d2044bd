// A model of a description that anybody may have filled: what mrwi_model_build takes for granted is checked or mended here.
#include "base/result.h"
#include "model/build.h"
#include "model/check.h"

// A triangle that is not whole, or of which not all vertices exist.
static bool is_bad(const mrw_mesh_desc* mesh, uint32_t first)
{
    for (uint32_t i = first; i < first + 3; i++) {
        if (i >= mesh->index_count || mesh->indices[i] >= mesh->vertex_count) {
            return true;
        }
    }
    return false;
}

// Copies the meshes without their bad triangles.
static mrw_result mend_meshes(mrwi_arena* arena, mrw_model_desc* desc)
{
    mrw_mesh_desc* meshes = mrwi_arena_allocate(arena, desc->mesh_count, sizeof *meshes);
    for (uint32_t i = 0; meshes != NULL && i < desc->mesh_count; i++) {
        const mrw_mesh_desc* mesh = &desc->meshes[i];
        uint32_t* indices = mrwi_arena_allocate(arena, mesh->index_count, sizeof *indices);
        uint32_t count = 0;
        for (uint32_t first = 0; indices != NULL && first < mesh->index_count; first += 3) {
            for (uint32_t k = 0; k < 3 && !is_bad(mesh, first); k++) {
                indices[count++] = mesh->indices[first + k];
            }
        }
        meshes[i] = *mesh;
        meshes[i].indices = indices;
        meshes[i].index_count = count;
    }
    desc->meshes = meshes;
    return arena->failed ? MRW_NO_MEMORY : MRW_OK;
}

// Warns of the parts' bad triangles; without a model the first one is an error.
static mrw_result report_triangles(const mrw_model_desc* desc, mrwi_model* model, mrw_error* error)
{
    mrw_result result = MRW_OK;
    for (uint32_t part = 0; part < desc->part_count; part++) {
        const mrw_mesh_desc* mesh = desc->parts[part].mesh >= 0 ? &desc->meshes[desc->parts[part].mesh] : NULL;
        for (uint32_t first = 0; mesh != NULL && first < mesh->index_count && result == MRW_OK; first += 3) {
            if (!is_bad(mesh, first)) {
                continue;
            }
            char path[64];
            if (desc->file_version == 1) {
                mrwi_format(path, sizeof path, "$.mesh.tris[%u]", first);
            } else {
                mrwi_format(path, sizeof path, "$.parts[%u].mesh.tris[%u]", part, first);
            }
            const bool is_whole = mesh->index_count - first >= 3;
            const mrw_result code = is_whole ? MRW_BAD_INDEX : MRW_BAD_COUNT;
            const char* message = is_whole ? "a triangle names a vertex that does not exist; it is dropped"
                                           : "the last triangle is incomplete; it is dropped";
            result = model == NULL ? mrwi_fail(error, code, path, "%s", message) : mrwi_model_warn(model, code, path, message);
        }
    }
    return result;
}

mrw_result mrw_model_create(
    mrw_context* context, const mrw_model_desc* desc, const mrw_load_options* options, mrw_model_id* out, mrw_error* error)
{
    out->value = 0;
    mrw_result result = mrwi_model_desc_check(context, desc, error);
    if (result == MRW_OK && options != NULL && options->strict) {
        result = report_triangles(desc, NULL, error);
    }
    if (result != MRW_OK) {
        return result;
    }
    mrwi_arena arena;
    mrwi_arena_init(&arena, context);
    mrw_model_desc mended = *desc;
    result = mend_meshes(&arena, &mended);
    result = result == MRW_OK ? mrwi_model_build(context, &mended, out, error) : mrwi_fail(error, result, NULL, NULL);
    mrwi_arena_release(&arena);
    if (result == MRW_OK && report_triangles(desc, mrwi_model_get(context, *out), NULL) != MRW_OK) {
        mrw_model_release(context, *out);
        out->value = 0;
        result = mrwi_fail(error, MRW_NO_MEMORY, NULL, NULL);
    }
    return result;
}
