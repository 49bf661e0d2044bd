// What a rig names: what is fetched, what may be missing, and what is never looked at.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { MarrowError } from '../../wasm-api/js/index.js';
import { asset, create, readAsset, rejectsCode } from './support.mjs';

const base = 'https://rigs.example/characters/bar/';
const address = `${base}bar.rig2d.json`;
const bar = JSON.parse(readAsset('bar/bar.rig2d.json'));
const [[picture], [clip]] = Object.entries(bar.assets);
const other = 'aaaaaaaa-0000-8000-8000-000000000001';

/**
 * Reads from a table, and notes what was asked for.
 * @param {object} rig
 * @param {Record<string, string | Uint8Array>} [files] by the end of their address
 * @param {string[]} [asked]
 */
function reader(rig, files = {}, asked = []) {
  /** @type {Record<string, string | Uint8Array>} */
  const all = {
    [address]: JSON.stringify(rig), [`${base}bar.png`]: readFileSync(asset('bar/bar.png')), [`${base}bar.anim.json`]: readAsset('bar/bar.anim.json'), ...files,
  };
  /** @param {string} url */
  const read = async (url) => {
    asked.push(url);
    if (all[url] === undefined) {
      throw new MarrowError('FETCH', `nothing at ${url}`);
    }
    return new Uint8Array(Buffer.from(all[url]));
  };
  return { read };
}

/** @param {import('../../wasm-api/js/index.js').Model} model */
function told(model) {
  return model.warnings.map(({ code, path }) => `${code} ${path}`);
}

test('a rig comes with the clips and pictures of its table', async () => {
  const marrow = await create();
  /** @type {string[]} */
  const asked = [];
  const { read } = reader(bar, {}, asked);
  const model = await marrow.load(address, { read });
  assert.deepEqual(told(model), []);
  assert.deepEqual(asked, [address, `${base}bar.anim.json`, `${base}bar.png`]);
  assert.equal(model.images[0]?.width, 64);
  marrow.dispose();
});

test('what is wrong names its file, whichever of the rig\'s files it is', async () => {
  const marrow = await create();
  const asked = { clips: ['more.anim.json'] };
  /** @type {[Record<string, string | Uint8Array>, object, string, string, string][]} */
  const broken = [
    [{ [address]: '{"bones":[{"x":}]}' }, {}, address, 'BAD_JSON', '$.bones[0].x'],
    [{ [`${base}bar.anim.json`]: '{' }, { strict: true }, `${base}bar.anim.json`, 'BAD_JSON', '$'],
    [{ [`${base}more.anim.json`]: '{"tracks":[5,}' }, asked, `${base}more.anim.json`, 'BAD_JSON', '$.tracks[1]'],
    [{ [`${base}bar.png`]: Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0) }, {}, `${base}bar.png`, 'BAD_IMAGE', 'signature'],
  ];
  for (const [files, options, file, code, path] of broken) {
    const error = await rejectsCode(marrow.load(address, { ...options, ...reader(bar, files) }), code);
    assert.equal(error.file, file);
    assert.equal(error.path, path);
    assert.ok(error.message.startsWith(`${file}: `) && !error.message.slice(file.length).includes(file), error.message);
  }
  const missing = await rejectsCode(marrow.load(address, { clips: ['none.anim.json'], ...reader(bar) }), 'FETCH');
  assert.deepEqual([missing.file, missing.message], [`${base}none.anim.json`, `nothing at ${base}none.anim.json`]);
  await rejectsCode(marrow.load(address, { read: /** @type {any} */ (async () => 5) }), 'BAD_ARGUMENT');
  marrow.dispose();
});

test('a clip that only the table names may be missing or broken', async () => {
  const marrow = await create();
  const rig = { ...bar, assets: { ...bar.assets, [other]: 'gone.anim.json' } };
  const model = await marrow.load(address, reader(rig));
  assert.deepEqual(model.clips.map(({ name }) => name), ['sway']);
  assert.deepEqual(told(model), [`FETCH $.assets["${other}"]`]);
  assert.match(model.warnings[0].message, /gone\.anim\.json is left out: nothing at/);
  assert.deepEqual(told(/** @type {any} */ (model.describe())), told(model));
  model.addClip('{"name":"more","tracks":[]}');
  assert.deepEqual(told(model), [`FETCH $.assets["${other}"]`], 'it stays');
  const broken = await marrow.load(address, reader(rig, { [`${base}gone.anim.json`]: '{"tracks":' }));
  assert.deepEqual(told(broken), [`BAD_JSON $.assets["${other}"]`]);
  const rigs = await marrow.load(address, reader(rig, { [`${base}gone.anim.json`]: JSON.stringify(bar) }));
  assert.deepEqual(told(rigs), [`BAD_TYPE $.assets["${other}"]`]);
  const failing = { read: async (/** @type {string} */ url) => (url.endsWith('.anim.json') ? Promise.reject(new TypeError('offline')) : reader(rig).read(url)) };
  assert.deepEqual(told(await marrow.load(address, failing)), [`FETCH $.assets["${clip}"]`, `FETCH $.assets["${other}"]`]);
  marrow.dispose();
});

test('a clip that is asked for must be there', async () => {
  const marrow = await create();
  const rig = { ...bar, assets: { ...bar.assets, [other]: 'gone.anim.json' } };
  (await marrow.load(address, reader(rig))).dispose();
  const before = marrow.memory.used;
  await rejectsCode(marrow.load(address, { ...reader(rig), clips: ['gone.anim.json'] }), 'FETCH');
  await rejectsCode(marrow.load(address, { ...reader(rig), strict: true }), 'FETCH');
  await rejectsCode(marrow.load(address, { ...reader(bar), clips: ['nowhere.anim.json'] }), 'FETCH');
  assert.equal(marrow.memory.used, before, 'nothing is left behind');
  const listing = await create({ manifest: { [bar.id]: { url: address, clips: ['gone.anim.json'] } } });
  await rejectsCode(listing.load(bar.id, reader(rig)), 'FETCH');
  listing.dispose();
  marrow.dispose();
});

test('running out of memory is no missing clip', async () => {
  const marrow = await create({ limits: { memoryBytes: 400000 } });
  const tracks = Array.from({ length: 20000 }, () => ({}));
  await rejectsCode(marrow.load(address, { ...reader(bar, { [`${base}bar.anim.json`]: JSON.stringify({ tracks }) }), images: false }), 'NO_MEMORY');
  marrow.dispose();
});

test('nothing outside the rig\'s folder is fetched', async () => {
  const marrow = await create();
  const inside = ['a.anim.json', './a/b.anim.json', 'a/../b.anim.json', '...anim.json', 'a#b?c%2e.anim.json', 'ü b.anim.json'];
  const outside = ['../a.anim.json', 'a/../../b.anim.json', '/a.anim.json', '//evil.example/a.anim.json', '\\a.anim.json', '..\\a.anim.json',
    'https://evil.example/a.anim.json', 'file:///etc/a.anim.json', 'C:\\a.anim.json', 'c|/a.anim.json', '%2e%2e/a.anim.json', '.%2E/a.anim.json',
    '\t/a.anim.json', ' https://evil.example/a.anim.json', '.\n./a.anim.json', 'a/\\../../../b.anim.json'];
  for (const path of [...inside, ...outside]) {
    for (const sprite of [false, true]) {
      /** @type {string[]} */
      const asked = [];
      const { read } = reader(sprite ? { ...bar, sprite: path, assets: {} } : { ...bar, assets: { [other]: path } }, {}, asked);
      const model = await marrow.load(address, { read, images: sprite ? 'optional' : false });
      const isOutside = outside.includes(path);
      assert.equal(asked.length, isOutside ? 1 : 2, `${path}: ${asked}`);
      asked.forEach((url) => assert.ok(new URL(url).href.startsWith(base), url));
      // The core says so, and it alone.
      assert.equal(model.warnings.some(({ message }) => /leads out of the rig's folder/.test(message)), isOutside, path);
      model.dispose();
    }
  }
  marrow.dispose();
});

test('the manifest may name files anywhere', async () => {
  const marrow = await create({ manifest: { [picture]: 'https://pages.example/p.png', [clip]: 'https://clips.example/c.anim.json' } });
  /** @type {string[]} */
  const asked = [];
  const { read } = reader({ ...bar, assets: { [picture]: '../x.png', [clip]: '../x.anim.json' } }, {
    'https://pages.example/p.png': readFileSync(asset('bar/bar.png')), 'https://clips.example/c.anim.json': readAsset('bar/bar.anim.json'),
  }, asked);
  const model = await marrow.load(address, { read });
  assert.deepEqual(asked.slice(1), ['https://clips.example/c.anim.json', 'https://pages.example/p.png']);
  assert.deepEqual(model.clips.map(({ name }) => name), ['sway']);
  marrow.dispose();
});

test('a picture that cannot be read is an error, or left out', async () => {
  const marrow = await create();
  const rig = { ...bar, assets: { [picture]: 'spoilt.png' } };
  const files = { [`${base}spoilt.png`]: readFileSync(asset('bar/bar.png')).subarray(0, 60) };
  await rejectsCode(marrow.load(address, reader(rig)), 'FETCH');
  await rejectsCode(marrow.load(address, reader(rig, files)), 'BAD_IMAGE');
  assert.deepEqual(told(await marrow.load(address, { ...reader(rig), images: 'optional' })), [`FETCH $.assets["${picture}"]`]);
  assert.deepEqual(told(await marrow.load(address, { ...reader(rig, files), images: 'optional' })), [`BAD_IMAGE $.assets["${picture}"]`]);
  marrow.dispose();
});

test('a manifest whose numbers make no sense is refused, by entry', async () => {
  const url = 'p.png';
  const rect = { x: 0, y: 0, width: 4, height: 4 };
  /** @type {[any, RegExp][]} */
  const bad = [
    [{ url: 7 }, /no url/], [null, /no url/],
    [{ url, rect: { ...rect, width: -4 } }, /"rect" needs/], [{ url, rect: { ...rect, x: NaN } }, /"rect"/], [{ url, rect: { width: 4, height: 4 } }, /"rect"/],
    [{ url, rect: null }, /"rect"/], [{ url, trim: { ...rect, height: 0 } }, /"trim"/], [{ url, size: { width: -1, height: 4 } }, /"size"/],
    [{ url, size: { width: Infinity, height: 4 } }, /"size"/], [{ url, clips: 'a.anim.json' }, /"clips"/], [{ url, clips: [7] }, /"clips"/],
  ];
  const marrow = await create();
  for (const [entry, message] of bad) {
    assert.throws(() => marrow.assets.add({ [other]: entry }), (error) => {
      assert.ok(error instanceof MarrowError && error.code === 'BAD_ARGUMENT', String(error));
      assert.match(error.message, message);
      assert.ok(error.message.includes(other));
      return true;
    });
    assert.equal(marrow.assets.entry(other), null);
  }
  marrow.assets.add({ [other]: { url, rect, trim: rect, size: { width: 8, height: 8 }, clips: [] } });
  marrow.dispose();
});
