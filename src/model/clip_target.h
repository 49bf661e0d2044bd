/// What the tracks of a clip drive, resolved in a model's own tree and part list.
#ifndef MRWI_MODEL_CLIP_TARGET_H
#define MRWI_MODEL_CLIP_TARGET_H

#include "model/clip.h"
#include "model/names.h"

typedef struct mrwi_targets {
    mrwi_names nodes, parts;
    uint32_t node_count, part_count;
} mrwi_targets;

/// A target, or target NONE with the reason. A node path that nothing answers is a NODE target with index -1 and a reason.
typedef struct mrwi_binding {
    mrwi_target target;
    uint8_t field;
    int32_t index;
    mrw_result problem; ///< MRW_OK, or the code of a warning about `member`
    const char *member, *message;
} mrwi_binding;

/// Tables for one model, in `arena`.
mrw_result mrwi_targets_init(mrwi_targets* targets, mrwi_arena* arena, const mrwi_model* model);
mrwi_binding mrwi_targets_find(const mrwi_targets* targets, const mrw_track_desc* track);
/// One number for each field that a resolved binding can drive, below mrwi_targets_slot_count.
size_t mrwi_targets_slot(const mrwi_targets* targets, const mrwi_binding* binding);
size_t mrwi_targets_slot_count(const mrwi_targets* targets);

#endif
