import { Group, Object3D } from 'three';
import { checkShown, checkTextures, drawsOf, recolorDraws } from '../draws.js';
import { checkFloat, checkOptions } from '../errors.js';
import { ShownNumbers, anchors, indexIn, modes } from '../view.js';
import { RunMaterial } from './run-material.js';
import { BillboardMesh } from './billboard-mesh.js';

/** @typedef {import('../draws.js').Textures<import('three').Texture>} ThreeTextures */

/**
 * @typedef {object} BillboardOptions What is not given follows the instance's `shown` fields.
 * @property {import('../view.js').BillboardMode} [mode] 'cylindrical' turns about the vertical axis to the camera, 'spherical' copies the
 *   camera's orientation, 'flat' lies on the ground
 * @property {import('../view.js').Anchor} [anchor] which end of the bind pose stands at the object's position
 * @property {number} [pixelsPerUnit]
 * @property {number} [alphaTest]
 */

/** Rigs are drawn after the transparent things of the scene. */
export const firstRenderOrder = 10000;
const usualPixelsPerUnit = 100;

/** @param {BillboardOptions} options */
function checkValues({ mode, anchor, pixelsPerUnit, alphaTest }) {
  if (mode !== undefined) indexIn(modes, mode);
  if (anchor !== undefined) indexIn(anchors, anchor);
  if (pixelsPerUnit !== undefined) checkFloat('pixelsPerUnit', pixelsPerUnit);
  if (alphaTest !== undefined) checkFloat('alphaTest', alphaTest);
}

const numbers = new ShownNumbers();
const bind = { minX: 0, minY: 0, maxX: 0, maxY: 0 };

/**
 * @param {object} value
 * @returns {value is import('three').Texture}
 */
function isTexture(value) {
  return typeof value === 'object' && value !== null && 'isTexture' in value;
}

/**
 * Shows an instance in a three.js scene. The object itself is yours to place; below it lies `inner`, which carries scale, flips and anchor,
 * and in it one mesh with a group for each run. Call `orientRigs` for each camera before its render.
 *
 * It follows its instance by itself when the scene updates its matrices; `sync()` does so at once and says whether the picture changed. It
 * owns neither the instance nor the textures: `dispose()` frees what it made, `instance.dispose()` empties it.
 *
 * Textures are whole pages with `flipY = false`, straight with `colorSpace = SRGBColorSpace`, or better premultiplied, as `RigLoader` makes
 * them: `premultiplyAlpha = true` (of an ImageBitmap, which three.js takes as it is, in `createImageBitmap` too), and `colorSpace` left
 * alone. Then filtering leaves no rim where a soft edge lies over another part.
 *
 * @example
 * const view = new RigBillboard(hero, texture, { mode: 'cylindrical' });
 * scene.add(view);
 * renderer.setAnimationLoop(() => { world.update(dt); orientRigs([view], camera); renderer.render(scene, camera); });
 */
export class RigBillboard extends Group {
  /** @type {import('../instance.js').Instance | null} */
  #instance;
  #textures;
  #options;
  #mesh;
  /** @type {RunMaterial[]} */
  #materials = [];
  /** @type {import('../draws.js').Draw<import('three').Texture>[]} */
  #draws = [];
  #structureVersion = -1;
  #viewVersion = -1;
  #colorVersion = -1;
  #uploadedBytes = 0;
  #forget;
  #placed = false;
  #isFlat = false;

  /**
   * @param {import('../instance.js').Instance} instance
   * @param {ThreeTextures} textures
   * @param {BillboardOptions} [options]
   */
  constructor(instance, textures, options = {}) {
    checkShown('RigBillboard', instance);
    checkTextures('RigBillboard', textures);
    checkOptions('RigBillboard', options, ['mode', 'anchor', 'pixelsPerUnit', 'alphaTest']);
    checkValues(options);
    super();
    this.name = instance.name;
    this.#instance = instance;
    this.#textures = textures;
    this.#options = { ...options };
    this.#mesh = new BillboardMesh(instance);
    this.inner = new Object3D();
    this.inner.add(this.#mesh);
    this.add(this.inner);
    this.renderOrder = firstRenderOrder;
    this.#forget = instance.on('dispose', () => this.#release());
    this.sync();
  }

  /** The instance, or null once it was disposed. */
  get instance() {
    return this.#instance;
  }

  get mesh() {
    return this.#mesh;
  }

  get textures() {
    return this.#textures;
  }

  /** Assign again, the same object too, after a picture arrived or was replaced. */
  set textures(value) {
    checkTextures('textures', value);
    this.#textures = value;
    this.#structureVersion = -1;
  }

  get mode() {
    return this.#options.mode ?? this.#instance?.shown.mode ?? 'cylindrical';
  }

  set mode(value) {
    this.#setOption({ mode: value });
  }

  get anchor() {
    return this.#options.anchor ?? this.#instance?.shown.anchor ?? 'bottom';
  }

  set anchor(value) {
    this.#setOption({ anchor: value });
  }

  get pixelsPerUnit() {
    const value = this.#options.pixelsPerUnit ?? this.#instance?.shown.pixelsPerUnit ?? usualPixelsPerUnit;
    return value > 0 ? value : usualPixelsPerUnit;
  }

  set pixelsPerUnit(value) {
    this.#setOption({ pixelsPerUnit: value });
  }

  get alphaTest() {
    return this.#options.alphaTest ?? this.#instance?.shown.alphaTest ?? 0.5;
  }

  set alphaTest(value) {
    this.#setOption({ alphaTest: value });
  }

  /** @param {BillboardOptions} option */
  #setOption(option) {
    checkValues(option);
    Object.assign(this.#options, option);
    this.#placed = false;
  }

  /** Whether there is something to see: what is not is neither turned nor ranked. */
  get isShown() {
    return this.visible && this.#mesh.visible;
  }

  /** Bytes given to the GPU since the view was made, counted once however many renderers draw it. */
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
    const restructured = instance.structureVersion !== this.#structureVersion;
    const recolored = instance.colorVersion !== this.#colorVersion;
    const shownChanged = restructured || instance.viewVersion !== this.#viewVersion || !this.#placed;
    let changed = this.#followRoot(instance) || shownChanged;
    if (shownChanged) {
      this.#place(instance);
      this.#mesh.visible = instance.shown.visible && numbers.opacity > 0;
    }
    // A hidden rig uploads when it is seen again: its versions are still ahead of the view's.
    if (this.#mesh.visible) {
      const bytes = this.#mesh.syncVertices();
      this.#uploadedBytes += bytes;
      changed ||= bytes > 0 || recolored;
      if (restructured) {
        this.#dress(instance);
        this.#structureVersion = instance.structureVersion;
      } else if (recolored) {
        recolorDraws(instance, this.#draws);
      }
      this.#colorVersion = instance.colorVersion;
      if (shownChanged || recolored) {
        this.#tint(instance);
      }
    }
    this.#viewVersion = instance.viewVersion;
    return changed;
  }

  /**
   * three.js calls this before it collects what to draw.
   * @param {boolean} [force]
   */
  updateMatrixWorld(force) {
    this.sync();
    super.updateMatrixWorld(force);
  }

  /**
   * Another view of the same instance, with the same options and textures. That of a view whose instance was disposed is an empty group.
   * @param {boolean} [recursive] what you added below the view is cloned too
   * @returns {this}
   */
  clone(recursive) {
    const twin = this.#instance === null ? new Group() : new RigBillboard(this.#instance, this.#textures, this.#options);
    return /** @type {this} */ (RigBillboard.prototype.copy.call(twin, this, recursive));
  }

  /**
   * Takes over place, layers and user data of another view, not what it shows.
   * @param {RigBillboard} source
   * @param {boolean} [recursive]
   */
  copy(source, recursive = true) {
    super.copy(source, false);
    for (const child of recursive ? source.children : []) {
      if (child !== source.inner) {
        this.add(child.clone());
      }
    }
    return this;
  }

  /** The instance is about to go, or the view: drops everything that looks at linear memory. */
  #release() {
    this.#instance = null;
    this.#mesh.release();
    this.#mesh.material = [];
    for (const material of this.#materials) {
      material.dispose();
    }
    this.#materials = [];
    this.#draws = [];
  }

  /** Frees what the view made and takes it out of the scene. */
  dispose() {
    if (this.#instance !== null) {
      this.#forget();
      this.#release();
    }
    this.removeFromParent();
  }

  /**
   * The instance's root transform, in the rig's axes: y goes down there and up in the scene.
   * @param {import('../instance.js').Instance} instance
   */
  #followRoot({ matrix: root }) {
    const { elements } = this.#mesh.matrix;
    if (elements[0] === root[0] && elements[1] === -root[1] && elements[4] === root[2] && elements[5] === -root[3]
      && elements[12] === root[4] && elements[13] === -root[5]) {
      return false;
    }
    elements[0] = root[0];
    elements[1] = -root[1];
    elements[4] = root[2];
    elements[5] = -root[3];
    elements[12] = root[4];
    elements[13] = -root[5];
    this.#mesh.matrixWorldNeedsUpdate = true;
    return true;
  }

  /**
   * Into `numbers`: what the view's own options leave to the instance.
   * @param {Readonly<import('../view.js').ViewFields>} shown
   */
  #readNumbers(shown) {
    const { alphaTest, pixelsPerUnit } = this.#options;
    shown.readNumbers(numbers);
    if (alphaTest !== undefined) {
      numbers.alphaTest = alphaTest;
    }
    if (pixelsPerUnit !== undefined) {
      numbers.pixelsPerUnit = pixelsPerUnit;
    }
    if (!(numbers.pixelsPerUnit > 0)) {
      numbers.pixelsPerUnit = usualPixelsPerUnit;
    }
  }

  /**
   * Scale, flips and anchor. The anchor is taken from the bind pose, so that a clip does not move the ground.
   * @param {import('../instance.js').Instance} instance
   */
  #place(instance) {
    const { shown } = instance;
    this.#readNumbers(shown);
    instance.readBindBounds(bind);
    const unit = 1 / numbers.pixelsPerUnit;
    const scaleY = shown.flipY ? -unit : unit;
    const flat = this.mode === 'flat';
    const top = -scaleY * bind.minY;
    const bottom = -scaleY * bind.maxY;
    const { scale, position } = this.inner;
    scale.x = shown.flipX ? -unit : unit;
    scale.y = scaleY;
    position.y = flat ? 0 : this.anchor === 'center' ? -(top + bottom) / 2 : -Math.min(top, bottom);
    if (flat !== this.#isFlat) {
      this.#isFlat = flat;
      this.inner.rotation.x = flat ? -Math.PI / 2 : 0;
    }
    // All vertices have z = 0. three.js scales the bounding sphere by the largest of the three axes, which must not be this one.
    this.#mesh.matrix.elements[10] = unit;
    this.#mesh.matrixWorldNeedsUpdate = true;
    this.#placed = true;
  }

  /**
   * One group and one material for each draw. Groups of one mesh are drawn in their order.
   * @param {import('../instance.js').Instance} instance
   */
  #dress(instance) {
    this.#draws = drawsOf(instance, this.#textures, isTexture);
    const { geometry } = this.#mesh;
    geometry.clearGroups();
    this.#draws.forEach((draw, index) => {
      this.#materials[index] ??= new RunMaterial();
      this.#materials[index].setPage(draw.texture, draw.blend);
      geometry.addGroup(draw.firstIndex, draw.indexCount, index);
    });
    this.#mesh.material = this.#materials;
  }

  /** @param {import('../instance.js').Instance} instance */
  #tint({ shown }) {
    this.#readNumbers(shown);
    for (let index = 0; index < this.#draws.length; index += 1) {
      this.#materials[index].setTint(numbers, this.#draws[index]);
    }
  }
}
