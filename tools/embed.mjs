// Writes a C file that holds the bytes of files, so that a test runs natively and as WebAssembly without a file system.
// Usage: node tools/embed.mjs OUT.c [NAME FILE]...
import { readFileSync, writeFileSync } from 'node:fs';

const [out, ...pairs] = process.argv.slice(2);
if (out === undefined || pairs.length % 2 !== 0) {
  console.error('usage: node tools/embed.mjs OUT.c [NAME FILE]...');
  process.exit(2);
}

/**
 * One C string literal a row. Octal escapes have at most three digits, so a digit that follows is never swallowed; every `?`
 * is escaped because of trigraphs.
 * @param {Buffer} bytes
 */
function literal(bytes) {
  const rows = [];
  for (let start = 0; start < bytes.length; start += 80) {
    let row = '';
    for (const byte of bytes.subarray(start, start + 80)) {
      const plain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c && byte !== 0x3f;
      row += plain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`;
    }
    rows.push(`"${row}"`);
  }
  return rows.length === 0 ? '""' : rows.join('\n');
}

const entries = [];
for (let i = 0; i < pairs.length; i += 2) {
  const bytes = readFileSync(pairs[i + 1]);
  entries.push(`{${JSON.stringify(pairs[i])},\n${literal(bytes)},\n${bytes.length}},`);
}
writeFileSync(out, `#include "fixtures.h"
const fixture fixtures[] = {
${entries.join('\n')}
{NULL, NULL, 0}};
const size_t fixture_count = ${entries.length};
`);
