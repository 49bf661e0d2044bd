// The best we could write in JavaScript: a straight loop for each influence count, f64 inputs (an f32 load costs a conversion),
// offsets multiplied out beforehand. A mesh large enough for it is sorted by bone set, so that the inner loop runs over vertices
// that share their matrices.

const SMALL_MESH = 300;

/** @param {import('../character.mjs').Rig} rig */
export function createBest(rig) {
  const sets = Array.from({ length: rig.vertexCount }, (_, v) => {
    const slots = Array.from({ length: rig.first[v + 1] - rig.first[v] }, (_, i) => rig.first[v] + i).sort((p, q) => rig.joints[p] - rig.joints[q]);
    return { v, joints: slots.map((i) => 6 * rig.joints[i]), weights: slots.map((i) => rig.weights[i]) };
  });
  const compare = (p, q) => p.joints.length - q.joints.length || p.joints.reduce((order, joint, i) => order || joint - q.joints[i], 0);
  sets.sort((p, q) => compare(p, q) || p.v - q.v);
  const order = sets.map((set) => set.v);
  const matrices = new Float64Array(6 * rig.bones.length);
  const out = new Float32Array(2 * rig.vertexCount);
  const positions = Float64Array.from(order.flatMap((v) => [rig.positions[2 * v], rig.positions[2 * v + 1]]));
  const groups = [1, 2, 3, 4].map((count) => sets.filter((set) => set.joints.length === count));
  const weights = groups.map((group) => Float64Array.from(group.flatMap((set) => set.weights)));
  const isSmall = rig.vertexCount < SMALL_MESH;
  let at = 0;
  const streams = groups.map((group) => {
    const begin = at;
    at += 2 * group.length;
    if (isSmall) return Int32Array.from([begin, at, ...group.flatMap((set) => set.joints)]);
    const words = [];
    for (let i = 0; i < group.length;) {
      let end = i;
      while (end < group.length && compare(group[i], group[end]) === 0) end++;
      words.push(begin + 2 * i, begin + 2 * end, ...group[i].joints);
      i = end;
    }
    return Int32Array.from(words);
  });
  const loops = isSmall ? [each1, each2, each3, each4] : [set1, set2, set3, set4];
  return {
    out,
    order,
    setPalette: (palette) => palette.forEach((m, i) => matrices.set(m, 6 * i)),
    skin: () => {
      for (let i = 0; i < 4; i++) loops[i](streams[i], weights[i], positions, matrices, out);
    },
  };
}

function each1(joints, _weights, positions, m, out) {
  for (let p = joints[0], j = 2, end = joints[1]; p < end; p += 2, j++) {
    const x = positions[p], y = positions[p + 1], a = joints[j];
    out[p] = m[a] * x + m[a + 2] * y + m[a + 4];
    out[p + 1] = m[a + 1] * x + m[a + 3] * y + m[a + 5];
  }
}

function each2(joints, weights, positions, m, out) {
  for (let p = joints[0], j = 2, w = 0, end = joints[1]; p < end; p += 2, j += 2, w += 2) {
    blend2(positions[p], positions[p + 1], m, joints[j], joints[j + 1], weights, w, out, p);
  }
}

function each3(joints, weights, positions, m, out) {
  for (let p = joints[0], j = 2, w = 0, end = joints[1]; p < end; p += 2, j += 3, w += 3) {
    blend3(positions[p], positions[p + 1], m, joints[j], joints[j + 1], joints[j + 2], weights, w, out, p);
  }
}

function each4(joints, weights, positions, m, out) {
  for (let p = joints[0], j = 2, w = 0, end = joints[1]; p < end; p += 2, j += 4, w += 4) {
    blend4(positions[p], positions[p + 1], m, joints[j], joints[j + 1], joints[j + 2], joints[j + 3], weights, w, out, p);
  }
}

function set1(sets, _weights, positions, m, out) {
  for (let i = 0; i < sets.length; i += 3) {
    const j = sets[i + 2], a = m[j], b = m[j + 1], c = m[j + 2], d = m[j + 3], e = m[j + 4], f = m[j + 5];
    for (let p = sets[i], end = sets[i + 1]; p < end; p += 2) {
      const x = positions[p], y = positions[p + 1];
      out[p] = a * x + c * y + e;
      out[p + 1] = b * x + d * y + f;
    }
  }
}

function set2(sets, weights, positions, m, out) {
  for (let i = 0, w = 0; i < sets.length; i += 4) {
    for (let p = sets[i], end = sets[i + 1]; p < end; p += 2, w += 2) {
      blend2(positions[p], positions[p + 1], m, sets[i + 2], sets[i + 3], weights, w, out, p);
    }
  }
}

function set3(sets, weights, positions, m, out) {
  for (let i = 0, w = 0; i < sets.length; i += 5) {
    for (let p = sets[i], end = sets[i + 1]; p < end; p += 2, w += 3) {
      blend3(positions[p], positions[p + 1], m, sets[i + 2], sets[i + 3], sets[i + 4], weights, w, out, p);
    }
  }
}

function set4(sets, weights, positions, m, out) {
  for (let i = 0, w = 0; i < sets.length; i += 6) {
    for (let p = sets[i], end = sets[i + 1]; p < end; p += 2, w += 4) {
      blend4(positions[p], positions[p + 1], m, sets[i + 2], sets[i + 3], sets[i + 4], sets[i + 5], weights, w, out, p);
    }
  }
}

function blend2(x, y, m, a, b, weights, w, out, at) {
  const p = weights[w], q = weights[w + 1];
  out[at] = p * (m[a] * x + m[a + 2] * y + m[a + 4]) + q * (m[b] * x + m[b + 2] * y + m[b + 4]);
  out[at + 1] = p * (m[a + 1] * x + m[a + 3] * y + m[a + 5]) + q * (m[b + 1] * x + m[b + 3] * y + m[b + 5]);
}

function blend3(x, y, m, a, b, c, weights, w, out, at) {
  const p = weights[w], q = weights[w + 1], r = weights[w + 2];
  out[at] = p * (m[a] * x + m[a + 2] * y + m[a + 4]) + q * (m[b] * x + m[b + 2] * y + m[b + 4])
    + r * (m[c] * x + m[c + 2] * y + m[c + 4]);
  out[at + 1] = p * (m[a + 1] * x + m[a + 3] * y + m[a + 5]) + q * (m[b + 1] * x + m[b + 3] * y + m[b + 5])
    + r * (m[c + 1] * x + m[c + 3] * y + m[c + 5]);
}

function blend4(x, y, m, a, b, c, d, weights, w, out, at) {
  const p = weights[w], q = weights[w + 1], r = weights[w + 2], s = weights[w + 3];
  out[at] = p * (m[a] * x + m[a + 2] * y + m[a + 4]) + q * (m[b] * x + m[b + 2] * y + m[b + 4])
    + r * (m[c] * x + m[c + 2] * y + m[c + 4]) + s * (m[d] * x + m[d + 2] * y + m[d + 4]);
  out[at + 1] = p * (m[a + 1] * x + m[a + 3] * y + m[a + 5]) + q * (m[b + 1] * x + m[b + 3] * y + m[b + 5])
    + r * (m[c + 1] * x + m[c + 3] * y + m[c + 5]) + s * (m[d + 1] * x + m[d + 3] * y + m[d + 5]);
}
