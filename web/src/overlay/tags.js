import { ink } from './colors.js';

const font = '500 12px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';
const [height, padding, gap] = [22, 8, 12];
/** Measured once for as long as the same word is drawn. */
const last = { text: '', width: 0 };

/**
 * A word beside a point, within the canvas.
 * @param {CanvasRenderingContext2D} context
 * @param {string} text
 * @param {number} x CSS pixels
 * @param {number} y
 * @param {number} width of the canvas
 */
export function drawTag(context, text, x, y, width) {
  context.font = font;
  if (text !== last.text) {
    last.text = text;
    last.width = Math.ceil(context.measureText(text).width) + 2 * padding;
  }
  const own = last.width;
  // Whole pixels keep letters sharp.
  const left = Math.round(x + gap + own > width ? Math.max(0, x - gap - own) : x + gap);
  const top = Math.round(Math.max(0, y - gap - height));
  context.fillStyle = ink.tag;
  context.beginPath();
  context.roundRect(left, top, own, height, 5);
  context.fill();
  context.fillStyle = ink.tagText;
  context.textBaseline = 'middle';
  context.fillText(text, left + padding, top + height / 2 + 1);
}
