/// An instance: a model's nodes with live transforms, a mixer, a palette range, an output block.
#ifndef MRWI_RUNTIME_INSTANCE_H
#define MRWI_RUNTIME_INSTANCE_H

#include "runtime/mixer.h"
#include "runtime/tree.h"

typedef struct mrwi_world mrwi_world;
typedef struct mrwi_crowd mrwi_crowd;

/// Bounds of posed vertices and what they were computed from.
typedef struct mrwi_bounds_cache {
    mrw_bounds bounds;
    uint32_t version, structure_version;
    bool known;
} mrwi_bounds_cache;

typedef struct mrwi_instance {
    mrw_instance_state state; ///< first: its address is what hosts map
    mrw_context* context;
    mrwi_world* world;
    mrwi_model* model; ///< NULL while pending
    mrw_instance_id id;
    char* guid;                                           ///< asset it follows, or NULL (own copy)
    struct mrwi_instance **link_of_model, *next_of_model; ///< the pointer of its model's list that leads to it, and the next there
    mrwi_crowd* crowd;                                    ///< NULL unless a member
    bool no_nodes;                                        ///< the host builds the tree, also when the model is replaced
    mrwi_tree tree;
    mrwi_mixer mixer;

    float* values; ///< the block of all arrays of nodes, of tree.capacity entries; it begins with the rows of state.base
    mrwi_affine2* node_world;
    uint32_t joint_count;                  ///< of all skins
    uint32_t palette_first, palette_count; ///< range in the world's palette
    float* output;                         ///< own block, or a slice of the crowd's buffer
    float* output_owned;                   ///< NULL for crowd members
    float* uvs_owned;                      ///< only when a part shows another sprite than the model's
    mrwi_deform* deforms;                  ///< the block of all arrays of parts; part_count of each
    mrw_part_state* part_states;
    mrw_run* runs;
    mrwi_part_base* part_bases;
    mrwi_bounds_cache* bounds; ///< one for the whole, then one a part
    uint32_t uv_version;       ///< of the model, when runs were made
    bool runs_stale, sprites_stale, must_skin;
    bool place_due; ///< `matrix` must be computed again, whatever was seen
    bool is_wild;   ///< when `local` was last looked through it held values that may make the pose overflow

    uint32_t world_index;          ///< in world.instances
    struct mrwi_instance* carrier; ///< NULL unless mounted
    uint32_t carrier_node;         ///< slot, or MRWI_ROOT
    uint32_t carrier_seen;         ///< `placement_version` of the carrier when `matrix` was computed
    uint32_t placement_version;    ///< rises when `matrix` or a world matrix changed: what the carried look at
    struct mrwi_instance *first_carried, **link_of_carried, *next_carried; ///< link: the pointer of its carrier's list that leads to it
    float root_seen[5];                                                    ///< `root` when `matrix` was computed
} mrwi_instance;

/// Floats that an update of such an instance needs as scratch: matrices of all nodes, or one part's bind plus offsets, or all runs.
size_t mrwi_instance_scratch(const mrwi_model* model, uint32_t node_capacity);
mrwi_instance* mrwi_instance_get(const mrw_context* context, mrw_instance_id id);
/// Points the instance's output at `positions` (a crowd's slice, room for the model's block); the next update skins everything.
void mrwi_instance_set_output(mrwi_instance* instance, float* positions);

#endif
