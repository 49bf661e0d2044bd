import { checkType } from './errors.js';
import { BOUNDS, EXCHANGE, HIT } from './layout.js';

/** @typedef {import('./types.js').Bounds} Bounds */

/** Bounds of one instance and of its parts, kept until its vertices or its visible parts change. */
export class BoundsCache {
  #instance;
  /** @type {{ version: number, structureVersion: number, value: Bounds }[]} */
  #kept = [];

  /** @param {import('./instance-state.js').InstanceState} instance */
  constructor(instance) {
    this.#instance = instance;
  }

  reset() {
    this.#kept.length = 0;
  }

  /**
   * @param {number} part index in draw order, -1 all
   * @returns {Bounds}
   */
  of(part) {
    const { version, structureVersion } = this.#instance;
    const kept = this.#kept[part + 1];
    if (kept !== undefined && kept.version === version && kept.structureVersion === structureVersion) {
      return kept.value;
    }
    const value = this.read(part, { minX: 0, minY: 0, maxX: 0, maxY: 0, centerX: 0, centerY: 0, radius: 0, empty: true });
    this.#kept[part + 1] = { version, structureVersion, value };
    return value;
  }

  /**
   * @param {number} part
   * @param {Bounds} out
   */
  read(part, out) {
    const { heap, handle } = this.#instance;
    heap.check(heap.calls.instance_bounds(handle, part));
    const { f32, u32, exchange } = heap;
    const at = exchange + EXCHANGE.bounds;
    out.minX = f32[(at + BOUNDS.minX) >>> 2];
    out.minY = f32[(at + BOUNDS.minY) >>> 2];
    out.maxX = f32[(at + BOUNDS.maxX) >>> 2];
    out.maxY = f32[(at + BOUNDS.maxY) >>> 2];
    out.centerX = f32[(at + BOUNDS.centerX) >>> 2];
    out.centerY = f32[(at + BOUNDS.centerY) >>> 2];
    out.radius = f32[(at + BOUNDS.radius) >>> 2];
    out.empty = u32[(at + BOUNDS.empty) >>> 2] !== 0;
    return out;
  }
}

/**
 * The topmost visible part at a point, or null.
 * @param {import('./instance.js').Instance} instance
 * @param {number} x
 * @param {number} y
 * @param {number} threshold
 */
export function hitTest(instance, x, y, threshold) {
  const { heap, handle } = instance;
  checkType('hitTest', x, 'number');
  checkType('hitTest', y, 'number');
  checkType('hitTest', threshold, 'number');
  heap.check(heap.calls.instance_hit(handle, x, y, threshold));
  const { f32, u32, i32, exchange } = heap;
  const at = exchange + EXCHANGE.hit;
  const part = i32[(at + HIT.part) >>> 2];
  return part < 0 ? null : {
    part: instance.parts[part],
    triangle: u32[(at + HIT.triangle) >>> 2],
    u: f32[(at + HIT.u) >>> 2],
    v: f32[(at + HIT.v) >>> 2],
    alpha: f32[(at + HIT.alpha) >>> 2],
  };
}
