import { crc32, deflateSync } from 'node:zlib';
import gifenc from 'gifenc';

const most = 256;
/** Colors of large areas, which the eye would see shift. */
const kept = 96;

/** @param {string} type @param {Uint8Array} content */
function chunk(type, content) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([size, body, sum]);
}

/**
 * The most frequent colors as they are, and means of all others.
 * @param {Uint32Array} pixels
 */
function choosePalette(pixels) {
  /** @type {Map<number, number>} */
  const counts = new Map();
  pixels.forEach((pixel) => counts.set(pixel, (counts.get(pixel) ?? 0) + 1));
  const frequent = [...counts].sort((a, b) => b[1] - a[1]).slice(0, kept).map(([pixel]) => pixel);
  const rest = pixels.filter((pixel) => !frequent.includes(pixel));
  const means = rest.length === 0 ? [] : gifenc.quantize(new Uint8Array(rest.buffer), most - frequent.length, { format: 'rgb565' });
  return [...frequent.map((pixel) => [pixel & 255, (pixel >>> 8) & 255, (pixel >>> 16) & 255]), ...means];
}

/** @param {number[][]} palette @param {number} pixel */
function nearest(palette, pixel) {
  let [best, least] = [0, Infinity];
  palette.forEach(([r, g, b], index) => {
    const far = (r - (pixel & 255)) ** 2 + (g - ((pixel >>> 8) & 255)) ** 2 + (b - ((pixel >>> 16) & 255)) ** 2;
    if (far < least) {
      [best, least] = [index, far];
    }
  });
  return best;
}

/**
 * A PNG of at most 256 colors: a third of a screenshot's size, and a kind that pngjs does not write.
 * @param {{ width: number, height: number, data: Uint8Array }} picture RGBA, opaque
 */
export function palettePng({ width, height, data }) {
  const pixels = new Uint32Array(data.buffer, data.byteOffset, width * height);
  const palette = choosePalette(pixels);
  /** @type {Map<number, number>} */
  const found = new Map();
  const rows = Buffer.alloc((width + 1) * height);
  pixels.forEach((pixel, at) => {
    const index = found.get(pixel) ?? nearest(palette, pixel);
    found.set(pixel, index);
    rows[at + Math.floor(at / width) + 1] = index;
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', header), chunk('PLTE', Uint8Array.from(palette.flatMap((color) => color.slice(0, 3)))),
    chunk('IDAT', deflateSync(rows, { level: 9 })), chunk('IEND', Buffer.alloc(0))]);
}
