#include "model/build.h"

#include "model/check.h"
#include "model/narrow.h"
#include "model/rest.h"

#include <string.h>

static void fill_rest(const mrw_node_desc* node, float* rest, uint32_t stride)
{
    bool unscaled = node->scale_x == 0 && node->scale_y == 0;
    const double fields[MRW_FIELD_COUNT] = { [MRW_FIELD_X] = node->x,
        [MRW_FIELD_Y] = node->y,
        [MRW_FIELD_ROTATION] = node->rotation,
        [MRW_FIELD_SCALE_X] = unscaled ? 1 : node->scale_x,
        [MRW_FIELD_SCALE_Y] = unscaled ? 1 : node->scale_y };
    for (uint32_t i = 0; i < MRW_FIELD_COUNT; i++) {
        rest[(size_t)i * stride] = mrwi_to_f32(fields[i]);
    }
}

mrw_result mrwi_build_nodes(mrwi_build* build)
{
    const mrw_model_desc* desc = build->desc;
    mrwi_model* model = build->model;
    const uint32_t count = desc->node_count, stride = (count + 3) & ~3u;
    int32_t* order = mrwi_build_keep(build, count, sizeof *order); // model order -> file index
    int32_t* of_file_index = mrwi_build_keep(build, count, sizeof *of_file_index);
    int32_t* parents = mrwi_build_keep(build, count, sizeof *parents);
    int32_t* file_parents = mrwi_build_keep(build, count, sizeof *file_parents);
    const char** names = mrwi_build_keep(build, count, sizeof *names);
    uint8_t* no_scale = mrwi_build_keep(build, stride, 1);
    float* rest = mrwi_build_keep(build, stride, MRW_FIELD_COUNT * sizeof *rest);
    double(*world)[6] = mrwi_build_keep(build, count, sizeof *world);
    int32_t* counting = mrwi_build_scratch(build, count, sizeof *counting); // parents that count, by file index
    double(*world_by_file_index)[6] = mrwi_build_scratch(build, count, sizeof *world);
    if (mrwi_build_memory(build) != MRW_OK) {
        return MRW_NO_MEMORY;
    }
    mrwi_rest_order(desc->nodes, count, counting, order);
    mrwi_rest_world(desc->nodes, count, counting, order, world_by_file_index);
    for (uint32_t i = 0; i < count; i++) {
        const int32_t file_index = order[i], parent = counting[file_index];
        const mrw_node_desc* node = &desc->nodes[file_index];
        of_file_index[file_index] = (int32_t)i;
        parents[i] = parent < 0 ? -1 : of_file_index[parent];
        file_parents[i] = desc->nodes[i].parent;
        names[i] = mrwi_build_text(build, node->name);
        no_scale[i] = node->no_scale;
        model->any_no_scale |= node->no_scale;
        fill_rest(node, rest + i, stride);
        memcpy(world[i], world_by_file_index[file_index], sizeof world[i]);
    }
    model->node_count = count;
    model->node_stride = stride;
    model->node_parents = parents;
    model->node_file_index = order;
    model->node_of_file_index = of_file_index;
    model->file_parents = file_parents;
    model->node_names = names;
    model->node_no_scale = no_scale;
    model->rest = rest;
    model->rest_world = (const double(*)[6])world;
    return MRW_OK;
}

uint32_t mrwi_build_joint(const mrwi_build* build, uint32_t skin, uint32_t joint)
{
    const uint32_t* joints = build->desc->skins[skin].joints;
    return joints != NULL ? joints[joint] : joint;
}

// Where a skin's joints stand in the palette: those that vertices use, in their order. Returns how many.
static uint32_t place_joints(const mrwi_build* build, uint32_t skin, uint32_t joint_count, uint32_t* places)
{
    for (uint32_t part = 0; part < build->desc->part_count; part++) {
        const mrwi_influences* influences = &build->influences[part];
        const bool follows = build->desc->parts[part].skin == (int32_t)skin;
        for (uint32_t i = 0; follows && i < influences->first[influences->vertex_count]; i++) {
            places[influences->joint[i]] = 1;
        }
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < joint_count; i++) {
        places[i] = places[i] != 0 ? count++ : UINT32_MAX;
    }
    return count;
}

static mrw_result build_skin(mrwi_build* build, uint32_t index, mrwi_skin* out)
{
    const mrwi_model* model = build->model;
    const double* inverse_binds = build->desc->skins[index].inverse_binds;
    const uint32_t joint_count = mrwi_skin_joint_count(build->desc, (int32_t)index);
    uint32_t* places = mrwi_build_scratch(build, joint_count, sizeof *places);
    if (places == NULL) {
        return MRW_NO_MEMORY;
    }
    build->places[index] = places;
    const uint32_t count = place_joints(build, index, joint_count, places);
    int32_t* joints = mrwi_build_keep(build, count, sizeof *joints);
    mrwi_affine2* binds = mrwi_build_keep(build, count, sizeof *binds);
    double(*exact)[6] = mrwi_build_keep(build, joint_count, sizeof *exact);
    if (mrwi_build_memory(build) != MRW_OK) {
        return MRW_NO_MEMORY;
    }
    for (uint32_t i = 0; i < joint_count; i++) {
        const int32_t node = model->node_of_file_index[mrwi_build_joint(build, index, i)];
        if (inverse_binds != NULL) {
            memcpy(exact[i], inverse_binds + (size_t)i * 6, sizeof exact[i]);
        } else {
            mrw_affine2_invert(model->rest_world[node], exact[i]);
        }
        if (places[i] != UINT32_MAX) {
            joints[places[i]] = node;
            float narrow[8] = { 0 };
            for (uint32_t k = 0; k < 6; k++) {
                narrow[k] = mrwi_to_f32(exact[i][k]);
            }
            memcpy(&binds[places[i]], narrow, sizeof narrow);
        }
    }
    *out = (mrwi_skin) { count, joints, binds, (const double(*)[6])exact };
    return MRW_OK;
}

mrw_result mrwi_build_skins(mrwi_build* build)
{
    const mrw_model_desc* desc = build->desc;
    mrwi_skin* skins = mrwi_build_keep(build, desc->skin_count, sizeof *skins);
    build->places = mrwi_build_scratch(build, desc->skin_count, sizeof *build->places);
    mrw_result result = mrwi_build_memory(build);
    for (uint32_t i = 0; i < desc->skin_count && result == MRW_OK; i++) {
        result = build_skin(build, i, &skins[i]);
    }
    build->model->skins = skins;
    build->model->skin_count = desc->skin_count;
    return result;
}
