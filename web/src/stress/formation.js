/** Rows in the front are larger, and farther from the next: a crowd that is looked at from a little above. */
const [farScale, nearScale] = [0.72, 1.2];
/** Shares of a character's width and height that the next one in the row, and the row in front, leave free. */
const [stepAcross, stepDown] = [0.76, 0.48];
const margin = 0.03;
const mostOfHeight = 0.8;
/** Successive multiples of it, without their whole part, never crowd together. */
const golden = 0.6180339887498949;

/**
 * Where everyone stands, row by row from the back. Feet are the lower edge of the bounds.
 *
 * @param {number} count
 * @param {{ width: number, height: number }} field pixels
 * @param {{ minX: number, minY: number, maxX: number, maxY: number }} bounds of one character in its bind pose
 * @param {(index: number, x: number, y: number, scale: number) => void} place
 */
export function arrange(count, { width, height }, { minX, minY, maxX, maxY }, place) {
  const [bodyWidth, bodyHeight] = [Math.max(1, maxX - minX), Math.max(1, maxY - minY)];
  const [innerWidth, innerHeight] = [width * (1 - 2 * margin), height * (1 - 2 * margin)];
  const fitting = Math.sqrt((innerWidth * innerHeight) / (count * stepAcross * stepDown * bodyWidth * bodyHeight));
  const most = Math.min(mostOfHeight * innerHeight / bodyHeight, innerWidth / bodyWidth) / nearScale;
  const { rows, scale } = grid(count, Math.min(fitting, most), innerWidth, innerHeight, bodyWidth, bodyHeight);
  const [first, last] = [bodyHeight * scale * scaleOf(0, rows), innerHeight];
  for (let row = 0; row < rows; row += 1) {
    const [begin, end] = [Math.floor((row * count) / rows), Math.floor(((row + 1) * count) / rows)];
    const size = scale * scaleOf(row, rows);
    const free = Math.max(0, innerWidth - bodyWidth * size);
    const feet = margin * height + (rows === 1 ? (innerHeight + first) / 2 : first + (last - first) * depthOf(row, rows));
    for (let index = begin; index < end; index += 1) {
      // Every second row stands in the gaps of the one before it.
      const across = end - begin === 1 ? 0.5
        : (index - begin + 0.25 + 0.5 * (row % 2) + 0.12 * (fraction(index * golden) - 0.5)) / (end - begin);
      const middle = margin * width + bodyWidth * size / 2 + free * across;
      place(index, middle - size * (minX + maxX) / 2, feet - size * maxY, size);
    }
  }
}

/** @param {number} index */
export function phaseOf(index) {
  return fraction((index + 1) * golden);
}

/**
 * The largest scale up to `scale` at which as many rows and columns as are needed have room.
 * @param {number} count
 * @param {number} scale
 * @param {number} width
 * @param {number} height
 * @param {number} bodyWidth
 * @param {number} bodyHeight
 */
function grid(count, scale, width, height, bodyWidth, bodyHeight) {
  for (let used = scale; ; used *= 0.96) {
    const columns = Math.max(1, Math.floor((width - bodyWidth * used) / (stepAcross * bodyWidth * used)) + 1);
    const rows = Math.ceil(count / columns);
    const needed = bodyHeight * used * (farScale + (rows - 1) * stepDown);
    if (needed <= height || used < scale / 8) {
      return { rows, scale: used };
    }
  }
}

/** @param {number} row @param {number} rows */
function scaleOf(row, rows) {
  return rows === 1 ? 1 : farScale + (nearScale - farScale) * depthOf(row, rows);
}

/** From 0 at the back to 1 in the front, in growing steps. @param {number} row @param {number} rows */
function depthOf(row, rows) {
  const along = row / (rows - 1);
  return along * (farScale + (along * (nearScale - farScale)) / 2) / ((farScale + nearScale) / 2);
}

/** @param {number} value */
function fraction(value) {
  return value - Math.floor(value);
}
