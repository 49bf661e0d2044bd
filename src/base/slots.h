/// Table of pointers by id: 20 bits of slot, 12 of generation. Id 0 is null. A slot whose generation would wrap is retired.
#ifndef MRWI_BASE_SLOTS_H
#define MRWI_BASE_SLOTS_H

#include "base/memory.h"

typedef struct mrwi_slot {
    void* object; ///< NULL while free
    uint32_t generation;
    uint32_t next_free;
} mrwi_slot;
typedef struct mrwi_slots {
    mrwi_slot* slots;
    uint32_t count, capacity, first_free; ///< first_free: index + 1, 0 none
} mrwi_slots;
typedef void (*mrwi_slots_destroy)(mrw_context* context, void* object);

/// 0 when memory is short or all slots are taken.
uint32_t mrwi_slots_add(mrw_context* context, mrwi_slots* slots, void* object);
/// NULL for a stale or foreign id.
void* mrwi_slots_get(const mrwi_slots* slots, uint32_t id);
void mrwi_slots_remove(mrwi_slots* slots, uint32_t id);
void mrwi_slots_release(mrw_context* context, mrwi_slots* slots);
/// Iterates live objects in slot order: start with *cursor 0; NULL at the end.
void* mrwi_slots_next(const mrwi_slots* slots, uint32_t* cursor, uint32_t* out_id);

#endif
