import { INSTANCE, PART, RUN, VIEW } from '../layout.js';
import { checkIndex, checkOptions } from '../errors.js';
import { affineOf } from './affine.js';
import { authorHeap } from './core.js';
import { DRAW_OPTIONS, IMAGE, SHOWN } from './layout.js';

/**
 * Draws what an instance shows, without a renderer.
 * @param {import('../instance.js').Instance} instance
 * @param {{ width: number, height: number, matrix: ArrayLike<number>, background?: number }} options matrix: the instance's space to pixels;
 *   background: 0xRRGGBBAA
 * @returns {{ width: number, height: number, data: Uint8Array }}
 */
export function drawInstance(instance, options) {
  checkOptions('drawInstance', options, ['width', 'height', 'matrix', 'background']);
  const { width, height, matrix, background = 0 } = options;
  checkIndex('drawInstance: width', width, 1);
  checkIndex('drawInstance: height', height, 1);
  const numbers = affineOf('drawInstance: matrix', matrix);
  const heap = authorHeap();
  return heap.borrow(() => {
    const shown = takeShown(heap, instance);
    const at = heap.take(DRAW_OPTIONS.size);
    const pixels = heap.take(width * height * 4);
    heap.u32[(at + DRAW_OPTIONS.width) >>> 2] = width;
    heap.u32[(at + DRAW_OPTIONS.height) >>> 2] = height;
    heap.u32[(at + DRAW_OPTIONS.background) >>> 2] = background;
    heap.f64.set(numbers, (at + DRAW_OPTIONS.matrix) >>> 3);
    heap.check(heap.calls.draw(shown, at, pixels));
    return { width, height, data: heap.u8.slice(pixels, pixels + width * height * 4) };
  });
}

/**
 * Copies what an instance shows from the memory of its core.
 * @param {import('../heap.js').Heap} heap inside `borrow`
 * @param {import('../instance.js').Instance} instance
 */
function takeShown(heap, { heap: from, address, model }) {
  const at = heap.take(SHOWN.size);
  if (model === null) {
    return at;
  }
  /** @param {number} offset */
  const field = (offset) => from.u32[(address + offset) >>> 2];
  /** @param {number} offset of a pointer @param {number} size */
  const copy = (offset, size) => heap.copyIn(from.u8.subarray(field(offset), field(offset) + size));
  const vertexCount = field(INSTANCE.vertexCount);
  const runCount = field(INSTANCE.runCount);
  const positions = copy(INSTANCE.positions, vertexCount * 8);
  const uvs = copy(INSTANCE.uvs, vertexCount * 8);
  const indices = copy(INSTANCE.indices, field(INSTANCE.indexCount) * 4);
  const runs = copy(INSTANCE.runs, runCount * RUN.size);
  const parts = copy(INSTANCE.parts, field(INSTANCE.partCount) * PART.size);
  const pages = takePages(heap, from, model);
  const { u32 } = heap;
  u32[(at + SHOWN.vertexCount) >>> 2] = vertexCount;
  u32[(at + SHOWN.runCount) >>> 2] = runCount;
  u32[(at + SHOWN.pageCount) >>> 2] = pages.count;
  u32[(at + SHOWN.positions) >>> 2] = positions;
  u32[(at + SHOWN.uvs) >>> 2] = uvs;
  u32[(at + SHOWN.indices) >>> 2] = indices;
  u32[(at + SHOWN.runs) >>> 2] = runs;
  u32[(at + SHOWN.parts) >>> 2] = parts;
  u32[(at + SHOWN.pages) >>> 2] = pages.list;
  heap.u8.set(from.u8.subarray(address + INSTANCE.shown, address + INSTANCE.shown + VIEW.size), at + SHOWN.view);
  return at;
}

/**
 * @param {import('../heap.js').Heap} heap inside `borrow`
 * @param {import('../heap.js').Heap} from
 * @param {import('../model.js').Model} model
 */
function takePages(heap, from, { handle }) {
  from.check(from.calls.model_images(handle));
  const [count, images] = [from.word(0), from.word(1)];
  const list = heap.copyIn(from.u8.subarray(images, images + count * IMAGE.size));
  for (let page = 0; page < count; page += 1) {
    const [width, height, pixels] = from.u32.subarray((images + page * IMAGE.size) >>> 2);
    if (pixels !== 0) {
      const copy = heap.copyIn(from.u8.subarray(pixels, pixels + width * height * 4));
      heap.u32[(list + page * IMAGE.size + IMAGE.pixels) >>> 2] = copy;
    }
  }
  return { count, list };
}
