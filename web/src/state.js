/**
 * One plain object with subscriptions. Who changes it calls `set`; who shows it subscribes.
 *
 * @template {object} T
 * @param {T} initial
 */
export function createState(initial) {
  let value = initial;
  /** @type {Set<(value: T, before: T) => void>} */
  const listeners = new Set();
  return {
    get value() {
      return value;
    },

    /** @param {Partial<T>} patch */
    set(patch) {
      const before = value;
      value = { ...value, ...patch };
      for (const listener of listeners) {
        listener(value, before);
      }
    },

    /** @param {(value: T, before: T) => void} listener */
    subscribe(listener) {
      listeners.add(listener);
      listener(value, value);
      return () => void listeners.delete(listener);
    },
  };
}

export const stageNames = /** @type {const} */ (['2d', '2.5d', 'ground']);
export const overlayNames = /** @type {const} */ (['bones', 'wireframe', 'weights', 'dominant', 'bounds']);
export const tools = /** @type {const} */ (['move', 'turn', 'scale']);
export const axes = /** @type {const} */ (['local', 'world']);
export const facings = /** @type {const} */ (['cylindrical', 'spherical']);
export const themes = /** @type {const} */ (['dark', 'light']);
/** Seconds that a change of clip may take. */
export const longestFade = 10;
export const backdrops = /** @type {const} */ (['checker', 'plain']);

/**
 * All that the page can be in, apart from the rig's own pose, clip and time, which the instance holds.
 *
 * @typedef {object} AppState
 * @property {import('./workspace.js').Scene | null} scene
 * @property {(typeof stageNames)[number]} stage
 * @property {readonly (typeof overlayNames)[number][]} overlay what is drawn over the stage
 * @property {number | null} bone slot of the selected bone
 * @property {number | null} hovered slot of the bone under the pointer
 * @property {(typeof tools)[number]} tool
 * @property {(typeof axes)[number]} axes
 * @property {(typeof facings)[number]} facing of the billboards
 * @property {number} heading degrees that the figure on the ground is turned by
 * @property {number} speed
 * @property {number} fade seconds
 * @property {boolean} loop
 * @property {(typeof themes)[number]} theme
 * @property {(typeof backdrops)[number]} backdrop
 * @property {boolean} ui
 * @property {'left' | 'right' | null} drawer open on a narrow page
 * @property {ReadonlyMap<string, boolean>} parts which ones were shown or hidden by hand, by name
 * @property {readonly import('./panels/cards.jsx').CardData[]} cards
 * @property {string | null} busy what takes longer than a moment
 * @property {import('./workspace.js').Characters} opened what the person brought, newest first
 */

/** Whether the person asked their system for less motion: then nothing plays before they say so. */
export function prefersStill() {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** @returns {AppState} */
export function initialState() {
  return {
    scene: null,
    stage: '2d',
    overlay: [],
    bone: null,
    hovered: null,
    tool: 'turn',
    axes: 'local',
    facing: 'cylindrical',
    heading: 0,
    speed: 1,
    fade: 0.2,
    loop: true,
    theme: matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark',
    backdrop: 'checker',
    ui: true,
    drawer: null,
    parts: new Map(),
    cards: [],
    busy: null,
    opened: [],
  };
}
