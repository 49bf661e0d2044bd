/// A small test frame. Each TEST registers itself; `main` (check.c) runs all in the order of their definition, or only
/// those whose name holds the program's first argument, prints one line a test and returns 1 if a check failed, or if a
/// test made none.
///
///     TEST(bar_bends_by_ninety_degrees) {
///         REQUIRE(bar != NULL);                     // leaves the test
///         CHECK_NEAR(points[2].x, 1.0f, 1e-6f);     // notes the failure and goes on
///     }
#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct check_test {
    const char* name;
    void (*run)(void);
    struct check_test* next;
} check_test;

typedef struct check_place {
    const char* file;
    int line;
} check_place;

void check_register(check_test* test);

// Each returns whether the check held. `text` is the source of the checked expression.
bool check_true(check_place place, const char* text, bool holds);
bool check_int(check_place place, const char* text, int64_t actual, int64_t expected);
bool check_near(check_place place, const char* text, double actual, double expected, double tolerance);
bool check_string(check_place place, const char* text, const char* actual, const char* expected);
bool check_bytes(check_place place, const char* text, const void* actual, const void* expected, size_t size);

/// Bytes of a file that the test's CMake entry lists under FIXTURES, embedded at build time. A zero byte follows them
/// that `size` (may be NULL) does not count. An unknown path ends the program with a message: a missing fixture never
/// passes.
const uint8_t* fixture_get(const char* path, size_t* size);

#define CHECK_HERE ((check_place) { __FILE__, __LINE__ })

#define TEST(name)                                                 \
    static void name(void);                                        \
    __attribute__((constructor)) static void register_##name(void) \
    {                                                              \
        static check_test test = { #name, name, NULL };            \
        check_register(&test);                                     \
    }                                                              \
    static void name(void)

#define CHECK(condition) check_true(CHECK_HERE, #condition, (condition))
#define CHECK_EQ_INT(actual, expected) check_int(CHECK_HERE, #actual " == " #expected, (int64_t)(actual), (int64_t)(expected))
#define CHECK_NEAR(actual, expected, tolerance) \
    check_near(CHECK_HERE, #actual " ~ " #expected, (double)(actual), (double)(expected), (double)(tolerance))
#define CHECK_STR(actual, expected) check_string(CHECK_HERE, #actual " is " #expected, (actual), (expected))
#define CHECK_BYTES(actual, expected, size) check_bytes(CHECK_HERE, #actual " equals " #expected, (actual), (expected), (size))

/// Leaves the running test if the condition is false: for what the rest of the test stands on.
#define REQUIRE(condition)       \
    do {                         \
        if (!CHECK(condition)) { \
            return;              \
        }                        \
    } while (0)

#endif
