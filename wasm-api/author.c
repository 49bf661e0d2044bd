/// Authoring: documents, making and changing rigs, curves, pictures.
#include "module.h"

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

EXPORT(mrw_result, draw, (const mrw_shown* shown, const mrw_draw_options* options, uint8_t* pixels))
{
    return mrw_draw(context, shown, options, pixels);
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
