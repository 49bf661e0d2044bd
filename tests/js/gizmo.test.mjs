// The viewer's handles: planes, hit zones, and what a drag does to a bone. Expected values are worked out by hand.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { drag, handleAt, placeFrame, toFrame } from '../../web/src/overlay/gizmo.js';
import { listEdges } from '../../web/src/overlay/edges.js';
import { nudged, toLocalOf } from '../../web/src/overlay/local-space.js';
import { Poses } from '../../web/src/pose.js';
import { readParts, readPose, writeParts, writePose } from '../../web/src/pose-address.js';
import { project, unproject } from '../../web/src/stages/stage.js';
import { asset, create, near } from './support.mjs';

/** @type {Awaited<ReturnType<typeof create>>} */
let marrow;
before(async () => {
  marrow = await create();
});

const degrees = Math.PI / 180;
const flat = { x: 0, y: 0, cos: 1, sin: 0, unit: 1 };
const rest = { x: 10, y: 20, rotation: 0.5, scaleX: 1, scaleY: 2 };
const plain = [1, 0, 0, 1, 0, 0];

/** @param {Partial<import('../../web/src/overlay/gizmo.js').Grip>} given */
function gripOf(given) {
  return { handle: /** @type {const} */ ('free'), frame: flat, local: rest, toLocal: plain, from: { x: 0, y: 0 }, turned: 0, ...given };
}

/** A seeded sequence in 0..1. @param {number} seed */
function sequence(seed) {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}

test('a point of the plane is found again where it is seen', () => {
  const next = sequence(7);
  const [seen, found] = [{ x: 0, y: 0 }, { x: 0, y: 0 }];
  let checked = 0;
  for (let round = 0; round < 500; round += 1) {
    const h = Float64Array.from([1 + next(), next() - 0.5, 400 * next(), next() - 0.5, 1 + next(), 300 * next(), 0.002 * next() - 0.001, 0.002 * next() - 0.001, 1]);
    const [x, y] = [200 * next() - 100, 200 * next() - 100];
    if (project(h, x, y, seen)) {
      assert.equal(unproject(h, seen.x, seen.y, found), true);
      near([found.x, found.y], [x, y], 1e-6, 'point');
      checked += 1;
    }
  }
  assert.ok(checked > 400, `${checked} points`);
});

test('what lies behind the camera, or in a plane seen from its edge, is not found', () => {
  const out = { x: 0, y: 0 };
  // w = 1 - x / 100: the camera stands above x = 100.
  const tilted = Float64Array.from([1, 0, 0, 0, 1, 0, -0.01, 0, 1]);
  assert.equal(project(tilted, 50, 0, out), true);
  assert.equal(out.x, 100);
  assert.equal(project(tilted, 150, 0, out), false);
  // x = -300 on the screen is (X w = x): -300 (1 - x / 100) = x, so x = 150, which is behind.
  assert.equal(unproject(tilted, -300, 0, out), false);
  assert.equal(unproject(Float64Array.from([1, 0, 0, 0, 0, 0, 0, 0, 1]), 5, 0, out), false);
});

test('the gizmo keeps its size on the screen', () => {
  const frame = { ...flat };
  // Two CSS pixels a unit: a pixel is half a unit.
  assert.equal(placeFrame(Float64Array.from([2, 0, 30, 0, 2, 40, 0, 0, 1]), 5, 6, 0, frame), true);
  assert.deepEqual([frame.x, frame.y, frame.unit], [5, 6, 0.5]);
  assert.deepEqual(toFrame(frame, { x: 35, y: 6 }), { x: 60, y: 0 });
  // Foreshortened to a quarter in height, as on the ground: as wide as ever. So it is when the plane is turned by 30 degrees first.
  placeFrame(Float64Array.from([2, 0, 0, 0, 0.5, 0, 0, 0, 1]), 0, 0, 0, frame);
  assert.equal(frame.unit, 0.5);
  placeFrame(Float64Array.from([2 * Math.cos(30 * degrees), -1, 0, 0.25, 0.5 * Math.cos(30 * degrees), 0, 0, 0, 1]), 0, 0, 0, frame);
  near([frame.unit], [0.5], 1e-12, 'turned and foreshortened');
  // Along the bone, turned a quarter: +y of the plane is +x of the gizmo.
  placeFrame(Float64Array.from([1, 0, 0, 0, 1, 0, 0, 0, 1]), 0, 0, 90 * degrees, frame);
  const { x, y } = toFrame(frame, { x: 0, y: 60 });
  near([x, y], [60, 0], 1e-9, 'turned');
  assert.equal(placeFrame(Float64Array.from([1, 0, 0, 0, 1, 0, -0.01, 0, 1]), 150, 0, 0, frame), false);
});

test('handles are hit in their zones', () => {
  /** @type {[import('../../web/src/overlay/gizmo.js').Tool, number, number, string | null][]} */
  const cases = [
    ['move', 60, 0, 'x'], ['move', 67.9, 7.9, 'x'], ['move', 69, 0, 'x'], ['move', 70.1, 0, null], ['move', 9, 0, 'x'], ['move', -69, 7, 'x'],
    ['move', 0, 60, 'y'], ['move', 7.9, 67.9, 'y'], ['move', 0, 70.1, null], ['move', 0, -30, 'y'], ['move', 30, 8.1, null],
    ['move', 0, 0, 'free'], ['move', 7.9, -7.9, 'free'], ['move', 30, 30, null],
    ['turn', 60, 0, 'ring'], ['turn', 0, -67.9, 'ring'], ['turn', 36, 48, 'ring'], ['turn', 51.9, 0, null], ['turn', 68.1, 0, null], ['turn', 0, 0, null],
    ['scale', 44, 44, 'corner'], ['scale', -51.9, 36.1, 'corner'], ['scale', 44, 0, null], ['scale', 52.1, 44, null],
    ['scale', 0, 0, 'uniform'], ['scale', 11.9, 0, 'uniform'], ['scale', 5.9, -6, 'uniform'], ['scale', 6, 6.1, null],
  ];
  for (const [tool, x, y, handle] of cases) {
    assert.equal(handleAt(tool, { x, y }), handle, `${tool} ${x} ${y}`);
  }
  // A finger's 16 pixels.
  assert.equal(handleAt('turn', { x: 75, y: 0 }, 16), 'ring');
  assert.equal(handleAt('move', { x: 30, y: 15 }, 16), 'x');
});

test('move: free, along one axis, in the space of a turned parent, in steps', () => {
  assert.deepEqual(drag(gripOf({}), { x: 3, y: -4 }, false), { x: 13, y: 16 });
  assert.deepEqual(drag(gripOf({ handle: 'x' }), { x: 3, y: -4 }, false), { x: 13, y: 20 });
  assert.deepEqual(drag(gripOf({ handle: 'y' }), { x: 3, y: -4 }, false), { x: 10, y: 16 });
  // Axes at 45 degrees: (2, 0) goes (1, 1) along x.
  const slanted = { ...flat, cos: Math.SQRT1_2, sin: Math.SQRT1_2 };
  const along = drag(gripOf({ handle: 'x', frame: slanted }), { x: 2, y: 0 }, false);
  near([along?.x ?? 0, along?.y ?? 0], [11, 21], 1e-12, 'along a slanted axis');
  // The parent is turned a quarter and twice as large: (4, 0) of the plane is (0, -2) of its own.
  const moved = drag(gripOf({ toLocal: [0, -0.5, 0.5, 0, 0, 0] }), { x: 4, y: 0 }, false);
  near([moved?.x ?? 0, moved?.y ?? 0], [10, 18], 1e-12, 'below a parent');
  // Shift: values in halves; one that does not move stays as it is.
  assert.deepEqual(drag(gripOf({ local: { ...rest, x: 0.3, y: 0.3 } }), { x: 1.1, y: 0 }, true), { x: 1.5, y: 0.3 });
});

test('turn: by the angle about the joint, over more than half a circle, mirrored, in steps', () => {
  const frame = { ...flat, x: 100, y: 50 };
  const right = gripOf({ handle: 'ring', frame, from: { x: 160, y: 50 } });
  near([drag(right, { x: 100, y: 80 }, false)?.rotation ?? 0], [0.5 + 90 * degrees], 1e-12, 'a quarter');
  near([drag(right, { x: 70, y: 49.999 }, false)?.rotation ?? 0], [0.5 + Math.PI + 0.001 / 30], 1e-6, 'past half a circle');
  near([drag(right, { x: 100, y: 20 }, false)?.rotation ?? 0], [0.5 + 270 * degrees], 1e-12, 'three quarters');
  // 0.5 + 360 degrees is over the whole circle that is kept.
  near([drag(right, { x: 160, y: 50 }, false)?.rotation ?? 0], [0.5], 1e-12, 'a whole turn');
  // 28.6 + 90 degrees = 118.6, to the next 15: 120.
  near([drag(gripOf({ handle: 'ring', frame, from: { x: 160, y: 50 } }), { x: 100, y: 80 }, true)?.rotation ?? 0], [120 * degrees], 1e-12, 'steps');
  const mirrored = gripOf({ handle: 'ring', frame, from: { x: 160, y: 50 }, toLocal: [-1, 0, 0, 1, 0, 0] });
  near([drag(mirrored, { x: 100, y: 80 }, false)?.rotation ?? 0], [0.5 - 90 * degrees], 1e-12, 'mirrored');
  // A joint has no angle yet: the first point is where it is measured from.
  const joint = gripOf({ handle: 'ring', frame, from: null });
  assert.equal(drag(joint, { x: 100, y: 60 }, false), null);
  near([drag(joint, { x: 90, y: 50 }, false)?.rotation ?? 0], [0.5 + 90 * degrees], 1e-12, 'from the first point');
});

test('scale: each axis by its own ratio, both by the distance, never from the very middle', () => {
  const corner = gripOf({ handle: 'corner', from: { x: 44, y: 44 } });
  assert.deepEqual(drag(corner, { x: 66, y: 11 }, false), { scaleX: 1.5, scaleY: 0.5 });
  assert.deepEqual(drag(corner, { x: -10, y: 44 }, false), { scaleX: 0, scaleY: 2 });
  assert.deepEqual(drag(gripOf({ handle: 'corner', from: { x: 4, y: 44 } }), { x: 40, y: 88 }, false), { scaleY: 4 });
  // 1 * 1.36 and 2 * 1.36 to the next tenth.
  const stepped = drag(gripOf({ handle: 'corner', from: { x: 50, y: 50 } }), { x: 68, y: 68 }, true);
  near([stepped?.scaleX ?? 0, stepped?.scaleY ?? 0], [1.4, 2.7], 1e-12, 'steps');
  assert.deepEqual(drag(gripOf({ handle: 'uniform', from: { x: 6, y: 8 } }), { x: 0, y: -25 }, false), { scaleX: 2.5, scaleY: 5 });
  const middle = gripOf({ handle: 'uniform', from: { x: 1, y: 1 } });
  assert.equal(drag(middle, { x: 2, y: 2 }, false), null);
  assert.equal(drag(middle, { x: 0, y: 5 }, false), null);
  assert.deepEqual(drag(middle, { x: 10, y: 0 }, false), { scaleX: 2, scaleY: 4 });
});

/** @param {object[]} bones */
function hang(bones) {
  const document = { bones, mesh: { verts: [], uvs: [], tris: [] }, skinIndices: [], skinWeights: [] };
  const world = marrow.createWorld();
  const hero = world.add(marrow.loadRig2d(JSON.stringify(document)));
  world.update(0);
  return { world, hero };
}

test('the space of local values: turned, mirrored, flat and noScale parents', () => {
  const { world, hero } = hang([{ name: 'a', parent: -1, x: 5, y: 7, rot: 0 }, { name: 'b', parent: 0, x: 10, y: 0, rot: 0 }]);
  const [a, b] = [hero.bone('a'), hero.bone('b')];
  near(toLocalOf(a, false), plain, 0, 'a root');
  a.override({ rotation: 90 * degrees, scaleX: 2, scaleY: -4 });
  world.update(0);
  // b stands at (5, 7) + (0, 20). From the plane: minus (5, 7), turned back a quarter, divided by (2, -4).
  near(toLocalOf(b, false), [0, 0.25, 0.5, 0, -3.5, -1.25], 1e-6, 'turned and scaled');
  near(toLocalOf(b, true), [0, 1, 1, 0, -7, -5], 1e-6, 'noScale: mirrored still, but of length one');
  const fields = nudged(b.local, toLocalOf(b, false), 4, 8);
  near([fields.x, fields.y], [14, 1], 1e-6, 'nudged');
  a.override({ rotation: 90 * degrees, scaleX: 0, scaleY: 2 });
  world.update(0);
  // The zero counts as one: only turned back, and halved along y.
  near(toLocalOf(b, false), [0, -0.5, 1, 0, -7, 2.5], 1e-6, 'one scale is zero');
  a.override({ scaleX: 0, scaleY: 0 });
  world.update(0);
  near(toLocalOf(b, false), [0, -1, 1, 0, -7, 5], 1e-6, 'both are: only turned back');
});

test('poses: steps, undo, redo, resets', () => {
  const { world, hero } = hang([{ name: 'a', parent: -1, x: 0, y: 0, rot: 0 }, { name: 'b', parent: 0, x: 10, y: 0, rot: 0 }]);
  const poses = new Poses(() => {});
  const [a, b] = [hero.bone('a'), hero.bone('b')];
  const seen = () => {
    world.update(0);
    return [a.local.rotation, a.local.x, b.local.x];
  };
  // A drag is one step, however often it sets.
  poses.set(hero, 0, { rotation: 0.25 });
  poses.set(hero, 0, { rotation: 0.5 });
  poses.endStep();
  poses.set(hero, 0, { rotation: 1 });
  poses.set(hero, 0, { x: 3 });
  poses.set(hero, 1, { x: 30 });
  // Before any update, what is set counts already.
  assert.deepEqual(poses.localOf(hero, 1), { x: 30, y: 0, rotation: 0, scaleX: 1, scaleY: 1 });
  assert.deepEqual(seen(), [1, 3, 30]);
  poses.undo(hero);
  assert.equal(poses.localOf(hero, 1).x, 10);
  assert.deepEqual(seen(), [1, 3, 10]);
  poses.undo(hero);
  assert.deepEqual(seen(), [1, 0, 10]);
  poses.undo(hero);
  assert.deepEqual(seen(), [0.5, 0, 10]);
  poses.redo(hero);
  poses.redo(hero);
  assert.deepEqual(seen(), [1, 3, 10]);
  // Resets are steps too; one that changes nothing is none. What comes after an undo ends what could be done again.
  poses.reset(hero, 0);
  poses.reset(hero, 0);
  assert.deepEqual(seen(), [0, 0, 10]);
  poses.redo(hero);
  assert.deepEqual(seen(), [0, 0, 10]);
  poses.undo(hero);
  assert.deepEqual(seen(), [1, 3, 10]);
  poses.resetAll(hero);
  assert.deepEqual(seen(), [0, 0, 10]);
  for (let step = 0; step < 9; step += 1) {
    poses.undo(hero);
  }
  assert.deepEqual(seen(), [0, 0, 10]);
  for (let step = 0; step < 9; step += 1) {
    poses.redo(hero);
  }
  assert.deepEqual(seen(), [0, 0, 10]);
});

test('another figure has another history', async () => {
  const model = await marrow.load(asset('bar/bar.rig2d.json'), { images: false });
  const world = marrow.createWorld();
  const [first, second] = [world.add(model), world.add(model)];
  const poses = new Poses(() => {});
  poses.set(first, 0, { x: 1 });
  poses.undo(second);
  world.update(0);
  assert.equal(first.nodeAt(0).local.x, 1);
});

test('poses: what an address says of one is what it was written from', () => {
  const names = ['arm.L', 'a,b:c%', 'Bein links', '骨'];
  const overrides = new Map([[0, { rotation: -Math.PI / 4 }], [1, { x: 1.5, y: -3, scaleX: 0 }], [2, { y: 0.0004 }], [3, { scaleY: 2 }]]);
  const text = writePose(overrides, (slot) => names[slot]);
  assert.match(text, /^arm\.L:-45,[^:]+:/);
  const { pose: read, senseless } = readPose(text);
  assert.deepEqual(senseless, []);
  assert.deepEqual(read.map(([name]) => name), names);
  near([read[0][1].rotation ?? 0], [-Math.PI / 4], 1e-6, 'rotation');
  assert.deepEqual(read.slice(1).map(([, fields]) => fields), [{ x: 1.5, y: -3, scaleX: 0 }, { y: 0 }, { scaleY: 2 }]);
  assert.equal(writePose(new Map(), () => ''), '');
  assert.deepEqual(readPose('a,b:,c:x:1e7,%:1'), { pose: [['%', { rotation: Math.PI / 180 }]], senseless: ['a', 'b:', 'c:x:1e7'] });
  const parts = new Map([['a', true], ['b,', false]]);
  assert.deepEqual([true, false].map((isVisible) => readParts(writeParts(parts, isVisible))), [['a'], ['b,']]);
});

test('edges: each once, by triangle', () => {
  // 0---1
  // | / |   and a triangle of another part
  // 2---3
  const { vertices, offsets } = listEdges(Uint32Array.from([0, 1, 2, 2, 1, 3, 4, 5, 6]), 7);
  assert.deepEqual([...offsets], [0, 3, 5, 8]);
  assert.deepEqual([...vertices], [0, 1, 1, 2, 2, 0, 1, 3, 3, 2, 4, 5, 5, 6, 6, 4]);
});
