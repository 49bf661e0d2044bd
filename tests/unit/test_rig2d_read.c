// The rig reader: each repair has its place, its code and its outcome, and becomes the error when reading strictly.
#include "check.h"

#include "formats/asset_path.h"
#include "formats/coerce.h"
#include "model/document.h"
#include "model/model.h"
#include "support/failing_allocator.h"

#include <stdio.h>
#include <string.h>

#define BONES "\"bones\":[{\"name\":\"a\"},{\"name\":\"b\",\"parent\":0}]"
#define VERTS "\"verts\":[[0,0],[8,0],[8,8]]"
#define UVS "\"uvs\":[[0,0],[1,0],[1,1]]"
#define MESH "\"mesh\":{" VERTS "," UVS ",\"tris\":[0,1,2]}"
#define GUID "9f6a1c9e-0000-8000-8000-000000000001"

static mrw_document* read_text(mrw_context* context, const char* text)
{
    mrw_document* document = NULL;
    mrw_error error = { 0 };
    if (!CHECK_EQ_INT(mrw_document_read_rig2d(context, text, strlen(text), NULL, &document, &error), MRW_OK)) {
        printf("    %s: %s in %s\n", error.path, error.message, text);
    }
    return document;
}

typedef struct repair {
    const char* text;
    mrw_result code;
    const char* path;
} repair;

// One repair each.
static const repair repairs[] = {
    // the root
    { "null", MRW_BAD_TYPE, "$" },
    { "[]", MRW_BAD_TYPE, "$" },
    { "\"rig\"", MRW_BAD_TYPE, "$" },
    { "{\"id\":\"hero\"}", MRW_BAD_REFERENCE, "$.id" },
    { "{\"id\":7}", MRW_BAD_TYPE, "$.id" },
    { "{\"version\":\"2\"}", MRW_BAD_TYPE, "$.version" },
    { "{\"version\":-1}", MRW_BAD_TYPE, "$.version" },
    { "{\"sprite\":\"hero.png\"}", MRW_BAD_REFERENCE, "$.sprite" },
    { "{\"sprite\":null}", MRW_BAD_TYPE, "$.sprite" },
    { "{\"parts\":\"x\"}", MRW_BAD_TYPE, "$.parts" },
    { "{\"sprite\":\"\",\"sprite\":\"\"}", MRW_DUPLICATE, "$.sprite" },
    { "{\"assets\":[]}", MRW_BAD_TYPE, "$.assets" },
    { "{\"assets\":{\"" GUID "\":1}}", MRW_BAD_TYPE, "$.assets[\"" GUID "\"]" },
    { "{\"assets\":{\"hero\":\"hero.png\"}}", MRW_BAD_REFERENCE, "$.assets.hero" },
    { "{\"assets\":{\"" GUID "\":\"../hero.png\"}}", MRW_BAD_REFERENCE, "$.assets[\"" GUID "\"]" },
    { "{\"assets\":{\"" GUID "\":\"https://example.org/hero.png\"}}", MRW_BAD_REFERENCE, "$.assets[\"" GUID "\"]" },
    // bones
    { "{\"bones\":{}}", MRW_BAD_TYPE, "$.bones" },
    { "{\"bones\":[{},7]}", MRW_BAD_TYPE, "$.bones[1]" },
    { "{\"bones\":[{\"name\":\"\"}]}", MRW_BAD_VALUE, "$.bones[0].name" },
    { "{\"bones\":[{\"name\":7}]}", MRW_BAD_TYPE, "$.bones[0].name" },
    { "{\"bones\":[{\"parent\":\"0\"}]}", MRW_BAD_TYPE, "$.bones[0].parent" },
    { "{\"bones\":[{\"parent\":0.5}]}", MRW_BAD_TYPE, "$.bones[0].parent" },
    { "{\"bones\":[{\"parent\":99}]}", MRW_BAD_REFERENCE, "$.bones[0].parent" },
    { "{\"bones\":[{\"parent\":-7}]}", MRW_BAD_REFERENCE, "$.bones[0].parent" },
    { "{\"bones\":[{\"parent\":1e300}]}", MRW_BAD_REFERENCE, "$.bones[0].parent" },
    { "{\"bones\":[{},{\"parent\":1}]}", MRW_CYCLE, "$.bones[1].parent" },
    { "{\"bones\":[{\"parent\":1},{\"parent\":0}]}", MRW_CYCLE, "$.bones[1].parent" },
    { "{\"bones\":[{\"x\":\"1.5\"}]}", MRW_BAD_TYPE, "$.bones[0].x" },
    { "{\"bones\":[{\"y\":null}]}", MRW_BAD_TYPE, "$.bones[0].y" },
    { "{\"bones\":[{\"rot\":true}]}", MRW_BAD_TYPE, "$.bones[0].rot" },
    { "{\"bones\":[{\"x\":1e999}]}", MRW_BAD_VALUE, "$.bones[0].x" },
    { "{\"bones\":[{\"x\":-1e39}]}", MRW_BAD_VALUE, "$.bones[0].x" },
    { "{\"bones\":[{\"x\":2e9}]}", MRW_BAD_VALUE, "$.bones[0].x" },
    { "{\"bones\":[{\"name\":\"a\"},{\"name\":\"b\"},{\"name\":\"a\"}]}", MRW_DUPLICATE, "$.bones[2].name" },
    { "{\"bones\":[{\"name\":\"bone1\"},{}]}", MRW_DUPLICATE, "$.bones[1].name" },
    { "{\"parts\":[{\"name\":\"a\"},{\"name\":\"b\"},{\"name\":\"a\"}]}", MRW_DUPLICATE, "$.parts[2].name" },
    { "{\"parts\":[{\"name\":\"part1\"},{}]}", MRW_DUPLICATE, "$.parts[1].name" },
    { "{\"bones\":[{\"noScale\":1}]}", MRW_BAD_TYPE, "$.bones[0].noScale" },
    // mesh
    { "{\"mesh\":[]}", MRW_BAD_TYPE, "$.mesh" },
    { "{\"mesh\":{\"verts\":7}}", MRW_BAD_TYPE, "$.mesh.verts" },
    { "{\"mesh\":{\"uvs\":7}}", MRW_BAD_TYPE, "$.mesh.uvs" },
    { "{\"mesh\":{\"tris\":7}}", MRW_BAD_TYPE, "$.mesh.tris" },
    { "{\"mesh\":{" VERTS "}}", MRW_BAD_COUNT, "$.mesh" },
    { "{\"mesh\":{" VERTS ",\"uvs\":[[0,0]]}}", MRW_BAD_COUNT, "$.mesh.uvs" },
    { "{\"mesh\":{" UVS "}}", MRW_BAD_COUNT, "$.mesh.uvs" },
    { "{\"mesh\":{\"verts\":[7,[8,0],[8,8]]," UVS "}}", MRW_BAD_TYPE, "$.mesh.verts[0]" },
    { "{\"mesh\":{\"verts\":[[0,0],[8],[8,8]]," UVS "}}", MRW_BAD_COUNT, "$.mesh.verts[1]" },
    { "{\"mesh\":{\"verts\":[[0,0],[8,0,1],[8,8]]," UVS "}}", MRW_BAD_COUNT, "$.mesh.verts[1]" },
    { "{\"mesh\":{\"verts\":[[0,0],[8,\"\"],[8,8]]," UVS "}}", MRW_BAD_TYPE, "$.mesh.verts[1][1]" },
    { "{\"mesh\":{\"verts\":[[0,0],[8,-3e38],[8,8]]," UVS "}}", MRW_BAD_VALUE, "$.mesh.verts[1][1]" },
    { "{\"mesh\":{" VERTS ",\"uvs\":[[0,0],[1,0],[{},1]]}}", MRW_BAD_TYPE, "$.mesh.uvs[2][0]" },
    { "{\"mesh\":{" VERTS "," UVS ",\"tris\":[0,1,3]}}", MRW_BAD_INDEX, "$.mesh.tris[2]" },
    { "{\"mesh\":{" VERTS "," UVS ",\"tris\":[0,-1,4294967297]}}", MRW_BAD_INDEX, "$.mesh.tris[1]" },
    { "{\"mesh\":{" VERTS "," UVS ",\"tris\":[0,1.5,2]}}", MRW_BAD_VALUE, "$.mesh.tris[1]" },
    { "{\"mesh\":{" VERTS "," UVS ",\"tris\":[0,1,null,2]}}", MRW_BAD_TYPE, "$.mesh.tris[2]" },
    { "{\"mesh\":{" VERTS "," UVS ",\"tris\":[0,1,2,0,1]}}", MRW_BAD_COUNT, "$.mesh.tris" },
    // weights
    { "{" BONES "," MESH ",\"skinIndices\":7}", MRW_BAD_TYPE, "$.skinIndices" },
    { "{" BONES "," MESH ",\"skinWeights\":\"x\"}", MRW_BAD_TYPE, "$.skinWeights" },
    { "{" BONES "," MESH ",\"skinIndices\":[0,0,0,0,1,0,0,0]}", MRW_BAD_COUNT, "$.skinIndices" },
    { "{" BONES "," MESH ",\"skinIndices\":[0,0,0,0,1,0,0,0,1,0,0,0,1]}", MRW_BAD_COUNT, "$.skinIndices" },
    { "{" BONES "," MESH ",\"skinIndices\":[0,0,0,0,1,0,0,0,1,0,0,2]}", MRW_BAD_INDEX, "$.skinIndices[11]" },
    { "{" BONES "," MESH ",\"skinIndices\":[0,0,0,0,1,0,0,0,-1,0,0,0]}", MRW_BAD_INDEX, "$.skinIndices[8]" },
    { "{" BONES "," MESH ",\"skinIndices\":[0,0,0,0,1,0,0,0.5,1,0,0,0]}", MRW_BAD_TYPE, "$.skinIndices[7]" },
    { "{" BONES "," MESH ",\"skinWeights\":[1,0,0,0,1,0,0,0,1,0,0,0]}", MRW_BAD_COUNT, "$.skinWeights" },
    { "{\"skinWeights\":[1,0,0,0]}", MRW_BAD_COUNT, "$.skinWeights" },
#define SKIN ",\"skinIndices\":[0,0,0,0,1,0,0,0,1,0,0,0],\"skinWeights\":"
    { "{" BONES "," MESH SKIN "[1,0,0,0,1,0,0,0,1,0,0,null]}", MRW_BAD_TYPE, "$.skinWeights[11]" },
    { "{" BONES "," MESH SKIN "[1,0,0,-0.5,1,0,0,0,1,0,0,0]}", MRW_BAD_VALUE, "$.skinWeights[3]" },
    { "{" BONES "," MESH SKIN "[1,1e999,0,0,1,0,0,0,1,0,0,0]}", MRW_BAD_VALUE, "$.skinWeights[1]" },
    { "{" BONES "," MESH SKIN "[1,0,0,0,0,0,0,0,1,0,0,0]}", MRW_BAD_VALUE, "$.skinWeights[4]" },
    { "{" BONES "," MESH SKIN "[1,0,0,0,1,0,0,0,1,0.03,0,0]}", MRW_BAD_VALUE, "$.skinWeights[8]" },
    // parts
    { "{\"parts\":[7]}", MRW_BAD_TYPE, "$.parts[0]" },
    { "{\"parts\":[{\"name\":\"\"}]}", MRW_BAD_VALUE, "$.parts[0].name" },
    { "{\"parts\":[{},{\"sprite\":\"x\"}]}", MRW_BAD_REFERENCE, "$.parts[1].sprite" },
    { "{\"parts\":[{\"order\":\"3\"}]}", MRW_BAD_TYPE, "$.parts[0].order" },
    { "{\"parts\":[{\"visible\":0}]}", MRW_BAD_TYPE, "$.parts[0].visible" },
    { "{\"parts\":[{\"blend\":\"darken\"}]}", MRW_BAD_VALUE, "$.parts[0].blend" },
    { "{\"parts\":[{},{\"mesh\":{" VERTS "," UVS ",\"tris\":[0,1,3]}}]}", MRW_BAD_INDEX, "$.parts[1].mesh.tris[2]" },
};

TEST(each_repair_is_a_warning_with_its_place)
{
    mrw_context* context = mrw_context_create(NULL);
    for (size_t i = 0; i < sizeof repairs / sizeof repairs[0]; i++) {
        mrw_document* document = read_text(context, repairs[i].text);
        REQUIRE(document != NULL);
        const mrw_warning* warnings;
        if (!CHECK_EQ_INT(mrw_document_warnings(document, &warnings), 1)) {
            printf("    in %s\n", repairs[i].text);
        } else if (!CHECK_EQ_INT(warnings[0].code, repairs[i].code) || !CHECK_STR(warnings[0].path, repairs[i].path)) {
            printf("    in %s\n", repairs[i].text);
        }
        CHECK_EQ_INT(mrw_document_model(document)->warning_count, 1);
        mrw_document_release(document);
    }
    mrw_context_destroy(context);
}

TEST(only_paths_inside_the_folder_are_inside)
{
    static const char* const inside[] = { "a.png", "./a.png", "a/b/../../c.png", "a//b.png", "...", "..a/b", ".a", "%2e/a", "a?/../b", "?a",
        "#a", "c.d/e", "1:a", "a/c:b", "%2", "a%2e%2e/../b" };
    static const char* const outside[] = { "", "..", "../a.png", "a/../../b", "./../a", "/a", "\\a", "//host/a", "..\\a", "a\\..\\..\\b",
        "%2e%2e/a", ".%2E/a", "C:\\a", "c:/a", "c|/a", "file:a", "http://host/a", "data:,", "a+b-c.d:e", "a?/../../b", "a#/../..", " ../a",
        " a", "a\n/../../b", "\t/a" };
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++) {
        if (!CHECK(mrwi_asset_path_is_inside(inside[i]))) {
            printf("    %s\n", inside[i]);
        }
    }
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        if (!CHECK(!mrwi_asset_path_is_inside(outside[i]))) {
            printf("    %s\n", outside[i]);
        }
    }
}

TEST(coordinates_have_a_bound)
{
    mrw_context* context = mrw_context_create(NULL);
    mrw_document* document
        = read_text(context, "{\"bones\":[{\"x\":-3e38,\"y\":1e9}],\"mesh\":{\"verts\":[[1e38,-2]],\"uvs\":[[1e38,0]]}}");
    const mrw_model_desc* model = mrw_document_model(document);
    CHECK(model->nodes[0].x == -1e9 && model->nodes[0].y == 1e9);
    CHECK(model->meshes[0].positions[0] == 1e9f && model->meshes[0].positions[1] == -2 && model->meshes[0].uvs[0] == 1e38f);
    mrw_document_release(document);
    mrw_context_destroy(context);
}

TEST(a_clip_is_no_rig)
{
    mrw_context* context = mrw_context_create(NULL);
    mrw_document* document = NULL;
    mrw_error error = { 0 };
    const char* clip = "{\"name\":\"walk\",\"tracks\":[]}";
    CHECK_EQ_INT(mrw_document_read_rig2d(context, clip, strlen(clip), NULL, &document, &error), MRW_BAD_TYPE);
    CHECK(document == NULL);
    CHECK_STR(error.path, "$");
    CHECK_STR(error.message, "a clip (.anim.json), where a rig (.rig2d.json) is expected");
    mrw_document_release(read_text(context, "{\"bones\":[],\"tracks\":[]}"));
    mrw_context_destroy(context);
}

TEST(reading_strictly_makes_the_first_repair_the_error)
{
    mrw_context* context = mrw_context_create(NULL);
    const mrw_load_options strict = { .strict = true };
    for (size_t i = 0; i < sizeof repairs / sizeof repairs[0]; i++) {
        // A line of its own in front, so that the place is not where everything begins.
        char text[1024];
        snprintf(text, sizeof text, "\n%s", repairs[i].text);
        mrw_document* document = NULL;
        mrw_error error = { 0 };
        CHECK_EQ_INT(mrw_document_read_rig2d(context, text, strlen(text), &strict, &document, &error), repairs[i].code);
        CHECK(document == NULL);
        CHECK_EQ_INT(error.code, repairs[i].code);
        CHECK_STR(error.path, repairs[i].path);
        CHECK_EQ_INT(error.line, 2);
        mrw_model_id id = { 1 };
        CHECK_EQ_INT(mrw_model_load_rig2d(context, text, strlen(text), &strict, &id, NULL), repairs[i].code);
        CHECK_EQ_INT(id.value, 0);
    }
    // line 3, where `-0.5` stands
    static const char text[] = "{" BONES "," MESH SKIN "\n[1,0,0,0,\n 1,0,0,-0.5,\n1,0,0,0]}";
    mrw_document* document = NULL;
    mrw_error error = { 0 };
    CHECK_EQ_INT(mrw_document_read_rig2d(context, text, sizeof text - 1, &strict, &document, &error), MRW_BAD_VALUE);
    CHECK_EQ_INT(error.line, 3);
    CHECK_EQ_INT(error.column, 8);
    CHECK_STR(error.path, "$.skinWeights[7]");
    mrw_context_destroy(context);
}

TEST(sound_files_have_no_warning)
{
    static const char* const texts[] = {
        "{}",
        "{\"id\":\"\",\"sprite\":\"\",\"parts\":[]}",
        "{\"id\":\"" GUID "\",\"version\":1,\"sprite\":\"" GUID "\"," BONES "," MESH "}",
        "{" BONES "," MESH ",\"skinIndices\":[0,0,0,0,1,0,0,0,1,0,0,0]}",
        "{" BONES "," MESH SKIN "[1,0,0,0,0.99,0,0,0,0.333,0.333,0.333,0]}",
        "{\"bones\":[{\"parent\":-1,\"noScale\":true}],\"unknown\":{\"a\":[1]},\"assets\":{\"" GUID "\":\"a.png\"}}",
        "{\"parts\":[{\"blend\":\"screen\",\"visible\":false,\"order\":-1.5}],\"mesh\":7,\"skinWeights\":\"not read in version 2\"}",
    };
    mrw_context* context = mrw_context_create(NULL);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        mrw_document* document = NULL;
        mrw_error error = { 0 };
        const mrw_load_options strict = { .strict = true };
        if (!CHECK_EQ_INT(mrw_document_read_rig2d(context, texts[i], strlen(texts[i]), &strict, &document, &error), MRW_OK)) {
            printf("    %s: %s in %s\n", error.path, error.message, texts[i]);
        }
        mrw_document_release(document);
    }
    mrw_context_destroy(context);
}

TEST(bad_text_is_an_error_with_line_and_column)
{
    static const struct {
        const char* text;
        mrw_result code;
        int32_t line;
    } cases[] = {
        { "", MRW_BAD_JSON, 1 },
        { "{\"bones\":\n[1,]}", MRW_BAD_JSON, 2 },
        { "{}\n{}", MRW_BAD_JSON, 2 },
        { "{\"bones\":[{\"name\":\"\xff\"}]}", MRW_BAD_UTF8, 1 },
    };
    mrw_context* context = mrw_context_create(NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        mrw_document* document = NULL;
        mrw_error error = { 0 };
        CHECK_EQ_INT(mrw_document_read_rig2d(context, cases[i].text, strlen(cases[i].text), NULL, &document, &error), cases[i].code);
        CHECK(document == NULL);
        CHECK_EQ_INT(error.line, cases[i].line);
        CHECK(error.column > 0);
    }
    mrw_context_destroy(context);
}

TEST(a_file_of_one_part)
{
    static const char text[]
        = "{\"id\":\"" GUID "\",\"version\":1.5,\"sprite\":\"pic\",\"note\":\"x\","
          "\"bones\":[{\"name\":\"a\",\"x\":1.5,\"y\":-2,\"rot\":0.25,\"noScale\":true,\"tag\":[1, 2]},{\"parent\":99}],"
          "\"mesh\":{" VERTS "," UVS ",\"tris\":[0,1,2],\"kind\":\"grid\"}"
          ",\"skinIndices\":[0,1,0,0,1,9,0,0,1,0,0,0],\"skinWeights\":[2,2,0,0,-1,0.25,0,0,0,0,0,0],"
          "\"assets\":{\"" GUID "\":\"p.png\"}}";
    static const uint32_t joints[12] = { 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0 };
    static const double weights[12] = { 2, 2, 0, 0, 0, 0.25, 0, 0, 0, 0, 0, 0 };
    mrw_context* context = mrw_context_create(NULL);
    mrw_document* document = read_text(context, text);
    REQUIRE(document != NULL);
    const mrw_model_desc* desc = mrw_document_model(document);
    CHECK_STR(desc->id, GUID);
    CHECK_EQ_INT(desc->file_version, 1);
    CHECK_NEAR(desc->stated_version, 1.5, 0);
    CHECK_STR(desc->extras, "\"note\":\"x\"");
    REQUIRE(desc->node_count == 2 && desc->part_count == 1 && desc->mesh_count == 1 && desc->skin_count == 1 && desc->asset_count == 1);
    CHECK_STR(desc->nodes[0].name, "a");
    CHECK_STR(desc->nodes[0].extras, "\"tag\":[1,2]");
    CHECK_NEAR(desc->nodes[0].x, 1.5, 0);
    CHECK_NEAR(desc->nodes[0].y, -2, 0);
    CHECK_NEAR(desc->nodes[0].rotation, 0.25, 0);
    CHECK(desc->nodes[0].no_scale && !desc->nodes[1].no_scale);
    CHECK_EQ_INT(desc->nodes[0].parent, -1);
    CHECK_STR(desc->nodes[1].name, "bone1");
    CHECK_EQ_INT(desc->nodes[1].parent, 99);
    CHECK_STR(desc->parts[0].name, "main");
    CHECK_STR(desc->parts[0].sprite, "pic");
    CHECK_STR(desc->parts[0].mesh_extras, "\"kind\":\"grid\"");
    CHECK(desc->parts[0].extras == NULL);
    CHECK_STR(desc->assets[0].path, "p.png");
    const mrw_mesh_desc* mesh = &desc->meshes[0];
    CHECK_EQ_INT(mesh->vertex_count, 3);
    CHECK_EQ_INT(mesh->positions[4], 8);
    CHECK_EQ_INT(mesh->index_count, 3);
    // What is out of range is repaired, but nothing is normalised.
    CHECK_EQ_INT(mesh->influence_count, 12);
    CHECK_EQ_INT(mesh->influence_first[3], 12);
    CHECK_BYTES(mesh->influence_joint, joints, sizeof joints);
    CHECK_BYTES(mesh->influence_weight, weights, sizeof weights);
    CHECK(mrw_document_clip(document) == NULL);
    mrw_document_release(document);
    mrw_context_destroy(context);
}

TEST(a_file_of_several_parts)
{
    static const char text[] = "{\"sprite\":\"ignored\"," BONES ",\"mesh\":{},\"parts\":["
                               "{\"name\":\"front\",\"sprite\":\"" GUID "\",\"order\":5,\"blend\":\"add\",\"glow\":1," MESH "},"
                               "{\"visible\":false},"
                               "{\"visible\":\"false\",\"order\":\"x\",\"mesh\":{}}]}";
    mrw_context* context = mrw_context_create(NULL);
    mrw_document* document = read_text(context, text);
    REQUIRE(document != NULL);
    const mrw_model_desc* desc = mrw_document_model(document);
    CHECK_EQ_INT(desc->file_version, 2);
    CHECK(desc->stated_version < 0);
    // The members of version 1 are kept, as unknown ones are.
    CHECK_STR(desc->extras, "\"sprite\":\"ignored\",\"mesh\":{}");
    REQUIRE(desc->part_count == 3 && desc->mesh_count == 2);
    CHECK_STR(desc->parts[0].name, "front");
    CHECK_STR(desc->parts[0].extras, "\"glow\":1");
    CHECK_EQ_INT(desc->parts[0].blend, MRW_BLEND_ADD);
    CHECK_NEAR(desc->parts[0].order, 5, 0);
    CHECK_EQ_INT(desc->parts[0].mesh, 0);
    CHECK_STR(desc->parts[1].name, "part1");
    CHECK_STR(desc->parts[1].sprite, "");
    CHECK_NEAR(desc->parts[1].order, 1, 0);
    CHECK(desc->parts[1].hidden && !desc->parts[2].hidden);
    CHECK_EQ_INT(desc->parts[1].mesh, -1);
    CHECK_NEAR(desc->parts[2].order, 2, 0);
    CHECK_EQ_INT(desc->parts[2].mesh, 1);
    CHECK_EQ_INT(desc->meshes[1].vertex_count, 0);
    // No weights at all: every vertex on the first bone.
    CHECK_NEAR(desc->meshes[0].influence_weight[8], 1, 0);
    CHECK_NEAR(desc->meshes[0].influence_weight[9], 0, 0);
    mrw_document_release(document);
    mrw_context_destroy(context);
}

TEST(triangles_keep_their_order_when_one_is_dropped)
{
    // 9 is out of range, "1" is left out and shifts what follows, the rest is incomplete.
    static const char text[] = "{\"mesh\":{" VERTS "," UVS ",\"tris\":[2,1,0, 0,9,1, \"1\",1,2,0.9, 1]}}";
    static const uint32_t expected[6] = { 2, 1, 0, 1, 2, 0 };
    mrw_context* context = mrw_context_create(NULL);
    mrw_document* document = read_text(context, text);
    REQUIRE(document != NULL);
    const mrw_mesh_desc* mesh = &mrw_document_model(document)->meshes[0];
    REQUIRE(mesh->index_count == 6);
    CHECK_BYTES(mesh->indices, expected, sizeof expected);
    const mrw_warning* warnings;
    REQUIRE(mrw_document_warnings(document, &warnings) == 4);
    CHECK_STR(warnings[0].path, "$.mesh.tris[4]");
    CHECK_STR(warnings[1].path, "$.mesh.tris[6]");
    CHECK_STR(warnings[2].path, "$.mesh.tris[9]");
    CHECK_STR(warnings[3].path, "$.mesh.tris");
    mrw_document_release(document);
    mrw_context_destroy(context);
}

TEST(limits_of_the_context_hold)
{
    mrw_context* context = mrw_context_create(&(mrw_context_desc) { .limits = { .nodes = 1, .vertices = 5 } });
    static const char bones[] = "{\"bones\":[{},{}]}";
    static const char verts[] = "{\"parts\":[{" MESH "},{" MESH "}]}";
    mrw_document* document = NULL;
    mrw_error error;
    CHECK_EQ_INT(mrw_document_read_rig2d(context, bones, sizeof bones - 1, NULL, &document, &error), MRW_LIMIT);
    CHECK_STR(error.path, "$.bones");
    CHECK_EQ_INT(mrw_document_read_rig2d(context, verts, sizeof verts - 1, NULL, &document, &error), MRW_LIMIT);
    CHECK_STR(error.path, "$.parts[1].mesh.verts");
    CHECK(document == NULL);
    mrw_context_destroy(context);
}

TEST(text_is_read_as_a_number_like_in_javascript)
{
    static const struct {
        const char* text;
        bool is_number;
        double value;
    } cases[] = {
        { "", true, 0 },
        { "  ", true, 0 },
        { "12", true, 12 },
        { " 4.5\n", true, 4.5 },
        { "-3e2", true, -300 },
        { "+.5", true, 0.5 },
        { "5.", true, 5 },
        { "007", true, 7 },
        { "1E+2", true, 100 },
        { "0x1F", true, 31 },
        { "0b101", true, 5 },
        { "0o17", true, 15 },
        { "0.1", true, 0.1 },
        { "-0x1", false, 0 },
        { "0x", false, 0 },
        { "0b2", false, 0 },
        { "x", false, 0 },
        { "1 2", false, 0 },
        { ".", false, 0 },
        { "-", false, 0 },
        { "1e", false, 0 },
        { "e5", false, 0 },
        { "1.2.3", false, 0 },
        { "1,5", false, 0 },
        { "Infinity", false, 0 },
        { "1e999", false, 0 },
        { "--1", false, 0 },
        { "NaN", false, 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value = -77;
        if (!CHECK_EQ_INT(mrwi_coerce_text(cases[i].text, &value), cases[i].is_number)) {
            printf("    for \"%s\"\n", cases[i].text);
        }
        CHECK_NEAR(value, cases[i].is_number ? cases[i].value : -77, 0);
    }
}

TEST(the_list_of_repairs_has_an_end)
{
    mrw_context* context = mrw_context_create(NULL);
    char text[8192];
    size_t size = (size_t)snprintf(text, sizeof text, "{\"bones\":[");
    for (int i = 0; i < 1500; i++) {
        size += (size_t)snprintf(text + size, sizeof text - size, "%s7", i > 0 ? "," : "");
    }
    snprintf(text + size, sizeof text - size, "]}");
    mrw_model_id id;
    REQUIRE(mrw_model_load_rig2d(context, text, strlen(text), NULL, &id, NULL) == MRW_OK);
    const mrwi_model* model = mrwi_model_get(context, id);
    REQUIRE(model->warning_count == 1001);
    CHECK_STR(model->warnings[999].path, "$.bones[999]");
    CHECK_EQ_INT(model->warnings[1000].code, MRW_LIMIT);
    CHECK_STR(model->warnings[1000].message, "500 more repairs are not listed");
    mrw_context_destroy(context);
}

static mrw_result attempt_load(mrw_context* context, void* text)
{
    mrw_model_id id;
    mrw_error error = { 0 };
    mrw_result result = mrw_model_load_rig2d(context, text, strlen(text), NULL, &id, &error);
    CHECK_EQ_INT(error.code, result);
    if (result != MRW_OK) {
        CHECK_EQ_INT(id.value, 0);
        return result;
    }
    char* description;
    size_t size;
    result = mrw_model_describe(context, id, &description, &size);
    CHECK((description == NULL) == (result != MRW_OK));
    mrw_text_release(context, description, size);
    CHECK_EQ_INT(mrw_model_release(context, id), MRW_OK);
    return result;
}

static char rig_of_all[] = "{\"id\":\"" GUID "\",\"version\":2,\"note\":1," BONES ",\"assets\":{\"" GUID "\":\"a.png\"},\"parts\":["
                           "{\"name\":\"front\",\"sprite\":\"" GUID "\",\"order\":5,\"visible\":false,\"extra\":[1,2]," MESH SKIN
                           "[1,0,0,0,0.5,0.5,0,0,1,0,0,0]},"
                           "{\"name\":\"back\",\"sprite\":\"b.png\",\"mesh\":{" VERTS "," UVS ",\"tris\":[0,1,7],\"more\":{}}}]}";

TEST(every_failed_allocation_of_a_load_is_a_result)
{
    FAILING_ALLOCATOR_SWEEP(attempt_load, rig_of_all);
}

TEST(a_file_cut_anywhere_is_bad_json_and_leaves_nothing)
{
    mrw_context* context = mrw_context_create(NULL);
    size_t memory = mrw_context_memory(context);
    for (size_t size = 0; size < sizeof rig_of_all - 1; size++) {
        // A block of exactly this size, so that the sanitizer sees a read past the cut.
        char* bytes = malloc(size > 0 ? size : 1);
        REQUIRE(bytes != NULL);
        memcpy(bytes, rig_of_all, size);
        mrw_model_id id;
        CHECK_EQ_INT(mrw_model_load_rig2d(context, bytes, size, NULL, &id, NULL), MRW_BAD_JSON);
        CHECK_EQ_INT(id.value, 0);
        free(bytes);
    }
    CHECK_EQ_INT(mrw_context_memory(context), memory);
    mrw_context_destroy(context);
}
