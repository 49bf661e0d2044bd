#include "support/failing_allocator.h"
#include "support/stage.h"

#include "base/hash.h"
#include "runtime/instance.h"

// A limb of two bones: its second joint lies at (LENGTH, 0), and the only vertex of each part on it.
#define PART(name)                                                                                  \
    "{\"name\":\"" name "\",\"mesh\":{\"verts\":[[10,0],[0,0]],\"uvs\":[[0,0],[1,1]],\"tris\":[]}," \
    "\"skinIndices\":[1,0,0,0,0,0,0,0],\"skinWeights\":[1,0,0,0,1,0,0,0]}"
#define BONE(name, parent, x) "{\"name\":\"" name "\",\"parent\":" parent ",\"x\":" x "}"
static const char limb[]
    = "{\"bones\":[" BONE("upper", "-1", "0") "," BONE("lower", "0", "10") "],\"parts\":[" PART("skin") "," PART("coat") "]}";
// The same with a hand, its bones in another order and the lower one further out.
static const char longer[] = "{\"bones\":[" BONE("hand", "2", "5") "," BONE("upper", "-1", "0") "," BONE(
    "lower", "1", "20") "],\"parts\":["
                        "{\"name\":\"coat\",\"mesh\":{\"verts\":[[20,0],[0,0]],\"uvs\":[[0,0],[1,1]],\"tris\":[]},"
                        "\"skinIndices\":[2,0,0,0,1,0,0,0],\"skinWeights\":[1,0,0,0,1,0,0,0]}]}";
static const char wave[]
    = "{\"name\":\"wave\",\"duration\":2,\"tracks\":[{\"path\":\"upper/lower\",\"trait\":\"Transform\",\"field\":\"y\","
      "\"keys\":[{\"t\":0,\"v\":0,\"inTangent\":1,\"outTangent\":1},{\"t\":2,\"v\":2,\"inTangent\":1,\"outTangent\":1}]}]}";
static const char slow_wave[]
    = "{\"name\":\"wave\",\"duration\":2,\"tracks\":[{\"path\":\"upper/lower\",\"trait\":\"Transform\",\"field\":\"y\","
      "\"keys\":[{\"t\":0,\"v\":0,\"inTangent\":10,\"outTangent\":10},{\"t\":2,\"v\":20,\"inTangent\":10,\"outTangent\":10}]}]}";

static mrw_result add_clip(mrw_context* context, mrw_model_id model, const char* text)
{
    return mrw_model_add_clip(context, model, text, strlen(text), NULL, NULL, NULL);
}

static mrw_instance_id follow(const stage* s, const char* guid)
{
    mrw_instance_id id = { 0 };
    CHECK_EQ_INT(mrw_instance_create(s->context, s->world, &(mrw_instance_desc) { .guid = guid }, &id), MRW_OK);
    return id;
}

TEST(bad_arguments)
{
    stage s = stage_open();
    mrw_model_id model = stage_model(s.context, limb);
    mrw_model_id found = { 3 };
    CHECK_EQ_INT(mrw_asset_provide(s.context, "limb", (mrw_model_id) { 0 }), MRW_STALE);
    CHECK_EQ_INT(mrw_asset_provide(s.context, NULL, model), MRW_BAD_ARGUMENT);
    CHECK_EQ_INT(mrw_asset_provide(s.context, "", model), MRW_BAD_ARGUMENT);
    CHECK_EQ_INT(mrw_asset_find(s.context, "limb", &found), MRW_NOT_FOUND);
    CHECK_EQ_INT(found.value, 0);
    CHECK_EQ_INT(mrw_asset_find(s.context, NULL, &found), MRW_NOT_FOUND);
    CHECK_EQ_INT(mrw_asset_provide(s.context, "limb", model), MRW_OK);
    CHECK_EQ_INT(mrw_asset_find(s.context, "limb", &found), MRW_OK);
    CHECK_EQ_INT(found.value, model.value);
    CHECK_EQ_INT(mrw_model_release(s.context, model), MRW_OK);
    CHECK_EQ_INT(mrw_asset_find(s.context, "limb", &found), MRW_NOT_FOUND);
    CHECK_EQ_INT(mrw_asset_provide(s.context, "limb", model), MRW_STALE);
    stage_close(&s);
}

TEST(an_instance_waits_for_its_asset)
{
    stage s = stage_open();
    mrw_instance_id early = follow(&s, "limb");
    const mrw_instance_state* state = stage_state(&s, early);
    mrw_bounds bounds;
    mrw_hit hit;
    CHECK_EQ_INT(state->pending, 1);
    CHECK_EQ_INT(state->part_count, 0);
    CHECK_EQ_INT(state->node_count, 0);
    stage_update(&s);
    CHECK_EQ_INT(mrw_instance_bounds(s.context, early, -1, &bounds), MRW_OK);
    CHECK_EQ_INT(bounds.empty, 1);
    CHECK_EQ_INT(mrw_instance_bounds(s.context, early, 0, &bounds), MRW_BAD_INDEX);
    CHECK_EQ_INT(mrw_instance_hit(s.context, early, 0, 0, 0, &hit), MRW_OK);
    CHECK_EQ_INT(hit.part, -1);
    CHECK_EQ_INT(mrw_instance_set_part(s.context, early, 0, &(mrw_part_change) { 0 }), MRW_BAD_INDEX);
    stage_state(&s, early)->root[0] = 4;
    CHECK_EQ_INT(mrw_asset_provide(s.context, "other", stage_model(s.context, longer)), MRW_OK);
    CHECK_EQ_INT(state->pending, 1);
    CHECK_EQ_INT(mrw_asset_provide(s.context, "limb", stage_model(s.context, limb)), MRW_OK);
    CHECK_EQ_INT(state->pending, 0);
    CHECK_EQ_INT(state->part_count, 2);
    stage_update(&s);
    CHECK_EQ_INT(state->version, 1);
    CHECK_NEAR(state->matrix[4], 4, 0);
    CHECK_VERTEX(s, early, 0, 0, 10, 0);
    mrw_instance_id late = follow(&s, "limb");
    CHECK_EQ_INT(stage_state(&s, late)->pending, 0);
    stage_close(&s);
}

TEST(a_replaced_model_keeps_what_was_set_by_hand)
{
    stage s = stage_open();
    mrw_model_id old = stage_model(s.context, limb);
    mrw_model_id fresh = stage_model(s.context, longer);
    CHECK_EQ_INT(add_clip(s.context, old, wave), MRW_OK);
    CHECK_EQ_INT(add_clip(s.context, fresh, wave), MRW_OK);
    CHECK_EQ_INT(mrw_asset_provide(s.context, "limb", old), MRW_OK);
    mrw_instance_id hero = follow(&s, "limb");
    mrw_instance_id direct = stage_add(&s, old);
    mrw_instance_id other = stage_add(&s, stage_model(s.context, limb));
    mrw_instance_id ring = stage_add(&s, fresh);
    uint32_t upper = stage_node(&s, hero, "upper");
    CHECK_EQ_INT(mrw_instance_mount(s.context, ring, hero, stage_node(&s, hero, "lower")), MRW_OK);
    stage_set(&s, hero, upper, MRW_FIELD_Y, 3);
    CHECK_EQ_INT(mrw_instance_set_part(s.context, hero, 1, &(mrw_part_change) { .set = 2, .color = 0xff }), MRW_OK);
    CHECK_EQ_INT(mrw_instance_set_deform(s.context, hero, 1, (float[4]) { 0, 0, 0, 7 }, 4), MRW_OK);
    CHECK_EQ_INT(mrw_instance_play(s.context, hero, 0, NULL), MRW_OK);
    stage_state(&s, hero)->view.opacity = 0.25f;
    stage_state(&s, hero)->root[0] = 100;
    CHECK_EQ_INT(mrw_world_update(s.context, s.world, 1), MRW_OK);
    CHECK_VERTEX(s, hero, 0, 0, 10, 4);
    const mrw_instance_state* state = stage_state(&s, hero);
    const mrw_instance_state before = *state;

    CHECK_EQ_INT(mrw_asset_provide(s.context, "limb", fresh), MRW_OK);
    CHECK(state->structure_version > before.structure_version);
    stage_update(&s);
    CHECK_EQ_INT(state->version, before.version + 1);
    CHECK_EQ_INT(state->part_count, 1);
    CHECK_EQ_INT(state->node_count, 3);
    CHECK_EQ_INT(state->clip, 0);
    CHECK_NEAR(state->time, 1, 0);
    CHECK_NEAR(state->shown.opacity, 0.25, 0);
    CHECK_EQ_INT(state->parts[0].color, 0xff);
    // lower: the new rest x 20, its y from the clip; upper: y 3 as set; the coat's second vertex: its offset
    CHECK_VERTEX(s, hero, 0, 0, 20, 4);
    CHECK_VERTEX(s, hero, 0, 1, 0, 10);
    CHECK_NEAR(stage_state(&s, ring)->matrix[4], 120, 1e-4);
    CHECK_NEAR(stage_state(&s, ring)->matrix[5], 4, 1e-4);
    // Whoever showed the old model shows the new one; who shows another does not.
    CHECK_EQ_INT(stage_state(&s, direct)->node_count, 3);
    CHECK_EQ_INT(stage_state(&s, other)->node_count, 2);
    CHECK_EQ_INT(mrw_model_release(s.context, old), MRW_OK);
    CHECK(stage_state(&s, direct) != NULL);
    stage_update(&s);
    stage_close(&s);
}

TEST(node_arguments_survive_where_the_slot_has_the_same_name)
{
    stage s = stage_open();
    mrw_model_id old = stage_model(s.context, limb);
    CHECK_EQ_INT(mrw_asset_provide(s.context, "limb", old), MRW_OK);
    mrw_instance_id hero = follow(&s, "limb");
    uint32_t upper = stage_node(&s, hero, "upper");
    uint32_t lower = stage_node(&s, hero, "lower");
    // parent-first: upper 0, lower 1 in both
    CHECK_EQ_INT(mrw_asset_provide(s.context, "limb", stage_model(s.context, longer)), MRW_OK);
    CHECK_STR(mrw_instance_node_name(s.context, hero, upper), "upper");
    CHECK_STR(mrw_instance_node_name(s.context, hero, lower), "lower");
    static const char swapped[] = "{\"bones\":[" BONE("lower", "-1", "0") "," BONE("upper", "0", "10") "]}";
    CHECK_EQ_INT(mrw_asset_provide(s.context, "limb", stage_model(s.context, swapped)), MRW_OK);
    CHECK(mrw_instance_node_name(s.context, hero, upper) == NULL);
    CHECK(mrw_instance_node_name(s.context, hero, lower) == NULL);
    CHECK_STR(mrw_instance_node_name(s.context, hero, stage_node(&s, hero, "upper")), "upper");
    stage_close(&s);
}

TEST(a_tree_changed_by_hand_is_kept)
{
    stage s = stage_open();
    CHECK_EQ_INT(mrw_asset_provide(s.context, "limb", stage_model(s.context, limb)), MRW_OK);
    mrw_instance_id hero = follow(&s, "limb");
    uint32_t lower = stage_node(&s, hero, "lower");
    uint32_t grip = 0;
    CHECK_EQ_INT(mrw_instance_add_node(s.context, hero, "grip", lower, false, &grip), MRW_OK);
    stage_set(&s, hero, grip, MRW_FIELD_X, 1);
    stage_set(&s, hero, stage_node(&s, hero, "upper"), MRW_FIELD_Y, 3);
    CHECK_EQ_INT(mrw_asset_provide(s.context, "limb", stage_model(s.context, longer)), MRW_OK);
    stage_update(&s);
    const mrw_instance_state* state = stage_state(&s, hero);
    CHECK_STR(mrw_instance_node_name(s.context, hero, lower), "lower");
    CHECK_STR(mrw_instance_node_name(s.context, hero, grip), "grip");
    CHECK_VERTEX(s, hero, 0, 0, 20, 3);
    CHECK_NEAR(state->world[8 * (grip & 0xfffff) + 4], 21, 1e-5);
    // the bone that only the new model has
    uint32_t hand = stage_node(&s, hero, "hand");
    CHECK_EQ_INT(state->node_parents[hand & 0xfffff], lower & 0xfffff);
    CHECK_NEAR(state->world[8 * (hand & 0xfffff) + 4], 25, 1e-5);
    stage_close(&s);
}

TEST(crowd_members_are_rebuilt_in_place)
{
    stage s = stage_open();
    mrw_model_id old = stage_model(s.context, limb);
    mrw_crowd_id crowd = { 0 };
    mrw_instance_id members[2];
    CHECK_EQ_INT(mrw_asset_provide(s.context, "limb", old), MRW_OK);
    CHECK_EQ_INT(mrw_crowd_create(s.context, s.world, &crowd), MRW_OK);
    for (int i = 0; i < 2; i++) {
        CHECK_EQ_INT(mrw_crowd_add(s.context, crowd, old, &members[i]), MRW_OK);
        stage_state(&s, members[i])->root[0] = 100.0f * (float)(i + 1);
    }
    stage_update(&s);
    CHECK_VERTEX(s, members[1], 0, 0, 210, 0);
    CHECK_EQ_INT(mrw_asset_provide(s.context, "limb", stage_model(s.context, longer)), MRW_OK);
    stage_update(&s);
    CHECK_VERTEX(s, members[0], 0, 0, 120, 0);
    CHECK_VERTEX(s, members[1], 0, 0, 220, 0);
    CHECK_EQ_INT(mrw_crowd_get_state(s.context, crowd)->member_count, 2);
    stage_close(&s);
}

TEST(a_clip_replaced_goes_on_at_its_time)
{
    stage s = stage_open();
    mrw_model_id model = stage_model(s.context, limb);
    CHECK_EQ_INT(add_clip(s.context, model, wave), MRW_OK);
    mrw_instance_id hero = stage_add(&s, model);
    CHECK_EQ_INT(mrw_instance_play(s.context, hero, 0, NULL), MRW_OK);
    CHECK_EQ_INT(mrw_world_update(s.context, s.world, 1), MRW_OK);
    CHECK_VERTEX(s, hero, 0, 0, 10, 1);
    CHECK_EQ_INT(add_clip(s.context, model, slow_wave), MRW_OK);
    stage_update(&s);
    CHECK_VERTEX(s, hero, 0, 0, 10, 10);
    stage_close(&s);
}

// Everything that allocates, in one go. A failed call is made again once when `again` is set.
typedef struct script {
    bool again;
    uint64_t hash; ///< of what is seen at the end
} script;

#define TRY(call)                                  \
    do {                                           \
        mrw_result try_result = (call);            \
        if (try_result != MRW_OK && play->again) { \
            try_result = (call);                   \
        }                                          \
        if (try_result != MRW_OK) {                \
            return try_result;                     \
        }                                          \
    } while (0)

static mrw_result build_heroes(const stage* s, script* play, mrw_model_id model, mrw_instance_id* heroes, mrw_crowd_id* crowd)
{
    mrw_context* context = s->context;
    TRY(mrw_instance_create(context, s->world, &(mrw_instance_desc) { .guid = "limb" }, &heroes[0]));
    TRY(mrw_instance_create(context, s->world, &(mrw_instance_desc) { .model = model }, &heroes[1]));
    TRY(mrw_instance_create(context, s->world, &(mrw_instance_desc) { .guid = "limb", .no_nodes = true }, &heroes[2]));
    TRY(mrw_crowd_create(context, s->world, crowd));
    TRY(mrw_crowd_add(context, *crowd, model, &heroes[3]));
    uint32_t node = STAGE_ROOT;
    for (int i = 0; i < 10; i++) {
        TRY(mrw_instance_add_node(context, heroes[1 + i % 2], i < 2 ? "lower" : "extra", STAGE_ROOT, i % 3 != 2, &node));
    }
    TRY(mrw_instance_rename_node(context, heroes[2], node, "upper"));
    TRY(mrw_instance_mount(context, heroes[0], heroes[1], 1));
    return MRW_OK;
}

static mrw_result run(mrw_context* context, void* user)
{
    script* play = user;
    stage s = { .context = context };
    mrw_model_id models[2] = { { 0 }, { 0 } };
    mrw_instance_id heroes[4] = { { 0 } };
    mrw_crowd_id crowd = { 0 };
    TRY(mrw_world_create(context, &s.world));
    TRY(mrw_model_load_rig2d(context, limb, strlen(limb), NULL, &models[0], NULL));
    TRY(mrw_model_load_rig2d(context, longer, strlen(longer), NULL, &models[1], NULL));
    TRY(add_clip(context, models[0], wave));
    TRY(add_clip(context, models[1], wave));
    mrw_result result = build_heroes(&s, play, models[0], heroes, &crowd);
    if (result != MRW_OK) {
        return result;
    }
    TRY(mrw_asset_provide(context, "limb", models[0]));
    for (int i = 0; i < 4; i++) {
        TRY(mrw_instance_play(context, heroes[i], 0, &(mrw_play_options) { .fade = 1 }));
        TRY(mrw_instance_set_layer(
            context, heroes[i], "over", &(mrw_layer_desc) { .weight = 0.5f, .mask = (uint32_t[]) { 0 }, .mask_count = 1 }));
        TRY(mrw_instance_set_deform(context, heroes[i], 1, (float[4]) { 1, 2, 3, 4 }, 4));
        TRY(mrw_instance_set_part(context, heroes[i], 0, &(mrw_part_change) { .set = 8, .sprite = -1 }));
    }
    CHECK_EQ_INT(mrw_world_update(context, s.world, 0.25), MRW_OK);
    TRY(mrw_asset_provide(context, "limb", models[1]));
    TRY(add_clip(context, models[1], slow_wave));
    CHECK_EQ_INT(mrw_world_update(context, s.world, 0.25), MRW_OK);
    // A slice that a failed call kept would push the members' ends out.
    uint32_t vertex_count = mrw_crowd_get_state(context, crowd)->vertex_count;
    play->hash = mrwi_hash(MRWI_HASH_START, &vertex_count, sizeof vertex_count);
    for (int i = 0; i < 4; i++) {
        const mrw_instance_state* state = stage_state(&s, heroes[i]);
        play->hash = mrwi_hash(play->hash, state->positions, 2 * (size_t)state->parts[0].vertex_count * sizeof(float));
        play->hash = mrwi_hash(play->hash, state->matrix, sizeof state->matrix);
        play->hash = mrwi_hash(play->hash, &state->node_count, sizeof state->node_count);
        CHECK_EQ_INT(mrw_instance_release(context, heroes[i]), MRW_OK);
    }
    return MRW_OK;
}

TEST(every_failed_allocation_is_reported_and_leaks_nothing)
{
    script play = { .again = false };
    FAILING_ALLOCATOR_SWEEP(run, &play);
}

// The failed call left everything as it was, so that made again it gives what it would have given.
TEST(after_a_failed_allocation_the_world_goes_on)
{
    script wanted = { .again = false };
    mrw_context* context = mrw_context_create(NULL);
    REQUIRE(run(context, &wanted) == MRW_OK);
    mrw_context_destroy(context);
    bool ends = false;
    for (int64_t n = 0; !ends; n++) {
        failing_allocator allocator = failing_allocator_start(-1);
        context = mrw_context_create(&(mrw_context_desc) { .allocator = failing_allocator_hooks(&allocator) });
        REQUIRE(context != NULL);
        allocator.requests_left = n;
        allocator.fails_once = true;
        script play = { .again = true };
        bool good = CHECK_EQ_INT(run(context, &play), MRW_OK);
        good = CHECK(play.hash == wanted.hash) && good;
        ends = !allocator.has_failed;
        mrw_context_destroy(context);
        good = CHECK_EQ_INT(allocator.held_count, 0) && good;
        REQUIRE(good);
    }
}
