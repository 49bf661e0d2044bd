/** A hidden tab's long pause is no step of the world. */
const longestStep = 0.1;
const span = 60;
/** Frames in which nothing was drawn, after which nothing moves: between the steps of a slow clip or hand there are some, too. */
const stillness = 10;

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

  clear() {
    this.#count = 0;
  }

  get median() {
    const count = Math.min(this.#count, span);
    this.#sorted.set(this.#values);
    this.#sorted.subarray(0, count).sort();
    return count === 0 ? 0 : this.#sorted[count >> 1];
  }
}

/** What frames cost that show something new: medians of the last 60 of them, all zero while the figure stands still. */
export class Meter {
  #core = new Samples();
  #renderer = new Samples();
  #intervals = new Samples();
  uploaded = 0;

  /** Milliseconds. */
  get core() {
    return this.#core.median;
  }

  /** Milliseconds. */
  get renderer() {
    return this.#renderer.median;
  }

  get framesPerSecond() {
    const { median } = this.#intervals;
    return median > 0 ? 1000 / median : 0;
  }

  /**
   * @param {number} core
   * @param {number} renderer
   * @param {number} interval since the frame before; 0: it was long ago
   */
  add(core, renderer, interval) {
    this.#core.add(core);
    this.#renderer.add(renderer);
    if (interval > 0) {
      this.#intervals.add(interval);
    }
  }

  clear() {
    this.#core.clear();
    this.#renderer.clear();
    this.#intervals.clear();
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
  /** Since somebody asked for a frame. */
  let quietFrames = 0;
  /** Since something was drawn. */
  let stillFrames = 0;
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
    isAwake = quietFrames <= span;
    if (isAwake) {
      requestAnimationFrame(frame);
    }
    const interval = last === null ? 0 : Math.max(0, now - last);
    const dt = Math.min(longestStep, interval / 1000);
    last = now;
    const begin = performance.now();
    world?.update(dt);
    const updated = performance.now();
    const shown = stage();
    const before = shown.uploadedBytes;
    const drew = shown.update();
    meter.uploaded = Math.max(0, shown.uploadedBytes - before);
    stillFrames = drew || isMoving() ? 0 : stillFrames + 1;
    if (stillFrames === 0) {
      meter.add(updated - begin, drew ? performance.now() - updated : 0, interval);
      wake();
    } else if (stillFrames === stillness) {
      meter.clear();
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
