/// What every binary is made of: the context, the place where calls leave what they give back, and exports. A binary is module.c and one
/// file of flat exports over marrow.h, without logic: api.c (the player, marrow.wasm) or author.c (marrow.author.wasm).
///
/// One context lives in a module. Ids, counts and addresses travel as plain numbers. What a function gives back beside its result
/// lies in `exchange`, whose address JavaScript asks for once. Structs that JavaScript reads or writes in place stand in
/// layout.js; layout.c keeps its offsets honest.
#ifndef MRW_WASM_MODULE_H
#define MRW_WASM_MODULE_H

#include "marrow.h"

/// `name` is what JavaScript sees; the C name has a prefix so that it can never collide with the library.
#define EXPORT(type, name, parameters)                                    \
    __attribute__((export_name(#name), used)) type api_##name parameters; \
    type api_##name parameters

struct exchange {
    mrw_error error;
    mrw_event event;
    mrw_hit hit;
    mrw_bounds bounds;
    double number;
    union {
        uint32_t words[8]; ///< as JavaScript reads them; or, for what fills them:
        mrw_model_id model;
        mrw_world_id world;
        mrw_instance_id instance;
        mrw_crowd_id crowd;
        struct {
            char* bytes;
            size_t size;
        } block;
        struct {
            uint32_t count;
            const mrw_image* first;
        } images;
        struct {
            uint32_t vertex_count;
            const uint32_t *first, *joint;
            const float* weight;
        } influences;
    };
    char text[40];
};

extern mrw_context* context;
extern struct exchange exchange;

static inline uint32_t word(const void* pointer)
{
    return (uint32_t)(uintptr_t)pointer;
}

#endif
