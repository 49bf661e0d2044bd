import { FlatStage } from './flat.js';

/** @typedef {import('./stage.js').Stage} Stage */

/** All stages. That of three.js is fetched when it is first wanted: it is the larger half of the page, and the first figure should not wait. */
export class Stages {
  #flat;
  #worldElement;
  #wake;
  /** @type {Stage | null} */
  #world = null;
  /** @type {Promise<void> | null} */
  #coming = null;
  /** @type {import('../state.js').AppState | null} */
  #state = null;
  /** @type {Map<Stage, import('../workspace.js').Scene['textures']>} what each stage was given */
  #shown = new Map();

  /**
   * @param {HTMLElement} flat
   * @param {HTMLElement} world
   * @param {() => void} wake asks for a frame
   */
  constructor(flat, world, wake) {
    this.#flat = new FlatStage(flat, wake);
    this.#wake = wake;
    this.#worldElement = world;
    this.elements = [flat, world];
  }

  mount() {
    return this.#flat.mount();
  }

  /** The one that is seen. @returns {Stage} */
  get current() {
    return this.#world !== null && this.#state?.stage !== '2d' ? this.#world : this.#flat;
  }

  /**
   * Shows what the state says.
   * @param {import('../state.js').AppState} state
   * @returns {Promise<void> | null} null: it does; else it will, unless the stage cannot be fetched
   */
  follow(state) {
    this.#state = state;
    this.#apply();
    if (state.stage === '2d' || this.#world !== null || this.#coming !== null) {
      return null;
    }
    this.#coming = this.#fetchWorld().finally(() => {
      this.#coming = null;
    });
    return this.#coming;
  }

  /** Until the stage that is wanted is there, or cannot be had. */
  async settled() {
    await this.#coming?.catch(() => undefined);
  }

  async #fetchWorld() {
    const { WorldStage } = await import('./world.js');
    const world = new WorldStage(this.#worldElement, this.#wake);
    // Only what is seen has a size.
    this.#worldElement.hidden = false;
    await world.mount();
    this.#world = world;
    this.#apply();
  }

  #apply() {
    const state = this.#state;
    if (state === null) {
      return;
    }
    this.#flat.element.hidden = this.current !== this.#flat;
    this.#worldElement.hidden = this.current === this.#flat;
    for (const stage of this.#world === null ? [this.#flat] : [this.#flat, this.#world]) {
      const { scene } = state;
      if (scene !== null && scene.textures !== this.#shown.get(stage)) {
        this.#shown.set(stage, scene.textures);
        stage.show(scene);
      }
      stage.configure(state);
    }
  }
}
