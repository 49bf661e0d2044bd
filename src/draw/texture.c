#include "draw/texture.h"

#include <math.h>

#define MOST_TAPS 16
#define SUBTEXELS 256

void mrwi_texture_init(mrwi_texture* texture, mrw_context* context, const mrw_image* image)
{
    *texture = (mrwi_texture) { .context = context, .level_count = 1 };
    texture->levels[0] = *image;
}

void mrwi_texture_release(mrwi_texture* texture)
{
    for (uint32_t i = 1; i < texture->level_count; i++) {
        mrw_image* level = &texture->levels[i];
        mrwi_release(texture->context, level->pixels, (size_t)level->width * level->height, 4);
    }
    texture->level_count = 1;
}

// Taps that a stretch of so many texels needs: a bilinear tap covers a little more than one.
static uint32_t taps_along(double texels)
{
    double taps = texels - 0.25;
    if (!(taps < 65536)) {
        return 65536;
    }
    return taps <= 1 ? 1 : (uint32_t)floor(taps) + (taps > floor(taps) ? 1 : 0);
}

mrwi_footprint mrwi_texture_footprint(const mrw_image* image, const double x[2], const double y[2])
{
    mrwi_footprint out = { 0, 1, 1, { x[0] * image->width, x[1] * image->height }, { y[0] * image->width, y[1] * image->height } };
    double length_x = sqrt(out.step_x[0] * out.step_x[0] + out.step_x[1] * out.step_x[1]);
    double length_y = sqrt(out.step_y[0] * out.step_y[0] + out.step_y[1] * out.step_y[1]);
    double scale = 1;
    uint32_t longest = image->width > image->height ? image->width : image->height;
    for (;; out.level++) {
        out.across = taps_along(length_x * scale);
        out.down = taps_along(length_y * scale);
        // Nothing is smaller than the level of one texel.
        if ((uint64_t)out.across * out.down <= MOST_TAPS || longest >> out.level <= 1) {
            break;
        }
        scale *= 0.5;
    }
    if ((uint64_t)out.across * out.down > MOST_TAPS) {
        out.across = 1;
        out.down = 1;
    }
    for (int i = 0; i < 2; i++) {
        out.step_x[i] *= scale;
        out.step_y[i] *= scale;
    }
    return out;
}

// Mean of up to four pixels in straight alpha: colors count by their alpha, so that what is transparent does not darken.
static void average(const uint8_t* const* pixels, uint32_t count, uint8_t* out)
{
    uint32_t alpha = 0;
    for (uint32_t i = 0; i < count; i++) {
        alpha += pixels[i][3];
    }
    for (int channel = 0; channel < 3; channel++) {
        uint32_t sum = 0;
        for (uint32_t i = 0; i < count; i++) {
            sum += (uint32_t)pixels[i][channel] * pixels[i][3];
        }
        out[channel] = (uint8_t)(alpha == 0 ? 0 : (sum + alpha / 2) / alpha);
    }
    out[3] = (uint8_t)((alpha + count / 2) / count);
}

static void halve(const mrw_image* src, mrw_image* dst)
{
    for (uint32_t y = 0; y < dst->height; y++) {
        for (uint32_t x = 0; x < dst->width; x++) {
            const uint8_t* found[4];
            uint32_t count = 0;
            for (uint32_t i = 0; i < 4; i++) {
                uint32_t src_x = x * 2 + (i & 1);
                uint32_t src_y = y * 2 + (i >> 1);
                if (src_x < src->width && src_y < src->height) {
                    found[count++] = &src->pixels[((size_t)src_y * src->width + src_x) * 4];
                }
            }
            average(found, count, &dst->pixels[((size_t)y * dst->width + x) * 4]);
        }
    }
}

mrw_result mrwi_texture_reserve(mrwi_texture* texture, uint32_t level)
{
    while (texture->level_count <= level) {
        const mrw_image* above = &texture->levels[texture->level_count - 1];
        mrw_image made = { above->width - above->width / 2, above->height - above->height / 2, NULL };
        size_t count;
        if (!mrwi_size_multiply(made.width, made.height, &count)) {
            return MRW_NO_MEMORY;
        }
        made.pixels = mrwi_allocate(texture->context, count, 4);
        if (made.pixels == NULL) {
            return MRW_NO_MEMORY;
        }
        halve(above, &made);
        texture->levels[texture->level_count++] = made;
    }
    return MRW_OK;
}

// Texels from the centre of the first, in 1/SUBTEXELS, rounded, clamped to the centres of the first and the last.
static uint64_t to_subtexels(double texels, uint32_t count)
{
    double fixed = texels * SUBTEXELS - (SUBTEXELS - 1) * 0.5;
    double last = ((double)count - 1) * SUBTEXELS;
    // The first comparison fails for NaN. What is left is not negative, so that the conversion rounds down.
    return fixed > 0 ? (uint64_t)(int64_t)(fixed < last ? fixed : last) : 0;
}

static double clamp(double value, double least, double greatest)
{
    return value < least ? least : value > greatest ? greatest : value;
}

// Adds weight * alpha * color and weight * alpha, where the four weights sum to SUBTEXELS * SUBTEXELS.
static void add_tap(const mrw_image* level, double x, double y, uint64_t sum[4])
{
    uint64_t fixed_x = to_subtexels(x, level->width);
    uint64_t fixed_y = to_subtexels(y, level->height);
    uint32_t part_x = (uint32_t)(fixed_x % SUBTEXELS);
    uint32_t part_y = (uint32_t)(fixed_y % SUBTEXELS);
    const uint8_t* corner = &level->pixels[(size_t)(fixed_y / SUBTEXELS * level->width + fixed_x / SUBTEXELS) * 4];
    // A neighbour beyond the edge has no weight, and is not read.
    size_t right = part_x > 0 ? 4 : 0;
    size_t below = part_y > 0 ? (size_t)level->width * 4 : 0;
    const uint8_t* texels[4] = { corner, corner + right, corner + below, corner + below + right };
    uint32_t weights[4]
        = { (SUBTEXELS - part_x) * (SUBTEXELS - part_y), part_x * (SUBTEXELS - part_y), (SUBTEXELS - part_x) * part_y, part_x * part_y };
    for (int i = 0; i < 4; i++) {
        uint32_t covered = weights[i] * texels[i][3];
        sum[0] += (uint64_t)covered * texels[i][0];
        sum[1] += (uint64_t)covered * texels[i][1];
        sum[2] += (uint64_t)covered * texels[i][2];
        sum[3] += covered;
    }
}

void mrwi_texture_sample(
    const mrwi_texture* texture, const mrwi_footprint* footprint, const double bounds[4], const double uv[2], float out[4])
{
    const mrw_image* level = &texture->levels[footprint->level];
    double scale = 1.0 / (double)(1u << footprint->level);
    double width = texture->levels[0].width * scale;
    double height = texture->levels[0].height * scale;
    const double least[2] = { bounds[0] * width, bounds[1] * height };
    const double greatest[2] = { bounds[2] * width, bounds[3] * height };
    uint64_t sum[4] = { 0 };
    for (uint32_t row = 0; row < footprint->down; row++) {
        double down = (row + 0.5) / footprint->down - 0.5;
        for (uint32_t column = 0; column < footprint->across; column++) {
            double across = (column + 0.5) / footprint->across - 0.5;
            double x = uv[0] * width + across * footprint->step_x[0] + down * footprint->step_y[0];
            double y = uv[1] * height + across * footprint->step_x[1] + down * footprint->step_y[1];
            add_tap(level, clamp(x, least[0], greatest[0]), clamp(y, least[1], greatest[1]), sum);
        }
    }
    double taps = (double)footprint->across * footprint->down * SUBTEXELS * SUBTEXELS * 255;
    for (int channel = 0; channel < 3; channel++) {
        out[channel] = (float)((double)sum[channel] / (taps * 255));
    }
    out[3] = (float)((double)sum[3] / taps);
}
