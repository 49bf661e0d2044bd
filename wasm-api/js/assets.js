import { argumentError, checkOptions, checkType, runAll, throwFirst } from './errors.js';
import { fileBytes } from './heap.js';
import { absoluteUrl } from './io.js';
import { Model } from './model.js';

/** @typedef {import('./types.js').ManifestEntry} ManifestEntry */

/** Numbers of atlas pages begin here, above those of the whole images of nearly every model. */
const firstPage = 256;

/** What GUIDs stand for: models that were provided, and files that the manifest names. */
export class Assets {
  #marrow;
  /** @type {Map<string, ManifestEntry>} */
  #manifest = new Map();
  /** @type {Map<string, Model>} */
  #models = new Map();
  /** Models made here from bytes.
   *  @type {Set<Model>} */
  #owned = new Set();
  /** @type {Map<string, number>} */
  #pages = new Map();
  #nextPage = firstPage;

  /**
   * @internal
   * @param {import('./index.js').Marrow} marrow
   * @param {Record<string, string | ManifestEntry>} manifest
   */
  constructor(marrow, manifest) {
    this.#marrow = marrow;
    this.add(manifest);
  }

  /**
   * Adds entries to the manifest, in place of those of the same GUID.
   * @param {Record<string, string | ManifestEntry>} manifest
   */
  add(manifest) {
    checkType('manifest', manifest, 'object');
    for (const [guid, entry] of Object.entries(manifest)) {
      const found = typeof entry === 'string' ? { url: entry } : entry;
      checkEntry(guid, found);
      this.#manifest.set(guid, found);
    }
  }

  /**
   * The manifest's entry, with an absolute address; null when there is none.
   * @param {string} guid
   * @returns {ManifestEntry | null}
   */
  entry(guid) {
    const entry = this.#manifest.get(guid);
    return entry === undefined ? null : { ...entry, url: absoluteUrl(entry.url, this.#marrow.base) };
  }

  /**
   * The number of an atlas page, the same in all models, so that a crowd of several draws them as one.
   * @internal
   * @param {string} key what the page is called
   * @param {number} least numbers below it are taken
   */
  pageNumber(key, least) {
    const known = this.#pages.get(key);
    if (known !== undefined && known >= least) {
      return known;
    }
    const page = Math.max(this.#nextPage, least);
    this.#nextPage = page + 1;
    this.#pages.set(key, page);
    return page;
  }

  /**
   * The model that was provided under this GUID, or null.
   * @param {string} guid
   */
  find(guid) {
    return this.#models.get(guid) ?? null;
  }

  /**
   * Provides a model: instances that wait for it are bound, those of the model it replaces go on with the new one and keep pose, clip and
   * time. A model made here from bytes is disposed when it is replaced; one that was given stays the caller's.
   * @param {string} guid
   * @param {Model | string | ArrayBuffer | ArrayBufferView} source a model, or a rig file
   * @returns {Model}
   */
  provide(guid, source) {
    const { heap } = this.#marrow;
    if (source instanceof Model && source.marrow !== this.#marrow) {
      throw argumentError('provide', 'the model belongs to another Marrow');
    }
    const model = source instanceof Model ? source : this.#marrow.loadRig2d(fileBytes(source));
    try {
      heap.check(heap.calls.asset_provide(heap.scratchText(guid), model.handle));
    } catch (error) {
      if (model !== source) {
        model.dispose();
      }
      throw error;
    }
    if (model !== source) {
      this.#owned.add(model);
    }
    const old = this.find(guid);
    this.#models.set(guid, model);
    /** @type {unknown[]} */
    const failures = [];
    runAll(failures, this.#marrow.instances(), (instance) => {
      // One that names another asset keeps its model, even when it is the same.
      const follows = instance.guid === guid || (instance.guid === null && instance.model === old);
      if (follows && instance.model !== model) {
        instance.rebind(model);
      }
    });
    if (old !== null && old !== model && this.#owned.has(old)) {
      old.dispose();
    }
    throwFirst(failures);
    return model;
  }

  /**
   * @internal
   * @param {Model} model that is going away
   */
  forget(model) {
    this.#owned.delete(model);
    for (const [guid, each] of this.#models) {
      if (each === model) {
        this.#models.delete(guid);
      }
    }
  }
}

/**
 * Refuses an entry without an address, and sizes that no picture has.
 * @param {string} guid
 * @param {ManifestEntry} entry
 */
function checkEntry(guid, entry) {
  const where = `manifest: ${guid}`;
  if (typeof entry?.url !== 'string') {
    throw argumentError(where, 'no url');
  }
  checkOptions(where, entry, ['url', 'page', 'rect', 'rotated', 'trim', 'size', 'clips']);
  for (const [name, box] of Object.entries({ rect: entry.rect, trim: entry.trim, size: entry.size && { x: 0, y: 0, ...entry.size } })) {
    if (box !== undefined) {
      const isSound = box !== null && [box.x, box.y].every(Number.isFinite) && [box.width, box.height].every((side) => Number.isFinite(side) && side > 0);
      if (!isSound) {
        throw argumentError(where, `"${name}" needs ${name === 'size' ? '' : 'x, y, '}width and height above 0`);
      }
    }
  }
  if (entry.clips !== undefined && !(Array.isArray(entry.clips) && entry.clips.every((clip) => typeof clip === 'string'))) {
    throw argumentError(where, '"clips" is no list');
  }
}
