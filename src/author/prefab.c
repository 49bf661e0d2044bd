// A prefab is a list of entities: `localId` counts from 1 (the root), EntityAttributes.parentId names the parent's, 0 none.
#include "base/result.h"
#include "io/json.h"
#include "model/document.h"
#include "model/rest.h"

static void write_number(mrwi_writer* writer, const char* key, double value)
{
    mrwi_write_key(writer, key);
    mrwi_write_double(writer, value);
}

static void write_text(mrwi_writer* writer, const char* key, const char* value)
{
    mrwi_write_key(writer, key);
    mrwi_write_string(writer, value);
}

static void write_transform(mrwi_writer* writer, double x, double y, double rotation)
{
    mrwi_write_key(writer, "Transform");
    mrwi_write_open(writer, '{');
    write_number(writer, "x", x);
    write_number(writer, "y", y);
    write_number(writer, "z", 0);
    write_number(writer, "rx", 0);
    write_number(writer, "ry", 0);
    write_number(writer, "rz", rotation);
    write_number(writer, "sx", 1);
    write_number(writer, "sy", 1);
    write_number(writer, "sz", 1);
    mrwi_write_close(writer, '}');
}

static void write_attributes(mrwi_writer* writer, const char* name, int64_t parent)
{
    mrwi_write_key(writer, "EntityAttributes");
    mrwi_write_open(writer, '{');
    write_text(writer, "name", name);
    mrwi_write_key(writer, "isActive");
    mrwi_write_boolean(writer, true);
    mrwi_write_key(writer, "sortOrder");
    mrwi_write_integer(writer, 0);
    mrwi_write_key(writer, "parentId");
    mrwi_write_integer(writer, parent);
    write_text(writer, "layer", "2d");
    write_text(writer, "guid", "");
    mrwi_write_close(writer, '}');
}

// Opens an entity up to its traits, which the caller writes before `close_entity`.
static void open_entity(mrwi_writer* writer, int64_t local_id, const char* name)
{
    mrwi_write_open(writer, '{');
    mrwi_write_key(writer, "localId");
    mrwi_write_integer(writer, local_id);
    write_text(writer, "name", name);
    mrwi_write_key(writer, "traits");
    mrwi_write_open(writer, '{');
}

static void close_entity(mrwi_writer* writer)
{
    mrwi_write_close(writer, '}');
    mrwi_write_close(writer, '}');
}

static void write_root(mrwi_writer* writer, const char* name, const char* rig)
{
    open_entity(writer, 1, name);
    write_transform(writer, 0, 0, 0);
    mrwi_write_key(writer, "SkinnedSprite2D");
    mrwi_write_open(writer, '{');
    write_text(writer, "rig", rig);
    mrwi_write_close(writer, '}');
    write_attributes(writer, name, 0);
    close_entity(writer);
}

static void write_bone(mrwi_writer* writer, const mrw_node_desc* node, int64_t index, int64_t parent)
{
    open_entity(writer, index + 2, node->name);
    write_transform(writer, node->x, node->y, node->rotation);
    mrwi_write_key(writer, "Bone2D");
    mrwi_write_open(writer, '{');
    write_text(writer, "name", node->name);
    mrwi_write_close(writer, '}');
    write_attributes(writer, node->name, parent + 2);
    close_entity(writer);
}

mrw_result mrw_author_prefab(const mrw_document* document, const char* name, const char* guid, char** out_text, size_t* out_size)
{
    *out_text = NULL;
    *out_size = 0;
    const mrw_model_desc* model = mrw_document_model(document);
    if (model == NULL || !mrw_is_guid(guid)) {
        return MRW_BAD_ARGUMENT;
    }
    if (model->id == NULL || !mrw_is_guid(model->id)) {
        return MRW_BAD_REFERENCE;
    }
    mrw_context* context = document->arena.context;
    int32_t* parents = mrwi_allocate(context, model->node_count, sizeof *parents);
    mrw_result result = parents == NULL ? MRW_NO_MEMORY : mrwi_rest_resolve(context, model->nodes, model->node_count, parents, NULL);
    if (result == MRW_OK) {
        mrwi_writer writer;
        mrwi_writer_init(&writer, context, false);
        mrwi_write_open(&writer, '{');
        write_text(&writer, "id", guid);
        mrwi_write_key(&writer, "version");
        mrwi_write_integer(&writer, 2);
        write_text(&writer, "name", name);
        mrwi_write_key(&writer, "rootLocalId");
        mrwi_write_integer(&writer, 1);
        mrwi_write_key(&writer, "entities");
        mrwi_write_open(&writer, '[');
        write_root(&writer, name, model->id);
        for (uint32_t i = 0; i < model->node_count; i++) {
            // A bone without a parent hangs on the root: -1 + 2 is its localId.
            write_bone(&writer, &model->nodes[i], i, parents[i]);
        }
        mrwi_write_close(&writer, ']');
        mrwi_write_close(&writer, '}');
        result = mrwi_writer_take(&writer, out_text, out_size);
    }
    mrwi_release(context, parents, model->node_count, sizeof *parents);
    return result;
}
