import { project } from '../stages/stage.js';
import { ink } from './colors.js';
import { sizes, toFrame } from './gizmo.js';

/** @typedef {import('./gizmo.js').Frame} Frame */
/** @typedef {import('./gizmo.js').Grip} Grip */

const segments = 72;
const point = { x: 0, y: 0 };
const whole = 2 * Math.PI;

/**
 * Draws the handles of the selected bone in the rig's plane: on the ground the ring lies on the ground.
 */
export class GizmoView {
  #context;
  /** @type {Float64Array} */
  #homography = new Float64Array(9);
  /** @type {Frame} */
  #frame = { x: 0, y: 0, cos: 1, sin: 0, unit: 1 };

  /** @param {CanvasRenderingContext2D} context in CSS pixels */
  constructor(context) {
    this.#context = context;
  }

  /**
   * @param {Float64Array} homography
   * @param {Frame} frame
   * @param {import('./gizmo.js').Tool} tool
   * @param {import('./gizmo.js').Handle | null} handle the one that is held or under the pointer
   * @param {Grip | null} grip while it is held
   * @param {string} accent color of that handle
   */
  draw(homography, frame, tool, handle, grip, accent) {
    this.#homography = homography;
    this.#frame = frame;
    const context = this.#context;
    context.lineCap = 'round';
    context.lineJoin = 'round';
    if (tool === 'turn') {
      this.#drawRing(handle, grip, accent);
    } else if (tool === 'scale') {
      this.#drawBox(handle, accent);
    } else {
      this.#drawArrow(true, handle === 'x' ? accent : ink.x);
      this.#drawArrow(false, handle === 'y' ? accent : ink.y);
      this.#drawSquare(0, 0, sizes.center / 2);
      this.#outline(handle === 'free' ? accent : ink.free, 1.5);
    }
  }

  /** @param {number} x on the gizmo's axes @param {number} y @param {boolean} begins a line */
  #to(x, y, begins = false) {
    const { x: originX, y: originY, cos, sin, unit } = this.#frame;
    project(this.#homography, originX + unit * (cos * x - sin * y), originY + unit * (sin * x + cos * y), point);
    if (begins) {
      this.#context.moveTo(point.x, point.y);
    } else {
      this.#context.lineTo(point.x, point.y);
    }
  }

  /** @param {string} color @param {number} width */
  #outline(color, width) {
    const context = this.#context;
    context.strokeStyle = ink.edge;
    context.lineWidth = width + 3;
    context.stroke();
    context.strokeStyle = color;
    context.lineWidth = width;
    context.stroke();
  }

  /** @param {string} color */
  #solid(color) {
    const context = this.#context;
    context.strokeStyle = ink.edge;
    context.lineWidth = 3;
    context.stroke();
    context.fillStyle = color;
    context.fill();
  }

  /** @param {boolean} isX along x, else along y @param {string} color */
  #drawArrow(isX, color) {
    const context = this.#context;
    context.beginPath();
    this.#along(isX, sizes.center / 2 + 2, 0, true);
    this.#along(isX, sizes.axis - sizes.arrow / 2, 0, false);
    this.#outline(color, 2);
    context.beginPath();
    this.#along(isX, sizes.axis + sizes.arrow / 2, 0, true);
    this.#along(isX, sizes.axis - sizes.arrow / 2, sizes.arrow * 0.6, false);
    this.#along(isX, sizes.axis - sizes.arrow / 2, -sizes.arrow * 0.6, false);
    context.closePath();
    this.#solid(color);
  }

  /** @param {boolean} isX which axis @param {number} along @param {number} across @param {boolean} begins a line */
  #along(isX, along, across, begins) {
    this.#to(isX ? along : across, isX ? across : along, begins);
  }

  /** @param {number} x @param {number} y @param {number} half */
  #drawSquare(x, y, half) {
    this.#context.beginPath();
    this.#to(x - half, y - half, true);
    this.#to(x + half, y - half);
    this.#to(x + half, y + half);
    this.#to(x - half, y + half);
    this.#context.closePath();
  }

  /** @param {import('./gizmo.js').Handle | null} handle @param {string} accent */
  #drawBox(handle, accent) {
    const context = this.#context;
    this.#drawSquare(0, 0, sizes.box);
    this.#outline(handle === 'corner' ? accent : ink.free, 1);
    for (let corner = 0; corner < 4; corner += 1) {
      this.#drawSquare(corner < 2 ? -sizes.box : sizes.box, corner % 2 === 0 ? -sizes.box : sizes.box, 5);
      this.#solid(handle === 'corner' ? accent : ink.free);
    }
    context.beginPath();
    this.#to(sizes.diamond, 0, true);
    this.#to(0, sizes.diamond);
    this.#to(-sizes.diamond, 0);
    this.#to(0, -sizes.diamond);
    context.closePath();
    this.#outline(handle === 'uniform' ? accent : ink.free, 1.5);
  }

  /** @param {import('./gizmo.js').Handle | null} handle @param {Grip | null} grip @param {string} accent */
  #drawRing(handle, grip, accent) {
    const context = this.#context;
    const color = handle === 'ring' ? accent : ink.free;
    if (grip !== null && grip.from !== null) {
      this.#drawSector(grip, grip.from, accent);
    }
    context.beginPath();
    this.#arc(0, whole, true);
    context.closePath();
    this.#outline(color, 2);
    // Which way the axis points.
    context.beginPath();
    this.#to(sizes.ring - 5, 0, true);
    this.#to(sizes.ring + 5, 0);
    this.#outline(ink.x, 2);
  }

  /**
   * What was turned so far.
   * @param {Grip} grip
   * @param {import('./gizmo.js').Point} from
   * @param {string} accent
   */
  #drawSector({ turned, toLocal: m }, from, accent) {
    const context = this.#context;
    const { x, y } = toFrame(this.#frame, from);
    const start = Math.atan2(y, x);
    const angle = m[0] * m[3] - m[1] * m[2] < 0 ? -turned : turned;
    context.beginPath();
    this.#to(0, 0, true);
    this.#arc(start, start + Math.max(-whole, Math.min(whole, angle)), false);
    context.closePath();
    context.globalAlpha = 0.28;
    context.fillStyle = accent;
    context.fill();
    context.globalAlpha = 1;
    this.#outline(accent, 1);
  }

  /** @param {number} from radians @param {number} to @param {boolean} begins a line */
  #arc(from, to, begins) {
    const count = Math.max(1, Math.ceil((Math.abs(to - from) / whole) * segments));
    for (let step = 0; step <= count; step += 1) {
      const angle = from + ((to - from) * step) / count;
      this.#to(sizes.ring * Math.cos(angle), sizes.ring * Math.sin(angle), begins && step === 0);
    }
  }
}
