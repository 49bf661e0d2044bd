#include "author/mask.h"

#include <math.h>

#define LONGEST_SIDE 256

bool mrwi_mask_covers(const mrw_mask* mask, double u, double v)
{
    if (mask->inside == NULL) {
        return true;
    }
    if (mask->width == 0 || mask->height == 0 || !(u >= 0 && u <= 1 && v >= 0 && v <= 1)) {
        return false;
    }
    // u = 1 belongs to the last cell.
    uint32_t x = (uint32_t)floor(u * mask->width);
    uint32_t y = (uint32_t)floor(v * mask->height);
    x = x < mask->width ? x : mask->width - 1;
    y = y < mask->height ? y : mask->height - 1;
    return mask->inside[(size_t)y * mask->width + x] != 0;
}

// `side` times LONGEST_SIDE / longest, rounded half up, at least 1.
static uint32_t scaled_side(uint32_t side, uint32_t longest)
{
    uint64_t scaled = ((uint64_t)side * LONGEST_SIDE * 2 + longest) / ((uint64_t)longest * 2);
    return scaled == 0 ? 1 : (uint32_t)scaled;
}

void mrw_author_mask_size(uint32_t width, uint32_t height, uint32_t* out_width, uint32_t* out_height)
{
    uint32_t longest = width > height ? width : height;
    bool empty = width == 0 || height == 0;
    bool shrinks = longest > LONGEST_SIDE;
    *out_width = empty ? 0 : shrinks ? scaled_side(width, longest) : width;
    *out_height = empty ? 0 : shrinks ? scaled_side(height, longest) : height;
}

// How much of pixel `pixel` lies in cell `cell`, when `pixels` pixels are shared out to `cells` cells. A pixel weighs `cells`,
// a cell `pixels`.
static uint64_t overlap(uint64_t pixel, uint64_t pixels, uint64_t cell, uint64_t cells)
{
    uint64_t low = pixel * cells > cell * pixels ? pixel * cells : cell * pixels;
    uint64_t high = (pixel + 1) * cells < (cell + 1) * pixels ? (pixel + 1) * cells : (cell + 1) * pixels;
    return high > low ? high - low : 0;
}

void mrw_author_mask(const uint8_t* pixels, uint32_t width, uint32_t height, uint32_t threshold, uint8_t* out)
{
    uint32_t columns;
    uint32_t rows;
    mrw_author_mask_size(width, height, &columns, &rows);
    for (uint64_t row = 0; row < rows; row++) {
        uint64_t first_y = row * height / rows;
        uint64_t end_y = ((row + 1) * height + rows - 1) / rows;
        for (uint64_t column = 0; column < columns; column++) {
            uint64_t first_x = column * width / columns;
            uint64_t end_x = ((column + 1) * width + columns - 1) / columns;
            uint64_t sum = 0;
            for (uint64_t y = first_y; y < end_y; y++) {
                uint64_t line = 0;
                for (uint64_t x = first_x; x < end_x; x++) {
                    line += overlap(x, width, column, columns) * pixels[(y * width + x) * 4 + 3];
                }
                sum += line * overlap(y, height, row, rows);
            }
            // The mean alpha of the cell, compared without a division: the cell weighs width * height.
            out[row * columns + column] = sum > (uint64_t)threshold * width * height ? 1 : 0;
        }
    }
}
