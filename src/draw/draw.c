#include "base/context.h"
#include "draw/coverage.h"
#include "draw/raster.h"
#include "runtime/instance.h"

// Product of two bytes as parts of 255, rounded.
static uint8_t multiply_bytes(uint32_t a, uint32_t b)
{
    return (uint8_t)((a * b + 127) / 255);
}

// One batch a visible part, not one a run: a batch's uvs bound what may be read of the page.
static void prepare_batches(mrw_context* context, const mrw_shown* shown, mrwi_texture* textures, mrwi_raster_batch* batches)
{
    for (uint32_t page = 0; page < shown->page_count; page++) {
        mrwi_texture_init(&textures[page], context, &shown->pages[page]);
    }
    for (uint32_t i = 0; i < shown->run_count; i++) {
        const mrw_run* run = &shown->runs[i];
        bool known = run->page < shown->page_count && shown->pages[run->page].pixels != NULL;
        for (uint32_t k = 0; k < run->part_count; k++) {
            const mrw_part_state* part = &shown->parts[run->first_part + k];
            mrwi_raster_batch* batch = batches++;
            *batch = (mrwi_raster_batch) {
                .indices = &shown->indices[part->first_index],
                .index_count = part->index_count,
                .texture = known ? &textures[run->page] : NULL,
                .opacity = run->opacity * shown->view.opacity,
                .blend = (mrw_blend_mode)run->blend,
            };
            for (int channel = 0; channel < 3; channel++) {
                int shift = 16 - channel * 8;
                batch->tint[channel] = multiply_bytes(run->color >> shift & 255, shown->view.color >> shift & 255);
            }
        }
    }
}

static mrw_result check_size(const mrw_context* context, const mrw_draw_options* options)
{
    if (options->width == 0 || options->height == 0) {
        return MRW_BAD_ARGUMENT;
    }
    bool fits = options->width <= MRWI_COORDINATE_LIMIT && options->height <= MRWI_COORDINATE_LIMIT
        && (uint64_t)options->width * options->height <= context->limits.image_pixels;
    return fits ? MRW_OK : MRW_LIMIT;
}

mrw_result mrw_draw(mrw_context* context, const mrw_shown* shown, const mrw_draw_options* options, uint8_t* pixels)
{
    static const mrw_shown nothing;
    mrw_result result = check_size(context, options);
    if (result != MRW_OK) {
        return result;
    }
    if (shown->view.visible == 0) {
        shown = &nothing;
    }
    uint32_t batch_count = 0;
    for (uint32_t i = 0; i < shown->run_count; i++) {
        batch_count += shown->runs[i].part_count;
    }
    mrwi_raster_args args = { options->width, options->height, options->background, { 0 }, shown->vertex_count, shown->positions,
        shown->uvs, batch_count, NULL };
    for (int i = 0; i < 6; i++) {
        // A flip mirrors about the rig's origin, before anything else.
        bool flipped = i < 2 ? shown->view.flip_x != 0 : i < 4 && shown->view.flip_y != 0;
        args.matrix[i] = flipped ? -options->matrix[i] : options->matrix[i];
    }
    mrwi_texture* textures = mrwi_allocate(context, shown->page_count, sizeof *textures);
    mrwi_raster_batch* batches = mrwi_allocate(context, batch_count, sizeof *batches);
    result = MRW_NO_MEMORY;
    if (textures != NULL && batches != NULL) {
        prepare_batches(context, shown, textures, batches);
        args.batches = batches;
        result = mrwi_raster_draw(context, &args, pixels);
        for (uint32_t page = 0; page < shown->page_count; page++) {
            mrwi_texture_release(&textures[page]);
        }
    }
    mrwi_release(context, batches, batch_count, sizeof *batches);
    mrwi_release(context, textures, shown->page_count, sizeof *textures);
    return result;
}

mrw_result mrw_draw_instance(mrw_context* context, mrw_instance_id id, const mrw_draw_options* options, uint8_t* pixels)
{
    const mrwi_instance* instance = mrwi_instance_get(context, id);
    if (instance == NULL) {
        return MRW_STALE;
    }
    const mrw_instance_state* state = &instance->state;
    mrw_shown shown = { 0 };
    if (instance->model != NULL) {
        shown = (mrw_shown) { state->vertex_count, state->run_count, instance->model->page_count, state->positions, state->uvs,
            state->indices, state->runs, state->parts, instance->model->images, state->shown };
    }
    return mrw_draw(context, &shown, options, pixels);
}
