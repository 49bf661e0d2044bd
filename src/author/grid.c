#include "author/grid.h"

#include "author/mask.h"
#include "base/context.h"

#include <float.h>
#include <math.h>

// Number of cells along one side: floored, at least 1; 0 when it is no number or not below `limit`.
static uint32_t cell_count(double wanted, uint32_t limit)
{
    double floored = floor(wanted);
    if (!(floored < limit)) {
        return 0;
    }
    return floored < 1 ? 1 : (uint32_t)floored;
}

// A cell stays when any of nine points is covered: its corners, the middles of its sides, its centre.
static bool keeps_cell(const mrw_mask* mask, uint32_t column, uint32_t row, uint32_t columns, uint32_t rows)
{
    static const double offsets[3] = { 0, 1, 0.5 };
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            if (mrwi_mask_covers(mask, (column + offsets[i]) / columns, (row + offsets[j]) / rows)) {
                return true;
            }
        }
    }
    return false;
}

typedef struct cells {
    uint32_t columns, rows;
    uint8_t* kept;      // one byte a cell
    uint32_t* vertices; // one a lattice point: 1 + its number when some kept cell uses it, else 0
    uint32_t kept_count, vertex_count;
} cells;

static void cull(cells* grid, const mrw_mask* mask)
{
    uint32_t stride = grid->columns + 1;
    for (uint32_t row = 0; row < grid->rows; row++) {
        for (uint32_t column = 0; column < grid->columns; column++) {
            if (!keeps_cell(mask, column, row, grid->columns, grid->rows)) {
                continue;
            }
            grid->kept[(size_t)row * grid->columns + column] = 1;
            grid->kept_count++;
            uint32_t* corner = &grid->vertices[(size_t)row * stride + column];
            corner[0] = corner[1] = corner[stride] = corner[stride + 1] = 1;
        }
    }
    for (size_t i = 0; i < (size_t)stride * (grid->rows + 1); i++) {
        if (grid->vertices[i] != 0) {
            grid->vertices[i] = ++grid->vertex_count;
        }
    }
}

static void place_vertices(const cells* grid, const mrw_grid_options* options, mrwi_grid* out)
{
    size_t point = 0;
    size_t at = 0;
    for (uint32_t row = 0; row <= grid->rows; row++) {
        for (uint32_t column = 0; column <= grid->columns; column++) {
            if (grid->vertices[point++] == 0) {
                continue;
            }
            double u = (double)column / grid->columns;
            double v = (double)row / grid->rows;
            out->uvs[at] = u;
            out->uvs[at + 1] = v;
            out->positions[at] = (u - options->pivot_x) * options->width;
            out->positions[at + 1] = (v - options->pivot_y) * options->height;
            at += 2;
        }
    }
}

// a-b    triangles a d b and b d e
// |/|
// d-e
static void join_vertices(const cells* grid, uint32_t* indices)
{
    uint32_t stride = grid->columns + 1;
    for (uint32_t row = 0; row < grid->rows; row++) {
        for (uint32_t column = 0; column < grid->columns; column++) {
            if (grid->kept[(size_t)row * grid->columns + column] == 0) {
                continue;
            }
            const uint32_t* corner = &grid->vertices[(size_t)row * stride + column];
            *indices++ = corner[0] - 1;
            *indices++ = corner[stride] - 1;
            *indices++ = corner[1] - 1;
            *indices++ = corner[1] - 1;
            *indices++ = corner[stride] - 1;
            *indices++ = corner[stride + 1] - 1;
        }
    }
}

mrw_result mrwi_grid_build(mrwi_arena* arena, const mrw_grid_options* options, mrwi_grid* out)
{
    double sides[4] = { options->width, options->height, options->pivot_x, options->pivot_y };
    for (int i = 0; i < 4; i++) {
        if (!(fabs(sides[i]) <= DBL_MAX)) {
            return MRW_BAD_ARGUMENT;
        }
    }
    if (isnan(options->columns) || isnan(options->rows)) {
        return MRW_BAD_ARGUMENT;
    }
    uint32_t limit = arena->context->limits.vertices;
    cells grid = { cell_count(options->columns, limit), cell_count(options->rows, limit), NULL, NULL, 0, 0 };
    if (grid.columns == 0 || grid.rows == 0 || ((uint64_t)grid.columns + 1) * ((uint64_t)grid.rows + 1) > limit) {
        return MRW_LIMIT;
    }
    size_t cell_total = (size_t)grid.columns * grid.rows;
    size_t point_total = ((size_t)grid.columns + 1) * ((size_t)grid.rows + 1);
    grid.kept = mrwi_allocate(arena->context, cell_total, 1);
    grid.vertices = mrwi_allocate(arena->context, point_total, sizeof(uint32_t));
    mrw_result result = MRW_NO_MEMORY;
    if (grid.kept != NULL && grid.vertices != NULL) {
        cull(&grid, &options->mask);
        *out = (mrwi_grid) { grid.vertex_count, grid.kept_count * 6, NULL, NULL, NULL };
        out->positions = mrwi_arena_allocate(arena, grid.vertex_count, 2 * sizeof(double));
        out->uvs = mrwi_arena_allocate(arena, grid.vertex_count, 2 * sizeof(double));
        out->indices = mrwi_arena_allocate(arena, out->index_count, sizeof(uint32_t));
        if (out->positions != NULL && out->uvs != NULL && out->indices != NULL) {
            place_vertices(&grid, options, out);
            join_vertices(&grid, out->indices);
            result = MRW_OK;
        }
    }
    mrwi_release(arena->context, grid.vertices, point_total, sizeof(uint32_t));
    mrwi_release(arena->context, grid.kept, cell_total, 1);
    return result;
}

mrw_result mrw_author_grid(mrw_context* context, const mrw_grid_options* options, uint32_t* vertex_count, uint32_t* index_count,
    float* positions, float* uvs, uint32_t* indices)
{
    mrwi_arena arena;
    mrwi_arena_init(&arena, context);
    mrwi_grid grid;
    mrw_result result = mrwi_grid_build(&arena, options, &grid);
    if (result == MRW_OK) {
        for (size_t i = 0; i < (size_t)grid.vertex_count * 2; i++) {
            if (positions != NULL) {
                positions[i] = (float)grid.positions[i];
            }
            if (uvs != NULL) {
                uvs[i] = (float)grid.uvs[i];
            }
        }
        for (size_t i = 0; i < grid.index_count && indices != NULL; i++) {
            indices[i] = grid.indices[i];
        }
        *vertex_count = grid.vertex_count;
        *index_count = grid.index_count;
    }
    mrwi_arena_release(&arena);
    return result;
}
