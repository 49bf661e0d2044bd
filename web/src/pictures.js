import { ImageSource } from 'pixi.js';

/**
 * A picture as all renderers take it: one premultiplied bitmap, which is what they blend without fringes.
 * @typedef {object} Picture
 * @property {string} name
 * @property {Uint8Array} bytes of the file
 * @property {number} width
 * @property {number} height
 * @property {BitmapSource} source for PixiJS
 *
 * @typedef {ImageSource & { resource: ImageBitmap }} BitmapSource
 */

/** As in the core: a larger one does not fit into the memory of a page several times over. */
export const mostPixels = 64e6;
/** Pixels of a side that every machine can draw. */
const usualTexture = 4096;
/** @type {ImageBitmapOptions} */
const reading = { premultiplyAlpha: 'premultiply', colorSpaceConversion: 'none' };
/** The longer side of the pixels that hits are looked up in. */
const longestSide = 2048;

/**
 * @param {string} name
 * @param {Blob} blob
 * @returns {Promise<Picture>}
 */
export async function readPicture(name, blob) {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  checkSize(pngSize(bytes));
  const bitmap = await createImageBitmap(blob, reading).catch((cause) => {
    throw new Error('the browser cannot read this picture', { cause });
  });
  const { width, height } = bitmap;
  checkSize(bitmap);
  return { name, bytes, width, height, source: bitmapSource(await fitTexture(bitmap), name) };
}

/**
 * A picture that is too long for a texture, made smaller. Its uvs stay what they are.
 * @param {ImageBitmap} bitmap
 */
async function fitTexture(bitmap) {
  const { width, height } = bitmap;
  const longest = Math.max(width, height);
  const most = longest <= usualTexture ? usualTexture : longestTexture();
  if (longest <= most) {
    return bitmap;
  }
  const [resizeWidth, resizeHeight] = [width, height].map((side) => Math.max(1, Math.round(side * most / longest)));
  const smaller = await createImageBitmap(bitmap, { ...reading, resizeWidth, resizeHeight, resizeQuality: 'high' });
  bitmap.close();
  return smaller;
}

/** What this machine can draw. */
function longestTexture() {
  const gl = new OffscreenCanvas(1, 1).getContext('webgl2');
  const most = Number(gl?.getParameter(gl.MAX_TEXTURE_SIZE) ?? usualTexture);
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return most;
}

/** @param {ImageBitmap} resource premultiplied @param {string} label */
function bitmapSource(resource, label) {
  return /** @type {BitmapSource} */ (new ImageSource({ resource, alphaMode: 'premultiplied-alpha', autoGenerateMipmaps: true, label }));
}

/**
 * What a PNG says of its size, before it is decoded.
 * @param {Uint8Array} bytes
 */
function pngSize(bytes) {
  const isPng = bytes.length >= 24 && bytes[0] === 0x89 && bytes[1] === 0x50 && bytes[2] === 0x4e && bytes[3] === 0x47;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return isPng ? { width: view.getUint32(16), height: view.getUint32(20) } : { width: 0, height: 0 };
}

/** @param {{ width: number, height: number }} size */
function checkSize({ width, height }) {
  if (width * height > mostPixels) {
    throw new Error(`this picture has ${width} × ${height} pixels, ${(width * height / 1e6).toFixed(1)} million: the limit is ${mostPixels / 1e6} million`);
  }
}

/** @param {Picture} picture */
export function disposePicture({ source }) {
  // Not destroyed: PixiJS's mesh shader holds on to the last source it drew, and complains when that one is.
  source.unload();
  source.resource.close();
}

/**
 * Pixels as the core takes them to look up hits: RGBA, straight alpha. Large pictures are made smaller, which nobody's finger feels.
 * @param {Picture} picture
 */
export function pixelsOf({ source, width, height }) {
  const scale = Math.min(1, longestSide / Math.max(width, height));
  const [columns, rows] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(columns, rows).getContext('2d', { willReadFrequently: true }));
  context.drawImage(source.resource, 0, 0, columns, rows);
  return context.getImageData(0, 0, columns, rows);
}

/** @type {BitmapSource | null} */
let standIn = null;

/** What is drawn where a picture is missing: squares, which show how the mesh bends. */
function checker() {
  if (standIn === null) {
    const [cells, size] = [8, 16];
    const canvas = new OffscreenCanvas(cells * size, cells * size);
    const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d'));
    for (let cell = 0; cell < cells * cells; cell += 1) {
      const [column, row] = [cell % cells, Math.floor(cell / cells)];
      context.fillStyle = (column + row) % 2 === 0 ? '#8d96a5' : '#667080';
      context.fillRect(column * size, row * size, size, size);
    }
    standIn = bitmapSource(canvas.transferToImageBitmap(), 'no picture');
  }
  return standIn;
}

/**
 * What PixiJS's views are given, with something in place of what is missing.
 * @param {import('marrow2d').Model} model
 * @param {ReadonlyMap<string, Picture>} pictures by GUID
 * @returns {Record<string, BitmapSource>} by GUID; by the names of the parts in a rig that names no picture at all
 */
export function dress({ parts, sprites }, pictures) {
  const wanted = sprites.length > 0 ? sprites.map(({ guid }) => guid) : parts.map(({ name }) => name);
  return { ...Object.fromEntries(wanted.filter((name) => !pictures.has(name)).map((name) => [name, checker()])), ...texturesOf(pictures) };
}

/** @param {ReadonlyMap<string, Picture>} pictures by GUID */
export function texturesOf(pictures) {
  return Object.fromEntries([...pictures].map(([guid, { source }]) => [guid, source]));
}
