/**
 * What a whole picture has to be looked through for.
 * @typedef {object} Study
 * @property {string} guid of the bytes
 * @property {import('../../wasm-api/js/author/data.js').Mask} mask
 */

/** Looks through pictures in a worker, so that the page never waits for a large one. */
export class Studies {
  /** @type {Worker | null} */
  #worker = null;

  /**
   * One after the other.
   * @param {Blob} blob a picture
   * @returns {Promise<Study>}
   */
  of(blob) {
    const worker = this.#worker ?? new Worker(new URL('./study-worker.js', import.meta.url), { type: 'module' });
    this.#worker = worker;
    worker.postMessage(blob);
    return new Promise((resolve, reject) => {
      worker.onmessage = (/** @type {MessageEvent<import('./study-worker.js').Answer>} */ { data }) => {
        if ('failed' in data) {
          reject(new Error(data.failed));
        } else {
          resolve(data);
        }
      };
      worker.onerror = ({ message }) => reject(new Error(message || 'the part of the page that reads pictures could not be loaded'));
    });
  }

  /** Gives back the memory that the largest of them took. */
  end() {
    this.#worker?.terminate();
  }
}
