// What the tests of the package share. They use the package by its own name, as a user would.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createMarrow } from '../../wasm-api/js/index.js';

export const root = path.dirname(path.dirname(import.meta.dirname));

/** Which binary the run is about; MARROW_SIMD=0 takes the scalar one. */
export const simd = process.env.MARROW_SIMD !== '0';

/** @param {object} [options] */
export function create(options = {}) {
  return createMarrow({ simd, ...options });
}

/** @param {string} name */
export function binaryPath(name = simd ? 'marrow.wasm' : 'marrow.scalar.wasm') {
  const file = path.join(root, 'wasm-api/dist', name);
  assert.ok(existsSync(file), `${file} is missing: run node tools/build.mjs wasm`);
  return file;
}

/** @param {string} name */
export function asset(name) {
  return path.join(root, 'assets', name);
}

/** @param {string} name */
export function readAsset(name) {
  return readFileSync(asset(name), 'utf8');
}

/** @param {string} name without ending */
export function golden(name) {
  return JSON.parse(readFileSync(path.join(root, 'tests/golden/modoki', `${name}.json`), 'utf8'), (_, value) => (
    value === 'Infinity' ? Infinity : value === '-Infinity' ? -Infinity : value === 'NaN' ? NaN : value));
}

/**
 * Compares numbers one by one.
 * @param {ArrayLike<number>} actual
 * @param {ArrayLike<number>} expected
 * @param {number | ((expected: number) => number)} tolerance absolute
 * @param {string} what
 */
export function near(actual, expected, tolerance, what) {
  assert.equal(actual.length, expected.length, `${what}: length`);
  for (let index = 0; index < expected.length; index += 1) {
    const allowed = typeof tolerance === 'number' ? tolerance : tolerance(expected[index]);
    if (actual[index] !== expected[index] && !(Math.abs(actual[index] - expected[index]) <= allowed)) {
      assert.fail(`${what}[${index}]: ${actual[index]}, expected ${expected[index]} within ${allowed}`);
    }
  }
}

/** Matrices, bone values, curve values. @param {number} expected */
export function precise(expected) {
  return 1e-6 * (1 + Math.abs(expected));
}

/**
 * The tolerance of skinned positions.
 * @param {ArrayLike<number>} expected
 */
export function positionTolerance(expected) {
  let largest = 0;
  for (let index = 0; index < expected.length; index += 1) {
    largest = Math.max(largest, Math.abs(expected[index]));
  }
  return 1e-3 + 1e-5 * largest;
}

/**
 * Per-vertex numbers of a part in the file's order.
 * @param {import('../../wasm-api/js/index.js').Part} part
 * @param {ArrayLike<number>} values two numbers a vertex, in the part's order
 */
export function inFileOrder(part, values) {
  const result = new Array(values.length);
  part.vertexMap.forEach((vertex, index) => {
    result[vertex * 2] = values[index * 2];
    result[vertex * 2 + 1] = values[index * 2 + 1];
  });
  return result;
}

/** @param {() => unknown} act @param {string} code */
export function throwsCode(act, code) {
  /** @type {any} */
  let seen;
  assert.throws(act, (error) => {
    seen = error;
    return true;
  });
  return checkError(seen, code);
}

/** @param {any} error @param {string} code */
function checkError(error, code) {
  assert.equal(error?.name, 'MarrowError', String(error?.stack ?? error));
  assert.equal(error.code, code, error.message);
  return /** @type {import('../../wasm-api/js/errors.js').MarrowError} */ (error);
}

/** @param {Promise<unknown>} promise @param {string} code */
export async function rejectsCode(promise, code) {
  return checkError(await promise.then(() => assert.fail(`no ${code}`), (/** @type {unknown} */ reason) => reason), code);
}
