import { Container, WebGLRenderer } from 'pixi.js';
import { RigView } from 'marrow2d/pixi';
import { drawPixi, mountPixi } from './pixi.js';
import { extentOf, pngOf, readView, refuseLost, writeView } from './stage.js';

/** @typedef {import('./stage.js').Stage} Stage */

const margin = 0.1;
const [leastScale, mostScale] = [0.01, 100];

/**
 * The flat stage: the rig as a game in PixiJS shows it. The wheel zooms, a drag beside the rig moves the sheet.
 * @implements {Stage}
 */
export class FlatStage {
  knownView = `x,y,scale: what is in the middle, and from ${leastScale} to ${mostScale} pixels a unit`;
  /** @type {WebGLRenderer<HTMLCanvasElement>} */
  #renderer = new WebGLRenderer();
  #sheet = new Container();
  /** @type {RigView | null} */
  #view = null;
  #needsRender = true;
  #fitted = true;
  /** What `fit` brings into sight.
   *  @type {ReturnType<typeof extentOf> | null} */
  #extent = null;
  homography = new Float64Array([1, 0, 0, 0, 1, 0, 0, 0, 1]);

  #wake;

  /**
   * @param {HTMLElement} element
   * @param {() => void} wake asks for a frame
   */
  constructor(element, wake) {
    this.element = element;
    this.#wake = wake;
  }

  async mount() {
    await mountPixi(this.#renderer, this.element, () => this.redraw());
    new ResizeObserver(() => this.#resize()).observe(this.element);
    this.#listen();
  }

  /** @param {import('../workspace.js').Scene} scene */
  show(scene) {
    this.#view?.destroy();
    this.#view = new RigView(scene.hero, scene.textures);
    this.#extent = extentOf(scene);
    this.#sheet.addChild(this.#view);
    this.#resize();
    this.fit();
  }

  /** @param {import('./stage.js').StageOptions} options */
  configure({ backdrop }) {
    this.element.dataset.backdrop = backdrop;
  }

  get uploadedBytes() {
    return this.#view?.uploadedBytes ?? 0;
  }

  redraw() {
    this.#needsRender = true;
    this.#wake();
  }

  update() {
    const view = this.#view;
    const changed = view?.sync() ?? false;
    if (!changed && !this.#needsRender) {
      return false;
    }
    this.#needsRender = false;
    drawPixi(this.#renderer, this.#sheet);
    const hero = view?.instance;
    if (view !== null && hero) {
      const { matrix: m, shown } = hero;
      const h = this.homography;
      const [flipX, flipY] = [shown.flipX ? -1 : 1, shown.flipY ? -1 : 1];
      const scale = view.scale.x;
      h[0] = scale * m[0] * flipX;
      h[1] = scale * m[2] * flipY;
      h[2] = scale * m[4] + view.x;
      h[3] = scale * m[1] * flipX;
      h[4] = scale * m[3] * flipY;
      h[5] = scale * m[5] + view.y;
    }
    return true;
  }

  /** The bind pose in the middle, with room to move. */
  fit() {
    this.redraw();
    this.#fitted = true;
    const view = this.#view;
    const bounds = this.#extent;
    if (view === null || bounds === null) {
      return;
    }
    const { width, height } = this.#renderer.screen;
    const [rigWidth, rigHeight] = [Math.max(1, bounds.maxX - bounds.minX), Math.max(1, bounds.maxY - bounds.minY)];
    const scale = Math.min(width / rigWidth, height / rigHeight) * (1 - 2 * margin);
    view.scale.set(scale);
    view.position.set(width / 2 - scale * (bounds.minX + bounds.maxX) / 2, height / 2 - scale * (bounds.minY + bounds.maxY) / 2);
  }

  /** The point of the rig in the middle, and pixels a unit. */
  get view() {
    const view = this.#view;
    const { width, height } = this.#renderer.screen;
    return view === null || this.#fitted ? '' : writeView([(width / 2 - view.x) / view.scale.x, (height / 2 - view.y) / view.scale.x, view.scale.x]);
  }

  /** @param {string} text */
  look(text) {
    const [x, y, scale] = readView(text, 3) ?? [0, 0, 0];
    if (this.#view === null || scale < leastScale || scale > mostScale) {
      return false;
    }
    const { width, height } = this.#renderer.screen;
    this.#view.scale.set(scale);
    this.#view.position.set(width / 2 - x * scale, height / 2 - y * scale);
    this.#fitted = false;
    this.redraw();
    return true;
  }

  /** @param {number} factor */
  zoom(factor) {
    const { width, height } = this.#renderer.screen;
    this.#zoomAt(width / 2, height / 2, factor);
  }

  /** @returns {Promise<Blob>} */
  async picture() {
    refuseLost(this.#renderer.gl);
    return pngOf(/** @type {HTMLCanvasElement} */ (this.#renderer.extract.canvas({
      target: this.#sheet, frame: this.#renderer.screen, resolution: this.#renderer.resolution, clearColor: [0, 0, 0, 0],
    })));
  }

  /**
   * @param {number} x CSS pixels, stays where it is
   * @param {number} y
   * @param {number} factor
   */
  #zoomAt(x, y, factor) {
    const view = this.#view;
    if (view === null) {
      return;
    }
    const scale = Math.min(mostScale, Math.max(leastScale, view.scale.x * factor));
    const used = scale / view.scale.x;
    view.scale.set(scale);
    view.position.set(x + (view.x - x) * used, y + (view.y - y) * used);
    this.#fitted = false;
    this.redraw();
  }

  #resize() {
    const { clientWidth, clientHeight } = this.element;
    if (clientWidth === 0 || clientHeight === 0) {
      return;
    }
    const { width, height } = this.#renderer.screen;
    this.#renderer.resize(clientWidth, clientHeight);
    if (this.#fitted) {
      this.fit();
    } else {
      this.#view?.position.set(this.#view.x + (clientWidth - width) / 2, this.#view.y + (clientHeight - height) / 2);
      this.redraw();
    }
  }

  /** One pointer moves the sheet, two also zoom it. */
  #listen() {
    /** @type {Map<number, PointerEvent>} */
    const pointers = new Map();
    const { element } = this;
    element.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.#zoomAt(event.offsetX, event.offsetY, Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0015)));
    }, { passive: false });
    element.addEventListener('pointerdown', (event) => {
      pointers.set(event.pointerId, event);
      element.setPointerCapture(event.pointerId);
    });
    element.addEventListener('pointermove', (event) => {
      const before = pointers.get(event.pointerId);
      if (before === undefined || this.#view === null) {
        return;
      }
      const others = [...pointers.values()].filter(({ pointerId }) => pointerId !== event.pointerId);
      pointers.set(event.pointerId, event);
      const share = 1 / (others.length + 1);
      this.#view.position.set(this.#view.x + (event.clientX - before.clientX) * share, this.#view.y + (event.clientY - before.clientY) * share);
      this.#fitted = false;
      this.redraw();
      for (const other of others) {
        const reach = (/** @type {PointerEvent} */ each) => Math.hypot(each.clientX - other.clientX, each.clientY - other.clientY);
        const { left, top } = element.getBoundingClientRect();
        this.#zoomAt((event.clientX + other.clientX) / 2 - left, (event.clientY + other.clientY) / 2 - top,
          Math.max(1, reach(event)) / Math.max(1, reach(before)));
      }
    });
    for (const type of /** @type {const} */ (['pointerup', 'pointercancel'])) {
      element.addEventListener(type, (event) => pointers.delete(event.pointerId));
    }
  }
}
