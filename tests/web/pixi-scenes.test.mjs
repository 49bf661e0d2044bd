// RigView and CrowdView where games put them: below filters and masks, in textures, in two renderers, gone at the wrong moment. Expected
// colors are those of the bar's stripes at places worked out by hand, and pictures of the same rig drawn plainly.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { background, full, half } from './support/colors.mjs';
import { openHarness } from './support/harness.mjs';

/** @type {Awaited<ReturnType<typeof openHarness>>} */
let harness;
before(async () => {
  harness = await openHarness();
  await harness.page.evaluate(async () => {
    const { PIXI, bar, pixiApp, pixiTexture, pixi } = harness;
    const { marrow, model, world, image } = await bar();
    const app = await pixiApp(320, 320);
    const texture = await pixiTexture(image);
    const clear = () => {
      for (const child of [...app.stage.children]) {
        child.destroy({ children: true });
      }
    };
    /** A bar whose middle lies at (160, 160), alone on the stage. */
    const show = (hero = world.add(model, { name: 'hero' })) => {
      clear();
      const view = new pixi.RigView(hero, texture);
      view.position.set(160, 160);
      app.stage.addChild(view);
      return { hero, view };
    };
    const render = () => {
      world.update(0);
      app.render();
      return harness.picture(app.canvas);
    };
    /** Colors at points in the bar's space. */
    const look = (points) => {
      render();
      return harness.colors(app.canvas, points.map(([x, y]) => [x + 160, y + 160]));
    };
    Object.assign(globalThis, { PIXI, pixi, marrow, model, world, app, image, texture, clear, show, render, look });
  });
});
after(() => harness.close());

test('a filter covers the posed rig, also after it moved out of its old place', async () => {
  const seen = await harness.page.evaluate(() => {
    const { hero, view } = show();
    const plain = () => {
      view.filters = [];
      return render();
    };
    const filtered = () => {
      view.filters = [new PIXI.AlphaFilter({ alpha: 1 })];
      return render();
    };
    const straight = harness.difference(plain(), filtered(), 1);
    hero.bone('mid').rotation = Math.PI / 2;
    render();
    const bent = harness.picture(app.canvas);
    return { straight, bent: harness.difference(bent, plain(), 1), covered: harness.covered(bent) };
  });
  assert.equal(seen.straight, 0);
  // Edges may fall between pixels of the filter's texture.
  assert.ok(seen.bent <= 32, `${seen.bent} pixels differ`);
  assert.ok(seen.covered > 10000);
});

test('it is masked, and masks', async () => {
  const seen = await harness.page.evaluate(() => {
    const { view } = show();
    const hole = new PIXI.Graphics().rect(128, 32, 64, 64).fill(0xffffff);
    app.stage.addChild(hole);
    view.mask = hole;
    const masked = look([[16, -112], [16, -80], [16, 112]]);
    const plain = show().view;
    const sheet = new PIXI.Graphics().rect(0, 0, 320, 320).fill(0xff00ff);
    app.stage.addChild(sheet);
    sheet.mask = plain;
    return { masked, masking: look([[16, -112], [16, 112], [60, 0]]) };
  });
  assert.deepEqual(seen.masked, [full(0), full(1), background]);
  assert.deepEqual(seen.masking, ['ff00ff', 'ff00ff', background]);
});

test('culling follows the posed vertices, and a culled rig comes back', async () => {
  const seen = await harness.page.evaluate(() => {
    const { hero, view } = show();
    view.cullable = true;
    const screen = new PIXI.Rectangle(0, 0, 320, 320);
    const draws = () => {
      world.update(0);
      PIXI.Culler.shared.cull(app.stage, screen, false);
      return harness.countCalls(() => app.render()).draws;
    };
    // Straight, the bar reaches from 348 to 412; bent to the left its tip lies at 252.
    view.position.x = 380;
    const out = [draws()];
    hero.bone('mid').rotation = -Math.PI / 2;
    out.push(draws());
    hero.bone('mid').rotation = 0;
    out.push(draws());
    view.position.x = 160;
    out.push(draws());
    return out;
  });
  assert.deepEqual(seen, [0, 1, 0, 1]);
});

test('cached as a texture it is one picture, which is taken anew when told, and empty once its instance went', async () => {
  const seen = await harness.page.evaluate(() => {
    const { hero, view } = show();
    const first = render();
    view.cacheAsTexture(true);
    const cached = harness.difference(first, render(), 1);
    hero.bone('mid').rotation = Math.PI / 2;
    render();
    view.updateCacheTexture();
    const bent = look([[112, 16], [112, -16], [16, -112]]);
    hero.dispose();
    const left = harness.covered(render());
    view.destroy();
    return { cached, bent, left, after: harness.covered(render()) };
  });
  assert.equal(seen.cached, 0);
  assert.deepEqual(seen.bent, [full(0), half(0), background]);
  assert.equal(seen.left, 0);
  assert.equal(seen.after, 0);
});

test('a texture of a rig that is on no stage shows its present pose', async () => {
  const seen = await harness.page.evaluate(() => {
    clear();
    const hero = world.add(model);
    const view = new pixi.RigView(hero, texture);
    hero.bone('mid').rotation = Math.PI / 2;
    world.update(0);
    const made = app.renderer.generateTexture({ target: view, resolution: 1, antialias: false });
    const sprite = new PIXI.Sprite(made);
    const bounds = view.getLocalBounds();
    sprite.position.set(160 + bounds.minX, 160 + bounds.minY);
    app.stage.addChild(sprite);
    const generated = look([[112, 16], [112, -16], [16, 112]]);
    clear();
    const target = PIXI.RenderTexture.create({ width: 320, height: 320 });
    view.position.set(160, 160);
    hero.bone('mid').rotation = 0;
    world.update(0);
    app.renderer.render({ container: view, target, clear: true, clearColor: [0, 0, 0, 0] });
    app.stage.addChild(new PIXI.Sprite(target));
    const rendered = look([[16, -112], [-16, 112], [60, 0]]);
    view.destroy();
    clear();
    made.destroy(true);
    target.destroy(true);
    return { generated, rendered };
  });
  assert.deepEqual(seen.generated, [full(0), half(0), full(7)]);
  assert.deepEqual(seen.rendered, [full(0), half(7), background]);
});

test('two applications show one instance, each by a view of its own', async () => {
  const seen = await harness.page.evaluate(async () => {
    const { hero } = show();
    const other = await harness.pixiApp(320, 320);
    const twin = new pixi.RigView(hero, texture);
    twin.position.set(160, 160);
    other.stage.addChild(twin);
    const differences = [0, 0.5, -0.3].map((rotation) => {
      hero.bone('mid').rotation = rotation;
      const first = render();
      other.render();
      return harness.difference(first, harness.picture(other.canvas));
    });
    marrow.reserve(1 << 20);
    hero.bone('mid').rotation = 0.2;
    const grown = render();
    other.render();
    differences.push(harness.difference(grown, harness.picture(other.canvas)));
    // One that ends takes nothing from the other.
    other.destroy({ removeView: true }, { children: true });
    return { differences, after: harness.difference(grown, render()), covered: harness.covered(grown), destroyed: texture.destroyed };
  });
  assert.deepEqual(seen.differences, [0, 0, 0, 0]);
  assert.equal(seen.after, 0);
  assert.ok(seen.covered > 10000);
  assert.equal(seen.destroyed, false);
});

test('the same view goes from one renderer to another', async () => {
  const seen = await harness.page.evaluate(async () => {
    const { hero, view } = show();
    hero.bone('mid').rotation = 0.5;
    const first = render();
    const other = await harness.pixiApp(320, 320);
    other.stage.addChild(view);
    hero.bone('mid').rotation = -0.5;
    world.update(0);
    other.render();
    const moved = harness.difference(first, harness.picture(other.canvas));
    hero.bone('mid').rotation = 0.5;
    world.update(0);
    other.render();
    const there = harness.difference(first, harness.picture(other.canvas));
    app.stage.addChild(view);
    const back = harness.difference(first, render());
    other.destroy({ removeView: true });
    return { moved, there, back };
  });
  assert.ok(seen.moved > 1000);
  assert.equal(seen.there, 0);
  assert.equal(seen.back, 0);
});

test('views, instances, models, worlds and pictures go in any order', async () => {
  const seen = await harness.page.evaluate(async () => {
    const own = async () => {
      const { marrow: core, model: rig, world: place, image: picture } = await harness.bar();
      const page = await harness.pixiTexture(picture);
      const crowd = place.createCrowd();
      crowd.add(rig, { x: 160, y: 160 });
      const hero = place.add(rig);
      place.update(0);
      const views = [new pixi.RigView(hero, page), new pixi.CrowdView(crowd, page)];
      views[0].position.set(160, 160);
      clear();
      const parent = new PIXI.Container();
      parent.addChild(...views);
      app.stage.addChild(parent);
      app.render();
      return { core, rig, place, page, crowd, hero, views, parent };
    };
    const ends = {
      views: (s) => s.views.forEach((view) => view.destroy({ children: true, texture: true, textureSource: true })),
      parent: (s) => s.parent.destroy({ children: true }),
      sources: (s) => [s.hero, s.crowd].forEach((each) => each.dispose()),
      model: (s) => s.rig.dispose(),
      world: (s) => s.place.dispose(),
      core: (s) => s.core.dispose(),
      page: (s) => s.page.destroy(true),
    };
    const out = {};
    for (const first of Object.keys(ends)) {
      for (const second of Object.keys(ends)) {
        if (first !== second) {
          try {
            const scene = await own();
            ends[first](scene);
            app.render();
            ends[second](scene);
            app.render();
            const left = harness.covered(harness.picture(app.canvas));
            if (left > 0) {
              out[`${first}, ${second}`] = `${left} pixels are left`;
            }
          } catch (error) {
            out[`${first}, ${second}`] = String(error.stack ?? error).slice(0, 300);
          }
        }
      }
    }
    clear();
    return out;
  });
  assert.deepEqual(seen, {});
});

test('an instance that goes in the middle of a render is gone with the next', async () => {
  const seen = await harness.page.evaluate(() => {
    const out = [];
    for (const isFirst of [true, false]) {
      const { hero, view } = show();
      const killer = new PIXI.Container();
      killer.onRender = () => {
        killer.onRender = null;
        hero.dispose();
      };
      app.stage.addChildAt(killer, isFirst ? 0 : 1);
      render();
      out.push(harness.covered(render()), view.instance);
    }
    return out;
  });
  assert.deepEqual(seen, [0, null, 0, null]);
});

test('a rig that arrives late, and one that is replaced by a larger one', async () => {
  const seen = await harness.page.evaluate(() => {
    const guid = '11111111-2222-4333-8444-777777777777';
    const square = (size) => JSON.stringify({ bones: [{ name: 'root' }], parts: Array.from({ length: size }, (_, index) => ({
      name: `part${index}`, sprite: 'a.png', order: index, skinIndices: [], mesh: {
        verts: [[-20 + 40 * index, -20], [20 + 40 * index, -20], [-20 + 40 * index, 20], [20 + 40 * index, 20]],
        uvs: [[0.6, 0], [0.9, 0], [0.6, 0.1], [0.9, 0.1]], tris: [0, 2, 1, 1, 2, 3] } })) });
    const { hero } = show(world.add(guid));
    const out = [look([[0, 0], [40, 0], [80, 0]])];
    marrow.assets.provide(guid, square(1));
    out.push(look([[0, 0], [40, 0], [80, 0]]));
    marrow.assets.provide(guid, square(3));
    out.push(look([[0, 0], [40, 0], [80, 0]]));
    hero.dispose();
    return out;
  });
  assert.deepEqual(seen, [[background, background, background], [full(0), background, background], [full(0), full(0), full(0)]]);
});

test('a page that is unloaded while it is shown leaves a hole, not an error; a new one fills it', async () => {
  const seen = await harness.page.evaluate(async () => {
    const { view } = show();
    const page = await harness.pixiTexture(image);
    view.textures = page;
    const out = [harness.covered(render())];
    page.destroy(true);
    out.push(harness.covered(render()));
    view.textures = texture;
    out.push(harness.covered(render()));
    const loaded = await PIXI.Assets.load('assets-of-project/bar/bar.png');
    view.textures = loaded;
    out.push(harness.covered(render()));
    await PIXI.Assets.unload('assets-of-project/bar/bar.png');
    out.push(harness.covered(render()));
    return out;
  });
  assert.deepEqual(seen, [64 * 256, 0, 64 * 256, 64 * 256, 0]);
});

test('what cannot be shown is told in MarrowErrors', async () => {
  const seen = await harness.page.evaluate(async () => {
    clear();
    const code = (act) => {
      try {
        act();
        return 'nothing';
      } catch (error) {
        return `${error.name} ${error.code}`;
      }
    };
    const crowd = world.createCrowd();
    const member = crowd.add(model);
    const hero = world.add(model);
    const gone = world.add(model);
    const late = [];
    gone.on('dispose', () => late.push(code(() => new pixi.RigView(gone, texture))));
    gone.dispose();
    const view = new pixi.RigView(hero, {});
    const acts = [
      ...[undefined, null, model, world, crowd, member].map((wrong) => () => new pixi.RigView(wrong, texture)),
      ...[undefined, null, model, world, hero].map((wrong) => () => new pixi.CrowdView(wrong, texture)),
      ...[undefined, null, 'kit.png', 5].flatMap((wrong) => [
        () => new pixi.RigView(hero, wrong), () => new pixi.CrowdView(crowd, wrong), () => { view.textures = wrong; }]),
    ];
    const codes = acts.map(code);
    const stale = code(() => new pixi.RigView(gone, texture));
    // What is no texture leaves a hole.
    view.textures = () => 'kit.png';
    view.position.set(160, 160);
    app.stage.addChild(view);
    const hole = harness.covered(render());
    const { used } = marrow.memory;
    const failure = await pixi.marrowLoader(marrow).load('assets-of-project/bar/bar.rig2d.json', {}, { load: () => Promise.reject(new Error('no')) })
      .catch((error) => error.message);
    const kept = marrow.memory.used - used;
    view.destroy();
    crowd.dispose();
    return { codes: [...new Set(codes)], late, stale, hole, failure, kept };
  });
  assert.deepEqual(seen, { codes: ['MarrowError BAD_ARGUMENT'], late: ['MarrowError STALE'], stale: 'MarrowError STALE', hole: 0, failure: 'no', kept: 0 });
});

test('nothing was said on the console', () => {
  // Pages were destroyed while they were shown.
  harness.forgive(/BindGroup.*still bound to a shader/);
  harness.assertQuiet();
});
