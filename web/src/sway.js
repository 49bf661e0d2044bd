import { familyOf } from './family.js';

const duration = 3.2;
const keysPerTurn = 8;
/** Nobody tells more than these apart, and a clip names each by its whole path. */
const mostBones = 256;
const longestPath = 4096;

/**
 * A clip that sways the bones, each a little later than the one that carries it, so that a rig without clips still moves. Of very many
 * bones, those that are nearest to a root.
 * @param {readonly import('../../wasm-api/js/types.js').BoneData[]} bones
 * @returns {object} what an `.anim.json` holds
 */
export function swayClip(bones) {
  const tracks = fromTheRoots(bones).map(({ index, path, depth }) => {
    const reach = depth === 0 ? 0.035 : 0.11;
    return {
      path,
      trait: 'Transform',
      field: 'rz',
      type: 'number',
      keys: Array.from({ length: keysPerTurn + 1 }, (_, key) => {
        const phase = (2 * Math.PI * key) / keysPerTurn - 0.7 * depth;
        const slope = (reach * Math.cos(phase) * 2 * Math.PI) / duration;
        return { t: (duration * key) / keysPerTurn, v: bones[index].rotation + reach * Math.sin(phase), inTangent: slope, outTangent: slope };
      }),
    };
  });
  return { id: '', name: 'sway', duration, frameRate: 60, loop: true, tracks };
}

/** @param {readonly import('../../wasm-api/js/types.js').BoneData[]} bones */
function fromTheRoots(bones) {
  const { roots, childrenOf } = familyOf(bones);
  const found = roots.slice(0, mostBones).map((index) => ({ index, path: bones[index].name, depth: 0 }));
  for (const { index, path, depth } of found) {
    for (const child of childrenOf[index].slice(0, mostBones - found.length)) {
      found.push({ index: child, path: `${path}/${bones[child].name}`, depth: depth + 1 });
    }
  }
  return found.filter(({ path }) => path.length <= longestPath);
}
