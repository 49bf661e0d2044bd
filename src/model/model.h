/// The packed model: const once made, except for frames and images of its sprites and the list of clips.
#ifndef MRWI_MODEL_MODEL_H
#define MRWI_MODEL_MODEL_H

#include "base/context.h"
#include "math/affine2.h"
#include "model/clip.h"
#include "model/plan.h"

typedef struct mrwi_sprite {
    const char* guid; ///< or literal path
    bool is_guid;
    bool has_frame;
    mrw_frame frame;
    uint32_t page; ///< frame.page, or the sprite's own index
} mrwi_sprite;

typedef struct mrwi_part {
    const char* name;
    uint32_t file_index;
    int32_t skin, sprite;
    float order;
    bool hidden;
    mrw_blend_mode blend;
    uint32_t first_vertex, vertex_count; ///< in the vertex arrays; a range is vertex_count + MRWI_PLAN_SLACK long
    uint32_t first_index, index_count;
    const uint32_t* vertex_map; ///< part vertex -> file vertex
    mrwi_influences influences; ///< file order, joints as file node indices
    mrwi_plan plan;             ///< joints as palette indices (the skin's order)
} mrwi_part;

/// Joints of a palette range: those that vertices use, so that others may move and no vertex is written. 2D rigs have one skin.
typedef struct mrwi_skin {
    uint32_t joint_count;
    const int32_t* joints;        ///< nodes, model order
    const mrwi_affine2* binds;    ///< inverse bind, f32
    const double (*binds_f64)[6]; ///< of all joints of the description, used or not
} mrwi_skin;

struct mrwi_model {
    mrw_context* context;
    mrw_model_id id;
    mrwi_arena arena;
    const char* guid; ///< of the file, or NULL
    uint32_t file_version;
    double stated_version; ///< negative: the file states none

    // nodes, parent-first (stable: a node comes before its children, otherwise file order)
    uint32_t node_count, node_stride; ///< stride: node_count rounded up to 4
    const int32_t* node_parents;      ///< model order, -1 root; a parent cycle is cut as spec/rig2d 3.2 says
    const int32_t* node_file_index;
    const int32_t* node_of_file_index;
    const int32_t* file_parents; ///< as the file says, verbatim, by file index
    const char* const* node_names;
    const uint8_t* node_no_scale;
    bool any_no_scale;
    const float* rest;             ///< MRW_FIELD_COUNT rows of node_stride
    const double (*rest_world)[6]; ///< f64, root-local

    uint32_t skin_count;
    const mrwi_skin* skins;

    uint32_t part_count;
    const mrwi_part* parts; ///< draw order
    uint32_t vertex_count;  ///< of the whole block, slack included
    uint32_t index_count;
    const float* bind;       ///< 2 * vertex_count, plan order; slack is zero
    const float* local_uvs;  ///< sprite-local, same order
    float* uvs;              ///< page-space
    const uint32_t* indices; ///< block vertex indices, parts in draw order
    float bind_bounds[4];
    uint32_t max_influences, influence_count;
    const uint32_t* influence_histogram; ///< vertices by their number of influences, 0..max_influences

    uint32_t sprite_count;
    mrwi_sprite* sprites;
    uint32_t page_count; ///< entries of `images`; a page at or above it has no image
    mrw_image* images;   ///< by page; its own block, as are the pixels

    uint32_t clip_count, clip_capacity;
    mrwi_clip** clips;   ///< its own block of `clip_capacity` pointers; a released model releases it and the clips
    uint32_t uv_version; ///< rises when a frame changed

    uint32_t warning_count, warning_capacity;
    mrw_warning* warnings;
    uint32_t asset_count;
    const mrw_asset_path* assets;
    struct mrwi_instance* first_instance; ///< list of live instances (runtime)
};

mrwi_model* mrwi_model_get(const mrw_context* context, mrw_model_id id);
/// Releases the model and what it owns, its instances first. Does not touch the context's table.
void mrwi_model_destroy(mrw_context* context, void* model);
/// Appends a repair. Copies the strings. After 1000 one more says that there are more; later ones are not kept.
mrw_result mrwi_model_warn(mrwi_model* model, mrw_result code, const char* path, const char* message);

#endif
