// Clips against the reference: normalisation, sampling in f64, tangent modes, key insertion, time.
#include "support/golden.h"

#include "model/document.h"

static mrw_document* read_clip(mrw_context* context, const mrwi_json_cursor* clip)
{
    mrwi_arena arena;
    mrwi_arena_init(&arena, context);
    const char* text = NULL;
    mrw_document* document = NULL;
    mrw_error error = { 0 };
    if (CHECK_EQ_INT(mrwi_json_text(clip, &arena, &text), MRW_OK)
        && !CHECK_EQ_INT(mrw_document_read_anim(context, text, strlen(text), NULL, &document, &error), MRW_OK)) {
        CHECK_STR(error.message, "");
    }
    mrwi_arena_release(&arena);
    return document;
}

static void check_normalized(const mrw_clip_desc* clip, const mrwi_json_cursor* expected)
{
    mrwi_json_cursor id = mrwi_json_member(expected, "id");
    mrwi_json_cursor name = mrwi_json_member(expected, "name");
    mrwi_json_cursor loop = mrwi_json_member(expected, "loop");
    CHECK_STR(clip->id, mrwi_json_string(&id));
    CHECK_STR(clip->name, mrwi_json_string(&name));
    CHECK_EQ_INT(!clip->once, mrwi_json_boolean(&loop));
    CHECK(clip->duration == golden_member(expected, "duration"));
    CHECK(clip->frame_rate == golden_member(expected, "frameRate"));
}

static void check_track(const mrw_track_desc* track, const mrwi_json_cursor* expected, const double* times, uint32_t time_count)
{
    mrwi_json_cursor path = mrwi_json_member(expected, "path");
    mrwi_json_cursor trait = mrwi_json_member(expected, "trait");
    mrwi_json_cursor field = mrwi_json_member(expected, "field");
    CHECK_STR(track->path, mrwi_json_string(&path));
    CHECK_STR(track->trait, mrwi_json_string(&trait));
    CHECK_STR(track->field, mrwi_json_string(&field));
    double values[64];
    mrwi_json_cursor array = mrwi_json_member(expected, "values");
    REQUIRE(CHECK_EQ_INT(golden_numbers(&array, values, 64), time_count));
    for (uint32_t i = 0; i < time_count; i++) {
        double value = mrw_curve_sample(track->keys, track->key_count, track->type, times[i]);
        if (track->type == MRW_TRACK_NUMBER) {
            CHECK_GOLDEN(value, values[i]);
        } else {
            CHECK(value == values[i]);
        }
    }
}

TEST(clips_sample_as_the_reference)
{
    golden file = golden_open("golden/modoki/anim-s1.json");
    uint32_t track_count = 0;
    GOLDEN_EACH(item, file.cases)
    {
        mrwi_json_cursor clip = mrwi_json_member(&item, "clip");
        mrwi_json_cursor normalized = mrwi_json_member(&item, "normalized");
        mrwi_json_cursor tracks = mrwi_json_member(&item, "tracks");
        mrwi_json_cursor time_array = mrwi_json_member(&item, "times");
        double times[64];
        uint32_t time_count = golden_numbers(&time_array, times, 64);
        mrw_document* document = read_clip(file.context, &clip);
        REQUIRE(document != NULL);
        const mrw_clip_desc* desc = mrw_document_clip(document);
        check_normalized(desc, &normalized);
        CHECK_EQ_INT(desc->track_count, mrwi_json_count(&tracks));
        uint32_t i = 0;
        GOLDEN_EACH(track, tracks)
        {
            check_track(&desc->tracks[i++], &track, times, time_count);
            track_count++;
        }
        mrw_document_release(document);
    }
    CHECK(track_count >= 26);
    golden_close(&file);
}

static mrw_tangent_mode mode_of(const char* name)
{
    static const char* const names[] = { "", "auto", "linear", "constant", "free" };
    for (int i = 1; name != NULL && i < 5; i++) {
        if (strcmp(names[i], name) == 0) {
            return (mrw_tangent_mode)i;
        }
    }
    return MRW_TANGENT_NONE;
}

static mrw_key_desc read_key(const mrwi_json_cursor* at)
{
    mrwi_json_cursor mode = mrwi_json_member(at, "tangentMode");
    mrwi_json_cursor broken = mrwi_json_member(at, "broken");
    return (mrw_key_desc) { .time = golden_member(at, "t"),
        .value = golden_member(at, "v"),
        .in_tangent = golden_member(at, "inTangent"),
        .out_tangent = golden_member(at, "outTangent"),
        .in_weight = -1,
        .out_weight = -1,
        .mode = mode_of(mrwi_json_string(&mode)),
        .broken = mrwi_json_boolean(&broken),
        .has_broken = broken.item != NULL };
}

static uint32_t read_keys(const mrwi_json_cursor* array, mrw_key_desc* keys)
{
    uint32_t count = 0;
    GOLDEN_EACH(item, *array)
    {
        if (count < 16) {
            keys[count++] = read_key(&item);
        }
    }
    return count;
}

static void check_keys(const mrw_key_desc* keys, uint32_t count, const mrwi_json_cursor* array)
{
    mrw_key_desc expected[16];
    REQUIRE(CHECK_EQ_INT(count, read_keys(array, expected)));
    for (uint32_t i = 0; i < count; i++) {
        CHECK_GOLDEN(keys[i].time, expected[i].time);
        CHECK_GOLDEN(keys[i].value, expected[i].value);
        CHECK_GOLDEN(keys[i].in_tangent, expected[i].in_tangent);
        CHECK_GOLDEN(keys[i].out_tangent, expected[i].out_tangent);
        CHECK_EQ_INT(keys[i].mode, expected[i].mode);
        CHECK_EQ_INT(keys[i].broken, expected[i].broken);
        CHECK_EQ_INT(keys[i].has_broken, expected[i].has_broken);
    }
}

static void check_modes(const mrwi_json_cursor* item, const mrwi_json_cursor* expected)
{
    mrw_key_desc keys[16];
    mrwi_json_cursor array = mrwi_json_member(item, "keys");
    mrwi_json_cursor mode = mrwi_json_member(item, "mode");
    uint32_t count = read_keys(&array, keys);
    mrw_curve_set_mode(keys, count, (uint32_t)golden_member(item, "index"), mode_of(mrwi_json_string(&mode)));
    check_keys(keys, count, expected);
}

static void check_inserts(const mrwi_json_cursor* item, const mrwi_json_cursor* expected)
{
    mrw_key_desc keys[16];
    uint32_t count = 0;
    mrwi_json_cursor inserts = mrwi_json_member(item, "inserts");
    GOLDEN_EACH(insert, inserts)
    {
        double pair[2] = { 0 };
        CHECK_EQ_INT(golden_numbers(&insert, pair, 2), 2);
        uint32_t index = mrw_curve_insert(keys, &count, pair[0], pair[1]);
        REQUIRE(count < 16);
        CHECK(keys[index].value == pair[1]);
    }
    check_keys(keys, count, expected);
}

TEST(tangents_and_time_follow_the_reference)
{
    golden file = golden_open("golden/modoki/tangents-s1.json");
    uint32_t counts[3] = { 0 };
    GOLDEN_EACH(item, file.cases)
    {
        mrwi_json_cursor op = mrwi_json_member(&item, "op");
        mrwi_json_cursor expected = mrwi_json_member(&item, "expected");
        const char* name = mrwi_json_string(&op);
        REQUIRE(name != NULL);
        if (strcmp(name, "applyTangentMode") == 0) {
            check_modes(&item, &expected);
            counts[0]++;
        } else if (strcmp(name, "upsertKey sequence") == 0) {
            check_inserts(&item, &expected);
            counts[1]++;
        } else {
            CHECK_STR(name, "advanceClipTime");
            mrwi_json_cursor loop = mrwi_json_member(&item, "loop");
            double time = mrw_curve_advance(
                golden_member(&item, "time"), golden_member(&item, "dt"), golden_member(&item, "duration"), mrwi_json_boolean(&loop));
            CHECK_GOLDEN(time, golden_number(&expected));
            counts[2]++;
        }
    }
    CHECK_EQ_INT(counts[0], 8);
    CHECK_EQ_INT(counts[1], 8);
    CHECK_EQ_INT(counts[2], 3);
    golden_close(&file);
}
