import { argumentError, checkClass, checkOptions, checkPixels, named } from '../errors.js';
import { authorHeap } from './core.js';
import { flatten, pairs, putMask, putWeightOptions, takeBones } from './data.js';
import { takeDocument, writeDocument } from './document.js';
import { BONE_OPTIONS, GRID_OPTIONS, NODE_DESC, RIG_OPTIONS, WEIGHT_OPTIONS } from './layout.js';

/** @typedef {import('./data.js').FileBone} FileBone */
/** @typedef {import('./data.js').FileRig} FileRig */
/** @typedef {import('./data.js').Mask} Mask */

/**
 * @typedef {object} PictureOptions
 * @property {number} width pixels of the picture
 * @property {number} height
 * @property {number} [pivotX] origin of the rig, 0..1 of the size; default 0.5
 * @property {number} [pivotY]
 * @property {Mask | null} [mask] where the picture covers; see `alphaMask`
 */

/** @type {{ none: 0, x: number, y: number, auto: 0 }} */
const axes = { none: 0, x: 'x'.charCodeAt(0), y: 'y'.charCodeAt(0), auto: 0 };
/** Room for the bones that the core suggests. */
const mostBones = 6;
const rigNames = ['width', 'height', 'sprite', 'id', 'columns', 'rows', 'cellSize', 'pivotX', 'pivotY', 'weights', 'mask'];

/**
 * What of a picture is covered, on at most 256 x 256 cells.
 * @param {import('../types.js').ImageData8} image
 * @param {number} [threshold] a cell is inside when its alpha (0..255) is above it
 * @returns {Mask}
 */
export function alphaMask({ width, height, data }, threshold = 8) {
  checkPixels('alphaMask', { width, height, data });
  const heap = authorHeap();
  heap.calls.author_mask_size(width, height);
  const [columns, rows] = [heap.word(0), heap.word(1)];
  return heap.borrow(() => {
    const pixels = heap.copyIn(data);
    const out = heap.take(columns * rows);
    heap.calls.author_mask(pixels, width, height, threshold, out);
    return { width: columns, height: rows, inside: heap.u8.slice(out, out + columns * rows) };
  });
}

/**
 * A grid over the picture; cells outside the mask are left out.
 * @param {PictureOptions & { columns: number, rows: number }} options
 * @returns {import('./data.js').FileMesh}
 */
export function generateGrid({ width, height, columns, rows, pivotX = 0.5, pivotY = 0.5, mask }) {
  const heap = authorHeap();
  return heap.borrow(() => {
    const at = heap.take(GRID_OPTIONS.size);
    putMask(heap, at + GRID_OPTIONS.mask, mask);
    heap.f64[(at + GRID_OPTIONS.width) >>> 3] = width;
    heap.f64[(at + GRID_OPTIONS.height) >>> 3] = height;
    heap.f64[(at + GRID_OPTIONS.columns) >>> 3] = columns;
    heap.f64[(at + GRID_OPTIONS.rows) >>> 3] = rows;
    heap.f64[(at + GRID_OPTIONS.pivotX) >>> 3] = pivotX;
    heap.f64[(at + GRID_OPTIONS.pivotY) >>> 3] = pivotY;
    heap.check(heap.calls.author_grid(at, 0, 0, 0));
    const [vertexCount, indexCount] = [heap.word(0), heap.word(1)];
    const positions = heap.take(vertexCount * 8);
    const uvs = heap.take(vertexCount * 8);
    const indices = heap.take(indexCount * 4);
    heap.check(heap.calls.author_grid(at, positions, uvs, indices));
    return {
      verts: pairs(heap.f32.subarray(positions >>> 2, (positions >>> 2) + vertexCount * 2)),
      uvs: pairs(heap.f32.subarray(uvs >>> 2, (uvs >>> 2) + vertexCount * 2)),
      tris: Array.from(heap.u32.subarray(indices >>> 2, (indices >>> 2) + indexCount)),
    };
  });
}

/**
 * Weights by the distance to the joints.
 * @param {import('./data.js').Points} verts
 * @param {readonly FileBone[]} bones
 * @param {import('./data.js').WeightOptions} [options]
 * @returns {import('./data.js').FileWeights}
 */
export function autoWeights(verts, bones, options = {}) {
  const heap = authorHeap();
  return heap.borrow(() => {
    const positions = flatten(verts);
    const slots = positions.length * 2;
    const points = heap.copyIn(positions);
    const skeleton = takeBones(heap, bones);
    const at = heap.take(WEIGHT_OPTIONS.size);
    const joints = heap.take(slots * 4);
    const weights = heap.take(slots * 8);
    putWeightOptions(heap, at, options);
    heap.check(heap.calls.author_weights(skeleton, bones.length, points, positions.length / 2, at, joints, weights));
    return {
      skinIndices: Array.from(heap.u32.subarray(joints >>> 2, (joints >>> 2) + slots)),
      skinWeights: Array.from(heap.f64.subarray(weights >>> 3, (weights >>> 3) + slots)),
    };
  });
}

/**
 * A chain of 2 to 6 bones along the picture.
 * @param {PictureOptions & { count?: number, axis?: 'x' | 'y' | 'auto' }} options
 * @returns {FileBone[]}
 */
export function suggestBones({ width, height, count, axis = 'auto', pivotX = 0.5, pivotY = 0.5, mask }) {
  const heap = authorHeap();
  return heap.borrow(() => {
    const at = heap.take(BONE_OPTIONS.size);
    const out = heap.take(mostBones * NODE_DESC.size);
    putMask(heap, at + BONE_OPTIONS.mask, mask);
    heap.f64[(at + BONE_OPTIONS.width) >>> 3] = width;
    heap.f64[(at + BONE_OPTIONS.height) >>> 3] = height;
    heap.f64[(at + BONE_OPTIONS.count) >>> 3] = givenCount(count);
    heap.f64[(at + BONE_OPTIONS.pivotX) >>> 3] = pivotX;
    heap.f64[(at + BONE_OPTIONS.pivotY) >>> 3] = pivotY;
    heap.u8[at + BONE_OPTIONS.axis] = axes[axis];
    const made = heap.calls.author_suggest_bones(at, out);
    return Array.from({ length: made }, (_, index) => {
      const here = out + index * NODE_DESC.size;
      return {
        name: heap.text(heap.u32[(here + NODE_DESC.name) >>> 2]),
        parent: heap.i32[(here + NODE_DESC.parent) >>> 2],
        x: heap.f64[(here + NODE_DESC.x) >>> 3],
        y: heap.f64[(here + NODE_DESC.y) >>> 3],
        rot: heap.f64[(here + NODE_DESC.rotation) >>> 3],
      };
    });
  });
}

/**
 * @typedef {PictureOptions & { sprite: string, id?: string, columns?: number, rows?: number, cellSize?: number,
 *   weights?: import('./data.js').WeightOptions }} RigOptions `columns` and `rows` default to the size by `cellSize`, which is 48
 */

/**
 * A grid with weights for bones that are given.
 * @param {RigOptions & { bones: readonly FileBone[] }} options
 * @returns {FileRig}
 */
export function buildRig(options) {
  checkOptions('buildRig', options, [...rigNames, 'bones']);
  checkClass('buildRig: bones', options.bones, Array);
  return makeRig(options, options.bones, 0, 'auto');
}

/**
 * A rig from nothing but a picture: a grid, a chain of bones, weights.
 * @param {RigOptions & { boneCount?: number, axis?: 'x' | 'y' | 'auto' }} options
 * @returns {FileRig}
 */
export function autoRig(options) {
  checkOptions('autoRig', options, [...rigNames, 'boneCount', 'axis']);
  const { boneCount, axis = 'auto' } = options;
  if (boneCount !== undefined && !(Number.isInteger(boneCount) && boneCount >= 2 && boneCount <= mostBones)) {
    throw argumentError('autoRig', `boneCount ${named(boneCount)} is not a whole number from 2 to ${mostBones}`);
  }
  if (!Object.hasOwn(axes, axis)) {
    throw argumentError('autoRig', `the axis ${named(axis)} is none of x, y, auto`);
  }
  return makeRig(options, null, boneCount, axis);
}

/**
 * @param {RigOptions} options
 * @param {readonly FileBone[] | null} bones
 * @param {number | undefined} boneCount
 * @param {'x' | 'y' | 'auto'} axis
 * @returns {FileRig}
 */
function makeRig({ width, height, sprite, id, columns, rows, cellSize, pivotX = 0.5, pivotY = 0.5, weights = {}, mask }, bones, boneCount, axis) {
  if (!(width > 0 && width < Infinity && height > 0 && height < Infinity)) {
    throw argumentError('rig', `${named(width)} x ${named(height)} is no size of a picture`);
  }
  const heap = authorHeap();
  return heap.borrow(() => {
    const at = heap.take(RIG_OPTIONS.size);
    putMask(heap, at + RIG_OPTIONS.mask, mask);
    const texts = [id === undefined ? 0 : heap.takeText(id), heap.takeText(sprite)];
    const skeleton = bones === null ? 0 : takeBones(heap, bones);
    putWeightOptions(heap, at + RIG_OPTIONS.weights, weights);
    const { f64, u32 } = heap;
    [u32[(at + RIG_OPTIONS.id) >>> 2], u32[(at + RIG_OPTIONS.sprite) >>> 2]] = texts;
    f64[(at + RIG_OPTIONS.width) >>> 3] = width;
    f64[(at + RIG_OPTIONS.height) >>> 3] = height;
    f64[(at + RIG_OPTIONS.pivotX) >>> 3] = pivotX;
    f64[(at + RIG_OPTIONS.pivotY) >>> 3] = pivotY;
    f64[(at + RIG_OPTIONS.columns) >>> 3] = givenCount(columns);
    f64[(at + RIG_OPTIONS.rows) >>> 3] = givenCount(rows);
    f64[(at + RIG_OPTIONS.cellSize) >>> 3] = cellSize ?? 0;
    f64[(at + RIG_OPTIONS.boneCount) >>> 3] = givenCount(boneCount);
    heap.u8[at + RIG_OPTIONS.axis] = axes[axis];
    u32[(at + RIG_OPTIONS.bones) >>> 2] = skeleton;
    u32[(at + RIG_OPTIONS.boneCountGiven) >>> 2] = bones?.length ?? 0;
    heap.check(heap.calls.author_rig(at));
    return JSON.parse(writeDocument(heap, takeDocument(heap)));
  });
}

/**
 * A count that was given is at least 1; 0 tells the core that none was.
 * @param {number | undefined} count
 */
function givenCount(count) {
  return count === undefined ? 0 : Math.max(1, count);
}
