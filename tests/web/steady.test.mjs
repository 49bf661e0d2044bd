// A steady frame of a view leaves no garbage: each scenario runs without a browser under --trace-gc, and nothing may be collected. What the
// renderers themselves do in a frame is theirs.
import path from 'node:path';
import { testSteadyFrames } from '../support/steady.mjs';

async function stage() {
  const { createMarrow } = await import('../../wasm-api/js/index.js');
  const marrow = await createMarrow();
  const model = await marrow.load(path.resolve(import.meta.dirname, '../../assets/bar/bar.rig2d.json'), { images: false });
  const world = marrow.createWorld();
  return { marrow, model, world };
}

/** @type {Record<string, () => Promise<(frame: number) => void>>} */
const scenarios = {
  async billboards() {
    const { model, world } = await stage();
    const { RigBillboard, orientRigs } = await import('../../wasm-api/js/three.js');
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
    const { RigView } = await import('../../wasm-api/js/pixi.js');
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
    const { CrowdView } = await import('../../wasm-api/js/pixi.js');
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
};

await testSteadyFrames(import.meta.filename, scenarios);
