#include "runtime/instance_parts.h"

#include "runtime/runs.h"
#include "runtime/skin.h"
#include "runtime/world.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define NO_PAGE UINT32_MAX

enum { SET_VISIBLE = 1, SET_COLOR = 2, SET_OPACITY = 4, SET_SPRITE = 8 };

size_t mrwi_parts_offset_count(const mrwi_model* model, uint32_t part)
{
    return 2 * ((size_t)model->parts[part].vertex_count + MRWI_PLAN_SLACK);
}

static uint32_t page_of(const mrwi_model* model, int32_t sprite)
{
    return sprite < 0 ? NO_PAGE : model->sprites[sprite].page;
}

// What an instance keeps of one part. Arrays of these follow each other in one block, those that hold pointers first.
typedef struct part_room {
    mrwi_deform deform;
    mrw_part_state state;
    mrw_run run;
    mrwi_part_base base;
    mrwi_bounds_cache bounds;
} part_room;

static bool allocate(mrwi_instance* instance)
{
    const uint32_t count = instance->model->part_count;
    instance->deforms = mrwi_allocate(instance->context, (size_t)count + 1, sizeof(part_room)); // there are bounds of the whole too
    if (instance->deforms == NULL) {
        return false;
    }
    instance->part_states = (mrw_part_state*)(void*)(instance->deforms + count);
    instance->runs = (mrw_run*)(void*)(instance->part_states + count);
    instance->part_bases = (mrwi_part_base*)(void*)(instance->runs + count);
    instance->bounds = (mrwi_bounds_cache*)(void*)(instance->part_bases + count);
    return true;
}

// Page and sprite follow when the parts are refreshed.
static void fill_part(mrwi_instance* instance, uint32_t index)
{
    const mrwi_part* part = &instance->model->parts[index];
    const mrwi_part_base base = { part->hidden ? 0 : 1, 0xffffff, 1.0f, part->sprite };
    instance->part_bases[index] = base;
    instance->part_states[index] = (mrw_part_state) {
        .first_vertex = part->first_vertex,
        .vertex_count = part->vertex_count,
        .first_index = part->first_index,
        .index_count = part->index_count,
        .visible = base.visible,
        .color = base.color,
        .opacity = base.opacity,
        .order = part->order,
        .file_index = part->file_index,
        .vertex_map = part->vertex_map,
    };
}

mrw_result mrwi_parts_init(mrwi_instance* instance)
{
    const mrwi_model* model = instance->model;
    if (!allocate(instance)) {
        return MRW_NO_MEMORY;
    }
    for (uint32_t i = 0; i < model->part_count; i++) {
        fill_part(instance, i);
    }
    for (uint32_t clip = 0; clip < model->clip_count; clip++) {
        if (mrwi_parts_reserve_deforms(instance, clip) != MRW_OK) {
            return MRW_NO_MEMORY;
        }
    }
    mrw_instance_state* state = &instance->state;
    state->vertex_count = model->vertex_count;
    state->index_count = model->index_count;
    state->part_count = model->part_count;
    state->run_count = 0;
    state->uvs = model->uvs;
    state->indices = model->indices;
    state->runs = instance->runs;
    state->parts = instance->part_states;
    memcpy(state->bind_bounds, model->bind_bounds, sizeof state->bind_bounds);
    instance->runs_stale = true;
    instance->sprites_stale = true;
    instance->must_skin = true;
    mrwi_parts_refresh(instance);
    return MRW_OK;
}

void mrwi_parts_release(mrwi_instance* instance)
{
    mrw_context* context = instance->context;
    const mrwi_model* model = instance->model;
    for (uint32_t i = 0; instance->deforms != NULL && i < model->part_count; i++) {
        mrwi_release(context, instance->deforms[i].manual, mrwi_parts_offset_count(model, i), sizeof(float));
        mrwi_release(context, instance->deforms[i].sampled, mrwi_parts_offset_count(model, i), sizeof(float));
    }
    mrwi_release(context, instance->deforms, (size_t)model->part_count + 1, sizeof(part_room));
    mrwi_release(context, instance->uvs_owned, model->vertex_count, 2 * sizeof(float));
}

// Room for offsets of a part, unless there is.
static bool reserve_offsets(const mrwi_instance* instance, uint32_t part, float** offsets)
{
    if (*offsets == NULL) {
        *offsets = mrwi_allocate(instance->context, mrwi_parts_offset_count(instance->model, part), sizeof(float));
    }
    return *offsets != NULL;
}

mrw_result mrwi_parts_reserve_deforms(mrwi_instance* instance, uint32_t clip)
{
    const mrwi_clip* added = instance->model->clips[clip];
    for (uint32_t i = 0; i < added->deform_count; i++) {
        uint32_t part = added->deforms[i].part;
        if (!reserve_offsets(instance, part, &instance->deforms[part].sampled)) {
            return MRW_NO_MEMORY;
        }
    }
    return MRW_OK;
}

mrw_result mrwi_parts_reserve_uvs(mrwi_instance* instance)
{
    if (instance->uvs_owned == NULL) {
        instance->uvs_owned = mrwi_allocate(instance->context, instance->model->vertex_count, 2 * sizeof(float));
    }
    return instance->uvs_owned == NULL ? MRW_NO_MEMORY : MRW_OK;
}

bool mrwi_parts_stale(const mrwi_instance* instance)
{
    return instance->runs_stale || instance->sprites_stale
        || (instance->model != NULL && instance->uv_version != instance->model->uv_version);
}

// Own uvs hold the model's, except for parts that show another sprite.
static void write_uvs(mrwi_instance* instance)
{
    const mrwi_model* model = instance->model;
    memcpy(instance->uvs_owned, model->uvs, (size_t)model->vertex_count * 2 * sizeof(float));
    for (uint32_t i = 0; i < model->part_count; i++) {
        const mrwi_part* part = &model->parts[i];
        int32_t sprite = instance->part_states[i].sprite;
        if (sprite != part->sprite) {
            const mrwi_sprite* shown = sprite < 0 ? NULL : &model->sprites[sprite];
            size_t first = (size_t)part->first_vertex * 2;
            const mrw_frame* frame = shown != NULL && shown->has_frame ? &shown->frame : NULL;
            mrw_frame_uvs(model->local_uvs + first, part->vertex_count, frame, instance->uvs_owned + first);
        }
    }
    instance->state.uvs = instance->uvs_owned;
}

static bool refresh_sprites(mrwi_instance* instance)
{
    const mrwi_model* model = instance->model;
    if (!instance->sprites_stale && instance->uv_version == model->uv_version) {
        return false;
    }
    for (uint32_t i = 0; i < model->part_count; i++) {
        mrw_part_state* part = &instance->part_states[i];
        part->sprite = instance->part_bases[i].sprite;
        part->page = page_of(model, part->sprite);
    }
    if (instance->uvs_owned != NULL) {
        write_uvs(instance);
    }
    instance->sprites_stale = false;
    instance->uv_version = model->uv_version;
    return true;
}

// Parts without triangles neither show nor part anything.
static uint32_t write_runs(mrwi_instance* instance)
{
    const mrwi_model* model = instance->model;
    mrw_run* runs = (mrw_run*)(void*)instance->world->scratch;
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->part_count; i++) {
        const mrw_part_state* part = &instance->part_states[i];
        if (part->visible != 0 && part->index_count != 0) {
            const mrw_run run = { part->page, model->parts[i].blend, part->first_index, part->index_count, part->first_vertex,
                part->vertex_count, part->color, part->opacity, i, 1 };
            mrwi_runs_add(runs, &count, &run, true);
        }
    }
    return mrwi_runs_show(instance->runs, &instance->state.run_count, runs, count);
}

bool mrwi_parts_refresh(mrwi_instance* instance)
{
    if (!mrwi_parts_stale(instance)) {
        return false;
    }
    uint32_t changes = refresh_sprites(instance) ? MRWI_RUNS_STRUCTURE : 0;
    changes |= write_runs(instance);
    instance->runs_stale = false;
    instance->state.structure_version += (changes & MRWI_RUNS_STRUCTURE) != 0 ? 1 : 0;
    instance->state.color_version += (changes & MRWI_RUNS_COLORS) != 0 ? 1 : 0;
    return changes != 0;
}

// Where the palette of a part's skin begins; NULL for a rigid part, and where no skin has joints.
static const mrwi_affine2* palette_of(const mrwi_instance* instance, const mrwi_part* part)
{
    if (part->skin < 0 || instance->palette_count == 0) {
        return NULL;
    }
    const mrwi_affine2* palette = instance->world->palette + instance->palette_first;
    for (int32_t i = 0; i < part->skin; i++) {
        palette += instance->model->skins[i].joint_count;
    }
    return palette;
}

// In a crowd's one list a hidden part stays, as a point: what blinks changes vertices, which are uploaded anyway, and no index.
static bool is_folded(const mrwi_instance* instance, uint32_t index)
{
    return instance->crowd != NULL && (instance->state.shown.visible == 0 || instance->part_states[index].visible == 0);
}

// The number of vertices written.
static uint32_t skin_part(mrwi_instance* instance, uint32_t index, const mrwi_affine2* root, bool all)
{
    const mrwi_model* model = instance->model;
    const mrwi_part* part = &model->parts[index];
    mrwi_deform* deform = &instance->deforms[index];
    const float* offsets = deform->manual != NULL ? deform->manual : (deform->sampled_live ? deform->sampled : NULL);
    bool live = offsets != NULL;
    bool changed = deform->manual_changed || live != deform->was_live || (deform->manual == NULL && deform->changed);
    deform->was_live = live;
    deform->changed = false;
    deform->manual_changed = false;
    bool folded = is_folded(instance, index);
    changed = changed || folded != deform->was_folded;
    deform->was_folded = folded;
    if (part->vertex_count == 0 || !(all || changed)) {
        return 0;
    }
    float* out = instance->output + (size_t)part->first_vertex * 2;
    if (folded) {
        for (uint32_t i = 0; i < part->vertex_count; i++) {
            out[2 * i] = root->e;
            out[2 * i + 1] = root->f;
        }
        return part->vertex_count;
    }
    const float* source = model->bind + (size_t)part->first_vertex * 2;
    if (live) {
        float* sum = instance->world->scratch;
        mrwi_skin_add((2 * part->vertex_count + 3) & ~3u, source, offsets, sum);
        source = sum;
    }
    mrwi_skin_linear(&part->plan, palette_of(instance, part), root, source, out);
    return part->vertex_count;
}

bool mrwi_parts_skin(mrwi_instance* instance, const mrwi_affine2* root, bool moved)
{
    uint32_t written = 0;
    for (uint32_t i = 0; i < instance->model->part_count; i++) {
        // A rigid part in the instance's own space does not follow the pose.
        bool follows = moved && (root != NULL || instance->model->parts[i].skin >= 0);
        written += skin_part(instance, i, root, instance->must_skin || follows);
    }
    instance->must_skin = false;
    if (written == 0) {
        return false;
    }
    instance->state.version++;
    instance->world->state.vertices_written += written;
    instance->world->state.instances_skinned++;
    return true;
}

mrw_result mrwi_parts_set_sprite(mrwi_instance* instance, uint32_t part, int32_t sprite)
{
    if (mrwi_parts_reserve_uvs(instance) != MRW_OK) {
        return MRW_NO_MEMORY;
    }
    instance->part_bases[part].sprite = sprite;
    instance->sprites_stale = true;
    return MRW_OK;
}

mrw_result mrw_instance_set_part(mrw_context* context, mrw_instance_id id, uint32_t part, const mrw_part_change* change)
{
    mrwi_instance* instance = mrwi_instance_get(context, id);
    if (instance == NULL) {
        return MRW_STALE;
    }
    if (part >= instance->state.part_count) {
        return MRW_BAD_INDEX;
    }
    mrwi_part_base* base = &instance->part_bases[part];
    if ((change->set & SET_OPACITY) != 0 && !(fabsf(change->opacity) <= FLT_MAX)) {
        return MRW_BAD_ARGUMENT;
    }
    if ((change->set & SET_SPRITE) != 0 && change->sprite != base->sprite) {
        if (change->sprite < -1 || change->sprite >= (int32_t)instance->model->sprite_count) {
            return MRW_BAD_INDEX;
        }
        if (mrwi_parts_set_sprite(instance, part, change->sprite) != MRW_OK) {
            return MRW_NO_MEMORY;
        }
    }
    base->visible = (change->set & SET_VISIBLE) != 0 ? change->visible != 0 : base->visible;
    base->color = (change->set & SET_COLOR) != 0 ? change->color & 0xffffff : base->color;
    base->opacity = (change->set & SET_OPACITY) != 0 ? change->opacity : base->opacity;
    instance->state.dirty = 1;
    return MRW_OK;
}

static bool are_finite(const float* values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!(fabsf(values[i]) <= FLT_MAX)) {
            return false;
        }
    }
    return true;
}

// Writes the offsets in the order of the part's vertices; true when any byte changed.
static bool write_offsets(const mrwi_part* part, const float* offsets, size_t count, float* out)
{
    bool changed = false;
    for (size_t i = 0; i < part->vertex_count; i++) {
        for (size_t axis = 0; axis < 2; axis++) {
            size_t from = 2 * (size_t)part->vertex_map[i] + axis;
            float value = from < count ? offsets[from] : 0.0f;
            value = value > MRWI_OFFSET_MAX ? MRWI_OFFSET_MAX : value < -MRWI_OFFSET_MAX ? -MRWI_OFFSET_MAX : value;
            changed |= memcmp(&out[2 * i + axis], &value, sizeof value) != 0;
            out[2 * i + axis] = value;
        }
    }
    return changed;
}

mrw_result mrwi_parts_set_offsets(mrwi_instance* instance, uint32_t part, const float* offsets, size_t count)
{
    mrwi_deform* deform = &instance->deforms[part];
    deform->manual_changed |= deform->manual == NULL;
    if (!reserve_offsets(instance, part, &deform->manual)) {
        return MRW_NO_MEMORY;
    }
    deform->manual_changed |= write_offsets(&instance->model->parts[part], offsets, count, deform->manual);
    return MRW_OK;
}

mrw_result mrw_instance_set_deform(mrw_context* context, mrw_instance_id id, uint32_t part, const float* offsets, size_t count)
{
    mrwi_instance* instance = mrwi_instance_get(context, id);
    if (instance == NULL) {
        return MRW_STALE;
    }
    if (part >= instance->state.part_count) {
        return MRW_BAD_INDEX;
    }
    mrwi_deform* deform = &instance->deforms[part];
    if (offsets == NULL) {
        deform->manual_changed |= deform->manual != NULL;
        mrwi_release(context, deform->manual, mrwi_parts_offset_count(instance->model, part), sizeof(float));
        deform->manual = NULL;
    } else {
        if (count > 2 * (size_t)instance->model->parts[part].vertex_count) {
            return MRW_BAD_COUNT;
        }
        if (!are_finite(offsets, count)) {
            return MRW_BAD_VALUE;
        }
        if (mrwi_parts_set_offsets(instance, part, offsets, count) != MRW_OK) {
            return MRW_NO_MEMORY;
        }
    }
    instance->state.dirty |= deform->manual_changed ? 1 : 0;
    return MRW_OK;
}
