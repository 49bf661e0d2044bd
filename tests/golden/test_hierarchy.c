// Which live nodes are bones of a rig, and what they hang on, against the reference.
#include "support/golden_parts.h"

// Cases in which the reference has a defect. What is right stands beside them.
static const char* const better[] = {
    "rig without bones: every vertex collapses to the origin", // rests at bind
};

#define ENTITIES 64

typedef struct entity {
    const char *id, *parent, *bone, *sprite;
    float values[5];
    int32_t parent_index;
    uint32_t node;
    bool is_node;
} entity;

static entity entities[ENTITIES];
static uint32_t entity_count;

static const char* text_of(const mrwi_json_cursor* at, const char* name)
{
    mrwi_json_cursor member = mrwi_json_member(at, name);
    return mrwi_json_string(&member);
}

static bool read_entities(const mrwi_json_cursor* item)
{
    entity_count = 0;
    mrwi_json_cursor list = mrwi_json_member(item, "entities");
    GOLDEN_EACH(at, list)
    {
        if (!CHECK(entity_count < ENTITIES)) {
            return false;
        }
        double numbers[5] = { 0, 0, 0, 1, 1 };
        mrwi_json_cursor transform = mrwi_json_member(&at, "t");
        if (mrwi_json_type_of(&transform) == MRWI_JSON_ARRAY) {
            CHECK_EQ_INT(golden_numbers(&transform, numbers, 5), 5);
        }
        entity* e = &entities[entity_count++];
        *e = (entity) { text_of(&at, "id"), text_of(&at, "parent"), text_of(&at, "bone"), text_of(&at, "sprite"), { 0 }, -1, 0, false };
        for (int i = 0; i < 5; i++) {
            e->values[i] = (float)numbers[i];
        }
    }
    for (uint32_t i = 0; i < entity_count; i++) {
        for (uint32_t k = 0; entities[i].parent != NULL && k < entity_count; k++) {
            if (strcmp(entities[k].id, entities[i].parent) == 0) {
                entities[i].parent_index = (int32_t)k;
            }
        }
    }
    return entity_count > 0;
}

/// The nearest sprite above, or -1.
static int32_t owner_of(int32_t index)
{
    do {
        index = entities[index].parent_index;
    } while (index >= 0 && entities[index].sprite == NULL);
    return index;
}

/// An empty tree, then the sprite's entities in the order of their creation.
static mrw_instance_id build(const stage* s, mrw_model_id model, int32_t sprite)
{
    mrw_instance_id id = { 0 };
    CHECK_EQ_INT(mrw_instance_create(s->context, s->world, &(mrw_instance_desc) { .model = model, .no_nodes = true }, &id), MRW_OK);
    for (uint32_t i = 0; i < entity_count; i++) {
        entity* e = &entities[i];
        e->is_node = owner_of((int32_t)i) == sprite;
        if (e->is_node) {
            const char* name = e->bone != NULL ? e->bone : e->id;
            CHECK_EQ_INT(mrw_instance_add_node(s->context, id, name, STAGE_ROOT, e->bone != NULL, &e->node), MRW_OK);
            stage_pose(s, id, e->node, e->values);
        }
    }
    for (uint32_t i = 0; i < entity_count; i++) {
        const entity* e = &entities[i];
        if (e->is_node && e->parent_index != sprite) {
            CHECK(entities[e->parent_index].is_node);
            CHECK_EQ_INT(mrw_instance_reparent_node(s->context, id, e->node, entities[e->parent_index].node), MRW_OK);
        }
    }
    const entity* root = &entities[sprite];
    memcpy(stage_state(s, id)->root, root->values, sizeof root->values);
    return id;
}

static void check_at_bind(const mrwi_model* model, const mrw_instance_state* state)
{
    for (uint32_t part = 0; part < model->part_count; part++) {
        const mrwi_part* at = &model->parts[part];
        CHECK(at->vertex_count > 0);
        for (uint32_t i = 2 * at->first_vertex; i < 2 * (at->first_vertex + at->vertex_count); i++) {
            CHECK_NEAR(state->positions[i], model->bind[i], 0);
        }
    }
}

static void check_sprite(const stage* s, const mrwi_json_cursor* item, int32_t sprite, bool rests)
{
    mrwi_json_cursor rigs = mrwi_json_member(item, "rigs");
    mrwi_json_cursor rig = mrwi_json_member(&rigs, entities[sprite].sprite);
    mrwi_json_cursor all = mrwi_json_member(item, "expected");
    mrwi_json_cursor expected = mrwi_json_member(&all, entities[sprite].id);
    const mrwi_model* model = golden_load_rig(s->context, &rig);
    REQUIRE(model != NULL);
    mrw_instance_id id = build(s, model->id, sprite);
    stage_update(s);
    REQUIRE(mrwi_json_type_of(&expected) == MRWI_JSON_ARRAY);
    if (rests) {
        check_at_bind(model, stage_state(s, id));
    } else {
        golden_check_parts(model, stage_state(s, id), &expected);
    }
}

TEST(finds_bones_in_every_case)
{
    golden file = golden_open("golden/modoki/hierarchy-s1.json");
    stage s = { .context = file.context };
    REQUIRE(CHECK_EQ_INT(mrw_world_create(s.context, &s.world), MRW_OK));
    size_t better_seen = 0;
    GOLDEN_EACH(item, file.cases)
    {
        bool rests = false;
        for (size_t i = 0; i < sizeof better / sizeof better[0]; i++) {
            rests = rests || strcmp(text_of(&item, "name"), better[i]) == 0;
        }
        better_seen += rests ? 1 : 0;
        REQUIRE(read_entities(&item));
        for (uint32_t i = 0; i < entity_count; i++) {
            if (entities[i].sprite != NULL) {
                check_sprite(&s, &item, (int32_t)i, rests);
            }
        }
    }
    CHECK_EQ_INT(better_seen, sizeof better / sizeof better[0]);
    golden_close(&file);
}
