// Description to packed model: the check, the builder's steps in their order, the id.
#include "base/result.h"
#include "model/build.h"

// What is kept of the description beside nodes, skins and parts.
static mrw_result build_head(mrwi_build* build)
{
    const mrw_model_desc* desc = build->desc;
    mrwi_model* model = build->model;
    model->guid = desc->id != NULL ? mrwi_build_text(build, desc->id) : NULL;
    model->file_version = desc->file_version;
    model->stated_version = desc->stated_version;
    mrw_asset_path* assets = mrwi_build_keep(build, desc->asset_count, sizeof *assets);
    if (assets == NULL) {
        return MRW_NO_MEMORY;
    }
    for (uint32_t i = 0; i < desc->asset_count; i++) {
        assets[i].guid = mrwi_build_text(build, desc->assets[i].guid);
        assets[i].path = mrwi_build_text(build, desc->assets[i].path);
    }
    model->assets = assets;
    model->asset_count = desc->asset_count;
    for (uint32_t i = 0; i < desc->warning_count; i++) {
        const mrw_warning* warning = &desc->warnings[i];
        mrwi_model_warn(model, warning->code, warning->path, warning->message);
    }
    return MRW_OK;
}

static mrwi_model* create_empty(mrw_context* context)
{
    mrwi_arena arena;
    mrwi_arena_init(&arena, context);
    mrwi_model* model = mrwi_arena_allocate(&arena, 1, sizeof *model);
    if (model == NULL) {
        mrwi_arena_release(&arena);
        return NULL;
    }
    model->context = context;
    model->arena = arena;
    return model;
}

static mrw_result build_all(mrwi_build* build)
{
    mrw_result result = build_head(build);
    result = result == MRW_OK ? mrwi_build_nodes(build) : result;
    result = result == MRW_OK ? mrwi_build_influences(build) : result;
    result = result == MRW_OK ? mrwi_build_skins(build) : result;
    result = result == MRW_OK ? mrwi_build_parts(build) : result;
    return result == MRW_OK ? mrwi_build_memory(build) : result; // of texts, which no step waits for
}

mrw_result mrwi_model_build(mrw_context* context, const mrw_model_desc* desc, mrw_model_id* out, mrw_error* error)
{
    out->value = 0;
    mrwi_build build = { .desc = desc, .model = create_empty(context) };
    if (build.model == NULL) {
        return mrwi_fail(error, MRW_NO_MEMORY, NULL, NULL);
    }
    mrwi_arena_init(&build.scratch, context);
    mrw_result result = build_all(&build);
    mrwi_arena_release(&build.scratch);
    if (result == MRW_OK) {
        build.model->id.value = out->value = mrwi_slots_add(context, &context->models, build.model);
    }
    if (out->value == 0) {
        mrwi_model_destroy(context, build.model);
        return mrwi_fail(error, result == MRW_OK ? MRW_NO_MEMORY : result, NULL, NULL);
    }
    context->destroy_model = mrwi_model_destroy;
    return MRW_OK;
}
