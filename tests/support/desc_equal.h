/// Whether two descriptions of rigs say the same. Warnings are not compared: a repaired file has none left.
#ifndef DESC_EQUAL_H
#define DESC_EQUAL_H

#include "check.h"

#include "marrow.h"

#include <string.h>

static inline bool desc_texts_equal(const char* a, const char* b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static inline bool desc_arrays_equal(const void* a, const void* b, size_t size)
{
    return (a == NULL) == (b == NULL) && (a == NULL || size == 0 || memcmp(a, b, size) == 0);
}

static inline bool desc_nodes_equal(const mrw_node_desc* a, const mrw_node_desc* b)
{
    return desc_texts_equal(a->name, b->name) && desc_texts_equal(a->extras, b->extras) && a->parent == b->parent && a->x == b->x
        && a->y == b->y && a->rotation == b->rotation && a->scale_x == b->scale_x && a->scale_y == b->scale_y && a->no_scale == b->no_scale;
}

static inline bool desc_meshes_equal(const mrw_mesh_desc* a, const mrw_mesh_desc* b)
{
    size_t vertices = a->vertex_count;
    return a->vertex_count == b->vertex_count && a->index_count == b->index_count && a->influence_count == b->influence_count
        && desc_arrays_equal(a->positions, b->positions, vertices * 8) && desc_arrays_equal(a->uvs, b->uvs, vertices * 8)
        && desc_arrays_equal(a->indices, b->indices, (size_t)a->index_count * 4)
        && desc_arrays_equal(a->influence_first, b->influence_first, (vertices + 1) * 4)
        && desc_arrays_equal(a->influence_joint, b->influence_joint, (size_t)a->influence_count * 4)
        && desc_arrays_equal(a->influence_weight, b->influence_weight, (size_t)a->influence_count * 8);
}

static inline bool desc_parts_equal(const mrw_part_desc* a, const mrw_part_desc* b)
{
    return desc_texts_equal(a->name, b->name) && desc_texts_equal(a->sprite, b->sprite) && desc_texts_equal(a->extras, b->extras)
        && desc_texts_equal(a->mesh_extras, b->mesh_extras) && a->mesh == b->mesh && a->skin == b->skin && a->order == b->order
        && a->hidden == b->hidden && a->blend == b->blend;
}

/// Checks one thing after the other, so that a failure names what differs.
static inline void check_descs_equal(const mrw_model_desc* a, const mrw_model_desc* b)
{
    CHECK_STR(a->id, b->id);
    CHECK_STR(a->extras, b->extras);
    CHECK_EQ_INT(a->file_version, b->file_version);
    CHECK_NEAR(a->stated_version, b->stated_version, 0);
    CHECK_EQ_INT(a->skin_count, b->skin_count);
    REQUIRE(CHECK_EQ_INT(a->node_count, b->node_count) && CHECK_EQ_INT(a->mesh_count, b->mesh_count)
        && CHECK_EQ_INT(a->part_count, b->part_count) && CHECK_EQ_INT(a->asset_count, b->asset_count));
    for (uint32_t i = 0; i < a->node_count; i++) {
        CHECK(desc_nodes_equal(&a->nodes[i], &b->nodes[i]));
    }
    for (uint32_t i = 0; i < a->mesh_count; i++) {
        CHECK(desc_meshes_equal(&a->meshes[i], &b->meshes[i]));
    }
    for (uint32_t i = 0; i < a->part_count; i++) {
        CHECK(desc_parts_equal(&a->parts[i], &b->parts[i]));
    }
    for (uint32_t i = 0; i < a->asset_count; i++) {
        CHECK_STR(a->assets[i].guid, b->assets[i].guid);
        CHECK_STR(a->assets[i].path, b->assets[i].path);
    }
}

#endif
