// Kit, a young fox in a scarf: bones, and how the parts hang on them. The far side is `.L`, the near one `.R`.
import { Skeleton } from './skeleton.mjs';
import { makeKitClips } from './kit-clips.mjs';

/** Where joints are in kit.svg. */
const skeleton = new Skeleton([
  ['root', null, 0, 0],
  ['hips', 'root', 4, -164],
  ['spine', 'hips', 4, -204],
  ['chest', 'spine', 4, -250],
  ['neck', 'chest', 6, -296, true],
  ['head', 'neck', 10, -318],
  ['ear.L', 'head', 92, -466],
  ['ear.R', 'head', -52, -448],
  ['brows', 'head', 60, -456],
  ['upperArm.L', 'chest', 58, -250, true],
  ['lowerArm.L', 'upperArm.L', 52, -196],
  ['hand.L', 'lowerArm.L', 52, -150],
  ['upperArm.R', 'chest', -26, -248, true],
  ['lowerArm.R', 'upperArm.R', -32, -194],
  ['hand.R', 'lowerArm.R', -32, -148],
  ['upperLeg.L', 'hips', 36, -168],
  ['lowerLeg.L', 'upperLeg.L', 43, -99],
  ['foot.L', 'lowerLeg.L', 32, -42],
  ['upperLeg.R', 'hips', -12, -164],
  ['lowerLeg.R', 'upperLeg.R', -5, -95],
  ['foot.R', 'lowerLeg.R', -16, -38],
  ['tail1', 'hips', -38, -170],
  ['tail2', 'tail1', -112, -166],
  ['tail3', 'tail2', -186, -204],
  ['tail4', 'tail3', -218, -284],
  ['scarf1', 'chest', -68, -288, true],
  ['scarf2', 'scarf1', -92, -238],
]);

/**
 * Arms and legs are drawn in two pieces. The lower one lies over the upper one, which ends in a disc about the joint: as the limb folds,
 * the disc's edge rounds its outer side, and on its inner side the lower piece hides how the upper one bends with it.
 * So the disc does not bend at all, its zone is out of reach: only the outline of the inner side does, to meet the lower piece's.
 * Knees fold behind, elbows ahead. Ankles fold ahead: the toes rise against the shin.
 *  @type {Record<'knee' | 'ankle' | 'elbow' | 'wrist', import('./weights.mjs').Bend>} */
const bends = {
  knee: { radius: [14, 14], shift: [3, 1000], width: 31 },
  ankle: { radius: [16, 9], shift: [0, -9], width: 22 },
  elbow: { radius: [13, 13], shift: [1000, -1], width: 18 },
  wrist: { radius: [15, 15], width: 18 },
};

/** @type {Record<string, import('./rig.mjs').Skin>} */
const skins = {
  tail: { cell: 27, chain: ['tail1', 'tail2', 'tail3', 'tail4'], radius: 42, end: [-190, -396] },
  'arm.L upper': { cell: 16, xs: [68], ys: [-196], chain: ['upperArm.L', 'lowerArm.L'], radius: [bends.elbow], end: [52, -150] },
  'arm.L lower': { cell: 16, ys: [-150], chain: ['lowerArm.L', 'hand.L'], radius: [bends.wrist], end: [54, -106] },
  'leg.L upper': { cell: 15, xs: [17], ys: [-99], chain: ['upperLeg.L', 'lowerLeg.L'], radius: [bends.knee], end: [32, -42] },
  'leg.L lower': { cell: 15, ys: [-42], chain: ['lowerLeg.L', 'foot.L'], radius: [bends.ankle], end: [102, 29] },
  body: { cell: 26, chain: ['hips', 'spine', 'chest'], radius: 26, end: [6, -318] },
  'leg.R upper': { cell: 15, xs: [-31], ys: [-95], chain: ['upperLeg.R', 'lowerLeg.R'], radius: [bends.knee], end: [-16, -38] },
  'leg.R lower': { cell: 15, ys: [-38], chain: ['lowerLeg.R', 'foot.R'], radius: [bends.ankle], end: [54, 33] },
  scarfEnd: { cell: 20, chain: ['scarf1', 'scarf2'], radius: 18, end: [-112, -176] },
  scarf: { cell: 30, chain: ['chest', 'neck'], radius: 30, end: [8, -330] },
  'ear.L': { cell: 30, chain: ['head', 'ear.L'], radius: 24, end: [128, -600] },
  head: { cell: 56, chain: ['head'] },
  mouthOpen: { cell: 40, chain: ['head'] },
  eyesOpen: { cell: 70, chain: ['head'] },
  eyesClosed: { cell: 70, chain: ['head'] },
  eyesHappy: { cell: 70, chain: ['head'] },
  brows: { cell: 70, chain: ['brows'] },
  'ear.R': { cell: 30, chain: ['head', 'ear.R'], radius: 26, end: [-80, -608] },
  'arm.R upper': { cell: 16, xs: [-16], ys: [-194], chain: ['upperArm.R', 'lowerArm.R'], radius: [bends.elbow], end: [-32, -148] },
  'arm.R lower': { cell: 16, ys: [-148], chain: ['lowerArm.R', 'hand.R'], radius: [bends.wrist], end: [-30, -104] },
};

export const kit = { folder: 'assets/kit', pageWidth: 768, skeleton, skins, makeClips: makeKitClips };
