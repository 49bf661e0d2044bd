// The pictures of the documents: docs/kit.gif, drawn by the command line, and docs/viewer/*, screenshots of the built page in Chromium.
// Usage: npm run build && node tools/make-pictures.mjs
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { openBrowser } from '../tests/web/support/browser.mjs';
import { serve } from '../tests/web/support/server.mjs';
import { root, run } from './run.mjs';

const folder = path.join(root, 'docs/viewer');
const desk = { width: 1280, height: 800 };
const small = { width: 900, height: 700 };
const phone = { width: 390, height: 844 };

/**
 * @typedef {object} Shot
 * @property {string} name
 * @property {string} query
 * @property {{ width: number, height: number }} size
 * @property {(page: import('playwright-core').Page) => Promise<unknown>} [act] before the picture is taken
 */

/** @type {Shot[]} */
const shots = [
  { name: 'flat', query: '?rig=kit&clip=walk&t=0.2&play=0&theme=dark', size: desk },
  { name: 'world', query: '?rig=kit&clip=run&t=0.2&play=0&stage=2.5d&theme=light', size: desk },
  { name: 'spherical', query: '?rig=kit&clip=jump&t=0.5&play=0&stage=2.5d&facing=spherical&view=1.6,3.2,3.4,0,0.7,0&theme=dark', size: desk },
  { name: 'ground', query: '?rig=koi&clip=swim&t=0.4&play=0&stage=ground&heading=30&theme=light', size: desk },
  { name: 'bones', query: '?rig=kit&clip=wave&t=0.6&play=0&overlay=bones&bone=upperArm.R&theme=dark', size: desk },
  { name: 'weights', query: '?rig=kit&clip=idle&t=0.5&play=0&overlay=weights&bone=spine&tool=move&theme=light', size: desk },
  { name: 'strongest', query: '?rig=banner&clip=storm&t=0.9&play=0&overlay=dominant,wireframe,bounds&theme=dark', size: desk },
  { name: 'world-bones', query: '?rig=kit&clip=run&t=0.3&play=0&stage=2.5d&overlay=bones&bone=head&theme=dark', size: desk },
  { name: 'ground-bones', query: '?rig=koi&clip=dart&t=0.3&play=0&stage=ground&overlay=bones,wireframe&bone=spine2&theme=light', size: desk },
  { name: 'error', query: '?rig=kit&clip=sit&t=1&play=0&theme=dark', size: desk,
    act: (page) => page.setInputFiles('#files', { name: 'broken.rig2d.json', mimeType: 'application/json', buffer: Buffer.from('{ "bones": [ { "name": "a" }, { "name": "b", }') }) },
  { name: 'stress', query: 'stress.html?rig=kit&n=300&as=crowd&play=0&theme=dark', size: desk },
  { name: 'small', query: '?rig=kit&clip=walk&t=0.2&play=0&theme=light', size: small },
  { name: 'small-world', query: '?rig=banner&clip=sway&t=0.5&play=0&stage=2.5d&theme=dark', size: small },
  { name: 'phone', query: '?rig=kit&clip=wave&t=0.6&play=0&theme=dark', size: phone },
  { name: 'phone-ground', query: '?rig=koi&clip=swim&t=0.4&play=0&stage=ground&theme=light', size: phone },
  { name: 'phone-drawer', query: '?rig=kit&clip=wave&t=0.6&play=0&overlay=bones&bone=head&theme=light', size: phone,
    act: (page) => page.getByRole('button', { name: 'Selection, view and figures' }).click() },
];

mkdirSync(folder, { recursive: true });
run(process.execPath, ['wasm-api/js/cli.js', 'render', 'assets/kit', '--clip', 'walk', '--gif', '--size', '320', '-o', 'docs/kit.gif']);
const server = await serve({ '/': path.join(root, 'web/dist') });
const browser = await openBrowser();
for (const { name, query, size, act } of shots) {
  const { page, close } = await browser.open(server.url + query, { viewport: size });
  await act?.(page);
  await page.locator('[data-figure="Uploaded"]', { hasText: /^0 B$/ }).waitFor({ state: 'attached' });
  await page.screenshot({ path: path.join(folder, `${name}.png`) });
  await close();
}
await browser.close();
await server.close();
