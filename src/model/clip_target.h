/// What the tracks of a clip drive, resolved in a model's own tree and part list.
#ifndef MRWI_MODEL_CLIP_TARGET_H
#define MRWI_MODEL_CLIP_TARGET_H

#include "model/clip.h"
#include "model/names.h"

typedef struct mrwi_targets {
    mrwi_names nodes, parts;
    size_t node_count, part_count;
} mrwi_targets;

/// Tables for one model, in `arena`.
mrw_result mrwi_targets_init(mrwi_targets* targets, mrwi_arena* arena, const mrwi_model* model);
/// Finds what the names of `track` mean, and its type fits. Else returns the code of a warning about `out_member`; the target is NONE
/// then, but for a node path that nothing answers, which is a NODE target with index -1.
mrw_result mrwi_targets_find(const mrwi_targets* targets, mrwi_track* track, const char** out_member, const char** out_message);
/// One number for each field that a resolved track can drive, below mrwi_targets_slot_count: nodes first, by field, then node.
size_t mrwi_targets_slot(const mrwi_targets* targets, const mrwi_track* track);
size_t mrwi_targets_slot_count(const mrwi_targets* targets);

#endif
