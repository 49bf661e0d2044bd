/// The bytes of a world's state. Little-endian; rows and offsets are raw floats.
#ifndef MRWI_RUNTIME_SNAPSHOT_H
#define MRWI_RUNTIME_SNAPSHOT_H

#include "runtime/bytes.h"
#include "runtime/world.h"

#define MRWI_SNAPSHOT_MAGIC 0x5357524du ///< "MRWS"
#define MRWI_SNAPSHOT_VERSION 1u
/// Of mrw_view_fields and mrwi_part_base, whose members have 32 bits each.
#define MRWI_SNAPSHOT_VIEW_WORDS 9u
#define MRWI_SNAPSHOT_PART_WORDS 4u
_Static_assert(sizeof(mrw_view_fields) == 4 * MRWI_SNAPSHOT_VIEW_WORDS && sizeof(mrwi_part_base) == 4 * MRWI_SNAPSHOT_PART_WORDS,
    "a snapshot holds every member");
#define MRWI_SNAPSHOT_NO_MASK UINT32_MAX ///< number of a layer's roots when it has no mask

/// One instance as it lies in the bytes; counts are checked, arrays point into arena memory.
typedef struct mrwi_saved_instance {
    mrwi_instance* instance;
    float root[5], order;
    mrw_view_fields view;
    uint32_t active;
    mrwi_instance* carrier;        ///< NULL: not mounted
    uint32_t carrier_node;         ///< slot or MRWI_ROOT
    float *base, *override_values; ///< rows of node_count
    const uint8_t* override_mask;
    mrwi_part_base* parts;
    float** manual; ///< by part, NULL where none is set
    mrwi_mixer_args mixer_args;
    mrwi_fade fade;
    mrwi_mixer mixer; ///< made from the two above
    bool has_mixer;
} mrwi_saved_instance;

/// What must be the same for a snapshot to fit: model, clips and tree.
uint64_t mrwi_snapshot_signature(const mrwi_instance* instance);
/// Reads one instance and checks it against the world. MRW_BAD_VALUE with the reason, or MRW_NO_MEMORY.
mrw_result mrwi_snapshot_read_instance(
    const mrwi_world* world, mrwi_bytes_reader* reader, mrwi_arena* arena, mrwi_saved_instance* out, mrw_error* error);

#endif
