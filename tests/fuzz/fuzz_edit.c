// Bytes as a program of edits on a small rig: whatever is done in whatever order, the document stays one that can be built from,
// weights that were touched sum to one, and parents name bones or nothing.
#include "base/context.h"
#include "model/check.h"
#include "model/document.h"

#include <stdlib.h>
#include <string.h>

enum { BONES = 6, VERTICES = 8 };

typedef struct program {
    const uint8_t* bytes;
    size_t size, at;
} program;

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

static void require(bool holds)
{
    if (!holds) {
        abort();
    }
}

static int32_t next_signed(program* from)
{
    return from->at < from->size ? (int8_t)from->bytes[from->at++] : 0;
}

static mrw_document* make_rig(mrw_context* context, program* from)
{
    static const float points[VERTICES * 2];
    mrw_node_desc nodes[BONES] = { 0 };
    for (int i = 0; i < BONES; i++) {
        nodes[i].name = i % 2 == 0 ? "bone1" : "x";
        // Anything: out of range, itself, cycles.
        nodes[i].parent = next_signed(from) % 8;
        nodes[i].x = next_signed(from);
        nodes[i].rotation = next_signed(from) / 16.0;
    }
    uint32_t first[VERTICES + 1] = { 0 };
    uint32_t joints[VERTICES * 4];
    double weights[VERTICES * 4];
    uint32_t count = 0;
    for (int v = 0; v < VERTICES; v++) {
        for (int i = next_signed(from) & 3; i >= 0; i--) {
            joints[count] = (uint32_t)next_signed(from) % BONES;
            weights[count++] = (next_signed(from) & 63) / 32.0;
        }
        first[v + 1] = count;
    }
    const mrw_mesh_desc mesh = { .vertex_count = VERTICES,
        .influence_count = count,
        .positions = points,
        .uvs = points,
        .influence_first = first,
        .influence_joint = joints,
        .influence_weight = weights };
    const mrw_part_desc part = { .name = "main", .sprite = "" };
    const mrw_skin_desc skin = { 0 };
    const mrw_model_desc desc = { .node_count = BONES,
        .mesh_count = 1,
        .skin_count = 1,
        .part_count = 1,
        .nodes = nodes,
        .meshes = &mesh,
        .skins = &skin,
        .parts = &part };
    mrw_document* document = NULL;
    require(mrw_document_from_model_desc(context, &desc, &document) == MRW_OK);
    return document;
}

static void edit(mrw_document* document, program* from)
{
    uint32_t bone;
    bool changed;
    int32_t operation = next_signed(from) & 7;
    int32_t first = next_signed(from);
    int32_t second = next_signed(from);
    mrw_result result = MRW_OK;
    switch (operation) {
    case 0:
    case 1:
        result = mrw_edit_add_bone(document, first, second, 1, &bone);
        break;
    case 2:
    case 3:
        result = mrw_edit_remove_bone(document, (uint32_t)(first & 15), &changed);
        break;
    case 4:
    case 5:
        result = mrw_edit_reparent_bone(document, first % 16, second % 16, &changed);
        break;
    case 6:
        result = mrw_edit_set_bone(document, (uint32_t)(first & 15), second, first, second / 8.0, &changed);
        break;
    default:
        result = mrw_edit_rename_bone(document, (uint32_t)(first & 15), second % 2 == 0 ? " bone2 " : "\t", &changed);
        break;
    }
    // The limit is that of the nodes.
    require(result == MRW_OK || result == MRW_LIMIT);
}

static void inspect(mrw_context* context, const mrw_document* document)
{
    const mrw_model_desc* model = mrw_document_model(document);
    require(mrwi_model_desc_check(context, model, NULL) == MRW_OK);
    for (uint32_t i = 0; i < model->node_count; i++) {
        require(model->nodes[i].name[0] != 0);
    }
    const mrw_mesh_desc* mesh = &model->meshes[0];
    for (uint32_t i = 0; i < mesh->influence_count; i++) {
        require(mesh->influence_weight[i] >= 0);
        require(model->node_count == 0 ? mesh->influence_joint[i] == 0 : mesh->influence_joint[i] < model->node_count);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
    const mrw_limits limits = { .nodes = 40 };
    mrw_context* context = mrw_context_create(&(mrw_context_desc) { .limits = limits });
    require(context != NULL);
    program from = { bytes, size, 0 };
    mrw_document* document = make_rig(context, &from);
    inspect(context, document);
    while (from.at < from.size) {
        edit(document, &from);
        inspect(context, document);
    }
    mrw_document_release(document);
    mrw_context_destroy(context);
    return 0;
}
