// What Kit does. Turns are added to the bind pose: above 0 leans forward, nods, turns the tail up and arms and legs back.
import { Clip } from './clip.mjs';
import { footPath } from './leg.mjs';

/** @typedef {import('./skeleton.mjs').Skeleton} Skeleton */
/** @typedef {import('./curve.mjs').Point} Point */

const LEGS = /** @type {const} */ ({ L: ['upperLeg.L', 'lowerLeg.L', 'foot.L'], R: ['upperLeg.R', 'lowerLeg.R', 'foot.R'] });
/** The sole from the ankle: where the heel rolls, where the toes roll, how far down the ground is. */
const SOLE = { heel: -24, toe: 58, ground: 38 };
/** Rig units a second squared: what is thrown falls at this. */
const GRAVITY = 2600;

/**
 * @param {number} wind that the scarf feels
 * @param {number} swing how lively all of it is
 * @returns {import('./follow.mjs').Follower[]}
 */
function followers(wind = 0, swing = 1) {
  return [
    { bone: 'tail1', frequency: 2.6, damping: 0.5, arm: [-74, 4], gain: 0.25 * swing },
    { bone: 'tail2', frequency: 2.2, damping: 0.4, arm: [-74, -38], gain: 0.3 * swing },
    { bone: 'tail3', frequency: 2, damping: 0.36, arm: [-32, -80], gain: 0.3 * swing },
    { bone: 'tail4', frequency: 2, damping: 0.34, arm: [28, -112], gain: 0.3 * swing },
    { bone: 'ear.L', frequency: 4.2, damping: 0.34, arm: [30, -110], gain: 0.6 * swing },
    { bone: 'ear.R', frequency: 3.8, damping: 0.32, arm: [-26, -130], gain: 0.6 * swing },
    { bone: 'scarf1', frequency: 1.7, damping: 0.4, arm: [-24, 50], gain: 0.5 * swing, wind },
    { bone: 'scarf2', frequency: 1.9, damping: 0.36, arm: [-20, 60], gain: 0.5 * swing, wind: wind * 0.6 },
  ];
}

/**
 * A wave with a period that fits into the clip.
 * @param {Clip} clip
 * @param {number} amplitude
 * @param {number} rounds in the clip
 * @param {number} late part of a round by which it lags
 * @param {number} middle
 */
function wave(clip, amplitude, rounds, late, middle = 0) {
  return (/** @type {number} */ t) => middle + amplitude * Math.sin(2 * Math.PI * ((rounds * t) / clip.duration - late));
}

/**
 * Lets the tail sway, each bone later than the one before.
 * @param {Clip} clip
 * @param {{ amplitude: number, rounds: number, lag?: number, middle?: number[] }} sway
 */
function swayTail(clip, { amplitude, rounds, lag = 0.11, middle = [0, 0, 0, 0] }) {
  for (let i = 0; i < 4; i++) {
    clip.motion(`tail${i + 1}`, 'rz', wave(clip, amplitude * (0.6 + 0.25 * i), rounds, lag * i, middle[i]));
  }
}

/**
 * Which of the eyes show: closed for a moment at each of the times.
 * @param {Clip} clip
 * @param {number[]} times
 */
function blink(clip, times) {
  /** @type {[number, boolean][]} */
  const open = [[0, true]];
  for (const t of times) {
    open.push([t, false], [t + 0.12, true]);
  }
  clip.visible('eyesOpen', open);
  clip.visible('eyesClosed', open.map(([t, on]) => [t, !on]));
  clip.visible('eyesHappy', [[0, false]]);
  clip.visible('mouthOpen', [[0, false]]);
}

/**
 * Happy eyes and an open mouth from one time to another.
 * @param {Clip} clip
 * @param {number} from
 * @param {number} to
 * @param {number[]} blinks at other times
 */
function laugh(clip, from, to, blinks = []) {
  const steps = [...blinks.flatMap((t) => [[t, 'Closed'], [t + 0.12, 'Open']]), [from, 'Happy'], [to, 'Open']];
  const sorted = /** @type {[number, string][]} */ ([[0, 'Open'], ...steps].sort((a, b) => Number(a[0]) - Number(b[0])));
  for (const eyes of ['Open', 'Closed', 'Happy']) {
    clip.visible(`eyes${eyes}`, sorted.map(([t, shown]) => [t, shown === eyes]));
  }
  clip.visible('mouthOpen', [[0, false], [from, true], [to, false]]);
}

/**
 * Both feet where they stand in the bind pose.
 * @param {Clip} clip
 */
function stand(clip) {
  for (const leg of [LEGS.L, LEGS.R]) {
    const [x, y] = clip.skeleton.joint(leg[2]);
    clip.leg([...leg], () => ({ x, y, pitch: 0 }));
  }
}

/**
 * The scarf's end ripples while it sways.
 * @param {Clip} clip
 * @param {import('./rig.mjs').RigPart[]} parts
 * @param {number} amplitude
 * @param {number} rounds
 */
function rippleScarf(clip, parts, amplitude, rounds) {
  const part = parts.find(({ name }) => name === 'scarfEnd');
  const [x0, y0] = clip.skeleton.joint('scarf1');
  // Along the cloth, and across it.
  const along = [-0.38, 0.925];
  const count = rounds * 8;
  const keys = Array.from({ length: count + 1 }, (_, i) => ({
    t: (i * clip.duration) / count,
    offsets: (part?.mesh.verts ?? []).flatMap(([x, y]) => {
      const s = Math.max(0, (x - x0) * along[0] + (y - y0) * along[1]) / 115;
      const push = amplitude * s * Math.sin(2 * Math.PI * (s * 0.9 - i / 8));
      return [push * along[1], -push * along[0]];
    }),
  }));
  clip.deform('scarfEnd', keys);
}

/** @param {Skeleton} skeleton @param {import('./rig.mjs').RigPart[]} parts */
function idle(skeleton, parts) {
  const clip = new Clip(skeleton, { name: 'idle', duration: 4 });
  const breath = (/** @type {number} */ amplitude, /** @type {number} */ late, middle = 0) => wave(clip, amplitude, 2, 0.25 + late, middle);
  clip.motion('hips', 'y', breath(-1.6, 0, 6));
  clip.bone('hips', { x: [[0, -2], [2, 3], [4, -2]], rz: [[0, 0.012], [2, -0.018], [4, 0.012]] });
  clip.bone('spine', { rz: [[0, -0.01], [2, 0.02], [4, -0.01]] });
  clip.motion('chest', 'y', breath(-2, 0.04));
  clip.motion('chest', 'sx', breath(0.018, 0.04, 1));
  clip.motion('chest', 'rz', breath(-0.014, 0.05, 0.01));
  clip.motion('neck', 'rz', breath(0.012, 0.1));
  clip.bone('head', { rz: [[0, 0.01], [0.9, -0.025], [1.7, -0.02], [2.15, -0.085, { in: 0.6 }], [3, -0.075], [3.5, 0.02, { in: 0.5 }], [4, 0.01]] });
  clip.bone('brows', { y: [[0, 0], [1.95, 0], [2.2, -5, { in: 0.6 }], [3, -4], [3.4, 0], [4, 0]] });
  clip.motion('upperArm.R', 'rz', breath(0.03, 0.1, 0.1));
  clip.motion('lowerArm.R', 'rz', breath(0.04, 0.16, -0.26));
  clip.motion('hand.R', 'rz', breath(0.05, 0.22, -0.06));
  clip.motion('upperArm.L', 'rz', breath(0.03, 0.13, -0.3));
  clip.motion('lowerArm.L', 'rz', breath(0.04, 0.19, -0.34));
  clip.motion('hand.L', 'rz', breath(0.05, 0.25, -0.1));
  clip.bone('ear.R', { rz: [[0, 0], [2.55, 0], [2.63, -0.24], [2.74, 0.08], [2.82, -0.18], [3, 0], [4, 0]] });
  clip.bone('ear.L', { rz: [[0, 0], [1.95, 0], [2.25, 0.08], [3.1, 0.06], [3.5, 0], [4, 0]] });
  swayTail(clip, { amplitude: 0.075, rounds: 2, middle: [-0.03, -0.05, -0.04, 0] });
  stand(clip);
  clip.bone('scarf1', { rz: [[0, 0.02], [2, -0.04], [4, 0.02]] });
  clip.bone('scarf2', { rz: [[0, -0.02], [2, 0.05], [4, -0.02]] });
  clip.followers(followers());
  rippleScarf(clip, parts, 3, 2);
  blink(clip, [1.25, 3.2, 3.44]);
  return clip;
}

/**
 * What walking and running share: the feet go first, the rest follows them.
 * @param {Clip} clip
 * @param {import('./leg.mjs').Gait} gait
 */
function gaitFeet(clip, gait) {
  // Moving, the feet go closer to one line than they stand.
  for (const [side, phase, inwards] of /** @type {const} */ ([['R', 0, 14], ['L', 0.5, -14]])) {
    const leg = LEGS[side];
    const [x, y] = clip.skeleton.joint(leg[2]);
    clip.leg([...leg], footPath(gait, [x + inwards, y], SOLE, phase));
    clip.event(phase * gait.duration, 'step', { foot: side, speed: gait.speed });
  }
}

/** @param {Skeleton} skeleton @param {import('./rig.mjs').RigPart[]} parts */
function walk(skeleton, parts) {
  const clip = new Clip(skeleton, { name: 'walk', duration: 0.84 });
  // Highest over the standing leg, lowest when the other one has just come down and takes over.
  clip.motion('hips', 'y', wave(clip, 5.5, 2, -0.13, 9.5));
  clip.motion('hips', 'x', wave(clip, 2, 2, 0.05, 2));
  clip.motion('hips', 'rz', wave(clip, 0.03, 1, 0.2, 0.03));
  clip.motion('spine', 'rz', wave(clip, 0.03, 2, -0.08, 0.03));
  clip.motion('chest', 'rz', wave(clip, 0.035, 1, 0.7, 0.02));
  clip.motion('neck', 'rz', wave(clip, 0.025, 2, 0.44, -0.03));
  clip.motion('head', 'rz', wave(clip, 0.035, 2, 0.12, -0.05));
  clip.motion('head', 'y', wave(clip, 1.5, 2, -0.05));
  // The near foot comes down at 0: its arm is back then.
  for (const [side, late, middle] of /** @type {const} */ ([['R', 0.75, 0], ['L', 0.25, -0.22]])) {
    clip.motion(`upperArm.${side}`, 'rz', wave(clip, 0.55, 1, late, middle));
    clip.motion(`lowerArm.${side}`, 'rz', wave(clip, 0.26, 1, late + 0.09, -0.48));
    clip.motion(`hand.${side}`, 'rz', wave(clip, 0.2, 1, late + 0.17, -0.05));
  }
  clip.bone('brows', { y: -1 });
  clip.bone('ear.L', { rz: -0.04 });
  clip.bone('ear.R', { rz: -0.06 });
  clip.motion('scarf1', 'rz', wave(clip, 0.06, 2, 0.1));
  clip.motion('scarf2', 'rz', wave(clip, 0.1, 2, 0.3));
  swayTail(clip, { amplitude: 0.08, rounds: 1, middle: [-0.02, -0.06, -0.06, -0.04] });
  gaitFeet(clip, {
    duration: 0.84, speed: 200, stance: 0.58, reach: 44, lift: 16, strike: -0.38, flatAt: 0.16, liftAt: 0.5, push: 0.78, swing: 0.05,
  });
  clip.followers(followers(0.3));
  rippleScarf(clip, parts, 5, 2);
  blink(clip, []);
  return clip;
}

/** @param {Skeleton} skeleton @param {import('./rig.mjs').RigPart[]} parts */
function run(skeleton, parts) {
  const clip = new Clip(skeleton, { name: 'run', duration: 0.56 });
  const stance = 0.27;
  // Between two steps the body is thrown; on the ground the leg is a spring, lowest in the middle, with the same speed at both ends.
  const flight = (0.5 - stance) * clip.duration;
  const contact = stance * clip.duration;
  const takeOff = (GRAVITY * flight) / 2;
  clip.motion('hips', 'y', (t) => {
    const inStep = t % (clip.duration / 2);
    if (inStep < contact) {
      return 15 + ((takeOff * contact) / Math.PI) * Math.sin((Math.PI * inStep) / contact);
    }
    const s = inStep - contact;
    return 15 - takeOff * s + (GRAVITY * s * s) / 2;
  });
  clip.motion('hips', 'x', wave(clip, 3, 2, 0.1, 4));
  clip.motion('hips', 'rz', wave(clip, 0.05, 1, 0.2, 0.12));
  clip.motion('spine', 'rz', wave(clip, 0.04, 2, 0.4, 0.1));
  clip.motion('chest', 'rz', wave(clip, 0.06, 1, 0.7, 0.06));
  clip.motion('neck', 'rz', wave(clip, 0.04, 2, 0.1, -0.08));
  clip.motion('head', 'rz', wave(clip, 0.05, 2, 0.25, -0.16));
  for (const [side, late, middle] of /** @type {const} */ ([['R', 0.75, 0.2], ['L', 0.25, -0.1]])) {
    clip.motion(`upperArm.${side}`, 'rz', wave(clip, 0.95, 1, late, middle));
    clip.motion(`lowerArm.${side}`, 'rz', wave(clip, 0.3, 1, late + 0.1, -1.35));
    clip.motion(`hand.${side}`, 'rz', wave(clip, 0.25, 1, late + 0.18, -0.15));
  }
  clip.bone('brows', { y: 3, rz: 0.05 });
  clip.bone('ear.L', { rz: -0.16 });
  clip.bone('ear.R', { rz: -0.2 });
  clip.motion('scarf1', 'rz', wave(clip, 0.1, 2, 0.1));
  clip.motion('scarf2', 'rz', wave(clip, 0.16, 2, 0.35));
  swayTail(clip, { amplitude: 0.05, rounds: 2, lag: 0.14, middle: [0.1, -0.1, -0.16, -0.2] });
  gaitFeet(clip, {
    duration: 0.56, speed: 460, stance, reach: 26, lift: 26, strike: -0.18, flatAt: 0.15, liftAt: 0.4, push: 0.9, swing: 0.1,
    kick: { back: 112, up: -4, pitch: 0.4 },
  });
  clip.followers(followers(0.85, 0.5));
  rippleScarf(clip, parts, 9, 2);
  blink(clip, []);
  return clip;
}

/** @param {Skeleton} skeleton @param {import('./rig.mjs').RigPart[]} parts */
function waveHand(skeleton, parts) {
  const clip = new Clip(skeleton, { name: 'wave', duration: 2.8 });
  const swings = /** @type {Point[]} */ ([0.72, 0.92, 1.12, 1.32, 1.52, 1.72].map((t, i) => [t, i % 2 === 0 ? 0.48 : -0.14]));
  clip.bone('hips', { x: [[0, 0], [0.2, 3], [0.6, -5], [1.9, -4], [2.4, 1], [2.8, 0]], rz: [[0, 0], [0.6, -0.03], [1.9, -0.03], [2.5, 0], [2.8, 0]] });
  clip.bone('hips', { y: [[0, 6], [0.22, 13, { out: 0.5 }], [0.55, 3, { in: 0.6 }], [0.92, 7], [1.32, 4], [1.72, 7], [2.1, 4], [2.4, 8], [2.8, 6]] });
  clip.bone('spine', { rz: [[0, 0], [0.2, 0.05], [0.6, -0.07, { in: 0.6 }], [1.9, -0.06], [2.4, 0.02], [2.8, 0]] });
  clip.bone('chest', { y: 0, rz: [[0, 0.01], [0.2, 0.06], [0.62, -0.06, { in: 0.6 }], [1.95, -0.05], [2.4, 0.03], [2.8, 0.01]], sx: 1 });
  clip.bone('neck', { rz: [[0, 0], [0.25, 0.03], [0.7, -0.03], [2, -0.02], [2.8, 0]] });
  clip.bone('head', {
    rz: [[0, 0], [0.26, 0.08], [0.7, -0.1, { in: 0.6 }], [1, -0.03], [1.3, -0.1], [1.6, -0.04], [1.9, -0.09], [2.45, 0.03], [2.8, 0]],
    y: [[0, 0], [2.8, 0]],
  });
  clip.bone('brows', { y: [[0, 0], [0.25, 2], [0.6, -7, { in: 0.6 }], [1.9, -6], [2.4, 0], [2.8, 0]] });
  clip.bone('upperArm.L', {
    rz: [[0, -0.3], [0.24, -0.08], [0.62, -2.02, { in: 0.7 }], [0.82, -1.92], [1.22, -2], [1.62, -1.92], [1.86, -2], [2.4, -0.22, { in: 0.5 }], [2.8, -0.3]],
    sy: [[0, 1], [0.24, 1], [0.62, 1.14], [1.86, 1.14], [2.4, 1], [2.8, 1]],
  });
  clip.bone('lowerArm.L', { rz: [[0, -0.34], [0.3, -0.6], [0.52, -0.5], ...swings, [1.95, -0.1], [2.45, -0.42], [2.8, -0.34]] });
  clip.bone('hand.L', { rz: [[0, -0.1], [0.4, 0.25], .../** @type {Point[]} */ (swings.map(([t], i) => [t + 0.07, i % 2 === 0 ? 0.28 : -0.32])), [2.1, 0.25], [2.8, -0.1]] });
  clip.bone('upperArm.R', { rz: [[0, 0.1], [0.3, -0.02], [0.7, 0.3], [1.9, 0.26], [2.5, 0.06], [2.8, 0.1]] });
  clip.bone('lowerArm.R', { rz: [[0, -0.26], [0.75, -0.6], [1.95, -0.54], [2.55, -0.2], [2.8, -0.26]] });
  clip.bone('hand.R', { rz: [[0, -0.06], [0.85, -0.3], [2, -0.26], [2.8, -0.06]] });
  clip.bone('ear.L', { rz: [[0, 0], [0.5, 0.1], [1.9, 0.08], [2.4, 0], [2.8, 0]] });
  clip.bone('ear.R', { rz: [[0, 0], [0.55, 0.08], [1.9, 0.06], [2.4, 0], [2.8, 0]] });
  clip.bone('scarf1', { rz: 0 });
  clip.bone('scarf2', { rz: 0 });
  swayTail(clip, { amplitude: 0.085, rounds: 4, middle: [0, -0.05, -0.05, 0] });
  stand(clip);
  clip.followers(followers());
  rippleScarf(clip, parts, 3, 2);
  laugh(clip, 0.5, 2.05, [0.14, 2.5]);
  return clip;
}

/** @param {Skeleton} skeleton @param {import('./rig.mjs').RigPart[]} parts */
function jump(skeleton, parts) {
  const clip = new Clip(skeleton, { name: 'jump', duration: 1.7, loop: false });
  const [leave, land] = [0.46, 1.08];
  const speed = (GRAVITY * (land - leave)) / 2;
  // From the feet's leaving to their landing the root is thrown; before and after, the hips do the work.
  clip.motion('root', 'y', (t) => (t > leave && t < land ? -speed * (t - leave) + (GRAVITY * (t - leave) * (t - leave)) / 2 : 0));
  clip.bone('hips', {
    x: [[0, 0], [0.28, -5], [0.46, 4], [0.8, 0], [1.2, -3], [1.7, 0]],
    y: [[0, 6], [0.1, 4], [0.3, 47, { in: 0.5, out: 0.45 }], [0.46, -1, { slope: -340, in: 0.2 }], [0.6, -1], [0.98, 3], [1.08, 8, { slope: 380 }], [1.22, 46, { in: 0.5 }], [1.46, 3, { in: 0.5 }], [1.6, 7], [1.7, 6]],
    rz: [[0, 0], [0.28, 0.14], [0.48, 0.02], [0.8, -0.03], [1.2, 0.12], [1.5, -0.01], [1.7, 0]],
  });
  clip.bone('spine', { rz: [[0, 0], [0.28, 0.22], [0.5, -0.08], [0.85, 0.04], [1.22, 0.2], [1.5, -0.03], [1.7, 0]] });
  clip.bone('chest', {
    y: 0, rz: [[0, 0.01], [0.3, 0.16], [0.52, -0.08], [0.85, 0.02], [1.25, 0.14], [1.53, -0.02], [1.7, 0.01]],
    // Squashed as it gathers and as it lands, stretched as it leaves: about as much one way as it gives the other.
    sx: [[0, 1], [0.3, 1.05], [0.5, 0.94, { in: 0.5 }], [0.8, 1], [1.06, 0.96], [1.22, 1.08, { in: 0.5 }], [1.46, 0.98], [1.7, 1]],
    sy: [[0, 1], [0.3, 0.94], [0.5, 1.07, { in: 0.5 }], [0.8, 1], [1.06, 1.05], [1.22, 0.91, { in: 0.5 }], [1.46, 1.03], [1.7, 1]],
  });
  clip.bone('neck', { rz: [[0, 0], [0.3, -0.12], [0.55, -0.02], [1.02, 0], [1.25, -0.06], [1.55, 0.01], [1.7, 0]] });
  clip.bone('head', {
    rz: [[0, 0], [0.3, -0.2], [0.5, -0.12], [0.8, 0.05], [1.05, 0.02], [1.26, -0.02], [1.34, -0.1], [1.55, 0.01], [1.7, 0]],
    y: [[0, 0], [0.3, 2], [0.48, 0], [1.08, 0], [1.2, 4], [1.4, -1], [1.7, 0]],
  });
  clip.bone('brows', { y: [[0, 0], [0.26, 5], [0.5, -7, { in: 0.6 }], [1.05, -6], [1.2, 2], [1.5, 0], [1.7, 0]] });
  clip.bone('upperArm.R', { rz: [[0, 0.1], [0.3, 0.95, { in: 0.5 }], [0.42, 0.7], [0.62, 1.5, { in: 0.6 }], [0.85, 1.38], [1.08, 1.55], [1.28, 0.35], [1.48, -0.02], [1.7, 0.1]] });
  clip.bone('lowerArm.R', { rz: [[0, -0.26], [0.32, -0.2], [0.5, -0.5], [0.68, 0.15], [0.9, 0], [1.12, 0.2], [1.32, -0.7], [1.54, -0.2], [1.7, -0.26]] });
  clip.bone('hand.R', { rz: [[0, -0.06], [0.36, 0.3], [0.54, -0.4], [0.74, 0.4], [1, 0.1], [1.18, 0.3], [1.4, -0.3], [1.7, -0.06]] });
  clip.bone('upperArm.L', { rz: [[0, -0.3], [0.3, 0.7, { in: 0.5 }], [0.56, -1.95, { in: 0.6 }], [0.85, -1.8], [1.08, -2], [1.28, -0.6], [1.48, -0.2], [1.7, -0.3]], sy: 1 });
  clip.bone('lowerArm.L', { rz: [[0, -0.34], [0.32, -0.2], [0.46, -0.6], [0.66, 0.2], [0.9, 0.1], [1.12, 0.3], [1.32, -0.8], [1.54, -0.28], [1.7, -0.34]] });
  clip.bone('hand.L', { rz: [[0, -0.1], [0.36, 0.25], [0.52, 0.4], [0.72, -0.3], [1, 0], [1.18, -0.2], [1.4, -0.25], [1.7, -0.1]] });
  clip.bone('ear.L', { rz: [[0, 0], [0.28, -0.12], [0.5, -0.1], [0.9, 0.06], [1.2, -0.05], [1.5, 0], [1.7, 0]] });
  clip.bone('ear.R', { rz: [[0, 0], [0.28, -0.16], [0.5, -0.12], [0.9, 0.08], [1.2, -0.06], [1.5, 0], [1.7, 0]] });
  clip.bone('tail1', { rz: [[0, 0], [0.3, 0.12], [0.55, -0.2], [0.9, 0.1], [1.1, 0.14], [1.3, -0.06], [1.5, 0.02], [1.7, 0]] });
  clip.bone('tail2', { rz: [[0, 0], [0.34, 0.08], [0.6, -0.14], [0.95, 0.06], [1.16, 0.08], [1.36, -0.06], [1.7, 0]] });
  clip.bone('tail3', { rz: 0 });
  clip.bone('tail4', { rz: 0 });
  clip.bone('scarf1', { rz: 0 });
  clip.bone('scarf2', { rz: 0 });
  // In the air the feet hang under the hips, are drawn up, and reach for the ground.
  const feet = [new Clip(skeleton, { name: 'feet', duration: 1.7, loop: false }), new Clip(skeleton, { name: 'feet', duration: 1.7, loop: false })];
  feet[0].bone('root', { x: [[0, 0], [leave, 0], [0.76, 14], [land, 0]], y: [[0, 0], [leave, 0], [0.62, -8], [0.8, -44], [1, -8], [land, 0]], rz: [[0, 0], [0.38, 0], [leave, 0.55, { slope: 3 }], [0.56, 0.75], [0.82, 0.3], [1.02, -0.12], [land, 0]] });
  feet[1].bone('root', { x: [[0, 0], [leave, 0], [0.7, -22], [land, 0]], y: [[0, 0], [leave, 0], [0.6, -10], [0.78, -58], [1, -8], [land, 0]], rz: [[0, 0], [0.38, 0], [leave, 0.55, { slope: 3 }], [0.58, 0.85], [0.82, 0.6], [1.02, -0.12], [land, 0]] });
  for (const [i, leg] of [LEGS.L, LEGS.R].entries()) {
    const [x, y] = skeleton.joint(leg[2]);
    clip.leg([...leg], (t) => {
      const pitch = feet[i].offset('root', 'rz', t);
      const rise = t < leave ? t : leave;
      // Until they leave, the feet turn about their toes.
      const held = feet[i].offset('root', 'rz', rise);
      const [cos, sin] = [Math.cos(held), Math.sin(held)];
      const air = clip.offset('root', 'y', t);
      const faded = t < leave ? 1 : Math.max(0, 1 - (t - leave) / 0.3);
      const [rx, ry] = [SOLE.toe - cos * SOLE.toe + sin * SOLE.ground, SOLE.ground - sin * SOLE.toe - cos * SOLE.ground];
      return { x: x + feet[i].offset('root', 'x', t) + rx * faded, y: y + air + feet[i].offset('root', 'y', t) + ry * faded, pitch };
    });
  }
  clip.followers(followers(0, 0.4));
  rippleScarf(clip, parts, 4, 2);
  laugh(clip, 0.5, 1.1, [1.13]);
  clip.event(land, 'land');
  return clip;
}

/** @param {Skeleton} skeleton @param {import('./rig.mjs').RigPart[]} parts */
function sit(skeleton, parts) {
  const clip = new Clip(skeleton, { name: 'sit', duration: 4 });
  const breath = (/** @type {number} */ amplitude, /** @type {number} */ late, middle = 0) => wave(clip, amplitude, 2, 0.25 + late, middle);
  clip.bone('hips', { x: -38, y: 124, rz: -0.12 });
  clip.motion('spine', 'rz', breath(-0.012, 0, 0.06));
  clip.motion('chest', 'y', breath(-2, 0.04));
  clip.motion('chest', 'sx', breath(0.018, 0.04, 1));
  clip.motion('chest', 'rz', breath(-0.016, 0.05, 0.08));
  clip.motion('neck', 'rz', breath(0.014, 0.1));
  clip.bone('head', { rz: [[0, 0.02], [0.8, -0.04], [1.4, 0.03], [2, -0.14, { in: 0.6 }], [2.9, -0.12], [3.4, 0.03], [4, 0.02]] });
  clip.bone('brows', { y: [[0, 0], [1.7, 0], [2, -6], [2.9, -5], [3.3, 0], [4, 0]] });
  clip.motion('upperArm.R', 'rz', breath(0.02, 0.1, -0.38));
  clip.motion('lowerArm.R', 'rz', breath(0.02, 0.14, -0.5));
  clip.motion('hand.R', 'rz', breath(0.03, 0.2, -0.2));
  clip.motion('upperArm.L', 'rz', breath(0.02, 0.12, -0.62));
  clip.motion('lowerArm.L', 'rz', breath(0.02, 0.16, -0.5));
  clip.motion('hand.L', 'rz', breath(0.03, 0.22, -0.2));
  clip.bone('ear.R', { rz: [[0, 0], [1.2, 0], [1.28, -0.22], [1.4, 0.06], [1.6, 0], [4, 0]] });
  clip.bone('ear.L', { rz: [[0, 0], [1.75, 0], [2.05, 0.1], [2.9, 0.08], [3.4, 0], [4, 0]] });
  clip.bone('scarf1', { rz: 0 });
  clip.bone('scarf2', { rz: 0 });
  swayTail(clip, { amplitude: 0.09, rounds: 2, middle: [0.16, 0.06, 0, 0] });
  // The feet rest on their heels and wag to their own song.
  for (const [side, x, late] of /** @type {const} */ ([['R', 88, 0], ['L', 128, 0.5]])) {
    const rest = skeleton.joint(`foot.${side}`);
    const wag = wave(clip, 0.14, 4, late, -1.0);
    clip.leg([...LEGS[side]], (t) => {
      const pitch = wag(t);
      const [cos, sin] = [Math.cos(pitch), Math.sin(pitch)];
      const ground = rest[1] + SOLE.ground;
      return { x: x + cos * -SOLE.heel + sin * SOLE.ground, y: ground + sin * -SOLE.heel - cos * SOLE.ground, pitch };
    });
  }
  clip.followers(followers());
  rippleScarf(clip, parts, 3, 2);
  blink(clip, [0.9, 3.15]);
  return clip;
}

/**
 * @param {Skeleton} skeleton
 * @param {import('./rig.mjs').RigPart[]} parts
 */
export function makeKitClips(skeleton, parts) {
  const clips = [idle, walk, run, waveHand, jump, sit].map((make) => make(skeleton, parts));
  const moved = clips.flatMap((clip) => clip.moved);
  clips.forEach((clip) => clip.hold(moved));
  return clips;
}
