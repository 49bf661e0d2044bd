#include "base/hash.h"
#include "runtime/snapshot.h"

static uint64_t hash_text(uint64_t hash, const char* text)
{
    return mrwi_hash(hash, text, strlen(text) + 1);
}

static uint64_t hash_number(uint64_t hash, uint32_t number)
{
    const uint8_t bytes[4] = { (uint8_t)number, (uint8_t)(number >> 8), (uint8_t)(number >> 16), (uint8_t)(number >> 24) };
    return mrwi_hash(hash, bytes, sizeof bytes);
}

uint64_t mrwi_snapshot_signature(const mrwi_instance* instance)
{
    const mrwi_model* model = instance->model;
    uint64_t hash = MRWI_HASH_START;
    for (uint32_t i = 0; i < instance->state.node_count; i++) {
        hash = hash_number(hash, instance->state.node_flags[i]);
        hash = hash_number(hash, (uint32_t)instance->state.node_parents[i]);
        if ((instance->state.node_flags[i] & 1) != 0) {
            hash = hash_text(hash, mrwi_tree_name(&instance->tree, model, i));
        }
    }
    if (model == NULL) {
        return hash;
    }
    for (uint32_t i = 0; i < model->part_count; i++) {
        hash = hash_text(hash, model->parts[i].name);
        hash = hash_number(hash, model->parts[i].vertex_count);
    }
    for (uint32_t i = 0; i < model->clip_count; i++) {
        hash = hash_text(hash, model->clips[i]->name);
    }
    return hash_number(hash, model->sprite_count);
}

static void put_rows(mrwi_bytes_writer* writer, const float* rows, uint32_t stride, uint32_t count)
{
    for (size_t row = 0; row < MRW_FIELD_COUNT; row++) {
        mrwi_put_words(writer, rows + row * stride, count);
    }
}

static void put_bytes(mrwi_bytes_writer* writer, const uint8_t* bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        mrwi_put_u8(writer, bytes[i]);
    }
}

static void put_view(mrwi_bytes_writer* writer, const mrw_view_fields* view)
{
    mrwi_put_words(writer, view, MRWI_SNAPSHOT_VIEW_WORDS);
}

static void put_parts(mrwi_bytes_writer* writer, const mrwi_part_base* parts, uint32_t count)
{
    mrwi_put_words(writer, parts, MRWI_SNAPSHOT_PART_WORDS * (size_t)count);
}

static void put_player(mrwi_bytes_writer* writer, const mrwi_player* player)
{
    mrwi_put_u32(writer, (uint32_t)player->clip);
    mrwi_put_f64(writer, player->time);
    mrwi_put_f32(writer, player->speed);
    mrwi_put_u8(writer, (player->once ? 1u : 0u) | (player->ended ? 2u : 0u) | (player->fresh ? 4u : 0u));
}

static void put_fade(mrwi_bytes_writer* writer, const mrwi_instance* instance)
{
    const mrwi_fade* fade = &instance->mixer.fade;
    mrwi_put_u8(writer, fade->is_live ? 1 : 0);
    if (!fade->is_live) {
        return;
    }
    mrwi_put_u8(writer, (fade->one_sided_full ? 1u : 0u) | (fade->from_seen ? 2u : 0u));
    mrwi_put_f64(writer, fade->duration);
    mrwi_put_f64(writer, fade->elapsed);
    if (!fade->from_seen) {
        put_player(writer, &fade->outgoing);
        return;
    }
    // A fade from base alone has no snapshot behind it.
    bool has_seen = fade->seen.rows != NULL;
    mrwi_put_u8(writer, has_seen ? 1 : 0);
    if (has_seen) {
        uint32_t node_count = instance->state.node_count < fade->seen.stride ? instance->state.node_count : fade->seen.stride;
        mrwi_put_u32(writer, node_count);
        put_rows(writer, fade->seen.rows, fade->seen.stride, node_count);
        put_bytes(writer, fade->from.nodes, node_count);
        put_parts(writer, fade->seen.parts, fade->seen.part_count);
        put_bytes(writer, fade->from.parts, fade->seen.part_count);
        put_view(writer, &fade->seen.view);
        mrwi_put_u8(writer, fade->from.view);
    }
}

static void put_layer(mrwi_bytes_writer* writer, const mrwi_layer* layer)
{
    size_t name_size = strlen(layer->name);
    mrwi_put_u32(writer, (uint32_t)name_size);
    put_bytes(writer, (const uint8_t*)layer->name, name_size);
    put_player(writer, &layer->player);
    mrwi_put_f32(writer, layer->weight);
    mrwi_put_u8(writer, layer->additive ? 1 : 0);
    mrwi_put_u32(writer, layer->roots == NULL ? MRWI_SNAPSHOT_NO_MASK : layer->root_count);
    mrwi_put_words(writer, layer->roots, layer->root_count);
}

static void put_mixer(mrwi_bytes_writer* writer, const mrwi_instance* instance)
{
    const mrwi_mixer* mixer = &instance->mixer;
    put_player(writer, &mixer->main);
    mrwi_put_u8(writer, mixer->paused ? 1 : 0);
    put_fade(writer, instance);
    mrwi_put_u32(writer, mixer->layer_count);
    for (uint32_t i = 0; i < mixer->layer_count; i++) {
        put_layer(writer, &mixer->layers[i]);
    }
}

static void put_deforms(mrwi_bytes_writer* writer, const mrwi_instance* instance)
{
    for (uint32_t i = 0; i < instance->state.part_count; i++) {
        const float* manual = instance->deforms[i].manual;
        mrwi_put_u8(writer, manual == NULL ? 0 : 1);
        if (manual != NULL) {
            mrwi_put_words(writer, manual, 2 * (size_t)instance->model->parts[i].vertex_count);
        }
    }
}

static void put_instance(mrwi_bytes_writer* writer, const mrwi_instance* instance)
{
    const mrw_instance_state* state = &instance->state;
    mrwi_put_u32(writer, instance->id.value);
    mrwi_put_u32(writer, instance->model == NULL ? 0 : instance->model->id.value);
    mrwi_put_u64(writer, mrwi_snapshot_signature(instance));
    mrwi_put_words(writer, state->root, 5);
    mrwi_put_f32(writer, state->order);
    put_view(writer, &state->view);
    mrwi_put_u32(writer, state->active);
    mrwi_put_u32(writer, instance->carrier == NULL ? 0 : instance->carrier->id.value);
    mrwi_put_u32(writer, instance->carrier == NULL ? MRWI_ROOT : instance->carrier_node);
    put_rows(writer, state->base, state->node_stride, state->node_count);
    put_rows(writer, state->override_values, state->node_stride, state->node_count);
    put_bytes(writer, state->override_mask, state->node_count);
    put_parts(writer, instance->part_bases, state->part_count);
    put_deforms(writer, instance);
    put_mixer(writer, instance);
}

/// In the order of ids, so that equal states give equal bytes whatever the update order is.
static void put_world(mrwi_bytes_writer* writer, const mrwi_world* world)
{
    mrwi_put_u32(writer, MRWI_SNAPSHOT_MAGIC);
    mrwi_put_u32(writer, MRWI_SNAPSHOT_VERSION);
    mrwi_put_f64(writer, world->state.time);
    mrwi_put_u32(writer, world->state.instance_count);
    uint32_t cursor = 0;
    uint32_t id = 0;
    const mrwi_instance* instance = NULL;
    while ((instance = mrwi_slots_next(&world->context->instances, &cursor, &id)) != NULL) {
        if (instance->world == world) {
            put_instance(writer, instance);
        }
    }
}

MRW_API mrw_result mrw_world_snapshot(mrw_context* context, mrw_world_id id, char** out_bytes, size_t* out_size)
{
    const mrwi_world* world = mrwi_world_get(context, id);
    *out_bytes = NULL;
    *out_size = 0;
    if (world == NULL) {
        return MRW_STALE;
    }
    mrwi_bytes_writer measure = { NULL, 0 };
    put_world(&measure, world);
    char* bytes = mrwi_allocate(context, measure.size + 1, 1);
    if (bytes == NULL) {
        return MRW_NO_MEMORY;
    }
    mrwi_bytes_writer writer = { (uint8_t*)bytes, 0 };
    put_world(&writer, world);
    *out_bytes = bytes;
    *out_size = writer.size;
    return MRW_OK;
}
