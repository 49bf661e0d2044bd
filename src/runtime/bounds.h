/// Bounds of posed vertices, kept until they change.
#ifndef MRWI_RUNTIME_BOUNDS_H
#define MRWI_RUNTIME_BOUNDS_H

#include "runtime/instance.h"

/// Bounds as `mrw_instance_bounds` gives them; `part` is valid and there is a model.
const mrw_bounds* mrwi_instance_bounds(mrwi_instance* instance, int32_t part);

#endif
