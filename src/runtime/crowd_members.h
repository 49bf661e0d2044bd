/// What a crowd holds: its members, the buffers they share, the order they are drawn in.
#ifndef MRWI_RUNTIME_CROWD_MEMBERS_H
#define MRWI_RUNTIME_CROWD_MEMBERS_H

#include "runtime/instance.h"
#include "runtime/ranges.h"

typedef struct mrwi_member {
    mrwi_instance* instance;
    uint32_t first_vertex, vertex_count;                              ///< its slice
    uint32_t first_index;                                             ///< in the list that was written last
    uint32_t version, structure_version, view_version, color_version; ///< of the instance, as written last
    float order;
    bool is_new; ///< nothing of it was written yet
} mrwi_member;

struct mrwi_crowd {
    mrw_crowd_state state; ///< first: its address is what hosts map
    mrw_context* context;
    struct mrwi_world* world;
    mrw_crowd_id id;
    mrwi_crowd* next;
    mrwi_ranges ranges; ///< slices of the vertex arrays
    uint32_t position_capacity, uv_capacity, color_capacity, index_capacity, run_capacity, member_capacity, sorted_capacity;
    float *positions, *uvs;
    uint32_t *colors, *indices;
    mrw_run* runs;        ///< run_capacity of them, then as many to write the next list into
    mrwi_member* members; ///< as added, which decides between equal order keys: older is behind
    uint32_t* sorted;     ///< members by draw order; then room for the order before and for sorting, sorted_capacity entries each
    bool list_stale;      ///< a member came, went or was rebuilt; until the next update the list shows what it showed
};

/// Room for a member that is to show `model`, and its slice. On failure the crowd stays as it was.
mrw_result mrwi_crowd_reserve(mrwi_crowd* crowd, const mrwi_model* model, uint32_t* out_first_vertex);
/// A member that has no model yet.
mrw_result mrwi_crowd_append(mrwi_crowd* crowd, mrwi_instance* instance);
/// A member is going away.
void mrwi_crowd_member_removed(mrwi_crowd* crowd, mrwi_instance* instance);
/// A member has another model and goes on in the slice that was reserved for it.
void mrwi_crowd_member_rebuilt(mrwi_crowd* crowd, mrwi_instance* instance, uint32_t first_vertex);
/// Gives a reserved slice back that no member took.
void mrwi_crowd_give_back(mrwi_crowd* crowd, const mrwi_model* model, uint32_t first_vertex);
void mrwi_crowd_release_buffers(mrwi_crowd* crowd);

#endif
