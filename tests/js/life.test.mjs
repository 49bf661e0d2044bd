// What lives, what is told, and what is left over.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, readAsset, rejectsCode, throwsCode } from './support.mjs';

const bar = readAsset('bar/bar.rig2d.json');
const sway = readAsset('bar/bar.anim.json');

test('using what was disposed throws STALE, and disposing again is nothing', async () => {
  const marrow = await create();
  const model = marrow.loadRig2d(bar);
  model.addClip(sway);
  const world = marrow.createWorld();
  const hero = world.add(model);
  const crowd = world.createCrowd();
  const member = crowd.add(model);
  const node = hero.bone('mid');
  const part = hero.part('main');
  const { view, shown } = hero;
  world.update(0);
  hero.dispose();
  hero.dispose();
  for (const use of [
    () => hero.positions, () => hero.uvs, () => hero.indices, () => hero.runs, () => hero.version, () => hero.bounds, () => hero.bindBounds,
    () => hero.hitTest(0, 0), () => hero.parts, () => hero.part('main'), () => hero.bone('mid'), () => hero.node('mid'), () => hero.nodes,
    () => hero.play('sway'), () => hero.seek(0), () => hero.pause(), () => hero.stop(), () => hero.time, () => hero.clip, () => hero.layer('a', { clip: 'sway' }),
    () => hero.clearLayer('a'), () => hero.setDeform('main', null), () => { hero.x = 1; }, () => hero.active, () => hero.matrix,
    () => hero.addNode({ name: 'n' }), () => hero.on('event', () => {}), () => hero.attach(member), () => hero.detach(),
    () => node.rotation, () => { node.rotation = 1; }, () => node.matrix, () => node.override(null), () => node.remove(), () => node.parent,
    () => part.positions, () => part.visible, () => { part.visible = false; }, () => part.name,
    () => view.opacity, () => { view.opacity = 1; }, () => shown.color,
  ]) {
    throwsCode(use, 'STALE');
  }
  assert.deepEqual(world.instances, [member]);

  crowd.dispose();
  crowd.dispose();
  for (const use of [() => crowd.positions, () => crowd.colors, () => crowd.runs, () => crowd.version, () => crowd.add(model), () => member.positions]) {
    throwsCode(use, 'STALE');
  }

  const last = world.add(model);
  model.dispose();
  model.dispose();
  throwsCode(() => last.positions, 'STALE');
  for (const use of [() => model.bones, () => model.addClip(sway), () => model.setImage(0, null), () => model.describe(), () => world.add(model), () => model.sample(0, 0, 0)]) {
    throwsCode(use, 'STALE');
  }

  world.dispose();
  world.dispose();
  for (const use of [() => world.update(0), () => world.changed, () => world.time, () => world.snapshot(), () => world.createCrowd(), () => world.verticesWritten]) {
    throwsCode(use, 'STALE');
  }

  marrow.dispose();
  marrow.dispose();
  throwsCode(() => marrow.createWorld(), 'STALE');
  throwsCode(() => marrow.loadRig2d(bar), 'STALE');
  await rejectsCode(marrow.load('data:application/json,{}', { read: async () => new Uint8Array([123, 125]) }), 'STALE');
});

test('views are told first, while everything can still be read', async () => {
  const marrow = await create();
  const model = marrow.loadRig2d(bar);
  const world = marrow.createWorld();
  /** @type {any[]} */
  const told = [];
  const watch = (/** @type {string} */ name) => {
    const hero = world.add(model, { name });
    hero.on('dispose', (each) => told.push([each.name, each.positions.length]));
    return hero;
  };
  const length = watch('by itself').positions.length;
  world.instances[0].dispose();
  const crowd = world.createCrowd();
  crowd.on('dispose', (each) => told.push(['crowd', each.members.size]));
  crowd.add(model, { name: 'member' }).on('dispose', (each) => told.push([each.name, each.positions.length]));
  crowd.dispose();
  watch('by its model');
  model.dispose();
  const other = marrow.loadRig2d(bar);
  world.add(other, { name: 'by its world' }).on('dispose', (each) => told.push([each.name, each.positions.length]));
  world.dispose();
  assert.deepEqual(told, [['by itself', length], ['crowd', 1], ['member', length], ['by its model', length], ['by its world', length]]);
  marrow.dispose();
});

test('ten thousand characters come and go, and memory stays flat', async () => {
  const marrow = await create();
  const world = marrow.createWorld();
  const round = () => {
    const model = marrow.loadRig2d(bar);
    model.addClip(sway);
    const hero = world.add(model);
    hero.play('sway');
    hero.addNode({ name: 'extra', parent: 'tip' });
    hero.setDeform('main', [1, 2, 3]);
    world.update(0.01);
    model.dispose();
  };
  for (let warm = 0; warm < 50; warm += 1) {
    round();
  }
  const before = marrow.memory;
  for (let index = 0; index < 10000; index += 1) {
    round();
  }
  const { used, size } = marrow.memory;
  assert.equal(used, before.used, 'bytes in use');
  assert.equal(size, before.size, 'linear memory');
  marrow.dispose();
});

test('failed reads leave nothing behind', async () => {
  const marrow = await create();
  const bad = ['', '{', '{"bones": [}', `${bar.slice(0, -20)}`, '\u0000', '{"a":1}x'];
  const round = () => bad.forEach((text) => throwsCode(() => marrow.loadRig2d(text), 'BAD_JSON'));
  round();
  const before = marrow.memory;
  for (let index = 0; index < 500; index += 1) {
    round();
  }
  assert.deepEqual([marrow.memory.used, marrow.memory.size], [before.used, before.size]);
  marrow.dispose();
});
