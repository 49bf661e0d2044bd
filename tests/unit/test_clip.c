// Clip files: what is read, repaired and written back, and how a clip is packed for a model.
#include "check.h"

#include "base/context.h"
#include "model/clip.h"
#include "model/document.h"
#include "model/model.h"
#include "support/failing_allocator.h"

#include <math.h>
#include <string.h>

// Bones 0 root, 1 arm, 2 arm (the one that counts), 3 hand on it. Part "a.b" is a quad, part "tip" a triangle.
static const char rig_text[]
    = "{\"version\":2,\"bones\":[{\"name\":\"root\",\"parent\":-1},{\"name\":\"arm\",\"parent\":0},{\"name\":\"arm\",\"parent\":0},"
      "{\"name\":\"hand\",\"parent\":2}],\"parts\":["
      "{\"name\":\"a.b\",\"sprite\":\"\",\"order\":5,\"mesh\":{\"verts\":[[0,0],[1,0],[1,1],[0,1]],\"uvs\":[[0,0],[1,0],[1,1],[0,1]],"
      "\"tris\":[0,1,2,0,2,3]},\"skinIndices\":[0,0,0,0,3,0,0,0,2,0,0,0,3,2,0,0],\"skinWeights\":[1,0,0,0,1,0,0,0,1,0,0,0,0.5,0.5,0,0]},"
      "{\"name\":\"tip\",\"sprite\":\"\",\"order\":1,\"mesh\":{\"verts\":[[0,0],[1,0],[1,1]],\"uvs\":[[0,0],[1,0],[1,1]],"
      "\"tris\":[0,1,2]},\"skinIndices\":[0,0,0,0,0,0,0,0,0,0,0,0],\"skinWeights\":[1,0,0,0,1,0,0,0,1,0,0,0]}]}";

static mrw_model_id load_rig(mrw_context* context)
{
    mrw_model_id model = { 0 };
    mrw_error error = { 0 };
    if (!CHECK_EQ_INT(mrw_model_load_rig2d(context, rig_text, strlen(rig_text), NULL, &model, &error), MRW_OK)) {
        CHECK_STR(error.message, "");
    }
    return model;
}

static mrw_document* read_clip(mrw_context* context, const char* text)
{
    mrw_document* document = NULL;
    mrw_error error = { 0 };
    if (!CHECK_EQ_INT(mrw_document_read_anim(context, text, strlen(text), NULL, &document, &error), MRW_OK)) {
        CHECK_STR(error.message, "");
    }
    return document;
}

TEST(every_repair_has_its_place)
{
    static const struct {
        const char *text, *path;
        mrw_result code;
    } repairs[] = {
        { "{\"id\":4}", "$.id", MRW_BAD_TYPE },
        { "{\"name\":[]}", "$.name", MRW_BAD_TYPE },
        { "{\"duration\":\"2\"}", "$.duration", MRW_BAD_TYPE },
        { "{\"duration\":1e10}", "$.duration", MRW_BAD_VALUE },
        { "{\"duration\":-0.5}", "$.duration", MRW_BAD_VALUE },
        { "{\"frameRate\":0}", "$.frameRate", MRW_BAD_VALUE },
        { "{\"loop\":1}", "$.loop", MRW_BAD_TYPE },
        { "{\"tracks\":{}}", "$.tracks", MRW_BAD_TYPE },
        { "{\"tracks\":[7]}", "$.tracks[0]", MRW_BAD_TYPE },
        { "{\"tracks\":[{\"path\":1}]}", "$.tracks[0].path", MRW_BAD_TYPE },
        { "{\"tracks\":[{\"type\":\"vector\"}]}", "$.tracks[0].type", MRW_UNKNOWN },
        { "{\"tracks\":[{\"keys\":3}]}", "$.tracks[0].keys", MRW_BAD_TYPE },
        { "{\"tracks\":[{\"keys\":[{\"t\":0,\"v\":1},null]}]}", "$.tracks[0].keys[1]", MRW_BAD_TYPE },
        { "{\"tracks\":[{\"keys\":[{\"v\":1}]}]}", "$.tracks[0].keys[0]", MRW_BAD_VALUE },
        { "{\"tracks\":[{\"keys\":[{\"t\":0}]}]}", "$.tracks[0].keys[0]", MRW_BAD_VALUE },
        { "{\"tracks\":[{\"keys\":[{\"t\":0,\"v\":true}]}]}", "$.tracks[0].keys[0].v", MRW_BAD_TYPE },
        { "{\"tracks\":[{\"keys\":[{\"t\":\"0\",\"v\":1}]}]}", "$.tracks[0].keys[0].t", MRW_BAD_TYPE },
        { "{\"tracks\":[{\"keys\":[{\"t\":2,\"v\":1},{\"t\":1,\"v\":2}]}]}", "$.tracks[0].keys", MRW_BAD_VALUE },
        { "{\"tracks\":[{\"type\":\"color\",\"keys\":[{\"t\":0,\"v\":16777216}]}]}", "$.tracks[0].keys[0].v", MRW_BAD_VALUE },
        { "{\"tracks\":[{\"keys\":[{\"t\":0,\"v\":1,\"outTangent\":null}]}]}", "$.tracks[0].keys[0].outTangent", MRW_BAD_VALUE },
        { "{\"tracks\":[{\"keys\":[{\"t\":0,\"v\":1,\"inWeight\":-1}]}]}", "$.tracks[0].keys[0].inWeight", MRW_BAD_VALUE },
        { "{\"tracks\":[{\"keys\":[{\"t\":0,\"v\":1,\"broken\":0}]}]}", "$.tracks[0].keys[0].broken", MRW_BAD_TYPE },
        { "{\"tracks\":[{\"keys\":[{\"t\":0,\"v\":1,\"tangentMode\":\"\"}]}]}", "$.tracks[0].keys[0].tangentMode", MRW_UNKNOWN },
        { "{\"tracks\":[{\"trait\":\"SkinnedSprite2D\",\"field\":\"opacity\",\"keys\":[{\"t\":0,\"v\":2}]}]}", "$.tracks[0].keys[0].v",
            MRW_BAD_VALUE },
        { "{\"tracks\":[{\"trait\":\"Part\",\"field\":\"a.b.opacity\",\"keys\":[{\"t\":0,\"v\":-1}]}]}", "$.tracks[0].keys[0].v",
            MRW_BAD_VALUE },
        { "{\"tracks\":[{\"trait\":\"Transform\",\"field\":\"sx\",\"keys\":[{\"t\":0,\"v\":1e30}]}]}", "$.tracks[0].keys[0].v",
            MRW_BAD_VALUE },
        { "{\"tracks\":[{\"keys\":[{\"t\":0,\"v\":1,\"inTangent\":-1e30}]}]}", "$.tracks[0].keys[0].inTangent", MRW_BAD_VALUE },
        { "{\"deformTracks\":[{\"keys\":[{\"t\":0,\"offsets\":[3e38]}]}]}", "$.deformTracks[0].keys[0].offsets[0]", MRW_BAD_VALUE },
        { "{\"deformTracks\":[{\"part\":0}]}", "$.deformTracks[0].part", MRW_BAD_TYPE },
        { "{\"deformTracks\":[{\"keys\":[{\"t\":0,\"offsets\":8}]}]}", "$.deformTracks[0].keys[0].offsets", MRW_BAD_TYPE },
        { "{\"deformTracks\":[{\"keys\":[{\"t\":0,\"offsets\":[1,\"x\"]}]}]}", "$.deformTracks[0].keys[0].offsets[1]", MRW_BAD_VALUE },
        { "{\"events\":[{\"t\":1,\"name\":\"b\"},{\"t\":0,\"name\":\"a\"}]}", "$.events", MRW_BAD_VALUE },
    };
    mrw_context* context = mrw_context_create(NULL);
    for (size_t i = 0; i < sizeof repairs / sizeof *repairs; i++) {
        const mrw_warning* warnings = NULL;
        mrw_document* document = read_clip(context, repairs[i].text);
        if (CHECK_EQ_INT(mrw_document_warnings(document, &warnings), 1)) {
            CHECK_STR(warnings[0].path, repairs[i].path);
            CHECK_EQ_INT(warnings[0].code, repairs[i].code);
        }
        mrw_document_release(document);
        mrw_error error = { 0 };
        size_t size = strlen(repairs[i].text);
        mrw_result result
            = mrw_document_read_anim(context, repairs[i].text, size, &(mrw_load_options) { .strict = true }, &document, &error);
        CHECK_EQ_INT(result, repairs[i].code);
        CHECK_STR(error.path, repairs[i].path);
        CHECK_EQ_INT(error.line, 1);
        CHECK(document == NULL);
    }
    mrw_context_destroy(context);
}

TEST(numbers_out_of_range_become_the_nearest)
{
    mrw_context* context = mrw_context_create(NULL);
    mrw_document* document = read_clip(context,
        "{\"tracks\":[{\"trait\":\"Part\",\"field\":\"a.opacity\",\"keys\":[{\"t\":0,\"v\":2},{\"t\":1,\"v\":-1},{\"t\":2,\"v\":0.5}]},"
        "{\"trait\":\"Transform\",\"field\":\"sx\",\"keys\":[{\"t\":0,\"v\":-1e30},{\"t\":1,\"v\":2}]}],"
        "\"deformTracks\":[{\"keys\":[{\"t\":0,\"offsets\":[3e38,-3]}]}]}");
    REQUIRE(document != NULL);
    const mrw_clip_desc* clip = mrw_document_clip(document);
    const mrw_key_desc* opacity = clip->tracks[0].keys;
    CHECK(opacity[0].value == 1 && opacity[1].value == 0 && opacity[2].value == 0.5);
    CHECK(clip->tracks[1].keys[0].value == -1e9 && clip->tracks[1].keys[1].value == 2);
    CHECK(clip->deform_tracks[0].keys[0].offsets[0] == 1e9f && clip->deform_tracks[0].keys[0].offsets[1] == -3);
    mrw_document_release(document);
    mrw_context_destroy(context);
}

TEST(a_rig_is_no_clip)
{
    mrw_context* context = mrw_context_create(NULL);
    mrw_document* document = NULL;
    mrw_error error = { 0 };
    CHECK_EQ_INT(mrw_document_read_anim(context, rig_text, strlen(rig_text), NULL, &document, &error), MRW_BAD_TYPE);
    CHECK(document == NULL);
    CHECK_STR(error.path, "$");
    CHECK_STR(error.message, "a rig (.rig2d.json), where a clip (.anim.json) is expected");
    // Members that only a rig has are no matter where those of a clip are.
    mrw_document_release(read_clip(context, "{\"bones\":[],\"tracks\":[]}"));
    mrw_context_destroy(context);
}

TEST(a_file_that_is_no_object_is_an_empty_clip)
{
    mrw_context* context = mrw_context_create(NULL);
    static const char* const texts[] = { "[]", "3", "null", "\"x\"" };
    for (size_t i = 0; i < 4; i++) {
        const mrw_warning* warnings = NULL;
        mrw_document* document = read_clip(context, texts[i]);
        CHECK_STR(mrw_document_clip(document)->name, "Clip");
        REQUIRE(CHECK_EQ_INT(mrw_document_warnings(document, &warnings), 1));
        CHECK_STR(warnings[0].path, "$");
        mrw_document_release(document);
    }
    mrw_context_destroy(context);
}

TEST(tracks_keep_their_place)
{
    mrw_context* context = mrw_context_create(NULL);
    mrw_document* document = read_clip(context, "{\"tracks\":[1,{\"path\":\"a\"}],\"deformTracks\":[null,{\"part\":\"b\"}]}");
    const mrw_clip_desc* clip = mrw_document_clip(document);
    REQUIRE(CHECK_EQ_INT(clip->track_count, 2) && CHECK_EQ_INT(clip->deform_track_count, 2));
    CHECK_STR(clip->tracks[0].path, "");
    CHECK_STR(clip->tracks[1].path, "a");
    CHECK_STR(clip->deform_tracks[1].part, "b");
    mrw_document_release(document);
    mrw_context_destroy(context);
}

TEST(keys_are_sorted_and_equal_times_keep_their_order)
{
    mrw_context* context = mrw_context_create(NULL);
    mrw_document* document = read_clip(context,
        "{\"tracks\":[{\"keys\":[{\"t\":3,\"v\":1},{\"t\":1,\"v\":2},{\"t\":3,\"v\":3},{\"t\":0,\"v\":4},{\"t\":1,\"v\":5},"
        "{\"t\":1,\"v\":6}]}]}");
    static const double values[6] = { 4, 2, 5, 6, 1, 3 };
    const mrw_clip_desc* clip = mrw_document_clip(document);
    REQUIRE(CHECK_EQ_INT(clip->tracks[0].key_count, 6));
    for (int i = 0; i < 6; i++) {
        CHECK(clip->tracks[0].keys[i].value == values[i]);
    }
    mrw_document_release(document);
    mrw_context_destroy(context);
}

TEST(a_hold_survives_as_the_constant_mode)
{
    mrw_context* context = mrw_context_create(NULL);
    mrw_document* document = read_clip(
        context, "{\"tracks\":[{\"keys\":[{\"t\":0,\"v\":1,\"tangentMode\":\"constant\",\"inTangent\":null,\"outTangent\":null}]}]}");
    const mrw_warning* warnings = NULL;
    CHECK_EQ_INT(mrw_document_warnings(document, &warnings), 0);
    CHECK(mrw_document_clip(document)->tracks[0].keys[0].out_tangent == INFINITY);
    char* text = NULL;
    size_t size = 0;
    REQUIRE(CHECK_EQ_INT(mrw_document_write(document, &text, &size), MRW_OK));
    CHECK(strstr(text, "\"outTangent\": null") != NULL);
    CHECK(strstr(text, "\"tangentMode\": \"constant\"") != NULL);
    mrw_text_release(context, text, size);
    mrw_document_release(document);
    mrw_context_destroy(context);
}

static const char full_text[]
    = "{\"id\":\"i\",\"name\":\"n\",\"duration\":2.5,\"frameRate\":24,\"loop\":false,\"mine\":{\"deep\":[1,2]},\"tracks\":[{\"path\":"
      "\"root/arm\",\"trait\":\"Transform\",\"field\":\"rz\",\"type\":\"number\",\"note\":\"hi\",\"keys\":[{\"t\":0.1,\"v\":0.3,"
      "\"inTangent\":-1,\"outTangent\":2.25,\"inWeight\":0.2,\"outWeight\":0.4,\"broken\":true,\"tangentMode\":\"free\",\"x\":1},{\"t\":1,"
      "\"v\":-2}]}],\"deformTracks\":[{\"path\":\"\",\"part\":\"tip\",\"k\":0,\"keys\":[{\"t\":0,\"offsets\":[0.1,-2,3],\"o\":null}]}],"
      "\"events\":[{\"t\":0.5,\"name\":\"step\",\"data\":{\"foot\":\"left\"},\"z\":2},{\"t\":0.75,\"name\":\"hit\"}]}";

TEST(what_is_read_is_written_back)
{
    mrw_context* context = mrw_context_create(NULL);
    mrw_document* document = read_clip(context, full_text);
    const mrw_warning* warnings = NULL;
    CHECK_EQ_INT(mrw_document_warnings(document, &warnings), 0);
    char* once = NULL;
    char* twice = NULL;
    size_t once_size = 0, twice_size = 0;
    REQUIRE(CHECK_EQ_INT(mrw_document_write(document, &once, &once_size), MRW_OK));
    mrw_document* again = read_clip(context, once);
    REQUIRE(CHECK_EQ_INT(mrw_document_write(again, &twice, &twice_size), MRW_OK));
    CHECK_STR(twice, once);
    static const char* const kept[]
        = { "\"mine\"", "\"deep\"", "\"note\": \"hi\"", "\"x\": 1", "\"k\": 0", "\"o\": null", "\"z\": 2", "\"foot\"", "\"loop\": false",
              "\"frameRate\": 24", "\"duration\": 2.5", "\"inWeight\": 0.2", "\"broken\": true", "\"offsets\": [0.1,-2,3]" };
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        if (!CHECK(strstr(once, kept[i]) != NULL)) {
            CHECK_STR(kept[i], "");
        }
    }
    const mrw_clip_desc* clip = mrw_document_clip(again);
    CHECK(clip->once && clip->tracks[0].keys[0].in_weight == 0.2 && clip->tracks[0].keys[1].in_weight < 0);
    CHECK_EQ_INT(clip->event_count, 2);
    mrw_text_release(context, once, once_size);
    mrw_text_release(context, twice, twice_size);
    mrw_document_release(document);
    mrw_document_release(again);
    mrw_context_destroy(context);
}

static uint32_t add(mrw_context* context, mrw_model_id model, const char* text, mrw_result expected)
{
    uint32_t index = 99;
    mrw_error error = { 0 };
    if (!CHECK_EQ_INT(mrw_model_add_clip(context, model, text, strlen(text), NULL, &index, &error), expected)) {
        CHECK_STR(error.message, "");
    }
    return index;
}

TEST(tracks_find_their_targets)
{
    static const struct {
        const char *path, *trait, *field, *type;
        mrwi_target target;
        int target_field, index;
        mrw_result warning;
    } tracks[] = {
        { "root", "Transform", "x", "number", MRWI_TARGET_NODE, MRW_FIELD_X, 0, MRW_OK },
        { "/root//arm/", "Transform", "rz", "number", MRWI_TARGET_NODE, MRW_FIELD_ROTATION, 2, MRW_OK },
        { "root/arm/hand", "Transform", "sy", "enum", MRWI_TARGET_NODE, MRW_FIELD_SCALE_Y, 3, MRW_OK },
        { "arm", "Transform", "x", "number", MRWI_TARGET_NODE, MRW_FIELD_X, -1, MRW_BAD_REFERENCE },
        { "root/Arm", "Transform", "x", "number", MRWI_TARGET_NODE, MRW_FIELD_X, -1, MRW_BAD_REFERENCE },
        { "root/ar", "Transform", "x", "number", MRWI_TARGET_NODE, MRW_FIELD_X, -1, MRW_BAD_REFERENCE },
        { "", "Transform", "x", "number", MRWI_TARGET_NONE, 0, 0, MRW_UNKNOWN },
        { "root", "Transform", "z", "number", MRWI_TARGET_NONE, 0, 0, MRW_UNKNOWN },
        { "root", "Transform", "x", "color", MRWI_TARGET_NONE, 0, 0, MRW_BAD_TYPE },
        { "", "SkinnedSprite2D", "color", "color", MRWI_TARGET_VIEW, MRWI_VIEW_COLOR, -1, MRW_OK },
        { "", "SkinnedSprite2D", "color", "number", MRWI_TARGET_NONE, 0, 0, MRW_BAD_TYPE },
        { "", "SkinnedSprite2D", "opacity", "number", MRWI_TARGET_VIEW, MRWI_VIEW_OPACITY, -1, MRW_OK },
        { "", "SkinnedSprite2D", "flipX", "boolean", MRWI_TARGET_VIEW, MRWI_VIEW_FLIP_X, -1, MRW_OK },
        { "", "SkinnedSprite2D", "flipY", "boolean", MRWI_TARGET_VIEW, MRWI_VIEW_FLIP_Y, -1, MRW_OK },
        { "", "SkinnedSprite2D", "isVisible", "boolean", MRWI_TARGET_VIEW, MRWI_VIEW_VISIBLE, -1, MRW_OK },
        { "root", "SkinnedSprite2D", "flipX", "boolean", MRWI_TARGET_NONE, 0, 0, MRW_UNKNOWN },
        { "", "Billboard3D", "mode", "enum", MRWI_TARGET_VIEW, MRWI_VIEW_MODE, -1, MRW_OK },
        { "", "Billboard3D", "anchor", "enum", MRWI_TARGET_VIEW, MRWI_VIEW_ANCHOR, -1, MRW_OK },
        { "", "Part", "a.b.color", "color", MRWI_TARGET_PART, MRWI_PART_COLOR, 1, MRW_OK },
        { "", "Part", "tip.visible", "boolean", MRWI_TARGET_PART, MRWI_PART_VISIBLE, 0, MRW_OK },
        { "", "Part", "tip.opacity", "number", MRWI_TARGET_PART, MRWI_PART_OPACITY, 0, MRW_OK },
        { "", "Part", "a.opacity", "number", MRWI_TARGET_NONE, 0, 0, MRW_BAD_REFERENCE },
        { "", "Part", "opacity", "number", MRWI_TARGET_NONE, 0, 0, MRW_UNKNOWN },
        { "", "Light", "power", "number", MRWI_TARGET_NONE, 0, 0, MRW_UNKNOWN },
    };
    for (size_t i = 0; i < sizeof tracks / sizeof *tracks; i++) {
        mrw_context* context = mrw_context_create(NULL);
        mrw_model_id id = load_rig(context);
        const mrwi_model* model = mrwi_model_get(context, id);
        REQUIRE(model != NULL);
        char text[512];
        static const mrw_key_desc key = { .time = 0, .value = 1, .in_weight = -1, .out_weight = -1 };
        mrw_track_type type = tracks[i].type[0] == 'c' ? MRW_TRACK_COLOR
            : tracks[i].type[0] == 'b'                 ? MRW_TRACK_BOOLEAN
            : tracks[i].type[0] == 'e'                 ? MRW_TRACK_ENUM
                                                       : MRW_TRACK_NUMBER;
        const mrw_track_desc track = { tracks[i].path, tracks[i].trait, tracks[i].field, type, 1, &key, NULL };
        const mrw_clip_desc desc = { .name = "c", .duration = 1, .track_count = 1, .tracks = &track };
        uint32_t warnings_before = model->warning_count;
        REQUIRE(CHECK_EQ_INT(mrw_model_add_clip_desc(context, id, &desc, NULL, NULL), MRW_OK));
        const mrwi_track* packed = &model->clips[0]->tracks[0];
        CHECK_EQ_INT(packed->target, tracks[i].target);
        if (tracks[i].target != MRWI_TARGET_NONE) {
            CHECK_EQ_INT(packed->target_field, tracks[i].target_field);
            CHECK_EQ_INT(packed->target_index, tracks[i].index);
            CHECK_EQ_INT(model->clips[0]->channels.count, type == MRW_TRACK_COLOR ? 3 : 1);
        } else {
            CHECK_EQ_INT(model->clips[0]->channels.count, 0);
        }
        CHECK_EQ_INT(model->warning_count - warnings_before, tracks[i].warning == MRW_OK ? 0 : 1);
        if (tracks[i].warning != MRW_OK) {
            CHECK_EQ_INT(model->warnings[warnings_before].code, tracks[i].warning);
            strncpy(text, model->warnings[warnings_before].path, 12);
            CHECK(strncmp(text, "$.tracks[0].", 12) == 0);
        }
        // Sampling is exact whatever the track drives.
        double value = 0;
        CHECK_EQ_INT(mrw_clip_sample(context, id, 0, 0, 0.5, &value), MRW_OK);
        CHECK(value == 1);
        mrw_context_destroy(context);
    }
}

TEST(strict_refuses_what_drives_nothing)
{
    mrw_context* context = mrw_context_create(NULL);
    mrw_model_id id = load_rig(context);
    const char* text = "{\"tracks\":[{\"path\":\"root\",\"trait\":\"Transform\",\"field\":\"x\",\"keys\":[{\"t\":0,\"v\":0}]},"
                       "{\"path\":\"no\",\"trait\":\"Transform\",\"field\":\"x\",\"keys\":[{\"t\":0,\"v\":0}]}]}";
    mrw_error error = { 0 };
    uint32_t warnings = mrwi_model_get(context, id)->warning_count;
    mrw_result result = mrw_model_add_clip(context, id, text, strlen(text), &(mrw_load_options) { .strict = true }, NULL, &error);
    CHECK_EQ_INT(result, MRW_BAD_REFERENCE);
    CHECK_STR(error.path, "$.tracks[1].path");
    CHECK_EQ_INT(mrwi_model_get(context, id)->clip_count, 0);
    CHECK_EQ_INT(mrwi_model_get(context, id)->warning_count, warnings);
    mrw_context_destroy(context);
}

TEST(of_tracks_for_one_field_the_last_counts)
{
    mrw_context* context = mrw_context_create(NULL);
    mrw_model_id id = load_rig(context);
    const char* text = "{\"tracks\":[{\"path\":\"root\",\"trait\":\"Transform\",\"field\":\"x\",\"keys\":[{\"t\":0,\"v\":1}]},"
                       "{\"path\":\"root/\",\"trait\":\"Transform\",\"field\":\"x\",\"keys\":[{\"t\":0,\"v\":2}]}]}";
    add(context, id, text, MRW_OK);
    const mrwi_model* model = mrwi_model_get(context, id);
    const mrwi_clip* clip = model->clips[0];
    CHECK_EQ_INT(clip->number_count, 1);
    CHECK_EQ_INT(clip->tracks[0].file_index, 1);
    CHECK_EQ_INT(clip->tracks[1].target, MRWI_TARGET_NONE);
    CHECK_EQ_INT(model->warnings[model->warning_count - 1].code, MRW_DUPLICATE);
    mrw_context_destroy(context);
}

/// Coefficient k of a channel's cubic in the interval that holds `time`.
static float coefficient(const mrwi_clip* clip, uint32_t channel, float time, uint32_t k)
{
    const float* starts = mrwi_channels_starts(&clip->channels, channel / 4);
    uint32_t at = 0;
    while (starts[at + 1] <= time) {
        at++;
    }
    return clip->channels.cubic[clip->channels.first[channel / 4] + at][k][channel % 4];
}

TEST(tracks_are_grouped_and_channels_follow)
{
    mrw_context* context = mrw_context_create(NULL);
    mrw_model_id id = load_rig(context);
    add(context, id,
        "{\"tracks\":["
        "{\"trait\":\"SkinnedSprite2D\",\"field\":\"flipX\",\"type\":\"boolean\",\"keys\":[{\"t\":0,\"v\":0},{\"t\":1,\"v\":5}]},"
        "{\"trait\":\"SkinnedSprite2D\",\"field\":\"color\",\"type\":\"color\",\"keys\":[{\"t\":0,\"v\":255},{\"t\":2,\"v\":65280}]},"
        "{\"trait\":\"SkinnedSprite2D\",\"field\":\"opacity\",\"keys\":[{\"t\":0,\"v\":0},{\"t\":1,\"v\":1}]},"
        "{\"path\":\"root\",\"trait\":\"Transform\",\"field\":\"x\",\"keys\":[]},"
        "{\"path\":\"root\",\"trait\":\"Transform\",\"field\":\"y\",\"keys\":[{\"t\":0.5,\"v\":4}]}]}",
        MRW_OK);
    const mrwi_model* model = mrwi_model_get(context, id);
    const mrwi_clip* clip = model->clips[0];
    static const uint32_t order[5] = { 4, 2, 1, 0, 3 };
    REQUIRE(CHECK_EQ_INT(clip->track_count, 5));
    for (int i = 0; i < 5; i++) {
        CHECK_EQ_INT(clip->tracks[i].file_index, order[i]);
    }
    CHECK_EQ_INT(clip->node_number_count, 1);
    CHECK_EQ_INT(clip->number_count, 2);
    CHECK_EQ_INT(clip->color_count, 1);
    CHECK_EQ_INT(clip->discrete_count, 1);
    REQUIRE(CHECK_EQ_INT(clip->channels.count, 6));
    // y: one constant; opacity: one cubic; r g b; flip
    CHECK(coefficient(clip, 0, -9, 0) == 4 && coefficient(clip, 0, 0.5f, 0) == 4 && coefficient(clip, 0, 0.5f, 1) == 0);
    CHECK(coefficient(clip, 1, 0, 2) == 3.0f && coefficient(clip, 1, 0, 3) == -2.0f);
    CHECK(coefficient(clip, 3, 0, 1) == 127.5f && coefficient(clip, 3, 2, 0) == 255 && coefficient(clip, 3, 2, 1) == 0);
    CHECK(coefficient(clip, 4, 0, 0) == 255 && coefficient(clip, 4, 0, 1) == -127.5f);
    CHECK(coefficient(clip, 5, 1, 0) == 1);
    // the rig's own: two bones are called arm
    CHECK_EQ_INT(model->warning_count, 1);
    mrw_context_destroy(context);
}

TEST(number_tracks_stand_by_field_and_node)
{
    mrw_context* context = mrw_context_create(NULL);
    mrw_model_id id = load_rig(context);
    // Model order of the nodes is the file's: root 0, arm 1, arm 2 (which the path names), hand 3.
    add(context, id,
        "{\"tracks\":["
        "{\"path\":\"root/arm/hand\",\"trait\":\"Transform\",\"field\":\"y\",\"keys\":[{\"t\":0,\"v\":1}]},"
        "{\"path\":\"root/arm\",\"trait\":\"Transform\",\"field\":\"y\",\"keys\":[{\"t\":0,\"v\":2}]},"
        "{\"path\":\"gone\",\"trait\":\"Transform\",\"field\":\"x\",\"keys\":[{\"t\":0,\"v\":3}]},"
        "{\"path\":\"root\",\"trait\":\"Transform\",\"field\":\"y\",\"keys\":[{\"t\":0,\"v\":4}]},"
        "{\"path\":\"root/arm\",\"trait\":\"Transform\",\"field\":\"x\",\"keys\":[{\"t\":0,\"v\":5}]}]}",
        MRW_OK);
    const mrwi_clip* clip = mrwi_model_get(context, id)->clips[0];
    static const uint32_t order[5] = { 2, 4, 3, 1, 0 };
    REQUIRE(CHECK_EQ_INT(clip->node_number_count, 5));
    for (int i = 0; i < 5; i++) {
        CHECK_EQ_INT(clip->tracks[i].file_index, order[i]);
    }
    static const mrwi_stretch stretches[3] = { { 1, MRW_FIELD_X, 2, 1 }, { 2, MRW_FIELD_Y, 0, 1 }, { 3, MRW_FIELD_Y, 2, 2 } };
    REQUIRE(CHECK_EQ_INT(clip->stretch_count, 3));
    CHECK_BYTES(clip->stretches, stretches, sizeof stretches);
    mrw_context_destroy(context);
}

TEST(interval_times_round_down)
{
    // 0.1 is a little less than its nearest f32, so the nearest f32 would begin the interval too late.
    mrw_context* context = mrw_context_create(NULL);
    mrw_model_id id = load_rig(context);
    add(context, id,
        "{\"tracks\":[{\"path\":\"root\",\"trait\":\"Transform\",\"field\":\"x\",\"keys\":[{\"t\":0.1,\"v\":0,\"outTangent\":8},{\"t\":0.7,"
        "\"v\":6}]}]}",
        MRW_OK);
    const mrwi_clip* clip = mrwi_model_get(context, id)->clips[0];
    float time = mrwi_channels_starts(&clip->channels, 0)[1]; // the interval before it holds
    CHECK((double)time <= 0.1 && (double)nextafterf(time, 1) > 0.1);
    // The cubic is the one through the key at 0.1 itself: at f32(0.1) it is 8 * (f32(0.1) - 0.1), to the rounding of f32.
    double at_key = (double)coefficient(clip, 0, time, 0) + (double)coefficient(clip, 0, time, 1) * (0.1 - (double)time);
    CHECK_NEAR(at_key, 0.0, 1e-14);
    mrw_context_destroy(context);
}

TEST(deform_keys_take_the_order_of_the_plan)
{
    mrw_context* context = mrw_context_create(NULL);
    mrw_model_id id = load_rig(context);
    add(context, id,
        "{\"deformTracks\":[{\"part\":\"tip\",\"keys\":[{\"t\":0,\"offsets\":[9]}]},{\"path\":\"x\",\"part\":\"tip\",\"keys\":[{\"t\":0}]},"
        "{\"part\":\"no\",\"keys\":[{\"t\":0}]},{\"part\":\"a.b\",\"keys\":[]},"
        "{\"part\":\"a.b\",\"keys\":[{\"t\":0,\"offsets\":[1,2,3,4,5,6,7,8]},{\"t\":1,\"offsets\":[1,2,3,4,5,6,7,8]}]},"
        "{\"part\":\"tip\",\"keys\":[{\"t\":0.5,\"offsets\":[1,2,3]}]}]}",
        MRW_OK);
    const mrwi_model* model = mrwi_model_get(context, id);
    const mrwi_clip* clip = model->clips[0];
    REQUIRE(CHECK_EQ_INT(clip->deform_count, 2));
    // Draw order: tip (order 1), then a.b (order 5).
    const mrwi_deform_track* tip = &clip->deforms[0];
    const mrwi_deform_track* quad = &clip->deforms[1];
    CHECK_EQ_INT(tip->part, 0);
    CHECK_EQ_INT(quad->part, 1);
    CHECK_EQ_INT(tip->key_count, 1);
    CHECK(tip->times[0] == 0.5f);
    static const float short_ones[6] = { 1, 2, 3, 0, 0, 0 };
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t file = model->parts[0].vertex_map[i];
        CHECK(tip->offsets[0][2 * i] == short_ones[2 * file] && tip->offsets[0][2 * i + 1] == short_ones[2 * file + 1]);
    }
    REQUIRE(CHECK_EQ_INT(quad->key_count, 2));
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t file = model->parts[1].vertex_map[i];
        CHECK(quad->offsets[1][2 * i] == (float)(2 * file + 1) && quad->offsets[1][2 * i + 1] == (float)(2 * file + 2));
    }
    // two bones of one name; short, path, part, short, duplicate
    static const mrw_result codes[6] = { MRW_DUPLICATE, MRW_BAD_COUNT, MRW_UNKNOWN, MRW_BAD_REFERENCE, MRW_BAD_COUNT, MRW_DUPLICATE };
    REQUIRE(CHECK_EQ_INT(model->warning_count, 6));
    for (int i = 0; i < 6; i++) {
        CHECK_EQ_INT(model->warnings[i].code, codes[i]);
    }
    mrw_context_destroy(context);
}

TEST(a_clip_of_the_same_name_takes_the_place)
{
    mrw_context* context = mrw_context_create(NULL);
    mrw_model_id id = load_rig(context);
    CHECK_EQ_INT(add(context, id, "{\"name\":\"a\",\"duration\":1}", MRW_OK), 0);
    CHECK_EQ_INT(add(context, id, "{\"name\":\"b\",\"duration\":2}", MRW_OK), 1);
    CHECK_EQ_INT(add(context, id, "{\"name\":\"a\",\"duration\":3}", MRW_OK), 0);
    const mrwi_model* model = mrwi_model_get(context, id);
    CHECK_EQ_INT(model->clip_count, 2);
    CHECK(model->clips[0]->duration == 3 && model->clips[1]->duration == 2);
    mrw_context_destroy(context);
}

TEST(the_number_of_clips_is_limited)
{
    mrw_context* context = mrw_context_create(&(mrw_context_desc) { .limits = { .clips = 2 } });
    mrw_model_id id = load_rig(context);
    add(context, id, "{\"name\":\"a\"}", MRW_OK);
    add(context, id, "{\"name\":\"b\"}", MRW_OK);
    add(context, id, "{\"name\":\"c\"}", MRW_LIMIT);
    CHECK_EQ_INT(add(context, id, "{\"name\":\"b\"}", MRW_OK), 1);
    mrw_context_destroy(context);
}

TEST(descriptions_are_checked)
{
    mrw_context* context = mrw_context_create(NULL);
    mrw_model_id id = load_rig(context);
    mrw_key_desc keys[2] = { { .time = 0 }, { .time = 1 } };
    mrw_track_desc track = { "root", "Transform", "x", MRW_TRACK_NUMBER, 2, keys, NULL };
    float offsets[1] = { NAN };
    mrw_deform_key_desc deform_keys[2] = { { 1, 0, NULL, NULL }, { 0, 0, NULL, NULL } };
    mrw_deform_track_desc deform = { NULL, "tip", 2, deform_keys, NULL };
    mrw_event_desc events[2] = { { 1, "a", NULL, NULL }, { 0, "b", NULL, NULL } };
    mrw_clip_desc desc = { .track_count = 1, .tracks = &track };
    mrw_error error = { 0 };
    CHECK_EQ_INT(mrw_model_add_clip_desc(context, (mrw_model_id) { 77 }, &desc, NULL, &error), MRW_STALE);
    CHECK_EQ_INT(mrw_model_add_clip_desc(context, id, NULL, NULL, &error), MRW_BAD_ARGUMENT);
    CHECK_EQ_INT(mrw_model_add_clip_desc(context, id, &desc, NULL, &error), MRW_OK);
    keys[0].time = 2;
    CHECK_EQ_INT(mrw_model_add_clip_desc(context, id, &desc, NULL, &error), MRW_BAD_VALUE);
    CHECK_STR(error.path, "$.tracks[0]");
    keys[0].time = NAN;
    CHECK_EQ_INT(mrw_model_add_clip_desc(context, id, &desc, NULL, NULL), MRW_BAD_VALUE);
    keys[0] = (mrw_key_desc) { .value = INFINITY };
    CHECK_EQ_INT(mrw_model_add_clip_desc(context, id, &desc, NULL, NULL), MRW_BAD_VALUE);
    keys[0] = (mrw_key_desc) { .out_tangent = -INFINITY };
    CHECK_EQ_INT(mrw_model_add_clip_desc(context, id, &desc, NULL, NULL), MRW_BAD_VALUE);
    track.keys = NULL;
    CHECK_EQ_INT(mrw_model_add_clip_desc(context, id, &desc, NULL, NULL), MRW_BAD_ARGUMENT);
    desc = (mrw_clip_desc) { .track_count = 1 };
    CHECK_EQ_INT(mrw_model_add_clip_desc(context, id, &desc, NULL, NULL), MRW_BAD_ARGUMENT);
    desc = (mrw_clip_desc) { .duration = INFINITY };
    CHECK_EQ_INT(mrw_model_add_clip_desc(context, id, &desc, NULL, NULL), MRW_BAD_VALUE);
    desc = (mrw_clip_desc) { .deform_track_count = 1, .deform_tracks = &deform };
    CHECK_EQ_INT(mrw_model_add_clip_desc(context, id, &desc, NULL, NULL), MRW_BAD_VALUE);
    deform_keys[0] = (mrw_deform_key_desc) { 0, 1, offsets, NULL };
    CHECK_EQ_INT(mrw_model_add_clip_desc(context, id, &desc, NULL, NULL), MRW_BAD_VALUE);
    deform_keys[0] = (mrw_deform_key_desc) { 0, 1, NULL, NULL };
    CHECK_EQ_INT(mrw_model_add_clip_desc(context, id, &desc, NULL, NULL), MRW_BAD_ARGUMENT);
    desc = (mrw_clip_desc) { .event_count = 2, .events = events };
    CHECK_EQ_INT(mrw_model_add_clip_desc(context, id, &desc, NULL, NULL), MRW_BAD_VALUE);
    double value = 0;
    CHECK_EQ_INT(mrw_clip_sample(context, id, 1, 0, 0, &value), MRW_BAD_INDEX);
    CHECK_EQ_INT(mrw_clip_sample(context, id, 0, 1, 0, &value), MRW_BAD_INDEX);
    CHECK_EQ_INT(mrw_clip_sample(context, (mrw_model_id) { 0 }, 0, 0, 0, &value), MRW_STALE);
    mrw_context_destroy(context);
}

static mrw_result attempt_add(mrw_context* context, void* user)
{
    (void)user;
    mrw_model_id id = { 0 };
    mrw_result result = mrw_model_load_rig2d(context, rig_text, strlen(rig_text), NULL, &id, NULL);
    for (int i = 0; i < 2 && result == MRW_OK; i++) {
        result = mrw_model_add_clip(context, id, full_text, strlen(full_text), NULL, NULL, NULL);
        CHECK_EQ_INT(mrwi_model_get(context, id)->clip_count, result == MRW_OK || i == 1 ? 1 : 0);
    }
    return result;
}

static mrw_result attempt_write(mrw_context* context, void* user)
{
    (void)user;
    mrw_document* document = NULL;
    char* text = NULL;
    size_t size = 0;
    mrw_result result = mrw_document_read_anim(context, full_text, strlen(full_text), NULL, &document, NULL);
    if (result == MRW_OK) {
        result = mrw_document_write(document, &text, &size);
    }
    if (result == MRW_OK) {
        mrw_text_release(context, text, size);
    }
    mrw_document_release(document);
    return result;
}

TEST(any_allocation_may_fail)
{
    FAILING_ALLOCATOR_SWEEP(attempt_add, NULL);
    FAILING_ALLOCATOR_SWEEP(attempt_write, NULL);
}

TEST(any_truncation_is_an_error)
{
    mrw_context* context = mrw_context_create(NULL);
    for (size_t size = 0; size + 1 < sizeof full_text; size++) {
        mrw_document* document = NULL;
        mrw_error error = { 0 };
        CHECK(mrw_document_read_anim(context, full_text, size, NULL, &document, &error) != MRW_OK);
        CHECK(document == NULL && error.code != MRW_OK);
    }
    mrw_context_destroy(context);
}
