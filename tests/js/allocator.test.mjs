// The binaries' allocator, by itself: blocks that are aligned, apart and intact, neighbours that join, growth from inside and outside.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { binaryPath } from './support.mjs';

const binary = new WebAssembly.Module(readFileSync(binaryPath()));

async function fresh() {
  const state = { growths: 0 };
  const instance = await WebAssembly.instantiate(binary, { env: { emscripten_notify_memory_growth: () => { state.growths += 1; } } });
  const { allocate, release, memory, _initialize: initialize } = /** @type {Record<string, any>} */ (instance.exports);
  initialize();
  return { allocate, release, memory, state };
}

/** A seeded generator of whole numbers below `limit` (Park and Miller). */
function generator() {
  let seed = 20_240_229;
  return (/** @type {number} */ limit) => {
    seed = (seed * 48_271) % 0x7fffffff;
    return seed % limit;
  };
}

test('blocks are aligned to 16 bytes, lie apart and keep what is written, and all come together again', async () => {
  const { allocate, release, memory } = await fresh();
  const random = generator();
  /** @type {{ at: number, size: number, mark: number }[]} */
  const live = [];
  const isIntact = (/** @type {{ at: number, size: number, mark: number }} */ { at, size, mark }) => (
    new Uint8Array(memory.buffer, at, size).every((byte) => byte === mark));
  for (let round = 0; round < 30_000; round += 1) {
    if (live.length > 0 && (live.length > 800 || random(100) < 48)) {
      const [block] = live.splice(random(live.length), 1);
      assert.ok(isIntact(block), `block at ${block.at}`);
      release(block.at);
    } else {
      const size = random(10) === 0 ? random(20_000) : random(300);
      const block = { at: allocate(size), size, mark: random(256) };
      assert.ok(block.at > 0 && block.at % 16 === 0);
      new Uint8Array(memory.buffer, block.at, size).fill(block.mark);
      live.push(block);
    }
  }
  assert.ok(live.length > 100 && live.every(isIntact));
  live.forEach(({ at }) => release(at));
  // Nothing is lost: what there is can be had in one piece, but for the data, the stack and a few words.
  const size = memory.buffer.byteLength;
  const whole = allocate(size - 256 * 1024 - 64 * 1024);
  assert.ok(whole > 0);
  assert.equal(memory.buffer.byteLength, size);
});

test('an empty block has an address of its own, and nothing may be released', async () => {
  const { allocate, release } = await fresh();
  const [first, second] = [allocate(0), allocate(0)];
  assert.ok(first > 0 && second > 0 && first !== second);
  release(0);
  release(first);
  assert.equal(allocate(0), first);
});

test('memory grows when it must, says so, and a block goes across the border', async () => {
  const { allocate, memory, state } = await fresh();
  const before = memory.buffer.byteLength;
  const at = allocate(before);
  assert.equal(state.growths, 1);
  assert.ok(at > 0 && at < before && at + before <= memory.buffer.byteLength);
});

test('what the host adds to memory is used before memory grows again', async () => {
  const { allocate, memory, state } = await fresh();
  const before = memory.buffer.byteLength;
  memory.grow(64);
  assert.ok(allocate(before) > 0);
  assert.equal(state.growths, 0);
  assert.equal(memory.buffer.byteLength, before + 64 * 65_536);
});

test('what cannot be had is 0, and everything goes on', async () => {
  const { allocate, release, memory } = await fresh();
  for (const size of [0xffffffff, 0x80000000, 0x7fffffff, 0x7ffeffff]) {
    assert.equal(allocate(size), 0, `${size} bytes`);
  }
  const at = allocate(1000);
  assert.ok(at > 0);
  release(at);
  assert.equal(memory.buffer.byteLength, 4 * 1024 * 1024);
});
