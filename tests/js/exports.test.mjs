// The border between the binary and JavaScript: what is exported, what is imported, where things lie.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import * as layout from '../../wasm-api/js/layout.js';
import { binaryPath, root } from './support.mjs';

const binaries = ['marrow.wasm', 'marrow.scalar.wasm'];
const api = readFileSync(path.join(root, 'wasm-api/api.c'), 'utf8');
const layoutHeader = readFileSync(path.join(root, 'wasm-api/layout.h'), 'utf8');

/** @param {string} folder @returns {string[]} */
function sources(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    return entry.isDirectory() ? sources(file) : entry.name.endsWith('.js') ? [readFileSync(file, 'utf8')] : [];
  });
}

/** What the toolchain adds to what api.c exports. */
const fromToolchain = ['_initialize', 'emscripten_stack_get_base', 'emscripten_stack_get_current', 'emscripten_stack_get_end', 'emscripten_stack_get_free',
  'emscripten_stack_init', '__errno_location', '__indirect_function_table', 'memory', 'stackAlloc', 'stackRestore', 'stackSave'];

for (const name of binaries) {
  test(`${name}: one import, and the exports of api.c`, () => {
    const module = new WebAssembly.Module(readFileSync(binaryPath(name)));
    assert.deepEqual(WebAssembly.Module.imports(module), [{ module: 'env', name: 'emscripten_notify_memory_growth', kind: 'function' }]);
    const listed = [...api.matchAll(/^EXPORT\([^,]+, (\w+),/gm)].map((found) => found[1]).sort();
    const exported = WebAssembly.Module.exports(module).map((each) => each.name).filter((each) => !fromToolchain.includes(each)).sort();
    assert.ok(listed.length > 50);
    assert.deepEqual(exported, listed);
  });
}

test('JavaScript calls each export, and nothing else', () => {
  const exported = [...api.matchAll(/^EXPORT\([^,]+, (\w+),/gm)].map((found) => found[1]);
  const called = new Set(sources(path.join(root, 'wasm-api/js')).flatMap((text) => [
    ...[...text.matchAll(/\bcalls\.(\w+)/g)].map((found) => found[1]),
    ...[...text.matchAll(/const \{([^}]*)\} = \/\*\* @type \{any\} \*\/ \(instance\.exports\)/g)]
      .flatMap((found) => found[1].split(',').map((each) => each.trim().split(':')[0])),
  ]));
  for (const name of fromToolchain) {
    called.delete(name);
  }
  assert.deepEqual([...called].sort(), exported.sort());
});

test('layout.js holds the offsets that the compiler checks in layout.h', () => {
  const camel = (/** @type {string} */ name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
  const structs = new Map();
  for (const [, struct, member, offset] of layoutHeader.matchAll(/^AT\((?:struct )?(\w+), (\w+), (\d+)\);/gm)) {
    structs.set(struct, { ...structs.get(struct), [camel(member)]: Number(offset) });
  }
  for (const [, struct, size] of layoutHeader.matchAll(/^SIZE\((?:struct )?(\w+), (\d+)\);/gm)) {
    structs.set(struct, { ...structs.get(struct), size: Number(size) });
  }
  const names = {
    mrw_world_state: 'WORLD', mrw_instance_state: 'INSTANCE', mrw_crowd_state: 'CROWD', mrw_part_state: 'PART', mrw_view_fields: 'VIEW',
  };
  const expected = Object.fromEntries([...structs].map(([struct, members]) => [
    names[/** @type {keyof typeof names} */ (struct)] ?? struct.replace(/^mrw_/, '').toUpperCase(), members]));
  const found = Object.fromEntries(Object.entries(layout).map(([name, members]) => [name, { ...members }]));
  assert.deepEqual(found, expected);
});

test('only heap.js and the loader touch memory.buffer', () => {
  const offenders = readdirSync(path.join(root, 'wasm-api/js'), { recursive: true, encoding: 'utf8' }).filter((name) => (
    name.endsWith('.js') && name !== 'heap.js' && /memory\.buffer|\.grow\(\d/.test(readFileSync(path.join(root, 'wasm-api/js', name), 'utf8'))));
  assert.deepEqual(offenders, []);
});
