import { KEY_DESC, MASK, NODE_DESC, WEIGHT_OPTIONS } from './layout.js';

/**
 * The plain data that authoring speaks, in the words of the files.
 *
 * @typedef {ArrayLike<number> | ArrayLike<ArrayLike<number>>} Points x, y pairs: flat, or one small array each
 *
 * @typedef {object} FileBone
 * @property {string} name
 * @property {number} parent -1: a root
 * @property {number} x
 * @property {number} y
 * @property {number} rot radians
 * @property {boolean} [noScale]
 *
 * @typedef {object} FileMesh
 * @property {number[][]} verts x, y
 * @property {number[][]} uvs u, v in the sprite
 * @property {number[]} tris
 *
 * @typedef {object} FileWeights Four slots a vertex.
 * @property {number[]} skinIndices
 * @property {number[]} skinWeights
 *
 * @typedef {object} FilePart
 * @property {string} [name]
 * @property {string} [sprite]
 * @property {FileMesh} [mesh]
 * @property {number[]} [skinIndices]
 * @property {number[]} [skinWeights]
 * @property {number} [order]
 * @property {boolean} [visible]
 *
 * @typedef {FilePart & { id?: string, version?: number, bones?: FileBone[], parts?: FilePart[], assets?: Record<string, string> }} FileRig
 *
 * @typedef {object} Mask Coverage of a picture: one byte a cell, non-zero inside.
 * @property {number} width
 * @property {number} height
 * @property {Uint8Array} inside
 *
 * @typedef {object} WeightOptions
 * @property {number} [falloff] default 2
 * @property {number} [radius] 0 or less: unbounded, the default
 * @property {number} [maxInfluences] 1..4, default 4
 *
 * @typedef {'auto' | 'linear' | 'constant' | 'free'} TangentMode
 *
 * @typedef {object} FileKey
 * @property {number} t seconds
 * @property {number} v
 * @property {number | null} [inTangent] slope, value a second
 * @property {number | null} [outTangent] Infinity holds the value
 * @property {number} [inWeight]
 * @property {number} [outWeight]
 * @property {TangentMode} [tangentMode]
 * @property {boolean} [broken]
 */

/**
 * @internal
 * @type {(TangentMode | undefined)[]}
 */
export const tangentModes = [undefined, 'auto', 'linear', 'constant', 'free'];

/**
 * @internal
 * @param {Points} points
 * @returns {Float64Array}
 */
export function flatten(points) {
  if (points.length === 0 || typeof points[0] === 'number') {
    return Float64Array.from(/** @type {ArrayLike<number>} */ (points));
  }
  const flat = new Float64Array(points.length * 2);
  for (let index = 0; index < points.length; index += 1) {
    const point = /** @type {ArrayLike<ArrayLike<number>>} */ (points)[index];
    flat[index * 2] = point[0];
    flat[index * 2 + 1] = point[1];
  }
  return flat;
}

/**
 * @internal
 * @param {ArrayLike<number>} flat
 */
export function pairs(flat) {
  return Array.from({ length: flat.length / 2 }, (_, index) => [flat[index * 2], flat[index * 2 + 1]]);
}

/**
 * @internal
 * @param {import('../heap.js').Heap} heap inside `borrow`
 * @param {readonly FileBone[]} bones
 */
export function takeBones(heap, bones) {
  const at = heap.take(Math.max(1, bones.length) * NODE_DESC.size);
  for (const [index, bone] of bones.entries()) {
    const name = heap.takeText(bone.name);
    const here = at + index * NODE_DESC.size;
    heap.u32[(here + NODE_DESC.name) >>> 2] = name;
    heap.i32[(here + NODE_DESC.parent) >>> 2] = bone.parent;
    heap.f64[(here + NODE_DESC.x) >>> 3] = bone.x;
    heap.f64[(here + NODE_DESC.y) >>> 3] = bone.y;
    heap.f64[(here + NODE_DESC.rotation) >>> 3] = bone.rot;
    heap.u8[here + NODE_DESC.noScale] = Number(bone.noScale ?? false);
  }
  return at;
}

/**
 * @internal
 * @param {import('../heap.js').Heap} heap inside `borrow`
 * @param {number} at where the mask of an option struct lies
 * @param {Mask | null | undefined} mask
 */
export function putMask(heap, at, mask) {
  if (mask !== null && mask !== undefined) {
    const inside = heap.copyIn(mask.inside);
    heap.u32[(at + MASK.width) >>> 2] = mask.width;
    heap.u32[(at + MASK.height) >>> 2] = mask.height;
    heap.u32[(at + MASK.inside) >>> 2] = inside;
  }
}

/**
 * @internal
 * @param {import('../heap.js').Heap} heap
 * @param {number} at
 * @param {WeightOptions} options
 */
export function putWeightOptions(heap, at, { falloff = 0, radius = 0, maxInfluences = -1 }) {
  heap.f64[(at + WEIGHT_OPTIONS.falloff) >>> 3] = falloff;
  heap.f64[(at + WEIGHT_OPTIONS.radius) >>> 3] = radius;
  heap.f64[(at + WEIGHT_OPTIONS.maxInfluences) >>> 3] = maxInfluences;
}

/**
 * @internal
 * @param {import('../heap.js').Heap} heap inside `borrow`
 * @param {readonly FileKey[]} keys
 * @param {number} room for so many
 */
export function takeKeys(heap, keys, room = keys.length) {
  const at = heap.take(Math.max(1, room) * KEY_DESC.size);
  for (const [index, key] of keys.entries()) {
    const here = at + index * KEY_DESC.size;
    const { f64 } = heap;
    f64[(here + KEY_DESC.time) >>> 3] = key.t;
    f64[(here + KEY_DESC.value) >>> 3] = key.v;
    f64[(here + KEY_DESC.inTangent) >>> 3] = key.inTangent ?? 0;
    f64[(here + KEY_DESC.outTangent) >>> 3] = key.tangentMode === 'constant' ? Infinity : key.outTangent ?? 0;
    f64[(here + KEY_DESC.inWeight) >>> 3] = key.inWeight ?? -1;
    f64[(here + KEY_DESC.outWeight) >>> 3] = key.outWeight ?? -1;
    heap.u32[(here + KEY_DESC.mode) >>> 2] = Math.max(0, tangentModes.indexOf(key.tangentMode));
    heap.u8[here + KEY_DESC.broken] = Number(key.broken ?? false);
    heap.u8[here + KEY_DESC.hasBroken] = Number(key.broken !== undefined);
  }
  return at;
}

/**
 * A key as the core left it; what the core does not know stays as in `key`.
 * @internal
 * @param {import('../heap.js').Heap} heap
 * @param {number} at
 * @param {FileKey | null} key
 * @returns {FileKey}
 */
export function readKey(heap, at, key) {
  const { f64, u8, u32 } = heap;
  const mode = tangentModes[u32[(at + KEY_DESC.mode) >>> 2]];
  const inWeight = f64[(at + KEY_DESC.inWeight) >>> 3];
  const outWeight = f64[(at + KEY_DESC.outWeight) >>> 3];
  return {
    ...key,
    t: f64[(at + KEY_DESC.time) >>> 3],
    v: f64[(at + KEY_DESC.value) >>> 3],
    inTangent: f64[(at + KEY_DESC.inTangent) >>> 3],
    outTangent: f64[(at + KEY_DESC.outTangent) >>> 3],
    ...(inWeight < 0 ? {} : { inWeight }),
    ...(outWeight < 0 ? {} : { outWeight }),
    ...(mode === undefined ? {} : { tangentMode: mode }),
    ...(u8[at + KEY_DESC.hasBroken] === 0 ? {} : { broken: u8[at + KEY_DESC.broken] !== 0 }),
  };
}
