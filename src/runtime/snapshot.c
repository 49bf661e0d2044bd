// One walk over the state of a world measures, writes, checks and applies its bytes. They are memory as it lies there, in blocks of
// whole words, and fit no other version of the library. Restoring walks twice: the first time everything is checked and what needs memory
// is made beside the live state, the second time nothing can fail.
#include "base/hash.h"
#include "base/result.h"
#include "runtime/instance_parts.h"
#include "runtime/mount.h"
#include "runtime/world.h"

#include <math.h>
#include <string.h>

#define MAGIC 0x5357524du ///< "MRWS"
#define VERSION 2u
#define NONE UINT32_MAX ///< in place of a count

// No struct has padding, so that equal states give equal bytes.
typedef struct world_head {
    uint32_t magic, version;
    double time;
    uint32_t instance_count, unused;
} world_head;

/// What an instance must be for the bytes to fit it, and what carries it.
typedef struct instance_head {
    uint64_t signature; ///< of model, clips and tree
    uint32_t instance, model;
    uint32_t carrier, carrier_node; ///< id or 0, and slot or MRWI_ROOT
} instance_head;

typedef struct layer_head {
    mrwi_playhead at;
    float weight;
    uint32_t additive;
    uint32_t name_size;  ///< with its zero
    uint32_t roots_size; ///< NONE: the layer has no mask
} layer_head;

/// What restoring an instance puts in place of its own, which it then holds instead.
typedef struct saved {
    mrwi_mixer mixer;
    float** manual; ///< by part
    bool changes_sprites;
    mrwi_instance* carrier; ///< NULL: not mounted
    uint32_t carrier_node;
} saved;

typedef enum mode { WRITE, CHECK, APPLY } mode;

typedef struct walk {
    mode mode;
    mrwi_world* world;
    uint8_t* bytes; ///< NULL: only measures
    size_t size, at;
    bool is_short; ///< a block reached behind the end
    mrwi_arena arena;
    saved* saved; ///< by place in the world
    mrw_error* error;
} walk;

static mrw_result bad(const walk* w, const char* message)
{
    mrw_result result = mrwi_fail(w->error, MRW_BAD_VALUE, NULL, "%s", message);
    if (w->error != NULL) {
        w->error->offset = (int64_t)w->at;
    }
    return result;
}

/// Copies a block into the bytes or, unless it is NULL, out of them. Returns where it lies there; NULL when they are short.
static void* pass(walk* w, void* block, size_t size)
{
    if (w->is_short || size > w->size - w->at) {
        w->is_short = true;
        return NULL;
    }
    uint8_t* here = w->bytes == NULL ? NULL : w->bytes + w->at;
    w->at += (size + 3) / 4 * 4;
    if (here != NULL && block != NULL && size > 0) {
        memcpy(w->mode == WRITE ? here : block, w->mode == WRITE ? block : here, size);
    }
    return here;
}

/// The same for live state, which is left alone while bytes are checked.
static const void* pass_live(walk* w, void* block, size_t size)
{
    return pass(w, w->mode == CHECK ? NULL : block, size);
}

static void pass_rows(walk* w, float* rows, const mrw_instance_state* state)
{
    for (size_t row = 0; row < MRW_FIELD_COUNT; row++) {
        pass_live(w, rows + row * state->node_stride, state->node_count * sizeof *rows);
    }
}

static uint64_t hash_text(uint64_t hash, const char* text)
{
    return mrwi_hash(hash, text, strlen(text) + 1);
}

/// What must be the same for a snapshot to fit: model, clips and tree.
static uint64_t sign(const mrwi_instance* instance)
{
    const mrwi_model* model = instance->model;
    const mrw_instance_state* state = &instance->state;
    uint64_t hash = mrwi_hash(MRWI_HASH_START, state->node_flags, state->node_count * sizeof *state->node_flags);
    hash = mrwi_hash(hash, state->node_parents, state->node_count * sizeof *state->node_parents);
    for (uint32_t i = 0; i < state->node_count; i++) {
        if ((state->node_flags[i] & MRWI_NODE_ALIVE) != 0) {
            hash = hash_text(hash, mrwi_tree_name(&instance->tree, model, i));
        }
    }
    if (model == NULL) {
        return hash;
    }
    for (uint32_t i = 0; i < model->part_count; i++) {
        hash = hash_text(hash, model->parts[i].name);
        hash = mrwi_hash(hash, &model->parts[i].vertex_count, sizeof model->parts[i].vertex_count);
    }
    for (uint32_t i = 0; i < model->clip_count; i++) {
        hash = hash_text(hash, model->clips[i]->name);
    }
    return mrwi_hash(hash, &model->sprite_count, sizeof model->sprite_count);
}

static instance_head describe(const mrwi_instance* instance)
{
    const mrwi_instance* carrier = instance->carrier;
    return (instance_head) {
        .signature = sign(instance),
        .instance = instance->id.value,
        .model = instance->model == NULL ? 0 : instance->model->id.value,
        .carrier = carrier == NULL ? 0 : carrier->id.value,
        .carrier_node = carrier == NULL ? MRWI_ROOT : instance->carrier_node,
    };
}

static bool is_finite(double value)
{
    return value - value == 0.0;
}

static bool is_sound_playhead(const mrwi_model* model, const mrwi_playhead* at)
{
    return model != NULL && at->clip >= 0 && (uint32_t)at->clip < model->clip_count && at->time >= 0.0
        && at->time <= model->clips[at->clip]->duration && is_finite((double)at->speed) && (at->once | at->ended | at->fresh) <= 1;
}

/// Whether no mark has a bit from `field_count` on.
static bool are_sound_marks(const uint8_t* marks, size_t count, uint32_t field_count)
{
    uint32_t all = 0;
    for (size_t i = 0; i < count; i++) {
        all |= marks[i];
    }
    return all >> field_count == 0;
}

/// Whether the bytes fit the instance, and its carrier.
static mrw_result check_head(walk* w, const instance_head* live, const instance_head* head, saved* out)
{
    if (w->is_short || head->instance != live->instance) {
        return bad(w, "a snapshot of other instances");
    }
    if (head->model != live->model || head->signature != live->signature) {
        return bad(w, "an instance has another model, other clips or another tree");
    }
    out->carrier = mrwi_instance_get(w->world->context, (mrw_instance_id) { head->carrier });
    out->carrier_node = head->carrier_node;
    bool is_good = head->carrier == 0 || (out->carrier != NULL && out->carrier->world == w->world);
    if (is_good && head->carrier != 0 && head->carrier_node != MRWI_ROOT) {
        const mrw_instance_state* state = &out->carrier->state;
        is_good = head->carrier_node < state->node_count && (state->node_flags[head->carrier_node] & MRWI_NODE_ALIVE) != 0;
    }
    return is_good ? MRW_OK : bad(w, "an instance is mounted on something that is not there");
}

static mrw_result check_parts(walk* w, mrwi_instance* instance, const mrwi_part_base* parts, saved* out)
{
    for (uint32_t i = 0; i < instance->state.part_count; i++) {
        const mrwi_part_base* part = &parts[i];
        if (part->visible > 1 || part->color > 0xffffff || !is_finite((double)part->opacity) || part->sprite < -1
            || part->sprite >= (int32_t)instance->model->sprite_count) {
            return bad(w, "a part is damaged");
        }
        out->changes_sprites |= part->sprite != instance->part_bases[i].sprite;
    }
    return out->changes_sprites ? mrwi_parts_reserve_uvs(instance) : MRW_OK;
}

/// Offsets set by hand, and what a part shows.
static mrw_result walk_parts(walk* w, mrwi_instance* instance, saved* to)
{
    const uint32_t count = instance->state.part_count;
    const mrwi_part_base* parts = pass_live(w, instance->part_bases, count * sizeof *parts);
    if (w->mode == CHECK) {
        to->manual = mrwi_arena_allocate(&w->arena, count, sizeof *to->manual);
        mrw_result result = w->is_short ? MRW_OK : check_parts(w, instance, parts, to);
        if (to->manual == NULL || result != MRW_OK) {
            return to->manual == NULL ? MRW_NO_MEMORY : result;
        }
    }
    if (w->mode == APPLY) {
        instance->sprites_stale |= to->changes_sprites;
    }
    for (uint32_t i = 0; i < count; i++) {
        mrwi_deform* deform = &instance->deforms[i];
        if (w->mode == APPLY) {
            float* before = deform->manual;
            deform->manual = to->manual[i];
            to->manual[i] = before;
            const size_t bytes = 2 * (size_t)instance->model->parts[i].vertex_count * sizeof *before;
            deform->manual_changed
                |= deform->manual != before && (before == NULL || deform->manual == NULL || memcmp(before, deform->manual, bytes) != 0);
        }
        float* manual = deform->manual;
        uint32_t is_set = manual != NULL;
        pass(w, &is_set, sizeof is_set);
        if (is_set == 0 || w->is_short) {
            continue;
        }
        const size_t size = 2 * (size_t)instance->model->parts[i].vertex_count;
        if (w->mode == CHECK) {
            manual = mrwi_allocate(instance->context, mrwi_parts_offset_count(instance->model, i), sizeof *manual);
            to->manual[i] = manual;
            if (manual == NULL) {
                return MRW_NO_MEMORY;
            }
        }
        pass(w, manual, size * sizeof *manual);
        for (size_t j = 0; w->mode == CHECK && j < size; j++) {
            if (!(fabsf(manual[j]) <= MRWI_OFFSET_MAX)) {
                return bad(w, "an offset is too large");
            }
        }
    }
    return MRW_OK;
}

static mrw_result walk_layer(walk* w, const mrwi_subject* subject, mrwi_mixer* mixer, uint32_t index)
{
    mrwi_layer_args args = { .name = "" };
    if (w->mode != CHECK) {
        args = mrwi_layer_describe(&mixer->layers[index]);
    }
    layer_head head = { args.at, args.weight, args.additive, (uint32_t)strlen(args.name) + 1,
        args.roots == NULL ? NONE : args.root_count * (uint32_t)sizeof *args.roots };
    pass(w, &head, sizeof head);
    if (w->mode != CHECK) {
        // Applied, they are there already.
        pass(w, (char*)args.name, head.name_size);
        pass(w, (uint32_t*)args.roots, args.root_count * sizeof *args.roots);
        return MRW_OK;
    }
    const bool is_masked = head.roots_size != NONE;
    args = (mrwi_layer_args) { .at = head.at, .weight = head.weight, .additive = head.additive != 0 };
    args.name = pass(w, NULL, head.name_size);
    args.roots = is_masked ? pass(w, NULL, head.roots_size) : NULL;
    args.root_count = is_masked ? head.roots_size / (uint32_t)sizeof *args.roots : 0;
    const bool is_good = !w->is_short && head.name_size > 0 && memchr(args.name, 0, head.name_size) == args.name + head.name_size - 1
        && (!is_masked || head.roots_size % sizeof *args.roots == 0) && is_sound_playhead(subject->model, &head.at) && head.weight >= 0.0f
        && head.weight <= 1.0f;
    return is_good ? mrwi_mixer_put_layer(subject, mixer, index, &args) : bad(w, "a layer is damaged");
}

/// What the fade of a mixer saw.
static mrw_result walk_seen(walk* w, const mrwi_subject* subject, mrwi_seen* seen)
{
    pass(w, &seen->node_count, sizeof seen->node_count);
    if (w->mode == CHECK) {
        if (seen->node_count > subject->state->node_count) {
            return bad(w, "a fade is damaged");
        }
        seen->part_count = subject->state->part_count;
        seen->block = mrwi_allocate(subject->context, mrwi_seen_size(seen), 1);
        if (seen->block == NULL) {
            return MRW_NO_MEMORY;
        }
    }
    pass(w, seen->block, mrwi_seen_size(seen));
    uint8_t* marks = NULL;
    mrwi_seen_sink(seen, &marks);
    const uint32_t first_node = mrwi_first_node_entry(seen->part_count);
    const bool is_good = are_sound_marks(marks, 1, MRWI_VIEW_FIELD_COUNT)
        && are_sound_marks(marks + 1, seen->part_count, MRWI_PART_FIELD_COUNT)
        && are_sound_marks(marks + first_node, seen->node_count, MRW_FIELD_COUNT);
    return is_good ? MRW_OK : bad(w, "a fade is damaged");
}

/// Checks into a mixer that is made for it and bound. Applies to the live one after it was exchanged with that.
static mrw_result walk_mixer(walk* w, mrwi_instance* instance, saved* to)
{
    const mrwi_subject subject = mrwi_instance_subject(instance);
    mrwi_mixer* mixer = &instance->mixer;
    if (w->mode == CHECK) {
        mixer = &to->mixer;
        mrwi_mixer_init(mixer);
    } else if (w->mode == APPLY) {
        mrwi_mixer_exchange(&subject, mixer, &to->mixer);
    }
    mrwi_fade* fade = &mixer->fade;
    mrwi_playhead* main = &mixer->main.at;
    uint32_t layer_count = mixer->layer_count;
    uint32_t has_seen = mrwi_fade_is_live(fade) && fade->seen.block != NULL;
    pass(w, main, sizeof *main);
    pass(w, &mixer->paused, sizeof mixer->paused);
    pass(w, &fade->outgoing.at, sizeof fade->outgoing.at);
    pass(w, &fade->duration, sizeof fade->duration);
    pass(w, &fade->elapsed, sizeof fade->elapsed);
    pass(w, &fade->one_sided_full, sizeof fade->one_sided_full);
    pass(w, &has_seen, sizeof has_seen);
    pass(w, &layer_count, sizeof layer_count);
    const bool is_good = (main->clip == -1 || is_sound_playhead(subject.model, main))
        && (fade->outgoing.at.clip == -1 || is_sound_playhead(subject.model, &fade->outgoing.at))
        && (fade->duration == 0.0
            || (main->clip >= 0 && is_finite(fade->duration) && fade->elapsed >= 0.0 && fade->elapsed < fade->duration))
        && layer_count <= MRWI_LAYERS_MAX;
    mrw_result result = is_good ? MRW_OK : bad(w, "a clip is damaged");
    if (result == MRW_OK && has_seen != 0) {
        result = walk_seen(w, &subject, &fade->seen);
    }
    for (uint32_t i = 0; i < layer_count && result == MRW_OK; i++) {
        result = walk_layer(w, &subject, mixer, i);
    }
    return result == MRW_OK && w->mode == CHECK ? mrwi_mixer_rebind(&subject, mixer) : result;
}

static mrw_result walk_instance(walk* w, mrwi_instance* instance)
{
    saved* to = w->mode == WRITE ? NULL : &w->saved[instance->world_index];
    mrw_instance_state* state = &instance->state;
    // The signature reads every name: where the bytes are measured or were checked, it is not needed.
    const bool needs_head = w->bytes != NULL && w->mode != APPLY;
    const instance_head live = needs_head ? describe(instance) : (instance_head) { 0 };
    instance_head head = live;
    pass(w, &head, sizeof head);
    mrw_result result = w->mode == CHECK ? check_head(w, &live, &head, to) : MRW_OK;
    if (result != MRW_OK) {
        return result;
    }
    pass_live(w, state->root, sizeof state->root);
    pass_live(w, &state->order, sizeof state->order);
    pass_live(w, &state->view, sizeof state->view);
    pass_live(w, &state->active, sizeof state->active);
    pass_rows(w, state->base, state);
    pass_rows(w, state->override_values, state);
    const uint8_t* mask = pass_live(w, state->override_mask, state->node_count);
    if (w->mode == CHECK && (w->is_short || !are_sound_marks(mask, state->node_count, MRW_FIELD_COUNT))) {
        return bad(w, "an override is damaged");
    }
    result = walk_parts(w, instance, to);
    if (result == MRW_OK) {
        result = walk_mixer(w, instance, to);
    }
    if (w->mode == APPLY) {
        state->dirty = 1;
        mrwi_mount_clear(instance);
    }
    return result == MRW_OK && w->is_short ? bad(w, "the bytes end too early") : result;
}

/// The next instance of the world in the order of ids, whatever the update order is.
static mrwi_instance* next_instance(const walk* w, uint32_t* cursor)
{
    uint32_t id = 0;
    mrwi_instance* instance = NULL;
    do {
        instance = mrwi_slots_next(&w->world->context->instances, cursor, &id);
    } while (instance != NULL && instance->world != w->world);
    return instance;
}

static mrw_result walk_world(walk* w)
{
    const uint32_t count = w->world->state.instance_count;
    world_head head = { MAGIC, VERSION, w->world->state.time, count, 0 };
    pass(w, &head, sizeof head);
    if (w->is_short || head.magic != MAGIC || (w->mode == CHECK && w->size % 4 != 0)) {
        return bad(w, "not a snapshot");
    }
    if (head.version != VERSION) {
        return bad(w, "a snapshot of another version");
    }
    if (head.instance_count != count || !(head.time >= 0.0 && is_finite(head.time))) {
        return bad(w, "a snapshot of another world");
    }
    mrw_result result = MRW_OK;
    mrwi_instance* instance = NULL;
    for (uint32_t cursor = 0; result == MRW_OK && (instance = next_instance(w, &cursor)) != NULL;) {
        result = walk_instance(w, instance);
    }
    if (w->mode == APPLY) {
        w->world->state.time = head.time;
    }
    return result;
}

/// Whether nobody is carried by what it carries.
static bool are_sound_mounts(const walk* w)
{
    for (uint32_t i = 0; i < w->world->count; i++) {
        uint32_t steps = 0;
        for (const saved* at = &w->saved[i]; at->carrier != NULL; at = &w->saved[at->carrier->world_index]) {
            if (++steps > w->world->count) {
                return false;
            }
        }
    }
    return true;
}

static mrw_result check(walk* w)
{
    w->mode = CHECK;
    w->saved = mrwi_arena_allocate(&w->arena, w->world->count, sizeof *w->saved);
    mrw_result result = w->saved == NULL ? MRW_NO_MEMORY : walk_world(w);
    if (result == MRW_OK && w->at != w->size) {
        return bad(w, "bytes follow the snapshot");
    }
    return result == MRW_OK && !are_sound_mounts(w) ? bad(w, "instances carry each other") : result;
}

/// Takes every instance off its carrier, so that old and new carriers make no cycle half way, and then puts it on.
static void apply(walk* w)
{
    w->mode = APPLY;
    w->at = 0;
    walk_world(w);
    mrwi_instance* instance = NULL;
    for (uint32_t cursor = 0; (instance = next_instance(w, &cursor)) != NULL;) {
        const saved* from = &w->saved[instance->world_index];
        if (from->carrier != NULL) {
            uint32_t node = from->carrier_node == MRWI_ROOT ? MRWI_ROOT : mrwi_tree_node(&from->carrier->tree, from->carrier_node);
            mrw_instance_mount(instance->context, instance->id, from->carrier->id, node);
        }
    }
}

/// What was made and not needed, or replaced.
static void release_saved(const walk* w)
{
    for (uint32_t i = 0; w->saved != NULL && i < w->world->count; i++) {
        const mrwi_instance* instance = w->world->instances[i];
        saved* at = &w->saved[i];
        mrwi_mixer_release(w->world->context, &at->mixer);
        for (uint32_t part = 0; at->manual != NULL && part < instance->state.part_count; part++) {
            mrwi_release(w->world->context, at->manual[part], mrwi_parts_offset_count(instance->model, part), sizeof(float));
        }
    }
}

MRW_API mrw_result mrw_world_snapshot(mrw_context* context, mrw_world_id id, char** out_bytes, size_t* out_size)
{
    walk w = { .mode = WRITE, .world = mrwi_world_get(context, id), .size = SIZE_MAX };
    *out_bytes = NULL;
    *out_size = 0;
    if (w.world == NULL) {
        return MRW_STALE;
    }
    walk_world(&w);
    w.bytes = mrwi_allocate(context, w.at + 1, 1);
    if (w.bytes == NULL) {
        return MRW_NO_MEMORY;
    }
    w.at = 0;
    walk_world(&w);
    *out_bytes = (char*)w.bytes;
    *out_size = w.at;
    return MRW_OK;
}

MRW_API mrw_result mrw_world_restore(mrw_context* context, mrw_world_id id, const void* bytes, size_t size, mrw_error* error)
{
    walk w = { .world = mrwi_world_get(context, id), .size = size, .error = error };
    if (w.world == NULL) {
        return mrwi_fail(error, MRW_STALE, NULL, NULL);
    }
    if (bytes == NULL) {
        return mrwi_fail(error, MRW_BAD_ARGUMENT, NULL, NULL);
    }
    mrwi_arena_init(&w.arena, context);
    w.bytes = mrwi_arena_allocate(&w.arena, size, 1);
    mrw_result result = MRW_NO_MEMORY;
    if (w.bytes != NULL) {
        memcpy(w.bytes, bytes, size); // aligned now
        result = check(&w);
    }
    if (result == MRW_OK) {
        apply(&w);
    }
    release_saved(&w);
    mrwi_arena_release(&w.arena);
    return result == MRW_NO_MEMORY ? mrwi_fail(error, result, NULL, NULL) : result;
}
