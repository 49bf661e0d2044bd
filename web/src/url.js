import { FileError } from './files.js';
import { listNames } from './names.js';
import { knownPose, readParts, readPose, writeParts, writePose } from './pose-address.js';
import { axes, backdrops, facings, longestFade, overlayNames, stageNames, themes, tools } from './state.js';

/** The characters that come with the page. */
export const characters = ['kit', 'koi', 'banner'];
/** As people read them. */
export const characterNames = characters.map((name) => name[0].toUpperCase() + name.slice(1));
/** Beside them lies a rig that tests look at. */
const shipped = [...characters, 'bar'];

/**
 * What `?rig=` means: one of ours by name, else an address. What is neither a path nor JSON is meant for a name.
 * @param {string} rig
 */
export function rigAddress(rig) {
  if (!shipped.includes(rig) && !rig.includes('/') && !/\.json$/i.test(rig)) {
    throw new FileError(rig, new Error(`there is no character “${rig}”`), `There are ${listNames(characterNames)}. A rig of this site is opened by its address, which ends with .json.`);
  }
  try {
    return new URL(shipped.includes(rig) ? `${rig}/${rig}.rig2d.json` : rig, document.baseURI).href;
  } catch (cause) {
    throw new FileError(rig, new Error('this is no address', { cause }), `Name one of ${characters.join(', ')}, or the address of a .rig2d.json.`);
  }
}

/**
 * What an address asks for. What it does not name is left out, and what it names wrongly too, with a word about it.
 * @typedef {object} Wish
 * @property {string} rig
 * @property {string | null} clip
 * @property {number | null} time seconds
 * @property {boolean} play
 * @property {string | null} bone by name
 * @property {string} view of the stage
 * @property {ReturnType<typeof readPose>['pose']} pose set by hand
 * @property {string[]} hide parts, by name
 * @property {string[]} show
 * @property {Partial<import('./state.js').AppState>} state
 * @property {Unknown[]} unknown
 *
 * A value that means nothing.
 * @typedef {{ name: string, value: string, known: string }} Unknown known: what would mean something
 */

/**
 * @param {URLSearchParams} query
 * @returns {Wish}
 */
export function readAddress(query) {
  /** @type {Partial<import('./state.js').AppState>} */
  const state = {};
  /** @type {Unknown[]} */
  const unknown = [];
  take('stage', stageNames);
  take('tool', tools);
  take('axes', axes);
  take('facing', facings);
  take('theme', themes);
  take('backdrop', backdrops);
  takeNumber('speed', -8, 8);
  takeNumber('fade', 0, longestFade);
  takeNumber('heading', -360, 360);
  for (const name of /** @type {const} */ (['loop', 'ui'])) {
    if (query.has(name)) {
      state[name] = takeSwitch(name);
    }
  }
  if (query.has('overlay')) {
    const wanted = (query.get('overlay') ?? '').split(',').filter((each) => each !== '');
    state.overlay = overlayNames.filter((name) => wanted.includes(name));
    for (const value of wanted.filter((each) => !state.overlay?.some((name) => name === each))) {
      unknown.push({ name: 'overlay', value, known: overlayNames.join(', ') });
    }
  }
  const { pose, senseless } = readPose(query.get('pose') ?? '');
  unknown.push(...senseless.map((value) => ({ name: 'pose', value, known: knownPose })));
  return {
    rig: query.get('rig') || characters[0],
    clip: query.get('clip'),
    time: takeNumeric('t', 'seconds from 0', 0, Infinity),
    play: takeSwitch('play'),
    bone: query.get('bone'),
    view: query.get('view') ?? '',
    pose,
    hide: readParts(query.get('hide') ?? ''),
    show: readParts(query.get('show') ?? ''),
    state,
    unknown,
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
    } else if (value !== null) {
      unknown.push({ name, value, known: allowed.join(', ') });
    }
  }

  /** @param {'loop' | 'ui' | 'play'} name */
  function takeSwitch(name) {
    const value = query.get(name);
    if (value !== null && value !== '0' && value !== '1') {
      unknown.push({ name, value, known: ['0', '1'].join(', ') });
    }
    return value !== '0';
  }

  /** @param {'speed' | 'fade' | 'heading'} name @param {number} least @param {number} most */
  function takeNumber(name, least, most) {
    const value = takeNumeric(name, `numbers from ${least} to ${most}`, least, most);
    if (value !== null) {
      state[name] = Math.min(most, Math.max(least, value));
    }
  }

  /** @param {string} name @param {string} known @param {number} least @param {number} most */
  function takeNumeric(name, known, least, most) {
    const text = query.get(name);
    const value = number(text);
    if (text !== null && (value === null || value < least || value > most)) {
      unknown.push({ name, value: text, known });
    }
    return value;
  }
}

/**
 * What an address names that a rig does not have.
 * @param {Wish} wish
 * @param {import('marrow2d').Model} model
 * @returns {Unknown[]}
 */
export function strangersIn({ clip, bone, pose, hide, show }, model) {
  return [
    ...among('clip', clip === null ? [] : [clip], model.clips),
    ...among('bone', bone === null ? [] : [bone], model.bones),
    ...among('pose', pose.map(([name]) => name), model.bones),
    ...among('hide', hide, model.parts),
    ...among('show', show, model.parts),
  ];
}

/**
 * @param {string} name
 * @param {readonly string[]} values
 * @param {readonly { name: string }[]} those that are known
 * @returns {Unknown[]}
 */
function among(name, values, those) {
  const names = those.map((each) => each.name);
  return values.filter((value) => !names.includes(value)).map((value) => ({ name, value, known: listNames(names) || 'none, this rig has none' }));
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
  const text = readable(query);
  return text === '' ? '' : `?${text}`;

  /** @param {string} name @param {string} value empty: as on a fresh page */
  function setText(name, value) {
    if (value !== '') {
      query.set(name, value);
    }
  }
}

/**
 * A query as people can read it: commas, colons and slashes are fine there.
 * @param {URLSearchParams} query
 */
export function readable(query) {
  return query.toString().replaceAll('%2C', ',').replaceAll('%2F', '/').replaceAll('%3A', ':');
}
