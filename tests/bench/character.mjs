// The character that all contestants bend: 60 bones in a body with five limbs, vertices scattered around them, each bound to its
// nearest bones; 35 / 35 / 20 / 10 % of the vertices have 1 / 2 / 3 / 4 influences. And its clip, and the reference in f64.

export const BONE_COUNT = 60;
const LIMB_LENGTH = 10;
const SHARES = [0.35, 0.7, 0.9, 1];

/** @param {number} seed @returns {() => number} numbers in [0, 1), the same on every machine */
export function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) / 16777216;
  };
}

/** Affines are six numbers: x' = a x + c y + e, y' = b x + d y + f. */
export function compose(x, y, rotation, scaleX = 1, scaleY = 1) {
  const sin = Math.sin(rotation), cos = Math.cos(rotation);
  return [cos * scaleX, sin * scaleX, -sin * scaleY, cos * scaleY, x, y];
}

export function multiply(p, q) {
  return [
    p[0] * q[0] + p[2] * q[1], p[1] * q[0] + p[3] * q[1],
    p[0] * q[2] + p[2] * q[3], p[1] * q[2] + p[3] * q[3],
    p[0] * q[4] + p[2] * q[5] + p[4], p[1] * q[4] + p[3] * q[5] + p[5],
  ];
}

export function invert(m) {
  const [a, b, c, d, e, f] = m;
  const determinant = a * d - b * c;
  return [d / determinant, -b / determinant, -c / determinant, a / determinant,
    (c * f - d * e) / determinant, (b * e - a * f) / determinant];
}

/** A spine of ten bones; limbs of ten start at its bones 0, 0, 9, 9 and 9. Parents come first. */
function createBones() {
  const bones = [];
  const starts = [-1, 0, 0, 9, 9, 9];
  const angles = [-Math.PI / 2, Math.PI * 0.6, -Math.PI * 0.6 + Math.PI, Math.PI * 0.5, -Math.PI * 0.5, 0];
  for (let limb = 0; limb < BONE_COUNT / LIMB_LENGTH; limb++) {
    for (let i = 0; i < LIMB_LENGTH; i++) {
      const parent = i === 0 ? starts[limb] : bones.length - 1;
      bones.push({ parent, x: parent < 0 ? 0 : 20, y: 0, rotation: i === 0 ? angles[limb] : 0.05 });
    }
  }
  return bones;
}

/** @param {ReturnType<typeof createBones>} bones @param {(i: number) => number} turn added to each bone's rotation */
function worldOf(bones, turn) {
  const world = [];
  bones.forEach((bone, i) => {
    const local = compose(bone.x, bone.y, bone.rotation + turn(i));
    world.push(bone.parent < 0 ? local : multiply(world[bone.parent], local));
  });
  return world;
}

/**
 * @param {number} vertexCount
 * @param {number} [seed]
 */
export function createRig(vertexCount, seed = 7) {
  const random = createRandom(seed);
  const bones = createBones();
  const rest = worldOf(bones, () => 0);
  const inverseBinds = rest.map(invert);
  const positions = new Float32Array(2 * vertexCount);
  const first = new Uint32Array(vertexCount + 1);
  const joints = [], weights = [];
  for (let v = 0; v < vertexCount; v++) {
    const bone = rest[Math.floor(random() * BONE_COUNT)];
    const along = random() * 20, across = (random() - 0.5) * 24;
    const x = Math.fround(bone[0] * along + bone[2] * across + bone[4]);
    const y = Math.fround(bone[1] * along + bone[3] * across + bone[5]);
    positions.set([x, y], 2 * v);
    const share = random();
    const count = SHARES.findIndex((limit) => share < limit) + 1;
    const near = rest.map((m, joint) => ({ joint, distance: Math.hypot(m[0] * 10 + m[4] - x, m[1] * 10 + m[5] - y) }))
      .sort((p, q) => p.distance - q.distance || p.joint - q.joint).slice(0, count);
    const raw = near.map((n) => 1 / (n.distance * n.distance + 1));
    const sum = raw.reduce((a, b) => a + b);
    near.forEach((n, i) => {
      joints.push(n.joint);
      weights.push(raw[i] / sum);
    });
    first[v + 1] = joints.length;
  }
  return { vertexCount, bones, rest, inverseBinds, positions, first, joints: Uint32Array.from(joints), weights: Float32Array.from(weights) };
}
/** @typedef {ReturnType<typeof createRig>} Rig */

/** The palette of a pose of its own as 60 affines in f64. */
export function createPalette(/** @type {Rig} */ rig, /** @type {number} */ phase) {
  return worldOf(rig.bones, (i) => 0.3 * Math.sin(phase + i)).map((m, i) => multiply(m, rig.inverseBinds[i]));
}

/** @typedef {{ time: number, value: number, inTangent: number, outTangent: number, inWeight: number, outWeight: number }} Key */

const CLIP_SECONDS = 2;
const KEY_COUNT = 9;

/**
 * Keys of x, y and rotation of every bone (180 channels: all x, then all y, then all rotations), nine each over two seconds.
 * @param {Rig} rig
 * @param {boolean} weighted whether tangents carry weights of their own; the default of a third makes time linear
 */
export function createClip(rig, weighted, seed = 11) {
  const random = createRandom(seed);
  const { fround } = Math;
  /** @type {Key[][]} */
  const channels = [];
  for (const field of ['x', 'y', 'rotation']) {
    for (const bone of rig.bones) {
      const values = Array.from({ length: KEY_COUNT }, () => fround(bone[field] + (random() - 0.5) * (field === 'rotation' ? 0.6 : 4)));
      values[KEY_COUNT - 1] = values[0];
      const step = CLIP_SECONDS / (KEY_COUNT - 1);
      channels.push(values.map((value, i) => {
        const slope = fround((values[(i + 1) % (KEY_COUNT - 1)] - values[(i + KEY_COUNT - 2) % (KEY_COUNT - 1)]) / (2 * step));
        const weight = () => (weighted ? fround(0.15 + 0.5 * random()) : -1);
        return { time: i * step, value, inTangent: slope, outTangent: slope, inWeight: weight(), outWeight: weight() };
      }));
    }
  }
  return { duration: CLIP_SECONDS, channels };
}
/** @typedef {ReturnType<typeof createClip>} Clip */

/** A channel's value by the rule of the file format: a Bezier in time and value, solved to the last bit by bisection. */
export function sampleReference(/** @type {Key[]} */ keys, /** @type {number} */ time) {
  if (time >= keys[keys.length - 1].time) return keys[keys.length - 1].value;
  const i = Math.max(0, keys.findLastIndex((key) => key.time <= time));
  const a = keys[i], b = keys[i + 1];
  const span = b.time - a.time;
  let weightA = a.outWeight < 0 ? 1 / 3 : Math.min(a.outWeight, 0.999), weightB = b.inWeight < 0 ? 1 / 3 : Math.min(b.inWeight, 0.999);
  const sum = Math.max(1, weightA + weightB);
  weightA /= sum;
  weightB /= sum;
  const bezier = (u, p1, p2, p3) => 3 * (1 - u) ** 2 * u * p1 + 3 * (1 - u) * u * u * p2 + u ** 3 * p3;
  let low = 0, high = 1;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (bezier(middle, weightA, 1 - weightB, 1) * span <= time - a.time) low = middle;
    else high = middle;
  }
  return a.value + bezier(low, a.outTangent * weightA * span, b.value - b.inTangent * weightB * span - a.value, b.value - a.value);
}

/** The palette of a clip's frame (60 a second) as 60 affines in f64. */
export function poseReference(/** @type {Rig} */ rig, /** @type {Clip} */ clip, /** @type {number} */ frame) {
  const time = (frame / 60) % clip.duration;
  const value = (field, bone) => sampleReference(clip.channels[field * BONE_COUNT + bone], time);
  const world = [];
  rig.bones.forEach((bone, i) => {
    const local = compose(value(0, i), value(1, i), value(2, i));
    world.push(bone.parent < 0 ? local : multiply(world[bone.parent], local));
  });
  return world.map((m, i) => multiply(m, rig.inverseBinds[i]));
}

/** Textbook skinning in f64, file order. */
export function skinReference(/** @type {Rig} */ rig, /** @type {number[][]} */ palette) {
  const out = new Float64Array(2 * rig.vertexCount);
  for (let v = 0; v < rig.vertexCount; v++) {
    const x = rig.positions[2 * v], y = rig.positions[2 * v + 1];
    for (let i = rig.first[v]; i < rig.first[v + 1]; i++) {
      const [a, b, c, d, e, f] = palette[rig.joints[i]];
      out[2 * v] += rig.weights[i] * (a * x + c * y + e);
      out[2 * v + 1] += rig.weights[i] * (b * x + d * y + f);
    }
  }
  return out;
}

/**
 * The bytes that kernels.c reads: counts and duration; first, joints, weights, positions; parents, inverse binds; per channel the
 * number of keys and six numbers a key.
 */
export function packCharacter(/** @type {Rig} */ rig, /** @type {Clip} */ clip) {
  const floats = (numbers) => new Uint32Array(Float32Array.from(numbers).buffer);
  const parts = [
    Uint32Array.of(rig.vertexCount, rig.joints.length, rig.bones.length, clip.channels.length), floats([clip.duration]),
    rig.first, rig.joints, floats(rig.weights), floats(rig.positions),
    Int32Array.from(rig.bones, (bone) => bone.parent), floats(rig.inverseBinds.flat()),
    ...clip.channels.flatMap((keys) => [
      Uint32Array.of(keys.length),
      floats(keys.flatMap((key) => [key.time, key.value, key.inTangent, key.outTangent, key.inWeight, key.outWeight])),
    ]),
  ];
  return Buffer.concat(parts.map((part) => new Uint8Array(part.buffer, part.byteOffset, part.byteLength)));
}
