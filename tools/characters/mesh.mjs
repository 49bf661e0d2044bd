// Meshes of parts: a grid of which only cells with something in them are kept.

/**
 * @typedef {object} Mesh
 * @property {[number, number][]} verts in rig units
 * @property {[number, number][]} uvs on the page
 * @property {number[]} tris
 */

/**
 * Even steps from one edge to the other, closer to each of the joints.
 * @param {number} from
 * @param {number} to
 * @param {number} cell the usual step
 * @param {number[]} [joints] where the step is halved, a cell to both sides
 */
function lines(from, to, cell, joints = []) {
  const density = (/** @type {number} */ at) => (joints.some((joint) => Math.abs(at - joint) < cell) ? 2 : 1) / cell;
  let total = 0;
  for (let at = from; at < to; at += 1) {
    total += density(at + 0.5) * Math.min(1, to - at);
  }
  const count = Math.max(1, Math.round(total));
  const result = [from];
  let sum = 0;
  for (let at = from; at < to && result.length < count; at += 1) {
    sum += density(at + 0.5);
    if (sum >= (total * result.length) / count) {
      result.push(at + 1);
    }
  }
  return [...result, to];
}

/**
 * @param {import('./page.mjs').Placed} part
 * @param {number} left
 * @param {number} top
 * @param {number} right
 * @param {number} bottom in rig units
 */
function isEmpty(part, left, top, right, bottom) {
  const first = Math.max(0, Math.floor(left - part.x - 1));
  const last = Math.min(part.width, Math.ceil(right - part.x + 1));
  for (let y = Math.max(0, Math.floor(top - part.y - 1)); y < Math.min(part.height, Math.ceil(bottom - part.y + 1)); y++) {
    for (let x = first; x < last; x++) {
      if (part.data[(y * part.width + x) * 4 + 3] > 8) {
        return false;
      }
    }
  }
  return true;
}

/**
 * @param {import('./page.mjs').Placed} part
 * @param {{ width: number, height: number }} page
 * @param {{ cell: number, xs?: number[], ys?: number[] }} shape joints at which columns and rows come closer
 * @returns {Mesh}
 */
export function gridMesh(part, page, { cell, xs, ys }) {
  const columns = lines(part.x - 1, part.x + part.width + 1, cell, xs);
  const rows = lines(part.y - 1, part.y + part.height + 1, cell, ys);
  /** @type {Map<string, number>} */
  const numbers = new Map();
  /** @type {Mesh} */
  const mesh = { verts: [], uvs: [], tris: [] };
  const vertex = (/** @type {number} */ column, /** @type {number} */ row) => {
    const key = `${column} ${row}`;
    const known = numbers.get(key);
    if (known !== undefined) {
      return known;
    }
    const [x, y] = [columns[column], rows[row]];
    const uv = [(x - part.x + part.pageX) / page.width, (y - part.y + part.pageY) / page.height];
    mesh.verts.push([x, y]);
    mesh.uvs.push([Math.fround(uv[0]), Math.fround(uv[1])]);
    numbers.set(key, mesh.verts.length - 1);
    return mesh.verts.length - 1;
  };
  for (let row = 0; row + 1 < rows.length; row++) {
    for (let column = 0; column + 1 < columns.length; column++) {
      if (!isEmpty(part, columns[column], rows[row], columns[column + 1], rows[row + 1])) {
        const a = vertex(column, row);
        const b = vertex(column + 1, row);
        const d = vertex(column, row + 1);
        const e = vertex(column + 1, row + 1);
        mesh.tris.push(a, d, b, b, d, e);
      }
    }
  }
  return mesh;
}
