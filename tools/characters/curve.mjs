// Curves of keys as clips have them: written by hand, or fitted to motion that was computed.

/** @typedef {{ t: number, v: number, inTangent: number, outTangent: number, inWeight?: number, outWeight?: number }} Key */
/** @typedef {{ slope?: number, in?: number, out?: number }} Shape slope through the key, weights before and behind it (usually 1/3) */
/** @typedef {[t: number, v: number, shape?: Shape]} Point */

/**
 * Keys through points. Where the curve turns it is flat, so that it never overshoots; elsewhere it follows its neighbours.
 * @param {Point[]} points
 * @param {number} period after which the curve repeats; 0 when it does not
 * @returns {Key[]}
 */
export function keysThrough(points, period) {
  const count = points.length;
  const loops = period > 0 && count > 1 && points[0][0] === 0 && points[count - 1][0] === period && points[0][1] === points[count - 1][1];
  return points.map(([t, v, shape = {}], i) => {
    const wraps = loops && (i === 0 || i === count - 1);
    const before = wraps ? { t: points[count - 2][0] - (i === 0 ? period : 0), v: points[count - 2][1] } : { t: points[i - 1]?.[0] ?? t, v: points[i - 1]?.[1] ?? v };
    const after = wraps ? { t: points[1][0] + (i === 0 ? 0 : period), v: points[1][1] } : { t: points[i + 1]?.[0] ?? t, v: points[i + 1]?.[1] ?? v };
    const turns = (v - before.v) * (after.v - v) <= 0;
    const slope = shape.slope ?? (turns ? 0 : (after.v - before.v) / (after.t - before.t));
    const key = { t, v, inTangent: slope, outTangent: slope };
    return { ...key, ...(shape.in === undefined ? {} : { inWeight: shape.in }), ...(shape.out === undefined ? {} : { outWeight: shape.out }) };
  });
}

/**
 * The value of a curve, as players compute it.
 * @param {Key[]} keys
 * @param {number} t
 */
export function valueAt(keys, t) {
  if (t <= keys[0].t) {
    return keys[0].v;
  }
  const next = keys.findIndex((key) => key.t > t);
  if (next < 0) {
    return keys[keys.length - 1].v;
  }
  const [a, b] = [keys[next - 1], keys[next]];
  const span = b.t - a.t;
  let wa = a.outWeight ?? 1 / 3;
  let wb = b.inWeight ?? 1 / 3;
  if (wa + wb > 1) {
    [wa, wb] = [wa / (wa + wb), wb / (wa + wb)];
  }
  const bezier = (/** @type {number} */ u, /** @type {number} */ p1, /** @type {number} */ p2, /** @type {number} */ p3) =>
    3 * (1 - u) * (1 - u) * u * p1 + 3 * (1 - u) * u * u * p2 + u * u * u * p3;
  let low = 0;
  let high = 1;
  for (let i = 0; i < 40; i++) {
    const u = (low + high) / 2;
    if (bezier(u, wa, 1 - wb, 1) < (t - a.t) / span) {
      low = u;
    } else {
      high = u;
    }
  }
  const u = (low + high) / 2;
  return a.v + bezier(u, a.outTangent * wa * span, b.v - a.v - b.inTangent * wb * span, b.v - a.v);
}

/**
 * As few keys as keep within `tolerance` of samples that lie `step` apart, with the samples' own slopes.
 * @param {number[]} samples
 * @param {number} step
 * @param {boolean} loops the last sample is the first one again
 * @param {number} tolerance
 * @returns {Key[]}
 */
export function fitKeys(samples, step, loops, tolerance) {
  const last = samples.length - 1;
  const slope = (/** @type {number} */ i) => {
    if (i > 0 && i < last) {
      return (samples[i + 1] - samples[i - 1]) / (2 * step);
    }
    if (loops) {
      return (samples[1] - samples[last - 1]) / (2 * step);
    }
    return i === 0 ? (samples[1] - samples[0]) / step : (samples[last] - samples[last - 1]) / step;
  };
  const key = (/** @type {number} */ i) => ({ t: i * step, v: samples[i], inTangent: slope(i), outTangent: slope(i) });
  if (Math.max(...samples) - Math.min(...samples) <= tolerance) {
    return [{ t: 0, v: samples[0], inTangent: 0, outTangent: 0 }];
  }
  const chosen = new Set([0, last]);
  const split = (/** @type {number} */ first, /** @type {number} */ end) => {
    const [a, b] = [key(first), key(end)];
    let worst = tolerance;
    let at = -1;
    for (let i = first + 1; i < end; i++) {
      const error = Math.abs(valueAt([a, b], i * step) - samples[i]);
      if (error > worst) {
        worst = error;
        at = i;
      }
    }
    if (at >= 0) {
      chosen.add(at);
      split(first, at);
      split(at, end);
    }
  };
  split(0, last);
  return [...chosen].sort((a, b) => a - b).map(key);
}
