// What lies over the stage: bones, maps of the mesh, handles. Where things are on the screen, and what a drag does, is worked out here by hand.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { PNG } from 'pngjs';
import pixelmatch from 'pixelmatch';
import { PerspectiveCamera, Vector3 } from 'three';
import { openBrowser } from './support/browser.mjs';
import { root } from './support/harness.mjs';
import { serve } from './support/server.mjs';

const dist = path.join(root, 'web/dist');
const out = path.join(root, 'tests/web/out');
/** Where the stage lies at 1280 x 800, and the size of the bar: 64 x 256 about its pivot, the joint of `mid` on the pivot. */
const stageBox = { left: 248, top: 44, width: 768, height: 700 };
const barHeight = 256;

/** @type {Awaited<ReturnType<typeof serve>>} */
let server;
/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let browser;
before(async () => {
  assert.ok(existsSync(path.join(dist, 'index.html')), 'web/dist is missing: node tools/build.mjs web');
  mkdirSync(out, { recursive: true });
  server = await serve({ '/': dist });
  browser = await openBrowser();
});
after(async () => {
  await browser.close();
  await server.close();
});

/**
 * @param {import('node:test').TestContext} context which closes the page
 * @param {string} query
 * @param {import('playwright-core').BrowserContextOptions} [options]
 */
async function open(context, query, options) {
  const opened = await browser.open(`${server.url}${query}`, options);
  context.after(opened.close);
  await settle(opened.page);
  return opened;
}

/** Two frames later all that was asked for is drawn. @param {import('playwright-core').Page} page */
function settle(page) {
  return page.evaluate(() => new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }));
}

/** @param {import('playwright-core').Page} page @param {string} name */
async function shoot(page, name) {
  await settle(page);
  return PNG.sync.read(await page.locator('main').screenshot({ path: path.join(out, `overlay-${name}.png`) }));
}

/** @param {PNG} a @param {PNG} b */
const difference = (a, b) => pixelmatch(a.data, b.data, undefined, a.width, a.height, { threshold: 0.1 });

/** The name over the fields, or nothing. @param {import('playwright-core').Page} page */
async function selected(page) {
  return (await page.locator('#selected-bone').count()) === 0 ? null : page.locator('#selected-bone').innerText();
}

/** @param {import('playwright-core').Page} page @param {string} field */
async function value(page, field) {
  await settle(page);
  return Number(await page.locator(`input[name="${field}"]`).inputValue());
}

/** @typedef {(x: number, y: number) => [number, number]} Place from the bar's plane to the page */

/** @type {Place} */
function onSheet(x, y) {
  const scale = (stageBox.height / barHeight) * 0.8;
  return [stageBox.left + stageBox.width / 2 + scale * x, stageBox.top + stageBox.height / 2 + scale * y];
}

/**
 * @param {[number, number, number]} position of the camera
 * @param {[number, number, number]} target
 * @param {(x: number, y: number) => Vector3} toWorld
 * @returns {Place}
 */
function throughCamera(position, target, toWorld) {
  const camera = new PerspectiveCamera(36 * Math.max(1, (1.1 * stageBox.height) / stageBox.width), stageBox.width / stageBox.height, 0.1, 80);
  camera.position.set(...position);
  camera.lookAt(...target);
  camera.updateMatrixWorld();
  return (x, y) => {
    const seen = toWorld(x, y).project(camera);
    return [stageBox.left + ((seen.x + 1) / 2) * stageBox.width, stageBox.top + ((1 - seen.y) / 2) * stageBox.height];
  };
}

/** World units of a unit of the bar. */
const unit = 1.7 / barHeight;
const yaw = Math.atan2(0.55, 4.6);
/** @type {Record<string, Place>} */
const places = {
  '2d': onSheet,
  // A billboard turned to the camera, its lower edge on the ground.
  '2.5d': throughCamera([0.55, 1.75, 4.6], [0, 0.78, 0], (x, y) => new Vector3(x * unit * Math.cos(yaw), (128 - y) * unit, -x * unit * Math.sin(yaw))),
  ground: throughCamera([0, 3.6, 2.9], [0, 0, 0.15], (x, y) => new Vector3(x * unit, 0.012, y * unit)),
};

/**
 * A drag through points of the page.
 * @param {import('playwright-core').Page} page
 * @param {[number, number][]} points
 */
async function drag(page, points) {
  await page.mouse.move(...points[0]);
  await page.mouse.down();
  for (const point of points.slice(1)) {
    await page.mouse.move(...point);
  }
  await page.mouse.up();
  await settle(page);
}

for (const [stage, place] of Object.entries(places)) {
  test(`${stage}: joints and the body are picked, a drag of a joint turns it, the ring turns it back`, async (context) => {
    const { page, assertQuiet } = await open(context, `?rig=bar&stage=${stage}&play=0&t=0`);
    const before = await shoot(page, `${stage}-before`);
    // Hover shows the bone, also in the tree.
    await page.mouse.move(...place(0, 0));
    await page.locator('.tree [data-hovered]', { hasText: 'mid' }).waitFor();
    assert.ok(difference(before, await shoot(page, `${stage}-hover`)) > 100, 'the hovered bone is not drawn');
    await page.mouse.click(...place(0, 0));
    assert.equal(await selected(page), 'mid');
    await page.locator('#bone-1[aria-selected="true"]').waitFor();
    // The body: the lower end follows `base` alone, the upper `tip`.
    await page.mouse.click(...place(20, 112));
    assert.equal(await selected(page), 'base');
    await page.mouse.click(...place(20, -120));
    assert.equal(await selected(page), 'tip');
    await page.keyboard.press('Escape');
    assert.equal(await selected(page), null);

    // From the right of the joint to below it: a quarter turn, clockwise as y points down.
    await drag(page, [place(0, 0), place(30, 0), place(40, 20), place(20, 40), place(0, 60)]);
    assert.equal(await selected(page), 'mid');
    assert.ok(Math.abs(await value(page, 'rotation') - 90) < 1.5, `${await value(page, 'rotation')} degrees`);
    await shoot(page, `${stage}-turned`);
    await page.keyboard.press('Control+z');
    assert.equal(await value(page, 'rotation'), 0);
    await page.keyboard.press('Control+Shift+z');
    assert.ok(Math.abs(await value(page, 'rotation') - 90) < 1.5);
    await page.keyboard.press('r');
    assert.equal(await value(page, 'rotation'), 0);
    await page.keyboard.press('Control+z');
    assert.ok(Math.abs(await value(page, 'rotation') - 90) < 1.5);
    await page.keyboard.press('Shift+R');
    assert.equal(await value(page, 'rotation'), 0);

    // Beside everything: the stage's own drag, and no bone is let go.
    const still = await shoot(page, `${stage}-still`);
    await drag(page, [[300, 700], [380, 690]]);
    assert.ok(difference(still, await shoot(page, `${stage}-gone-round`)) > 1000, 'the stage does not move any more');
    assert.equal(await selected(page), 'mid');
    // A click there does.
    await page.mouse.click(300, 700);
    assert.equal(await selected(page), null);
    assertQuiet();
  });
}

test('a drag that rests on its way is undone as one step', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=bar&play=0&t=0&bone=mid&tool=turn');
  const [x, y] = onSheet(0, 0);
  const untouched = await value(page, 'rotation');
  await page.mouse.move(x + 60, y);
  await page.mouse.down();
  await page.mouse.move(x + 50, y + 33);
  await settle(page);
  await page.evaluate(() => {
    const now = performance.now.bind(performance);
    performance.now = () => now() + 60_000;
  });
  await page.mouse.move(x, y + 60);
  await page.mouse.up();
  await settle(page);
  assert.ok(Math.abs(await value(page, 'rotation') - untouched - 90) < 1.5, `${await value(page, 'rotation')} degrees`);
  await page.keyboard.press('Control+z');
  assert.equal(await value(page, 'rotation'), untouched);
  assertQuiet();
});

test('the ring, with Shift in steps of 15 degrees; a playing clip is paused by it', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=bar&play=0&t=0&bone=mid&tool=turn');
  const [x, y] = onSheet(0, 0);
  const at = (/** @type {number} */ degrees) => /** @type {[number, number]} */ (
    [x + 60 * Math.cos((degrees * Math.PI) / 180), y + 60 * Math.sin((degrees * Math.PI) / 180)]);
  await drag(page, [at(0), at(20), at(37)]);
  assert.ok(Math.abs(await value(page, 'rotation') - 37) < 1, `${await value(page, 'rotation')} degrees`);
  await page.keyboard.press('Control+z');
  await page.keyboard.down('Shift');
  await drag(page, [at(0), at(20), at(37)]);
  await page.keyboard.up('Shift');
  assert.equal(await value(page, 'rotation'), 30);
  await page.keyboard.press('Control+z');
  // What is drawn while it is held: the value beside the pointer.
  await page.mouse.move(...at(0));
  const before = await shoot(page, 'ring-hover');
  await page.mouse.down();
  await page.mouse.move(...at(60));
  assert.ok(difference(before, await shoot(page, 'ring-held')) > 500);
  // Escape takes it back, and keeps the bone.
  await page.keyboard.press('Escape');
  assert.equal(await value(page, 'rotation'), 0);
  await page.mouse.move(...at(90));
  await page.mouse.up();
  assert.equal(await value(page, 'rotation'), 0);

  await page.keyboard.press('Space');
  await page.locator('#clock', { hasNotText: /^0\.00/ }).waitFor();
  await drag(page, [at(0), at(20), at(30)]);
  const stopped = await page.locator('#clock').innerText();
  await settle(page);
  assert.equal(await page.locator('#clock').innerText(), stopped);
  assertQuiet();
});

test('moves along axes and freely, scales by corners and as a whole, in steps with Shift', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=bar&play=0&t=0&bone=mid&tool=move&axes=world');
  const scale = (stageBox.height / barHeight) * 0.8;
  const [x, y] = onSheet(0, 0);
  await drag(page, [[x + 60, y], [x + 70, y + 30], [x + 95, y + 40]]);
  assert.ok(Math.abs(await value(page, 'x') - 35 / scale) < 0.5, `x ${await value(page, 'x')}`);
  assert.equal(await value(page, 'y'), -128);
  await page.keyboard.press('Control+z');
  await page.keyboard.down('Shift');
  // 35 pixels are 16.0 units, 14 are 6.4: to halves.
  await drag(page, [[x, y], [x + 10, y + 3], [x + 35, y + 14]]);
  await page.keyboard.up('Shift');
  assert.deepEqual([await value(page, 'x'), await value(page, 'y')], [16, -121.5]);
  await page.keyboard.press('Control+z');
  assert.deepEqual([await value(page, 'x'), await value(page, 'y')], [0, -128]);

  await page.keyboard.press('s');
  await drag(page, [[x + 44, y + 44], [x + 60, y + 44], [x + 66, y + 22]]);
  assert.ok(Math.abs(await value(page, 'scaleX') - 1.5) < 0.03 && Math.abs(await value(page, 'scaleY') - 0.5) < 0.03);
  await page.keyboard.press('Control+z');
  await page.keyboard.down('Shift');
  await drag(page, [[x + 8, y], [x + 12, y], [x + 19, y]]);
  await page.keyboard.up('Shift');
  // 19 / 8 = 2.375
  assert.deepEqual([await value(page, 'scaleX'), await value(page, 'scaleY')], [2.4, 2.4]);
  assertQuiet();
});

test('with Shift a joint is moved; arrow keys nudge the bone on the stage, and select in the tree', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=bar&play=0&t=0&overlay=bones');
  const scale = (stageBox.height / barHeight) * 0.8;
  const [x, y] = onSheet(0, 0);
  await page.keyboard.down('Shift');
  await drag(page, [[x, y], [x + 10, y], [x + 35, y - 21]]);
  await page.keyboard.up('Shift');
  assert.equal(await selected(page), 'mid');
  assert.ok(Math.abs(await value(page, 'x') - 35 / scale) < 0.5 && Math.abs(await value(page, 'y') + 128 + 21 / scale) < 0.5);
  await page.keyboard.press('Control+z');

  await page.locator('#stage-flat').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+ArrowUp');
  assert.deepEqual([await value(page, 'x'), await value(page, 'y')], [2, -138]);
  await page.locator('.tree').focus();
  await page.keyboard.press('ArrowDown');
  assert.equal(await selected(page), 'tip');
  assertQuiet();
});

test('a number that is typed is a step, too', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=bar&play=0&t=0&bone=mid');
  const before = await shoot(page, 'typed-before');
  await page.locator('input[name="rotation"]').fill('45');
  await page.keyboard.press('Escape');
  assert.equal(await value(page, 'rotation'), 45);
  assert.ok(difference(before, await shoot(page, 'typed')) > 1000);
  await page.keyboard.press('Control+z');
  assert.equal(await value(page, 'rotation'), 0);
  assert.equal(difference(before, await shoot(page, 'typed-undone')), 0);
  assertQuiet();
});

/** Weight to color as the legend shows it, on top of what was there. @param {number} weight @param {number[]} under */
function heat(weight, under) {
  const css = readFileSync(path.join(root, 'web/src/style.css'), 'utf8');
  const [, gradient] = /** @type {RegExpMatchArray} */ (css.match(/\.legend i {.*linear-gradient\(to right, ([^)]*)\)/));
  const cover = 0.86;
  const stops = gradient.split(', ').map((stop, index, all) => {
    const [hex, place] = stop.split(' ');
    const alpha = hex.length === 9 ? 0 : cover;
    const channels = [1, 3, 5].map((from) => parseInt(hex.slice(from, from + 2), 16) * alpha);
    return { place: place === undefined ? index / (all.length - 1) : Number.parseFloat(place) / 100, color: [...channels, alpha] };
  });
  const next = Math.max(1, stops.findIndex(({ place }) => place >= weight));
  const share = (weight - stops[next - 1].place) / (stops[next].place - stops[next - 1].place);
  const [r, g, b, alpha] = stops[next].color.map((channel, index) => stops[next - 1].color[index] * (1 - share) + channel * share);
  return [r, g, b].map((channel, index) => channel + under[index] * (1 - alpha));
}

/** @param {PNG} picture @param {number} x @param {number} y */
function pixel({ data, width }, x, y) {
  const at = (Math.round(y) * width + Math.round(x)) * 4;
  return [...data.subarray(at, at + 3)];
}

/** @param {number[]} actual @param {number[]} expected @param {string} what */
function assertColor(actual, expected, what) {
  const worst = Math.max(...actual.map((channel, index) => Math.abs(channel - expected[index])));
  assert.ok(worst <= 6, `${what}: ${actual}, expected ${expected.map(Math.round)}`);
}

/** With ui=0 the bar is 800 * 0.8 pixels tall in the middle of 1280 x 800. @param {number} x @param {number} y @returns {[number, number]} */
const alone = (x, y) => [640 + 2.5 * x, 400 + 2.5 * y];

test('the weights of the selected bone, as the file has them, in the colors of the legend', async (context) => {
  const { bones, mesh, skinIndices, skinWeights } = JSON.parse(readFileSync(path.join(root, 'assets/bar/bar.rig2d.json'), 'utf8'));
  // Only the first stretch of the clip leaves the lower half of the bar unbent; t = 0 leaves all of it but the tip.
  const plain = await open(context, '?rig=bar&play=0&t=0&ui=0&theme=dark');
  const before = await shoot(plain.page, 'weights-without');
  for (const [bone, { name }] of bones.entries()) {
    const { page, assertQuiet } = await open(context, `?rig=bar&play=0&t=0&ui=0&theme=dark&overlay=weights&bone=${name}`);
    const seen = await shoot(page, `weights-${name}`);
    let checked = 0;
    for (let vertex = 0; vertex < mesh.verts.length; vertex += 3) {
      const [, y] = mesh.verts[vertex];
      const weight = [0, 1, 2, 3].reduce((sum, slot) => sum + (skinIndices[4 * vertex + slot] === bone ? skinWeights[4 * vertex + slot] : 0), 0);
      if (y <= -32 || y === 128) {
        continue;
      }
      // Beside the bone that is drawn in the middle; a pixel inside the edge between two stripes.
      const point = alone(24, y + 0.4);
      assertColor(pixel(seen, ...point), heat(weight, pixel(before, ...point)), `${name} at ${y}, weight ${weight}`);
      checked += 1;
    }
    assert.equal(checked, 4);
    assertQuiet();
  }
});

test('strongest bones: a color for each, over the parts of it', async (context) => {
  const plain = await open(context, '?rig=bar&play=0&t=0&ui=0&theme=dark');
  const before = await shoot(plain.page, 'dominant-without');
  const { page, assertQuiet } = await open(context, '?rig=bar&play=0&t=0&ui=0&theme=dark&overlay=dominant');
  const seen = await shoot(page, 'dominant');
  // By the file's weights, `base` is the strongest from 0 on down (the first of equals), `mid` from -64 to -32. Okabe and Ito's orange and blue.
  for (const [y, color] of /** @type {const} */ ([[112, [0xe6, 0x9f, 0x00]], [80, [0xe6, 0x9f, 0x00]], [40, [0xe6, 0x9f, 0x00]], [-48, [0x56, 0xb4, 0xe9]]])) {
    const point = alone(24, y);
    assertColor(pixel(seen, ...point), color.map((channel, index) => channel * 0.72 + pixel(before, ...point)[index] * 0.28), `at ${y}`);
  }
  assertQuiet();
});

test('wireframe: lines one pixel wide along the edges of the mesh', async (context) => {
  const plain = await open(context, '?rig=bar&play=0&t=0&ui=0&theme=dark');
  const before = await shoot(plain.page, 'wireframe-without');
  const { page, assertQuiet } = await open(context, '?rig=bar&play=0&t=0&ui=0&theme=dark&overlay=wireframe');
  const seen = await shoot(page, 'wireframe');
  // Down along x = 16 from 64 to 128: the edges at 64, 96 and 128 are crossed, the two diagonals halfway between, and nothing else.
  const [x, top] = alone(16, 64);
  const drawn = [];
  for (let y = top - 3; y < top + 164; y += 1) {
    if (Math.max(...pixel(seen, x, y).map((channel, index) => Math.abs(channel - pixel(before, x, y)[index]))) > 8) {
      drawn.push(y);
    }
  }
  const lines = drawn.filter((y, index) => y !== drawn[index - 1] + 1);
  assert.deepEqual(lines.map((y) => Math.abs(Math.round((y - top) / 40))), [0, 1, 2, 3, 4], `drawn at ${drawn}`);
  // Smooth lines between two pixels share themselves out.
  assert.ok(drawn.length <= 13, `${drawn.length} pixels on five lines`);
  assertQuiet();
});

test('overlays that are off leave no trace', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=kit&play=0&t=0.3');
  const before = await shoot(page, 'off-before');
  await page.locator('#bone-5').click();
  for (const key of ['b', 'w', 'h', 'x']) {
    await page.keyboard.press(key);
  }
  assert.ok(difference(before, await shoot(page, 'all-on')) > 20000);
  for (const key of ['b', 'w', 'h', 'x', 'Escape']) {
    await page.keyboard.press(key);
  }
  await page.mouse.move(1100, 20);
  await page.locator('.tree [data-hovered]').waitFor({ state: 'detached' });
  assert.equal(difference(before, await shoot(page, 'off-after')), 0);
  assertQuiet();
});

test('after the help was open, bones are drawn as before', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=kit&play=0&t=0.3&overlay=bones&bone=head');
  const before = await shoot(page, 'help-before');
  await page.keyboard.press('?');
  await page.locator('dialog[open]').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('dialog[open]').waitFor({ state: 'detached' });
  assert.equal(difference(before, await shoot(page, 'help-after')), 0);
  await page.keyboard.press('b');
  assert.ok(difference(before, await shoot(page, 'help-off')) > 2000, 'the picture showed no bones');
  assertQuiet();
});

test('idle draws nothing, and a lost context comes back', async (context) => {
  const { page, assertQuiet, forgive } = await open(context, '?rig=kit&play=0&t=0.3&overlay=bones,weights,wireframe,bounds&bone=tail2');
  const before = await shoot(page, 'idle');
  const draws = await page.evaluate(() => new Promise((resolve) => {
    let count = 0;
    for (const [type, name] of /** @type {const} */ ([[WebGL2RenderingContext, 'drawElements'], [CanvasRenderingContext2D, 'clearRect']])) {
      const draw = /** @type {Record<string, any>} */ (type.prototype)[name];
      /** @type {Record<string, any>} */ (type.prototype)[name] = function (/** @type {unknown[]} */ ...values) {
        count += 1;
        return draw.apply(this, values);
      };
    }
    let frames = 0;
    requestAnimationFrame(function next() {
      frames += 1;
      if (frames < 20) {
        requestAnimationFrame(next);
      } else {
        const idle = count;
        document.dispatchEvent(new KeyboardEvent('keydown', { key: '.' }));
        requestAnimationFrame(() => requestAnimationFrame(() => resolve([idle, count > 0])));
      }
    });
  }));
  assert.deepEqual(draws, [0, true], 'draws in 20 idle frames; whether a step of the clip drew');
  await page.keyboard.press(',');
  assert.equal(difference(before, await shoot(page, 'stepped-back')), 0);

  await page.evaluate(() => new Promise((resolve) => {
    const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('.overlay canvas'));
    const extension = canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context');
    canvas.addEventListener('webglcontextlost', () => setTimeout(() => extension?.restoreContext()));
    canvas.addEventListener('webglcontextrestored', () => resolve(undefined));
    extension?.loseContext();
  }));
  assert.equal(difference(before, await shoot(page, 'restored')), 0);
  forgive(/CONTEXT_LOST|context lost/i);
  assertQuiet();
});

test('a finger: a tap selects, the dots are easier to hit, two fingers are the stage\'s', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=bar&play=0&t=0&overlay=bones', { hasTouch: true });
  const [x, y] = onSheet(0, 0);
  await page.touchscreen.tap(x + 14, y);
  assert.equal(await selected(page), 'mid');
  const devtools = await page.context().newCDPSession(page);
  const touch = (/** @type {'touchStart' | 'touchMove' | 'touchEnd'} */ type, /** @type {[number, number][]} */ ...points) => (
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([left, top], id) => ({ x: left, y: top, id })) }));
  await touch('touchStart', [x, y - 14]);
  for (const point of /** @type {[number, number][]} */ ([[x + 40, y], [x + 40, y + 40], [x, y + 80]])) {
    await touch('touchMove', point);
  }
  await touch('touchEnd');
  assert.ok(Math.abs(await value(page, 'rotation') - 90) < 1.5, `${await value(page, 'rotation')} degrees`);
  await page.keyboard.press('Shift+R');
  await touch('touchStart', [300, 300]);
  await touch('touchStart', [300, 300], [400, 300]);
  await touch('touchMove', [280, 300], [420, 300]);
  await touch('touchEnd');
  assert.equal(await selected(page), 'mid');
  assert.equal(await value(page, 'rotation'), 0);
  assertQuiet();
});
