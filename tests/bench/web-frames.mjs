// JavaScript's time of a frame in Chromium: 1, 200 and 1,000 moving characters as single views and as one crowd, in PixiJS.
// Usage: npm run bench -- --web, or node tests/bench/web-frames.mjs [--json]
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';
import { openBrowser } from '../web/support/browser.mjs';
import { serve } from '../web/support/server.mjs';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * @typedef {{ count: number, asCrowd: boolean, core: number, renderer: number, draws: number }} Frames
 * @param {number[]} [counts]
 * @returns {Promise<Frames[]>} medians in milliseconds
 */
export async function measureWebFrames(counts = [1, 200, 1000]) {
  const out = path.join(root, 'tests/web/out');
  mkdirSync(out, { recursive: true });
  const outDir = mkdtempSync(path.join(out, 'frames-'));
  await build({
    root: path.join(import.meta.dirname, 'web-frames'), configFile: path.join(root, 'web/vite.config.js'), publicDir: false, logLevel: 'warn',
    build: { outDir, emptyOutDir: true },
  });
  const server = await serve({ '/': outDir });
  const browser = await openBrowser();
  try {
    const { page, assertQuiet } = await browser.open(server.url);
    const rows = [];
    for (const count of counts) {
      for (const asCrowd of [false, true]) {
        rows.push(await page.evaluate(([members, together]) => /** @type {any} */ (globalThis).measure(members, together), /** @type {const} */ ([count, asCrowd])));
      }
    }
    assertQuiet();
    return rows;
  } finally {
    await browser.close();
    await server.close();
    rmSync(outDir, { recursive: true });
  }
}

/**
 * The same as text.
 * @param {Frames[]} rows
 */
export function formatWebFrames(rows) {
  const lines = rows.map(({ count, asCrowd, core, renderer, draws }) => [
    String(count), asCrowd ? 'one crowd' : 'single views', core.toFixed(2), renderer.toFixed(2), (core + renderer).toFixed(2), String(draws)]);
  const table = [['characters', 'drawn as', 'core ms', 'PixiJS ms', 'frame ms', 'draw calls'], ...lines];
  const widths = table[0].map((_, column) => Math.max(...table.map((line) => line[column].length)));
  const text = table.map((line) => line.map((cell, column) => (column === 1 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join('  '));
  return ['JavaScript time of a frame in Chromium (135 vertices and 12 bones a character, all moving; medians of 60 frames)', ...text].join('\n');
}

if (process.argv[1] === import.meta.filename) {
  const rows = await measureWebFrames();
  console.log(process.argv.includes('--json') ? JSON.stringify(rows) : formatWebFrames(rows));
}
