// What one writes first: typed arrays, four slots a vertex, one loop.

/** @param {import('../character.mjs').Rig} rig */
export function createPlain(rig) {
  const joints = new Uint16Array(4 * rig.vertexCount);
  const weights = new Float32Array(4 * rig.vertexCount);
  for (let v = 0; v < rig.vertexCount; v++) {
    for (let i = rig.first[v]; i < rig.first[v + 1]; i++) {
      joints[4 * v + i - rig.first[v]] = rig.joints[i];
      weights[4 * v + i - rig.first[v]] = rig.weights[i];
    }
  }
  const matrices = new Float32Array(6 * rig.bones.length);
  const out = new Float32Array(2 * rig.vertexCount);
  return {
    out,
    setPalette: (palette) => palette.forEach((m, i) => matrices.set(m, 6 * i)),
    skin: () => skin(rig.vertexCount, rig.positions, joints, weights, matrices, out),
  };
}

function skin(vertexCount, positions, joints, weights, matrices, out) {
  for (let v = 0; v < vertexCount; v++) {
    const x = positions[2 * v], y = positions[2 * v + 1];
    let outX = 0, outY = 0;
    for (let i = 4 * v; i < 4 * v + 4; i++) {
      const weight = weights[i];
      if (weight === 0) continue;
      const m = 6 * joints[i];
      outX += weight * (matrices[m] * x + matrices[m + 2] * y + matrices[m + 4]);
      outY += weight * (matrices[m + 1] * x + matrices[m + 3] * y + matrices[m + 5]);
    }
    out[2 * v] = outX;
    out[2 * v + 1] = outY;
  }
}
