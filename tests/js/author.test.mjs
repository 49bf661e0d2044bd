// Authoring beyond the reference values: files, pictures, GUIDs, and what is asked wrongly.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { PNG } from 'pngjs';
import { alphaMask, autoRig, autoWeights, billboard, canonical, curves, decodePng, drawInstance, edit, encodePng, frameUVs, generateGrid, guidOf, isGuid, paint,
  prefab, ready } from '../../wasm-api/js/author.js';
import { authorHeap } from '../../wasm-api/js/author/core.js';
import { asset, binaryPath, create, near, readAsset, throwsCode } from './support.mjs';

const marrow = await create();
const bar = readAsset('bar/bar.rig2d.json');

/**
 * What a program prints that sees another file in the place of the authoring binary.
 * @param {string} binary
 * @param {string} program
 */
function runWith(binary, program) {
  const script = `
    import { readFileSync } from 'node:fs';
    const promises = process.getBuiltinModule('node:fs/promises');
    const { readFile } = promises;
    promises.readFile = (file, ...rest) => readFile(String(file).endsWith('marrow.author.wasm') ? ${JSON.stringify(binary)} : file, ...rest);
    const { guidOf, ready } = await import('../../wasm-api/js/author.js');
    ${program}`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8', cwd: import.meta.dirname });
  return `${stdout}${stderr}`;
}

test('a host that keeps the binary elsewhere says where it is', () => {
  const place = JSON.stringify(binaryPath('marrow.author.wasm'));
  const attempt = "try { console.log(guidOf('').length); } catch (error) { console.log(error.name, error.code, /ready/.test(error.message)); }";
  assert.equal(runWith('/no/such/file.wasm', `${attempt} await ready({ wasm: readFileSync(${place}) }); ${attempt}`), 'MarrowError FETCH true\n36\n');
  assert.equal(runWith('/no/such/file.wasm', `await ready().catch(({ code }) => console.log(code)); ${attempt}`), 'FETCH\nMarrowError FETCH true\n');
  assert.equal(runWith(binaryPath('marrow.wasm'), attempt), 'MarrowError ABI true\n', 'the player cannot author');
});

test('ready gives other limits, and a new core after a trap', async () => {
  await ready({ limits: { imagePixels: 4 } });
  throwsCode(() => decodePng(readFileSync(asset('bar/bar.png'))), 'LIMIT');
  await ready({ limits: {} });
  assert.equal(decodePng(readFileSync(asset('bar/bar.png'))).width, 64);
  // The module never traps by itself, so this one is caused by reading far outside its memory.
  throwsCode(() => authorHeap().calls.is_guid(0x7ffffff0), 'ABORTED');
  throwsCode(() => guidOf(''), 'ABORTED');
  await ready();
  assert.equal(guidOf('').length, 36);
});

test('a GUID is made from the first bits of the SHA-256', () => {
  for (const text of ['', 'abc', 'x'.repeat(1000)]) {
    const digest = createHash('sha256').update(text).digest();
    digest[6] = (digest[6] & 0x0f) | 0x80;
    digest[8] = (digest[8] & 0x3f) | 0x80;
    const hex = digest.toString('hex', 0, 16);
    assert.equal(guidOf(text), [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-'));
  }
  assert.deepEqual([isGuid(guidOf('')), isGuid(''), isGuid('bar.png'), isGuid(`${guidOf('')}0`)], [true, false, false, false]);
});

test('PNG in and out, as another reader sees it', () => {
  const data = Uint8Array.from({ length: 7 * 5 * 4 }, (_, index) => (index * 37) % 256);
  const bytes = encodePng({ width: 7, height: 5, data });
  assert.deepEqual(Uint8Array.from(PNG.sync.read(Buffer.from(bytes)).data), data);
  assert.deepEqual(decodePng(bytes), { width: 7, height: 5, data });
  throwsCode(() => decodePng(bytes.subarray(0, 30)), 'BAD_IMAGE');
  throwsCode(() => encodePng({ width: 7, height: 5, data: data.subarray(1) }), 'BAD_ARGUMENT');
});

test('a mask is where the picture covers', () => {
  const data = new Uint8Array(4 * 2 * 4);
  [[0, 9], [3, 8], [5, 255]].forEach(([pixel, alpha]) => { data[pixel * 4 + 3] = alpha; });
  assert.deepEqual(alphaMask({ width: 4, height: 2, data }), { width: 4, height: 2, inside: Uint8Array.of(1, 0, 0, 0, 0, 1, 0, 0) });
  assert.deepEqual([...alphaMask({ width: 4, height: 2, data }, 7).inside], [1, 0, 0, 1, 0, 1, 0, 0]);
  const large = alphaMask({ width: 512, height: 100, data: new Uint8Array(512 * 100 * 4).fill(255) });
  assert.deepEqual([large.width, large.height, large.inside.every((cell) => cell === 1)], [256, 50, true]);
});

test('pixels must be as many as the sizes say', () => {
  throwsCode(() => alphaMask({ width: 4, height: 2, data: new Uint8Array(31) }), 'BAD_ARGUMENT');
});

test('what autoRig makes can be read, and bends', () => {
  const image = decodePng(readFileSync(asset('bar/bar.png')));
  const rig = autoRig({ width: image.width, height: image.height, sprite: guidOf('a'), id: guidOf('b'), mask: alphaMask(image) });
  const model = marrow.loadRig2d(JSON.stringify(rig), { strict: true });
  assert.deepEqual(model.warnings, []);
  const world = marrow.createWorld();
  const hero = world.add(model);
  hero.bone('bone1').rotation = 1;
  world.update(0);
  assert.ok(hero.bounds.maxX - hero.bounds.minX > 70);
  world.dispose();
  model.dispose();
});

test('canonical text is stable, keeps what it does not know, and tells repairs', () => {
  const { text, warnings } = canonical('rig2d', bar);
  assert.deepEqual(warnings, []);
  assert.equal(canonical('rig2d', text).text, text);
  assert.deepEqual(JSON.parse(text), JSON.parse(bar));
  const odd = canonical('rig2d', '{"bones":[{"x":"12","colour":"red"}],"mine":[1,{"a":null}]}');
  assert.deepEqual(JSON.parse(odd.text).mine, [1, { a: null }]);
  assert.equal(JSON.parse(odd.text).bones[0].colour, 'red');
  assert.equal(JSON.parse(odd.text).bones[0].x, 12);
  assert.ok(odd.warnings.some(({ path }) => path === '$.bones[0].x'));
  throwsCode(() => canonical('rig2d', '{"bones":[{"x":"12"}]}', { strict: true }), 'BAD_TYPE');
  const clip = canonical('anim', readAsset('bar/bar.anim.json'));
  assert.deepEqual(JSON.parse(clip.text), JSON.parse(readAsset('bar/bar.anim.json')));
});

test('a removed bone takes its weights in every part, and leaves its child in place', () => {
  const part = (/** @type {string} */ name) => ({ name, mesh: { verts: [[0, 0], [1, 1]], uvs: [[0, 0], [1, 1]], tris: [] }, skinIndices: [0, 1, 2, 0, 2, 0, 0, 0], skinWeights: [0.25, 0.5, 0.25, 0, 1, 0, 0, 0] });
  const rig = {
    version: 2,
    bones: [{ name: 'a', parent: -1, x: 0, y: 0, rot: 0 }, { name: 'b', parent: 0, x: 10, y: 0, rot: 0 }, { name: 'c', parent: 1, x: 5, y: 1, rot: 0 }],
    parts: [part('one'), part('two')],
  };
  const result = edit.removeBone(rig, 1);
  assert.deepEqual(result.bones?.map(({ name, parent, x, y }) => [name, parent, x, y]), [['a', -1, 0, 0], ['c', 0, 15, 1]]);
  for (const each of result.parts ?? []) {
    const weights = new Map();
    (each.skinIndices ?? []).slice(0, 4).forEach((bone, slot) => weights.set(bone, (weights.get(bone) ?? 0) + (each.skinWeights?.[slot] ?? 0)));
    near([weights.get(0), weights.get(1)], [0.75, 0.25], 1e-6, 'weights');
  }
  assert.equal('skinIndices' in result, false, 'no stray arrays at the top');
  assert.equal(edit.removeBone(rig, 9), rig);
  assert.equal(edit.renameBone(rig, 0, '  '), rig);
  assert.equal(edit.renameBone(rig, 0, ' hip ').bones?.[0].name, 'hip');
  assert.deepEqual(edit.setBone(rig, 0, { x: 1, y: 2, rot: 3 }).bones?.[0], { name: 'a', parent: -1, x: 1, y: 2, rot: 3 });
});

test('a prefab names the rig and every bone', () => {
  const made = JSON.stringify(prefab(JSON.parse(bar), { name: 'Bar', guid: guidOf('p') }));
  for (const word of ['"Bar"', guidOf('p'), JSON.parse(bar).id, '"base"', '"mid"', '"tip"']) {
    assert.ok(made.includes(word), word);
  }
  const { id, ...nameless } = JSON.parse(bar);
  assert.ok(id);
  throwsCode(() => prefab(nameless, { name: 'Bar', guid: guidOf('p') }), 'BAD_REFERENCE');
});

test('keys keep what the core does not know', () => {
  const keys = [{ t: 0, v: 0, note: 'mine' }, { t: 1, v: 10 }];
  const { keys: more, index } = curves.insert(keys, 0.5, 4);
  assert.equal(index, 1);
  assert.deepEqual(more.map(({ t, v }) => [t, v]), [[0, 0], [0.5, 4], [1, 10]]);
  assert.equal(/** @type {any} */ (more[0]).note, 'mine');
  assert.deepEqual(keys.map(({ t }) => t), [0, 1], 'the input stays');
  assert.equal(curves.insert(more, 0.50005, 5).keys.length, 3);
  const held = curves.setMode(more, 0, 'constant');
  assert.equal(held[0].outTangent, Infinity);
  assert.equal(curves.sample(held, 0.49), 0);
  assert.equal(curves.sample(JSON.parse(JSON.stringify(held)), 0.49), 0, 'also after JSON wrote null for it');
  assert.equal(curves.sample([{ t: 0, v: 0xff0000 }, { t: 1, v: 0x0000ff }], 0.5, 'color'), 0x800080);
  throwsCode(() => curves.setMode(keys, 5, 'auto'), 'BAD_ARGUMENT');
  throwsCode(() => curves.setMode(keys, 0, /** @type {any} */ ('wavy')), 'BAD_ARGUMENT');
});

test('uvs of a rotated and of a trimmed frame', () => {
  // A 20 x 10 picture, stored turned clockwise as 10 x 20 at (100, 0): its top left is the stored top right.
  const turned = { x: 100, y: 0, width: 10, height: 20, pageWidth: 200, pageHeight: 100, rotated: true };
  near(frameUVs([0, 0, 1, 0, 0, 1], turned), [0.55, 0, 0.55, 0.2, 0.5, 0], 1e-6, 'rotated');
  const trimmed = { x: 10, y: 20, width: 10, height: 10, pageWidth: 100, pageHeight: 100, trim: { x: 5, y: 5, width: 20, height: 20 } };
  near(frameUVs([0.25, 0.25, 0.75, 0.75], trimmed), [0.1, 0.2, 0.2, 0.3], 1e-6, 'trimmed');
  near(frameUVs([0.5, 0.25], null), [0.5, 0.25], 0, 'whole');
});

test('an instance is drawn without a renderer', () => {
  const model = marrow.loadRig2d(bar);
  model.setImage(model.sprites[0].guid, decodePng(readFileSync(asset('bar/bar.png'))));
  const world = marrow.createWorld();
  const hero = world.add(model);
  world.update(0);
  const drawn = drawInstance(hero, { width: 64, height: 256, matrix: [1, 0, 0, 1, 32, 128], background: 0x000000ff });
  const source = decodePng(readFileSync(asset('bar/bar.png')));
  near(drawn.data.subarray(64 * 4 * 100, 64 * 4 * 101), source.data.subarray(64 * 4 * 100, 64 * 4 * 101), 1, 'row 100');
  world.dispose();
  model.dispose();
});

test('what is asked wrongly is refused', () => {
  throwsCode(() => paint({ verts: [[0, 0]], skinIndices: [0], skinWeights: [1], bone: 0, center: [0, 0], radius: 1, strength: 1 }), 'BAD_ARGUMENT');
  throwsCode(() => billboard.place({ mode: /** @type {any} */ ('sideways') }), 'BAD_ARGUMENT');
  assert.deepEqual(autoWeights([], []), { skinIndices: [], skinWeights: [] });
  assert.deepEqual(generateGrid({ width: 10, height: 10, columns: 1, rows: 1, mask: { width: 1, height: 1, inside: Uint8Array.of(0) } }), { verts: [], uvs: [], tris: [] });
});
