// The built page in a browser: what a stranger sees and does.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { PNG } from 'pngjs';
import pixelmatch from 'pixelmatch';
import { drag, openBrowser } from './support/browser.mjs';
import { root } from './support/harness.mjs';
import { serveSite } from './support/site.mjs';

const out = path.join(root, 'tests/web/out');

/** @type {Awaited<ReturnType<typeof serveSite>>} */
let server;
/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let browser;
/** @type {string} */
let folder;
before(async () => {
  mkdirSync(out, { recursive: true });
  folder = mkdtempSync(path.join(tmpdir(), 'marrow-page-'));
  server = await serveSite();
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
  const opened = await browser.open(`${server.site}${query}`);
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

/** @param {import('playwright-core').Page} page @param {RegExp} text */
const clock = (page, text) => page.locator('#clock', { hasText: text }).waitFor();

/** Waits until nothing moves any more: what is on the stage then is what was asked for. @param {import('playwright-core').Page} page */
async function settle(page) {
  await page.locator('[data-figure="Uploaded"]', { hasText: /^0 B$/ }).waitFor();
  await page.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); }));
}

/** @param {import('playwright-core').Page} page @param {string} selector */
const texts = (page, selector) => page.locator(selector).allInnerTexts();

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

test('opens on Kit, alive, and the others are a choice away', async (context) => {
  const { page, assertQuiet } = await open(context, '');
  assert.equal(await page.locator('#rig').inputValue(), 'kit');
  assert.deepEqual(await texts(page, '#clip option'), ['idle', 'walk', 'run', 'wave', 'jump', 'sit']);
  const first = await shoot(page, '#stage-flat', 'page-2d');
  await page.locator('#clip').selectOption('run');
  await clock(page, /^0\.[2-4]/);
  const later = await shoot(page, '#stage-flat', 'page-2d-later');
  assert.ok(difference(first, later) > 5000, 'the figure does not move');
  assert.notEqual(await figure(page, 'Uploaded'), '0 B');
  for (const [name, vertices] of [['koi', '184'], ['banner', null]]) {
    await page.locator('#rig').selectOption(name);
    await page.waitForFunction((rig) => new URLSearchParams(location.search).get('rig') === rig, name);
    if (vertices !== null) {
      assert.equal(await figure(page, 'Vertices'), vertices);
    }
    await page.screenshot({ path: path.join(out, `${name}.png`) });
  }
  assert.equal(await page.locator('.card').count(), 0);
  assertQuiet();
});

test('paused it is idle: no vertex written, no byte uploaded, nothing drawn', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=bar&play=0&t=0.5');
  for (const stage of ['2d', '2.5d', 'ground']) {
    await page.locator(`input[name="stage"][value="${stage}"]`).check();
    await settle(page);
    await page.locator('[data-figure="Renderer"]', { hasText: /^0\.00 ms$/ }).waitFor();
    assert.equal(await figure(page, 'Vertices written'), '0');
  }
  assert.equal(await page.locator('#clock').innerText(), '0.50 / 2.00 s');
  assertQuiet();
});

test('a switch of the stage keeps the pose', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=kit&clip=walk&play=0&t=0.3&bone=head');
  await page.locator('input[name="rotation"]').fill('25');
  await settle(page);
  const flat = await shoot(page, '#stage-flat', 'stage-2d');
  const version = await figure(page, 'Version');
  // Out of the field first, then off the bone.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  for (const [key, name] of [['2', '2.5d'], ['3', 'ground']]) {
    await page.keyboard.press(key);
    await settle(page);
    await page.screenshot({ path: path.join(out, `stage-${name}.png`) });
    assert.equal(await page.locator('input[name="stage"]:checked').inputValue(), name);
    assert.equal(await figure(page, 'Version'), version);
  }
  await page.keyboard.press('1');
  await page.locator('.tree li', { hasText: /^head$/ }).click();
  assert.equal(await page.locator('input[name="rotation"]').inputValue(), '25.0');
  await settle(page);
  assert.equal(difference(flat, await shoot(page, '#stage-flat', 'stage-2d-again')), 0);
  assertQuiet();
});

test('a picture dragged onto the page comes alive', async (context) => {
  const { page, assertQuiet } = await open(context);
  await drag(page, [write('figure.png', figurePng())]);
  await page.locator('#rig option:checked', { hasText: 'figure.png' }).waitFor({ state: 'attached' });
  assert.deepEqual(await texts(page, '#clip option'), ['sway']);
  const first = await shoot(page, '#stage-flat', 'dropped-2d');
  await clock(page, /^(0\.[7-9]|2\.[3-5])/);
  const later = await shoot(page, '#stage-flat', 'dropped-2d-later');
  assert.ok(difference(first, later) > 500);
  const red = later.data.filter((_, at) => at % 4 === 0 && later.data[at] > 180 && later.data[at + 1] < 80).length;
  assert.ok(red > 20000, `only ${red} red pixels`);
  // It stays in the list of characters, and comes back from there.
  await page.locator('#rig').selectOption('koi');
  await page.locator('#clip option', { hasText: 'swim' }).waitFor({ state: 'attached' });
  await page.locator('#rig').selectOption('figure.png');
  await page.locator('#clip option', { hasText: 'sway' }).waitFor({ state: 'attached' });
  assertQuiet();
});

/** A rig of one quad, with a picture of `figurePng`'s proportions. @param {object} more */
const quad = (more = {}) => ({ bones: [{ name: 'root' }], sprite: '00000000-0000-8000-8000-0000000000aa',
  skinIndices: new Array(16).fill(0), skinWeights: new Array(4).fill([1, 0, 0, 0]).flat(), mesh: {
    verts: [[-32, -56], [32, -56], [-32, 56], [32, 56]], uvs: [[0, 0], [1, 0], [0, 1], [1, 1]], tris: [0, 2, 1, 1, 2, 3] }, ...more });
const turn = (/** @type {string} */ name) => ({ name, duration: 1, tracks: [
  { path: 'root', trait: 'Transform', field: 'rz', type: 'number', keys: [{ t: 0, v: 0 }, { t: 1, v: 1 }] }] });

test('a rig with its picture and clips, picked at once', async (context) => {
  const { page, assertQuiet } = await open(context);
  await page.setInputFiles('#files', [write('one.rig2d.json', JSON.stringify(quad())), write('any.png', figurePng()),
    write('turn.anim.json', JSON.stringify(turn('turn'))), write('lean.anim.json', JSON.stringify(turn('lean')))]);
  await page.locator('#rig option:checked', { hasText: 'one.rig2d.json' }).waitFor({ state: 'attached' });
  assert.deepEqual(await texts(page, '#clip option'), ['turn', 'lean']);
  await page.locator('#clip').selectOption('lean');
  await page.waitForFunction(() => location.search.includes('clip=lean'));
  // A clip alone is for what is open.
  await page.setInputFiles('#files', [write('third.anim.json', JSON.stringify(turn('third')))]);
  await page.locator('#clip option', { hasText: 'third' }).waitFor({ state: 'attached' });
  assert.equal(await page.locator('.card').count(), 0);
  assertQuiet();
});

test('a picture that nobody asked for is offered to the parts that lack one', async (context) => {
  const { page, assertQuiet } = await open(context);
  const [first, second] = ['00000000-0000-8000-8000-0000000000aa', '00000000-0000-8000-8000-0000000000bb'];
  const { bones, skinIndices, skinWeights, mesh } = quad();
  const part = (/** @type {string} */ name, /** @type {string} */ sprite) => ({ name, sprite, mesh, skinIndices, skinWeights });
  const rig = { bones, assets: { [first]: 'torso.png', [second]: 'hat.png' }, parts: [part('torso', first), part('hat', second)] };
  await drag(page, [write('two.rig2d.json', JSON.stringify(rig)), write('torso.png', figurePng()), write('odd name.png', figurePng())]);
  const card = page.locator('.card', { hasText: 'odd name.png' });
  await card.getByRole('button', { name: 'Use for hat' }).click();
  await card.waitFor({ state: 'detached' });
  assert.equal(await page.locator('.card').count(), 0);
  assertQuiet();
});

test('a rig without its pictures says which parts lack one, and takes them later', async (context) => {
  const { page, assertQuiet } = await open(context);
  await page.setInputFiles('#files', path.join(root, 'assets/bar/bar.rig2d.json'));
  await page.locator('.card', { hasText: 'No picture for main' }).waitFor();
  const bare = await shoot(page, '#stage-flat', 'bare');
  await drag(page, [path.join(root, 'assets/bar/bar.png')]);
  await page.locator('.card').waitFor({ state: 'detached' });
  assert.ok(difference(bare, await shoot(page, '#stage-flat', 'dressed')) > 2000);
  assertQuiet();
});

test('a broken file is a card with its JSON path, and what was open stays', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=bar&play=0&t=0.5');
  await settle(page);
  const first = await shoot(page, '#stage-flat', 'broken-before');
  await drag(page, [write('broken.rig2d.json', '{ "bones": [ { "name": "a" }, { "name": "b", }')]);
  const card = page.locator('.card');
  await card.waitFor();
  assert.match(await card.locator('h2').innerText(), /broken\.rig2d\.json/);
  assert.match(await card.locator('.mono').innerText(), /^\$\.bones\[1\]/);
  assert.match(await card.innerText(), /Mend the file at this place/);
  await page.screenshot({ path: path.join(out, 'broken.png') });
  assert.equal(await page.locator('#rig').inputValue(), 'bar');
  assert.equal(difference(first, await shoot(page, '#stage-flat', 'broken-after')), 0);
  await drag(page, [write('notes.txt', 'hello')]);
  await page.locator('.card', { hasText: 'notes.txt' }).waitFor();
  await page.locator('.card', { hasText: 'broken' }).getByRole('button', { name: 'Close' }).click();
  assert.equal(await page.locator('.card').count(), 1);
  assertQuiet();
});

test('one file that is no good keeps none of the others', async (context) => {
  const { page, assertQuiet } = await open(context);
  await page.setInputFiles('#files', [write('notes.txt', 'hello'), write('one.rig2d.json', JSON.stringify(quad())), write('any.png', figurePng()),
    write('torn.anim.json', '{ "name": "torn", "duration":'), write('lean.anim.json', JSON.stringify(turn('lean')))]);
  await page.locator('.card', { hasText: 'torn.anim.json' }).getByText('$.duration').waitFor();
  await page.locator('.card', { hasText: 'notes.txt' }).waitFor();
  assert.deepEqual(await texts(page, '#clip option'), ['lean']);
  assert.equal(await page.locator('#rig option:checked').innerText(), 'one.rig2d.json');
  assert.equal(await page.locator('.card').count(), 2);
  assertQuiet();
});

test('a rig of bones alone says so and has them in sight; the names of a deep tree stay in its panel', async (context) => {
  const { page, assertQuiet } = await open(context);
  const bones = Array.from({ length: 60 }, (_, i) => ({ name: `b${i}`, parent: i - 1, x: i === 0 ? 900 : 5, y: i === 0 ? -2000 : 5 }));
  await page.setInputFiles('#files', [write('bare.rig2d.json', JSON.stringify({ version: 2, bones, parts: [] }))]);
  await page.locator('.card', { hasText: 'nothing to draw' }).waitFor();
  // They are shown without a word.
  await page.locator('input[name="bones"]:checked').waitFor();
  const before = await shoot(page, '#stage-flat', 'bare-bones');
  await page.keyboard.press('b');
  await page.locator('input[name="bones"]:not(:checked)').waitFor();
  assert.ok(difference(before, await shoot(page, '#stage-flat', 'bare-bones-off')) > 1000);
  const [tree, name] = [await page.locator('.tree').boundingBox(), await page.locator('.tree .name', { hasText: /^b59$/ }).boundingBox()];
  assert.ok(tree !== null && name !== null && name.width > 16 && name.x + name.width <= tree.x + tree.width);
  assertQuiet();
});

test('an address that leads nowhere is a card, and Kit is there', async (context) => {
  const { page, forgive, assertQuiet } = await open(context, '?rig=nowhere.rig2d.json');
  await page.locator('.card', { hasText: 'nowhere.rig2d.json' }).waitFor();
  assert.equal(await page.locator('#rig').inputValue(), 'kit');
  forgive(/404/);
  assertQuiet();
});

test('every parameter of the address comes back as it was', async (context) => {
  const queries = ['?rig=koi&stage=ground&heading=40&overlay=wireframe,bounds&clip=dart&t=0.25&play=0',
    '?rig=kit&stage=2.5d&facing=spherical&tool=scale&axes=world&theme=light&clip=walk&t=0.4&play=0&view=1,2,4,0,0.5,0',
    '?rig=banner&theme=dark&overlay=bones,weights&bone=cloth3&speed=0.5&fade=0.4&loop=0&backdrop=plain&clip=storm&t=0.5&play=0&view=120,-300,1.5',
    '?rig=bar&ui=0&t=0.5&play=0&tool=move'];
  for (const query of queries) {
    const { page, close, assertQuiet } = await open(context, query);
    const bone = new URLSearchParams(query).get('bone');
    if (bone !== null && await page.locator('.tree li', { hasText: bone }).count() === 0) {
      assert.fail(`no bone ${bone}: ${(await texts(page, '.tree li')).join(' ')}`);
    }
    // A change, so that the address is written anew, and back.
    const overlay = new URLSearchParams(query).get('overlay');
    for (const isBack of [false, true]) {
      await page.keyboard.press('x');
      await page.waitForFunction(([wanted, same]) => (new URLSearchParams(location.search).get('overlay') === wanted) === same,
        /** @type {const} */ ([overlay, isBack]));
    }
    const seen = new URLSearchParams(await page.evaluate(() => location.search));
    for (const [name, value] of new URLSearchParams(query)) {
      // What a fresh page has anyway is not named.
      assert.ok(seen.get(name) === value || (seen.get(name) === null && ['theme', 'clip'].includes(name)), `${name}=${value} came back as ${seen.get(name)}`);
    }
    assertQuiet();
    await close();
  }
});

test('the keyboard alone reaches everything', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=kit&play=0');
  const focus = (/** @type {string} */ selector) => page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector);
  /** @param {string} selector */
  async function tabTo(selector) {
    for (let presses = 0; presses < 80; presses += 1) {
      await page.keyboard.press('Tab');
      if (await focus(selector)) {
        return;
      }
    }
    assert.fail(`the Tab key never reaches ${selector}`);
  }
  await tabTo('#rig');
  await tabTo('[role="tree"]');
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowLeft', 'ArrowLeft', 'ArrowRight', 'ArrowRight', 'End', 'Home', 'ArrowDown']) {
    await page.keyboard.press(key);
  }
  assert.equal(await page.locator('[role="treeitem"][aria-selected="true"]').innerText(), 'hips');
  assert.equal(await page.locator('#selected-bone').innerText(), 'hips');
  await tabTo('.parts input');
  await page.keyboard.press('Space');
  assert.equal(await page.locator('.parts input').first().isChecked(), false);
  await tabTo('input[name="rotation"]');
  const rotation = await page.locator('input[name="rotation"]').inputValue();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('12');
  await page.keyboard.press('Tab');
  const reads = (/** @type {string} */ wanted) => page.waitForFunction(
    (value) => /** @type {HTMLInputElement} */ (document.querySelector('input[name="rotation"]')).value === value, wanted);
  await reads('12.0');
  // Letters belong to the field until it is left.
  await page.keyboard.press('Escape');
  await page.keyboard.press('r');
  await reads(rotation);
  await tabTo('input[name="weights"]');
  await page.keyboard.press('Space');
  assert.equal(await page.locator('input[name="weights"]').isChecked(), true);
  await tabTo('#time');
  await page.keyboard.press('.');
  await clock(page, /^0\.0[1-9]/);
  await page.keyboard.press('Space');
  await clock(page, /^0\.[1-9]/);
  await page.keyboard.press('?');
  await page.locator('dialog[open]').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('dialog[open]').waitFor({ state: 'detached' });
  assertQuiet();
});

test('the menu of what can be saved, by keys alone', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=bar&play=0&bone=mid');
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await page.locator('#save').focus();
  await page.keyboard.press('Enter');
  await page.locator('#save-menu button:focus').waitFor();
  for (const [key, item] of [['', /^Picture of the stage/], ['ArrowDown', /^Loop of a clip/], ['End', /^Clip that is shown/], ['ArrowDown', /^Picture/],
    ['ArrowUp', /^Clip that is shown/], ['ArrowUp', /^Rig/], ['Home', /^Picture/]]) {
    if (key !== '') {
      await page.keyboard.press(/** @type {string} */ (key));
    }
    assert.match(await focused() ?? '', /** @type {RegExp} */ (item), `after ${key}`);
  }
  await page.keyboard.press('Escape');
  await page.locator('#save-menu').waitFor({ state: 'hidden' });
  await page.locator('#save:focus').waitFor();
  // That Escape was the menu's: the bone is still selected.
  assert.equal(await page.locator('#selected-bone').innerText(), 'mid');
  await page.keyboard.press('Enter');
  await page.locator('#save-menu button:focus').waitFor();
  await page.keyboard.press('Tab');
  await page.locator('#save-menu').waitFor({ state: 'hidden' });
  await page.locator('[aria-label="Keys and help"]:focus').waitFor();
  assertQuiet();
});

test('a part is hidden, and moved in front of another, while pose and clip stay', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=kit&clip=walk&play=0&t=0.3');
  await settle(page);
  const names = await texts(page, '.parts .name');
  const first = await shoot(page, '#stage-flat', 'parts-first');
  const head = page.locator('.parts li', { hasText: /^head$/ });
  await head.getByRole('checkbox').uncheck();
  await settle(page);
  assert.ok(difference(first, await shoot(page, '#stage-flat', 'parts-headless')) > 20000);
  await head.getByRole('checkbox').check();
  await settle(page);
  assert.equal(difference(first, await shoot(page, '#stage-flat', 'parts-whole')), 0);
  await head.getByRole('button').focus();
  for (let step = names.indexOf('head'); step > 0; step -= 1) {
    await page.keyboard.press('ArrowUp');
  }
  assert.equal((await texts(page, '.parts .name'))[0], 'head');
  await settle(page);
  // The head hides its own eyes now.
  assert.ok(difference(first, await shoot(page, '#stage-flat', 'parts-moved')) > 2000);
  assert.match(await page.locator('#clock').innerText(), /^0\.30/);
  assert.equal(await page.locator('#clip').inputValue(), 'walk');
  assertQuiet();
});

test('a number that cannot be used is refused by Enter too, and the field says so beside it', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=bar&play=0&t=0&bone=mid&pose=mid:30');
  const rotation = page.locator('input[name="rotation"]');
  await rotation.focus();
  await rotation.press('Control+a');
  await page.keyboard.type('1e9');
  const note = page.locator('.fields [role="alert"]');
  await note.getByText('From −36,000 to 36,000').waitFor();
  const [low, ...others] = await Promise.all([note, ...await page.locator('.fields input').all()].map((each) => each.boundingBox()));
  for (const other of others) {
    assert.ok(low && other && (low.y >= other.y + other.height || low.y + low.height <= other.y), 'the note covers a field');
  }
  await page.locator('#right').screenshot({ path: path.join(out, 'note.png') });
  await page.keyboard.press('Enter');
  await note.waitFor({ state: 'detached' });
  // With the next frame.
  await page.waitForFunction(() => /** @type {HTMLInputElement | null} */ (document.querySelector('input[name="rotation"]'))?.value === '30.0');
  await page.waitForFunction(() => location.search.includes('pose=mid:30&') || location.search.endsWith('pose=mid:30'));
  assertQuiet();
});

test('scrubbing, speed, loop and the end of a clip that does not loop', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=bar&loop=0&speed=4');
  await clock(page, /^2\.00/);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.locator('#clock', { hasNotText: /^2\.00/ }).waitFor();
  const time = await page.locator('#time').boundingBox();
  assert.ok(time);
  await page.mouse.click(time.x + time.width / 4, time.y + time.height / 2);
  await clock(page, /^0\.(4[5-9]|5[0-4])/);
  const before = await page.locator('#clock').innerText();
  await page.keyboard.press('.');
  await page.locator('#clock', { hasNotText: before }).waitFor();
  assertQuiet();
});

test('ui=0 shows the stage alone', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=bar&ui=0&play=0&t=0.5');
  for (const selector of ['header', 'aside', 'footer']) {
    assert.equal(await page.locator(selector).first().isVisible(), false);
  }
  const box = await page.locator('#stage-flat').boundingBox();
  assert.deepEqual([box?.width, box?.height], [1280, 800]);
  await page.screenshot({ path: path.join(out, 'ui0.png') });
  assertQuiet();
});

test('a drag goes round the world, and moves the sheet; F brings the figure back', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=bar&play=0&t=0.5&stage=2.5d');
  await settle(page);
  for (const [stage, least] of /** @type {const} */ ([['#stage-world', 5000], ['#stage-flat', 2000]])) {
    if (stage === '#stage-flat') {
      await page.keyboard.press('1');
      await settle(page);
    }
    const first = await shoot(page, stage, 'drag-before');
    await page.mouse.move(400, 600);
    await page.mouse.down();
    await page.mouse.move(540, 570, { steps: 4 });
    await page.mouse.up();
    await settle(page);
    const moved = await shoot(page, stage, 'drag-after');
    assert.ok(difference(first, moved) > least, `${stage} did not move`);
    await page.mouse.wheel(0, 400);
    await settle(page);
    assert.ok(difference(moved, await shoot(page, stage, 'drag-zoomed')) > least / 4, `${stage} did not zoom`);
    await page.keyboard.press('f');
    await settle(page);
    assert.equal(difference(first, await shoot(page, stage, 'drag-fit')), 0, `${stage} did not come back`);
  }
  assertQuiet();
});

test('both stages come back from a lost context', async (context) => {
  const { page, assertQuiet, forgive } = await open(context, '?rig=kit&clip=walk&play=0&t=0.3');
  for (const [key, stage] of [['1', '#stage-flat'], ['2', '#stage-world']]) {
    await page.keyboard.press(key);
    await settle(page);
    const first = await shoot(page, stage, 'context-before');
    await page.evaluate(async (selector) => {
      const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector(`${selector} canvas`));
      const lose = (canvas.getContext('webgl2'))?.getExtension('WEBGL_lose_context');
      const restored = new Promise((resolve) => { canvas.addEventListener('webglcontextrestored', resolve, { once: true }); });
      const lost = new Promise((resolve) => { canvas.addEventListener('webglcontextlost', resolve, { once: true }); });
      lose?.loseContext();
      await lost;
      setTimeout(() => lose?.restoreContext());
      await restored;
    }, stage);
    await settle(page);
    assert.equal(difference(first, await shoot(page, stage, 'context-after')), 0, `${stage} differs after its context came back`);
  }
  forgive(/Context Lost|Context Restored|context/i);
  assertQuiet();
});

test('who wants less motion finds a figure that stands still', async (context) => {
  const opened = await browser.open(`${server.site}?rig=kit`, { reducedMotion: 'reduce' });
  context.after(opened.close);
  assert.equal(await opened.page.getByRole('button', { name: 'Play', exact: true }).count(), 1);
  await settle(opened.page);
  opened.assertQuiet();
});
