// How the binary gets in, and what happens when it should not.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { MarrowError, createMarrow } from '../../wasm-api/js/index.js';
import { binaryPath, create, rejectsCode, throwsCode } from './support.mjs';

const bytes = readFileSync(binaryPath());

/** @type {Record<string, { type: string, status?: number, body: Uint8Array | string }>} */
const routes = {
  '/right.wasm': { type: 'application/wasm', body: bytes },
  '/octets.wasm': { type: 'application/octet-stream', body: bytes },
  '/page.wasm': { type: 'text/html', body: '<!doctype html><p>not here</p>' },
  '/gone.wasm': { type: 'text/plain', status: 404, body: 'gone' },
};
const server = createServer((request, response) => {
  const route = routes[request.url ?? ''] ?? routes['/gone.wasm'];
  response.writeHead(route.status ?? 200, { 'content-type': route.type }).end(route.body);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
const base = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`;
after(() => server.close());

/** @param {import('../../wasm-api/js/index.js').Marrow} marrow */
function works(marrow) {
  const model = marrow.loadRig2d('{"bones":[{"name":"root"}]}');
  assert.equal(model.bones[0].name, 'root');
  marrow.dispose();
}

test('the binary may be a URL, an address, a response, bytes or a module', async () => {
  works(await create());
  works(await createMarrow({ wasm: pathToFileURL(binaryPath()) }));
  works(await createMarrow({ wasm: binaryPath() }));
  works(await createMarrow({ wasm: `${base}/right.wasm` }));
  works(await createMarrow({ wasm: new URL(`${base}/octets.wasm`) }));
  works(await createMarrow({ wasm: fetch(`${base}/right.wasm`) }));
  works(await createMarrow({ wasm: await fetch(`${base}/octets.wasm`) }));
  works(await createMarrow({ wasm: bytes }));
  works(await createMarrow({ wasm: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) }));
  works(await createMarrow({ wasm: new WebAssembly.Module(bytes) }));
});

test('both binaries run, and auto picks one', async () => {
  works(await createMarrow({ simd: true }));
  works(await createMarrow({ simd: false }));
  works(await createMarrow({ simd: 'auto' }));
});

test('what is no Marrow binary is refused', async () => {
  await rejectsCode(createMarrow({ wasm: `${base}/gone.wasm` }), 'FETCH');
  await rejectsCode(createMarrow({ wasm: fetch(`${base}/gone.wasm`) }), 'FETCH');
  await rejectsCode(createMarrow({ wasm: `${base}/page.wasm` }), 'ABI');
  await rejectsCode(createMarrow({ wasm: new Uint8Array([1, 2, 3]) }), 'ABI');
  await rejectsCode(createMarrow({ wasm: '/no/such/file.wasm' }), 'FETCH');
  await rejectsCode(createMarrow({ wasm: binaryPath('marrow.author.wasm') }), 'ABI');
  // An empty module: valid, but nothing is in it.
  await rejectsCode(createMarrow({ wasm: new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]) }), 'ABI');
});

test('a binary of another ABI version is refused', async () => {
  // (module (memory (export "memory") 1) (func (export "_initialize")) (func (export "abi_version") (result i32) i32.const 99999))
  const text = (/** @type {string} */ name) => [name.length, ...Buffer.from(name)];
  const section = (/** @type {number} */ id, /** @type {number[]} */ ...body) => [id, body.length, ...body];
  const other = new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0,
    ...section(1, 2, 0x60, 0, 0, 0x60, 0, 1, 0x7f),
    ...section(3, 2, 0, 1),
    ...section(5, 1, 0, 1),
    ...section(7, 3, ...text('memory'), 2, 0, ...text('_initialize'), 0, 0, ...text('abi_version'), 0, 1),
    ...section(10, 2, 2, 0, 0x0b, 6, 0, 0x41, 0x9f, 0x8d, 0x06, 0x0b),
  ]);
  await assert.rejects(createMarrow({ wasm: other }), (error) => {
    assert.ok(error instanceof MarrowError);
    assert.equal(error.code, 'ABI');
    assert.match(error.message, /99999/);
    return true;
  });
});

test('limits hold, and the core stays usable', async () => {
  const marrow = await create({ limits: { inputBytes: 200, nodes: 2, jsonDepth: 8 } });
  throwsCode(() => marrow.loadRig2d(`{"sprite":"${'x'.repeat(300)}"}`), 'LIMIT');
  throwsCode(() => marrow.loadRig2d('{"bones":[{},{},{}]}'), 'LIMIT');
  throwsCode(() => marrow.loadRig2d(`${'['.repeat(20)}${']'.repeat(20)}`), 'LIMIT');
  works(marrow);
});

test('out of memory is an error like any other', async () => {
  const marrow = await create({ limits: { memoryBytes: 200000 } });
  const verts = Array.from({ length: 20000 }, (_, index) => [index, index]);
  throwsCode(() => marrow.loadRig2d(JSON.stringify({ mesh: { verts } })), 'NO_MEMORY');
  works(marrow);
});

test('a trap ends the module: every later call says so', async () => {
  const marrow = await create();
  const world = marrow.createWorld();
  // The module never traps by itself, so this one is caused by reading far outside its memory.
  throwsCode(() => marrow.heap.calls.instance_find_node(world.add(marrow.loadRig2d('{"bones":[{"name":"root"}]}')).handle, 0x7ffffff0), 'ABORTED');
  assert.equal(marrow.isDisposed, true);
  throwsCode(() => marrow.createWorld(), 'ABORTED');
  throwsCode(() => world.update(0), 'ABORTED');
  throwsCode(() => marrow.loadRig2d('{}'), 'ABORTED');
  world.dispose();
  marrow.dispose();
});

test('errors carry code, path, line and column', async () => {
  const marrow = await create();
  assert.throws(() => marrow.loadRig2d('{\n  "bones": [,]\n}'), (error) => {
    assert.ok(error instanceof MarrowError);
    assert.equal(error.code, 'BAD_JSON');
    assert.equal(error.line, 2);
    assert.equal(error.column, 13);
    assert.equal(error.offset, 14);
    return true;
  });
  assert.throws(() => marrow.loadRig2d('{\n  "bones": [{}, {"x": "x"}]\n}', { strict: true }), (error) => {
    assert.ok(error instanceof MarrowError);
    assert.equal(error.path, '$.bones[1].x');
    assert.equal(error.line, 2);
    return true;
  });
  assert.deepEqual(marrow.loadRig2d('{"bones": [{}, {"x": "x"}]}').warnings.map(({ path }) => path).includes('$.bones[1].x'), true);
  marrow.dispose();
});

test('two cores know nothing of each other', async () => {
  const [first, second] = [await create(), await create()];
  const model = first.loadRig2d('{"bones":[{"name":"root"}]}');
  throwsCode(() => second.createWorld().add(model), 'BAD_ARGUMENT');
  first.dispose();
  works(second);
});
