/**
 * Every edge of a mesh once, in the order of its triangles.
 *
 * @param {Uint32Array} indices three a triangle
 * @param {number} vertexCount
 * @returns {{ vertices: Uint32Array, offsets: Uint32Array }} `vertices`: two an edge. Triangles a up to b (without b) bring the edges from
 *   `offsets[a]` to `offsets[b]`: those of whole parts are whole, because parts share no vertex
 */
export function listEdges(indices, vertexCount) {
  const seen = new Set();
  const vertices = new Uint32Array(indices.length * 2);
  const offsets = new Uint32Array(indices.length / 3 + 1);
  let count = 0;
  for (let at = 0; at < indices.length; at += 1) {
    const from = indices[at];
    const to = indices[at % 3 === 2 ? at - 2 : at + 1];
    const key = Math.min(from, to) * vertexCount + Math.max(from, to);
    if (!seen.has(key)) {
      seen.add(key);
      vertices[2 * count] = from;
      vertices[2 * count + 1] = to;
      count += 1;
    }
    if (at % 3 === 2) {
      offsets[(at + 1) / 3] = count;
    }
  }
  return { vertices: vertices.slice(0, 2 * count), offsets };
}
