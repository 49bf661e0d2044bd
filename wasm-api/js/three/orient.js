import { Matrix4, Object3D, Quaternion, Vector3 } from 'three';
import { argumentError } from '../errors.js';
import { firstRenderOrder } from './rig-billboard.js';

// V8 makes an object of a fraction that a call takes or returns, unless it happens to inline the call. Fractions therefore stay in the
// fields of these, and calls pass the objects.
const place = new Vector3();
const facing = new Quaternion();
const inherited = new Quaternion();
const turned = new Quaternion();
const upright = new Float64Array(4);
const unscaled = new Matrix4();

// Kept between calls, so that a frame makes no garbage: the views that are seen, their squared distances, and both in drawing order.
/** @type {(import('./rig-billboard.js').RigBillboard | null)[]} */
const seen = [];
let distances = new Float64Array(16);
/** @type {number[]} */
const order = [];

/**
 * Turns rigs to a camera and ranks them by their distance, the farthest first. Call it for each camera before its render, with all rigs of
 * the scene at once. Hidden ones keep their orientation and rank.
 * @param {readonly import('./rig-billboard.js').RigBillboard[]} views
 * @param {import('three').Camera} camera
 */
export function orientRigs(views, camera) {
  if (!Array.isArray(views) || camera?.isObject3D !== true) {
    throw argumentError('orientRigs', 'it takes a list of views and a camera');
  }
  // Not the camera's own: that one measures its scale, to invert the matrix for a render which does so itself.
  Object3D.prototype.updateWorldMatrix.call(camera, true, false);
  readOrientation(camera.matrixWorld, facing);
  if (distances.length < views.length) {
    distances = new Float64Array(2 * views.length);
  }
  let count = 0;
  for (let index = 0; index < views.length; index += 1) {
    const view = views[index];
    view.sync();
    if (view.isShown) {
      locate(view);
      measure(camera, count);
      turn(view, camera);
      seen[count] = view;
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
 * Leaves the view's world position in `place` and the inverse of its parent's orientation in `inherited`.
 * @param {import('./rig-billboard.js').RigBillboard} view
 */
function locate(view) {
  const { parent } = view;
  place.copy(view.position);
  inherited.identity();
  if (parent !== null) {
    parent.updateWorldMatrix(true, false);
    place.applyMatrix4(parent.matrixWorld);
    readOrientation(parent.matrixWorld, inherited);
    inherited.invert();
  }
}

/**
 * Notes the squared distance from the camera to `place`.
 * @param {import('three').Camera} camera
 * @param {number} index
 */
function measure(camera, index) {
  const eye = camera.matrixWorld.elements;
  const x = eye[12] - place.x;
  const y = eye[13] - place.y;
  const z = eye[14] - place.z;
  distances[index] = x * x + y * y + z * z;
}

/**
 * @param {import('./rig-billboard.js').RigBillboard} view
 * @param {import('three').Camera} camera
 */
function turn(view, camera) {
  const { mode } = view;
  if (mode === 'spherical') {
    turned.multiplyQuaternions(inherited, facing);
  } else if (mode === 'cylindrical') {
    const eye = camera.matrixWorld.elements;
    const half = Math.atan2(eye[12] - place.x, eye[14] - place.z) / 2;
    upright[1] = Math.sin(half);
    upright[3] = Math.cos(half);
    turned.fromArray(upright).premultiply(inherited);
  } else {
    return;
  }
  // three.js derives the Euler angles anew whenever a quaternion is set.
  if (!turned.equals(view.quaternion)) {
    view.quaternion.copy(turned);
  }
}

/**
 * The orientation of a world matrix without its scale. A mirrored one is mirrored along x; a flattened one has no orientation.
 * @param {Matrix4} world
 * @param {Quaternion} out
 */
function readOrientation({ elements: from }, out) {
  const { elements: to } = unscaled;
  const determinant = from[0] * (from[5] * from[10] - from[6] * from[9]) - from[4] * (from[1] * from[10] - from[2] * from[9])
    + from[8] * (from[1] * from[6] - from[2] * from[5]);
  if (determinant === 0) {
    out.identity();
    return;
  }
  let mirror = Math.sign(determinant);
  for (let column = 0; column < 12; column += 4) {
    const x = from[column];
    const y = from[column + 1];
    const z = from[column + 2];
    const scale = mirror / Math.sqrt(x * x + y * y + z * z);
    to[column] = x * scale;
    to[column + 1] = y * scale;
    to[column + 2] = z * scale;
    mirror = 1;
  }
  out.setFromRotationMatrix(unscaled);
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
