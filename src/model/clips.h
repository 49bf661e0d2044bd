/// The clips of a model: adding, replacing, exact sampling.
#ifndef MRWI_MODEL_CLIPS_H
#define MRWI_MODEL_CLIPS_H

#include "model/model.h"

/// Creates a clip of a description that passes mrwi_clip_check, as a reader's does, and puts it into the model's list, in the place of
/// one with the same name. `warnings` (a reader's) go to the model first. On failure the model is as it was. `out_index` may be NULL.
mrw_result mrwi_model_add_clip(mrwi_model* model, const mrw_clip_desc* desc, const mrw_warning* warnings, uint32_t warning_count,
    bool strict, uint32_t* out_index, mrw_error* error);

#endif
