/// What a world does with each instance in an update: mixer, pose, palette, vertices.
#ifndef MRWI_RUNTIME_INSTANCE_UPDATE_H
#define MRWI_RUNTIME_INSTANCE_UPDATE_H

#include "runtime/instance.h"

/// Brings one instance up to date (mixer to versions); counts into the world's state.
void mrwi_instance_update(mrwi_instance* instance, double dt);

#endif
