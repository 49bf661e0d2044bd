// The stress page: how many characters at once, and what it says about them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { PNG } from 'pngjs';
import { root } from './support/harness.mjs';
import { figure, useSite } from './support/site.mjs';

/** Software rendering draws a large crowd in seconds. */
const patience = 60000;

const site = useSite();

/**
 * @param {import('node:test').TestContext} context which closes the page
 * @param {string} query
 */
async function open(context, query) {
  const opened = await site.open(context, `stress.html${query}`);
  opened.page.setDefaultTimeout(patience);
  return opened;
}

/** @param {string} name @returns {number} vertices of all parts, as the file has them */
function vertexCount(name) {
  const { parts, mesh } = JSON.parse(readFileSync(path.join(root, `assets/${name}/${name}.rig2d.json`), 'utf8'));
  return (parts ?? [{ mesh }]).reduce((/** @type {number} */ sum, /** @type {any} */ part) => sum + part.mesh.verts.length, 0);
}

/** @param {import('playwright-core').Page} page @param {string} name */
async function number(page, name) {
  return Number((await figure(page, name).innerText()).replaceAll(',', ''));
}

/** @param {import('playwright-core').Page} page @param {number} count */
async function settle(page, count) {
  await figure(page, 'Characters').filter({ hasText: new RegExp(`^${count}$`) }).waitFor();
}

/** @param {import('playwright-core').Page} page */
async function idle(page) {
  await figure(page, 'Uploaded').filter({ hasText: /^0 B$/ }).waitFor();
  for (const name of ['Renderer', 'Core']) {
    await figure(page, name).filter({ hasText: /^0\.00 ms$/ }).waitFor();
  }
  await figure(page, 'Frames a second').filter({ hasText: /^0$/ }).waitFor();
}

test('two thousand in one crowd: one draw call, all of their vertices written', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=koi&n=2000&as=crowd&clip=swim');
  await settle(page, 2000);
  await figure(page, 'Vertices written').filter({ hasText: (2000 * vertexCount('koi')).toLocaleString('en') }).waitFor();
  assert.equal(await number(page, 'Vertices'), 2000 * vertexCount('koi'));
  assert.equal(await number(page, 'Draw calls'), 1);
  assert.match(await page.locator('.controls').innerText(), /recommend/);
  await page.locator('#play').click();
  await idle(page);
  assertQuiet();
});

test('two hundred views: a draw call each', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=koi&n=200&as=views&clip=swim');
  await settle(page, 200);
  assert.equal(await number(page, 'Draw calls'), 200);
  assert.equal(await number(page, 'Vertices'), 200 * vertexCount('koi'));
  assertQuiet();
});

test('paused it writes, uploads and draws nothing, and the canvas stays as it is', async (context) => {
  for (const as of ['crowd', 'views']) {
    const { page, assertQuiet } = await open(context, `?rig=kit&n=30&as=${as}&play=0`);
    await settle(page, 30);
    await idle(page);
    assert.equal(await number(page, 'Vertices written'), 0, as);
    const colors = colorsOf(PNG.sync.read(await page.locator('#field').screenshot({ path: path.join(root, `tests/web/out/stress-${as}.png`) })));
    assert.ok(colors > 500, `${as}: only ${colors} colors`);
    assertQuiet();
  }
});

/** @param {PNG} png */
function colorsOf({ data }) {
  return new Set(new Uint32Array(data.buffer, data.byteOffset, data.length / 4)).size;
}

test('what is chosen is in the address, and the address chooses it', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=koi&n=12&as=views&clip=dart&play=0&theme=light');
  await settle(page, 12);
  assert.equal(await page.locator('#clip').inputValue(), 'dart');
  assert.equal(await page.locator('html').getAttribute('data-theme'), 'light');
  await page.locator('#count').fill('20');
  await page.locator('#count').press('Enter');
  await page.locator('input[value="crowd"]').check();
  await page.locator('#rig').selectOption('banner');
  await settle(page, 20);
  await page.locator('#clip').selectOption('storm');
  const query = new URL(page.url()).searchParams;
  assert.deepEqual([query.get('rig'), query.get('n'), query.get('as'), query.get('clip'), query.get('play')], ['banner', '20', 'crowd', 'storm', '0']);
  await page.reload();
  await settle(page, 20);
  assert.equal(await page.locator('#rig').inputValue(), 'banner');
  assert.equal(await page.locator('#clip').inputValue(), 'storm');
  // Nonsense is put right.
  await page.goto(`${site.url}stress.html?rig=nobody&n=-7&as=soup`);
  await settle(page, 1);
  assert.equal(await page.locator('#rig').inputValue(), 'kit');
  assert.match(await page.locator('.problem').innerText(), /no character “nobody” here: there are kit, koi, banner/);
  assertQuiet();
});

test('a pointer over a still field is no frame of it', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=koi&n=20&as=crowd&clip=swim');
  await settle(page, 20);
  await figure(page, 'Frames a second').filter({ hasText: /^[1-9]/ }).waitFor();
  await page.locator('#play').click();
  await idle(page);
  // It wakes the page, and changes nothing.
  await page.evaluate(() => {
    Object.assign(window, { told: [] });
    const fact = /** @type {HTMLElement} */ (document.querySelector('[data-figure="Frames a second"]'));
    new MutationObserver(() => /** @type {any} */ (window).told.push(fact.textContent)).observe(fact, { characterData: true, childList: true, subtree: true });
  });
  for (let x = 100; x < 600; x += 20) {
    await page.mouse.move(x, 300);
  }
  await idle(page);
  assert.deepEqual(await page.evaluate(() => /** @type {any} */ (window).told), []);
  assert.equal(await number(page, 'Draw calls'), 1);
  assertQuiet();
});

test('what the address names wrongly is told', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=koi&n=99999&as=zebra&clip=fly&play=no&theme=pink');
  await settle(page, 2000);
  assert.deepEqual((await page.locator('.problem p').allInnerTexts()).map((text) => text.split(':')[0]), ['n=99999', 'as=zebra', 'clip=fly', 'play=no', 'theme=pink']);
  assert.match(await page.locator('.problem').innerText(), /from 1 to 2000[^]*crowd, views[^]*swim/);
  await page.goto(`${site.url}stress.html?rig=koi&n=5&as=views&clip=dart&play=0&theme=dark`);
  await settle(page, 5);
  assert.equal(await page.locator('.problem').count(), 0);
  assertQuiet();
});

test('those who leave leave nothing behind', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=koi&n=400&as=crowd&play=0');
  const become = async (/** @type {number} */ count, /** @type {string} */ as) => {
    await page.locator(`input[value="${as}"]`).check();
    await page.locator('#count').fill(String(count));
    await page.locator('#count').press('Enter');
    await settle(page, count);
  };
  /** @type {string[]} */
  const sizes = [];
  for (let round = 0; round < 4; round += 1) {
    await become(400, 'crowd');
    await become(3, 'crowd');
    await become(150, 'views');
    await become(2, 'views');
    sizes.push(await figure(page, 'WebAssembly').innerText());
  }
  assert.equal(sizes[3], sizes[1], `linear memory grows: ${sizes.join(', ')}`);
  await page.locator('header a').click();
  await page.waitForSelector('html[data-ready="yes"]', { state: 'attached' });
  assert.equal(new URL(page.url()).pathname, '/some/where/');
  assertQuiet();
});
