import { argumentError, checkColor, checkFloat, checkType, named } from './errors.js';
import { INSTANCE, VIEW } from './layout.js';

/** @typedef {'cylindrical' | 'spherical' | 'flat'} BillboardMode */
/** @typedef {'bottom' | 'center'} Anchor */

/**
 * @internal
 * @type {BillboardMode[]}
 */
export const modes = ['cylindrical', 'spherical', 'flat'];
/**
 * @internal
 * @type {Anchor[]}
 */
export const anchors = ['bottom', 'center'];

/**
 * What a view reads of them in a frame. V8 makes an object of a fraction that a call returns, so they go into fields; and in those of an
 * object literal, whose hidden class others share, it may keep objects again.
 */
export class ShownNumbers {
  color = 0xffffff;
  opacity = 1;
  alphaTest = 0.5;
  pixelsPerUnit = 100;
}

/**
 * What an instance shows beside its model, as flat scalars in linear memory. `view` is the base, to be read and written; a clip may show
 * something else. `shown` is what is seen after the last update, and read only.
 */
export class ViewFields {
  #instance;
  #heap;
  #offset;

  /**
   * @internal
   * @param {import('./instance-state.js').InstanceState} instance
   * @param {number} offset of the fields in the instance's state
   */
  constructor(instance, offset) {
    this.#instance = instance;
    this.#heap = instance.heap;
    this.#offset = offset;
  }

  /** @param {number} field */
  #word(field) {
    return this.#heap.u32[(this.#instance.address + this.#offset + field) >>> 2];
  }

  /** @param {number} field */
  #float(field) {
    return this.#heap.f32[(this.#instance.address + this.#offset + field) >>> 2];
  }

  /**
   * Notes a change, and tells where to write it.
   * @param {number} field
   * @returns {number} index into `u32` or `f32`
   */
  #at(field) {
    if (this.#offset !== INSTANCE.view) {
      throw argumentError('shown', 'is read only, set the view');
    }
    const at = this.#instance.address;
    this.#heap.u32[(at + INSTANCE.dirty) >>> 2] = 1;
    return (at + INSTANCE.view + field) >>> 2;
  }

  /**
   * @param {number} field
   * @param {boolean} value
   */
  #setFlag(field, value) {
    checkType('view', value, 'boolean');
    this.#heap.u32[this.#at(field)] = Number(value);
  }

  /**
   * @param {number} field
   * @param {number} value
   */
  #setFloat(field, value) {
    checkFloat('view', value);
    this.#heap.f32[this.#at(field)] = value;
  }

  /**
   * @internal
   * @param {ShownNumbers} out
   */
  readNumbers(out) {
    const { u32, f32 } = this.#heap;
    const at = this.#instance.address + this.#offset;
    out.color = u32[(at + VIEW.color) >>> 2];
    out.opacity = f32[(at + VIEW.opacity) >>> 2];
    out.alphaTest = f32[(at + VIEW.alphaTest) >>> 2];
    out.pixelsPerUnit = f32[(at + VIEW.pixelsPerUnit) >>> 2];
  }

  /** Tint, 0xRRGGBB. */
  get color() {
    return this.#word(VIEW.color);
  }

  set color(value) {
    checkColor('color', value);
    this.#heap.u32[this.#at(VIEW.color)] = value;
  }

  /** 0..1; what is set beyond is the nearer end. */
  get opacity() {
    return this.#float(VIEW.opacity);
  }

  set opacity(value) {
    this.#setFloat(VIEW.opacity, toOpacity(value));
  }

  /** Mirrored about the vertical through the rig's origin. */
  get flipX() {
    return this.#word(VIEW.flipX) !== 0;
  }

  set flipX(value) {
    this.#setFlag(VIEW.flipX, value);
  }

  /** Mirrored about the horizontal through the rig's origin. */
  get flipY() {
    return this.#word(VIEW.flipY) !== 0;
  }

  set flipY(value) {
    this.#setFlag(VIEW.flipY, value);
  }

  get visible() {
    return this.#word(VIEW.visible) !== 0;
  }

  set visible(value) {
    this.#setFlag(VIEW.visible, value);
  }

  /** How a billboard faces the camera; see `BillboardOptions`. */
  get mode() {
    return modes[this.#word(VIEW.mode)];
  }

  set mode(value) {
    const index = indexIn(modes, value);
    this.#heap.u32[this.#at(VIEW.mode)] = index;
  }

  /** Which end of the bind pose stands at a billboard's position. */
  get anchor() {
    return anchors[this.#word(VIEW.anchor)];
  }

  set anchor(value) {
    const index = indexIn(anchors, value);
    this.#heap.u32[this.#at(VIEW.anchor)] = index;
  }

  /** A billboard leaves out pixels whose picture has less alpha: 0..1. */
  get alphaTest() {
    return this.#float(VIEW.alphaTest);
  }

  set alphaTest(value) {
    checkFloat('alphaTest', value, 0, 1);
    this.#setFloat(VIEW.alphaTest, value);
  }

  /** How many units of the rig make one of a three.js scene; 100 stands for what is not above 0. */
  get pixelsPerUnit() {
    return this.#float(VIEW.pixelsPerUnit);
  }

  set pixelsPerUnit(value) {
    this.#setFloat(VIEW.pixelsPerUnit, value);
  }
}

/**
 * The nearest that an opacity may be.
 * @internal
 * @param {number} value
 */
export function toOpacity(value) {
  checkFloat('opacity', value);
  return Math.min(Math.max(value, 0), 1);
}

/**
 * @internal
 * @template {string} T
 * @param {readonly T[]} names
 * @param {T} value
 */
export function indexIn(names, value) {
  const index = names.indexOf(value);
  if (index < 0) {
    throw argumentError('view', `${named(value)} is none of ${names.join(', ')}`);
  }
  return index;
}
