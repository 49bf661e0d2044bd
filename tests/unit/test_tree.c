#include "support/stage.h"

#include "runtime/instance.h"

// Bones a (0, 0) - b (10, 0) - c (10, 0), all without rotation; one vertex on each joint, bound to it alone.
#define BIND "\"skinWeights\":[1,0,0,0,1,0,0,0,1,0,0,0]"
static const char chain[] = "{\"bones\":[{\"name\":\"a\",\"parent\":-1,\"x\":0,\"y\":0},{\"name\":\"b\",\"parent\":0,\"x\":10,\"y\":0},"
                            "{\"name\":\"c\",\"parent\":1,\"x\":10,\"y\":0}],"
                            "\"mesh\":{\"verts\":[[0,0],[10,0],[20,0]],\"uvs\":[[0,0],[0,1],[1,1]],\"tris\":[0,1,2]},"
                            "\"skinIndices\":[0,0,0,0,1,0,0,0,2,0,0,0]," BIND "}";

static mrw_instance_id chain_without_nodes(const stage* s)
{
    mrw_instance_id id = { 0 };
    const mrw_instance_desc desc = { .model = stage_model(s->context, chain), .no_nodes = true };
    CHECK_EQ_INT(mrw_instance_create(s->context, s->world, &desc, &id), MRW_OK);
    return id;
}

static uint32_t add(const stage* s, mrw_instance_id id, const char* name, uint32_t parent, bool bone)
{
    uint32_t node = 0;
    CHECK_EQ_INT(mrw_instance_add_node(s->context, id, name, parent, bone, &node), MRW_OK);
    return node;
}

TEST(bad_arguments)
{
    stage s = stage_open();
    mrw_instance_id id = stage_add(&s, stage_model(s.context, chain));
    uint32_t node = 77;
    const uint32_t absent = 5;
    CHECK_EQ_INT(mrw_instance_add_node(s.context, (mrw_instance_id) { 0 }, "n", STAGE_ROOT, true, &node), MRW_STALE);
    CHECK_EQ_INT(mrw_instance_add_node(s.context, id, "n", absent, true, &node), MRW_STALE);
    CHECK_EQ_INT(mrw_instance_add_node(s.context, id, NULL, STAGE_ROOT, true, &node), MRW_BAD_ARGUMENT);
    CHECK_EQ_INT(node, 77);
    CHECK_EQ_INT(mrw_instance_remove_node(s.context, id, absent), MRW_STALE);
    CHECK_EQ_INT(mrw_instance_remove_node(s.context, id, STAGE_ROOT), MRW_STALE);
    CHECK_EQ_INT(mrw_instance_rename_node(s.context, id, absent, "n"), MRW_STALE);
    CHECK_EQ_INT(mrw_instance_rename_node(s.context, id, 0, NULL), MRW_BAD_ARGUMENT);
    CHECK_EQ_INT(mrw_instance_reparent_node(s.context, id, absent, 0), MRW_STALE);
    CHECK_EQ_INT(mrw_instance_reparent_node(s.context, id, 0, absent), MRW_STALE);
    CHECK_EQ_INT(mrw_instance_reparent_node(s.context, id, 0, 0), MRW_CYCLE);
    CHECK_EQ_INT(mrw_instance_reparent_node(s.context, id, 0, 2), MRW_CYCLE);
    CHECK_EQ_INT(mrw_instance_find_node(s.context, id, "nobody", &node), MRW_NOT_FOUND);
    CHECK_EQ_INT(mrw_instance_find_node(s.context, id, NULL, &node), MRW_NOT_FOUND);
    CHECK(mrw_instance_node_name(s.context, id, absent) == NULL);
    CHECK(mrwi_instance_get(s.context, id)->tree.untouched);
    stage_close(&s);
}

TEST(removed_nodes_leave_children_where_their_values_put_them)
{
    stage s = stage_open();
    mrw_instance_id id = stage_add(&s, stage_model(s.context, chain));
    CHECK_EQ_INT(mrw_instance_remove_node(s.context, id, stage_node(&s, id, "b")), MRW_OK);
    stage_update(&s);
    // c hangs on a at (10, 0); its bind was (20, 0), so its vertex moves by -10. b's vertex rests.
    CHECK_VERTEX(s, id, 0, 1, 10, 0);
    CHECK_VERTEX(s, id, 0, 2, 10, 0);
    stage_close(&s);
}

TEST(a_slot_is_used_again_under_another_generation)
{
    stage s = stage_open();
    mrw_instance_id id = stage_add(&s, stage_model(s.context, chain));
    uint32_t b = stage_node(&s, id, "b");
    CHECK_EQ_INT(mrw_instance_remove_node(s.context, id, b), MRW_OK);
    CHECK_EQ_INT(mrw_instance_remove_node(s.context, id, b), MRW_STALE);
    uint32_t other = add(&s, id, "other", STAGE_ROOT, true);
    CHECK_EQ_INT(other & 0xfffff, b & 0xfffff);
    CHECK(other != b);
    CHECK(mrw_instance_node_name(s.context, id, b) == NULL);
    CHECK_STR(mrw_instance_node_name(s.context, id, other), "other");
    CHECK_EQ_INT(stage_state(&s, id)->node_flags[other & 0xfffff] >> 8, other >> 20);
    stage_close(&s);
}

TEST(a_slot_that_used_all_generations_is_retired)
{
    stage s = stage_open();
    mrw_instance_id id = chain_without_nodes(&s);
    uint32_t node = add(&s, id, "n", STAGE_ROOT, false);
    for (int i = 0; i < 4095; i++) {
        REQUIRE(mrw_instance_remove_node(s.context, id, node) == MRW_OK);
        node = add(&s, id, "n", STAGE_ROOT, false);
        REQUIRE((node & 0xfffff) == 0);
    }
    CHECK_EQ_INT(node >> 20, 4095);
    CHECK_EQ_INT(mrw_instance_remove_node(s.context, id, node), MRW_OK);
    CHECK_EQ_INT(add(&s, id, "n", STAGE_ROOT, false), 1);
    stage_close(&s);
}

TEST(a_plain_node_cuts_the_chain_of_bones_but_not_its_own)
{
    stage s = stage_open();
    mrw_instance_id id = stage_add(&s, stage_model(s.context, chain));
    uint32_t a = stage_node(&s, id, "a");
    uint32_t grip = add(&s, id, "grip", a, false);
    stage_pose(&s, id, a, (float[5]) { 100, 50, 0, 1, 1 });
    stage_pose(&s, id, grip, (float[5]) { 1, 2, 0, 1, 1 });
    CHECK_EQ_INT(mrw_instance_reparent_node(s.context, id, stage_node(&s, id, "b"), grip), MRW_OK);
    stage_update(&s);
    const float* world = stage_state(&s, id)->world + 8 * (grip & 0xfffff);
    CHECK_NEAR(world[4], 101, 1e-5);
    CHECK_NEAR(world[5], 52, 1e-5);
    CHECK_VERTEX(s, id, 0, 0, 100, 50);
    CHECK_VERTEX(s, id, 0, 1, 10, 0);
    CHECK_VERTEX(s, id, 0, 2, 20, 0);
    stage_close(&s);
}

TEST(of_equal_names_the_bone_created_last_carries)
{
    stage s = stage_open();
    mrw_instance_id id = stage_add(&s, stage_model(s.context, chain));
    uint32_t first = add(&s, id, "b", STAGE_ROOT, true);
    uint32_t second = add(&s, id, "b", STAGE_ROOT, true);
    uint32_t plain = add(&s, id, "b", STAGE_ROOT, false);
    stage_pose(&s, id, first, (float[5]) { 10, 5, 0, 1, 1 });
    stage_pose(&s, id, second, (float[5]) { 10, 7, 0, 1, 1 });
    stage_pose(&s, id, plain, (float[5]) { 10, 9, 0, 1, 1 });
    stage_update(&s);
    CHECK_EQ_INT(stage_node(&s, id, "b"), plain);
    CHECK_VERTEX(s, id, 0, 1, 10, 7);
    CHECK_EQ_INT(mrw_instance_remove_node(s.context, id, second), MRW_OK);
    stage_update(&s);
    CHECK_VERTEX(s, id, 0, 1, 10, 5);
    CHECK_EQ_INT(mrw_instance_remove_node(s.context, id, first), MRW_OK);
    stage_update(&s);
    CHECK_VERTEX(s, id, 0, 1, 10, 0);
    stage_close(&s);
}

TEST(renaming_takes_a_bone_from_its_joint_and_gives_it_another)
{
    stage s = stage_open();
    mrw_instance_id id = stage_add(&s, stage_model(s.context, chain));
    uint32_t c = stage_node(&s, id, "c");
    uint32_t b = stage_node(&s, id, "b");
    stage_set(&s, id, b, MRW_FIELD_Y, 3);
    CHECK_EQ_INT(mrw_instance_rename_node(s.context, id, c, "c"), MRW_OK);
    CHECK(mrwi_instance_get(s.context, id)->tree.untouched);
    CHECK_EQ_INT(mrw_instance_rename_node(s.context, id, b, "x"), MRW_OK);
    stage_update(&s);
    CHECK_VERTEX(s, id, 0, 1, 10, 0); // joint b has no bone: at bind
    CHECK_VERTEX(s, id, 0, 2, 20, 3); // c still hangs on it
    // x, created before c, gets c's name: c itself goes on carrying. When c is gone x does, at (10, 3) - bind (20, 0).
    CHECK_EQ_INT(mrw_instance_rename_node(s.context, id, b, "c"), MRW_OK);
    stage_update(&s);
    CHECK_VERTEX(s, id, 0, 2, 20, 3);
    CHECK_EQ_INT(mrw_instance_remove_node(s.context, id, c), MRW_OK);
    stage_update(&s);
    CHECK_VERTEX(s, id, 0, 2, 10, 3);
    stage_close(&s);
}

TEST(growth_keeps_values_names_and_arguments)
{
    stage s = stage_open();
    mrw_instance_id id = stage_add(&s, stage_model(s.context, chain));
    uint32_t a = stage_node(&s, id, "a");
    stage_set(&s, id, a, MRW_FIELD_Y, 4);
    stage_state(&s, id)->override_values[MRW_FIELD_X * stage_state(&s, id)->node_stride] = 6;
    stage_state(&s, id)->override_mask[0] = 1u << MRW_FIELD_X;
    stage_update(&s);
    uint32_t structure = stage_state(&s, id)->structure_version;
    uint32_t nodes[50];
    for (uint32_t i = 0; i < 50; i++) {
        nodes[i] = add(&s, id, "extra", i == 0 ? a : nodes[i - 1], false);
        stage_set(&s, id, nodes[i], MRW_FIELD_X, 1);
    }
    const mrw_instance_state* state = stage_state(&s, id);
    CHECK(state->structure_version > structure);
    CHECK_EQ_INT(state->node_count, 53);
    CHECK_EQ_INT(state->node_stride % 4, 0);
    stage_update(&s);
    state = stage_state(&s, id);
    CHECK_VERTEX(s, id, 0, 0, 6, 4);
    CHECK_VERTEX(s, id, 0, 2, 26, 4);
    CHECK_NEAR(state->world[8 * (nodes[49] & 0xfffff) + 4], 6 + 50, 1e-5);
    CHECK_EQ_INT(state->node_parents[nodes[49] & 0xfffff], nodes[48] & 0xfffff);
    stage_close(&s);
}

// b and its copy under a parent of twice the size: with noScale the name decides, also for bones that a host adds.
TEST(no_scale_goes_by_the_name_in_the_rig)
{
    static const char rig[]
        = "{\"bones\":[{\"name\":\"a\",\"parent\":-1},{\"name\":\"b\",\"parent\":0,\"x\":10,\"noScale\":true}],"
          "\"mesh\":{\"verts\":[[11,0]],\"uvs\":[[0,0]],\"tris\":[]},\"skinIndices\":[1,0,0,0],\"skinWeights\":[1,0,0,0]}";
    stage s = stage_open();
    mrw_instance_id own = stage_add(&s, stage_model(s.context, rig));
    stage_pose(&s, own, stage_node(&s, own, "a"), (float[5]) { 0, 0, 0, 2, 2 });
    mrw_instance_id built = { 0 };
    const mrw_instance_desc desc = { .model = stage_model(s.context, rig), .no_nodes = true };
    CHECK_EQ_INT(mrw_instance_create(s.context, s.world, &desc, &built), MRW_OK);
    uint32_t a = add(&s, built, "a", STAGE_ROOT, true);
    uint32_t b = add(&s, built, "b", a, true);
    stage_pose(&s, built, a, (float[5]) { 0, 0, 0, 2, 2 });
    stage_pose(&s, built, b, (float[5]) { 10, 0, 0, 1, 1 });
    stage_update(&s);
    CHECK_VERTEX(s, own, 0, 0, 11, 0);
    CHECK_VERTEX(s, built, 0, 0, 11, 0);
    CHECK_EQ_INT(mrw_instance_rename_node(s.context, built, b, "c"), MRW_OK);
    uint32_t c = b;
    b = add(&s, built, "b", c, true);
    stage_pose(&s, built, b, (float[5]) { 0, 0, 0, 1, 1 });
    stage_update(&s);
    // c is scaled to (20, 0) with scale 2; b below it drops the scale: (20, 0), and its bind was (10, 0)
    CHECK_VERTEX(s, built, 0, 0, 21, 0);
    stage_close(&s);
}

TEST(paths_go_from_child_to_child)
{
    stage s = stage_open();
    mrw_instance_id id = stage_add(&s, stage_model(s.context, chain));
    uint32_t grip = add(&s, id, "b", stage_node(&s, id, "a"), false);
    const mrwi_instance* instance = mrwi_instance_get(s.context, id);
    CHECK_EQ_INT(mrwi_tree_find_path(&instance->tree, instance->model, ""), -1);
    CHECK_EQ_INT(mrwi_tree_find_path(&instance->tree, instance->model, "a"), 0);
    CHECK_EQ_INT(mrwi_tree_find_path(&instance->tree, instance->model, "a/b"), grip & 0xfffff);
    CHECK_EQ_INT(mrwi_tree_find_path(&instance->tree, instance->model, "a//b/"), grip & 0xfffff);
    CHECK_EQ_INT(mrwi_tree_find_path(&instance->tree, instance->model, "a/b/c"), -1);
    CHECK_EQ_INT(mrwi_tree_find_path(&instance->tree, instance->model, "b"), -1);
    CHECK_EQ_INT(mrwi_tree_find_path(&instance->tree, instance->model, "a/bb"), -1);
    CHECK_EQ_INT(mrw_instance_remove_node(s.context, id, grip), MRW_OK);
    CHECK_EQ_INT(mrwi_tree_find_path(&instance->tree, instance->model, "a/b/c"), 2);
    stage_close(&s);
}

TEST(a_tree_can_be_built_before_its_model_arrives)
{
    stage s = stage_open();
    mrw_instance_id id = { 0 };
    const mrw_instance_desc desc = { .guid = "late", .no_nodes = true };
    CHECK_EQ_INT(mrw_instance_create(s.context, s.world, &desc, &id), MRW_OK);
    uint32_t b = add(&s, id, "b", STAGE_ROOT, true);
    stage_pose(&s, id, b, (float[5]) { 10, 5, 0, 1, 1 });
    stage_update(&s);
    CHECK_EQ_INT(stage_state(&s, id)->pending, 1);
    CHECK_EQ_INT(mrw_asset_provide(s.context, "late", stage_model(s.context, chain)), MRW_OK);
    stage_update(&s);
    CHECK_STR(mrw_instance_node_name(s.context, id, b), "b");
    CHECK_EQ_INT(stage_state(&s, id)->node_count, 1);
    CHECK_VERTEX(s, id, 0, 0, 0, 0);
    CHECK_VERTEX(s, id, 0, 1, 10, 5);
    CHECK_VERTEX(s, id, 0, 2, 20, 0);
    stage_close(&s);
}
