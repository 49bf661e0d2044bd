#include "model/build.h"

#include "model/check.h"
#include "model/narrow.h"
#include "model/rest.h"

#include <string.h>

typedef struct node_order {
    int32_t* file_index;    // model order -> file index
    int32_t* of_file_index; // file index -> model order, -1 while not placed
    int32_t* parents;       // model order
    int32_t* file_parents;  // scratch: the parent that counts, by file index
    int32_t* chain;         // scratch
    double (*world)[6];     // scratch, by file index
    uint32_t count;
} node_order;

// Places a node after those of its ancestors that are not placed yet.
static void place(node_order* order, int32_t index)
{
    uint32_t length = 0;
    int32_t at = index;
    while (at >= 0 && order->of_file_index[at] < 0) {
        order->chain[length++] = at;
        at = order->file_parents[at];
    }
    int32_t above = at >= 0 ? order->of_file_index[at] : -1;
    while (length > 0) {
        int32_t file_index = order->chain[--length];
        int32_t node = (int32_t)order->count++;
        order->file_index[node] = file_index;
        order->of_file_index[file_index] = node;
        order->parents[node] = above;
        above = node;
    }
}

static mrw_result order_nodes(mrwi_build* build, node_order* order)
{
    uint32_t count = build->desc->node_count;
    order->file_index = mrwi_build_keep(build, count, sizeof(int32_t));
    order->of_file_index = mrwi_build_keep(build, count, sizeof(int32_t));
    order->parents = mrwi_build_keep(build, count, sizeof(int32_t));
    order->file_parents = mrwi_build_scratch(build, count, sizeof(int32_t));
    order->chain = mrwi_build_scratch(build, count, sizeof(int32_t));
    order->world = mrwi_build_scratch(build, count, sizeof *order->world);
    if (order->file_index == NULL || order->of_file_index == NULL || order->parents == NULL || order->file_parents == NULL
        || order->chain == NULL || order->world == NULL) {
        return MRW_NO_MEMORY;
    }
    mrw_result result = mrwi_rest_resolve(build->model->context, build->desc->nodes, count, order->file_parents, order->world);
    for (uint32_t i = 0; i < count; i++) {
        order->of_file_index[i] = -1;
    }
    for (uint32_t i = 0; i < count && result == MRW_OK; i++) {
        place(order, (int32_t)i);
    }
    return result;
}

static void fill_rest(const mrw_node_desc* node, float* rest, uint32_t stride)
{
    bool unscaled = node->scale_x == 0 && node->scale_y == 0;
    rest[MRW_FIELD_X * stride] = mrwi_flush(node->x);
    rest[MRW_FIELD_Y * stride] = mrwi_flush(node->y);
    rest[MRW_FIELD_ROTATION * stride] = mrwi_flush(node->rotation);
    rest[MRW_FIELD_SCALE_X * stride] = unscaled ? 1 : mrwi_flush(node->scale_x);
    rest[MRW_FIELD_SCALE_Y * stride] = unscaled ? 1 : mrwi_flush(node->scale_y);
}

mrw_result mrwi_build_nodes(mrwi_build* build)
{
    const mrw_model_desc* desc = build->desc;
    mrwi_model* model = build->model;
    node_order order = { 0 };
    mrw_result result = order_nodes(build, &order);
    if (result != MRW_OK) {
        return result;
    }
    uint32_t count = desc->node_count;
    uint32_t stride = (count + 3) & ~3u;
    const char** names = mrwi_build_keep(build, count, sizeof *names);
    int32_t* file_parents = mrwi_build_keep(build, count, sizeof *file_parents);
    uint8_t* no_scale = mrwi_build_keep(build, stride, 1);
    float* rest = mrwi_build_keep(build, (size_t)stride * MRW_FIELD_COUNT, sizeof *rest);
    double(*world)[6] = mrwi_build_keep(build, count, sizeof *world);
    if (names == NULL || file_parents == NULL || no_scale == NULL || rest == NULL || world == NULL) {
        return MRW_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        const mrw_node_desc* node = &desc->nodes[order.file_index[i]];
        file_parents[i] = desc->nodes[i].parent;
        no_scale[i] = node->no_scale;
        model->any_no_scale |= node->no_scale;
        memcpy(world[i], order.world[order.file_index[i]], sizeof world[i]);
        fill_rest(node, rest + i, stride);
        names[i] = mrwi_build_text(build, node->name);
        if (names[i] == NULL) {
            return MRW_NO_MEMORY;
        }
    }
    model->node_count = count;
    model->node_stride = stride;
    model->node_parents = order.parents;
    model->node_file_index = order.file_index;
    model->node_of_file_index = order.of_file_index;
    model->file_parents = file_parents;
    model->node_names = names;
    model->node_no_scale = no_scale;
    model->rest = rest;
    model->rest_world = (const double(*)[6])world;
    return MRW_OK;
}

// Where a skin's joints stand in the palette: those that vertices use, in their order.
static mrw_result place_joints(mrwi_build* build, uint32_t skin, uint32_t joint_count, uint32_t* out_count)
{
    uint8_t* used = mrwi_build_scratch(build, joint_count, 1);
    uint32_t* places = mrwi_build_scratch(build, joint_count, sizeof *places);
    if (used == NULL || places == NULL) {
        return MRW_NO_MEMORY;
    }
    mrwi_build_mark_joints(build->desc, skin, used);
    uint32_t count = 0;
    for (uint32_t i = 0; i < joint_count; i++) {
        places[i] = used[i] != 0 ? count++ : UINT32_MAX;
    }
    build->places[skin] = places;
    *out_count = count;
    return MRW_OK;
}

static mrw_result build_skin(mrwi_build* build, uint32_t index, mrwi_skin* out)
{
    const mrwi_model* model = build->model;
    const mrw_skin_desc* desc = &build->desc->skins[index];
    uint32_t joint_count = mrwi_skin_joint_count(build->desc, (int32_t)index), count = 0;
    mrw_result result = place_joints(build, index, joint_count, &count);
    if (result != MRW_OK) {
        return result;
    }
    int32_t* joints = mrwi_build_keep(build, count, sizeof *joints);
    mrwi_affine2* binds = mrwi_build_keep(build, count, sizeof *binds);
    double(*exact)[6] = mrwi_build_keep(build, joint_count, sizeof *exact);
    if (joints == NULL || binds == NULL || exact == NULL) {
        return MRW_NO_MEMORY;
    }
    for (uint32_t i = 0; i < joint_count; i++) {
        const int32_t node = model->node_of_file_index[desc->joints != NULL ? desc->joints[i] : i];
        mrw_affine2_invert(model->rest_world[node], exact[i]);
        for (uint32_t k = 0; desc->inverse_binds != NULL && k < 6; k++) {
            exact[i][k] = desc->inverse_binds[(size_t)i * 6 + k];
        }
        const uint32_t at = build->places[index][i];
        const double* m = exact[i];
        if (at != UINT32_MAX) {
            joints[at] = node;
            binds[at] = (mrwi_affine2) { mrwi_flush(m[0]), mrwi_flush(m[1]), mrwi_flush(m[2]), mrwi_flush(m[3]), mrwi_flush(m[4]),
                mrwi_flush(m[5]), { 0, 0 } };
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
    if (skins == NULL || build->places == NULL) {
        return MRW_NO_MEMORY;
    }
    for (uint32_t i = 0; i < desc->skin_count; i++) {
        mrw_result result = build_skin(build, i, &skins[i]);
        if (result != MRW_OK) {
            return result;
        }
    }
    build->model->skins = skins;
    build->model->skin_count = desc->skin_count;
    return MRW_OK;
}
