// What a caller does wrong is told in MarrowErrors, and harms nothing else.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import { affine, autoRig, buildRig, canonical, curves, decodePng, drawInstance, edit, encodePng, prefab } from '../../wasm-api/js/author.js';
import { createMarrow } from '../../wasm-api/js/index.js';
import { asset, create, readAsset, rejectsCode, root, throwsCode } from './support.mjs';

const bar = readAsset('bar/bar.rig2d.json');
const sway = readAsset('bar/bar.anim.json');
const steps = JSON.stringify({ name: 'steps', duration: 1, events: [{ t: 0.25, name: 'left' }, { t: 0.75, name: 'right' }] });

const frame = { page: 0, x: 0, y: 0, width: 8, height: 8, pageWidth: 8, pageHeight: 8 };

async function stage() {
  const marrow = await create();
  const model = marrow.loadRig2d(bar);
  model.addClip(sway);
  model.addClip(steps);
  const world = marrow.createWorld();
  return { marrow, model, world, hero: world.add(model), crowd: world.createCrowd() };
}

test('an argument that has no room is refused, and memory stays sound', async () => {
  const { marrow, model, world, hero } = await stage();
  hero.bone('mid');
  const { size } = marrow.memory;
  for (const length of [1e9, 2 ** 30, 2 ** 31, 2 ** 32 - 1]) {
    throwsCode(() => hero.setDeform('main', /** @type {any} */ ({ length })), 'NO_MEMORY');
  }
  assert.equal(marrow.memory.size, size);
  // What is asked for next shares no byte with what lives: texts go through the same block as the offsets.
  const names = Array.from({ length: 200 }, (_, index) => `node ${index} ${'x'.repeat(index * 37)}`);
  names.forEach((name) => hero.addNode({ name }));
  for (let round = 0; round < 20; round += 1) {
    marrow.assets.provide('kk', bar);
    world.add(model).node('mid');
  }
  world.update(0.1);
  assert.deepEqual(names.map((name) => hero.node(name).name), names);
  marrow.dispose();
});

test('an argument of the wrong type throws BAD_ARGUMENT', async () => {
  const { marrow, model, world, hero, crowd } = await stage();
  const node = hero.node('mid');
  const part = hero.part('main');
  /** @type {any[]} */
  const wrong = [undefined, null, 5, 5n, Symbol('wrong'), true];
  for (const value of wrong) {
    for (const use of [
      () => marrow.loadRig2d(value), () => model.addClip(value), () => world.add(value), () => crowd.add(value), () => hero.node(value),
      () => hero.attach(value), () => node.attach(value), () => hero.on('event', value), () => crowd.on('dispose', value),
      () => hero.addNode(value), () => hero.layer('a', value), () => hero.place(value), () => node.set(value), () => { node.name = value; },
      () => marrow.assets.add(value), () => world.restore(value), () => { if (value !== null) node.setParent(value); else node.set(value); },
    ]) {
      throwsCode(use, 'BAD_ARGUMENT');
    }
  }
  for (const value of /** @type {any[]} */ ([undefined, null, '1', 5n, Symbol('wrong'), NaN, Infinity])) {
    for (const use of [
      () => world.update(value), () => hero.seek(value), () => hero.setSpeed(value), () => { hero.x = value; }, () => { node.rotation = value; },
      () => { hero.view.opacity = value; }, () => { part.color = value; }, () => { hero.view.color = value; },
    ]) {
      throwsCode(use, 'BAD_ARGUMENT');
    }
  }
  throwsCode(() => world.update(-1e-9), 'BAD_ARGUMENT');
  throwsCode(() => { part.color = -1; }, 'BAD_ARGUMENT');
  throwsCode(() => { part.color = 0x1000000; }, 'BAD_ARGUMENT');
  throwsCode(() => hero.attach(marrow.createWorld().add(model)), 'BAD_ARGUMENT');
  throwsCode(() => hero.layer('a', { clip: 'sway', mask: /** @type {any} */ ('mid') }), 'BAD_ARGUMENT');
  world.update(0);
  assert.ok(!marrow.isDisposed);
  marrow.dispose();
});

test('a name that nothing has is told, whatever it is passed to', async () => {
  const { marrow, world, hero, model } = await stage();
  const node = hero.node('mid');
  /** What the types refuse as well. @param {any} value */
  const wrong = (value) => value;
  for (const use of [
    () => node.set(wrong({ rot: 1 })), () => node.override(wrong({ rot: 1 })), () => hero.place(wrong({ scale: 2 })),
    () => hero.addNode(wrong({ name: 'new', rot: 1 })), () => marrow.assets.add(wrong({ a: { url: 'a.png', rct: {} } })),
    () => model.setFrame(0, wrong({ ...frame, rotate: true })),
    () => drawInstance(hero, wrong({ width: 8, height: 8, matrix: [1, 0, 0, 1, 0, 0], bg: 0 })),
    () => autoRig(wrong({ width: 8, height: 8, sprite: '', bonecount: 3 })),
  ]) {
    assert.match(throwsCode(use, 'BAD_ARGUMENT').message, /there is no option "(rot|scale|rct|rotate|bg|bonecount)"/);
  }
  assert.equal(hero.findNode('new'), null);
  world.update(0);
  marrow.dispose();
});

test('values that nothing can mean throw BAD_ARGUMENT', async () => {
  const { marrow, hero, model } = await stage();
  const rig = JSON.parse(bar);
  const keys = [{ t: 0, v: 0 }, { t: 1, v: 1 }];
  const size = { width: 8, height: 8, sprite: '' };
  const picture = { width: 8, height: 8 };
  /** @type {(() => any)[]} */
  const uses = [
    () => edit.addBone(/** @type {any} */ (bar), -1, 0, 0), () => prefab(/** @type {any} */ (bar), { name: 'a', guid: 'b' }),
    () => canonical(/** @type {any} */ ('foo'), bar), () => canonical('rig2d', bar, { strict: /** @type {any} */ ('no') }),
    () => curves.sample(keys, 0, /** @type {any} */ ('colour')), () => curves.sample([...keys].reverse(), 0), () => curves.insert(keys, NaN, 1),
    () => curves.insert(/** @type {any} */ (null), 0, 1), () => curves.insert(keys, 0, Infinity),
    () => { hero.view.alphaTest = 7; }, () => hero.layer('a', { clip: 'sway', weight: 5 }),
    () => autoRig({ ...size, boneCount: 7 }), () => autoRig({ ...size, width: 0 }), () => buildRig(/** @type {any} */ (size)),
    () => affine.invert([1, 0, 0, 1]), () => affine.invert([1, 0, 0, 1, NaN, 0]), () => drawInstance(hero, { ...picture, matrix: [NaN, 0, 0, 1, 0, 0] }),
    () => drawInstance(hero, /** @type {any} */ ({})), () => encodePng(/** @type {any} */ ({})), () => decodePng(/** @type {any} */ (null)),
    () => model.addClip(sway, { strict: /** @type {any} */ ('no') }),
  ];
  for (const use of uses) {
    throwsCode(use, 'BAD_ARGUMENT');
  }
  for (const options of /** @type {any[]} */ ([{ simd: 'yes' }, { base: 5 }])) {
    await rejectsCode(createMarrow(options), 'BAD_ARGUMENT');
  }
  for (const options of /** @type {any[]} */ ([{ images: 'no' }, { strict: 'no' }])) {
    await rejectsCode(marrow.load('bar.rig2d.json', { read: async () => new TextEncoder().encode(bar), ...options }), 'BAD_ARGUMENT');
  }
  assert.match(throwsCode(() => { hero.x = /** @type {any} */ ('1'); }, 'BAD_ARGUMENT').message, /"1" is not a finite number/);
  assert.match(throwsCode(() => prefab({ ...rig, id: undefined }, { name: 'a', guid: 'b' }), 'BAD_REFERENCE').message, /no "id"/);
  marrow.dispose();
});

test('indices, flags, counts and options of the wrong type throw BAD_ARGUMENT', async () => {
  const { marrow, model, world, hero, crowd } = await stage();
  const part = hero.part('main');
  /** @type {any} */
  const mute = Object.create(null);
  /** @type {any[]} */
  const wrong = [null, 'x', '0', 0n, Symbol('wrong'), {}, mute, [], () => 0, NaN];
  for (const value of wrong) {
    for (const use of [
      () => hero.boundsOf(value), () => hero.nodeAt(value), () => { hero.active = value; }, () => hero.pause(value),
      () => { hero.view.visible = value; }, () => { hero.view.flipX = value; }, () => { hero.view.flipY = value; }, () => { part.visible = value; },
      () => { hero.view.mode = value; }, () => { hero.view.anchor = value; }, () => { hero.view.opacity = value; }, () => { part.opacity = value; },
      () => marrow.reserve(value), () => hero.play('sway', { speed: value }), () => hero.play('sway', { fade: value }),
      () => hero.layer('a', { clip: 'sway', weight: value }), 
      () => hero.layer('a', { clip: 'sway', speed: value }), () => model.sample('sway', value, 0), () => model.sample('sway', 0, value),
    ]) {
      throwsCode(use, 'BAD_ARGUMENT');
    }
    if (!Number.isNaN(value)) {
      throwsCode(() => hero.hitTest(value, 0), 'BAD_ARGUMENT');
      throwsCode(() => hero.hitTest(0, value), 'BAD_ARGUMENT');
      throwsCode(() => hero.hitTest(0, 0, value), 'BAD_ARGUMENT');
    }
  }
  for (const value of [1.5, -2, Infinity]) {
    throwsCode(() => hero.boundsOf(value), 'BAD_ARGUMENT');
    throwsCode(() => hero.nodeAt(value), 'BAD_ARGUMENT');
    throwsCode(() => model.setImage(value, null), 'BAD_ARGUMENT');
  }
  throwsCode(() => hero.boundsOf(1), 'BAD_INDEX');
  throwsCode(() => hero.nodeAt(3), 'NOT_FOUND');
  throwsCode(() => hero.setDeform(1, null), 'NOT_FOUND');
  throwsCode(() => hero.setDeform(NaN, null), 'NOT_FOUND');
  throwsCode(() => hero.setDeform(0, /** @type {any} */ ({ length: -1 })), 'BAD_ARGUMENT');
  throwsCode(() => hero.setDeform(0, /** @type {any} */ ({})), 'BAD_ARGUMENT');
  for (const options of /** @type {any[]} */ ([null, 5])) {
    throwsCode(() => world.add(model, options), 'BAD_ARGUMENT');
    throwsCode(() => crowd.add(model, options), 'BAD_ARGUMENT');
  }
  throwsCode(() => hero.play('sway', { fade: -0.1 }), 'BAD_ARGUMENT');
  throwsCode(() => hero.layer('a', { clip: 'sway', weight: -0.1 }), 'BAD_ARGUMENT');
  hero.layer('a', { clip: 'sway' });
  throwsCode(() => hero.layer('a', { weight: -0.1 }), 'BAD_ARGUMENT');
  throwsCode(() => hero.layer('a', { weight: NaN }), 'BAD_ARGUMENT');
  hero.play('sway', { speed: -1 });
  assert.equal(hero.hitTest(NaN, 0), null);
  assert.equal(hero.nodeAt(1), hero.node('mid'));
  assert.ok(!marrow.isDisposed && hero.active && hero.view.visible && part.visible);
  marrow.dispose();
});

test('an option that there is not throws BAD_ARGUMENT and is named', async () => {
  const { marrow, model, world, hero, crowd } = await stage();
  const file = asset('bar/bar.rig2d.json');
  /** @type {any} */
  const wrong = { loops: true };
  for (const use of [
    () => hero.play('sway', wrong), () => hero.layer('a', { clip: 'sway', ...wrong }), () => marrow.load(file, wrong), () => create(wrong),
    () => create({ limits: wrong }), () => marrow.loadRig2d(bar, wrong), () => model.addClip(sway, wrong), () => world.add(model, wrong),
    () => crowd.add(model, wrong),
  ]) {
    await assert.rejects(async () => use(), { code: 'BAD_ARGUMENT', message: /"loops"/ });
  }
  assert.deepEqual([hero.clip, world.instances.length], [null, 1]);
  hero.play('sway', { speed: undefined, loop: undefined });
  (await create(/** @type {any} */ ({ limits: undefined, manifest: undefined, base: undefined }))).dispose();
  marrow.dispose();
});

test('load needs an address, and options of the right types', async () => {
  const { marrow } = await stage();
  for (const value of /** @type {any[]} */ ([undefined, null, '', 5, {}, Symbol('wrong'), new Uint8Array(3)])) {
    await rejectsCode(marrow.load(value), 'BAD_ARGUMENT');
  }
  for (const options of /** @type {any[]} */ ([null, 5, { clips: 'sway' }, { clips: 5 }, { read: 5 }])) {
    await rejectsCode(marrow.load(asset('bar/bar.rig2d.json'), options), 'BAD_ARGUMENT');
  }
  for (const wasm of /** @type {any[]} */ ([5, {}, true])) {
    await rejectsCode(create({ wasm }), 'BAD_ARGUMENT');
  }
  for (const value of [asset('bar/bar.rig2d.json'), pathToFileURL(asset('bar/bar.rig2d.json'))]) {
    assert.equal((await marrow.load(value)).bones.length, 3);
  }
  marrow.dispose();
});

test('whatever is given to whatever the reference lists, the core lives and every error is a MarrowError', async () => {
  const page = readFileSync(path.join(root, 'docs/api.md'), 'utf8');
  /** @type {any[]} */
  const strange = [undefined, null, NaN, Infinity, -1, 1.5, 2 ** 31, 1e300, '', 'x', 0n, Symbol('s'), {}, Object.create(null), [], [Symbol('a')], () => 0, true,
    { valueOf() { throw new Error('mine'); } }, { length: 1e9 }, { x: Symbol('x') }, { clip: 'sway', mask: [5] }, { width: -1, height: 1, data: new Uint8Array(4) }];
  const whole = async () => {
    const { marrow, model, world, hero, crowd } = await stage();
    return { Marrow: marrow, Assets: marrow.assets, Model: model, World: world, Crowd: crowd, Instance: hero, RigNode: hero.node('mid'), Part: hero.part('main'),
      ViewFields: hero.view };
  };
  /** @type {Record<string, any>} */
  let scene = await whole();
  let calls = 0;
  for (const type of Object.keys(scene)) {
    const [, text] = page.split(`### class \`${type}\`\n`);
    const members = [...text.split(/^##/m)[0].matchAll(/^- `(set )?(\w+)\(/gm)].map(([, setter, name]) => ({ setter, name }));
    assert.ok(members.length >= 3, type);
    for (const { setter, name } of members.filter((each) => each.name !== 'load' && each.name !== 'dispose')) {
      for (const first of strange) {
        for (const second of setter ? [undefined] : strange) {
          calls += 1;
          try {
            if (setter) {
              scene[type][name] = first;
            } else {
              scene[type][name](first, second);
            }
          } catch (error) {
            assert.equal(/** @type {Error} */ (error).name, 'MarrowError', `${type}.${name}: ${/** @type {Error} */ (error).stack}`);
          }
          assert.ok(!scene.Marrow.isDisposed, `${type}.${name} ends the core`);
        }
      }
      scene.World.update(1 / 60);
      assert.ok(scene.Instance.positions.every(Number.isFinite), `${type}.${name} leaves no numbers`);
      if (!scene.RigNode.isAlive) {
        scene.Marrow.dispose();
        scene = await whole();
      }
    }
  }
  assert.ok(calls > 10000);
  scene.Marrow.dispose();
});

test('what is seen is read only', async () => {
  const { marrow, hero } = await stage();
  const shown = /** @type {any} */ (hero.shown);
  for (const [name, value] of Object.entries({ color: 1, opacity: 0.5, flipX: true, visible: false, mode: 'flat', anchor: 'center', alphaTest: 0.1 })) {
    throwsCode(() => { shown[name] = value; }, 'BAD_ARGUMENT');
  }
  assert.deepEqual([shown.color, shown.opacity, shown.flipX, shown.visible, shown.mode], [0xffffff, 1, false, true, 'cylindrical']);
  marrow.dispose();
});

test('opacity ends at 0 and 1, for a part as for the whole', async () => {
  const { marrow, world, hero } = await stage();
  const part = hero.part('main');
  for (const [given, kept] of [[-0.5, 0], [0, 0], [0.25, 0.25], [1, 1], [7, 1]]) {
    hero.view.opacity = given;
    part.opacity = given;
    world.update(0);
    assert.deepEqual([hero.view.opacity, hero.shown.opacity, part.opacity], [kept, kept, kept]);
  }
  marrow.dispose();
});

test('a name that is no GUID is told at once; a GUID, a known name and one of the manifest may wait', async () => {
  const { marrow, model, world } = await stage();
  for (const name of ['nope', '', '11111111-2222-4333-8444-55555555555', '11111111-2222-4333-8444-55555555555g']) {
    throwsCode(() => world.add(name), 'BAD_ARGUMENT');
  }
  assert.ok(world.add('11111111-2222-4333-8444-555555555555').pending);
  assert.ok(world.add('aaaaaaaa-BBBB-4333-8444-555555555555').pending);
  marrow.assets.add({ later: 'later.rig2d.json' });
  assert.ok(world.add('later').pending);
  marrow.assets.provide('here', model);
  assert.equal(world.add('here').model, model);
  marrow.dispose();
});

test('limits are whole numbers from 1', async () => {
  for (const value of /** @type {any[]} */ ([-1, 0, 0.5, NaN, Infinity, '5', 5n, null, {}])) {
    await rejectsCode(create({ limits: { nodes: value } }), 'BAD_ARGUMENT');
    await rejectsCode(create({ limits: { memoryBytes: value } }), 'BAD_ARGUMENT');
  }
  await rejectsCode(create({ limits: null }), 'BAD_ARGUMENT');
  const marrow = await create({ limits: { memoryBytes: 2 ** 40, nodes: undefined } });
  assert.equal(marrow.loadRig2d(bar).bones.length, 3);
  marrow.dispose();
});

test('a value that turns into no number does not end the core', async () => {
  const { marrow, world, hero } = await stage();
  throwsCode(() => hero.hitTest(/** @type {any} */ (10n), 0), 'BAD_ARGUMENT');
  throwsCode(() => { hero.part('main').opacity = /** @type {any} */ (Symbol('wrong')); }, 'BAD_ARGUMENT');
  world.update(1 / 60);
  assert.ok(hero.positions.every(Number.isFinite));
  marrow.dispose();
});

test('bytes of another realm are bytes', async () => {
  const { marrow } = await stage();
  const buffer = runInNewContext('Uint8Array.from(bytes).buffer', { bytes: [...Buffer.from(bar)] });
  assert.ok(!(buffer instanceof ArrayBuffer));
  assert.equal(marrow.loadRig2d(buffer).bones.length, 3);
  const shared = new SharedArrayBuffer(bar.length);
  new Uint8Array(shared).set(Buffer.from(bar));
  assert.equal(marrow.loadRig2d(/** @type {any} */ (shared)).bones.length, 3);
  marrow.dispose();
});

test('a node that cannot be set is not added', async () => {
  const { marrow, hero } = await stage();
  throwsCode(() => hero.addNode({ name: 'hat', x: NaN }), 'BAD_ARGUMENT');
  assert.equal(hero.findNode('hat'), null);
  marrow.dispose();
});

test('a listener that throws keeps no other from being called', async () => {
  const { marrow, model, world, hero } = await stage();
  const other = world.add(model);
  const heard = [];
  hero.on('event', () => { throw new Error('mine'); });
  hero.on('event', ({ name }) => heard.push(`hero ${name}`));
  other.on('event', ({ name }) => heard.push(`other ${name}`));
  hero.play('steps');
  other.play('steps');
  assert.throws(() => world.update(0.9), { message: 'mine' });
  assert.deepEqual(heard, ['hero left', 'hero right', 'other left', 'other right']);
  world.update(0.01);
  marrow.dispose();
});

test('a listener that throws, or disposes again, keeps nothing from being disposed', async () => {
  const { marrow, model, world, hero, crowd } = await stage();
  const used = marrow.memory.used;
  const member = crowd.add(model);
  const second = marrow.createWorld();
  const guest = second.add(model);
  hero.on('dispose', () => { throw new Error('mine'); });
  hero.on('dispose', () => hero.dispose());
  crowd.on('dispose', () => { throw new Error('crowd'); });
  crowd.on('dispose', () => crowd.dispose());
  assert.throws(() => world.dispose(), { message: 'crowd' });
  assert.ok(world.isDisposed && hero.isDisposed && crowd.isDisposed && member.isDisposed && !guest.isDisposed);
  assert.ok(marrow.memory.used < used);
  guest.on('dispose', () => { throw new Error('guest'); });
  assert.throws(() => marrow.dispose(), { message: 'guest' });
  assert.ok(marrow.isDisposed && second.isDisposed && model.isDisposed);
});
