#include "model/clip.h"

#include <math.h>

float mrwi_tame_scale(uint32_t node_count)
{
    // The product of all scales is at most 2^64.
    float scale = 2.0f;
    for (uint32_t count = 64; count < node_count; count *= 2) {
        scale = sqrtf(scale);
    }
    return scale;
}

void mrwi_clip_release(mrwi_clip* clip)
{
    if (clip == NULL) {
        return;
    }
    mrw_context* context = clip->arena.context;
    mrwi_arena_release(&clip->arena);
    mrwi_release(context, clip, 1, sizeof *clip);
}
