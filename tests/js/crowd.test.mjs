// Crowds: members side by side in one space, drawn by their order key.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, inFileOrder, near, readAsset, throwsCode } from './support.mjs';

const marrow = await create();
const bar = readAsset('bar/bar.rig2d.json');

test('a member is where its root puts it, in the crowd\'s space', () => {
  const model = marrow.loadRig2d(bar);
  const world = marrow.createWorld();
  const crowd = world.createCrowd();
  const single = world.add(model);
  const member = crowd.add(model, { x: 1000, y: 10, scaleX: 2, scaleY: 2 });
  for (const each of [single, member]) {
    each.bone('mid').rotation = 0.7;
  }
  world.update(0);
  const expected = inFileOrder(single.parts[0], single.parts[0].positions).map((value, index) => value * 2 + (index % 2 === 0 ? 1000 : 10));
  near(inFileOrder(member.parts[0], member.parts[0].positions), expected, 1e-3, 'positions');
  assert.equal(member.crowd, crowd);
  assert.deepEqual([...crowd.members], [member]);
  model.dispose();
  world.dispose();
});

test('one index list, by order and then by age', () => {
  const model = marrow.loadRig2d(bar);
  const world = marrow.createWorld();
  const crowd = world.createCrowd();
  const members = [2, 0, 1, 0].map((order, index) => crowd.add(model, { order, x: index * 1000 }));
  world.update(0);
  assert.equal(crowd.indices.length, 4 * 96);
  const drawn = () => [0, 1, 2, 3].map((slot) => Math.round(Math.abs(crowd.positions[crowd.indices[slot * 96] * 2]) / 1000));
  assert.deepEqual(drawn(), [1, 3, 2, 0]);
  assert.equal(crowd.runs.length, 1);
  assert.equal(crowd.runs[0].indexCount, 4 * 96);
  const { structureVersion } = crowd;
  world.update(0);
  assert.equal(crowd.structureVersion, structureVersion, 'idle');
  members[0].order = -1;
  world.update(0);
  assert.deepEqual(drawn(), [0, 1, 3, 2]);
  assert.ok(crowd.structureVersion > structureVersion);
  members[1].dispose();
  world.update(0);
  assert.equal(crowd.indices.length, 3 * 96);
  model.dispose();
  world.dispose();
});

test('colors hold tint and opacity of each member', () => {
  const model = marrow.loadRig2d(bar);
  const world = marrow.createWorld();
  const crowd = world.createCrowd();
  const [red, plain] = [crowd.add(model), crowd.add(model, { x: 1000 })];
  red.view.color = 0xff0000;
  red.view.opacity = 0.5;
  world.update(0);
  const colorOf = (/** @type {import('marrow2d').Instance} */ member) => {
    const first = (member.positions.byteOffset - crowd.positions.byteOffset) / 8;
    return crowd.colors[first + member.parts[0].firstVertex];
  };
  assert.equal(colorOf(plain) >>> 0, 0xffffffff);
  assert.equal(colorOf(red) & 0xffffff, 0x0000ff, 'r in the low byte');
  near([colorOf(red) >>> 24], [128], 1, 'alpha');
  const { colorVersion, version } = crowd;
  world.update(0);
  assert.deepEqual([crowd.colorVersion, crowd.version], [colorVersion, version]);
  const { structureVersion } = crowd;
  plain.parts[0].color = 0x0000ff;
  world.update(0);
  assert.equal(colorOf(plain) & 0xffffff, 0xff0000);
  assert.deepEqual([crowd.colorVersion, crowd.structureVersion], [colorVersion + 1, structureVersion]);
  plain.view.color = 0x00ff00;
  world.update(0);
  assert.equal(crowd.colorVersion, colorVersion + 2);
  assert.equal(crowd.version, version);
  model.dispose();
  world.dispose();
});

test('models of two cores do not mix', async () => {
  const other = await create();
  const model = other.loadRig2d(bar);
  const world = marrow.createWorld();
  throwsCode(() => world.createCrowd().add(model), 'BAD_ARGUMENT');
  throwsCode(() => world.add(model), 'BAD_ARGUMENT');
  throwsCode(() => marrow.assets.provide('theirs', model), 'BAD_ARGUMENT');
  throwsCode(() => world.add(marrow.loadRig2d(bar)).attach(other.createWorld().add(model)), 'BAD_ARGUMENT');
  world.dispose();
  other.dispose();
});
