// The loop of DragonBones-like runtimes: one stream of counts, bones and weights, bind points in each bone's own space, bones as
// objects that carry their matrix.
import { invert } from '../character.mjs';

/** @param {import('../character.mjs').Rig} rig */
export function createDragonBonesStyle(rig) {
  const stream = [], numbers = [];
  for (let v = 0; v < rig.vertexCount; v++) {
    stream.push(rig.first[v + 1] - rig.first[v]);
    for (let i = rig.first[v]; i < rig.first[v + 1]; i++) {
      const [a, b, c, d, e, f] = rig.inverseBinds[rig.joints[i]];
      const x = rig.positions[2 * v], y = rig.positions[2 * v + 1];
      stream.push(rig.joints[i]);
      numbers.push(rig.weights[i], a * x + c * y + e, b * x + d * y + f);
    }
  }
  const slots = new Int16Array(stream), floats = new Float32Array(numbers);
  const bones = rig.bones.map((_, i) => ({ name: `bone${i}`, matrix: { a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0 } }));
  const binds = rig.inverseBinds.map(invert);
  const out = new Float32Array(2 * rig.vertexCount);
  return {
    out,
    // such runtimes keep world matrices; the palette times the bind gives them back
    setPalette: (palette) => palette.forEach(([a, b, c, d, e, f], i) => {
      const q = binds[i];
      bones[i].matrix = {
        a: a * q[0] + c * q[1], b: b * q[0] + d * q[1], c: a * q[2] + c * q[3], d: b * q[2] + d * q[3],
        tx: a * q[4] + c * q[5] + e, ty: b * q[4] + d * q[5] + f,
      };
    }),
    skin: () => skin(rig.vertexCount, slots, floats, bones, out),
  };
}

function skin(vertexCount, slots, floats, bones, out) {
  for (let v = 0, slot = 0, number = 0, to = 0; v < vertexCount; v++) {
    const count = slots[slot++];
    let x = 0, y = 0;
    for (let i = 0; i < count; i++) {
      const bone = bones[slots[slot++]];
      const { matrix } = bone;
      const weight = floats[number++];
      const localX = floats[number++], localY = floats[number++];
      x += (matrix.a * localX + matrix.c * localY + matrix.tx) * weight;
      y += (matrix.b * localX + matrix.d * localY + matrix.ty) * weight;
    }
    out[to++] = x;
    out[to++] = y;
  }
}
