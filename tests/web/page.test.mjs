// The built page in a browser: what a stranger sees and does.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { PNG } from 'pngjs';
import pixelmatch from 'pixelmatch';
import { openBrowser } from './support/browser.mjs';
import { root } from './support/harness.mjs';
import { serve } from './support/server.mjs';

const dist = path.join(root, 'web/dist');
const out = path.join(root, 'tests/web/out');

/** @type {Awaited<ReturnType<typeof serve>>} */
let server;
/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let browser;
/** @type {string} */
let folder;
before(async () => {
  assert.ok(existsSync(path.join(dist, 'index.html')), 'web/dist is missing: node tools/build.mjs web');
  mkdirSync(out, { recursive: true });
  folder = mkdtempSync(path.join(tmpdir(), 'marrow-page-'));
  // Below a path, because a page is seldom alone on its host.
  server = await serve({ '/some/where/': dist });
  browser = await openBrowser();
});
after(async () => {
  await browser.close();
  await server.close();
  rmSync(folder, { recursive: true });
});

/**
 * @param {import('node:test').TestContext} context which closes the page
 * @param {string} [query]
 */
async function open(context, query = '?rig=bar') {
  const opened = await browser.open(`${server.url}some/where/${query}`);
  context.after(opened.close);
  return opened;
}

/**
 * A screenshot of an element, kept in tests/web/out for people.
 * @param {import('playwright-core').Page} page
 * @param {string} selector
 * @param {string} name
 */
async function shoot(page, selector, name) {
  return PNG.sync.read(await page.locator(selector).screenshot({ path: path.join(out, `${name}.png`) }));
}

/** @param {PNG} a @param {PNG} b */
const difference = (a, b) => pixelmatch(a.data, b.data, undefined, a.width, a.height, { threshold: 0.1 });

/** @param {import('playwright-core').Page} page @param {string} name */
const figure = (page, name) => page.locator(`[data-figure="${name}"]`).innerText();

/**
 * A real drag of files from disk onto the page.
 * @param {import('playwright-core').Page} page
 * @param {string[]} files
 */
async function drag(page, files) {
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of /** @type {const} */ (['dragEnter', 'dragOver', 'drop'])) {
    await devtools.send('Input.dispatchDragEvent', { type, x: 400, y: 400, data });
  }
  await devtools.detach();
}

/** A picture of a red figure 48 x 96 with a transparent border. */
function figurePng() {
  const png = new PNG({ width: 64, height: 112 });
  for (let y = 8; y < 104; y += 1) {
    for (let x = 8; x < 56; x += 1) {
      png.data.set([220, 40, 40, 255], (y * 64 + x) * 4);
    }
  }
  return PNG.sync.write(png);
}

/** @param {string} name @param {string | Buffer} content */
function write(name, content) {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
}

test('opens with a character that moves on both stages', async (context) => {
  const { page, assertQuiet } = await open(context);
  const first = [await shoot(page, '#stage-2d', 'page-2d'), await shoot(page, '#stage-3d', 'page-3d')];
  await page.waitForSelector('#transport [aria-pressed="true"]');
  const time = () => page.locator('#transport output').innerText();
  const before = await time();
  await page.locator('#transport output', { hasNotText: before }).waitFor();
  await page.screenshot({ path: path.join(out, 'page.png') });
  // Half a sway later.
  await page.locator('#transport output', { hasText: /^(0\.[4-6]|1\.[4-6])/ }).waitFor();
  const later = [await shoot(page, '#stage-2d', 'page-2d-later'), await shoot(page, '#stage-3d', 'page-3d-later')];
  assert.ok(difference(first[0], later[0]) > 500, 'the flat stage does not move');
  assert.ok(difference(first[1], later[1]) > 500, 'the 2.5D stage does not move');
  assert.equal(await page.locator('#rig-name').innerText(), 'bar.rig2d.json');
  assert.equal(await figure(page, 'Vertices'), '27');
  assert.notEqual(await figure(page, 'Uploaded'), '0 B');
  assertQuiet();
});

test('paused it is idle: no vertex written, no byte uploaded, nothing drawn', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=bar&play=0&t=0.5');
  await page.locator('[data-figure="Uploaded"]', { hasText: /^0 B$/ }).waitFor();
  await page.locator('[data-figure="PixiJS"]', { hasText: /^0\.00 ms$/ }).waitFor();
  await page.locator('[data-figure="three.js"]', { hasText: /^0\.00 ms$/ }).waitFor();
  assert.equal(await figure(page, 'Vertices written'), '0');
  const first = await shoot(page, 'main', 'page-paused');
  assert.equal(await page.locator('#transport output').innerText(), '0.50 / 2.00 s');
  // Space plays, Space pauses.
  await page.keyboard.press('Space');
  await page.locator('#transport output', { hasNotText: '0.50 /' }).waitFor();
  await page.keyboard.press('Space');
  await page.locator('[data-figure="Uploaded"]', { hasText: /^0 B$/ }).waitFor();
  assert.ok(difference(first, await shoot(page, 'main', 'page-stepped')) > 0);
  assertQuiet();
});

test('without a wish it opens on Kit, and the others are a click away', async (context) => {
  const { page, assertQuiet } = await open(context, '');
  assert.equal(await page.locator('#rig-name').innerText(), 'kit.rig2d.json');
  assert.deepEqual(await page.locator('#transport .clips button').allInnerTexts(), ['idle', 'walk', 'run', 'wave', 'jump', 'sit']);
  await page.locator('#transport .clips button', { hasText: 'walk' }).click();
  await page.locator('#transport [aria-pressed="true"]', { hasText: 'walk' }).waitFor();
  await page.screenshot({ path: path.join(out, 'kit.png') });
  for (const name of ['Koi', 'Banner', 'Bar']) {
    await page.locator('#gallery button', { hasText: name }).click();
    await page.locator('#rig-name', { hasText: `${name.toLowerCase()}.rig2d.json` }).waitFor();
    await page.locator('#gallery [aria-pressed="true"]', { hasText: name }).waitFor();
    await page.screenshot({ path: path.join(out, `${name.toLowerCase()}.png`) });
  }
  assert.equal(await page.locator('.card').count(), 0);
  assertQuiet();
});

test('a picture dragged onto the page comes alive', async (context) => {
  const { page, assertQuiet } = await open(context);
  await drag(page, [write('figure.png', figurePng())]);
  await page.locator('#rig-name', { hasText: 'figure.png' }).waitFor();
  await page.locator('#transport [aria-pressed="true"]', { hasText: 'sway' }).waitFor();
  const first = await shoot(page, '#stage-2d', 'dropped-2d');
  await page.locator('#transport output', { hasText: /^(0\.[7-9]|2\.[3-5])/ }).waitFor();
  const later = await shoot(page, '#stage-2d', 'dropped-2d-later');
  assert.ok(difference(first, later) > 500);
  const red = later.data.filter((_, at) => at % 4 === 0 && later.data[at] > 180 && later.data[at + 1] < 80).length;
  assert.ok(red > 20000, `only ${red} red pixels`);
  await shoot(page, '#stage-3d', 'dropped-3d');
  assertQuiet();
});

test('a rig with its picture and clip, picked at once', async (context) => {
  const { page, assertQuiet } = await open(context);
  const rig = { bones: [{ name: 'root' }], sprite: '00000000-0000-8000-8000-0000000000aa',
    skinIndices: new Array(16).fill(0), skinWeights: new Array(4).fill([1, 0, 0, 0]).flat(), mesh: {
    verts: [[-32, -56], [32, -56], [-32, 56], [32, 56]], uvs: [[0, 0], [1, 0], [0, 1], [1, 1]], tris: [0, 2, 1, 1, 2, 3] } };
  const clip = (/** @type {string} */ name) => ({ name, duration: 1, tracks: [
    { path: 'root', trait: 'Transform', field: 'rz', type: 'number', keys: [{ t: 0, v: 0 }, { t: 1, v: 1 }] }] });
  await page.setInputFiles('#files', [write('one.rig2d.json', JSON.stringify(rig)), write('any.png', figurePng()),
    write('turn.anim.json', JSON.stringify(clip('turn'))), write('lean.anim.json', JSON.stringify(clip('lean')))]);
  await page.locator('#rig-name', { hasText: 'one.rig2d.json' }).waitFor();
  assert.deepEqual(await page.locator('#transport .clips button').allInnerTexts(), ['turn', 'lean']);
  await page.locator('#transport .clips button', { hasText: 'lean' }).click();
  await page.locator('#transport [aria-pressed="true"]', { hasText: 'lean' }).waitFor();
  // A clip alone is for what is open.
  await page.setInputFiles('#files', [write('third.anim.json', JSON.stringify(clip('third')))]);
  await page.locator('#transport .clips button', { hasText: 'third' }).waitFor();
  assert.equal(await page.locator('.card').count(), 0);
  assertQuiet();
});

test('a broken file is a card with its JSON path, and what was open stays', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=bar&play=0&t=0.5');
  await page.locator('[data-figure="Uploaded"]', { hasText: /^0 B$/ }).waitFor();
  const first = await shoot(page, '#stage-2d', 'broken-before');
  await drag(page, [write('broken.rig2d.json', '{ "bones": [ { "name": "a" }, { "name": "b", }')]);
  const card = page.locator('.card');
  await card.waitFor();
  assert.match(await card.locator('h2').innerText(), /broken\.rig2d\.json/);
  assert.match(await card.locator('.mono').innerText(), /^\$\.bones\[1\]/);
  await page.screenshot({ path: path.join(out, 'broken.png') });
  assert.equal(await page.locator('#rig-name').innerText(), 'bar.rig2d.json');
  assert.equal(difference(first, await shoot(page, '#stage-2d', 'broken-after')), 0);
  await drag(page, [write('notes.txt', 'hello')]);
  await page.locator('.card', { hasText: 'notes.txt' }).waitFor();
  await page.locator('.card', { hasText: 'broken' }).getByRole('button', { name: 'Close' }).click();
  assert.equal(await page.locator('.card').count(), 1);
  assertQuiet();
});

test('a rig without its picture says which parts lack one', async (context) => {
  const { page, assertQuiet } = await open(context);
  await page.setInputFiles('#files', path.join(root, 'assets/bar/bar.rig2d.json'));
  await page.locator('.card', { hasText: 'No picture for main' }).waitFor();
  assertQuiet();
});

test('ui=0 shows the stages alone', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=bar&ui=0&play=0&t=0.5');
  assert.equal(await page.locator('header').isVisible(), false);
  assert.equal(await page.locator('aside').isVisible(), false);
  const box = await page.locator('main').boundingBox();
  assert.deepEqual([box?.width, box?.height], [1280, 800]);
  await page.screenshot({ path: path.join(out, 'ui0.png') });
  assertQuiet();
});

test('a drag on the 2.5D stage goes round it', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=bar&play=0&t=0.5');
  await page.locator('[data-figure="three.js"]', { hasText: /^0\.00 ms$/ }).waitFor();
  const first = await shoot(page, '#stage-3d', 'orbit-before');
  const flat = await shoot(page, '#stage-2d', 'orbit-2d-before');
  await page.mouse.move(700, 500);
  await page.mouse.down();
  await page.mouse.move(840, 470, { steps: 4 });
  await page.mouse.up();
  await page.locator('[data-figure="three.js"]', { hasText: /^0\.00 ms$/ }).waitFor();
  assert.ok(difference(first, await shoot(page, '#stage-3d', 'orbit-after')) > 5000);
  assert.equal(difference(flat, await shoot(page, '#stage-2d', 'orbit-2d-after')), 0);
  assertQuiet();
});
