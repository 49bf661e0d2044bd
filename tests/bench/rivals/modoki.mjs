// The reference engine's way, written from its behaviour: an object a matrix, a call a vertex, four slots, doubles.

/** @typedef {{ a: number, b: number, c: number, d: number, e: number, f: number }} Matrix */

/** @param {import('../character.mjs').Rig} rig */
export function createModokiStyle(rig) {
  const indices = new Uint16Array(4 * rig.vertexCount);
  const weights = new Float32Array(4 * rig.vertexCount);
  for (let v = 0; v < rig.vertexCount; v++) {
    for (let i = rig.first[v]; i < rig.first[v + 1]; i++) {
      indices[4 * v + i - rig.first[v]] = rig.joints[i];
      weights[4 * v + i - rig.first[v]] = rig.weights[i];
    }
  }
  /** @type {Matrix[]} */
  const matrices = [];
  const out = new Float32Array(2 * rig.vertexCount);
  return {
    out,
    setPalette: (palette) => palette.forEach(([a, b, c, d, e, f], i) => (matrices[i] = { a, b, c, d, e, f })),
    skin: () => skinPart(rig.positions, indices, weights, matrices, out),
    skinWith: (/** @type {Matrix[]} */ live) => skinPart(rig.positions, indices, weights, live, out),
  };
}

export function skinVertex(x, y, indices, weights, offset, matrices, out, at) {
  let sumX = 0, sumY = 0;
  for (let slot = 0; slot < 4; slot++) {
    const weight = weights[offset + slot];
    if (weight === 0) continue;
    const m = matrices[indices[offset + slot]];
    if (!m) continue;
    sumX += weight * (m.a * x + m.c * y + m.e);
    sumY += weight * (m.b * x + m.d * y + m.f);
  }
  out[at] = sumX;
  out[at + 1] = sumY;
}

export function skinPart(positions, indices, weights, matrices, out) {
  for (let v = 0; 2 * v < positions.length; v++) {
    skinVertex(positions[2 * v], positions[2 * v + 1], indices, weights, 4 * v, matrices, out, 2 * v);
  }
}

/**
 * A whole frame: tracks sampled (the Bezier solved) into the transforms of entities, matrices of the live bones, the exact gate,
 * skinning.
 * @param {import('../character.mjs').Rig} rig
 * @param {import('../character.mjs').Clip} clip
 */
export function createModokiFrame(rig, clip) {
  const part = createModokiStyle(rig);
  const fields = ['x', 'y', 'rz'];
  const entities = rig.bones.map((bone, i) => ({
    name: `bone${i}`, parent: bone.parent, transform: { x: bone.x, y: bone.y, rz: bone.rotation, sx: 1, sy: 1 }, now: toMatrix([1, 0, 0, 1, 0, 0]),
  }));
  const tracks = clip.channels.map((keys, i) => ({ keys, entity: entities[i % rig.bones.length], field: fields[Math.floor(i / rig.bones.length)] }));
  const inverseBinds = rig.inverseBinds.map(toMatrix);
  /** @type {Matrix[]} */
  let matrices = [];
  return {
    out: part.out,
    frame(/** @type {number} */ frame) {
      const time = (frame / 60) % clip.duration;
      for (const { keys, entity, field } of tracks) entity.transform[field] = sample(keys, time);
      for (const entity of entities) {
        const { x, y, rz, sx, sy } = entity.transform;
        const local = compose(x, y, rz, sx, sy);
        entity.now = entity.parent < 0 ? local : multiply(entities[entity.parent].now, local);
      }
      const next = entities.map((entity, i) => multiply(entity.now, inverseBinds[i]));
      if (matrices.length === next.length && matrices.every((m, i) => isSame(m, next[i]))) return;
      matrices = next;
      part.skinWith(matrices);
    },
  };
}

function toMatrix(/** @type {number[]} */ [a, b, c, d, e, f]) {
  return { a, b, c, d, e, f };
}

function compose(x, y, rotation, scaleX, scaleY) {
  const sin = Math.sin(rotation), cos = Math.cos(rotation);
  return { a: cos * scaleX, b: sin * scaleX, c: -sin * scaleY, d: cos * scaleY, e: x, f: y };
}

function multiply(p, q) {
  return {
    a: p.a * q.a + p.c * q.b, b: p.b * q.a + p.d * q.b, c: p.a * q.c + p.c * q.d, d: p.b * q.c + p.d * q.d,
    e: p.a * q.e + p.c * q.f + p.e, f: p.b * q.e + p.d * q.f + p.f,
  };
}

function isSame(p, q) {
  return p.a === q.a && p.b === q.b && p.c === q.c && p.d === q.d && p.e === q.e && p.f === q.f;
}

function sample(keys, time) {
  const last = keys[keys.length - 1];
  if (keys.length === 1 || time <= keys[0].time) return keys[0].value;
  if (time >= last.time) return last.value;
  let i = 0;
  while (keys[i + 1].time <= time) i++;
  const a = keys[i], b = keys[i + 1], span = b.time - a.time;
  let weightA = a.outWeight < 0 ? 1 / 3 : a.outWeight, weightB = b.inWeight < 0 ? 1 / 3 : b.inWeight;
  if (weightA + weightB > 1) {
    const sum = weightA + weightB;
    weightA /= sum;
    weightB /= sum;
  }
  const u = solve(weightA, 1 - weightB, (time - a.time) / span);
  return bezier(u, a.value, a.value + a.outTangent * weightA * span, b.value - b.inTangent * weightB * span, b.value);
}

function bezier(u, p0, p1, p2, p3) {
  const v = 1 - u;
  return v * v * v * p0 + 3 * v * v * u * p1 + 3 * v * u * u * p2 + u * u * u * p3;
}

/** u of the time x by Newton's method, halving where it leaves the bracket. */
function solve(x1, x2, x) {
  let low = 0, high = 1, u = x;
  for (let i = 0; i < 24; i++) {
    const error = bezier(u, 0, x1, x2, 1) - x;
    if (Math.abs(error) < 1e-7) break;
    if (error > 0) high = u;
    else low = u;
    const slope = 3 * (1 - u) * (1 - u) * x1 + 6 * (1 - u) * u * (x2 - x1) + 3 * u * u * (1 - x2);
    const next = u - error / slope;
    u = next > low && next < high ? next : (low + high) / 2;
  }
  return u;
}
