import { Color, PerspectiveCamera, Scene, WebGLRenderer } from 'three';
import { createMarrow } from 'marrow2d';
import { RigBillboard, RigLoader, orientRigs } from 'marrow2d/three';

const marrow = await createMarrow();
const world = marrow.createWorld();
const { model, textures } = await new RigLoader(marrow).loadAsync('/assets/bar/bar.rig2d.json');
const view = new RigBillboard(world.add(model), textures);
const renderer = new WebGLRenderer({ preserveDrawingBuffer: true });
renderer.setSize(400, 300);
document.body.append(renderer.domElement);
const scene = new Scene();
scene.background = new Color(0x000000);
scene.add(view);
const camera = new PerspectiveCamera(40, 4 / 3, 0.1, 100);
camera.position.set(0, 1.3, 5);
world.update(0);
orientRigs([view], camera);
renderer.render(scene, camera);

Object.assign(globalThis, {
  covered() {
    const gl = renderer.getContext();
    const pixels = new Uint8Array(400 * 300 * 4);
    gl.readPixels(0, 0, 400, 300, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    return pixels.filter((value, at) => at % 4 === 1 && value > 0).length;
  },
});
document.documentElement.dataset.ready = '';
