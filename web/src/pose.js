// Posing by hand: what a person sets lies over clips and layers until it is taken off again, so that a figure can be posed in the middle of
// a walk and the walk goes on below.

/** @typedef {import('marrow2d').Instance} Instance */
/** @typedef {import('marrow2d').RigNode} RigNode */
/** @typedef {{ x: number, y: number, rotation: number, scaleX: number, scaleY: number }} Local */

/**
 * @param {Instance} hero
 * @param {number} slot of a bone
 * @param {Partial<Local>} fields
 */
export function poseBone(hero, slot, fields) {
  hero.nodeAt(slot).override(fields);
}

/**
 * @param {Instance} hero
 * @param {number} slot
 */
export function resetBone(hero, slot) {
  hero.nodeAt(slot).reset();
}

/** @param {Instance} hero */
export function resetPose(hero) {
  for (const node of hero.nodes) {
    node.reset();
  }
}
