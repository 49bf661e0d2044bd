/// Instances mounted on nodes of others.
#ifndef MRWI_RUNTIME_MOUNT_H
#define MRWI_RUNTIME_MOUNT_H

#include "runtime/instance.h"

/// What hung on slot `from` of a carrier hangs on `to` (MRWI_ROOT: its root) from the next update on.
void mrwi_mount_move(mrwi_instance* carrier, uint32_t from, uint32_t to);
/// Takes an instance off its carrier; without one nothing happens. It stays where its root says.
void mrwi_mount_clear(mrwi_instance* child);
/// Takes off everything that a carrier carries.
void mrwi_mount_clear_carried(mrwi_instance* carrier);
/// Computes `matrix` again when the root or the carrier changed. True when its bytes changed.
bool mrwi_mount_place(mrwi_instance* instance);

#endif
