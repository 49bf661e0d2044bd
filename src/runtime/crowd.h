/// A crowd: members write side by side into one buffer in the crowd's space; one index list in draw order.
#ifndef MRWI_RUNTIME_CROWD_H
#define MRWI_RUNTIME_CROWD_H

#include "base/context.h"

struct mrwi_world;
struct mrwi_instance;
typedef struct mrwi_crowd mrwi_crowd;

/// After all members were updated: versions, colors, index list. Never allocates.
void mrwi_crowd_update(mrwi_crowd* crowd);
/// A member is going away.
void mrwi_crowd_member_removed(mrwi_crowd* crowd, struct mrwi_instance* member);
/// A member is to get another model, in two steps: first room for a slice, which may fail and is given back when something else
/// does; then, when the member has its new model, the change itself.
mrw_result mrwi_crowd_slice_take(mrwi_crowd* crowd, const struct mrwi_model* model, uint32_t* out_slice);
void mrwi_crowd_slice_give(mrwi_crowd* crowd, const struct mrwi_model* model, uint32_t slice);
void mrwi_crowd_member_rebuilt(mrwi_crowd* crowd, struct mrwi_instance* member, uint32_t slice);
/// Destroys the members too, and takes the crowd out of its world's list.
void mrwi_crowd_destroy(mrwi_crowd* crowd);
/// The next crowd of the same world; NULL at the end.
mrwi_crowd* mrwi_crowd_next(const mrwi_crowd* crowd);

#endif
