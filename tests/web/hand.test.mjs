// Posing by hand where frames are slow, and what a link keeps of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useSite } from './support/site.mjs';

/** The joint of `mid` at 1280 x 800: the middle of the stage. */
const [x, y] = [632, 394];

const site = useSite();

/**
 * Holds back every frame until the answer is called, as a machine does that is busy elsewhere.
 * @param {import('playwright-core').Page} page
 */
async function holdFrames(page) {
  await page.evaluate(() => {
    const request = window.requestAnimationFrame.bind(window);
    /** @type {FrameRequestCallback[]} */
    const held = [];
    window.requestAnimationFrame = (callback) => held.push(callback);
    Object.assign(window, { letFramesGo: () => {
      window.requestAnimationFrame = request;
      held.forEach((callback) => request(callback));
    } });
  });
  // The one that is under way.
  await page.evaluate(() => new Promise((resolve) => { setTimeout(resolve, 100); }));
  return () => page.evaluate(() => /** @type {any} */ (window).letFramesGo());
}

/** @param {import('playwright-core').Page} page @param {string} field @param {RegExp} text */
function waitForField(page, field, text) {
  return page.waitForFunction(([name, pattern]) => new RegExp(pattern).test(/** @type {HTMLInputElement} */ (document.querySelector(`input[name="${name}"]`)).value),
    /** @type {const} */ ([field, text.source]));
}

test('what was undone before a frame could show it is no beginning of what comes next', async (context) => {
  const { page, assertQuiet } = await site.open(context, '?rig=bar&play=0&t=0&bone=mid&tool=turn');
  await page.mouse.move(x + 60, y);
  await page.mouse.down();
  await page.mouse.move(x, y + 60, { steps: 4 });
  await page.mouse.up();
  await waitForField(page, 'rotation', /^90|^89/);
  const release = await holdFrames(page);
  await page.keyboard.press('Control+z');
  await page.mouse.move(x + 60, y);
  await page.mouse.down();
  await page.mouse.move(x + 52, y + 30, { steps: 3 });
  await page.mouse.up();
  await release();
  await waitForField(page, 'rotation', /^(29|30)\./);
  await page.keyboard.press('Control+z');
  await waitForField(page, 'rotation', /^0\.0$/);

  await page.locator('input[name="x"]').fill('40');
  await page.keyboard.press('Escape');
  await waitForField(page, 'x', /^40\.0$/);
  await page.locator('#stage-flat').focus();
  await page.keyboard.press('ArrowRight');
  await waitForField(page, 'x', /^41\.0$/);
  const again = await holdFrames(page);
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await again();
  await waitForField(page, 'x', /^2\.0$/);
  assertQuiet();
});

test('points of the pointer that a slow frame brings together all count', async (context) => {
  const { page, assertQuiet } = await site.open(context, '?rig=bar&play=0&t=0&overlay=bones');
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.evaluate(([left, top]) => {
    const at = (/** @type {number} */ degrees) => ({
      pointerId: 1, isPrimary: true, bubbles: true, buttons: 1,
      clientX: left + 40 * Math.cos((degrees * Math.PI) / 180), clientY: top + 40 * Math.sin((degrees * Math.PI) / 180),
    });
    const steps = [0, 40, 90, 140, 200].map((degrees) => new PointerEvent('pointermove', at(degrees)));
    document.querySelector('#stage-flat')?.dispatchEvent(new PointerEvent('pointermove', { ...at(200), coalescedEvents: steps }));
  }, [x, y]);
  await page.mouse.up();
  // More than half a turn, the way the pointer went.
  await waitForField(page, 'rotation', /^(199|200)\./);
  assertQuiet();
});

test('a link keeps the pose by hand and the parts that were hidden; undo does not go behind it', async (context) => {
  const { page, assertQuiet } = await site.open(context, '?rig=kit&clip=idle&play=0&t=0&bone=head');
  const hidden = await page.locator('.parts input:not(:checked)').count();
  await page.locator('input[name="rotation"]').fill('25');
  await page.locator('input[name="scaleX"]').fill('1.25');
  await page.locator('#bone-0').click();
  await page.locator('input[name="y"]').fill('-7.5');
  const first = page.locator('.parts input').first();
  const part = await page.locator('.parts .name').first().innerText();
  await first.uncheck();
  await page.waitForFunction(() => location.search.includes('hide='));
  await page.waitForFunction(() => location.search.includes('pose=') && location.search.includes(':-7.5'));
  assert.equal(new URL(page.url()).searchParams.get('pose'), `head:25:::1.25,${await page.locator('#selected-bone').innerText()}:::-7.5`);
  assert.equal(new URL(page.url()).searchParams.get('hide'), part);
  const before = await page.locator('#stage-flat').screenshot();

  await page.reload();
  await page.waitForSelector('html[data-ready="yes"]', { state: 'attached' });
  assert.equal(await first.isChecked(), false);
  await waitForField(page, 'y', /^-7\.5$/);
  assert.deepEqual(await page.locator('#stage-flat').screenshot(), before);
  await page.keyboard.press('Control+z');
  await page.locator('.tree li', { hasText: /^head$/ }).click();
  await waitForField(page, 'rotation', /^25\.0$/);
  await first.check();
  await page.keyboard.press('Shift+R');
  await page.waitForFunction(() => !location.search.includes('hide=') && !location.search.includes('pose='));
  // Nonsense is passed over.
  await page.goto(`${site.url}?rig=kit&play=0&bone=head&pose=head:1e99:x,nobody:4,%25E0%25A4:1,::&hide=,nothing&show=,`);
  await page.waitForSelector('html[data-ready="yes"]', { state: 'attached' });
  assert.equal(await page.locator('.parts input:not(:checked)').count(), hidden);
  assertQuiet();
});

test('a number that cannot be used is refused where it is typed, and what was there comes back', async (context) => {
  const { page, assertQuiet } = await site.open(context, '?rig=bar&play=0&t=0&bone=mid');
  for (const [name, good, read, wrong, says] of [['x', '12', '12.0', '1e99', 'From −1,000,000 to 1,000,000'], ['rotation', '45', '45.0', '-36001', 'From −36,000 to 36,000'],
    ['scaleY', '2', '2.000', '1001', 'From −1,000 to 1,000'], ['fade', '0.5', '0.5', '1e9', 'From 0 to 10'], ['fade', '0.7', '0.7', '-1', 'From 0 to 10']]) {
    const field = page.locator(`input[name="${name}"]`);
    await field.fill(good);
    await field.blur();
    // A later frame shows it as it is read; what is typed before that would be replaced.
    await page.waitForFunction(([of, value]) => /** @type {any} */ (document.querySelector(`input[name="${of}"]`)).value === value, [name, read]);
    await field.focus();
    await page.keyboard.press('Control+a');
    // Its beginning would do.
    await page.keyboard.type(wrong);
    const notice = page.getByRole('alert', { name: '' }).filter({ hasText: says });
    await notice.waitFor();
    assert.equal(await field.getAttribute('aria-invalid'), 'true');
    assert.equal(await field.getAttribute('aria-describedby'), await notice.getAttribute('id'));
    const box = await notice.boundingBox();
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 1280 && box.y >= 0 && box.y + box.height <= 800, `${name}: the message is cut off`);
    await page.keyboard.press('Escape');
    await notice.waitFor({ state: 'detached' });
    assert.equal(await field.getAttribute('aria-invalid'), 'false');
    await waitForField(page, name, new RegExp(`^${read.replace('.', '\\.')}$`));
  }
  // No number at all.
  await page.locator('input[name="y"]').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('1e999');
  await page.locator('input[name="y"][aria-invalid="true"]').waitFor();
  await page.keyboard.press('Escape');
  await waitForField(page, 'y', /^-128\.0$/);
  await page.waitForFunction(() => new URLSearchParams(location.search).get('fade') === '0.7');
  assertQuiet();
});

test('the help lists what the pointer does, and every key', async (context) => {
  const { page, assertQuiet } = await site.open(context, '?rig=bar&play=0');
  await page.keyboard.press('?');
  const help = await page.locator('dialog[open]').innerText();
  for (const words of ['Wheel, pinch', 'Nearer, farther', 'move the sheet', 'look from another side', 'Right drag', 'steps of 15°', 'Esc', 'Space']) {
    assert.ok(help.includes(words), words);
  }
  assertQuiet();
});
