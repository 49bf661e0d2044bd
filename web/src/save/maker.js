/** @typedef {import('./make.js').Job} Job */
/** @typedef {import('./make.js').Plan} Plan */

/** @type {Record<string, string>} */
const types = { png: 'image/png', webp: 'image/webp', jpg: 'image/jpeg', jpeg: 'image/jpeg' };

/** Makes animations of one scene in a worker, so that the page never waits. */
export class Maker {
  #source;
  /** @type {Worker | null} */
  #worker = null;
  #count = 0;
  /** @type {Map<number, { resolve: (answer: any) => void, reject: (error: Error) => void, progress: (done: number, total: number) => void }>} */
  #waiting = new Map();

  /** @param {import('../workspace.js').Scene} scene */
  constructor({ rig, clips, pictures }) {
    /** @type {import('./make.js').Source} */
    this.#source = {
      rig: rig.text,
      clips: clips.map(({ text }) => text),
      pictures: new Map([...pictures].map(([guid, { name, bytes }]) => [guid, { bytes, type: types[name.split('.').pop()?.toLowerCase() ?? ''] ?? '' }])),
    };
  }

  /**
   * @param {Job} job
   * @returns {Promise<Plan>}
   */
  async plan(job) {
    return (await this.#ask(job, 'plan', () => undefined)).plan;
  }

  /**
   * @param {Job} job
   * @param {(done: number, total: number) => void} progress
   * @returns {Promise<Uint8Array>} the file
   */
  async make(job, progress) {
    return (await this.#ask(job, 'make', progress)).file;
  }

  /** Ends what is under way: it is answered with an `AbortError`. The next question begins anew. */
  cancel() {
    this.#worker?.terminate();
    this.#worker = null;
    this.#fail(new DOMException('cancelled', 'AbortError'));
  }

  /**
   * @param {Job} job
   * @param {'plan' | 'make'} what
   * @param {(done: number, total: number) => void} progress
   * @returns {Promise<any>}
   */
  #ask(job, what, progress) {
    this.#worker ??= this.#start();
    this.#count += 1;
    const id = this.#count;
    this.#worker.postMessage({ id, job, what });
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject, progress }));
  }

  #start() {
    const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
    worker.addEventListener('message', (/** @type {MessageEvent<import('./make.js').Answer>} */ { data }) => {
      const waiting = this.#waiting.get(data.id);
      if ('done' in data) {
        waiting?.progress(data.done, data.total);
        return;
      }
      this.#waiting.delete(data.id);
      if ('failed' in data) {
        waiting?.reject(new Error(data.failed));
      } else {
        waiting?.resolve(data);
      }
    });
    worker.addEventListener('error', ({ message }) => this.#fail(new Error(message || 'the part of the page that draws animations could not be loaded')));
    worker.postMessage({ source: this.#source });
    return worker;
  }

  /** @param {Error} error */
  #fail(error) {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    all.forEach(({ reject }) => reject(error));
  }
}
