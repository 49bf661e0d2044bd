#include "model/clip_target.h"

#include "model/model.h"

#include <string.h>

/// The fields that files name, by their numbers. Those named "color" take color tracks only, the others take every other type.
typedef struct trait {
    const char* name;
    uint8_t target; ///< mrwi_target
    const char* fields[MRWI_VIEW_FIELD_COUNT];
} trait;

static const trait traits[] = {
    { "Transform", MRWI_TARGET_NODE,
        { [MRW_FIELD_X] = "x", [MRW_FIELD_Y] = "y", [MRW_FIELD_ROTATION] = "rz", [MRW_FIELD_SCALE_X] = "sx", [MRW_FIELD_SCALE_Y] = "sy" } },
    { "SkinnedSprite2D", MRWI_TARGET_VIEW,
        { [MRWI_VIEW_COLOR] = "color",
            [MRWI_VIEW_OPACITY] = "opacity",
            [MRWI_VIEW_FLIP_X] = "flipX",
            [MRWI_VIEW_FLIP_Y] = "flipY",
            [MRWI_VIEW_VISIBLE] = "isVisible" } },
    { "Billboard3D", MRWI_TARGET_VIEW, { [MRWI_VIEW_MODE] = "mode", [MRWI_VIEW_ANCHOR] = "anchor" } },
    { "Part", MRWI_TARGET_PART, { [MRWI_PART_VISIBLE] = "visible", [MRWI_PART_COLOR] = "color", [MRWI_PART_OPACITY] = "opacity" } },
};

mrw_result mrwi_targets_init(mrwi_targets* targets, mrwi_arena* arena, const mrwi_model* model)
{
    targets->node_count = model->node_count;
    targets->part_count = model->part_count;
    if (mrwi_names_init(&targets->nodes, arena, model->node_count) != MRW_OK
        || mrwi_names_init(&targets->parts, arena, model->part_count) != MRW_OK) {
        return MRW_NO_MEMORY;
    }
    // In the file's order, so that the last of equal names wins.
    for (uint32_t i = 0; i < model->node_count; i++) {
        int32_t node = model->node_of_file_index[i];
        mrwi_names_put(&targets->nodes, model->node_parents[node], model->node_names[node], node);
    }
    for (uint32_t i = 0; i < model->part_count; i++) {
        const mrwi_part* part = &model->parts[i];
        int32_t known = mrwi_names_find(&targets->parts, -1, part->name, strlen(part->name));
        if (known < 0 || model->parts[known].file_index < part->file_index) {
            mrwi_names_put(&targets->parts, -1, part->name, (int32_t)i);
        }
    }
    return MRW_OK;
}

/// Sets the track's target and field by their names.
static bool find_field(mrwi_track* track, const char* name)
{
    for (size_t i = 0; i < sizeof traits / sizeof *traits; i++) {
        for (uint8_t field = 0; field < MRWI_VIEW_FIELD_COUNT; field++) {
            const char* known = traits[i].fields[field];
            if (known != NULL && strcmp(traits[i].name, track->trait) == 0 && strcmp(known, name) == 0) {
                track->target = traits[i].target;
                track->target_field = field;
                return true;
            }
        }
    }
    return false;
}

mrw_result mrwi_targets_find(const mrwi_targets* targets, mrwi_track* track, const char** out_member, const char** out_message)
{
    // A part's name may hold dots: its field is what follows the last one.
    const char* dot = strcmp(track->trait, "Part") == 0 ? strrchr(track->field, '.') : NULL;
    const char* field = dot == NULL ? track->field : dot + 1;
    const bool is_known = find_field(track, field) && (track->target != MRWI_TARGET_PART || dot != NULL);
    const uint8_t target = track->target;
    const bool is_root = mrwi_path_is_root(track->path);
    track->target = MRWI_TARGET_NONE;
    track->target_index = -1;
    *out_member = "field";
    if (!is_known) {
        *out_message = "no such field can be driven";
        return MRW_UNKNOWN;
    }
    if ((strcmp(field, "color") == 0) != (track->type == MRW_TRACK_COLOR)) {
        *out_member = "type";
        *out_message = "the type does not fit the field";
        return MRW_BAD_TYPE;
    }
    if (is_root != (target != MRWI_TARGET_NODE)) {
        *out_member = "path";
        *out_message = is_root ? "the root's own transform cannot be driven" : "only the root has this field";
        return MRW_UNKNOWN;
    }
    if (target == MRWI_TARGET_PART) {
        track->target_index = mrwi_names_find(&targets->parts, -1, track->field, (size_t)(dot - track->field));
        if (track->target_index < 0) {
            *out_message = "no part of this name";
            return MRW_BAD_REFERENCE;
        }
    }
    track->target = target;
    if (target == MRWI_TARGET_NODE) {
        track->target_index = mrwi_names_find_path(&targets->nodes, track->path);
        if (track->target_index < 0) {
            *out_member = "path";
            *out_message = "no node at this path";
            return MRW_BAD_REFERENCE;
        }
    }
    return MRW_OK;
}

size_t mrwi_targets_slot(const mrwi_targets* targets, const mrwi_track* track)
{
    const size_t field = track->target_field, index = (size_t)track->target_index;
    if (track->target == MRWI_TARGET_NODE) {
        return field * targets->node_count + index;
    }
    const size_t nodes = MRW_FIELD_COUNT * targets->node_count, parts = MRWI_PART_FIELD_COUNT * targets->part_count;
    return nodes + (track->target == MRWI_TARGET_PART ? field * targets->part_count + index : parts + field);
}

size_t mrwi_targets_slot_count(const mrwi_targets* targets)
{
    return MRW_FIELD_COUNT * targets->node_count + MRWI_PART_FIELD_COUNT * targets->part_count + MRWI_VIEW_FIELD_COUNT;
}
