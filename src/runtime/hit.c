#include "runtime/bounds.h"

#include <math.h>

typedef struct point {
    double x, y;
} point;

static point vertex(const float* pairs, uint32_t index)
{
    return (point) { (double)pairs[2 * (size_t)index], (double)pairs[2 * (size_t)index + 1] };
}

// Twice the area of the triangle, positive when it turns from +x to +y.
static double area(point a, point b, point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Edges belong to the triangle; both windings count; one without area holds nothing. `weights` are barycentric.
static bool holds(const float* positions, const uint32_t* corners, point p, double weights[3])
{
    const point a = vertex(positions, corners[0]);
    const point b = vertex(positions, corners[1]);
    const point c = vertex(positions, corners[2]);
    const double whole = area(a, b, c);
    // A quotient is positive when the corner's area turns as the whole does.
    weights[0] = area(b, c, p) / whole;
    weights[1] = area(c, a, p) / whole;
    weights[2] = area(a, b, p) / whole;
    return whole != 0 && weights[0] >= 0 && weights[1] >= 0 && weights[2] >= 0;
}

static double alpha_of(const mrw_image* image, double x, double y)
{
    double right = image->width - 1;
    double bottom = image->height - 1;
    x = x < 0 ? 0 : (x > right ? right : x);
    y = y < 0 ? 0 : (y > bottom ? bottom : y);
    return image->pixels[((size_t)y * image->width + (size_t)x) * 4 + 3];
}

// Bilinear between pixel centres, as renderers filter; beyond the page its border goes on.
static float sample_alpha(const mrwi_model* model, uint32_t page, double u, double v)
{
    if (page >= model->page_count || model->images[page].pixels == NULL) {
        return 1.0f;
    }
    const mrw_image* image = &model->images[page];
    double x = u * image->width - 0.5;
    double y = v * image->height - 0.5;
    double left = floor(x);
    double top = floor(y);
    double across = x - left;
    double upper = alpha_of(image, left, top) * (1 - across) + alpha_of(image, left + 1, top) * across;
    double lower = alpha_of(image, left, top + 1) * (1 - across) + alpha_of(image, left + 1, top + 1) * across;
    return (float)((upper + (lower - upper) * (y - top)) / 255);
}

// The topmost triangle of a part is the last one.
static bool hit_part(const mrwi_instance* instance, uint32_t index, point p, float threshold, mrw_hit* out)
{
    const mrw_part_state* part = &instance->part_states[index];
    const mrw_instance_state* state = &instance->state;
    for (uint32_t triangle = part->index_count / 3; triangle-- > 0;) {
        const uint32_t* corners = state->indices + part->first_index + 3 * (size_t)triangle;
        double weights[3];
        if (!holds(state->positions, corners, p, weights)) {
            continue;
        }
        point uv = { 0, 0 };
        for (int i = 0; i < 3; i++) {
            point corner = vertex(state->uvs, corners[i]);
            uv.x += corner.x * weights[i];
            uv.y += corner.y * weights[i];
        }
        float alpha = sample_alpha(instance->model, part->page, uv.x, uv.y);
        if (alpha > threshold) {
            *out = (mrw_hit) { (int32_t)index, triangle, (float)uv.x, (float)uv.y, alpha };
            return true;
        }
    }
    return false;
}

mrw_result mrw_instance_hit(mrw_context* context, mrw_instance_id id, float x, float y, float threshold, mrw_hit* out)
{
    mrwi_instance* instance = mrwi_instance_get(context, id);
    if (instance == NULL) {
        return MRW_STALE;
    }
    *out = (mrw_hit) { .part = -1 };
    for (uint32_t i = instance->state.part_count; i-- > 0;) {
        if (instance->part_states[i].visible == 0) {
            continue;
        }
        const mrw_bounds* box = mrwi_instance_bounds(instance, (int32_t)i);
        bool near = box->empty == 0 && x >= box->min_x && x <= box->max_x && y >= box->min_y && y <= box->max_y;
        if (near && hit_part(instance, i, (point) { (double)x, (double)y }, threshold, out)) {
            break;
        }
    }
    return MRW_OK;
}
