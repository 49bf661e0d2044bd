// A pose by hand as an address says it: `pose=upperArm.L:25,head:25:3.5:-128` sets the rotation of one bone, and rotation, x and y of another.
import { limits } from './pose.js';

/** In the order of an address; what is most often set comes first. Digits after the point are finer than anyone sees. */
const fields = /** @type {const} */ ([['rotation', 3], ['x', 3], ['y', 3], ['scaleX', 4], ['scaleY', 4]]);
const degrees = 180 / Math.PI;

/** @typedef {import('./pose.js').Overrides} Overrides */
/** @typedef {Partial<import('./pose.js').Local>} Fields */

/**
 * @param {Overrides} overrides
 * @param {(slot: number) => string} nameOf
 * @returns {string} empty: nothing is set by hand
 */
export function writePose(overrides, nameOf) {
  return [...overrides].map(([slot, values]) => {
    const words = fields.map(([field, digits]) => {
      const value = values[field];
      return value === undefined ? '' : String(Number((field === 'rotation' ? value * degrees : value).toFixed(digits)));
    });
    return [encodeURIComponent(nameOf(slot)), ...words].join(':').replace(/:+$/, '');
  }).join(',');
}

/** What a pose can be, for people who wrote another. */
export const knownPose = `bone:${fields.map(([field]) => field).join(':')}, up to ${Math.round(limits.rotation * degrees)} degrees, ${limits.x} units and ${limits.scaleX} times the size`;

/**
 * What makes no sense is left out.
 * @param {string} text
 * @returns {{ pose: [name: string, fields: Fields][], senseless: string[] }} senseless: entries as they are written, of which something or all
 *   is left out
 */
export function readPose(text) {
  /** @type {ReturnType<typeof readPose>} */
  const read = { pose: [], senseless: [] };
  for (const entry of text.split(',').filter((each) => each !== '')) {
    const [name, ...words] = entry.split(':');
    /** @type {Fields} */
    const values = {};
    fields.forEach(([field], index) => {
      const word = words[index] ?? '';
      const value = word.trim() === '' ? NaN : Number(word) / (field === 'rotation' ? degrees : 1);
      if (Math.abs(value) <= limits[field]) {
        values[field] = value;
      }
    });
    const count = Object.keys(values).length;
    if (count > 0) {
      read.pose.push([readName(name), values]);
    }
    if (count === 0 || count < words.filter((word) => word !== '').length) {
      read.senseless.push(entry);
    }
  }
  return read;
}

/**
 * @param {ReadonlyMap<string, boolean>} parts what is seen by hand, by name of the part
 * @param {boolean} isVisible
 */
export function writeParts(parts, isVisible) {
  return [...parts].filter(([, each]) => each === isVisible).map(([name]) => encodeURIComponent(name)).join(',');
}

/** @param {string} text @returns {string[]} */
export function readParts(text) {
  return text.split(',').filter((name) => name !== '').map(readName);
}

/** @param {string} text */
function readName(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
