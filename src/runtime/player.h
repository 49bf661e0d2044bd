/// One clip in play: its time, the values of its channels, what its tracks drive in the live tree, what it crossed.
#ifndef MRWI_RUNTIME_PLAYER_H
#define MRWI_RUNTIME_PLAYER_H

#include "runtime/subject.h"

/// The way from `from` to `to` in one advance: `wraps` times over the end of the clip (its start when backwards). What it crossed
/// is computed from this when it is asked for, so any number of loops takes no room and no time.
typedef struct mrwi_crossing {
    bool is_live; ///< false: nothing was crossed
    bool backward;
    bool starts; ///< the clip started at 0 in this advance: an event at 0 counts
    bool ends;   ///< a clip played once arrived
    int32_t clip;
    double from, to;
    uint64_t wraps;
} mrwi_crossing;

typedef struct mrwi_player {
    int32_t clip; ///< index in the model's clips, -1 none
    double time;  ///< 0..duration
    float speed;
    bool once;
    bool ended;     ///< played once and arrived
    bool fresh;     ///< not advanced since it started
    bool untouched; ///< bound to the model's own tree: the clip's stretches hold
    uint32_t channel_capacity, track_capacity;
    union mrwi_cursor* cursors; ///< mrwi_cursor_count(channel_capacity)
    const float* values;        ///< of the last evaluation, in the world's scratch: gone with the next one
    /// Per track with a channel: -1 nothing, else 8 * node slot + field, the part, or 0 for a view field.
    int32_t* targets;
} mrwi_player;

/// Room for the values of clips with up to `channel_count` channels; what was written is lost. On failure what is there stays.
mrw_result mrwi_clip_values_reserve(mrw_context* context, mrwi_clip_values* values, uint32_t channel_count);
void mrwi_clip_values_release(mrw_context* context, mrwi_clip_values* values);

/// Room for a clip of the subject's model. On failure what the player has stays valid.
mrw_result mrwi_player_reserve(const mrwi_subject* subject, mrwi_player* player, const mrwi_clip* clip);
void mrwi_player_release(mrw_context* context, mrwi_player* player);
/// Starts a clip; room is there. Keeps the buffers.
void mrwi_player_start(mrwi_player* player, uint32_t clip, float speed, bool once, double time);
/// Takes over where another player stands (clip, time, speed, once, ended, fresh), its time brought into the clip; not its buffers.
void mrwi_player_follow(mrwi_player* player, const mrwi_clip* clip, const mrwi_player* other);
/// Resolves the targets of the player's clip on the subject's tree, brings the time into the clip and begins its cursors anew. Never
/// allocates.
void mrwi_player_bind(const mrwi_subject* subject, mrwi_player* player);
/// The player's clip, or NULL when none plays.
const mrwi_clip* mrwi_player_clip(const mrwi_player* player, const mrwi_model* model);
/// Moves the time by `dt` times the speed and fills `out`. True when the time changed.
bool mrwi_player_advance(mrwi_player* player, const mrwi_clip* clip, double dt, mrwi_crossing* out);
/// A time brought into the clip: wrapped when it loops and lies outside, else clamped.
double mrwi_player_clip_time(const mrwi_clip* clip, bool once, double time);
/// Values of all channels at the player's time, into `values` (mrwi_clip_values.main or .other). Returns whether all are finite.
bool mrwi_player_evaluate(mrwi_player* player, const mrwi_clip* clip, float* values);

#endif
