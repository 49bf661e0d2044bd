import { Quaternion, Vector3 } from 'three';
import { firstRenderOrder } from './rig-billboard.js';

const eye = new Vector3();
const position = new Vector3();
const scale = new Vector3();
const facing = new Quaternion();
const inherited = new Quaternion();
const up = new Vector3(0, 1, 0);

// Kept between calls, so that a frame makes no garbage: the views that are seen, their squared distances, and both in drawing order.
/** @type {(import('./rig-billboard.js').RigBillboard | null)[]} */
const seen = [];
/** @type {number[]} */
const distances = [];
/** @type {number[]} */
const order = [];

/**
 * Turns rigs to a camera and ranks them by their distance, the farthest first. Call it for each camera before its render, with all rigs of
 * the scene at once. Hidden ones keep their orientation and rank.
 * @param {readonly import('./rig-billboard.js').RigBillboard[]} views
 * @param {import('three').Camera} camera
 */
export function orientRigs(views, camera) {
  camera.updateWorldMatrix(true, false);
  camera.matrixWorld.decompose(eye, facing, scale);
  let count = 0;
  for (let index = 0; index < views.length; index += 1) {
    const view = views[index];
    view.sync();
    if (view.isShown) {
      turn(view);
      seen[count] = view;
      distances[count] = position.distanceToSquared(eye);
      order[count] = count;
      count += 1;
    }
  }
  sortOrder(count);
  for (let rank = 0; rank < count; rank += 1) {
    const view = /** @type {import('./rig-billboard.js').RigBillboard} */ (seen[order[rank]]);
    view.renderOrder = firstRenderOrder + rank;
  }
  // Keeps the room, not the views.
  seen.fill(null);
}

/**
 * Leaves the view's world position in `position`.
 * @param {import('./rig-billboard.js').RigBillboard} view
 */
function turn(view) {
  const { parent } = view;
  position.copy(view.position);
  inherited.identity();
  if (parent !== null) {
    parent.updateWorldMatrix(true, false);
    parent.matrixWorld.decompose(scale, inherited, scale);
    position.applyMatrix4(parent.matrixWorld);
  }
  if (view.mode === 'spherical') {
    view.quaternion.copy(inherited.invert()).multiply(facing);
  } else if (view.mode === 'cylindrical') {
    const yaw = Math.atan2(eye.x - position.x, eye.z - position.z);
    view.quaternion.setFromAxisAngle(up, yaw).premultiply(inherited.invert());
  }
}

/**
 * Heap sort of `order`: in place and without garbage.
 * @param {number} count
 */
function sortOrder(count) {
  for (let root = (count >> 1) - 1; root >= 0; root -= 1) {
    sink(root, count);
  }
  for (let end = count - 1; end > 0; end -= 1) {
    const last = order[end];
    order[end] = order[0];
    order[0] = last;
    sink(0, end);
  }
}

/**
 * @param {number} root
 * @param {number} count
 */
function sink(root, count) {
  const moved = order[root];
  let hole = root;
  for (;;) {
    let child = 2 * hole + 1;
    if (child >= count) {
      break;
    }
    if (child + 1 < count && isDrawnAfter(order[child + 1], order[child])) {
      child += 1;
    }
    if (!isDrawnAfter(order[child], moved)) {
      break;
    }
    order[hole] = order[child];
    hole = child;
  }
  order[hole] = moved;
}

/**
 * The nearer is drawn after the farther; of equal ones the later in the list.
 * @param {number} a
 * @param {number} b
 */
function isDrawnAfter(a, b) {
  return distances[a] < distances[b] || (distances[a] === distances[b] && a > b);
}
