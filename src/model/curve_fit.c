// Each cubic has the curve's values at four points: the ends, so that neighbours meet, and two in between, where they make the
// error least (the nodes of a Chebyshev polynomial, stretched until the outer ones reach the ends). Its error is a sixth of that of
// a cubic with the curve's values and slopes at the ends.
#include "model/curve_fit.h"

#include "model/narrow.h"

#include <math.h>

/// Of a segment.
#define SMALLEST_STEP 0x1p-40
#define SPANS_MAX 512
/// Where the inner points lie, as a part of the span: (1 - tan(pi / 8)) / 2.
#define INNER 0.29289321881345254

void mrwi_fit_begin(mrwi_fit* fit, const mrw_key_desc* keys, double tolerance)
{
    *fit = (mrwi_fit) { .time = keys->time, .tolerance = tolerance };
    mrwi_bezier_make(keys, keys + 1, &fit->curve);
}

/// A u between the fit's two whose time is about `x`: near enough for a point that only has to lie on the curve.
static double inner_u(const mrwi_fit* fit, double part, double x)
{
    const double u = fit->first_u + part * (fit->last_u - fit->first_u);
    const double better = u - (mrwi_bezier_x(&fit->curve, u) - x) / mrwi_bezier_speed(&fit->curve, u);
    return better > fit->first_u && better < fit->last_u ? better : u;
}

/// The cubic through four points by divided differences. Points that coincide give the value of the first.
static void interpolate(const double s[4], const double y[4], double c[4])
{
    double d[4] = { y[0], y[1], y[2], y[3] };
    for (int order = 1; order < 4; order++) {
        for (int i = 3; i >= order; i--) {
            const double distance = s[i] - s[i - order];
            d[i] = distance > 0.0 ? (d[i] - d[i - 1]) / distance : 0.0;
        }
    }
    c[0] = d[3];
    c[1] = c[2] = c[3] = 0.0;
    for (int i = 2; i >= 0; i--) { // times (s - s[i]), plus d[i]
        for (int k = 3; k > 0; k--) {
            c[k] = c[k - 1] - s[i] * c[k];
        }
        c[0] = d[i] - s[i] * c[0];
    }
}

/// Largest distance from the curve at points in between. An overflow counts as 0: no number of spans would help.
static double largest_error(const mrwi_fit* fit, double origin)
{
    double largest = 0.0;
    for (int i = 1; i < 8; i++) {
        const double u = fit->first_u + (fit->last_u - fit->first_u) * 0.125 * i;
        const double s = mrwi_bezier_x(&fit->curve, u) - origin;
        const double error = fabs(((fit->c[3] * s + fit->c[2]) * s + fit->c[1]) * s + fit->c[0] - mrwi_bezier_y(&fit->curve, u));
        largest = error > largest && error < INFINITY ? error : largest;
    }
    return largest;
}

/// Fits the curve from `first_u` to the time `to` and returns the error as a part of the tolerance.
static double try_span(mrwi_fit* fit, double from, double to)
{
    const mrwi_bezier* curve = &fit->curve;
    const double origin = from - fit->time, end = to - fit->time;
    fit->last_u = end < curve->x3 ? mrwi_bezier_solve(curve, end) : 1.0;
    const double first_x = mrwi_bezier_x(curve, fit->first_u), span = mrwi_bezier_x(curve, fit->last_u) - first_x;
    const double u[4] = { fit->first_u, inner_u(fit, INNER, first_x + INNER * span),
        inner_u(fit, 1.0 - INNER, first_x + (1.0 - INNER) * span), fit->last_u };
    double s[4], y[4];
    for (int i = 0; i < 4; i++) {
        s[i] = mrwi_bezier_x(curve, u[i]) - origin;
        y[i] = mrwi_bezier_y(curve, u[i]);
    }
    interpolate(s, y, fit->c);
    const double error = largest_error(fit, origin);
    return error > 0.0 ? error / fit->tolerance : 0.0;
}

/// The step that should just meet the tolerance: a cubic's error grows with the fourth power of its span, but slower where a weight
/// of zero bends the curve like s^1.5.
static double better_step(double step, double error)
{
    const double factor = error > 0.0 ? 0.97 / sqrt(sqrt(error)) : 4.0;
    const double most = error > 1.0 ? 0.8 : 4.0;
    return step * (factor < most ? (factor > 0.1 ? factor : 0.1) : most);
}

/// The f32 after `time`, or `until`.
static float next_time(float time, float until)
{
    float next = until;
    for (float middle = time + (until - time) / 2; middle > time && middle < next; middle = time + (next - time) / 2) {
        next = middle;
    }
    return next;
}

float mrwi_fit_span(mrwi_fit* const* fits, uint32_t fit_count, float from, float until, double* step)
{
    double smallest = 0.0;
    bool is_last = false;
    for (uint32_t i = 0; i < fit_count; i++) {
        const double least = SMALLEST_STEP * fits[i]->curve.x3;
        smallest = least > smallest ? least : smallest;
        is_last = is_last || fits[i]->count >= SPANS_MAX;
    }
    for (;;) {
        const bool whole = is_last || !((double)from + *step < (double)until);
        float end = whole ? until : mrwi_round_down((double)from + *step);
        const bool is_smallest = end <= from || *step <= smallest;
        end = end > from ? end : next_time(from, until);
        double error = 0.0;
        for (uint32_t i = 0; i < fit_count; i++) {
            const double one = try_span(fits[i], (double)from, (double)end);
            error = one > error ? one : error;
        }
        const double used = (double)end - (double)from;
        *step = better_step(used, error);
        if (error <= 1.0 || is_smallest || is_last) {
            for (uint32_t i = 0; i < fit_count; i++) {
                fits[i]->first_u = fits[i]->last_u;
                fits[i]->count++;
            }
            *step = *step > smallest ? *step : smallest;
            return end;
        }
    }
}
