/**
 * Where a failure lies: the address of a file, in it a JSON path ("$.parts[2].mesh") or a field name, a line and a column from 1, a byte
 * from 0.
 * @typedef {{ file?: string | null, path?: string | null, line?: number | null, column?: number | null, offset?: number | null }} Place
 */

/**
 * Everything that goes wrong arrives as one of these. `code` is for programs, `message` for people.
 *
 * Codes of the core: NO_MEMORY, STALE (used after dispose), BAD_ARGUMENT, LIMIT, BAD_UTF8, BAD_JSON, BAD_TYPE, BAD_VALUE, BAD_INDEX,
 * BAD_COUNT, BAD_REFERENCE, BAD_IMAGE, DUPLICATE, CYCLE, UNKNOWN, NOT_FOUND, UNSUPPORTED. Codes of this package: ABORTED (the module
 * trapped, all that it held is lost), ABI (the binary does not belong to this JavaScript), FETCH (a file could not be read).
 */
export class MarrowError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {Place & { cause?: unknown }} [place]
   */
  constructor(code, message, place = {}) {
    super(message, place.cause === undefined ? undefined : { cause: place.cause });
    this.name = 'MarrowError';
    this.code = code;
    /**
     * Address of the file that `load` found it in; `message` says it.
     * @type {string | null}
     */
    this.file = place.file ?? null;
    /** @type {string | null} */
    this.path = place.path ?? null;
    /** @type {number | null} */
    this.line = place.line ?? null;
    /** @type {number | null} */
    this.column = place.column ?? null;
    /** @type {number | null} */
    this.offset = place.offset ?? null;
  }
}

/**
 * @internal
 * @param {string} what
 */
export function staleError(what) {
  return new MarrowError('STALE', `this ${what} was disposed`);
}

/**
 * @internal
 * @param {string} where the function or property
 * @param {string} message what was found and what was expected
 */
export function argumentError(where, message) {
  return new MarrowError('BAD_ARGUMENT', `${where}: ${message}`);
}

/**
 * What a message says of a value that was not expected. Not every value has a text.
 * @internal
 * @param {unknown} value
 */
export function named(value) {
  try {
    return typeof value === 'string' ? `"${value}"` : String(value);
  } catch {
    return 'an object';
  }
}

/** Largest value that a 32-bit float holds. */
const largest = 3.4028234663852886e38;

/**
 * Refuses what is no number, or none that the core's floats can hold.
 * @internal
 * @param {string} where
 * @param {number} value
 * @param {number} [least]
 * @param {number} [most]
 */
export function checkFloat(where, value, least = -largest, most = largest) {
  if (typeof value !== 'number' || !(value >= least && value <= most)) {
    throw argumentError(where, `${named(value)} is not a finite number${least === 0 ? ' from 0' : ''}${most === 1 ? ' to 1' : ''}`);
  }
}

/**
 * @internal
 * @param {string} where
 * @param {number} value
 * @param {number} [least]
 */
export function checkIndex(where, value, least = 0) {
  if (!Number.isInteger(value) || value < least) {
    throw argumentError(where, `${named(value)} is not a whole number from ${least}`);
  }
}

/**
 * @internal
 * @param {string} where
 * @param {number} value
 */
export function checkColor(where, value) {
  if (!Number.isInteger(value) || value < 0 || value > 0xffffff) {
    throw argumentError(where, `${named(value)} is not a color 0xRRGGBB`);
  }
}

/**
 * @internal
 * @param {string} where
 * @param {unknown} value
 * @param {'string' | 'function' | 'object' | 'boolean' | 'number'} type null is no object
 */
export function checkType(where, value, type) {
  if (typeof value !== type || value === null) {
    throw argumentError(where, `${named(value)} is no ${type}`);
  }
}

/**
 * Refuses options of a name that is not one of `names`: whoever misspells one is told.
 * @internal
 * @param {string} where
 * @param {object} options
 * @param {readonly string[]} names
 */
export function checkOptions(where, options, names) {
  checkType(where, options, 'object');
  // No list of the names: this runs in frames, too.
  for (const name in options) {
    if (!names.includes(name)) {
      throw argumentError(where, `there is no option "${name}" (${names.join(', ')})`);
    }
  }
}

/**
 * @internal
 * @param {string} where
 * @param {unknown} value
 * @param {Function} type
 */
export function checkClass(where, value, type) {
  if (!(value instanceof type)) {
    throw argumentError(where, `${named(value)} is of the wrong class`);
  }
}

/**
 * @internal
 * @param {string} where
 * @param {import('./types.js').ImageData8} image
 */
export function checkPixels(where, image) {
  checkType(where, image, 'object');
  const { width, height, data } = image;
  if (!(width > 0 && height > 0) || data?.length !== width * height * 4) {
    throw argumentError(where, `${data?.length} bytes are no ${width} x ${height} pixels`);
  }
}

/**
 * Does everything, whatever throws: a listener that fails keeps nothing else from being told or freed.
 * @internal
 * @template T
 * @param {unknown[]} failures what was thrown is added to it
 * @param {Iterable<T>} list
 * @param {(each: T) => void} act
 */
export function runAll(failures, list, act) {
  for (const each of list) {
    try {
      act(each);
    } catch (error) {
      failures.push(error);
    }
  }
}

/**
 * @internal
 * @param {unknown[]} failures is emptied
 */
export function throwFirst(failures) {
  if (failures.length > 0) {
    throw failures.splice(0)[0];
  }
}
