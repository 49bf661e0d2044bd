// Loading of well-formed, partial and malformed rigs against the reference.
#include "support/golden_rig.h"

#include "model/document.h"

// Where the reference keeps what is of no use, and we do better. Each case of these lists is asserted at the better value, and
// a case that is not in its list but should be fails.

// Triangles with a corner that does not exist, or with fewer than three, are dropped; the reference keeps the numbers.
static const char* const drops_triangles[] = { "verts not an array", "fuzz 0", "fuzz 1", "fuzz 2", "fuzz 3", "fuzz 4", "fuzz 5" };
// Without bones vertices rest at bind, so they have no influences; the reference skins them to nothing.
static const char* const rests_without_bones[] = { "bones not an array", "fuzz 0", "fuzz 5" };

#define LIST(names) names, sizeof names / sizeof names[0]

static bool is_listed(const char* name, const char* const* names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static const char* text_of(const mrwi_json_cursor* at, const char* member)
{
    mrwi_json_cursor text = mrwi_json_member(at, member);
    return mrwi_json_string(&text);
}

static void check_bones(const mrwi_model* model, const mrw_model_desc* desc, const mrwi_json_cursor* expected)
{
    mrwi_json_cursor list = mrwi_json_member(expected, "bones");
    mrwi_json_cursor names = mrwi_json_member(expected, "boneIndexByName");
    uint32_t i = 0;
    GOLDEN_EACH(bone, list)
    {
        REQUIRE(i < desc->node_count);
        const mrw_node_desc* node = &desc->nodes[i];
        CHECK_STR(node->name, text_of(&bone, "name"));
        CHECK_EQ_INT(node->parent, golden_member(&bone, "parent"));
        CHECK_EQ_INT(model->file_parents[i], golden_member(&bone, "parent"));
        CHECK_GOLDEN(node->x, golden_member(&bone, "x"));
        CHECK_GOLDEN(node->y, golden_member(&bone, "y"));
        CHECK_GOLDEN(node->rotation, golden_member(&bone, "rot"));
        CHECK_STR(model->node_names[model->node_of_file_index[i]], node->name);
        i++;
    }
    CHECK_EQ_INT(i, desc->node_count);
    CHECK_EQ_INT(i, model->node_count);
    GOLDEN_EACH(name, names)
    {
        // The last of equal names counts.
        uint32_t last = desc->node_count;
        for (uint32_t k = 0; k < desc->node_count; k++) {
            last = strcmp(desc->nodes[k].name, name.key) == 0 ? k : last;
        }
        CHECK_EQ_INT(last, golden_number(&name));
    }
    i = 0;
    list = mrwi_json_member(expected, "invBind");
    GOLDEN_EACH(matrix, list)
    {
        REQUIRE(i < model->node_count);
        golden_check_matrix(model->skins[0].binds_f64[i++], &matrix);
    }
    CHECK_EQ_INT(i, model->node_count);
}

// Numbers of a list of the expected part; all lists of these files are short.
#define ROOM 128
static uint32_t numbers_of(const mrwi_json_cursor* part, const char* member, double out[ROOM])
{
    mrwi_json_cursor list = mrwi_json_member(part, member);
    uint32_t count = golden_numbers(&list, out, ROOM);
    CHECK(count <= ROOM);
    return count;
}

static void check_vertices(const mrwi_model* model, const mrwi_part* part, const mrwi_json_cursor* expected)
{
    double verts[ROOM], uvs[ROOM];
    uint32_t count = part->vertex_count;
    CHECK_EQ_INT(count, golden_member(expected, "vertCount"));
    REQUIRE(CHECK_EQ_INT(numbers_of(expected, "verts", verts), count * 2) && CHECK_EQ_INT(numbers_of(expected, "uvs", uvs), count * 2));
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t axis = 0; axis < 2; axis++) {
            size_t at = ((size_t)part->first_vertex + i) * 2 + axis;
            CHECK_NEAR(model->bind[at], (float)verts[part->vertex_map[i] * 2 + axis], 0);
            CHECK_NEAR(model->local_uvs[at], (float)uvs[part->vertex_map[i] * 2 + axis], 0);
        }
    }
}

static void check_triangles(const mrwi_model* model, const mrwi_part* part, const mrwi_json_cursor* expected, const char* name)
{
    double tris[ROOM], better[ROOM];
    uint32_t count = numbers_of(expected, "tris", tris), kept = 0;
    for (uint32_t i = 0; i + 2 < count; i += 3) {
        if (tris[i] < part->vertex_count && tris[i + 1] < part->vertex_count && tris[i + 2] < part->vertex_count) {
            memcpy(better + kept, tris + i, 3 * sizeof *tris);
            kept += 3;
        }
    }
    CHECK_EQ_INT(kept != count, is_listed(name, LIST(drops_triangles)));
    REQUIRE(CHECK_EQ_INT(part->index_count, kept));
    for (uint32_t i = 0; i < kept; i++) {
        uint32_t vertex = model->indices[part->first_index + i] - part->first_vertex;
        REQUIRE(vertex < part->vertex_count);
        CHECK_EQ_INT(part->vertex_map[vertex], better[i]);
    }
}

// The four slots as the file has them, normalised here.
static void check_slots(const mrw_mesh_desc* mesh, const double* joints, const double* weights)
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        double sum = 0;
        for (uint32_t i = v * 4; i < v * 4 + 4; i++) {
            sum += mesh->influence_weight[i];
        }
        for (uint32_t i = v * 4; i < v * 4 + 4; i++) {
            CHECK_EQ_INT(mesh->influence_joint[i], joints[i]);
            CHECK_NEAR(sum > 0 ? mesh->influence_weight[i] / sum : i % 4 == 0, weights[i], 1e-5);
        }
    }
}

static void check_influences(const mrwi_part* part, uint32_t bone_count, const double* joints, const double* weights)
{
    const mrwi_influences* influences = &part->influences;
    for (uint32_t v = 0; v < part->vertex_count; v++) {
        for (uint32_t bone = 0; bone < bone_count; bone++) {
            double actual = 0, expected = 0;
            for (uint32_t i = influences->first[v]; i < influences->first[v + 1]; i++) {
                actual += influences->joint[i] == bone ? (double)influences->weight[i] : 0;
            }
            for (uint32_t i = v * 4; i < v * 4 + 4; i++) {
                expected += joints[i] == bone ? weights[i] : 0;
            }
            CHECK_NEAR(actual, expected, 1e-5);
        }
    }
}

static void check_part(
    const mrwi_model* model, const mrw_model_desc* desc, uint32_t index, const mrwi_json_cursor* expected, const char* name)
{
    const mrwi_part* part = &model->parts[index];
    mrwi_json_cursor visible = mrwi_json_member(expected, "visible");
    CHECK_STR(part->name, text_of(expected, "name"));
    CHECK_STR(part->sprite < 0 ? "" : model->sprites[part->sprite].guid, text_of(expected, "sprite"));
    CHECK_NEAR(part->order, golden_member(expected, "order"), 0);
    CHECK_EQ_INT(!part->hidden, mrwi_json_boolean(&visible));
    check_vertices(model, part, expected);
    check_triangles(model, part, expected, name);
    double joints[ROOM], weights[ROOM];
    uint32_t slot_count = part->vertex_count * 4;
    REQUIRE(CHECK_EQ_INT(numbers_of(expected, "skinIndices", joints), slot_count)
        && CHECK_EQ_INT(numbers_of(expected, "skinWeights", weights), slot_count));
    int32_t mesh = desc->parts[part->file_index].mesh;
    if (mesh >= 0) {
        check_slots(&desc->meshes[mesh], joints, weights);
    }
    bool rests = desc->node_count == 0 && part->vertex_count > 0;
    CHECK_EQ_INT(rests, is_listed(name, LIST(rests_without_bones)));
    if (rests) {
        CHECK_EQ_INT(part->influences.first[part->vertex_count], 0);
    } else {
        check_influences(part, desc->node_count, joints, weights);
    }
}

static void check_rig(const mrwi_model* model, const mrw_model_desc* desc, const mrwi_json_cursor* expected, const char* name)
{
    CHECK_STR(model->guid, text_of(expected, "id"));
    check_bones(model, desc, expected);
    uint32_t i = 0;
    mrwi_json_cursor parts = mrwi_json_member(expected, "parts");
    GOLDEN_EACH(part, parts)
    {
        REQUIRE(i < model->part_count);
        check_part(model, desc, i++, &part, name);
    }
    CHECK_EQ_INT(i, model->part_count);
    mrwi_json_cursor top = mrwi_json_member(expected, "topLevel");
    REQUIRE(model->part_count > 0);
    CHECK_STR(model->parts[0].sprite < 0 ? "" : model->sprites[model->parts[0].sprite].guid, text_of(&top, "sprite"));
    CHECK_EQ_INT(model->parts[0].vertex_count, golden_member(&top, "vertCount"));
}

TEST(rigs_load_as_in_the_reference)
{
    golden file = golden_open("golden/modoki/normalize-s1.json");
    mrwi_arena arena;
    mrwi_arena_init(&arena, file.context);
    GOLDEN_EACH(item, file.cases)
    {
        mrwi_json_cursor input = mrwi_json_member(&item, "input");
        mrwi_json_cursor expected = mrwi_json_member(&item, "expected");
        const char* name = text_of(&item, "name");
        const char* text = NULL;
        mrw_document* document = NULL;
        REQUIRE(mrwi_json_text(&input, &arena, &text) == MRW_OK);
        REQUIRE(mrw_document_read_rig2d(file.context, text, strlen(text), NULL, &document, NULL) == MRW_OK);
        const mrwi_model* model = golden_load_rig(file.context, &input);
        REQUIRE(model != NULL);
        check_rig(model, mrw_document_model(document), &expected, name);
        mrw_document_release(document);
    }
    mrwi_arena_release(&arena);
    golden_close(&file);
}
