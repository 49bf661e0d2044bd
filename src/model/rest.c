#include "model/rest.h"

#include <string.h>

enum { UNSEEN = -3, ON_WALK = -2, ROOT = -1 };

static bool has_scale(const mrw_node_desc* node)
{
    bool unset = node->scale_x == 0 && node->scale_y == 0;
    return !unset && !(node->scale_x == 1 && node->scale_y == 1);
}

void mrwi_rest_local(const mrw_node_desc* node, double out[6])
{
    bool scaled = has_scale(node);
    mrw_affine2_compose(node->x, node->y, node->rotation, scaled ? node->scale_x : 1, scaled ? node->scale_y : 1, out);
}

// `state` doubles as the result: UNSEEN and ON_WALK give way to the parent that counts.
static void resolve_parents(const mrw_node_desc* nodes, uint32_t count, int32_t* state, uint32_t* order)
{
    for (uint32_t i = 0; i < count; i++) {
        state[i] = UNSEEN;
    }
    uint32_t done = 0;
    for (uint32_t i = 0; i < count; i++) {
        // Walk up to something resolved. The walk is written to the end of `order` backwards, so that it reads parent-first.
        uint32_t walk = count;
        int32_t at = (int32_t)i;
        while (state[at] == UNSEEN) {
            state[at] = ON_WALK;
            order[--walk] = (uint32_t)at;
            int32_t parent = nodes[at].parent;
            if (parent < 0 || (uint32_t)parent >= count || state[parent] == ON_WALK) {
                break;
            }
            at = parent;
        }
        for (; walk < count; walk++) {
            uint32_t node = order[walk];
            int32_t parent = nodes[node].parent;
            bool counts = parent >= 0 && (uint32_t)parent < count && state[parent] != ON_WALK;
            state[node] = counts ? parent : ROOT;
            order[done++] = node;
        }
    }
}

mrw_result mrwi_rest_resolve(mrw_context* context, const mrw_node_desc* nodes, uint32_t count, int32_t* parents, double (*world)[6])
{
    int32_t* state = mrwi_allocate(context, count, sizeof(int32_t));
    uint32_t* order = mrwi_allocate(context, count, sizeof(uint32_t));
    mrw_result result = state == NULL || order == NULL ? MRW_NO_MEMORY : MRW_OK;
    if (result == MRW_OK) {
        resolve_parents(nodes, count, state, order);
        if (parents != NULL && count > 0) {
            memcpy(parents, state, count * sizeof(int32_t));
        }
        bool any_scale = false;
        for (uint32_t i = 0; i < count; i++) {
            any_scale = any_scale || has_scale(&nodes[i]);
        }
        for (uint32_t i = 0; i < count && world != NULL; i++) {
            uint32_t node = order[i];
            mrwi_rest_local(&nodes[node], world[node]);
            if (state[node] == ROOT) {
                continue;
            }
            double above[6];
            memcpy(above, world[state[node]], sizeof above);
            // Without any scale, removing it would only round.
            if (nodes[node].no_scale && any_scale) {
                mrw_affine2_remove_scale(above, above);
            }
            mrw_affine2_multiply(above, world[node], world[node]);
        }
    }
    mrwi_release(context, order, count, sizeof(uint32_t));
    mrwi_release(context, state, count, sizeof(int32_t));
    return result;
}
