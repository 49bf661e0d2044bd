import { boneColors, ink } from './colors.js';

/** CSS pixels; where joints crowd, dots are smaller. */
const [leastRadius, mostRadius, markedMore] = [2.5, 4, 1.5];
const [widest, slimmest] = [6, 2];
const turn = 2 * Math.PI;
const dashes = [3, 4];
/** @type {number[]} */
const noDashes = [];

/**
 * @typedef {object} Marks which bones stand out; indices, -1 none
 * @property {boolean} all draw every bone, not only those that stand out
 * @property {number} selected
 * @property {number} hovered
 * @property {readonly number[] | null} categories joints in these colors, of the map of strongest bones
 * @property {string} selection color
 * @property {string} accent color
 * @property {number} radius of a dot; drawBones sets it
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
  marks.radius = Math.min(mostRadius, Math.max(leastRadius, skeleton.meanLength[0] / 8));
  if (marks.all) {
    drawLinks(context, skeleton);
  }
  for (let bone = 0; bone < skeleton.count; bone += 1) {
    if (bone !== marks.selected && bone !== marks.hovered && marks.all) {
      drawBone(context, skeleton, bone, marks);
    }
  }
  // What stands out lies on top.
  if (marks.hovered >= 0 && marks.hovered !== marks.selected) {
    drawBone(context, skeleton, marks.hovered, marks);
  }
  if (marks.selected >= 0) {
    drawBone(context, skeleton, marks.selected, marks);
  }
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

/**
 * @param {CanvasRenderingContext2D} context
 * @param {import('./skeleton.js').Skeleton} skeleton
 * @param {number} bone
 * @param {Marks} marks
 */
function drawBone(context, skeleton, bone, marks) {
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
  context.arc(points[at], points[at + 1], isSelected || isHovered ? marks.radius + markedMore : marks.radius, 0, turn);
  context.strokeStyle = ink.edge;
  context.lineWidth = 3;
  context.stroke();
  context.fillStyle = marks.categories !== null ? boneColors[marks.categories[bone]].style : ink.joint;
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
  const dx = tipX - x;
  const dy = tipY - y;
  const length = Math.sqrt(dx * dx + dy * dy);
  context.beginPath();
  if (!(length > leastRadius)) {
    return;
  }
  const half = Math.min(widest, slimmest + length * 0.05);
  const shoulder = Math.min(14, length * 0.2) / length;
  const acrossX = (-dy / length) * half;
  const acrossY = (dx / length) * half;
  context.moveTo(x, y);
  context.lineTo(x + dx * shoulder + acrossX, y + dy * shoulder + acrossY);
  context.lineTo(tipX, tipY);
  context.lineTo(x + dx * shoulder - acrossX, y + dy * shoulder - acrossY);
  context.closePath();
}
