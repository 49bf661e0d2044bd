#include "io/cbor.h"
#include "model/model.h"

#include <math.h>

static const char* const blend_names[] = { "normal", "add", "multiply", "screen" };
static const char* const track_type_names[] = { "number", "color", "boolean", "enum" };

static void write_text(mrwi_writer* to, const char* key, const char* text)
{
    mrwi_cbor_text(to, key);
    mrwi_cbor_text(to, text);
}

// JSON has one kind of number; all integers here are exact as f64.
static void write_number(mrwi_writer* to, const char* key, double value)
{
    mrwi_cbor_text(to, key);
    mrwi_cbor_double(to, value);
}

static void write_boolean(mrwi_writer* to, const char* key, bool value)
{
    mrwi_cbor_text(to, key);
    mrwi_cbor_boolean(to, value);
}

static void write_float(mrwi_writer* to, const char* key, float value)
{
    mrwi_cbor_text(to, key);
    mrwi_cbor_float(to, value);
}

static void open_list(mrwi_writer* to, const char* key)
{
    mrwi_cbor_text(to, key);
    mrwi_cbor_open_list(to);
}

static void write_matrix(mrwi_writer* to, const char* key, const double matrix[6])
{
    open_list(to, key);
    for (uint32_t i = 0; i < 6; i++) {
        mrwi_cbor_double(to, matrix[i] + 0.0); // minus zero becomes zero
    }
    mrwi_cbor_close(to);
}

static void write_bones(mrwi_writer* to, const mrwi_model* model)
{
    static const char* const fields[MRW_FIELD_COUNT] = { "x", "y", "rotation", "scaleX", "scaleY" };
    open_list(to, "bones");
    for (uint32_t i = 0; i < model->node_count; i++) {
        uint32_t node = (uint32_t)model->node_of_file_index[i];
        mrwi_cbor_open_map(to);
        write_text(to, "name", model->node_names[node]);
        write_number(to, "parent", model->file_parents[i]);
        for (uint32_t field = 0; field < MRW_FIELD_COUNT; field++) {
            write_float(to, fields[field], model->rest[field * model->node_stride + node]);
        }
        write_boolean(to, "noScale", model->node_no_scale[node] != 0);
        write_number(to, "node", node);
        double inverse[6];
        mrw_affine2_invert(model->rest_world[node], inverse);
        write_matrix(to, "matrix", model->rest_world[node]);
        write_matrix(to, "inverseBind", inverse);
        mrwi_cbor_close(to);
    }
    mrwi_cbor_close(to);
}

static uint32_t max_influences(const mrwi_influences* influences)
{
    uint32_t most = 0;
    for (uint32_t v = 0; v < influences->vertex_count; v++) {
        uint32_t count = influences->first[v + 1] - influences->first[v];
        most = count > most ? count : most;
    }
    return most;
}

static void write_parts(mrwi_writer* to, const mrwi_model* model)
{
    open_list(to, "parts");
    for (uint32_t i = 0; i < model->part_count; i++) {
        const mrwi_part* part = &model->parts[i];
        mrwi_cbor_open_map(to);
        write_text(to, "name", part->name);
        write_number(to, "sprite", part->sprite);
        write_float(to, "order", part->order);
        write_boolean(to, "visible", !part->hidden);
        write_text(to, "blend", blend_names[part->blend]);
        write_number(to, "fileIndex", part->file_index);
        write_number(to, "vertexCount", part->vertex_count);
        write_number(to, "triangleCount", part->index_count / 3);
        write_number(to, "maxInfluences", max_influences(&part->influences));
        write_number(to, "firstVertex", part->first_vertex);
        write_number(to, "firstIndex", part->first_index);
        write_number(to, "indexCount", part->index_count);
        mrwi_cbor_close(to);
    }
    mrwi_cbor_close(to);
}

static void write_sprites(mrwi_writer* to, const mrwi_model* model)
{
    open_list(to, "sprites");
    for (uint32_t i = 0; i < model->sprite_count; i++) {
        mrwi_cbor_open_map(to);
        write_text(to, "guid", model->sprites[i].guid);
        write_boolean(to, "isGuid", model->sprites[i].is_guid);
        write_number(to, "page", model->sprites[i].page);
        mrwi_cbor_close(to);
    }
    mrwi_cbor_close(to);
}

static void write_track(mrwi_writer* to, const mrwi_track* track)
{
    mrwi_cbor_open_map(to);
    write_text(to, "path", track->path);
    write_text(to, "trait", track->trait);
    write_text(to, "field", track->field);
    write_text(to, "type", track_type_names[track->type]);
    write_number(to, "keyCount", track->key_count);
    mrwi_cbor_close(to);
}

static void write_clip(mrwi_writer* to, const mrwi_model* model, const mrwi_clip* clip)
{
    mrwi_cbor_open_map(to);
    write_text(to, "name", clip->name);
    write_text(to, "id", clip->id);
    write_number(to, "duration", clip->duration);
    write_number(to, "frameRate", clip->frame_rate);
    write_boolean(to, "loop", !clip->once);
    open_list(to, "tracks");
    for (uint32_t i = 0; i < clip->track_count; i++) {
        write_track(to, &clip->tracks[clip->track_of_file_index[i]]);
    }
    mrwi_cbor_close(to);
    open_list(to, "deformTracks");
    for (uint32_t i = 0; i < clip->deform_count; i++) {
        mrwi_cbor_open_map(to);
        // Only parts of the root are ever deformed.
        write_text(to, "path", "");
        write_text(to, "part", model->parts[clip->deforms[i].part].name);
        write_number(to, "keyCount", clip->deforms[i].key_count);
        mrwi_cbor_close(to);
    }
    mrwi_cbor_close(to);
    open_list(to, "events");
    for (uint32_t i = 0; i < clip->event_count; i++) {
        mrwi_cbor_open_map(to);
        write_number(to, "time", clip->events[i].time);
        write_text(to, "name", clip->events[i].name);
        mrwi_cbor_text(to, "data");
        mrwi_cbor_json(to, clip->events[i].data);
        mrwi_cbor_close(to);
    }
    mrwi_cbor_close(to);
    mrwi_cbor_close(to);
}

static void write_lists(mrwi_writer* to, const mrwi_model* model)
{
    open_list(to, "warnings");
    for (uint32_t i = 0; i < model->warning_count; i++) {
        mrwi_cbor_open_map(to);
        write_text(to, "code", mrw_result_name(model->warnings[i].code));
        write_text(to, "path", model->warnings[i].path);
        write_text(to, "message", model->warnings[i].message);
        mrwi_cbor_close(to);
    }
    mrwi_cbor_close(to);
    open_list(to, "assets");
    for (uint32_t i = 0; i < model->asset_count; i++) {
        mrwi_cbor_open_map(to);
        write_text(to, "guid", model->assets[i].guid);
        write_text(to, "path", model->assets[i].path);
        mrwi_cbor_close(to);
    }
    mrwi_cbor_close(to);
}

static size_t memory_of(const mrwi_model* model)
{
    size_t size = mrwi_arena_size(&model->arena) + model->clip_capacity * sizeof(mrwi_clip*) + model->page_count * sizeof(mrw_image);
    for (uint32_t i = 0; i < model->clip_count; i++) {
        size += mrwi_arena_size(&model->clips[i]->arena);
    }
    for (uint32_t i = 0; i < model->page_count; i++) {
        size += (size_t)model->images[i].width * model->images[i].height * 4;
    }
    return size;
}

static void write_figures(mrwi_writer* to, const mrwi_model* model)
{
    static const char* const sides[] = { "minX", "minY", "maxX", "maxY" };
    mrwi_cbor_text(to, "bounds");
    mrwi_cbor_open_map(to);
    for (uint32_t i = 0; i < 4; i++) {
        write_float(to, sides[i], model->bind_bounds[i]);
    }
    mrwi_cbor_close(to);
    write_number(to, "vertexCount", model->vertex_count - (double)model->part_count * MRWI_PLAN_SLACK);
    write_number(to, "indexCount", model->index_count);
    write_number(to, "influenceCount", model->influence_count);
    write_number(to, "maxInfluences", model->max_influences);
    open_list(to, "influenceHistogram");
    for (size_t i = 0; i <= model->max_influences; i++) {
        mrwi_cbor_double(to, model->influence_histogram[i]);
    }
    mrwi_cbor_close(to);
    write_number(to, "memory", (double)memory_of(model));
}

static void write_model(mrwi_writer* to, const mrwi_model* model)
{
    mrwi_cbor_open_map(to);
    write_text(to, "id", model->guid);
    write_number(to, "fileVersion", model->file_version);
    write_number(to, "statedVersion", model->stated_version >= 0 ? model->stated_version : (double)NAN); // null: it states none
    write_bones(to, model);
    write_parts(to, model);
    write_sprites(to, model);
    open_list(to, "clips");
    for (uint32_t i = 0; i < model->clip_count; i++) {
        write_clip(to, model, model->clips[i]);
    }
    mrwi_cbor_close(to);
    write_lists(to, model);
    write_figures(to, model);
    mrwi_cbor_close(to);
}

mrw_result mrw_model_describe_cbor(mrw_context* context, mrw_model_id id, char** out_bytes, size_t* out_size)
{
    *out_bytes = NULL;
    *out_size = 0;
    const mrwi_model* model = mrwi_model_get(context, id);
    if (model == NULL) {
        return MRW_STALE;
    }
    mrwi_writer writer;
    mrwi_writer_init(&writer, context, true);
    write_model(&writer, model);
    return mrwi_writer_take(&writer, out_bytes, out_size);
}

mrw_result mrw_model_describe(mrw_context* context, mrw_model_id id, char** out_text, size_t* out_size)
{
    char* bytes;
    size_t size;
    *out_text = NULL;
    *out_size = 0;
    mrw_result result = mrw_model_describe_cbor(context, id, &bytes, &size);
    if (result != MRW_OK) {
        return result;
    }
    mrwi_writer writer;
    mrwi_writer_init(&writer, context, true);
    mrwi_cbor_to_json(bytes, size, &writer);
    mrw_text_release(context, bytes, size);
    return mrwi_writer_take(&writer, out_text, out_size);
}
