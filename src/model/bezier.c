#include "model/bezier.h"

#include <math.h>
#include <string.h>

static double weight_of(double weight)
{
    if (!(weight >= 0.0)) {
        return 1.0 / 3.0;
    }
    return weight < 0.999 ? weight : 0.999;
}

bool mrwi_key_is_stepped(const mrw_key_desc* key)
{
    return key->out_tangent == INFINITY;
}

bool mrwi_bezier_make(const mrw_key_desc* a, const mrw_key_desc* b, mrwi_bezier* out)
{
    double span = b->time - a->time;
    double weight_a = weight_of(a->out_weight);
    double weight_b = weight_of(b->in_weight);
    bool is_linear_in_time = weight_a == 1.0 / 3.0 && weight_b == 1.0 / 3.0;
    double sum = weight_a + weight_b;
    if (sum > 1.0) {
        weight_a /= sum;
        weight_b /= sum;
    }
    *out = (mrwi_bezier) {
        { 0.0, weight_a * span, span - weight_b * span, span },
        { a->value, a->value + a->out_tangent * weight_a * span, b->value - b->in_tangent * weight_b * span, b->value },
    };
    return !is_linear_in_time;
}

void mrwi_bezier_values(const mrw_key_desc* keys, uint32_t key_count, uint32_t index, double y[4])
{
    const double value = keys[index].value;
    mrwi_bezier curve = { .y = { value, value, value, value } };
    if (index + 1 < key_count && !mrwi_key_is_stepped(&keys[index])) {
        mrwi_bezier_make(&keys[index], &keys[index + 1], &curve);
    }
    memcpy(y, curve.y, sizeof curve.y);
}

double mrwi_bezier_at(const double points[4], double u)
{
    double v = 1.0 - u;
    return v * v * (v * points[0] + 3.0 * u * points[1]) + u * u * (3.0 * v * points[2] + u * points[3]);
}

/// dx/du; zero at an end whose weight is zero.
static double speed(const double x[4], double u)
{
    double v = 1.0 - u;
    return 3.0 * (v * v * x[1] + 2.0 * v * u * (x[2] - x[1]) + u * u * (x[3] - x[2]));
}

double mrwi_bezier_solve(const mrwi_bezier* curve, double x)
{
    double low = 0.0;
    double high = 1.0;
    double u = x / curve->x[3];
    u = u > low ? (u < high ? u : high) : low;
    // Newton inside a bracket that shrinks with every step; a step that leaves the bracket is replaced by its middle.
    for (int i = 0; i < 64 && u > 0.0 && u < 1.0; i++) {
        double error = mrwi_bezier_at(curve->x, u) - x;
        if (fabs(error) <= 1e-15 * curve->x[3]) {
            break;
        }
        if (error > 0.0) {
            high = u;
        } else {
            low = u;
        }
        double next = u - error / speed(curve->x, u);
        u = next > low && next < high ? next : 0.5 * (low + high);
    }
    return u;
}
