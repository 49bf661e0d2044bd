/// The player: models, worlds, instances, playback, crowds, assets.
#include "module.h"

// ------------------------------------------------------------------------------------------------ models

EXPORT(mrw_result, model_load_rig2d, (const void* bytes, size_t size, bool strict))
{
    const mrw_load_options options = { .strict = strict };
    return mrw_model_load_rig2d(context, bytes, size, &options, &exchange.model, &exchange.error);
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
    return mrw_model_describe_cbor(context, model, &exchange.block.bytes, &exchange.block.size);
}
EXPORT(mrw_result, model_set_frame, (mrw_model_id model, uint32_t sprite, const mrw_frame* frame))
{
    return mrw_model_set_frame(context, model, sprite, frame);
}
EXPORT(mrw_result, model_set_image, (mrw_model_id model, uint32_t page, uint32_t width, uint32_t height, const uint8_t* pixels))
{
    return mrw_model_set_image(context, model, page, width, height, pixels);
}
EXPORT(mrw_result, model_images, (mrw_model_id model))
{
    return mrw_model_images(context, model, &exchange.images.count, &exchange.images.first);
}
EXPORT(mrw_result, model_influences, (mrw_model_id model, uint32_t part))
{
    return mrw_model_influences(context, model, part, &exchange.influences.vertex_count, &exchange.influences.first,
        &exchange.influences.joint, &exchange.influences.weight);
}
EXPORT(mrw_result, clip_sample, (mrw_model_id model, uint32_t clip, uint32_t track, double time))
{
    return mrw_clip_sample(context, model, clip, track, time, &exchange.number);
}

// ------------------------------------------------------------------------------------------------ worlds

EXPORT(mrw_result, world_create, (void))
{
    return mrw_world_create(context, &exchange.world);
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
    return mrw_world_snapshot(context, world, &exchange.block.bytes, &exchange.block.size);
}
EXPORT(mrw_result, world_restore, (mrw_world_id world, const void* bytes, size_t size))
{
    return mrw_world_restore(context, world, bytes, size, &exchange.error);
}

// ------------------------------------------------------------------------------------------------ instances

EXPORT(mrw_result, instance_create, (mrw_world_id world, mrw_model_id model, const char* guid, bool no_nodes))
{
    const mrw_instance_desc desc = { .model = model, .guid = guid, .no_nodes = no_nodes };
    return mrw_instance_create(context, world, &desc, &exchange.instance);
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
EXPORT(const char*, instance_layer_name, (mrw_instance_id instance, uint32_t layer))
{
    return mrw_instance_layer_name(context, instance, layer);
}
EXPORT(mrw_result, instance_next_event, (mrw_instance_id instance))
{
    return mrw_instance_next_event(context, instance, &exchange.event);
}

// ------------------------------------------------------------------------------------------------ crowds and assets

EXPORT(mrw_result, crowd_create, (mrw_world_id world))
{
    return mrw_crowd_create(context, world, &exchange.crowd);
}
EXPORT(mrw_result, crowd_release, (mrw_crowd_id crowd))
{
    return mrw_crowd_release(context, crowd);
}
EXPORT(mrw_result, crowd_add, (mrw_crowd_id crowd, mrw_model_id model))
{
    return mrw_crowd_add(context, crowd, model, &exchange.instance);
}
EXPORT(mrw_crowd_state*, crowd_state, (mrw_crowd_id crowd))
{
    return mrw_crowd_get_state(context, crowd);
}
EXPORT(mrw_result, asset_provide, (const char* guid, mrw_model_id model))
{
    return mrw_asset_provide(context, guid, model);
}
