import { createMarrow } from './index.js';
import { hasShared } from './shared.js';

/**
 * Making and changing rigs: pure functions over plain data in the words of the files, computed by the core. They need one: any Marrow
 * that was created and is alive, or the one that `ready` makes.
 *
 * @example
 * import { ready, alphaMask, autoRig, decodePng } from 'marrow2d/author';
 * await ready();
 * const image = decodePng(bytes);
 * const rig = autoRig({ width: image.width, height: image.height, sprite: guid, mask: alphaMask(image) });
 */
export * as affine from './author/affine.js';
export * as billboard from './author/billboard.js';
export * as curves from './author/curves.js';
export * as edit from './author/edit.js';
export { canonical, prefab } from './author/document.js';
export { decodePng, drawInstance, encodePng, frameUVs, guidOf, isGuid } from './author/image.js';
export { dominantBones, paint, weightField } from './author/paint.js';
export { alphaMask, autoRig, autoWeights, buildRig, generateGrid, suggestBones } from './author/rig.js';

/**
 * Makes a core when none is alive.
 * @param {import('./types.js').CreateOptions} [options]
 */
export async function ready(options) {
  if (!hasShared()) {
    await createMarrow(options);
  }
}
