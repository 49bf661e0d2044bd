import { Group, Matrix4, PerspectiveCamera, Scene, Texture, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { RigBillboard, orientRigs } from 'marrow2d/three';
import { watchContext } from './context.js';
import { StageSet, createShade } from './set.js';
import { extentOf, pngOf, readView, refuseLost, writeView } from './stage.js';

/** @typedef {import('./stage.js').Stage} Stage */

/** World units that the larger side of a rig takes. */
const rigSize = 1.7;
/** Just above nothing: soft edges stay soft, since figures are drawn in order and do not write depth. */
const alphaTest = 0.004;
/** Where the figure stands, then its copies. */
const places = /** @type {const} */ ([[0, 0], [-1.15, -1], [1.25, -1.6]]);
const views = {
  '2.5d': { position: [0.55, 1.75, 4.6], target: [0, 0.78, 0] },
  ground: { position: [0, 3.6, 2.9], target: [0, 0, 0.15] },
};

/**
 * A small world drawn by three.js. Figures stand in it as billboards, or one lies on its ground. A drag goes round, the wheel nearer.
 * @implements {Stage}
 */
export class WorldStage {
  knownView = 'x,y,z of the camera, then x,y,z of another place that it looks at';
  #renderer = new WebGLRenderer({ antialias: true, alpha: true });
  #world = new Scene();
  #set = new StageSet();
  #camera = new PerspectiveCamera(36, 1, 0.1, 80);
  #controls;
  /** @type {RigBillboard[]} the figure, then its copies */
  #billboards = [];
  /** @type {RigBillboard | null} */
  #lying = null;
  /** @type {Record<string, Texture>} by GUID */
  #textures = {};
  #turntable = new Group();
  #shades = places.map(createShade);
  /** @type {'2.5d' | 'ground'} */
  #stage = '2.5d';
  #needsRender = true;
  #uploadedBefore = 0;
  #matrix = new Matrix4();
  homography = new Float64Array([1, 0, 0, 0, 1, 0, 0, 0, 1]);

  #wake;

  /**
   * @param {HTMLElement} element
   * @param {() => void} wake asks for a frame
   */
  constructor(element, wake) {
    this.element = element;
    this.#wake = wake;
    this.#controls = new OrbitControls(this.#camera, element);
  }

  async mount() {
    const { domElement } = this.#renderer;
    this.#renderer.setPixelRatio(devicePixelRatio);
    this.element.prepend(domElement);
    this.#world.add(this.#set, this.#turntable, ...this.#shades);
    this.#shades.forEach((shade, index) => {
      shade.position.x = places[index][0];
      shade.position.z = places[index][1];
    });
    this.#controls.maxPolarAngle = Math.PI / 2 - 0.03;
    this.#controls.minDistance = 1;
    this.#controls.maxDistance = 14;
    this.#controls.addEventListener('change', () => this.redraw());
    watchContext(domElement, () => this.redraw());
    new ResizeObserver(() => this.#resize()).observe(this.element);
    this.#resize();
    this.fit();
  }

  /** @param {import('../workspace.js').Scene} scene */
  show(scene) {
    const { hero, textures } = scene;
    this.#clear();
    this.#textures = Object.fromEntries(Object.entries(textures).map(([guid, { resource }]) => [guid, textureOf(resource)]));
    const { minX, minY, maxX, maxY } = extentOf(scene);
    const pixelsPerUnit = Math.max(1, maxX - minX, maxY - minY) / rigSize;
    this.#billboards = places.map(([x, z]) => {
      const view = new RigBillboard(hero, this.#textures, { mode: 'cylindrical', pixelsPerUnit, alphaTest, anchor: 'bottom' });
      view.position.set(x, 0, z);
      this.#world.add(view);
      return view;
    });
    this.#lying = new RigBillboard(hero, this.#textures, { mode: 'flat', pixelsPerUnit, alphaTest });
    // It lies about its pivot, which may be at its feet: here its middle counts.
    this.#lying.position.set(-(minX + maxX) / 2 / pixelsPerUnit, 0.012, -(minY + maxY) / 2 / pixelsPerUnit);
    this.#turntable.add(this.#lying);
    this.redraw();
  }

  /** @param {import('./stage.js').StageOptions} options */
  configure({ facing, heading, stage, theme }) {
    const isGround = stage === 'ground';
    this.#set.dress(theme, isGround);
    this.#world.fog = this.#set.fog;
    this.#world.background = this.#set.sky;
    for (const view of this.#billboards) {
      view.mode = facing;
      view.visible = !isGround;
    }
    if (this.#lying !== null) {
      this.#lying.visible = isGround;
    }
    for (const shade of this.#shades) {
      shade.visible = !isGround;
    }
    this.#turntable.rotation.y = (-heading * Math.PI) / 180;
    if (stage !== '2d' && stage !== this.#stage) {
      this.#stage = stage;
      this.fit();
    }
    this.redraw();
  }

  get uploadedBytes() {
    return this.#uploadedBefore + this.#views().reduce((sum, { uploadedBytes }) => sum + uploadedBytes, 0);
  }

  redraw() {
    this.#needsRender = true;
    this.#wake();
  }

  update() {
    for (const view of this.#views()) {
      this.#needsRender = (view.visible && view.sync()) || this.#needsRender;
    }
    if (!this.#needsRender) {
      return false;
    }
    this.#needsRender = false;
    this.#render();
    this.#measure();
    return true;
  }

  fit() {
    const { position, target } = views[this.#stage];
    this.#camera.position.fromArray(position);
    this.#controls.target.fromArray(target);
    this.#controls.update();
    this.redraw();
  }

  /** Where the camera is, and what it looks at. */
  get view() {
    const { position, target } = views[this.#stage];
    const now = writeView([...this.#camera.position, ...this.#controls.target]);
    return now === writeView([...position, ...target]) ? '' : now;
  }

  /** @param {string} text */
  look(text) {
    const numbers = readView(text, 6);
    if (numbers === null || [0, 1, 2].every((axis) => numbers[axis] === numbers[axis + 3])) {
      return false;
    }
    this.#camera.position.fromArray(numbers);
    this.#controls.target.fromArray(numbers, 3);
    this.#controls.update();
    this.redraw();
    return true;
  }

  /** @param {number} factor */
  zoom(factor) {
    const { target } = this.#controls;
    this.#camera.position.sub(target).divideScalar(factor).clampLength(this.#controls.minDistance, this.#controls.maxDistance).add(target);
    this.#controls.update();
    this.redraw();
  }

  /**
   * @param {{ transparent: boolean }} options the figures alone, without the set
   * @returns {Promise<Blob>}
   */
  async picture({ transparent }) {
    refuseLost(this.#renderer.getContext());
    const { background } = this.#world;
    this.#set.visible = !transparent;
    this.#world.background = transparent ? null : background;
    this.#render();
    this.#set.visible = true;
    this.#world.background = background;
    this.redraw();
    return pngOf(this.#renderer.domElement);
  }

  /** @returns {RigBillboard[]} */
  #views() {
    return this.#lying === null ? this.#billboards : [...this.#billboards, this.#lying];
  }

  #render() {
    orientRigs(this.#views(), this.#camera);
    this.#renderer.render(this.#world, this.#camera);
  }

  #clear() {
    this.#uploadedBefore = this.uploadedBytes;
    for (const view of this.#views()) {
      view.removeFromParent();
      view.dispose();
    }
    for (const texture of Object.values(this.#textures)) {
      texture.dispose();
    }
    this.#billboards = [];
    this.#lying = null;
  }

  /** The plane of the figure that is worked on, as the camera sees it. */
  #measure() {
    const view = this.#stage === 'ground' ? this.#lying : this.#billboards[0];
    if (!view) {
      return;
    }
    const { elements: e } = this.#matrix.multiplyMatrices(this.#camera.projectionMatrix, this.#camera.matrixWorldInverse)
      .multiply(view.mesh.matrixWorld);
    const [halfWidth, halfHeight] = [this.element.clientWidth / 2, this.element.clientHeight / 2];
    const h = this.homography;
    // Columns of the rig's x, its y, and its origin: clip space has +y up and its middle at zero.
    for (const [column, at] of /** @type {const} */ ([[0, 0], [1, 4], [2, 12]])) {
      h[column] = (e[at] + e[at + 3]) * halfWidth;
      h[3 + column] = (e[at + 3] - e[at + 1]) * halfHeight;
      h[6 + column] = e[at + 3];
    }
  }

  #resize() {
    const { clientWidth, clientHeight } = this.element;
    if (clientWidth > 0 && clientHeight > 0) {
      this.#renderer.setSize(clientWidth, clientHeight);
      this.#camera.aspect = clientWidth / clientHeight;
      // The figures stay in sight however narrow the stage is.
      this.#camera.fov = Math.min(75, 36 * Math.max(1, 1.1 / this.#camera.aspect));
      this.#camera.updateProjectionMatrix();
      this.redraw();
    }
  }
}

/** @param {ImageBitmap} bitmap premultiplied */
function textureOf(bitmap) {
  const texture = new Texture(bitmap);
  texture.flipY = false;
  texture.premultiplyAlpha = true;
  texture.anisotropy = 8;
  texture.needsUpdate = true;
  return texture;
}
