import { changeRig } from './document.js';

/** @typedef {import('./data.js').FileRig} FileRig */

/**
 * Adds a bone; its name is the first free of bone1, bone2, ...
 * @param {FileRig} rig
 * @param {number} parent index of a bone, -1 a root
 * @param {number} x relative to the parent
 * @param {number} y
 * @returns {{ rig: FileRig, index: number }}
 */
export function addBone(rig, parent, x, y) {
  let index = -1;
  const changed = changeRig(rig, (heap, document) => {
    heap.check(heap.calls.edit_add_bone(document, parent, x, y));
    index = heap.word(0);
    return true;
  });
  return { rig: changed, index };
}

/**
 * Removes a bone. Its children stay in place, its weights go to its parent.
 * @param {FileRig} rig
 * @param {number} bone
 * @returns {FileRig} the same object when there is no such bone
 */
export function removeBone(rig, bone) {
  return changeRig(rig, (heap, document) => {
    heap.check(heap.calls.edit_remove_bone(document, bone));
    return heap.word(0) !== 0;
  });
}

/**
 * Hangs a bone on another; its joint stays where it is.
 * @param {FileRig} rig
 * @param {number} bone
 * @param {number} parent -1 makes a root
 * @returns {FileRig} the same object when that cannot be or is so already
 */
export function reparentBone(rig, bone, parent) {
  return changeRig(rig, (heap, document) => {
    heap.check(heap.calls.edit_reparent_bone(document, bone, parent));
    return heap.word(0) !== 0;
  });
}

/**
 * Moves and turns a bone of the bind pose; what hangs on it follows.
 * @param {FileRig} rig
 * @param {number} bone
 * @param {{ x: number, y: number, rot: number }} values
 * @returns {FileRig} the same object when nothing changed
 */
export function setBone(rig, bone, { x, y, rot }) {
  return changeRig(rig, (heap, document) => {
    heap.check(heap.calls.edit_set_bone(document, bone, x, y, rot));
    return heap.word(0) !== 0;
  });
}

/**
 * @param {FileRig} rig
 * @param {number} bone
 * @param {string} name
 * @returns {FileRig} the same object when the name is empty or nothing changed
 */
export function renameBone(rig, bone, name) {
  return changeRig(rig, (heap, document) => {
    heap.check(heap.calls.edit_rename_bone(document, bone, heap.scratchText(name)));
    return heap.word(0) !== 0;
  });
}
