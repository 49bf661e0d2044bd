import { affine } from 'marrow2d/author';

/** @typedef {import('marrow2d').RigNode} RigNode */
/** @typedef {import('../pose.js').Local} Local */

/**
 * From the rig's plane into the space of a bone's local values, which is that of its parent: without the parent's scale for a `noScale`
 * bone, and the rig's plane itself for a bone that hangs on none. A scale of zero counts as one, so that there is a way back.
 * @param {RigNode} node
 * @param {boolean} noScale
 * @returns {number[]} [a, b, c, d, e, f]
 */
export function toLocalOf(node, noScale) {
  const { parent } = node;
  if (parent === null || !parent.isBone) {
    return [1, 0, 0, 1, 0, 0];
  }
  const m = noScale ? affine.removeScale(parent.matrix) : parent.matrix;
  const [a, b, c, d, e, f] = m;
  if (a * d - b * c !== 0) {
    return affine.invert(m);
  }
  const [scaleX, scaleY] = [Math.hypot(a, b), Math.hypot(c, d)];
  const rotation = scaleX > 0 ? Math.atan2(b, a) : scaleY > 0 ? Math.atan2(-c, d) : turnOf(parent);
  return affine.invert(affine.compose(e, f, rotation, scaleX || 1, scaleY || 1));
}

/** The angle of a bone whose matrix no longer tells. @param {RigNode} node */
function turnOf(node) {
  let turn = 0;
  for (let up = /** @type {RigNode | null} */ (node); up?.isBone; up = up.parent) {
    turn += up.local.rotation;
  }
  return turn;
}

/**
 * A bone moved along the rig's plane, as fields to set.
 * @param {Local} local
 * @param {ArrayLike<number>} m from the rig's plane into the space of the bone's local values
 * @param {number} dx rig units
 * @param {number} dy
 */
export function nudged({ x, y }, m, dx, dy) {
  return { x: x + m[0] * dx + m[2] * dy, y: y + m[1] * dx + m[3] * dy };
}
