#include "base/result.h"
#include "formats/coerce.h"
#include "formats/rig2d_reader.h"
#include "model/rest.h"

#include <float.h>
#include <math.h>
#include <string.h>

void* mrwi_rig2d_allocate(mrwi_rig2d_reader* reader, size_t count, size_t size)
{
    if (reader->result != MRW_OK) {
        return NULL;
    }
    void* block = mrwi_arena_allocate(reader->arena, count > 0 ? count : 1, size);
    if (block == NULL) {
        reader->result = mrwi_fail(reader->error, MRW_NO_MEMORY, NULL, NULL);
    }
    return block;
}

double mrwi_rig2d_number(mrwi_rig2d_reader* reader, const mrwi_json_cursor* at)
{
    mrwi_json_type type = mrwi_json_type_of(at);
    double value = mrwi_json_number(at);
    if (type == MRWI_JSON_NONE) {
        return 0;
    }
    if (type == MRWI_JSON_STRING && mrwi_coerce_text(mrwi_json_string(at), &value)) {
        MRWI_NOTE(reader, at, MRW_BAD_TYPE, "text where a number is expected; it is read as one");
    } else if (type == MRWI_JSON_BOOLEAN) {
        value = mrwi_json_boolean(at) ? 1 : 0;
        MRWI_NOTE(reader, at, MRW_BAD_TYPE, "a boolean where a number is expected; it counts as %d", value > 0 ? 1 : 0);
    } else if (type != MRWI_JSON_NUMBER) {
        MRWI_NOTE(reader, at, MRW_BAD_TYPE, "not a number; it counts as 0");
        return 0;
    }
    if (!(fabs(value) <= (double)FLT_MAX)) {
        MRWI_NOTE(reader, at, MRW_BAD_VALUE, "the number does not fit into 32 bits; it counts as 0");
        return 0;
    }
    return value;
}

// A copy of the string, or NULL when there is none; something else in its place is a repair.
static const char* read_text(mrwi_rig2d_reader* reader, const mrwi_json_cursor* at)
{
    mrwi_json_type type = mrwi_json_type_of(at);
    if (type != MRWI_JSON_STRING) {
        if (type != MRWI_JSON_NONE) {
            MRWI_NOTE(reader, at, MRW_BAD_TYPE, "not a string; it counts as missing");
        }
        return NULL;
    }
    const char* text = mrwi_json_string(at);
    size_t size = strlen(text);
    char* copy = mrwi_rig2d_allocate(reader, size + 1, 1);
    if (copy != NULL) {
        memcpy(copy, text, size);
    }
    return copy;
}

// The name, or `prefix` and the index where there is none.
static const char* read_name(mrwi_rig2d_reader* reader, const mrwi_json_cursor* owner, const char* prefix, uint32_t index)
{
    mrwi_json_cursor at = mrwi_json_member(owner, "name");
    const char* name = read_text(reader, &at);
    if (name != NULL && name[0] != 0) {
        return name;
    }
    if (name != NULL) {
        MRWI_NOTE(reader, &at, MRW_BAD_VALUE, "an empty name; it counts as missing");
    }
    char* given = mrwi_rig2d_allocate(reader, 32, 1);
    if (given != NULL) {
        mrwi_format(given, 32, "%s%u", prefix, index);
    }
    return given;
}

// A GUID, or "" for none.
static const char* read_reference(mrwi_rig2d_reader* reader, const mrwi_json_cursor* owner, const char* member)
{
    mrwi_json_cursor at = mrwi_json_member(owner, member);
    const char* text = read_text(reader, &at);
    if (text != NULL && text[0] != 0 && !mrw_is_guid(text)) {
        MRWI_NOTE(reader, &at, MRW_BAD_REFERENCE, "not a GUID; it is taken as it stands");
    }
    return text != NULL ? text : "";
}

// What JavaScript calls truthy.
static bool read_flag(mrwi_rig2d_reader* reader, const mrwi_json_cursor* at)
{
    mrwi_json_type type = mrwi_json_type_of(at);
    if (type == MRWI_JSON_NONE || type == MRWI_JSON_BOOLEAN) {
        return mrwi_json_boolean(at);
    }
    bool truthy = type == MRWI_JSON_NUMBER ? mrwi_json_number(at) != 0
        : type == MRWI_JSON_STRING         ? mrwi_json_string(at)[0] != 0
                                           : type != MRWI_JSON_NULL;
    MRWI_NOTE(reader, at, MRW_BAD_TYPE, "not a boolean; it counts as %s", truthy ? "true" : "false");
    return truthy;
}

static int32_t read_parent(mrwi_rig2d_reader* reader, const mrwi_json_cursor* owner, uint32_t bone_count)
{
    mrwi_json_cursor at = mrwi_json_member(owner, "parent");
    mrwi_json_type type = mrwi_json_type_of(&at);
    double value = mrwi_json_number(&at);
    if (type == MRWI_JSON_NONE) {
        return -1;
    }
    if (type != MRWI_JSON_NUMBER || value != floor(value)) {
        MRWI_NOTE(reader, &at, MRW_BAD_TYPE, "not a bone index; the bone is a root");
        return -1;
    }
    if (value < -1 || value >= bone_count) {
        MRWI_NOTE(reader, &at, MRW_BAD_REFERENCE, "no bone has this index; the bone is a root");
    }
    // The number stays as it is where it fits, so that it is written back.
    return fabs(value) <= INT32_MAX ? (int32_t)value : -1;
}

static void read_bone(mrwi_rig2d_reader* reader, const mrwi_json_cursor* at, uint32_t index, uint32_t bone_count, mrw_node_desc* out)
{
    static const char* const known[] = { "name", "parent", "x", "y", "rot", "noScale", NULL };
    mrwi_json_cursor x = mrwi_json_member(at, "x");
    mrwi_json_cursor y = mrwi_json_member(at, "y");
    mrwi_json_cursor rotation = mrwi_json_member(at, "rot");
    mrwi_json_cursor no_scale = mrwi_json_member(at, "noScale");
    out->name = read_name(reader, at, "bone", index);
    out->parent = read_parent(reader, at, bone_count);
    out->x = mrwi_rig2d_number(reader, &x);
    out->y = mrwi_rig2d_number(reader, &y);
    out->rotation = mrwi_rig2d_number(reader, &rotation);
    out->no_scale = read_flag(reader, &no_scale);
    if (mrwi_json_type_of(at) != MRWI_JSON_OBJECT) {
        MRWI_NOTE(reader, at, MRW_BAD_TYPE, "not an object; the bone has default values");
    } else if (reader->result == MRW_OK) {
        reader->result = mrwi_json_extras(at, known, reader->arena, &out->extras);
    }
}

// Notes where a cycle of parents is cut.
static void note_cycles(mrwi_rig2d_reader* reader, const mrwi_json_cursor* list)
{
    const mrw_model_desc* model = reader->model;
    int32_t* parents = mrwi_allocate(reader->context, model->node_count, sizeof *parents);
    if (parents == NULL || mrwi_rest_resolve(reader->context, model->nodes, model->node_count, parents, NULL) != MRW_OK) {
        reader->result = mrwi_fail(reader->error, MRW_NO_MEMORY, NULL, NULL);
    }
    mrwi_json_cursor child;
    uint32_t i = 0;
    for (bool more = mrwi_json_first(list, &child); more && reader->result == MRW_OK; more = mrwi_json_next(&child)) {
        int32_t parent = model->nodes[i].parent;
        if (parent >= 0 && (uint32_t)parent < model->node_count && parents[i] < 0) {
            mrwi_json_cursor at = mrwi_json_member(&child, "parent");
            MRWI_NOTE(reader, &at, MRW_CYCLE, "the bone is its own ancestor; it counts as a root");
        }
        i++;
    }
    mrwi_release(reader->context, parents, model->node_count, sizeof *parents);
}

static void read_bones(mrwi_rig2d_reader* reader, const mrwi_json_cursor* root)
{
    mrwi_json_cursor list = mrwi_json_member(root, "bones");
    mrwi_json_type type = mrwi_json_type_of(&list);
    if (type != MRWI_JSON_ARRAY) {
        if (type != MRWI_JSON_NONE) {
            MRWI_NOTE(reader, &list, MRW_BAD_TYPE, "not an array; the rig has no bones");
        }
        return;
    }
    uint32_t count = mrwi_json_count(&list);
    uint32_t limit = reader->context->limits.nodes;
    if (count > limit && reader->result == MRW_OK) {
        reader->result = mrwi_json_fail(&list, reader->error, MRW_LIMIT, "%u bones, the limit is %u", count, limit);
    }
    mrw_node_desc* nodes = mrwi_rig2d_allocate(reader, count, sizeof *nodes);
    mrwi_json_cursor child;
    uint32_t i = 0;
    for (bool more = nodes != NULL && mrwi_json_first(&list, &child); more; more = mrwi_json_next(&child)) {
        read_bone(reader, &child, i, count, &nodes[i]);
        i++;
    }
    if (reader->result == MRW_OK) {
        reader->model->nodes = nodes;
        reader->model->node_count = count;
        note_cycles(reader, &list);
    }
}

static double read_order(mrwi_rig2d_reader* reader, const mrwi_json_cursor* owner, uint32_t index)
{
    mrwi_json_cursor at = mrwi_json_member(owner, "order");
    mrwi_json_type type = mrwi_json_type_of(&at);
    if (type == MRWI_JSON_NUMBER && isfinite(mrwi_json_number(&at))) {
        return mrwi_json_number(&at);
    }
    if (type != MRWI_JSON_NONE) {
        MRWI_NOTE(reader, &at, MRW_BAD_TYPE, "not a number; the order is the part's place in the list, %u", index);
    }
    return index;
}

// Only `false` hides.
static bool read_hidden(mrwi_rig2d_reader* reader, const mrwi_json_cursor* owner)
{
    mrwi_json_cursor at = mrwi_json_member(owner, "visible");
    mrwi_json_type type = mrwi_json_type_of(&at);
    if (type != MRWI_JSON_NONE && type != MRWI_JSON_BOOLEAN) {
        MRWI_NOTE(reader, &at, MRW_BAD_TYPE, "not a boolean; the part is visible");
    }
    return type == MRWI_JSON_BOOLEAN && !mrwi_json_boolean(&at);
}

static mrw_blend_mode read_blend(mrwi_rig2d_reader* reader, const mrwi_json_cursor* owner)
{
    static const char* const names[] = { "normal", "add", "multiply", "screen" };
    mrwi_json_cursor at = mrwi_json_member(owner, "blend");
    const char* name = mrwi_json_string(&at);
    for (uint32_t i = 0; name != NULL && i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(name, names[i]) == 0) {
            return (mrw_blend_mode)i;
        }
    }
    if (mrwi_json_type_of(&at) != MRWI_JSON_NONE) {
        MRWI_NOTE(reader, &at, MRW_BAD_VALUE, "not a blend mode (normal, add, multiply, screen); it counts as normal");
    }
    return MRW_BLEND_NORMAL;
}

static void read_part(mrwi_rig2d_reader* reader, const mrwi_json_cursor* at, uint32_t index, mrw_part_desc* out)
{
    static const char* const known[] = { "name", "sprite", "mesh", "skinIndices", "skinWeights", "order", "visible", "blend", NULL };
    out->name = read_name(reader, at, "part", index);
    out->sprite = read_reference(reader, at, "sprite");
    out->order = read_order(reader, at, index);
    out->hidden = read_hidden(reader, at);
    out->blend = read_blend(reader, at);
    mrwi_rig2d_read_mesh(reader, at, &out->mesh, &out->mesh_extras);
    if (mrwi_json_type_of(at) != MRWI_JSON_OBJECT) {
        MRWI_NOTE(reader, at, MRW_BAD_TYPE, "not an object; the part has default values");
    } else if (reader->result == MRW_OK) {
        reader->result = mrwi_json_extras(at, known, reader->arena, &out->extras);
    }
}

// The rig has one skin of all bones, and one part or a list of them.
static void read_parts(mrwi_rig2d_reader* reader, const mrwi_json_cursor* root)
{
    mrwi_json_cursor list = mrwi_json_member(root, "parts");
    mrwi_json_type type = mrwi_json_type_of(&list);
    uint32_t listed = type == MRWI_JSON_ARRAY ? mrwi_json_count(&list) : 0;
    uint32_t count = listed > 0 ? listed : 1;
    mrw_part_desc* parts = mrwi_rig2d_allocate(reader, count, sizeof *parts);
    mrw_skin_desc* skin = mrwi_rig2d_allocate(reader, 1, sizeof *skin);
    reader->meshes = mrwi_rig2d_allocate(reader, count, sizeof *reader->meshes);
    if (parts == NULL || skin == NULL || reader->meshes == NULL) {
        return;
    }
    mrw_model_desc* model = reader->model;
    model->parts = parts;
    model->part_count = count;
    model->skins = skin;
    model->skin_count = 1;
    model->meshes = reader->meshes;
    model->file_version = listed > 0 ? 2 : 1;
    if (listed > 0) {
        mrwi_json_cursor child;
        uint32_t i = 0;
        for (bool more = mrwi_json_first(&list, &child); more && reader->result == MRW_OK; more = mrwi_json_next(&child)) {
            read_part(reader, &child, i, &parts[i]);
            i++;
        }
        return;
    }
    if (type != MRWI_JSON_NONE && type != MRWI_JSON_ARRAY) {
        MRWI_NOTE(reader, &list, MRW_BAD_TYPE, "not an array; it counts as missing");
    }
    parts[0].name = "main";
    parts[0].sprite = read_reference(reader, root, "sprite");
    mrwi_rig2d_read_mesh(reader, root, &parts[0].mesh, &parts[0].mesh_extras);
}

static void read_assets(mrwi_rig2d_reader* reader, const mrwi_json_cursor* root)
{
    mrwi_json_cursor table = mrwi_json_member(root, "assets");
    mrwi_json_type type = mrwi_json_type_of(&table);
    if (type != MRWI_JSON_OBJECT) {
        if (type != MRWI_JSON_NONE) {
            MRWI_NOTE(reader, &table, MRW_BAD_TYPE, "not an object; it counts as missing");
        }
        return;
    }
    mrw_asset_path* assets = mrwi_rig2d_allocate(reader, mrwi_json_count(&table), sizeof *assets);
    uint32_t count = 0;
    mrwi_json_cursor child;
    for (bool more = assets != NULL && mrwi_json_first(&table, &child); more && reader->result == MRW_OK; more = mrwi_json_next(&child)) {
        const char* path = read_text(reader, &child);
        const char* guid = path != NULL ? mrwi_arena_text(reader->arena, child.key, strlen(child.key)) : NULL;
        if (guid == NULL) {
            reader->result = path != NULL ? mrwi_fail(reader->error, MRW_NO_MEMORY, NULL, NULL) : reader->result;
            continue;
        }
        if (!mrw_is_guid(guid)) {
            MRWI_NOTE(reader, &child, MRW_BAD_REFERENCE, "the name is not a GUID; it is taken as it stands");
        }
        assets[count++] = (mrw_asset_path) { guid, path };
    }
    reader->model->assets = assets;
    reader->model->asset_count = count;
}

static void read_head(mrwi_rig2d_reader* reader, const mrwi_json_cursor* root)
{
    const char* id = read_reference(reader, root, "id");
    reader->model->id = id[0] != 0 ? id : NULL;
    mrwi_json_cursor version = mrwi_json_member(root, "version");
    mrwi_json_type type = mrwi_json_type_of(&version);
    double stated = mrwi_json_number(&version);
    bool is_sound = type == MRWI_JSON_NUMBER && isfinite(stated) && stated >= 0;
    reader->model->stated_version = is_sound ? stated : -1;
    if (!is_sound && type != MRWI_JSON_NONE) {
        MRWI_NOTE(reader, &version, MRW_BAD_TYPE, "not a version number; it counts as missing");
    }
}

static void read_root(mrwi_rig2d_reader* reader, mrwi_json* json)
{
    // A rig of several parts does not use the members of the single one; they are kept like unknown ones.
    static const char* const known_single[]
        = { "id", "version", "sprite", "bones", "mesh", "skinIndices", "skinWeights", "parts", "assets", NULL };
    static const char* const known_parts[] = { "id", "version", "bones", "parts", "assets", NULL };
    mrwi_json_cursor root = mrwi_json_root(json);
    bool is_object = mrwi_json_type_of(&root) == MRWI_JSON_OBJECT;
    if (!is_object) {
        MRWI_NOTE(reader, &root, MRW_BAD_TYPE, "not an object; it counts as an empty one");
        root.item = NULL;
    }
    read_head(reader, &root);
    read_bones(reader, &root);
    read_parts(reader, &root);
    read_assets(reader, &root);
    if (is_object && reader->result == MRW_OK) {
        bool is_single = reader->model->file_version == 1;
        reader->result = mrwi_json_extras(&root, is_single ? known_single : known_parts, reader->arena, &reader->model->extras);
    }
}

static mrw_result read_document(mrw_context* context, const void* bytes, size_t size, bool strict, mrw_document* document, mrw_error* error)
{
    mrwi_json* json = NULL;
    mrw_result result = mrwi_json_parse(context, bytes, size, strict, &json, error);
    if (result != MRW_OK) {
        return result;
    }
    mrwi_rig2d_reader reader = { .context = context, .arena = &document->arena, .model = &document->model, .error = error };
    read_root(&reader, json);
    if (reader.result == MRW_OK) {
        reader.result = mrwi_json_warnings(json, &document->arena, &document->warnings, &document->warning_count);
        document->model.warnings = document->warnings;
        document->model.warning_count = document->warning_count;
    }
    mrwi_json_release(json);
    return reader.result == MRW_NO_MEMORY ? mrwi_fail(error, MRW_NO_MEMORY, NULL, NULL) : reader.result;
}

mrw_result mrw_document_read_rig2d(
    mrw_context* context, const void* bytes, size_t size, const mrw_load_options* options, mrw_document** out, mrw_error* error)
{
    *out = NULL;
    mrw_document* document = mrwi_document_create(context, MRWI_DOCUMENT_RIG);
    if (document == NULL) {
        return mrwi_fail(error, MRW_NO_MEMORY, NULL, NULL);
    }
    mrw_result result = read_document(context, bytes, size, options != NULL && options->strict, document, error);
    if (result != MRW_OK) {
        mrw_document_release(document);
        return result;
    }
    *out = document;
    return MRW_OK;
}

mrw_result mrw_model_load_rig2d(
    mrw_context* context, const void* bytes, size_t size, const mrw_load_options* options, mrw_model_id* out, mrw_error* error)
{
    out->value = 0;
    mrw_document* document = NULL;
    mrw_result result = mrw_document_read_rig2d(context, bytes, size, options, &document, error);
    if (result == MRW_OK) {
        result = mrw_model_create(context, &document->model, options, out, error);
    }
    mrw_document_release(document);
    return result;
}
