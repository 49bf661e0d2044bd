// The characters that the project ships: clean, complete, and their feet stand still.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { PNG } from 'pngjs';
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

test('running, kit throws its heels up behind and reaches out before itself', async () => {
  const model = await marrow.load(asset('kit/kit.rig2d.json'), { images: false });
  const world = marrow.createWorld();
  const hero = world.add(model);
  hero.play('run');
  for (const side of ['R', 'L']) {
    const places = Array.from({ length: 56 }, (_, i) => {
      hero.seek(i / 100);
      world.update(0);
      return hero.bone(`foot.${side}`).matrix[4] - hero.bone(`upperLeg.${side}`).matrix[4];
    });
    // About as far as half a shin, to both sides of the hip.
    assert.ok(Math.min(...places) < -28, `${side} is behind by ${-Math.min(...places)}`);
    assert.ok(Math.max(...places) > 35, `${side} reaches ${Math.max(...places)}`);
  }
  model.dispose();
});

test('where kit\'s near leg and arm are open to the body, their soft edges show no shade', () => {
  const page = PNG.sync.read(readFileSync(asset('kit/kit.png')));
  const { parts } = JSON.parse(readFileSync(asset('kit/kit.rig2d.json'), 'utf8'));
  for (const [name, left, top, right, bottom] of /** @type {const} */ ([['leg.R', -30, -206, 8, -186], ['arm.R', -40, -275, -14, -262]])) {
    const { mesh } = parts.find((/** @type {{ name: string }} */ part) => part.name === name);
    const [x0, y0] = [mesh.uvs[0][0] * page.width - mesh.verts[0][0], mesh.uvs[0][1] * page.height - mesh.verts[0][1]];
    let soft = 0;
    for (let y = top; y < bottom; y++) {
      for (let x = left; x < right; x++) {
        const at = (Math.round(y + y0) * page.width + Math.round(x + x0)) * 4;
        const [red, green, blue, alpha] = page.data.subarray(at, at + 4);
        if (alpha > 24) {
          // The light of the fur is #f4913f; a little alpha rounds a lot.
          const far = Math.max(Math.abs(red - 0xf4), Math.abs(green - 0x91), Math.abs(blue - 0x3f));
          assert.ok(far <= 2 + 160 / alpha, `${name} at ${x}, ${y}: ${red}, ${green}, ${blue}, ${alpha}`);
          soft += alpha < 255 ? 1 : 0;
        }
      }
    }
    assert.ok(soft > 10, `${name} has ${soft} soft pixels there`);
  }
});

/** The disc about each joint: its radius in the drawing, and the angles between which its edge shows as the limb folds. */
const discs = /** @type {const} */ ([
  { part: 'arm', bone: 'lowerArm', radius: 20.3, from: Math.PI, to: Math.PI - 0.95 },
  { part: 'leg', bone: 'lowerLeg', radius: 18.9, from: 0.27, to: 2 },
]);

/**
 * The first triangle that holds a point, and how much of each corner the point is.
 * @param {Float32Array} positions
 * @param {number[]} indices
 * @param {number} x
 * @param {number} y
 */
function placeIn(positions, indices, x, y) {
  for (let at = 0; at < indices.length; at += 3) {
    const corners = indices.slice(at, at + 3);
    const [[ax, ay], [bx, by], [cx, cy]] = corners.map((vertex) => [positions[2 * vertex] - x, positions[2 * vertex + 1] - y]);
    const areas = [bx * cy - by * cx, cx * ay - cy * ax, ax * by - ay * bx];
    const sum = areas[0] + areas[1] + areas[2];
    if (areas.every((area) => area / sum >= 0)) {
      return { corners, weights: areas.map((area) => area / sum) };
    }
  }
  return assert.fail(`nothing is drawn at ${x}, ${y}`);
}

for (const side of /** @type {const} */ (['R', 'L'])) {
  test(`running, kit folds its elbow and knee .${side} about a disc: round on the outside, and as thick as drawn`, async () => {
    const model = await marrow.load(asset('kit/kit.rig2d.json'), { images: false });
    const world = marrow.createWorld();
    const hero = world.add(model);
    world.update(0);
    const edges = discs.map(({ part, bone, radius, from, to }) => {
      const drawn = hero.part(`${part}.${side}`);
      const indices = [...drawn.indices].map((vertex) => vertex - drawn.firstVertex);
      const [, , , , x, y] = hero.bone(`${bone}.${side}`).matrix;
      const places = Array.from({ length: 9 }, (_, i) => {
        const angle = from + ((to - from) * i) / 8;
        return placeIn(drawn.positions, indices, x + radius * Math.cos(angle), y + radius * Math.sin(angle));
      });
      return { drawn, joint: `${bone}.${side}`, radius, places };
    });
    hero.play('run');
    for (let i = 0; i < 28; i++) {
      hero.seek(i / 50);
      world.update(0);
      for (const { drawn, joint, radius, places } of edges) {
        const [, , , , x, y] = hero.bone(joint).matrix;
        for (const { corners, weights } of places) {
          const along = (/** @type {0 | 1} */ axis) => corners.reduce((sum, vertex, k) => sum + weights[k] * drawn.positions[2 * vertex + axis], 0);
          const distance = Math.hypot(along(0) - x, along(1) - y);
          assert.ok(Math.abs(distance - radius) < 0.5, `${drawn.name} at ${i / 50} s is ${distance} from its joint`);
        }
      }
    }
    model.dispose();
  });
}
