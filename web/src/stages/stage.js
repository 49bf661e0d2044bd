/**
 * What every stage is to the rest of the page. Stages know nothing of each other, nor of the panels.
 *
 * @typedef {object} Stage
 * @property {HTMLElement} element where it lies
 * @property {() => Promise<void>} mount once
 * @property {(scene: import('../workspace.js').Scene) => void} show draws this from now on
 * @property {(options: StageOptions) => void} configure
 * @property {() => boolean} update draws if there is anything new to see; whether it did
 * @property {() => void} redraw the next update draws in any case
 * @property {() => void} fit brings the figure back into sight
 * @property {(factor: number) => void} zoom about the middle
 * @property {string} view where its camera is, as an address says it; empty: where `fit` puts it
 * @property {(view: string) => boolean} look puts the camera where an address says; false: that makes no sense, and nothing has changed
 * @property {string} knownView what makes sense
 * @property {number} uploadedBytes to the GPU, since the scene is shown
 * @property {Float64Array} homography from the rig's plane to the stage in CSS pixels: nine numbers, row by row, of the matrix that takes
 *   (x, y, 1) to (X w, Y w, w). As of the last update
 * @property {(options: { transparent: boolean }) => Promise<Blob>} picture a PNG of what is seen
 *
 * @typedef {object} StageOptions
 * @property {import('../state.js').AppState['facing']} facing
 * @property {number} heading degrees
 * @property {import('../state.js').AppState['stage']} stage
 * @property {import('../state.js').AppState['theme']} theme
 * @property {import('../state.js').AppState['backdrop']} backdrop
 */

/**
 * The rig's own plane on the screen.
 * @param {Float64Array} h a stage's homography
 * @param {number} x
 * @param {number} y
 * @param {{ x: number, y: number }} out CSS pixels
 * @returns {boolean} false: behind the camera
 */
export function project(h, x, y, out) {
  const w = h[6] * x + h[7] * y + h[8];
  out.x = (h[0] * x + h[1] * y + h[2]) / w;
  out.y = (h[3] * x + h[4] * y + h[5]) / w;
  return w > 0;
}

/**
 * The point of the rig's plane that is seen at a point of the stage.
 * @param {Float64Array} h a stage's homography
 * @param {number} X CSS pixels
 * @param {number} Y
 * @param {{ x: number, y: number }} out
 * @returns {boolean} false: the plane is seen from its edge, or not there at all
 */
export function unproject(h, X, Y, out) {
  // The two equations of `project`, ordered by x and y.
  const a = h[0] - X * h[6];
  const b = h[1] - X * h[7];
  const c = h[3] - Y * h[6];
  const d = h[4] - Y * h[7];
  const e = X * h[8] - h[2];
  const f = Y * h[8] - h[5];
  const determinant = a * d - b * c;
  out.x = (e * d - b * f) / determinant;
  out.y = (a * f - e * c) / determinant;
  return Number.isFinite(out.x) && Number.isFinite(out.y) && h[6] * out.x + h[7] * out.y + h[8] > 0;
}

/**
 * What should be in sight: the figure at rest, or the joints of a rig that has nothing to draw.
 * @param {import('../workspace.js').Scene} scene
 * @returns {{ minX: number, minY: number, maxX: number, maxY: number }} in the rig's units
 */
export function extentOf({ hero, model }) {
  if (model.bones.length === 0 || model.parts.some(({ vertexCount }) => vertexCount > 0)) {
    return hero.bindBounds;
  }
  const [xs, ys] = [4, 5].map((axis) => model.bones.map(({ matrix }) => matrix[axis]));
  return { minX: Math.min(...xs), minY: Math.min(...ys), maxX: Math.max(...xs), maxY: Math.max(...ys) };
}

/**
 * Pictures of a lost context are empty. It comes back by itself, mostly within a second.
 * @param {WebGLRenderingContext | WebGL2RenderingContext} gl
 */
export function refuseLost(gl) {
  if (gl.isContextLost()) {
    throw new Error('The graphics driver has taken the stage away. Try again when it is seen.');
  }
}

/**
 * @param {HTMLCanvasElement} canvas as it was drawn just now
 * @returns {Promise<Blob>}
 */
export function pngOf(canvas) {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error('The browser could not make a PNG.')) : resolve(blob)), 'image/png');
  });
}

/**
 * The numbers of a view that an address names, or null.
 * @param {string} text
 * @param {number} count
 */
export function readView(text, count) {
  const numbers = text.split(',').map(Number);
  return numbers.length === count && text !== '' && numbers.every((each) => Number.isFinite(each) && Math.abs(each) < 1e6) ? numbers : null;
}

/** @param {readonly number[]} numbers */
export function writeView(numbers) {
  return numbers.map((each) => String(Math.round(each * 1000) / 1000)).join(',');
}
