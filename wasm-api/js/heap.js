import { MarrowError, argumentError, checkIndex, checkOptions, checkType, named } from './errors.js';
import { ERROR, EXCHANGE } from './layout.js';

/** @typedef {Record<string, (...values: number[]) => number>} Calls */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Linear memory and the calls into the module. Nothing else in the package touches either.
 *
 * The typed arrays are replaced whenever memory grows, at once and inside the growing call; `generation` then rises. Addresses are
 * byte offsets.
 */
export class Heap {
  /** @type {WebAssembly.Memory | null} */
  #memory = null;
  /** @type {Error | null} */
  #dead = null;
  #scratch = 0;
  #scratchSize = 0;
  /** @type {number[]} */
  #taken = [];
  #inputLimit = 0;

  u8 = new Uint8Array(0);
  u32 = new Uint32Array(0);
  i32 = new Int32Array(0);
  f32 = new Float32Array(0);
  f64 = new Float64Array(0);
  generation = 0;

  /** Address of the block where calls leave what they give back beside a result. */
  exchange = 0;
  /** The exports of the module. They throw when the module has trapped.
   *  @type {Calls} */
  calls = {};

  /** What the module imports. */
  get imports() {
    return { env: { emscripten_notify_memory_growth: () => this.#refresh() } };
  }

  /** @param {WebAssembly.Exports} exports */
  attach(exports) {
    this.#memory = /** @type {WebAssembly.Memory} */ (exports.memory);
    this.#refresh();
    for (const [name, value] of Object.entries(exports)) {
      if (typeof value === 'function') {
        this.calls[name] = this.#guard(/** @type {(...values: number[]) => number} */ (value));
      }
    }
  }

  /**
   * Makes the context. Zeros take the defaults of the core.
   * @param {import('./types.js').Limits} limits
   */
  start(limits) {
    const names = /** @type {const} */ (['inputBytes', 'memoryBytes', 'nodes', 'vertices', 'jsonDepth', 'imagePixels', 'clips']);
    checkOptions('limits', limits, names);
    const values = names.map((name) => {
      const value = limits[name];
      if (value !== undefined) {
        checkIndex(`limits.${name}`, value, 1);
      }
      return Math.min(value ?? 0, 0xffffffff);
    });
    this.exchange = this.calls.exchange();
    this.#inputLimit = limits.inputBytes ?? 64 * 1024 * 1024;
    this.check(this.calls.start(...values));
  }

  /** Releases the context; every later call throws. */
  stop() {
    if (this.#dead === null) {
      this.calls.stop();
      this.#dead = new MarrowError('STALE', 'this Marrow was disposed');
    }
  }

  get isDead() {
    return this.#dead !== null;
  }

  /** Size of linear memory in bytes. */
  get size() {
    return this.u8.length;
  }

  /**
   * Grows linear memory by at least `bytes` now.
   * @param {number} bytes
   */
  grow(bytes) {
    try {
      this.#memory?.grow(Math.ceil(bytes / 65536));
    } catch (cause) {
      throw new MarrowError('NO_MEMORY', `memory cannot grow by ${bytes} bytes`, { cause });
    }
    this.#refresh();
  }

  // -------------------------------------------------------------------------------------------- results

  /**
   * Throws when `result` is not OK.
   * @param {number} result
   * @param {string} [what] that failed
   * @param {string} [which] its name
   */
  check(result, what, which) {
    if (result !== 0) {
      throw this.#error(result, what === undefined ? '' : `${what} "${which}": `);
    }
  }

  /**
   * A number that the last call left behind.
   * @param {number} index
   */
  word(index) {
    return this.u32[((this.exchange + EXCHANGE.words) >>> 2) + index];
  }

  /**
   * @param {number} result
   * @param {string} what
   */
  #error(result, what) {
    const at = this.exchange + EXCHANGE.error;
    const code = this.text(this.calls.result_name(result));
    if (this.u32[(at + ERROR.code) >>> 2] !== result) {
      return new MarrowError(code, what + this.text(this.calls.result_message(result)));
    }
    this.u32[(at + ERROR.code) >>> 2] = 0;
    const path = this.text(at + ERROR.path);
    const line = this.i32[(at + ERROR.line) >>> 2];
    const column = this.i32[(at + ERROR.column) >>> 2];
    const low = this.u32[(at + ERROR.offset) >>> 2];
    const high = this.i32[((at + ERROR.offset) >>> 2) + 1];
    const place = line > 0 ? ` (line ${line}, column ${column})` : '';
    return new MarrowError(code, `${path}: ${this.text(at + ERROR.message)}${place}`, {
      path,
      line: line > 0 ? line : null,
      column: column > 0 ? column : null,
      offset: high < 0 ? null : high * 2 ** 32 + low,
    });
  }

  // -------------------------------------------------------------------------------------------- data in

  /**
   * A block for the arguments of the next call. Valid until `scratch` is called again; grows, and is never given back.
   * @param {number} size
   */
  scratch(size) {
    if (size > this.#scratchSize) {
      const larger = this.#allocate(size);
      this.calls.release(this.#scratch);
      this.#scratch = larger;
      this.#scratchSize = size;
    }
    return this.#scratch;
  }

  /**
   * Zero-terminated text in the scratch block.
   * @param {string} text
   */
  scratchText(text) {
    checkType('text', text, 'string');
    const at = this.scratch(text.length * 3 + 1);
    const { written } = encoder.encodeInto(text, this.u8.subarray(at, at + text.length * 3));
    this.u8[at + written] = 0;
    return at;
  }

  /**
   * Runs `use` and gives back what it took.
   * @template T
   * @param {() => T} use
   * @returns {T}
   */
  borrow(use) {
    const mark = this.#taken.length;
    try {
      return use();
    } finally {
      while (this.#taken.length > mark) {
        const block = /** @type {number} */ (this.#taken.pop());
        if (this.#dead === null) {
          this.calls.release(block);
        }
      }
    }
  }

  /**
   * A zeroed block, until the surrounding `borrow` ends.
   * @param {number} size
   */
  take(size) {
    const at = this.#allocate(size);
    this.#taken.push(at);
    this.u8.fill(0, at, at + size);
    return at;
  }

  /** @param {string} text */
  takeText(text) {
    checkType('text', text, 'string');
    return this.copyIn(encoder.encode(`${text}\0`));
  }

  /**
   * A copy of some bytes, until the surrounding `borrow` ends.
   * @param {ArrayBufferView | ArrayBuffer} data
   */
  copyIn(data) {
    const bytes = bytesOf(data);
    const at = this.#allocate(bytes.length);
    this.#taken.push(at);
    this.u8.set(bytes, at);
    return at;
  }

  /**
   * A copy of a file's bytes. A file that the core would refuse is refused before it takes memory.
   * @param {Uint8Array} bytes
   */
  copyFileIn(bytes) {
    if (bytes.length > this.#inputLimit) {
      throw new MarrowError('LIMIT', `the file has ${bytes.length} bytes, at most ${this.#inputLimit} are allowed`);
    }
    return this.copyIn(bytes);
  }

  /** @param {number} size */
  #allocate(size) {
    const at = this.calls.allocate(Math.min(size, 0xffffffff));
    if (at === 0) {
      throw new MarrowError('NO_MEMORY', `no room for ${size} bytes`);
    }
    return at;
  }

  // -------------------------------------------------------------------------------------------- data out

  /**
   * Zero-terminated text.
   * @param {number} at
   */
  text(at) {
    return decoder.decode(this.u8.subarray(at, this.u8.indexOf(0, at)));
  }

  /** The text that the last call left behind (address and size), which is then given back. */
  takeOutText() {
    const at = this.word(0);
    const size = this.word(1);
    const text = decoder.decode(this.u8.subarray(at, at + size));
    this.calls.text_release(at, size);
    return text;
  }

  /** Like `takeOutText`, for bytes. */
  takeOutBytes() {
    const at = this.word(0);
    const size = this.word(1);
    const bytes = this.u8.slice(at, at + size);
    this.calls.text_release(at, size);
    return bytes;
  }

  /** @param {(...values: number[]) => number} call */
  #guard(call) {
    // Fixed parameters: rest parameters would make an array for each call. The module ignores what is too many.
    return (/** @type {number} */ a, /** @type {number} */ b, /** @type {number} */ c, /** @type {number} */ d, /** @type {number} */ e,
      /** @type {number} */ f, /** @type {number} */ g, /** @type {number} */ h, /** @type {number} */ i) => {
      if (this.#dead !== null) {
        throw this.#dead;
      }
      try {
        return call(a, b, c, d, e, f, g, h, i);
      } catch (cause) {
        if (cause instanceof TypeError) {
          // A symbol or a BigInt, which turns into no number: the module was never entered.
          throw new MarrowError('BAD_ARGUMENT', `expected a number: ${cause.message}`, { cause });
        }
        this.#dead = new MarrowError('ABORTED', 'the module stopped with a trap; make a new Marrow', { cause });
        throw this.#dead;
      }
    };
  }

  #refresh() {
    const buffer = /** @type {WebAssembly.Memory} */ (this.#memory).buffer;
    this.u8 = new Uint8Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.f32 = new Float32Array(buffer);
    this.f64 = new Float64Array(buffer);
    this.generation += 1;
  }
}

/**
 * One typed array over linear memory that is made again only when it must be: memory grew, or the data moved.
 * @template {Float32Array | Uint32Array} T
 */
export class CachedView {
  #heap;
  #type;
  #address = -1;
  #length = -1;
  #generation = -1;
  /** @type {T} */
  #view;

  /**
   * @param {Heap} heap
   * @param {{ new (buffer: ArrayBufferLike, offset: number, length: number): T, new (length: number): T }} type
   */
  constructor(heap, type) {
    this.#heap = heap;
    this.#type = type;
    this.#view = new type(0);
  }

  /**
   * @param {number} address
   * @param {number} length in elements
   */
  at(address, length) {
    if (address !== this.#address || length !== this.#length || this.#generation !== this.#heap.generation) {
      this.#view = length === 0 ? new this.#type(0) : new this.#type(this.#heap.u8.buffer, address, length);
      this.#address = address;
      this.#length = length;
      this.#generation = this.#heap.generation;
    }
    return this.#view;
  }
}

/** @param {ArrayBufferView | ArrayBuffer} data */
export function bytesOf(data) {
  if (ArrayBuffer.isView(data)) {
    return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  }
  // By its tag: a buffer of another realm (a frame, a test runner's sandbox) is no instance of this one's class.
  if (!Object.prototype.toString.call(data).endsWith('ArrayBuffer]')) {
    throw argumentError('data', `${named(data)} is no text or bytes`);
  }
  return new Uint8Array(data);
}

/** @param {string | ArrayBufferView | ArrayBuffer} data text or bytes of a file */
export function fileBytes(data) {
  return typeof data === 'string' ? encoder.encode(data) : bytesOf(data);
}
