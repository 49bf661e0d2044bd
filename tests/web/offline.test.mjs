// The built page below a path, without a network, after an update, and what its first figure waits for.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { PNG } from 'pngjs';
import { keptOffline, openBrowser } from './support/browser.mjs';
import { root } from './support/harness.mjs';
import { serve, strictPolicy } from './support/server.mjs';

const out = path.join(root, 'tests/web/out');
const dist = path.join(root, 'web/dist');

/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

/**
 * A copy of the built page, which a test may change.
 * @param {import('node:test').TestContext} context
 */
async function site(context) {
  const folder = mkdtempSync(path.join(tmpdir(), 'marrow-offline-'));
  cpSync(dist, folder, { recursive: true });
  const server = await serve({ '/deep/below/': folder });
  context.after(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });
  return { folder, url: `${server.url}deep/below/`, close: server.close };
}

/** Colors that a picture of an element has: what draws nothing has few. @param {import('playwright-core').Page} page @param {string} selector @param {string} name */
async function colors(page, selector, name) {
  const { data } = PNG.sync.read(await page.locator(selector).screenshot({ path: path.join(out, `offline-${name}.png`) }));
  return new Set(new Uint32Array(data.buffer, data.byteOffset, data.length / 4)).size;
}

test('after the first visit all of it works without a network: every character, every stage, what is saved, the stress page', async (context) => {
  const { url, close } = await site(context);
  const { page, assertQuiet, close: closePage } = await browser.open(`${url}?rig=kit&play=0`);
  context.after(closePage);
  await keptOffline(page);
  await page.context().setOffline(true);
  // The host is gone, too.
  await close();
  for (const rig of ['kit', 'koi', 'banner', 'bar']) {
    await page.goto(`${url}?rig=${rig}&play=0&backdrop=plain`);
    await page.waitForSelector('html[data-ready="yes"]', { state: 'attached' });
    assert.ok(await colors(page, '#stage-flat', rig) > 100, rig);
    assert.equal(await page.locator('.card').count(), 0);
  }
  await page.goto(`${url}?rig=kit&play=0`);
  await page.locator('input[name="stage"][value="2.5d"]').check();
  await page.locator('#stage-world canvas').waitFor();
  assert.ok(await colors(page, '#stage-world', 'world') > 100);
  await page.locator('#save').click();
  await page.getByRole('menuitem', { name: /Loop/ }).click();
  await page.locator('#estimate', { hasText: 'frames' }).waitFor();
  await page.goto(`${url}stress.html?n=20&play=0`);
  await page.locator('[data-figure="Characters"]', { hasText: /^20$/ }).waitFor();
  assert.ok(await colors(page, '#field', 'stress') > 100);
  assertQuiet();
});

test('what is not part of the page goes to the network, and errors are not kept', async (context) => {
  const { folder, url } = await site(context);
  const { page, forgive, assertQuiet, close } = await browser.open(`${url}?rig=bar&play=0`);
  context.after(close);
  await keptOffline(page);
  const status = () => page.evaluate(async () => (await fetch('later.json')).status);
  assert.equal(await status(), 404);
  writeFileSync(path.join(folder, 'later.json'), '{}');
  assert.equal(await status(), 200);
  const names = await page.evaluate(async () => (await Promise.all((await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).map((request) => request.url)))).flat());
  assert.ok(names.includes(`${url}kit/kit.png`) && names.includes(`${url}stress.html`), names.join(' '));
  assert.ok(!names.some((name) => name.endsWith('later.json') || name.endsWith('sw.js') || name.endsWith('.svg') || name.endsWith('.md')), names.join(' '));
  forgive(/404/);
  assertQuiet();
});

test('a newer version is offered, then shown, and nothing of the older one stays', async (context) => {
  const { folder, url } = await site(context);
  const { page, assertQuiet, close } = await browser.open(`${url}?rig=bar&play=0`);
  context.after(close);
  await keptOffline(page);
  const keys = () => page.evaluate(() => caches.keys());
  const before = await keys();
  assert.equal(before.length, 1);
  // Another build: a page with other words, and the list that goes with it.
  const html = readFileSync(path.join(folder, 'index.html'), 'utf8').replace('<title>Marrow', '<title>Marrow, newer');
  writeFileSync(path.join(folder, 'index.html'), html);
  const worker = path.join(folder, 'sw.js');
  writeFileSync(worker, readFileSync(worker, 'utf8').replace(/("index\.html":")[^"]+/, `$1sha256-${createHash('sha256').update(html).digest('base64')}`));
  await page.reload();
  assert.equal(await page.title(), 'Marrow', 'an open page keeps its version');
  const offer = page.locator('.card', { hasText: 'newer version' });
  await offer.waitFor();
  await Promise.all([page.waitForEvent('load'), offer.getByRole('button', { name: 'Load it' }).click()]);
  await page.waitForSelector('html[data-ready="yes"]', { state: 'attached' });
  assert.equal(await page.title(), 'Marrow, newer');
  const now = await keys();
  assert.equal(now.length, 1);
  assert.notEqual(now[0], before[0]);
  assertQuiet();
});

test('a build that is half there is not taken', async (context) => {
  const { folder, url } = await site(context);
  // The page is of another build than the list: its hash does not fit.
  appendFileSync(path.join(folder, 'stress.html'), '<!-- other -->');
  const { page, close } = await browser.open(`${url}?rig=bar&play=0`);
  context.after(close);
  const outcome = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.register('./sw.js', { scope: './' });
    const worker = /** @type {ServiceWorker} */ (registration.installing ?? registration.waiting ?? registration.active);
    if (worker.state !== 'redundant') {
      await new Promise((resolve) => {
        worker.addEventListener('statechange', () => ['redundant', 'installed'].includes(worker.state) && resolve(undefined));
      });
    }
    return worker.state;
  });
  assert.equal(outcome, 'redundant');
  // What is open is not disturbed.
  assert.ok(await colors(page, '#stage-flat', 'half') > 100);
});

test('three.js is not fetched before its stage is seen', async (context) => {
  const { url } = await site(context);
  const { page, assertQuiet, close } = await browser.open(`${url}?rig=kit&play=0`);
  context.after(close);
  // Read before the worker begins to keep everything.
  const scripts = () => page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.includes('/world-')));
  assert.deepEqual(await scripts(), []);
  await page.locator('input[name="stage"][value="ground"]').check();
  await page.locator('#stage-world:not([hidden]) canvas').waitFor();
  assert.equal((await scripts()).length, 1);
  assertQuiet();
});

test('both pages say the policy that they are written for', () => {
  for (const name of ['index.html', 'stress.html']) {
    const html = readFileSync(path.join(dist, name), 'utf8');
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1];
    assert.equal(policy, strictPolicy.replace(/;$/, ''), name);
    assert.doesNotMatch(html, /(src|href)="\//, `${name} names something from the root of the host`);
    assert.doesNotMatch(html, /<script(?![^>]*src)/, `${name} has an inline script`);
  }
});

test('the first figure waits neither for authoring nor for what draws over it', async (context) => {
  const { url } = await site(context);
  // With its worker nothing would be asked for.
  const { page, assertQuiet, close } = await browser.open(`${url}?rig=kit&play=0`, { serviceWorkers: 'block' });
  context.after(close);
  let heldCount = 0;
  let release = () => {};
  const released = new Promise((resolve) => {
    release = () => resolve(undefined);
  });
  await page.route(/(marrow\.author|overlay|hand|world)-/, async (route) => {
    heldCount += 1;
    await released;
    await route.continue();
  });
  await page.reload({ waitUntil: 'commit' });
  await page.waitForFunction(() => performance.getEntriesByName('first-frame').length === 1);
  assert.ok(heldCount > 0, 'nothing was held back');
  release();
  await page.waitForSelector('html[data-ready="yes"]', { state: 'attached' });
  assertQuiet();
});
