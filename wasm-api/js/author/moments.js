import { MarrowError } from '../errors.js';
import { drawInstance, encodePng } from '../author.js';

/** @typedef {import('../types.js').Bounds} Bounds */
/** @typedef {{ width: number, height: number, data: Uint8Array }} Image */
/** @typedef {{ width?: number, height?: number, longest?: number }} SizeChoice pixels; nothing: one unit is one pixel */
/** @typedef {{ width: number, height: number, matrix: number[] }} Frame size of a picture, and the way from the instance's space to its pixels */

const margin = 2;
export const largestByDefault = 2048;
export const mostGifFrames = 1000;
const opaqueAbove = 127;

/**
 * Moments of a clip that loops: the end is the beginning, so it is left out.
 * @param {number} duration seconds
 * @param {number} count
 */
export function moments(duration, count) {
  return Array.from({ length: count }, (_, index) => (duration * index) / count);
}

/**
 * Moments of a whole clip as an animation.
 * @param {number} duration seconds
 * @param {number} rate frames a second
 */
export function gifMoments(duration, rate) {
  return moments(duration, Math.min(mostGifFrames, Math.max(1, Math.round(duration * rate))));
}

/**
 * One frame of reference for what the instance shows at all of these times.
 * @param {import('../instance.js').Instance} hero with a clip
 * @param {readonly (number | null)[]} times null: as it is
 * @param {SizeChoice} size
 * @returns {Frame}
 */
export function planMoments(hero, times, size) {
  let bounds = /** @type {Bounds | null} */ (null);
  for (const time of times) {
    show(hero, time);
    bounds = united(bounds, hero.bounds);
  }
  if (bounds === null || bounds.empty) {
    throw new MarrowError('BAD_COUNT', 'there is nothing to draw: no visible part has vertices');
  }
  return fit(bounds, size);
}

/**
 * @param {import('../instance.js').Instance} hero
 * @param {number | null} time null: as it is
 * @param {Frame} frame
 * @param {number} background 0xRRGGBBAA
 * @returns {Image}
 */
export function drawMoment(hero, time, frame, background) {
  show(hero, time);
  return drawInstance(hero, { ...frame, background });
}

/** @param {import('../instance.js').Instance} hero @param {number | null} time */
function show(hero, time) {
  if (time !== null) {
    hero.seek(time);
    hero.world.update(0);
  }
}

/**
 * @param {Bounds | null} a
 * @param {Bounds} b
 * @returns {Bounds}
 */
function united(a, b) {
  if (a === null || a.empty) {
    return b;
  }
  return b.empty ? a : {
    ...a,
    minX: Math.min(a.minX, b.minX),
    minY: Math.min(a.minY, b.minY),
    maxX: Math.max(a.maxX, b.maxX),
    maxY: Math.max(a.maxY, b.maxY),
  };
}

/**
 * Size of a picture that shows `bounds`, and the way from there to pixels.
 * @param {Bounds} bounds
 * @param {SizeChoice} size
 * @returns {Frame}
 */
export function fit({ minX, minY, maxX, maxY }, { width, height, longest }) {
  const spanX = Math.max(1e-6, maxX - minX);
  const spanY = Math.max(1e-6, maxY - minY);
  const wanted = longest ?? Math.min(largestByDefault, Math.max(spanX, spanY) + 2 * margin);
  const scale = width !== undefined && height !== undefined
    ? Math.min(Math.max(1, width - 2 * margin) / spanX, Math.max(1, height - 2 * margin) / spanY)
    : longest === undefined && wanted < largestByDefault ? 1 : Math.max(1, wanted - 2 * margin) / Math.max(spanX, spanY);
  const pixelsX = width ?? side(spanX * scale);
  const pixelsY = height ?? side(spanY * scale);
  return {
    width: pixelsX,
    height: pixelsY,
    matrix: [scale, 0, 0, scale, (pixelsX - (minX + maxX) * scale) / 2, (pixelsY - (minY + maxY) * scale) / 2],
  };
}

/** @param {number} length */
function side(length) {
  // A length that is whole but for rounding stays what it is.
  return Math.max(1, Math.ceil(length - 1e-3) + 2 * margin);
}

/** Puts pictures of one size into one PNG, row by row. */
export class SheetWriter {
  #columns;
  #count = 0;
  #image;

  /**
   * @param {{ width: number, height: number }} cell
   * @param {number} columns
   * @param {number} rows
   */
  constructor({ width, height }, columns, rows) {
    this.#columns = columns;
    this.#image = { width: width * columns, height: height * rows, data: new Uint8Array(width * columns * height * rows * 4) };
  }

  /** @param {Image} picture */
  add({ width, height, data }) {
    const left = (this.#count % this.#columns) * width;
    const top = Math.floor(this.#count / this.#columns) * height;
    for (let y = 0; y < height; y += 1) {
      this.#image.data.set(data.subarray(y * width * 4, (y + 1) * width * 4), ((top + y) * this.#image.width + left) * 4);
    }
    this.#count += 1;
  }

  finish() {
    return encodePng(this.#image);
  }
}

/** Makes an animated GIF. It has one transparent colour and no half-transparent ones. */
export class GifWriter {
  #library;
  #encoder;
  #delay;

  /**
   * @param {any} library gifenc, which has no types
   * @param {number} rate
   */
  constructor(library, rate) {
    this.#library = library;
    this.#encoder = library.GIFEncoder();
    this.#delay = 1000 / rate;
  }

  /** @param {number} rate frames a second; a GIF counts in hundredths of a second */
  static async open(rate) {
    // @ts-expect-error the package has no types
    const found = await import('gifenc');
    // Node sees the CommonJS build, which has its functions on the default export; bundlers see the other.
    return new GifWriter('quantize' in found ? found : found.default, rate);
  }

  /** @param {Image} picture all of one size */
  add({ width, height, data }) {
    const { applyPalette, quantize } = this.#library;
    /** @type {number[][]} */
    const palette = quantize(data, 256, { format: 'rgba4444', oneBitAlpha: opaqueAbove });
    const transparentIndex = palette.findIndex((color) => color[3] === 0);
    this.#encoder.writeFrame(applyPalette(data, palette, 'rgba4444'), width, height, {
      palette,
      delay: this.#delay,
      transparent: transparentIndex >= 0,
      transparentIndex: Math.max(0, transparentIndex),
      dispose: 2,
    });
  }

  /** @returns {Uint8Array} */
  finish() {
    this.#encoder.finish();
    return this.#encoder.bytes();
  }
}
