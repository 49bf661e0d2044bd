// A steady frame of a view leaves no garbage: each scenario runs without a browser under --trace-gc, and nothing may be collected. What the
// renderers themselves do in a frame is theirs.
import path from 'node:path';
import { testSteadyFrames } from '../support/steady.mjs';

async function stage() {
  const { createMarrow } = await import('marrow2d');
  const marrow = await createMarrow();
  const model = await marrow.load(path.resolve(import.meta.dirname, '../../assets/bar/bar.rig2d.json'), { images: false });
  const world = marrow.createWorld();
  return { marrow, model, world };
}

const homography = Float64Array.from([2, 0, 300, 0, 2, 300, 0.0001, 0, 1]);

/** What a canvas does with the calls is its own affair. */
function createContext() {
  const context = /** @type {any} */ ({});
  for (const name of ['arc', 'beginPath', 'closePath', 'fill', 'lineTo', 'moveTo', 'setLineDash', 'stroke']) {
    context[name] = () => undefined;
  }
  return context;
}

/** @type {Record<string, () => Promise<(frame: number) => void>>} */
const scenarios = {
  async billboards() {
    const { model, world } = await stage();
    const { RigBillboard, orientRigs } = await import('marrow2d/three');
    const { PerspectiveCamera, Texture } = await import('three');
    const views = ['cylindrical', 'spherical', 'flat', 'cylindrical'].map((mode, index) => {
      const view = new RigBillboard(world.add(model).play('sway'), new Texture(), { mode });
      view.position.set(index, 0, -index);
      return view;
    });
    const camera = new PerspectiveCamera();
    camera.position.set(1, 2, 10);
    return () => {
      world.update(1 / 60);
      orientRigs(views, camera);
    };
  },
  async rigs() {
    const { model, world } = await stage();
    // PixiJS itself reads navigator on import; Node has one from version 21 on.
    globalThis.navigator ??= /** @type {Navigator} */ ({ userAgent: 'Node.js/21' });
    const { RigView } = await import('marrow2d/pixi');
    const { TextureSource } = await import('pixi.js');
    const moving = new RigView(world.add(model).play('sway'), new TextureSource());
    const idle = new RigView(world.add(model), new TextureSource());
    return () => {
      world.update(1 / 60);
      moving.sync();
      idle.sync();
    };
  },
  async crowds() {
    const { model, world } = await stage();
    globalThis.navigator ??= /** @type {Navigator} */ ({ userAgent: 'Node.js/21' });
    const { CrowdView } = await import('marrow2d/pixi');
    const crowd = world.createCrowd();
    for (let index = 0; index < 3; index += 1) {
      crowd.add(model, { x: index }).play('sway');
    }
    world.update(0);
    // Without a picture: PixiJS compiles a shader only where there is a document.
    const view = new CrowdView(crowd, () => null);
    return () => {
      world.update(1 / 60);
      view.sync();
    };
  },
  async bones() {
    const { marrow, model, world } = await stage();
    const { drawBones } = await import('../../web/src/overlay/bones.js');
    const { drawBounds } = await import('../../web/src/overlay/bounds.js');
    const { Influences } = await import('../../web/src/overlay/influences.js');
    const { Skeleton } = await import('../../web/src/overlay/skeleton.js');
    const hero = world.add(model).play('sway');
    const skeleton = new Skeleton(marrow, hero, model, new Influences(hero, model).dominants());
    const context = createContext();
    const marks = { all: true, selected: 1, hovered: 2, categories: false, selection: '#37b6ff', accent: '#ff7a45', radius: 0.5 };
    return () => {
      world.update(1 / 60);
      skeleton.measure(homography);
      drawBones(context, skeleton, marks);
      drawBounds(context, hero, homography, marks.selection);
    };
  },
};

await testSteadyFrames(import.meta.filename, scenarios);
