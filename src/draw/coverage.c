#include "draw/coverage.h"

#define STEP (MRWI_SUBPIXELS / MRWI_SAMPLES)

// Sixteen columns and sixteen rows with one point each (the rows are the columns' numbers with their bits reversed), so that an
// edge that is nearly vertical or level has sixteen steps. Points lie half a step inside and symmetric about the centre.
static const uint8_t sample_rows[MRWI_SAMPLES] = { 0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15 };

static int64_t sample_x(int sample)
{
    return sample * STEP + STEP / 2;
}

static int64_t sample_y(int sample)
{
    return sample_rows[sample] * STEP + STEP / 2;
}

// The line from one corner to the next of a triangle that winds clockwise on screen (+y down). Points on a left or top edge belong
// to the triangle, those on others do not.
static mrwi_edge edge_between(const int32_t from[2], const int32_t to[2])
{
    int64_t dx = (int64_t)to[0] - from[0];
    int64_t dy = (int64_t)to[1] - from[1];
    bool owned = dy < 0 || (dy == 0 && dx > 0);
    mrwi_edge edge = { .a = -dy, .b = dx, .c = dy * from[0] - dx * from[1] - (owned ? 0 : 1) };
    edge.least = INT64_MAX;
    edge.greatest = INT64_MIN;
    for (int i = 0; i < MRWI_SAMPLES; i++) {
        int64_t offset = edge.a * sample_x(i) + edge.b * sample_y(i);
        edge.offsets[i] = offset;
        edge.least = offset < edge.least ? offset : edge.least;
        edge.greatest = offset > edge.greatest ? offset : edge.greatest;
    }
    return edge;
}

static int64_t floor_divide(int64_t value, int64_t by)
{
    int64_t quotient = value / by;
    return value % by < 0 ? quotient - 1 : quotient;
}

bool mrwi_coverage_init(mrwi_coverage* coverage, const int32_t corners[3][2])
{
    int64_t area = ((int64_t)corners[1][0] - corners[0][0]) * ((int64_t)corners[2][1] - corners[0][1])
        - ((int64_t)corners[1][1] - corners[0][1]) * ((int64_t)corners[2][0] - corners[0][0]);
    if (area == 0) {
        return false;
    }
    const int32_t* second = corners[area > 0 ? 1 : 2];
    const int32_t* third = corners[area > 0 ? 2 : 1];
    coverage->edges[0] = edge_between(corners[0], second);
    coverage->edges[1] = edge_between(second, third);
    coverage->edges[2] = edge_between(third, corners[0]);
    int32_t least = corners[0][1];
    int32_t greatest = corners[0][1];
    for (int i = 1; i < 3; i++) {
        least = corners[i][1] < least ? corners[i][1] : least;
        greatest = corners[i][1] > greatest ? corners[i][1] : greatest;
    }
    coverage->first_row = (int32_t)floor_divide(least, MRWI_SUBPIXELS);
    coverage->end_row = (int32_t)floor_divide(greatest, MRWI_SUBPIXELS) + 1;
    return true;
}

bool mrwi_coverage_span(const mrwi_coverage* coverage, int32_t row, int32_t width, int32_t* out_first, int32_t* out_end)
{
    int64_t first = 0;
    int64_t last = (int64_t)width - 1;
    for (int i = 0; i < 3; i++) {
        // Some point of the pixel at x is inside this edge when slope x + rest >= 0.
        const mrwi_edge* edge = &coverage->edges[i];
        int64_t slope = edge->a * MRWI_SUBPIXELS;
        int64_t rest = edge->b * row * MRWI_SUBPIXELS + edge->c + edge->greatest;
        if (slope > 0) {
            int64_t bound = -floor_divide(rest, slope);
            first = bound > first ? bound : first;
        } else if (slope < 0) {
            int64_t bound = floor_divide(rest, -slope);
            last = bound < last ? bound : last;
        } else if (rest < 0) {
            return false;
        }
    }
    *out_first = (int32_t)first;
    *out_end = (int32_t)(last + 1);
    return first <= last;
}

uint32_t mrwi_coverage_mask(const mrwi_coverage* coverage, int32_t x, int32_t y)
{
    int64_t at[3];
    bool whole = true;
    for (int i = 0; i < 3; i++) {
        const mrwi_edge* edge = &coverage->edges[i];
        at[i] = edge->a * x * MRWI_SUBPIXELS + edge->b * y * MRWI_SUBPIXELS + edge->c;
        whole = whole && at[i] + edge->least >= 0;
    }
    if (whole) {
        return MRWI_COVERED_ALL;
    }
    uint32_t mask = 0;
    for (int i = 0; i < MRWI_SAMPLES; i++) {
        bool inside = at[0] + coverage->edges[0].offsets[i] >= 0 && at[1] + coverage->edges[1].offsets[i] >= 0
            && at[2] + coverage->edges[2].offsets[i] >= 0;
        mask |= (inside ? 1u : 0u) << i;
    }
    return mask;
}
