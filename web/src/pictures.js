import { ImageSource } from 'pixi.js';
import { SRGBColorSpace, Texture } from 'three';

/**
 * A picture as both renderers take it: one premultiplied bitmap, which is what both blend without fringes.
 * @typedef {object} Picture
 * @property {string} name
 * @property {Uint8Array} bytes of the file
 * @property {number} width
 * @property {number} height
 * @property {ImageSource & { resource: ImageBitmap }} source for PixiJS
 * @property {Texture} texture for three.js
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
  const texture = new Texture(bitmap);
  texture.colorSpace = SRGBColorSpace;
  texture.flipY = false;
  texture.premultiplyAlpha = true;
  texture.anisotropy = 8;
  texture.needsUpdate = true;
  return { name, bytes: new Uint8Array(await blob.arrayBuffer()), width, height, source, texture };
}

/** @param {Picture} picture */
export function disposePicture({ source, texture }) {
  // Not destroyed: PixiJS's mesh shader holds on to the last source it drew, and complains when that one is.
  source.unload();
  texture.dispose();
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
 * What both renderers' views are given.
 * @param {ReadonlyMap<string, Picture>} pictures by GUID
 */
export function texturesOf(pictures) {
  return {
    pixi: Object.fromEntries([...pictures].map(([guid, { source }]) => [guid, source])),
    three: Object.fromEntries([...pictures].map(([guid, { texture }]) => [guid, texture])),
  };
}
