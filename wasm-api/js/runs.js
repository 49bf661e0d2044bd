import { RUN } from './layout.js';

/** @type {import('./types.js').Blend[]} */
const blends = ['normal', 'add', 'multiply', 'screen'];

/**
 * Keeps a list of run objects as the core has them. Objects are used again, so that a changing color makes no garbage.
 */
export class RunList {
  #heap;
  /** @type {import('./types.js').Run[]} */
  #pool = [];
  /** @type {import('./types.js').Run[]} */
  #runs = [];
  #version = -1;

  /** @param {import('./heap.js').Heap} heap */
  constructor(heap) {
    this.#heap = heap;
  }

  /**
   * @param {number} version of what the runs hold
   * @param {number} address
   * @param {number} count
   */
  at(version, address, count) {
    if (version !== this.#version) {
      this.#version = version;
      for (let index = 0; index < count; index += 1) {
        if (this.#pool.length === index) {
          this.#pool.push({
            page: 0, blend: 'normal', firstIndex: 0, indexCount: 0, firstVertex: 0, vertexCount: 0, color: 0, opacity: 0, firstPart: 0,
            partCount: 0,
          });
        }
        this.#read(this.#pool[index], address + index * RUN.size);
        this.#runs[index] = this.#pool[index];
      }
      if (this.#runs.length !== count) {
        this.#runs.length = count;
      }
    }
    return this.#runs;
  }

  /** Forgets what it read, because a version may have begun again. */
  reset() {
    this.#version = -1;
  }

  /**
   * @param {import('./types.js').Run} run
   * @param {number} at
   */
  #read(run, at) {
    const { u32, f32 } = this.#heap;
    run.page = u32[(at + RUN.page) >>> 2];
    run.blend = blends[u32[(at + RUN.blend) >>> 2]];
    run.firstIndex = u32[(at + RUN.firstIndex) >>> 2];
    run.indexCount = u32[(at + RUN.indexCount) >>> 2];
    run.firstVertex = u32[(at + RUN.firstVertex) >>> 2];
    run.vertexCount = u32[(at + RUN.vertexCount) >>> 2];
    run.color = u32[(at + RUN.color) >>> 2];
    run.opacity = f32[(at + RUN.opacity) >>> 2];
    run.firstPart = u32[(at + RUN.firstPart) >>> 2];
    run.partCount = u32[(at + RUN.partCount) >>> 2];
  }
}
