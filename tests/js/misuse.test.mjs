// What a caller does wrong is told in MarrowErrors, and harms nothing else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { create, readAsset, throwsCode } from './support.mjs';

const bar = readAsset('bar/bar.rig2d.json');
const sway = readAsset('bar/bar.anim.json');
const steps = JSON.stringify({ name: 'steps', duration: 1, events: [{ t: 0.25, name: 'left' }, { t: 0.75, name: 'right' }] });

async function stage() {
  const marrow = await create();
  const model = marrow.loadRig2d(bar);
  model.addClip(sway);
  model.addClip(steps);
  const world = marrow.createWorld();
  return { marrow, model, world, hero: world.add(model), crowd: world.createCrowd() };
}

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
  for (const value of [undefined, null, '1', 5n, Symbol('wrong'), NaN, Infinity]) {
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
