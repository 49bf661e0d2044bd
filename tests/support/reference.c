#include "support/reference.h"

bool reference_open(reference* file, const char* path)
{
    file->file = golden_open(path);
    mrwi_arena_init(&file->arena, file->file.context);
    return mrwi_json_count(&file->file.cases) > 0;
}

void reference_close(reference* file)
{
    mrwi_arena_release(&file->arena);
    golden_close(&file->file);
}

bool reference_has(const mrwi_json_cursor* at, const char* name)
{
    mrwi_json_cursor member = mrwi_json_member(at, name);
    return mrwi_json_type_of(&member) != MRWI_JSON_NONE;
}

static double number_of(const mrwi_json_cursor* at)
{
    const char* text = mrwi_json_string(at);
    CHECK(mrwi_json_type_of(at) == MRWI_JSON_NUMBER
        || (text != NULL && (strcmp(text, "Infinity") == 0 || strcmp(text, "-Infinity") == 0 || strcmp(text, "NaN") == 0)));
    return golden_number(at);
}

double reference_number(const mrwi_json_cursor* at, const char* name, double otherwise)
{
    mrwi_json_cursor member = mrwi_json_member(at, name);
    return mrwi_json_type_of(&member) == MRWI_JSON_NONE ? otherwise : number_of(&member);
}

const char* reference_string(const mrwi_json_cursor* at, const char* name, const char* otherwise)
{
    mrwi_json_cursor member = mrwi_json_member(at, name);
    return mrwi_json_type_of(&member) == MRWI_JSON_NONE ? otherwise : mrwi_json_string(&member);
}

bool reference_boolean(const mrwi_json_cursor* at, const char* name, bool otherwise)
{
    mrwi_json_cursor member = mrwi_json_member(at, name);
    return mrwi_json_type_of(&member) == MRWI_JSON_NONE ? otherwise : mrwi_json_boolean(&member);
}

// Counts the numbers below `at`, and writes them when `out` is given.
static uint32_t flatten(const mrwi_json_cursor* at, double* out)
{
    if (mrwi_json_type_of(at) != MRWI_JSON_ARRAY) {
        if (out != NULL) {
            *out = number_of(at);
        }
        return 1;
    }
    uint32_t count = 0;
    mrwi_json_cursor child;
    for (bool more = mrwi_json_first(at, &child); more; more = mrwi_json_next(&child)) {
        count += flatten(&child, out == NULL ? NULL : out + count);
    }
    return count;
}

reference_numbers reference_array(reference* file, const mrwi_json_cursor* at, const char* name)
{
    reference_numbers out = { 0, NULL };
    mrwi_json_cursor member = mrwi_json_member(at, name);
    if (CHECK_EQ_INT(mrwi_json_type_of(&member), MRWI_JSON_ARRAY)) {
        out.count = flatten(&member, NULL);
        out.values = mrwi_arena_allocate(&file->arena, (size_t)out.count + 1, sizeof(double));
        if (CHECK(out.values != NULL)) {
            flatten(&member, out.values);
        }
    }
    return out;
}

uint32_t* reference_indices(reference* file, const mrwi_json_cursor* at, const char* name, uint32_t* out_count)
{
    reference_numbers numbers = reference_array(file, at, name);
    uint32_t* out = mrwi_arena_allocate(&file->arena, (size_t)numbers.count + 1, sizeof(uint32_t));
    for (uint32_t i = 0; CHECK(out != NULL) && i < numbers.count; i++) {
        out[i] = (uint32_t)numbers.values[i];
        CHECK(numbers.values[i] == (double)out[i]);
    }
    if (out_count != NULL) {
        *out_count = numbers.count;
    }
    return out;
}

mrw_mask reference_mask(reference* file, const mrwi_json_cursor* at, const char* name)
{
    mrw_mask mask = { 0, 0, NULL };
    mrwi_json_cursor member = mrwi_json_member(at, name);
    if (mrwi_json_type_of(&member) == MRWI_JSON_NONE) {
        return mask;
    }
    mask.width = (uint32_t)reference_number(&member, "w", 0);
    mask.height = (uint32_t)reference_number(&member, "h", 0);
    uint8_t* inside = mrwi_arena_allocate(&file->arena, (size_t)mask.width * mask.height, 1);
    mask.inside = inside;
    mrwi_json_cursor rows = mrwi_json_member(&member, "rows");
    CHECK(inside != NULL && mrwi_json_count(&rows) == mask.height);
    uint32_t y = 0;
    mrwi_json_cursor row;
    for (bool more = mrwi_json_first(&rows, &row); more; more = mrwi_json_next(&row), y++) {
        uint32_t x = 0;
        uint8_t value = 0;
        mrwi_json_cursor run;
        for (bool next = mrwi_json_first(&row, &run); next; next = mrwi_json_next(&run)) {
            for (uint32_t left = (uint32_t)number_of(&run); left > 0 && CHECK(x < mask.width); left--) {
                inside[(size_t)y * mask.width + x++] = value;
            }
            value = !value;
        }
        CHECK_EQ_INT(x, mask.width);
    }
    return mask;
}

mrw_node_desc* reference_bones(reference* file, const mrwi_json_cursor* at, const char* name, uint32_t* out_count)
{
    mrwi_json_cursor list = mrwi_json_member(at, name);
    uint32_t count = mrwi_json_count(&list);
    mrw_node_desc* bones = mrwi_arena_allocate(&file->arena, (size_t)count + 1, sizeof *bones);
    uint32_t i = 0;
    mrwi_json_cursor bone;
    for (bool more = CHECK(bones != NULL) && mrwi_json_first(&list, &bone); more; more = mrwi_json_next(&bone)) {
        bones[i++] = (mrw_node_desc) {
            .name = reference_string(&bone, "name", NULL),
            .parent = (int32_t)reference_number(&bone, "parent", -1),
            .x = reference_number(&bone, "x", 0),
            .y = reference_number(&bone, "y", 0),
            .rotation = reference_number(&bone, "rot", 0),
            .no_scale = reference_boolean(&bone, "noScale", false),
        };
    }
    *out_count = count;
    return bones;
}
