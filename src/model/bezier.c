#include "model/bezier.h"

#include <math.h>

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
    out->x1 = weight_a * span;
    out->x2 = span - weight_b * span;
    out->x3 = span;
    out->y0 = a->value;
    out->y1 = a->value + a->out_tangent * weight_a * span;
    out->y2 = b->value - b->in_tangent * weight_b * span;
    out->y3 = b->value;
    return !is_linear_in_time;
}

double mrwi_bezier_x(const mrwi_bezier* curve, double u)
{
    double v = 1.0 - u;
    return 3.0 * v * u * (v * curve->x1 + u * curve->x2) + u * u * u * curve->x3;
}

double mrwi_bezier_y(const mrwi_bezier* curve, double u)
{
    double v = 1.0 - u;
    return v * v * (v * curve->y0 + 3.0 * u * curve->y1) + u * u * (3.0 * v * curve->y2 + u * curve->y3);
}

double mrwi_bezier_speed(const mrwi_bezier* curve, double u)
{
    double v = 1.0 - u;
    return 3.0 * (v * v * curve->x1 + 2.0 * v * u * (curve->x2 - curve->x1) + u * u * (curve->x3 - curve->x2));
}

double mrwi_bezier_solve(const mrwi_bezier* curve, double x)
{
    double low = 0.0;
    double high = 1.0;
    double u = x / curve->x3;
    // Newton inside a bracket that shrinks with every step; a step that leaves the bracket is replaced by its middle.
    for (int i = 0; i < 64; i++) {
        double error = mrwi_bezier_x(curve, u) - x;
        if (fabs(error) <= 1e-15 * curve->x3) {
            break;
        }
        if (error > 0.0) {
            high = u;
        } else {
            low = u;
        }
        double next = u - error / mrwi_bezier_speed(curve, u);
        u = next > low && next < high ? next : 0.5 * (low + high);
    }
    return u;
}
