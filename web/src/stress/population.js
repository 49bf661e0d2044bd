import { Container } from 'pixi.js';
import { CrowdView, RigView } from 'marrow2d/pixi';
import { arrange, phaseOf } from './formation.js';
import { allClips } from './address.js';

/** @typedef {import('marrow2d').Instance} Instance */

const [slowest, fastest] = [0.85, 1.15];

/** Some or many characters of one model on the stage, as one crowd or as a view each. They come and go in slices, so that no frame waits. */
export class Population {
  #world;
  #model;
  #textures;
  #bounds;
  /** @type {Instance[]} from the back to the front */
  #instances = [];
  /** @type {RigView[]} */
  #views = [];
  /** @type {import('marrow2d').Crowd | null} */
  #crowd = null;
  /** @type {CrowdView | null} */
  #crowdView = null;
  #uploadedBefore = 0;
  #target = 0;
  #field = { width: 1, height: 1 };
  #clip = allClips;
  #playing = true;
  /** What PixiJS draws. */
  container = new Container({ label: 'population', interactiveChildren: false });

  /**
   * @param {import('marrow2d').World} world
   * @param {import('marrow2d').Model} model
   * @param {Record<string, import('pixi.js').ImageSource>} textures
   */
  constructor(world, model, textures) {
    this.#world = world;
    this.#model = model;
    this.#textures = textures;
    const sample = world.add(model);
    this.#bounds = sample.bindBounds;
    sample.dispose();
  }

  get count() {
    return this.#instances.length;
  }

  get isComplete() {
    return this.count === this.#target;
  }

  get vertexCount() {
    return this.#model.parts.reduce((sum, { vertexCount }) => sum + vertexCount, 0) * this.count;
  }

  get drawCalls() {
    return this.#crowd !== null ? this.#crowd.runs.length : this.#instances.reduce((sum, { runs }) => sum + runs.length, 0);
  }

  get uploadedBytes() {
    return this.#uploadedBefore + (this.#crowdView?.uploadedBytes ?? 0) + this.#views.reduce(addUploads, 0);
  }

  /**
   * @param {{ n: number, as: 'crowd' | 'views', clip: string, play: boolean }} wish
   * @param {{ width: number, height: number }} field
   */
  become({ n, as, clip, play }, field) {
    if ((as === 'crowd') !== (this.#crowd !== null)) {
      this.#clear();
      if (as === 'crowd') {
        this.#crowd = this.#world.createCrowd();
        this.#crowdView = new CrowdView(this.#crowd, this.#textures);
        this.container.addChild(this.#crowdView);
      }
    }
    this.#target = n;
    this.#field = field;
    if (clip !== this.#clip) {
      this.#clip = clip;
      this.#instances.forEach((instance, index) => this.#animate(instance, index));
    }
    if (play !== this.#playing) {
      this.#playing = play;
      this.#instances.forEach((instance) => instance.pause(!play));
    }
    this.#arrange();
  }

  /**
   * Adds or takes away characters for a while.
   * @param {number} budget milliseconds
   * @returns {boolean} whether anyone came or went
   */
  work(budget) {
    if (this.isComplete) {
      return false;
    }
    const end = performance.now() + budget;
    do {
      if (this.count < this.#target) {
        this.#add();
      } else {
        this.#remove();
      }
    } while (!this.isComplete && performance.now() < end);
    this.#arrange();
    return true;
  }

  /** @returns {boolean} whether the next render shows something else */
  sync() {
    let changed = this.#crowdView?.sync() ?? false;
    for (const view of this.#views) {
      changed = view.sync() || changed;
    }
    return changed;
  }

  dispose() {
    this.#clear();
    this.container.destroy();
  }

  #add() {
    const index = this.count;
    const instance = this.#crowd === null ? this.#world.add(this.#model) : this.#crowd.add(this.#model, { order: index });
    this.#instances.push(instance);
    this.#animate(instance, index);
    if (this.#crowd === null) {
      const view = new RigView(instance, this.#textures);
      this.#views.push(view);
      this.container.addChild(view);
    }
  }

  #remove() {
    const view = this.#views.pop();
    if (view !== undefined) {
      this.#uploadedBefore += view.uploadedBytes;
      view.destroy();
    }
    this.#instances.pop()?.dispose();
  }

  #clear() {
    this.#uploadedBefore = this.uploadedBytes;
    for (const view of this.#views) {
      view.destroy();
    }
    this.#crowdView?.destroy();
    if (this.#crowd !== null) {
      this.#crowd.dispose();
    } else {
      this.#instances.forEach((instance) => instance.dispose());
    }
    this.#views = [];
    this.#instances = [];
    this.#crowd = null;
    this.#crowdView = null;
  }

  /** Everyone at another moment, and no two quite as fast. @param {Instance} instance @param {number} index */
  #animate(instance, index) {
    const { clips } = this.#model;
    const named = clips.findIndex(({ name }) => name === this.#clip);
    const chosen = named >= 0 ? named : index % Math.max(1, clips.length);
    const clip = clips[chosen];
    if (clip !== undefined) {
      const phase = phaseOf(index);
      instance.play(chosen, { loop: true, speed: slowest + (fastest - slowest) * phase }).seek(phase * clip.duration);
      instance.pause(!this.#playing);
    }
  }

  #arrange() {
    arrange(this.#target, this.#field, this.#bounds, (index, x, y, scale) => {
      this.#instances[index]?.place({ x, y, scaleX: scale, scaleY: scale });
    });
  }
}

/** @param {number} sum @param {RigView} view */
function addUploads(sum, { uploadedBytes }) {
  return sum + uploadedBytes;
}
