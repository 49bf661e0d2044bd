import 'pixi.js/unsafe-eval';
import * as PIXI from 'pixi.js';
import * as THREE from 'three';
import * as marrow2d from 'marrow2d';
import * as pixi from 'marrow2d/pixi';
import * as three from 'marrow2d/three';

/** Calls into WebGL since the last reset, of all contexts of the page. */
const calls = { uploads: 0, uploadedBytes: 0, draws: 0, buffersMade: 0, buffersDeleted: 0 };

/**
 * @param {string} name
 * @param {(args: any[]) => void} note
 */
function watch(name, note) {
  const prototype = /** @type {any} */ (WebGL2RenderingContext.prototype);
  const original = prototype[name];
  prototype[name] = function watched(/** @type {any[]} */ ...args) {
    note(args);
    return original.apply(this, args);
  };
}

for (const name of ['bufferData', 'bufferSubData']) {
  watch(name, (args) => {
    const data = args.find((each) => ArrayBuffer.isView(each));
    calls.uploads += 1;
    calls.uploadedBytes += data?.byteLength ?? 0;
  });
}
for (const name of ['drawElements', 'drawArrays', 'drawElementsInstanced', 'drawArraysInstanced']) {
  watch(name, () => {
    calls.draws += 1;
  });
}
watch('createBuffer', () => {
  calls.buffersMade += 1;
});
watch('deleteBuffer', () => {
  calls.buffersDeleted += 1;
});

/** Runs something and says what it asked of WebGL. */
function countCalls(/** @type {() => void} */ act) {
  Object.assign(calls, { uploads: 0, uploadedBytes: 0, draws: 0, buffersMade: 0, buffersDeleted: 0 });
  act();
  return { ...calls };
}

const background = 0x204060;

/**
 * A PixiJS application that renders when told.
 * @param {number} width
 * @param {number} height
 */
async function pixiApp(width, height) {
  const app = new PIXI.Application();
  await app.init({ width, height, preference: 'webgl', autoStart: false, background, preserveDrawingBuffer: true, antialias: false });
  document.body.append(app.canvas);
  return app;
}

/**
 * A three.js scene with a level camera at `distance` from the origin, whose pixels are `unit` to the world's unit in the plane z = 0.
 * @param {number} width
 * @param {number} height
 * @param {number} unit
 */
function threeStage(width, height, unit) {
  const renderer = new THREE.WebGLRenderer({ preserveDrawingBuffer: true, antialias: false });
  renderer.setSize(width, height);
  document.body.append(renderer.domElement);
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(background);
  const distance = 10;
  const camera = new THREE.PerspectiveCamera(2 * Math.atan(height / unit / 2 / distance) * 180 / Math.PI, width / height, 0.1, 100);
  camera.position.set(0, 0, distance);
  return { renderer, scene, camera, distance };
}

/** What a canvas shows, as straight RGBA. */
function picture(/** @type {HTMLCanvasElement} */ canvas) {
  const copy = new OffscreenCanvas(canvas.width, canvas.height);
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (copy.getContext('2d', { willReadFrequently: true }));
  context.drawImage(canvas, 0, 0);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

/**
 * Colors of some points of a canvas, as 'rrggbb'.
 * @param {HTMLCanvasElement} canvas
 * @param {[number, number][]} points
 */
function colors(canvas, points) {
  const { data, width } = picture(canvas);
  return points.map(([x, y]) => {
    const at = (Math.floor(y) * width + Math.floor(x)) * 4;
    return [...data.subarray(at, at + 3)].map((value) => value.toString(16).padStart(2, '0')).join('');
  });
}

/**
 * How many pixels of two pictures differ by more than `tolerance` in a channel.
 * @param {ImageData} a
 * @param {ImageData} b
 */
function difference(a, b, tolerance = 0) {
  let count = 0;
  for (let i = 0; i < a.data.length; i += 4) {
    if ([0, 1, 2, 3].some((channel) => Math.abs(a.data[i + channel] - b.data[i + channel]) > tolerance)) {
      count += 1;
    }
  }
  return a.data.length === b.data.length ? count : Infinity;
}

/** How many pixels are not the background. */
function covered(/** @type {ImageData} */ { data }) {
  let count = 0;
  for (let i = 0; i < data.length; i += 4) {
    count += Number(data[i] !== 0x20 || data[i + 1] !== 0x40 || data[i + 2] !== 0x60);
  }
  return count;
}

/** Loses a WebGL context and gets it back. */
async function loseContext(/** @type {HTMLCanvasElement} */ canvas, /** @type {WebGL2RenderingContext} */ gl, between = () => {}) {
  const extension = /** @type {WEBGL_lose_context} */ (gl.getExtension('WEBGL_lose_context'));
  /** @param {string} name */
  const heard = (name) => new Promise((resolve) => canvas.addEventListener(name, resolve, { once: true }));
  const lost = heard('webglcontextlost');
  extension.loseContext();
  await lost;
  between();
  const restored = heard('webglcontextrestored');
  // A context can be restored only once the event of its loss is over.
  await new Promise((resolve) => setTimeout(resolve));
  extension.restoreContext();
  await restored;
}

/** The striped bar: 64 x 256 pixels, origin in its middle. */
async function bar(options = {}) {
  const marrow = await marrow2d.createMarrow(options);
  const model = await marrow.load('assets-of-project/bar/bar.rig2d.json');
  const image = await (await fetch('assets-of-project/bar/bar.png')).blob();
  const world = marrow.createWorld();
  return { marrow, model, world, image };
}

/**
 * A page for PixiJS whose texels are sampled at their centers.
 * @param {Blob} image
 */
async function pixiTexture(image) {
  const bitmap = await createImageBitmap(image, { premultiplyAlpha: 'premultiply' });
  return new PIXI.Texture({ source: new PIXI.ImageSource({ resource: bitmap, alphaMode: 'premultiplied-alpha', scaleMode: 'nearest' }) });
}

/** The same for three.js. */
async function threeTexture(/** @type {Blob} */ image) {
  const texture = new THREE.Texture(await createImageBitmap(image, { premultiplyAlpha: 'premultiply' }));
  Object.assign(texture, {
    flipY: false, premultiplyAlpha: true, colorSpace: THREE.SRGBColorSpace, magFilter: THREE.NearestFilter, minFilter: THREE.NearestFilter,
    generateMipmaps: false, needsUpdate: true,
  });
  return texture;
}

Object.assign(globalThis, {
  harness: {
    PIXI, THREE, marrow2d, pixi, three, countCalls, pixiApp, threeStage, picture, colors, difference, covered, loseContext, bar, pixiTexture,
    threeTexture,
  },
});
document.documentElement.dataset.ready = '';
