// Clips: playing, fading, layers, events, late and replaced models.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, near, readAsset, throwsCode } from './support.mjs';

const marrow = await create();
const bar = readAsset('bar/bar.rig2d.json');
const linear = (/** @type {number[][]} */ points) => points.map(([t, v], index) => {
  const slope = (/** @type {number[]} */ a, /** @type {number[]} */ b) => (a === undefined || b === undefined ? 0 : (b[1] - a[1]) / (b[0] - a[0]));
  return { t, v, inTangent: slope(points[index - 1], points[index]), outTangent: slope(points[index], points[index + 1]) };
});

/** A clip that turns `path` evenly from 0 to `angle` in `duration`. */
const turn = (/** @type {string} */ name, /** @type {string} */ path, /** @type {number} */ angle, /** @type {number} */ duration, /** @type {object} */ more = {}) => JSON.stringify({
  name, duration, loop: true, ...more,
  tracks: [{ path, trait: 'Transform', field: 'rz', type: 'number', keys: linear([[0, 0], [duration, angle]]) }],
});

/** @param {string[]} clips */
function stage(...clips) {
  const model = marrow.loadRig2d(bar);
  clips.forEach((clip) => model.addClip(clip));
  const world = marrow.createWorld();
  const hero = world.add(model);
  return { model, world, hero, mid: hero.bone('mid') };
}

test('play, pause, seek, speed, stop', () => {
  const { model, world, hero, mid } = stage(turn('walk', 'base/mid', 1, 2));
  assert.deepEqual([hero.clip, hero.playing, hero.time], [null, false, 0]);
  hero.play('walk');
  world.update(0.5);
  assert.deepEqual([hero.clip, hero.playing, hero.time], ['walk', true, 0.5]);
  near([mid.local.rotation], [0.25], 1e-6, 'a quarter in');
  hero.pause();
  world.update(1);
  assert.deepEqual([hero.time, hero.playing], [0.5, false]);
  hero.resume().setSpeed(2);
  world.update(0.5);
  assert.equal(hero.time, 1.5);
  hero.seek(0.2);
  world.update(0);
  near([mid.local.rotation], [0.1], 1e-6, 'sought');
  hero.stop();
  world.update(0);
  assert.deepEqual([hero.clip, mid.local.rotation], [null, 0]);
  throwsCode(() => hero.play('run'), 'NOT_FOUND');
  throwsCode(() => hero.play(7), 'NOT_FOUND');
  assert.throws(() => hero.seek(1), { code: 'NOT_FOUND', message: 'seek: no clip plays' });
  assert.throws(() => hero.setSpeed(1), { code: 'NOT_FOUND', message: 'setSpeed: no clip plays' });
  model.dispose();
});

test('a clip loops, or holds its last frame', () => {
  const { model, world, hero, mid } = stage(turn('walk', 'base/mid', 1, 2));
  hero.play('walk');
  world.update(2.5);
  assert.equal(hero.time, 0.5);
  hero.play('walk', { loop: false });
  world.update(2.5);
  assert.equal(hero.time, 2);
  near([mid.local.rotation], [1], 1e-6, 'held');
  hero.play('walk', { loop: false, speed: -1 });
  world.update(0.5);
  near([hero.time, mid.local.rotation], [1.5, 0.75], 1e-6, 'backwards from the end');
  model.dispose();
});

test('a fade goes from what is seen to the new clip', () => {
  const { model, world, hero, mid } = stage(turn('still', 'base/mid', 0, 1), turn('bent', 'base/mid', 0, 1).replaceAll('"v":0', '"v":1'));
  hero.play('still');
  world.update(0.1);
  hero.play('bent', { fade: 1 });
  world.update(0.25);
  near([mid.local.rotation], [0.25], 1e-5, 'a quarter faded');
  hero.play('still', { fade: 1 });
  world.update(0);
  near([mid.local.rotation], [0.25], 1e-5, 'no pop');
  world.update(0.5);
  near([mid.local.rotation], [0.125], 1e-5, 'half way back from a quarter');
  world.update(2);
  assert.equal(mid.local.rotation, 0);
  model.dispose();
});

test('layers replace or add, with weight and mask', () => {
  const { model, world, hero, mid } = stage(
    turn('walk', 'base/mid', 1, 1),
    JSON.stringify({
      name: 'wave',
      duration: 1,
      tracks: ['base/mid', 'base/mid/tip'].map((path) => ({ path, trait: 'Transform', field: 'rz', type: 'number', keys: linear([[0, 0.5], [1, 0.9]]) })),
    }));
  const tip = hero.bone('tip');
  hero.play('walk', { speed: 0 }).seek(0.5);
  hero.layer('arm', { clip: 'wave', mask: ['tip'], speed: 0 });
  world.update(0);
  near([mid.local.rotation, tip.local.rotation], [0.5, 0.5], 1e-5, 'the mask keeps mid');
  hero.layer('arm', { weight: 0.5 });
  world.update(0);
  near([tip.local.rotation], [0.25], 1e-5, 'half');
  hero.clearLayer('arm');
  hero.layer('add', { clip: 'wave', additive: true, loop: false });
  world.update(1);
  near([mid.local.rotation, tip.local.rotation], [0.9, 0.4], 1e-5, 'difference from the first frame');
  throwsCode(() => hero.layer('nobody', { weight: 1 }), 'NOT_FOUND');
  throwsCode(() => hero.layer('x', { clip: 'wave', mask: ['nobody'] }), 'NOT_FOUND');
  assert.throws(() => hero.layer('q', { weight: 1 }), { code: 'NOT_FOUND', message: 'layer "q": nothing has that name' });
  assert.throws(() => hero.clearLayer('nope'), { code: 'NOT_FOUND', message: 'layer "nope": nothing has that name' });
  for (let index = 0; index < 255; index += 1) {
    hero.layer(`l${index}`, { clip: 'wave' });
  }
  assert.throws(() => hero.layer('one more', { clip: 'wave' }), { code: 'LIMIT', message: 'layer "one more": there is more of it than a limit allows' });
  model.dispose();
});

test('events come after the update, in order, once a crossing', () => {
  const events = [{ t: 0, name: 'start' }, { t: 0.5, name: 'step', data: { foot: 'left', n: [1, 2] } }, { t: 0.9, name: 'land' }];
  const { model, world, hero } = stage(turn('walk', 'base/mid', 1, 1, { events }));
  /** @type {any[]} */
  const heard = [];
  const stopListening = ['event', 'loop', 'end'].map((type) => hero.on(/** @type {'event'} */ (type), (event) => heard.push(event.name ?? event.type)));
  hero.on('event', (event) => {
    if (event.name === 'step') {
      assert.deepEqual(event, { type: 'event', clip: 'walk', time: 0.5, count: 1, layer: null, name: 'step', data: { foot: 'left', n: [1, 2] } });
      near([hero.bone('mid').local.rotation], [hero.time], 1e-5, 'the update is done');
    }
  });
  hero.play('walk');
  world.update(0.25);
  assert.deepEqual(heard.splice(0), ['start']);
  world.update(0.25);
  assert.deepEqual(heard.splice(0), ['step']);
  world.update(0.25);
  assert.deepEqual(heard.splice(0), []);
  world.update(2);
  assert.deepEqual(heard.splice(0), ['land', 'loop', 'start', 'step', 'land', 'loop', 'start', 'step']);
  hero.play('walk', { loop: false });
  world.update(5);
  assert.deepEqual(heard.splice(0), ['start', 'step', 'land', 'end']);
  stopListening.forEach((stop) => stop());
  hero.play('walk');
  world.update(3);
  assert.deepEqual(heard, []);
  throwsCode(() => hero.on(/** @type {any} */ ('click'), () => {}), 'BAD_ARGUMENT');
  model.dispose();
});

test('whatever the length of an update, no event and no loop is lost', () => {
  const events = [{ t: 0, name: 'start' }, { t: 0.25, name: 'step' }];
  const { model, world, hero } = stage(turn('walk', 'base/mid', 1, 0.5, { events }));
  const sums = { start: 0, step: 0, loop: 0 };
  let told = 0;
  for (const type of /** @type {const} */ (['event', 'loop'])) {
    hero.on(type, ({ name, count }) => {
      sums[/** @type {'start'} */ (name ?? 'loop')] += count;
      told += 1;
    });
  }
  hero.play('walk');
  world.update(1000);
  assert.deepEqual([sums, told], [{ start: 2001, step: 2000, loop: 2000 }, 6001], 'one by one');
  world.update(3600 * 24 * 365);
  const rounds = 2000 + 2 * 3600 * 24 * 365;
  assert.deepEqual(sums, { start: rounds + 1, step: rounds, loop: rounds });
  assert.ok(told < 6020, `${told} calls`);
  model.dispose();
});

test('a listener may dispose its own instance, or all of them', () => {
  const { model, world, hero } = stage(turn('walk', 'base/mid', 1, 1, { events: [{ t: 0.1, name: 'a' }, { t: 0.2, name: 'b' }] }));
  const twin = world.add(model);
  let heard = 0;
  hero.on('event', () => { heard += 1; hero.dispose(); });
  twin.on('event', () => { heard += 1; });
  hero.play('walk');
  twin.play('walk');
  world.update(0.5);
  assert.equal(heard, 3, 'one of the disposed, both of its twin');
  twin.on('loop', () => world.dispose());
  world.update(1);
  throwsCode(() => world.update(0), 'STALE');
  model.dispose();
});

test('events of layers say so', () => {
  const { model, world, hero } = stage(turn('walk', 'base/mid', 1, 1), turn('wave', 'base/mid/tip', 1, 1, { events: [{ t: 0.5, name: 'top' }] }));
  /** @type {any[]} */
  const heard = [];
  hero.on('event', ({ name, layer, clip }) => heard.push([name, layer, clip]));
  hero.play('walk');
  hero.layer('first', { clip: 'walk' });
  hero.layer('arm', { clip: 'wave' });
  world.update(0.75);
  assert.deepEqual(heard.splice(0), [['top', 'arm', 'wave']]);
  hero.clearLayer('first');
  world.update(1);
  assert.deepEqual(heard.splice(0), [['top', 'arm', 'wave']]);
  // Layers come and go with a restored world, too.
  hero.clearLayer('arm');
  const saved = world.snapshot();
  hero.layer('forgotten', { clip: 'walk' });
  world.restore(saved);
  hero.layer('later', { clip: 'wave' });
  world.update(0.75);
  assert.deepEqual(heard, [['top', 'later', 'wave']]);
  model.dispose();
});

test('an instance may wait for its model, and is told what to play before', () => {
  const guid = '11111111-2222-4333-8444-555555555555';
  const world = marrow.createWorld();
  const hero = world.add(guid, { x: 5 });
  hero.play('walk');
  world.update(1);
  assert.deepEqual([hero.pending, hero.model, hero.positions.length, hero.runs.length], [true, null, 0, 0]);
  throwsCode(() => hero.part('main'), 'NOT_FOUND');
  const model = marrow.loadRig2d(bar);
  model.addClip(turn('walk', 'base/mid', 1, 2));
  marrow.assets.provide(guid, model);
  assert.equal(marrow.assets.find(guid), model);
  world.update(0.5);
  assert.deepEqual([hero.pending, hero.model === model, hero.clip, hero.x], [false, true, 'walk', 5]);
  near([hero.bone('mid').local.rotation], [0.25], 1e-6, 'it plays');
  assert.equal(world.add(guid).model, model);
  world.dispose();
  model.dispose();
  assert.equal(marrow.assets.find(guid), null);
});

test('a weighted curve that no cubic can follow holds its first value', () => {
  const model = marrow.loadRig2d('{"bones":[{"name":"root"}]}');
  model.addClip(JSON.stringify({ name: 'far', duration: 1e308, tracks: [{ path: 'root', trait: 'Transform', field: 'x',
    keys: [{ t: 0, v: 1, outWeight: 0.3 }, { t: 1e308, v: 1e9, inWeight: 0.3 }] }] }));
  const world = marrow.createWorld();
  const hero = world.add(model);
  hero.play(0);
  world.update(0);
  assert.equal(hero.node('root').local.x, 1);
  assert.equal(model.sample(0, 0, 0), 1);
  world.dispose();
  model.dispose();
});

test('restoring what is there already writes no vertex', () => {
  const model = marrow.loadRig2d(bar);
  const world = marrow.createWorld();
  const hero = world.add(model).setDeform('main', [1, 1]);
  world.update(0);
  const { version } = hero;
  world.restore(world.snapshot());
  world.update(0);
  assert.equal(hero.version, version);
  const saved = world.snapshot();
  hero.setDeform('main', [2, 1]);
  world.update(0);
  world.restore(saved);
  world.update(0);
  assert.equal(hero.version, version + 2);
  world.dispose();
  model.dispose();
});

test('one that waits for a clip nobody has keeps no other from its model', () => {
  const guid = '21111111-2222-4333-8444-555555555555';
  const world = marrow.createWorld();
  const [first, second] = [world.add(guid), world.add(guid)];
  first.play('nope');
  throwsCode(() => marrow.assets.provide(guid, bar), 'NOT_FOUND');
  const model = marrow.assets.find(guid);
  assert.deepEqual([first.model, second.model, second.pending, second.clip], [model, model, false, null]);
  world.update(0.1);
  assert.ok(second.positions.length > 0);
  world.dispose();
  model?.dispose();
});

test('an inactive instance is at bind in a new model, and shows new pictures', () => {
  const guid = '31111111-2222-4333-8444-555555555555';
  const [small, large] = [marrow.loadRig2d(bar), marrow.loadRig2d(JSON.stringify({ ...JSON.parse(bar), extra: 1 }))];
  marrow.assets.provide(guid, small);
  const world = marrow.createWorld();
  const crowd = world.createCrowd();
  const late = crowd.add(small);
  const hero = crowd.add(small, { x: 7 });
  world.update(0);
  const bind = [...hero.positions];
  late.dispose();
  hero.active = false;
  world.update(0);
  for (const model of [large, small]) {
    const { version } = hero;
    marrow.assets.provide(guid, model);
    world.update(0);
    near(hero.positions, bind, 1e-3, 'at bind');
    assert.ok(hero.version > version);
  }
  const { structureVersion } = hero;
  small.setFrame(0, { page: 7, x: 0, y: 0, width: 8, height: 8, pageWidth: 16, pageHeight: 16 });
  world.update(0);
  assert.ok(hero.structureVersion > structureVersion);
  assert.equal(hero.runs[0].page, 7);
  const still = hero.version;
  world.update(0.5);
  assert.equal(hero.version, still);
  world.dispose();
  small.dispose();
  large.dispose();
});

test('a model provided again takes over: pose, clip, time and handles stay, versions rise', () => {
  const guid = '11111111-2222-4333-8444-666666666666';
  const first = marrow.assets.provide(guid, bar);
  first.addClip(turn('walk', 'base/mid', 1, 2));
  const world = marrow.createWorld();
  const hero = world.add(guid);
  hero.play('walk');
  const base = hero.bone('base');
  const part = hero.part('main');
  base.rotation = 0.25;
  world.update(0.5);
  const { version, structureVersion } = hero;
  // The bones in another order, and one more in front.
  const rig = JSON.parse(bar);
  const [b, m, t] = rig.bones;
  rig.bones = [{ name: 'extra', parent: -1, x: 0, y: 0, rot: 0 }, { ...t, parent: 2 }, { ...m, parent: 3 }, { ...b, parent: -1 }];
  const { mesh, skinWeights, sprite } = rig;
  const skinIndices = rig.skinIndices.map((/** @type {number} */ bone) => 3 - bone);
  rig.parts = ['behind', 'main'].map((name) => ({ name, mesh, skinIndices, skinWeights, sprite }));
  const second = marrow.loadRig2d(JSON.stringify(rig));
  second.addClip(turn('walk', 'base/mid', 1, 2));
  marrow.assets.provide(guid, second);
  assert.equal(hero.model, second);
  world.update(0);
  assert.deepEqual([hero.clip, hero.time], ['walk', 0.5]);
  assert.ok(hero.version > version);
  assert.ok(hero.structureVersion > structureVersion);
  assert.equal(base.rotation, 0.25, 'the old handle names the same bone');
  assert.deepEqual([part.name, part.index, hero.part('main').index], ['main', 1, 1], 'and the same part');
  near([hero.bone('mid').local.rotation], [0.25], 1e-5, 'clip');
  throwsCode(() => first.bones, 'STALE');
  base.reset();
  assert.equal(base.rotation, 0, 'and knows its rest');
  throwsCode(() => marrow.assets.provide(guid, '{"bones": '), 'BAD_JSON');
  assert.equal(hero.model, second, 'a bad file changes nothing');
  world.dispose();
  second.dispose();
});
