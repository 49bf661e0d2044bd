#include "runtime/crowd_members.h"

#include <string.h>

/// Index in `members`; member_count when it is none.
static uint32_t find(const mrwi_crowd* crowd, const mrwi_instance* instance)
{
    uint32_t index = 0;
    while (index < crowd->state.member_count && crowd->members[index].instance != instance) {
        index++;
    }
    return index;
}

/// `needed` or the double of what is there, whichever is more; what does not fit 32 bits is as good as out of memory.
static bool next_capacity(uint32_t capacity, uint64_t needed, uint32_t* out)
{
    uint64_t next = needed > 2 * (uint64_t)capacity ? needed : 2 * (uint64_t)capacity;
    *out = (uint32_t)next;
    return next <= UINT32_MAX / 2;
}

static mrw_result grow_vertices(mrwi_crowd* crowd, uint32_t capacity)
{
    mrw_context* context = crowd->context;
    uint32_t old = crowd->vertex_capacity;
    if (capacity <= old) {
        return MRW_OK;
    }
    float* positions = mrwi_allocate(context, capacity, 2 * sizeof *positions);
    float* uvs = mrwi_allocate(context, capacity, 2 * sizeof *uvs);
    uint32_t* colors = mrwi_allocate(context, capacity, sizeof *colors);
    if (positions == NULL || uvs == NULL || colors == NULL) {
        mrwi_release(context, positions, capacity, 2 * sizeof *positions);
        mrwi_release(context, uvs, capacity, 2 * sizeof *uvs);
        mrwi_release(context, colors, capacity, sizeof *colors);
        return MRW_NO_MEMORY;
    }
    if (old > 0) {
        memcpy(positions, crowd->positions, (size_t)old * 2 * sizeof *positions);
        memcpy(uvs, crowd->uvs, (size_t)old * 2 * sizeof *uvs);
        memcpy(colors, crowd->colors, (size_t)old * sizeof *colors);
    }
    mrwi_release(context, crowd->positions, old, 2 * sizeof *positions);
    mrwi_release(context, crowd->uvs, old, 2 * sizeof *uvs);
    mrwi_release(context, crowd->colors, old, sizeof *colors);
    crowd->positions = positions;
    crowd->uvs = uvs;
    crowd->colors = colors;
    crowd->vertex_capacity = capacity;
    crowd->state.positions = positions;
    crowd->state.uvs = uvs;
    crowd->state.colors = colors;
    crowd->state.structure_version++;
    for (uint32_t i = 0; i < crowd->state.member_count; i++) {
        // The bytes came along, so unlike mrwi_instance_set_output this skins nothing again.
        mrwi_instance* instance = crowd->members[i].instance;
        instance->output = positions + 2 * (size_t)crowd->members[i].first_vertex;
        instance->state.positions = instance->output;
        instance->state.structure_version++;
    }
    return MRW_OK;
}

/// Room in the lists for all members' parts, one more model included.
static mrw_result grow_lists(mrwi_crowd* crowd, const mrwi_model* model)
{
    uint64_t indices = model->index_count;
    uint64_t runs = model->part_count;
    for (uint32_t i = 0; i < crowd->state.member_count; i++) {
        indices += crowd->members[i].instance->state.index_count;
        runs += crowd->members[i].instance->state.part_count;
    }
    uint32_t capacity = 0;
    if (indices > crowd->index_capacity) {
        if (!next_capacity(crowd->index_capacity, indices, &capacity)) {
            return MRW_NO_MEMORY;
        }
        uint32_t* grown = mrwi_reallocate(crowd->context, crowd->indices, crowd->index_capacity, capacity, sizeof *grown);
        if (grown == NULL) {
            return MRW_NO_MEMORY;
        }
        crowd->indices = grown;
        crowd->index_capacity = capacity;
        crowd->state.indices = grown;
        crowd->state.structure_version++;
    }
    if (runs > crowd->run_capacity) {
        if (!next_capacity(crowd->run_capacity, runs, &capacity)) {
            return MRW_NO_MEMORY;
        }
        mrw_run* grown = mrwi_reallocate(crowd->context, crowd->runs, crowd->run_capacity, capacity, 2 * sizeof *grown);
        if (grown == NULL) {
            return MRW_NO_MEMORY;
        }
        crowd->runs = grown;
        crowd->run_capacity = capacity;
        crowd->state.runs = grown;
        crowd->state.structure_version++;
    }
    return MRW_OK;
}

static mrw_result grow_members(mrwi_crowd* crowd)
{
    mrw_context* context = crowd->context;
    uint32_t old = crowd->member_capacity;
    if (crowd->state.member_count < old) {
        return MRW_OK;
    }
    uint32_t capacity = old == 0 ? 16 : 2 * old;
    mrwi_member* members = mrwi_allocate(context, capacity, sizeof *members);
    uint32_t* sorted = mrwi_allocate(context, capacity, 3 * sizeof *sorted);
    if (members == NULL || sorted == NULL) {
        mrwi_release(context, members, capacity, sizeof *members);
        mrwi_release(context, sorted, capacity, 3 * sizeof *sorted);
        return MRW_NO_MEMORY;
    }
    if (old > 0) {
        memcpy(members, crowd->members, old * sizeof *members);
        memcpy(sorted, crowd->sorted, old * sizeof *sorted);
    }
    mrwi_release(context, crowd->members, old, sizeof *members);
    mrwi_release(context, crowd->sorted, old, 3 * sizeof *sorted);
    crowd->members = members;
    crowd->sorted = sorted;
    crowd->before = sorted + capacity;
    crowd->spare = sorted + 2 * (size_t)capacity;
    crowd->member_capacity = capacity;
    return MRW_OK;
}

mrw_result mrwi_crowd_reserve(mrwi_crowd* crowd, const mrwi_model* model, uint32_t* out_first_vertex)
{
    mrw_result result = grow_members(crowd);
    if (result == MRW_OK) {
        result = grow_lists(crowd, model);
    }
    if (result == MRW_OK) {
        result = mrwi_ranges_take(crowd->context, &crowd->ranges, model->vertex_count, out_first_vertex);
    }
    if (result != MRW_OK) {
        return result;
    }
    result = grow_vertices(crowd, crowd->ranges.capacity);
    if (result != MRW_OK) {
        mrwi_ranges_give(&crowd->ranges, *out_first_vertex, model->vertex_count);
    }
    return result;
}

/// The member's slice is another one or its model changed: everything about it is written anew.
static void restart(mrwi_crowd* crowd, mrwi_member* member)
{
    member->is_new = true;
    mrwi_instance_set_output(member->instance, crowd->positions + 2 * (size_t)member->first_vertex);
    crowd->list_stale = true;
}

void mrwi_crowd_append(mrwi_crowd* crowd, const mrwi_member* member)
{
    uint32_t index = crowd->state.member_count++;
    crowd->members[index] = *member;
    crowd->sorted[index] = index;
    restart(crowd, &crowd->members[index]);
}

static void take_out(mrwi_crowd* crowd, uint32_t index)
{
    mrwi_ranges_give(&crowd->ranges, crowd->members[index].first_vertex, crowd->members[index].vertex_count);
    uint32_t count = --crowd->state.member_count;
    memmove(&crowd->members[index], &crowd->members[index + 1], (count - index) * sizeof *crowd->members);
    uint32_t kept = 0;
    for (uint32_t i = 0; i <= count; i++) {
        uint32_t member = crowd->sorted[i];
        if (member != index) {
            crowd->sorted[kept++] = member > index ? member - 1 : member;
        }
    }
    crowd->list_stale = true;
}

void mrwi_crowd_member_removed(mrwi_crowd* crowd, mrwi_instance* instance)
{
    uint32_t index = find(crowd, instance);
    if (index < crowd->state.member_count) {
        take_out(crowd, index);
    }
}

void mrwi_crowd_give_back(mrwi_crowd* crowd, const mrwi_model* model, uint32_t first_vertex)
{
    mrwi_ranges_give(&crowd->ranges, first_vertex, model->vertex_count);
}

void mrwi_crowd_member_rebuilt(mrwi_crowd* crowd, mrwi_instance* instance, uint32_t first_vertex)
{
    mrwi_member* member = &crowd->members[find(crowd, instance)];
    mrwi_ranges_give(&crowd->ranges, member->first_vertex, member->vertex_count);
    member->first_vertex = first_vertex;
    member->vertex_count = instance->model->vertex_count;
    restart(crowd, member);
}

void mrwi_crowd_release_buffers(mrwi_crowd* crowd)
{
    mrw_context* context = crowd->context;
    mrwi_release(context, crowd->positions, crowd->vertex_capacity, 2 * sizeof *crowd->positions);
    mrwi_release(context, crowd->uvs, crowd->vertex_capacity, 2 * sizeof *crowd->uvs);
    mrwi_release(context, crowd->colors, crowd->vertex_capacity, sizeof *crowd->colors);
    mrwi_release(context, crowd->indices, crowd->index_capacity, sizeof *crowd->indices);
    mrwi_release(context, crowd->runs, crowd->run_capacity, 2 * sizeof *crowd->runs);
    mrwi_release(context, crowd->members, crowd->member_capacity, sizeof *crowd->members);
    mrwi_release(context, crowd->sorted, crowd->member_capacity, 3 * sizeof *crowd->sorted);
    mrwi_ranges_release(context, &crowd->ranges);
}
