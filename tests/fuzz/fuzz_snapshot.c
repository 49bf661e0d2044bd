// Any bytes as a snapshot of a small world that plays: refused without a trace, or restored to a world that goes on.
#include "support/puppet.h"

#include "base/hash.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

static void require(bool holds)
{
    if (!holds) {
        __builtin_trap();
    }
}

/// The puppet's helpers check as tests do; here a failed check ends the program.
bool check_int(check_place place, const char* text, int64_t actual, int64_t expected)
{
    (void)place;
    (void)text;
    require(actual == expected);
    return true;
}

static const puppet_clip clips[2] = {
    { .name = "a",
        .duration = 2,
        .event_count = 1,
        .track_count = 3,
        .tracks = { { "root/arm", "Transform", "x", 0, 0, 8 }, { "", "Part", "eye.opacity", 0, 0, 1 },
            { "", "SkinnedSprite2D", "flipX", MRW_TRACK_BOOLEAN, 0, 1 } },
        .deformed_part = "eye",
        .offsets = { 1, 2, 3, 4 } },
    { .name = "b", .duration = 1, .track_count = 1, .tracks = { { "root", "Transform", "rz", 0, 0, 2 } } },
};

/// Two instances, one on the other, in the middle of a fade with a masked layer.
static puppet make_world(void)
{
    puppet at;
    mrw_instance_id child = { 0 };
    require(puppet_open_in(&at, mrw_context_create(NULL)) == MRW_OK);
    for (int i = 0; i < 2; i++) {
        require(puppet_add_clip(&at, &clips[i], NULL) == MRW_OK);
    }
    require(puppet_add_instance(&at) == MRW_OK);
    const mrw_instance_desc desc = { .model = at.model };
    require(mrw_instance_create(at.context, at.world, &desc, &child) == MRW_OK);
    require(mrw_instance_mount(at.context, child, at.instance, 0xffffffffu) == MRW_OK);
    const mrw_play_options fade = { .fade = 4 };
    for (uint32_t i = 0; i < 3; i++) {
        require(mrw_instance_play(at.context, at.instance, i % 2, &fade) == MRW_OK);
        require(mrw_world_update(at.context, at.world, 0.25) == MRW_OK);
    }
    uint32_t arm = 0;
    require(mrw_instance_find_node(at.context, at.instance, "arm", &arm) == MRW_OK);
    const mrw_layer_desc layer = { .clip = 0, .weight = 0.5f, .additive = true, .mask = &arm, .mask_count = 1 };
    require(mrw_instance_set_layer(at.context, at.instance, "over", &layer) == MRW_OK);
    const float offsets[2] = { 1, 1 };
    require(mrw_instance_set_deform(at.context, child, PUPPET_EYE, offsets, 2) == MRW_OK);
    return at;
}

static uint64_t hash_world(const puppet* at)
{
    char* bytes = NULL;
    size_t size = 0;
    require(mrw_world_snapshot(at->context, at->world, &bytes, &size) == MRW_OK);
    uint64_t hash = mrwi_hash(MRWI_HASH_START, bytes, size);
    mrw_text_release(at->context, bytes, size);
    return hash;
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
    puppet at = make_world();
    uint64_t before = hash_world(&at);
    mrw_error error = { 0 };
    mrw_result result = mrw_world_restore(at.context, at.world, bytes, size, &error);
    require(result == MRW_OK || (result == MRW_BAD_VALUE && error.code == result && hash_world(&at) == before));
    for (int i = 0; i < 3; i++) {
        mrw_event event;
        require(mrw_world_update(at.context, at.world, 0.3) == MRW_OK);
        for (int j = 0; j < 20 && mrw_instance_next_event(at.context, at.instance, &event) == MRW_OK; j++) { }
    }
    // What was taken in can be written and taken in again.
    char* again = NULL;
    size_t again_size = 0;
    require(mrw_world_snapshot(at.context, at.world, &again, &again_size) == MRW_OK);
    if (result == MRW_OK) {
        require(mrw_world_restore(at.context, at.world, again, again_size, NULL) == MRW_OK);
    }
    mrw_text_release(at.context, again, again_size);
    mrw_context_destroy(at.context);
    return 0;
}
