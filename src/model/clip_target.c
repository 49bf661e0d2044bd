#include "model/clip_target.h"

#include "model/model.h"

#include <string.h>

/// A field that files name. Colors take color tracks only, everything else takes every other type.
typedef struct field_name {
    const char *trait, *field;
    mrwi_target target;
    uint8_t index;
    bool is_color;
} field_name;

static const field_name field_names[] = {
    { "Transform", "x", MRWI_TARGET_NODE, MRW_FIELD_X, false },
    { "Transform", "y", MRWI_TARGET_NODE, MRW_FIELD_Y, false },
    { "Transform", "rz", MRWI_TARGET_NODE, MRW_FIELD_ROTATION, false },
    { "Transform", "sx", MRWI_TARGET_NODE, MRW_FIELD_SCALE_X, false },
    { "Transform", "sy", MRWI_TARGET_NODE, MRW_FIELD_SCALE_Y, false },
    { "SkinnedSprite2D", "color", MRWI_TARGET_VIEW, MRWI_VIEW_COLOR, true },
    { "SkinnedSprite2D", "opacity", MRWI_TARGET_VIEW, MRWI_VIEW_OPACITY, false },
    { "SkinnedSprite2D", "flipX", MRWI_TARGET_VIEW, MRWI_VIEW_FLIP_X, false },
    { "SkinnedSprite2D", "flipY", MRWI_TARGET_VIEW, MRWI_VIEW_FLIP_Y, false },
    { "SkinnedSprite2D", "isVisible", MRWI_TARGET_VIEW, MRWI_VIEW_VISIBLE, false },
    { "Billboard3D", "mode", MRWI_TARGET_VIEW, MRWI_VIEW_MODE, false },
    { "Billboard3D", "anchor", MRWI_TARGET_VIEW, MRWI_VIEW_ANCHOR, false },
    { "Part", "visible", MRWI_TARGET_PART, MRWI_PART_VISIBLE, false },
    { "Part", "color", MRWI_TARGET_PART, MRWI_PART_COLOR, true },
    { "Part", "opacity", MRWI_TARGET_PART, MRWI_PART_OPACITY, false },
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

static mrwi_binding refuse(mrw_result problem, const char* member, const char* message)
{
    return (mrwi_binding) { MRWI_TARGET_NONE, 0, -1, problem, member, message };
}

static const field_name* find_field(const char* trait, const char* field)
{
    for (size_t i = 0; i < sizeof field_names / sizeof *field_names; i++) {
        if (strcmp(field_names[i].trait, trait) == 0 && strcmp(field_names[i].field, field) == 0) {
            return &field_names[i];
        }
    }
    return NULL;
}

mrwi_binding mrwi_targets_find(const mrwi_targets* targets, const mrw_track_desc* track)
{
    // A part's name may hold dots: its field is what follows the last one.
    const char* field = track->field;
    const char* dot = strcmp(track->trait, "Part") == 0 ? strrchr(field, '.') : NULL;
    size_t part_size = dot == NULL ? 0 : (size_t)(dot - field);
    const field_name* known = find_field(track->trait, dot == NULL ? field : dot + 1);
    if (known == NULL || (known->target == MRWI_TARGET_PART && dot == NULL)) {
        return refuse(MRW_UNKNOWN, "field", "no such field can be driven");
    }
    if (known->is_color != (track->type == MRW_TRACK_COLOR)) {
        return refuse(MRW_BAD_TYPE, "type", "the type does not fit the field");
    }
    mrwi_binding binding = { known->target, known->index, -1, MRW_OK, NULL, NULL };
    bool is_root = mrwi_path_is_root(track->path);
    if (is_root != (known->target != MRWI_TARGET_NODE)) {
        return refuse(MRW_UNKNOWN, "path", is_root ? "the root's own transform cannot be driven" : "only the root has this field");
    }
    if (known->target == MRWI_TARGET_NODE) {
        binding.index = mrwi_names_find_path(&targets->nodes, track->path);
        if (binding.index < 0) {
            binding.problem = MRW_BAD_REFERENCE;
            binding.member = "path";
            binding.message = "no node at this path";
        }
    } else if (known->target == MRWI_TARGET_PART) {
        binding.index = mrwi_names_find(&targets->parts, -1, field, part_size);
        if (binding.index < 0) {
            return refuse(MRW_BAD_REFERENCE, "field", "no part of this name");
        }
    }
    return binding;
}

size_t mrwi_targets_slot(const mrwi_targets* targets, const mrwi_binding* binding)
{
    size_t slot = binding->field;
    if (binding->target == MRWI_TARGET_VIEW) {
        return slot;
    }
    slot += MRWI_VIEW_FIELD_COUNT;
    if (binding->target == MRWI_TARGET_PART) {
        return slot + MRWI_PART_FIELD_COUNT * (size_t)binding->index;
    }
    return slot + MRWI_PART_FIELD_COUNT * (size_t)targets->part_count + MRW_FIELD_COUNT * (size_t)binding->index;
}

size_t mrwi_targets_slot_count(const mrwi_targets* targets)
{
    return MRWI_VIEW_FIELD_COUNT + MRWI_PART_FIELD_COUNT * (size_t)targets->part_count + MRW_FIELD_COUNT * (size_t)targets->node_count;
}
