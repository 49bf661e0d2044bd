import { project } from '../stages/stage.js';
import { ink } from './colors.js';

/** @type {import('../../../wasm-api/js/types.js').Bounds} */
const box = { minX: 0, minY: 0, maxX: 0, maxY: 0, centerX: 0, centerY: 0, radius: 0, empty: true };
const corner = { x: 0, y: 0 };

/**
 * Bounds of the posed figure, and thinly those of each part that is seen.
 * @param {CanvasRenderingContext2D} context in CSS pixels
 * @param {import('marrow2d').Instance} hero
 * @param {Float64Array} homography
 * @param {string} color
 */
export function drawBounds(context, hero, homography, color) {
  const { parts } = hero;
  context.lineJoin = 'miter';
  context.beginPath();
  for (let part = 0; part < parts.length; part += 1) {
    if (parts[part].visible) {
      trace(context, hero, part, homography);
    }
  }
  context.strokeStyle = color;
  context.lineWidth = 1;
  context.globalAlpha = 0.7;
  context.stroke();
  context.globalAlpha = 1;
  context.beginPath();
  trace(context, hero, -1, homography);
  context.strokeStyle = ink.edge;
  context.lineWidth = 3.5;
  context.stroke();
  context.strokeStyle = color;
  context.lineWidth = 2;
  context.stroke();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {import('marrow2d').Instance} hero
 * @param {number} part index in draw order, -1 all
 * @param {Float64Array} homography
 */
function trace(context, hero, part, homography) {
  hero.readBounds(part, box);
  if (box.empty) {
    return;
  }
  for (let at = 0; at < 4; at += 1) {
    project(homography, at === 0 || at === 3 ? box.minX : box.maxX, at < 2 ? box.minY : box.maxY, corner);
    if (at === 0) {
      context.moveTo(corner.x, corner.y);
    } else {
      context.lineTo(corner.x, corner.y);
    }
  }
  context.closePath();
}
