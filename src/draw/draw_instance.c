#include "draw/coverage.h"
#include "draw/raster.h"
#include "runtime/instance.h"

// Product of two bytes as parts of 255, rounded.
static uint8_t multiply_bytes(uint32_t a, uint32_t b)
{
    return (uint8_t)((a * b + 127) / 255);
}

// One batch a visible part, not one a run: a batch's uvs bound what may be read of the page.
static void prepare_batches(mrw_context* context, const mrwi_instance* instance, mrwi_texture* textures, mrwi_raster_batch* batches)
{
    const mrw_instance_state* state = &instance->state;
    const mrwi_model* model = instance->model;
    for (uint32_t page = 0; page < model->page_count; page++) {
        mrwi_texture_init(&textures[page], context, &model->images[page]);
    }
    for (uint32_t i = 0; i < state->run_count; i++) {
        const mrw_run* run = &state->runs[i];
        bool known = run->page < model->page_count && model->images[run->page].pixels != NULL;
        for (uint32_t k = 0; k < run->part_count; k++) {
            const mrw_part_state* part = &state->parts[run->first_part + k];
            mrwi_raster_batch* batch = batches++;
            *batch = (mrwi_raster_batch) {
                .indices = &state->indices[part->first_index],
                .index_count = part->index_count,
                .texture = known ? &textures[run->page] : NULL,
                .opacity = run->opacity * state->shown.opacity,
                .blend = (mrw_blend_mode)run->blend,
            };
            for (int channel = 0; channel < 3; channel++) {
                int shift = 16 - channel * 8;
                batch->tint[channel] = multiply_bytes(run->color >> shift & 255, state->shown.color >> shift & 255);
            }
        }
    }
}

mrw_result mrw_draw_instance(mrw_context* context, mrw_instance_id id, const mrw_draw_options* options, uint8_t* pixels)
{
    const mrwi_instance* instance = mrwi_instance_get(context, id);
    if (instance == NULL) {
        return MRW_STALE;
    }
    if (options->width == 0 || options->height == 0) {
        return MRW_BAD_ARGUMENT;
    }
    if (options->width > MRWI_COORDINATE_LIMIT || options->height > MRWI_COORDINATE_LIMIT
        || (uint64_t)options->width * options->height > context->limits.image_pixels) {
        return MRW_LIMIT;
    }
    const mrw_instance_state* state = &instance->state;
    bool shows = instance->model != NULL && state->shown.visible != 0;
    uint32_t page_count = shows ? instance->model->page_count : 0;
    uint32_t batch_count = 0;
    for (uint32_t i = 0; shows && i < state->run_count; i++) {
        batch_count += state->runs[i].part_count;
    }
    mrwi_raster_args args = { options->width, options->height, options->background, { 0 }, shows ? state->vertex_count : 0,
        state->positions, state->uvs, batch_count, NULL };
    for (int i = 0; i < 6; i++) {
        // A flip mirrors about the rig's origin, before anything else.
        bool flipped = i < 2 ? state->shown.flip_x != 0 : i < 4 && state->shown.flip_y != 0;
        args.matrix[i] = flipped ? -options->matrix[i] : options->matrix[i];
    }
    mrwi_texture* textures = mrwi_allocate(context, page_count, sizeof *textures);
    mrwi_raster_batch* batches = mrwi_allocate(context, batch_count, sizeof *batches);
    mrw_result result = MRW_NO_MEMORY;
    if (textures != NULL && batches != NULL) {
        if (shows) {
            prepare_batches(context, instance, textures, batches);
        }
        args.batches = batches;
        result = mrwi_raster_draw(context, &args, pixels);
        for (uint32_t page = 0; page < page_count; page++) {
            mrwi_texture_release(&textures[page]);
        }
    }
    mrwi_release(context, batches, batch_count, sizeof *batches);
    mrwi_release(context, textures, page_count, sizeof *textures);
    return result;
}
