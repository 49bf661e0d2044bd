// The characters that the project ships: clean, complete, and their feet stand still.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asset, create } from './support.mjs';

const marrow = await create();

for (const [name, clips, parts] of /** @type {const} */ ([
  ['kit', ['idle', 'walk', 'run', 'wave', 'jump', 'sit'], 16],
  ['koi', ['swim', 'dart'], 1],
  ['banner', ['sway', 'storm'], 2],
])) {
  test(`${name} loads with all its clips and its page, and nothing in it has to be repaired`, async () => {
    const model = await marrow.load(asset(`${name}/${name}.rig2d.json`), { strict: true });
    assert.deepEqual(model.warnings, []);
    assert.deepEqual(model.clips.map((clip) => clip.name), clips);
    assert.equal(model.parts.length, parts);
    assert.equal(model.sprites.length, 1);
    assert.ok((model.images[0]?.width ?? 0) > 0, 'the page was found');
    model.dispose();
  });
}

/** The sole from the ankle in the bind pose: the heel, and the tip on which the toes roll. */
const soles = /** @type {const} */ ({ heel: [-24, 38], toe: [58, 38] });

/**
 * Where a point of a foot is.
 * @param {import('marrow2d').Instance} hero
 * @param {'R' | 'L'} side
 * @param {keyof typeof soles} point
 */
function sole(hero, side, point) {
  const [a, b, c, d, e, f] = hero.bone(`foot.${side}`).matrix;
  const [x, y] = soles[point];
  return { x: a * x + c * y + e, y: b * x + d * y + f };
}

for (const [clip, stance] of /** @type {const} */ ([['walk', 0.58], ['run', 0.27]])) {
  test(`kit's feet stand still on the ground that passes by as they ${clip}`, async () => {
    const model = await marrow.load(asset('kit/kit.rig2d.json'), { images: false });
    const world = marrow.createWorld();
    const hero = world.add(model);
    /** @type {{ foot: 'R' | 'L', speed: number, time: number }[]} */
    const steps = [];
    hero.on('event', ({ name, data, time }) => name === 'step' && steps.push({ .../** @type {any} */ (data), time }));
    hero.play(clip);
    const duration = model.clips.find((each) => each.name === clip)?.duration ?? 0;
    world.update(duration * 0.999);
    assert.deepEqual(steps.map(({ foot }) => foot).sort(), ['L', 'R']);
    for (const { foot, speed, time } of steps) {
      for (const [point, from, to] of /** @type {const} */ ([['heel', 0, 0.4], ['toe', 0.17, 1]])) {
        const places = Array.from({ length: 25 }, (_, i) => {
          const passed = stance * duration * (from + ((to - from) * i) / 24);
          hero.seek((time + passed) % duration);
          world.update(0);
          const { x, y } = sole(hero, foot, point);
          return { x: x + speed * passed, y };
        });
        const spread = (/** @type {'x' | 'y'} */ axis) => Math.max(...places.map((place) => place[axis])) - Math.min(...places.map((place) => place[axis]));
        assert.ok(spread('x') < 1 && spread('y') < 1, `${foot} ${point} slides by ${spread('x')}, ${spread('y')}`);
      }
    }
    model.dispose();
  });
}
