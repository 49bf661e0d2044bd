// Frames that leave no garbage: each scenario runs in a process of its own under --trace-gc, and nothing may be collected.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { getHeapStatistics } from 'node:v8';

const warm = 20000;
const frames = 100000;
const rounds = 4;

/**
 * Makes a test of each scenario, or runs the one that this process was started for.
 *
 * Code that a busy machine has not compiled yet boxes numbers, so a round may count bytes that are not there later. What a frame really
 * leaves is there in every round: one clean round proves that there is nothing.
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
      const child = spawnSync(process.execPath, ['--trace-gc', '--expose-gc', file, '--scenario', name], { encoding: 'utf8' });
      assert.equal(child.status, 0, child.stderr);
      const measured = [...child.stdout.matchAll(/BEGIN\n([^]*?)END (-?\d+)\n/g)];
      assert.ok(measured.length > 0, child.stdout);
      // The smallest object takes 12 bytes; the compiler's own notes are in the number as well.
      const clean = measured.filter(([, collected, bytes]) => collected === '' && Number(bytes) < 6 * frames);
      assert.ok(clean.length > 0, `bytes in ${frames} frames: ${measured.map(([, , bytes]) => bytes).join(', ')}\n${child.stdout}`);
    });
  }
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
