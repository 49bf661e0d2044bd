import { MarrowError, argumentError, named } from './errors.js';
import { Heap, bytesOf } from './heap.js';
import { absoluteUrl, isLocalFile, readBytes, readResponse } from './io.js';

/** What the binary must answer: MRW_ABI_VERSION of marrow.h. */
const abiVersion = 4;

/** A module that is valid only where 128-bit SIMD is: one function that splats a byte. */
const simdProbe = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11,
]);

export function hasSimd() {
  return WebAssembly.validate(simdProbe);
}

/** @param {boolean} simd */
export function playerUrl(simd) {
  return simd ? new URL('../dist/marrow.wasm', import.meta.url) : new URL('../dist/marrow.scalar.wasm', import.meta.url);
}

/**
 * Compiles, instantiates and checks a binary.
 * @param {import('./types.js').WasmSource} source
 * @param {string} mark an export that tells the binary that is wanted from the other one
 */
export async function instantiate(source, mark) {
  const module = await compile(await source);
  const heap = new Heap();
  /** @type {WebAssembly.Instance} */
  let instance;
  try {
    instance = await WebAssembly.instantiate(module, heap.imports);
  } catch (cause) {
    throw new MarrowError('ABI', `the binary imports too much: ${/** @type {Error} */ (cause).message}`, { cause });
  }
  const { abi_version: abi, _initialize: initialize, memory } = /** @type {any} */ (instance.exports);
  if (!(memory instanceof WebAssembly.Memory) || typeof abi !== 'function' || typeof initialize !== 'function') {
    throw new MarrowError('ABI', 'the binary is no Marrow module');
  }
  if (abi() !== abiVersion) {
    throw new MarrowError('ABI', `the binary has ABI version ${abi()}, this JavaScript needs ${abiVersion}`);
  }
  if (!(mark in instance.exports)) {
    throw new MarrowError('ABI', 'marrow.wasm and marrow.author.wasm are mixed up');
  }
  initialize();
  heap.attach(instance.exports);
  return heap;
}

/**
 * @param {string | URL | Response | ArrayBuffer | ArrayBufferView | WebAssembly.Module} source
 * @returns {Promise<WebAssembly.Module>}
 */
async function compile(source) {
  if (source instanceof WebAssembly.Module) {
    return source;
  }
  try {
    if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
      return await WebAssembly.compile(/** @type {BufferSource} */ (bytesOf(source)));
    }
    if (typeof source === 'string' || source instanceof URL) {
      const url = absoluteUrl(source);
      return isLocalFile(url)
        ? await WebAssembly.compile(/** @type {BufferSource} */ (await readBytes(url)))
        : await compileResponse(await readResponse(url));
    }
    return await compileResponse(source);
  } catch (cause) {
    if (cause instanceof WebAssembly.CompileError) {
      throw new MarrowError('ABI', `the binary cannot be compiled: ${cause.message}`, { cause });
    }
    throw cause;
  }
}

/**
 * Compiles while the bytes arrive, unless the server calls them something else, which streaming refuses.
 * @param {Response} response
 */
async function compileResponse(response) {
  if (typeof response?.arrayBuffer !== 'function') {
    throw argumentError('wasm', `${named(response)} is no binary`);
  }
  if (!response.ok) {
    throw new MarrowError('FETCH', `cannot fetch ${response.url}: the server answered ${response.status}`);
  }
  const type = response.headers.get('content-type') ?? '';
  return /^application\/wasm\s*(;|$)/.test(type) && typeof WebAssembly.compileStreaming === 'function'
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}
