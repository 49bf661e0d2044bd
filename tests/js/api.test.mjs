// Models, worlds, instances, parts and views, with numbers worked out by hand on the bar:
//
//      -128  +---+---+      tip hangs on mid, mid on base; mid's joint is (0, 0), tip's (0, -128)
//            |   |   |
//         0  +  mid  +      three columns at x -32, 0, 32; nine rows from -128 to 128
//            |   |   |
//       128  +-base--+
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asset, create, inFileOrder, near, readAsset, throwsCode } from './support.mjs';

const marrow = await create();
const bar = readAsset('bar/bar.rig2d.json');

function stage() {
  const model = marrow.loadRig2d(bar);
  const world = marrow.createWorld();
  const hero = world.add(model, { name: 'bar' });
  world.update(0);
  return { model, world, hero };
}

/** @param {import('marrow2d').Instance} hero */
const points = (hero) => inFileOrder(hero.parts[0], hero.parts[0].positions);

test('at bind every vertex rests', () => {
  const { model, hero } = stage();
  const verts = JSON.parse(bar).mesh.verts.flat();
  assert.equal(hero.parts[0].vertexCount, 27);
  near(points(hero), verts, 0, 'positions');
  assert.deepEqual(hero.bindBounds, { minX: -32, minY: -128, maxX: 32, maxY: 128 });
  assert.deepEqual(model.bounds, { minX: -32, minY: -128, maxX: 32, maxY: 128 });
  model.dispose();
});

test('a quarter turn of mid, worked out by hand', () => {
  const { model, world, hero } = stage();
  hero.bone('mid').rotation = Math.PI / 2;
  world.update(0);
  // (x, y) turns to (-y, x) about (0, 0); vertex 0..2 follow the tip alone, 12..14 base and mid alike, 24..26 the base.
  const posed = points(hero);
  near(posed.slice(0, 6), [128, -32, 128, 0, 128, 32], 1e-4, 'top row');
  near(posed.slice(24, 30), [-16, -16, 0, 0, 16, 16], 1e-4, 'middle row');
  near(posed.slice(48, 54), [-32, 128, 0, 128, 32, 128], 1e-4, 'bottom row');
  near(hero.bone('tip').matrix, [0, 1, -1, 0, 128, 0], 1e-4, 'tip');
  model.dispose();
});

test('views are the same objects until something moves', () => {
  const { model, world, hero } = stage();
  const { positions, uvs, indices, runs } = hero;
  const matrix = hero.bone('mid').matrix;
  hero.bone('mid').rotation = 0.3;
  world.update(1 / 60);
  assert.equal(hero.positions, positions);
  assert.equal(hero.uvs, uvs);
  assert.equal(hero.indices, indices);
  assert.equal(hero.runs, runs);
  assert.equal(hero.bone('mid').matrix, matrix);
  assert.equal(hero.bone('mid'), hero.bone('mid'));
  assert.equal(hero.parts[0], hero.part('main'));
  model.dispose();
});

test('runs and indices name the vertices of the parts', () => {
  const { model, hero } = stage();
  assert.equal(hero.runs.length, 1);
  const [run] = hero.runs;
  assert.equal(run.indexCount, 96);
  assert.deepEqual({ page: run.page, blend: run.blend, color: run.color, opacity: run.opacity, parts: run.partCount },
    { page: 0, blend: 'normal', color: 0xffffff, opacity: 1, parts: 1 });
  const { tris } = JSON.parse(bar).mesh;
  const map = hero.parts[0].vertexMap;
  const inFile = Array.from(hero.indices.subarray(run.firstIndex, run.firstIndex + run.indexCount), (vertex) => map[vertex - hero.parts[0].firstVertex]);
  assert.deepEqual(inFile, tris);
  model.dispose();
});

test('an idle update changes nothing', () => {
  const { model, world, hero } = stage();
  world.update(1);
  const versions = () => [hero.version, hero.structureVersion, hero.poseVersion, hero.viewVersion];
  const before = versions();
  for (let frame = 0; frame < 10; frame += 1) {
    world.update(1 / 60);
    assert.equal(world.verticesWritten, 0);
    assert.equal(world.instancesSkinned, 0);
    assert.deepEqual(world.changed, []);
  }
  assert.deepEqual(versions(), before);
  hero.bone('mid').rotation = hero.bone('mid').rotation;
  world.update(1 / 60);
  assert.deepEqual(versions(), before, 'the same value is no change');
  hero.bone('mid').rotation = 0.1;
  world.update(1 / 60);
  assert.deepEqual(world.changed, [hero]);
  assert.ok(hero.version > before[0]);
  assert.ok(world.verticesWritten > 0);
  model.dispose();
});

test('a time step must be a number of at least 0', () => {
  const { model, world } = stage();
  for (const dt of [-0.1, NaN, Infinity]) {
    throwsCode(() => world.update(dt), 'BAD_ARGUMENT');
  }
  const { time } = world;
  world.update(100000);
  assert.equal(world.time, time + 100000);
  model.dispose();
});

test('values that are no numbers are refused before they do harm', () => {
  const { model, world, hero } = stage();
  for (const value of [NaN, Infinity, 1e39, /** @type {any} */ ('a'), /** @type {any} */ (undefined)]) {
    throwsCode(() => { hero.bone('mid').x = value; }, 'BAD_ARGUMENT');
    throwsCode(() => { hero.x = value; }, 'BAD_ARGUMENT');
    throwsCode(() => hero.bone('mid').override({ x: Number(value) }), 'BAD_ARGUMENT');
    throwsCode(() => { hero.view.opacity = value; }, 'BAD_ARGUMENT');
  }
  world.update(0);
  assert.deepEqual(points(hero), JSON.parse(bar).mesh.verts.flat());
  model.dispose();
});

test('bounds follow the pose', () => {
  const { model, world, hero } = stage();
  assert.deepEqual([hero.bounds.minX, hero.bounds.minY, hero.bounds.maxX, hero.bounds.maxY], [-32, -128, 32, 128]);
  assert.deepEqual([hero.bounds.centerX, hero.bounds.centerY, hero.bounds.empty], [0, 0, false]);
  near([hero.bounds.radius], [Math.hypot(32, 128)], 1e-3, 'radius');
  assert.equal(hero.bounds, hero.bounds, 'kept while nothing changes');
  hero.bone('base').x = 10;
  world.update(0);
  assert.equal(hero.bounds.minX, -22);
  assert.equal(hero.part('main').bounds.maxX, 42);
  hero.part('main').visible = false;
  world.update(0);
  assert.equal(hero.bounds.empty, true);
  model.dispose();
});

test('a hit names part, triangle and uv; pixels decide when they are known', () => {
  const { model, hero } = stage();
  const hit = hero.hitTest(0, 0);
  assert.equal(hit?.part, hero.part('main'));
  near([hit?.u ?? NaN, hit?.v ?? NaN, hit?.alpha ?? NaN], [0.5, 0.5, 1], 1e-5, 'hit');
  assert.equal(hero.hitTest(33, 0), null);
  // Left half transparent.
  model.setImage(model.sprites[0].guid, { width: 2, height: 1, data: Uint8Array.of(255, 255, 255, 0, 255, 255, 255, 255) });
  assert.equal(hero.hitTest(-20, 0), null);
  assert.equal(hero.hitTest(20, 0)?.alpha, 1);
  model.setImage(model.sprites[0].guid, null);
  assert.equal(hero.hitTest(-20, 0)?.alpha, 1);
  throwsCode(() => model.setImage(model.sprites[0].guid, { width: 2, height: 2, data: new Uint8Array(3) }), 'BAD_ARGUMENT');
  throwsCode(() => model.setImage('no such sprite', null), 'NOT_FOUND');
  model.dispose();
});

test('what a view reads: base and shown', () => {
  const { model, world, hero } = stage();
  assert.deepEqual([hero.view.color, hero.view.opacity, hero.view.flipX, hero.view.flipY, hero.view.visible], [0xffffff, 1, false, false, true]);
  assert.deepEqual([hero.view.mode, hero.view.anchor, hero.view.pixelsPerUnit, hero.view.alphaTest], ['cylindrical', 'bottom', 100, 0.5]);
  const { viewVersion } = hero;
  Object.assign(hero.view, { color: 0x336699, opacity: 0.5, flipX: true, visible: false, mode: 'flat', anchor: 'center' });
  world.update(0);
  assert.deepEqual([hero.shown.color, hero.shown.opacity, hero.shown.flipX, hero.shown.visible, hero.shown.mode, hero.shown.anchor],
    [0x336699, 0.5, true, false, 'flat', 'center']);
  assert.ok(hero.viewVersion > viewVersion);
  throwsCode(() => { hero.view.mode = /** @type {any} */ ('upside down'); }, 'BAD_ARGUMENT');
  model.dispose();
});

const two = JSON.stringify({
  bones: [{ name: 'root' }],
  parts: ['a', 'b', 'c'].map((name, index) => ({
    name, sprite: name, order: index, mesh: { verts: [[0, 0], [1, 0], [0, 1]], uvs: [[0, 0], [1, 0], [0, 1]], tris: [0, 1, 2] },
    skinIndices: new Array(12).fill(0), skinWeights: [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0],
  })),
});

test('parts can be hidden, tinted and given another picture', () => {
  const model = marrow.loadRig2d(two);
  const world = marrow.createWorld();
  const hero = world.add(model);
  world.update(0);
  assert.deepEqual(hero.runs.map(({ page }) => page), [0, 1, 2]);
  const { structureVersion } = hero;
  hero.part('b').visible = false;
  hero.part('c').color = 0xff0000;
  hero.part('c').opacity = 0.25;
  world.update(0);
  assert.ok(hero.structureVersion > structureVersion);
  assert.deepEqual(hero.runs.map(({ page, color, opacity }) => [page, color, opacity]), [[0, 0xffffff, 1], [2, 0xff0000, 0.25]]);
  assert.deepEqual([hero.part('b').visible, hero.part('c').color, hero.part('c').opacity], [false, 0xff0000, 0.25]);
  const colored = [hero.structureVersion, hero.colorVersion];
  hero.part('c').opacity = 0.75;
  world.update(0);
  assert.deepEqual([hero.structureVersion, hero.colorVersion], [colored[0], colored[1] + 1], 'colors alone are no structure');
  assert.equal(hero.runs[1].opacity, 0.75);
  hero.part('c').sprite = 'a';
  hero.part('c').color = 0xffffff;
  hero.part('c').opacity = 1;
  world.update(0);
  assert.equal(hero.part('c').sprite, 'a');
  assert.deepEqual(hero.runs.map(({ page, partCount }) => [page, partCount]), [[0, 1], [0, 1]].slice(0, hero.runs.length));
  throwsCode(() => { hero.part('c').sprite = 'z'; }, 'NOT_FOUND');
  throwsCode(() => hero.part('z'), 'NOT_FOUND');
  model.dispose();
});

test('sprites on one page are one run, and their uvs lie on it', () => {
  const model = marrow.loadRig2d(two);
  const world = marrow.createWorld();
  const hero = world.add(model);
  world.update(0);
  const { structureVersion } = hero;
  ['a', 'b', 'c'].forEach((sprite, index) => model.setFrame(sprite, { page: 0, pageWidth: 400, pageHeight: 100, x: index * 100, y: 50, width: 100, height: 50 }));
  world.update(0);
  assert.ok(hero.structureVersion > structureVersion);
  assert.equal(hero.runs.length, 1);
  near(inFileOrder(hero.part('b'), hero.part('b').uvs), [0.25, 0.5, 0.5, 0.5, 0.25, 1], 1e-6, 'uvs');
  model.dispose();
});

test('deform offsets are in the file\'s order, and missing ones count as 0', () => {
  const { model, world, hero } = stage();
  hero.setDeform('main', [5, 6]);
  world.update(0);
  near(points(hero).slice(0, 4), [-27, -122, 0, -128], 1e-5, 'moved');
  const { version } = hero;
  hero.setDeform('main', Float32Array.of(5, 6));
  world.update(0);
  assert.equal(hero.version, version, 'the same offsets are no change');
  hero.setDeform('main', null);
  world.update(0);
  near(points(hero).slice(0, 2), [-32, -128], 0, 'back');
  model.dispose();
});

test('an inactive instance keeps time but is not skinned', () => {
  const { model, world, hero } = stage();
  model.addClip(readAsset('bar/bar.anim.json'));
  hero.play('sway');
  world.update(0.25);
  const before = Array.from(hero.positions);
  hero.active = false;
  world.update(0.5);
  assert.equal(hero.time, 0.75);
  assert.deepEqual(Array.from(hero.positions), before);
  hero.active = true;
  world.update(0);
  assert.notDeepEqual(Array.from(hero.positions), before);
  model.dispose();
});

test('the root transform shows in the matrix, never in the vertices', () => {
  const { model, world, hero } = stage();
  hero.place({ x: 10, y: 20, rotation: Math.PI / 2, scaleX: 2, scaleY: 3 });
  world.update(0);
  near(hero.matrix, [0, 2, -3, 0, 10, 20], 1e-5, 'matrix');
  assert.deepEqual([hero.x, hero.y, hero.scaleX, hero.scaleY], [10, 20, 2, 3]);
  near(points(hero), JSON.parse(bar).mesh.verts.flat(), 0, 'positions');
  model.dispose();
});

test('a snapshot brings everything back', () => {
  const { model, world, hero } = stage();
  model.addClip(readAsset('bar/bar.anim.json'));
  hero.play('sway');
  hero.bone('base').x = 7;
  hero.part('main').opacity = 0.5;
  world.update(0.4);
  const [bytes, then] = [world.snapshot(), Array.from(hero.positions)];
  hero.stop();
  hero.bone('base').x = -50;
  hero.part('main').opacity = 1;
  world.update(1);
  const { version } = hero;
  world.restore(bytes);
  world.update(0);
  assert.deepEqual(Array.from(hero.positions), then);
  assert.deepEqual([hero.clip, hero.part('main').opacity, hero.bone('base').x], ['sway', 0.5, 7]);
  near([hero.time], [0.4], 1e-6, 'time');
  assert.ok(hero.version > version, 'versions keep rising');
  throwsCode(() => world.restore(bytes.subarray(0, bytes.length - 1)), 'BAD_VALUE');
  throwsCode(() => world.restore(new Uint8Array(0)), 'BAD_VALUE');
  world.add(model);
  throwsCode(() => world.restore(bytes), 'BAD_VALUE');
  model.dispose();
});

test('two worlds do not share time', () => {
  const { model, world, hero } = stage();
  model.addClip(readAsset('bar/bar.anim.json'));
  const other = marrow.createWorld();
  const twin = other.add(model);
  hero.play('sway');
  twin.play('sway');
  world.update(0.5);
  other.update(0.1);
  assert.deepEqual([hero.time, twin.time], [0.5, 0.1]);
  model.dispose();
  assert.deepEqual([world.instances, other.instances], [[], []]);
});

test('a clip of the same name takes the place of the old one', () => {
  const { model, world, hero } = stage();
  const text = readAsset('bar/bar.anim.json');
  assert.equal(model.addClip(text), 'sway');
  hero.play('sway');
  world.update(0.5);
  const before = hero.bone('mid').local.rotation;
  const clip = JSON.parse(text);
  clip.tracks[0].keys[1].v = -1;
  model.addClip(JSON.stringify(clip));
  assert.equal(model.clips.length, 1);
  world.update(0);
  near([before, hero.bone('mid').local.rotation], [0.35, -1], 1e-5, 'value at the key');
  model.dispose();
});

test('load reads the rig, its clips and its pictures', async () => {
  const model = await marrow.load(asset('bar/bar.rig2d.json'));
  assert.deepEqual(model.clips.map(({ name }) => name), ['sway']);
  assert.deepEqual(model.images.map((image) => [image?.width, image?.height]), [[64, 256]]);
  assert.match(model.images[0]?.url ?? '', /bar\.png$/);
  assert.deepEqual(model.warnings, []);
  model.dispose();
});
