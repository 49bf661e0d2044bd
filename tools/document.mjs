// What the makers of assets share: names made of bytes, and the text of documents.
import { createHash } from 'node:crypto';

/**
 * The UUIDv8 of some bytes, as the core makes it.
 * @param {string | Uint8Array} bytes
 */
export function guidOf(bytes) {
  const digest = createHash('sha256').update(bytes).digest();
  digest[6] = 0x80 | (digest[6] & 0x0f);
  digest[8] = 0x80 | (digest[8] & 0x3f);
  return digest.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/**
 * Text in the form in which the core writes documents: two spaces an indent, a list of numbers on one line.
 * @param {unknown} value
 * @param {string} indent
 * @returns {string}
 */
export function format(value, indent = '') {
  if (typeof value !== 'object' || value === null) {
    return JSON.stringify(value);
  }
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item === 'number')) {
      return `[${value.join(',')}]`;
    }
    return `[\n${value.map((item) => inner + format(item, inner)).join(',\n')}\n${indent}]`;
  }
  const members = Object.entries(value).map(([key, item]) => `${inner}${JSON.stringify(key)}: ${format(item, inner)}`);
  return `{\n${members.join(',\n')}\n${indent}}`;
}
