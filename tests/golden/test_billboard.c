// Where 2.5D sprites stand and in which order they are drawn, against tests/golden/modoki/billboard-s1.json.
#include "check.h"
#include "math/trig.h"
#include "support/reference.h"

#include <string.h>

#define MOST_ENTITIES 8

typedef struct vector {
    double x, y, z;
} vector;

// x y z w; the result turns by b first.
static void multiply(const double a[4], const double b[4], double out[4])
{
    const double product[4]
        = { a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
              a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2] };
    memcpy(out, product, sizeof product);
}

static void about_axis(int axis, double angle, double out[4])
{
    memset(out, 0, 4 * sizeof(double));
    mrwi_sincos(angle / 2, &out[axis], &out[3]);
}

// Euler angles of an entity: about z first, then y, then x.
static void entity_rotation(const mrwi_json_cursor* transform, double out[4])
{
    double x[4];
    double y[4];
    double z[4];
    about_axis(0, reference_number(transform, "rx", 0), x);
    about_axis(1, reference_number(transform, "ry", 0), y);
    about_axis(2, reference_number(transform, "rz", 0), z);
    multiply(x, y, out);
    multiply(out, z, out);
}

static vector turn(const double q[4], vector v)
{
    const double point[4] = { v.x, v.y, v.z, 0 };
    const double inverse[4] = { -q[0], -q[1], -q[2], q[3] };
    double out[4];
    multiply(q, point, out);
    multiply(out, inverse, out);
    return (vector) { out[0], out[1], out[2] };
}

// outer node T R S, inner node T R S, mesh vertex (x, -y, 0)
static vector world_of(const mrw_billboard_args* args, const mrw_billboard_placement* placement, const double* deformed)
{
    vector v = { deformed[0] * placement->inner_scale[0], -deformed[1] * placement->inner_scale[1], 0 };
    double inner[4];
    about_axis(0, placement->inner_rotation_x, inner);
    v = turn(inner, v);
    v.y += placement->inner_offset_y;
    v = (vector) { v.x * args->scale[0], v.y * args->scale[1], v.z * args->scale[2] };
    v = turn(placement->outer_rotation, v);
    return (vector) { v.x + args->position[0], v.y + args->position[1], v.z + args->position[2] };
}

static mrw_billboard_args args_of(reference* file, const mrwi_json_cursor* camera, const mrwi_json_cursor* entity)
{
    mrwi_json_cursor transform = mrwi_json_member(entity, "transform");
    mrwi_json_cursor sprite = mrwi_json_member(entity, "sprite");
    mrwi_json_cursor extent = mrwi_json_member(entity, "bindExtent");
    const char* mode = reference_string(entity, "mode", "");
    mrw_billboard_args args = {
        .mode = strcmp(mode, "flat") == 0    ? MRW_BILLBOARD_FLAT
            : strcmp(mode, "spherical") == 0 ? MRW_BILLBOARD_SPHERICAL
                                             : MRW_BILLBOARD_CYLINDRICAL,
        .anchor = strcmp(reference_string(entity, "anchor", "bottom"), "center") == 0 ? MRW_ANCHOR_CENTER : MRW_ANCHOR_BOTTOM,
        .pixels_per_unit = reference_number(entity, "pixelsPerUnit", 0),
        .flip_x = reference_boolean(&sprite, "flipX", false),
        .flip_y = reference_boolean(&sprite, "flipY", false),
        .bind_min_y = reference_number(&extent, "minY", 0),
        .bind_max_y = reference_number(&extent, "maxY", 0),
        .position = { reference_number(&transform, "x", 0), reference_number(&transform, "y", 0), reference_number(&transform, "z", 0) },
        .scale = { reference_number(&transform, "sx", 1), reference_number(&transform, "sy", 1), reference_number(&transform, "sz", 1) },
    };
    entity_rotation(&transform, args.rotation);
    reference_numbers place = reference_array(file, camera, "position");
    reference_numbers rotation = reference_array(file, camera, "quaternion");
    memcpy(args.camera_position, place.values, sizeof args.camera_position);
    memcpy(args.camera_rotation, rotation.values, sizeof args.camera_rotation);
    return args;
}

// Quaternions turn alike up to their sign.
static void check_rotation(const double actual[4], const double* expected)
{
    double dot = 0;
    for (int i = 0; i < 4; i++) {
        dot += actual[i] * expected[i];
    }
    for (int i = 0; i < 4; i++) {
        CHECK_NEAR(dot < 0 ? -actual[i] : actual[i], expected[i], 2e-6);
    }
}

static void check_entity(reference* file, const mrwi_json_cursor* camera, const mrwi_json_cursor* entity, int32_t rank)
{
    mrwi_json_cursor expected = mrwi_json_member(entity, "expected");
    mrw_billboard_args args = args_of(file, camera, entity);
    mrw_billboard_placement placement;
    mrw_billboard_place(&args, &placement);
    if (rank < 0) {
        // What is not seen is not turned to the camera.
        memcpy(placement.outer_rotation, args.rotation, sizeof args.rotation);
    }
    check_rotation(placement.outer_rotation, reference_array(file, &expected, "groupQuaternion").values);
    reference_numbers scale = reference_array(file, &expected, "innerScale");
    CHECK_NEAR(placement.inner_scale[0], scale.values[0], 1e-6);
    CHECK_NEAR(placement.inner_scale[1], scale.values[1], 1e-6);
    CHECK_NEAR(placement.inner_scale[2], 1, 0);
    CHECK_NEAR(placement.inner_offset_y, reference_number(&expected, "innerOffsetY", 0), 1e-6);
    CHECK_NEAR(placement.inner_rotation_x, reference_number(&expected, "innerRotationX", 0), 1e-6);
    CHECK_EQ_INT(rank >= 0, reference_boolean(&expected, "groupVisible", false));

    mrwi_json_cursor parts = mrwi_json_member(entity, "parts");
    mrwi_json_cursor results = mrwi_json_member(&expected, "parts");
    CHECK_EQ_INT(mrwi_json_count(&parts), mrwi_json_count(&results));
    mrwi_json_cursor part;
    mrwi_json_cursor result;
    mrwi_json_first(&results, &result);
    for (bool more = mrwi_json_first(&parts, &part); more; more = mrwi_json_next(&part), mrwi_json_next(&result)) {
        double order = rank < 0 ? 0 : 10000 + 1000 * rank + reference_number(&part, "order", 0);
        CHECK_NEAR(reference_number(&result, "renderOrder", -1), order, 0);
        reference_numbers deformed = reference_array(file, &part, "deformed");
        reference_numbers world = reference_array(file, &result, "world");
        CHECK_EQ_INT(world.count / 3, deformed.count / 2);
        for (uint32_t i = 0; i < deformed.count / 2; i++) {
            vector at = world_of(&args, &placement, &deformed.values[(size_t)i * 2]);
            CHECK_NEAR(at.x, world.values[i * 3], 1e-4);
            CHECK_NEAR(at.y, world.values[i * 3 + 1], 1e-4);
            CHECK_NEAR(at.z, world.values[i * 3 + 2], 1e-4);
        }
    }
}

static void check_case(reference* file, const mrwi_json_cursor* at)
{
    mrwi_json_cursor camera = mrwi_json_member(at, "camera");
    mrwi_json_cursor entities = mrwi_json_member(at, "entities");
    uint32_t count = mrwi_json_count(&entities);
    REQUIRE(count > 0 && count <= MOST_ENTITIES);
    double distances[MOST_ENTITIES];
    uint32_t seen[MOST_ENTITIES];
    uint32_t seen_count = 0;
    mrwi_json_cursor entity;
    uint32_t index = 0;
    for (bool more = mrwi_json_first(&entities, &entity); more; more = mrwi_json_next(&entity), index++) {
        mrwi_json_cursor sprite = mrwi_json_member(&entity, "sprite");
        if (reference_boolean(&sprite, "isVisible", true)) {
            mrw_billboard_args args = args_of(file, &camera, &entity);
            distances[seen_count] = 0;
            for (int i = 0; i < 3; i++) {
                double along = args.camera_position[i] - args.position[i];
                distances[seen_count] += along * along;
            }
            seen[seen_count++] = index;
        }
    }
    uint32_t order[MOST_ENTITIES];
    mrw_billboard_order(distances, seen_count, order);
    index = 0;
    for (bool more = mrwi_json_first(&entities, &entity); more; more = mrwi_json_next(&entity), index++) {
        int32_t rank = -1;
        for (uint32_t i = 0; i < seen_count; i++) {
            rank = seen[order[i]] == index ? (int32_t)i : rank;
        }
        check_entity(file, &camera, &entity, rank);
    }
}

TEST(billboards_match_the_reference)
{
    reference file;
    REQUIRE(reference_open(&file, "golden/modoki/billboard-s1.json"));
    CHECK_EQ_INT(mrwi_json_count(&file.file.cases), 3);
    mrwi_json_cursor at;
    for (bool more = mrwi_json_first(&file.file.cases, &at); more; more = mrwi_json_next(&at)) {
        check_case(&file, &at);
    }
    reference_close(&file);
}

// The camera stands on +x: a cylindrical billboard turns its +z there, whatever its own rotation. With the defaults one unit is 100
// pixels, and the lowest bind vertex (y = 50) stands on the ground.
TEST(cylindrical_billboard_faces_the_camera)
{
    mrw_billboard_args args
        = { .bind_min_y = -20, .bind_max_y = 50, .rotation = { 1, 0, 0, 0 }, .scale = { 1, 1, 1 }, .camera_position = { 5, 9, 0 } };
    mrw_billboard_placement placement;
    mrw_billboard_place(&args, &placement);
    vector front = turn(placement.outer_rotation, (vector) { 0, 0, 1 });
    CHECK_NEAR(front.x, 1, 1e-12);
    CHECK_NEAR(front.y, 0, 1e-12);
    CHECK_NEAR(placement.inner_scale[0], 0.01, 1e-15);
    CHECK_NEAR(placement.inner_offset_y, 0.5, 1e-12);
    const double lowest[2] = { 0, 50 };
    CHECK_NEAR(world_of(&args, &placement, lowest).y, 0, 1e-12);
    args.flip_y = true;
    mrw_billboard_place(&args, &placement);
    const double highest[2] = { 0, -20 };
    CHECK_NEAR(world_of(&args, &placement, highest).y, 0, 1e-12);
}

TEST(order_is_far_to_near_and_stable)
{
    const double distances[7] = { 4, 9, 4, 0, 9, 1e300, 4 };
    const uint32_t expected[7] = { 5, 1, 4, 0, 2, 6, 3 };
    uint32_t order[7];
    mrw_billboard_order(distances, 7, order);
    CHECK_BYTES(order, expected, sizeof expected);
    mrw_billboard_order(distances, 0, order);
    CHECK_EQ_INT(order[0], 5);
    mrw_billboard_order(distances, 1, order);
    CHECK_EQ_INT(order[0], 0);
}

// Every order of n entries, against counting how many draw before each.
TEST(order_sorts_any_list)
{
    uint32_t state = 5;
    for (uint32_t count = 0; count < 60; count++) {
        double distances[60];
        uint32_t order[60];
        for (uint32_t i = 0; i < count; i++) {
            state = state * 1664525u + 1013904223u;
            distances[i] = state >> 28;
        }
        mrw_billboard_order(distances, count, order);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t before = 0;
            for (uint32_t k = 0; k < count; k++) {
                before += distances[k] > distances[i] || (distances[k] == distances[i] && k < i) ? 1 : 0;
            }
            CHECK_EQ_INT(order[before], i);
        }
    }
}
