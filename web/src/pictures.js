import { ImageSource } from 'pixi.js';

/**
 * A picture as all renderers take it: one premultiplied bitmap, which is what they blend without fringes.
 * @typedef {object} Picture
 * @property {string} name
 * @property {Uint8Array} bytes of the file
 * @property {number} width
 * @property {number} height
 * @property {ImageSource & { resource: ImageBitmap }} source for PixiJS
 */

/**
 * @param {string} name
 * @param {Blob} blob
 * @returns {Promise<Picture>}
 */
export async function readPicture(name, blob) {
  const bitmap = await createImageBitmap(blob, { premultiplyAlpha: 'premultiply', colorSpaceConversion: 'none' });
  const { width, height } = bitmap;
  const source = /** @type {Picture['source']} */ (new ImageSource({ resource: bitmap, alphaMode: 'premultiplied-alpha', autoGenerateMipmaps: true, label: name }));
  return { name, bytes: new Uint8Array(await blob.arrayBuffer()), width, height, source };
}

/** @param {Picture} picture */
export function disposePicture({ source }) {
  // Not destroyed: PixiJS's mesh shader holds on to the last source it drew, and complains when that one is.
  source.unload();
  source.resource.close();
}

/**
 * Pixels as the core takes them: RGBA, straight alpha.
 * @param {Picture} picture
 */
export function pixelsOf({ source, width, height }) {
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(width, height).getContext('2d'));
  context.drawImage(source.resource, 0, 0);
  return context.getImageData(0, 0, width, height);
}

/**
 * What PixiJS's views are given.
 * @param {ReadonlyMap<string, Picture>} pictures by GUID
 */
export function texturesOf(pictures) {
  return Object.fromEntries([...pictures].map(([guid, { source }]) => [guid, source]));
}
