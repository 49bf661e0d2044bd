/// Reading the vector files of tests/golden/modoki (their README says what the numbers mean).
#ifndef GOLDEN_H
#define GOLDEN_H

#include "check.h"

#include "io/json.h"

#include <math.h>
#include <string.h>

typedef struct golden {
    mrw_context* context;
    mrwi_json* json;
    mrwi_json_cursor root, cases;
} golden;

/// Parses a fixture. On failure the check fails, and `cases` is empty.
static inline golden golden_open(const char* path)
{
    golden file = { .context = mrw_context_create(NULL) };
    size_t size = 0;
    const uint8_t* bytes = fixture_get(path, &size);
    if (CHECK(file.context != NULL) && CHECK_EQ_INT(mrwi_json_parse(file.context, bytes, size, true, &file.json, NULL), MRW_OK)) {
        file.root = mrwi_json_root(file.json);
        file.cases = mrwi_json_member(&file.root, "cases");
        CHECK(mrwi_json_count(&file.cases) > 0);
    }
    return file;
}

static inline void golden_close(golden* file)
{
    mrwi_json_release(file->json);
    mrw_context_destroy(file->context);
}

/// A number; the strings "Infinity", "-Infinity" and "NaN" stand for what JSON cannot hold.
static inline double golden_number(const mrwi_json_cursor* at)
{
    const char* text = mrwi_json_string(at);
    if (text != NULL) {
        return strcmp(text, "Infinity") == 0 ? INFINITY : (strcmp(text, "-Infinity") == 0 ? -INFINITY : NAN);
    }
    return mrwi_json_number(at);
}

static inline double golden_member(const mrwi_json_cursor* at, const char* name)
{
    mrwi_json_cursor member = mrwi_json_member(at, name);
    return golden_number(&member);
}

/// Copies at most `capacity` numbers of an array and returns how many it has.
static inline uint32_t golden_numbers(const mrwi_json_cursor* array, double* out, uint32_t capacity)
{
    uint32_t count = 0;
    mrwi_json_cursor child;
    for (bool more = mrwi_json_first(array, &child); more; more = mrwi_json_next(&child)) {
        if (count < capacity) {
            out[count] = golden_number(&child);
        }
        count++;
    }
    return count;
}

/// For each element `child` of the array at cursor `array`.
#define GOLDEN_EACH(child, array)   \
    mrwi_json_cursor child = { 0 }; \
    for (bool child##_more = mrwi_json_first(&(array), &child); child##_more; child##_more = mrwi_json_next(&child))

/// The tolerance of matrices, transforms, curve values and tangents.
#define CHECK_GOLDEN(actual, expected) check_golden(CHECK_HERE, #actual, (actual), (expected))
static inline bool check_golden(check_place place, const char* text, double actual, double expected)
{
    if (isinf(expected)) {
        return check_true(place, text, actual == expected);
    }
    return check_near(place, text, actual, expected, 1e-6 * (1.0 + fabs(expected)));
}

#endif
