/**
 * Making and changing rigs: pure functions over plain data in the words of the files. They have a binary of their own, which is loaded
 * while this module is imported, so that they work at once.
 *
 * @example
 * import { alphaMask, autoRig, decodePng } from 'marrow2d/author';
 * const image = decodePng(bytes);
 * const rig = autoRig({ width: image.width, height: image.height, sprite: guid, mask: alphaMask(image) });
 */
import { begin } from './author/core.js';

export * as affine from './author/affine.js';
export * as billboard from './author/billboard.js';
export * as curves from './author/curves.js';
export * as edit from './author/edit.js';
export { ready } from './author/core.js';
export { canonical, prefab } from './author/document.js';
export { drawInstance } from './author/draw.js';
export { decodePng, encodePng, frameUVs, guidOf, isGuid } from './author/image.js';
export { dominantBones, paint, weightField } from './author/paint.js';
export { alphaMask, autoRig, autoWeights, buildRig, generateGrid, suggestBones } from './author/rig.js';

// Once, before whoever imports this goes on: so the functions need no start. It stands here because nothing that the main entry reaches may
// wait at its top: bundlers put a worker into one classic script.
await begin();
