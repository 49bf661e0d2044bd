// What people bring: whole drops, files that are no good, rigs without pictures, very large ones; and what the address of the page says.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { PNG } from 'pngjs';
import { createMarrow } from 'marrow2d';
import { drag, openBrowser } from './support/browser.mjs';
import { root } from './support/harness.mjs';
import { serveSite } from './support/site.mjs';
import { swayClip } from '../../web/src/sway.js';

const out = path.join(root, 'tests/web/out');

/** @type {Awaited<ReturnType<typeof serveSite>>} */
let server;
/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let browser;
/** @type {string} */
let folder;
before(async () => {
  mkdirSync(out, { recursive: true });
  folder = mkdtempSync(path.join(tmpdir(), 'marrow-open-'));
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

/** @param {string} name @param {string | Buffer | object} content */
function write(name, content) {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content));
  return file;
}

/** @param {number} width @param {number} height @param {readonly number[]} [color] */
function picture(width, height, color = [220, 40, 40, 255]) {
  const png = new PNG({ width, height });
  for (let at = 0; at < png.data.length; at += 4) {
    png.data.set(color, at);
  }
  return PNG.sync.write(png, { deflateLevel: 1 });
}

const guid = '00000000-0000-8000-8000-0000000000aa';
/** A rig of one quad. @param {object} more */
const quad = (more = {}) => ({ bones: [{ name: 'root' }], sprite: guid, skinIndices: new Array(16).fill(0), skinWeights: new Array(4).fill([1, 0, 0, 0]).flat(),
  mesh: { verts: [[-32, -56], [32, -56], [-32, 56], [32, 56]], uvs: [[0, 0], [1, 0], [0, 1], [1, 1]], tris: [0, 2, 1, 1, 2, 3] }, ...more });
/** @param {string} name @param {string} [bone] */
const turn = (name, bone = 'root') => ({ name, duration: 1, tracks: [
  { path: bone, trait: 'Transform', field: 'rz', type: 'number', keys: [{ t: 0, v: 0 }, { t: 1, v: 1 }] }] });
/** @param {number} count @param {(index: number) => number} parentOf */
const bones = (count, parentOf) => ({ version: 2, parts: [], bones: Array.from({ length: count }, (_, i) => ({ name: `b${i}`, parent: parentOf(i), x: 3, y: 1 })) });

/** @param {import('playwright-core').Page} page @param {string} name */
const shown = (page, name) => page.locator('#rig option:checked', { hasText: name }).waitFor({ state: 'attached' });
/** @param {import('playwright-core').Page} page @param {string} text */
const card = (page, text) => page.locator('.card', { hasText: text });
/** @param {import('playwright-core').Page} page */
const titles = (page) => page.locator('.card h2').allInnerTexts();
/** @param {import('playwright-core').Page} page */
const clips = (page) => page.locator('#clip option').allInnerTexts();

/** Pixels of a color on the flat stage. @param {import('playwright-core').Page} page @param {(r: number, g: number, b: number) => boolean} is */
async function count(page, is) {
  await page.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); }));
  const { data } = PNG.sync.read(await page.locator('#stage-flat').screenshot({ path: path.join(out, 'open.png') }));
  let found = 0;
  for (let at = 0; at < data.length; at += 4) {
    found += Number(is(data[at], data[at + 1], data[at + 2]));
  }
  return found;
}
const isRed = (/** @type {number} */ r, /** @type {number} */ g) => r > 180 && g < 80;
const isBlue = (/** @type {number} */ r, /** @type {number} */ g, /** @type {number} */ b) => b > 180 && r < 80;

test('of two rigs and a broken one, both good ones are there', async (context) => {
  const { page, assertQuiet } = await open(context);
  await drag(page, [write('broken.rig2d.json', '{ "bones": [ { ]'), write('one.rig2d.json', quad()), write('two.rig2d.json', quad({ sprite: `${guid.slice(0, -1)}b` })),
    write('one.png', picture(64, 112)), write('two.png', picture(64, 112, [40, 40, 220, 255])), write('turn.anim.json', turn('turn'))]);
  await shown(page, 'one.rig2d.json');
  await card(page, 'broken.rig2d.json').getByText('$.bones[0]').waitFor();
  assert.deepEqual(await clips(page), ['turn']);
  assert.ok(await count(page, isRed) > 20000);
  assert.deepEqual(await titles(page), ['two.rig2d.json', 'broken.rig2d.json']);
  await page.getByRole('button', { name: 'Show two.rig2d.json' }).click();
  await shown(page, 'two.rig2d.json');
  assert.deepEqual(await clips(page), ['turn']);
  assert.ok(await count(page, isBlue) > 20000);
  await page.locator('#rig').selectOption('one.rig2d.json');
  await shown(page, 'one.rig2d.json');
  assertQuiet();
});

test('every bad file has its card, and many can be closed at once', async (context) => {
  const { page, assertQuiet } = await open(context);
  const names = Array.from({ length: 7 }, (_, i) => `bad${i}.txt`);
  await drag(page, names.map((name) => write(name, 'hello')));
  await card(page, 'bad6.txt').waitFor();
  assert.deepEqual(await titles(page), names);
  await page.getByRole('button', { name: 'Close all 7 messages' }).click();
  assert.deepEqual(await titles(page), []);
  await drag(page, Array.from({ length: 11 }, (_, i) => write(`worse${i}.txt`, 'hello')));
  await card(page, '2 more files').getByText('worse9.txt, worse10.txt').waitFor();
  assertQuiet();
});

test('a broken rig keeps what is open, and says that its pictures wait', async (context) => {
  const { page, assertQuiet } = await open(context);
  await drag(page, [write('broken.rig2d.json', '{ "bones": [ { ]'), write('hero.png', picture(64, 112))]);
  await card(page, 'broken.rig2d.json').getByText('together with the files that came with it').waitFor();
  assert.equal(await page.locator('#rig').inputValue(), 'bar');
  assertQuiet();
});

test('of a folder for another version no rig is waited for', async (context) => {
  const { page, assertQuiet } = await open(context);
  await drag(page, [write('hero.character.json', '{}'), write('atlas.json', '{ "frames": [] }'), write('atlas.png', picture(64, 64))]);
  await card(page, 'hero.character.json').getByText('neither glTF nor .character.json').waitFor();
  await card(page, 'atlas.json').waitFor();
  assert.doesNotMatch((await page.locator('#cards').innerText()), /Mend it/);
  assert.equal(await page.locator('#rig').inputValue(), 'bar');
  assertQuiet();
});

test('what is wrong with a clip is said of its own file', async (context) => {
  const { page, assertQuiet } = await open(context);
  const tracks = [...turn('', 'base').tracks, ...turn('', 'ghost').tracks];
  await drag(page, [write('half.anim.json', { ...turn('half'), tracks })]);
  await card(page, 'half.anim.json').getByText('$.tracks[1].path').waitFor();
  assert.deepEqual(await titles(page), ['half.anim.json']);
  assert.deepEqual(await clips(page), ['sway', 'half']);
  assertQuiet();
});

test('a clip that moves nothing of the rig is told of and not added', async (context) => {
  const { page, assertQuiet } = await open(context);
  await drag(page, [write('stray.anim.json', turn('stray', 'nobody/arm'))]);
  const stray = card(page, 'stray.anim.json');
  await stray.getByText('moves nobody/arm').waitFor();
  assert.match(await stray.innerText(), /The bones there are base, mid, tip\./);
  await drag(page, [write('empty.anim.json', '{}')]);
  await card(page, 'empty.anim.json').getByText('this is no clip').waitFor();
  assert.deepEqual(await clips(page), ['sway']);
  assertQuiet();
});

test('a picture of another name is offered, and one of the right name wins', async (context) => {
  const { page, assertQuiet } = await open(context);
  await drag(page, [write('named.rig2d.json', quad({ assets: { [guid]: 'torso.png' } })), write('odd.png', picture(64, 112, [40, 40, 220, 255]))]);
  const odd = card(page, 'odd.png');
  await odd.getByText('The rig asks for torso.png').waitFor();
  assert.equal(await count(page, isBlue), 0);
  await odd.getByRole('button', { name: 'Use for main' }).click();
  await odd.waitFor({ state: 'detached' });
  assert.ok(await count(page, isBlue) > 20000);
  await drag(page, [write('torso.png', picture(64, 112))]);
  await page.waitForFunction(() => document.querySelector('progress') === null);
  await shown(page, 'named.rig2d.json');
  await assertSoon(async () => await count(page, isRed) > 20000, 'torso.png did not win');
  // One of a name that nobody knows is a character of its own.
  await drag(page, [write('other.png', picture(64, 64))]);
  await shown(page, 'other.png');
  // What came later belongs to the rig when it is opened again.
  await page.locator('#rig').selectOption('named.rig2d.json');
  await shown(page, 'named.rig2d.json');
  await assertSoon(async () => await count(page, isRed) > 20000, 'torso.png was forgotten');
  assertQuiet();
});

/** @param {() => Promise<boolean>} holds @param {string} message */
async function assertSoon(holds, message) {
  const end = Date.now() + 20_000;
  while (!await holds()) {
    assert.ok(Date.now() < end, message);
  }
}

test('a rig that names no picture takes the only one, until one is named like it', async (context) => {
  const { page, assertQuiet } = await open(context);
  await drag(page, [write('hero.rig2d.json', quad()), write('any.png', picture(64, 112, [40, 40, 220, 255]))]);
  await shown(page, 'hero.rig2d.json');
  await assertSoon(async () => await count(page, isBlue) > 20000, 'the only picture is not shown');
  await drag(page, [write('hero.png', picture(64, 112))]);
  await assertSoon(async () => await count(page, isRed) > 20000, 'hero.png did not win');
  assert.equal(await page.locator('#rig').inputValue(), 'hero.rig2d.json');
  assertQuiet();
});

test('thousands of bones open, in a tree of which a part is drawn', async (context) => {
  const { page, assertQuiet } = await open(context);
  for (const [name, rig] of /** @type {const} */ ([['chain', bones(5000, (i) => i - 1)], ['flat', bones(5000, () => -1)]])) {
    await drag(page, [write(`${name}.rig2d.json`, rig)]);
    await shown(page, `${name}.rig2d.json`);
    assert.deepEqual(await titles(page), [`${name}.rig2d.json`]);
    assert.deepEqual(await clips(page), ['sway']);
    await page.locator('.tree').focus();
    await page.keyboard.press('End');
    const last = page.locator('[role="treeitem"][aria-selected="true"]', { hasText: 'b4999' });
    await last.waitFor();
    assert.equal(await last.getAttribute('id'), await page.locator('.tree').getAttribute('aria-activedescendant'));
    assert.equal(await last.getAttribute('aria-setsize'), name === 'flat' ? '5000' : '1');
    assert.ok(await page.locator('.tree li').count() < 200);
    const [tree, row] = [await page.locator('.tree').boundingBox(), await last.boundingBox()];
    assert.ok(tree && row && row.y >= tree.y - 1 && row.y + row.height <= tree.y + tree.height + 1, 'the selected bone is out of sight');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await page.locator('[role="treeitem"][aria-selected="true"]', { hasText: /^b1$/ }).waitFor();
  }
  assertQuiet();
});

test('sways what the core has, wherever it cuts a circle of parents', async () => {
  const marrow = await createMarrow();
  // 0 -> 1 -> 2 -> 0 is a circle into which 3 leads; 4 is its own parent, 5 hangs on it.
  for (const parents of [[1, 2, 0, 1, 4, 4], [-1, 0, 1, 9, 3, 2]]) {
    const model = marrow.loadRig2d(JSON.stringify(bones(parents.length, (i) => parents[i])));
    const before = model.warnings.length;
    const clip = /** @type {{ tracks: object[] }} */ (swayClip(model.bones));
    model.addClip(JSON.stringify(clip));
    assert.equal(clip.tracks.length, parents.length);
    assert.deepEqual(model.warnings.slice(before), []);
  }
});

test('what is JSON and no rig is an error, and what was open stays', async (context) => {
  const { page, assertQuiet } = await open(context);
  for (const [index, [text, found]] of Object.entries([['[]', 'an array'], ['null', 'null'], ['42', 'a number'], ['{}', 'neither a bone nor a triangle']])) {
    await drag(page, [write(`no${index}.rig2d.json`, text)]);
    await card(page, `no${index}.rig2d.json`).getByText(found).waitFor();
    assert.equal(await page.locator('#rig').inputValue(), 'bar');
  }
  await drag(page, [write('hero.gltf', '{}')]);
  await card(page, 'hero.gltf').getByText('neither glTF').waitFor();
  await drag(page, [write('clear.png', picture(64, 64, [0, 0, 0, 0]))]);
  await card(page, 'clear.png').getByText('every pixel of this picture is transparent').waitFor();
  assert.equal(await page.locator('#rig').inputValue(), 'bar');
  assertQuiet();
});

test('a mesh without its picture is seen all the same', async (context) => {
  const { page, assertQuiet } = await open(context);
  // Squares of two greys.
  const isGrey = (/** @type {number} */ r, /** @type {number} */ g, /** @type {number} */ b) => (r === 0x8d && g === 0x96 && b === 0xa5) || (r === 0x66 && g === 0x70 && b === 0x80);
  await drag(page, [write('bare.rig2d.json', quad({ assets: { [guid]: 'torso.png' } }))]);
  await card(page, 'No picture for main (torso.png)').waitFor();
  assert.ok(await count(page, isGrey) > 20000);
  // Of very many parts some are named.
  const { bones: root, ...part } = quad();
  await drag(page, [write('many.rig2d.json', { bones: root, parts: Array.from({ length: 200 }, (_, i) => ({ ...part, name: `part${i}` })) })]);
  await card(page, 'No picture for part0, part1, part2, part3 and 196 more').waitFor();
  const { sprite, ...nameless } = quad();
  assert.equal(sprite, guid);
  await drag(page, [write('nameless.rig2d.json', nameless)]);
  await card(page, 'This rig names no picture').waitFor();
  assert.ok(await count(page, isGrey) > 20000);
  await page.keyboard.press('2');
  await page.locator('#stage-world canvas').waitFor();
  await page.locator('#stage-world').screenshot({ path: path.join(out, 'open-bare-world.png') });
  assertQuiet();
});

test('a large picture is looked through beside the page, and drawn as large as the machine can', async (context) => {
  const { page, assertQuiet } = await open(context);
  await page.evaluate(() => {
    const { prototype } = OffscreenCanvasRenderingContext2D;
    const read = prototype.getImageData;
    const sides = /** @type {number[]} */ (Object.assign(window, { sides: [] }).sides);
    prototype.getImageData = function getImageData(x, y, width, height) {
      sides.push(width, height);
      return read.call(this, x, y, width, height);
    };
  });
  await drag(page, [write('long.png', picture(9000, 300))]);
  await shown(page, 'long.png');
  await assertSoon(async () => await count(page, isRed) > 10000, 'long.png is not drawn');
  const sides = await page.evaluate(() => /** @type {any} */ (window).sides);
  assert.ok(sides.length > 0 && Math.max(...sides) <= 2048, `the page read ${sides} pixels itself`);
  assertQuiet();
});

test('a picture that is too large says so before it is decoded', async (context) => {
  const { page, assertQuiet } = await open(context);
  const png = picture(8, 8);
  png.writeUInt32BE(9000, 16);
  png.writeUInt32BE(8000, 20);
  await drag(page, [write('huge.png', png)]);
  await card(page, 'huge.png').getByText('9000 × 8000 pixels, 72.0 million: the limit is 64 million').waitFor();
  assert.equal(await page.locator('#rig').inputValue(), 'bar');
  assertQuiet();
});

test('a folder is what lies in it', async (context) => {
  const { page, assertQuiet } = await open(context);
  const [left, right] = ['left/arm.png', 'right/arm.png'];
  const { skinIndices, skinWeights, mesh } = quad();
  const [first, second] = [guid, `${guid.slice(0, -1)}b`];
  // The second lies over the first.
  write('knight/knight.rig2d.json', { bones: [{ name: 'root' }], assets: { [first]: left, [second]: right },
    parts: [first, second].map((sprite) => ({ name: sprite.slice(-1), sprite, mesh, skinIndices, skinWeights })) });
  write(`knight/${left}`, picture(64, 112));
  write(`knight/${right}`, picture(64, 112, [40, 40, 220, 255]));
  write('knight/clips/turn.anim.json', turn('turn'));
  write('knight/notes.txt', 'hello');
  await drag(page, [path.join(folder, 'knight')]);
  await shown(page, 'knight.rig2d.json');
  assert.deepEqual(await clips(page), ['turn']);
  assert.deepEqual(await titles(page), []);
  assert.ok(await count(page, isBlue) > 20000);
  assert.equal(await count(page, isRed), 0);
  write('papers/notes.txt', 'hello');
  await drag(page, [path.join(folder, 'papers')]);
  await card(page, 'papers').getByText('this folder holds no picture, no rig and no clip').waitFor();
  assertQuiet();
});

test('what an address names wrongly is told, with what it could be', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=bar&stage=9d&overlay=bones,auras&theme=pink&speed=fast&clip=fly&bone=nobody&hide=hat');
  await card(page, 'hide=hat').waitFor();
  const told = Object.fromEntries(await page.locator('.card').evaluateAll((all) => all.map((each) => [each.querySelector('.path')?.textContent, each.textContent])));
  assert.deepEqual(Object.keys(told), ['stage=9d', 'theme=pink', 'speed=fast', 'overlay=auras', 'clip=fly', 'bone=nobody', 'hide=hat']);
  assert.match(told['stage=9d'], /2d, 2\.5d, ground/);
  assert.match(told['bone=nobody'], /base, mid, tip/);
  assert.match(told['clip=fly'], /sway/);
  assertQuiet();
});

test('values that mean nothing are told, and what means something beside them counts', async (context) => {
  const paths = (/** @type {import('playwright-core').Page} */ page) => page.locator('.card .path').allInnerTexts();
  const posed = await open(context, '?rig=bar&play=0&t=0&bone=mid&pose=mid:20:abc,base,:::,tip:99999,mid:1:2:3:4:5:6,&view=1');
  await card(posed.page, 'view=1').waitFor();
  assert.deepEqual(await paths(posed.page), ['pose=mid:20:abc', 'pose=base', 'pose=:::', 'pose=tip:99999', 'pose=mid:1:2:3:4:5:6', 'view=1']);
  assert.match(await card(posed.page, 'pose=base').innerText(), /bone:rotation:x:y:scaleX:scaleY, up to 36000 degrees/);
  assert.match(await card(posed.page, 'view=1').innerText(), /x,y,scale/);
  posed.assertQuiet();
  for (const query of ['view=a,b,c', 'view=0,0,0', 'stage=2.5d&view=1,2,3', 'stage=ground&view=1,2,3,1,2,3']) {
    const { page, assertQuiet } = await open(context, `?rig=bar&play=0&${query}`);
    await card(page, query.slice(query.indexOf('view'))).waitFor();
    assertQuiet();
  }
  const { page, assertQuiet } = await open(context, '?rig=bar&play=0&t=0&pose=mid:20:1,base:-36000&view=0,0,2');
  await page.locator('#clock').waitFor();
  assert.deepEqual(await titles(page), []);
  assertQuiet();
});

test('an address of another site is not asked for', async (context) => {
  // The browser would refuse it, with words in the console that nobody reads.
  const { page, assertQuiet } = await open(context, '?rig=http://127.0.0.1:9/far.rig2d.json');
  await card(page, 'far.rig2d.json').getByText('opens files of its own site only').waitFor();
  await card(page, 'far.rig2d.json').getByText('drop them here').waitFor();
  assert.equal(await page.locator('#rig').inputValue(), 'kit');
  assertQuiet();
  const other = await open(context, '?rig=http://');
  await card(other.page, 'this is no address').waitFor();
  other.assertQuiet();
  const nobody = await open(context, '?rig=nobody');
  await card(nobody.page, 'there is no character “nobody”').getByText('There are Kit, Koi, Banner').waitFor();
  nobody.assertQuiet();
});

test('Back and Forward go from character to character and from stage to stage', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=kit&clip=walk&play=0&t=0.4');
  assert.deepEqual(await page.locator('#rig option').allInnerTexts(), ['Kit', 'Koi', 'Banner']);
  /** @param {string} rig @param {string} stage */
  async function reads(rig, stage) {
    await shown(page, rig);
    await page.waitForFunction(([wanted]) => (new URLSearchParams(location.search).get('stage') ?? '2d') === wanted
      && document.querySelector('input[name="stage"]:checked')?.getAttribute('value') === wanted, [stage]);
  }
  await page.locator('#rig').selectOption('koi');
  await page.waitForFunction(() => location.search.includes('rig=koi'));
  await page.keyboard.press('3');
  await reads('Koi', 'ground');
  // What goes on all the time is no step.
  await page.keyboard.press('b');
  await page.waitForFunction(() => location.search.includes('overlay=bones'));
  await drag(page, [write('own.png', picture(64, 112))]);
  await shown(page, 'own.png');
  await page.waitForFunction(() => !location.search.includes('rig='));
  await page.locator('#rig').selectOption('banner');
  await page.waitForFunction(() => location.search.includes('rig=banner'));
  await page.goBack();
  await reads('own.png', 'ground');
  await page.goBack();
  await reads('Koi', 'ground');
  await page.goBack();
  await reads('Koi', '2d');
  await page.goBack();
  await reads('Kit', '2d');
  await page.locator('#clock', { hasText: /^0\.40/ }).waitFor();
  assert.equal(await page.locator('#clip').inputValue(), 'walk');
  await page.goForward();
  await reads('Koi', '2d');
  assertQuiet();
});
