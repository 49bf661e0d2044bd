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

/// The arrays may lie elsewhere. Their bytes came along, so unlike mrwi_instance_set_output this skins nothing again.
static void publish_arrays(mrwi_crowd* crowd)
{
    mrw_crowd_state* state = &crowd->state;
    state->positions = crowd->positions;
    state->uvs = crowd->uvs;
    state->colors = crowd->colors;
    state->indices = crowd->indices;
    state->runs = crowd->runs;
    state->structure_version++;
    for (uint32_t i = 0; i < state->member_count; i++) {
        mrwi_instance* instance = crowd->members[i].instance;
        instance->output = crowd->positions + 2 * (size_t)crowd->members[i].first_vertex;
        instance->state.positions = instance->output;
        instance->state.structure_version++;
    }
}

/// Room for the vertices and for the lists of all members' parts, one more model included. What could be had stays.
static bool grow(mrwi_crowd* crowd, const mrwi_model* model)
{
    mrw_context* context = crowd->context;
    const uint32_t vertices = crowd->ranges.capacity;
    // What the members have lies within capacities of 31 bits, and so does the model: the sums fit 32.
    uint32_t indices = model->index_count;
    uint32_t runs = model->part_count;
    for (uint32_t i = 0; i < crowd->state.member_count; i++) {
        indices += crowd->members[i].instance->state.index_count;
        runs += crowd->members[i].instance->state.part_count;
    }
    return mrwi_grow(context, &crowd->positions, &crowd->position_capacity, vertices, 2 * sizeof *crowd->positions)
        && mrwi_grow(context, &crowd->uvs, &crowd->uv_capacity, vertices, 2 * sizeof *crowd->uvs)
        && mrwi_grow(context, &crowd->colors, &crowd->color_capacity, vertices, sizeof *crowd->colors)
        && mrwi_grow(context, &crowd->indices, &crowd->index_capacity, indices, sizeof *crowd->indices)
        && mrwi_grow(context, &crowd->runs, &crowd->run_capacity, runs, 2 * sizeof *crowd->runs);
}

static size_t size_of_arrays(const mrwi_crowd* crowd)
{
    return (size_t)crowd->index_capacity + crowd->run_capacity + crowd->position_capacity + crowd->uv_capacity + crowd->color_capacity;
}

mrw_result mrwi_crowd_reserve(mrwi_crowd* crowd, const mrwi_model* model, uint32_t* out_first_vertex)
{
    mrw_result result = mrwi_ranges_take(crowd->context, &crowd->ranges, model->vertex_count, out_first_vertex);
    if (result != MRW_OK) {
        return result;
    }
    const size_t size = size_of_arrays(crowd);
    if (!grow(crowd, model)) {
        mrwi_ranges_give(&crowd->ranges, *out_first_vertex, model->vertex_count);
        result = MRW_NO_MEMORY;
    }
    if (size_of_arrays(crowd) != size) {
        publish_arrays(crowd);
    }
    return result;
}

mrw_result mrwi_crowd_append(mrwi_crowd* crowd, mrwi_instance* instance)
{
    const uint32_t index = crowd->state.member_count;
    if (!mrwi_grow(crowd->context, &crowd->members, &crowd->member_capacity, index + 1, sizeof *crowd->members)
        || !mrwi_grow(crowd->context, &crowd->sorted, &crowd->sorted_capacity, index + 1, 3 * sizeof *crowd->sorted)) {
        return MRW_NO_MEMORY;
    }
    crowd->members[index] = (mrwi_member) { .instance = instance, .is_new = true };
    crowd->sorted[index] = index;
    crowd->state.member_count++;
    return MRW_OK;
}

static void take_out(mrwi_crowd* crowd, uint32_t index)
{
    const mrwi_member* member = &crowd->members[index];
    mrwi_ranges_give(&crowd->ranges, member->first_vertex, member->vertex_count);
    crowd->list_stale |= !member->is_new; // a new one is not in the list
    uint32_t count = --crowd->state.member_count;
    memmove(&crowd->members[index], &crowd->members[index + 1], (count - index) * sizeof *crowd->members);
    uint32_t kept = 0;
    for (uint32_t i = 0; i <= count; i++) {
        uint32_t other = crowd->sorted[i];
        if (other != index) {
            crowd->sorted[kept++] = other > index ? other - 1 : other;
        }
    }
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
    member->is_new = true; // everything about it is written anew
    mrwi_instance_set_output(instance, crowd->positions + 2 * (size_t)first_vertex);
    crowd->list_stale = true;
}

void mrwi_crowd_release_buffers(mrwi_crowd* crowd)
{
    mrw_context* context = crowd->context;
    mrwi_release(context, crowd->positions, crowd->position_capacity, 2 * sizeof *crowd->positions);
    mrwi_release(context, crowd->uvs, crowd->uv_capacity, 2 * sizeof *crowd->uvs);
    mrwi_release(context, crowd->colors, crowd->color_capacity, sizeof *crowd->colors);
    mrwi_release(context, crowd->indices, crowd->index_capacity, sizeof *crowd->indices);
    mrwi_release(context, crowd->runs, crowd->run_capacity, 2 * sizeof *crowd->runs);
    mrwi_release(context, crowd->members, crowd->member_capacity, sizeof *crowd->members);
    mrwi_release(context, crowd->sorted, crowd->sorted_capacity, 3 * sizeof *crowd->sorted);
    mrwi_ranges_release(context, &crowd->ranges);
}
