import { MarrowError } from '../errors.js';
import { instantiate } from '../loader.js';

/** @type {import('../heap.js').Heap | null} */
let core = null;
/** @type {Promise<void> | null} */
let beginning = null;
/** Why there is none.
 *  @type {unknown} */
let failure = null;

/** @param {import('../types.js').AuthorOptions} options */
async function start({ wasm, limits = {} }) {
  const heap = await instantiate(wasm ?? new URL('../../dist/marrow.author.wasm', import.meta.url), 'author_rig');
  heap.start(limits);
  core = heap;
}

/**
 * Loads the binary that lies beside this module, once. That it failed is told when it is needed: a host whose binary lies elsewhere calls
 * `ready`.
 * @internal
 */
export function begin() {
  beginning ??= start({}).catch((error) => {
    failure = error;
  });
  return beginning;
}

/**
 * Memory and calls of the binary that authoring is computed by.
 * @internal
 */
export function authorHeap() {
  if (core === null) {
    const { code = 'ABI', message } = /** @type {MarrowError} */ (failure);
    throw new MarrowError(code, `the binary of marrow2d/author could not be loaded (${message}): say where it is with await ready({ wasm })`,
      { cause: failure });
  }
  return core;
}

/**
 * Only for hosts that keep the binary elsewhere, or want other limits: importing `marrow2d/author` has loaded it already. Without options this
 * tries again if that failed.
 * @param {import('../types.js').AuthorOptions} [options]
 */
export async function ready(options = {}) {
  if (core === null || core.isDead || options.wasm !== undefined || options.limits !== undefined) {
    await start(options);
  }
}
