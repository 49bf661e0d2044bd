/// The live tree of an instance whose model is replaced.
#ifndef MRWI_RUNTIME_TREE_ADOPT_H
#define MRWI_RUNTIME_TREE_ADOPT_H

#include "runtime/instance.h"

/// Builds the tree of an instance that has a new model, from what it was before. A tree that nobody changed becomes the new model's,
/// with base and override values by node name; node arguments stay valid where the slot has the same name. A tree that was changed
/// by hand stays, and gets the bones that the new model has and the old one had not. What a failure leaves half made, mrwi_nodes_release releases.
mrw_result mrwi_tree_adopt(mrwi_instance* instance, const mrwi_instance* before);
/// Slot of the same node in the new tree; MRWI_ROOT when it is gone.
uint32_t mrwi_tree_same_slot(const mrwi_instance* instance, const mrwi_instance* before, uint32_t slot);

#endif
