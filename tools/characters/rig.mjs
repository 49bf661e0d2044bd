// The rig document of a character: parts on one page, meshed and weighted.
import { guidOf } from '../document.mjs';
import { gridMesh } from './mesh.mjs';
import { chainWeights } from './weights.mjs';

/** @typedef {{ cell: number, xs?: number[], ys?: number[], chain: string[], radius?: number | (number | import('./weights.mjs').Bend)[], end?: [number, number] }} Skin */
/** @typedef {{ name: string, mesh: import('./mesh.mjs').Mesh, visible: boolean, skinIndices: number[], skinWeights: number[] }} RigPart */

/**
 * @param {import('./skeleton.mjs').Skeleton} skeleton
 * @param {Record<string, Skin>} skins by part
 * @param {import('./page.mjs').Placed[]} placed
 * @param {{ width: number, height: number }} page
 * @returns {RigPart[]}
 */
export function meshParts(skeleton, skins, placed, page) {
  return placed.map((part) => {
    const skin = skins[part.name];
    const mesh = gridMesh(part, page, skin);
    return { name: part.name, visible: part.visible, mesh, ...chainWeights(skeleton, { radius: 20, ...skin }, mesh.verts) };
  });
}

/**
 * @param {string} folder of the character, as `assets/kit`
 * @param {import('./skeleton.mjs').Skeleton} skeleton
 * @param {RigPart[]} parts in draw order
 * @param {string} sprite
 * @param {string[]} clips
 */
export function rigDocument(folder, skeleton, parts, sprite, clips) {
  const name = folder.slice(folder.lastIndexOf('/') + 1);
  const files = clips.map((clip) => /** @type {const} */ ([guidOf(`${folder}/${clip}.anim.json`), `${clip}.anim.json`]));
  return {
    id: guidOf(`${folder}/${name}.rig2d.json`),
    version: 2,
    bones: skeleton.bones.map((bone) => ({ ...bone, x: bone.x + 0, y: bone.y + 0 })),
    parts: parts.map(({ visible, mesh, skinIndices, skinWeights, ...part }, order) => ({
      ...part, sprite, order, ...(visible ? {} : { visible }), mesh, skinIndices, skinWeights,
    })),
    assets: { [sprite]: `${name}.png`, ...Object.fromEntries(files) },
  };
}
