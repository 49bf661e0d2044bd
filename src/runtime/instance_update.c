#include "runtime/instance_update.h"

#include "runtime/instance_nodes.h"
#include "runtime/instance_parts.h"
#include "runtime/mount.h"
#include "runtime/pose.h"
#include "runtime/world.h"

#include <math.h>
#include <string.h>

static bool is_finite(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits & 0x7f800000u) != 0x7f800000u;
}

// What a host wrote that is no number counts as rest, so that it cannot reach anything else.
static void repair_local(mrwi_instance* instance)
{
    float* local = mrwi_nodes_local(instance);
    const uint32_t stride = instance->tree.capacity;
    const float* scales = local + (size_t)MRW_FIELD_SCALE_X * stride;
    instance->is_wild = !mrwi_pose_is_within(local, (size_t)MRW_FIELD_SCALE_X * stride, MRWI_TAME_LENGTH)
        || !mrwi_pose_is_within(scales, (size_t)2 * stride, mrwi_tame_scale(instance->tree.count));
    if (!instance->is_wild) {
        return;
    }
    for (uint32_t slot = 0; slot < instance->tree.count; slot++) {
        for (uint32_t field = 0; field < MRW_FIELD_COUNT; field++) {
            float* value = &local[(size_t)field * stride + slot];
            *value = is_finite(*value) ? *value : mrwi_tree_rest(&instance->tree, instance->model, slot, field);
        }
    }
}

/// Largest number in a matrix: the products with binds and vertices stay far from where f32 ends.
#define MATRIX_MAX 1e18f

// Clamps what overflowed, so that nothing infinite and no NaN reaches vertices. Matrices that are clamped count as changed each time.
static void tame(mrwi_affine2* matrices, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        mrwi_affine2* m = &matrices[i];
        float* numbers[] = { &m->a, &m->b, &m->c, &m->d, &m->e, &m->f };
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
            const float value = *numbers[k];
            *numbers[k] = fabsf(value) <= MATRIX_MAX ? value : value > 0 ? MATRIX_MAX : value < 0 ? -MATRIX_MAX : 0;
        }
    }
}

static bool may_overflow(const mrwi_instance* instance)
{
    const mrwi_clip* clip = mrwi_player_clip(&instance->mixer.main, instance->model);
    return instance->is_wild || (clip != NULL && clip->is_wild);
}

static uint32_t pose(mrwi_instance* instance)
{
    const mrwi_tree* tree = &instance->tree;
    const mrwi_pose_args args = {
        .node_count = tree->untouched ? tree->count : tree->order_count,
        .stride = tree->capacity,
        .rows = instance->state.local,
        .parents = tree->untouched ? instance->model->node_parents : tree->parents, // the model's are in the caches already
        .order = tree->untouched ? NULL : tree->order,
        .no_scale = tree->any_no_scale ? tree->no_scale : NULL,
        .cuts = tree->untouched ? NULL : tree->cuts,
        .scratch = instance->world->scratch,
        .world = instance->node_world,
    };
    uint32_t changed = mrwi_pose_world(&args);
    if (changed > 0) {
        if (may_overflow(instance)) {
            tame(instance->node_world, instance->tree.count);
        }
        instance->state.pose_version++;
        instance->placement_version++;
        instance->world->state.nodes_changed += changed;
    }
    return changed;
}

/// Largest scale of a member's root that leaves what no pose overflows within f32.
#define TAME_ROOT_SCALE 1e4f

static bool scales_far(const mrwi_affine2* root)
{
    const float linear[] = { root->a, root->b, root->c, root->d };
    return !mrwi_pose_is_within(linear, sizeof linear / sizeof *linear, TAME_ROOT_SCALE);
}

static bool write_palette(mrwi_instance* instance, const mrwi_affine2* root)
{
    const mrwi_model* model = instance->model;
    if (instance->palette_count == 0) {
        return false;
    }
    mrwi_affine2* palette = instance->world->palette + instance->palette_first;
    const int32_t* joints = instance->tree.joints;
    bool changed = false;
    for (uint32_t i = 0; i < model->skin_count; i++) {
        const mrwi_skin* skin = &model->skins[i];
        const int32_t* nodes = instance->tree.untouched ? skin->joints : joints;
        changed |= mrwi_pose_palette(skin->joint_count, nodes, skin->binds, instance->node_world, root, palette);
        palette += skin->joint_count;
        joints += skin->joint_count;
    }
    if (root != NULL && (may_overflow(instance) || scales_far(root))) {
        tame(instance->world->palette + instance->palette_first, instance->palette_count);
    }
    return changed;
}

// What a member's palette is multiplied by: no view carries its root or mirrors it, so both are folded in.
static mrwi_affine2 member_root(const mrw_instance_state* state)
{
    const float* m = state->matrix;
    float x = state->shown.flip_x != 0 ? -1.0f : 1.0f;
    float y = state->shown.flip_y != 0 ? -1.0f : 1.0f;
    mrwi_affine2 root = { x * m[0], x * m[1], y * m[2], y * m[3], m[4], m[5], { 0, 0 } };
    tame(&root, 1);
    return root;
}

// Poses, skins and counts; true when anything that `world.changed` reports did change.
static bool refresh(mrwi_instance* instance, bool placed)
{
    mrw_instance_state* state = &instance->state;
    const mrwi_subject subject = mrwi_instance_subject(instance);
    bool resolved = instance->tree.stale;
    if (resolved) {
        mrwi_tree_resolve(&instance->tree, instance->model, (uint32_t*)(void*)instance->world->scratch);
        // Nothing was replaced, so there is nothing that this could fail to allocate.
        mrwi_mixer_rebind(&subject, &instance->mixer);
    }
    const mrw_view_fields before = state->shown;
    uint32_t shown = mrwi_mixer_apply(&subject, &instance->mixer);
    bool mirrored = state->shown.flip_x != before.flip_x || state->shown.flip_y != before.flip_y;
    instance->runs_stale |= (shown & 1) != 0;
    state->view_version += (shown & 2) != 0 ? 1 : 0;
    if ((shown & 4) != 0) {
        repair_local(instance);
    }
    bool posed = pose(instance) > 0;
    bool is_member = instance->crowd != NULL;
    const mrwi_affine2 root = member_root(state);
    bool rooted = is_member && (placed || mirrored);
    bool moved = false;
    if (posed || resolved || instance->must_skin || rooted) {
        moved = write_palette(instance, is_member ? &root : NULL);
    }
    bool structured = mrwi_parts_refresh(instance);
    bool skinned = mrwi_parts_skin(instance, is_member ? &root : NULL, moved || rooted);
    return posed || structured || skinned || placed;
}

void mrwi_instance_update(mrwi_instance* instance, double dt)
{
    mrw_instance_state* state = &instance->state;
    bool moved = mrwi_mixer_advance(&instance->mixer, instance->model, state, dt);
    // What is shown stays sound: a new place in memory is filled, other pictures come with their uvs.
    if (state->active == 0 && !instance->must_skin && !mrwi_parts_stale(instance)) {
        return; // the mixer remembers that it moved
    }
    bool placed = mrwi_mount_place(instance);
    bool due = moved || state->dirty != 0 || instance->tree.stale || instance->must_skin || mrwi_parts_stale(instance);
    bool changed = placed;
    if (instance->model != NULL && (due || (placed && instance->crowd != NULL))) {
        changed = refresh(instance, placed);
    }
    if (changed) {
        instance->world->changed[instance->world->state.changed_count] = instance->id.value;
        instance->world->state.changed_count++;
    }
}
