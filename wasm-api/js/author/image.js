import { argumentError } from '../errors.js';
import { bytesOf, fileBytes } from '../heap.js';
import { DRAW_OPTIONS, EXCHANGE } from '../layout.js';
import { takeFrame } from '../model.js';
import { sharedHeap } from '../shared.js';

/** @typedef {import('../types.js').ImageData8} Image */

/**
 * @param {Uint8Array} bytes
 * @returns {{ width: number, height: number, data: Uint8Array }} RGBA, straight alpha
 */
export function decodePng(bytes) {
  const heap = sharedHeap();
  heap.borrow(() => heap.check(heap.calls.png_decode(heap.copyFileIn(bytes), bytes.length)));
  const [width, height, pixels] = [heap.word(0), heap.word(1), heap.word(2)];
  const size = width * height * 4;
  const data = heap.u8.slice(pixels, pixels + size);
  heap.calls.text_release(pixels, size);
  return { width, height, data };
}

/**
 * @param {Image} image
 * @returns {Uint8Array}
 */
export function encodePng({ width, height, data }) {
  const heap = sharedHeap();
  if (data.length !== width * height * 4) {
    throw argumentError('encodePng', `${width} x ${height} pixels need ${width * height * 4} bytes, not ${data.length}`);
  }
  heap.borrow(() => heap.check(heap.calls.png_encode(width, height, heap.copyIn(data))));
  return heap.takeOutBytes();
}

/**
 * The GUID that stands for some bytes: version 8, the first bits of their SHA-256.
 * @param {string | ArrayBuffer | ArrayBufferView} source
 * @returns {string}
 */
export function guidOf(source) {
  const heap = sharedHeap();
  const bytes = fileBytes(source);
  heap.borrow(() => heap.calls.guid_of_bytes(heap.copyIn(bytes), bytes.length));
  return heap.text(heap.exchange + EXCHANGE.text);
}

/** @param {string} text */
export function isGuid(text) {
  const heap = sharedHeap();
  return heap.calls.is_guid(heap.scratchText(text)) !== 0;
}

/**
 * Uvs of a sprite on its atlas page.
 * @param {ArrayLike<number>} uvs u, v in the sprite
 * @param {import('../types.js').Rectangle & { pageWidth: number, pageHeight: number, rotated?: boolean,
 *   trim?: import('../types.js').Rectangle } | null} frame in pixels of the page; null copies
 * @returns {Float32Array}
 */
export function frameUVs(uvs, frame) {
  const heap = sharedHeap();
  return heap.borrow(() => {
    const at = heap.copyIn(Float32Array.from(uvs));
    heap.calls.frame_uvs(at, uvs.length / 2, frame === null ? 0 : takeFrame(heap, frame), at);
    return heap.f32.slice(at >>> 2, (at >>> 2) + uvs.length);
  });
}

/**
 * Draws what an instance shows, without a renderer.
 * @param {import('../instance.js').Instance} instance
 * @param {{ width: number, height: number, matrix: ArrayLike<number>, background?: number }} options matrix: the instance's space to pixels;
 *   background: 0xRRGGBBAA
 * @returns {{ width: number, height: number, data: Uint8Array }}
 */
export function drawInstance(instance, { width, height, matrix, background = 0 }) {
  const { heap, handle } = instance;
  return heap.borrow(() => {
    const at = heap.take(DRAW_OPTIONS.size);
    const pixels = heap.take(width * height * 4);
    heap.u32[(at + DRAW_OPTIONS.width) >>> 2] = width;
    heap.u32[(at + DRAW_OPTIONS.height) >>> 2] = height;
    heap.u32[(at + DRAW_OPTIONS.background) >>> 2] = background;
    heap.f64.set(Array.from(matrix).slice(0, 6), (at + DRAW_OPTIONS.matrix) >>> 3);
    heap.check(heap.calls.draw_instance(handle, at, pixels));
    return { width, height, data: bytesOf(heap.u8.slice(pixels, pixels + width * height * 4)) };
  });
}
