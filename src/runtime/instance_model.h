/// An instance and its model: putting one in the place of another or of none, and letting it go.
#ifndef MRWI_RUNTIME_INSTANCE_MODEL_H
#define MRWI_RUNTIME_INSTANCE_MODEL_H

#include "runtime/instance.h"

/// Releases everything that depends on the model.
void mrwi_instance_unbind(mrwi_instance* instance);
/// Gives the instance a model, its first or another. What was set by hand is kept: base and override values by node name, parts by name, root, view
/// and mounts as they are; playback goes on. On failure nothing changed.
mrw_result mrwi_instance_replace(mrwi_instance* instance, mrwi_model* model);
/// mrw_context.clip_changed.
mrw_result mrwi_instances_change_clip(mrwi_model* model, uint32_t clip);

#endif
