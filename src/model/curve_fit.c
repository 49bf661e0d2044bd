// Each cubic has the curve's values at four points: the ends, so that neighbours meet, and two in between, where they make the
// error least (the nodes of a Chebyshev polynomial, stretched until the outer ones reach the ends). Its error is a sixth of that of
// a cubic with the curve's values and slopes at the ends.
#include "model/curve_fit.h"

#include "model/bezier.h"
#include "model/narrow.h"

#include <math.h>

/// Where the inner points lie, as a part of the span: (1 - tan(pi / 8)) / 2.
#define INNER 0.29289321881345254

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

/// The cubic through points of the curve between two u; `origin` is the time where it begins to count. Returns the largest distance
/// from the curve at points in between. Where the cubic overflows, which no number of spans would help, it is the first point's value.
static double fit_curve(const mrwi_bezier* curve, double origin, double first_u, double last_u, double c[4])
{
    static const double parts[4] = { 0.0, INNER, 1.0 - INNER, 1.0 };
    double s[4], y[4];
    for (int i = 0; i < 4; i++) {
        const double u = first_u + (last_u - first_u) * parts[i];
        s[i] = mrwi_bezier_at(curve->x, u) - origin;
        y[i] = mrwi_bezier_at(curve->y, u);
    }
    interpolate(s, y, c);
    if (!(fabs(c[0] + c[1] + c[2] + c[3]) < INFINITY)) {
        c[0] = y[0];
        c[1] = c[2] = c[3] = 0.0;
        return 0.0;
    }
    double largest = 0.0;
    for (int i = 1; i < 8; i++) {
        const double u = first_u + (last_u - first_u) * 0.125 * i;
        const double t = mrwi_bezier_at(curve->x, u) - origin;
        const double error = fabs(((c[3] * t + c[2]) * t + c[1]) * t + c[0] - mrwi_bezier_at(curve->y, u));
        largest = error > largest && error < INFINITY ? error : largest;
    }
    return largest;
}

/// The cubic of a piece between two times. Returns its error as a part of the tolerance; a piece that is no weighted segment has none.
static double fit_piece(const mrwi_cubic* piece, double from, double to, double c[4])
{
    const double* p = piece->c;
    const double origin = from - piece->time;
    if (piece->weighted == NULL) {
        c[0] = ((p[3] * origin + p[2]) * origin + p[1]) * origin + p[0];
        c[1] = (3.0 * p[3] * origin + 2.0 * p[2]) * origin + p[1];
        c[2] = 3.0 * p[3] * origin + p[2];
        c[3] = p[3];
        return 0.0;
    }
    mrwi_bezier curve;
    mrwi_bezier_make(piece->weighted, piece->weighted + 1, &curve);
    const double first_u = mrwi_bezier_solve(&curve, origin), last_u = mrwi_bezier_solve(&curve, to - piece->time);
    return fit_curve(&curve, origin, first_u, last_u, c) / piece->tolerance;
}

/// The step that should just meet the tolerance: a cubic's error grows with the fourth power of its span, but slower where a weight
/// of zero bends the curve like s^1.5.
static double better_step(double step, double error)
{
    const double factor = 0.97 / sqrt(sqrt(error));
    const double most = error > 1.0 ? 0.8 : 4.0;
    return step * (factor < most ? (factor > 0.1 ? factor : 0.1) : most);
}

float mrwi_fit_span(
    const mrwi_cubic* const* pieces, uint32_t piece_count, float from, float until, double least, double* step, double (*c)[4])
{
    for (;;) {
        *step = *step > least ? *step : least;
        bool is_least = *step <= least;
        const double wanted = (double)from + *step;
        float end = wanted < (double)until ? mrwi_round_down(wanted) : until;
        if (!(end > from)) { // the next f32 is the first after what was wanted
            end = -mrwi_round_down(-wanted);
            is_least = true;
        }
        double error = 0.0;
        for (uint32_t i = 0; i < piece_count; i++) {
            const double one = fit_piece(pieces[i], (double)from, (double)end, c[i]);
            error = one > error ? one : error;
        }
        *step = better_step((double)end - (double)from, error);
        if (error <= 1.0 || is_least) {
            return end;
        }
    }
}
