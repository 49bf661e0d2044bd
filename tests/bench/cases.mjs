// What is measured against what. Every contestant's output is compared with the reference in f64 before its time counts.
import { createClip, createPalette, createRig, packCharacter, poseReference, skinReference } from './character.mjs';
import { startNative } from './contestants.mjs';
import { toAnim, toRig2d } from './documents.mjs';
import { measureFirstFigure } from './first-figure.mjs';
import { compare } from './measure.mjs';
import { createBest } from './rivals/best.mjs';
import { createDragonBonesStyle } from './rivals/dragonbones.mjs';
import { createModokiFrame, createModokiStyle } from './rivals/modoki.mjs';
import { createPlain } from './rivals/plain.mjs';
import { createTypedPose } from './rivals/pose.mjs';
import { createThree } from './rivals/three.mjs';
import { measureWebFrames } from './web-frames.mjs';

/**
 * A line of the table. `ratio` is the other's time over ours (`least`: at least the target) or ours over the other's (`most`).
 * Without a target it is for information.
 * @typedef {{ name: string, against: string, ours: number, theirs: number, unit: string, ratio: number, spread: number[],
 *   bound?: 'least' | 'most', target?: number, stretch?: number, note?: string }} Row
 * @typedef {{ kernels: Awaited<ReturnType<typeof import('./contestants.mjs').loadKernels>>, natives: { sse: string, avx: string },
 *   marrow: () => Promise<any>, options: import('./measure.mjs').Options }} Bench
 */

/** A smoke run has fewer. */
const FEW_ROUNDS = 10;

const SKIN_RIVALS = {
  'plain JS': createPlain,
  'best-effort JS': createBest,
  'Modoki-style': createModokiStyle,
  'DragonBones loop': createDragonBonesStyle,
  'three.js applyBoneTransform': createThree,
};

/** @param {string} who @param {ArrayLike<number>} actual @param {ArrayLike<number>} expected */
function check(who, actual, expected) {
  let worst = 0, largest = 0;
  for (let i = 0; i < expected.length; i++) {
    const error = Math.abs(actual[i] - expected[i]);
    worst = error <= worst ? worst : error;
    largest = Math.max(largest, Math.abs(expected[i]));
  }
  if (!(worst <= 1e-3 + 1e-5 * largest)) throw new Error(`${who} is off by ${worst}`);
}

/** @param {Float32Array} out @param {number[] | undefined} order */
function inFileOrder(out, order) {
  if (order === undefined) return out;
  const sorted = new Float32Array(out.length);
  order.forEach((file, i) => sorted.set(out.subarray(2 * i, 2 * i + 2), 2 * file));
  return sorted;
}

/** @param {string} name @param {(iterations: number) => void} step */
const repeat = (name, step) => ({
  name,
  run(/** @type {number} */ iterations) {
    for (let i = 0; i < iterations; i++) step(i);
  },
});

/**
 * @param {Bench} bench
 * @param {number} vertexCount
 * @param {Record<string, [number, number]>} targets
 * @returns {Promise<Row[]>}
 */
export async function skinCase({ kernels, natives, options }, vertexCount, targets) {
  const rig = createRig(vertexCount), clip = createClip(rig, false), palette = createPalette(rig, 1);
  const expected = skinReference(rig, palette);
  const bytes = packCharacter(rig, clip);
  const ours = await kernels.create(bytes);
  for (const what of ['skin', 'skin_scalar']) {
    ours.setPalette(palette);
    ours.run(what, 1);
    check(what, ours.positions(vertexCount), expected);
  }
  const contestants = [{ name: 'ours', run: (n) => ours.run('skin', n) }, { name: 'scalar C', run: (n) => ours.run('skin_scalar', n) }];
  for (const [name, create] of Object.entries(SKIN_RIVALS)) {
    const rival = create(rig);
    rival.setPalette(palette);
    rival.skin();
    check(name, inFileOrder(rival.out, 'order' in rival ? /** @type {number[]} */ (rival.order) : undefined), expected);
    contestants.push(repeat(name, rival.skin));
  }
  const programs = { 'native SSE4.1': startNative(natives.sse, bytes), 'native AVX2+FMA': startNative(natives.avx, bytes) };
  for (const [name, program] of Object.entries(programs)) contestants.push({ name, run: (n) => program.run('skin', n) });
  const result = await compare(contestants, options);
  await Promise.all(Object.values(programs).map((program) => program.stop()));
  return contestants.slice(1).map(({ name }) => {
    const isNative = name in programs;
    const [target, stretch] = targets[name] ?? [];
    return {
      name: `2D skinning, ${vertexCount} vertices`, against: name, unit: 'ns/vertex',
      ours: (result.seconds('ours') * 1e9) / vertexCount, theirs: (result.seconds(name) * 1e9) / vertexCount,
      ...(isNative ? { ...result.ratio('ours', name), bound: 'most' } : { ...result.ratio(name, 'ours'), bound: 'least' }), target, stretch,
    };
  });
}

/**
 * @param {Bench} bench
 * @param {boolean} weighted
 * @param {[number, number]} targets
 * @returns {Promise<Row[]>}
 */
export async function poseCase({ kernels, natives, options }, weighted, [target, stretch]) {
  const rig = createRig(1), clip = createClip(rig, weighted);
  const bytes = packCharacter(rig, clip);
  const ours = await kernels.create(bytes);
  const typed = createTypedPose(rig, clip, weighted);
  for (const frame of [0, 1, 7, 44, 119, 120, 5000]) {
    const expected = poseReference(rig, clip, frame).flat();
    ours.poseFrame(frame);
    check('pose', ours.palette(rig.bones.length).flat(), expected);
    typed.pose(frame);
    check('typed-array pose', typed.palette, expected);
  }
  let frame = 0;
  const native = startNative(natives.sse, bytes);
  const contestants = [
    { name: 'ours', run: (n) => ours.run('pose', n) },
    { name: 'scalar C', run: (n) => ours.run('pose_scalar', n) },
    repeat('typed-array JS', () => typed.pose(frame++)),
    { name: 'native SSE4.1', run: (n) => native.run('pose', n) },
  ];
  const result = await compare(contestants, options);
  await native.stop();
  const name = `pose of 60 bones, ${weighted ? 'weighted' : 'plain'} keys`;
  return contestants.slice(1).map(({ name: against }) => ({
    name, against, unit: 'ns', ours: result.seconds('ours') * 1e9, theirs: result.seconds(against) * 1e9,
    ...(against.startsWith('native') ? { ...result.ratio('ours', against), bound: 'most' } : { ...result.ratio(against, 'ours'), bound: 'least' }),
    ...(against === 'typed-array JS' ? { target, stretch } : {}),
  }));
}

/** A model of the package from the bench's character. */
async function loadModel(marrow, rig, clip) {
  const model = marrow.loadRig2d(toRig2d(rig));
  model.addClip(toAnim(rig, clip));
  return model;
}

/** One character through the package: `world.update` against the same frame in the reference engine's style. @returns {Promise<Row[]>} */
export async function frameCase(/** @type {Bench} */ { marrow: create, options }) {
  const rig = createRig(1000), clip = createClip(rig, false);
  const marrow = await create();
  const world = marrow.createWorld();
  const hero = world.add(await loadModel(marrow, rig, clip));
  const rival = createModokiFrame(rig, clip);
  hero.play('move', { loop: true });
  for (const frame of [0, 1, 50, 119]) {
    const expected = skinReference(rig, poseReference(rig, clip, frame));
    rival.frame(frame);
    check('Modoki-style frame', rival.out, expected);
    hero.seek(frame / 60);
    world.update(0);
    check('world.update', inFileOrder(hero.positions, [...hero.part('body').vertexMap]), expected);
  }
  let frame = 0;
  const contestants = [repeat('ours', () => world.update(1 / 60)), repeat('Modoki-style', () => rival.frame(frame++))];
  const result = await compare(contestants, options);
  marrow.dispose();
  return [{
    name: 'whole frame, 1000 vertices x 60 bones', against: 'Modoki-style', unit: 'us', ours: result.seconds('ours') * 1e6,
    theirs: result.seconds('Modoki-style') * 1e6, ...result.ratio('Modoki-style', 'ours'), bound: 'least', target: 12, stretch: 15,
  }];
}

/** A thousand characters through the package, and the kernels alone as WebAssembly and natively. @returns {Promise<Row[]>} */
export async function crowdCase(/** @type {Bench} */ { kernels, natives, marrow: create, options }, count = 1000) {
  const rig = createRig(1000), clip = createClip(rig, false);
  const bytes = packCharacter(rig, clip);
  const marrow = await create();
  const world = marrow.createWorld();
  const model = await loadModel(marrow, rig, clip);
  const members = Array.from({ length: count }, (_, i) => world.add(model, { name: `member${i}` }));
  members.forEach((member, i) => {
    member.play('move', { loop: true });
    member.seek(((7 * i) / 60) % clip.duration);
  });
  world.update(1 / 60);
  if (world.verticesWritten !== count * rig.vertexCount) throw new Error(`${world.verticesWritten} vertices were written`);
  const alone = await kernels.create(bytes, count);
  const native = startNative(natives.sse, bytes, count);
  const contestants = [
    repeat('ours', () => world.update(1 / 60)),
    { name: 'kernels alone', run: (n) => alone.run('frame', n) },
    { name: 'native SSE4.1', run: (n) => native.run('frame', n) },
  ];
  const result = await compare(contestants, { ...options, seconds: Math.max(options.seconds, 0.004) });
  await native.stop();
  marrow.dispose();
  const name = `${count} characters x 1000 vertices x 60 bones`;
  const ours = result.seconds('ours') * 1e3;
  return [
    { name, against: 'one core', unit: 'ms', ours, theirs: NaN, ratio: ours, spread: result.extremes('ours').map((s) => s * 1e3), bound: 'most', target: 3, stretch: 2 },
    ...['kernels alone', 'native SSE4.1'].map((against) => ({
      name, against, unit: 'ms', ours, theirs: result.seconds(against) * 1e3, ...result.ratio('ours', against), bound: /** @type {const} */ ('most'),
    })),
  ];
}

/** A character that stands still costs nothing and writes nothing. @returns {Promise<Row[]>} */
export async function idleCase(/** @type {Bench} */ { marrow: create, options }) {
  const rig = createRig(1000), clip = createClip(rig, false);
  const marrow = await create();
  const world = marrow.createWorld();
  const hero = world.add(await loadModel(marrow, rig, clip));
  const empty = marrow.createWorld();
  world.update(1 / 60);
  const { version } = hero;
  let written = 0;
  for (let i = 0; i < 100; i++) {
    world.update(1 / 60);
    written += world.verticesWritten;
  }
  if (written !== 0 || hero.version !== version) throw new Error(`an idle character wrote ${written} vertices`);
  const contestants = [repeat('idle', () => world.update(1 / 60)), repeat('empty', () => empty.update(1 / 60))];
  const result = await compare(contestants, options);
  marrow.dispose();
  const ours = result.seconds('idle') * 1e6;
  return [{
    name: 'idle character, 0 vertices written', against: 'world.update alone', unit: 'us', ours, theirs: result.seconds('empty') * 1e6,
    ratio: ours, spread: result.extremes('idle').map((s) => s * 1e6), bound: 'most', target: 0.1,
    note: 'the whole call, from JavaScript',
  }];
}

/**
 * Of a browser: the script of a frame (135 vertices and 12 bones a character, all moving), and the wait for the viewer's first figure.
 * @param {Bench} bench
 * @returns {Promise<Row[]>}
 */
async function chromiumCase({ options: { rounds } }) {
  const isSmoke = rounds < FEW_ROUNDS;
  const frames = await measureWebFrames(isSmoke ? [1] : [1, 200, 1000]);
  const times = await measureFirstFigure(isSmoke ? 1 : 9);
  const spent = (/** @type {boolean} */ crowd) => frames.filter(({ asCrowd }) => asCrowd === crowd).map(({ core, renderer }) => core + renderer);
  const single = spent(false);
  /** @type {Row[]} */
  const rows = spent(true).map((ours, i) => {
    const { count } = frames[2 * i];
    const ratio = single[i] / ours;
    return {
      name: `script of a frame in Chromium, ${count} in one crowd`, against: `${count} single views`, unit: 'ms', ours, theirs: single[i], ratio,
      spread: [ratio, ratio],
    };
  });
  const ours = times[times.length >> 1];
  rows.push({
    name: 'first figure of the viewer in Chromium', against: 'a warm load', unit: 'ms', ours, theirs: NaN, ratio: ours,
    spread: [times[0], times[times.length - 1]], bound: 'most', target: 1000,
  });
  return rows;
}

export const CASES = {
  'skin-200': (/** @type {Bench} */ bench) => skinCase(bench, 200, { 'plain JS': [6.5, 8], 'Modoki-style': [8.5, 10] }),
  'skin-1000': (/** @type {Bench} */ bench) => skinCase(bench, 1000, {
    'plain JS': [8.5, 10], 'best-effort JS': [5.8, 7], 'Modoki-style': [11, 12], 'DragonBones loop': [9.5, 11],
    'native SSE4.1': [1.1, 1], 'native AVX2+FMA': [1.25, 1.15],
  }),
  'skin-5000': (/** @type {Bench} */ bench) => skinCase(bench, 5000, { 'plain JS': [13, 16], 'Modoki-style': [17, 20] }),
  pose: (/** @type {Bench} */ bench) => poseCase(bench, false, [6, 8]),
  'pose-weighted': (/** @type {Bench} */ bench) => poseCase(bench, true, [4, 6]),
  frame: frameCase,
  crowd: (/** @type {Bench} */ bench) => crowdCase(bench),
  idle: idleCase,
  chromium: chromiumCase,
};
