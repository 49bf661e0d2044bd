// Colors as the tests name them: 'rrggbb'.
import assert from 'node:assert/strict';

/** The bar's stripes from the top, 32 pixels high; its left half has half of each channel. */
export const stripes = [0xe6483d, 0xf2953b, 0xf4d03f, 0x58b368, 0x2fa4a9, 0x3f7fd6, 0x7a5bd0, 0xd05ba3];

/** What lies behind everything in the harness. */
export const background = '204060';

/** @param {number} index of a stripe */
export function full(index) {
  return stripes[index].toString(16).padStart(6, '0');
}

/** @param {number} index of a stripe */
export function half(index) {
  return [16, 8, 0].map((shift) => (((stripes[index] >> shift) & 255) >> 1).toString(16).padStart(2, '0')).join('');
}

/** @param {string} color */
function channels(color) {
  return [0, 2, 4].map((at) => parseInt(color.slice(at, at + 2), 16));
}

/**
 * @param {string[]} actual
 * @param {string[]} expected
 * @param {number} tolerance in each channel
 */
export function assertNear(actual, expected, tolerance) {
  assert.equal(actual.length, expected.length);
  actual.forEach((color, index) => {
    const other = channels(expected[index]);
    const worst = Math.max(...channels(color).map((value, channel) => Math.abs(value - other[channel])));
    assert.ok(worst <= tolerance, `point ${index}: ${color}, expected ${expected[index]} (${actual.join(' ')})`);
  });
}
