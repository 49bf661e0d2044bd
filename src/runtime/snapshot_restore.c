// Restoring: read and check everything, make what needs memory, and only then change the world.
#include "runtime/snapshot.h"

#include "base/result.h"

typedef struct restore {
    mrw_context* context;
    mrwi_world* world;
    mrwi_arena arena;
    double time;
    uint32_t count;
    mrwi_saved_instance* saved;
    float* offsets; ///< room for the largest part, file order
    mrw_error* error;
} restore;

static mrw_result bad(const restore* to, const char* message)
{
    return mrwi_fail(to->error, MRW_BAD_VALUE, NULL, "%s", message);
}

/// Every instance once, and nobody carried by what it carries.
static mrw_result check_mounts(restore* to)
{
    // By place in the world: the index of what was saved plus one, then whether its carriers end at a root.
    uint32_t* index = mrwi_arena_allocate(&to->arena, to->world->count, sizeof *index);
    uint8_t* is_rooted = mrwi_arena_allocate(&to->arena, to->count, 1);
    if (index == NULL || is_rooted == NULL) {
        return MRW_NO_MEMORY;
    }
    for (uint32_t i = 0; i < to->count; i++) {
        uint32_t* at = &index[to->saved[i].instance->world_index];
        if (*at != 0) {
            return bad(to, "an instance occurs twice");
        }
        *at = i + 1;
    }
    for (uint32_t i = 0; i < to->count; i++) {
        uint32_t steps = 0;
        const mrwi_saved_instance* at = &to->saved[i];
        while (at->carrier != NULL && is_rooted[at - to->saved] == 0) {
            at = &to->saved[index[at->carrier->world_index] - 1];
            if (++steps > to->count) {
                return bad(to, "instances carry each other");
            }
        }
        // Everything on the way is known to end now.
        for (at = &to->saved[i]; is_rooted[at - to->saved] == 0; at = &to->saved[index[at->carrier->world_index] - 1]) {
            is_rooted[at - to->saved] = 1;
            if (at->carrier == NULL) {
                break;
            }
        }
    }
    return MRW_OK;
}

static mrw_result read_all(restore* to, const void* bytes, size_t size)
{
    mrwi_bytes_reader reader = { bytes, size, 0, false };
    uint32_t magic = mrwi_take_u32(&reader);
    uint32_t version = mrwi_take_u32(&reader);
    to->time = mrwi_take_f64(&reader);
    uint32_t count = mrwi_take_u32(&reader);
    if (reader.failed || magic != MRWI_SNAPSHOT_MAGIC) {
        return bad(to, "not a snapshot");
    }
    if (version != MRWI_SNAPSHOT_VERSION) {
        return bad(to, "a snapshot of another version");
    }
    if (count != to->world->state.instance_count || !(to->time >= 0.0 && to->time - to->time == 0.0)) {
        return bad(to, "a snapshot of another world");
    }
    to->saved = mrwi_arena_allocate(&to->arena, count, sizeof *to->saved);
    if (to->saved == NULL) {
        return MRW_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        mrw_result result = mrwi_snapshot_read_instance(to->world, &reader, &to->arena, &to->saved[i], to->error);
        if (result != MRW_OK) {
            return result;
        }
        to->count++;
    }
    return reader.at == size ? check_mounts(to) : bad(to, "bytes follow the snapshot");
}

/// The offsets of a part in the order that mrw_instance_set_deform takes.
static const float* file_order(const restore* to, const mrwi_part* part, const float* offsets)
{
    for (uint32_t i = 0; i < part->vertex_count; i++) {
        uint32_t file = part->vertex_map[i];
        to->offsets[2 * file] = offsets[2 * i];
        to->offsets[2 * file + 1] = offsets[2 * i + 1];
    }
    return to->offsets;
}

static mrw_result set_deform(const restore* to, const mrwi_saved_instance* saved, uint32_t part)
{
    const mrwi_instance* instance = saved->instance;
    const mrwi_part* model_part = &instance->model->parts[part];
    const float* offsets = saved->manual[part];
    if (offsets != NULL) {
        offsets = file_order(to, model_part, offsets);
    }
    return mrw_instance_set_deform(to->context, instance->id, part, offsets, 2 * (size_t)model_part->vertex_count);
}

static mrw_result set_sprite(const restore* to, const mrwi_instance* instance, uint32_t part, int32_t sprite)
{
    const mrw_part_change change = { .set = 8, .sprite = sprite };
    return mrw_instance_set_part(to->context, instance->id, part, &change);
}

/// What taking back the first steps of `reserve` needs.
typedef struct step {
    int32_t sprite_before;
    bool sprite_set, deform_set;
} step;

static void take_back(const restore* to, const mrwi_saved_instance* saved, const step* steps)
{
    for (uint32_t part = 0; part < saved->instance->state.part_count; part++) {
        if (steps[part].sprite_set) {
            set_sprite(to, saved->instance, part, steps[part].sprite_before);
        }
        if (steps[part].deform_set) {
            mrw_instance_set_deform(to->context, saved->instance->id, part, NULL, 0);
        }
    }
}

/// What may need memory: other sprites, and offsets where there are none. Each can be taken back without memory.
static mrw_result reserve_parts(const restore* to, const mrwi_saved_instance* saved, step* steps)
{
    mrwi_instance* instance = saved->instance;
    for (uint32_t part = 0; part < instance->state.part_count; part++) {
        int32_t sprite = instance->part_bases[part].sprite;
        mrw_result result = MRW_OK;
        if (sprite != saved->parts[part].sprite) {
            result = set_sprite(to, instance, part, saved->parts[part].sprite);
            steps[part].sprite_before = sprite;
            steps[part].sprite_set = result == MRW_OK;
        }
        if (result == MRW_OK && instance->deforms[part].manual == NULL && saved->manual[part] != NULL) {
            result = set_deform(to, saved, part);
            steps[part].deform_set = result == MRW_OK;
        }
        if (result != MRW_OK) {
            return result;
        }
    }
    return MRW_OK;
}

static mrw_result reserve_all(restore* to, step** steps)
{
    size_t largest = 0;
    for (uint32_t i = 0; i < to->count; i++) {
        const mrwi_instance* instance = to->saved[i].instance;
        steps[i] = mrwi_arena_allocate(&to->arena, instance->state.part_count, sizeof **steps);
        if (steps[i] == NULL) {
            return MRW_NO_MEMORY;
        }
        for (uint32_t part = 0; part < instance->state.part_count; part++) {
            size_t count = instance->model->parts[part].vertex_count;
            largest = count > largest ? count : largest;
        }
    }
    to->offsets = mrwi_arena_allocate(&to->arena, largest, 2 * sizeof *to->offsets);
    if (to->offsets == NULL) {
        return MRW_NO_MEMORY;
    }
    for (uint32_t i = 0; i < to->count; i++) {
        mrwi_saved_instance* saved = &to->saved[i];
        mrw_result result = MRW_OK;
        if (saved->instance->model != NULL) {
            const mrwi_subject subject = mrwi_instance_subject(saved->instance);
            result = mrwi_mixer_make(&subject, &saved->mixer_args, &saved->mixer);
            saved->has_mixer = result == MRW_OK;
        }
        result = result == MRW_OK ? reserve_parts(to, saved, steps[i]) : result;
        if (result != MRW_OK) {
            return result;
        }
    }
    return MRW_OK;
}

static void copy_rows(float* dst, uint32_t stride, const float* src, uint32_t count)
{
    for (size_t row = 0; row < MRW_FIELD_COUNT && count > 0; row++) {
        memcpy(dst + row * stride, src + row * count, count * sizeof *dst);
    }
}

/// Nothing here takes memory.
static void commit(const restore* to, mrwi_saved_instance* saved)
{
    mrwi_instance* instance = saved->instance;
    mrw_instance_state* state = &instance->state;
    memcpy(state->root, saved->root, sizeof state->root);
    state->order = saved->order;
    state->view = saved->view;
    state->active = saved->active;
    copy_rows(state->base, state->node_stride, saved->base, state->node_count);
    copy_rows(state->override_values, state->node_stride, saved->override_values, state->node_count);
    if (state->node_count > 0) {
        memcpy(state->override_mask, saved->override_mask, state->node_count);
    }
    for (uint32_t part = 0; part < state->part_count; part++) {
        const mrwi_part_base* base = &saved->parts[part];
        const mrw_part_change change = { 7, base->visible, base->color, base->opacity, 0 };
        mrw_instance_set_part(to->context, instance->id, part, &change);
        if (saved->manual[part] != NULL || instance->deforms[part].manual != NULL) {
            set_deform(to, saved, part);
        }
    }
    if (saved->has_mixer) {
        const mrwi_subject subject = mrwi_instance_subject(instance);
        mrwi_mixer_replace(&subject, &instance->mixer, &saved->mixer);
    }
    state->dirty = 1;
}

static void commit_mounts(const restore* to)
{
    // First off, then on: half way, the old and the new carriers could make a cycle.
    for (uint32_t i = 0; i < to->count; i++) {
        mrw_instance_mount(to->context, to->saved[i].instance->id, (mrw_instance_id) { 0 }, MRWI_ROOT);
    }
    for (uint32_t i = 0; i < to->count; i++) {
        const mrwi_saved_instance* saved = &to->saved[i];
        if (saved->carrier != NULL) {
            uint32_t node = saved->carrier_node == MRWI_ROOT ? MRWI_ROOT : mrwi_tree_node(&saved->carrier->tree, saved->carrier_node);
            mrw_instance_mount(to->context, saved->instance->id, saved->carrier->id, node);
        }
    }
}

static mrw_result restore_world(restore* to, const void* bytes, size_t size)
{
    mrw_result result = read_all(to, bytes, size);
    if (result != MRW_OK) {
        return result;
    }
    step** steps = mrwi_arena_allocate(&to->arena, to->count, sizeof(step*));
    result = steps == NULL ? MRW_NO_MEMORY : reserve_all(to, steps);
    if (result != MRW_OK) {
        for (uint32_t i = 0; steps != NULL && i < to->count && steps[i] != NULL; i++) {
            take_back(to, &to->saved[i], steps[i]);
            if (to->saved[i].has_mixer) {
                mrwi_mixer_release(to->context, &to->saved[i].mixer);
            }
        }
        return result;
    }
    for (uint32_t i = 0; i < to->count; i++) {
        commit(to, &to->saved[i]);
    }
    commit_mounts(to);
    to->world->state.time = to->time;
    return MRW_OK;
}

MRW_API mrw_result mrw_world_restore(mrw_context* context, mrw_world_id id, const void* bytes, size_t size, mrw_error* error)
{
    restore to = { .context = context, .world = mrwi_world_get(context, id), .error = error };
    if (to.world == NULL) {
        return mrwi_fail(error, MRW_STALE, NULL, NULL);
    }
    if (bytes == NULL) {
        return mrwi_fail(error, MRW_BAD_ARGUMENT, NULL, NULL);
    }
    mrwi_arena_init(&to.arena, context);
    mrw_result result = restore_world(&to, bytes, size);
    mrwi_arena_release(&to.arena);
    return result == MRW_NO_MEMORY ? mrwi_fail(error, result, NULL, NULL) : result;
}
