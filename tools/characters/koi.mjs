// Koi, a fish from above: one mesh on one chain, along which waves travel from the head to the tail.
import { Clip } from './clip.mjs';
import { Skeleton } from './skeleton.mjs';

/** Joints lie this far apart, from the first one on. */
const STEP = 48;
const FIRST = 110;
const NAMES = ['head', 'spine1', 'spine2', 'spine3', 'spine4', 'tail', 'fin'];

const skeleton = new Skeleton(NAMES.map((name, i) => [name, i === 0 ? null : NAMES[i - 1], FIRST - i * STEP, 0]));

/** @type {Record<string, import('./rig.mjs').Skin>} */
const skins = { koi: { cell: 23, chain: NAMES, radius: 26, end: [-246, 0] } };

/** Where the near breast fin is hinged; the far one is its mirror image. */
const HINGE = { x: 110, y: 50 };

/** @param {number} from @param {number} to @param {number} x */
function smooth(from, to, x) {
  const t = Math.min(1, Math.max(0, (x - from) / (to - from)));
  return t * t * (3 - 2 * t);
}

/**
 * Offsets that turn the breast fins towards the tail; below 0, towards the head.
 * @param {import('./rig.mjs').RigPart[]} parts
 * @param {number} near
 * @param {number} far
 */
function foldFins(parts, near, far) {
  return parts[0].mesh.verts.flatMap(([x, y]) => {
    const side = y < 0 ? -1 : 1;
    const share = smooth(50, 78, y * side) * smooth(0, 30, x) * (1 - smooth(135, 160, x));
    const angle = share * side * (side < 0 ? far : near);
    const [dx, dy] = [x - HINGE.x, y - side * HINGE.y];
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    return [cos * dx - sin * dy - dx, sin * dx + cos * dy - dy];
  });
}

/**
 * Bends the chain along a curve: how far each joint is to the side, from the middle of the fish.
 * @param {Clip} clip
 * @param {(part: number, t: number) => number} sideways part of the way from the first joint to the end of the last bone
 */
function bendAlong(clip, sideways) {
  const turn = (/** @type {number} */ i, /** @type {number} */ t) =>
    -Math.asin(Math.max(-0.95, Math.min(0.95, (sideways((i + 1) / NAMES.length, t) - sideways(i / NAMES.length, t)) / STEP)));
  clip.motion('head', 'y', (t) => sideways(0, t));
  NAMES.forEach((name, i) => clip.motion(name, 'rz', (t) => turn(i, t) - (i === 0 ? 0 : turn(i - 1, t))));
}

/** @param {import('./rig.mjs').RigPart[]} parts */
function swim(parts) {
  const clip = new Clip(skeleton, { name: 'swim', duration: 1.4 });
  bendAlong(clip, (part, t) => (6 + 4 * part + 36 * part * part) * Math.sin(2 * Math.PI * (t / 1.4 - part * 0.85)));
  clip.bone('head', { x: [[0, 0], [0.35, 3], [0.7, 0], [1.05, 3], [1.4, 0]] });
  const count = 8;
  clip.deform('koi', Array.from({ length: count + 1 }, (_, i) => {
    const round = (2 * Math.PI * i) / count;
    return { t: (i * 1.4) / count, offsets: foldFins(parts, 0.04 + 0.17 * Math.sin(round), 0.04 - 0.17 * Math.sin(round)) };
  }));
  return clip;
}

/** @param {import('./rig.mjs').RigPart[]} parts */
function dart(parts) {
  const clip = new Clip(skeleton, { name: 'dart', duration: 1.8, loop: false });
  // It curls up, uncurls with a few strong beats that die away, and glides.
  const curl = (/** @type {number} */ t) => smooth(0, 0.3, t) * (1 - smooth(0.3, 0.46, t));
  const beats = (/** @type {number} */ t) => smooth(0.3, 0.42, t) * (1 - smooth(0.5, 1.25, t));
  const calm = (/** @type {number} */ t) => 1 - smooth(0, 0.2, t) + smooth(1.2, 1.8, t);
  bendAlong(clip, (part, t) => {
    const rest = 3 * part * Math.sin(2 * Math.PI * (0.1 - part * 0.85)) * calm(t);
    const beat = (10 + 10 * part + 50 * part * part) * beats(t) * Math.sin(2 * Math.PI * ((t - 0.3) / 0.26 + 0.2 - part * 0.8));
    return rest + beat + curl(t) * (-34 + 150 * (part - 0.35) * (part - 0.35));
  });
  clip.bone('head', { x: [[0, 0], [0.3, -34, { in: 0.5 }], [0.62, 96, { out: 0.5 }], [1.8, 0, { in: 0.6 }]] });
  const folds = /** @type {[number, number][]} */ ([[0, 0.04], [0.16, -0.3], [0.3, -0.36], [0.42, 0.3], [0.8, 0.34], [1.2, 0.16], [1.5, -0.04], [1.65, 0.02], [1.8, 0.04]]);
  clip.deform('koi', folds.map(([t, fold]) => ({ t, offsets: foldFins(parts, fold, fold) })));
  return clip;
}

/**
 * @param {Skeleton} _
 * @param {import('./rig.mjs').RigPart[]} parts
 */
function makeClips(_, parts) {
  return [swim(parts), dart(parts)];
}

export const koi = { folder: 'assets/koi', pageWidth: 512, skeleton, skins, makeClips };
