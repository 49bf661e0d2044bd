// Memory that grows makes every typed array new. Here it grows at every load, and in the middle of calls.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, near, readAsset } from './support.mjs';

const bar = readAsset('bar/bar.rig2d.json');
const sway = readAsset('bar/bar.anim.json');

/** Every typed array that the package hands out, by name. @param {any} hero @param {any} crowd */
function views(hero, crowd) {
  const [part] = hero.parts;
  return {
    positions: hero.positions, uvs: hero.uvs, indices: hero.indices, matrix: hero.matrix, bone: hero.bone('mid').matrix,
    partPositions: part.positions, partUvs: part.uvs, partIndices: part.indices, vertexMap: part.vertexMap,
    crowdPositions: crowd.positions, crowdUvs: crowd.uvs, crowdColors: crowd.colors, crowdIndices: crowd.indices,
  };
}

test('growth between frames: every view is made again, and holds the same numbers', async () => {
  const marrow = await create();
  const model = marrow.loadRig2d(bar);
  model.addClip(sway);
  const world = marrow.createWorld();
  const hero = world.add(model);
  const crowd = world.createCrowd();
  crowd.add(model, { x: 3 });
  hero.play('sway');
  world.update(0.3);
  const before = views(hero, crowd);
  const numbers = Object.fromEntries(Object.entries(before).map(([name, view]) => [name, Array.from(view)]));
  const { runs } = hero;
  marrow.reserve(1);
  for (const [name, view] of Object.entries(before)) {
    assert.equal(view.length, 0, `${name}: the old view is detached`);
  }
  for (const [name, view] of Object.entries(views(hero, crowd))) {
    assert.notEqual(view, before[/** @type {keyof typeof before} */ (name)], `${name}: a new view`);
    assert.deepEqual(Array.from(view), numbers[name], `${name}: the same numbers`);
  }
  assert.equal(hero.runs, runs);
  assert.deepEqual([hero.version, hero.structureVersion], [hero.version, hero.structureVersion]);
  world.update(0.1);
  assert.notDeepEqual(Array.from(hero.positions), numbers.positions, 'and it lives on');
  marrow.dispose();
});

test('growth at every load: what was there stays right', async () => {
  const marrow = await create();
  const world = marrow.createWorld();
  const model = marrow.loadRig2d(bar);
  model.addClip(sway);
  const hero = world.add(model);
  hero.play('sway', { speed: 0 }).seek(0.6);
  world.update(0);
  const posed = Array.from(hero.positions);
  for (let index = 0; index < 40; index += 1) {
    marrow.reserve(1);
    const other = marrow.loadRig2d(bar);
    marrow.reserve(1);
    other.addClip(sway);
    marrow.reserve(1);
    const twin = world.add(other, { x: index });
    twin.play('sway', { speed: 0 }).seek(0.6);
    marrow.reserve(1);
    world.update(0.1);
    assert.deepEqual(Array.from(hero.positions), posed);
    assert.deepEqual(Array.from(twin.positions), posed);
    near(twin.matrix, [1, 0, 0, 1, index, 0], 0, 'matrix');
  }
  marrow.dispose();
});

test('growth inside a call: a large model needs more than there is', async () => {
  const marrow = await create();
  const world = marrow.createWorld();
  const hero = world.add(marrow.loadRig2d(bar));
  world.update(0);
  const bind = Array.from(hero.positions);
  const side = 150;
  const verts = Array.from({ length: side * side }, (_, index) => [index % side, Math.floor(index / side)]);
  const tris = verts.flatMap(([x, y], index) => (x + 1 < side && y + 1 < side ? [index, index + 1, index + side] : []));
  const text = JSON.stringify({ bones: [{ name: 'root' }], mesh: { verts, uvs: verts, tris } });
  let grown = 0;
  for (let index = 0; index < 6; index += 1) {
    const { size } = marrow.memory;
    const big = world.add(marrow.loadRig2d(text));
    big.bone('root').x = 1;
    big.setDeform(0, new Float32Array(side * side * 2).fill(2));
    world.update(0);
    grown += marrow.memory.size > size ? 1 : 0;
    const part = big.parts[0];
    const last = part.vertexMap.indexOf(side * side - 1);
    assert.deepEqual([part.positions[last * 2], part.positions[last * 2 + 1]], [side - 1 + 3, side - 1 + 2]);
    assert.deepEqual(Array.from(hero.positions), bind);
  }
  assert.ok(grown >= 2, `memory grew ${grown} times`);
  marrow.dispose();
});

test('a crowd that grows moves its members, and their views follow', async () => {
  const marrow = await create();
  const model = marrow.loadRig2d(bar);
  const world = marrow.createWorld();
  const crowd = world.createCrowd();
  const members = [];
  for (let index = 0; index < 200; index += 1) {
    members.push(crowd.add(model, { x: index * 100 }));
    if (index % 50 === 0) {
      marrow.reserve(1);
    }
  }
  world.update(0);
  members.forEach((member, index) => {
    const [part] = member.parts;
    const corner = part.vertexMap.indexOf(0);
    near([part.positions[corner * 2], part.positions[corner * 2 + 1]], [index * 100 - 32, -128], 1e-2, `member ${index}`);
  });
  marrow.dispose();
});

test('reserve refuses nonsense, and says when there is no more', async () => {
  const marrow = await create();
  assert.throws(() => marrow.reserve(0), { code: 'BAD_ARGUMENT' });
  assert.throws(() => marrow.reserve(2 ** 40), { code: 'NO_MEMORY' });
  const { size } = marrow.memory;
  marrow.reserve(1000000);
  assert.ok(marrow.memory.size >= size + 1000000);
  marrow.dispose();
});
