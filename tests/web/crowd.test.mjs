// CrowdView against as many single views: the same picture from one draw call.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openHarness } from './support/harness.mjs';

const count = 20;

/** @type {Awaited<ReturnType<typeof openHarness>>} */
let harness;
before(async () => {
  harness = await openHarness();
  await harness.page.evaluate(async (members) => {
    const { bar, pixiApp, pixiTexture } = harness;
    const { marrow, model, world, image } = await bar();
    const app = await pixiApp(480, 360);
    const texture = await pixiTexture(image);
    texture.source.scaleMode = 'linear';
    /** What makes each member another: place, order, tint, opacity, flip and pose. Opacities are whole 255ths, which both ways hold exactly. */
    const styles = Array.from({ length: members }, (_, index) => ({
      place: { x: 60 + (index % 7) * 60, y: 130 + Math.floor(index / 7) * 50, order: (index * 7) % members },
      color: [0xffffff, 0xff8080, 0x80ff80, 0x8080ff][index % 4], opacity: index % 5 === 0 ? 102 / 255 : 1, flipX: index % 3 === 1,
      visible: index !== 11, bend: 0.15 * Math.sin(index),
    }));
    const dress = (hero, style) => {
      hero.place(style.place);
      Object.assign(hero.view, { color: style.color, opacity: style.opacity, flipX: style.flipX, visible: style.visible });
      hero.bone('mid').rotation = style.bend;
    };
    const look = () => {
      world.update(0);
      app.render();
      return harness.picture(app.canvas);
    };
    Object.assign(globalThis, { marrow, model, world, app, texture, styles, dress, look });
  }, count);
});
after(() => harness.close());

test('twenty members look like twenty views, in one draw call', async () => {
  const seen = await harness.page.evaluate(() => {
    const crowd = world.createCrowd();
    const members = styles.map((style) => crowd.add(model, style.place));
    members.forEach((member, index) => dress(member, styles[index]));
    world.update(0);
    const view = new harness.pixi.CrowdView(crowd, texture);
    app.stage.addChild(view);
    const together = look();
    const { draws } = harness.countCalls(() => app.render());
    view.visible = false;
    const heroes = styles.map((style) => {
      const hero = world.add(model);
      dress(hero, style);
      return hero;
    });
    const inOrder = heroes.map((hero, index) => ({ hero, order: styles[index].place.order })).sort((a, b) => a.order - b.order);
    const singles = inOrder.map(({ hero }) => new harness.pixi.RigView(hero, texture));
    app.stage.addChild(...singles);
    const apart = look();
    const singleDraws = harness.countCalls(() => app.render()).draws;
    for (const { hero } of inOrder) {
      hero.dispose();
    }
    for (const single of singles) {
      single.destroy();
    }
    view.visible = true;
    Object.assign(globalThis, { crowd, members, view });
    return { draws, singleDraws, covered: harness.covered(together), difference: harness.difference(together, apart, 2) };
  });
  assert.equal(seen.draws, 1);
  assert.equal(seen.singleDraws, count - 1);
  assert.ok(seen.covered > 30000);
  assert.equal(seen.difference, 0);
});

test('an idle crowd uploads nothing; a step, a tint, who hides and a new order upload what they changed', async () => {
  const seen = await harness.page.evaluate(() => {
    look();
    const idle = harness.countCalls(look).uploads;
    members[3].bone('mid').rotation += 0.1;
    const moved = harness.countCalls(look);
    members[4].view.color = 0x102030;
    const tinted = harness.countCalls(look);
    members[5].view.visible = false;
    const hidden = harness.countCalls(look);
    members[5].view.visible = true;
    look();
    members[0].order = 1000;
    const before = crowd.structureVersion;
    const sorted = harness.countCalls(look);
    const uploaded = view.uploadedBytes;
    look();
    return { idle, moved, tinted, hidden, sorted, restructured: crowd.structureVersion > before, still: view.uploadedBytes - uploaded,
      positions: crowd.positions.byteLength, colors: crowd.colors.byteLength, indices: crowd.indices.byteLength };
  });
  assert.equal(seen.idle, 0);
  assert.deepEqual([seen.moved.uploads, seen.moved.uploadedBytes], [1, seen.positions]);
  assert.deepEqual([seen.tinted.uploads, seen.tinted.uploadedBytes], [1, seen.colors]);
  assert.deepEqual([seen.hidden.uploads, seen.hidden.uploadedBytes], [1, seen.positions]);
  assert.equal(seen.restructured, true);
  assert.deepEqual([seen.sorted.uploads, seen.sorted.uploadedBytes], [1, seen.indices]);
  assert.equal(seen.still, 0);
});

test('hiding, adding and removing members, memory growth and a lost context', async () => {
  const seen = await harness.page.evaluate(async () => {
    const first = look();
    marrow.reserve(1 << 20);
    const grown = harness.difference(first, look());
    await harness.loseContext(app.canvas, app.renderer.gl, () => marrow.reserve(1 << 20));
    const restored = harness.difference(first, look());
    members[2].view.visible = false;
    const hidden = harness.difference(first, look());
    members[2].view.visible = true;
    const shown = harness.difference(first, look());
    const late = crowd.add(model, { x: 440, y: 180, order: 2000 });
    const added = harness.difference(first, look());
    const { draws } = harness.countCalls(() => app.render());
    late.dispose();
    const removed = harness.difference(first, look());
    return { grown, restored, hidden, shown, added, draws, removed };
  });
  assert.equal(seen.grown, 0);
  assert.equal(seen.restored, 0);
  assert.ok(seen.hidden > 500);
  assert.equal(seen.shown, 0);
  assert.ok(seen.added > 500);
  assert.equal(seen.draws, 1);
  assert.equal(seen.removed, 0);
});

test('destroy and dispose give back every buffer', async () => {
  const seen = await harness.page.evaluate(() => {
    const destroyed = harness.countCalls(() => view.destroy());
    const again = new harness.pixi.CrowdView(crowd, texture);
    app.stage.addChild(again);
    const made = harness.countCalls(look).buffersMade;
    const disposed = harness.countCalls(() => crowd.dispose());
    app.render();
    const left = harness.covered(harness.picture(app.canvas));
    again.destroy();
    return { destroyed: destroyed.buffersDeleted, made, disposed: disposed.buffersDeleted, left, alive: !texture.destroyed };
  });
  // Positions, uvs, colors, indices.
  assert.deepEqual(seen, { destroyed: 4, made: 4, disposed: 4, left: 0, alive: true });
});

test('members of two models show their own pictures', async () => {
  const seen = await harness.page.evaluate(() => {
    const { PIXI } = harness;
    /** A square whose picture has a GUID of its own. */
    const square = (guid) => marrow.loadRig2d(JSON.stringify({ bones: [], sprite: guid, mesh: {
      verts: [[-20, -20], [20, -20], [-20, 20], [20, 20]], uvs: [[0, 0], [1, 0], [0, 1], [1, 1]], tris: [0, 2, 1, 1, 2, 3] } }));
    const guids = ['00000000-0000-8000-8000-00000000000a', '00000000-0000-8000-8000-00000000000b'];
    const textures = Object.fromEntries(guids.map((guid, index) => {
      const resource = new Uint8Array([...(index === 0 ? [255, 0, 0, 255] : [0, 255, 0, 255])]);
      return [guid, new PIXI.BufferImageSource({ resource, width: 1, height: 1 })];
    }));
    const two = world.createCrowd();
    guids.forEach((guid, index) => two.add(square(guid), { x: 100 + 100 * index, y: 100, order: index }));
    world.update(0);
    const both = new harness.pixi.CrowdView(two, textures);
    app.stage.addChild(both);
    look();
    const colors = harness.colors(app.canvas, [[100, 100], [200, 100]]);
    both.destroy();
    two.dispose();
    return colors;
  });
  assert.deepEqual(seen, ['ff0000', '00ff00']);
});

test('nothing was said on the console', () => {
  harness.assertQuiet();
});
