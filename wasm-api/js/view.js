import { argumentError, checkBoolean, checkColor, checkFloat, named } from './errors.js';
import { INSTANCE, VIEW } from './layout.js';

/** @typedef {'cylindrical' | 'spherical' | 'flat'} BillboardMode */
/** @typedef {'bottom' | 'center'} Anchor */

/** @type {BillboardMode[]} */
const modes = ['cylindrical', 'spherical', 'flat'];
/** @type {Anchor[]} */
const anchors = ['bottom', 'center'];

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

/** What an instance shows beside its model, as flat scalars in linear memory. */
class ViewFields {
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

  /**
   * @protected
   * @param {number} field
   */
  word(field) {
    return this.#heap.u32[(this.#instance.address + this.#offset + field) >>> 2];
  }

  /**
   * @protected
   * @param {number} field
   */
  float(field) {
    return this.#heap.f32[(this.#instance.address + this.#offset + field) >>> 2];
  }

  /**
   * @protected
   * @param {number} field
   * @param {number} value
   */
  setWord(field, value) {
    const at = this.#instance.address;
    this.#heap.u32[(at + this.#offset + field) >>> 2] = value;
    this.#heap.u32[(at + INSTANCE.dirty) >>> 2] = 1;
  }

  /**
   * @protected
   * @param {string} name
   * @param {number} field
   * @param {boolean} value
   */
  setFlag(name, field, value) {
    checkBoolean(name, value);
    this.setWord(field, Number(value));
  }

  /**
   * @protected
   * @param {number} field
   * @param {number} value
   */
  setFloat(field, value) {
    checkFloat('view', value);
    const at = this.#instance.address;
    this.#heap.f32[(at + this.#offset + field) >>> 2] = value;
    this.#heap.u32[(at + INSTANCE.dirty) >>> 2] = 1;
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
    return this.word(VIEW.color);
  }

  /** 0..1; what is set beyond is the nearer end. */
  get opacity() {
    return this.float(VIEW.opacity);
  }

  /** Mirrored about the vertical through the rig's origin. */
  get flipX() {
    return this.word(VIEW.flipX) !== 0;
  }

  /** Mirrored about the horizontal through the rig's origin. */
  get flipY() {
    return this.word(VIEW.flipY) !== 0;
  }

  get visible() {
    return this.word(VIEW.visible) !== 0;
  }

  /** How a billboard faces the camera; see `BillboardOptions`. */
  get mode() {
    return modes[this.word(VIEW.mode)];
  }

  /** Which end of the bind pose stands at a billboard's position. */
  get anchor() {
    return anchors[this.word(VIEW.anchor)];
  }

  /** A billboard leaves out pixels whose picture has less alpha: 0..1. */
  get alphaTest() {
    return this.float(VIEW.alphaTest);
  }

  /** How many units of the rig make one of a three.js scene; 100 stands for what is not above 0. */
  get pixelsPerUnit() {
    return this.float(VIEW.pixelsPerUnit);
  }
}

/** What is seen after the last update: clips over the base. Read only. */
export class ShownFields extends ViewFields {
  /**
   * @internal
   * @param {import('./instance-state.js').InstanceState} instance
   */
  constructor(instance) {
    super(instance, INSTANCE.shown);
  }
}

/** The base, to be read and written; a clip may show something else. */
export class BaseFields extends ViewFields {
  /**
   * @internal
   * @param {import('./instance-state.js').InstanceState} instance
   */
  constructor(instance) {
    super(instance, INSTANCE.view);
  }

  get color() {
    return super.color;
  }

  set color(value) {
    checkColor('color', value);
    this.setWord(VIEW.color, value);
  }

  get opacity() {
    return super.opacity;
  }

  set opacity(value) {
    checkFloat('opacity', value);
    this.setFloat(VIEW.opacity, Math.min(Math.max(value, 0), 1));
  }

  get flipX() {
    return super.flipX;
  }

  set flipX(value) {
    this.setFlag('flipX', VIEW.flipX, value);
  }

  get flipY() {
    return super.flipY;
  }

  set flipY(value) {
    this.setFlag('flipY', VIEW.flipY, value);
  }

  get visible() {
    return super.visible;
  }

  set visible(value) {
    this.setFlag('visible', VIEW.visible, value);
  }

  get mode() {
    return super.mode;
  }

  set mode(value) {
    this.setWord(VIEW.mode, modeIndex(value));
  }

  get anchor() {
    return super.anchor;
  }

  set anchor(value) {
    this.setWord(VIEW.anchor, anchorIndex(value));
  }

  get alphaTest() {
    return super.alphaTest;
  }

  set alphaTest(value) {
    this.setFloat(VIEW.alphaTest, value);
  }

  get pixelsPerUnit() {
    return super.pixelsPerUnit;
  }

  set pixelsPerUnit(value) {
    this.setFloat(VIEW.pixelsPerUnit, value);
  }
}

/**
 * @param {BillboardMode} value
 * @returns {number}
 */
export function modeIndex(value) {
  return choice('mode', modes, value);
}

/**
 * @param {Anchor} value
 * @returns {number}
 */
export function anchorIndex(value) {
  return choice('anchor', anchors, value);
}

/**
 * @param {string} where
 * @param {string[]} names
 * @param {string} value
 */
function choice(where, names, value) {
  const index = names.indexOf(value);
  if (index < 0) {
    throw argumentError(where, `"${named(value)}" is none of ${names.join(', ')}`);
  }
  return index;
}
