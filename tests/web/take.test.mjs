// What a person takes away: pictures, loops, sheets, the link, and code for pages of their own.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { openBrowser } from './support/browser.mjs';
import { root } from './support/harness.mjs';
import { strictPolicy } from './support/server.mjs';
import { serveSite } from './support/site.mjs';

const out = path.join(root, 'tests/web/out');
/** PixiJS's build for pages without a bundler needs it. */
const loose = strictPolicy.replace("'wasm-unsafe-eval'", "'wasm-unsafe-eval' 'unsafe-eval'");

/** @type {string} */
let folder;
/** @type {Awaited<ReturnType<typeof serveSite>>} */
let server;
/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let browser;
before(async () => {
  mkdirSync(out, { recursive: true });
  folder = mkdtempSync(path.join(tmpdir(), 'marrow-take-'));
  server = await serveSite({
    '/own/': folder, '/wasm-api/': path.join(root, 'wasm-api'), '/three/': path.join(root, 'node_modules/three/build'),
    '/pixi/': path.join(root, 'node_modules/pixi.js/dist'),
  }, { policy: loose });
  browser = await openBrowser();
});
after(async () => {
  await browser.close();
  await server.close();
  rmSync(folder, { recursive: true });
});

/**
 * @param {import('node:test').TestContext} context which closes the page
 * @param {string} query
 */
async function open(context, query) {
  const opened = await browser.open(`${server.site}${query}`);
  context.after(opened.close);
  return opened;
}

/** @param {import('playwright-core').Page} page @param {RegExp} name */
async function choose(page, name) {
  await page.locator('#save').click();
  await page.getByRole('menuitem', { name }).click();
}

/** @param {import('playwright-core').Page} page @param {() => Promise<void>} act */
async function download(page, act) {
  const [file] = await Promise.all([page.waitForEvent('download'), act()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

/** @param {import('playwright-core').Page} page */
async function picture(page) {
  const { name, bytes } = await download(page, () => choose(page, /Picture of the stage/));
  return { name, png: PNG.sync.read(bytes) };
}

/** @param {string[]} words */
function marrow(...words) {
  const { status, stderr } = spawnSync(process.execPath, [path.join(root, 'wasm-api/js/cli.js'), ...words], { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
}

// ---------------------------------------------------------------------------------------------- pictures

test('a picture of the flat stage is the figure alone, as it is seen', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=kit&clip=walk&play=0&t=0.2&theme=dark&backdrop=plain');
  const { name, png } = await picture(page);
  assert.equal(name, 'kit.png');
  const seen = PNG.sync.read(await page.locator('#stage-flat').screenshot());
  assert.deepEqual([png.width, png.height], [seen.width, seen.height]);
  assert.equal(png.data[3], 0, 'the corner is not transparent');
  // Over the colour of the page it is what is on the screen.
  const page14161a = [0x14, 0x16, 0x1a];
  const laid = Buffer.from(png.data);
  for (let at = 0; at < laid.length; at += 4) {
    const alpha = laid[at + 3] / 255;
    page14161a.forEach((color, channel) => {
      laid[at + channel] = Math.round(laid[at + channel] * alpha + color * (1 - alpha));
    });
    laid[at + 3] = 255;
  }
  const wrong = pixelmatch(laid, seen.data, undefined, png.width, png.height, { threshold: 0.1 });
  assert.ok(wrong < 30, `${wrong} pixels differ from the screen`);
  assertQuiet();
});

test('pictures of the small world are the figures alone', async (context) => {
  for (const stage of ['2.5d', 'ground']) {
    const { page, assertQuiet } = await open(context, `?rig=kit&clip=walk&play=0&t=0.2&stage=${stage}`);
    const before = await page.locator('#stage-world').screenshot();
    const { png } = await picture(page);
    writeFileSync(path.join(out, `take-${stage}.png`), PNG.sync.write(png));
    const alphas = png.data.filter((_, at) => at % 4 === 3);
    const opaque = alphas.filter((alpha) => alpha === 255).length / alphas.length;
    const clear = alphas.filter((alpha) => alpha === 0).length / alphas.length;
    assert.ok(opaque > 0.05 && clear > 0.3, `${stage}: ${opaque} opaque, ${clear} transparent`);
    // What is seen is not touched.
    const [a, b] = [PNG.sync.read(before), PNG.sync.read(await page.locator('#stage-world').screenshot())];
    assert.equal(pixelmatch(a.data, b.data, undefined, a.width, a.height, { threshold: 0.05 }), 0, stage);
    assertQuiet();
  }
});

test('while the context is lost there is a message in place of an empty picture; after it all is as before', async (context) => {
  for (const stage of ['2d', '2.5d']) {
    const { page, forgive, assertQuiet } = await open(context, `?rig=kit&play=0&t=0.2&stage=${stage}`);
    const before = await picture(page);
    const canvas = stage === '2d' ? '#stage-flat canvas' : '#stage-world canvas';
    await page.evaluate((selector) => {
      const gl = /** @type {HTMLCanvasElement} */ (document.querySelector(selector)).getContext('webgl2');
      Object.assign(globalThis, { lost: gl?.getExtension('WEBGL_lose_context') });
      /** @type {any} */ (globalThis).lost.loseContext();
    }, canvas);
    await choose(page, /Picture of the stage/);
    await page.locator('.card', { hasText: 'Try again' }).waitFor();
    await page.evaluate(() => /** @type {any} */ (globalThis).lost.restoreContext());
    await page.evaluate(() => new Promise((resolve) => {
      requestAnimationFrame(() => requestAnimationFrame(resolve));
    }));
    const later = await picture(page);
    const wrong = pixelmatch(before.png.data, later.png.data, undefined, later.png.width, later.png.height, { threshold: 0.05 });
    assert.equal(wrong, 0, `${stage}: ${wrong} pixels differ after the loss`);
    forgive(/CONTEXT_LOST|[Cc]ontext [Ll]ost/);
    assertQuiet();
  }
});

// ---------------------------------------------------------------------------------------------- clips

test('a loop is, byte for byte, what the command line makes', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=kit&clip=walk');
  await choose(page, /Loop/);
  const dialog = page.locator('dialog[open]');
  await dialog.locator('[name="longest"]').fill('120');
  await dialog.locator('[name="longest"]').press('Tab');
  await dialog.locator('#estimate', { hasText: '× 120 px, 21 frames' }).waitFor();
  const { name, bytes } = await download(page, () => dialog.getByRole('button', { name: 'Save' }).click());
  assert.equal(name, 'kit-walk.gif');
  marrow('render', path.join(root, 'assets/kit'), '--clip', 'walk', '--gif', '--size', '120', '-o', 'walk.gif');
  assert.ok(bytes.equals(readFileSync(path.join(folder, 'walk.gif'))), 'the bytes differ');
  assert.equal(await page.locator('dialog[open]').count(), 0);
  assertQuiet();
});

test('a sheet is, byte for byte, what the command line makes, in front of a colour too', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=koi&clip=swim');
  await choose(page, /Sheet/);
  const dialog = page.locator('dialog[open]');
  for (const [field, value] of [['longest', '90'], ['columns', '4'], ['rows', '3']]) {
    await dialog.locator(`[name="${field}"]`).fill(value);
    await dialog.locator(`[name="${field}"]`).press('Tab');
  }
  await dialog.locator('[name="background"]').check();
  await dialog.locator('[name="color"]').fill('#204060');
  await dialog.locator('#estimate', { hasText: /360 × \d+ px, 12 frames/ }).waitFor();
  const { name, bytes } = await download(page, () => dialog.getByRole('button', { name: 'Save' }).click());
  assert.equal(name, 'koi-swim.png');
  marrow('render', path.join(root, 'assets/koi'), '--clip', 'swim', '--sheet', '4x3', '--size', '90', '--background', '204060', '-o', 'swim.png');
  assert.ok(bytes.equals(readFileSync(path.join(folder, 'swim.png'))), 'the bytes differ');
  assertQuiet();
});

test('a long job tells how far it is, leaves the page free, and can be stopped', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=kit&clip=idle&play=0');
  await choose(page, /Loop/);
  const dialog = page.locator('dialog[open]');
  await dialog.locator('[name="longest"]').fill('1024');
  await dialog.locator('[name="rate"]').selectOption('50');
  await dialog.locator('#estimate', { hasText: '200 frames' }).waitFor();
  page.on('download', () => assert.fail('it was stopped'));
  await page.evaluate(() => {
    let last = performance.now();
    Object.assign(globalThis, { longest: 0 });
    requestAnimationFrame(function frame(now) {
      Object.assign(globalThis, { longest: Math.max(/** @type {any} */ (globalThis).longest, now - last) });
      last = now;
      requestAnimationFrame(frame);
    });
  });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.locator('dialog progress:not([value="0"])').waitFor();
  await dialog.getByRole('button', { name: 'Stop' }).click();
  await dialog.getByRole('button', { name: 'Save' }).waitFor();
  const longest = await page.evaluate(() => /** @type {any} */ (globalThis).longest);
  assert.ok(longest < 1000, `the page stood still for ${longest} ms`);
  // What was stopped can be begun again.
  await dialog.locator('[name="longest"]').fill('40');
  await dialog.locator('[name="rate"]').selectOption('10');
  await dialog.locator('#estimate', { hasText: ' 40 frames' }).waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await dialog.count(), 0);
  assertQuiet();
});

// ---------------------------------------------------------------------------------------------- link and code

test('the link leads back to what is seen', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=koi&clip=dart&play=0&t=0.5&stage=ground&heading=30');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await choose(page, /link/);
  await page.getByRole('status').filter({ hasText: 'Link copied' }).waitFor();
  const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
  assert.equal(link.pathname, '/some/where/');
  assert.deepEqual(Object.fromEntries(link.searchParams), { rig: 'koi', stage: 'ground', heading: '30', clip: 'dart', t: '0.5', play: '0' });
  assertQuiet();
});

/**
 * The code that the dialog shows for a kind, as it comes from the clipboard.
 * @param {import('playwright-core').Page} page
 * @param {string} kind
 */
async function copied(page, kind) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await choose(page, /on a page/);
  await page.locator('dialog[open]').getByRole('radio', { name: kind, exact: true }).check();
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  await page.keyboard.press('Escape');
  return text;
}

/** @param {string} name of the module in the folder */
function pageOf(name) {
  return `<!doctype html><html lang="en" data-ready><head><meta charset="utf-8"><title>${name}</title><link rel="icon" href="data:,">
    <style>body { margin: 0 } canvas { display: block }</style>
    <script type="importmap">{ "imports": { "pixi.js": "/pixi/pixi.mjs", "three": "/three/three.module.js", "marrow2d": "/wasm-api/js/index.js",
      "marrow2d/pixi": "/wasm-api/js/pixi.js", "marrow2d/three": "/wasm-api/js/three.js" } }</script></head>
    <body><script type="module" src="./${name}"></script></body></html>`;
}

/**
 * Opens a page and waits until a color covers enough of it.
 * @param {import('node:test').TestContext} context
 * @param {string} name
 * @param {(r: number, g: number, b: number) => boolean} isIt
 */
async function seesColor(context, name, isIt) {
  const { page, close, assertQuiet } = await browser.open(`${server.url}own/${name}`, { viewport: { width: 480, height: 480 } });
  context.after(close);
  let count = 0;
  for (const end = Date.now() + 30000; Date.now() < end && count < 5000;) {
    const { data } = PNG.sync.read(await page.screenshot({ path: path.join(out, `take-${name}.png`) }));
    count = data.filter((_, at) => at % 4 === 0 && isIt(data[at], data[at + 1], data[at + 2])).length;
  }
  assert.ok(count >= 5000, `${name}: only ${count} pixels`);
  assertQuiet();
}

/** Kit's fur. @param {number} r @param {number} g @param {number} b */
const orange = (r, g, b) => r > 200 && g > 100 && g < 180 && b < 100;
/** The person's own figure. @param {number} r @param {number} g @param {number} b */
const green = (r, g, b) => r < 60 && g > 150 && b < 80;

test('the code for PixiJS, for three.js and the frame draw Kit where they are pasted', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=kit&clip=walk');
  for (const [kind, name] of [['PixiJS', 'kit-pixi.js'], ['three.js', 'kit-three.js']]) {
    const text = await copied(page, kind);
    assert.match(text, /hero\.play\('walk'\)/);
    writeFileSync(path.join(folder, name), text);
    writeFileSync(path.join(folder, `${name}.html`), pageOf(name));
    await seesColor(context, `${name}.html`, orange);
  }
  const text = await copied(page, 'Plain HTML');
  // The test's browser waits for the mark; the pasted page is whole without it.
  writeFileSync(path.join(folder, 'frame.html'), text.replace('<html', '<html data-ready').replace('<title>', '<link rel="icon" href="data:,"><title>'));
  await seesColor(context, 'frame.html', orange);
  assertQuiet();
});

test('the frame shows what is seen', async (context) => {
  const seen = 'rig=kit&stage=ground&clip=walk&t=0.2&play=0&pose=head:25&hide=scarf';
  const { page, assertQuiet } = await open(context, `?${seen}`);
  const text = await copied(page, 'Plain HTML');
  const [, address] = /** @type {RegExpMatchArray} */ (text.match(/src="([^"]*)"/));
  const { pathname, searchParams } = new URL(address.replaceAll('&amp;', '&'));
  assert.equal(pathname, '/some/where/');
  assert.deepEqual(Object.fromEntries(searchParams), { ...Object.fromEntries(new URLSearchParams(seen)), ui: '0' });
  await choose(page, /on a page/);
  await page.locator('dialog[open]').getByRole('radio', { name: 'PixiJS', exact: true }).check();
  await page.locator('dialog[open]').getByText('CORS').waitFor();
  assertQuiet();
});

test('a size that there is not is refused where it is typed', async (context) => {
  const { page, assertQuiet } = await open(context, '?rig=bar&play=0');
  await choose(page, /Loop/);
  const dialog = page.locator('dialog[open]');
  const longest = dialog.locator('[name="longest"]');
  await longest.fill('99999');
  await dialog.getByText('From 16 to 1,024').waitFor();
  assert.equal(await longest.getAttribute('aria-invalid'), 'true');
  await dialog.screenshot({ path: path.join(out, 'take-outside.png') });
  await longest.press('Tab');
  assert.equal(await longest.inputValue(), '1024');
  assert.equal(await dialog.getByRole('alert').count(), 0);
  await dialog.locator('#estimate', { hasText: '× 1024 px' }).waitFor();
  assertQuiet();
});

test('the code names a person’s own files as they are called', async (context) => {
  const png = new PNG({ width: 64, height: 112 });
  for (let at = 0; at < png.data.length; at += 4) {
    png.data.set([20, 200, 40, 255], at);
  }
  const square = { verts: [[-32, -56], [32, -56], [-32, 56], [32, 56]], uvs: [[0, 0], [1, 0], [0, 1], [1, 1]], tris: [0, 2, 1, 1, 2, 3] };
  const rig = { bones: [{ name: 'root' }], sprite: '00000000-0000-8000-8000-0000000000aa', skinIndices: new Array(16).fill(0),
    skinWeights: new Array(4).fill([1, 0, 0, 0]).flat(), mesh: square };
  const clip = { name: 'lean', duration: 1, tracks: [{ path: 'root', trait: 'Transform', field: 'rz', type: 'number', keys: [{ t: 0, v: 0 }, { t: 1, v: 0.3 }] }] };
  const files = { "it's me.rig2d.json": JSON.stringify(rig), 'any name.png': PNG.sync.write(png), 'lean.anim.json': JSON.stringify(clip) };
  const paths = Object.entries(files).map(([name, content]) => {
    writeFileSync(path.join(folder, name), content);
    return path.join(folder, name);
  });
  const { page, assertQuiet } = await open(context, '?rig=bar');
  await page.setInputFiles('#files', paths);
  await page.locator('#rig option', { hasText: "it's me" }).waitFor({ state: 'attached' });
  for (const [kind, name] of [['PixiJS', 'own-pixi.js'], ['three.js', 'own-three.js']]) {
    const text = await copied(page, kind);
    for (const file of Object.keys(files)) {
      assert.ok(text.split('\n')[1].includes(file), `${kind}: ${file} is not in the list of files`);
    }
    writeFileSync(path.join(folder, name), text);
    writeFileSync(path.join(folder, `${name}.html`), pageOf(name));
    await seesColor(context, `${name}.html`, green);
  }
  await page.locator('#save').click();
  assert.equal(await page.getByRole('menuitem', { name: 'Copy the link: it cannot hold your own files' }).isDisabled(), true);
  assertQuiet();
});
