// Small screens: everything fits, everything can be reached, drawers behave.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PNG } from 'pngjs';
import { useSite } from './support/site.mjs';

const site = useSite();

/**
 * @param {import('node:test').TestContext} context which closes the page
 * @param {[number, number]} size
 * @param {string} [query]
 */
function open(context, [width, height], query = '?rig=kit&play=0') {
  return site.open(context, query, { viewport: { width, height }, hasTouch: true });
}

/** @param {import('playwright-core').Page} page @param {string} selector */
async function box(page, selector) {
  const found = await page.locator(selector).first().boundingBox();
  assert.ok(found, selector);
  return { left: found.x, top: found.y, right: found.x + found.width, bottom: found.y + found.height, width: found.width, height: found.height };
}

for (const size of /** @type {[number, number][]} */ ([[390, 844], [320, 568], [320, 480], [240, 320], [640, 900], [844, 390], [899, 700], [900, 700]])) {
  test(`every control is on the screen at ${size.join(' x ')}`, async (context) => {
    const { page, assertQuiet } = await open(context, size);
    const outside = await page.evaluate(() => [...document.querySelectorAll('header :is(button, select, label), footer :is(button, select, input, output)')]
      .filter((element) => !element.closest('[popover]') && getComputedStyle(element).display !== 'none')
      .map((element) => ({ text: element.outerHTML.slice(0, 80), isList: element.matches('select'), box: element.getBoundingClientRect() }))
      .filter((each) => each.box.left < 0 || each.box.right > innerWidth || each.box.top < 0 || each.box.bottom > innerHeight || each.box.width < (each.isList ? 48 : 12))
      .map(({ text }) => text));
    assert.deepEqual(outside, []);
    // Nor do they lie over each other.
    const overlaps = await page.evaluate(() => {
      const boxes = [...document.querySelectorAll('header > *, header .end > *, footer > *')].filter((element) => !element.matches('.end, [popover], dialog, progress'))
        .map((element) => ({ name: element.outerHTML.slice(0, 60), box: element.getBoundingClientRect() })).filter((each) => each.box.width > 0);
      return boxes.flatMap((a, index) => boxes.slice(index + 1).filter((b) => a.box.left < b.box.right - 1 && b.box.left < a.box.right - 1
        && a.box.top < b.box.bottom - 1 && b.box.top < a.box.bottom - 1).map((b) => `${a.name} | ${b.name}`));
    });
    assert.deepEqual(overlaps, []);
    const main = await box(page, 'main');
    assert.ok(main.height > (size[0] < 300 ? 0.3 : 0.5) * size[1], `the stage has ${main.height} of ${size[1]}`);
    // Whatever a drawer holds can be scrolled to.
    for (const [drawer, last] of size[0] < 900 ? [['left', '.parts li:last-child .grip'], ['right', '#right a']] : []) {
      await page.locator(`header [aria-controls="${drawer}"]`).tap();
      await page.locator(last).scrollIntoViewIfNeeded();
      const [inside, around] = [await box(page, last), await box(page, 'main')];
      assert.ok(inside.top >= around.top - 1 && inside.bottom <= around.bottom + 1, `${last} cannot be reached`);
    }
    assertQuiet();
  });
}

test('a drawer takes the focus, closes on Escape and on a tap beside it, and gives the focus back', async (context) => {
  const { page, assertQuiet } = await open(context, [390, 844]);
  for (const [name, id] of [['Bones and parts', 'left'], ['Selection, view and figures', 'right']]) {
    const opener = page.getByRole('button', { name });
    const drawer = page.locator(`#${id}`);
    assert.equal(await drawer.isVisible(), false);
    await opener.tap();
    await page.locator(`#${id}:focus`).waitFor();
    // The keyboard does not leave for what lies behind.
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate(() => document.activeElement?.closest('main, footer') === null || document.activeElement === null), true);
    }
    await drawer.focus();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'hidden' });
    await page.locator(`header [aria-label="${name}"]:focus`).waitFor();
    await opener.tap();
    await drawer.waitFor();
    await page.touchscreen.tap(id === 'left' ? 380 : 10, 400);
    await drawer.waitFor({ state: 'hidden' });
  }
  // One at a time.
  await page.getByRole('button', { name: 'Bones and parts' }).tap();
  await page.getByRole('button', { name: 'Selection, view and figures' }).tap();
  await page.locator('#left').waitFor({ state: 'hidden' });
  // A wide page has no drawers.
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.locator('#left').waitFor();
  await page.locator('html[data-drawer=""]').waitFor();
  assertQuiet();
});

test('the help tells what fingers do, where there is a screen for them', async (context) => {
  const { page, assertQuiet } = await open(context, [390, 844]);
  await page.getByRole('button', { name: 'Keys and help' }).tap();
  await page.locator('dialog[open] h3', { hasText: 'Fingers' }).waitFor();
  assert.equal(await page.locator('dialog[open] dt', { hasText: 'Two fingers' }).count(), 1);
  assertQuiet();
});

test('a card with long names is no wider than its column, and its cross can be pressed', async (context) => {
  const guid = '00000000-0000-8000-8000-0000000000aa';
  const part = { sprite: guid, skinIndices: new Array(12).fill(0), skinWeights: new Array(3).fill([1, 0, 0, 0]).flat(),
    mesh: { verts: [[0, 0], [32, 0], [0, 32]], uvs: [[0, 0], [1, 0], [0, 1]], tris: [0, 1, 2] } };
  const parts = Array.from({ length: 16 }, (_, index) => ({ ...part, name: `a part with a name of its own ${index}` }));
  const rig = { version: 2, bones: [{ name: 'root' }], assets: { [guid]: 'body.png' }, parts };
  const picture = PNG.sync.write(new PNG({ width: 64, height: 64, fill: true, bgColor: { red: 200, green: 40, blue: 40 } }));
  const { page, assertQuiet } = await open(context, [1280, 800]);
  await page.setInputFiles('#files', [{ name: 'many.rig2d.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(rig)) },
    { name: 'odd.png', mimeType: 'image/png', buffer: picture }]);
  const card = page.locator('.card', { hasText: 'odd.png' });
  await card.getByRole('button', { name: /and 12 more/ }).waitFor();
  for (const [width, height] of [[1280, 800], [900, 700], [390, 844]]) {
    await page.setViewportSize({ width, height });
    const cards = await box(page, '#cards');
    assert.ok(cards.left >= 0 && cards.right <= width, `${width}: the cards are cut off`);
    for (const element of await page.locator('.card, .card button').all()) {
      const inside = await element.boundingBox();
      assert.ok(inside && inside.x >= cards.left && inside.x + inside.width <= cards.right, `${width}: ${await element.innerText()}`);
    }
  }
  await card.locator('.close').click();
  await card.waitFor({ state: 'detached' });
  assertQuiet();
});

test('messages leave the middle of the stage free, and lie behind a drawer', async (context) => {
  for (const size of /** @type {[number, number][]} */ ([[390, 844], [640, 900], [900, 700], [1280, 800]])) {
    const { page, assertQuiet } = await open(context, size);
    for (const name of ['one.txt', 'two.txt', 'three.txt', 'four.txt']) {
      await page.setInputFiles('#files', { name, mimeType: 'text/plain', buffer: Buffer.from('no rig') });
      await page.locator('.card', { hasText: name }).waitFor({ state: 'attached' });
    }
    const [cards, main] = [await box(page, '#cards'), await box(page, 'main')];
    const [x, y] = [(main.left + main.right) / 2, (main.top + main.bottom) / 2];
    assert.ok(cards.left > x || cards.bottom < y - 0.1 * main.height, `${size}: the cards cover the middle`);
    assert.ok(cards.left >= 0 && cards.right <= size[0], `${size}: the cards are cut off`);
    if (size[0] < 900) {
      await page.getByRole('button', { name: 'Selection, view and figures' }).tap();
      const inFront = await page.evaluate(() => {
        const panel = document.getElementById('right');
        const { left, top, width } = /** @type {HTMLElement} */ (panel).getBoundingClientRect();
        return panel?.contains(document.elementFromPoint(left + width / 2, top + 40));
      });
      assert.equal(inFront, true, `${size}: a card lies over the drawer`);
    }
    assertQuiet();
  }
});
