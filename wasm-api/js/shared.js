import { MarrowError } from './errors.js';

/** @type {import('./index.js').Marrow | null} */
let shared = null;

/**
 * The functions of `marrow2d/author` are pure: it does not matter which core computes them. They take the first that is alive.
 * @param {import('./index.js').Marrow} marrow
 */
export function share(marrow) {
  if (shared === null || shared.isDisposed) {
    shared = marrow;
  }
}

export function sharedHeap() {
  if (shared === null || shared.isDisposed) {
    throw new MarrowError('STALE', 'there is no core yet: await createMarrow(), or ready() of marrow2d/author, before you call this');
  }
  return shared.heap;
}

export function hasShared() {
  return shared !== null && !shared.isDisposed;
}
