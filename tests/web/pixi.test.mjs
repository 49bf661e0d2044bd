// RigView in a real PixiJS: what it draws, what it uploads, and what it leaves behind. Expected colors are those of the bar's stripes at
// places worked out by hand from its bones.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertNear, background, full, half, stripes } from './support/colors.mjs';
import { openHarness } from './support/harness.mjs';

/** @type {Awaited<ReturnType<typeof openHarness>>} */
let harness;
before(async () => {
  harness = await openHarness();
  await harness.page.evaluate(async () => {
    const { bar, pixiApp, pixiTexture, pixi } = harness;
    const { marrow, model, world, image } = await bar();
    const app = await pixiApp(320, 320);
    const texture = await pixiTexture(image);
    /** A bar whose middle lies at (160, 160), alone on the stage. */
    const show = (textures = texture) => {
      for (const child of [...app.stage.children]) {
        child.destroy();
      }
      const hero = world.add(model, { name: 'hero' });
      const view = new pixi.RigView(hero, textures);
      view.position.set(160, 160);
      app.stage.addChild(view);
      return { hero, view };
    };
    /** Colors at points in the bar's space. */
    const look = (points) => {
      world.update(0);
      app.render();
      return harness.colors(app.canvas, points.map(([x, y]) => [x + 160, y + 160]));
    };
    Object.assign(globalThis, { marrow, model, world, app, texture, show, look });
  });
});
after(() => harness.close());

test('the bind pose lies where the file says', async () => {
  const rows = stripes.map((_, index) => -112 + 32 * index);
  const points = rows.flatMap((y) => [[-16, y], [16, y]]);
  const seen = await harness.page.evaluate((at) => {
    show();
    return look([...at, [-40, 0], [40, 0], [0, -140], [0, 140]]);
  }, points);
  assert.deepEqual(seen, [...stripes.flatMap((_, index) => [half(index), full(index)]), background, background, background, background]);
});

test('a quarter turn of the middle bone lays the upper bar to the right', async () => {
  // Above y = -64 every vertex follows bones that turn rigidly about the origin: (x, y) goes to (-y, x). Below y = 64 nothing moves.
  const seen = await harness.page.evaluate(() => {
    const { hero } = show();
    hero.bone('mid').rotation = Math.PI / 2;
    return look([[112, 16], [112, -16], [80, 16], [80, -16], [16, 112], [-16, 112], [16, -112], [-16, -112]]);
  });
  assert.deepEqual(seen, [full(0), half(0), full(1), half(1), full(7), half(7),
    background, background]);
});

test('flips, the root transform, tint, opacity and visibility are seen, and raise no version', async () => {
  const seen = await harness.page.evaluate(() => {
    const { hero } = show();
    const upper = [[-16, -112], [16, -112]];
    look([]);
    const { version } = hero;
    const out = {};
    hero.view.flipX = true;
    out.flipX = look(upper);
    hero.view.flipX = false;
    hero.view.flipY = true;
    out.flipY = look(upper);
    hero.view.flipY = false;
    hero.place({ x: 20, y: 10, rotation: Math.PI / 2 });
    // (x, y) goes to (20 - y, 10 + x).
    out.placed = look([[132, -6], [132, 26]]);
    hero.place({ x: 0, y: 0, rotation: 0 });
    hero.view.color = 0x00ff00;
    out.tinted = look(upper);
    hero.view.color = 0xffffff;
    hero.view.opacity = 0.5;
    out.faded = look(upper);
    hero.view.opacity = 1;
    hero.view.visible = false;
    out.hidden = look(upper);
    hero.view.visible = true;
    out.shown = look(upper);
    out.raised = hero.version - version;
    return out;
  });
  assert.deepEqual(seen.flipX, [full(0), half(0)]);
  assert.deepEqual(seen.flipY, [half(7), full(7)]);
  assert.deepEqual(seen.placed, [half(0), full(0)]);
  assertNear(seen.tinted, ['002400', '004800'], 1);
  // Halfway between the stripe and the background (20, 40, 60).
  assertNear(seen.faded, ['4a323f', '83444e'], 2);
  assert.deepEqual(seen.hidden, [background, background]);
  assert.deepEqual(seen.shown, [half(0), full(0)]);
  assert.equal(seen.raised, 0);
});

test('an idle rig uploads nothing, a moving one its positions alone, one that takes another color nothing', async () => {
  const seen = await harness.page.evaluate(() => {
    const { hero, view } = show();
    const upper = [[-16, -112], [16, -112]];
    look([]);
    const idle = harness.countCalls(() => look([]));
    const idleChanged = view.sync();
    hero.bone('mid').rotation = 0.3;
    world.update(0);
    const bytes = view.uploadedBytes;
    const moved = harness.countCalls(() => app.render());
    const counted = view.uploadedBytes - bytes;
    hero.bone('mid').rotation = 0;
    look([]);
    const before = look(upper);
    hero.parts[0].color = 0x00ff00;
    world.update(0);
    const tinted = harness.countCalls(() => look(upper));
    return { idle, idleChanged, moved, size: hero.positions.byteLength, counted, before, tinted, after: look(upper) };
  });
  assert.deepEqual({ uploads: seen.idle.uploads, draws: seen.idle.draws }, { uploads: 0, draws: 1 });
  assert.equal(seen.idleChanged, false);
  assert.deepEqual({ uploads: seen.moved.uploads, bytes: seen.moved.uploadedBytes }, { uploads: 1, bytes: seen.size });
  assert.equal(seen.counted, seen.size);
  assert.notDeepEqual(seen.before, seen.after);
  assertNear(seen.after, ['002400', '004800'], 1);
  assert.equal(seen.tinted.uploads, 0);
});

test('the picture survives memory growth, and the rig moves on after it', async () => {
  const seen = await harness.page.evaluate(() => {
    const { hero } = show();
    hero.bone('mid').rotation = 0.4;
    look([]);
    const first = harness.picture(app.canvas);
    const { buffer } = hero.positions;
    marrow.reserve(1 << 20);
    const replaced = hero.positions.buffer !== buffer;
    look([]);
    const grown = harness.picture(app.canvas);
    hero.bone('mid').rotation = 0;
    look([]);
    const moved = harness.picture(app.canvas);
    marrow.reserve(1 << 20);
    hero.bone('mid').rotation = 0.4;
    look([]);
    return { replaced, grown: harness.difference(first, grown), moved: harness.difference(first, moved),
      back: harness.difference(first, harness.picture(app.canvas)) };
  });
  assert.equal(seen.replaced, true);
  assert.equal(seen.grown, 0);
  assert.ok(seen.moved > 1000);
  assert.equal(seen.back, 0);
});

test('the picture comes back after a lost context, also when memory grew meanwhile', async () => {
  const seen = await harness.page.evaluate(async () => {
    const { hero } = show();
    hero.bone('mid').rotation = -0.4;
    look([]);
    const first = harness.picture(app.canvas);
    await harness.loseContext(app.canvas, app.renderer.gl, () => marrow.reserve(1 << 20));
    look([]);
    return { covered: harness.covered(first), difference: harness.difference(first, harness.picture(app.canvas)) };
  });
  assert.ok(seen.covered > 10000);
  assert.equal(seen.difference, 0);
});

test('destroy gives back every buffer and no texture; disposing the instance empties the view first', async () => {
  const seen = await harness.page.evaluate(() => {
    show();
    look([]);
    const balance = harness.countCalls(() => {
      const { view } = show();
      look([]);
      view.destroy();
      app.render();
    });
    const { hero, view } = show();
    look([]);
    hero.dispose();
    app.render();
    const empty = harness.covered(harness.picture(app.canvas));
    const after = { instance: view.instance, bounds: view.getLocalBounds().width, hit: view.containsPoint({ x: 0, y: 0 }) };
    view.destroy();
    view.destroy();
    show();
    look([]);
    return { balance, empty, after, destroyed: texture.destroyed, again: harness.covered(harness.picture(app.canvas)) };
  });
  // The first `show` destroyed the bar before it, whose three buffers are in the balance as well.
  assert.equal(seen.balance.buffersMade, 3);
  assert.equal(seen.balance.buffersDeleted, 6);
  assert.equal(seen.empty, 0);
  assert.deepEqual(seen.after, { instance: null, bounds: 0, hit: false });
  assert.equal(seen.destroyed, false);
  assert.equal(seen.again, 64 * 256);
});

test('bounds and pointer hits come from the core', async () => {
  const seen = await harness.page.evaluate(() => {
    const { hero, view } = show();
    view.eventMode = 'static';
    hero.view.flipX = true;
    hero.bone('mid').rotation = Math.PI / 2;
    look([]);
    const bounds = view.getBounds();
    const boundary = app.renderer.events.rootBoundary;
    boundary.rootTarget = app.stage;
    // Flipped, the upper bar lies to the left.
    const hits = [[-112, 0], [112, 0], [0, 112], [0, -112]].map(([x, y]) => boundary.hitTest(x + 160, y + 160) === view);
    return { bounds: [bounds.minX, bounds.minY, bounds.maxX, bounds.maxY], hits, part: view.hitTest(0, 112)?.part.name };
  });
  assert.deepEqual(seen.hits, [true, false, true, false]);
  assert.equal(seen.part, 'main');
  // The tip's end lies at x = -128, the lower end keeps x = -32..32 and y = 128.
  assert.equal(Math.round(seen.bounds[0]), 32);
  assert.equal(Math.round(seen.bounds[2]), 192);
  assert.equal(Math.round(seen.bounds[3]), 288);
});

test('many parts: one mesh a run, pictures by name, by GUID and by function, tint, order, swap', async () => {
  const seen = await harness.page.evaluate(() => {
    const guids = ['00000000-0000-8000-8000-000000000001', '00000000-0000-8000-8000-000000000002'];
    /** A square of 40 with its left upper corner at (x, y). */
    const square = (name, sprite, order, x, y, extra = {}) => ({
      name, sprite, order, ...extra, skinIndices: [], mesh: { verts: [[x, y], [x + 40, y], [x, y + 40], [x + 40, y + 40]],
        uvs: [[0, 0], [1, 0], [0, 1], [1, 1]], tris: [0, 2, 1, 1, 2, 3] },
    });
    const rig = marrow.loadRig2d(JSON.stringify({ bones: [{ name: 'root' }], parts: [
      square('front', guids[0], 3, -20, -20), square('back', guids[0], 1, -60, -20), square('other', guids[1], 2, -40, 0),
      square('beside', guids[0], 4, 60, -20)] }));
    const plain = (color) => {
      const canvas = new OffscreenCanvas(4, 4);
      const context = canvas.getContext('2d');
      context.fillStyle = color;
      context.fillRect(0, 0, 4, 4);
      return new harness.PIXI.Texture({ source: new harness.PIXI.ImageSource({ resource: canvas.transferToImageBitmap() }) });
    };
    const [red, green, blue] = ['#ff0000', '#00ff00', '#0000ff'].map(plain);
    for (const child of [...app.stage.children]) {
      child.destroy();
    }
    const hero = world.add(rig);
    const view = new harness.pixi.RigView(hero, { [guids[0]]: red, [guids[1]]: green });
    view.position.set(160, 160);
    app.stage.addChild(view);
    const points = [[-50, -10], [-10, 30], [-10, 10], [10, -10], [80, 0]];
    const out = { byGuid: look(points), draws: harness.countCalls(() => app.render()).draws };
    view.textures = { [guids[0]]: red, [guids[1]]: green, front: blue };
    out.byName = look(points);
    view.textures = ({ name }) => (name === 'beside' ? green : red);
    out.byFunction = look(points);
    view.textures = { [guids[0]]: red };
    out.missing = look(points);
    view.textures = { [guids[0]]: red, [guids[1]]: green };
    hero.part('front').visible = false;
    out.hidden = look(points);
    hero.part('front').visible = true;
    hero.part('front').color = 0x800000;
    out.tinted = look(points);
    hero.part('front').color = 0xffffff;
    hero.part('front').opacity = 0.5;
    out.faded = look(points);
    hero.part('front').opacity = 1;
    hero.part('beside').sprite = guids[1];
    out.swapped = look(points);
    rig.dispose();
    return out;
  });
  const [red, green, blue] = ['ff0000', '00ff00', '0000ff'];
  assert.deepEqual(seen.byGuid, [red, green, red, red, red]);
  // back | other | front with beside, which follows it on the same page
  assert.equal(seen.draws, 3);
  assert.deepEqual(seen.byName, [red, green, blue, blue, red]);
  assert.deepEqual(seen.byFunction, [red, red, red, red, green]);
  assert.deepEqual(seen.missing, [red, background, red, red, red]);
  assert.deepEqual(seen.hidden, [red, green, green, background, red]);
  assertNear(seen.tinted, [red, green, '800000', '800000', red], 1);
  assertNear(seen.faded, [red, green, '808000', '902030', red], 2);
  assert.deepEqual(seen.swapped, [red, green, red, red, green]);
});

test('straight and premultiplied pages blend alike, in every mode, without fringes', async () => {
  const seen = await harness.page.evaluate(() => {
    const { PIXI } = harness;
    const size = 16;
    /** A white disc with a soft edge. Straight pages carry the white on under their transparent pixels. */
    const disc = (premultiplied) => {
      const data = new Uint8Array(size * size * 4);
      for (let i = 0; i < size * size; i += 1) {
        const distance = Math.hypot((i % size) - 7.5, Math.floor(i / size) - 7.5);
        const alpha = Math.round(255 * Math.max(0, Math.min(1, (7 - distance) / 3)));
        data.set(premultiplied ? [alpha, alpha, alpha, alpha] : [255, 255, 255, alpha], i * 4);
      }
      return new PIXI.BufferImageSource({ resource: data, width: size, height: size, alphaMode: premultiplied ? 'premultiplied-alpha'
        : 'no-premultiply-alpha', scaleMode: 'linear' });
    };
    const pages = [disc(false), disc(true)];
    const out = {};
    for (const blend of ['normal', 'add', 'multiply', 'screen']) {
      const rig = marrow.loadRig2d(JSON.stringify({ bones: [], parts: [{ name: 'disc', blend, sprite: 'disc.png', mesh: {
        verts: [[-100, -100], [100, -100], [-100, 100], [100, 100]], uvs: [[0, 0], [1, 0], [0, 1], [1, 1]], tris: [0, 2, 1, 1, 2, 3] } }] }));
      const pictures = pages.map((page) => {
        for (const child of [...app.stage.children]) {
          child.destroy();
        }
        const hero = world.add(rig);
        hero.view.opacity = 0.6;
        hero.view.color = 0xffc080;
        const view = new harness.pixi.RigView(hero, page);
        view.position.set(160, 160);
        app.stage.addChild(view);
        look([]);
        return harness.picture(app.canvas);
      });
      out[blend] = { difference: harness.difference(pictures[0], pictures[1], 2), covered: harness.covered(pictures[0]) };
      rig.dispose();
    }
    // White on white shows nothing but a fringe.
    app.renderer.background.color = 0xffffff;
    const rig = marrow.loadRig2d(JSON.stringify({ bones: [], parts: [{ name: 'disc', sprite: 'disc.png', mesh: {
      verts: [[-100, -100], [100, -100], [-100, 100], [100, 100]], uvs: [[0, 0], [1, 0], [0, 1], [1, 1]], tris: [0, 2, 1, 1, 2, 3] } }] }));
    out.fringes = pages.map((page) => {
      for (const child of [...app.stage.children]) {
        child.destroy();
      }
      const view = new harness.pixi.RigView(world.add(rig), page);
      view.position.set(160, 160);
      app.stage.addChild(view);
      look([]);
      return harness.picture(app.canvas).data.reduce((least, value) => Math.min(least, value), 255);
    });
    app.renderer.background.color = 0x204060;
    rig.dispose();
    return out;
  });
  for (const blend of ['normal', 'add', 'multiply', 'screen']) {
    assert.equal(seen[blend].difference, 0, blend);
    assert.ok(seen[blend].covered > 10000, blend);
  }
  assert.ok(Math.min(...seen.fringes) >= 254, `darkest channel on white: ${seen.fringes}`);
});

test('Assets loads a rig with its clip and picture, and unloads it', async () => {
  const seen = await harness.page.evaluate(async () => {
    const { PIXI, pixi } = harness;
    show();
    look([]);
    const expected = harness.picture(app.canvas);
    PIXI.extensions.add(pixi.marrowLoader(marrow));
    const rig = await PIXI.Assets.load('assets-of-project/bar/bar.rig2d.json');
    const [page] = Object.values(rig.textures);
    page.source.scaleMode = 'nearest';
    for (const child of [...app.stage.children]) {
      child.destroy();
    }
    const hero = world.add(rig.model);
    const view = new pixi.RigView(hero, rig.textures);
    view.position.set(160, 160);
    app.stage.addChild(view);
    look([]);
    const difference = harness.difference(expected, harness.picture(app.canvas));
    const clips = rig.model.clips.map(({ name }) => name);
    await PIXI.Assets.unload('assets-of-project/bar/bar.rig2d.json');
    app.render();
    return { difference, clips, disposed: rig.model.isDisposed, destroyed: page.destroyed, left: harness.covered(harness.picture(app.canvas)) };
  });
  assert.deepEqual(seen, { difference: 0, clips: ['sway'], disposed: true, destroyed: true, left: 0 });
});

test('nothing was said on the console', () => {
  // PixiJS's own mesh shader remembers the last texture it drew, whoever's mesh it was.
  harness.forgive(/BindGroup.*still bound to a shader/);
  harness.assertQuiet();
});
