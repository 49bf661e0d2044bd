// Turns a drawing into pixels: each group with a data-part becomes a picture of its own; a part may have several, told apart by data-piece.
import { readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { PNG } from 'pngjs';
import { findChromium } from '../chromium.mjs';

/**
 * @typedef {object} Cutout a part of a drawing, cut to what is not transparent
 * @property {string} name of the part
 * @property {string} piece of the part, empty when it is drawn in one
 * @property {boolean} visible
 * @property {number} x of its left edge in the drawing's units, which are pixels
 * @property {number} y of its top edge
 * @property {number} width
 * @property {number} height
 * @property {Buffer} data straight-alpha RGBA
 */

/** What is hardly there is cut off with all that lies outside of it: browsers draw the edges of shapes a little differently. */
const FAINT = 16;

/**
 * @param {import('pngjs').Picture} picture
 */
function opaqueBox({ width, height, data }) {
  const box = { left: width, top: height, right: 0, bottom: 0 };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (data[(y * width + x) * 4 + 3] > FAINT) {
        box.left = Math.min(box.left, x);
        box.top = Math.min(box.top, y);
        box.right = Math.max(box.right, x + 1);
        box.bottom = Math.max(box.bottom, y + 1);
      }
    }
  }
  return box;
}

/**
 * The pixels in a box of a picture.
 * @param {import('pngjs').Picture} picture
 * @param {{ left: number, top: number, right: number, bottom: number }} box
 */
export function cut(picture, { left, top, right, bottom }) {
  const data = Buffer.alloc((right - left) * (bottom - top) * 4);
  for (let y = top; y < bottom; y++) {
    picture.data.copy(data, (y - top) * (right - left) * 4, (y * picture.width + left) * 4, (y * picture.width + right) * 4);
  }
  return { width: right - left, height: bottom - top, data };
}

/**
 * The parts of an SVG in the order in which they are drawn.
 * @param {URL} file
 * @returns {Promise<Cutout[]>}
 */
export async function drawParts(file) {
  const executablePath = findChromium();
  if (executablePath === null) {
    throw new Error('Chromium is needed to draw the characters: run node tools/setup.mjs');
  }
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    await page.setContent(`<body style="margin: 0">${readFileSync(file, 'utf8')}</body>`);
    const sheet = await page.evaluate(() => {
      const { x, y, width, height } = /** @type {SVGSVGElement} */ (document.querySelector('svg')).viewBox.baseVal;
      const groups = [.../** @type {NodeListOf<SVGGElement>} */ (document.querySelectorAll('[data-part]'))];
      const parts = groups.map((group) => ({ name: group.dataset.part ?? '', piece: group.dataset.piece ?? '', visible: group.dataset.hidden !== 'true' }));
      return { x, y, width, height, parts };
    });
    await page.setViewportSize({ width: sheet.width, height: sheet.height });
    /** @type {Cutout[]} */
    const cutouts = [];
    for (const [i, part] of sheet.parts.entries()) {
      await page.evaluate((shown) => {
        for (const [at, group] of /** @type {NodeListOf<SVGGElement>} */ (document.querySelectorAll('[data-part]')).entries()) {
          group.style.display = at === shown ? 'inline' : 'none';
        }
      }, i);
      const picture = PNG.sync.read(await page.screenshot({ omitBackground: true }));
      const box = opaqueBox(picture);
      cutouts.push({ ...part, x: sheet.x + box.left, y: sheet.y + box.top, ...cut(picture, box) });
    }
    return cutouts;
  } finally {
    await browser.close();
  }
}
