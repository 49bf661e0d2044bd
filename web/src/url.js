import { readParts, readPose, writeParts, writePose } from './pose-address.js';
import { axes, backdrops, facings, longestFade, overlayNames, stageNames, themes, tools } from './state.js';

/** The characters that come with the page. */
export const shipped = ['kit', 'koi', 'banner', 'bar'];

/**
 * What `?rig=` means: one of ours by name, else an address.
 * @param {string} rig
 */
export function rigAddress(rig) {
  return new URL(shipped.includes(rig) ? `${rig}/${rig}.rig2d.json` : rig, document.baseURI).href;
}

/**
 * What an address asks for. What it does not name, or names wrongly, is left out.
 * @typedef {object} Wish
 * @property {string} rig
 * @property {string | null} clip
 * @property {number | null} time seconds
 * @property {boolean} play
 * @property {string | null} bone by name
 * @property {string} view of the stage
 * @property {ReturnType<typeof readPose>} pose set by hand
 * @property {string[]} hide parts, by name
 * @property {string[]} show
 * @property {Partial<import('./state.js').AppState>} state
 */

/**
 * @param {URLSearchParams} query
 * @returns {Wish}
 */
export function readAddress(query) {
  /** @type {Partial<import('./state.js').AppState>} */
  const state = {};
  take('stage', stageNames);
  take('tool', tools);
  take('axes', axes);
  take('facing', facings);
  take('theme', themes);
  take('backdrop', backdrops);
  takeNumber('speed', -8, 8);
  takeNumber('fade', 0, longestFade);
  takeNumber('heading', -360, 360);
  if (query.has('loop')) {
    state.loop = query.get('loop') !== '0';
  }
  if (query.has('ui')) {
    state.ui = query.get('ui') !== '0';
  }
  if (query.has('overlay')) {
    const wanted = (query.get('overlay') ?? '').split(',');
    state.overlay = overlayNames.filter((name) => wanted.includes(name));
  }
  return {
    rig: query.get('rig') || shipped[0],
    clip: query.get('clip'),
    time: number(query.get('t')),
    play: query.get('play') !== '0',
    bone: query.get('bone'),
    view: query.get('view') ?? '',
    pose: readPose(query.get('pose') ?? ''),
    hide: readParts(query.get('hide') ?? ''),
    show: readParts(query.get('show') ?? ''),
    state,
  };

  /**
   * @template {'stage' | 'tool' | 'axes' | 'facing' | 'theme' | 'backdrop'} K
   * @param {K} name
   * @param {readonly string[]} allowed
   */
  function take(name, allowed) {
    const value = query.get(name);
    if (value !== null && allowed.includes(value)) {
      state[name] = /** @type {any} */ (value);
    }
  }

  /** @param {'speed' | 'fade' | 'heading'} name @param {number} least @param {number} most */
  function takeNumber(name, least, most) {
    const value = number(query.get(name));
    if (value !== null) {
      state[name] = Math.min(most, Math.max(least, value));
    }
  }
}

/** @param {string | null} text */
function number(text) {
  const value = text === null || text.trim() === '' ? NaN : Number(text);
  return Number.isFinite(value) ? value : null;
}

/**
 * The address of what is seen. Only what differs from a fresh page is named, so that links stay short.
 * @param {import('./state.js').AppState} state
 * @param {import('./state.js').AppState} fresh
 * @param {string} view of the stage
 * @param {import('./pose.js').Poses} poses
 */
export function writeAddress(state, fresh, view, poses) {
  const query = new URLSearchParams();
  const { scene } = state;
  if (scene !== null && scene.address !== null) {
    query.set('rig', scene.address);
  }
  for (const name of /** @type {const} */ (['stage', 'tool', 'axes', 'facing', 'heading', 'speed', 'fade', 'backdrop', 'theme'])) {
    if (state[name] !== fresh[name]) {
      query.set(name, String(state[name]));
    }
  }
  if (state.overlay.length > 0) {
    query.set('overlay', state.overlay.join(','));
  }
  if (state.loop !== fresh.loop) {
    query.set('loop', '0');
  }
  if (!state.ui) {
    query.set('ui', '0');
  }
  setText('view', view);
  if (scene !== null) {
    const { hero } = scene;
    if (state.bone !== null) {
      query.set('bone', hero.nodeAt(state.bone).name);
    }
    if (hero.clip !== null) {
      query.set('clip', hero.clip);
    }
    if (!hero.playing) {
      query.set('t', String(Math.round(hero.time * 1000) / 1000));
      query.set('play', '0');
    }
    setText('pose', writePose(poses.overridesOf(hero), (slot) => hero.nodeAt(slot).name));
    setText('hide', writeParts(state.parts, false));
    setText('show', writeParts(state.parts, true));
  }
  // Commas, colons and slashes are fine in a query, and much easier to read.
  const text = query.toString().replaceAll('%2C', ',').replaceAll('%2F', '/').replaceAll('%3A', ':');
  return text === '' ? '' : `?${text}`;

  /** @param {string} name @param {string} value empty: as on a fresh page */
  function setText(name, value) {
    if (value !== '') {
      query.set(name, value);
    }
  }
}
