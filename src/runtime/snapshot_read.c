// Everything is read, checked and allocated before anything changes; what follows cannot fail.
#include "base/result.h"
#include "runtime/snapshot.h"

typedef struct loader {
    const mrwi_world* world;
    mrwi_bytes_reader* reader;
    mrwi_arena* arena;
    mrw_error* error;
} loader;

static mrw_result bad(const loader* load, const char* message)
{
    mrw_result result = mrwi_fail(load->error, MRW_BAD_VALUE, NULL, "%s", message);
    if (load->error != NULL) {
        load->error->offset = (int64_t)load->reader->at;
    }
    return result;
}

/// Floats in the arena; NULL when memory is short, or the bytes are: then the reader has failed too.
static float* take_floats(const loader* load, size_t count)
{
    if (load->reader->failed || (load->reader->size - load->reader->at) / sizeof(float) < count) {
        load->reader->failed = true;
        return NULL;
    }
    float* values = mrwi_arena_allocate(load->arena, count, sizeof *values);
    if (values != NULL) {
        mrwi_take_words(load->reader, values, count);
    }
    return values;
}

static void take_view(mrwi_bytes_reader* reader, mrw_view_fields* view)
{
    mrwi_take_words(reader, view, MRWI_SNAPSHOT_VIEW_WORDS);
}

static mrwi_part_base* take_parts(const loader* load, uint32_t count)
{
    mrwi_part_base* parts = mrwi_arena_allocate(load->arena, count, sizeof *parts);
    if (parts != NULL) {
        mrwi_take_words(load->reader, parts, MRWI_SNAPSHOT_PART_WORDS * (size_t)count);
    }
    return parts;
}

static bool is_finite(double value)
{
    return value - value == 0.0;
}

/// False when the player cannot be one of the instance's. `needed`: a clip must play.
static bool take_player(mrwi_bytes_reader* reader, const mrwi_instance* instance, bool needed, mrwi_player* out)
{
    *out = (mrwi_player) { .clip = (int32_t)mrwi_take_u32(reader) };
    out->time = mrwi_take_f64(reader);
    out->speed = mrwi_take_f32(reader);
    uint32_t flags = mrwi_take_u8(reader);
    out->once = (flags & 1) != 0;
    out->ended = (flags & 2) != 0;
    out->fresh = (flags & 4) != 0;
    uint32_t clip_count = instance->model == NULL ? 0 : instance->model->clip_count;
    bool plays = out->clip >= 0 && (uint32_t)out->clip < clip_count;
    return flags < 8 && is_finite(out->time) && is_finite((double)out->speed) && (plays || (!needed && out->clip == -1));
}

/// Only bits of known fields.
static bool has_only(const uint8_t* marks, size_t count, uint32_t allowed)
{
    for (size_t i = 0; marks != NULL && i < count; i++) {
        if ((marks[i] & ~allowed) != 0) {
            return false;
        }
    }
    return marks != NULL;
}

static mrw_result take_seen(const loader* load, const mrwi_instance* instance, mrwi_fade* fade)
{
    mrwi_bytes_reader* reader = load->reader;
    uint32_t node_count = mrwi_take_u32(reader);
    uint32_t part_count = instance->state.part_count;
    if (node_count > instance->state.node_count) {
        return bad(load, "more nodes were seen than there are");
    }
    fade->seen.rows = take_floats(load, (size_t)MRW_FIELD_COUNT * node_count);
    const uint8_t* nodes = mrwi_take_block(reader, node_count);
    fade->seen.parts = take_parts(load, part_count);
    const uint8_t* parts = mrwi_take_block(reader, part_count);
    take_view(reader, &fade->seen.view);
    uint32_t view_marks = mrwi_take_u8(reader);
    if (reader->failed || !has_only(nodes, node_count, (1u << MRW_FIELD_COUNT) - 1)
        || !has_only(parts, part_count, (1u << MRWI_PART_FIELD_COUNT) - 1) || view_marks >= 1u << MRWI_VIEW_FIELD_COUNT) {
        return bad(load, "a fade's snapshot does not fit");
    }
    if (fade->seen.rows == NULL || fade->seen.parts == NULL) {
        return MRW_NO_MEMORY;
    }
    fade->seen.stride = node_count;
    fade->seen.part_count = part_count;
    // Read only: they are copied into a fade of its own.
    fade->from = (mrwi_marks) { (uint8_t*)nodes, (uint8_t*)parts, node_count, part_count, (uint8_t)view_marks };
    return MRW_OK;
}

static mrw_result take_fade(const loader* load, mrwi_saved_instance* out)
{
    mrwi_bytes_reader* reader = load->reader;
    mrwi_fade* fade = &out->fade;
    *fade = (mrwi_fade) { .outgoing.clip = -1 };
    uint32_t is_live = mrwi_take_u8(reader);
    if (is_live == 0) {
        return MRW_OK;
    }
    uint32_t flags = mrwi_take_u8(reader);
    fade->is_live = true;
    fade->one_sided_full = (flags & 1) != 0;
    fade->from_seen = (flags & 2) != 0;
    fade->duration = mrwi_take_f64(reader);
    fade->elapsed = mrwi_take_f64(reader);
    bool is_good = is_live == 1 && flags < 4 && is_finite(fade->duration) && fade->elapsed >= 0.0 && fade->elapsed < fade->duration
        && out->mixer_args.main.clip >= 0;
    if (is_good && !fade->from_seen) {
        is_good = take_player(reader, out->instance, true, &fade->outgoing);
    }
    uint32_t has_seen = is_good && fade->from_seen ? mrwi_take_u8(reader) : 0;
    if (!is_good || has_seen > 1 || reader->failed) {
        return bad(load, "a fade is damaged");
    }
    out->mixer_args.fade = fade;
    return has_seen == 1 ? take_seen(load, out->instance, fade) : MRW_OK;
}

static mrw_result take_layer(const loader* load, const mrwi_instance* instance, mrwi_layer_args* out)
{
    mrwi_bytes_reader* reader = load->reader;
    uint32_t name_size = mrwi_take_u32(reader);
    const uint8_t* name = mrwi_take_block(reader, name_size);
    bool is_good = name != NULL && memchr(name, 0, name_size) == NULL && take_player(reader, instance, true, &out->player);
    out->weight = mrwi_take_f32(reader);
    uint32_t additive = mrwi_take_u8(reader);
    out->additive = additive == 1;
    uint32_t root_count = mrwi_take_u32(reader);
    bool is_masked = root_count != MRWI_SNAPSHOT_NO_MASK;
    out->root_count = is_masked ? root_count : 0;
    is_good = is_good && !reader->failed && additive <= 1 && out->weight >= 0.0f && out->weight <= 1.0f
        && (reader->size - reader->at) / 4 >= out->root_count;
    if (!is_good) {
        return bad(load, "a layer is damaged");
    }
    uint32_t* roots = mrwi_arena_allocate(load->arena, out->root_count, sizeof *roots);
    out->name = mrwi_arena_text(load->arena, (const char*)name, name_size);
    if (roots == NULL || out->name == NULL) {
        return MRW_NO_MEMORY;
    }
    mrwi_take_words(reader, roots, out->root_count);
    out->roots = is_masked ? roots : NULL;
    return MRW_OK;
}

static mrw_result take_mixer(const loader* load, mrwi_saved_instance* out)
{
    mrwi_bytes_reader* reader = load->reader;
    bool is_good = take_player(reader, out->instance, false, &out->mixer_args.main);
    uint32_t paused = mrwi_take_u8(reader);
    if (!is_good || paused > 1 || reader->failed) {
        return bad(load, "a clip is damaged");
    }
    out->mixer_args.paused = paused == 1;
    mrw_result result = take_fade(load, out);
    if (result != MRW_OK) {
        return result;
    }
    uint32_t count = mrwi_take_u32(reader);
    // The shortest layer has 30 bytes.
    if (reader->failed || count > MRWI_LAYERS_MAX || (reader->size - reader->at) / 30 < count) {
        return bad(load, "layers are missing");
    }
    mrwi_layer_args* layers = mrwi_arena_allocate(load->arena, count, sizeof *layers);
    result = layers == NULL ? MRW_NO_MEMORY : MRW_OK;
    for (uint32_t i = 0; i < count && result == MRW_OK; i++) {
        result = take_layer(load, out->instance, &layers[i]);
    }
    out->mixer_args.layer_count = count;
    out->mixer_args.layers = layers;
    return result;
}

static bool are_finite(const float* values, size_t count)
{
    for (size_t i = 0; values != NULL && i < count; i++) {
        if (!is_finite((double)values[i])) {
            return false;
        }
    }
    return true;
}

static mrw_result take_deforms(const loader* load, mrwi_saved_instance* out)
{
    uint32_t count = out->instance->state.part_count;
    out->manual = mrwi_arena_allocate(load->arena, count, sizeof *out->manual);
    if (out->manual == NULL) {
        return MRW_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t is_set = mrwi_take_u8(load->reader);
        if (is_set > 1) {
            return bad(load, "offsets are damaged");
        }
        if (is_set == 1) {
            out->manual[i] = take_floats(load, 2 * (size_t)out->instance->model->parts[i].vertex_count);
            if (out->manual[i] == NULL && !load->reader->failed) {
                return MRW_NO_MEMORY;
            }
            if (!are_finite(out->manual[i], 2 * (size_t)out->instance->model->parts[i].vertex_count)) {
                return bad(load, "an offset is not finite");
            }
        }
    }
    return MRW_OK;
}

static mrw_result take_fields(const loader* load, mrwi_saved_instance* out)
{
    mrwi_bytes_reader* reader = load->reader;
    const mrw_instance_state* state = &out->instance->state;
    mrwi_take_words(reader, out->root, 5);
    out->order = mrwi_take_f32(reader);
    take_view(reader, &out->view);
    out->active = mrwi_take_u32(reader);
    uint32_t carrier = mrwi_take_u32(reader);
    out->carrier_node = mrwi_take_u32(reader);
    out->carrier = carrier == 0 ? NULL : mrwi_instance_get(load->world->context, (mrw_instance_id) { carrier });
    bool is_good = carrier == 0 || (out->carrier != NULL && out->carrier->world == load->world);
    if (is_good && out->carrier != NULL && out->carrier_node != MRWI_ROOT) {
        const mrw_instance_state* carrier_state = &out->carrier->state;
        is_good = out->carrier_node < carrier_state->node_count && (carrier_state->node_flags[out->carrier_node] & 1) != 0;
    }
    if (!is_good) {
        return bad(load, "an instance is mounted on something that is not there");
    }
    out->base = take_floats(load, (size_t)MRW_FIELD_COUNT * state->node_count);
    out->override_values = take_floats(load, (size_t)MRW_FIELD_COUNT * state->node_count);
    out->override_mask = mrwi_take_block(reader, state->node_count);
    out->parts = take_parts(load, state->part_count);
    if (reader->failed || !has_only(out->override_mask, state->node_count, (1u << MRW_FIELD_COUNT) - 1)) {
        return bad(load, "an instance is damaged");
    }
    return out->base == NULL || out->override_values == NULL || out->parts == NULL ? MRW_NO_MEMORY : MRW_OK;
}

mrw_result mrwi_snapshot_read_instance(
    const mrwi_world* world, mrwi_bytes_reader* reader, mrwi_arena* arena, mrwi_saved_instance* out, mrw_error* error)
{
    const loader load = { world, reader, arena, error };
    uint32_t id = mrwi_take_u32(reader);
    uint32_t model = mrwi_take_u32(reader);
    uint64_t signature = mrwi_take_u64(reader);
    *out = (mrwi_saved_instance) { .instance = mrwi_instance_get(world->context, (mrw_instance_id) { id }) };
    const mrwi_instance* instance = out->instance;
    if (reader->failed || instance == NULL || instance->world != world) {
        return bad(&load, "an instance is not there");
    }
    if ((instance->model == NULL ? 0 : instance->model->id.value) != model || mrwi_snapshot_signature(instance) != signature) {
        return bad(&load, "an instance has another model, other clips or another tree");
    }
    mrw_result result = take_fields(&load, out);
    if (result == MRW_OK) {
        result = take_deforms(&load, out);
    }
    if (result == MRW_OK) {
        result = take_mixer(&load, out);
    }
    for (uint32_t i = 0; i < instance->state.part_count && result == MRW_OK; i++) {
        int32_t sprite = out->parts[i].sprite;
        if (sprite < -1 || (sprite >= 0 && (uint32_t)sprite >= instance->model->sprite_count)) {
            result = bad(&load, "a part shows a sprite that is not there");
        } else if (!is_finite((double)out->parts[i].opacity)) {
            result = bad(&load, "an opacity is not finite");
        }
    }
    return result == MRW_OK && reader->failed ? bad(&load, "the bytes end too early") : result;
}
