/// Lists of runs: parts in draw order, those that one draw can show joined.
#ifndef MRWI_RUNTIME_RUNS_H
#define MRWI_RUNTIME_RUNS_H

#include "marrow.h"

#include <stdbool.h>

/// Appends a part, as a run of its own, to `count` runs; or adds it to the last one, if `may_join` and both look alike and lie side by
/// side in the index list.
void mrwi_runs_add(mrw_run* runs, uint32_t* count, const mrw_run* part, bool may_join);

/// What differs between two lists.
enum { MRWI_RUNS_STRUCTURE = 1, MRWI_RUNS_COLORS = 2 };
/// Puts `count` runs in the place of those shown; returns how they differ.
uint32_t mrwi_runs_show(mrw_run* shown, uint32_t* shown_count, const mrw_run* runs, uint32_t count);

#endif
