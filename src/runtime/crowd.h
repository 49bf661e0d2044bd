/// The life of a crowd.
#ifndef MRWI_RUNTIME_CROWD_H
#define MRWI_RUNTIME_CROWD_H

#include "runtime/crowd_members.h"

/// Destroys the members too, and takes the crowd out of its world's list.
void mrwi_crowd_destroy(mrwi_crowd* crowd);

#endif
