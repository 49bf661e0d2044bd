// The description of a model, member by member.
#include "support/golden.h"

#include "model/model.h"

#include <stdlib.h>

#define GUID "9f6a1c9e-0000-8000-8000-000000000001"

// Bones are listed child first; part "b" lies behind "a" and shows no picture.
static const char rig[]
    = "{\"id\":\"" GUID "\",\"bones\":[{\"name\":\"tip\",\"parent\":1,\"x\":0.1,\"y\":2,\"noScale\":true},{\"name\":\"root\",\"parent\":-1,"
      "\"x\":1,\"rot\":1.5707963267948966}],\"assets\":{\"" GUID "\":\"a.png\"},\"parts\":[{\"name\":\"a\",\"sprite\":\"a.png\","
      "\"order\":3,\"blend\":\"multiply\",\"mesh\":{\"verts\":[[0,0],[8,0],[8,-4],[1,1]],\"uvs\":[[0,0],[1,0],[1,1],[0,0]],\"tris\":[0,1,2]"
      "},"
      "\"skinIndices\":[0,0,0,0,1,0,0,0,0,1,0,0,0,1,0,0],\"skinWeights\":[1,0,0,0,1,0,0,0,0.5,0.5,0,0,0.25,0.75,0,0]},"
      "{\"name\":\"b\",\"visible\":false,\"order\":1}]}";

static const char clip[]
    = "{\"id\":\"\",\"name\":\"wave\",\"duration\":2,\"frameRate\":30,\"loop\":false,\"tracks\":["
      "{\"path\":\"\",\"trait\":\"SkinnedSprite2D\",\"field\":\"color\",\"type\":\"color\",\"keys\":[{\"t\":0,\"v\":255}]},"
      "{\"path\":\"root\",\"trait\":\"Transform\",\"field\":\"x\",\"type\":\"number\",\"keys\":"
      "[{\"t\":0,\"v\":1,\"inTangent\":0,\"outTangent\":0},{\"t\":1,\"v\":2,\"inTangent\":0,\"outTangent\":0}]}],"
      "\"deformTracks\":[{\"path\":\"\",\"part\":\"a\",\"keys\":[{\"t\":0,\"offsets\":[1,2,0,0,0,0,0,0]}]}],"
      "\"events\":[{\"t\":0.5,\"name\":\"step\",\"data\":{\"foot\":[1]}},{\"t\":1,\"name\":\"end\"}]}";

// The text up to the member that holds the number of bytes, which no test can know.
static const char expected[]
    = "{\"id\":\"" GUID "\",\"fileVersion\":2,\"statedVersion\":null,\"bones\":["
      "{\"name\":\"tip\",\"parent\":1,\"x\":0.1,\"y\":2,\"rotation\":0,\"scaleX\":1,\"scaleY\":1,\"noScale\":true,\"node\":1,\"matrix\":M,"
      "\"inverseBind\":M},"
      "{\"name\":\"root\",\"parent\":-1,\"x\":1,\"y\":0,\"rotation\":1.5707964,\"scaleX\":1,\"scaleY\":1,\"noScale\":false,\"node\":0,"
      "\"matrix\":M,\"inverseBind\":M}],"
      "\"parts\":["
      "{\"name\":\"b\",\"sprite\":-1,\"order\":1,\"visible\":false,\"blend\":\"normal\",\"fileIndex\":1,\"vertexCount\":0,"
      "\"triangleCount\":0,\"maxInfluences\":0,\"firstVertex\":0,\"firstIndex\":0,\"indexCount\":0},"
      "{\"name\":\"a\",\"sprite\":0,\"order\":3,\"visible\":true,\"blend\":\"multiply\",\"fileIndex\":0,\"vertexCount\":4,"
      "\"triangleCount\":1,\"maxInfluences\":2,\"firstVertex\":4,\"firstIndex\":0,\"indexCount\":3}],"
      "\"sprites\":[{\"guid\":\"a.png\",\"isGuid\":false,\"page\":0}],"
      "\"clips\":[{\"name\":\"wave\",\"id\":\"\",\"duration\":2,\"frameRate\":30,\"loop\":false,\"tracks\":["
      "{\"path\":\"\",\"trait\":\"SkinnedSprite2D\",\"field\":\"color\",\"type\":\"color\",\"keyCount\":1},"
      "{\"path\":\"root\",\"trait\":\"Transform\",\"field\":\"x\",\"type\":\"number\",\"keyCount\":2}],"
      "\"deformTracks\":[{\"path\":\"\",\"part\":\"a\",\"keyCount\":1}],"
      "\"events\":[{\"time\":0.5,\"name\":\"step\",\"data\":{\"foot\":[1]}},{\"time\":1,\"name\":\"end\",\"data\":null}]}],"
      "\"warnings\":[{\"code\":\"BAD_REFERENCE\",\"path\":\"$.parts[0].sprite\",\"message\":\"not a GUID; it is taken as it stands\"}],"
      "\"assets\":[{\"guid\":\"" GUID "\",\"path\":\"a.png\"}],"
      "\"bounds\":{\"minX\":0,\"minY\":-4,\"maxX\":8,\"maxY\":1},"
      "\"vertexCount\":4,\"indexCount\":3,\"influenceCount\":6,\"maxInfluences\":2,\"influenceHistogram\":[0,2,2],\"memory\":";

// Copies text with every list behind "matrix" and "inverseBind" as M: those are compared as numbers.
static void hide_matrices(const char* text, char* out)
{
    while (*text != 0) {
        bool is_matrix = strncmp(text, "\"matrix\":[", 10) == 0 || strncmp(text, "\"inverseBind\":[", 15) == 0;
        size_t size = is_matrix ? (size_t)(strchr(text, '[') - text) : 1;
        memcpy(out, text, size);
        out += size;
        text += size;
        if (is_matrix) {
            *out++ = 'M';
            text = strchr(text, ']') + 1;
        }
    }
    *out = 0;
}

static void check_matrix(const mrwi_json_cursor* bone, const char* member, const double values[6])
{
    double numbers[6];
    mrwi_json_cursor list = mrwi_json_member(bone, member);
    REQUIRE(CHECK_EQ_INT(golden_numbers(&list, numbers, 6), 6));
    for (int i = 0; i < 6; i++) {
        CHECK_NEAR(numbers[i], values[i], 1e-12);
        CHECK(!signbit(numbers[i]) || numbers[i] != 0);
    }
}

TEST(a_model_describes_itself)
{
    mrw_context* context = mrw_context_create(NULL);
    mrw_model_id id;
    REQUIRE(mrw_model_load_rig2d(context, rig, sizeof rig - 1, NULL, &id, NULL) == MRW_OK);
    REQUIRE(CHECK_EQ_INT(mrw_model_add_clip(context, id, clip, sizeof clip - 1, NULL, NULL, NULL), MRW_OK));
    char* text = NULL;
    size_t size = 0;
    REQUIRE(CHECK_EQ_INT(mrw_model_describe(context, id, &text, &size), MRW_OK));
    CHECK_EQ_INT(strlen(text), size);
    char plain[4096];
    REQUIRE(size < sizeof plain);
    hide_matrices(text, plain);
    char* memory = strstr(plain, "\"memory\":");
    REQUIRE(memory != NULL);
    CHECK(strtod(memory + 9, NULL) > 1000);
    memory[9] = 0;
    CHECK_STR(plain, expected);

    mrwi_json* json;
    REQUIRE(mrwi_json_parse(context, text, size, true, &json, NULL) == MRW_OK);
    mrwi_json_cursor root = mrwi_json_root(json);
    mrwi_json_cursor bones = mrwi_json_member(&root, "bones");
    mrwi_json_cursor bone;
    // root: a quarter turn about (1, 0); tip: (0.1, 2) of it, so at (1 - 2, 0.1). The inverse turns back.
    static const double tip[6] = { 0, 1, -1, 0, -1, 0.1 }, tip_inverse[6] = { 0, -1, 1, 0, -0.1, -1 };
    static const double base[6] = { 0, 1, -1, 0, 1, 0 }, base_inverse[6] = { 0, -1, 1, 0, 0, 1 };
    REQUIRE(mrwi_json_first(&bones, &bone));
    check_matrix(&bone, "matrix", tip);
    check_matrix(&bone, "inverseBind", tip_inverse);
    REQUIRE(mrwi_json_next(&bone));
    check_matrix(&bone, "matrix", base);
    check_matrix(&bone, "inverseBind", base_inverse);
    mrwi_json_release(json);
    mrw_text_release(context, text, size);
    mrw_context_destroy(context);
}

TEST(a_stale_model_has_no_description)
{
    mrw_context* context = mrw_context_create(NULL);
    char* text = (char*)1;
    size_t size = 1;
    CHECK_EQ_INT(mrw_model_describe(context, (mrw_model_id) { 5 }, &text, &size), MRW_STALE);
    CHECK(text == NULL && size == 0);
    text = (char*)1;
    CHECK_EQ_INT(mrw_model_describe_cbor(context, (mrw_model_id) { 5 }, &text, &size), MRW_STALE);
    CHECK(text == NULL && size == 0);
    mrw_context_destroy(context);
}
