// Packs the parts of a character into one picture.
import { PNG } from 'pngjs';
import { cut } from './picture.mjs';

/** Pixels between parts and around them, so that filtering never reaches a neighbour. */
const PADDING = 4;

/** @typedef {import('./picture.mjs').Cutout} Cutout */
/** @typedef {Cutout & { pageX: number, pageY: number }} Placed */

/**
 * Shelves from the top, the tallest parts first; equal heights keep the order of the drawing.
 * @param {Cutout[]} cutouts
 * @param {number} width
 */
function shelve(cutouts, width) {
  const placed = new Map();
  let x = PADDING;
  let y = PADDING;
  let shelf = 0;
  for (const cutout of [...cutouts].sort((a, b) => b.height - a.height)) {
    if (x + cutout.width + PADDING > width) {
      x = PADDING;
      y += shelf + PADDING;
      shelf = 0;
    }
    placed.set(cutout, { x, y });
    x += cutout.width + PADDING;
    shelf = Math.max(shelf, cutout.height);
  }
  return { placed, height: y + shelf + PADDING };
}

/**
 * Gives transparent pixels beside opaque ones the color of those: filtering straight alpha would darken the edges else.
 * @param {import('pngjs').Picture} picture
 */
function bleed({ width, height, data }) {
  for (let pass = 0; pass < PADDING / 2; pass++) {
    const src = Buffer.from(data);
    for (let at = 0; at < data.length; at += 4) {
      if (src[at + 3] !== 0 || src[at] + src[at + 1] + src[at + 2] !== 0) {
        continue;
      }
      const x = (at / 4) % width;
      const y = (at / 4 - x) / width;
      const sum = [0, 0, 0, 0];
      for (const [dx, dy] of [[-1, 0], [1, 0], [0, -1], [0, 1]]) {
        const from = ((y + dy) * width + x + dx) * 4;
        const isInside = x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height;
        if (isInside && src[from] + src[from + 1] + src[from + 2] + src[from + 3] > 0) {
          sum[0] += src[from];
          sum[1] += src[from + 1];
          sum[2] += src[from + 2];
          sum[3] += 1;
        }
      }
      for (let channel = 0; channel < 3 && sum[3] > 0; channel++) {
        data[at + channel] = Math.round(sum[channel] / sum[3]);
      }
    }
  }
}

/**
 * Whether two drawings of a page differ by no more than browsers do in the edges of shapes.
 * @param {import('pngjs').Picture} a
 * @param {import('pngjs').Picture} b
 */
export function isSamePage(a, b) {
  if (a.width !== b.width || a.height !== b.height) {
    return false;
  }
  let different = 0;
  for (let at = 0; at < a.data.length; at += 4) {
    const isFar = [0, 1, 2, 3].some((channel) => Math.abs(a.data[at + channel] - b.data[at + channel]) > 32);
    different += isFar && a.data[at + 3] + b.data[at + 3] > 0 ? 1 : 0;
  }
  return different <= (a.width * a.height) / 500;
}

/**
 * The parts with the pixels that a page has in their places.
 * @param {Placed[]} parts
 * @param {import('pngjs').Picture} page
 * @returns {Placed[]}
 */
export function partsOfPage(parts, page) {
  return parts.map((part) => {
    const box = { left: part.pageX, top: part.pageY, right: part.pageX + part.width, bottom: part.pageY + part.height };
    return { ...part, data: cut(page, box).data };
  });
}

/**
 * @param {Cutout[]} cutouts
 * @param {number} width of the page
 * @returns {{ picture: PNG, parts: Placed[] }}
 */
export function packPage(cutouts, width) {
  const { placed, height } = shelve(cutouts, width);
  const picture = new PNG({ width, height: Math.ceil(height / 4) * 4 });
  picture.data.fill(0);
  const parts = cutouts.map((cutout) => {
    const { x: pageX, y: pageY } = placed.get(cutout);
    for (let row = 0; row < cutout.height; row++) {
      const from = row * cutout.width * 4;
      cutout.data.copy(picture.data, ((pageY + row) * width + pageX) * 4, from, from + cutout.width * 4);
    }
    return { ...cutout, pageX, pageY };
  });
  bleed(picture);
  return { picture, parts };
}
