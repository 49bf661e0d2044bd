// A pose with typed arrays: cursors, cubics by Horner (or the weighted Bezier solved, where keys carry weights), Math.sin and cos,
// world matrices, palette. Six numbers a matrix, f64 throughout (an f32 load would cost a conversion).

/**
 * @param {import('../character.mjs').Rig} rig
 * @param {import('../character.mjs').Clip} clip
 * @param {boolean} weighted
 */
export function createTypedPose(rig, clip, weighted) {
  const channelCount = clip.channels.length;
  const first = new Uint32Array(channelCount + 1);
  clip.channels.forEach((keys, i) => (first[i + 1] = first[i] + keys.length));
  const keys = clip.channels.flat();
  const times = Float64Array.from(keys, (key) => key.time);
  const values = Float64Array.from(keys, (key) => key.value);
  const cubics = new Float64Array(4 * keys.length);
  const beziers = new Float64Array(4 * keys.length);
  clip.channels.forEach((channel, c) => {
    for (let i = 0; i + 1 < channel.length; i++) {
      const a = channel[i], b = channel[i + 1], span = b.time - a.time, secant = (b.value - a.value) / span;
      cubics.set([a.value, a.outTangent, (3 * secant - 2 * a.outTangent - b.inTangent) / span,
        (a.outTangent + b.inTangent - 2 * secant) / (span * span)], 4 * (first[c] + i));
      const wa = a.outWeight < 0 ? 1 / 3 : a.outWeight, wb = b.inWeight < 0 ? 1 / 3 : b.inWeight, sum = Math.max(1, wa + wb);
      beziers.set([wa / sum, 1 - wb / sum, a.value + (a.outTangent * wa * span) / sum, b.value - (b.inTangent * wb * span) / sum],
        4 * (first[c] + i));
    }
  });
  const boneCount = rig.bones.length;
  const parents = Int32Array.from(rig.bones, (bone) => bone.parent);
  const binds = Float64Array.from(rig.inverseBinds.flat());
  const cursors = new Uint32Array(channelCount);
  const sampled = new Float64Array(channelCount);
  const world = new Float64Array(6 * boneCount);
  const palette = new Float64Array(6 * boneCount);
  const evaluate = weighted ? solve : horner;
  return {
    palette,
    pose(frame) {
      const time = (frame / 60) % clip.duration;
      evaluate(channelCount, time, first, times, values, weighted ? beziers : cubics, cursors, sampled);
      worlds(boneCount, sampled, parents, world);
      palettes(boneCount, world, binds, palette);
    },
  };
}

function seek(time, first, end, times, cursors, channel) {
  let at = first + cursors[channel];
  if (time < times[at]) at = first;
  while (at + 1 < end && times[at + 1] <= time) at++;
  cursors[channel] = at - first;
  return at;
}

function horner(channelCount, time, first, times, values, cubics, cursors, out) {
  for (let channel = 0; channel < channelCount; channel++) {
    const at = seek(time, first[channel], first[channel + 1], times, cursors, channel);
    if (at === first[channel + 1] - 1) {
      out[channel] = values[at];
      continue;
    }
    const s = time - times[at], c = 4 * at;
    out[channel] = ((cubics[c + 3] * s + cubics[c + 2]) * s + cubics[c + 1]) * s + cubics[c];
  }
}

function solve(channelCount, time, first, times, values, beziers, cursors, out) {
  for (let channel = 0; channel < channelCount; channel++) {
    const at = seek(time, first[channel], first[channel + 1], times, cursors, channel);
    if (at === first[channel + 1] - 1) {
      out[channel] = values[at];
      continue;
    }
    const c = 4 * at, x1 = beziers[c], x2 = beziers[c + 1];
    const x = (time - times[at]) / (times[at + 1] - times[at]);
    // x(u) = ((p u + q) u + r) u
    const r = 3 * x1, q = 3 * (x2 - x1) - r, p = 1 - r - q;
    let u = x;
    for (let i = 0; i < 24; i++) {
      const error = ((p * u + q) * u + r) * u - x;
      if (Math.abs(error) < 1e-7) break;
      const slope = (3 * p * u + 2 * q) * u + r;
      u = Math.min(1, Math.max(0, u - error / Math.max(slope, 1e-6)));
    }
    const v = 1 - u;
    out[channel] = v * v * v * values[at] + 3 * v * v * u * beziers[c + 2] + 3 * v * u * u * beziers[c + 3] + u * u * u * values[at + 1];
  }
}

function worlds(count, sampled, parents, world) {
  for (let i = 0; i < count; i++) {
    const x = sampled[i], y = sampled[count + i], angle = sampled[2 * count + i];
    const sin = Math.sin(angle), cos = Math.cos(angle);
    const m = 6 * i;
    if (parents[i] < 0) {
      world[m] = cos;
      world[m + 1] = sin;
      world[m + 2] = -sin;
      world[m + 3] = cos;
      world[m + 4] = x;
      world[m + 5] = y;
    } else {
      const p = 6 * parents[i];
      const a = world[p], b = world[p + 1], c = world[p + 2], d = world[p + 3];
      world[m] = a * cos + c * sin;
      world[m + 1] = b * cos + d * sin;
      world[m + 2] = c * cos - a * sin;
      world[m + 3] = d * cos - b * sin;
      world[m + 4] = a * x + c * y + world[p + 4];
      world[m + 5] = b * x + d * y + world[p + 5];
    }
  }
}

function palettes(count, world, binds, palette) {
  for (let m = 0; m < 6 * count; m += 6) {
    const a = world[m], b = world[m + 1], c = world[m + 2], d = world[m + 3];
    palette[m] = a * binds[m] + c * binds[m + 1];
    palette[m + 1] = b * binds[m] + d * binds[m + 1];
    palette[m + 2] = a * binds[m + 2] + c * binds[m + 3];
    palette[m + 3] = b * binds[m + 2] + d * binds[m + 3];
    palette[m + 4] = a * binds[m + 4] + c * binds[m + 5] + world[m + 4];
    palette[m + 5] = b * binds[m + 4] + d * binds[m + 5] + world[m + 5];
  }
}
