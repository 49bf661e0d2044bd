#include "model/check.h"

#include "base/context.h"
#include "base/result.h"

#include <float.h>
#include <math.h>

// Also false for NaN.
static bool is_float(double value)
{
    return fabs(value) <= (double)FLT_MAX;
}

uint32_t mrwi_skin_joint_count(const mrw_model_desc* desc, int32_t index)
{
    if (index < 0) {
        return 0;
    }
    const mrw_skin_desc* skin = &desc->skins[index];
    return skin->joints != NULL ? skin->joint_count : desc->node_count;
}

static mrw_result fail_at(mrw_error* error, mrw_result code, const char* list, uint32_t index, const char* member)
{
    char path[96];
    mrwi_format(path, sizeof path, "$.%s[%u].%s", list, index, member);
    return mrwi_fail(error, code, path, NULL);
}

static mrw_result fail_inside(mrw_error* error, mrw_result code, const char* list, uint32_t index, const char* member, uint32_t inner)
{
    char path[96];
    mrwi_format(path, sizeof path, "$.%s[%u].%s[%u]", list, index, member, inner);
    return mrwi_fail(error, code, path, NULL);
}

static mrw_result check_arrays(const mrw_model_desc* desc, mrw_error* error)
{
    const struct {
        const char* path;
        uint32_t count;
        const void* array;
    } arrays[] = {
        { "$.bones", desc->node_count, desc->nodes },
        { "$.meshes", desc->mesh_count, desc->meshes },
        { "$.skins", desc->skin_count, desc->skins },
        { "$.parts", desc->part_count, desc->parts },
        { "$.assets", desc->asset_count, desc->assets },
        { "$.warnings", desc->warning_count, desc->warnings },
    };
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        if (arrays[i].count > 0 && arrays[i].array == NULL) {
            return mrwi_fail(error, MRW_BAD_ARGUMENT, arrays[i].path, "%u elements are announced, but there is no array", arrays[i].count);
        }
    }
    for (uint32_t i = 0; i < desc->asset_count; i++) {
        if (desc->assets[i].guid == NULL || desc->assets[i].path == NULL) {
            return fail_at(error, MRW_BAD_ARGUMENT, "assets", i, desc->assets[i].guid == NULL ? "guid" : "path");
        }
    }
    return MRW_OK;
}

static mrw_result check_nodes(const mrw_context* context, const mrw_model_desc* desc, mrw_error* error)
{
    if (desc->node_count > context->limits.nodes) {
        return mrwi_fail(error, MRW_LIMIT, "$.bones", "%u bones, the limit is %u", desc->node_count, context->limits.nodes);
    }
    for (uint32_t i = 0; i < desc->node_count; i++) {
        const mrw_node_desc* node = &desc->nodes[i];
        const char* bad = !is_float(node->x) ? "x"
            : !is_float(node->y)             ? "y"
            : !is_float(node->rotation)      ? "rot"
            : !is_float(node->scale_x)       ? "scaleX"
            : !is_float(node->scale_y)       ? "scaleY"
                                             : NULL;
        if (bad != NULL) {
            return fail_at(error, MRW_BAD_VALUE, "bones", i, bad);
        }
    }
    return MRW_OK;
}

static mrw_result check_influences(const mrw_mesh_desc* mesh, uint32_t index, mrw_error* error)
{
    if (mesh->influence_first == NULL) {
        return MRW_OK;
    }
    if (mesh->influence_count > 0 && (mesh->influence_joint == NULL || mesh->influence_weight == NULL)) {
        return fail_at(error, MRW_BAD_ARGUMENT, "meshes", index, mesh->influence_joint == NULL ? "influenceJoint" : "influenceWeight");
    }
    if (mesh->influence_first[0] != 0 || mesh->influence_first[mesh->vertex_count] != mesh->influence_count) {
        return fail_at(error, MRW_BAD_COUNT, "meshes", index, "influenceFirst");
    }
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        if (mesh->influence_first[v] > mesh->influence_first[v + 1]) {
            return fail_inside(error, MRW_BAD_COUNT, "meshes", index, "influenceFirst", v + 1);
        }
    }
    for (uint32_t i = 0; i < mesh->influence_count; i++) {
        if (!is_float(mesh->influence_weight[i]) || mesh->influence_weight[i] < 0) {
            return fail_inside(error, MRW_BAD_VALUE, "meshes", index, "influenceWeight", i);
        }
    }
    return MRW_OK;
}

static mrw_result check_meshes(const mrw_model_desc* desc, mrw_error* error)
{
    for (uint32_t i = 0; i < desc->mesh_count; i++) {
        const mrw_mesh_desc* mesh = &desc->meshes[i];
        if (mesh->vertex_count > 0 && (mesh->positions == NULL || mesh->uvs == NULL)) {
            return fail_at(error, MRW_BAD_ARGUMENT, "meshes", i, mesh->positions == NULL ? "positions" : "uvs");
        }
        if (mesh->index_count > 0 && mesh->indices == NULL) {
            return fail_at(error, MRW_BAD_ARGUMENT, "meshes", i, "indices");
        }
        for (size_t k = 0; k < (size_t)mesh->vertex_count * 2; k++) {
            if (!is_float((double)mesh->positions[k]) || !is_float((double)mesh->uvs[k])) {
                const char* member = is_float((double)mesh->positions[k]) ? "uvs" : "positions";
                return fail_inside(error, MRW_BAD_VALUE, "meshes", i, member, (uint32_t)k);
            }
        }
        mrw_result result = check_influences(mesh, i, error);
        if (result != MRW_OK) {
            return result;
        }
    }
    return MRW_OK;
}

static mrw_result check_skins(const mrw_model_desc* desc, mrw_error* error)
{
    for (uint32_t i = 0; i < desc->skin_count; i++) {
        const mrw_skin_desc* skin = &desc->skins[i];
        uint32_t joint_count = mrwi_skin_joint_count(desc, (int32_t)i);
        for (uint32_t k = 0; skin->joints != NULL && k < joint_count; k++) {
            if (skin->joints[k] >= desc->node_count) {
                return fail_inside(error, MRW_BAD_INDEX, "skins", i, "joints", k);
            }
        }
        for (size_t k = 0; skin->inverse_binds != NULL && k < (size_t)joint_count * 6; k++) {
            if (!is_float(skin->inverse_binds[k])) {
                return fail_inside(error, MRW_BAD_VALUE, "skins", i, "inverseBinds", (uint32_t)k);
            }
        }
    }
    return MRW_OK;
}

static mrw_result check_part(const mrw_model_desc* desc, uint32_t index, mrw_error* error)
{
    const mrw_part_desc* part = &desc->parts[index];
    if (!isfinite(part->order)) {
        return fail_at(error, MRW_BAD_VALUE, "parts", index, "order");
    }
    if ((unsigned)part->blend > (unsigned)MRW_BLEND_SCREEN) {
        return fail_at(error, MRW_BAD_VALUE, "parts", index, "blend");
    }
    if (part->mesh >= 0 && (uint32_t)part->mesh >= desc->mesh_count) {
        return fail_at(error, MRW_BAD_INDEX, "parts", index, "mesh");
    }
    if (part->skin >= 0 && (uint32_t)part->skin >= desc->skin_count) {
        return fail_at(error, MRW_BAD_INDEX, "parts", index, "skin");
    }
    uint32_t joint_count = mrwi_skin_joint_count(desc, part->skin);
    // A skin without joints leaves its parts at bind, so what their slots name does not matter.
    if (part->mesh < 0 || joint_count == 0 || desc->meshes[part->mesh].influence_first == NULL) {
        return MRW_OK;
    }
    const mrw_mesh_desc* mesh = &desc->meshes[part->mesh];
    for (uint32_t i = 0; i < mesh->influence_count; i++) {
        if (mesh->influence_joint[i] >= joint_count) {
            return fail_inside(error, MRW_BAD_INDEX, "parts", index, "skinIndices", i);
        }
    }
    return MRW_OK;
}

static mrw_result check_parts(const mrw_context* context, const mrw_model_desc* desc, mrw_error* error)
{
    uint64_t vertex_count = 0;
    uint64_t index_count = 0;
    for (uint32_t i = 0; i < desc->part_count; i++) {
        mrw_result result = check_part(desc, i, error);
        if (result != MRW_OK) {
            return result;
        }
        if (desc->parts[i].mesh >= 0) {
            vertex_count += desc->meshes[desc->parts[i].mesh].vertex_count;
            index_count += desc->meshes[desc->parts[i].mesh].index_count;
        }
        // Slack and the arrays' element counts must stay countable in 32 bits, whatever the limit says.
        if (vertex_count > context->limits.vertices || vertex_count > UINT32_MAX / 4 || index_count > UINT32_MAX) {
            return mrwi_fail(error, MRW_LIMIT, "$.parts", "more than %u vertices or 4294967295 indices", context->limits.vertices);
        }
    }
    if (desc->part_count > MRWI_PARTS_MAX) {
        return mrwi_fail(error, MRW_LIMIT, "$.parts", "%u parts", desc->part_count);
    }
    return MRW_OK;
}

mrw_result mrwi_model_desc_check(const mrw_context* context, const mrw_model_desc* desc, mrw_error* error)
{
    mrw_result result = check_arrays(desc, error);
    result = result == MRW_OK ? check_nodes(context, desc, error) : result;
    result = result == MRW_OK ? check_meshes(desc, error) : result;
    result = result == MRW_OK ? check_skins(desc, error) : result;
    return result == MRW_OK ? check_parts(context, desc, error) : result;
}
