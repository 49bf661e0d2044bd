import { Assets } from './assets.js';
import { argumentError, checkOptions, checkType, named, runAll, throwFirst } from './errors.js';
import { fileBytes } from './heap.js';
import { absoluteUrl } from './io.js';
import { hasSimd, instantiate, playerUrl } from './loader.js';
import { Model } from './model.js';
import { World } from './world.js';

export { Assets } from './assets.js';
export { Crowd } from './crowd.js';
export { MarrowError } from './errors.js';
export { Instance } from './instance.js';
export { Model } from './model.js';
export { RigNode } from './node.js';
export { Part } from './part.js';
export { World } from './world.js';

/**
 * Loads the core and makes everything else possible.
 *
 * @example
 * const marrow = await createMarrow();
 * const world = marrow.createWorld();
 * const hero = world.add(await marrow.load('kit.rig2d.json'));
 * hero.bone('head').rotation = 0.2;
 * world.update(1 / 60);
 * draw(hero.positions, hero.uvs, hero.indices);
 *
 * @param {import('./types.js').CreateOptions} [options]
 * @returns {Promise<Marrow>}
 */
export async function createMarrow(options = {}) {
  checkOptions('createMarrow', options, ['wasm', 'simd', 'manifest', 'base', 'limits']);
  const { wasm, simd = 'auto', manifest = {}, base, limits = {} } = options;
  if (simd !== 'auto') {
    checkType('simd', simd, 'boolean');
  }
  if (base !== undefined && !(base instanceof URL)) {
    checkType('base', base, 'string');
  }
  const heap = await instantiate(wasm ?? playerUrl(simd === 'auto' ? hasSimd() : simd), 'world_create');
  heap.start(limits);
  return new Marrow(heap, manifest, base === undefined ? undefined : absoluteUrl(base));
}

/** A core: one WebAssembly module with its memory. Several may live side by side. */
export class Marrow {
  #heap;
  #base;
  /** @type {Set<World>} */
  #worlds = new Set();
  /** @type {Set<Model>} */
  #models = new Set();

  /**
   * @internal
   * @param {import('./heap.js').Heap} heap
   * @param {Record<string, string | import('./types.js').ManifestEntry>} manifest
   * @param {string | undefined} base
   */
  constructor(heap, manifest, base) {
    this.#heap = heap;
    this.#base = base;
    this.assets = new Assets(this, manifest);
  }

  /** @internal */
  get heap() {
    return this.#heap;
  }

  /** What relative addresses are relative to; undefined: the page, or the current folder. */
  get base() {
    return this.#base;
  }

  /** True after `dispose`, and after the module trapped. */
  get isDisposed() {
    return this.#heap.isDead;
  }

  // -------------------------------------------------------------------------------------------- models

  /**
   * Fetches a rig with the clips and pictures it names. A clip that only the rig's own table names is left out, with a warning, when it
   * cannot be read; `strict` and clips that `options` or the manifest ask for make that an error. Paths of the table that lead out of
   * the rig's folder are not followed: only the manifest may name files elsewhere.
   * @param {string | URL} url of a `.rig2d.json`, or the GUID of one in the manifest
   * @param {import('./types.js').LoadOptions} [options]
   * @returns {Promise<Model>}
   */
  async load(url, options = {}) {
    // With the first file: who has his texts already never fetches it.
    const { loadModel } = await import('./load.js');
    return loadModel(this, url, options);
  }

  /**
   * Reads a rig that is already here.
   * @param {string | ArrayBuffer | ArrayBufferView} source text or bytes of a `.rig2d.json`
   * @param {{ strict?: boolean }} [options] strict: the first warning becomes the error
   */
  loadRig2d(source, options = {}) {
    checkOptions('loadRig2d', options, ['strict']);
    const { strict = false } = options;
    checkType('strict', strict, 'boolean');
    const heap = this.#heap;
    const bytes = fileBytes(source);
    heap.borrow(() => heap.check(heap.calls.model_load_rig2d(heap.copyFileIn(bytes), bytes.length, Number(strict))));
    const model = new Model(this, heap.word(0));
    this.#models.add(model);
    return model;
  }

  createWorld() {
    this.#heap.check(this.#heap.calls.world_create());
    const world = new World(this, this.#heap.word(0));
    this.#worlds.add(world);
    return world;
  }

  // -------------------------------------------------------------------------------------------- memory

  /** Bytes that models, worlds and instances hold, the size of linear memory, and how often the core has allocated. */
  get memory() {
    return { used: this.#heap.calls.memory_used(), size: this.#heap.size, allocations: this.#heap.calls.allocations() };
  }

  /**
   * Makes linear memory larger now, so that loading later does not. Growing makes every typed array new.
   * @param {number} bytes
   */
  reserve(bytes) {
    if (typeof bytes !== 'number' || !(bytes > 0)) {
      throw argumentError('reserve', `${named(bytes)} is not a number of bytes`);
    }
    this.#heap.grow(bytes);
  }

  // -------------------------------------------------------------------------------------------- life

  /**
   * @internal
   * @returns {import('./instance.js').Instance[]}
   */
  instances() {
    return [...this.#worlds].flatMap((world) => world.instances);
  }

  /**
   * @internal
   * @param {Model} model
   */
  forget(model) {
    this.#models.delete(model);
    this.assets.forget(model);
  }

  /**
   * @internal
   * @param {World} world
   */
  forgetWorld(world) {
    this.#worlds.delete(world);
  }

  /** Disposes every world and model, and ends the core. */
  dispose() {
    /** @type {unknown[]} */
    const failures = [];
    runAll(failures, [...this.#worlds, ...this.#models], (each) => each.dispose());
    this.#heap.stop();
    throwFirst(failures);
  }
}
