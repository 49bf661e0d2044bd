/// What a crowd writes in an update.
#ifndef MRWI_RUNTIME_CROWD_UPDATE_H
#define MRWI_RUNTIME_CROWD_UPDATE_H

#include "runtime/crowd_members.h"

/// After all members were updated: versions, colors, index list. Never allocates.
void mrwi_crowd_update(mrwi_crowd* crowd);

#endif
