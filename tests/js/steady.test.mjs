// A steady frame allocates nothing in the core and leaves no garbage in JavaScript. Runs itself again with --trace-gc to count.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, readAsset } from './support.mjs';
import { testSteadyFrames } from '../support/steady.mjs';

async function stage() {
  const marrow = await create();
  const model = marrow.loadRig2d(readAsset('bar/bar.rig2d.json'));
  model.addClip(readAsset('bar/bar.anim.json'));
  const world = marrow.createWorld();
  return { marrow, model, world, hero: world.add(model) };
}

/**
 * What one frame does, by name. V8 boxes a fraction that crosses a call which it happens not to inline, whoever made it, so the numbers
 * written are whole and sums go into a typed array.
 * @type {Record<string, () => Promise<(frame: number) => void>>}
 */
const scenarios = {
  async play() {
    const { world, hero } = await stage();
    const sum = new Float64Array(1);
    hero.play('sway');
    return () => {
      world.update(1 / 60);
      sum[0] += hero.version + hero.positions[0] + hero.runs.length + world.changed.length;
    };
  },
  async pose() {
    const { world, hero } = await stage();
    const mid = hero.bone('mid');
    return (frame) => {
      mid.rotation = frame & 3;
      world.update(1 / 60);
    };
  },
  async setMany() {
    const { world, hero } = await stage();
    const mid = hero.bone('mid');
    const values = { x: 0, rotation: 0 };
    const placement = { x: 0, order: 1 };
    return (frame) => {
      values.rotation = frame & 3;
      placement.x = frame & 1023;
      mid.set(values).override(values);
      hero.place(placement);
      world.update(1 / 60);
    };
  },
  async place() {
    const { world, hero } = await stage();
    const sum = new Float64Array(1);
    return (frame) => {
      hero.x = frame & 1023;
      world.update(1 / 60);
      sum[0] += hero.matrix[4];
    };
  },
  async parts() {
    const { world, hero } = await stage();
    const sum = new Float64Array(1);
    return (frame) => {
      hero.part('main').color = frame & 0xffffff;
      world.update(1 / 60);
      sum[0] += hero.runs[0].color + hero.parts[0].positions[0];
    };
  },
  async idle() {
    const { world, hero } = await stage();
    const sum = new Float64Array(1);
    return () => {
      world.update(1 / 60);
      sum[0] += hero.version + world.verticesWritten + world.changed.length;
    };
  },
  async crowd() {
    const { world, model } = await stage();
    const sum = new Float64Array(1);
    const crowd = world.createCrowd();
    const members = Array.from({ length: 3 }, (_, index) => crowd.add(model, { x: index }).play('sway'));
    return (frame) => {
      members[0].order = frame & 1;
      world.update(1 / 60);
      sum[0] += crowd.version + crowd.positions[0] + crowd.indices.length + crowd.runs.length + crowd.colors[0];
    };
  },
};

await testSteadyFrames(import.meta.filename, scenarios);

if (!process.argv.includes('--scenario')) {
  test('frames do not allocate in the core', async () => {
    const { marrow, model, world, hero } = await stage();
    const crowd = world.createCrowd();
    hero.play('sway');
    for (let index = 0; index < 500; index += 1) {
      world.add(model).play('sway', { speed: 0.5 + index / 1000 });
      crowd.add(model, { x: index }).play('sway');
    }
    world.update(0.1);
    const { allocations, used, size } = marrow.memory;
    for (let index = 0; index < 100; index += 1) {
      hero.bone('mid').rotation = index;
      world.update(1 / 60);
    }
    assert.deepEqual(marrow.memory, { used, size, allocations });
    marrow.dispose();
  });
}
