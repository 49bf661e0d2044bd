/// A crowd: members write side by side into one buffer in the crowd's space; one index list in draw order.
#ifndef MRWI_RUNTIME_CROWD_H
#define MRWI_RUNTIME_CROWD_H

#include "base/context.h"

struct mrwi_world;
struct mrwi_instance;
typedef struct mrwi_crowd mrwi_crowd;

/// After all members were updated: versions, colors, index list. Never allocates.
void mrwi_crowd_update(mrwi_crowd* crowd);
/// A member is going away, or its model changed (`rebuilt`).
void mrwi_crowd_member_removed(mrwi_crowd* crowd, struct mrwi_instance* member);
mrw_result mrwi_crowd_member_rebuilt(mrwi_crowd* crowd, struct mrwi_instance* member);
/// Destroys the members too, and takes the crowd out of its world's list.
void mrwi_crowd_destroy(mrwi_crowd* crowd);
/// The next crowd of the same world; NULL at the end.
mrwi_crowd* mrwi_crowd_next(const mrwi_crowd* crowd);

#endif
