import 'pixi.js/unsafe-eval';
import { Application, BufferImageSource } from 'pixi.js';
import { createMarrow } from 'marrow2d';
import { buildRig } from 'marrow2d/author';
import { CrowdView, RigView } from 'marrow2d/pixi';

const boneCount = 12;
const width = 64;
const height = 112;

/** 135 vertices on a chain of 12 bones, each of which a clip turns. */
function rigText() {
  const bones = Array.from({ length: boneCount }, (_, index) => ({
    name: `bone${index}`, parent: index - 1, x: 0, y: index === 0 ? -height / 2 : height / (boneCount - 1), rot: 0,
  }));
  return JSON.stringify(buildRig({ width, height, columns: 8, rows: 14, sprite: 'page.png', bones }));
}

function clipText() {
  const wave = [0, 0.1, 0, -0.1, 0];
  const paths = Array.from({ length: boneCount }, (_, index) => Array.from({ length: index + 1 }, (_, at) => `bone${at}`).join('/'));
  return JSON.stringify({ name: 'wave', duration: 1, tracks: paths.map((path) => ({
    path, trait: 'Transform', field: 'rz', type: 'number', keys: wave.map((v, at) => ({ t: at / 4, v })) })) });
}

/** @param {number[]} values */
function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

/**
 * JavaScript's share of a frame in which every character moves: the core, and the renderer up to its last call of WebGL.
 * @param {number} count
 * @param {boolean} asCrowd one crowd, or as many single views
 */
async function measure(count, asCrowd, frames = 60, warmUp = 20) {
  const app = new Application();
  await app.init({ width: 320, height: 240, preference: 'webgl', autoStart: false });
  const { gl } = /** @type {import('pixi.js').WebGLRenderer} */ (app.renderer);
  let draws = 0;
  const drawElements = gl.drawElements.bind(gl);
  gl.drawElements = (...args) => {
    draws += 1;
    drawElements(...args);
  };
  const marrow = await createMarrow();
  const model = marrow.loadRig2d(rigText());
  model.addClip(clipText());
  const world = marrow.createWorld();
  const page = new BufferImageSource({ resource: new Uint8Array(4 * 4 * 4).fill(255), width: 4, height: 4 });
  // Small, because what the GPU does with the pixels is not measured.
  app.stage.scale.set(0.05);
  const crowd = asCrowd ? world.createCrowd() : null;
  for (let index = 0; index < count; index += 1) {
    const place = { x: (index % 40) * 150, y: Math.floor(index / 40) * 150, order: index };
    const hero = crowd === null ? world.add(model, place) : crowd.add(model, place);
    hero.play('wave').seek((index % 60) / 60);
    if (crowd === null) {
      app.stage.addChild(new RigView(hero, page));
    }
  }
  if (crowd !== null) {
    app.stage.addChild(new CrowdView(crowd, page));
  }
  /** @type {{ core: number[], renderer: number[] }} */
  const times = { core: [], renderer: [] };
  const pixel = new Uint8Array(4);
  for (let frame = 0; frame < warmUp + frames; frame += 1) {
    await new Promise(requestAnimationFrame);
    draws = 0;
    const begin = performance.now();
    world.update(1 / 60);
    const updated = performance.now();
    app.render();
    const rendered = performance.now();
    // Waits for the GPU, so that the next frame does not.
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    if (frame >= warmUp) {
      times.core.push(updated - begin);
      times.renderer.push(rendered - updated);
    }
  }
  app.destroy(true, { children: true });
  marrow.dispose();
  return { count, asCrowd, core: median(times.core), renderer: median(times.renderer), draws };
}

Object.assign(globalThis, { measure });
document.documentElement.dataset.ready = '';
