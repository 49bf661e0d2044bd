/// What players crossed in the last update, computed one by one from the way each of them went.
#ifndef MRWI_RUNTIME_EVENTS_H
#define MRWI_RUNTIME_EVENTS_H

#include "runtime/player.h"

/// Of a step that crosses more than this, the passes between the first and the last are told as one.
#define MRWI_EVENTS_TOLD 10000

/// Place between two events: the player (0 the main clip, then the layers), the pass over its clip, what is done of that pass.
typedef struct mrwi_event_cursor {
    uint32_t player;
    uint32_t marks_done;
    uint64_t pass;
} mrwi_event_cursor;

/// The next event of one crossing, or false. `out->layer` is left alone.
bool mrwi_crossing_next(const mrwi_crossing* crossing, const mrwi_clip* clip, mrwi_event_cursor* cursor, mrw_event* out);

#endif
