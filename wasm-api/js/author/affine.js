import { argumentError } from '../errors.js';
import { authorHeap } from './core.js';

/** @typedef {ArrayLike<number>} Affine [a, b, c, d, e, f]: x' = a x + c y + e, y' = b x + d y + f */

const bytes = 48;

/**
 * @internal
 * @param {string} where
 * @param {Affine} matrix
 * @returns {number[]}
 */
export function affineOf(where, matrix) {
  const numbers = Array.from(matrix ?? []);
  if (numbers.length !== 6 || !numbers.every(Number.isFinite)) {
    throw argumentError(where, `[${numbers.join(', ')}] is no matrix of six numbers`);
  }
  return numbers;
}

/**
 * @param {readonly Affine[]} inputs
 * @param {(heap: import('../heap.js').Heap, out: number, first: number, second: number) => void} use
 * @returns {number[]}
 */
function compute(inputs, use) {
  const heap = authorHeap();
  const at = (heap.scratch(3 * bytes + 8) + 7) & ~7;
  for (const [index, input] of inputs.entries()) {
    heap.f64.set(affineOf('affine', input), (at + (index + 1) * bytes) >>> 3);
  }
  use(heap, at, at + bytes, at + 2 * bytes);
  return Array.from(heap.f64.subarray(at >>> 3, (at >>> 3) + 6));
}

/**
 * Scale first, then rotation, then translation.
 * @param {number} x
 * @param {number} y
 * @param {number} rotation radians
 * @param {number} scaleX
 * @param {number} scaleY
 */
export function compose(x, y, rotation, scaleX, scaleY) {
  return compute([], (heap, out) => heap.calls.affine2_compose(x, y, rotation, scaleX, scaleY, out));
}

/**
 * a * b: b is applied first.
 * @param {Affine} a
 * @param {Affine} b
 */
export function multiply(a, b) {
  return compute([a, b], (heap, out, first, second) => heap.calls.affine2_multiply(first, second, out));
}

/**
 * The identity for a matrix that cannot be inverted.
 * @param {Affine} a
 */
export function invert(a) {
  return compute([a], (heap, out, first) => heap.calls.affine2_invert(first, out));
}

/**
 * The same without the lengths of its two columns.
 * @param {Affine} a
 */
export function removeScale(a) {
  return compute([a], (heap, out, first) => heap.calls.affine2_remove_scale(first, out));
}

/**
 * @param {Affine} a
 * @param {number} x
 * @param {number} y
 */
export function apply(a, x, y) {
  return [a[0] * x + a[2] * y + a[4], a[1] * x + a[3] * y + a[5]];
}
