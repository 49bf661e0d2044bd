#include "base/context.h"
#include "base/hash.h"
#include "base/result.h"
#include "base/sort.h"
#include "check.h"
#include "support/failing_allocator.h"

#include <string.h>

static bool has_smaller_tens(const void* numbers, uint32_t a, uint32_t b)
{
    return ((const uint32_t*)numbers)[a] / 10 < ((const uint32_t*)numbers)[b] / 10;
}

TEST(sorting_is_stable_for_any_count)
{
    // By tens alone; the ones say where an equal stood.
    static const uint32_t numbers[] = { 30, 10, 31, 0, 11, 32, 1, 20, 12, 2, 33 };
    static const uint32_t sorted[] = { 0, 1, 2, 10, 11, 12, 20, 30, 31, 32, 33 };
    uint32_t order[11], scratch[11];
    for (uint32_t count = 0; count <= 11; count++) {
        for (uint32_t i = 0; i < count; i++) {
            order[i] = i;
        }
        mrwi_sort(order, scratch, count, has_smaller_tens, numbers);
        for (uint32_t i = 1; i < count; i++) {
            CHECK(numbers[order[i - 1]] < numbers[order[i]]);
        }
    }
    for (uint32_t i = 0; i < 11; i++) {
        CHECK_EQ_INT(numbers[order[i]], sorted[i]);
    }
}

TEST(results_have_names_and_messages)
{
    CHECK_STR(mrw_result_name(MRW_OK), "OK");
    CHECK_STR(mrw_result_name(MRW_NO_MEMORY), "NO_MEMORY");
    CHECK_STR(mrw_result_message(MRW_NO_MEMORY), "out of memory");
    CHECK_STR(mrw_result_name(MRW_UNSUPPORTED), "UNSUPPORTED");
    CHECK_STR(mrw_result_name(MRW_RESULT_COUNT), "UNKNOWN_RESULT");
    CHECK_STR(mrw_result_name((mrw_result)-1), "UNKNOWN_RESULT");
    CHECK_STR(mrw_result_message((mrw_result)1000), "UNKNOWN_RESULT");
}

TEST(format_writes_text_and_integers)
{
    char text[64];
    CHECK_EQ_INT(mrwi_format(text, sizeof text, "%s[%u] = %d%%", "a", 4294967295u, -7), 19);
    CHECK_STR(text, "a[4294967295] = -7%");
    mrwi_format(text, sizeof text, "%d %d %u", INT32_MIN, 0, 0u);
    CHECK_STR(text, "-2147483648 0 0");
}

TEST(format_cuts_between_characters)
{
    struct {
        size_t capacity;
        const char* text;
        const char* expected;
    } table[] = {
        { 4, "abc", "abc" },
        { 3, "abc", "ab" },
        { 1, "abc", "" },
        { 4,
            "a\xc3\xa9"
            "b",
            "a\xc3\xa9" }, // a, e acute, b: room for three bytes
        { 3,
            "a\xc3\xa9"
            "b",
            "a" },                     // the cut falls into the second character
        { 4, "\xf0\x9f\x98\x80", "" }, // a four-byte character in room for three
        { 5,
            "\xf0\x9f\x98\x80"
            "b",
            "\xf0\x9f\x98\x80" },
        { 4, "a\xe2\x82\xac", "a" },
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char text[8];
        CHECK_EQ_INT(mrwi_format(text, table[i].capacity, "%s", table[i].text), strlen(table[i].expected));
        CHECK_STR(text, table[i].expected);
    }
    CHECK_EQ_INT(mrwi_format(NULL, 0, "abc"), 0);
}

TEST(fail_fills_an_error)
{
    mrw_error error;
    memset(&error, 0x55, sizeof error);
    CHECK_EQ_INT(mrwi_fail(&error, MRW_BAD_VALUE, "$.a", "found %d", 3), MRW_BAD_VALUE);
    CHECK_EQ_INT(error.code, MRW_BAD_VALUE);
    CHECK_EQ_INT(error.line, 0);
    CHECK_EQ_INT(error.column, 0);
    CHECK_EQ_INT(error.offset, -1);
    CHECK_STR(error.path, "$.a");
    CHECK_STR(error.message, "found 3");
    CHECK_EQ_INT(mrwi_fail(&error, MRW_LIMIT, NULL, NULL), MRW_LIMIT);
    CHECK_STR(error.path, "$");
    CHECK_STR(error.message, "there is more of it than a limit allows");
    CHECK_EQ_INT(mrwi_fail(NULL, MRW_CYCLE, NULL, NULL), MRW_CYCLE);
}

TEST(sizes_are_checked)
{
    size_t out = 7;
    CHECK(mrwi_size_multiply(0, SIZE_MAX, &out) && out == 0);
    CHECK(mrwi_size_multiply(SIZE_MAX, 0, &out) && out == 0);
    CHECK(mrwi_size_multiply(SIZE_MAX / 2, 2, &out) && out == SIZE_MAX - 1);
    CHECK(!mrwi_size_multiply(SIZE_MAX / 2 + 1, 2, &out) && out == SIZE_MAX - 1);
    CHECK(mrwi_size_add(SIZE_MAX - 1, 1, &out) && out == SIZE_MAX);
    out = 7;
    CHECK(!mrwi_size_add(SIZE_MAX, 1, &out) && out == 7);
}

static bool is_zero(const void* bytes, size_t size)
{
    const uint8_t* at = bytes;
    for (size_t i = 0; i < size; i++) {
        if (at[i] != 0) {
            return false;
        }
    }
    return true;
}

static bool is_aligned(const void* block)
{
    return block != NULL && (uintptr_t)block % 16 == 0;
}

TEST(context_counts_memory)
{
    failing_allocator allocator = failing_allocator_start(-1);
    mrw_context* context = mrw_context_create(&(mrw_context_desc) { .allocator = failing_allocator_hooks(&allocator) });
    REQUIRE(context != NULL);
    CHECK_EQ_INT(mrw_context_memory(context), sizeof(mrw_context));
    CHECK_EQ_INT(mrw_context_allocations(context), 1);

    uint8_t* block = mrwi_allocate(context, 5, 3);
    CHECK(is_aligned(block) && is_zero(block, 15));
    CHECK_EQ_INT(mrw_context_memory(context), sizeof(mrw_context) + 15);
    memset(block, 1, 15);
    block = mrwi_reallocate(context, block, 5, 9, 3);
    CHECK(is_aligned(block) && block[14] == 1 && is_zero(block + 15, 12));
    CHECK_EQ_INT(mrw_context_memory(context), sizeof(mrw_context) + 27);
    block = mrwi_reallocate(context, block, 9, 2, 3);
    CHECK(is_aligned(block) && block[5] == 1);
    CHECK_EQ_INT(mrw_context_memory(context), sizeof(mrw_context) + 6);
    CHECK_EQ_INT(mrw_context_allocations(context), 4);
    mrwi_release(context, block, 2, 3);
    mrwi_release(context, NULL, 1000, 1000);
    CHECK_EQ_INT(mrw_context_memory(context), sizeof(mrw_context));

    uint8_t* empty = mrwi_allocate(context, 0, 8);
    CHECK(is_aligned(empty));
    *empty = 9;
    empty = mrwi_reallocate(context, empty, 0, 1, 8);
    CHECK(is_aligned(empty) && is_zero(empty, 8));
    mrwi_release(context, empty, 1, 8);
    CHECK(mrwi_allocate(context, SIZE_MAX / 2, 3) == NULL);
    block = mrwi_reallocate(context, NULL, 0, 2, 2);
    CHECK(is_aligned(block) && is_zero(block, 4));
    CHECK_EQ_INT(allocator.held_bytes, sizeof(mrw_context) + 4);
    mrwi_release(context, block, 2, 2);
    mrw_context_destroy(context);
    CHECK_EQ_INT(allocator.held_count, 0);
    CHECK_EQ_INT(allocator.mistakes, 0);
}

TEST(context_keeps_its_limit)
{
    mrw_context_desc desc = { .limits = { .memory_bytes = sizeof(mrw_context) + 100 } };
    mrw_context* context = mrw_context_create(&desc);
    REQUIRE(context != NULL);
    CHECK(mrwi_allocate(context, 101, 1) == NULL);
    char* block = mrwi_allocate(context, 60, 1);
    REQUIRE(block != NULL);
    block[59] = 'x';
    CHECK(mrwi_allocate(context, 41, 1) == NULL);
    CHECK(mrwi_reallocate(context, block, 60, 101, 1) == NULL);
    CHECK_EQ_INT(block[59], 'x');
    block = mrwi_reallocate(context, block, 60, 100, 1);
    REQUIRE(block != NULL);
    CHECK_EQ_INT(block[59], 'x');
    mrwi_release(context, block, 100, 1);
    mrw_context_destroy(context);

    desc.limits.memory_bytes = sizeof(mrw_context) - 1;
    CHECK(mrw_context_create(&desc) == NULL);
}

TEST(context_has_default_limits)
{
    mrw_context* context = mrw_context_create(&(mrw_context_desc) { .limits = { .json_depth = 5 } });
    REQUIRE(context != NULL);
    CHECK_EQ_INT(context->limits.input_bytes, 67108864);
    CHECK_EQ_INT(context->limits.memory_bytes, 1073741824);
    CHECK_EQ_INT(context->limits.nodes, 16384);
    CHECK_EQ_INT(context->limits.vertices, 4000000);
    CHECK_EQ_INT(context->limits.json_depth, 5);
    CHECK_EQ_INT(context->limits.image_pixels, 64000000);
    CHECK_EQ_INT(context->limits.clips, 4096);
    mrw_context_destroy(context);
    mrw_context_destroy(NULL);
    CHECK_EQ_INT(mrw_context_memory(NULL), 0);
}

static mrw_result attempt_allocations(mrw_context* context, void* user)
{
    (void)user;
    mrwi_arena arena;
    mrwi_arena_init(&arena, context);
    void* big = mrwi_arena_allocate(&arena, 3000, 4);
    void* small = big == NULL ? NULL : mrwi_arena_allocate(&arena, 1, 1);
    void* block = small == NULL ? NULL : mrwi_allocate(context, 7, 1);
    mrwi_release(context, block, 7, 1);
    mrwi_arena_release(&arena);
    return block == NULL ? MRW_NO_MEMORY : MRW_OK;
}

TEST(failed_allocations_leak_nothing)
{
    FAILING_ALLOCATOR_SWEEP(attempt_allocations, NULL);
    failing_allocator allocator = failing_allocator_start(0);
    CHECK(mrw_context_create(&(mrw_context_desc) { .allocator = failing_allocator_hooks(&allocator) }) == NULL);
}

// Blocks of every size side by side: aligned, zeroed, and none reaches into another.
TEST(arena_blocks_do_not_overlap)
{
    enum { COUNT = 600 };
    failing_allocator allocator = failing_allocator_start(-1);
    mrw_context* context = mrw_context_create(&(mrw_context_desc) { .allocator = failing_allocator_hooks(&allocator) });
    REQUIRE(context != NULL);
    mrwi_arena arena = { .context = context };
    uint8_t* blocks[COUNT];
    size_t total = 0;
    for (size_t i = 0; i < COUNT; i++) {
        size_t size = i % 50 == 49 ? i * 100 : i;
        blocks[i] = mrwi_arena_allocate(&arena, size, 1);
        REQUIRE(is_aligned(blocks[i]) && is_zero(blocks[i], size));
        memset(blocks[i], (int)(i % 251 + 1), size);
        total += size;
    }
    for (size_t i = 0; i < COUNT; i++) {
        size_t size = i % 50 == 49 ? i * 100 : i;
        size_t intact = 0;
        while (intact < size && blocks[i][intact] == i % 251 + 1) {
            intact++;
        }
        REQUIRE(intact == size);
    }
    CHECK(mrwi_arena_size(&arena) >= total);
    CHECK_EQ_INT(mrw_context_memory(context), sizeof(mrw_context) + mrwi_arena_size(&arena));
    CHECK(mrwi_arena_allocate(&arena, SIZE_MAX / 2, 2) == NULL);
    CHECK(mrwi_arena_allocate(&arena, SIZE_MAX / 2, 3) == NULL);
    CHECK_STR(mrwi_arena_text(&arena, "hello", 4), "hell");
    CHECK_STR(mrwi_arena_text(&arena, NULL, 0), "");
    CHECK(mrwi_arena_text(&arena, "", SIZE_MAX) == NULL);
    mrwi_arena_release(&arena);
    CHECK_EQ_INT(mrwi_arena_size(&arena), 0);
    CHECK_EQ_INT(mrw_context_memory(context), sizeof(mrw_context));
    CHECK(mrwi_arena_allocate(&arena, 1, 1) != NULL);
    mrwi_arena_release(&arena);
    mrw_context_destroy(context);
    CHECK_EQ_INT(allocator.held_count, 0);
    CHECK_EQ_INT(allocator.mistakes, 0);
}

static int destroyed[8];
static size_t destroyed_count;

static void note_destroyed(mrw_context* context, void* object)
{
    (void)context;
    destroyed[destroyed_count] = *(int*)object;
    destroyed_count++;
}

static void remove_and_note(mrw_context* context, void* object)
{
    uint32_t cursor = 0;
    uint32_t id = 0;
    while (mrwi_slots_next(&context->models, &cursor, &id) != object) { }
    mrwi_slots_remove(&context->models, id);
    note_destroyed(context, object);
}

TEST(context_destroys_worlds_then_models_then_assets)
{
    int numbers[] = { 1, 2, 3, 4, 5 };
    const int expected[] = { 3, 4, 1, 2, 5 };
    mrw_context* context = mrw_context_create(NULL);
    REQUIRE(context != NULL);
    context->destroy_world = note_destroyed;
    context->destroy_model = remove_and_note;
    context->destroy_assets = note_destroyed;
    context->assets = &numbers[4];
    CHECK(mrwi_slots_add(context, &context->models, &numbers[0]) != 0);
    CHECK(mrwi_slots_add(context, &context->models, &numbers[1]) != 0);
    CHECK(mrwi_slots_add(context, &context->worlds, &numbers[2]) != 0);
    CHECK(mrwi_slots_add(context, &context->worlds, &numbers[3]) != 0);
    destroyed_count = 0;
    mrw_context_destroy(context);
    CHECK_EQ_INT(destroyed_count, 5);
    CHECK_BYTES(destroyed, expected, sizeof expected);
}

// The examples of FIPS 180-4, a message of a million letters, and lengths around a block's end (sums of Python's hashlib).
TEST(sha256_gives_published_digests)
{
    static char letters[1000000];
    memset(letters, 'a', sizeof letters);
    struct {
        const char* text;
        size_t size;
        const char* digest;
    } table[] = {
        { "", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
        { "abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
        { "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
        { letters, 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0" },
        { letters, 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318" },
        { letters, 63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34" },
        { letters, 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb" },
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        uint8_t digest[32];
        char text[65];
        mrwi_sha256(table[i].text, table[i].size, digest);
        for (size_t k = 0; k < 32; k++) {
            text[2 * k] = "0123456789abcdef"[digest[k] >> 4];
            text[2 * k + 1] = "0123456789abcdef"[digest[k] & 15];
        }
        text[64] = 0;
        CHECK_STR(text, table[i].digest);
    }
}

TEST(hash_gives_published_values)
{
    CHECK(mrwi_hash(MRWI_HASH_START, "", 0) == 0xcbf29ce484222325u);
    CHECK(mrwi_hash(MRWI_HASH_START, "a", 1) == 0xaf63dc4c8601ec8cu);
    CHECK(mrwi_hash(MRWI_HASH_START, "foobar", 6) == 0x85944171f73967e8u);
    CHECK(mrwi_hash(mrwi_hash(MRWI_HASH_START, "foo", 3), "bar", 3) == 0x85944171f73967e8u);
}

// RFC 9562, B.2: the name space of DNS names followed by "www.example.com".
TEST(guid_of_bytes_is_the_example_of_the_rfc)
{
    static const char input[] = "\x6b\xa7\xb8\x10\x9d\xad\x11\xd1\x80\xb4\x00\xc0\x4f\xd4\x30\xc8www.example.com";
    char guid[37];
    mrw_guid_of_bytes(input, sizeof input - 1, guid);
    CHECK_STR(guid, "5c146b14-3c52-8afd-938a-375d0df1fbf6");
    CHECK(mrw_is_guid(guid));
}

TEST(guids_have_one_form)
{
    CHECK(mrw_is_guid("00000000-0000-0000-0000-000000000000"));
    CHECK(mrw_is_guid("ABCDEFab-cdef-0123-4567-89abcdef0000"));
    const char* wrong[] = { NULL, "", "00000000-0000-0000-0000-00000000000", "00000000-0000-0000-0000-0000000000000",
        "0000000000000-0000-0000-000000000000", "g0000000-0000-0000-0000-000000000000", "{0000000-0000-0000-0000-000000000000",
        "00000000-0000-0000-0000_000000000000", "hero.png" };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        CHECK(!mrw_is_guid(wrong[i]));
    }
}
