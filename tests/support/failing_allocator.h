/// An allocator for tests: fails the Nth request, checks the sizes it is given back, counts what is still held.
///
///     failing_allocator allocator = failing_allocator_start(n);    // the request number n (from 0) and all later ones fail
///     mrw_context* context = mrw_context_create(&(mrw_context_desc) { .allocator = failing_allocator_hooks(&allocator) });
///     ...
///     mrw_context_destroy(context);
///     CHECK_EQ_INT(allocator.held_count, 0);                       // no leak
///     CHECK_EQ_INT(allocator.mistakes, 0);                         // every size given back is the size that was taken
///
/// A sweep raises n until the call under test succeeds: see FAILING_ALLOCATOR_SWEEP.
#ifndef FAILING_ALLOCATOR_H
#define FAILING_ALLOCATOR_H

#include "marrow.h"

#include <stdlib.h>
#include <string.h>

typedef struct failing_allocator {
    int64_t requests_left; ///< negative: never fails
    bool has_failed;
    bool fails_once; ///< later requests succeed again
    size_t held_count, held_bytes;
    size_t mistakes;
} failing_allocator;

static inline failing_allocator failing_allocator_start(int64_t requests)
{
    return (failing_allocator) { requests, false, false, 0, 0, 0 };
}

/// A block carries its size in front; 16 bytes keep the alignment.
static inline void* failing_allocator_reallocate(void* user, void* block, size_t old_size, size_t new_size)
{
    failing_allocator* allocator = user;
    char* whole = block == NULL ? NULL : (char*)block - 16;
    size_t true_size = 0;
    if (whole != NULL) {
        memcpy(&true_size, whole, sizeof true_size);
    }
    if (true_size != old_size || (block == NULL && new_size == 0)) {
        allocator->mistakes++;
    }
    if (new_size != 0) {
        if (allocator->requests_left == 0) {
            allocator->has_failed = true;
            if (allocator->fails_once) {
                allocator->requests_left = -1;
            }
            return NULL;
        }
        if (allocator->requests_left > 0) {
            allocator->requests_left--;
        }
    }
    // Always a new block, so that a stale pointer into the old one is a use after free.
    char* grown = NULL;
    if (new_size != 0) {
        grown = aligned_alloc(16, (new_size + 16 + 15) & ~(size_t)15);
        if (grown == NULL) {
            return NULL;
        }
        memcpy(grown, &new_size, sizeof new_size);
        memset(grown + 16, 0xa5, new_size);
        allocator->held_count++;
        allocator->held_bytes += new_size;
    }
    if (whole != NULL) {
        if (grown != NULL) {
            memcpy(grown + 16, block, true_size < new_size ? true_size : new_size);
        }
        memset(block, 0x5a, true_size);
        free(whole);
        allocator->held_count--;
        allocator->held_bytes -= true_size;
    }
    return grown == NULL ? NULL : grown + 16;
}

static inline mrw_allocator failing_allocator_hooks(failing_allocator* allocator)
{
    return (mrw_allocator) { allocator, failing_allocator_reallocate };
}

/// Runs `attempt(context, user)` with a context whose Nth allocation fails, for N = 0, 1, ... until nothing fails any more. The
/// attempt returns the result of the call under test and releases what that made. Checks after each N: the result is
/// MRW_NO_MEMORY when an allocation failed and MRW_OK when none did, nothing is still held, and no size was wrong. The first N
/// of the sweep is the first allocation after the context's own. Needs check.h.
#define FAILING_ALLOCATOR_SWEEP(attempt, user)                                                                        \
    do {                                                                                                              \
        bool sweep_ends = false;                                                                                      \
        for (int64_t sweep_n = 0; !sweep_ends; sweep_n++) {                                                           \
            failing_allocator sweep_allocator = failing_allocator_start(-1);                                          \
            mrw_context* sweep_context                                                                                \
                = mrw_context_create(&(mrw_context_desc) { .allocator = failing_allocator_hooks(&sweep_allocator) }); \
            REQUIRE(sweep_context != NULL);                                                                           \
            sweep_allocator.requests_left = sweep_n;                                                                  \
            mrw_result sweep_result = attempt(sweep_context, user);                                                   \
            sweep_ends = !sweep_allocator.has_failed;                                                                 \
            bool sweep_good = CHECK_EQ_INT(sweep_result, sweep_ends ? MRW_OK : MRW_NO_MEMORY);                        \
            mrw_context_destroy(sweep_context);                                                                       \
            sweep_good = CHECK_EQ_INT(sweep_allocator.held_count, 0) && sweep_good;                                   \
            sweep_good = CHECK_EQ_INT(sweep_allocator.mistakes, 0) && sweep_good;                                     \
            REQUIRE(sweep_good);                                                                                      \
        }                                                                                                             \
    } while (0)

#endif
