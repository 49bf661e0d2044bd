import { Container } from 'pixi.js';
import { checkTextures } from '../draws.js';

/** @typedef {import('../draws.js').Textures<import('./pages.js').PageTexture>} PixiTextures */

/** What views have in common: pictures that may come later, meshes, and an end before that of what they show. */
export class MeshView extends Container {
  #textures;
  #meshes;
  #forget;
  #isReleased = false;

  /**
   * @internal
   * @param {import('./run-meshes.js').RunMeshes} meshes
   * @param {PixiTextures} textures
   * @param {(release: () => void) => () => void} onDispose tells when what is shown goes, until what it returned is called
   * @param {import('pixi.js').ContainerOptions} options
   */
  constructor(meshes, textures, onDispose, options) {
    super(options);
    this.#textures = textures;
    this.#meshes = meshes;
    this.#forget = onDispose(() => this.#release());
    this.addChild(meshes.container);
  }

  get textures() {
    return this.#textures;
  }

  /** Assign again, the same object too, after a picture arrived or was replaced. */
  set textures(value) {
    checkTextures('textures', value);
    this.#textures = value;
    this.#meshes.invalidate();
  }

  /** Bytes given to the GPU since the view was made. */
  get uploadedBytes() {
    return this.#meshes.uploadedBytes;
  }

  /** @internal Whether what it showed was disposed, or it was destroyed itself. */
  get isReleased() {
    return this.#isReleased;
  }

  /** What is shown is about to go, or the view: drops everything that looks at linear memory. */
  #release() {
    this.#isReleased = true;
    this.#meshes.release();
    if (this.isCachedAsTexture) {
      this.updateCacheTexture();
    }
  }

  /** @param {import('pixi.js').DestroyOptions} [options] for the user's children; the textures are never destroyed */
  destroy(options) {
    if (this.destroyed) {
      return;
    }
    if (!this.#isReleased) {
      this.#forget();
      this.#release();
    }
    this.#meshes.container.destroy();
    super.destroy(options);
  }
}
