// The kernels, as WebAssembly in this process and as native programs beside it, behind one face: `skin`, `pose`, ... take a number
// of iterations and answer with the seconds they took.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** @param {string} file the bench binary */
export async function loadKernels(file) {
  const module = await WebAssembly.compile(readFileSync(file));
  return {
    /** @param {Uint8Array} bytes a packed character @param {number} [members] */
    async create(bytes, members = 1) {
      const imports = { env: { emscripten_notify_memory_growth() {} } };
      const { exports } = await WebAssembly.instantiate(module, imports);
      const call = /** @type {Record<string, (...args: number[]) => number>} */ (/** @type {unknown} */ (exports));
      const memory = /** @type {WebAssembly.Memory} */ (exports.memory);
      call._initialize();
      const data = call.bench_reserve(bytes.length);
      new Uint8Array(memory.buffer).set(bytes, data);
      const character = call.bench_create(data);
      let made = character !== 0;
      for (let i = 1; made && i < members; i++) made = call.bench_join(character) !== 0;
      if (!made) throw new Error('the bench binary has no memory for the character');
      let frame = 0;
      /** @param {string} what @param {number} iterations */
      const run = (what, iterations) => {
        call[`bench_${what}`](character, iterations, frame);
        frame += iterations;
      };
      return {
        run,
        /** Poses one frame. */
        poseFrame: (/** @type {number} */ at) => call.bench_pose(character, 1, at),
        setPalette: (/** @type {number[][]} */ palette) => {
          const numbers = new Float32Array(memory.buffer, call.bench_palette(character), 8 * palette.length);
          palette.forEach((m, i) => numbers.set(m, 8 * i));
        },
        /** Copies: the palette as affines, the vertices in the file's order. */
        palette: (/** @type {number} */ boneCount) => {
          const numbers = new Float32Array(memory.buffer, call.bench_palette(character), 8 * boneCount);
          return Array.from({ length: boneCount }, (_, i) => [...numbers.subarray(8 * i, 8 * i + 6)]);
        },
        positions: (/** @type {number} */ vertexCount) => {
          const map = new Uint32Array(memory.buffer, call.bench_map(character), vertexCount);
          const numbers = new Float32Array(memory.buffer, call.bench_output(character), 2 * vertexCount);
          const out = new Float32Array(2 * vertexCount);
          map.forEach((file, i) => out.set(numbers.subarray(2 * i, 2 * i + 2), 2 * file));
          return out;
        },
      };
    },
  };
}
/** @typedef {Awaited<ReturnType<Awaited<ReturnType<typeof loadKernels>>['create']>>} WasmCharacter */

/**
 * A native program on a character of its own; it waits for commands, so that its rounds take turns with the others'.
 * @param {string} program
 * @param {Uint8Array} bytes
 * @param {number} [members]
 */
export function startNative(program, bytes, members = 1) {
  const folder = mkdtempSync(path.join(tmpdir(), 'marrow-bench-'));
  const file = path.join(folder, 'character.bin');
  writeFileSync(file, bytes);
  const child = spawn(program, [file, String(members)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  let frame = 0;
  return {
    /** @param {string} what @param {number} iterations @returns {Promise<number>} seconds */
    async run(what, iterations) {
      child.stdin.write(`${what} ${iterations} ${frame}\n`);
      frame += iterations;
      const { value, done } = await lines.next();
      if (done) throw new Error(`${program} ended early`);
      return Number(value);
    },
    async stop() {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
