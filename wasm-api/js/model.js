import { fromCbor } from './cbor.js';
import { MarrowError, checkFloat, checkIndex, checkOptions, checkPixels, checkType, named, runAll, staleError, throwFirst } from './errors.js';
import { bytesOf, fileBytes } from './heap.js';
import { EXCHANGE, FRAME } from './layout.js';

/**
 * A rig, read once and shared by its instances. What it says of itself is plain data; edits of that data change nothing.
 */
export class Model {
  #marrow;
  #handle;
  #isLeaving = false;
  /** @type {import('./types.js').ModelData | null} */
  #data = null;
  /** @type {import('./types.js').WarningData[]} */
  #ownWarnings = [];
  /** @type {Set<import('./instance.js').Instance>} */
  #instances = new Set();

  /** Address it was loaded from.
   *  @type {string | null} */
  url = null;
  /**
   * What is known of the picture of each page, by page; null where nothing is. A sprite's page is its own index unless the manifest put
   * several on one page.
   * @type {(import('./types.js').PageImage | null)[]}
   */
  images = [];
  /**
   * The clips of the file's own table, as they were loaded: an index, or why one is not there.
   * @internal
   * @type {(number | string)[]}
   */
  clipTable = [];

  /**
   * @internal
   * @param {import('./index.js').Marrow} marrow
   * @param {number} handle
   */
  constructor(marrow, handle) {
    this.#marrow = marrow;
    this.#handle = handle;
  }

  /** @internal */
  get handle() {
    if (this.#handle === 0) {
      throw staleError('model');
    }
    return this.#handle;
  }

  /** @internal */
  get marrow() {
    return this.#marrow;
  }

  get isDisposed() {
    return this.#handle === 0;
  }

  /** The instances that show this model now. */
  get instances() {
    return this.#instances;
  }

  // -------------------------------------------------------------------------------------------- what it is

  get #description() {
    const { heap } = this.#marrow;
    const handle = this.handle;
    if (this.#data === null) {
      heap.check(heap.calls.model_describe(handle));
      this.#data = /** @type {import('./types.js').ModelData} */ (fromCbor(heap.takeOutBytes()));
      this.#data.warnings.push(...this.#ownWarnings);
    }
    return this.#data;
  }

  /** GUID of the file, or null. */
  get id() {
    return this.#description.id;
  }

  get bones() {
    return this.#description.bones;
  }

  get parts() {
    return this.#description.parts;
  }

  get clips() {
    return this.#description.clips;
  }

  get sprites() {
    return this.#description.sprites;
  }

  get warnings() {
    return this.#description.warnings;
  }

  get assets() {
    return this.#description.assets;
  }

  get bounds() {
    return this.#description.bounds;
  }

  /** Everything at once, for tools. */
  describe() {
    return structuredClone(this.#description);
  }

  /**
   * Who moves a part: vertex v (file order) follows bone `joints[i]` with `weights[i]`, for i from `first[v]` to `first[v + 1]`.
   * @param {string | number} part name, or index in draw order
   */
  influences(part) {
    const { heap } = this.#marrow;
    heap.check(heap.calls.model_influences(this.handle, this.partIndex(part)));
    const count = heap.word(0);
    const first = heap.word(1) >>> 2;
    const total = heap.u32[first + count];
    return {
      first: heap.u32.slice(first, first + count + 1),
      joints: heap.u32.slice(heap.word(2) >>> 2, (heap.word(2) >>> 2) + total),
      weights: heap.f32.slice(heap.word(3) >>> 2, (heap.word(3) >>> 2) + total),
    };
  }

  /**
   * The exact value of a clip's track; colors are packed 0xRRGGBB.
   * @param {string | number} clip
   * @param {number} track index in the clip's `tracks`
   * @param {number} time
   */
  sample(clip, track, time) {
    const { heap } = this.#marrow;
    checkIndex('sample', track);
    checkFloat('sample', time);
    heap.check(heap.calls.clip_sample(this.handle, this.clipIndex(clip), track, time));
    return heap.f64[(heap.exchange + EXCHANGE.number) >>> 3];
  }

  /**
   * @param {string | number} clip
   * @returns {number}
   */
  clipIndex(clip) {
    return indexOf(this.clips, clip, 'clip');
  }

  /**
   * @param {string | number} part
   * @returns {number} in draw order
   */
  partIndex(part) {
    return indexOf(this.parts, part, 'part');
  }

  /**
   * @param {string | number} sprite GUID, or index
   * @returns {number}
   */
  spriteIndex(sprite) {
    const index = typeof sprite === 'number' ? sprite : this.sprites.findIndex((each) => each.guid === sprite);
    if (this.sprites[index] === undefined) {
      throw new MarrowError('NOT_FOUND', `this model shows no sprite ${named(sprite)}`);
    }
    return index;
  }

  /**
   * @internal
   * @param {import('./types.js').WarningData} warning a repair that was made outside the core
   */
  addWarning(warning) {
    this.#ownWarnings.push(warning);
    this.#data = null;
  }

  // -------------------------------------------------------------------------------------------- what can be given to it

  /**
   * Adds the clip of an `.anim.json`; one of the same name is replaced, and instances that play it go on with the new one.
   * @param {string | ArrayBuffer | ArrayBufferView} text
   * @param {{ strict?: boolean }} [options]
   * @returns {string} the clip's name
   */
  addClip(text, options = {}) {
    checkOptions('addClip', options, ['strict']);
    const { strict = false } = options;
    checkType('strict', strict, 'boolean');
    const { heap } = this.#marrow;
    heap.borrow(() => {
      const bytes = fileBytes(text);
      heap.check(heap.calls.model_add_clip(this.handle, heap.copyFileIn(bytes), bytes.length, Number(strict)));
    });
    const index = heap.word(0);
    this.#data = null;
    return this.clips[index].name;
  }

  /**
   * Gives the pixels of a picture, for hit tests and for rendering without a renderer; null takes them away.
   * @param {string | number} sprite GUID of a sprite on the page, or the page's number
   * @param {import('./types.js').ImageData8 | null} image
   */
  setImage(sprite, image) {
    const { heap } = this.#marrow;
    const page = typeof sprite === 'number' ? sprite : this.sprites[this.spriteIndex(sprite)].page;
    checkIndex('setImage', page);
    if (image === null) {
      heap.check(heap.calls.model_set_image(this.handle, page, 0, 0, 0));
      return;
    }
    checkType('setImage', image, 'object');
    const { width, height } = image;
    const bytes = bytesOf(image.data);
    checkPixels('setImage', { width, height, data: bytes });
    heap.borrow(() => heap.check(heap.calls.model_set_image(this.handle, page, width, height, heap.copyIn(bytes))));
    this.#noteImage(page, null, width, height);
  }

  /**
   * Says where on an atlas page a sprite lies; null: it is a whole image.
   * @param {string | number} sprite
   * @param {import('./types.js').Rectangle & { page: number, pageWidth: number, pageHeight: number, rotated?: boolean,
   *   trim?: import('./types.js').Rectangle } | null} frame in pixels of the page
   */
  setFrame(sprite, frame) {
    const { heap } = this.#marrow;
    const index = this.spriteIndex(sprite);
    if (frame !== null) {
      checkOptions('setFrame', frame, ['page', 'x', 'y', 'width', 'height', 'pageWidth', 'pageHeight', 'rotated', 'trim']);
    }
    heap.borrow(() => heap.check(heap.calls.model_set_frame(this.handle, index, frame === null ? 0 : takeFrame(heap, frame))));
    this.#data = null;
  }

  /**
   * @param {number} page
   * @param {string | null} url
   * @param {number} width
   * @param {number} height
   */
  #noteImage(page, url, width, height) {
    while (this.images.length <= page) {
      this.images.push(null);
    }
    this.images[page] = { url: url ?? this.images[page]?.url ?? null, width, height };
  }

  /**
   * Remembers where the picture of a page lies.
   * @internal
   * @param {number} page
   * @param {string} url
   */
  setImageUrl(page, url) {
    this.#noteImage(page, url, this.images[page]?.width ?? 0, this.images[page]?.height ?? 0);
  }

  /** Disposes its instances, then itself. */
  dispose() {
    if (this.#handle === 0 || this.#isLeaving) {
      return;
    }
    this.#isLeaving = true;
    /** @type {unknown[]} */
    const failures = [];
    runAll(failures, [...this.#instances], (instance) => instance.dispose());
    this.#marrow.forget(this);
    const { heap } = this.#marrow;
    if (!heap.isDead) {
      heap.check(heap.calls.model_release(this.#handle));
    }
    this.#handle = 0;
    this.#data = null;
    throwFirst(failures);
  }
}

/**
 * @param {{ name: string }[]} list
 * @param {string | number} which
 * @param {string} what
 */
function indexOf(list, which, what) {
  if (typeof which === 'number') {
    if (list[which] === undefined) {
      throw new MarrowError('NOT_FOUND', `there is no ${what} ${which}, this model has ${list.length}`);
    }
    return which;
  }
  for (let index = list.length - 1; index >= 0; index -= 1) {
    if (list[index].name === which) {
      return index;
    }
  }
  const names = list.slice(0, 20).map(({ name }) => `"${name}"`).join(', ');
  throw new MarrowError('NOT_FOUND', `there is no ${what} ${named(which)}, this model has ${names || 'none'}`);
}

/**
 * Writes a frame as the core reads it.
 * @internal
 * @param {import('./heap.js').Heap} heap inside `borrow`
 * @param {import('./types.js').Rectangle & { page?: number, pageWidth: number, pageHeight: number, rotated?: boolean,
 *   trim?: import('./types.js').Rectangle }} frame
 */
export function takeFrame(heap, frame) {
  const at = heap.take(FRAME.size);
  const { f32 } = heap;
  heap.u32[(at + FRAME.page) >>> 2] = frame.page ?? 0;
  heap.u8[at + FRAME.rotated] = Number(frame.rotated ?? false);
  f32[(at + FRAME.pageWidth) >>> 2] = frame.pageWidth;
  f32[(at + FRAME.pageHeight) >>> 2] = frame.pageHeight;
  f32[(at + FRAME.x) >>> 2] = frame.x;
  f32[(at + FRAME.y) >>> 2] = frame.y;
  f32[(at + FRAME.width) >>> 2] = frame.width;
  f32[(at + FRAME.height) >>> 2] = frame.height;
  f32[(at + FRAME.trimX) >>> 2] = frame.trim?.x ?? 0;
  f32[(at + FRAME.trimY) >>> 2] = frame.trim?.y ?? 0;
  f32[(at + FRAME.sourceWidth) >>> 2] = frame.trim?.width ?? 0;
  f32[(at + FRAME.sourceHeight) >>> 2] = frame.trim?.height ?? 0;
  return at;
}
