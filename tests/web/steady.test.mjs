// A steady frame of a view leaves no garbage: each scenario runs without a browser under --trace-gc, and nothing may be collected. What the
// renderers themselves do in a frame is theirs.
import path from 'node:path';
import { testSteadyFrames } from '../support/steady.mjs';

/**
 * A clip that fades something out and in.
 * @param {string} trait
 * @param {string} field
 */
function fadeClip(trait, field) {
  const keys = [{ t: 0, v: 0.9 }, { t: 0.5, v: 0.2 }, { t: 1, v: 0.9 }];
  return JSON.stringify({ name: `${trait} fades`, duration: 1, tracks: [{ path: '', trait, field, type: 'number', keys }] });
}

async function stage() {
  const { createMarrow } = await import('../../wasm-api/js/index.js');
  const marrow = await createMarrow();
  const model = await marrow.load(path.resolve(import.meta.dirname, '../../assets/bar/bar.rig2d.json'), { images: false });
  model.addClip(fadeClip('SkinnedSprite2D', 'opacity'));
  model.addClip(fadeClip('Part', 'main.opacity'));
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

/**
 * Views in a scene and below a turned parent, of every mode.
 * @param {(view: import('../../wasm-api/js/three.js').RigBillboard, index: number) => void} start
 */
async function billboards(start) {
  const { model, world } = await stage();
  const { RigBillboard, orientRigs } = await import('../../wasm-api/js/three.js');
  const { Group, PerspectiveCamera, Texture } = await import('three');
  const parent = new Group();
  parent.rotation.set(0.1, 0.7, -0.2);
  parent.scale.set(1, 2, 0.5);
  const views = ['cylindrical', 'spherical', 'flat', 'cylindrical', 'spherical'].map((mode, index) => {
    const view = new RigBillboard(world.add(model), new Texture(), { mode: /** @type {any} */ (mode) });
    view.position.set(index, 0.5, -index);
    start(view, index);
    return view;
  });
  parent.add(...views.slice(3));
  const camera = new PerspectiveCamera();
  camera.position.set(1, 2, 10);
  return { world, views, camera, orient: () => orientRigs(views, camera) };
}

/** @type {Record<string, () => Promise<(frame: number) => void>>} */
const scenarios = {
  async billboards() {
    const { world, orient } = await billboards((view) => view.instance?.play('sway'));
    return () => {
      world.update(1 / 60);
      orient();
    };
  },
  async 'billboards under a moving camera'() {
    const { world, views, camera, orient } = await billboards(() => {});
    return (frame) => {
      camera.position.x = frame & 7;
      camera.rotation.y = frame & 3;
      /** @type {import('../../wasm-api/js/index.js').Instance} */ (views[0].instance).x = frame & 15;
      views[3].position.z = frame & 31;
      world.update(1 / 60);
      orient();
    };
  },
  async 'billboards that fade'() {
    const { world, orient } = await billboards((view, index) => view.instance?.play(`${index % 2 === 0 ? 'SkinnedSprite2D' : 'Part'} fades`));
    return () => {
      world.update(1 / 60);
      orient();
    };
  },
  async rigs() {
    const { model, world } = await stage();
    // PixiJS itself reads navigator on import; Node has one from version 21 on.
    globalThis.navigator ??= /** @type {Navigator} */ ({ userAgent: 'Node.js/21' });
    const { RigView } = await import('../../wasm-api/js/pixi.js');
    const { TextureSource } = await import('pixi.js');
    const [moving, walking, idle] = Array.from({ length: 3 }, () => new RigView(world.add(model), new TextureSource()));
    moving.instance?.play('sway');
    return (frame) => {
      /** @type {import('../../wasm-api/js/index.js').Instance} */ (walking.instance).x = frame & 15;
      world.update(1 / 60);
      moving.sync();
      walking.sync();
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
  async bones() {
    const { marrow, model, world } = await stage();
    const { drawBones } = await import('../../web/src/overlay/bones.js');
    const { drawBounds } = await import('../../web/src/overlay/bounds.js');
    const { Influences } = await import('../../web/src/overlay/influences.js');
    const { Skeleton } = await import('../../web/src/overlay/skeleton.js');
    const hero = world.add(model).play('sway');
    const skeleton = new Skeleton(marrow, hero, model, new Influences(hero, model).dominants());
    const context = createContext();
    const marks = { all: true, selected: 1, hovered: 2, categories: null, selection: '#37b6ff', accent: '#ff7a45', radius: 0.5 };
    return () => {
      world.update(1 / 60);
      skeleton.measure(homography);
      drawBones(context, skeleton, marks);
      drawBounds(context, hero, homography, marks.selection);
    };
  },
};

await testSteadyFrames(import.meta.filename, scenarios);
