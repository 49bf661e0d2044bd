// The handles of the selected bone: where they are, and what a drag of them means. Everything is computed in the plane of the rig, so that
// it holds for a figure that faces the camera and for one that lies on the ground.
import { project } from '../stages/stage.js';

/** @typedef {import('../pose.js').Local} Local */
/** @typedef {{ x: number, y: number }} Point */
/** @typedef {'x' | 'y' | 'free' | 'ring' | 'corner' | 'uniform'} Handle */
/** @typedef {import('../state.js').AppState['tool']} Tool */

/** Sizes in CSS pixels, whatever the zoom. */
export const sizes = { axis: 60, arrow: 10, ring: 60, center: 16, box: 44, diamond: 12, tolerance: 8 };
/** What Shift rounds values to: rig units, radians, factors. */
export const snaps = { move: 0.5, turn: Math.PI / 12, scale: 0.1 };
/** An offset from the middle, in CSS pixels, too short to measure a scale by. */
export const leastReach = 4;

/**
 * The gizmo's own axes: one unit is one CSS pixel, the origin is the joint.
 * @typedef {object} Frame
 * @property {number} x the joint, in the rig's plane
 * @property {number} y
 * @property {number} cos of the angle of its x axis in the rig's plane
 * @property {number} sin
 * @property {number} unit rig units in a CSS pixel
 */

/**
 * @param {Float64Array} h a stage's homography
 * @param {number} x the joint, in the rig's plane
 * @param {number} y
 * @param {number} angle of the x axis
 * @param {Frame} out
 * @returns {boolean} false: it cannot be seen
 */
export function placeFrame(h, x, y, angle, out) {
  const isSeen = project(h, x, y, out);
  const w = h[6] * x + h[7] * y + h[8];
  // The homography's derivative, and its larger singular value: how far a unit of the plane goes here in the direction that is not
  // foreshortened.
  const a = (h[0] - out.x * h[6]) / w;
  const b = (h[3] - out.y * h[6]) / w;
  const c = (h[1] - out.x * h[7]) / w;
  const d = (h[4] - out.y * h[7]) / w;
  const squares = (a * a + b * b + c * c + d * d) / 2;
  const determinant = a * d - b * c;
  out.unit = 1 / Math.sqrt(squares + Math.sqrt(Math.max(0, squares * squares - determinant * determinant)));
  out.x = x;
  out.y = y;
  out.cos = Math.cos(angle);
  out.sin = Math.sin(angle);
  return isSeen && Number.isFinite(out.unit);
}

/**
 * From the rig's plane to the gizmo's axes.
 * @param {Frame} frame
 * @param {Point} point
 * @returns {Point}
 */
export function toFrame({ x, y, cos, sin, unit }, point) {
  const [dx, dy] = [(point.x - x) / unit, (point.y - y) / unit];
  return { x: dx * cos + dy * sin, y: dy * cos - dx * sin };
}

/**
 * @param {Tool} tool
 * @param {Point} point on the gizmo's axes
 * @param {number} [tolerance] CSS pixels; fingers need more
 * @returns {Handle | null}
 */
export function handleAt(tool, { x, y }, tolerance = sizes.tolerance) {
  const [across, down] = [Math.abs(x), Math.abs(y)];
  if (tool === 'turn') {
    return Math.abs(Math.hypot(x, y) - sizes.ring) < tolerance ? 'ring' : null;
  }
  if (tool === 'scale') {
    const isCorner = Math.abs(across - sizes.box) < tolerance && Math.abs(down - sizes.box) < tolerance;
    return isCorner ? 'corner' : across + down < Math.max(sizes.diamond, tolerance) ? 'uniform' : null;
  }
  if (Math.abs(x - sizes.axis) < tolerance && down < tolerance) {
    return 'x';
  }
  if (across < tolerance && Math.abs(y - sizes.axis) < tolerance) {
    return 'y';
  }
  if (across < tolerance && down < tolerance) {
    return 'free';
  }
  const reach = sizes.axis + sizes.arrow;
  return across < reach && down < tolerance ? 'x' : down < reach && across < tolerance ? 'y' : null;
}

/**
 * A drag of a handle.
 * @typedef {object} Grip
 * @property {Handle} handle
 * @property {Frame} frame as the drag began
 * @property {Local} local of the bone, as the drag began
 * @property {ArrayLike<number>} toLocal from the rig's plane into the space of the bone's local values: [a, b, c, d, e, f]
 * @property {Point | null} from where it is measured from, in the rig's plane; null: from the first point far enough away from the joint
 * @property {number} turned radians, since the drag began; more than a whole turn is kept
 */

/**
 * What a bone's fields become. Only those of the handle are told.
 * @param {Grip} grip
 * @param {Point} to where the pointer is, in the rig's plane
 * @param {boolean} isSnapped
 * @returns {Partial<Local> | null} null: nothing to measure yet
 */
export function drag(grip, to, isSnapped) {
  if (grip.handle === 'ring') {
    return turn(grip, to, isSnapped);
  }
  if (grip.handle === 'corner' || grip.handle === 'uniform') {
    return scale(grip, to, isSnapped);
  }
  return move(grip, to, isSnapped);
}

/** @param {Grip} grip @param {Point} to @param {boolean} isSnapped */
function move({ handle, frame: { cos, sin }, local, toLocal: m, from }, to, isSnapped) {
  let [dx, dy] = from === null ? [0, 0] : [to.x - from.x, to.y - from.y];
  if (handle !== 'free') {
    const [axisX, axisY] = handle === 'x' ? [cos, sin] : [-sin, cos];
    const along = dx * axisX + dy * axisY;
    [dx, dy] = [along * axisX, along * axisY];
  }
  const step = isSnapped ? snaps.move : 0;
  return { x: added(local.x, m[0] * dx + m[2] * dy, step), y: added(local.y, m[1] * dx + m[3] * dy, step) };
}

/** A value that does not move is not rounded either. @param {number} value @param {number} by @param {number} step */
function added(value, by, step) {
  return Math.abs(by) < 1e-6 ? value : snap(value + by, step);
}

/** @param {Grip} grip @param {Point} to @param {boolean} isSnapped */
function turn(grip, to, isSnapped) {
  const { frame, local, toLocal: m, from } = grip;
  if (from === null) {
    grip.from = to;
    return null;
  }
  // Angles as the bone's parent sees them: it may be turned, mirrored or stretched itself.
  const angle = (/** @type {Point} */ { x, y }) => Math.atan2(m[1] * (x - frame.x) + m[3] * (y - frame.y), m[0] * (x - frame.x) + m[2] * (y - frame.y));
  const whole = 2 * Math.PI;
  const far = angle(to) - angle(from) - grip.turned;
  grip.turned += far - whole * Math.round(far / whole);
  return { rotation: snap(local.rotation + grip.turned, isSnapped ? snaps.turn : 0) % whole };
}

/** @param {Grip} grip @param {Point} to @param {boolean} isSnapped */
function scale(grip, to, isSnapped) {
  const { handle, frame, local } = grip;
  const now = toFrame(frame, to);
  const step = isSnapped ? snaps.scale : 0;
  if (handle === 'uniform') {
    const start = grip.from === null ? 0 : reach(toFrame(frame, grip.from));
    if (start <= leastReach) {
      grip.from = reach(now) > leastReach ? to : null;
      return null;
    }
    const ratio = reach(now) / start;
    return { scaleX: snap(local.scaleX * ratio, step), scaleY: snap(local.scaleY * ratio, step) };
  }
  const start = grip.from === null ? now : toFrame(frame, grip.from);
  const ratio = (/** @type {number} */ before, /** @type {number} */ after) => (Math.abs(before) > leastReach ? Math.max(0, after / before) : null);
  const [x, y] = [ratio(start.x, now.x), ratio(start.y, now.y)];
  return {
    ...(x === null ? {} : { scaleX: snap(local.scaleX * x, step) }),
    ...(y === null ? {} : { scaleY: snap(local.scaleY * y, step) }),
  };
}

/** @param {Point} point */
function reach({ x, y }) {
  return Math.hypot(x, y);
}

/** @param {number} value @param {number} step 0: any value */
function snap(value, step) {
  return step === 0 ? value : Math.round(value / step) * step;
}
