// A crowd's part of an update: draw order, index list, runs, colors, uvs, versions. Never allocates.
#include "runtime/crowd_update.h"

#include "base/sort.h"
#include "runtime/runs.h"

#include <string.h>

/// A key that is not a number sorts as 0.
static float order_of(const mrwi_instance* instance)
{
    float order = instance->state.order;
    return order == order ? order : 0.0f;
}

static bool is_behind(const void* user, uint32_t a, uint32_t b)
{
    const mrwi_member* members = user;
    return members[a].order < members[b].order || (members[a].order == members[b].order && a < b);
}

static bool is_sorted(const mrwi_crowd* crowd)
{
    for (uint32_t i = 1; i < crowd->state.member_count; i++) {
        if (!is_behind(crowd->members, crowd->sorted[i - 1], crowd->sorted[i])) {
            return false;
        }
    }
    return true;
}

/// Sorts the members; the old order lies behind the new one. False when it is the same.
static bool sort_members(mrwi_crowd* crowd)
{
    // Characters that walk pass few others in a frame: mostly nothing is to be done.
    if (is_sorted(crowd)) {
        return false;
    }
    uint32_t* before = crowd->sorted + crowd->sorted_capacity;
    memcpy(before, crowd->sorted, crowd->state.member_count * sizeof *before);
    mrwi_sort(crowd->sorted, before + crowd->sorted_capacity, crowd->state.member_count, is_behind, crowd->members);
    return true;
}

/// Appends the member's triangles at `at`; notes whether any index differs from what was there.
static void write_member(mrwi_crowd* crowd, mrwi_member* member, uint32_t at, bool* changes)
{
    const mrw_instance_state* state = &member->instance->state;
    member->first_index = at;
    for (uint32_t i = 0; i < state->index_count; i++) {
        uint32_t index = state->indices[i] + member->first_vertex;
        *changes = *changes || crowd->indices[at + i] != index;
        crowd->indices[at + i] = index;
    }
}

/// Writes the list, except for members that lie where they lay. The list up to `at` is new, and nothing behind `at` was written yet, so
/// what a member wrote last is still there when it begins at `at`.
static bool write_list(mrwi_crowd* crowd, bool is_resorted)
{
    bool changes = false;
    uint32_t at = 0;
    for (uint32_t i = 0; i < crowd->state.member_count; i++) {
        mrwi_member* member = &crowd->members[crowd->sorted[i]];
        bool stays = !crowd->list_stale && member->first_index == at;
        stays = stays && (!is_resorted || crowd->sorted[crowd->sorted_capacity + i] == crowd->sorted[i]);
        if (!stays) {
            write_member(crowd, member, at, &changes);
        }
        at += member->instance->state.index_count;
    }
    changes = changes || crowd->state.index_count != at;
    crowd->state.index_count = at;
    return changes;
}

/// A page number that a frame gave is the host's and means the same page in every model. One that no frame gave counts the model's own
/// sprites: equal numbers of two models are two pictures.
static const mrwi_model* page_owner(const mrwi_instance* instance, const mrw_part_state* part)
{
    bool is_shared = part->sprite >= 0 && instance->model->sprites[part->sprite].has_frame;
    return is_shared ? NULL : instance->model;
}

static bool write_runs(mrwi_crowd* crowd)
{
    mrw_run* runs = crowd->runs + crowd->run_capacity;
    uint32_t count = 0;
    uint32_t part_number = 0;
    const mrwi_model* last_owner = NULL;
    for (uint32_t i = 0; i < crowd->state.member_count; i++) {
        const mrwi_member* member = &crowd->members[crowd->sorted[i]];
        const mrwi_instance* instance = member->instance;
        uint32_t at = member->first_index;
        for (uint32_t part = 0; part < instance->state.part_count; part++) {
            const mrw_part_state* state = &instance->part_states[part];
            if (state->index_count == 0) {
                continue;
            }
            const mrw_run run = { state->page, instance->model->parts[part].blend, at, state->index_count,
                member->first_vertex + state->first_vertex, state->vertex_count, 0xffffff, 1.0f, part_number++, 1 };
            const mrwi_model* owner = page_owner(instance, state);
            mrwi_runs_add(runs, &count, &run, owner == last_owner);
            last_owner = owner;
            at += state->index_count;
        }
    }
    return mrwi_runs_show(crowd->runs, &crowd->state.run_count, runs, count) != 0;
}

/// Vertices up to the end of the last slice: what a host uploads.
static bool count_vertices(mrwi_crowd* crowd)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < crowd->state.member_count; i++) {
        uint32_t end = crowd->members[i].first_vertex + crowd->members[i].vertex_count;
        count = end > count ? end : count;
    }
    bool changes = crowd->state.vertex_count != count;
    crowd->state.vertex_count = count;
    return changes;
}

static uint32_t multiply_channel(uint32_t a, uint32_t b, uint32_t shift)
{
    return ((a >> shift & 0xff) * (b >> shift & 0xff) + 127) / 255;
}

static uint32_t color_of(const mrw_view_fields* view, const mrw_part_state* part)
{
    float opacity = view->opacity * part->opacity;
    uint32_t alpha = opacity > 0.0f ? (opacity < 1.0f ? (uint32_t)(opacity * 255.0f + 0.5f) : 255) : 0;
    return multiply_channel(view->color, part->color, 16) | multiply_channel(view->color, part->color, 8) << 8
        | multiply_channel(view->color, part->color, 0) << 16 | alpha << 24;
}

static bool write_colors(mrwi_crowd* crowd, const mrwi_member* member)
{
    const mrwi_instance* instance = member->instance;
    bool changes = false;
    for (uint32_t part = 0; part < instance->state.part_count; part++) {
        const mrw_part_state* state = &instance->part_states[part];
        uint32_t color = color_of(&instance->state.shown, state);
        uint32_t* colors = crowd->colors + member->first_vertex + state->first_vertex;
        for (uint32_t i = 0; i < state->vertex_count; i++) {
            changes = changes || colors[i] != color;
            colors[i] = color;
        }
    }
    return changes;
}

static bool write_uvs(mrwi_crowd* crowd, const mrwi_member* member)
{
    float* uvs = crowd->uvs + 2 * (size_t)member->first_vertex;
    size_t size = 2 * (size_t)member->vertex_count * sizeof *uvs;
    if (size == 0 || memcmp(uvs, member->instance->state.uvs, size) == 0) {
        return false;
    }
    memcpy(uvs, member->instance->state.uvs, size);
    return true;
}

typedef struct changes {
    bool vertices, colors, uvs, list, order;
} changes;

/// Compares a member with what was written of it last, and writes what lies in its own slice.
static void look_at(mrwi_crowd* crowd, mrwi_member* member, changes* found)
{
    const mrw_instance_state* state = &member->instance->state;
    float order = order_of(member->instance);
    bool is_other = member->is_new || member->structure_version != state->structure_version;
    if (is_other || member->view_version != state->view_version || member->color_version != state->color_version) {
        found->colors = write_colors(crowd, member) || found->colors;
    }
    if (is_other) {
        found->uvs = write_uvs(crowd, member) || found->uvs;
    }
    found->list = found->list || is_other;
    found->order = found->order || member->order != order || member->is_new;
    found->vertices = found->vertices || member->is_new || member->version != state->version;
    member->order = order;
    member->version = state->version;
    member->structure_version = state->structure_version;
    member->view_version = state->view_version;
    member->color_version = state->color_version;
    member->is_new = false;
}

void mrwi_crowd_update(mrwi_crowd* crowd)
{
    changes found = { .list = crowd->list_stale };
    for (uint32_t i = 0; i < crowd->state.member_count; i++) {
        look_at(crowd, &crowd->members[i], &found);
    }
    bool is_resorted = found.order && sort_members(crowd);
    bool moves = false;
    if (found.list || is_resorted) {
        moves = write_list(crowd, is_resorted);
        moves = write_runs(crowd) || moves;
        moves = count_vertices(crowd) || moves;
    }
    crowd->list_stale = false;
    crowd->state.version += found.vertices ? 1 : 0;
    crowd->state.color_version += found.colors ? 1 : 0;
    crowd->state.uv_version += found.uvs ? 1 : 0;
    crowd->state.structure_version += found.uvs || moves ? 1 : 0;
}
