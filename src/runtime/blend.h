/// Writing the values of one clip over the fields that are there already.
#ifndef MRWI_RUNTIME_BLEND_H
#define MRWI_RUNTIME_BLEND_H

#include "runtime/player.h"

/// The fields that clips drive: rows of `stride` floats (mrw_field), parts by draw order, the view.
typedef struct mrwi_sink {
    float* rows;
    uint32_t stride, part_count;
    mrwi_part_base* parts; ///< NULL when no clip in play drives a part
    mrw_view_fields* view;
} mrwi_sink;

/// Marks say which fields something drives: a byte an entry, a bit a field.
typedef struct mrwi_blend {
    float weight;
    const uint8_t* mask;    ///< one byte an entry, 0 leaves it alone; NULL: all
    const float* reference; ///< channel values whose difference from the clip's is added; NULL: the clip replaces
    const uint8_t* partner; ///< marks: fields outside them take the clip at full strength; NULL: all are blended
} mrwi_blend;

/// Writes the player's last evaluation over `sink`.
void mrwi_blend_player(const mrwi_sink* sink, const mrwi_clip* clip, const mrwi_player* player, const mrwi_blend* how);
/// Marks what the player drives.
void mrwi_blend_mark(uint8_t* marks, const mrwi_clip* clip, const mrwi_player* player);
/// Moves every field of `marks` that is not in `except` (may be NULL) towards its value in `other` by `weight`; 1 copies. Nodes
/// below the smaller stride only.
void mrwi_blend_toward(const mrwi_sink* sink, const mrwi_sink* other, const uint8_t* marks, const uint8_t* except, float weight);

#endif
