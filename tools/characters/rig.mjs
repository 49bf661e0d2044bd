// The rig document of a character: parts on one page, meshed and weighted.
import { guidOf } from '../document.mjs';
import { gridMesh } from './mesh.mjs';
import { chainWeights } from './weights.mjs';

/** @typedef {{ cell: number, xs?: number[], ys?: number[], chain: string[], radius?: number | (number | import('./weights.mjs').Bend)[], end?: [number, number] }} Skin */
/** @typedef {{ name: string, mesh: import('./mesh.mjs').Mesh, visible: boolean, skinIndices: number[], skinWeights: number[] }} RigPart */

/**
 * One part of what is drawn in pieces, the later ones over the earlier ones.
 * @param {RigPart} under
 * @param {RigPart} over
 * @returns {RigPart}
 */
function joined(under, over) {
  const first = under.mesh.verts.length;
  const mesh = {
    verts: [...under.mesh.verts, ...over.mesh.verts], uvs: [...under.mesh.uvs, ...over.mesh.uvs],
    tris: [...under.mesh.tris, ...over.mesh.tris.map((vertex) => vertex + first)],
  };
  return {
    ...under, mesh, skinIndices: [...under.skinIndices, ...over.skinIndices], skinWeights: [...under.skinWeights, ...over.skinWeights],
  };
}

/**
 * @param {import('./skeleton.mjs').Skeleton} skeleton
 * @param {Record<string, Skin>} skins by part, or by part and piece
 * @param {import('./page.mjs').Placed[]} placed
 * @param {{ width: number, height: number }} page
 * @returns {RigPart[]}
 */
export function meshParts(skeleton, skins, placed, page) {
  /** @type {Map<string, RigPart>} */
  const parts = new Map();
  for (const each of placed) {
    const skin = skins[each.piece === '' ? each.name : `${each.name} ${each.piece}`];
    const mesh = gridMesh(each, page, skin);
    const part = { name: each.name, visible: each.visible, mesh, ...chainWeights(skeleton, { radius: 20, ...skin }, mesh.verts) };
    const under = parts.get(each.name);
    parts.set(each.name, under === undefined ? part : joined(under, part));
  }
  return [...parts.values()];
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
