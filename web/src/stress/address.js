import { listNames } from '../names.js';
import { prefersStill, themes } from '../state.js';
import { characters } from '../url.js';

export const mostCharacters = 2000;
/** One mesh for all, or one view each. */
export const ways = /** @type {const} */ (['crowd', 'views']);
/** Stands for all clips of the rig, one after another. */
export const allClips = '';

/**
 * What the stress page shows.
 * @typedef {object} Stress
 * @property {string} rig one of ours
 * @property {number} n characters
 * @property {(typeof ways)[number]} as
 * @property {string} clip by name; `allClips`: all of them
 * @property {boolean} play
 * @property {(typeof themes)[number]} theme
 */

/** @returns {Stress} */
export function freshStress() {
  const theme = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
  return { rig: characters[0], n: 300, as: 'crowd', clip: allClips, play: !prefersStill(), theme };
}

/** @param {number} count */
export function clampCount(count) {
  return Math.min(mostCharacters, Math.max(1, Math.round(count)));
}

/**
 * What an address names wrongly, in words.
 * @param {URLSearchParams} query
 * @param {readonly string[]} clips of the rig that is shown
 * @returns {string[]}
 */
export function problemsIn(query, clips) {
  const rig = query.get('rig');
  const n = query.get('n');
  const isCount = n === null || (n.trim() !== '' && clampCount(Number(n)) === Number(n));
  return [
    ...(rig === null || oneOf(characters, rig) !== null ? [] : [`There is no character “${rig}” here: there are ${characters.join(', ')}.`]),
    ...(isCount ? [] : [`n=${n}: n can be a whole number from 1 to ${mostCharacters}.`]),
    ...among('as', ways), ...among('clip', [allClips, ...clips]), ...among('play', ['0', '1']), ...among('theme', themes),
  ];

  /** @param {string} name @param {readonly string[]} allowed */
  function among(name, allowed) {
    const value = query.get(name);
    return value === null || allowed.includes(value) ? [] : [`${name}=${value}: ${name} can be ${listNames(allowed.filter((each) => each !== allClips))}.`];
  }
}

/**
 * What an address asks for. What it does not name, or names wrongly, is as on a fresh page.
 * @param {URLSearchParams} query
 * @returns {Stress}
 */
export function readStress(query) {
  const fresh = freshStress();
  const n = Number(query.get('n') ?? fresh.n);
  return {
    rig: oneOf(characters, query.get('rig')) ?? fresh.rig,
    n: Number.isFinite(n) ? clampCount(n) : fresh.n,
    as: oneOf(ways, query.get('as')) ?? fresh.as,
    clip: query.get('clip') ?? fresh.clip,
    play: fresh.play && query.get('play') !== '0',
    theme: oneOf(themes, query.get('theme')) ?? fresh.theme,
  };
}

/**
 * @param {Stress} stress
 * @param {Stress} fresh
 */
export function writeStress({ rig, n, as, clip, play, theme }, fresh) {
  const query = new URLSearchParams({ rig, n: String(n), as });
  if (clip !== allClips) {
    query.set('clip', clip);
  }
  if (!play) {
    query.set('play', '0');
  }
  if (theme !== fresh.theme) {
    query.set('theme', theme);
  }
  return `?${query}`;
}

/**
 * @template {string} T
 * @param {readonly T[]} allowed
 * @param {string | null} value
 */
function oneOf(allowed, value) {
  return allowed.find((each) => each === value) ?? null;
}
