import { MarrowError } from './errors.js';

/**
 * Turning addresses into bytes: the one file where Node and browsers differ. Node modules come from `process.getBuiltinModule`, so that
 * no bundler meets an import it cannot resolve.
 */

/** @returns {any} `process` of Node, or null elsewhere */
function node() {
  const process = /** @type {any} */ (globalThis).process;
  return typeof process?.versions?.node === 'string' && typeof process.getBuiltinModule === 'function' ? process : null;
}

/**
 * The absolute address of `url`. Without `base`, a relative one is meant from the page, from the worker's script, or from Node's current
 * folder; plain file paths are fine in Node.
 * @param {string | URL} url
 * @param {string} [base]
 */
export function absoluteUrl(url, base) {
  const text = String(url);
  if (/^[a-z][a-z0-9+.-]+:/i.test(text)) {
    return text;
  }
  if (base !== undefined) {
    return new URL(text, base).href;
  }
  const process = node();
  if (process !== null) {
    const { pathToFileURL } = process.getBuiltinModule('node:url');
    return pathToFileURL(text).href;
  }
  return new URL(text, globalThis.document?.baseURI ?? globalThis.location?.href).href;
}

/**
 * @param {string} url absolute
 * @returns {Promise<Uint8Array>}
 */
export async function readBytes(url) {
  const process = node();
  if (process !== null && url.startsWith('file:')) {
    const { readFile } = process.getBuiltinModule('node:fs/promises');
    const { fileURLToPath } = process.getBuiltinModule('node:url');
    let path = url;
    try {
      path = fileURLToPath(url.replace(/[?#].*$/, ''));
      return await readFile(path);
    } catch (cause) {
      throw new MarrowError('FETCH', `cannot read ${path} (${/** @type {any} */ (cause).code})`, { cause });
    }
  }
  return new Uint8Array(await (await readResponse(url)).arrayBuffer());
}

/**
 * @param {string} url absolute
 * @returns {Promise<Response>}
 */
export async function readResponse(url) {
  let response;
  try {
    response = await fetch(url);
  } catch (cause) {
    throw new MarrowError('FETCH', `cannot fetch ${url}`, { cause });
  }
  if (!response.ok) {
    throw new MarrowError('FETCH', `cannot fetch ${url}: the server answered ${response.status}`);
  }
  return response;
}

/** @param {string} url absolute */
export function isLocalFile(url) {
  return node() !== null && url.startsWith('file:');
}
