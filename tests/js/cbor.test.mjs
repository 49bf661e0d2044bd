// How a description is read. The bytes of values are those of RFC 8949, appendix A; lengths of texts always have four bytes here.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromCbor } from '../../wasm-api/js/cbor.js';

const read = (/** @type {string} */ hex) => fromCbor(new Uint8Array(Buffer.from(`00${hex.replaceAll(' ', '')}`, 'hex')).subarray(1));

test('values', () => {
  assert.equal(read('f4'), false);
  assert.equal(read('f5'), true);
  assert.equal(read('f6'), null);
  assert.equal(read('fb3ff199999999999a'), 1.1);
  assert.equal(read('fbc010666666666666'), -4.1);
  assert.equal(read('fb7e37e43c8800759c'), 1.0e+300);
  assert.equal(read('fa47c35000'), 100000);
  assert.equal(read('7a00000004f0908591'), '\u{10151}');
  assert.deepEqual(read('9fff'), []);
  assert.deepEqual(read('bf 7a0000000161 f4 7a0000000162 9f f6 bfff ff 7a0000000163 f5 ff'), { a: false, b: [null, {}], c: true });
  assert.deepEqual(read('9f d90106 5a00000007 7b226b223a317d f5 ff'), [{ k: 1 }, true]);
});

test('floats become the shortest decimals', () => {
  const bytes = new Uint8Array(5);
  const view = new DataView(bytes.buffer);
  bytes[0] = 0xfa;
  const shown = (/** @type {number} */ value) => {
    view.setFloat32(1, value);
    return fromCbor(bytes);
  };
  for (const value of [0.1, -0, 0, 1, -2.5, 1.5707964, 3.4028235e38, 1e-45, 1.1754944e-38, 16777216, 1e21, 123456.7, 0.000123]) {
    assert.ok(Object.is(shown(value), value), `${value} is shown as ${shown(value)}`);
  }
  let state = 1;
  for (let count = 0; count < 2000; count += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    view.setUint32(1, state);
    const value = view.getFloat32(1);
    if (Number.isFinite(value)) {
      const decimal = fromCbor(bytes);
      assert.equal(Math.fround(decimal), value);
      assert.ok(decimal.toExponential().replace(/e.*|[-.]/g, '').length <= 9, String(decimal));
    }
  }
});
