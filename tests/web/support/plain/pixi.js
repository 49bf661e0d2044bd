import { Application, Assets, extensions } from 'pixi.js';
import { createMarrow } from 'marrow2d';
import { RigView, marrowLoader } from 'marrow2d/pixi';

const marrow = await createMarrow();
const world = marrow.createWorld();
extensions.add(marrowLoader(marrow));
const { model, textures } = await Assets.load('/assets/bar/bar.rig2d.json');
const app = new Application();
await app.init({ width: 400, height: 300, preference: 'webgl', autoStart: false, background: 0x000000, preserveDrawingBuffer: true });
document.body.append(app.canvas);
const view = new RigView(world.add(model), textures);
view.position.set(200, 150);
app.stage.addChild(view);
world.update(0);
app.render();

Object.assign(globalThis, {
  covered() {
    const { gl } = app.renderer;
    const pixels = new Uint8Array(400 * 300 * 4);
    gl.readPixels(0, 0, 400, 300, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    return pixels.filter((value, at) => at % 4 === 1 && value > 0).length;
  },
});
document.documentElement.dataset.ready = '';
