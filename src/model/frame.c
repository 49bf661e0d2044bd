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
    double width = (double)(frame->rotated ? frame->height : frame->width);
    double height = (double)(frame->rotated ? frame->width : frame->height);
    double source_width = frame->source_width > 0 ? (double)frame->source_width : width;
    double source_height = frame->source_height > 0 ? (double)frame->source_height : height;
    double page_width = (double)frame->page_width, page_height = (double)frame->page_height;

    // Both maps are u' = u0 + scale * (u or v). A clockwise turn takes the picture's (x, y) to (height - y, x) of the frame.
    double u0, v0, scale_u, scale_v;
    if (frame->rotated) {
        u0 = ((double)frame->x + height + (double)frame->trim_y) / page_width;
        v0 = ((double)frame->y - (double)frame->trim_x) / page_height;
        scale_u = -source_height / page_width;
        scale_v = source_width / page_height;
    } else {
        u0 = ((double)frame->x - (double)frame->trim_x) / page_width;
        v0 = ((double)frame->y - (double)frame->trim_y) / page_height;
        scale_u = source_width / page_width;
        scale_v = source_height / page_height;
    }
    for (size_t i = 0; i < count; i++) {
        double u = (double)uvs[i * 2], v = (double)uvs[i * 2 + 1];
        out[i * 2] = (float)(u0 + scale_u * (frame->rotated ? v : u));
        out[i * 2 + 1] = (float)(v0 + scale_v * (frame->rotated ? u : v));
    }
}

static bool is_sound(const mrw_frame* frame)
{
    const float all[] = { frame->page_width, frame->page_height, frame->x, frame->y, frame->width, frame->height, frame->trim_x,
        frame->trim_y, frame->source_width, frame->source_height };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (!isfinite(all[i])) {
            return false;
        }
    }
    return frame->page_width > 0 && frame->page_height > 0 && frame->width > 0 && frame->height > 0 && frame->source_width >= 0
        && frame->source_height >= 0;
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
