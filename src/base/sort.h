/// A stable sort that no input makes slow.
#ifndef MRWI_BASE_SORT_H
#define MRWI_BASE_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whether `a` must stand before `b`; false when they are equal. `user` is the caller's.
typedef bool mrwi_is_before(const void* user, uint32_t a, uint32_t b);
/// Sorts indices of whatever `is_before` compares. `scratch` has room for as many.
void mrwi_sort(uint32_t* items, uint32_t* scratch, uint32_t count, mrwi_is_before* is_before, const void* user);

#endif
