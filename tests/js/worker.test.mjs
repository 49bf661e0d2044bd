// The package inside a worker thread.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { readAsset } from './support.mjs';

if (!isMainThread) {
  const { createMarrow } = await import('../../wasm-api/js/index.js');
  const marrow = await createMarrow({ wasm: workerData.module });
  const world = marrow.createWorld();
  const hero = world.add(marrow.loadRig2d(workerData.rig));
  hero.bone('mid').rotation = 0.5;
  world.update(0);
  parentPort?.postMessage(Array.from(hero.positions));
} else {
  const { createMarrow } = await import('../../wasm-api/js/index.js');
  const { readFileSync } = await import('node:fs');
  const { binaryPath } = await import('./support.mjs');

  test('a worker gives the same numbers as the main thread', async () => {
    const module = new WebAssembly.Module(readFileSync(binaryPath()));
    const rig = readAsset('bar/bar.rig2d.json');
    const worker = new Worker(new URL(import.meta.url), { workerData: { module, rig } });
    const fromWorker = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
    const marrow = await createMarrow({ wasm: module });
    const world = marrow.createWorld();
    const hero = world.add(marrow.loadRig2d(rig));
    hero.bone('mid').rotation = 0.5;
    world.update(0);
    assert.deepEqual(fromWorker, Array.from(hero.positions));
    await worker.terminate();
  });

  test('importing needs no window, no document and no process', async () => {
    const saved = ['window', 'document', 'self'].filter((name) => name in globalThis);
    assert.deepEqual(saved.filter((name) => name !== 'self'), [], 'nothing of a browser is here');
    assert.equal(typeof (await import('../../wasm-api/js/index.js')).createMarrow, 'function');
    assert.equal(typeof (await import('../../wasm-api/js/author.js')).autoRig, 'function');
  });
}
