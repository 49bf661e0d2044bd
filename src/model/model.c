#include "model/model.h"

#include <string.h>

// A page number is the caller's own, but images lie in an array by page.
#define PAGE_LIMIT 65536u
#define WARNING_LIMIT 1000u

mrwi_model* mrwi_model_get(const mrw_context* context, mrw_model_id id)
{
    return mrwi_slots_get(&context->models, id.value);
}

static size_t image_size(const mrw_image* image)
{
    return (size_t)image->width * image->height * 4;
}

void mrwi_model_destroy(mrw_context* context, void* object)
{
    mrwi_model* model = object;
    while (model->first_instance != NULL) {
        context->destroy_instance(model->first_instance);
    }
    for (uint32_t i = 0; i < model->clip_count; i++) {
        mrwi_clip_release(model->clips[i]);
    }
    mrwi_release(context, model->clips, model->clip_capacity, sizeof(mrwi_clip*));
    for (uint32_t i = 0; i < model->page_count; i++) {
        mrwi_release(context, model->images[i].pixels, image_size(&model->images[i]), 1);
    }
    mrwi_release(context, model->images, model->page_count, sizeof(mrw_image));
    // The model lies in its own arena.
    mrwi_arena arena = model->arena;
    mrwi_arena_release(&arena);
}

mrw_result mrw_model_release(mrw_context* context, mrw_model_id id)
{
    mrwi_model* model = mrwi_model_get(context, id);
    if (model == NULL) {
        return MRW_STALE;
    }
    mrwi_model_destroy(context, model);
    mrwi_slots_remove(&context->models, id.value);
    return MRW_OK;
}

mrw_result mrwi_model_warn(mrwi_model* model, mrw_result code, const char* path, const char* message)
{
    if (model->warning_count > WARNING_LIMIT) {
        return MRW_OK;
    }
    // A reader's own count of what it does not list is kept.
    if (model->warning_count == WARNING_LIMIT && code != MRW_LIMIT) {
        code = MRW_LIMIT;
        path = "$";
        message = "there are more repairs than are listed";
    }
    path = path != NULL ? path : "$";
    message = message != NULL ? message : "";
    if (model->warning_count == model->warning_capacity) {
        // The outgrown list stays in the arena; together they are smaller than the next one.
        uint32_t capacity = model->warning_capacity > 0 ? model->warning_capacity * 2 : 8;
        mrw_warning* warnings = mrwi_arena_allocate(&model->arena, capacity, sizeof *warnings);
        if (warnings == NULL) {
            return MRW_NO_MEMORY;
        }
        if (model->warning_count > 0) {
            memcpy(warnings, model->warnings, model->warning_count * sizeof *warnings);
        }
        model->warnings = warnings;
        model->warning_capacity = capacity;
    }
    mrw_warning* warning = &model->warnings[model->warning_count];
    warning->code = code;
    warning->path = mrwi_arena_text(&model->arena, path, strlen(path));
    warning->message = mrwi_arena_text(&model->arena, message, strlen(message));
    if (warning->path == NULL || warning->message == NULL) {
        return MRW_NO_MEMORY;
    }
    model->warning_count++;
    return MRW_OK;
}

static mrw_result reserve_page(mrwi_model* model, uint32_t page)
{
    if (page < model->page_count) {
        return MRW_OK;
    }
    mrw_image* images = mrwi_reallocate(model->context, model->images, model->page_count, (size_t)page + 1, sizeof *images);
    if (images == NULL) {
        return MRW_NO_MEMORY;
    }
    model->images = images;
    model->page_count = page + 1;
    return MRW_OK;
}

mrw_result mrw_model_set_image(mrw_context* context, mrw_model_id id, uint32_t page, uint32_t width, uint32_t height, const uint8_t* pixels)
{
    mrwi_model* model = mrwi_model_get(context, id);
    if (model == NULL) {
        return MRW_STALE;
    }
    if (pixels != NULL && (width == 0 || height == 0)) {
        return MRW_BAD_ARGUMENT;
    }
    if (pixels != NULL && (page >= PAGE_LIMIT || (uint64_t)width * height > context->limits.image_pixels)) {
        return MRW_LIMIT;
    }
    mrw_image image = { 0 };
    if (pixels != NULL) {
        size_t size = 0;
        if (!mrwi_size_multiply(width, height, &size) || !mrwi_size_multiply(size, 4, &size) || reserve_page(model, page) != MRW_OK) {
            return MRW_NO_MEMORY;
        }
        image = (mrw_image) { width, height, mrwi_allocate(context, size, 1) };
        if (image.pixels == NULL) {
            return MRW_NO_MEMORY;
        }
        memcpy(image.pixels, pixels, size);
    }
    if (page < model->page_count) {
        mrwi_release(context, model->images[page].pixels, image_size(&model->images[page]), 1);
        model->images[page] = image;
    }
    return MRW_OK;
}

mrw_result mrw_model_images(mrw_context* context, mrw_model_id id, uint32_t* out_count, const mrw_image** out_images)
{
    const mrwi_model* model = mrwi_model_get(context, id);
    if (model == NULL) {
        return MRW_STALE;
    }
    *out_count = model->page_count;
    *out_images = model->images;
    return MRW_OK;
}

mrw_result mrw_model_influences(mrw_context* context, mrw_model_id id, uint32_t part, uint32_t* out_vertex_count,
    const uint32_t** out_first, const uint32_t** out_joint, const float** out_weight)
{
    const mrwi_model* model = mrwi_model_get(context, id);
    if (model == NULL) {
        return MRW_STALE;
    }
    if (part >= model->part_count) {
        return MRW_BAD_ARGUMENT;
    }
    const mrwi_influences* influences = &model->parts[part].influences;
    *out_vertex_count = influences->vertex_count;
    *out_first = influences->first;
    *out_joint = influences->joint;
    *out_weight = influences->weight;
    return MRW_OK;
}
