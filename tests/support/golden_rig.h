/// Rigs inside vector files.
#ifndef GOLDEN_RIG_H
#define GOLDEN_RIG_H

#include "golden.h"

#include "model/model.h"

/// Loads the rig at a cursor leniently. NULL fails the check. The model lives as long as the context.
static inline const mrwi_model* golden_load_rig(mrw_context* context, const mrwi_json_cursor* rig)
{
    mrwi_arena arena;
    mrwi_arena_init(&arena, context);
    const char* text = NULL;
    mrw_model_id id = { 0 };
    mrw_error error = { 0 };
    if (CHECK_EQ_INT(mrwi_json_text(rig, &arena, &text), MRW_OK)
        && !CHECK_EQ_INT(mrw_model_load_rig2d(context, text, strlen(text), NULL, &id, &error), MRW_OK)) {
        CHECK_STR(error.message, "");
    }
    mrwi_arena_release(&arena);
    return mrwi_model_get(context, id);
}

/// Six numbers of a matrix.
static inline void golden_check_matrix(const double actual[6], const mrwi_json_cursor* expected)
{
    double numbers[6] = { 0 };
    REQUIRE(CHECK_EQ_INT(golden_numbers(expected, numbers, 6), 6));
    for (int i = 0; i < 6; i++) {
        CHECK_GOLDEN(actual[i], numbers[i]);
    }
}

#endif
