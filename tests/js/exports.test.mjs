// The border between the binary and JavaScript: what is exported, what is imported, where things lie.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import * as authorLayout from '../../wasm-api/js/author/layout.js';
import * as playerLayout from '../../wasm-api/js/layout.js';
import { binaryPath, root } from './support.mjs';

/** The files that a binary's exports stand in, beside module.c. */
const binaries = { 'marrow.wasm': 'api.c', 'marrow.scalar.wasm': 'api.c', 'marrow.author.wasm': 'author.c' };
const layoutSource = readFileSync(path.join(root, 'wasm-api/layout.c'), 'utf8');

/** @param {string} folder @returns {string[]} */
function sources(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    return entry.isDirectory() ? sources(file) : entry.name.endsWith('.js') ? [readFileSync(file, 'utf8')] : [];
  });
}

/** @param {string[]} files of wasm-api */
function exportsOf(...files) {
  return files.flatMap((file) => [...readFileSync(path.join(root, 'wasm-api', file), 'utf8').matchAll(/^EXPORT\([^,]+, (\w+),/gm)].map((found) => found[1]));
}

/** What the toolchain adds to what we export. */
const fromToolchain = ['_initialize', 'emscripten_stack_get_base', 'emscripten_stack_get_current', 'emscripten_stack_get_end', 'emscripten_stack_get_free',
  'emscripten_stack_init', '__errno_location', '__indirect_function_table', 'memory', 'stackAlloc', 'stackRestore', 'stackSave'];

for (const [name, file] of Object.entries(binaries)) {
  test(`${name}: one import, and the exports of module.c and ${file}`, () => {
    const module = new WebAssembly.Module(readFileSync(binaryPath(name)));
    assert.deepEqual(WebAssembly.Module.imports(module), [{ module: 'env', name: 'emscripten_notify_memory_growth', kind: 'function' }]);
    const exported = WebAssembly.Module.exports(module).map((each) => each.name).filter((each) => !fromToolchain.includes(each)).sort();
    assert.ok(exported.length > 30);
    assert.deepEqual(exported, exportsOf('module.c', file).sort());
  });
}

/** @param {string[]} texts */
function called(texts) {
  const names = new Set(texts.flatMap((text) => [
    ...[...text.matchAll(/\bcalls\.(\w+)/g)].map((found) => found[1]),
    ...[...text.matchAll(/const \{([^}]*)\} = \/\*\* @type \{any\} \*\/ \(instance\.exports\)/g)]
      .flatMap((found) => found[1].split(',').map((each) => each.trim().split(':')[0])),
  ]));
  return [...names].filter((name) => !fromToolchain.includes(name)).sort();
}

test('JavaScript calls each export of its binary, and nothing else', () => {
  const folder = path.join(root, 'wasm-api/js');
  const authoring = sources(path.join(folder, 'author'));
  const playing = sources(folder).filter((text) => !authoring.includes(text));
  // Drawing copies the pages out of the player; what module.c has, both need.
  assert.deepEqual(called(playing), exportsOf('module.c', 'api.c').filter((name) => name !== 'model_images').sort());
  const shared = exportsOf('module.c');
  assert.deepEqual(called(authoring).filter((name) => !shared.includes(name)), [...exportsOf('author.c'), 'model_images'].sort());
});

test('both layout.js hold the offsets that the compiler checks in layout.c', () => {
  const camel = (/** @type {string} */ name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
  const structs = new Map();
  for (const [, struct, member, offset] of layoutSource.matchAll(/^AT\((?:struct )?(\w+), (\w+), (\d+)\);/gm)) {
    structs.set(struct, { ...structs.get(struct), [camel(member)]: Number(offset) });
  }
  for (const [, struct, size] of layoutSource.matchAll(/^SIZE\((?:struct )?(\w+), (\d+)\);/gm)) {
    structs.set(struct, { ...structs.get(struct), size: Number(size) });
  }
  const names = {
    mrw_world_state: 'WORLD', mrw_instance_state: 'INSTANCE', mrw_crowd_state: 'CROWD', mrw_part_state: 'PART', mrw_view_fields: 'VIEW',
  };
  const expected = Object.fromEntries([...structs].map(([struct, members]) => [
    names[/** @type {keyof typeof names} */ (struct)] ?? struct.replace(/^mrw_/, '').toUpperCase(), members]));
  const found = Object.fromEntries(Object.entries({ ...playerLayout, ...authorLayout }).map(([name, members]) => [name, { ...members }]));
  assert.deepEqual(found, expected);
});

test('only heap.js and the loader touch memory.buffer', () => {
  const offenders = readdirSync(path.join(root, 'wasm-api/js'), { recursive: true, encoding: 'utf8' }).filter((name) => (
    name.endsWith('.js') && name !== 'heap.js' && /memory\.buffer|\.grow\(\d/.test(readFileSync(path.join(root, 'wasm-api/js', name), 'utf8'))));
  assert.deepEqual(offenders, []);
});
