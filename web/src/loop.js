/** A hidden tab's long pause is no step of the world. */
const longestStep = 0.1;
const span = 60;

/** The median of the last values of something measured once a frame. */
export class Samples {
  #values = new Float64Array(span);
  #sorted = new Float64Array(span);
  #count = 0;

  /** @param {number} value */
  add(value) {
    this.#values[this.#count % span] = value;
    this.#count += 1;
  }

  get median() {
    const count = Math.min(this.#count, span);
    this.#sorted.set(this.#values);
    this.#sorted.subarray(0, count).sort();
    return count === 0 ? 0 : this.#sorted[count >> 1];
  }
}

/** What the last frame cost. Times are milliseconds, medians of the last 60 frames. */
export class Meter {
  #core = new Samples();
  #renderer = new Samples();
  uploaded = 0;

  get core() {
    return this.#core.median;
  }

  get renderer() {
    return this.#renderer.median;
  }

  /**
   * @param {number} core
   * @param {number} renderer
   * @param {number} uploaded bytes
   */
  add(core, renderer, uploaded) {
    this.#core.add(core);
    this.#renderer.add(renderer);
    this.uploaded = uploaded;
  }
}

/** Whatever a person does may change what is seen. */
const inputs = ['pointerdown', 'pointermove', 'pointerup', 'wheel', 'click', 'keydown', 'input', 'change', 'drop', 'resize'];

/**
 * The page's one clock: moves the world, lets the stage draw what changed, then tells who shows live values. It stands still while nothing
 * moves, and goes on with whatever a person does; who changes something without that calls `wake`.
 *
 * @param {() => Pick<import('./stages/stage.js').Stage, 'update' | 'uploadedBytes'>} stage which one is seen
 * @param {() => boolean} isMoving whether the next frame differs by itself
 * @param {() => void} afterwards draws what lies over the stage
 */
export function createLoop(stage, isMoving, afterwards) {
  /** @type {Set<() => void>} */
  const listeners = new Set();
  const meter = new Meter();
  /** @type {import('marrow2d').World | null} */
  let world = null;
  /** @type {number | null} null: time that passed is no time of the world */
  let last = null;
  let isAwake = false;
  let quietFrames = 0;
  let frames = 0;

  function wake() {
    quietFrames = 0;
    if (world !== null && !isAwake) {
      isAwake = true;
      last = null;
      requestAnimationFrame(frame);
    }
  }

  /** @param {number} now */
  function frame(now) {
    quietFrames += 1;
    // By then the medians have forgotten the last frame that drew, and say zero.
    isAwake = quietFrames <= span;
    if (isAwake) {
      requestAnimationFrame(frame);
    }
    const dt = last === null ? 0 : Math.min(longestStep, Math.max(0, (now - last) / 1000));
    last = now;
    const begin = performance.now();
    world?.update(dt);
    const updated = performance.now();
    const shown = stage();
    const before = shown.uploadedBytes;
    const drew = shown.update();
    const uploaded = Math.max(0, shown.uploadedBytes - before);
    meter.add(updated - begin, drew ? performance.now() - updated : 0, uploaded);
    if (drew || isMoving()) {
      wake();
    }
    afterwards();
    for (const listener of listeners) {
      listener();
    }
    frames += 1;
    if (frames === 1) {
      performance.mark('first-frame');
    }
  }

  return {
    meter,
    wake,

    /** False in the last frame before it stands still. */
    get isAwake() {
      return isAwake;
    },

    /** After the next frame the page says that all of it is there. */
    sayReady() {
      const ready = () => {
        listeners.delete(ready);
        document.documentElement.dataset.ready = 'yes';
      };
      listeners.add(ready);
      wake();
    },

    /** @param {import('marrow2d').World} moved */
    start(moved) {
      world = moved;
      inputs.forEach((type) => window.addEventListener(type, wake, { capture: true, passive: true }));
      wake();
    },

    /**
     * Calls after every frame.
     * @param {() => void} listener
     */
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
