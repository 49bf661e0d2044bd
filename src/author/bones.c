#include "author/mask.h"

#include <math.h>

#define MOST_BONES 6
#define STATIONS 32
#define PROBES 8

static const char* const bone_names[MOST_BONES] = { "root", "bone1", "bone2", "bone3", "bone4", "bone5" };

static uint32_t bone_count(const mrw_bone_options* options, double length)
{
    double count = options->count > 0 ? floor(options->count) : floor(length / 96 + 0.5) + 1;
    if (!(count < MOST_BONES)) {
        return MOST_BONES;
    }
    return count < 2 ? 2 : (uint32_t)count;
}

static bool station_covered(const mrw_mask* mask, int station, bool vertical)
{
    double along = (double)station / STATIONS;
    for (int probe = 0; probe <= PROBES; probe++) {
        double across = (double)probe / PROBES;
        if (mrwi_mask_covers(mask, vertical ? across : along, vertical ? along : across)) {
            return true;
        }
    }
    return false;
}

// The part of the axis that the picture covers; all of it when nothing, or a single station, is covered.
static void covered_extent(const mrw_mask* mask, bool vertical, double* low, double* high)
{
    int first = STATIONS + 1;
    int last = -1;
    for (int station = 0; station <= STATIONS; station++) {
        if (station_covered(mask, station, vertical)) {
            first = first < station ? first : station;
            last = station;
        }
    }
    bool usable = last > first;
    *low = usable ? (double)first / STATIONS : 0;
    *high = usable ? (double)last / STATIONS : 1;
}

uint32_t mrw_author_suggest_bones(const mrw_bone_options* options, mrw_node_desc* bones)
{
    bool vertical = options->axis == 'y' || (options->axis != 'x' && options->height >= options->width);
    double length = vertical ? options->height : options->width;
    double pivot = vertical ? options->pivot_y : options->pivot_x;
    double low;
    double high;
    covered_extent(&options->mask, vertical, &low, &high);
    uint32_t count = bone_count(options, length);
    double previous = 0;
    for (uint32_t i = 0; i < count; i++) {
        double joint = (low + (high - low) * i / (count - 1) - pivot) * length;
        double offset = joint - previous;
        bones[i] = (mrw_node_desc) {
            .name = bone_names[i],
            .parent = (int32_t)i - 1,
            .x = vertical ? 0 : offset,
            .y = vertical ? offset : 0,
        };
        previous = joint;
    }
    return count;
}
