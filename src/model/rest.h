/// The rest pose of a description in f64, and which parents count.
#ifndef MRWI_MODEL_REST_H
#define MRWI_MODEL_REST_H

#include "base/memory.h"

/// Fills `parents` (the parent that counts, or -1) and `order` (the nodes, each after its parent, otherwise as they come). A parent
/// outside 0..count-1 makes a root. A cycle is cut where walking up from its lowest index meets the walk again: of 0 -> 1 -> 0, node
/// 1 becomes the root.
void mrwi_rest_order(const mrw_node_desc* nodes, uint32_t count, int32_t* parents, int32_t* order);
/// Fills `world` (relative to the root), with what mrwi_rest_order filled.
void mrwi_rest_world(const mrw_node_desc* nodes, uint32_t count, const int32_t* parents, const int32_t* order, double (*world)[6]);
/// Both; `parents` and `world` may be NULL. Only MRW_NO_MEMORY can go wrong.
mrw_result mrwi_rest_resolve(mrw_context* context, const mrw_node_desc* nodes, uint32_t count, int32_t* parents, double (*world)[6]);

/// The node's own rest matrix; a scale of 0, 0 counts as 1, 1.
void mrwi_rest_local(const mrw_node_desc* node, double out[6]);

#endif
