import { argumentError, checkClass, checkFloat, checkType, named } from '../errors.js';
import { authorHeap } from './core.js';
import { readKey, takeKeys, tangentModes } from './data.js';
import { KEY_DESC } from './layout.js';

/** @typedef {import('./data.js').FileKey} FileKey */

const types = ['number', 'color', 'boolean', 'enum'];

/**
 * @param {string} where
 * @param {readonly FileKey[]} keys
 */
function checkKeys(where, keys) {
  checkClass(where, keys, Array);
  for (const [index, key] of keys.entries()) {
    checkType(where, key, 'object');
    if (!Number.isFinite(key.t) || key.t < keys[index - 1]?.t) {
      throw argumentError(where, `key ${index} has the time ${named(key.t)}: times ascend`);
    }
  }
}

/**
 * Gives a key a tangent mode, and the tangents that belong to it.
 * @param {readonly FileKey[]} keys ascending in time
 * @param {number} index
 * @param {import('./data.js').TangentMode} mode
 * @returns {FileKey[]} new keys
 */
export function setMode(keys, index, mode) {
  checkKeys('setMode', keys);
  const number = tangentModes.indexOf(mode);
  if (number < 1 || keys[index] === undefined) {
    throw argumentError('setMode', keys[index] === undefined ? `there is no key ${index}` : `"${mode}" is no tangent mode`);
  }
  const heap = authorHeap();
  return heap.borrow(() => {
    const at = takeKeys(heap, keys);
    heap.calls.curve_set_mode(at, keys.length, index, number);
    return keys.map((key, position) => (position === index ? readKey(heap, at + position * KEY_DESC.size, key) : { ...key }));
  });
}

/**
 * Inserts a key, or replaces the value of one within 1e-4 s; its tangents and those of its neighbours follow their modes.
 * @param {readonly FileKey[]} keys ascending in time
 * @param {number} time
 * @param {number} value
 * @returns {{ keys: FileKey[], index: number }}
 */
export function insert(keys, time, value) {
  checkKeys('insert', keys);
  checkFloat('insert: time', time);
  checkFloat('insert: value', value);
  const heap = authorHeap();
  return heap.borrow(() => {
    const at = takeKeys(heap, keys, keys.length + 1);
    const index = heap.calls.curve_insert(at, keys.length, time, value);
    const count = heap.word(0);
    const known = count > keys.length ? [...keys.slice(0, index), null, ...keys.slice(index)] : keys;
    return { keys: known.map((key, position) => readKey(heap, at + position * KEY_DESC.size, key)), index };
  });
}

/**
 * The exact value of a track.
 * @param {readonly FileKey[]} keys ascending in time
 * @param {number} time
 * @param {'number' | 'color' | 'boolean' | 'enum'} [type]
 * @returns {number} colors packed 0xRRGGBB
 */
export function sample(keys, time, type = 'number') {
  checkKeys('sample', keys);
  checkFloat('sample: time', time);
  if (!types.includes(type)) {
    throw argumentError('sample', `${named(type)} is none of ${types.join(', ')}`);
  }
  const heap = authorHeap();
  return heap.borrow(() => heap.calls.curve_sample(takeKeys(heap, keys), keys.length, types.indexOf(type), time));
}

/**
 * The clip time after `dt`: wrapped into the duration, or held at its ends.
 * @param {number} time
 * @param {number} dt
 * @param {number} duration
 * @param {boolean} loop
 * @returns {number}
 */
export function advance(time, dt, duration, loop) {
  return authorHeap().calls.curve_advance(time, dt, duration, Number(loop));
}
