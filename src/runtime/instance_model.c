#include "runtime/instance_model.h"

#include "runtime/crowd_members.h"
#include "runtime/instance_nodes.h"
#include "runtime/instance_parts.h"
#include "runtime/mixer_adopt.h"
#include "runtime/tree_adopt.h"
#include "runtime/world.h"

#include <string.h>

static void link_to_model(mrwi_instance* instance)
{
    mrwi_instance** link = &instance->model->first_instance;
    instance->link_of_model = link;
    instance->next_of_model = *link;
    if (*link != NULL) {
        (*link)->link_of_model = &instance->next_of_model;
    }
    *link = instance;
}

static void unlink_from_model(mrwi_instance* instance)
{
    *instance->link_of_model = instance->next_of_model;
    if (instance->next_of_model != NULL) {
        instance->next_of_model->link_of_model = instance->link_of_model;
    }
}

static uint32_t count_joints(const mrwi_model* model)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->skin_count; i++) {
        count += model->skins[i].joint_count;
    }
    return count;
}

// Room for the vertices at bind, unless they go to a crowd's buffer. Kernels write whole vectors, hence the padding.
static mrw_result make_output(mrwi_instance* instance)
{
    const mrwi_model* model = instance->model;
    size_t count = 2 * (size_t)model->vertex_count;
    if (instance->crowd != NULL) {
        return MRW_OK;
    }
    instance->output_owned = mrwi_allocate(instance->context, count + 4, sizeof(float));
    if (instance->output_owned == NULL) {
        return MRW_NO_MEMORY;
    }
    memcpy(instance->output_owned, model->bind, count * sizeof(float));
    instance->output = instance->output_owned;
    instance->state.positions = instance->output;
    return MRW_OK;
}

// What a model brings beside its tree.
static mrw_result make_rest(mrwi_instance* instance)
{
    mrwi_model* model = instance->model;
    uint32_t first = 0;
    size_t scratch = mrwi_instance_scratch(model, instance->tree.capacity);
    mrw_result result = mrwi_world_reserve(instance->world, instance->joint_count, scratch, &first);
    if (result != MRW_OK) {
        return result;
    }
    instance->palette_first = first;
    instance->palette_count = instance->joint_count;
    instance->uv_version = model->uv_version;
    result = make_output(instance);
    return result == MRW_OK ? mrwi_parts_init(instance) : result;
}

// What was built for a model, be it half.
static void release(mrwi_instance* instance)
{
    mrwi_nodes_release(instance);
    if (instance->model != NULL) {
        mrwi_ranges_give(&instance->world->palette_ranges, instance->palette_first, instance->palette_count);
        mrwi_parts_release(instance);
        mrwi_release(instance->context, instance->output_owned, 2 * (size_t)instance->model->vertex_count + 4, sizeof(float));
    }
}

void mrwi_instance_unbind(mrwi_instance* instance)
{
    if (instance->model != NULL) {
        unlink_from_model(instance);
    }
    release(instance);
}

static int32_t find_part(const mrwi_model* model, uint32_t near, const char* name)
{
    if (near < model->part_count && strcmp(model->parts[near].name, name) == 0) {
        return (int32_t)near;
    }
    for (uint32_t i = 0; i < model->part_count; i++) {
        if (strcmp(model->parts[i].name, name) == 0) {
            return (int32_t)i;
        }
    }
    return -1;
}

static mrw_result carry_sprite(mrwi_instance* instance, uint32_t part, const char* guid)
{
    const mrwi_model* model = instance->model;
    int32_t sprite = guid == NULL ? -1 : model->parts[part].sprite;
    for (uint32_t i = 0; guid != NULL && i < model->sprite_count; i++) {
        sprite = strcmp(model->sprites[i].guid, guid) == 0 ? (int32_t)i : sprite;
    }
    return mrwi_parts_set_sprite(instance, part, sprite);
}

// Offsets set by hand go over through the file's order, when the part has as many vertices as before.
static mrw_result carry_deform(mrwi_instance* instance, uint32_t part, const mrwi_part* old, const float* offsets)
{
    if (offsets == NULL || instance->model->parts[part].vertex_count != old->vertex_count) {
        return MRW_OK;
    }
    float* in_file_order = instance->world->scratch;
    for (uint32_t i = 0; i < old->vertex_count; i++) {
        memcpy(&in_file_order[2 * (size_t)old->vertex_map[i]], &offsets[2 * (size_t)i], 2 * sizeof(float));
    }
    return mrwi_parts_set_offsets(instance, part, in_file_order, 2 * (size_t)old->vertex_count);
}

static mrw_result carry_part(mrwi_instance* instance, uint32_t index, const mrwi_instance* before, uint32_t old_index)
{
    const mrwi_part* old = &before->model->parts[old_index];
    const mrwi_part_base* kept = &before->part_bases[old_index];
    mrwi_part_base* base = &instance->part_bases[index];
    base->visible = kept->visible != (old->hidden ? 0u : 1u) ? kept->visible : base->visible;
    base->color = kept->color;
    base->opacity = kept->opacity;
    mrw_result result = MRW_OK;
    if (kept->sprite != old->sprite) {
        result = carry_sprite(instance, index, kept->sprite < 0 ? NULL : before->model->sprites[kept->sprite].guid);
    }
    return result == MRW_OK ? carry_deform(instance, index, old, before->deforms[old_index].manual) : result;
}

static mrw_result carry_parts(mrwi_instance* instance, const mrwi_instance* before)
{
    mrw_result result = MRW_OK;
    for (uint32_t i = 0; before->model != NULL && i < instance->model->part_count && result == MRW_OK; i++) {
        int32_t old = find_part(before->model, i, instance->model->parts[i].name);
        if (old >= 0) {
            result = carry_part(instance, i, before, (uint32_t)old);
        }
    }
    return result;
}

// The instance without anything that a model brought; what it had is still in `before`.
static void empty(mrwi_instance* instance, mrwi_model* model)
{
    instance->model = model;
    instance->joint_count = count_joints(model);
    instance->tree = (mrwi_tree) { 0 };
    instance->values = NULL;
    instance->palette_count = 0;
    instance->output_owned = NULL;
    instance->uvs_owned = NULL;
    instance->deforms = NULL;
}

static mrw_result rebuild(mrwi_instance* instance, const mrwi_instance* before)
{
    mrw_result result = mrwi_tree_adopt(instance, before);
    if (result == MRW_OK) {
        result = make_rest(instance);
    }
    if (result == MRW_OK) {
        result = carry_parts(instance, before);
    }
    if (result == MRW_OK) {
        const mrwi_subject subject = mrwi_instance_subject(instance);
        result = mrwi_mixer_adopt(&subject, &instance->mixer, before->model);
    }
    return result;
}

static void move_carried(mrwi_instance* carrier, const mrwi_instance* before)
{
    for (mrwi_instance* child = carrier->first_carried; child != NULL; child = child->next_carried) {
        child->carrier_node = mrwi_tree_same_slot(carrier, before, child->carrier_node);
        child->place_due = true;
    }
}

mrw_result mrwi_instance_replace(mrwi_instance* instance, mrwi_model* model)
{
    mrwi_crowd* crowd = instance->crowd;
    uint32_t slice = 0;
    mrw_result result = crowd == NULL ? MRW_OK : mrwi_crowd_reserve(crowd, model, &slice);
    if (result != MRW_OK) {
        return result;
    }
    mrwi_instance before = *instance;
    empty(instance, model);
    result = rebuild(instance, &before);
    if (result != MRW_OK) {
        release(instance);
        *instance = before;
        if (crowd != NULL) {
            mrwi_crowd_give_back(crowd, model, slice);
        }
        return result;
    }
    instance->state.pending = 0;
    instance->state.structure_version++;
    instance->state.dirty = 1;
    if (before.model != NULL) {
        unlink_from_model(instance);
    }
    link_to_model(instance);
    move_carried(instance, &before);
    if (crowd != NULL) {
        mrwi_crowd_member_rebuilt(crowd, instance, slice);
    }
    release(&before);
    return MRW_OK;
}

mrw_result mrwi_instances_change_clip(mrwi_model* model, uint32_t clip)
{
    mrw_result result = MRW_OK;
    for (mrwi_instance* at = model->first_instance; at != NULL && result == MRW_OK; at = at->next_of_model) {
        result = mrwi_parts_reserve_deforms(at, clip);
        if (result == MRW_OK) {
            const mrwi_subject subject = mrwi_instance_subject(at);
            result = mrwi_mixer_rebind(&subject, &at->mixer);
        }
    }
    return result;
}
