import { boneColors, ink } from './colors.js';

/** CSS pixels; where joints crowd, dots are smaller. */
const [leastRadius, mostRadius, markedMore] = [2.5, 4, 1.5];
const [widest, slimmest] = [6, 2];
const turn = 2 * Math.PI;

/**
 * @typedef {object} Marks which bones stand out; indices, -1 none
 * @property {boolean} all draw every bone, not only those that stand out
 * @property {number} selected
 * @property {number} hovered
 * @property {boolean} categories joints in the colors of the map of strongest bones
 * @property {string} selection color
 * @property {string} accent color
 */

/**
 * Bones as tapered shapes from joint to tip, thin links to the other children, a dot on each joint.
 * @param {CanvasRenderingContext2D} context in CSS pixels
 * @param {import('./skeleton.js').Skeleton} skeleton measured
 * @param {Marks} marks
 */
export function drawBones(context, skeleton, marks) {
  context.lineJoin = 'round';
  context.lineCap = 'round';
  const radius = Math.min(mostRadius, Math.max(leastRadius, meanLength(skeleton) / 8));
  if (marks.all) {
    drawLinks(context, skeleton);
  }
  for (let bone = 0; bone < skeleton.count; bone += 1) {
    if (bone !== marks.selected && bone !== marks.hovered && marks.all) {
      drawBone(context, skeleton, bone, marks, radius);
    }
  }
  for (const bone of [marks.hovered, marks.selected]) {
    if (bone >= 0) {
      drawBone(context, skeleton, bone, marks, radius);
    }
  }
}

/** @param {import('./skeleton.js').Skeleton} skeleton */
function meanLength({ count, points }) {
  let sum = 0;
  for (let at = 0; at < points.length; at += 4) {
    sum += Math.hypot(points[at + 2] - points[at], points[at + 3] - points[at + 1]) || 0;
  }
  return sum / count;
}

/** @param {CanvasRenderingContext2D} context @param {import('./skeleton.js').Skeleton} skeleton */
function drawLinks(context, { count, parents, next, points }) {
  context.beginPath();
  for (let bone = 0; bone < count; bone += 1) {
    const parent = parents[bone];
    if (parent >= 0 && next[parent] !== bone) {
      context.moveTo(points[parent * 4], points[parent * 4 + 1]);
      context.lineTo(points[bone * 4], points[bone * 4 + 1]);
    }
  }
  context.strokeStyle = ink.edge;
  context.lineWidth = 3;
  context.stroke();
  context.setLineDash(dashes);
  context.strokeStyle = ink.link;
  context.lineWidth = 1;
  context.stroke();
  context.setLineDash(noDashes);
}
const dashes = [3, 4];
/** @type {number[]} */
const noDashes = [];

/**
 * @param {CanvasRenderingContext2D} context
 * @param {import('./skeleton.js').Skeleton} skeleton
 * @param {number} bone
 * @param {Marks} marks
 * @param {number} radius of its dot
 */
function drawBone(context, skeleton, bone, marks, radius) {
  const { points } = skeleton;
  const at = bone * 4;
  const isSelected = bone === marks.selected;
  const isHovered = bone === marks.hovered && !isSelected;
  const isInChain = !isSelected && marks.selected >= 0 && skeleton.isAbove(bone, marks.selected);
  traceBody(context, points[at], points[at + 1], points[at + 2], points[at + 3]);
  context.globalAlpha = isSelected || isHovered || isInChain ? 1 : 0.92;
  context.strokeStyle = ink.edge;
  context.lineWidth = isHovered ? 4 : 3;
  context.stroke();
  context.fillStyle = isSelected ? marks.selection : isHovered ? marks.accent : ink.bone;
  context.fill();
  if (isInChain) {
    context.globalAlpha = 0.55;
    context.fillStyle = marks.selection;
    context.fill();
  }
  context.globalAlpha = 1;
  context.beginPath();
  context.arc(points[at], points[at + 1], isSelected || isHovered ? radius + markedMore : radius, 0, turn);
  context.strokeStyle = ink.edge;
  context.lineWidth = 3;
  context.stroke();
  context.fillStyle = marks.categories ? boneColors[bone % boneColors.length].style : ink.joint;
  context.fill();
  if (isSelected || isHovered) {
    context.strokeStyle = isSelected ? marks.selection : marks.accent;
    context.lineWidth = 2;
    context.stroke();
  }
}

/**
 * A kite: widest near the joint, pointed at the tip. Its width does not grow with the zoom.
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} y
 * @param {number} tipX
 * @param {number} tipY
 */
function traceBody(context, x, y, tipX, tipY) {
  const [dx, dy] = [tipX - x, tipY - y];
  const length = Math.hypot(dx, dy);
  context.beginPath();
  if (!(length > leastRadius)) {
    return;
  }
  const half = Math.min(widest, slimmest + length * 0.05);
  const shoulder = Math.min(14, length * 0.2) / length;
  const [acrossX, acrossY] = [(-dy / length) * half, (dx / length) * half];
  context.moveTo(x, y);
  context.lineTo(x + dx * shoulder + acrossX, y + dy * shoulder + acrossY);
  context.lineTo(tipX, tipY);
  context.lineTo(x + dx * shoulder - acrossX, y + dy * shoulder - acrossY);
  context.closePath();
}
