#include "model/build.h"
#include "model/check.h"
#include "model/narrow.h"

// Normalised influences of one vertex: f64 sum, f32 quotients, zeros dropped, slots of the same joint merged. `joint` and `weight` are
// zeroed. Returns how many.
static uint32_t gather(const mrw_mesh_desc* mesh, uint32_t vertex, uint32_t* joint, float* weight)
{
    const uint32_t begin = mesh->influence_first[vertex], end = mesh->influence_first[vertex + 1];
    double sum = 0;
    for (uint32_t i = begin; i < end; i++) {
        sum += mesh->influence_weight[i];
    }
    uint32_t count = 0;
    for (uint32_t i = begin; i < end && sum > 0; i++) {
        const float share = mrwi_to_f32((double)(float)mesh->influence_weight[i] / sum);
        uint32_t same = 0;
        while (same < count && joint[same] != mesh->influence_joint[i]) {
            same++;
        }
        if (share > 0) {
            joint[same] = mesh->influence_joint[i];
            weight[same] += share;
            count += same == count ? 1 : 0;
        }
    }
    if (count == 0 && end > begin) {
        joint[0] = mesh->influence_joint[begin];
        weight[0] = 1;
        count = 1;
    }
    return count;
}

static mrw_result gather_part(mrwi_build* build, uint32_t part, mrwi_influences* out)
{
    const mrw_mesh_desc* mesh = mrwi_build_mesh(build, part);
    const bool is_skinned = mesh->influence_first != NULL && mrwi_skin_joint_count(build->desc, build->desc->parts[part].skin) > 0;
    // A vertex whose weights sum to zero takes one influence, which is never more than the slots it has.
    const uint32_t slots = is_skinned ? mesh->influence_count : 0;
    uint32_t* first = mrwi_build_keep(build, (size_t)mesh->vertex_count + 1, sizeof *first);
    uint32_t* joint = mrwi_build_scratch(build, slots, sizeof *joint);
    float* weight = mrwi_build_scratch(build, slots, sizeof *weight);
    *out = (mrwi_influences) { mesh->vertex_count, first, joint, weight };
    if (mrwi_build_memory(build) != MRW_OK) {
        return MRW_NO_MEMORY;
    }
    mrwi_model* model = build->model;
    uint32_t count = 0;
    for (uint32_t vertex = 0; is_skinned && vertex < mesh->vertex_count; vertex++) {
        const uint32_t added = gather(mesh, vertex, joint + count, weight + count);
        model->max_influences = added > model->max_influences ? added : model->max_influences;
        count += added;
        first[vertex + 1] = count;
    }
    model->influence_count += count;
    return MRW_OK;
}

static mrw_result count_influences(mrwi_build* build)
{
    uint32_t* histogram = mrwi_build_keep(build, (size_t)build->model->max_influences + 1, sizeof *histogram);
    if (histogram == NULL) {
        return MRW_NO_MEMORY;
    }
    for (uint32_t part = 0; part < build->desc->part_count; part++) {
        const mrwi_influences* influences = &build->influences[part];
        for (uint32_t v = 0; v < influences->vertex_count; v++) {
            histogram[influences->first[v + 1] - influences->first[v]]++;
        }
    }
    build->model->influence_histogram = histogram;
    return MRW_OK;
}

mrw_result mrwi_build_influences(mrwi_build* build)
{
    build->influences = mrwi_build_scratch(build, build->desc->part_count, sizeof *build->influences);
    mrw_result result = mrwi_build_memory(build);
    for (uint32_t i = 0; i < build->desc->part_count && result == MRW_OK; i++) {
        result = gather_part(build, i, &build->influences[i]);
    }
    return result == MRW_OK ? count_influences(build) : result;
}
