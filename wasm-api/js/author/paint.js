import { argumentError } from '../errors.js';
import { authorHeap } from './core.js';
import { flatten } from './data.js';
import { PAINT_OPTIONS } from './layout.js';

/** @typedef {import('./data.js').FileWeights} FileWeights */

const modes = ['add', 'subtract', 'set'];

/**
 * One stamp of a weight brush. Vertices that it does not touch keep their numbers.
 * @param {FileWeights & { verts: import('./data.js').Points, bone: number, center: ArrayLike<number>, radius: number, strength: number,
 *   mode?: 'add' | 'subtract' | 'set', falloff?: 'smooth' | 'constant', bonePositions?: import('./data.js').Points }} options
 * @returns {FileWeights}
 */
export function paint({ verts, skinIndices, skinWeights, bone, center, radius, strength, mode = 'add', falloff = 'smooth', bonePositions }) {
  if (!modes.includes(mode)) {
    throw argumentError('paint', `the mode "${mode}" is none of ${modes.join(', ')}`);
  }
  const heap = authorHeap();
  return heap.borrow(() => {
    const positions = flatten(verts);
    const joints = flatten(bonePositions ?? []);
    const at = heap.take(PAINT_OPTIONS.size);
    const points = heap.copyIn(positions);
    const jointPoints = bonePositions === undefined ? 0 : heap.copyIn(joints);
    const slots = takeSlots(heap, { skinIndices, skinWeights }, positions.length / 2);
    const { f64, u32 } = heap;
    u32[(at + PAINT_OPTIONS.positions) >>> 2] = points;
    u32[(at + PAINT_OPTIONS.vertexCount) >>> 2] = positions.length / 2;
    u32[(at + PAINT_OPTIONS.bone) >>> 2] = bone;
    f64[(at + PAINT_OPTIONS.centerX) >>> 3] = center[0];
    f64[(at + PAINT_OPTIONS.centerY) >>> 3] = center[1];
    f64[(at + PAINT_OPTIONS.radius) >>> 3] = radius;
    f64[(at + PAINT_OPTIONS.strength) >>> 3] = strength;
    u32[(at + PAINT_OPTIONS.mode) >>> 2] = modes.indexOf(mode);
    heap.u8[at + PAINT_OPTIONS.constant] = Number(falloff === 'constant');
    u32[(at + PAINT_OPTIONS.bonePositions) >>> 2] = jointPoints;
    u32[(at + PAINT_OPTIONS.bonePositionCount) >>> 2] = joints.length / 2;
    heap.calls.author_paint(at, slots.joints, slots.weights);
    return {
      skinIndices: Array.from(heap.u32.subarray(slots.joints >>> 2, (slots.joints >>> 2) + slots.count)),
      skinWeights: Array.from(heap.f64.subarray(slots.weights >>> 3, (slots.weights >>> 3) + slots.count)),
    };
  });
}

/**
 * The weight of one bone at each vertex.
 * @param {FileWeights} weights
 * @param {number} bone
 * @returns {number[]}
 */
export function weightField(weights, bone) {
  const heap = authorHeap();
  return heap.borrow(() => {
    const vertexCount = weights.skinIndices.length / 4;
    const slots = takeSlots(heap, weights, vertexCount);
    const out = heap.take(vertexCount * 8);
    heap.calls.author_weight_field(slots.joints, slots.weights, vertexCount, bone, out);
    return Array.from(heap.f64.subarray(out >>> 3, (out >>> 3) + vertexCount));
  });
}

/**
 * The bone that moves each vertex most.
 * @param {FileWeights} weights
 * @returns {number[]}
 */
export function dominantBones(weights) {
  const heap = authorHeap();
  return heap.borrow(() => {
    const vertexCount = weights.skinIndices.length / 4;
    const slots = takeSlots(heap, weights, vertexCount);
    const out = heap.take(vertexCount * 4);
    heap.calls.author_dominant_bones(slots.joints, slots.weights, vertexCount, out);
    return Array.from(heap.u32.subarray(out >>> 2, (out >>> 2) + vertexCount));
  });
}

/**
 * @param {import('../heap.js').Heap} heap inside `borrow`
 * @param {FileWeights} weights
 * @param {number} vertexCount
 */
function takeSlots(heap, { skinIndices, skinWeights }, vertexCount) {
  const count = vertexCount * 4;
  if (skinIndices.length < count || skinWeights.length < count) {
    throw argumentError('weights', `${vertexCount} vertices need ${count} slots, not ${skinIndices.length} and ${skinWeights.length}`);
  }
  const joints = heap.copyIn(Uint32Array.from(skinIndices).subarray(0, count));
  const weights = heap.copyIn(Float64Array.from(skinWeights).subarray(0, count));
  return { joints, weights, count };
}
