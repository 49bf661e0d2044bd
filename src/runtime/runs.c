#include "runtime/runs.h"

#include <string.h>

static bool has_colors_of(const mrw_run* run, const mrw_run* other)
{
    return run->color == other->color && memcmp(&run->opacity, &other->opacity, sizeof run->opacity) == 0;
}

void mrwi_runs_add(mrw_run* runs, uint32_t* count, const mrw_run* part, bool may_join)
{
    mrw_run* last = *count > 0 ? &runs[*count - 1] : NULL;
    if (last == NULL || !may_join || last->page != part->page || last->blend != part->blend || !has_colors_of(last, part)
        || last->first_index + last->index_count != part->first_index) {
        runs[*count] = *part;
        *count += 1;
        return;
    }
    const uint32_t last_end = last->first_vertex + last->vertex_count;
    const uint32_t part_end = part->first_vertex + part->vertex_count;
    last->first_vertex = last->first_vertex < part->first_vertex ? last->first_vertex : part->first_vertex;
    last->vertex_count = (last_end > part_end ? last_end : part_end) - last->first_vertex;
    last->index_count += part->index_count;
    last->part_count = part->first_part + 1 - last->first_part;
}

uint32_t mrwi_runs_show(mrw_run* shown, uint32_t* shown_count, const mrw_run* runs, uint32_t count)
{
    uint32_t changes = count != *shown_count ? MRWI_RUNS_STRUCTURE : 0;
    for (uint32_t i = 0; i < count; i++) {
        mrw_run old = { 0 };
        if (i < *shown_count) {
            old = shown[i];
        }
        changes |= has_colors_of(&old, &runs[i]) ? 0 : MRWI_RUNS_COLORS;
        old.color = runs[i].color;
        old.opacity = runs[i].opacity;
        changes |= memcmp(&old, &runs[i], sizeof old) == 0 ? 0 : MRWI_RUNS_STRUCTURE;
        shown[i] = runs[i];
    }
    *shown_count = count;
    return changes;
}
