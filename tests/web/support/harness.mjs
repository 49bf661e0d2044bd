// The renderers, the package and helpers on one page, bundled as an application would and served under a strict policy.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';
import { openBrowser } from './browser.mjs';
import { serve } from './server.mjs';

export const root = path.resolve(import.meta.dirname, '../../..');
const out = path.join(root, 'tests/web/out');

/** Opens the harness; `page.evaluate` functions find it as `harness`. */
export async function openHarness() {
  mkdirSync(out, { recursive: true });
  const outDir = mkdtempSync(path.join(out, 'harness-'));
  await build({
    root: path.join(import.meta.dirname, 'harness'),
    configFile: path.join(root, 'web/vite.config.js'),
    publicDir: false,
    logLevel: 'warn',
    build: { outDir, emptyOutDir: true, minify: false },
  });
  const server = await serve({ '/assets-of-project/': path.join(root, 'assets'), '/': outDir });
  const browser = await openBrowser();
  const opened = await browser.open(server.url);
  return {
    ...opened,
    /** A second page of the same harness. */
    reopen: () => browser.open(server.url),
    async close() {
      await browser.close();
      await server.close();
      rmSync(outDir, { recursive: true });
    },
  };
}
