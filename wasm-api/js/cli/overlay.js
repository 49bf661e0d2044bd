/**
 * Lines over a picture, for previews.
 *
 * @typedef {{ width: number, height: number, data: Uint8Array }} Image
 * @typedef {readonly [number, number]} Point
 */

const meshColor = [255, 64, 180, 140];
const boneColor = [20, 110, 220, 255];
const jointRadius = 4;

/**
 * Draws the mesh and the bones of a posed instance.
 * @param {Image} image
 * @param {import('../instance.js').Instance} hero
 * @param {ArrayLike<number>} matrix the instance's space to pixels
 */
export function drawSkeleton(image, hero, matrix) {
  const { positions, indices } = hero;
  /** @param {number} x @param {number} y @returns {Point} */
  const toPixels = (x, y) => [matrix[0] * x + matrix[2] * y + matrix[4], matrix[1] * x + matrix[3] * y + matrix[5]];
  /** @param {number} vertex */
  const vertexAt = (vertex) => toPixels(positions[vertex * 2], positions[vertex * 2 + 1]);
  for (let first = 0; first < indices.length; first += 3) {
    for (let corner = 0; corner < 3; corner += 1) {
      const [from, to] = [indices[first + corner], indices[first + ((corner + 1) % 3)]];
      if (from < to) {
        drawLine(image, vertexAt(from), vertexAt(to), meshColor, 0.5);
      }
    }
  }
  for (const node of hero.nodes.filter(({ isBone }) => isBone)) {
    const joint = toPixels(node.matrix[4], node.matrix[5]);
    if (node.parent !== null) {
      const above = node.parent.matrix;
      drawLine(image, toPixels(above[4], above[5]), joint, boneColor, 1.5);
    }
    drawLine(image, joint, joint, boneColor, jointRadius);
  }
}

/**
 * A line with round ends; the edge is a pixel soft.
 * @param {Image} image
 * @param {Point} from
 * @param {Point} to
 * @param {number[]} color r, g, b, a
 * @param {number} radius
 */
function drawLine(image, from, to, color, radius) {
  const reach = radius + 1;
  const firstX = Math.max(0, Math.floor(Math.min(from[0], to[0]) - reach));
  const lastX = Math.min(image.width - 1, Math.ceil(Math.max(from[0], to[0]) + reach));
  const firstY = Math.max(0, Math.floor(Math.min(from[1], to[1]) - reach));
  const lastY = Math.min(image.height - 1, Math.ceil(Math.max(from[1], to[1]) + reach));
  const [alongX, alongY] = [to[0] - from[0], to[1] - from[1]];
  const square = alongX * alongX + alongY * alongY;
  for (let y = firstY; y <= lastY; y += 1) {
    for (let x = firstX; x <= lastX; x += 1) {
      const [offX, offY] = [x + 0.5 - from[0], y + 0.5 - from[1]];
      const along = square === 0 ? 0 : Math.min(1, Math.max(0, (offX * alongX + offY * alongY) / square));
      const distance = Math.hypot(offX - along * alongX, offY - along * alongY);
      const alpha = (Math.min(1, Math.max(0, radius + 0.5 - distance)) * color[3]) / 255;
      if (alpha > 0) {
        const at = (y * image.width + x) * 4;
        for (let channel = 0; channel < 3; channel += 1) {
          image.data[at + channel] = Math.round(image.data[at + channel] * (1 - alpha) + color[channel] * alpha);
        }
        image.data[at + 3] = Math.round(255 * alpha + image.data[at + 3] * (1 - alpha));
      }
    }
  }
}
