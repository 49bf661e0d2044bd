/// A cross-fade: what the main clip is mixed with while it comes in.
#ifndef MRWI_RUNTIME_FADE_H
#define MRWI_RUNTIME_FADE_H

#include "runtime/blend.h"

/// Fields as they were seen when a fade was interrupted, in one block of mrwi_seen_size bytes: the view, parts, rows of `node_count`
/// floats, and marks of those that something drove. NULL: nothing did.
typedef struct mrwi_seen {
    void* block;
    uint32_t node_count, part_count;
} mrwi_seen;

typedef struct mrwi_fade {
    double duration, elapsed; ///< 0 while there is no fade
    uint32_t one_sided_full;  ///< 0 or 1
    mrwi_player outgoing;     ///< what it comes from, or without a clip:
    mrwi_seen seen;
} mrwi_fade;

static inline bool mrwi_fade_is_live(const mrwi_fade* fade)
{
    return fade->duration > 0.0;
}
/// Room in the world for marks of an instance with `node_stride` nodes.
mrw_result mrwi_fade_reserve(const mrwi_subject* subject, uint32_t node_stride);
void mrwi_fade_release(mrw_context* context, mrwi_fade* fade);
/// Base with the clip of `main` over it, mixed with what it fades from, into `sink` (which may be what is seen). `rows_hold`: nothing but
/// this clip was applied to the sink's rows last time, so what it does not drive is base there already. Returns whether the rows
/// are known to be finite (when they held, and were then).
bool mrwi_fade_apply(const mrwi_subject* subject, mrwi_fade* fade, mrwi_player* main, const mrwi_sink* sink, bool rows_hold);
/// The fields as a live fade shows them now, before layers and overrides, become what the next fade comes from.
mrw_result mrwi_fade_see(const mrwi_subject* subject, mrwi_fade* fade, mrwi_player* main);
size_t mrwi_seen_size(const mrwi_seen* seen);
/// Where fields and marks of what was seen lie in its block.
mrwi_sink mrwi_seen_sink(const mrwi_seen* seen, uint8_t** out_marks);
void mrwi_seen_release(mrw_context* context, mrwi_seen* seen);
/// Ends the fade.
void mrwi_fade_stop(mrwi_fade* fade);

#endif
