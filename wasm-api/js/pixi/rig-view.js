import { Bounds, Container, Matrix } from 'pixi.js';
import { drawsOf, textureOf } from '../draws.js';
import { ShownNumbers } from '../view.js';
import { RangeMesh, refresh, vertexBuffer } from './buffers.js';
import { Pages, isPageTexture } from './pages.js';

/** @typedef {import('../draws.js').Textures<import('./pages.js').PageTexture>} PixiTextures */

const shown = new ShownNumbers();
const measured = { minX: 0, minY: 0, maxX: 0, maxY: 0, centerX: 0, centerY: 0, radius: 0, empty: true };

/**
 * Shows an instance: a container that you place, tint and nest like any other. Inside it lies the rig under the instance's own root
 * transform, with one mesh for each of its runs, all over the same vertices.
 *
 * It follows its instance by itself whenever PixiJS renders it; `sync()` does so at once and says whether the picture changed. It owns
 * neither the instance nor the textures: `destroy()` frees what the view made, `instance.dispose()` empties the view.
 *
 * A translucent rig shows where its parts overlap. To fade it as one picture, set `cacheAsTexture(true)` or an `AlphaFilter` on the view.
 *
 * @example
 * const view = new RigView(hero, await Assets.load('hero.png'));
 * view.position.set(400, 560);
 * app.stage.addChild(view);
 */
export class RigView extends Container {
  /** @type {import('../instance.js').Instance | null} */
  #instance;
  #textures;
  #rig = new Container({ label: 'marrow-rig', interactiveChildren: false });
  #pages = new Pages(false);
  #positions;
  #uvs;
  /** @type {RangeMesh[]} */
  #runs = [];
  /** @type {import('../draws.js').Draw<import('./pages.js').PageTexture>[]} */
  #draws = [];
  /** @type {Uint32Array} */
  #indices;
  #color = 0xffffff;
  #matrix = new Matrix();
  #bounds = new Bounds();
  #version = -1;
  #structureVersion = -1;
  #viewVersion = -1;
  #boundsStamp = -1;
  #uploadedBytes = 0;
  #forget;

  /**
   * @param {import('../instance.js').Instance} instance
   * @param {PixiTextures} textures
   * @param {import('pixi.js').ContainerOptions} [options] of the container
   */
  constructor(instance, textures, options = {}) {
    super({ label: instance.name, ...options });
    this.#instance = instance;
    this.#textures = textures;
    this.#positions = vertexBuffer(instance.positions, 'marrow-positions');
    this.#uvs = vertexBuffer(instance.uvs, 'marrow-uvs');
    this.#indices = instance.indices;
    this.addChild(this.#rig);
    // On the inner container: the outer one's `onRender` is the user's.
    this.#rig.onRender = () => this.sync();
    this.#forget = instance.on('dispose', () => this.#release());
    this.sync();
  }

  /** The instance, or null once it was disposed. */
  get instance() {
    return this.#instance;
  }

  get textures() {
    return this.#textures;
  }

  /** Assign again, the same object too, after a picture arrived or was replaced. */
  set textures(value) {
    this.#textures = value;
    this.#structureVersion = -1;
  }

  /** Bytes given to the GPU since the view was made. */
  get uploadedBytes() {
    return this.#uploadedBytes;
  }

  /**
   * Brings the view up to date with its instance. Where nothing changed it does nothing.
   * @returns {boolean} whether the next render shows something else
   */
  sync() {
    const instance = this.#instance;
    if (instance === null) {
      return false;
    }
    let changed = this.#placeRig(instance);
    if (instance.viewVersion !== this.#viewVersion) {
      this.#viewVersion = instance.viewVersion;
      instance.shown.readNumbers(shown);
      // PixiJS takes a tint apart whenever it is set.
      if (shown.color !== this.#color) {
        this.#color = shown.color;
        this.#rig.tint = shown.color;
      }
      this.#rig.alpha = shown.opacity;
      this.#rig.visible = instance.shown.visible;
      changed = true;
    }
    // A hidden rig uploads when it is seen again: its versions are still ahead of the view's.
    if (!this.#rig.visible || !this.visible) {
      return changed;
    }
    return this.#syncGeometry(instance) || changed;
  }

  /**
   * For PixiJS's pointer events: whether a point in the view's space lies on an opaque pixel of a visible part.
   * @param {{ x: number, y: number }} point
   */
  containsPoint(point) {
    return this.hitTest(point.x, point.y) !== null;
  }

  /**
   * @param {number} x in the view's space
   * @param {number} y
   * @param {number} [threshold] alpha that a pixel must exceed
   */
  hitTest(x, y, threshold) {
    if (this.#instance === null) {
      return null;
    }
    this.#placeRig(this.#instance);
    this.#rig.updateLocalTransform();
    const local = this.#rig.localTransform.applyInverse({ x, y });
    return this.#instance.hitTest(local.x, local.y, threshold);
  }

  /** The instance is about to go, or the view: drops everything that looks at linear memory. */
  #release() {
    this.#instance = null;
    for (const run of this.#runs) {
      run.destroy();
    }
    this.#runs = [];
    this.#draws = [];
    this.#positions.destroy();
    this.#uvs.destroy();
    this.#pages.destroy();
  }

  /** @param {import('pixi.js').DestroyOptions} [options] for the user's children; the textures are never destroyed */
  destroy(options) {
    if (this.destroyed) {
      return;
    }
    if (this.#instance !== null) {
      this.#forget();
      this.#release();
    }
    this.#rig.destroy();
    super.destroy(options);
  }

  /**
   * The instance's root transform, with its flips about the rig's origin below it.
   * @param {import('../instance.js').Instance} instance
   */
  #placeRig({ matrix: root, shown: { flipX, flipY } }) {
    const now = this.#matrix;
    const x = flipX ? -1 : 1;
    const y = flipY ? -1 : 1;
    // Field by field: V8 makes objects of fractions that a call takes.
    if (now.a === root[0] * x && now.b === root[1] * x && now.c === root[2] * y && now.d === root[3] * y && now.tx === root[4]
      && now.ty === root[5]) {
      return false;
    }
    now.a = root[0] * x;
    now.b = root[1] * x;
    now.c = root[2] * y;
    now.d = root[3] * y;
    now.tx = root[4];
    now.ty = root[5];
    this.#rig.setFromMatrix(now);
    return true;
  }

  /** @param {import('../instance.js').Instance} instance */
  #syncGeometry(instance) {
    const restructured = instance.structureVersion !== this.#structureVersion;
    const indices = instance.indices;
    let bytes = refresh(this.#positions, instance.positions, instance.version !== this.#version || restructured);
    bytes += refresh(this.#uvs, instance.uvs, restructured);
    if (restructured) {
      this.#dress(instance);
    }
    if (restructured || indices !== this.#indices) {
      for (let index = 0; index < this.#draws.length; index += 1) {
        const { firstIndex, indexCount } = this.#draws[index];
        bytes += this.#runs[index].setRange(indices, firstIndex, indexCount);
      }
    }
    this.#version = instance.version;
    this.#structureVersion = instance.structureVersion;
    this.#indices = indices;
    this.#uploadedBytes += bytes;
    return bytes > 0 || restructured;
  }

  /**
   * One mesh for each draw. Those that are too many stay, hidden: a blinking eye needs them again.
   * @param {import('../instance.js').Instance} instance
   */
  #dress(instance) {
    this.#draws = drawsOf(instance, (part) => textureOf(this.#textures, part, isPageTexture));
    while (this.#runs.length < this.#draws.length) {
      const run = new RangeMesh({
        aPosition: { buffer: this.#positions, format: 'float32x2' },
        aUV: { buffer: this.#uvs, format: 'float32x2' },
      }, () => this.#rigBounds());
      this.#runs.push(run);
      this.#rig.addChild(run.mesh);
    }
    this.#runs.forEach(({ mesh }, index) => {
      const draw = this.#draws[index];
      mesh.visible = draw !== undefined;
      if (draw !== undefined) {
        this.#pages.apply(mesh, draw.texture);
        mesh.tint = draw.color;
        mesh.alpha = draw.opacity;
        mesh.blendMode = draw.blend === 'normal' ? 'inherit' : draw.blend;
      }
    });
  }

  #rigBounds() {
    const instance = this.#instance;
    // Both only rise, so their sum changes when one does. Hiding a part changes the structure alone.
    const stamp = instance === null ? this.#boundsStamp : instance.version + instance.structureVersion;
    if (instance !== null && this.#boundsStamp !== stamp) {
      const { minX, minY, maxX, maxY, empty } = instance.readBounds(-1, measured);
      this.#boundsStamp = stamp;
      this.#bounds.clear();
      if (!empty) {
        this.#bounds.addFrame(minX, minY, maxX, maxY);
      }
    }
    return this.#bounds;
  }
}
