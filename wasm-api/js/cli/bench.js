import { buildRig } from '../author.js';
import { createMarrow } from '../index.js';
import { hasSimd } from '../loader.js';
import { Progress, plural, print, printJson, table } from './output.js';

/** @typedef {import('../index.js').Marrow} Marrow */

const boneCount = 60;
const step = 1 / 60;
const roundTime = 2;
const warmTime = 100;
const rounds = 31;

/** @type {import('./command.js').Command} */
export const bench = {
  name: 'bench',
  summary: "this machine's own figures",
  usage: 'marrow bench [--json]',
  details: `Times a character of 200, 1000 and 5000 vertices with ${boneCount} bones that a clip turns, the same at rest, and 100 of 1000 vertices. Each figure is the median of ${rounds} rounds. The comparison with other libraries is "npm run bench" of the repository.`,
  options: {},
  files: { least: 0, most: 0 },
  async run({ json }) {
    const marrow = await createMarrow();
    const results = [];
    const cases = [[1, 200], [1, 1000], [1, 5000], [100, 1000]];
    const progress = new Progress('measuring');
    for (const [index, [characters, vertices]] of cases.entries()) {
      results.push(...measure(marrow, characters, vertices));
      progress.at(index + 1, cases.length);
    }
    const machine = { node: process.version, binary: hasSimd() ? 'simd' : 'scalar' };
    if (json) {
      printJson({ ...machine, bones: boneCount, results });
    } else {
      print(`Node ${machine.node}, ${machine.binary} binary, ${plural('bone', boneCount)} a character\n`);
      print(table(['case', 'characters', 'vertices', 'us an update', 'ns a vertex'], results.map((result) => [
        result.name, result.characters, result.vertices, Number(result.microseconds.toFixed(2)),
        result.nanosecondsPerVertex === null ? '-' : result.nanosecondsPerVertex.toFixed(2),
      ])));
    }
    return 0;
  },
};

/**
 * @param {Marrow} marrow
 * @param {number} characters
 * @param {number} wantedVertices
 */
function measure(marrow, characters, wantedVertices) {
  const model = marrow.loadRig2d(JSON.stringify(strip(wantedVertices)));
  model.addClip(JSON.stringify(turn()));
  const world = marrow.createWorld();
  const heroes = Array.from({ length: characters }, () => world.add(model));
  const vertices = model.parts[0].vertexCount;
  const idle = median(() => world.update(step));
  heroes.forEach((hero, index) => hero.play('turn').seek(index / characters));
  const moving = median(() => world.update(step));
  world.dispose();
  model.dispose();
  return [
    { name: 'every bone turns', characters, vertices, microseconds: moving, nanosecondsPerVertex: (moving * 1000) / (characters * vertices) },
    { name: 'idle', characters, vertices, microseconds: idle, nanosecondsPerVertex: null },
  ];
}

/** A clip that turns every bone a little. */
function turn() {
  const keys = [[0, 0], [0.5, 0.05], [1, 0]].map(([t, v]) => ({ t, v, inTangent: 0, outTangent: 0 }));
  const tracks = Array.from({ length: boneCount }, (_, index) => ({
    path: Array.from({ length: index + 1 }, (_each, above) => `b${above}`).join('/'), trait: 'Transform', field: 'rz', type: 'number', keys,
  }));
  return { name: 'turn', duration: 1, tracks };
}

/**
 * A cloth of about so many vertices with a chain of bones.
 * @param {number} vertices
 */
function strip(vertices) {
  const columns = 9;
  const rows = Math.round(vertices / (columns + 1)) - 1;
  const length = 1000;
  const bones = Array.from({ length: boneCount }, (_, index) => ({
    name: `b${index}`, parent: index - 1, x: 0, y: index === 0 ? -length / 2 : length / boneCount, rot: 0,
  }));
  return buildRig({ width: 100, height: length, sprite: '', columns, rows, bones });
}

/**
 * Microseconds of one call: the median over rounds of about two milliseconds.
 * @param {() => void} act
 */
function median(act) {
  for (let took = 0; took < warmTime;) {
    took += timed(act, 10);
  }
  let calls = 1;
  for (let took = 0; took < roundTime;) {
    calls *= 2;
    took = timed(act, calls);
  }
  const times = Array.from({ length: rounds }, () => timed(act, calls) / calls).sort((a, b) => a - b);
  return times[times.length >> 1] * 1000;
}

/**
 * @param {() => void} act
 * @param {number} calls
 */
function timed(act, calls) {
  const start = performance.now();
  for (let call = 0; call < calls; call += 1) {
    act();
  }
  return performance.now() - start;
}
