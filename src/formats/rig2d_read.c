// Reads `.rig2d.json`. Lenient as the reference is: it never refuses a rig, and every repair is a warning.
#include "base/result.h"
#include "formats/asset_path.h"
#include "formats/coerce.h"
#include "formats/formats.h"
#include "formats/rig2d_mesh.h"
#include "model/build.h"
#include "model/check.h"
#include "model/names.h"
#include "model/rest.h"

#include <float.h>
#include <math.h>
#include <string.h>

double mrwi_rig2d_number(mrwi_reader* reader, const mrwi_json_cursor* at)
{
    mrwi_json_type type = mrwi_json_type_of(at);
    double value = mrwi_json_number(at);
    if (type == MRWI_JSON_NONE) {
        return 0;
    }
    if (type == MRWI_JSON_STRING && mrwi_coerce_text(mrwi_json_string(at), &value)) {
        mrwi_reader_note(reader, at, MRW_BAD_TYPE, "text where a number is expected; it is read as one");
    } else if (type == MRWI_JSON_BOOLEAN) {
        value = mrwi_json_boolean(at) ? 1 : 0;
        mrwi_reader_note(reader, at, MRW_BAD_TYPE, "a boolean where a number is expected; it counts as %d", value > 0 ? 1 : 0);
    } else if (type != MRWI_JSON_NUMBER) {
        mrwi_reader_note(reader, at, MRW_BAD_TYPE, "not a number; it counts as 0");
        return 0;
    }
    if (!(fabs(value) <= (double)FLT_MAX)) {
        mrwi_reader_note(reader, at, MRW_BAD_VALUE, "the number does not fit into 32 bits; it counts as 0");
        return 0;
    }
    return value;
}

double mrwi_rig2d_coordinate(mrwi_reader* reader, const mrwi_json_cursor* at)
{
    double value = mrwi_rig2d_number(reader, at);
    if (fabs(value) > MRWI_RIG2D_COORDINATE_MAX) {
        mrwi_reader_note(reader, at, MRW_BAD_VALUE, "the coordinate is beyond 1e9, which is taken");
        value = value > 0 ? MRWI_RIG2D_COORDINATE_MAX : -MRWI_RIG2D_COORDINATE_MAX;
    }
    return value;
}

// The name, or `prefix` and the index where there is none.
static const char* read_name(mrwi_reader* reader, const mrwi_json_cursor* owner, const char* prefix)
{
    mrwi_json_cursor at = mrwi_json_member(owner, "name");
    const char* name = mrwi_reader_text(reader, &at);
    if (name != NULL && name[0] != 0) {
        return name;
    }
    if (name != NULL) {
        mrwi_reader_note(reader, &at, MRW_BAD_VALUE, "an empty name; it counts as missing");
    }
    char* given = mrwi_reader_allocate(reader, 32, 1);
    if (given != NULL) {
        mrwi_format(given, 32, "%s%u", prefix, owner->index);
    }
    return given;
}

// A GUID, or "" for none.
static const char* read_reference(mrwi_reader* reader, const mrwi_json_cursor* owner, const char* member)
{
    mrwi_json_cursor at = mrwi_json_member(owner, member);
    const char* text = mrwi_reader_text(reader, &at);
    if (text != NULL && text[0] != 0 && !mrw_is_guid(text)) {
        mrwi_reader_note(reader, &at, MRW_BAD_REFERENCE, "not a GUID; it is taken as it stands");
    }
    return text != NULL ? text : "";
}

static const char leaves_the_folder[]
    = "the path leads out of the rig's folder, so it is not followed; a host's manifest may say where the file is";

// A GUID, or a path of old files, or "" for none.
static const char* read_sprite(mrwi_reader* reader, const mrwi_json_cursor* owner)
{
    const char* text = read_reference(reader, owner, "sprite");
    if (text[0] != 0 && !mrw_is_guid(text) && !mrwi_asset_path_is_inside(text)) {
        mrwi_json_cursor at = mrwi_json_member(owner, "sprite");
        mrwi_reader_note(reader, &at, MRW_BAD_REFERENCE, "%s", leaves_the_folder);
    }
    return text;
}

// What JavaScript calls truthy.
static bool read_flag(mrwi_reader* reader, const mrwi_json_cursor* at)
{
    mrwi_json_type type = mrwi_json_type_of(at);
    if (type == MRWI_JSON_NONE || type == MRWI_JSON_BOOLEAN) {
        return mrwi_json_boolean(at);
    }
    bool truthy = type == MRWI_JSON_NUMBER ? mrwi_json_number(at) != 0
        : type == MRWI_JSON_STRING         ? mrwi_json_string(at)[0] != 0
                                           : type != MRWI_JSON_NULL;
    mrwi_reader_note(reader, at, MRW_BAD_TYPE, "not a boolean; it counts as %s", truthy ? "true" : "false");
    return truthy;
}

static int32_t read_parent(mrwi_reader* reader, const mrwi_json_cursor* owner, uint32_t bone_count)
{
    mrwi_json_cursor at = mrwi_json_member(owner, "parent");
    mrwi_json_type type = mrwi_json_type_of(&at);
    double value = mrwi_json_number(&at);
    if (type == MRWI_JSON_NONE) {
        return -1;
    }
    if (type != MRWI_JSON_NUMBER || value != floor(value)) {
        mrwi_reader_note(reader, &at, MRW_BAD_TYPE, "not a bone index; the bone is a root");
        return -1;
    }
    if (value < -1 || value >= bone_count) {
        mrwi_reader_note(reader, &at, MRW_BAD_REFERENCE, "no bone has this index; the bone is a root");
    }
    // The number stays as it is where it fits, so that it is written back.
    return fabs(value) <= INT32_MAX ? (int32_t)value : -1;
}

static bool read_bone(mrwi_reader* reader, const mrwi_json_cursor* at, void* element, void* user)
{
    static const char* const known[] = { "name", "parent", "x", "y", "rot", "noScale", NULL };
    mrwi_json_cursor x = mrwi_json_member(at, "x");
    mrwi_json_cursor y = mrwi_json_member(at, "y");
    mrwi_json_cursor rotation = mrwi_json_member(at, "rot");
    mrwi_json_cursor no_scale = mrwi_json_member(at, "noScale");
    const uint32_t* bone_count = user;
    mrw_node_desc* out = element;
    out->name = read_name(reader, at, "bone");
    out->parent = read_parent(reader, at, *bone_count);
    out->x = mrwi_rig2d_coordinate(reader, &x);
    out->y = mrwi_rig2d_coordinate(reader, &y);
    out->rotation = mrwi_rig2d_number(reader, &rotation);
    out->no_scale = read_flag(reader, &no_scale);
    out->extras = mrwi_reader_extras(reader, at, known);
    if (mrwi_json_type_of(at) != MRWI_JSON_OBJECT) {
        mrwi_reader_note(reader, at, MRW_BAD_TYPE, "not an object; the bone has default values");
    }
    return true;
}

// Notes where a cycle of parents is cut.
static void note_cycles(mrwi_reader* reader, const mrwi_json_cursor* list)
{
    const mrw_model_desc* model = &reader->document->model;
    // Behind the parents stands their order, which nobody asks for.
    int32_t* parents = mrwi_allocate(reader->context, model->node_count, 2 * sizeof *parents);
    if (parents != NULL) {
        mrwi_rest_order(model->nodes, model->node_count, parents, parents + model->node_count);
    } else {
        mrwi_reader_keep(reader, MRW_NO_MEMORY);
    }
    mrwi_json_cursor child;
    for (bool more = mrwi_json_first(list, &child); more && reader->result == MRW_OK; more = mrwi_json_next(&child)) {
        int32_t parent = model->nodes[child.index].parent;
        if (parent >= 0 && (uint32_t)parent < model->node_count && parents[child.index] < 0) {
            mrwi_json_cursor at = mrwi_json_member(&child, "parent");
            mrwi_reader_note(reader, &at, MRW_CYCLE, "the bone is its own ancestor; it counts as a root");
        }
    }
    mrwi_release(reader->context, parents, model->node_count, 2 * sizeof *parents);
}

static const char* bone_name(const mrw_model_desc* model, uint32_t index)
{
    return model->nodes[index].name;
}

static const char* part_name(const mrw_model_desc* model, uint32_t index)
{
    return model->parts[index].name;
}

// Notes names that an earlier element of the list, a `what`, has, too.
static void note_duplicates(mrwi_reader* reader, const mrwi_json_cursor* list, const char* what,
    const char* (*name_of)(const mrw_model_desc* model, uint32_t index))
{
    mrwi_arena arena;
    mrwi_arena_init(&arena, reader->context);
    mrwi_names names;
    mrwi_reader_keep(reader, mrwi_names_init(&names, &arena, mrwi_json_count(list)));
    mrwi_json_cursor child;
    for (bool more = mrwi_json_first(list, &child); more && reader->result == MRW_OK; more = mrwi_json_next(&child)) {
        const char* name = name_of(&reader->document->model, child.index);
        int32_t earlier = mrwi_names_find(&names, -1, name, strlen(name));
        if (earlier >= 0) {
            mrwi_json_cursor at = mrwi_json_member(&child, "name");
            mrwi_reader_note(
                reader, &at, MRW_DUPLICATE, "%s %d has this name, too; what looks for the name finds the last", what, (int)earlier);
        }
        mrwi_names_put(&names, -1, name, (int32_t)child.index);
    }
    mrwi_arena_release(&arena);
}

// The member's list, or an absent one; something else in its place is a repair.
static mrwi_json_cursor read_list(mrwi_reader* reader, const mrwi_json_cursor* root, const char* name)
{
    mrwi_json_cursor list = mrwi_json_member(root, name);
    mrwi_json_type type = mrwi_json_type_of(&list);
    if (type != MRWI_JSON_ARRAY && type != MRWI_JSON_NONE) {
        mrwi_reader_note(reader, &list, MRW_BAD_TYPE, "not an array; it counts as missing");
        list.item = NULL;
    }
    return list;
}

static void read_bones(mrwi_reader* reader, const mrwi_json_cursor* root)
{
    mrwi_json_cursor list = read_list(reader, root, "bones");
    uint32_t count = mrwi_json_count(&list);
    uint32_t limit = reader->context->limits.nodes;
    if (count > limit && reader->result == MRW_OK) {
        reader->result = mrwi_json_fail(&list, reader->error, MRW_LIMIT, "%u bones, the limit is %u", count, limit);
    }
    mrw_model_desc* model = &reader->document->model;
    model->nodes = mrwi_reader_list(reader, &list, sizeof *model->nodes, read_bone, &count, &model->node_count);
    if (reader->result == MRW_OK) {
        note_duplicates(reader, &list, "bone", bone_name);
        note_cycles(reader, &list);
    }
}

static double read_order(mrwi_reader* reader, const mrwi_json_cursor* owner)
{
    mrwi_json_cursor at = mrwi_json_member(owner, "order");
    mrwi_json_type type = mrwi_json_type_of(&at);
    if (type == MRWI_JSON_NUMBER && isfinite(mrwi_json_number(&at))) {
        return mrwi_json_number(&at);
    }
    if (type != MRWI_JSON_NONE) {
        mrwi_reader_note(reader, &at, MRW_BAD_TYPE, "not a number; the order is the part's place in the list, %u", owner->index);
    }
    return owner->index;
}

// Only `false` hides.
static bool read_hidden(mrwi_reader* reader, const mrwi_json_cursor* owner)
{
    mrwi_json_cursor at = mrwi_json_member(owner, "visible");
    mrwi_json_type type = mrwi_json_type_of(&at);
    if (type != MRWI_JSON_NONE && type != MRWI_JSON_BOOLEAN) {
        mrwi_reader_note(reader, &at, MRW_BAD_TYPE, "not a boolean; the part is visible");
    }
    return type == MRWI_JSON_BOOLEAN && !mrwi_json_boolean(&at);
}

static mrw_blend_mode read_blend(mrwi_reader* reader, const mrwi_json_cursor* owner)
{
    mrwi_json_cursor at = mrwi_json_member(owner, "blend");
    int mode = mrwi_reader_choice(&at, mrwi_blend_names);
    if (mode < 0 && mrwi_json_type_of(&at) != MRWI_JSON_NONE) {
        mrwi_reader_note(reader, &at, MRW_BAD_VALUE, "not a blend mode (normal, add, multiply, screen); it counts as normal");
    }
    return mode < 0 ? MRW_BLEND_NORMAL : (mrw_blend_mode)mode;
}

// `user` has room for the meshes of all parts.
static bool read_part(mrwi_reader* reader, const mrwi_json_cursor* at, void* element, void* user)
{
    static const char* const known[] = { "name", "sprite", "mesh", "skinIndices", "skinWeights", "order", "visible", "blend", NULL };
    mrw_part_desc* out = element;
    out->name = read_name(reader, at, "part");
    out->sprite = read_sprite(reader, at);
    out->order = read_order(reader, at);
    out->hidden = read_hidden(reader, at);
    out->blend = read_blend(reader, at);
    mrwi_rig2d_read_mesh(reader, at, user, &out->mesh, &out->mesh_extras);
    out->extras = mrwi_reader_extras(reader, at, known);
    if (mrwi_json_type_of(at) != MRWI_JSON_OBJECT) {
        mrwi_reader_note(reader, at, MRW_BAD_TYPE, "not an object; the part has default values");
    }
    return true;
}

static mrw_part_desc* read_single_part(mrwi_reader* reader, const mrwi_json_cursor* root, mrw_mesh_desc* meshes)
{
    mrw_part_desc* part = mrwi_reader_allocate(reader, 1, sizeof *part);
    if (part != NULL) {
        part->name = "main";
        part->sprite = read_sprite(reader, root);
        mrwi_rig2d_read_mesh(reader, root, meshes, &part->mesh, &part->mesh_extras);
    }
    return part;
}

// The rig has one skin of all bones, and one part or a list of them.
static void read_parts(mrwi_reader* reader, const mrwi_json_cursor* root)
{
    mrwi_json_cursor list = read_list(reader, root, "parts");
    uint32_t listed = mrwi_json_count(&list);
    if (listed > MRWI_PARTS_MAX && reader->result == MRW_OK) {
        reader->result = mrwi_json_fail(&list, reader->error, MRW_LIMIT, "%u parts, the limit is %u", listed, MRWI_PARTS_MAX);
    }
    mrw_skin_desc* skin = mrwi_reader_allocate(reader, 1, sizeof *skin);
    mrw_mesh_desc* meshes = mrwi_reader_allocate(reader, listed, sizeof *meshes);
    if (skin == NULL || meshes == NULL) {
        return;
    }
    mrw_model_desc* model = &reader->document->model;
    model->skins = skin;
    model->skin_count = 1;
    model->meshes = meshes;
    model->file_version = listed > 0 ? 2 : 1;
    model->part_count = 1;
    model->parts = listed > 0 ? mrwi_reader_list(reader, &list, sizeof *model->parts, read_part, meshes, &model->part_count)
                              : read_single_part(reader, root, meshes);
    if (listed > 0) {
        note_duplicates(reader, &list, "part", part_name);
    }
}

static bool read_asset(mrwi_reader* reader, const mrwi_json_cursor* at, void* element, void* user)
{
    (void)user;
    mrw_asset_path* out = element;
    out->path = mrwi_reader_text(reader, at);
    if (out->path == NULL) {
        return false;
    }
    out->guid = mrwi_reader_copy(reader, at->key);
    if (out->guid != NULL && !mrw_is_guid(out->guid)) {
        mrwi_reader_note(reader, at, MRW_BAD_REFERENCE, "the name is not a GUID; it is taken as it stands");
    }
    if (!mrwi_asset_path_is_inside(out->path)) {
        mrwi_reader_note(reader, at, MRW_BAD_REFERENCE, "%s", leaves_the_folder);
    }
    return true;
}

static void read_assets(mrwi_reader* reader, const mrwi_json_cursor* root)
{
    mrwi_json_cursor table = mrwi_json_member(root, "assets");
    mrwi_json_type type = mrwi_json_type_of(&table);
    mrw_model_desc* model = &reader->document->model;
    if (type == MRWI_JSON_OBJECT) {
        model->assets = mrwi_reader_list(reader, &table, sizeof *model->assets, read_asset, NULL, &model->asset_count);
    } else if (type != MRWI_JSON_NONE) {
        mrwi_reader_note(reader, &table, MRW_BAD_TYPE, "not an object; it counts as missing");
    }
}

static void read_head(mrwi_reader* reader, const mrwi_json_cursor* root)
{
    mrw_model_desc* model = &reader->document->model;
    const char* id = read_reference(reader, root, "id");
    model->id = id[0] != 0 ? id : NULL;
    mrwi_json_cursor version = mrwi_json_member(root, "version");
    mrwi_json_type type = mrwi_json_type_of(&version);
    double stated = mrwi_json_number(&version);
    bool is_sound = type == MRWI_JSON_NUMBER && isfinite(stated) && stated >= 0;
    model->stated_version = is_sound ? stated : -1;
    if (!is_sound && type != MRWI_JSON_NONE) {
        mrwi_reader_note(reader, &version, MRW_BAD_TYPE, "not a version number; it counts as missing");
    }
}

static void read_rig(mrwi_reader* reader, const mrwi_json_cursor* root)
{
    // A rig of several parts does not use the members of the single one; they are kept like unknown ones.
    static const char* const known_single[]
        = { "id", "version", "sprite", "bones", "mesh", "skinIndices", "skinWeights", "parts", "assets", NULL };
    static const char* const known_parts[] = { "id", "version", "bones", "parts", "assets", NULL };
    read_head(reader, root);
    read_bones(reader, root);
    read_parts(reader, root);
    read_assets(reader, root);
    mrw_document* document = reader->document;
    document->model.extras = mrwi_reader_extras(reader, root, document->model.file_version == 1 ? known_single : known_parts);
}

static mrw_result open_rig(mrw_context* context, mrwi_extras_reader* read_extras, const void* bytes, size_t size,
    const mrw_load_options* options, mrw_document** out, mrw_error* error)
{
    static const mrwi_document_format format = {
        .kind = MRWI_DOCUMENT_RIG,
        .read = read_rig,
        .own = mrwi_rig2d_marks,
        .others = mrwi_anim_marks,
        .mismatch = "a clip (.anim.json), where a rig (.rig2d.json) is expected",
    };
    mrw_result result = mrwi_reader_open(context, &format, read_extras, bytes, size, options, out, error);
    if (result == MRW_OK) {
        (*out)->model.warnings = (*out)->warnings;
        (*out)->model.warning_count = (*out)->warning_count;
    }
    return result;
}

mrw_result mrw_document_read_rig2d(
    mrw_context* context, const void* bytes, size_t size, const mrw_load_options* options, mrw_document** out, mrw_error* error)
{
    return open_rig(context, mrwi_json_extras, bytes, size, options, out, error);
}

mrw_result mrw_model_load_rig2d(
    mrw_context* context, const void* bytes, size_t size, const mrw_load_options* options, mrw_model_id* out, mrw_error* error)
{
    out->value = 0;
    mrw_document* document = NULL;
    mrw_result result = open_rig(context, NULL, bytes, size, options, &document, error);
    if (result == MRW_OK) {
        result = mrwi_model_build(context, &document->model, out, error);
    }
    mrw_document_release(document);
    return result;
}
