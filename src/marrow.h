/// Marrow: a skinning core for 2D and 2.5D characters.
///
///     bytes --reader--> description --builder--> model (shared, const) --> instance (pose) --> deformed vertices
///
/// Walk-through: make a context, read a model (`mrw_model_load_rig2d`), make a world, add an instance of the model, play a
/// clip or write node transforms, call `mrw_world_update` once a frame, and read `mrw_instance_state.positions`.
///
/// Conventions, stated once:
///   Matrices act on columns; a*b applies b first. A 2x3 affine is [a b c d e f]: x' = a x + c y + e, y' = b x + d y + f.
///   Angles are radians; a positive angle turns +x towards +y. Vertex data keeps its file's axes and units: a 2D rig has +y
///   down and one unit a sprite pixel. UV (0,0) is the top left of the atlas page. Images are straight-alpha RGBA8, row 0 on
///   top. Draw order: lower is behind, ties keep file order. Text is UTF-8, zero-terminated.
///   Ids are 20 bits of slot and 12 of generation; zero is null. A stale id gives MRW_STALE in every build.
///   Errors are values: the library never prints, exits or aborts on data. An `mrw_error*` may be NULL everywhere.
///   Out parameters are written on success only; ids and pointers are zeroed on failure and everything is released.
///   A context and all it owns belong to one thread at a time; two contexts are independent.
#ifndef MARROW_H
#define MARROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef MRW_API
#define MRW_API
#endif

/// Rises with every change of an exported function, a struct below or a state layout. The JS loader compares it.
#define MRW_ABI_VERSION 4

// ------------------------------------------------------------------------------------------------ results and errors

/// Every result with its default message. JS sees the name without a prefix as `MarrowError.code`.
#define MRW_RESULTS(X)                                                     \
    X(OK, "no error")                                                      \
    X(NO_MEMORY, "out of memory")                                          \
    X(STALE, "the id names nothing, or something already released")        \
    X(BAD_ARGUMENT, "an argument is outside what the function accepts")    \
    X(LIMIT, "there is more of it than a limit allows")                    \
    X(BAD_UTF8, "the text is not valid UTF-8")                             \
    X(BAD_JSON, "the text is not valid JSON")                              \
    X(BAD_TYPE, "a value has the wrong type")                              \
    X(BAD_VALUE, "a value is outside its range")                           \
    X(BAD_INDEX, "an index names nothing")                                 \
    X(BAD_COUNT, "an array has the wrong length")                          \
    X(BAD_REFERENCE, "a reference cannot be resolved")                     \
    X(BAD_IMAGE, "the bytes are not an image this library reads")          \
    X(DUPLICATE, "a name or member occurs twice")                          \
    X(CYCLE, "the edit would make a cycle")                                \
    X(UNKNOWN, "a member, field or target is not known and is left alone") \
    X(NOT_FOUND, "nothing has that name")                                  \
    X(UNSUPPORTED, "the input asks for something this version does not do")

typedef enum mrw_result {
#define MRW_RESULT_ENUM(name, message) MRW_##name,
    MRW_RESULTS(MRW_RESULT_ENUM)
#undef MRW_RESULT_ENUM
        MRW_RESULT_COUNT
} mrw_result;

/// Where and why something failed. `path` is a JSON path ("$.parts[2].skinWeights[17]") or a field name for binary input;
/// `line` and `column` count from 1, 0 when unknown; `offset` is a byte, -1 when unknown.
typedef struct mrw_error {
    mrw_result code;
    int32_t line, column;
    int64_t offset;
    char path[192];
    char message[192];
} mrw_error;

/// A repair that a reader or the builder made. Strings live as long as the model that holds the list.
typedef struct mrw_warning {
    mrw_result code;
    const char* path;
    const char* message;
} mrw_warning;

/// The name of a result without prefix ("NO_MEMORY") and its default message. Static strings; unknown values give "UNKNOWN_RESULT".
MRW_API const char* mrw_result_name(mrw_result result);
MRW_API const char* mrw_result_message(mrw_result result);

// ------------------------------------------------------------------------------------------------ context

/// One function allocates (block NULL), grows or shrinks, and releases (new_size 0, returns NULL). Returns NULL when it
/// cannot; the old block then stays. Blocks are 16-byte aligned.
typedef struct mrw_allocator {
    void* user;
    void* (*reallocate)(void* user, void* block, size_t old_size, size_t new_size);
} mrw_allocator;

/// Bounds on what a file may ask for. Zero takes the default.
typedef struct mrw_limits {
    size_t input_bytes;    ///< of one file; default 64 MiB
    size_t memory_bytes;   ///< of everything a context holds; default 1 GiB
    uint32_t nodes;        ///< of one model; default 16384
    uint32_t vertices;     ///< of one model; default 4 million
    uint32_t json_depth;   ///< default 64
    uint32_t image_pixels; ///< default 64 million
    uint32_t clips;        ///< of one model; default 4096
} mrw_limits;

typedef struct mrw_context mrw_context;
typedef struct mrw_context_desc {
    mrw_allocator allocator; ///< all zero: malloc
    mrw_limits limits;
} mrw_context_desc;

/// NULL when memory is short. `desc` may be NULL.
MRW_API mrw_context* mrw_context_create(const mrw_context_desc* desc);
/// Releases every world, instance, model and asset of the context.
MRW_API void mrw_context_destroy(mrw_context* context);
/// Bytes the context holds now, and the number of allocations it has made since it was created (tests count them).
MRW_API size_t mrw_context_memory(const mrw_context* context);
MRW_API uint64_t mrw_context_allocations(const mrw_context* context);

typedef struct mrw_model_id {
    uint32_t value;
} mrw_model_id;
typedef struct mrw_world_id {
    uint32_t value;
} mrw_world_id;
typedef struct mrw_instance_id {
    uint32_t value;
} mrw_instance_id;
typedef struct mrw_crowd_id {
    uint32_t value;
} mrw_crowd_id;

// ------------------------------------------------------------------------------------------------ description
// What every reader, the auto-rig and most tests fill; `mrw_model_create` checks, sorts and packs it. Zero means default.
// The builder copies: a description may be freed once the call returns.

/// Members of a file object that the reader does not know, as the inner text of a JSON object (`"a":1,"b":[2]`), or NULL.
typedef const char* mrw_extras;

typedef struct mrw_node_desc {
    const char* name;
    int32_t parent;          ///< index in `nodes`; anything outside 0..node_count-1 makes a root; any order
    double x, y, rotation;   ///< rest transform relative to the parent
    double scale_x, scale_y; ///< rest scale; both zero mean 1
    bool no_scale;           ///< the scale of the parent's world matrix is removed before this node is multiplied
    mrw_extras extras;
} mrw_node_desc;

/// One delta set of a mesh (an FFD key or a morph target): `offsets` holds vertex_count * 2 floats in file order.
/// Influences are CSR: vertex v has slots influence_first[v] .. influence_first[v + 1]. A NULL `influence_first` means that
/// the mesh is rigid (rests at bind). Weights need not sum to one; the builder normalises, and drops zeros.
typedef struct mrw_mesh_desc {
    uint32_t vertex_count, index_count, influence_count;
    const float* positions;          ///< x, y
    const float* uvs;                ///< u, v, local to the part's own sprite, 0..1
    const uint32_t* indices;         ///< triangles; a triangle with an index out of range is dropped whole, with a warning
    const uint32_t* influence_first; ///< vertex_count + 1 entries, or NULL
    const uint32_t* influence_joint; ///< index into the joints of the part's skin
    const double* influence_weight;
} mrw_mesh_desc;

typedef struct mrw_skin_desc {
    uint32_t joint_count;
    const uint32_t* joints;      ///< node indices; NULL means all nodes in order
    const double* inverse_binds; ///< 6 numbers a joint; NULL derives them from the rest pose
} mrw_skin_desc;

typedef enum mrw_blend_mode { MRW_BLEND_NORMAL, MRW_BLEND_ADD, MRW_BLEND_MULTIPLY, MRW_BLEND_SCREEN } mrw_blend_mode;

typedef struct mrw_part_desc {
    const char* name;
    int32_t mesh;       ///< index in `meshes`, -1 none (the part shows nothing and hides only itself)
    int32_t skin;       ///< index in `skins`, -1 rigid
    const char* sprite; ///< GUID (or literal path) of its picture, "" none
    double order;       ///< draw order
    bool hidden;
    mrw_blend_mode blend;
    mrw_extras extras;
    mrw_extras mesh_extras;
} mrw_part_desc;

typedef enum mrw_track_type { MRW_TRACK_NUMBER, MRW_TRACK_COLOR, MRW_TRACK_BOOLEAN, MRW_TRACK_ENUM } mrw_track_type;
typedef enum mrw_tangent_mode {
    MRW_TANGENT_NONE, ///< the file does not say
    MRW_TANGENT_AUTO,
    MRW_TANGENT_LINEAR,
    MRW_TANGENT_CONSTANT,
    MRW_TANGENT_FREE
} mrw_tangent_mode;

/// Tangents are slopes (value a second); an infinite out tangent holds the value (stepped). A weight below zero means
/// "not given" (1/3).
typedef struct mrw_key_desc {
    double time, value, in_tangent, out_tangent, in_weight, out_weight;
    mrw_tangent_mode mode;
    bool broken, has_broken;
    mrw_extras extras;
} mrw_key_desc;
typedef struct mrw_track_desc {
    const char *path, *trait, *field;
    mrw_track_type type;
    uint32_t key_count;
    const mrw_key_desc* keys; ///< ascending in time
    mrw_extras extras;
} mrw_track_desc;
typedef struct mrw_deform_key_desc {
    double time;
    uint32_t offset_count; ///< numbers, two a vertex, file order; missing ones count as 0
    const float* offsets;
    mrw_extras extras;
} mrw_deform_key_desc;
typedef struct mrw_deform_track_desc {
    const char *path, *part;
    uint32_t key_count;
    const mrw_deform_key_desc* keys;
    mrw_extras extras;
} mrw_deform_track_desc;
typedef struct mrw_event_desc {
    double time;
    const char* name;
    const char* data; ///< JSON text or NULL
    mrw_extras extras;
} mrw_event_desc;
typedef struct mrw_clip_desc {
    const char *id, *name;
    double duration, frame_rate;
    bool once; ///< "loop": false in the file; authoring data, playback decides by its own option
    uint32_t track_count, deform_track_count, event_count;
    const mrw_track_desc* tracks;
    const mrw_deform_track_desc* deform_tracks;
    const mrw_event_desc* events; ///< ascending in time
    mrw_extras extras;
} mrw_clip_desc;

typedef struct mrw_asset_path {
    const char *guid, *path;
} mrw_asset_path;

typedef struct mrw_model_desc {
    const char* id; ///< GUID of the file or NULL
    uint32_t node_count, mesh_count, skin_count, part_count, asset_count, warning_count;
    const mrw_node_desc* nodes;
    const mrw_mesh_desc* meshes;
    const mrw_skin_desc* skins;
    const mrw_part_desc* parts;   ///< file order; the builder sorts a copy by `order`, stable
    const mrw_asset_path* assets; ///< the file's own "assets" table
    const mrw_warning* warnings;  ///< repairs the reader made; copied to the model
    uint32_t file_version;        ///< rig2d: 1 (one implicit part) or 2
    double stated_version;        ///< the file's own `version` member, negative when absent
    mrw_extras extras;
} mrw_model_desc;

// ------------------------------------------------------------------------------------------------ models

typedef struct mrw_load_options {
    bool strict; ///< the first warning becomes the error
} mrw_load_options;

/// Checks, sorts nodes parent-first and parts by order, normalises weights, derives binds in f64, plans skinning, packs.
MRW_API mrw_result mrw_model_create(
    mrw_context* context, const mrw_model_desc* desc, const mrw_load_options* options, mrw_model_id* out, mrw_error* error);
/// Reads a `.rig2d.json` (v1 or v2). `options` may be NULL. `size` counts bytes without a terminator.
MRW_API mrw_result mrw_model_load_rig2d(
    mrw_context* context, const void* bytes, size_t size, const mrw_load_options* options, mrw_model_id* out, mrw_error* error);
/// Reads an `.anim.json` and appends it to the model's clips. A clip of the same name is replaced in its place; instances that
/// play it go on with the new one at the same time. `out_index` may be NULL.
MRW_API mrw_result mrw_model_add_clip(mrw_context* context, mrw_model_id model, const void* bytes, size_t size,
    const mrw_load_options* options, uint32_t* out_index, mrw_error* error);
MRW_API mrw_result mrw_model_add_clip_desc(
    mrw_context* context, mrw_model_id model, const mrw_clip_desc* desc, uint32_t* out_index, mrw_error* error);
/// Releases a model and every instance of it.
MRW_API mrw_result mrw_model_release(mrw_context* context, mrw_model_id model);

/// Everything about a model as compact JSON. Members, all always there (null where the file has nothing to say):
///     { "id", "fileVersion", "statedVersion",
///       "bones":    [ { "name", "parent", "x", "y", "rotation", "scaleX", "scaleY", "noScale", "node",
///                       "matrix", "inverseBind" } ],      file order, parent verbatim; matrices of the rest pose, relative to the root;
///                   node: the bone's slot in the arrays of `mrw_instance_state` as long as its tree is untouched
///       "parts":    [ { "name", "sprite", "order", "visible", "blend", "fileIndex", "vertexCount", "triangleCount", "maxInfluences",
///                       "firstVertex", "firstIndex", "indexCount" } ],
///                   draw order; sprite: index in "sprites" or -1; blend: "normal", "add", "multiply", "screen"
///       "sprites":  [ { "guid", "isGuid", "page" } ],
///       "clips":    [ { "name", "id", "duration", "frameRate", "loop", "tracks": [ { "path", "trait", "field", "type", "keyCount" } ],
///                       "deformTracks": [ { "path", "part", "keyCount" } ], "events": [ { "time", "name", "data" } ] } ],
///       "warnings": [ { "code", "path", "message" } ],
///       "assets":   [ { "guid", "path" } ],
///       "bounds":   { "minX", "minY", "maxX", "maxY" },      of the bind pose, hidden parts included
///       "vertexCount", "indexCount", "influenceCount", "maxInfluences",
///       "influenceHistogram": [ vertices without influences, with 1, with 2, ... ],
///       "memory" }      bytes the model holds
/// Allocates `*out_text` with the context's allocator; give it back with `mrw_text_release`.
MRW_API mrw_result mrw_model_describe(mrw_context* context, mrw_model_id model, char** out_text, size_t* out_size);
/// The same as CBOR (RFC 8949) for programs that take it apart: maps and lists of indefinite length, texts with 32-bit lengths, simple
/// values, f32 where the model holds f32, f64 for all other numbers, an event's "data" as tag 262 (JSON). Ownership and failures are
/// those of `mrw_model_describe`.
MRW_API mrw_result mrw_model_describe_cbor(mrw_context* context, mrw_model_id model, char** out_bytes, size_t* out_size);
MRW_API void mrw_text_release(mrw_context* context, char* text, size_t size);

/// Where the picture of a sprite lies on an atlas page. Sizes in pixels of the page. `rotated`: the frame is stored turned
/// 90 degrees clockwise. A trimmed frame covers only `trim_*` of the untrimmed `source_width` x `source_height`.
typedef struct mrw_frame {
    uint32_t page;                 ///< the caller's number of the page; runs break where it changes
    float page_width, page_height; ///< size of the page
    float x, y, width, height;     ///< rectangle on the page, as stored
    bool rotated;
    float trim_x, trim_y;              ///< offset of the stored frame in the untrimmed sprite
    float source_width, source_height; ///< untrimmed size; 0 means width, height (swapped back if rotated)
} mrw_frame;

/// Maps the uvs of every part that shows sprite `sprite` (index in the model's sprite list) onto its page. NULL: the whole
/// image, page = the sprite's own index. Raises `structure_version` of the instances.
MRW_API mrw_result mrw_model_set_frame(mrw_context* context, mrw_model_id model, uint32_t sprite, const mrw_frame* frame);
/// Gives the pixels of a *page* (see `mrw_frame.page`) for exact hit tests and rendering: RGBA8, straight alpha, copied.
/// NULL pixels remove it.
MRW_API mrw_result mrw_model_set_image(
    mrw_context* context, mrw_model_id model, uint32_t page, uint32_t width, uint32_t height, const uint8_t* pixels);
typedef struct mrw_image {
    uint32_t width, height; ///< 0 x 0: none
    uint8_t* pixels;        ///< width * height * 4: RGBA8, straight alpha
} mrw_image;
/// What `mrw_model_set_image` gave, by page. The array and the pixels belong to the model; they live until the next call of it.
MRW_API mrw_result mrw_model_images(mrw_context* context, mrw_model_id model, uint32_t* out_count, const mrw_image** out_images);

/// Normalised influences of a part (draw order index) in the file's vertex order, CSR: `*out_first` has vertex_count + 1
/// entries, `*out_joint` counts nodes in the file's order. The arrays belong to the model.
MRW_API mrw_result mrw_model_influences(mrw_context* context, mrw_model_id model, uint32_t part, uint32_t* out_vertex_count,
    const uint32_t** out_first, const uint32_t** out_joint, const float** out_weight);
/// Exact value (f64, colors packed 0xRRGGBB) of track `track` (file index) of a clip at `time`; deform tracks have their own.
MRW_API mrw_result mrw_clip_sample(mrw_context* context, mrw_model_id model, uint32_t clip, uint32_t track, double time, double* out);

// ------------------------------------------------------------------------------------------------ worlds and instances

MRW_API mrw_result mrw_world_create(mrw_context* context, mrw_world_id* out);
/// Releases the world, its instances and crowds.
MRW_API mrw_result mrw_world_release(mrw_context* context, mrw_world_id world);
/// Advances time by `dt` seconds (0 or more) and brings every instance up to date: clips, local and world transforms,
/// palettes, vertices, versions. Never allocates. MRW_BAD_ARGUMENT for a negative or non-finite dt, and then nothing moves.
/// What a host wrote that is not finite counts as rest (a root: as the identity), so that it reaches nothing else. Finite values whose
/// product overflows give clamped world matrices (1e18), so that vertices of a rig from a file are finite whatever its numbers are.
MRW_API mrw_result mrw_world_update(mrw_context* context, mrw_world_id world, double dt);

/// What one update did. Lives as long as the world; address stable; rewritten by each update.
typedef struct mrw_world_state {
    uint32_t changed_count;    ///< instances whose vertices, world matrices, `matrix` or runs changed
    const uint32_t* changed;   ///< their ids
    uint32_t vertices_written; ///< by the last update
    uint32_t instances_skinned;
    uint32_t nodes_changed; ///< node world matrices rewritten
    uint32_t instance_count;
    double time; ///< sum of all dt
} mrw_world_state;
MRW_API mrw_world_state* mrw_world_get_state(mrw_context* context, mrw_world_id world);

/// Maximal span of consecutive visible parts, in draw order, that share page, blend mode, color and opacity.
typedef struct mrw_run {
    uint32_t page, blend;                ///< page 0xffffffff: no picture
    uint32_t first_index, index_count;   ///< in `indices`
    uint32_t first_vertex, vertex_count; ///< the vertices its parts own, slack between parts included
    uint32_t color;                      ///< 0xRRGGBB, the parts' own (the instance's tint is not folded in)
    float opacity;
    uint32_t first_part, part_count; ///< in draw order
} mrw_run;

/// A part of an instance, in draw order. `visible`, `color`, `opacity` show what is seen; write through
/// `mrw_instance_set_part`.
typedef struct mrw_part_state {
    uint32_t first_vertex, vertex_count, first_index, index_count;
    uint32_t page;
    int32_t sprite; ///< index in the model's sprites or -1
    uint32_t visible, color;
    float opacity, order;
    uint32_t file_index;
    const uint32_t* vertex_map; ///< vertex_map[i] is the file's index of the part's vertex i
} mrw_part_state;

typedef enum mrw_billboard_mode { MRW_BILLBOARD_CYLINDRICAL, MRW_BILLBOARD_SPHERICAL, MRW_BILLBOARD_FLAT } mrw_billboard_mode;
typedef enum mrw_anchor { MRW_ANCHOR_BOTTOM, MRW_ANCHOR_CENTER } mrw_anchor;

/// What an instance shows beside its model, as flat scalars, so that a host's component system can mirror it. The host may
/// write them at any time; clips drive `shown`, which views read (base where no clip drives a field).
typedef struct mrw_view_fields {
    uint32_t color; ///< 0xRRGGBB tint
    float opacity;
    uint32_t flip_x, flip_y, visible; ///< 0 or 1
    uint32_t mode;                    ///< mrw_billboard_mode
    uint32_t anchor;                  ///< mrw_anchor
    float alpha_test, pixels_per_unit;
} mrw_view_fields;

/// Fields of a node's transform, in the order of the value arrays.
typedef enum mrw_field { MRW_FIELD_X, MRW_FIELD_Y, MRW_FIELD_ROTATION, MRW_FIELD_SCALE_X, MRW_FIELD_SCALE_Y, MRW_FIELD_COUNT } mrw_field;

/// The live state of an instance, in memory that a host maps. The address is stable for the instance's life; the arrays it
/// points to move only when `structure_version` rises. Marked [w]: the host may write, and sets `dirty` to 1 after it.
typedef struct mrw_instance_state {
    uint32_t version;           ///< rises when a vertex changed
    uint32_t structure_version; ///< rises when a pointer, run, index, uv or the part list changed; not for colors alone
    uint32_t pose_version;      ///< rises when a world matrix changed
    uint32_t view_version;      ///< rises when `shown` changed
    uint32_t dirty;             ///< [w]
    uint32_t active;            ///< [w] 0 keeps time but skips the pose and skinning, but once for a new model or other uvs
    uint32_t pending;           ///< 1 while the asset it names has not arrived; everything else is then empty

    uint32_t vertex_count, index_count, run_count, part_count;
    const float* positions; ///< x, y; vertex_count of them, slack between parts included
    const float* uvs;       ///< page-space
    const uint32_t* indices;
    const mrw_run* runs;
    mrw_part_state* parts;

    uint32_t node_count;        ///< slots in use or free, see `node_flags`
    uint32_t node_stride;       ///< floats between the rows of the value arrays below
    float* base;                ///< [w] MRW_FIELD_COUNT rows: the value last set by hand, else rest
    float* override_values;     ///< [w] MRW_FIELD_COUNT rows
    uint8_t* override_mask;     ///< [w] one byte a node, bit per field
    const float* local;         ///< MRW_FIELD_COUNT rows: what the last update used
    const float* world;         ///< 8 floats a node: a b c d e f 0 0, relative to the instance's root
    const uint32_t* node_flags; ///< bit 0 alive, bit 1 bone; bits 8..31 generation
    const int32_t* node_parents;

    float root[5];        ///< [w] x, y, rotation, scale x, scale y of the instance in its world (or on its carrier)
    float matrix[6];      ///< the above as a 2x3, times the carrier's node when mounted
    mrw_view_fields view; ///< [w] base
    mrw_view_fields shown;
    float order; ///< [w] order key in a crowd, lower is behind

    double time;            ///< of the main clip, seconds
    int32_t clip;           ///< index in the model's clips, -1 none
    uint32_t playing;       ///< 0 when paused or stopped
    uint32_t clip_version;  ///< rises when a clip starts, ends or loops
    uint32_t event_pending; ///< 1 when mrw_instance_next_event has something
    float bind_bounds[4];   ///< min x, min y, max x, max y of all parts' bind vertices, hidden ones included; zeros when none
    uint32_t color_version; ///< rises when the color or the opacity of a run changed
} mrw_instance_state;

typedef struct mrw_instance_desc {
    mrw_model_id model; ///< or zero and `guid`
    const char* guid;   ///< an asset that may arrive later
    bool no_nodes;      ///< start with an empty tree (hosts that build their own from the first node)
} mrw_instance_desc;

MRW_API mrw_result mrw_instance_create(mrw_context* context, mrw_world_id world, const mrw_instance_desc* desc, mrw_instance_id* out);
MRW_API mrw_result mrw_instance_release(mrw_context* context, mrw_instance_id instance);
/// NULL for a stale id.
MRW_API mrw_instance_state* mrw_instance_get_state(mrw_context* context, mrw_instance_id instance);

typedef struct mrw_bounds {
    float min_x, min_y, max_x, max_y;
    float center_x, center_y, radius; ///< circle about the box's middle that holds every vertex
    uint32_t empty;
} mrw_bounds;
/// Bounds of the posed vertices of visible parts, or of one part, shown or not (draw order index; -1: all), in the space of
/// `positions`. Kept until the version rises. In a crowd, where what is hidden is folded into the root, it has no extent.
MRW_API mrw_result mrw_instance_bounds(mrw_context* context, mrw_instance_id instance, int32_t part, mrw_bounds* out);

typedef struct mrw_hit {
    int32_t part;      ///< draw order index, -1: nothing
    uint32_t triangle; ///< of the part, counted in its part's index list
    float u, v;        ///< page-space
    float alpha;       ///< 0..1 of the page at (u, v); 1 when the page's pixels are not known
} mrw_hit;
/// The topmost visible part whose triangle holds the point (in the space of `positions`: the instance's own, or its crowd's) and
/// whose alpha there, read bilinearly, exceeds `threshold`. Edges belong to a triangle, and both windings count.
MRW_API mrw_result mrw_instance_hit(mrw_context* context, mrw_instance_id instance, float x, float y, float threshold, mrw_hit* out);

typedef struct mrw_part_change {
    uint32_t set; ///< bit 0 visible, 1 color, 2 opacity, 3 sprite
    uint32_t visible, color;
    float opacity;
    int32_t sprite; ///< index in the model's sprites, -1 none: swaps the picture (same uvs, other frame)
} mrw_part_change;
/// Sets the base of a part's shown fields (draw order index). Takes effect at the next update.
MRW_API mrw_result mrw_instance_set_part(mrw_context* context, mrw_instance_id instance, uint32_t part, const mrw_part_change* change);
/// Per-vertex offsets added to the bind vertices of a part before skinning: two numbers a vertex, file order, in the mesh's
/// units; missing ones count as 0, ones beyond 1e9 either way as 1e9, too many are MRW_BAD_COUNT, one that is not finite is
/// MRW_BAD_VALUE. NULL removes them. Lies on top of (replaces) the clip's deform of the part.
MRW_API mrw_result mrw_instance_set_deform(
    mrw_context* context, mrw_instance_id instance, uint32_t part, const float* offsets, size_t count);

// Tree. A node is an index and a generation inside its instance: `node` arguments carry both, index in the low 20 bits.
// Structural calls allocate at once; the pose follows at the next update. Node -1 (0xffffffff) means the root. A node that is gone
// is MRW_STALE. Joints go to the model's own bones; a bone that is added or renamed takes over the joints of its name, the one
// created last before all others. A bone on a plain node starts a chain of its own; a plain node follows all its parents.
/// The node is at the identity, which is its rest.
MRW_API mrw_result mrw_instance_add_node(
    mrw_context* context, mrw_instance_id instance, const char* name, uint32_t parent, bool bone, uint32_t* out_node);
/// Removes the node; its children, and instances mounted on it, hang on its parent and keep their local transforms.
MRW_API mrw_result mrw_instance_remove_node(mrw_context* context, mrw_instance_id instance, uint32_t node);
MRW_API mrw_result mrw_instance_rename_node(mrw_context* context, mrw_instance_id instance, uint32_t node, const char* name);
/// MRW_CYCLE when `parent` is the node or below it.
MRW_API mrw_result mrw_instance_reparent_node(mrw_context* context, mrw_instance_id instance, uint32_t node, uint32_t parent);
/// Finds a node by name (the last of equal names).
MRW_API mrw_result mrw_instance_find_node(mrw_context* context, mrw_instance_id instance, const char* name, uint32_t* out_node);
MRW_API const char* mrw_instance_node_name(mrw_context* context, mrw_instance_id instance, uint32_t node);
/// Mounts `child` on a node of `carrier` (or its root, node -1): its root transform is then relative to that node. A zero
/// carrier takes it off, as does the release of the carrier: it is then where its root says. MRW_CYCLE when `carrier` hangs on
/// `child`; MRW_BAD_ARGUMENT across worlds.
MRW_API mrw_result mrw_instance_mount(mrw_context* context, mrw_instance_id child, mrw_instance_id carrier, uint32_t node);

// ------------------------------------------------------------------------------------------------ playback

typedef struct mrw_play_options {
    float speed;         ///< 0 means 1; negative plays backwards
    float fade;          ///< seconds of cross-fade from what is seen now
    bool once;           ///< hold the last frame instead of looping
    bool keep_time;      ///< keep the current time instead of starting at 0 (at the end when speed is negative)
    bool one_sided_full; ///< while fading, a field that only one clip drives is shown at full strength; default: blended with base
} mrw_play_options;
/// Starts a clip of the instance's model (index); `options` may be NULL. Fading out of a half-faded pose starts from the pose that is
/// seen, fading in while nothing plays from base. Offsets (deform tracks) do not fade: those of the new clip count at once.
MRW_API mrw_result mrw_instance_play(mrw_context* context, mrw_instance_id instance, uint32_t clip, const mrw_play_options* options);
/// Moves the main clip to `time`: wrapped when it loops and the time lies outside 0..duration, else clamped. Fires no events.
/// MRW_NOT_FOUND while nothing plays; so does mrw_instance_set_speed.
MRW_API mrw_result mrw_instance_seek(mrw_context* context, mrw_instance_id instance, double time);
/// Stops or goes on with everything that plays: main clip, fade and layers.
MRW_API mrw_result mrw_instance_pause(mrw_context* context, mrw_instance_id instance, bool paused);
MRW_API mrw_result mrw_instance_set_speed(mrw_context* context, mrw_instance_id instance, float speed);
MRW_API mrw_result mrw_instance_stop(mrw_context* context, mrw_instance_id instance); ///< back to base; layers play on

typedef struct mrw_layer_desc {
    uint32_t clip;
    float weight;         ///< 0..1
    float speed;          ///< 0 means 1
    bool once, additive;  ///< additive: the clip's difference from its first frame is added (scale: multiplied)
    const uint32_t* mask; ///< nodes whose subtrees the layer touches; NULL: all. Fields of parts and of the view are not masked
    uint32_t mask_count;
} mrw_layer_desc;
/// Adds or replaces the layer of that name; layers apply in the order of their first appearance. MRW_LIMIT beyond 256 layers.
MRW_API mrw_result mrw_instance_set_layer(mrw_context* context, mrw_instance_id instance, const char* name, const mrw_layer_desc* desc);
MRW_API mrw_result mrw_instance_set_layer_weight(mrw_context* context, mrw_instance_id instance, const char* name, float weight);
MRW_API mrw_result mrw_instance_clear_layer(mrw_context* context, mrw_instance_id instance, const char* name);
/// The name of a layer, by its place in their order. It belongs to the instance, until layers change. NULL where there is none.
MRW_API const char* mrw_instance_layer_name(mrw_context* context, mrw_instance_id instance, uint32_t layer);

typedef enum mrw_event_kind { MRW_EVENT_MARK, MRW_EVENT_LOOP, MRW_EVENT_END } mrw_event_kind;
typedef struct mrw_event {
    uint32_t kind; ///< mrw_event_kind
    uint32_t clip;
    int32_t event; ///< index in the clip's events (MARK), else -1
    int32_t layer; ///< -1 main clip, else position of the layer
    double time;   ///< clip time of the crossing
    double count;  ///< how often it was crossed: 1, unless a step went round the clip thousands of times
} mrw_event;
/// Hands out, one by one and in order of crossing, what the last update crossed: exact under any dt, speed and looping.
/// MRW_NOT_FOUND when there is no more. What is not fetched before the next update is lost. A crossing counts once: an event at t
/// fires when time passes from below t to t or beyond, backwards when it passes from t or above to below t; an event at 0 also when a
/// clip starts there, wraps, or ends there backwards. When one step of a player crosses more than about 10,000 events and loops, the
/// rounds between its first and its last, all alike, are handed out as one whose events and loop tell how many there were in `count`.
/// What a clip crosses while it fades out is not told.
MRW_API mrw_result mrw_instance_next_event(mrw_context* context, mrw_instance_id instance, mrw_event* out);

// ------------------------------------------------------------------------------------------------ crowds
// Members are instances whose root transform is folded into their palettes, so that positions are in the crowd's space, lie
// side by side and share index lists: one mesh a page.

typedef struct mrw_crowd_state {
    uint32_t version;           ///< rises when a vertex of any member changed
    uint32_t structure_version; ///< rises when pointers, indices, runs or uvs changed
    uint32_t color_version;     ///< rises when a color changed
    uint32_t uv_version;        ///< rises when a uv changed
    uint32_t member_count, vertex_count, index_count, run_count;
    const float* positions;
    const float* uvs;
    const uint32_t* colors;  ///< RGBA8 a vertex (r in the low byte), straight alpha: member tint x part color, opacities
    const uint32_t* indices; ///< all members' parts in draw order; what is hidden has all its vertices in its member's root
    /// By page and blend mode (color 0xffffff, opacity 1). Equal page numbers of two models are one page only where frames gave them.
    const mrw_run* runs;
} mrw_crowd_state;
MRW_API mrw_result mrw_crowd_create(mrw_context* context, mrw_world_id world, mrw_crowd_id* out);
/// Releases its members too.
MRW_API mrw_result mrw_crowd_release(mrw_context* context, mrw_crowd_id crowd);
/// Grows the crowd's buffers when needed (members keep their state; `structure_version` rises).
MRW_API mrw_result mrw_crowd_add(mrw_context* context, mrw_crowd_id crowd, mrw_model_id model, mrw_instance_id* out);
MRW_API mrw_crowd_state* mrw_crowd_get_state(mrw_context* context, mrw_crowd_id crowd);

// ------------------------------------------------------------------------------------------------ assets and snapshots

/// Names a model by GUID. Instances that wait for it are bound now; instances of the model it replaces are rebuilt: they keep
/// pose (by node name), parts (by name), clip (by name), time, view and mounts, and their versions keep rising. A tree that was
/// changed by hand is kept as it is and gets the bones that are new; in any other, a node argument whose slot has another name
/// now is stale. Instances that name another asset keep their model. The registry does not own models. After MRW_NO_MEMORY each
/// instance has either model, and providing again goes on.
MRW_API mrw_result mrw_asset_provide(mrw_context* context, const char* guid, mrw_model_id model);
MRW_API mrw_result mrw_asset_find(mrw_context* context, const char* guid, mrw_model_id* out);

/// State of every instance of a world (poses, overrides, clips, layers, view, roots, mounts) as bytes; give the text back with
/// `mrw_text_release`. Restoring needs the same version of the library and the same instances (same ids) with the same models, clip
/// names and live trees, else MRW_BAD_VALUE and nothing changes. Events that were not fetched are not kept.
MRW_API mrw_result mrw_world_snapshot(mrw_context* context, mrw_world_id world, char** out_bytes, size_t* out_size);
MRW_API mrw_result mrw_world_restore(mrw_context* context, mrw_world_id world, const void* bytes, size_t size, mrw_error* error);

// ------------------------------------------------------------------------------------------------ documents
// A document is a description that owns its memory and can be edited and written back: a rig (`mrw_model_desc`) or a clip
// (`mrw_clip_desc`). What a reader did not know is kept in `extras` and written back.

typedef struct mrw_document mrw_document;

MRW_API mrw_result mrw_document_read_rig2d(
    mrw_context* context, const void* bytes, size_t size, const mrw_load_options* options, mrw_document** out, mrw_error* error);
MRW_API mrw_result mrw_document_read_anim(
    mrw_context* context, const void* bytes, size_t size, const mrw_load_options* options, mrw_document** out, mrw_error* error);
/// A document that copies a description (deeply).
MRW_API mrw_result mrw_document_from_model_desc(mrw_context* context, const mrw_model_desc* desc, mrw_document** out);
MRW_API void mrw_document_release(mrw_document* document);
/// The description inside, valid until the next edit. NULL when the document holds the other kind.
MRW_API const mrw_model_desc* mrw_document_model(const mrw_document* document);
MRW_API const mrw_clip_desc* mrw_document_clip(const mrw_document* document);
/// Repairs made while reading.
MRW_API uint32_t mrw_document_warnings(const mrw_document* document, const mrw_warning** out);
/// Canonical text: two-space indent for objects, one line a number array, floats as the shortest decimal that reads back as the
/// same value. Release with `mrw_text_release`.
MRW_API mrw_result mrw_document_write(mrw_document* document, char** out_text, size_t* out_size);

// ------------------------------------------------------------------------------------------------ authoring
// Pure functions over plain data. Units are sprite pixels in rig space (origin at the pivot, +y down).

/// Coverage of a picture: one byte a cell, non-zero inside. A uv outside 0..1 is outside; else the cell is
/// (min(width-1, floor(u*width)), min(height-1, floor(v*height))). `inside` NULL: everything is inside.
typedef struct mrw_mask {
    uint32_t width, height;
    const uint8_t* inside;
} mrw_mask;
/// Fills `out` (out_width * out_height bytes) from the alpha of an RGBA8 image: scaled so that the longer side is at most 256
/// (never enlarged, sides rounded, at least 1), a cell is inside when its alpha is above `threshold` (usually 8). A cell's alpha is
/// the mean over its area, pixels at its border counted in part, so that a line one pixel wide survives. Sizes come from
/// `mrw_author_mask_size`.
MRW_API void mrw_author_mask_size(uint32_t width, uint32_t height, uint32_t* out_width, uint32_t* out_height);
MRW_API void mrw_author_mask(const uint8_t* pixels, uint32_t width, uint32_t height, uint32_t threshold, uint8_t* out);

typedef struct mrw_grid_options {
    double width, height;
    double columns, rows;    ///< floored, at least 1
    double pivot_x, pivot_y; ///< 0..1 of the size
    mrw_mask mask;
} mrw_grid_options;
typedef struct mrw_weight_options {
    double falloff;        ///< 0 means 2
    double radius;         ///< 0 or less means unbounded
    double max_influences; ///< floored and clamped to 1..4; 0 means 1, negative means the default 4
} mrw_weight_options;
typedef struct mrw_bone_options {
    double width, height;
    double count; ///< 0 or less: max(2, round(L / 96) + 1); clamped to 2..6
    double pivot_x, pivot_y;
    char axis; ///< 'x', 'y', or 0 for the longer one
    mrw_mask mask;
} mrw_bone_options;
typedef struct mrw_rig_options {
    const char *id, *sprite;
    double width, height, pivot_x, pivot_y;
    double columns, rows, cell_size; ///< 0 or less: clamp(round(size / cell_size), 1, 24), cell_size 48
    double bone_count;
    char axis;
    mrw_weight_options weights;
    mrw_mask mask;
    const mrw_node_desc* bones; ///< NULL: suggested
    uint32_t bone_count_given;
} mrw_rig_options;

/// Grid tessellation with culling of cells outside the mask. Two passes: with NULL arrays it only counts.
MRW_API mrw_result mrw_author_grid(mrw_context* context, const mrw_grid_options* options, uint32_t* vertex_count, uint32_t* index_count,
    float* positions, float* uvs, uint32_t* indices);
/// Four slots a vertex from the distance to bone origins (bind pose of `bones`, rig space). `joints` and `weights` hold 4 * vertex_count.
MRW_API mrw_result mrw_author_weights(mrw_context* context, const mrw_node_desc* bones, uint32_t bone_count, const double* positions,
    uint32_t vertex_count, const mrw_weight_options* options, uint32_t* joints, double* weights);
/// Writes 2..6 bones (names are static strings); `bones` has room for 6.
MRW_API uint32_t mrw_author_suggest_bones(const mrw_bone_options* options, mrw_node_desc* bones);
/// Grid + bones + weights as a v1 rig document.
MRW_API mrw_result mrw_author_rig(mrw_context* context, const mrw_rig_options* options, mrw_document** out, mrw_error* error);
/// A prefab of a rig as JSON text: an entity that shows the rig, and below it one entity a bone with its rest transform. `guid` names
/// the prefab; the rig is named by its own `id` (MRW_BAD_REFERENCE without one). Every bone is written; one whose parent is no bone
/// hangs on the root. Release with `mrw_text_release`.
MRW_API mrw_result mrw_author_prefab(const mrw_document* document, const char* name, const char* guid, char** out_text, size_t* out_size);

// Rig edits change a document in place; a failed one leaves it as it was. `out_changed` false: the edit was refused and nothing
// changed. MRW_BAD_ARGUMENT for a document that is no rig and for numbers that no f32 holds, MRW_UNSUPPORTED for a rig whose skins
// have joint lists or binds of their own. Adding, removing and reparenting also write -1 for parents that name no bone or close a cycle.
/// Appends a bone with the first free name of bone1, bone2, ...; a parent that is no bone makes a root.
MRW_API mrw_result mrw_edit_add_bone(mrw_document* document, int32_t parent, double x, double y, uint32_t* out_bone);
/// Children get the removed bone's parent and keep their joints in place; every part's weights go to the parent (or are dropped for a root),
/// the best four are kept and normalised.
MRW_API mrw_result mrw_edit_remove_bone(mrw_document* document, uint32_t bone, bool* out_changed);
/// Keeps the joint's rig-space position, not its angle; -1 makes a root. Refused when `bone` or `parent` names no bone, when it would
/// make a cycle, and when nothing would change.
MRW_API mrw_result mrw_edit_reparent_bone(mrw_document* document, int32_t bone, int32_t parent, bool* out_changed);
MRW_API mrw_result mrw_edit_set_bone(mrw_document* document, uint32_t bone, double x, double y, double rotation, bool* out_changed);
/// Trims white space (ASCII); an empty name is refused.
MRW_API mrw_result mrw_edit_rename_bone(mrw_document* document, uint32_t bone, const char* name, bool* out_changed);

typedef enum mrw_paint_mode { MRW_PAINT_ADD, MRW_PAINT_SUBTRACT, MRW_PAINT_SET } mrw_paint_mode;
typedef struct mrw_paint_options {
    const double* positions; ///< x, y of vertex_count vertices
    uint32_t vertex_count, bone;
    double center_x, center_y, radius, strength;
    mrw_paint_mode mode;
    bool constant;                ///< flat brush; default smooth
    const double* bone_positions; ///< x, y; may be NULL
    uint32_t bone_position_count;
} mrw_paint_options;
/// One brush stamp over four-slot weights, in place: `joints` and `weights` hold 4 * vertex_count. Untouched vertices keep their bits.
MRW_API void mrw_author_paint(const mrw_paint_options* options, uint32_t* joints, double* weights);
/// Weight of one bone per vertex, and the strongest bone per vertex (first on ties).
MRW_API void mrw_author_weight_field(const uint32_t* joints, const double* weights, uint32_t vertex_count, uint32_t bone, double* out);
MRW_API void mrw_author_dominant_bones(const uint32_t* joints, const double* weights, uint32_t vertex_count, uint32_t* out);
/// The color of a bone in maps of dominant bones, 0xRRGGBB: eight, by index.
MRW_API uint32_t mrw_author_bone_color(uint32_t bone);

/// Tangents of key `index` by `mode` (keys ascending in time).
MRW_API void mrw_curve_set_mode(mrw_key_desc* keys, uint32_t key_count, uint32_t index, mrw_tangent_mode mode);
/// Inserts (or, within 1e-4 s, replaces the value of) a key and re-applies the modes of it and its neighbours. `keys` has room
/// for one more. Returns the index of the key.
MRW_API uint32_t mrw_curve_insert(mrw_key_desc* keys, uint32_t* key_count, double time, double value);
/// Exact value of a track at `time` in f64 (the weighted Bezier is solved).
MRW_API double mrw_curve_sample(const mrw_key_desc* keys, uint32_t key_count, mrw_track_type type, double time);
/// t + dt under the playback rule: 0 for a duration of 0 or less, wrapped into [0, duration) or clamped.
MRW_API double mrw_curve_advance(double time, double dt, double duration, bool loop);

// 2x3 affines in f64: out may be an input. Inverting a singular matrix gives the identity.
MRW_API void mrw_affine2_compose(double x, double y, double rotation, double scale_x, double scale_y, double out[6]);
MRW_API void mrw_affine2_multiply(const double a[6], const double b[6], double out[6]);
MRW_API void mrw_affine2_invert(const double a[6], double out[6]);
/// Divides the two columns by their lengths (a zero column stays); the translation stays.
MRW_API void mrw_affine2_remove_scale(const double a[6], double out[6]);

// ------------------------------------------------------------------------------------------------ drawing

typedef struct mrw_draw_options {
    uint32_t width, height;
    double matrix[6];    ///< instance space to pixels
    uint32_t background; ///< 0xRRGGBBAA
} mrw_draw_options;
/// Draws the instance's visible parts back to front with the pages' pixels (white where unknown): bilinear, straight alpha,
/// tint, opacity, blend modes. `pixels` holds width * height * 4 bytes and is overwritten.
MRW_API mrw_result mrw_draw_instance(mrw_context* context, mrw_instance_id instance, const mrw_draw_options* options, uint8_t* pixels);

/// What an instance shows: spans as its state holds them, and the images of its model.
typedef struct mrw_shown {
    uint32_t vertex_count, run_count, page_count;
    const float *positions, *uvs; ///< x, y and u, v of each vertex
    const uint32_t* indices;
    const mrw_run* runs;
    const mrw_part_state* parts; ///< those that `runs` name; their indices lie in `indices` and name vertices below `vertex_count`
    const mrw_image* pages;      ///< by `mrw_run.page`; one without pixels, or beyond the last, is white
    mrw_view_fields view;        ///< `color`, `opacity`, `flip_x`, `flip_y` and `visible` count
} mrw_shown;
/// `mrw_draw_instance` for data that may come from another memory. Only reads what `shown` points to.
MRW_API mrw_result mrw_draw(mrw_context* context, const mrw_shown* shown, const mrw_draw_options* options, uint8_t* pixels);

/// Where a billboard or flat rig stands. World: +y up, right-handed; quaternions x y z w.
typedef struct mrw_billboard_args {
    mrw_billboard_mode mode;
    mrw_anchor anchor;
    double pixels_per_unit; ///< 0 or less means 100
    bool flip_x, flip_y;
    double bind_min_y, bind_max_y;
    double position[3], rotation[4], scale[3]; ///< of the outer node in the world
    double camera_position[3], camera_rotation[4];
} mrw_billboard_args;
typedef struct mrw_billboard_placement {
    double outer_rotation[4];
    double inner_scale[3], inner_offset_y, inner_rotation_x;
} mrw_billboard_placement;
MRW_API void mrw_billboard_place(const mrw_billboard_args* args, mrw_billboard_placement* out);
/// Draw order of billboards by their squared distance from the camera: `order[r]` is the index drawn r-th, the farthest first, ties
/// by index. Views leave out what is invisible and give part p of it the render order 10000 + 1000 r + p.order.
MRW_API void mrw_billboard_order(const double* squared_distances, uint32_t count, uint32_t* order);

/// Maps `count` sprite-local (u, v) pairs onto a frame; `frame` NULL copies. No clamping. `out` may be `uvs`.
MRW_API void mrw_frame_uvs(const float* uvs, uint32_t count, const mrw_frame* frame, float* out);

/// PNG in and out: straight-alpha RGBA8. Decoding allocates `*out_pixels`; both are released with `mrw_text_release`.
MRW_API mrw_result mrw_png_decode(
    mrw_context* context, const void* bytes, size_t size, uint32_t* out_width, uint32_t* out_height, char** out_pixels, mrw_error* error);
MRW_API mrw_result mrw_png_encode(
    mrw_context* context, uint32_t width, uint32_t height, const uint8_t* pixels, char** out_bytes, size_t* out_size);
/// The UUIDv8 of some bytes (first 128 bits of their SHA-256 with version and variant set in them, as in RFC 9562 B.2), lower
/// case, 36 characters and a zero.
MRW_API void mrw_guid_of_bytes(const void* bytes, size_t size, char out[37]);
/// True for the 8-4-4-4-12 hexadecimal form.
MRW_API bool mrw_is_guid(const char* text);

#ifdef __cplusplus
}
#endif
#endif
