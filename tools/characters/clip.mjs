// A clip while it is made: curves of bones by hand, legs from foot paths, followers from springs; then the document.
import { fitKeys, keysThrough, valueAt } from './curve.mjs';
import { solveLeg } from './leg.mjs';
import { follow } from './follow.mjs';
import { guidOf } from '../document.mjs';

/** @typedef {import('./skeleton.mjs').Skeleton} Skeleton */
/** @typedef {import('./curve.mjs').Key} Key */
/** @typedef {import('./curve.mjs').Point} Point */
/** @typedef {{ x: number, y: number, pitch: number }} Foot where the ankle is, and how far the toes point down */

/** Samples a second of motion that is computed. */
const RATE = 240;
/** How far fitted curves may be off: radians, and rig units. */
const TOLERANCE = { angle: 0.0015, length: 0.05 };
const FIELDS = /** @type {const} */ (['x', 'y', 'rz', 'sx', 'sy']);

/** @param {number} value */
function rounded(value) {
  return Math.round(value * 1e4) / 1e4 + 0;
}

/** @param {Key} key */
function written({ t, v, inTangent, outTangent, inWeight, outWeight }) {
  return {
    t: rounded(t), v: rounded(v), inTangent: rounded(inTangent), outTangent: rounded(outTangent),
    ...(inWeight === undefined ? {} : { inWeight }), ...(outWeight === undefined ? {} : { outWeight }), tangentMode: 'free',
  };
}

export class Clip {
  /** Curves by bone and field, as the values that are added to the bind pose (scales: that multiply it).
   *  @type {Map<string, Key[]>} */
  #curves = new Map();
  /** @type {{ part: string, keys: [number, boolean][] }[]} */
  #visible = [];
  /** @type {{ part: string, keys: { t: number, offsets: number[] }[] }[]} */
  #deforms = [];
  /** @type {{ t: number, name: string, data?: unknown }[]} */
  #events = [];

  /**
   * @param {Skeleton} skeleton
   * @param {{ name: string, duration: number, loop?: boolean }} options
   */
  constructor(skeleton, { name, duration, loop = true }) {
    this.skeleton = skeleton;
    this.name = name;
    this.duration = duration;
    this.loop = loop;
  }

  /**
   * Curves of bones by hand: a number holds.
   * @param {string} bone
   * @param {Partial<Record<typeof FIELDS[number], number | Point[]>>} curves
   */
  bone(bone, curves) {
    for (const [field, value] of Object.entries(curves)) {
      /** @type {Point[]} */
      const points = typeof value === 'number' ? [[0, value]] : value;
      this.#curves.set(`${bone} ${field}`, keysThrough(points, this.loop ? this.duration : 0));
    }
  }

  /**
   * A curve from a function of time.
   * @param {string} bone
   * @param {typeof FIELDS[number]} field
   * @param {(t: number) => number} value
   */
  motion(bone, field, value) {
    const count = Math.round(this.duration * RATE);
    const samples = Array.from({ length: count + 1 }, (_, i) => value((i * this.duration) / count));
    const tolerance = field === 'rz' || field === 'sx' || field === 'sy' ? TOLERANCE.angle : TOLERANCE.length;
    this.#curves.set(`${bone} ${field}`, fitKeys(samples, this.duration / count, this.loop, tolerance));
  }

  /** What is moved: bones and fields. */
  get moved() {
    return [...this.#curves.keys()];
  }

  /**
   * Holds what others move and this clip does not, so that fading to it puts that back.
   * @param {string[]} moved
   */
  hold(moved) {
    for (const name of moved.filter((each) => !this.#curves.has(each))) {
      this.#curves.set(name, [{ t: 0, v: /s[xy]$/.test(name) ? 1 : 0, inTangent: 0, outTangent: 0 }]);
    }
  }

  /**
   * @param {string} bone
   * @param {typeof FIELDS[number]} field
   * @param {number} t
   */
  offset(bone, field, t) {
    const keys = this.#curves.get(`${bone} ${field}`);
    const rest = field === 'sx' || field === 'sy' ? 1 : 0;
    return keys === undefined ? rest : valueAt(keys, t);
  }

  /** @param {number} t */
  pose(t) {
    return this.skeleton.pose((name) => {
      const { x, y } = this.skeleton.bones[this.skeleton.indexOf(name)];
      return {
        x: x + this.offset(name, 'x', t), y: y + this.offset(name, 'y', t), rz: this.offset(name, 'rz', t),
        sx: this.offset(name, 'sx', t), sy: this.offset(name, 'sy', t),
      };
    });
  }

  /**
   * Turns a leg so that its foot goes where it should; call it when the hips' curves are there.
   * @param {[upper: string, lower: string, foot: string]} leg
   * @param {(t: number) => Foot} path
   */
  leg(leg, path) {
    const solved = (/** @type {number} */ t) => solveLeg(this.skeleton, this.pose(t), leg, path(t));
    leg.forEach((bone, i) => this.motion(bone, 'rz', (t) => solved(t)[i]));
  }

  /**
   * Lets bones follow the motion of what they hang on; call it last, from the root of a chain to its tip.
   * @param {import('./follow.mjs').Follower[]} followers
   */
  followers(followers) {
    follow(this, followers, RATE);
  }

  /**
   * @param {string} part
   * @param {[t: number, visible: boolean][]} keys
   */
  visible(part, keys) {
    this.#visible.push({ part, keys });
  }

  /**
   * @param {string} part
   * @param {{ t: number, offsets: number[] }[]} keys
   */
  deform(part, keys) {
    this.#deforms.push({ part, keys });
  }

  /**
   * @param {number} t
   * @param {string} name
   * @param {unknown} [data]
   */
  event(t, name, data) {
    this.#events.push({ t: rounded(t), name, ...(data === undefined ? {} : { data }) });
  }

  /**
   * @param {string} file its path in the repository, which its name is made of
   */
  document(file) {
    const tracks = [];
    for (const { name, x, y } of this.skeleton.bones) {
      for (const field of FIELDS) {
        const keys = this.#curves.get(`${name} ${field}`);
        if (keys !== undefined) {
          const rest = field === 'x' ? x : field === 'y' ? y : 0;
          const moved = keys.map((key) => written({ ...key, v: key.v + rest }));
          tracks.push({ path: this.skeleton.path(name), trait: 'Transform', field, type: 'number', keys: moved });
        }
      }
    }
    for (const { part, keys } of this.#visible) {
      const steps = keys.map(([t, on]) => ({ t: rounded(t), v: on ? 1 : 0, inTangent: 0, outTangent: 0, tangentMode: 'constant' }));
      tracks.push({ path: '', trait: 'Part', field: `${part}.visible`, type: 'boolean', keys: steps });
    }
    const deformTracks = this.#deforms.map(({ part, keys }) => ({
      path: '', part, keys: keys.map(({ t, offsets }) => ({ t: rounded(t), offsets: offsets.map((value) => Math.round(value * 100) / 100 + 0) })),
    }));
    return {
      id: guidOf(file), name: this.name, duration: this.duration, frameRate: 60, loop: this.loop, tracks,
      ...(deformTracks.length === 0 ? {} : { deformTracks }), ...(this.#events.length === 0 ? {} : { events: this.#events }),
    };
  }
}
