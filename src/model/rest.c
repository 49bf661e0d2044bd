#include "model/rest.h"

#include <string.h>

enum { UNSEEN = -3, ON_WALK = -2, ROOT = -1 };

static bool has_scale(const mrw_node_desc* node)
{
    return (node->scale_x != 0 || node->scale_y != 0) && (node->scale_x != 1 || node->scale_y != 1);
}

void mrwi_rest_local(const mrw_node_desc* node, double out[6])
{
    bool scaled = has_scale(node);
    mrw_affine2_compose(node->x, node->y, node->rotation, scaled ? node->scale_x : 1, scaled ? node->scale_y : 1, out);
}

// `parents` doubles as the state: UNSEEN and ON_WALK give way to the parent that counts.
void mrwi_rest_order(const mrw_node_desc* nodes, uint32_t count, int32_t* parents, int32_t* order)
{
    for (uint32_t i = 0; i < count; i++) {
        parents[i] = UNSEEN;
    }
    uint32_t done = 0;
    for (uint32_t i = 0; i < count; i++) {
        // Walk up to something resolved. The walk is written to the end of `order` backwards, so that it reads parent-first.
        uint32_t walk = count;
        int32_t at = (int32_t)i;
        while (at >= 0 && parents[at] == UNSEEN) {
            parents[at] = ON_WALK;
            order[--walk] = at;
            at = (uint32_t)nodes[at].parent < count ? nodes[at].parent : ROOT;
        }
        int32_t above = at >= 0 && parents[at] != ON_WALK ? at : ROOT;
        while (walk < count) {
            at = order[walk++];
            order[done++] = at;
            parents[at] = above;
            above = at;
        }
    }
}

void mrwi_rest_world(const mrw_node_desc* nodes, uint32_t count, const int32_t* parents, const int32_t* order, double (*world)[6])
{
    bool any_scale = false;
    for (uint32_t i = 0; i < count; i++) {
        any_scale = any_scale || has_scale(&nodes[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        const int32_t node = order[i], parent = parents[node];
        mrwi_rest_local(&nodes[node], world[node]);
        if (parent == ROOT) {
            continue;
        }
        double above[6];
        memcpy(above, world[parent], sizeof above);
        // Without any scale, removing it would only round.
        if (nodes[node].no_scale && any_scale) {
            mrw_affine2_remove_scale(above, above);
        }
        mrw_affine2_multiply(above, world[node], world[node]);
    }
}

mrw_result mrwi_rest_resolve(mrw_context* context, const mrw_node_desc* nodes, uint32_t count, int32_t* parents, double (*world)[6])
{
    mrwi_arena arena;
    mrwi_arena_init(&arena, context);
    int32_t* order = mrwi_arena_allocate(&arena, count, sizeof *order);
    int32_t* counting = parents != NULL ? parents : mrwi_arena_allocate(&arena, count, sizeof *counting);
    mrw_result result = arena.failed ? MRW_NO_MEMORY : MRW_OK;
    if (result == MRW_OK) {
        mrwi_rest_order(nodes, count, counting, order);
        if (world != NULL) {
            mrwi_rest_world(nodes, count, counting, order, world);
        }
    }
    mrwi_arena_release(&arena);
    return result;
}
