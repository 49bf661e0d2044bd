// Frames that leave no garbage: each scenario runs in a process of its own under --trace-gc, and nothing may be collected.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { getHeapStatistics } from 'node:v8';

const warm = 20000;
const frames = 100000;
const rounds = 4;
const processes = 8;

/**
 * Makes a test of each scenario, or runs the one that this process was started for.
 *
 * V8 boxes a fraction that crosses a call which it happens not to inline, and what it inlines differs from one process to the next; code
 * that a busy machine has not compiled yet does so too. What a frame itself leaves is there in every round of every process: one clean
 * round proves that there is nothing.
 * @param {string} file of the caller, which is started again
 * @param {Record<string, () => Promise<(frame: number) => void>>} scenarios each makes a frame
 */
export async function testSteadyFrames(file, scenarios) {
  const at = process.argv.indexOf('--scenario');
  if (at >= 0) {
    run(await scenarios[process.argv[at + 1]]());
    return;
  }
  for (const name of Object.keys(scenarios)) {
    test(`${name}: ${frames} frames without a garbage collection`, () => {
      /** @type {string[]} */
      const seen = [];
      while (seen.length < processes && !isClean(file, name, seen));
      assert.ok(isFinite(Number(seen.at(-1))), `bytes in ${frames} frames, by process: ${seen.join('; ')}`);
    });
  }
}

/**
 * Runs a scenario in a process. Adds what it counted to `seen`: the bytes of a clean round, or a list of all rounds.
 * @param {string} file
 * @param {string} name
 * @param {string[]} seen
 */
function isClean(file, name, seen) {
  const child = spawnSync(process.execPath, ['--trace-gc', '--expose-gc', file, '--scenario', name], { encoding: 'utf8' });
  assert.equal(child.status, 0, child.stderr);
  const measured = [...child.stdout.matchAll(/BEGIN\n([^]*?)END (-?\d+)\n/g)];
  assert.equal(measured.length, rounds, child.stdout);
  // The smallest object takes 12 bytes; the compiler's own notes are in the number as well.
  const clean = measured.find(([, collected, bytes]) => collected === '' && Number(bytes) < 6 * frames);
  seen.push(clean === undefined ? `${measured.map(([, , bytes]) => bytes).join(', ')}, collected` : clean[2]);
  return clean !== undefined;
}

/** @param {(frame: number) => void} frame */
function run(frame) {
  for (let index = 0; index < warm; index += 1) {
    frame(index);
  }
  for (let round = 0; round < rounds; round += 1) {
    /** @type {any} */ (globalThis).gc();
    console.log('BEGIN');
    const before = getHeapStatistics().used_heap_size;
    for (let index = 0; index < frames; index += 1) {
      frame(index);
    }
    console.log(`END ${getHeapStatistics().used_heap_size - before}`);
  }
}
