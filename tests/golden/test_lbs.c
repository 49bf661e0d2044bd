// Linear blend skinning of posed rigs, with bones missing and with deforms, against the reference. Every case runs twice: on the
// tree that the model brings, with missing bones removed, and on a tree that is built from nothing.
#include "support/golden_parts.h"

#define BONES 64

/// Poses of rig bones by file index; an absent one is NULL in the file.
typedef struct poses {
    uint32_t count;
    bool missing[BONES];
    float values[BONES][5];
} poses;

static poses read_poses(const mrwi_json_cursor* bones)
{
    poses read = { 0 };
    GOLDEN_EACH(bone, *bones)
    {
        if (!CHECK(read.count < BONES)) {
            break;
        }
        double numbers[5] = { 0 };
        read.missing[read.count] = mrwi_json_type_of(&bone) == MRWI_JSON_NULL;
        if (!read.missing[read.count]) {
            CHECK_EQ_INT(golden_numbers(&bone, numbers, 5), 5);
        }
        for (int i = 0; i < 5; i++) {
            read.values[read.count][i] = (float)numbers[i];
        }
        read.count++;
    }
    return read;
}

static void set_deforms(const stage* s, const mrwi_model* model, mrw_instance_id id, const mrwi_json_cursor* item)
{
    static double numbers[GOLDEN_POSITIONS];
    static float offsets[GOLDEN_POSITIONS];
    mrwi_json_cursor deform = mrwi_json_member(item, "deform");
    for (uint32_t part = 0; part < model->part_count; part++) {
        mrwi_json_cursor given = mrwi_json_member(&deform, model->parts[part].name);
        bool is_given = mrwi_json_type_of(&given) == MRWI_JSON_ARRAY;
        uint32_t count = is_given ? golden_numbers(&given, numbers, GOLDEN_POSITIONS) : 0;
        for (uint32_t i = 0; i < count; i++) {
            offsets[i] = (float)numbers[i];
        }
        CHECK_EQ_INT(mrw_instance_set_deform(s->context, id, part, is_given ? offsets : NULL, count), MRW_OK);
    }
}

static void move_root(const stage* s, mrw_instance_id id, const mrwi_json_cursor* root)
{
    const char* names[5] = { "x", "y", "rz", "sx", "sy" };
    for (int i = 0; i < 5; i++) {
        stage_state(s, id)->root[i] = (float)golden_member(root, names[i]);
    }
    stage_state(s, id)->dirty = 1;
}

/// The model's own tree: nodes are its slots.
static mrw_instance_id pose_own_tree(const stage* s, const mrwi_model* model, const poses* bones)
{
    mrw_instance_id id = stage_add(s, model->id);
    for (uint32_t i = 0; i < bones->count; i++) {
        uint32_t node = (uint32_t)model->node_of_file_index[i];
        if (bones->missing[i]) {
            CHECK_EQ_INT(mrw_instance_remove_node(s->context, id, node), MRW_OK);
        } else {
            stage_pose(s, id, node, bones->values[i]);
        }
    }
    return id;
}

/// A tree of the live bones alone: they hang on the nearest live ancestor.
static mrw_instance_id pose_built_tree(const stage* s, const mrwi_model* model, const poses* bones)
{
    mrw_instance_id id = { 0 };
    uint32_t nodes[BONES] = { 0 };
    CHECK_EQ_INT(mrw_instance_create(s->context, s->world, &(mrw_instance_desc) { .model = model->id, .no_nodes = true }, &id), MRW_OK);
    for (uint32_t i = 0; i < bones->count; i++) {
        if (!bones->missing[i]) {
            const char* name = model->node_names[model->node_of_file_index[i]];
            CHECK_EQ_INT(mrw_instance_add_node(s->context, id, name, STAGE_ROOT, true, &nodes[i]), MRW_OK);
            stage_pose(s, id, nodes[i], bones->values[i]);
        }
    }
    for (uint32_t i = 0; i < bones->count; i++) {
        int32_t parent = model->node_parents[model->node_of_file_index[i]];
        while (parent >= 0 && bones->missing[model->node_file_index[parent]]) {
            parent = model->node_parents[parent];
        }
        if (!bones->missing[i] && parent >= 0) {
            CHECK_EQ_INT(mrw_instance_reparent_node(s->context, id, nodes[i], nodes[model->node_file_index[parent]]), MRW_OK);
        }
    }
    return id;
}

static void check_case(const stage* s, const mrwi_model* model, const mrwi_json_cursor* item, const mrwi_json_cursor* root)
{
    mrwi_json_cursor bones = mrwi_json_member(item, "bones");
    mrwi_json_cursor expected = mrwi_json_member(item, "expected");
    poses read = read_poses(&bones);
    REQUIRE(CHECK_EQ_INT(read.count, model->node_count));
    const mrw_instance_id heroes[2] = { pose_own_tree(s, model, &read), pose_built_tree(s, model, &read) };
    for (int i = 0; i < 2; i++) {
        set_deforms(s, model, heroes[i], item);
        move_root(s, heroes[i], root);
        stage_update(s);
        golden_check_parts(model, stage_state(s, heroes[i]), &expected);
        CHECK_EQ_INT(mrw_instance_release(s->context, heroes[i]), MRW_OK);
    }
}

TEST(skins_every_case)
{
    for (int number = 0; number < 8; number++) {
        char path[] = "golden/modoki/lbs-s00.json";
        path[strlen(path) - 6] = (char)('0' + number);
        golden file = golden_open(path);
        mrwi_json_cursor rig = mrwi_json_member(&file.root, "rig");
        mrwi_json_cursor root = mrwi_json_member(&file.root, "rootTransform");
        stage s = { .context = file.context };
        REQUIRE(CHECK_EQ_INT(mrw_world_create(s.context, &s.world), MRW_OK));
        const mrwi_model* model = golden_load_rig(file.context, &rig);
        REQUIRE(model != NULL);
        GOLDEN_EACH(item, file.cases)
        {
            check_case(&s, model, &item, &root);
        }
        golden_close(&file);
    }
}
