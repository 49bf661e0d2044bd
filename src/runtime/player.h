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

/// Where a clip stands. Snapshots hold it as it lies in memory.
typedef struct mrwi_playhead {
    double time;  ///< 0..duration
    int32_t clip; ///< index in the model's clips, -1 none
    float speed;
    uint8_t once;
    uint8_t ended; ///< played once and arrived
    uint8_t fresh; ///< not advanced since it started
    uint8_t unused[5];
} mrwi_playhead;

typedef struct mrwi_player {
    mrwi_playhead at;
    bool untouched;      ///< bound to the model's own tree: the clip's stretches hold
    const float* values; ///< of the last evaluation, in the world's scratch: gone with the next one
    /// mrwi_cursor_count(channels) of the clip, then a target for each track with a channel: -1 nothing, else 8 * entry + field.
    union mrwi_cursor* cursors;
    uint32_t capacity;
} mrwi_player;

/// What a player drives are fields of entries: the view is entry 0, then come the parts, then the nodes by slot.
static inline uint32_t mrwi_first_node_entry(uint32_t part_count)
{
    return 1 + part_count;
}
/// Tracks that have a channel; they come first.
static inline uint32_t mrwi_driven_count(const mrwi_clip* clip)
{
    return clip->number_count + clip->color_count + clip->discrete_count;
}
/// Values of a clip, at least four: evaluation writes as many at once.
static inline uint32_t mrwi_channel_room(const mrwi_clip* clip)
{
    return clip->channels.count / 4 * 4 + 4;
}
/// The targets of the player's clip.
int32_t* mrwi_player_targets(const mrwi_player* player, const mrwi_clip* clip);

void mrwi_clip_values_release(mrw_context* context, mrwi_clip_values* values);

/// Room for a clip of the subject's model. On failure what the player has stays valid.
mrw_result mrwi_player_reserve(const mrwi_subject* subject, mrwi_player* player, const mrwi_clip* clip);
void mrwi_player_release(mrw_context* context, mrwi_player* player);
/// Where a clip starts that is number `index` of its model: at its end when backwards. A speed of 0 counts as 1.
mrwi_playhead mrwi_playhead_of(const mrwi_clip* clip, uint32_t index, float speed, bool once);
/// Resolves the targets of the player's clip on the subject's tree, brings the time into the clip and begins its cursors anew. Never
/// allocates.
void mrwi_player_bind(const mrwi_subject* subject, mrwi_player* player);
/// The player's clip, or NULL when none plays.
const mrwi_clip* mrwi_player_clip(const mrwi_player* player, const mrwi_model* model);
/// Moves the time by `dt` times the speed and fills `out`. True when the time changed.
bool mrwi_player_advance(mrwi_player* player, const mrwi_clip* clip, double dt, mrwi_crossing* out);
/// A time brought into the clip: wrapped when it loops and lies outside, else clamped.
double mrwi_player_clip_time(const mrwi_clip* clip, bool once, double time);
/// Values of all channels at the player's time, into `values`, a half of mrwi_clip_values.channels. Returns whether all are finite.
bool mrwi_player_evaluate(mrwi_player* player, const mrwi_clip* clip, float* values);

#endif
