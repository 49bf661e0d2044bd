import { argumentError, checkColor, checkFloat } from './errors.js';
import { INSTANCE, VIEW } from './layout.js';

/** @typedef {'cylindrical' | 'spherical' | 'flat'} BillboardMode */
/** @typedef {'bottom' | 'center'} Anchor */

/** @type {BillboardMode[]} */
const modes = ['cylindrical', 'spherical', 'flat'];
/** @type {Anchor[]} */
const anchors = ['bottom', 'center'];

/** What an instance shows beside its model, as flat scalars in linear memory. */
class ViewFields {
  #instance;
  #heap;
  #offset;

  /**
   * @param {import('./instance.js').Instance} instance
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
   * @param {number} field
   * @param {number} value
   */
  setFloat(field, value) {
    checkFloat('view', value);
    const at = this.#instance.address;
    this.#heap.f32[(at + this.#offset + field) >>> 2] = value;
    this.#heap.u32[(at + INSTANCE.dirty) >>> 2] = 1;
  }

  /** Tint, 0xRRGGBB. */
  get color() {
    return this.word(VIEW.color);
  }

  get opacity() {
    return this.float(VIEW.opacity);
  }

  get flipX() {
    return this.word(VIEW.flipX) !== 0;
  }

  get flipY() {
    return this.word(VIEW.flipY) !== 0;
  }

  get visible() {
    return this.word(VIEW.visible) !== 0;
  }

  get mode() {
    return modes[this.word(VIEW.mode)];
  }

  get anchor() {
    return anchors[this.word(VIEW.anchor)];
  }

  get alphaTest() {
    return this.float(VIEW.alphaTest);
  }

  get pixelsPerUnit() {
    return this.float(VIEW.pixelsPerUnit);
  }
}

/** What is seen after the last update: clips over the base. Read only. */
export class ShownFields extends ViewFields {
  /** @param {import('./instance.js').Instance} instance */
  constructor(instance) {
    super(instance, INSTANCE.shown);
  }
}

/** The base, to be read and written; a clip may show something else. */
export class BaseFields extends ViewFields {
  /** @param {import('./instance.js').Instance} instance */
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
    this.setFloat(VIEW.opacity, value);
  }

  get flipX() {
    return super.flipX;
  }

  set flipX(value) {
    this.setWord(VIEW.flipX, Number(value));
  }

  get flipY() {
    return super.flipY;
  }

  set flipY(value) {
    this.setWord(VIEW.flipY, Number(value));
  }

  get visible() {
    return super.visible;
  }

  set visible(value) {
    this.setWord(VIEW.visible, Number(value));
  }

  get mode() {
    return super.mode;
  }

  set mode(value) {
    this.setWord(VIEW.mode, choice('mode', modes, value));
  }

  get anchor() {
    return super.anchor;
  }

  set anchor(value) {
    this.setWord(VIEW.anchor, choice('anchor', anchors, value));
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
 * @param {string} where
 * @param {string[]} names
 * @param {string} value
 */
function choice(where, names, value) {
  const index = names.indexOf(value);
  if (index < 0) {
    throw argumentError(where, `"${value}" is none of ${names.join(', ')}`);
  }
  return index;
}
