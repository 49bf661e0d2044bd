// The rig writer: what was read comes back, in one form, and a form that cannot hold the description is refused.
#include "support/desc_equal.h"
#include "support/failing_allocator.h"
#include "support/golden.h"

#include "model/document.h"

#include <stdio.h>

#define GUID "9f6a1c9e-0000-8000-8000-000000000001"

static mrw_document* read_bytes(mrw_context* context, const void* bytes, size_t size, bool strict)
{
    mrw_document* document = NULL;
    mrw_error error = { 0 };
    if (!CHECK_EQ_INT(mrw_document_read_rig2d(context, bytes, size, &(mrw_load_options) { strict }, &document, &error), MRW_OK)) {
        printf("    %s: %s\n", error.path, error.message);
    }
    return document;
}

// Writes, reads back strictly (what is left to repair after a round?), compares, and writes the same text again.
static void check_round_trip(mrw_context* context, mrw_document* document, bool strict)
{
    char *text = NULL, *again = NULL;
    size_t size = 0, again_size = 0;
    REQUIRE(CHECK_EQ_INT(mrw_document_write(document, &text, &size), MRW_OK));
    CHECK_EQ_INT(strlen(text), size);
    mrw_document* copy = read_bytes(context, text, size, strict);
    REQUIRE(copy != NULL);
    check_descs_equal(mrw_document_model(document), mrw_document_model(copy));
    REQUIRE(CHECK_EQ_INT(mrw_document_write(copy, &again, &again_size), MRW_OK));
    CHECK_STR(again, text);
    mrw_text_release(context, again, again_size);
    mrw_text_release(context, text, size);
    mrw_document_release(copy);
}

static bool is_rig(const mrwi_json_cursor* at)
{
    mrwi_json_cursor bones = mrwi_json_member(at, "bones");
    mrwi_json_cursor mesh = mrwi_json_member(at, "mesh");
    mrwi_json_cursor parts = mrwi_json_member(at, "parts");
    return mrwi_json_type_of(&bones) != MRWI_JSON_NONE
        && (mrwi_json_type_of(&mesh) != MRWI_JSON_NONE || mrwi_json_type_of(&parts) != MRWI_JSON_NONE);
}

// Every rig below `at`; returns how many there were.
static uint32_t round_trip_all(mrw_context* context, const mrwi_json_cursor* at, mrwi_arena* arena)
{
    uint32_t count = 0;
    if (is_rig(at)) {
        const char* text = NULL;
        CHECK_EQ_INT(mrwi_json_text(at, arena, &text), MRW_OK);
        mrw_document* document = read_bytes(context, text, strlen(text), false);
        if (document != NULL) {
            check_round_trip(context, document, false);
            mrw_document_release(document);
        }
        count++;
    }
    GOLDEN_EACH(child, *at)
    {
        count += round_trip_all(context, &child, arena);
    }
    return count;
}

TEST(every_rig_of_the_vector_files_comes_back)
{
    static const struct {
        const char* path;
        uint32_t rigs;
    } files[] = { { "autorig", 8 }, { "e2e", 2 }, { "hierarchy", 7 }, { "normalize", 33 }, { "rigedit", 28 } };
    for (size_t i = 0; i < 8 + sizeof files / sizeof files[0]; i++) {
        char path[64];
        if (i < 8) {
            snprintf(path, sizeof path, "golden/modoki/lbs-s0%d.json", (int)i);
        } else {
            snprintf(path, sizeof path, "golden/modoki/%s-s1.json", files[i - 8].path);
        }
        golden file = golden_open(path);
        mrwi_arena arena;
        mrwi_arena_init(&arena, file.context);
        CHECK_EQ_INT(round_trip_all(file.context, &file.root, &arena), i < 8 ? 1 : files[i - 8].rigs);
        mrwi_arena_release(&arena);
        golden_close(&file);
    }
}

TEST(a_file_in_our_own_form_stays_as_it_is)
{
    mrw_context* context = mrw_context_create(NULL);
    size_t size;
    const uint8_t* bytes = fixture_get("assets/bar/bar.rig2d.json", &size);
    mrw_document* document = read_bytes(context, bytes, size, true);
    REQUIRE(document != NULL);
    char* text;
    size_t text_size;
    REQUIRE(mrw_document_write(document, &text, &text_size) == MRW_OK);
    CHECK_STR(text, (const char*)bytes);
    mrw_text_release(context, text, text_size);
    mrw_document_release(document);
    mrw_context_destroy(context);
}

static void check_text(mrw_context* context, const char* read, const char* expected)
{
    mrw_document* document = read_bytes(context, read, strlen(read), false);
    char* text = NULL;
    size_t size = 0;
    REQUIRE(document != NULL);
    CHECK_EQ_INT(mrw_document_write(document, &text, &size), MRW_OK);
    CHECK_STR(text, expected);
    mrw_text_release(context, text, size);
    check_round_trip(context, document, true);
    mrw_document_release(document);
}

TEST(versions_extras_and_flags_come_back)
{
    mrw_context* context = mrw_context_create(NULL);
    // One part stays one part, several stay a list even if there is one; a stated version stays, a missing one stays missing.
    check_text(context, "{\"z\":[1,{\"b\" : 1.50}],\"bones\":[{\"name\":\"a\",\"x\":0.1,\"noScale\":true,\"tag\":null}],\"version\":7}",
        "{\n"
        "  \"version\": 7,\n"
        "  \"sprite\": \"\",\n"
        "  \"bones\": [\n"
        "    {\n"
        "      \"name\": \"a\",\n"
        "      \"parent\": -1,\n"
        "      \"x\": 0.1,\n"
        "      \"y\": 0,\n"
        "      \"rot\": 0,\n"
        "      \"noScale\": true,\n"
        "      \"tag\": null\n"
        "    }\n"
        "  ],\n"
        "  \"z\": [1,{\"b\":1.50}]\n"
        "}\n");
    check_text(context,
        "{\"parts\":[{\"visible\":false,\"blend\":\"screen\",\"order\":-0.5,\"e\":\"\\n\",\"sprite\":\"" GUID "\","
        "\"mesh\":{\"verts\":[[0.1,-2]],\"uvs\":[[0,1]],\"m\":{}},\"skinWeights\":[0.7,0.3,0,0],\"skinIndices\":[0,0,0,0]}],"
        "\"assets\":{\"" GUID "\":\"a \\\"b\\\".png\"}}",
        "{\n"
        "  \"bones\": [],\n"
        "  \"parts\": [\n"
        "    {\n"
        "      \"name\": \"part0\",\n"
        "      \"sprite\": \"" GUID "\",\n"
        "      \"order\": -0.5,\n"
        "      \"visible\": false,\n"
        "      \"blend\": \"screen\",\n"
        "      \"mesh\": {\n"
        "        \"verts\": [\n"
        "          [0.1,-2]\n"
        "        ],\n"
        "        \"uvs\": [\n"
        "          [0,1]\n"
        "        ],\n"
        "        \"tris\": [],\n"
        "        \"m\": {}\n"
        "      },\n"
        "      \"skinIndices\": [0,0,0,0],\n"
        "      \"skinWeights\": [0.7,0.3,0,0],\n"
        "      \"e\": \"\\n\"\n"
        "    }\n"
        "  ],\n"
        "  \"assets\": {\n"
        "    \"" GUID "\": \"a \\\"b\\\".png\"\n"
        "  }\n"
        "}\n");
    mrw_context_destroy(context);
}

// A description by hand: one triangle on two bones.
typedef struct hand {
    mrw_node_desc nodes[2];
    mrw_mesh_desc mesh;
    mrw_skin_desc skin;
    mrw_part_desc part;
    mrw_model_desc desc;
} hand;

static const float positions[6] = { 0, 0, 1, 0, 1, 1 };
static const uint32_t indices[3] = { 0, 1, 2 };
static const uint32_t first[4] = { 0, 1, 3, 3 };
static const uint32_t joint[8] = { 1, 0, 1 };
static const double weight[8] = { 1, 0.5, 0.5 };
static const double binds[12];
static const uint32_t swapped[2] = { 1, 0 };
static const uint32_t five_first[4] = { 0, 5, 6, 7 };

static hand* hand_begin(void)
{
    static hand h;
    h.nodes[0] = (mrw_node_desc) { .name = "a", .parent = -1 };
    h.nodes[1] = (mrw_node_desc) { .name = "b", .parent = 0 };
    h.mesh = (mrw_mesh_desc) { 3, 3, 3, positions, positions, indices, first, joint, weight };
    h.skin = (mrw_skin_desc) { 0 };
    h.part = (mrw_part_desc) { .name = "main", .sprite = "" };
    h.desc = (mrw_model_desc) { .node_count = 2,
        .mesh_count = 1,
        .skin_count = 1,
        .part_count = 1,
        .nodes = h.nodes,
        .meshes = &h.mesh,
        .skins = &h.skin,
        .parts = &h.part,
        .file_version = 1,
        .stated_version = -1 };
    return &h;
}

static char* write_hand(mrw_context* context, const hand* h, mrw_result expected, size_t* size)
{
    mrw_document* document = NULL;
    char* text = NULL;
    CHECK_EQ_INT(mrw_document_from_model_desc(context, &h->desc, &document), MRW_OK);
    CHECK_EQ_INT(mrw_document_write(document, &text, size), expected);
    CHECK((text != NULL) == (expected == MRW_OK));
    mrw_document_release(document);
    return text;
}

TEST(what_the_format_cannot_hold_is_refused)
{
    mrw_context* context = mrw_context_create(NULL);
    size_t size;
    hand* h = hand_begin();
    h->nodes[1].scale_x = h->nodes[1].scale_y = 2;
    write_hand(context, h, MRW_UNSUPPORTED, &size);
    h = hand_begin();
    h->skin.inverse_binds = binds;
    write_hand(context, h, MRW_UNSUPPORTED, &size);
    h = hand_begin();
    h->part.skin = -1;
    write_hand(context, h, MRW_UNSUPPORTED, &size);
    h = hand_begin();
    h->mesh.influence_first = NULL;
    write_hand(context, h, MRW_UNSUPPORTED, &size);
    h = hand_begin();
    h->mesh.influence_first = five_first;
    h->mesh.influence_count = 7;
    write_hand(context, h, MRW_UNSUPPORTED, &size);
    mrw_context_destroy(context);
}

TEST(slots_are_filled_up_to_four)
{
    mrw_context* context = mrw_context_create(NULL);
    size_t size;
    char* text = write_hand(context, hand_begin(), MRW_OK, &size);
    REQUIRE(text != NULL);
    CHECK(strstr(text, "\"skinIndices\": [1,0,0,0,0,1,0,0,0,0,0,0],") != NULL);
    CHECK(strstr(text, "\"skinWeights\": [1,0,0,0,0.5,0.5,0,0,0,0,0,0]\n") != NULL);
    mrw_text_release(context, text, size);
    // Joints of a skin with a list of its own become bones.
    hand* h = hand_begin();
    h->skin = (mrw_skin_desc) { 2, swapped, NULL };
    h->nodes[0].scale_x = h->nodes[0].scale_y = 1;
    text = write_hand(context, h, MRW_OK, &size);
    REQUIRE(text != NULL);
    CHECK(strstr(text, "\"skinIndices\": [0,0,0,0,1,0,0,0,0,0,0,0],") != NULL);
    mrw_text_release(context, text, size);
    mrw_context_destroy(context);
}

TEST(a_part_with_something_of_its_own_makes_version_2)
{
    static const mrw_part_desc parts[] = {
        { .name = "body", .sprite = "" },
        { .name = "main", .sprite = "", .order = 1 },
        { .name = "main", .sprite = "", .hidden = true },
        { .name = "main", .sprite = "", .blend = MRW_BLEND_ADD },
        { .name = "main", .sprite = "", .extras = "\"a\":1" },
    };
    mrw_context* context = mrw_context_create(NULL);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        hand* h = hand_begin();
        h->part = parts[i];
        size_t size;
        char* text = write_hand(context, h, MRW_OK, &size);
        REQUIRE(text != NULL);
        CHECK(strstr(text, "\"parts\"") != NULL);
        mrw_document* document = read_bytes(context, text, size, false);
        REQUIRE(document != NULL);
        CHECK_EQ_INT(mrw_document_model(document)->file_version, 2);
        CHECK(desc_parts_equal(&mrw_document_model(document)->parts[0], &parts[i]));
        mrw_document_release(document);
        mrw_text_release(context, text, size);
    }
    mrw_context_destroy(context);
}

static mrw_result attempt_write(mrw_context* context, void* unused)
{
    (void)unused;
    size_t size;
    const uint8_t* bytes = fixture_get("assets/bar/bar.rig2d.json", &size);
    mrw_document* document;
    mrw_result result = mrw_document_read_rig2d(context, bytes, size, NULL, &document, NULL);
    if (result != MRW_OK) {
        CHECK(document == NULL);
        return result;
    }
    char* text;
    result = mrw_document_write(document, &text, &size);
    CHECK((text == NULL) == (result != MRW_OK));
    mrw_text_release(context, text, size);
    mrw_document_release(document);
    return result;
}

TEST(every_failed_allocation_of_a_write_is_a_result)
{
    FAILING_ALLOCATOR_SWEEP(attempt_write, NULL);
}
