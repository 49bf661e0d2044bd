// Frames that leave no garbage: each scenario runs in a process of its own under --trace-gc, and nothing may be collected.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { getHeapStatistics } from 'node:v8';

const warm = 20000;
const frames = 100000;
/** The smallest object takes 12 bytes; the compiler's own notes are in the number as well. */
const mostBytes = 6 * frames;

/**
 * Makes a test of each scenario, or runs the one that this process was started for.
 *
 * V8 compiles in the middle of the program instead of beside it, so that what it inlines, and with it whether it boxes a fraction that
 * crosses a call, does not hang on how busy the machine is.
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
      const flags = ['--trace-gc', '--expose-gc', '--no-concurrent-recompilation'];
      const child = spawnSync(process.execPath, [...flags, file, '--scenario', name], { encoding: 'utf8' });
      assert.equal(child.status, 0, child.stderr);
      const [, collected, bytes] = /BEGIN\n([^]*?)END (-?\d+)\n/.exec(child.stdout) ?? assert.fail(child.stdout);
      assert.equal(collected, '', 'what was collected');
      assert.ok(Number(bytes) < mostBytes, `${bytes} bytes in ${frames} frames`);
    });
  }
}

/** @param {(frame: number) => void} frame */
function run(frame) {
  for (let index = 0; index < warm; index += 1) {
    frame(index);
  }
  /** @type {any} */ (globalThis).gc();
  console.log('BEGIN');
  const before = getHeapStatistics().used_heap_size;
  for (let index = 0; index < frames; index += 1) {
    frame(index);
  }
  console.log(`END ${getHeapStatistics().used_heap_size - before}`);
}
