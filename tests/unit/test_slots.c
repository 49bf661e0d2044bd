#include "base/context.h"
#include "check.h"
#include "support/failing_allocator.h"

static int objects[4];

TEST(stale_and_foreign_ids_name_nothing)
{
    mrw_context* context = mrw_context_create(NULL);
    REQUIRE(context != NULL);
    mrwi_slots slots = { 0 };
    const uint32_t foreign[] = { 0, 1, 1u << 20, 2u << 20, 0xffffffffu, 0xfffffu };
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
        CHECK(mrwi_slots_get(&slots, foreign[i]) == NULL);
        mrwi_slots_remove(&slots, foreign[i]);
    }
    // Slot 0 in its first generation.
    uint32_t first = mrwi_slots_add(context, &slots, &objects[0]);
    CHECK_EQ_INT(first, 1u << 20);
    uint32_t second = mrwi_slots_add(context, &slots, &objects[1]);
    CHECK_EQ_INT(second, (1u << 20) + 1);
    CHECK(mrwi_slots_get(&slots, first) == &objects[0]);
    CHECK(mrwi_slots_get(&slots, second) == &objects[1]);
    CHECK(mrwi_slots_get(&slots, 0) == NULL);
    CHECK(mrwi_slots_get(&slots, 1) == NULL);
    CHECK(mrwi_slots_get(&slots, (1u << 20) + 2) == NULL);

    mrwi_slots_remove(&slots, first);
    CHECK(mrwi_slots_get(&slots, first) == NULL);
    mrwi_slots_remove(&slots, first);
    uint32_t third = mrwi_slots_add(context, &slots, &objects[2]);
    CHECK_EQ_INT(third, 2u << 20); // the same slot, the next generation
    mrwi_slots_remove(&slots, first);
    CHECK(mrwi_slots_get(&slots, third) == &objects[2]);
    CHECK(mrwi_slots_get(&slots, first) == NULL);
    mrwi_slots_release(context, &slots);
    CHECK(mrwi_slots_get(&slots, third) == NULL);
    mrw_context_destroy(context);
}

TEST(slots_iterate_in_slot_order)
{
    mrw_context* context = mrw_context_create(NULL);
    REQUIRE(context != NULL);
    mrwi_slots slots = { 0 };
    uint32_t ids[4];
    for (size_t i = 0; i < 4; i++) {
        ids[i] = mrwi_slots_add(context, &slots, &objects[i]);
    }
    mrwi_slots_remove(&slots, ids[1]);
    uint32_t cursor = 0;
    uint32_t id = 0;
    CHECK(mrwi_slots_next(&slots, &cursor, &id) == &objects[0] && id == ids[0]);
    CHECK(mrwi_slots_next(&slots, &cursor, &id) == &objects[2] && id == ids[2]);
    mrwi_slots_remove(&slots, ids[2]); // the current one may go
    CHECK(mrwi_slots_next(&slots, &cursor, &id) == &objects[3] && id == ids[3]);
    CHECK(mrwi_slots_next(&slots, &cursor, &id) == NULL);
    CHECK(mrwi_slots_next(&slots, &cursor, &id) == NULL);
    mrwi_slots_release(context, &slots);
    mrw_context_destroy(context);
}

// 4095 generations fit in 12 bits without zero; then the slot is retired and no old id ever matches again.
TEST(a_slot_is_retired_before_its_generation_wraps)
{
    mrw_context* context = mrw_context_create(NULL);
    REQUIRE(context != NULL);
    mrwi_slots slots = { 0 };
    uint32_t id = 0;
    for (uint32_t generation = 1; generation <= 4095; generation++) {
        id = mrwi_slots_add(context, &slots, &objects[0]);
        REQUIRE(CHECK_EQ_INT(id, generation << 20));
        mrwi_slots_remove(&slots, id);
    }
    CHECK_EQ_INT(mrwi_slots_add(context, &slots, &objects[0]), (1u << 20) + 1);
    for (uint32_t generation = 0; generation <= 4095; generation++) {
        REQUIRE(mrwi_slots_get(&slots, generation << 20) == NULL);
    }
    mrwi_slots_release(context, &slots);
    mrw_context_destroy(context);
}

TEST(all_slots_can_be_taken)
{
    mrw_context* context = mrw_context_create(NULL);
    REQUIRE(context != NULL);
    mrwi_slots slots = { 0 };
    uint32_t last = 0;
    for (uint32_t i = 0; i < 1u << 20; i++) {
        last = mrwi_slots_add(context, &slots, &objects[0]);
        REQUIRE(last == (1u << 20) + i);
    }
    CHECK_EQ_INT(mrwi_slots_add(context, &slots, &objects[1]), 0);
    mrwi_slots_remove(&slots, last);
    CHECK_EQ_INT(mrwi_slots_add(context, &slots, &objects[1]), last + (1u << 20));
    mrwi_slots_release(context, &slots);
    mrw_context_destroy(context);
}

static mrw_result attempt_add(mrw_context* context, void* user)
{
    mrwi_slots slots = { 0 };
    mrw_result result = MRW_OK;
    for (int i = 0; i < 20 && result == MRW_OK; i++) {
        result = mrwi_slots_add(context, &slots, user) == 0 ? MRW_NO_MEMORY : MRW_OK;
    }
    mrwi_slots_release(context, &slots);
    return result;
}

TEST(a_table_that_cannot_grow_stays_whole)
{
    FAILING_ALLOCATOR_SWEEP(attempt_add, &objects[0]);
}
