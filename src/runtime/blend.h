/// Writing the values of one clip over the fields that are there already.
#ifndef MRWI_RUNTIME_BLEND_H
#define MRWI_RUNTIME_BLEND_H

#include "runtime/player.h"

/// The fields that clips drive: rows of `stride` floats (mrw_field), parts by draw order, the view.
typedef struct mrwi_sink {
    float* rows;
    uint32_t stride;
    mrwi_part_base* parts; ///< NULL when no clip in play drives a part
    mrw_view_fields* view;
} mrwi_sink;

/// Which fields something drives: bits by mrw_field a node, by mrwi_part_field a part, by mrwi_view_field.
typedef struct mrwi_marks {
    uint8_t *nodes, *parts;
    uint32_t node_capacity, part_capacity;
    uint8_t view;
} mrwi_marks;

typedef struct mrwi_blend {
    float weight;
    const uint8_t* mask;       ///< one byte a node, 0 leaves it alone; NULL: all
    const float* reference;    ///< channel values whose difference from the clip's is added; NULL: the clip replaces
    const mrwi_marks* partner; ///< fields outside it take the clip at full strength; NULL: all are blended
} mrwi_blend;

/// Writes the player's last evaluation over `sink`.
void mrwi_blend_player(const mrwi_sink* sink, const mrwi_clip* clip, const mrwi_player* player, const mrwi_blend* how);
/// Marks what the player drives.
void mrwi_blend_mark(mrwi_marks* marks, const mrwi_clip* clip, const mrwi_player* player);
/// Moves every field of `marks` that is not in `except` (may be NULL) towards its value in `other` by `weight`; 1 copies. Parts
/// below `part_count` only, nodes below the smaller stride.
void mrwi_blend_toward(
    const mrwi_sink* sink, const mrwi_sink* other, const mrwi_marks* marks, const mrwi_marks* except, uint32_t part_count, float weight);

#endif
