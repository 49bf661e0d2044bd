// Banner, cloth on a pole: bones along the cloth, and waves that deform it between them.
import { Clip } from './clip.mjs';
import { Skeleton } from './skeleton.mjs';

const NAMES = ['cloth1', 'cloth2', 'cloth3', 'cloth4', 'cloth5', 'cloth6'];
/** Where the cloth begins, how far its joints are apart, how high it hangs. */
const [LEFT, STEP, MIDDLE] = [8, 54, -462];

const skeleton = new Skeleton([
  ['pole1', null, 0, 0],
  ['pole2', 'pole1', 0, -300],
  ...NAMES.map((name, i) => /** @type {[string, string, number, number]} */ ([name, i === 0 ? 'pole2' : NAMES[i - 1], LEFT + i * STEP, MIDDLE])),
]);

/** @type {Record<string, import('./rig.mjs').Skin>} */
const skins = {
  cloth: { cell: 29, chain: NAMES, radius: 30, end: [336, MIDDLE] },
  pole: { cell: 44, chain: ['pole1', 'pole2'], radius: 150, end: [0, -620] },
};

/**
 * @typedef {object} Wind
 * @property {number} duration
 * @property {number} waves that pass in it
 * @property {number} angle by which the last bone turns up and down
 * @property {number} droop of the cloth's far end; below 0 it is lifted
 * @property {number} pole bend of the pole, to the cloth's side
 * @property {{ size: number, length: number, waves: number, squeeze: number }} ripple waves in the cloth itself: how far they push, how
 *   long they are, how many pass, how much they shorten the cloth
 */

/**
 * @param {string} name
 * @param {Wind} wind
 * @param {import('./rig.mjs').RigPart[]} parts
 */
function blow(name, { duration, waves, angle, droop, pole, ripple }, parts) {
  const clip = new Clip(skeleton, { name, duration });
  const round = (/** @type {number} */ t, /** @type {number} */ late, count = waves) => Math.sin(2 * Math.PI * ((count * t) / duration - late));
  clip.motion('pole1', 'rz', (t) => pole * (0.35 + 0.25 * round(t, 0, 1)));
  clip.motion('pole2', 'rz', (t) => pole * (0.65 + 0.45 * round(t, 0.08, 1) + 0.15 * round(t, 0.3)));
  NAMES.forEach((bone, i) => {
    const part = i / (NAMES.length - 1);
    // The pole's bend does not lift the cloth: the first bone takes it back.
    const level = i === 0 ? -pole : 0;
    clip.motion(bone, 'rz', (t) => level + (droop / NAMES.length) * (0.4 + part) + angle * (0.25 + 0.75 * part) * round(t, 0.16 * i));
  });
  const cloth = /** @type {import('./rig.mjs').RigPart} */ (parts.find((each) => each.name === 'cloth'));
  const count = ripple.waves * 12;
  clip.deform('cloth', Array.from({ length: count + 1 }, (_, i) => ({
    t: (i * duration) / count,
    offsets: cloth.mesh.verts.flatMap(([x, y]) => {
      const along = Math.max(0, x - LEFT) / (STEP * NAMES.length);
      const phase = 2 * Math.PI * ((x - LEFT) / ripple.length - i / 12 + ((y - MIDDLE) / 232) * 0.16);
      return [-ripple.squeeze * along * (STEP * NAMES.length) * (0.6 + 0.4 * Math.sin(phase + 1)), ripple.size * Math.min(1, 0.25 * along + 1.1 * along ** 1.5) * Math.sin(phase)];
    }),
  })));
  return clip;
}

/**
 * @param {Skeleton} _
 * @param {import('./rig.mjs').RigPart[]} parts
 */
function makeClips(_, parts) {
  return [
    blow('sway', {
      duration: 3, waves: 1, angle: 0.1, droop: 0.34, pole: 0.012, ripple: { size: 9, length: 230, waves: 1, squeeze: 0.03 },
    }, parts),
    blow('storm', {
      duration: 1.2, waves: 2, angle: 0.085, droop: -0.05, pole: 0.06, ripple: { size: 27, length: 205, waves: 2, squeeze: 0.08 },
    }, parts),
  ];
}

export const banner = { folder: 'assets/banner', pageWidth: 512, skeleton, skins, makeClips };
