#include "base/context.h"
#include "check.h"
#include "io/json.h"
#include "io/json_check.h"
#include "support/failing_allocator.h"

#include <stdio.h>
#include <string.h>

// Every kind of value, escapes, all widths of UTF-8, nesting; short enough to be cut at every byte.
static const char sample[] = "{\"name\": \"a\\n\\u00e9\\ud83d\\ude00 \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\", \"list\": [1, -2.5e3, 0.125, "
                             "true, false, null, [], {}],\n"
                             " \"inner\": {\"deep\": [[{\"x\": 1e-3}]]}, \"\": \"empty name\", \"big\": 12345678901234567890}";

static mrw_context* new_context(failing_allocator* allocator)
{
    *allocator = failing_allocator_start(-1);
    return mrw_context_create(&(mrw_context_desc) { .allocator = failing_allocator_hooks(allocator) });
}

static bool ended_well(mrw_context* context, const failing_allocator* allocator)
{
    mrw_context_destroy(context);
    return CHECK_EQ_INT(allocator->held_count, 0) && CHECK_EQ_INT(allocator->mistakes, 0);
}

// Parses a copy that is exactly as large as the text, so that sanitizers see a read beyond it.
static mrw_result parse_copy(mrw_context* context, const char* text, size_t size, mrw_error* error)
{
    char* copy = malloc(size == 0 ? 1 : size);
    mrwi_json* json = NULL;
    memcpy(copy, text, size);
    mrw_result result = mrwi_json_parse(context, copy, size, false, &json, error);
    CHECK((result == MRW_OK) == (json != NULL));
    mrwi_json_release(json);
    free(copy);
    return result;
}

TEST(bad_texts_are_refused_with_their_place)
{
    const struct {
        const char* text;
        mrw_result code;
        int32_t line, column;
        int64_t offset;
        const char* path;
    } table[] = {
        { "", MRW_BAD_JSON, 1, 1, 0, "$" },
        { " \n ", MRW_BAD_JSON, 2, 2, 3, "$" },
        { "\xef\xbb\xbf", MRW_BAD_JSON, 1, 1, 3, "$" },
        { "\xef\xbb\xbf x", MRW_BAD_JSON, 1, 2, 4, "$" },
        { "nul", MRW_BAD_JSON, 1, 4, 3, "$" },
        { "True", MRW_BAD_JSON, 1, 1, 0, "$" },
        { "truefalse", MRW_BAD_JSON, 1, 5, 4, "$" },
        { "NaN", MRW_BAD_JSON, 1, 1, 0, "$" },
        { "Infinity", MRW_BAD_JSON, 1, 1, 0, "$" },
        { "01", MRW_BAD_JSON, 1, 2, 1, "$" },
        { "-", MRW_BAD_JSON, 1, 2, 1, "$" },
        { "-a", MRW_BAD_JSON, 1, 2, 1, "$" },
        { "+1", MRW_BAD_JSON, 1, 1, 0, "$" },
        { ".5", MRW_BAD_JSON, 1, 1, 0, "$" },
        { "1.", MRW_BAD_JSON, 1, 3, 2, "$" },
        { "1.e5", MRW_BAD_JSON, 1, 3, 2, "$" },
        { "1e", MRW_BAD_JSON, 1, 3, 2, "$" },
        { "1e+", MRW_BAD_JSON, 1, 4, 3, "$" },
        { "0x10", MRW_BAD_JSON, 1, 2, 1, "$" },
        { "1 2", MRW_BAD_JSON, 1, 3, 2, "$" },
        { "1,", MRW_BAD_JSON, 1, 2, 1, "$" },
        { "[1,]", MRW_BAD_JSON, 1, 4, 3, "$[1]" },
        { "[1 2]", MRW_BAD_JSON, 1, 4, 3, "$[0]" },
        { "[,1]", MRW_BAD_JSON, 1, 2, 1, "$[0]" },
        { "[1", MRW_BAD_JSON, 1, 3, 2, "$[0]" },
        { "[1}", MRW_BAD_JSON, 1, 3, 2, "$[0]" },
        { "]", MRW_BAD_JSON, 1, 1, 0, "$" },
        { "{\"a\":1,}", MRW_BAD_JSON, 1, 8, 7, "$" },
        { "{\"a\" 1}", MRW_BAD_JSON, 1, 6, 5, "$.a" },
        { "{\"a\":}", MRW_BAD_JSON, 1, 6, 5, "$.a" },
        { "{a:1}", MRW_BAD_JSON, 1, 2, 1, "$" },
        { "{'a':1}", MRW_BAD_JSON, 1, 2, 1, "$" },
        { "{\"a\":1", MRW_BAD_JSON, 1, 7, 6, "$.a" },
        { "{1:1}", MRW_BAD_JSON, 1, 2, 1, "$" },
        { "// x\n1", MRW_BAD_JSON, 1, 1, 0, "$" },
        { "{\"parts\":\n [{}, {\"x y\": [0,\n  fals]}]}", MRW_BAD_JSON, 3, 7, 34, "$.parts[1][\"x y\"][1]" },
        { "\"a", MRW_BAD_JSON, 1, 3, 2, "$" },
        { "\"a\\", MRW_BAD_JSON, 1, 3, 2, "$" },
        { "\"\\x\"", MRW_BAD_JSON, 1, 2, 1, "$" },
        { "\"\\u12g4\"", MRW_BAD_JSON, 1, 2, 1, "$" },
        { "\"\\u123", MRW_BAD_JSON, 1, 2, 1, "$" },
        { "\"\\u0000\"", MRW_BAD_JSON, 1, 2, 1, "$" },
        { "\"\\ud800\"", MRW_BAD_JSON, 1, 2, 1, "$" },
        { "\"\\ud800\\u0041\"", MRW_BAD_JSON, 1, 2, 1, "$" },
        { "\"\\udc00\\ud800\"", MRW_BAD_JSON, 1, 2, 1, "$" },
        { "\"a\tb\"", MRW_BAD_JSON, 1, 3, 2, "$" },
        { "\"a\nb\"", MRW_BAD_JSON, 1, 3, 2, "$" },
        { "\"\xc3\xa9\" x", MRW_BAD_JSON, 1, 5, 5, "$" }, // columns count characters, offsets bytes
        { "[\"\xe2\x82\"]", MRW_BAD_UTF8, 1, 3, 2, "$[0]" },
        { "\xff\xfe[", MRW_BAD_UTF8, 1, 1, 0, "$" },
        { "[\xc2\xa0]", MRW_BAD_JSON, 1, 2, 1, "$[0]" },
    };
    failing_allocator allocator;
    mrw_context* context = new_context(&allocator);
    REQUIRE(context != NULL);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        mrw_error error;
        CHECK_EQ_INT(parse_copy(context, table[i].text, strlen(table[i].text), NULL), table[i].code);
        bool good = CHECK_EQ_INT(parse_copy(context, table[i].text, strlen(table[i].text), &error), table[i].code);
        good = CHECK_EQ_INT(error.code, table[i].code) && good;
        good = CHECK_EQ_INT(error.line, table[i].line) && good;
        good = CHECK_EQ_INT(error.column, table[i].column) && good;
        good = CHECK_EQ_INT(error.offset, table[i].offset) && good;
        good = CHECK_STR(error.path, table[i].path) && good;
        if (!good) {
            printf("    text %s: %s\n", table[i].text, error.message);
        }
    }
    CHECK_EQ_INT(parse_copy(context, "1\0", 2, NULL), MRW_BAD_JSON);
    CHECK_EQ_INT(parse_copy(context, "\"a\0\"", 4, NULL), MRW_BAD_JSON);
    mrwi_json* json;
    CHECK_EQ_INT(mrwi_json_parse(context, NULL, 0, false, &json, NULL), MRW_BAD_JSON);
    CHECK_EQ_INT(mrwi_json_parse(context, NULL, 1, false, &json, NULL), MRW_BAD_ARGUMENT);
    CHECK(ended_well(context, &allocator));
}

TEST(messages_say_what_was_found_and_expected)
{
    failing_allocator allocator;
    mrw_context* context = new_context(&allocator);
    REQUIRE(context != NULL);
    mrw_error error;
    parse_copy(context, "[1;2]", 5, &error);
    CHECK_STR(error.message, "expected a comma or ], found ;");
    parse_copy(context, "[1", 2, &error);
    CHECK_STR(error.message, "expected a comma or ], found the end of the text");
    parse_copy(context, "\x01", 1, &error);
    CHECK_STR(error.message, "expected a value, found character 1");
    parse_copy(context, "\xe2\x82\xac", 3, &error);
    CHECK_STR(error.message, "expected a value, found \xe2\x82\xac");
    CHECK(ended_well(context, &allocator));
}

// From the tables of RFC 3629 and its overlong and surrogate forms.
TEST(only_true_utf8_passes)
{
    const struct {
        const char* bytes;
        bool good;
    } table[] = {
        { "\x7f", true },
        { "\xc2\x80", true },
        { "\xdf\xbf", true },
        { "\xe0\xa0\x80", true },
        { "\xed\x9f\xbf", true },
        { "\xee\x80\x80", true },
        { "\xef\xbf\xbf", true },
        { "\xf0\x90\x80\x80", true },
        { "\xf4\x8f\xbf\xbf", true },
        { "\x80", false },
        { "\xbf", false },
        { "\xc0\x80", false },
        { "\xc1\xbf", false },
        { "\xc2", false },
        { "\xc2\x41", false },
        { "\xc2\xc2", false },
        { "\xe0\x80\x80", false },
        { "\xe0\x9f\xbf", false },
        { "\xed\xa0\x80", false },
        { "\xed\xbf\xbf", false },
        { "\xe2\x82", false },
        { "\xe2\x41\x80", false },
        { "\xf0\x80\x80\x80", false },
        { "\xf0\x8f\xbf\xbf", false },
        { "\xf4\x90\x80\x80", false },
        { "\xf5\x80\x80\x80", false },
        { "\xf8\x88\x80\x80\x80", false },
        { "\xfe", false },
        { "\xff", false },
        { "\xf0\x9f\x98", false },
        { "\xf0\x9f\x41\x80", false },
    };
    failing_allocator allocator;
    mrw_context* context = new_context(&allocator);
    REQUIRE(context != NULL);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char text[16];
        int size = snprintf(text, sizeof text, "\"%s\"", table[i].bytes);
        CHECK_EQ_INT(parse_copy(context, text, (size_t)size, NULL), table[i].good ? MRW_OK : MRW_BAD_UTF8);
        size = snprintf(text, sizeof text, "{\"%s\":1}", table[i].bytes);
        CHECK_EQ_INT(parse_copy(context, text, (size_t)size, NULL), table[i].good ? MRW_OK : MRW_BAD_UTF8);
    }
    CHECK(ended_well(context, &allocator));
}

TEST(every_truncation_is_refused)
{
    failing_allocator allocator;
    mrw_context* context = new_context(&allocator);
    REQUIRE(context != NULL);
    size_t size = sizeof sample - 1;
    CHECK_EQ_INT(parse_copy(context, sample, size, NULL), MRW_OK);
    for (size_t i = 0; i < size; i++) {
        mrw_error error;
        mrw_result result = parse_copy(context, sample, i, &error);
        REQUIRE(result == MRW_BAD_JSON || result == MRW_BAD_UTF8);
        REQUIRE(error.line >= 1 && error.column >= 1 && error.offset <= (int64_t)i);
    }
    CHECK(ended_well(context, &allocator));
}

TEST(nesting_has_a_limit)
{
    const struct {
        uint32_t limit, depth;
        mrw_result result;
    } table[] = { { 0, 64, MRW_OK }, { 0, 65, MRW_LIMIT }, { 3, 3, MRW_OK }, { 3, 4, MRW_LIMIT }, { 256, 256, MRW_OK },
        { 100000, 256, MRW_OK }, { 100000, 257, MRW_LIMIT }, { 100000, 90000, MRW_LIMIT } };
    static char text[200000];
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        mrw_context* context = mrw_context_create(&(mrw_context_desc) { .limits = { .json_depth = table[i].limit } });
        REQUIRE(context != NULL);
        memset(text, '[', table[i].depth);
        memset(text + table[i].depth, ']', table[i].depth);
        CHECK_EQ_INT(parse_copy(context, text, 2 * table[i].depth, NULL), table[i].result);
        mrw_context_destroy(context);
    }
}

TEST(size_has_a_limit)
{
    mrw_context* context = mrw_context_create(&(mrw_context_desc) { .limits = { .input_bytes = 5 } });
    REQUIRE(context != NULL);
    CHECK_EQ_INT(parse_copy(context, "[1,2]", 5, NULL), MRW_OK);
    CHECK_EQ_INT(parse_copy(context, "[1,22]", 6, NULL), MRW_LIMIT);
    mrw_context_destroy(context);
}

TEST(cursors_read_values)
{
    failing_allocator allocator;
    mrw_context* context = new_context(&allocator);
    mrwi_json* json = NULL;
    REQUIRE(context != NULL);
    REQUIRE(mrwi_json_parse(context, sample, sizeof sample - 1, true, &json, NULL) == MRW_OK);
    mrwi_json_cursor root = mrwi_json_root(json);
    CHECK_EQ_INT(mrwi_json_type_of(&root), MRWI_JSON_OBJECT);
    CHECK_EQ_INT(mrwi_json_count(&root), 5);
    mrwi_json_cursor name = mrwi_json_member(&root, "name");
    CHECK_STR(mrwi_json_string(&name), "a\n\xc3\xa9\xf0\x9f\x98\x80 \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    CHECK(mrwi_json_number(&name) == 0);
    mrwi_json_cursor other_case = mrwi_json_member(&root, "Name");
    CHECK_EQ_INT(mrwi_json_type_of(&other_case), MRWI_JSON_NONE);
    mrwi_json_cursor empty = mrwi_json_member(&root, "");
    CHECK_STR(mrwi_json_string(&empty), "empty name");

    mrwi_json_cursor list = mrwi_json_member(&root, "list");
    CHECK_EQ_INT(mrwi_json_count(&list), 8);
    const mrwi_json_type types[] = { MRWI_JSON_NUMBER, MRWI_JSON_NUMBER, MRWI_JSON_NUMBER, MRWI_JSON_BOOLEAN, MRWI_JSON_BOOLEAN,
        MRWI_JSON_NULL, MRWI_JSON_ARRAY, MRWI_JSON_OBJECT };
    const double numbers[] = { 1, -2500, 0.125, 0, 0, 0, 0, 0 };
    mrwi_json_cursor child;
    uint32_t i = 0;
    for (bool more = mrwi_json_first(&list, &child); more; more = mrwi_json_next(&child), i++) {
        REQUIRE(i < 8);
        CHECK_EQ_INT(mrwi_json_type_of(&child), types[i]);
        CHECK(mrwi_json_number(&child) == numbers[i]);
        CHECK_EQ_INT(mrwi_json_boolean(&child), i == 3);
        CHECK_EQ_INT(child.index, i);
        CHECK(mrwi_json_string(&child) == NULL);
        CHECK_EQ_INT(mrwi_json_count(&child), 0);
    }
    CHECK_EQ_INT(i, 8);
    CHECK(!mrwi_json_next(&child));
    mrwi_json_cursor number = mrwi_json_member(&root, "big");
    CHECK(mrwi_json_number(&number) == 12345678901234567000.0);
    CHECK(!mrwi_json_first(&number, &child));
    mrwi_json_cursor nothing = mrwi_json_member(&child, "x");
    CHECK_EQ_INT(mrwi_json_type_of(&nothing), MRWI_JSON_NONE);
    mrwi_json_release(json);
    CHECK(ended_well(context, &allocator));
}

TEST(errors_and_warnings_know_their_place)
{
    static const char text[] = "{\n  \"parts\": [{}, {\"the mesh\": {\"uvs\": [1,\n\t22]}}]}";
    failing_allocator allocator;
    mrw_context* context = new_context(&allocator);
    mrwi_json* json = NULL;
    REQUIRE(context != NULL);
    REQUIRE(mrwi_json_parse(context, text, sizeof text - 1, false, &json, NULL) == MRW_OK);
    mrwi_json_cursor root = mrwi_json_root(json);
    mrwi_json_cursor parts = mrwi_json_member(&root, "parts");
    mrwi_json_cursor part, number;
    REQUIRE(mrwi_json_first(&parts, &part) && mrwi_json_next(&part));
    mrwi_json_cursor mesh = mrwi_json_member(&part, "the mesh");
    mrwi_json_cursor uvs = mrwi_json_member(&mesh, "uvs");
    REQUIRE(mrwi_json_first(&uvs, &number) && mrwi_json_next(&number));

    mrw_error error;
    CHECK_EQ_INT(mrwi_json_fail(&number, &error, MRW_BAD_VALUE, "found %s", "x"), MRW_BAD_VALUE);
    CHECK_STR(error.path, "$.parts[1][\"the mesh\"].uvs[1]");
    CHECK_STR(error.message, "found x");
    CHECK_EQ_INT(error.line, 3);
    CHECK_EQ_INT(error.column, 2);
    CHECK_EQ_INT(error.offset, strstr(text, "22") - text);
    CHECK_EQ_INT(mrwi_json_fail(&number, NULL, MRW_BAD_VALUE, "found"), MRW_BAD_VALUE);

    // What is absent is named by its own path and placed at what should hold it.
    mrwi_json_cursor absent = mrwi_json_member(&part, "name");
    mrwi_json_cursor below = mrwi_json_member(&absent, "more");
    mrwi_json_fail(&below, &error, MRW_BAD_TYPE, NULL);
    CHECK_STR(error.path, "$.parts[1].name.more");
    CHECK_STR(error.message, "a value has the wrong type");
    CHECK_EQ_INT(error.offset, strstr(text, "{\"the") - text);

    CHECK_EQ_INT(mrwi_json_warn(&number, NULL, MRW_BAD_INDEX, "index %d", 7), MRW_OK);
    CHECK_EQ_INT(mrwi_json_warn(&root, NULL, MRW_UNKNOWN, NULL), MRW_OK);
    mrwi_arena arena;
    mrwi_arena_init(&arena, context);
    const mrw_warning* warnings = NULL;
    uint32_t count = 0;
    CHECK_EQ_INT(mrwi_json_warnings(json, &arena, &warnings, &count), MRW_OK);
    mrwi_json_release(json);
    REQUIRE(count == 2);
    CHECK_EQ_INT(warnings[0].code, MRW_BAD_INDEX);
    CHECK_STR(warnings[0].path, "$.parts[1][\"the mesh\"].uvs[1]");
    CHECK_STR(warnings[0].message, "index 7");
    CHECK_EQ_INT(warnings[1].code, MRW_UNKNOWN);
    CHECK_STR(warnings[1].path, "$");
    CHECK_STR(warnings[1].message, "a member, field or target is not known and is left alone");
    mrwi_arena_release(&arena);
    CHECK(ended_well(context, &allocator));
}

TEST(strict_makes_the_first_warning_an_error)
{
    mrw_context* context = mrw_context_create(NULL);
    mrwi_json* json = NULL;
    REQUIRE(context != NULL);
    REQUIRE(mrwi_json_parse(context, "[1]", 3, true, &json, NULL) == MRW_OK);
    mrwi_json_cursor root = mrwi_json_root(json);
    mrwi_json_cursor child;
    REQUIRE(mrwi_json_first(&root, &child));
    mrw_error error;
    CHECK_EQ_INT(mrwi_json_warn(&child, &error, MRW_BAD_INDEX, "index %d", 7), MRW_BAD_INDEX);
    CHECK_EQ_INT(error.code, MRW_BAD_INDEX);
    CHECK_STR(error.path, "$[0]");
    CHECK_STR(error.message, "index 7");
    CHECK_EQ_INT(error.column, 2);
    mrwi_json_release(json);
    mrw_context_destroy(context);
}

TEST(the_list_of_warnings_is_bounded)
{
    mrw_context* context = mrw_context_create(NULL);
    mrwi_json* json = NULL;
    REQUIRE(context != NULL);
    REQUIRE(mrwi_json_parse(context, "1", 1, false, &json, NULL) == MRW_OK);
    mrwi_json_cursor root = mrwi_json_root(json);
    for (int i = 0; i < 1234; i++) {
        REQUIRE(mrwi_json_warn(&root, NULL, MRW_BAD_VALUE, "number %d", i) == MRW_OK);
    }
    mrwi_arena arena;
    mrwi_arena_init(&arena, context);
    const mrw_warning* warnings = NULL;
    uint32_t count = 0;
    CHECK_EQ_INT(mrwi_json_warnings(json, &arena, &warnings, &count), MRW_OK);
    REQUIRE(count == 1001);
    CHECK_STR(warnings[999].message, "number 999");
    CHECK_STR(warnings[1000].message, "234 more repairs are not listed");
    mrwi_arena_release(&arena);
    mrwi_json_release(json);
    mrw_context_destroy(context);
}

TEST(of_equal_names_the_last_counts)
{
    static const char text[] = "{\"a\":1,\"b\":{\"x\":1,\"\\u0078\":2},\"a\":3,\"A\":4,\"a\":5}";
    mrw_context* context = mrw_context_create(NULL);
    mrwi_json* json = NULL;
    REQUIRE(context != NULL);
    REQUIRE(mrwi_json_parse(context, text, sizeof text - 1, false, &json, NULL) == MRW_OK);
    mrwi_json_cursor root = mrwi_json_root(json);
    mrwi_json_cursor a = mrwi_json_member(&root, "a");
    CHECK(mrwi_json_number(&a) == 5);
    CHECK_EQ_INT(mrwi_json_count(&root), 3);
    const char* names[] = { "b", "A", "a" };
    mrwi_json_cursor child;
    int i = 0;
    for (bool more = mrwi_json_first(&root, &child); more; more = mrwi_json_next(&child)) {
        CHECK_STR(child.key, names[i]);
        i++;
    }
    mrwi_arena arena;
    mrwi_arena_init(&arena, context);
    const mrw_warning* warnings = NULL;
    uint32_t count = 0;
    CHECK_EQ_INT(mrwi_json_warnings(json, &arena, &warnings, &count), MRW_OK);
    REQUIRE(count == 3);
    CHECK_STR(warnings[0].path, "$.a");
    CHECK_STR(warnings[1].path, "$.b.x");
    CHECK_STR(warnings[2].path, "$.a");
    CHECK_EQ_INT(warnings[2].code, MRW_DUPLICATE);
    mrwi_arena_release(&arena);
    mrwi_json_release(json);

    mrw_error error;
    CHECK_EQ_INT(mrwi_json_parse(context, text, sizeof text - 1, true, &json, &error), MRW_DUPLICATE);
    CHECK(json == NULL);
    CHECK_STR(error.path, "$.a");
    CHECK_EQ_INT(error.offset, 5);
    mrw_context_destroy(context);
}

// Many members, in an order that makes the sort work; every third name comes twice.
TEST(equal_names_are_found_among_many)
{
    static char text[40000];
    size_t size = 0;
    text[size++] = '{';
    for (uint32_t i = 0; i < 1000; i++) {
        uint32_t number = i * 7919 % 1000;
        number -= number % 3 == 1 && i > 0 ? 1 : 0;
        size += (size_t)snprintf(text + size, sizeof text - size, "%s\"n%u\":%u", i == 0 ? "" : ",", number, i);
    }
    text[size++] = '}';
    failing_allocator allocator;
    mrw_context* context = new_context(&allocator);
    mrwi_json* json = NULL;
    REQUIRE(context != NULL);
    REQUIRE(mrwi_json_parse(context, text, size, false, &json, NULL) == MRW_OK);
    mrwi_json_cursor root = mrwi_json_root(json);
    CHECK_EQ_INT(mrwi_json_count(&root), 667);
    // 3 and 4 both became n3; the one that stood later holds.
    uint32_t last = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        last = i * 7919 % 1000 == 3 || i * 7919 % 1000 == 4 ? i : last;
    }
    mrwi_json_cursor member = mrwi_json_member(&root, "n3");
    CHECK(mrwi_json_number(&member) == last);
    mrwi_json_release(json);
    CHECK(ended_well(context, &allocator));
}

TEST(extras_are_what_is_not_known)
{
    static const char text[]
        = "{ \"a\" : 1 , \"k\\\"ey\\n\" : [ 1.50 , { \"b c\" : \"x \\\" y\" } ] , \"b\":2, \"id\": 12345678901234567890123 }";
    failing_allocator allocator;
    mrw_context* context = new_context(&allocator);
    mrwi_json* json = NULL;
    REQUIRE(context != NULL);
    REQUIRE(mrwi_json_parse(context, text, sizeof text - 1, false, &json, NULL) == MRW_OK);
    mrwi_json_cursor root = mrwi_json_root(json);
    mrwi_arena arena;
    mrwi_arena_init(&arena, context);
    const char* const names[] = { "b", "a", "k\"ey\n", "id" };
    const mrwi_json_names known = { names, 2, sizeof *names };
    const mrwi_json_names all = { names, 4, sizeof *names };
    mrw_extras extras = "";
    CHECK_EQ_INT(mrwi_json_extras(&root, known, &arena, &extras), MRW_OK);
    CHECK_STR(extras, "\"k\\\"ey\\n\":[1.50,{\"b c\":\"x \\\" y\"}],\"id\":12345678901234567890123");
    mrw_extras none = "";
    CHECK_EQ_INT(mrwi_json_extras(&root, all, &arena, &none), MRW_OK);
    CHECK(none == NULL);
    mrwi_json_cursor member = mrwi_json_member(&root, "k\"ey\n");
    const char* value = NULL;
    CHECK_EQ_INT(mrwi_json_extras(&member, known, &arena, &none), MRW_OK);
    CHECK(none == NULL);
    CHECK_EQ_INT(mrwi_json_text(&member, &arena, &value), MRW_OK);
    CHECK_STR(value, "[1.50,{\"b c\":\"x \\\" y\"}]");
    member = mrwi_json_member(&root, "zzz");
    CHECK_EQ_INT(mrwi_json_text(&member, &arena, &value), MRW_OK);
    CHECK(value == NULL);
    mrwi_json_release(json);

    mrwi_writer writer;
    char* out = NULL;
    size_t size = 0;
    mrwi_writer_init(&writer, context, false);
    mrwi_write_open(&writer, '{');
    mrwi_write_extras(&writer, extras);
    mrwi_write_extras(&writer, NULL);
    mrwi_write_close(&writer, '}');
    REQUIRE(mrwi_writer_take(&writer, &out, &size) == MRW_OK);
    CHECK_STR(out, "{\n  \"k\\\"ey\\n\": [1.50,{\"b c\":\"x \\\" y\"}],\n  \"id\": 12345678901234567890123\n}\n");
    CHECK_EQ_INT(strlen(out), size);
    mrw_text_release(context, out, size);
    mrwi_arena_release(&arena);
    CHECK(ended_well(context, &allocator));
}

static void write_all(mrwi_writer* writer)
{
    const float floats[] = { 0.1f, -1.5f, 16777216.0f };
    mrwi_write_open(writer, '{');
    mrwi_write_key(writer, "a\"b\\c\x01\x1f\b\f\n\r\t\x7f\xc3\xa9");
    mrwi_write_string(writer, "x/y");
    mrwi_write_key(writer, "list");
    mrwi_write_open(writer, '[');
    mrwi_write_boolean(writer, true);
    mrwi_write_boolean(writer, false);
    mrwi_write_null(writer);
    mrwi_write_integer(writer, INT64_MIN);
    mrwi_write_integer(writer, 0);
    mrwi_write_open(writer, '{');
    mrwi_write_close(writer, '}');
    mrwi_write_open(writer, '[');
    mrwi_write_close(writer, ']');
    mrwi_write_string(writer, NULL);
    mrwi_write_close(writer, ']');
    mrwi_write_key(writer, "f");
    mrwi_write_floats(writer, floats, 3);
    mrwi_write_key(writer, "d");
    mrwi_write_double(writer, 1e21);
    mrwi_write_key(writer, "i");
    mrwi_write_integer(writer, 4294967295);
    mrwi_write_key(writer, "none");
    mrwi_write_floats(writer, NULL, 0);
    mrwi_write_key(writer, "raw");
    mrwi_write_raw(writer, "{\"x\":1}");
    mrwi_write_key(writer, "n");
    mrwi_write_double(writer, 0.5);
    mrwi_write_key(writer, "m");
    mrwi_write_float(writer, 0.3f);
    mrwi_write_close(writer, '}');
}

TEST(the_writer_lays_out_text)
{
    failing_allocator allocator;
    mrw_context* context = new_context(&allocator);
    REQUIRE(context != NULL);
    mrwi_writer writer;
    char* text = NULL;
    size_t size = 0;
    mrwi_writer_init(&writer, context, true);
    write_all(&writer);
    REQUIRE(mrwi_writer_take(&writer, &text, &size) == MRW_OK);
    CHECK_STR(text,
        "{\"a\\\"b\\\\c\\u0001\\u001f\\b\\f\\n\\r\\t\x7f\xc3\xa9\":\"x/y\",\"list\":[true,false,null,-9223372036854775808,0,{},[],null],"
        "\"f\":[0.1,-1.5,16777216],\"d\":1e+21,\"i\":4294967295,\"none\":[],\"raw\":{\"x\":1},\"n\":0.5,\"m\":0.3}");
    mrw_text_release(context, text, size);
    mrwi_writer_init(&writer, context, false);
    write_all(&writer);
    REQUIRE(mrwi_writer_take(&writer, &text, &size) == MRW_OK);
    CHECK_STR(text,
        "{\n  \"a\\\"b\\\\c\\u0001\\u001f\\b\\f\\n\\r\\t\x7f\xc3\xa9\": \"x/y\",\n  \"list\": [\n    true,\n    false,\n    null,\n"
        "    -9223372036854775808,\n    0,\n    {},\n    [],\n    null\n  ],\n  \"f\": [0.1,-1.5,16777216],\n  \"d\": 1e+21,\n"
        "  \"i\": 4294967295,\n  \"none\": [],\n  \"raw\": {\"x\":1},\n  \"n\": 0.5,\n  \"m\": 0.3\n}\n");
    CHECK_EQ_INT(parse_copy(context, text, size, NULL), MRW_OK);
    mrw_text_release(context, text, size);
    mrwi_writer_init(&writer, context, false);
    write_all(&writer);
    mrwi_writer_release(&writer);
    CHECK(ended_well(context, &allocator));
}

static mrw_result attempt_json(mrw_context* context, void* user)
{
    (void)user;
    static char many[2000] = "{";
    if (many[1] == 0) {
        size_t size = 1;
        for (int i = 0; i < 100; i++) {
            size += (size_t)snprintf(many + size, sizeof many - size, "\"m%d\":%d,", i % 90, i);
        }
        memcpy(many + size - 1, "}", 2);
    }
    static const char* const known = "m3";
    mrwi_json* json;
    mrw_error error;
    mrw_result result = mrwi_json_parse(context, many, strlen(many), false, &json, &error);
    if (result != MRW_OK) {
        return result;
    }
    mrwi_arena arena;
    mrwi_arena_init(&arena, context);
    mrwi_json_cursor root = mrwi_json_root(json);
    const mrw_warning* warnings;
    uint32_t count;
    mrw_extras extras;
    const char* value;
    result = mrwi_json_warn(&root, &error, MRW_UNKNOWN, NULL);
    result = result != MRW_OK ? result : mrwi_json_warnings(json, &arena, &warnings, &count);
    result = result != MRW_OK ? result : mrwi_json_extras(&root, (mrwi_json_names) { &known, 1, 0 }, &arena, &extras);
    result = result != MRW_OK ? result : mrwi_json_text(&root, &arena, &value);
    if (result == MRW_OK) {
        mrwi_writer writer;
        char* text;
        size_t size;
        mrwi_writer_init(&writer, context, false);
        write_all(&writer);
        result = mrwi_writer_take(&writer, &text, &size);
        if (result == MRW_OK) {
            mrw_text_release(context, text, size);
        } else {
            CHECK(text == NULL);
        }
    }
    mrwi_arena_release(&arena);
    mrwi_json_release(json);
    return result;
}

TEST(failed_allocations_are_results)
{
    FAILING_ALLOCATOR_SWEEP(attempt_json, NULL);
}
