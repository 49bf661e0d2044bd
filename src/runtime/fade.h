/// A cross-fade: what the main clip is mixed with while it comes in.
#ifndef MRWI_RUNTIME_FADE_H
#define MRWI_RUNTIME_FADE_H

#include "runtime/blend.h"

/// Fields as they were seen when a fade was interrupted; `marks` says which of them something drove.
typedef struct mrwi_seen {
    float* rows; ///< MRW_FIELD_COUNT rows of `stride`
    uint32_t stride, part_count;
    mrwi_part_base* parts;
    mrw_view_fields view;
} mrwi_seen;

typedef struct mrwi_fade {
    bool is_live;
    bool one_sided_full;
    bool from_seen; ///< starts from `seen` (the fields in `from`), else from the outgoing player
    double duration, elapsed;
    mrwi_player outgoing;
    mrwi_seen seen;
    mrwi_marks from, to; ///< fields that each side drives
} mrwi_fade;

/// Room for marks over `node_stride` nodes and `part_count` parts. On failure what is there stays valid.
mrw_result mrwi_fade_reserve(mrw_context* context, mrwi_fade* fade, uint32_t node_stride, uint32_t part_count);
void mrwi_fade_release(mrw_context* context, mrwi_fade* fade);
/// Room for a snapshot of an instance's fields; zeroed. mrwi_seen_release takes it back.
mrw_result mrwi_seen_make(mrw_context* context, uint32_t node_stride, uint32_t part_count, mrwi_seen* out);
void mrwi_seen_release(mrw_context* context, mrwi_seen* seen);
mrwi_sink mrwi_seen_sink(mrwi_seen* seen);
/// Base with the clip of `main` over it, mixed with what it fades from, into `sink` (which may be a snapshot). `rows_hold`: nothing but
/// this clip was applied to the sink's rows last time, so what it does not drive is base there already. Returns whether the rows
/// are known to be finite (when they held, and were then).
bool mrwi_fade_apply(const mrwi_subject* subject, mrwi_fade* fade, mrwi_player* main, const mrwi_sink* sink, bool rows_hold);
/// A copy of a fade with its own buffers, not yet bound. On failure nothing is left.
mrw_result mrwi_fade_copy(const mrwi_subject* subject, const mrwi_fade* fade, mrwi_fade* out);
/// The next fade comes from base: nothing is driven before it.
void mrwi_fade_from_base(mrwi_fade* fade);
/// Ends the fade.
void mrwi_fade_stop(mrwi_fade* fade);

#endif
