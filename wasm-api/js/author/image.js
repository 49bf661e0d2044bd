import { checkClass, checkPixels } from '../errors.js';
import { fileBytes } from '../heap.js';
import { EXCHANGE } from '../layout.js';
import { takeFrame } from '../model.js';
import { authorHeap, begin } from './core.js';

/** @typedef {import('../types.js').ImageData8} Image */

/**
 * @param {Uint8Array} bytes
 * @returns {{ width: number, height: number, data: Uint8Array }} RGBA, straight alpha
 */
export function decodePng(bytes) {
  checkClass('decodePng', bytes, Uint8Array);
  const heap = authorHeap();
  heap.borrow(() => heap.check(heap.calls.png_decode(heap.copyFileIn(bytes), bytes.length)));
  const [width, height, pixels] = [heap.word(0), heap.word(1), heap.word(2)];
  const size = width * height * 4;
  const data = heap.u8.slice(pixels, pixels + size);
  heap.calls.text_release(pixels, size);
  return { width, height, data };
}

/**
 * Decodes for one who has not waited for the binary.
 * @internal
 * @param {Uint8Array} bytes
 */
export async function readPng(bytes) {
  await begin();
  return decodePng(bytes);
}

/**
 * @param {Image} image
 * @returns {Uint8Array}
 */
export function encodePng(image) {
  const heap = authorHeap();
  checkPixels('encodePng', image);
  const { width, height, data } = image;
  heap.borrow(() => heap.check(heap.calls.png_encode(width, height, heap.copyIn(data))));
  return heap.takeOutBytes();
}

/**
 * The GUID that stands for some bytes: version 8, the first bits of their SHA-256.
 * @param {string | ArrayBuffer | ArrayBufferView} source
 * @returns {string}
 */
export function guidOf(source) {
  const heap = authorHeap();
  const bytes = fileBytes(source);
  heap.borrow(() => heap.calls.guid_of_bytes(heap.copyIn(bytes), bytes.length));
  return heap.text(heap.exchange + EXCHANGE.text);
}

/** @param {string} text */
export function isGuid(text) {
  const heap = authorHeap();
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
  const heap = authorHeap();
  return heap.borrow(() => {
    const at = heap.copyIn(Float32Array.from(uvs));
    heap.calls.frame_uvs(at, uvs.length / 2, frame === null ? 0 : takeFrame(heap, frame), at);
    return heap.f32.slice(at >>> 2, (at >>> 2) + uvs.length);
  });
}
