#include "model/model.h"

#include <math.h>
#include <string.h>

void mrw_frame_uvs(const float* uvs, uint32_t count, const mrw_frame* frame, float* out)
{
    if (frame == NULL) {
        memmove(out, uvs, (size_t)count * 2 * sizeof(float));
        return;
    }
    // Sizes of the stored picture as it stood before it was turned.
    const bool rotated = frame->rotated;
    double width = (double)(rotated ? frame->height : frame->width);
    double height = (double)(rotated ? frame->width : frame->height);
    double source_width = frame->source_width > 0 ? (double)frame->source_width : width;
    double source_height = frame->source_height > 0 ? (double)frame->source_height : height;
    double page_width = (double)frame->page_width, page_height = (double)frame->page_height;
    double trim_x = (double)frame->trim_x, trim_y = (double)frame->trim_y;
    // Both maps are u' = u0 + scale * (u or v). A clockwise turn takes the picture's (x, y) to (height - y, x) of the frame.
    double scale_u = (rotated ? -source_height : source_width) / page_width;
    double scale_v = (rotated ? source_width : source_height) / page_height;
    double u0 = (rotated ? (double)frame->x + height + trim_y : (double)frame->x - trim_x) / page_width;
    double v0 = ((double)frame->y - (rotated ? trim_x : trim_y)) / page_height;
    for (size_t i = 0; i < count; i++) {
        double u = (double)uvs[i * 2], v = (double)uvs[i * 2 + 1];
        out[i * 2] = (float)(u0 + scale_u * (rotated ? v : u));
        out[i * 2 + 1] = (float)(v0 + scale_v * (rotated ? u : v));
    }
}

static bool is_sound(const mrw_frame* frame)
{
    // No sum of floats overflows in f64: it is finite when all of them are.
    double sum = (double)frame->page_width + (double)frame->page_height + (double)frame->x + (double)frame->y + (double)frame->width
        + (double)frame->height + (double)frame->trim_x + (double)frame->trim_y + (double)frame->source_width
        + (double)frame->source_height;
    return isfinite(sum) && frame->page_width > 0 && frame->page_height > 0 && frame->width > 0 && frame->height > 0
        && frame->source_width >= 0 && frame->source_height >= 0;
}

mrw_result mrw_model_set_frame(mrw_context* context, mrw_model_id id, uint32_t sprite, const mrw_frame* frame)
{
    mrwi_model* model = mrwi_model_get(context, id);
    if (model == NULL) {
        return MRW_STALE;
    }
    if (sprite >= model->sprite_count || (frame != NULL && !is_sound(frame))) {
        return MRW_BAD_ARGUMENT;
    }
    mrwi_sprite* target = &model->sprites[sprite];
    target->has_frame = frame != NULL;
    target->frame = frame != NULL ? *frame : (mrw_frame) { 0 };
    target->page = frame != NULL ? frame->page : sprite;
    for (uint32_t i = 0; i < model->part_count; i++) {
        const mrwi_part* part = &model->parts[i];
        if (part->sprite == (int32_t)sprite) {
            size_t first = (size_t)part->first_vertex * 2;
            mrw_frame_uvs(model->local_uvs + first, part->vertex_count, frame, model->uvs + first);
        }
    }
    model->uv_version++;
    return MRW_OK;
}
