import { canonical } from '../author.js';

/**
 * The canonical text of a file with what has one right repair repaired for good: the reader's own. It divides weights by their sum, binds
 * a vertex without weights to its first bone, and makes a root of a bone whose parent cannot be.
 * @param {'rig2d' | 'anim'} kind
 * @param {Uint8Array} bytes
 */
export function mended(kind, bytes) {
  const { text } = canonical(kind, bytes);
  const { warnings } = canonical(kind, text);
  const rig = JSON.parse(text);
  const repairs = warnings.filter(({ code, path }) => mendWeights(rig, code, path) || mendParent(rig, code, path));
  return repairs.length === 0 ? text : canonical(kind, JSON.stringify(rig)).text;
}

/**
 * @param {any} rig
 * @param {string} code
 * @param {string} path
 * @returns {boolean} whether this was it
 */
function mendWeights(rig, code, path) {
  const found = /^\$(?:\.parts\[(\d+)\])?\.skinWeights\[(\d+)\]$/.exec(path);
  if (code !== 'BAD_VALUE' || found === null) {
    return false;
  }
  const { skinWeights } = found[1] === undefined ? rig : rig.parts[Number(found[1])];
  const first = Number(found[2]);
  const slots = skinWeights.slice(first, first + 4);
  const sum = slots.reduce((/** @type {number} */ total, /** @type {number} */ weight) => total + weight, 0);
  skinWeights.splice(first, 4, ...(sum === 0 ? [1, 0, 0, 0] : slots.map((/** @type {number} */ weight) => weight / sum)));
  return true;
}

/**
 * @param {any} rig
 * @param {string} code
 * @param {string} path
 * @returns {boolean} whether this was it
 */
function mendParent(rig, code, path) {
  const found = /^\$\.bones\[(\d+)\]\.parent$/.exec(path);
  if ((code !== 'CYCLE' && code !== 'BAD_REFERENCE') || found === null) {
    return false;
  }
  rig.bones[Number(found[1])].parent = -1;
  return true;
}
