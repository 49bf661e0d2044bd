// What the reader reads comes out the same, what it did not know is written back.
#include "formats/rig2d_write.h"

#include "formats/formats.h"

#include <string.h>

#define SLOTS 4u

// A list of numbers stays on one line.
static bool open_numbers(mrwi_writer* writer, const char* key)
{
    bool was_compact = writer->compact;
    mrwi_write_key(writer, key);
    writer->compact = true;
    mrwi_write_open(writer, '[');
    return was_compact;
}

static void close_numbers(mrwi_writer* writer, bool was_compact)
{
    mrwi_write_close(writer, ']');
    writer->compact = was_compact;
}

static void write_bones(mrwi_writer* writer, const mrw_model_desc* desc)
{
    mrwi_write_key(writer, "bones");
    mrwi_write_open(writer, '[');
    for (uint32_t i = 0; i < desc->node_count; i++) {
        const mrw_node_desc* node = &desc->nodes[i];
        mrwi_write_open(writer, '{');
        mrwi_write_text_member(writer, "name", node->name);
        mrwi_write_key(writer, "parent");
        mrwi_write_integer(writer, node->parent);
        mrwi_write_number_member(writer, "x", node->x);
        mrwi_write_number_member(writer, "y", node->y);
        mrwi_write_number_member(writer, "rot", node->rotation);
        if (node->no_scale) {
            mrwi_write_key(writer, "noScale");
            mrwi_write_boolean(writer, true);
        }
        mrwi_write_extras(writer, node->extras);
        mrwi_write_close(writer, '}');
    }
    mrwi_write_close(writer, ']');
}

static void write_pairs(mrwi_writer* writer, const char* key, const float* pairs, uint32_t count)
{
    mrwi_write_key(writer, key);
    mrwi_write_open(writer, '[');
    for (size_t i = 0; i < count; i++) {
        mrwi_write_floats(writer, pairs + i * 2, 2);
    }
    mrwi_write_close(writer, ']');
}

static void write_mesh(mrwi_writer* writer, const mrw_mesh_desc* mesh, mrw_extras extras)
{
    mrwi_write_key(writer, "mesh");
    mrwi_write_open(writer, '{');
    write_pairs(writer, "verts", mesh->positions, mesh->vertex_count);
    write_pairs(writer, "uvs", mesh->uvs, mesh->vertex_count);
    bool was_compact = open_numbers(writer, "tris");
    for (uint32_t i = 0; i < mesh->index_count; i++) {
        mrwi_write_integer(writer, mesh->indices[i]);
    }
    close_numbers(writer, was_compact);
    mrwi_write_extras(writer, extras);
    mrwi_write_close(writer, '}');
}

// Four slots a vertex; the ones that a vertex does not have name bone 0 with no weight.
static void write_slots(mrwi_writer* writer, const mrw_mesh_desc* mesh, const uint32_t* joints)
{
    bool was_compact = open_numbers(writer, "skinIndices");
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        for (uint32_t slot = 0; slot < SLOTS; slot++) {
            uint32_t at = mesh->influence_first[v] + slot, bone = 0;
            if (at < mesh->influence_first[v + 1]) {
                bone = joints != NULL ? joints[mesh->influence_joint[at]] : mesh->influence_joint[at];
            }
            mrwi_write_integer(writer, bone);
        }
    }
    close_numbers(writer, was_compact);
    was_compact = open_numbers(writer, "skinWeights");
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        for (uint32_t slot = 0; slot < SLOTS; slot++) {
            uint32_t at = mesh->influence_first[v] + slot;
            mrwi_write_double(writer, at < mesh->influence_first[v + 1] ? mesh->influence_weight[at] : 0);
        }
    }
    close_numbers(writer, was_compact);
}

static void write_skinned_mesh(mrwi_writer* writer, const mrw_model_desc* desc, const mrw_part_desc* part)
{
    if (part->mesh < 0) {
        return;
    }
    const mrw_mesh_desc* mesh = &desc->meshes[part->mesh];
    write_mesh(writer, mesh, part->mesh_extras);
    if (mesh->influence_first != NULL) {
        write_slots(writer, mesh, part->skin >= 0 ? desc->skins[part->skin].joints : NULL);
    }
}

static void write_parts(mrwi_writer* writer, const mrw_model_desc* desc)
{
    mrwi_write_key(writer, "parts");
    mrwi_write_open(writer, '[');
    for (uint32_t i = 0; i < desc->part_count; i++) {
        const mrw_part_desc* part = &desc->parts[i];
        mrwi_write_open(writer, '{');
        mrwi_write_text_member(writer, "name", part->name);
        mrwi_write_text_member(writer, "sprite", part->sprite);
        mrwi_write_number_member(writer, "order", part->order);
        if (part->hidden) {
            mrwi_write_key(writer, "visible");
            mrwi_write_boolean(writer, false);
        }
        if (part->blend != MRW_BLEND_NORMAL) {
            mrwi_write_text_member(writer, "blend", mrwi_blend_names[part->blend]);
        }
        write_skinned_mesh(writer, desc, part);
        mrwi_write_extras(writer, part->extras);
        mrwi_write_close(writer, '}');
    }
    mrwi_write_close(writer, ']');
}

static void write_assets(mrwi_writer* writer, const mrw_model_desc* desc)
{
    if (desc->asset_count == 0) {
        return;
    }
    mrwi_write_key(writer, "assets");
    mrwi_write_open(writer, '{');
    for (uint32_t i = 0; i < desc->asset_count; i++) {
        mrwi_write_text_member(writer, desc->assets[i].guid, desc->assets[i].path);
    }
    mrwi_write_close(writer, '}');
}

// Whether the rig says no more than version 1 can: one part with nothing of its own but a picture and a mesh.
static bool is_single(const mrw_model_desc* desc)
{
    if (desc->file_version == 2 || desc->part_count != 1) {
        return false;
    }
    const mrw_part_desc* part = &desc->parts[0];
    bool is_main = part->name == NULL || strcmp(part->name, "main") == 0;
    return is_main && part->order == 0 && !part->hidden && part->blend == MRW_BLEND_NORMAL && part->extras == NULL;
}

static bool has_scale(const mrw_node_desc* node)
{
    bool is_unset = node->scale_x == 0 && node->scale_y == 0;
    return !is_unset && (node->scale_x != 1 || node->scale_y != 1);
}

static bool fits_slots(const mrw_mesh_desc* mesh)
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        if (mesh->influence_first[v + 1] - mesh->influence_first[v] > SLOTS) {
            return false;
        }
    }
    return true;
}

// The format has no bone scale, derives binds from the bones, gives each vertex four slots, and binds what has none to bone 0.
static bool is_writable(const mrw_model_desc* desc)
{
    for (uint32_t i = 0; i < desc->node_count; i++) {
        if (has_scale(&desc->nodes[i])) {
            return false;
        }
    }
    for (uint32_t i = 0; i < desc->part_count; i++) {
        const mrw_part_desc* part = &desc->parts[i];
        if (part->mesh < 0) {
            continue;
        }
        const mrw_mesh_desc* mesh = &desc->meshes[part->mesh];
        bool is_rigid = part->skin < 0 || mesh->influence_first == NULL;
        if (is_rigid && mesh->vertex_count > 0 && desc->node_count > 0) {
            return false;
        }
        if (part->skin >= 0 && desc->skins[part->skin].inverse_binds != NULL) {
            return false;
        }
        if (mesh->influence_first != NULL && !fits_slots(mesh)) {
            return false;
        }
    }
    return true;
}

mrw_result mrwi_rig2d_write(const mrw_model_desc* desc, mrwi_writer* writer)
{
    if (!is_writable(desc)) {
        return MRW_UNSUPPORTED;
    }
    mrwi_write_open(writer, '{');
    if (desc->id != NULL) {
        mrwi_write_text_member(writer, "id", desc->id);
    }
    if (desc->stated_version >= 0) {
        mrwi_write_number_member(writer, "version", desc->stated_version);
    }
    bool single = is_single(desc);
    if (single) {
        mrwi_write_text_member(writer, "sprite", desc->parts[0].sprite);
    }
    write_bones(writer, desc);
    if (single) {
        write_skinned_mesh(writer, desc, &desc->parts[0]);
    } else {
        write_parts(writer, desc);
    }
    write_assets(writer, desc);
    mrwi_write_extras(writer, desc->extras);
    mrwi_write_close(writer, '}');
    return MRW_OK;
}
