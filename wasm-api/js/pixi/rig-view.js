import { Matrix } from 'pixi.js';
import { checkShown, checkTextures, drawsOf } from '../draws.js';
import { ShownNumbers } from '../view.js';
import { MeshView } from './mesh-view.js';
import { isPageTexture } from './pages.js';
import { RunMeshes } from './run-meshes.js';

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
export class RigView extends MeshView {
  #instance;
  #meshes;
  #color = 0xffffff;
  #matrix = new Matrix();
  #viewVersion = -1;
  #colorVersion = -1;

  /**
   * @param {import('../instance.js').Instance} instance
   * @param {import('./mesh-view.js').PixiTextures} textures
   * @param {import('pixi.js').ContainerOptions} [options] of the container
   */
  constructor(instance, textures, options = {}) {
    checkShown('RigView', instance);
    checkTextures('RigView', textures);
    const meshes = new RunMeshes(instance, 'marrow-rig', null, (out) => {
      const { minX, minY, maxX, maxY, empty } = instance.readBounds(-1, measured);
      if (!empty) {
        out.addFrame(minX, minY, maxX, maxY);
      }
    });
    super(meshes, textures, (release) => instance.on('dispose', release), { label: instance.name, ...options });
    this.#instance = instance;
    this.#meshes = meshes;
    // On the inner container: the outer one's `onRender` is the user's.
    meshes.container.onRender = () => this.sync();
    this.sync();
  }

  /** The instance, or null once it was disposed. */
  get instance() {
    return this.isReleased ? null : this.#instance;
  }

  /**
   * Brings the view up to date with its instance. Where nothing changed it does nothing.
   * @returns {boolean} whether the next render shows something else
   */
  sync() {
    const { instance } = this;
    if (instance === null) {
      return false;
    }
    const { container } = this.#meshes;
    let changed = this.#placeRig(instance);
    if (instance.viewVersion !== this.#viewVersion) {
      this.#viewVersion = instance.viewVersion;
      instance.shown.readNumbers(shown);
      // PixiJS takes a tint apart whenever it is set.
      if (shown.color !== this.#color) {
        this.#color = shown.color;
        container.tint = shown.color;
      }
      container.alpha = shown.opacity;
      container.visible = instance.shown.visible;
      changed = true;
    }
    // A hidden rig uploads when it is seen again: its versions are still ahead of the view's.
    if (!container.visible || !this.visible) {
      return changed;
    }
    const draws = this.#meshes.isStale ? drawsOf(instance, this.textures, isPageTexture) : null;
    if (instance.colorVersion !== this.#colorVersion) {
      this.#colorVersion = instance.colorVersion;
      if (draws === null) {
        this.#meshes.recolor(instance);
        changed = true;
      }
    }
    return this.#meshes.follow(draws, draws !== null) || changed;
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
    const { instance } = this;
    if (instance === null) {
      return null;
    }
    const { container } = this.#meshes;
    this.#placeRig(instance);
    container.updateLocalTransform();
    const local = container.localTransform.applyInverse({ x, y });
    return instance.hitTest(local.x, local.y, threshold);
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
    this.#meshes.container.setFromMatrix(now);
    return true;
  }
}
