import { argumentError } from '../errors.js';
import { authorHeap } from './core.js';
import { BILLBOARD_ARGS, BILLBOARD_PLACEMENT } from './layout.js';

/** @typedef {import('../view.js').BillboardMode} BillboardMode */
/** @typedef {import('../view.js').Anchor} Anchor */

const modes = ['cylindrical', 'spherical', 'flat'];
const anchors = ['bottom', 'center'];
const identity = [0, 0, 0, 1];

/**
 * Where a rig stands in a 3D world (+y up, right-handed, quaternions x y z w). A vertex (x, y) of the rig is (x, -y, 0) below the inner node,
 * which hangs on the outer one.
 * @param {{ mode?: BillboardMode, anchor?: Anchor, pixelsPerUnit?: number, flipX?: boolean, flipY?: boolean, bindMinY?: number,
 *   bindMaxY?: number, position?: ArrayLike<number>, rotation?: ArrayLike<number>, scale?: ArrayLike<number>,
 *   cameraPosition?: ArrayLike<number>, cameraRotation?: ArrayLike<number> }} options
 */
export function place({ mode = 'cylindrical', anchor = 'bottom', pixelsPerUnit = 100, flipX = false, flipY = false, bindMinY = 0, bindMaxY = 0,
  position = [0, 0, 0], rotation = identity, scale = [1, 1, 1], cameraPosition = [0, 0, 0], cameraRotation = identity }) {
  if (!modes.includes(mode) || !anchors.includes(anchor)) {
    throw argumentError('billboard.place', `"${mode}", "${anchor}" is no mode and anchor`);
  }
  const heap = authorHeap();
  const at = (heap.scratch(BILLBOARD_ARGS.size + BILLBOARD_PLACEMENT.size + 16) + 7) & ~7;
  const out = at + BILLBOARD_ARGS.size;
  const { f64, u32, u8 } = heap;
  u32[(at + BILLBOARD_ARGS.mode) >>> 2] = modes.indexOf(mode);
  u32[(at + BILLBOARD_ARGS.anchor) >>> 2] = anchors.indexOf(anchor);
  f64[(at + BILLBOARD_ARGS.pixelsPerUnit) >>> 3] = pixelsPerUnit;
  u8[at + BILLBOARD_ARGS.flipX] = Number(flipX);
  u8[at + BILLBOARD_ARGS.flipY] = Number(flipY);
  f64[(at + BILLBOARD_ARGS.bindMinY) >>> 3] = bindMinY;
  f64[(at + BILLBOARD_ARGS.bindMaxY) >>> 3] = bindMaxY;
  f64.set(position, (at + BILLBOARD_ARGS.position) >>> 3);
  f64.set(rotation, (at + BILLBOARD_ARGS.rotation) >>> 3);
  f64.set(scale, (at + BILLBOARD_ARGS.scale) >>> 3);
  f64.set(cameraPosition, (at + BILLBOARD_ARGS.cameraPosition) >>> 3);
  f64.set(cameraRotation, (at + BILLBOARD_ARGS.cameraRotation) >>> 3);
  heap.calls.billboard_place(at, out);
  /** @param {number} offset @param {number} count */
  const read = (offset, count) => Array.from(heap.f64.subarray((out + offset) >>> 3, ((out + offset) >>> 3) + count));
  return {
    outerRotation: read(BILLBOARD_PLACEMENT.outerRotation, 4),
    innerScale: read(BILLBOARD_PLACEMENT.innerScale, 3),
    innerOffsetY: read(BILLBOARD_PLACEMENT.innerOffsetY, 1)[0],
    innerRotationX: read(BILLBOARD_PLACEMENT.innerRotationX, 1)[0],
  };
}
