// A page that has nothing to do does nothing: no frames while nothing moves, nothing that plays by itself for people who want it still, and a
// word when the graphics driver takes the stage away.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { figure, useSite } from './support/site.mjs';

const site = useSite();

/** From now on the frames that the page waits for are counted. @param {import('playwright-core').Page} page */
function countFrames(page) {
  return page.evaluate(() => {
    const request = window.requestAnimationFrame.bind(window);
    Object.assign(window, { awaited: 0 });
    window.requestAnimationFrame = (callback) => {
      /** @type {any} */ (window).awaited += 1;
      return request((now) => {
        /** @type {any} */ (window).awaited -= 1;
        callback(now);
      });
    };
    // The one that is under way already.
    return new Promise((resolve) => { request(resolve); });
  });
}

/** Until the page waits for no frame. @param {import('playwright-core').Page} page */
function rest(page) {
  return page.waitForFunction(() => /** @type {any} */ (window).awaited === 0, null, { polling: 100 });
}

for (const stage of ['2d', '2.5d', 'ground']) {
  test(`${stage}: a paused page asks for no frames; what a person does is seen at once`, async (context) => {
    const { page, assertQuiet } = await site.open(context, `?rig=bar&play=0&t=0.5&stage=${stage}&overlay=bones,wireframe`);
    await countFrames(page);
    await rest(page);
    assert.equal(await figure(page, 'Uploaded').innerText(), '0 B');
    assert.equal(await figure(page, 'Renderer').innerText(), '0.00 ms');
    assert.equal(await figure(page, 'Vertices written').innerText(), '0');
    const before = await page.locator('main').screenshot();
    await page.keyboard.press('.');
    await page.locator('#clock', { hasText: '0.52' }).waitFor();
    await rest(page);
    assert.notDeepEqual(await page.locator('main').screenshot(), before);
    await page.keyboard.press(',');
    await page.locator('#clock', { hasText: '0.50' }).waitFor();
    await rest(page);
    assert.deepEqual(await page.locator('main').screenshot(), before);
    // Time that passed while it stood still is no time of the figure.
    await page.locator('#time').focus();
    await rest(page);
    const time = await page.evaluate(() => new Promise((resolve) => {
      const button = /** @type {HTMLButtonElement} */ (document.querySelector('footer .play'));
      button.click();
      requestAnimationFrame(() => queueMicrotask(() => resolve(/** @type {HTMLInputElement} */ (document.querySelector('#time')).valueAsNumber)));
    }));
    assert.equal(time, 0.5);
    await page.locator('#clock', { hasText: /^(0\.[6-9]|1)/ }).waitFor();
    // A smaller page is drawn anew.
    await page.keyboard.press('Space');
    await rest(page);
    await page.setViewportSize({ width: 1000, height: 700 });
    await page.waitForFunction(() => /** @type {HTMLCanvasElement} */ (document.querySelector('.stage:not([hidden]) canvas')).clientHeight === 600);
    await rest(page);
    assertQuiet();
  });
}

test('the stress page rests as well, and says so', async (context) => {
  const { page, assertQuiet } = await site.open(context, 'stress.html?rig=koi&n=5&play=0');
  await countFrames(page);
  await rest(page);
  assert.equal(await figure(page, 'Frames a second').innerText(), '0');
  assert.equal(await figure(page, 'Renderer').innerText(), '0.00 ms');
  await page.locator('#play').click();
  await figure(page, 'Frames a second').filter({ hasText: /^[1-9]/ }).waitFor();
  assertQuiet();
});

test('whoever wants less motion says when something plays', async (context) => {
  const still = /** @type {const} */ ({ reducedMotion: 'reduce' });
  const viewer = await site.open(context, '?rig=kit', still);
  const play = viewer.page.getByRole('button', { name: 'Play', exact: true });
  await play.waitFor();
  await viewer.page.locator('#rig').selectOption('koi');
  await viewer.page.locator('#clip option', { hasText: 'swim' }).waitFor({ state: 'attached' });
  await play.waitFor();
  assert.match(await viewer.page.locator('#clock').innerText(), /^0\.00/);
  await play.click();
  await viewer.page.locator('#clock', { hasNotText: /^0\.00/ }).waitFor();
  viewer.assertQuiet();

  const stress = await site.open(context, 'stress.html?rig=koi&n=5', still);
  await stress.page.locator('#play', { hasText: 'Play' }).waitFor();
  await stress.page.locator('#play').click();
  await figure(stress.page, 'Vertices written').filter({ hasText: /^[1-9]/ }).waitFor();
  stress.assertQuiet();
});

for (const [address, canvas] of [['?rig=bar&play=0&ui=0', '#stage-flat canvas'], ['?rig=bar&play=0&stage=2.5d', '#stage-world canvas'],
  ['stress.html?rig=bar&n=3&play=0', '#field canvas']]) {
  test(`a stage that the driver keeps says what to do, and comes back with it: ${address}`, async (context) => {
    const { page, forgive, assertQuiet } = await site.open(context, address);
    await countFrames(page);
    await rest(page);
    const before = await page.locator('main').screenshot();
    await page.evaluate((selector) => {
      const found = /** @type {HTMLCanvasElement} */ (document.querySelector(selector));
      const extension = found.getContext('webgl2')?.getExtension('WEBGL_lose_context');
      Object.assign(window, { giveBack: () => extension?.restoreContext() });
      extension?.loseContext();
    }, canvas);
    const notice = page.getByRole('alert').filter({ hasText: 'graphics driver' });
    await notice.waitFor();
    await page.screenshot({ path: `tests/web/out/lost-${canvas.slice(1, 8)}.png` });
    await page.evaluate(() => /** @type {any} */ (window).giveBack());
    await notice.waitFor({ state: 'detached' });
    await rest(page);
    assert.deepEqual(await page.locator('main').screenshot(), before);
    await page.evaluate(() => /** @type {any} */ (document.querySelector('canvas')).getContext('webgl2').getExtension('WEBGL_lose_context').loseContext());
    forgive(/CONTEXT_LOST|context lost/i);
    assertQuiet();
  });
}
