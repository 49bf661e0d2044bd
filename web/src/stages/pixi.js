import { Application } from 'pixi.js';
import { RigView } from 'marrow2d/pixi';

const margin = 0.14;

/** The flat stage: the rig as a game in PixiJS shows it. */
export class PixiStage {
  #app = new Application();
  #element;
  /** @type {RigView | null} */
  #view = null;
  #needsRender = true;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.#element = element;
  }

  async mount() {
    await this.#app.init({
      preference: 'webgl', autoStart: false, backgroundAlpha: 0, antialias: true, autoDensity: true, resolution: devicePixelRatio,
      width: this.#element.clientWidth, height: this.#element.clientHeight,
    });
    this.#element.append(this.#app.canvas);
    new ResizeObserver(() => this.#resize()).observe(this.#element);
  }

  /** @param {import('../workspace.js').Scene} scene */
  show({ hero, pictures }) {
    this.#view?.destroy();
    this.#view = new RigView(hero, Object.fromEntries([...pictures].map(([guid, { source }]) => [guid, source])));
    this.#app.stage.addChild(this.#view);
    this.#fit();
  }

  get uploadedBytes() {
    return this.#view?.uploadedBytes ?? 0;
  }

  /** Draws if there is anything new to see. Returns whether it did. */
  update() {
    const changed = this.#view?.sync() ?? false;
    if (!changed && !this.#needsRender) {
      return false;
    }
    this.#needsRender = false;
    this.#app.render();
    return true;
  }

  #resize() {
    const { clientWidth, clientHeight } = this.#element;
    if (clientWidth > 0 && clientHeight > 0) {
      this.#app.renderer.resize(clientWidth, clientHeight);
      this.#fit();
    }
  }

  /** The bind pose in the middle, with room to move. */
  #fit() {
    this.#needsRender = true;
    const view = this.#view;
    const bounds = view?.instance?.bindBounds;
    if (view === null || bounds === undefined) {
      return;
    }
    const { width, height } = this.#app.screen;
    const [rigWidth, rigHeight] = [Math.max(1, bounds.maxX - bounds.minX), Math.max(1, bounds.maxY - bounds.minY)];
    const scale = Math.min(width / rigWidth, height / rigHeight) * (1 - 2 * margin);
    view.scale.set(scale);
    view.position.set(width / 2 - scale * (bounds.minX + bounds.maxX) / 2, height / 2 - scale * (bounds.minY + bounds.maxY) / 2);
  }
}
