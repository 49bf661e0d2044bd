// What the stages show, pixel by pixel: against the core's own rasteriser, and against pictures that people looked at.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { openBrowser } from './support/browser.mjs';
import { root } from './support/harness.mjs';
import { serve } from './support/server.mjs';

const out = path.join(root, 'tests/web/out');
const references = path.join(import.meta.dirname, 'references');
const viewport = { width: 800, height: 600 };

/** @type {Awaited<ReturnType<typeof serve>>} */
let server;
/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let browser;
/** @type {string} */
let folder;
before(async () => {
  mkdirSync(out, { recursive: true });
  folder = mkdtempSync(path.join(tmpdir(), 'marrow-pictures-'));
  server = await serve({ '/': path.join(root, 'web/dist') });
  browser = await openBrowser();
});
after(async () => {
  await browser.close();
  await server.close();
  rmSync(folder, { recursive: true });
});

/** @param {import('node:test').TestContext} context @param {string} query */
async function shoot(context, query) {
  const { page, close, assertQuiet } = await browser.open(`${server.url}${query}&ui=0&play=0`, { viewport });
  context.after(close);
  await page.locator('[data-figure="Uploaded"]', { hasText: /^0 B$/ }).waitFor({ state: 'attached' });
  const picture = PNG.sync.read(await page.screenshot());
  assertQuiet();
  return picture;
}

const poses = [['kit', 'walk', 0.21], ['kit', 'jump', 0.5], ['koi', 'swim', 0.4], ['banner', 'storm', 0.9], ['bar', 'sway', 0.7]];
for (const [rig, clip, time] of /** @type {const} */ (poses)) {
  test(`marrow render and the PixiJS stage agree: ${rig}, ${clip}`, async (context) => {
    const file = path.join(folder, `${rig}.png`);
    // The stage's own way from the rig to pixels, so that both draw the same size at the same place.
    const [middleX, middleY, scale] = { kit: [10, -240, 1], koi: [-60, 0, 1.2], banner: [150, -320, 1], bar: [0, 0, 2] }[rig];
    const address = `?rig=${rig}&clip=${clip}&t=${time}&view=${middleX},${middleY},${scale}&backdrop=plain&theme=dark`;
    execFileSync(process.execPath, [path.join(root, 'wasm-api/js/cli.js'), 'render', path.join(root, 'assets', rig),
      '--clip', clip, '--time', String(time),
      '--size', `${viewport.width}x${viewport.height}`, `--view=${middleX},${middleY},${scale}`, '--background', '14161a', '-o', file], { stdio: 'pipe' });
    const drawn = PNG.sync.read(readFileSync(file));
    const seen = await shoot(context, address);
    let differing = 0;
    let figure = 0;
    for (let at = 0; at < seen.data.length; at += 4) {
      const far = Math.max(...[0, 1, 2].map((channel) => Math.abs(seen.data[at + channel] - drawn.data[at + channel])));
      differing += Number(far > 8);
      figure += Number(drawn.data[at] !== 0x14 || drawn.data[at + 1] !== 0x16 || drawn.data[at + 2] !== 0x1a);
    }
    if (differing > figure / 100) {
      writeFileSync(path.join(out, `render-${rig}-stage.png`), PNG.sync.write(seen));
      writeFileSync(path.join(out, `render-${rig}-core.png`), PNG.sync.write(drawn));
    }
    assert.ok(figure > 5000, `only ${figure} pixels were drawn`);
    assert.ok(differing <= figure / 100, `${differing} of the ${figure} pixels of the figure differ by more than 8 levels`);
  });
}

const states = {
  'flat-walk': '?rig=kit&clip=walk&t=0.21&theme=dark',
  'flat-light': '?rig=koi&clip=swim&t=0.4&theme=light&backdrop=plain',
  'flat-bones-weights': '?rig=kit&clip=wave&t=0.6&overlay=bones,weights&bone=upperArm.R&theme=dark',
  'flat-dominant-wireframe': '?rig=banner&clip=storm&t=0.9&overlay=dominant,wireframe,bounds&theme=light',
  'world-cylindrical': '?rig=kit&clip=run&t=0.2&stage=2.5d&theme=dark',
  'world-spherical': '?rig=kit&clip=idle&t=1&stage=2.5d&facing=spherical&theme=light&view=1.5,4,3,0,0.7,0',
  'ground-heading': '?rig=koi&clip=dart&t=0.3&stage=ground&heading=60&theme=light',
  'ground-bones': '?rig=koi&clip=dart&t=0.3&stage=ground&overlay=bones,wireframe&bone=spine2&theme=dark',
};
for (const [name, query] of Object.entries(states)) {
  test(`the stage is the picture that was looked at: ${name}`, async (context) => {
    const seen = await shoot(context, query);
    const file = path.join(references, `${name}.png`);
    if (process.env.MRW_UPDATE_PICTURES) {
      mkdirSync(references, { recursive: true });
      writeFileSync(file, PNG.sync.write(seen));
      return;
    }
    assert.ok(existsSync(file), `${file} is missing: MRW_UPDATE_PICTURES=1 makes it, then look at it`);
    const wanted = PNG.sync.read(readFileSync(file));
    const marks = new PNG(viewport);
    const differing = pixelmatch(seen.data, wanted.data, marks.data, viewport.width, viewport.height, { threshold: 0.1 });
    if (differing > 0) {
      writeFileSync(path.join(out, `${name}-seen.png`), PNG.sync.write(seen));
      writeFileSync(path.join(out, `${name}-marks.png`), PNG.sync.write(marks));
    }
    // Another version of the browser may draw an edge a little differently.
    assert.ok(differing <= viewport.width * viewport.height * 0.002, `${differing} pixels differ`);
  });
}
