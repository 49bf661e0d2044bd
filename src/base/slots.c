#include "base/slots.h"

#define INDEX_BITS 20u
#define INDEX_MASK ((1u << INDEX_BITS) - 1u)
#define LAST_GENERATION 4095u

uint32_t mrwi_slots_add(mrw_context* context, mrwi_slots* slots, void* object)
{
    uint32_t index;
    if (slots->first_free != 0) {
        index = slots->first_free - 1;
        slots->first_free = slots->slots[index].next_free;
    } else {
        if (slots->count > INDEX_MASK || !mrwi_grow(context, &slots->slots, &slots->capacity, slots->count + 1, sizeof *slots->slots)) {
            return 0;
        }
        index = slots->count;
        slots->count++;
        slots->slots[index].generation = 1;
    }
    slots->slots[index].object = object;
    return slots->slots[index].generation << INDEX_BITS | index;
}

static mrwi_slot* find(const mrwi_slots* slots, uint32_t id)
{
    uint32_t index = id & INDEX_MASK;
    if (index >= slots->count || slots->slots[index].generation != id >> INDEX_BITS) {
        return NULL;
    }
    return &slots->slots[index];
}

void* mrwi_slots_get(const mrwi_slots* slots, uint32_t id)
{
    const mrwi_slot* slot = find(slots, id);
    return slot == NULL ? NULL : slot->object;
}

void mrwi_slots_remove(mrwi_slots* slots, uint32_t id)
{
    mrwi_slot* slot = find(slots, id);
    if (slot == NULL || slot->object == NULL) {
        return;
    }
    slot->object = NULL;
    slot->generation++;
    // Past the last generation no id matches the slot any more, and it is not handed out again.
    if (slot->generation <= LAST_GENERATION) {
        slot->next_free = slots->first_free;
        slots->first_free = (id & INDEX_MASK) + 1;
    }
}

void mrwi_slots_release(mrw_context* context, mrwi_slots* slots)
{
    mrwi_release(context, slots->slots, slots->capacity, sizeof *slots->slots);
    *slots = (mrwi_slots) { NULL, 0, 0, 0 };
}

void* mrwi_slots_next(const mrwi_slots* slots, uint32_t* cursor, uint32_t* out_id)
{
    while (*cursor < slots->count) {
        uint32_t index = *cursor;
        const mrwi_slot* slot = &slots->slots[index];
        *cursor = index + 1;
        if (slot->object != NULL) {
            *out_id = slot->generation << INDEX_BITS | index;
            return slot->object;
        }
    }
    return NULL;
}
