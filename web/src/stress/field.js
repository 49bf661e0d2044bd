import { Container, WebGLRenderer } from 'pixi.js';
import { drawPixi, mountPixi } from '../stages/pixi.js';
import { Population } from './population.js';

/** Milliseconds of a frame that may go into adding or removing characters. */
const slice = 10;

/** The stage of the stress page: PixiJS, and whoever stands on it. */
export class Field {
  /** @type {WebGLRenderer<HTMLCanvasElement>} */
  #renderer = new WebGLRenderer();
  #sheet = new Container();
  #world;
  /** @type {Population | null} */
  #population = null;
  /** @type {import('./address.js').Stress | null} */
  #wish = null;
  #needsRender = true;
  #uploadedBefore = 0;
  #wake;

  /**
   * @param {HTMLElement} element
   * @param {import('marrow2d').World} world
   * @param {() => void} wake asks for a frame
   */
  constructor(element, world, wake) {
    this.element = element;
    this.#world = world;
    this.#wake = wake;
  }

  async mount() {
    await mountPixi(this.#renderer, this.element, () => this.#redraw());
    new ResizeObserver(() => this.#resize()).observe(this.element);
  }

  get population() {
    return this.#population;
  }

  get uploadedBytes() {
    return this.#uploadedBefore + (this.#population?.uploadedBytes ?? 0);
  }

  /**
   * Characters of this model from now on. Those before are gone.
   * @param {import('marrow2d').Model} model
   * @param {Record<string, import('pixi.js').ImageSource>} textures
   */
  show(model, textures) {
    this.clear();
    this.#population = new Population(this.#world, model, textures);
    this.#sheet.addChild(this.#population.container);
    this.#follow();
  }

  clear() {
    this.#uploadedBefore = this.uploadedBytes;
    this.#population?.dispose();
    this.#population = null;
    this.#redraw();
  }

  /** @param {import('./address.js').Stress} wish */
  configure(wish) {
    this.#wish = wish;
    this.#follow();
  }

  /** Lets some come or go. Once a frame. */
  grow() {
    if (this.#population?.work(slice)) {
      this.#needsRender = true;
    }
  }

  get isMoving() {
    return this.#population !== null && (this.#wish?.play || !this.#population.isComplete);
  }

  update() {
    const changed = this.#population?.sync() ?? false;
    if (!changed && !this.#needsRender) {
      return false;
    }
    this.#needsRender = false;
    drawPixi(this.#renderer, this.#sheet);
    return true;
  }

  #redraw() {
    this.#needsRender = true;
    this.#wake();
  }

  #follow() {
    if (this.#population !== null && this.#wish !== null) {
      this.#population.become(this.#wish, this.#renderer.screen);
      this.#redraw();
    }
  }

  #resize() {
    const { clientWidth, clientHeight } = this.element;
    if (clientWidth > 0 && clientHeight > 0) {
      this.#renderer.resize(clientWidth, clientHeight);
      this.#follow();
    }
  }
}
