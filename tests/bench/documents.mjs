// The character as files of the formats that the package reads.

/** @param {import('./character.mjs').Rig} rig */
export function toRig2d(rig) {
  const { vertexCount } = rig;
  const indices = new Array(4 * vertexCount).fill(0), weights = new Array(4 * vertexCount).fill(0);
  for (let v = 0; v < vertexCount; v++) {
    for (let i = rig.first[v]; i < rig.first[v + 1]; i++) {
      indices[4 * v + i - rig.first[v]] = rig.joints[i];
      weights[4 * v + i - rig.first[v]] = rig.weights[i];
    }
  }
  const points = (numbers) => Array.from({ length: vertexCount }, (_, v) => [numbers[2 * v], numbers[2 * v + 1]]);
  return JSON.stringify({
    version: 2,
    bones: rig.bones.map((bone, i) => ({ name: `bone${i}`, parent: bone.parent, x: bone.x, y: bone.y, rot: bone.rotation })),
    parts: [{
      name: 'body',
      mesh: {
        verts: points(rig.positions),
        uvs: points(new Float32Array(2 * vertexCount)),
        tris: Array.from({ length: vertexCount - 2 }, (_, i) => [i, i + 1, i + 2]).flat(),
      },
      skinIndices: indices,
      skinWeights: weights,
    }],
  });
}

/**
 * @param {import('./character.mjs').Rig} rig
 * @param {import('./character.mjs').Clip} clip
 */
export function toAnim(rig, clip) {
  const paths = [];
  rig.bones.forEach((bone, i) => paths.push((bone.parent < 0 ? '' : `${paths[bone.parent]}/`) + `bone${i}`));
  return JSON.stringify({
    name: 'move',
    duration: clip.duration,
    tracks: clip.channels.map((keys, i) => ({
      path: paths[i % rig.bones.length],
      trait: 'Transform',
      field: ['x', 'y', 'rz'][Math.floor(i / rig.bones.length)],
      type: 'number',
      keys: keys.map((key) => ({
        t: key.time, v: key.value, inTangent: key.inTangent, outTangent: key.outTangent,
        ...(key.outWeight < 0 ? {} : { inWeight: key.inWeight, outWeight: key.outWeight }),
      })),
    })),
  });
}
