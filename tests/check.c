#include "check.h"

#include "fixtures.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static check_test* first_test;
static check_test** end_of_tests = &first_test;
static size_t check_count;
static size_t failure_count;

void check_register(check_test* test)
{
    *end_of_tests = test;
    end_of_tests = &test->next;
}

static bool note(check_place place, const char* text, bool holds)
{
    check_count++;
    if (!holds) {
        failure_count++;
        printf("%s:%d: failed: %s\n", place.file, place.line, text);
    }
    return holds;
}

bool check_true(check_place place, const char* text, bool holds)
{
    return note(place, text, holds);
}

bool check_int(check_place place, const char* text, int64_t actual, int64_t expected)
{
    bool holds = note(place, text, actual == expected);
    if (!holds) {
        printf("    actual %" PRId64 ", expected %" PRId64 "\n", actual, expected);
    }
    return holds;
}

bool check_near(check_place place, const char* text, double actual, double expected, double tolerance)
{
    // Written so that a NaN on any side fails; equal infinities are equal.
    bool holds = note(place, text, actual == expected || fabs(actual - expected) <= tolerance);
    if (!holds) {
        printf("    actual %.17g, expected %.17g, off by %g, allowed %g\n", actual, expected, actual - expected, tolerance);
    }
    return holds;
}

bool check_string(check_place place, const char* text, const char* actual, const char* expected)
{
    bool same = actual == expected || (actual != NULL && expected != NULL && strcmp(actual, expected) == 0);
    bool holds = note(place, text, same);
    if (!holds) {
        printf("    actual \"%s\", expected \"%s\"\n", actual == NULL ? "(null)" : actual, expected == NULL ? "(null)" : expected);
    }
    return holds;
}

bool check_bytes(check_place place, const char* text, const void* actual, const void* expected, size_t size)
{
    bool holds = note(place, text, size == 0 || memcmp(actual, expected, size) == 0);
    if (!holds) {
        const uint8_t* left = actual;
        const uint8_t* right = expected;
        size_t i = 0;
        while (left[i] == right[i]) {
            i++;
        }
        printf("    byte %zu of %zu: actual %02x, expected %02x\n", i, size, left[i], right[i]);
    }
    return holds;
}

const uint8_t* fixture_get(const char* path, size_t* size)
{
    for (size_t i = 0; i < fixture_count; i++) {
        if (strcmp(fixtures[i].path, path) == 0) {
            if (size != NULL) {
                *size = fixtures[i].size;
            }
            return (const uint8_t*)fixtures[i].bytes;
        }
    }
    printf("no fixture \"%s\": add it to the FIXTURES of this test\n", path);
    exit(1);
}

static bool run(const check_test* test)
{
    size_t checks_before = check_count;
    size_t failures_before = failure_count;
    test->run();
    if (check_count == checks_before) {
        printf("%s made no check\n", test->name);
        failure_count++;
    }
    bool passed = failure_count == failures_before;
    printf("%s %s (%zu checks)\n", passed ? "ok  " : "FAIL", test->name, check_count - checks_before);
    fflush(stdout);
    return passed;
}

int main(int argc, char** argv)
{
    const char* filter = argc > 1 ? argv[1] : "";
    size_t run_count = 0;
    size_t failed_count = 0;
    for (const check_test* test = first_test; test != NULL; test = test->next) {
        if (strstr(test->name, filter) != NULL) {
            run_count++;
            failed_count += run(test) ? 0 : 1;
        }
    }
    printf("%zu tests, %zu failed, %zu checks\n", run_count, failed_count, check_count);
    return run_count == 0 || failed_count > 0 ? 1 : 0;
}
