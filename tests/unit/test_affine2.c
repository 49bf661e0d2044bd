#include "base/context.h"
#include "check.h"
#include "io/json.h"
#include "math/affine2.h"

#include <math.h>
#include <string.h>

static const double identity[6] = { 1, 0, 0, 1, 0, 0 };

static void check_matrix(const double* actual, const double* expected)
{
    for (int i = 0; i < 6; i++) {
        CHECK_NEAR(actual[i], expected[i], 1e-6 * (1 + fabs(expected[i])));
    }
}

TEST(what_cannot_be_inverted_gives_the_identity)
{
    const double table[][6] = { { 0, 0, 0, 0, 5, 6 }, { 1, 2, 2, 4, 5, 6 }, { 0, 0, 1, 1, 5, 6 }, { (double)NAN, 0, 0, 1, 0, 0 },
        { (double)INFINITY, 0, 0, 1, 0, 0 }, { 1e-320, 0, 0, 1e-320, 0, 0 } };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        double out[6];
        mrw_affine2_invert(table[i], out);
        CHECK_BYTES(out, identity, sizeof out);
    }
}

TEST(zero_columns_stay)
{
    const double flat[6] = { 0, 0, 3, 4, 5, 6 };
    const double expected[6] = { 0, 0, 0.6, 0.8, 5, 6 };
    double out[6];
    mrw_affine2_remove_scale(flat, out);
    check_matrix(out, expected);
}

// A quarter turn takes +x to +y (down on the screen). First the point is scaled, then turned, then moved:
// (1, 1) -> (2, 3) -> (-3, 2) -> (7, 22).
TEST(compose_scales_turns_and_moves)
{
    double m[6];
    mrw_affine2_compose(10, 20, 1.5707963267948966, 2, 3, m);
    const double expected[6] = { 0, 2, -3, 0, 10, 20 };
    check_matrix(m, expected);
    CHECK_NEAR(m[0] + m[2] + m[4], 7, 1e-12);
    CHECK_NEAR(m[1] + m[3] + m[5], 22, 1e-12);
}

// a * b applies b first: b moves (0, 0) to (1, 0), a doubles that and moves it by (0, 5).
TEST(multiply_applies_the_right_one_first)
{
    const double a[6] = { 2, 0, 0, 2, 0, 5 };
    const double b[6] = { 1, 0, 0, 1, 1, 0 };
    const double expected[6] = { 2, 0, 0, 2, 2, 5 };
    double out[6];
    mrw_affine2_multiply(a, b, out);
    check_matrix(out, expected);
}

TEST(out_may_be_an_input)
{
    const double a[6] = { 1, 2, -3, 4, 5, 6 };
    const double b[6] = { 2, 1, 1, 3, -1, 7 };
    double expected[6];
    double out[6];
    mrw_affine2_multiply(a, b, expected);
    memcpy(out, a, sizeof out);
    mrw_affine2_multiply(out, b, out);
    CHECK_BYTES(out, expected, sizeof out);
    memcpy(out, b, sizeof out);
    mrw_affine2_multiply(a, out, out);
    CHECK_BYTES(out, expected, sizeof out);
    mrw_affine2_invert(a, expected);
    memcpy(out, a, sizeof out);
    mrw_affine2_invert(out, out);
    CHECK_BYTES(out, expected, sizeof out);
    mrw_affine2_remove_scale(a, expected);
    memcpy(out, a, sizeof out);
    mrw_affine2_remove_scale(out, out);
    CHECK_BYTES(out, expected, sizeof out);
}

TEST(f32_multiplies_as_f64_does)
{
    const mrwi_affine2 p = { 1, 2, -3, 4, 5, 6, { 0, 0 } };
    const mrwi_affine2 q = { 2, 1, 1, 3, -1, 7, { 0, 0 } };
    const double a[6] = { 1, 2, -3, 4, 5, 6 };
    const double b[6] = { 2, 1, 1, 3, -1, 7 };
    mrwi_affine2 r = mrwi_affine2_multiply(&p, &q);
    double out[6];
    mrw_affine2_multiply(a, b, out);
    const float* values = &r.a;
    for (int i = 0; i < 8; i++) {
        CHECK_NEAR(values[i], i < 6 ? out[i] : 0, 0);
    }
}

static void numbers(const mrwi_json_cursor* at, const char* name, double* out, uint32_t count)
{
    mrwi_json_cursor list = mrwi_json_member(at, name);
    mrwi_json_cursor child;
    CHECK_EQ_INT(mrwi_json_count(&list), count);
    uint32_t i = 0;
    for (bool more = mrwi_json_first(&list, &child); more && i < count; more = mrwi_json_next(&child), i++) {
        out[i] = mrwi_json_number(&child);
    }
}

static void check_pair(const mrwi_json_cursor* at)
{
    double a[5], b[5], point[2], moved[2], expected[6], first[6], second[6], out[6];
    numbers(at, "a", a, 5);
    numbers(at, "b", b, 5);
    mrw_affine2_compose(a[0], a[1], a[2], a[3], a[4], first);
    mrw_affine2_compose(b[0], b[1], b[2], b[3], b[4], second);
    numbers(at, "composeA", expected, 6);
    check_matrix(first, expected);
    mrw_affine2_invert(first, out);
    numbers(at, "invertA", expected, 6);
    check_matrix(out, expected);
    mrw_affine2_remove_scale(first, out);
    numbers(at, "removeScaleA", expected, 6);
    check_matrix(out, expected);
    mrw_affine2_multiply(first, second, out);
    numbers(at, "mulAB", expected, 6);
    check_matrix(out, expected);
    mrw_affine2_remove_scale(out, out);
    numbers(at, "removeScaleAB", expected, 6);
    check_matrix(out, expected);
    numbers(at, "point", point, 2);
    numbers(at, "applyA", moved, 2);
    CHECK_NEAR(first[0] * point[0] + first[2] * point[1] + first[4], moved[0], 1e-6 * (1 + fabs(moved[0])));
    CHECK_NEAR(first[1] * point[0] + first[3] * point[1] + first[5], moved[1], 1e-6 * (1 + fabs(moved[1])));
}

static double number(const mrwi_json_cursor* at, const char* name)
{
    mrwi_json_cursor member = mrwi_json_member(at, name);
    return mrwi_json_number(&member);
}

// A chain of bones, parents first: rest matrices from the root, and their inverses.
static void check_bones(const mrwi_json_cursor* at)
{
    double rest[64][6];
    mrwi_json_cursor bones = mrwi_json_member(at, "bones");
    mrwi_json_cursor matrices = mrwi_json_member(at, "rootLocal");
    mrwi_json_cursor inverses = mrwi_json_member(at, "invBind");
    mrwi_json_cursor bone, matrix, inverse;
    REQUIRE(mrwi_json_first(&bones, &bone) && mrwi_json_first(&matrices, &matrix) && mrwi_json_first(&inverses, &inverse));
    for (uint32_t i = 0; i < 64; i++) {
        double local[6], out[6], expected[6];
        int parent = (int)number(&bone, "parent");
        REQUIRE(parent < (int)i);
        mrw_affine2_compose(number(&bone, "x"), number(&bone, "y"), number(&bone, "rot"), 1, 1, local);
        mrw_affine2_multiply(parent < 0 ? identity : rest[parent], local, rest[i]);
        mrwi_json_cursor element;
        uint32_t k = 0;
        for (bool more = mrwi_json_first(&matrix, &element); more && k < 6; more = mrwi_json_next(&element), k++) {
            expected[k] = mrwi_json_number(&element);
        }
        REQUIRE(k == 6);
        check_matrix(rest[i], expected);
        k = 0;
        for (bool more = mrwi_json_first(&inverse, &element); more && k < 6; more = mrwi_json_next(&element), k++) {
            expected[k] = mrwi_json_number(&element);
        }
        REQUIRE(k == 6);
        mrw_affine2_invert(rest[i], out);
        check_matrix(out, expected);
        if (!mrwi_json_next(&bone) || !mrwi_json_next(&matrix) || !mrwi_json_next(&inverse)) {
            break;
        }
    }
}

TEST(matrices_agree_with_the_golden_file)
{
    size_t size;
    const uint8_t* bytes = fixture_get("golden/modoki/matrix-s1.json", &size);
    mrw_context* context = mrw_context_create(NULL);
    mrwi_json* json = NULL;
    REQUIRE(context != NULL);
    REQUIRE(mrwi_json_parse(context, bytes, size, true, &json, NULL) == MRW_OK);
    mrwi_json_cursor root = mrwi_json_root(json);
    mrwi_json_cursor cases = mrwi_json_member(&root, "cases");
    mrwi_json_cursor at;
    uint32_t count = 0;
    for (bool more = mrwi_json_first(&cases, &at); more; more = mrwi_json_next(&at), count++) {
        mrwi_json_cursor bones = mrwi_json_member(&at, "bones");
        if (bones.item == NULL) {
            check_pair(&at);
        } else {
            check_bones(&at);
        }
    }
    CHECK_EQ_INT(count, 12);
    mrwi_json_release(json);
    mrw_context_destroy(context);
}
