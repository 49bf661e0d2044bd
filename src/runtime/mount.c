#include "runtime/mount.h"

#include "runtime/world.h"

#include <float.h>
#include <math.h>
#include <string.h>

void mrwi_mount_clear(mrwi_instance* child)
{
    if (child->carrier == NULL) {
        return;
    }
    *child->link_of_carried = child->next_carried;
    if (child->next_carried != NULL) {
        child->next_carried->link_of_carried = child->link_of_carried;
    }
    child->carrier = NULL;
    child->next_carried = NULL;
    child->world->order_stale = true;
    child->place_due = true;
}

void mrwi_mount_clear_carried(mrwi_instance* carrier)
{
    while (carrier->first_carried != NULL) {
        mrwi_mount_clear(carrier->first_carried);
    }
}

void mrwi_mount_move(mrwi_instance* carrier, uint32_t from, uint32_t to)
{
    for (mrwi_instance* child = carrier->first_carried; child != NULL; child = child->next_carried) {
        if (child->carrier_node == from) {
            child->carrier_node = to;
            child->place_due = true;
        }
    }
}

// Behind the others, so that siblings are updated in the order in which they were mounted.
static void link_to(mrwi_instance* child, mrwi_instance* carrier, uint32_t node)
{
    mrwi_instance** link = &carrier->first_carried;
    while (*link != NULL) {
        link = &(*link)->next_carried;
    }
    *link = child;
    child->link_of_carried = link;
    child->carrier = carrier;
    child->carrier_node = node;
    child->world->order_stale = true;
    child->place_due = true;
}

mrw_result mrw_instance_mount(mrw_context* context, mrw_instance_id child_id, mrw_instance_id carrier_id, uint32_t node)
{
    mrwi_instance* child = mrwi_instance_get(context, child_id);
    if (child == NULL) {
        return MRW_STALE;
    }
    if (carrier_id.value == 0) {
        mrwi_mount_clear(child);
        return MRW_OK;
    }
    mrwi_instance* carrier = mrwi_instance_get(context, carrier_id);
    int32_t slot = carrier == NULL || node == MRWI_ROOT ? -1 : mrwi_tree_slot(&carrier->tree, node);
    if (carrier == NULL || (node != MRWI_ROOT && slot < 0)) {
        return MRW_STALE;
    }
    if (carrier->world != child->world) {
        return MRW_BAD_ARGUMENT;
    }
    for (const mrwi_instance* at = carrier; at != NULL; at = at->carrier) {
        if (at == child) {
            return MRW_CYCLE;
        }
    }
    mrwi_mount_clear(child);
    link_to(child, carrier, node == MRWI_ROOT ? MRWI_ROOT : (uint32_t)slot);
    return MRW_OK;
}

// The root as the host wrote it, or at rest where that is no number.
static void compose_root(const float root[5], double out[6])
{
    static const float rest[5] = { 0, 0, 0, 1, 1 };
    double fields[5];
    for (int i = 0; i < 5; i++) {
        fields[i] = fabsf(root[i]) <= FLT_MAX ? root[i] : rest[i];
    }
    mrw_affine2_compose(fields[0], fields[1], fields[2], fields[3], fields[4], out);
}

static void widen(const float matrix[6], double out[6])
{
    for (int i = 0; i < 6; i++) {
        out[i] = matrix[i];
    }
}

// Where the root of an instance hangs: its carrier's matrix times the node that it is mounted on.
static void find_mount(const mrwi_instance* carrier, uint32_t node, double out[6])
{
    widen(carrier->state.matrix, out);
    if (node != MRWI_ROOT) {
        double relative[6];
        widen((const float*)&carrier->node_world[node], relative);
        mrw_affine2_multiply(out, relative, out);
    }
}

bool mrwi_mount_place(mrwi_instance* instance)
{
    mrw_instance_state* state = &instance->state;
    const mrwi_instance* carrier = instance->carrier;
    bool carried_on = carrier != NULL && instance->carrier_seen != carrier->placement_version;
    if (!instance->place_due && !carried_on && memcmp(instance->root_seen, state->root, sizeof state->root) == 0) {
        return false;
    }
    memcpy(instance->root_seen, state->root, sizeof state->root);
    instance->carrier_seen = carrier == NULL ? 0 : carrier->placement_version;
    instance->place_due = false;
    double matrix[6];
    compose_root(state->root, matrix);
    if (carrier != NULL) {
        double mount[6];
        find_mount(carrier, instance->carrier_node, mount);
        mrw_affine2_multiply(mount, matrix, matrix);
    }
    float rounded[6];
    for (int i = 0; i < 6; i++) {
        double limit = (double)FLT_MAX;
        rounded[i] = (float)(matrix[i] > limit ? limit : matrix[i] < -limit ? -limit : matrix[i]);
    }
    if (memcmp(state->matrix, rounded, sizeof rounded) == 0) {
        return false;
    }
    memcpy(state->matrix, rounded, sizeof rounded);
    instance->placement_version++;
    return true;
}
