// JavaScript's time of a frame in Chromium: 1, 200 and 1,000 moving characters as single views and as one crowd, in PixiJS.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';
import { openBrowser } from '../web/support/browser.mjs';
import { serve } from '../web/support/server.mjs';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * @typedef {{ count: number, asCrowd: boolean, core: number, renderer: number, draws: number }} Frames
 * @param {number[]} counts
 * @returns {Promise<Frames[]>} medians in milliseconds
 */
export async function measureWebFrames(counts) {
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
