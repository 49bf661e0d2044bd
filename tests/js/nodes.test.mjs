// The live tree: bones and plain nodes, overrides, mounting, and handles that outlive what they name.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, inFileOrder, near, readAsset, throwsCode } from './support.mjs';

const marrow = await create();
const bar = readAsset('bar/bar.rig2d.json');

function stage() {
  const model = marrow.loadRig2d(bar);
  const world = marrow.createWorld();
  const hero = world.add(model);
  world.update(0);
  return { model, world, hero };
}

test('bones are found by name', () => {
  const { model, hero } = stage();
  assert.deepEqual(hero.nodes.map(({ name, isBone, parent }) => [name, isBone, parent?.name ?? null]),
    [['base', true, null], ['mid', true, 'base'], ['tip', true, 'mid']]);
  assert.equal(hero.findNode('nobody'), null);
  throwsCode(() => hero.bone('nobody'), 'NOT_FOUND');
  throwsCode(() => hero.node('nobody'), 'NOT_FOUND');
  hero.addNode({ name: 'plain' });
  assert.equal(hero.node('plain').isBone, false);
  throwsCode(() => hero.bone('plain'), 'NOT_FOUND');
  model.dispose();
});

test('the base is what is set by hand, local what the last update used', () => {
  const { model, world, hero } = stage();
  const mid = hero.bone('mid');
  assert.deepEqual([mid.x, mid.y, mid.rotation, mid.scaleX, mid.scaleY], [0, -128, 0, 1, 1]);
  mid.set({ rotation: 0.5, scaleX: 2 });
  assert.deepEqual([mid.rotation, mid.local.rotation], [0.5, 0]);
  world.update(0);
  assert.deepEqual(mid.local, { x: 0, y: -128, rotation: 0.5, scaleX: 2, scaleY: 1 });
  mid.reset();
  world.update(0);
  assert.deepEqual(mid.local, { x: 0, y: -128, rotation: 0, scaleX: 1, scaleY: 1 });
  model.dispose();
});

test('an override lies over a clip until it is cleared', () => {
  const { model, world, hero } = stage();
  model.addClip(readAsset('bar/bar.anim.json'));
  hero.play('sway').seek(0.5);
  world.update(0);
  const mid = hero.bone('mid');
  near([mid.local.rotation], [0.35], 1e-5, 'clip');
  mid.override({ rotation: -1 });
  world.update(0);
  assert.equal(mid.local.rotation, -1);
  assert.equal(mid.local.y, -128, 'other fields are left alone');
  mid.override(null);
  world.update(0);
  near([mid.local.rotation], [0.35], 1e-5, 'clip again');
  assert.equal(mid.rotation, 0, 'nothing of this changed the base');
  model.dispose();
});

test('a node on a bone follows it, and carries another instance', () => {
  const { model, world, hero } = stage();
  const sword = world.add(model, { x: 1, y: 2 });
  const hand = hero.addNode({ name: 'hand', parent: 'tip', x: 0, y: -10 });
  hand.attach(sword);
  hero.x = 1000;
  hero.bone('mid').rotation = Math.PI / 2;
  world.update(0);
  // tip stands at (128, 0), turned a quarter: (0, -10) in it is (10, 0) to the right, and (1, 2) there is (-2, 1).
  near(hand.matrix, [0, 1, -1, 0, 138, 0], 1e-4, 'hand');
  near(sword.matrix, [0, 1, -1, 0, 1000 + 138 - 2, 1], 1e-3, 'sword');
  throwsCode(() => sword.attach(hero), 'CYCLE');
  sword.detach();
  world.update(0);
  near(sword.matrix, [1, 0, 0, 1, 1, 2], 1e-5, 'sword on its own');
  hand.attach(sword);
  hero.dispose();
  world.update(0);
  near(sword.matrix, [1, 0, 0, 1, 1, 2], 1e-5, 'sword after its carrier is gone');
  model.dispose();
});

test('reparenting and removing keep local values, and a cycle is refused', () => {
  const { model, world, hero } = stage();
  hero.node('tip').setParent('base');
  world.update(0);
  near(hero.node('tip').matrix, [1, 0, 0, 1, 0, 0], 1e-5, 'tip on base');
  throwsCode(() => hero.node('base').setParent('tip'), 'CYCLE');
  hero.node('tip').setParent(null);
  world.update(0);
  near(hero.node('tip').matrix, [1, 0, 0, 1, 0, -128], 1e-5, 'tip on nothing');
  assert.equal(hero.node('tip').parent, null);

  const mid = hero.node('mid');
  mid.remove();
  assert.equal(mid.isAlive, false);
  throwsCode(() => mid.rotation, 'STALE');
  throwsCode(() => { mid.rotation = 1; }, 'STALE');
  throwsCode(() => mid.remove(), 'STALE');
  throwsCode(() => hero.bone('mid'), 'NOT_FOUND');
  world.update(0);
  const other = stage();
  throwsCode(() => hero.node('tip').setParent(other.hero.node('mid')), 'BAD_ARGUMENT');
  model.dispose();
  other.model.dispose();
});

test('a bone that comes back under its name moves its vertices again', () => {
  const { model, world, hero } = stage();
  hero.bone('tip').remove();
  hero.bone('mid').x = 50;
  world.update(0);
  const rested = inFileOrder(hero.parts[0], hero.parts[0].positions).slice(0, 2);
  near(rested, [-32, -128], 1e-5, 'the vertices of a bone that is not there rest');
  hero.addNode({ name: 'tip', parent: 'mid', bone: true, x: 5, y: -128 });
  world.update(0);
  near(inFileOrder(hero.parts[0], hero.parts[0].positions).slice(0, 2), [-32 + 55, -128], 1e-4, 'they follow the new one');
  hero.node('tip').name = 'top';
  world.update(0);
  near(inFileOrder(hero.parts[0], hero.parts[0].positions).slice(0, 2), [-32, -128], 1e-5, 'a renamed bone is another');
  assert.equal(hero.findNode('tip'), null);
  assert.equal(hero.bone('top').x, 5);
  model.dispose();
});

test('many nodes come and go, and old handles never name new nodes', () => {
  const { model, world, hero } = stage();
  const made = Array.from({ length: 100 }, (_, index) => hero.addNode({ name: `n${index}`, x: index }));
  made.forEach((node, index) => assert.equal(node.x, index));
  made.slice(0, 50).forEach((node) => node.remove());
  const again = Array.from({ length: 50 }, (_, index) => hero.addNode({ name: `m${index}`, x: -index }));
  made.slice(0, 50).forEach((node) => throwsCode(() => node.x, 'STALE'));
  made.slice(50).forEach((node, index) => assert.equal(node.x, index + 50));
  again.forEach((node, index) => assert.equal(node.x, -index));
  world.update(0);
  assert.equal(hero.nodes.length, 103);
  model.dispose();
});

test('an empty tree can be built from its first node', () => {
  const model = marrow.loadRig2d(bar);
  const world = marrow.createWorld();
  const hero = world.add(model, { nodes: false });
  world.update(0);
  assert.deepEqual(hero.nodes, []);
  const base = hero.addNode({ name: 'base', bone: true, y: 128 });
  hero.addNode({ name: 'mid', parent: base, bone: true, y: -128, rotation: Math.PI / 2 });
  world.update(0);
  near(inFileOrder(hero.parts[0], hero.parts[0].positions).slice(24, 26), [-16, -16], 1e-4, 'half base, half mid');
  assert.deepEqual(base.reset().x, 0);
  model.dispose();
});
