/// Skinned parts of vector files against an instance.
#ifndef GOLDEN_PARTS_H
#define GOLDEN_PARTS_H

#include "golden_rig.h"

#include "support/stage.h"

#define GOLDEN_POSITIONS 8192

/// Positions `[x0, y0, ...]` in the file's order, at 1e-3 + 1e-5 times the largest coordinate.
static inline void golden_check_positions(const mrw_instance_state* state, uint32_t part, const mrwi_json_cursor* expected)
{
    static double numbers[GOLDEN_POSITIONS];
    const mrw_part_state* at = &state->parts[part];
    uint32_t count = golden_numbers(expected, numbers, GOLDEN_POSITIONS);
    REQUIRE(CHECK_EQ_INT(count, 2 * at->vertex_count) && count <= GOLDEN_POSITIONS);
    double largest = 0;
    for (uint32_t i = 0; i < count; i++) {
        largest = fmax(largest, fabs(numbers[i]));
    }
    for (uint32_t i = 0; i < at->vertex_count; i++) {
        const float* actual = state->positions + 2 * (at->first_vertex + i);
        const double* wanted = numbers + 2 * at->vertex_map[i];
        CHECK_NEAR(actual[0], wanted[0], 1e-3 + 1e-5 * largest);
        CHECK_NEAR(actual[1], wanted[1], 1e-3 + 1e-5 * largest);
    }
}

/// Parts in draw order; name, order and visibility where the file says them.
static inline void golden_check_parts(const mrwi_model* model, const mrw_instance_state* state, const mrwi_json_cursor* expected)
{
    uint32_t part = 0;
    GOLDEN_EACH(item, *expected)
    {
        REQUIRE(part < state->part_count);
        mrwi_json_cursor name = mrwi_json_member(&item, "name");
        mrwi_json_cursor order = mrwi_json_member(&item, "order");
        mrwi_json_cursor visible = mrwi_json_member(&item, "visible");
        mrwi_json_cursor positions = mrwi_json_member(&item, "positions");
        CHECK_STR(model->parts[part].name, mrwi_json_string(&name));
        if (mrwi_json_type_of(&order) == MRWI_JSON_NUMBER) {
            CHECK_NEAR(state->parts[part].order, mrwi_json_number(&order), 1e-6);
        }
        if (mrwi_json_type_of(&visible) == MRWI_JSON_BOOLEAN) {
            CHECK_EQ_INT(state->parts[part].visible, mrwi_json_boolean(&visible));
        }
        golden_check_positions(state, part, &positions);
        part++;
    }
    CHECK_EQ_INT(part, state->part_count);
}

#endif
