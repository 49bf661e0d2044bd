// The package where applications put it: a page without a bundler, a worker, a server, two renderers over one memory.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { openBrowser } from './support/browser.mjs';
import { openHarness, root } from './support/harness.mjs';
import { serve, strictPolicy } from './support/server.mjs';

const folders = {
  '/wasm-api/': path.join(root, 'wasm-api'), '/three/': path.join(root, 'node_modules/three/build'),
  '/pixi/': path.join(root, 'node_modules/pixi.js/dist'), '/assets/': path.join(root, 'assets'),
  '/': path.join(root, 'tests/web/support/plain'),
};

/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

test('a plain <script type=module> page with three.js under a strict policy', async () => {
  const server = await serve(folders);
  const { page, assertQuiet, close } = await browser.open(`${server.url}three.html`);
  const covered = await page.evaluate(() => covered());
  assert.ok(covered > 5000, `the bar covers ${covered} pixels`);
  assertQuiet();
  await close();
  await server.close();
});

test('a plain <script type=module> page with PixiJS, whose unbundled build needs eval', async () => {
  const server = await serve(folders, { policy: strictPolicy.replace("'wasm-unsafe-eval'", "'wasm-unsafe-eval' 'unsafe-eval'") });
  const { page, assertQuiet, close } = await browser.open(`${server.url}pixi.html`);
  const covered = await page.evaluate(() => covered());
  assert.equal(covered, 64 * 256);
  assertQuiet();
  await close();
  await server.close();
});

test('a module worker poses without a page', async () => {
  const server = await serve(folders);
  const { page, assertQuiet, close } = await browser.open(`${server.url}worker.html`);
  const seen = await page.evaluate(() => answer);
  // A quarter turn about the origin takes the tip's end from (0, -128) to (128, 0).
  assert.deepEqual(seen.end.map((/** @type {number} */ value) => Math.round(value * 1000) / 1000), [128, 0]);
  assertQuiet();
  await close();
  await server.close();
});

test('a server imports everything without a window, and poses', () => {
  const script = `
    import { createMarrow } from 'marrow2d';
    import { RigBillboard, RigLoader, orientRigs } from 'marrow2d/three';
    import { autoRig } from 'marrow2d/author';
    // PixiJS itself reads navigator on import; Node has one from version 21 on.
    globalThis.navigator ??= { userAgent: 'Node.js/21' };
    const { RigView, CrowdView, marrowLoader } = await import('marrow2d/pixi');
    if ([RigView, CrowdView, marrowLoader, RigBillboard, RigLoader, orientRigs, autoRig].some((each) => typeof each !== 'function')) throw 1;
    if (typeof window !== 'undefined' || typeof document !== 'undefined') throw 2;
    const marrow = await createMarrow();
    const hero = marrow.createWorld().add(await marrow.load('assets/bar/bar.rig2d.json'));
    console.log(hero.model.parts[0].vertexCount);`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: root, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  assert.equal(stdout.trim(), '27');
});

test('the main entry imports no renderer', () => {
  const script = `
    import { register } from 'node:module';
    register('data:text/javascript,' + encodeURIComponent(\`export async function resolve(name, context, next) {
      if (name === 'three' || name.startsWith('pixi.js')) throw new Error('renderer: ' + name);
      return next(name, context);
    }\`));
    await import('marrow2d');
    await import('marrow2d/author');
    await import('marrow2d/pixi').then(() => { throw new Error('no renderer was asked for'); }, () => console.log('kept out'));`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: root, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  assert.equal(stdout.trim(), 'kept out');
});

test('PixiJS and three.js draw the same memory at once', async () => {
  const harness = await openHarness();
  const seen = await harness.page.evaluate(async () => {
    const { marrow, model, world, image } = await harness.bar();
    const app = await harness.pixiApp(320, 320);
    const stage = harness.threeStage(320, 320, 100);
    const hero = world.add(model);
    const flat = new harness.pixi.RigView(hero, await harness.pixiTexture(image));
    flat.position.set(160, 160);
    app.stage.addChild(flat);
    const billboard = new harness.three.RigBillboard(hero, await harness.threeTexture(image), { anchor: 'center', pixelsPerUnit: 100 });
    stage.scene.add(billboard);
    const differences = [];
    for (const angle of [0, 0.5, -0.8]) {
      hero.bone('mid').rotation = angle;
      world.update(0);
      marrow.reserve(1 << 16);
      app.render();
      harness.three.orientRigs([billboard], stage.camera);
      stage.renderer.render(stage.scene, stage.camera);
      differences.push(harness.difference(harness.picture(app.canvas), harness.picture(stage.renderer.domElement), 3));
    }
    const shared = billboard.mesh.geometry.attributes.position.array === hero.positions;
    hero.dispose();
    app.render();
    stage.renderer.render(stage.scene, stage.camera);
    return { differences, shared, left: [harness.covered(harness.picture(app.canvas)), harness.covered(harness.picture(stage.renderer.domElement))] };
  });
  harness.assertQuiet();
  await harness.close();
  assert.equal(seen.shared, true);
  // Pixels on the outline may fall to either side.
  for (const count of seen.differences) {
    assert.ok(count < 200, `${count} pixels differ`);
  }
  assert.deepEqual(seen.left, [0, 0]);
});
