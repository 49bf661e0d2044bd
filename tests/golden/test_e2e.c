// Rig and clips to vertices, through an instance: single clips, cross-fades, offsets.
#include "support/golden.h"

typedef struct scene {
    mrw_context* context;
    mrw_model_id model;
    mrw_world_id world;
    mrw_instance_id instance;
    mrw_instance_state* state;
} scene;

static const char* text_of(const mrwi_json_cursor* at, mrwi_arena* arena)
{
    const char* text = NULL;
    CHECK_EQ_INT(mrwi_json_text(at, arena, &text), MRW_OK);
    return text == NULL ? "" : text;
}

static bool open_scene(scene* made, mrw_context* context, const mrwi_json_cursor* item, mrwi_arena* arena)
{
    mrwi_json_cursor rig = mrwi_json_member(item, "rig");
    mrwi_json_cursor clips = mrwi_json_member(item, "clips");
    const char* text = text_of(&rig, arena);
    *made = (scene) { .context = context };
    if (!CHECK_EQ_INT(mrw_model_load_rig2d(context, text, strlen(text), NULL, &made->model, NULL), MRW_OK)) {
        return false;
    }
    uint32_t expected = 0;
    GOLDEN_EACH(clip, clips)
    {
        // Both clips may have one name; here each is a clip of its own.
        mrw_document* document = NULL;
        text = text_of(&clip, arena);
        if (!CHECK_EQ_INT(mrw_document_read_anim(context, text, strlen(text), NULL, &document, NULL), MRW_OK)) {
            return false;
        }
        mrw_clip_desc desc = *mrw_document_clip(document);
        desc.name = expected == 0 ? "from" : "to";
        uint32_t index = 9;
        CHECK_EQ_INT(mrw_model_add_clip_desc(context, made->model, &desc, &index, NULL), MRW_OK);
        CHECK_EQ_INT(index, expected++);
        mrw_document_release(document);
    }
    CHECK_EQ_INT(expected, 2);
    const mrw_instance_desc desc = { .model = made->model };
    if (!CHECK_EQ_INT(mrw_world_create(context, &made->world), MRW_OK)
        || !CHECK_EQ_INT(mrw_instance_create(context, made->world, &desc, &made->instance), MRW_OK)) {
        return false;
    }
    made->state = mrw_instance_get_state(context, made->instance);
    return CHECK(made->state != NULL);
}

/// Brings the instance to a frame of the file: no weight means that clip 0 plays alone.
static void show_frame(const scene* at, const mrwi_json_cursor* frame)
{
    mrwi_json_cursor mode = mrwi_json_member(frame, "mode");
    bool is_single = strcmp(mrwi_json_string(&mode), "single") == 0;
    CHECK_EQ_INT(mrw_instance_play(at->context, at->instance, 0, NULL), MRW_OK);
    CHECK_EQ_INT(mrw_instance_seek(at->context, at->instance, golden_member(frame, is_single ? "time" : "fromTime")), MRW_OK);
    double elapsed = 0;
    if (!is_single) {
        // Both clips stand still while the fade runs for `weight` of its one second.
        const mrw_play_options options = { .fade = 1, .one_sided_full = true };
        CHECK_EQ_INT(mrw_instance_set_speed(at->context, at->instance, 0), MRW_OK);
        CHECK_EQ_INT(mrw_instance_play(at->context, at->instance, 1, &options), MRW_OK);
        CHECK_EQ_INT(mrw_instance_set_speed(at->context, at->instance, 0), MRW_OK);
        CHECK_EQ_INT(mrw_instance_seek(at->context, at->instance, golden_member(frame, "toTime")), MRW_OK);
        elapsed = golden_member(frame, "weight");
    }
    CHECK_EQ_INT(mrw_world_update(at->context, at->world, elapsed), MRW_OK);
}

static void check_pose(const scene* at, const mrwi_json_cursor* pose)
{
    // Bones of these rigs stand parent-first, so the file's order is the state's.
    uint32_t bone = 0;
    GOLDEN_EACH(entry, *pose)
    {
        double expected[MRW_FIELD_COUNT] = { 0 };
        CHECK_EQ_INT(golden_numbers(&entry, expected, MRW_FIELD_COUNT), MRW_FIELD_COUNT);
        for (uint32_t field = 0; field < MRW_FIELD_COUNT; field++) {
            double actual = (double)at->state->local[field * at->state->node_stride + bone];
            CHECK_NEAR(actual, expected[field], 1e-6 * (1.0 + fabs(expected[field])));
        }
        bone++;
    }
    CHECK_EQ_INT(bone, at->state->node_count);
}

static void check_part(const scene* at, uint32_t part, const mrwi_json_cursor* expected)
{
    static double wanted[4096];
    const mrw_part_state* state = &at->state->parts[part];
    mrwi_json_cursor positions = mrwi_json_member(expected, "positions");
    uint32_t count = golden_numbers(&positions, wanted, 4096);
    REQUIRE(CHECK_EQ_INT(count, 2 * state->vertex_count));
    double largest = 0;
    for (uint32_t i = 0; i < count; i++) {
        largest = fabs(wanted[i]) > largest ? fabs(wanted[i]) : largest;
    }
    const float* vertices = at->state->positions + 2 * (size_t)state->first_vertex;
    for (uint32_t i = 0; i < state->vertex_count; i++) {
        uint32_t file = state->vertex_map[i];
        CHECK_NEAR(vertices[2 * i], wanted[2 * file], 1e-3 + 1e-5 * largest);
        CHECK_NEAR(vertices[2 * i + 1], wanted[2 * file + 1], 1e-3 + 1e-5 * largest);
    }
}

TEST(clips_move_vertices_as_the_reference)
{
    golden file = golden_open("golden/modoki/e2e-s1.json");
    uint32_t frame_count = 0;
    GOLDEN_EACH(item, file.cases)
    {
        mrwi_arena arena;
        mrwi_arena_init(&arena, file.context);
        scene at;
        REQUIRE(open_scene(&at, file.context, &item, &arena));
        mrwi_json_cursor frames = mrwi_json_member(&item, "frames");
        GOLDEN_EACH(frame, frames)
        {
            mrwi_json_cursor pose = mrwi_json_member(&frame, "pose");
            mrwi_json_cursor parts = mrwi_json_member(&frame, "parts");
            show_frame(&at, &frame);
            check_pose(&at, &pose);
            uint32_t part = 0;
            GOLDEN_EACH(expected, parts)
            {
                check_part(&at, part++, &expected);
            }
            CHECK_EQ_INT(part, at.state->part_count);
            frame_count++;
        }
        mrwi_arena_release(&arena);
    }
    CHECK_EQ_INT(frame_count, 18);
    golden_close(&file);
}
