/// The whole border between the binary and JavaScript: flat exports over marrow.h, no logic of their own.
///
/// One context lives in the module. Ids, counts and addresses travel as plain numbers. What a function gives back beside its result
/// lies in `exchange`, whose address JavaScript asks for once. Structs that JavaScript reads or writes in place stand in
/// layout.js; layout.h keeps its offsets honest.
#include "marrow.h"

#include <stddef.h>
#include <stdlib.h>

/// `name` is what JavaScript sees; the C name has a prefix so that it can never collide with the library.
#define EXPORT(type, name, parameters)                                    \
    __attribute__((export_name(#name), used)) type api_##name parameters; \
    type api_##name parameters

static mrw_context* context;

static struct exchange {
    mrw_error error;
    mrw_event event;
    mrw_hit hit;
    mrw_bounds bounds;
    double number;
    uint32_t words[8];
    char text[40];
} exchange;

#include "layout.h"

static uint32_t word(const void* pointer)
{
    return (uint32_t)(uintptr_t)pointer;
}

// ------------------------------------------------------------------------------------------------ module

EXPORT(uint32_t, abi_version, (void))
{
    return MRW_ABI_VERSION;
}
EXPORT(struct exchange*, exchange, (void))
{
    return &exchange;
}
EXPORT(const char*, result_name, (mrw_result result))
{
    return mrw_result_name(result);
}
EXPORT(const char*, result_message, (mrw_result result))
{
    return mrw_result_message(result);
}

EXPORT(mrw_result, start,
    (size_t input_bytes, size_t memory_bytes, uint32_t nodes, uint32_t vertices, uint32_t json_depth, uint32_t image_pixels,
        uint32_t clips))
{
    mrw_context_desc desc = { 0 };
    desc.limits = (mrw_limits) { .input_bytes = input_bytes,
        .memory_bytes = memory_bytes,
        .nodes = nodes,
        .vertices = vertices,
        .json_depth = json_depth,
        .image_pixels = image_pixels,
        .clips = clips };
    context = mrw_context_create(&desc);
    return context == NULL ? MRW_NO_MEMORY : MRW_OK;
}
EXPORT(void, stop, (void))
{
    mrw_context_destroy(context);
    context = NULL;
}
EXPORT(size_t, memory_used, (void))
{
    return mrw_context_memory(context);
}
EXPORT(double, allocations, (void))
{
    return (double)mrw_context_allocations(context);
}

/// Plain memory for what JavaScript copies in. Outside the context's count.
EXPORT(void*, allocate, (size_t size))
{
    return malloc(size);
}
EXPORT(void, release, (void* block))
{
    free(block);
}
EXPORT(void, text_release, (char* text, size_t size))
{
    mrw_text_release(context, text, size);
}

// ------------------------------------------------------------------------------------------------ models

EXPORT(mrw_result, model_load_rig2d, (const void* bytes, size_t size, bool strict))
{
    const mrw_load_options options = { .strict = strict };
    mrw_model_id model = { 0 };
    const mrw_result result = mrw_model_load_rig2d(context, bytes, size, &options, &model, &exchange.error);
    exchange.words[0] = model.value;
    return result;
}
EXPORT(mrw_result, model_add_clip, (mrw_model_id model, const void* bytes, size_t size, bool strict))
{
    const mrw_load_options options = { .strict = strict };
    return mrw_model_add_clip(context, model, bytes, size, &options, &exchange.words[0], &exchange.error);
}
EXPORT(mrw_result, model_release, (mrw_model_id model))
{
    return mrw_model_release(context, model);
}
EXPORT(mrw_result, model_describe, (mrw_model_id model))
{
    char* text = NULL;
    size_t size = 0;
    const mrw_result result = mrw_model_describe(context, model, &text, &size);
    exchange.words[0] = word(text);
    exchange.words[1] = size;
    return result;
}
EXPORT(mrw_result, model_set_frame, (mrw_model_id model, uint32_t sprite, const mrw_frame* frame))
{
    return mrw_model_set_frame(context, model, sprite, frame);
}
EXPORT(mrw_result, model_set_image, (mrw_model_id model, uint32_t page, uint32_t width, uint32_t height, const uint8_t* pixels))
{
    return mrw_model_set_image(context, model, page, width, height, pixels);
}
EXPORT(mrw_result, model_influences, (mrw_model_id model, uint32_t part))
{
    uint32_t vertex_count = 0;
    const uint32_t *first = NULL, *joint = NULL;
    const float* weight = NULL;
    const mrw_result result = mrw_model_influences(context, model, part, &vertex_count, &first, &joint, &weight);
    exchange.words[0] = vertex_count;
    exchange.words[1] = word(first);
    exchange.words[2] = word(joint);
    exchange.words[3] = word(weight);
    return result;
}
EXPORT(mrw_result, clip_sample, (mrw_model_id model, uint32_t clip, uint32_t track, double time))
{
    return mrw_clip_sample(context, model, clip, track, time, &exchange.number);
}

// ------------------------------------------------------------------------------------------------ worlds

EXPORT(mrw_result, world_create, (void))
{
    mrw_world_id world = { 0 };
    const mrw_result result = mrw_world_create(context, &world);
    exchange.words[0] = world.value;
    return result;
}
EXPORT(mrw_result, world_release, (mrw_world_id world))
{
    return mrw_world_release(context, world);
}
EXPORT(mrw_result, world_update, (mrw_world_id world, double dt))
{
    return mrw_world_update(context, world, dt);
}
EXPORT(mrw_world_state*, world_state, (mrw_world_id world))
{
    return mrw_world_get_state(context, world);
}
EXPORT(mrw_result, world_snapshot, (mrw_world_id world))
{
    char* bytes = NULL;
    size_t size = 0;
    const mrw_result result = mrw_world_snapshot(context, world, &bytes, &size);
    exchange.words[0] = word(bytes);
    exchange.words[1] = size;
    return result;
}
EXPORT(mrw_result, world_restore, (mrw_world_id world, const void* bytes, size_t size))
{
    return mrw_world_restore(context, world, bytes, size, &exchange.error);
}

// ------------------------------------------------------------------------------------------------ instances

EXPORT(mrw_result, instance_create, (mrw_world_id world, mrw_model_id model, const char* guid, bool no_nodes))
{
    const mrw_instance_desc desc = { .model = model, .guid = guid, .no_nodes = no_nodes };
    mrw_instance_id instance = { 0 };
    const mrw_result result = mrw_instance_create(context, world, &desc, &instance);
    exchange.words[0] = instance.value;
    return result;
}
EXPORT(mrw_result, instance_release, (mrw_instance_id instance))
{
    return mrw_instance_release(context, instance);
}
EXPORT(mrw_instance_state*, instance_state, (mrw_instance_id instance))
{
    return mrw_instance_get_state(context, instance);
}
EXPORT(mrw_result, instance_bounds, (mrw_instance_id instance, int32_t part))
{
    return mrw_instance_bounds(context, instance, part, &exchange.bounds);
}
EXPORT(mrw_result, instance_hit, (mrw_instance_id instance, float x, float y, float threshold))
{
    return mrw_instance_hit(context, instance, x, y, threshold, &exchange.hit);
}
EXPORT(mrw_result, instance_set_part,
    (mrw_instance_id instance, uint32_t part, uint32_t set, uint32_t visible, uint32_t color, float opacity, int32_t sprite))
{
    const mrw_part_change change = { .set = set, .visible = visible, .color = color, .opacity = opacity, .sprite = sprite };
    return mrw_instance_set_part(context, instance, part, &change);
}
EXPORT(mrw_result, instance_set_deform, (mrw_instance_id instance, uint32_t part, const float* offsets, size_t count))
{
    return mrw_instance_set_deform(context, instance, part, offsets, count);
}
EXPORT(mrw_result, instance_add_node, (mrw_instance_id instance, const char* name, uint32_t parent, bool bone))
{
    return mrw_instance_add_node(context, instance, name, parent, bone, &exchange.words[0]);
}
EXPORT(mrw_result, instance_remove_node, (mrw_instance_id instance, uint32_t node))
{
    return mrw_instance_remove_node(context, instance, node);
}
EXPORT(mrw_result, instance_rename_node, (mrw_instance_id instance, uint32_t node, const char* name))
{
    return mrw_instance_rename_node(context, instance, node, name);
}
EXPORT(mrw_result, instance_reparent_node, (mrw_instance_id instance, uint32_t node, uint32_t parent))
{
    return mrw_instance_reparent_node(context, instance, node, parent);
}
EXPORT(mrw_result, instance_find_node, (mrw_instance_id instance, const char* name))
{
    return mrw_instance_find_node(context, instance, name, &exchange.words[0]);
}
EXPORT(const char*, instance_node_name, (mrw_instance_id instance, uint32_t node))
{
    return mrw_instance_node_name(context, instance, node);
}
EXPORT(mrw_result, instance_mount, (mrw_instance_id child, mrw_instance_id carrier, uint32_t node))
{
    return mrw_instance_mount(context, child, carrier, node);
}

// ------------------------------------------------------------------------------------------------ playback

EXPORT(mrw_result, instance_play,
    (mrw_instance_id instance, uint32_t clip, float speed, float fade, bool once, bool keep_time, bool one_sided_full))
{
    const mrw_play_options options
        = { .speed = speed, .fade = fade, .once = once, .keep_time = keep_time, .one_sided_full = one_sided_full };
    return mrw_instance_play(context, instance, clip, &options);
}
EXPORT(mrw_result, instance_seek, (mrw_instance_id instance, double time))
{
    return mrw_instance_seek(context, instance, time);
}
EXPORT(mrw_result, instance_pause, (mrw_instance_id instance, bool paused))
{
    return mrw_instance_pause(context, instance, paused);
}
EXPORT(mrw_result, instance_set_speed, (mrw_instance_id instance, float speed))
{
    return mrw_instance_set_speed(context, instance, speed);
}
EXPORT(mrw_result, instance_stop, (mrw_instance_id instance))
{
    return mrw_instance_stop(context, instance);
}
EXPORT(mrw_result, instance_set_layer,
    (mrw_instance_id instance, const char* name, uint32_t clip, float weight, float speed, bool once, bool additive, const uint32_t* mask,
        uint32_t mask_count))
{
    const mrw_layer_desc desc
        = { .clip = clip, .weight = weight, .speed = speed, .once = once, .additive = additive, .mask = mask, .mask_count = mask_count };
    return mrw_instance_set_layer(context, instance, name, &desc);
}
EXPORT(mrw_result, instance_set_layer_weight, (mrw_instance_id instance, const char* name, float weight))
{
    return mrw_instance_set_layer_weight(context, instance, name, weight);
}
EXPORT(mrw_result, instance_clear_layer, (mrw_instance_id instance, const char* name))
{
    return mrw_instance_clear_layer(context, instance, name);
}
EXPORT(mrw_result, instance_next_event, (mrw_instance_id instance))
{
    return mrw_instance_next_event(context, instance, &exchange.event);
}

// ------------------------------------------------------------------------------------------------ crowds and assets

EXPORT(mrw_result, crowd_create, (mrw_world_id world))
{
    mrw_crowd_id crowd = { 0 };
    const mrw_result result = mrw_crowd_create(context, world, &crowd);
    exchange.words[0] = crowd.value;
    return result;
}
EXPORT(mrw_result, crowd_release, (mrw_crowd_id crowd))
{
    return mrw_crowd_release(context, crowd);
}
EXPORT(mrw_result, crowd_add, (mrw_crowd_id crowd, mrw_model_id model))
{
    mrw_instance_id instance = { 0 };
    const mrw_result result = mrw_crowd_add(context, crowd, model, &instance);
    exchange.words[0] = instance.value;
    return result;
}
EXPORT(mrw_crowd_state*, crowd_state, (mrw_crowd_id crowd))
{
    return mrw_crowd_get_state(context, crowd);
}
EXPORT(mrw_result, asset_provide, (const char* guid, mrw_model_id model))
{
    return mrw_asset_provide(context, guid, model);
}

// ------------------------------------------------------------------------------------------------ documents

EXPORT(mrw_result, document_read_rig2d, (const void* bytes, size_t size, bool strict))
{
    const mrw_load_options options = { .strict = strict };
    mrw_document* document = NULL;
    const mrw_result result = mrw_document_read_rig2d(context, bytes, size, &options, &document, &exchange.error);
    exchange.words[0] = word(document);
    return result;
}
EXPORT(mrw_result, document_read_anim, (const void* bytes, size_t size, bool strict))
{
    const mrw_load_options options = { .strict = strict };
    mrw_document* document = NULL;
    const mrw_result result = mrw_document_read_anim(context, bytes, size, &options, &document, &exchange.error);
    exchange.words[0] = word(document);
    return result;
}
EXPORT(void, document_release, (mrw_document * document))
{
    mrw_document_release(document);
}
EXPORT(uint32_t, document_warnings, (const mrw_document* document))
{
    const mrw_warning* warnings = NULL;
    const uint32_t count = mrw_document_warnings(document, &warnings);
    exchange.words[0] = word(warnings);
    return count;
}
EXPORT(mrw_result, document_write, (mrw_document * document))
{
    char* text = NULL;
    size_t size = 0;
    const mrw_result result = mrw_document_write(document, &text, &size);
    exchange.words[0] = word(text);
    exchange.words[1] = size;
    return result;
}

// ------------------------------------------------------------------------------------------------ authoring

EXPORT(void, author_mask_size, (uint32_t width, uint32_t height))
{
    mrw_author_mask_size(width, height, &exchange.words[0], &exchange.words[1]);
}
EXPORT(void, author_mask, (const uint8_t* pixels, uint32_t width, uint32_t height, uint32_t threshold, uint8_t* out))
{
    mrw_author_mask(pixels, width, height, threshold, out);
}
EXPORT(mrw_result, author_grid, (const mrw_grid_options* options, float* positions, float* uvs, uint32_t* indices))
{
    return mrw_author_grid(context, options, &exchange.words[0], &exchange.words[1], positions, uvs, indices);
}
EXPORT(mrw_result, author_weights,
    (const mrw_node_desc* bones, uint32_t bone_count, const double* positions, uint32_t vertex_count, const mrw_weight_options* options,
        uint32_t* joints, double* weights))
{
    return mrw_author_weights(context, bones, bone_count, positions, vertex_count, options, joints, weights);
}
EXPORT(uint32_t, author_suggest_bones, (const mrw_bone_options* options, mrw_node_desc* bones))
{
    return mrw_author_suggest_bones(options, bones);
}
EXPORT(mrw_result, author_rig, (const mrw_rig_options* options))
{
    mrw_document* document = NULL;
    const mrw_result result = mrw_author_rig(context, options, &document, &exchange.error);
    exchange.words[0] = word(document);
    return result;
}
EXPORT(mrw_result, author_prefab, (const mrw_document* document, const char* name, const char* guid))
{
    char* text = NULL;
    size_t size = 0;
    const mrw_result result = mrw_author_prefab(document, name, guid, &text, &size);
    exchange.words[0] = word(text);
    exchange.words[1] = size;
    return result;
}
EXPORT(mrw_result, edit_add_bone, (mrw_document * document, int32_t parent, double x, double y))
{
    return mrw_edit_add_bone(document, parent, x, y, &exchange.words[0]);
}
/// What the edits below say of themselves: `words[0]` is 1 when something changed.
static mrw_result changed(mrw_result result, bool has_changed)
{
    exchange.words[0] = has_changed;
    return result;
}
EXPORT(mrw_result, edit_remove_bone, (mrw_document * document, uint32_t bone))
{
    bool has_changed = false;
    const mrw_result result = mrw_edit_remove_bone(document, bone, &has_changed);
    return changed(result, has_changed);
}
EXPORT(mrw_result, edit_reparent_bone, (mrw_document * document, int32_t bone, int32_t parent))
{
    bool has_changed = false;
    const mrw_result result = mrw_edit_reparent_bone(document, bone, parent, &has_changed);
    return changed(result, has_changed);
}
EXPORT(mrw_result, edit_set_bone, (mrw_document * document, uint32_t bone, double x, double y, double rotation))
{
    bool has_changed = false;
    const mrw_result result = mrw_edit_set_bone(document, bone, x, y, rotation, &has_changed);
    return changed(result, has_changed);
}
EXPORT(mrw_result, edit_rename_bone, (mrw_document * document, uint32_t bone, const char* name))
{
    bool has_changed = false;
    const mrw_result result = mrw_edit_rename_bone(document, bone, name, &has_changed);
    return changed(result, has_changed);
}
EXPORT(void, author_paint, (const mrw_paint_options* options, uint32_t* joints, double* weights))
{
    mrw_author_paint(options, joints, weights);
}
EXPORT(void, author_weight_field, (const uint32_t* joints, const double* weights, uint32_t vertex_count, uint32_t bone, double* out))
{
    mrw_author_weight_field(joints, weights, vertex_count, bone, out);
}
EXPORT(void, author_dominant_bones, (const uint32_t* joints, const double* weights, uint32_t vertex_count, uint32_t* out))
{
    mrw_author_dominant_bones(joints, weights, vertex_count, out);
}
EXPORT(void, curve_set_mode, (mrw_key_desc * keys, uint32_t key_count, uint32_t index, mrw_tangent_mode mode))
{
    mrw_curve_set_mode(keys, key_count, index, mode);
}
EXPORT(uint32_t, curve_insert, (mrw_key_desc * keys, uint32_t key_count, double time, double value))
{
    exchange.words[0] = key_count;
    return mrw_curve_insert(keys, &exchange.words[0], time, value);
}
EXPORT(double, curve_sample, (const mrw_key_desc* keys, uint32_t key_count, mrw_track_type type, double time))
{
    return mrw_curve_sample(keys, key_count, type, time);
}
EXPORT(double, curve_advance, (double time, double dt, double duration, bool loop))
{
    return mrw_curve_advance(time, dt, duration, loop);
}
EXPORT(void, affine2_compose, (double x, double y, double rotation, double scale_x, double scale_y, double* out))
{
    mrw_affine2_compose(x, y, rotation, scale_x, scale_y, out);
}
EXPORT(void, affine2_multiply, (const double* a, const double* b, double* out))
{
    mrw_affine2_multiply(a, b, out);
}
EXPORT(void, affine2_invert, (const double* a, double* out))
{
    mrw_affine2_invert(a, out);
}
EXPORT(void, affine2_remove_scale, (const double* a, double* out))
{
    mrw_affine2_remove_scale(a, out);
}

// ------------------------------------------------------------------------------------------------ drawing

EXPORT(mrw_result, draw_instance, (mrw_instance_id instance, const mrw_draw_options* options, uint8_t* pixels))
{
    return mrw_draw_instance(context, instance, options, pixels);
}
EXPORT(void, billboard_place, (const mrw_billboard_args* args, mrw_billboard_placement* out))
{
    mrw_billboard_place(args, out);
}
EXPORT(void, frame_uvs, (const float* uvs, uint32_t count, const mrw_frame* frame, float* out))
{
    mrw_frame_uvs(uvs, count, frame, out);
}
EXPORT(mrw_result, png_decode, (const void* bytes, size_t size))
{
    char* pixels = NULL;
    const mrw_result result = mrw_png_decode(context, bytes, size, &exchange.words[0], &exchange.words[1], &pixels, &exchange.error);
    exchange.words[2] = word(pixels);
    return result;
}
EXPORT(mrw_result, png_encode, (uint32_t width, uint32_t height, const uint8_t* pixels))
{
    char* bytes = NULL;
    size_t size = 0;
    const mrw_result result = mrw_png_encode(context, width, height, pixels, &bytes, &size);
    exchange.words[0] = word(bytes);
    exchange.words[1] = size;
    return result;
}
EXPORT(void, guid_of_bytes, (const void* bytes, size_t size))
{
    mrw_guid_of_bytes(bytes, size, exchange.text);
}
EXPORT(bool, is_guid, (const char* text))
{
    return mrw_is_guid(text);
}
