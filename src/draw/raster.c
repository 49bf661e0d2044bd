#include "draw/raster.h"

#include "draw/coverage.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Samples of a band of rows that are worked on at once: 1 MiB.
#define BAND_SAMPLES 65536
#define NOWHERE INT32_MIN

typedef struct color {
    float channel[4]; // premultiplied
} color;

// Rows `first_row` to `end_row` of the picture. A pixel is one color until an edge crosses it; then each sample has its own.
typedef struct band {
    int32_t width, first_row, end_row;
    color* samples; // MRWI_SAMPLES a pixel; of a pixel that is not split only the first counts
    uint8_t* split;
} band;

typedef struct raster {
    const mrwi_raster_args* args;
    int32_t (*points)[2]; // snapped corners, NOWHERE for one that cannot be drawn
    double (*bounds)[4];  // of each batch's uvs: least u and v, greatest u and v
    band band;
} raster;

// Color over a triangle: (u, v) at (x, y) is origin + x * step_x + y * step_y.
typedef struct shade {
    const mrwi_raster_batch* batch;
    const double* bounds;
    double origin[2], step_x[2], step_y[2];
    mrwi_footprint footprint;
    float tint[4]; // premultiplied by the opacity
} shade;

static void snap(const mrwi_raster_args* args, int32_t (*points)[2])
{
    const double* m = args->matrix;
    for (size_t i = 0; i < args->vertex_count; i++) {
        double x = (double)args->positions[i * 2];
        double y = (double)args->positions[i * 2 + 1];
        double at[2] = { m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5] };
        // Also false for NaN.
        bool near = fabs(at[0]) < MRWI_COORDINATE_LIMIT && fabs(at[1]) < MRWI_COORDINATE_LIMIT;
        points[i][0] = near ? (int32_t)rint(at[0] * MRWI_SUBPIXELS) : NOWHERE;
        points[i][1] = near ? (int32_t)rint(at[1] * MRWI_SUBPIXELS) : NOWHERE;
    }
}

// False when a corner cannot be drawn, or the triangle lies outside the rows and columns.
static bool gather_corners(const raster* to, const uint32_t* indices, int32_t corners[3][2])
{
    int32_t least[2] = { INT32_MAX, INT32_MAX };
    int32_t greatest[2] = { INT32_MIN, INT32_MIN };
    for (int i = 0; i < 3; i++) {
        memcpy(corners[i], to->points[indices[i]], sizeof corners[i]);
        if (corners[i][0] == NOWHERE) {
            return false;
        }
        for (int axis = 0; axis < 2; axis++) {
            int32_t at = corners[i][axis];
            least[axis] = at < least[axis] ? at : least[axis];
            greatest[axis] = at > greatest[axis] ? at : greatest[axis];
        }
    }
    const band* rows = &to->band;
    return greatest[0] >= 0 && least[0] <= (int64_t)rows->width * MRWI_SUBPIXELS && greatest[1] >= (int64_t)rows->first_row * MRWI_SUBPIXELS
        && least[1] <= (int64_t)rows->end_row * MRWI_SUBPIXELS;
}

static void shade_init(shade* out, const raster* to, uint32_t batch_index, const uint32_t* indices, const int32_t corners[3][2])
{
    const mrwi_raster_args* args = to->args;
    const mrwi_raster_batch* batch = &args->batches[batch_index];
    out->batch = batch;
    out->bounds = to->bounds[batch_index];
    float opacity = batch->opacity > 0 ? batch->opacity : 0;
    opacity = opacity < 1 ? opacity : 1;
    for (int i = 0; i < 3; i++) {
        out->tint[i] = (float)batch->tint[i] / 255 * opacity;
    }
    out->tint[3] = opacity;
    if (batch->texture == NULL) {
        return;
    }
    double x[3];
    double y[3];
    for (int i = 0; i < 3; i++) {
        x[i] = (double)corners[i][0] / MRWI_SUBPIXELS;
        y[i] = (double)corners[i][1] / MRWI_SUBPIXELS;
    }
    double area = (x[1] - x[0]) * (y[2] - y[0]) - (y[1] - y[0]) * (x[2] - x[0]);
    for (int i = 0; i < 2; i++) {
        double first = (double)args->uvs[(size_t)indices[0] * 2 + (size_t)i];
        double second = (double)args->uvs[(size_t)indices[1] * 2 + (size_t)i] - first;
        double third = (double)args->uvs[(size_t)indices[2] * 2 + (size_t)i] - first;
        out->step_x[i] = (second * (y[2] - y[0]) - third * (y[1] - y[0])) / area;
        out->step_y[i] = (third * (x[1] - x[0]) - second * (x[2] - x[0])) / area;
        out->origin[i] = first - x[0] * out->step_x[i] - y[0] * out->step_y[i];
    }
    out->footprint = mrwi_texture_footprint(&batch->texture->levels[0], out->step_x, out->step_y);
}

static color shade_at(const shade* from, double x, double y)
{
    color out = { { 1, 1, 1, 1 } };
    if (from->batch->texture != NULL) {
        double uv[2];
        for (int i = 0; i < 2; i++) {
            uv[i] = from->origin[i] + x * from->step_x[i] + y * from->step_y[i];
        }
        mrwi_texture_sample(from->batch->texture, &from->footprint, from->bounds, uv, out.channel);
    }
    for (int i = 0; i < 4; i++) {
        out.channel[i] *= from->tint[i];
    }
    return out;
}

static void blend(color* to, const color* from, mrw_blend_mode mode)
{
    const float* s = from->channel;
    float* d = to->channel;
    float source_left = 1 - s[3];
    float there_left = 1 - d[3];
    for (int i = 0; i < 4; i++) {
        switch (mode) {
        case MRW_BLEND_ADD:
            d[i] = s[i] + d[i] < 1 ? s[i] + d[i] : 1;
            break;
        case MRW_BLEND_SCREEN:
            d[i] = s[i] + d[i] - s[i] * d[i];
            break;
        case MRW_BLEND_MULTIPLY:
            // For alpha this is as + ad - as ad as well.
            d[i] = s[i] * d[i] + s[i] * there_left + d[i] * source_left;
            break;
        case MRW_BLEND_NORMAL:
        default:
            d[i] = s[i] + d[i] * source_left;
            break;
        }
    }
}

static void cover_pixel(band* rows, int32_t x, int32_t y, uint32_t mask, const color* from, mrw_blend_mode mode)
{
    size_t pixel = (size_t)(y - rows->first_row) * (size_t)rows->width + (size_t)x;
    color* samples = &rows->samples[pixel * MRWI_SAMPLES];
    if (mask == MRWI_COVERED_ALL && rows->split[pixel] == 0) {
        blend(&samples[0], from, mode);
        return;
    }
    if (rows->split[pixel] == 0) {
        rows->split[pixel] = 1;
        for (int i = 1; i < MRWI_SAMPLES; i++) {
            samples[i] = samples[0];
        }
    }
    for (int i = 0; i < MRWI_SAMPLES; i++) {
        if ((mask >> i & 1) != 0) {
            blend(&samples[i], from, mode);
        }
    }
}

static void draw_triangle(raster* to, uint32_t batch_index, const uint32_t* indices)
{
    int32_t corners[3][2];
    mrwi_coverage coverage;
    if (!gather_corners(to, indices, corners) || !mrwi_coverage_init(&coverage, (const int32_t(*)[2])corners)) {
        return;
    }
    shade shading;
    shade_init(&shading, to, batch_index, indices, (const int32_t(*)[2])corners);
    int32_t first_row = coverage.first_row > to->band.first_row ? coverage.first_row : to->band.first_row;
    int32_t end_row = coverage.end_row < to->band.end_row ? coverage.end_row : to->band.end_row;
    for (int32_t y = first_row; y < end_row; y++) {
        int32_t first;
        int32_t end;
        if (!mrwi_coverage_span(&coverage, y, to->band.width, &first, &end)) {
            continue;
        }
        for (int32_t x = first; x < end; x++) {
            uint32_t mask = mrwi_coverage_mask(&coverage, x, y);
            if (mask != 0) {
                color from = shade_at(&shading, x + 0.5, y + 0.5);
                // What is transparent changes nothing, and need not split pixels along the edge of its mesh.
                if (from.channel[3] > 0) {
                    cover_pixel(&to->band, x, y, mask, &from, shading.batch->blend);
                }
            }
        }
    }
}

static void measure_bounds(const mrwi_raster_args* args, const mrwi_raster_batch* batch, double bounds[4])
{
    bounds[0] = bounds[1] = DBL_MAX;
    bounds[2] = bounds[3] = -DBL_MAX;
    for (uint32_t k = 0; k < batch->index_count; k++) {
        for (int axis = 0; axis < 2; axis++) {
            double at = (double)args->uvs[(size_t)batch->indices[k] * 2 + (size_t)axis];
            bounds[axis] = at < bounds[axis] ? at : bounds[axis];
            bounds[axis + 2] = at > bounds[axis + 2] ? at : bounds[axis + 2];
        }
    }
}

// The coarsest texture level that a triangle in the picture will read.
static uint32_t coarsest_level(const raster* to, uint32_t batch_index)
{
    const mrwi_raster_batch* batch = &to->args->batches[batch_index];
    uint32_t level = 0;
    for (uint32_t k = 0; k + 2 < batch->index_count; k += 3) {
        int32_t corners[3][2];
        mrwi_coverage coverage;
        if (gather_corners(to, &batch->indices[k], corners) && mrwi_coverage_init(&coverage, (const int32_t(*)[2])corners)) {
            shade shading;
            shade_init(&shading, to, batch_index, &batch->indices[k], (const int32_t(*)[2])corners);
            level = shading.footprint.level > level ? shading.footprint.level : level;
        }
    }
    return level;
}

static mrw_result prepare_textures(raster* to)
{
    mrw_result result = MRW_OK;
    for (uint32_t i = 0; i < to->args->batch_count && result == MRW_OK; i++) {
        const mrwi_raster_batch* batch = &to->args->batches[i];
        if (batch->texture != NULL) {
            measure_bounds(to->args, batch, to->bounds[i]);
            result = mrwi_texture_reserve(batch->texture, coarsest_level(to, i));
        }
    }
    return result;
}

static uint8_t to_byte(float value)
{
    return value > 0 ? (uint8_t)(value < 1 ? value * 255 + 0.5f : 255) : 0;
}

// The mean of the samples, back in straight alpha.
static void resolve(const band* rows, uint8_t* pixels)
{
    size_t count = (size_t)(rows->end_row - rows->first_row) * (size_t)rows->width;
    uint8_t* out = &pixels[(size_t)rows->first_row * (size_t)rows->width * 4];
    for (size_t pixel = 0; pixel < count; pixel++, out += 4) {
        const color* samples = &rows->samples[pixel * MRWI_SAMPLES];
        color mean = samples[0];
        for (int i = 1; i < MRWI_SAMPLES && rows->split[pixel] != 0; i++) {
            for (int channel = 0; channel < 4; channel++) {
                mean.channel[channel] += samples[i].channel[channel];
            }
        }
        float share = rows->split[pixel] != 0 ? 1.0f / MRWI_SAMPLES : 1;
        float alpha = mean.channel[3] * share;
        out[3] = to_byte(alpha);
        for (int channel = 0; channel < 3; channel++) {
            // Where the alpha rounds to nothing, the color would be noise.
            out[channel] = out[3] == 0 ? 0 : to_byte(mean.channel[channel] * share / alpha);
        }
    }
}

static void draw_band(raster* to, uint8_t* pixels)
{
    uint32_t rgba = to->args->background;
    float alpha = (float)(rgba & 255) / 255;
    color background
        = { { (float)(rgba >> 24) / 255 * alpha, (float)(rgba >> 16 & 255) / 255 * alpha, (float)(rgba >> 8 & 255) / 255 * alpha, alpha } };
    size_t count = (size_t)(to->band.end_row - to->band.first_row) * (size_t)to->band.width;
    for (size_t pixel = 0; pixel < count; pixel++) {
        to->band.samples[pixel * MRWI_SAMPLES] = background;
        to->band.split[pixel] = 0;
    }
    for (uint32_t i = 0; i < to->args->batch_count; i++) {
        const mrwi_raster_batch* batch = &to->args->batches[i];
        for (uint32_t k = 0; k + 2 < batch->index_count; k += 3) {
            draw_triangle(to, i, &batch->indices[k]);
        }
    }
    resolve(&to->band, pixels);
}

mrw_result mrwi_raster_draw(mrw_context* context, const mrwi_raster_args* args, uint8_t* pixels)
{
    int32_t width = (int32_t)args->width;
    int32_t height = (int32_t)args->height;
    int32_t rows = BAND_SAMPLES / MRWI_SAMPLES / width;
    rows = rows < 1 ? 1 : rows < height ? rows : height;
    size_t band_pixels = (size_t)rows * args->width;
    raster to = { args, mrwi_allocate(context, args->vertex_count, sizeof *to.points),
        mrwi_allocate(context, args->batch_count, sizeof *to.bounds),
        { width, 0, height, mrwi_allocate(context, band_pixels, MRWI_SAMPLES * sizeof(color)), mrwi_allocate(context, band_pixels, 1) } };
    mrw_result result = MRW_NO_MEMORY;
    if (to.points != NULL && to.bounds != NULL && to.band.samples != NULL && to.band.split != NULL) {
        snap(args, to.points);
        result = prepare_textures(&to);
    }
    for (int32_t y = 0; y < height && result == MRW_OK; y += rows) {
        to.band.first_row = y;
        to.band.end_row = height - y < rows ? height : y + rows;
        draw_band(&to, pixels);
    }
    mrwi_release(context, to.band.split, band_pixels, 1);
    mrwi_release(context, to.band.samples, band_pixels, MRWI_SAMPLES * sizeof(color));
    mrwi_release(context, to.bounds, args->batch_count, sizeof *to.bounds);
    mrwi_release(context, to.points, args->vertex_count, sizeof *to.points);
    return result;
}
