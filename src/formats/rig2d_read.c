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

#define COUNT(array) (sizeof(array) / sizeof *(array))

double mrwi_rig2d_number(mrwi_reader* reader, mrwi_json_cursor* at)
{
    mrwi_json_type type = mrwi_json_type_of(at);
    double value = mrwi_json_number(at);
    if (type == MRWI_JSON_STRING && mrwi_coerce_text(mrwi_json_string(at), &value)) {
        mrwi_reader_note(reader, at, MRW_BAD_TYPE, "text where a number is expected; it is read as one");
    } else {
        value = mrwi_json_boolean(at) ? 1 : value;
        mrwi_reader_has(reader, at, MRWI_JSON_NUMBER, value == 1 ? "it counts as 1" : "it counts as 0");
    }
    if (!(fabs(value) <= (double)FLT_MAX)) {
        mrwi_reader_reject(reader, at, MRW_BAD_VALUE, "a number of 32 bits", "it counts as 0");
        return 0;
    }
    return value;
}

double mrwi_rig2d_coordinate(mrwi_reader* reader, mrwi_json_cursor* at)
{
    double value = mrwi_rig2d_number(reader, at);
    return mrwi_reader_clamp(reader, at, value, -MRWI_RIG2D_COORDINATE_MAX, MRWI_RIG2D_COORDINATE_MAX, "a coordinate within 1e9");
}

static const char bone_word[] = "bone";
static const char part_word[] = "part";

static void read_number(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    (void)user;
    *(double*)out = mrwi_rig2d_number(reader, at);
}

static void read_coordinate(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    (void)user;
    *(double*)out = mrwi_rig2d_coordinate(reader, at);
}

// The name, or what `user` says and the index where there is none.
static void read_name(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    const char* name = mrwi_reader_text(reader, at);
    if (name != NULL && name[0] == 0) {
        mrwi_reader_note(reader, at, MRW_BAD_VALUE, "an empty name; it counts as missing");
        name = NULL;
    }
    if (name == NULL) {
        char* given = mrwi_reader_allocate(reader, 32, 1);
        mrwi_format(given, given != NULL ? 32 : 0, "%s%u", (const char*)user, at->up->index);
        name = given;
    }
    *(const char**)out = name;
}

static void check_guid(mrwi_reader* reader, const mrwi_json_cursor* at, const char* text)
{
    if (!mrw_is_guid(text)) {
        mrwi_reader_reject(reader, at, MRW_BAD_REFERENCE, "a GUID", "it is taken as it stands");
    }
}

static void check_path(mrwi_reader* reader, const mrwi_json_cursor* at, const char* path)
{
    if (!mrwi_asset_path_is_inside(path)) {
        mrwi_reader_note(reader, at, MRW_BAD_REFERENCE,
            "the path leads out of the rig's folder, so it is not followed; a host's manifest may say where the file is");
    }
}

// A GUID, or "" for none.
static void read_reference(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    (void)user;
    const char* text = mrwi_reader_text(reader, at);
    if (text == NULL) {
        text = "";
    } else if (text[0] != 0) {
        check_guid(reader, at, text);
    }
    *(const char**)out = text;
}

// A GUID, or a path of old files, or "" for none.
static void read_sprite(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    read_reference(reader, at, out, user);
    const char* text = *(const char**)out;
    if (text[0] != 0) {
        check_path(reader, at, text);
    }
}

// What JavaScript calls truthy.
static void read_flag(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    (void)user;
    mrwi_json_type type = mrwi_json_type_of(at);
    bool truthy = type == MRWI_JSON_NUMBER                    ? mrwi_json_number(at) != 0
        : type == MRWI_JSON_STRING                            ? mrwi_json_string(at)[0] != 0
        : type == MRWI_JSON_ARRAY || type == MRWI_JSON_OBJECT ? true
                                                              : mrwi_json_boolean(at);
    mrwi_reader_has(reader, at, MRWI_JSON_BOOLEAN, truthy ? "it counts as true" : "it counts as false");
    *(bool*)out = truthy;
}

static void read_parent(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    (void)user;
    mrwi_json_type type = mrwi_json_type_of(at);
    double value = mrwi_json_number(at);
    int32_t* parent = out;
    *parent = -1;
    if (type != MRWI_JSON_NUMBER || value != floor(value)) {
        if (type != MRWI_JSON_NONE) {
            mrwi_reader_reject(reader, at, MRW_BAD_TYPE, "a bone index", "the bone is a root");
        }
        return;
    }
    if (value < -1 || value >= reader->document->model.node_count) {
        mrwi_reader_reject(reader, at, MRW_BAD_REFERENCE, "the index of a bone", "the bone is a root");
    }
    // The number stays as it is where it fits, so that it is written back.
    if (fabs(value) <= INT32_MAX) {
        *parent = (int32_t)value;
    }
}

static bool read_bone(mrwi_reader* reader, mrwi_json_cursor* at, void* element, void* user)
{
    static const mrwi_field fields[] = {
        { "name", read_name, offsetof(mrw_node_desc, name) },
        { "parent", read_parent, offsetof(mrw_node_desc, parent) },
        { "x", read_coordinate, offsetof(mrw_node_desc, x) },
        { "y", read_coordinate, offsetof(mrw_node_desc, y) },
        { "rot", read_number, offsetof(mrw_node_desc, rotation) },
        { "noScale", read_flag, offsetof(mrw_node_desc, no_scale) },
    };
    mrw_node_desc* out = element;
    out->extras = mrwi_reader_fields(reader, at, fields, COUNT(fields), out, user);
    mrwi_reader_has(reader, at, MRWI_JSON_OBJECT, "the bone has default values");
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

_Static_assert(offsetof(mrw_node_desc, name) == 0, "looked up by name");
_Static_assert(offsetof(mrw_part_desc, name) == 0, "looked up by name");

// Notes names that an earlier element of the list has, too. Elements of `size` bytes begin with them.
static void note_duplicates(mrwi_reader* reader, const mrwi_json_cursor* list, const char* what, const void* elements, size_t size)
{
    mrwi_arena arena;
    mrwi_arena_init(&arena, reader->context);
    mrwi_names names;
    mrwi_reader_keep(reader, mrwi_names_init(&names, &arena, mrwi_json_count(list)));
    mrwi_json_cursor child;
    for (bool more = mrwi_json_first(list, &child); more && reader->result == MRW_OK; more = mrwi_json_next(&child)) {
        const char* name = *(const char* const*)(const void*)((const char*)elements + child.index * size);
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

static void read_bones(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    (void)user;
    mrw_model_desc* model = out;
    model->node_count = mrwi_reader_count(reader, at);
    mrwi_reader_bound(reader, at, model->node_count, reader->context->limits.nodes, "bones");
    model->nodes = mrwi_reader_list(reader, at, model->node_count, sizeof *model->nodes, read_bone, (void*)bone_word, &model->node_count);
    note_duplicates(reader, at, bone_word, model->nodes, sizeof *model->nodes);
    note_cycles(reader, at);
}

// Where there is none, the place in the list.
static void read_order(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    (void)user;
    double* order = out;
    double value = mrwi_json_number(at);
    *order = at->up->index;
    if (mrwi_json_type_of(at) == MRWI_JSON_NUMBER && isfinite(value)) {
        *order = value;
    } else if (mrwi_json_type_of(at) != MRWI_JSON_NONE) {
        mrwi_reader_reject(reader, at, MRW_BAD_TYPE, "a number", "the order is the part's place in the list");
    }
}

// Only `false` hides.
static void read_hidden(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    (void)user;
    *(bool*)out = mrwi_reader_has(reader, at, MRWI_JSON_BOOLEAN, "the part is visible") && !mrwi_json_boolean(at);
}

static void read_blend(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    (void)user;
    *(mrw_blend_mode*)out
        = (mrw_blend_mode)mrwi_reader_choice(reader, at, mrwi_blend_names, MRW_BAD_VALUE, "a blend mode (normal, add, multiply, screen)");
}

static bool read_part(mrwi_reader* reader, mrwi_json_cursor* at, void* element, void* user)
{
    static const mrwi_field fields[] = {
        { "name", read_name, offsetof(mrw_part_desc, name) },
        { "sprite", read_sprite, offsetof(mrw_part_desc, sprite) },
        { "order", read_order, offsetof(mrw_part_desc, order) },
        { "visible", read_hidden, offsetof(mrw_part_desc, hidden) },
        { "blend", read_blend, offsetof(mrw_part_desc, blend) },
        { "mesh", mrwi_rig2d_read_mesh, 0 },
        { "skinIndices", mrwi_rig2d_read_joints, 0 },
        { "skinWeights", mrwi_rig2d_read_weights, 0 },
    };
    mrw_part_desc* out = element;
    out->extras = mrwi_reader_fields(reader, at, fields, COUNT(fields), out, user);
    mrwi_reader_has(reader, at, MRWI_JSON_OBJECT, "the part has default values");
    return true;
}

// The rig has one skin of all bones. Without a list of parts the rig itself is one, which is read later.
static void read_parts(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    (void)user;
    mrw_model_desc* model = out;
    uint32_t count = mrwi_reader_count(reader, at);
    mrwi_reader_bound(reader, at, count, MRWI_PARTS_MAX, "parts");
    model->file_version = count > 0 ? 2 : 1;
    model->skins = mrwi_reader_allocate(reader, 1, sizeof *model->skins);
    model->skin_count = 1;
    // One more than there can be: a part without a mesh reads into the next one, too.
    model->meshes = mrwi_reader_allocate(reader, count + 1, sizeof *model->meshes);
    model->parts = mrwi_reader_list(reader, at, count, sizeof *model->parts, read_part, (void*)part_word, &model->part_count);
    note_duplicates(reader, at, part_word, model->parts, sizeof *model->parts);
}

static bool read_asset(mrwi_reader* reader, mrwi_json_cursor* at, void* element, void* user)
{
    (void)user;
    mrw_asset_path* out = element;
    out->path = mrwi_reader_text(reader, at);
    if (out->path == NULL) {
        return false;
    }
    out->guid = mrwi_arena_text(&reader->document->arena, at->key, strlen(at->key));
    if (out->guid == NULL) {
        mrwi_reader_keep(reader, MRW_NO_MEMORY);
        return false;
    }
    check_guid(reader, at, out->guid);
    check_path(reader, at, out->path);
    return true;
}

static void read_assets(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    (void)user;
    mrw_model_desc* model = out;
    mrwi_reader_has(reader, at, MRWI_JSON_OBJECT, "it counts as missing");
    model->assets = mrwi_reader_list(reader, at, mrwi_json_count(at), sizeof *model->assets, read_asset, NULL, &model->asset_count);
}

static void read_version(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user)
{
    (void)user;
    double* stated = out;
    double value = mrwi_json_number(at);
    *stated = -1;
    if (mrwi_json_type_of(at) == MRWI_JSON_NUMBER && isfinite(value) && value >= 0) {
        *stated = value;
    } else if (mrwi_json_type_of(at) != MRWI_JSON_NONE) {
        mrwi_reader_reject(reader, at, MRW_BAD_TYPE, "a version number", "it counts as missing");
    }
}

static void read_rig(mrwi_reader* reader, const mrwi_json_cursor* root)
{
    // A rig of several parts does not use the members of the single one; they are kept like unknown ones.
    static const mrwi_field fields[] = {
        { "sprite", read_sprite, offsetof(mrw_part_desc, sprite) },
        { "mesh", mrwi_rig2d_read_mesh, 0 },
        { "skinIndices", mrwi_rig2d_read_joints, 0 },
        { "skinWeights", mrwi_rig2d_read_weights, 0 },
        { "id", read_reference, offsetof(mrw_model_desc, id) },
        { "version", read_version, offsetof(mrw_model_desc, stated_version) },
        { "bones", read_bones, 0 },
        { "parts", read_parts, 0 },
        { "assets", read_assets, 0 },
    };
    enum { OF_SINGLE_PART = 4 };
    mrw_model_desc* model = &reader->document->model;
    const mrwi_field* known = fields + OF_SINGLE_PART;
    mrwi_reader_fields(reader, root, known, COUNT(fields) - OF_SINGLE_PART, model, NULL);
    model->id = model->id[0] != 0 ? model->id : NULL;
    if (model->file_version == 1) {
        mrw_part_desc* part = mrwi_reader_allocate(reader, 1, sizeof *part);
        if (part == NULL) {
            return;
        }
        known = fields;
        part->name = "main";
        model->parts = part;
        model->part_count = 1;
        mrwi_reader_fields(reader, root, fields, OF_SINGLE_PART, part, NULL);
    }
    model->extras = mrwi_reader_extras(reader, root, known, (uint32_t)(fields + COUNT(fields) - known));
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
