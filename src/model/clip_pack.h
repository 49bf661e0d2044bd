/// Packs the description of a clip for a model.
#ifndef MRWI_MODEL_CLIP_PACK_H
#define MRWI_MODEL_CLIP_PACK_H

#include "model/model.h"

/// Packs a description that passes mrwi_clip_check for a model. Tracks that drive nothing known are skipped with a warning, appended to
/// the model's; `strict` makes the first of them the error.
mrw_result mrwi_clip_create(mrwi_model* model, const mrw_clip_desc* desc, bool strict, mrwi_clip** out, mrw_error* error);

#endif
