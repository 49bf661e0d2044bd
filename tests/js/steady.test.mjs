// A steady frame allocates nothing in the core and leaves no garbage in JavaScript. Runs itself again with --trace-gc to count.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { create, readAsset } from './support.mjs';

const frames = 100000;

async function steady() {
  const marrow = await create();
  const model = marrow.loadRig2d(readAsset('bar/bar.rig2d.json'));
  model.addClip(readAsset('bar/bar.anim.json'));
  const world = marrow.createWorld();
  const hero = world.add(model);
  const idle = world.add(model);
  hero.play('sway');
  let sum = 0;
  const frame = (/** @type {number} */ time) => {
    hero.bone('base').rotation = time * 1e-6;
    hero.x = time * 1e-3;
    hero.view.opacity = 0.5;
    world.update(1 / 60);
    sum += hero.version + hero.positions[0] + hero.runs.length + hero.parts[0].positions[1] + hero.matrix[4] + hero.shown.opacity;
    sum += idle.version + world.verticesWritten + world.changed.length;
  };
  return { marrow, world, frame, total: () => sum };
}

if (process.argv.includes('--steady')) {
  const { frame, total } = await steady();
  for (let index = 0; index < 20000; index += 1) {
    frame(index);
  }
  console.log('BEGIN');
  for (let index = 0; index < frames; index += 1) {
    frame(index);
  }
  console.log(`END ${Number.isFinite(total())}`);
} else {
  test(`${frames} frames without a garbage collection`, () => {
    const run = spawnSync(process.execPath, ['--trace-gc', import.meta.filename, '--steady'], { encoding: 'utf8' });
    assert.equal(run.status, 0, run.stderr);
    const [, measured] = run.stdout.split('BEGIN');
    assert.match(measured, /END true/);
    const collections = measured.split('\n').filter((line) => /Scavenge|Mark-Compact|Mark-sweep/i.test(line));
    assert.deepEqual(collections, []);
  });

  test('frames do not allocate in the core', async () => {
    const { marrow, frame } = await steady();
    frame(0);
    const { allocations, used, size } = marrow.memory;
    for (let index = 1; index < 1000; index += 1) {
      frame(index);
    }
    assert.deepEqual(marrow.memory, { allocations, used, size });
    marrow.dispose();
  });

  test('many characters: a frame of a thousand allocates nothing either', async () => {
    const { marrow, world } = await steady();
    const model = world.instances[0].model;
    assert.ok(model);
    const crowd = world.createCrowd();
    for (let index = 0; index < 500; index += 1) {
      world.add(model).play('sway', { speed: 0.5 + index / 1000 });
      crowd.add(model, { x: index }).play('sway');
    }
    world.update(0.1);
    const { allocations } = marrow.memory;
    for (let index = 0; index < 100; index += 1) {
      world.update(1 / 60);
    }
    assert.equal(marrow.memory.allocations, allocations);
    marrow.dispose();
  });
}
