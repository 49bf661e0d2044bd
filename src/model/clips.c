#include "model/clips.h"

#include "base/result.h"
#include "model/clip_check.h"
#include "model/clip_pack.h"
#include "model/curve.h"

#include <string.h>

static uint32_t find_clip(const mrwi_model* model, const char* name)
{
    uint32_t index = 0;
    while (index < model->clip_count && strcmp(model->clips[index]->name, name) != 0) {
        index++;
    }
    return index;
}

static mrw_result reserve(mrwi_model* model)
{
    if (model->clip_count < model->clip_capacity) {
        return MRW_OK;
    }
    uint32_t capacity = model->clip_capacity == 0 ? 8 : 2 * model->clip_capacity;
    mrwi_clip** clips = mrwi_reallocate(model->context, model->clips, model->clip_capacity, capacity, sizeof(mrwi_clip*));
    if (clips == NULL) {
        return MRW_NO_MEMORY;
    }
    model->clips = clips;
    model->clip_capacity = capacity;
    return MRW_OK;
}

/// Puts the clip at `index` and lets the runtime make room for it; takes it back when that fails.
static mrw_result place(mrwi_model* model, uint32_t index, mrwi_clip* clip)
{
    mrw_context* context = model->context;
    bool is_new = index == model->clip_count;
    mrwi_clip* old = is_new ? NULL : model->clips[index];
    model->clips[index] = clip;
    model->clip_count += is_new ? 1 : 0;
    mrw_result result = context->clip_changed == NULL ? MRW_OK : context->clip_changed(model, index);
    if (result == MRW_OK) {
        mrwi_clip_release(old);
        return MRW_OK;
    }
    if (is_new) {
        model->clip_count--;
    } else {
        model->clips[index] = old;
        context->clip_changed(model, index);
    }
    return result;
}

static mrw_result add_clip(mrwi_model* model, const mrw_clip_desc* desc, const mrw_warning* warnings, uint32_t warning_count, bool strict,
    uint32_t* out_index, mrw_error* error)
{
    for (uint32_t i = 0; i < warning_count; i++) {
        if (mrwi_model_warn(model, warnings[i].code, warnings[i].path, warnings[i].message) != MRW_OK) {
            return mrwi_fail(error, MRW_NO_MEMORY, NULL, NULL);
        }
    }
    uint32_t index = find_clip(model, desc->name == NULL ? "" : desc->name);
    if (index == model->clip_count) {
        if (model->clip_count >= model->context->limits.clips) {
            return mrwi_fail(error, MRW_LIMIT, NULL, "the model has %u clips already", model->clip_count);
        }
        if (reserve(model) != MRW_OK) {
            return mrwi_fail(error, MRW_NO_MEMORY, NULL, NULL);
        }
    }
    mrwi_clip* clip = NULL;
    mrw_result result = mrwi_clip_create(model, desc, strict, &clip, error);
    if (result != MRW_OK) {
        return result;
    }
    result = place(model, index, clip);
    if (result != MRW_OK) {
        mrwi_clip_release(clip);
        return mrwi_fail(error, result, NULL, NULL);
    }
    if (out_index != NULL) {
        *out_index = index;
    }
    return MRW_OK;
}

mrw_result mrwi_model_add_clip(mrwi_model* model, const mrw_clip_desc* desc, const mrw_warning* warnings, uint32_t warning_count,
    bool strict, uint32_t* out_index, mrw_error* error)
{
    uint32_t warnings_before = model->warning_count;
    mrw_result result = add_clip(model, desc, warnings, warning_count, strict, out_index, error);
    if (result != MRW_OK) {
        model->warning_count = warnings_before;
    }
    return result;
}

MRW_API mrw_result mrw_model_add_clip_desc(
    mrw_context* context, mrw_model_id model, const mrw_clip_desc* desc, uint32_t* out_index, mrw_error* error)
{
    mrwi_model* found = mrwi_model_get(context, model);
    if (found == NULL) {
        return mrwi_fail(error, MRW_STALE, NULL, NULL);
    }
    if (desc == NULL) {
        return mrwi_fail(error, MRW_BAD_ARGUMENT, NULL, NULL);
    }
    mrw_result result = mrwi_clip_check(desc, error);
    return result != MRW_OK ? result : mrwi_model_add_clip(found, desc, NULL, 0, false, out_index, error);
}

MRW_API mrw_result mrw_clip_sample(mrw_context* context, mrw_model_id model, uint32_t clip, uint32_t track, double time, double* out)
{
    const mrwi_model* found = mrwi_model_get(context, model);
    if (found == NULL) {
        return MRW_STALE;
    }
    if (clip >= found->clip_count) {
        return MRW_BAD_INDEX;
    }
    const mrwi_clip* sampled = found->clips[clip];
    if (track >= sampled->track_count) {
        return MRW_BAD_INDEX;
    }
    const mrwi_track* at = &sampled->tracks[sampled->track_of_file_index[track]];
    *out = mrw_curve_sample(at->keys, at->key_count, (mrw_track_type)at->type, time);
    return MRW_OK;
}
