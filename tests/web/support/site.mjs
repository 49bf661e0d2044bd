// The built page, served below a path, because a page is seldom alone on its host.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { root } from './harness.mjs';
import { serve } from './server.mjs';

const dist = path.join(root, 'web/dist');

/**
 * @param {Record<string, string>} [folders] what else is served
 * @param {{ policy?: string }} [options]
 */
export async function serveSite(folders = {}, options = {}) {
  assert.ok(existsSync(path.join(dist, 'index.html')), 'web/dist is missing: node tools/build.mjs web');
  const server = await serve({ ...folders, '/some/where/': dist }, options);
  return { ...server, site: `${server.url}some/where/` };
}

/** @param {import('playwright-core').Page} page @param {string} name */
export function figure(page, name) {
  return page.locator(`[data-figure="${name}"]`);
}
