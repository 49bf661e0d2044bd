const duration = 3.2;
const keysPerTurn = 8;

/**
 * A clip that sways every bone, each a little later than the one that carries it, so that a rig without clips still moves.
 * @param {readonly import('../../wasm-api/js/types.js').BoneData[]} bones
 * @returns {object} what an `.anim.json` holds
 */
export function swayClip(bones) {
  const tracks = bones.map((bone, index) => {
    const chain = chainOf(bones, index);
    const depth = chain.length - 1;
    const reach = depth === 0 ? 0.035 : 0.11;
    return {
      path: chain.map((each) => bones[each].name).join('/'),
      trait: 'Transform',
      field: 'rz',
      type: 'number',
      keys: Array.from({ length: keysPerTurn + 1 }, (_, key) => {
        const phase = (2 * Math.PI * key) / keysPerTurn - 0.7 * depth;
        const slope = (reach * Math.cos(phase) * 2 * Math.PI) / duration;
        return { t: (duration * key) / keysPerTurn, v: bone.rotation + reach * Math.sin(phase), inTangent: slope, outTangent: slope };
      }),
    };
  });
  return { id: '', name: 'sway', duration, frameRate: 60, loop: true, tracks };
}

/**
 * Indices from the root down to a bone. A parent that was seen is none, as in the file format.
 * @param {readonly import('../../wasm-api/js/types.js').BoneData[]} bones
 * @param {number} index
 */
function chainOf(bones, index) {
  const chain = [index];
  for (let parent = bones[index].parent; bones[parent] !== undefined && !chain.includes(parent); parent = bones[parent].parent) {
    chain.unshift(parent);
  }
  return chain;
}
