import { Crowd } from '../crowd.js';
import { checkTextures, crowdDrawsOf } from '../draws.js';
import { checkClass } from '../errors.js';
import { refresh, vertexBuffer } from './buffers.js';
import { MeshView } from './mesh-view.js';
import { isPageTexture } from './pages.js';
import { RunMeshes } from './run-meshes.js';

/**
 * Shows a crowd: all its members that share a page are one mesh and one draw call, in the order of their order keys. Members are
 * placed, tinted and hidden through their instances. Needs PixiJS's WebGL renderer.
 *
 * Like a `RigView` it follows its crowd by itself, owns neither crowd nor textures, and is emptied by `crowd.dispose()`.
 *
 * @example
 * const crowd = world.createCrowd();
 * for (let i = 0; i < 1000; i += 1) crowd.add(model, { x: 40 * (i % 40), y: 60 * Math.floor(i / 40), order: i });
 * app.stage.addChild(new CrowdView(crowd, texture));
 */
export class CrowdView extends MeshView {
  #crowd;
  #meshes;
  #colors;
  #colorVersion = -1;
  #uvVersion = -1;

  /**
   * @param {import('../crowd.js').Crowd} crowd
   * @param {import('./mesh-view.js').PixiTextures} textures
   * @param {import('pixi.js').ContainerOptions} [options] of the container
   */
  constructor(crowd, textures, options = {}) {
    checkClass('CrowdView', crowd, Crowd);
    checkTextures('CrowdView', textures);
    const colors = vertexBuffer(crowd.colors, 'marrow-colors');
    const meshes = new RunMeshes(crowd, 'marrow-crowd', colors, (out) => measure(crowd, out));
    super(meshes, textures, (release) => crowd.on('dispose', release), { label: 'crowd', ...options });
    this.#crowd = crowd;
    this.#meshes = meshes;
    this.#colors = colors;
    meshes.container.onRender = () => this.sync();
    this.sync();
  }

  /** The crowd, or null once it was disposed. */
  get crowd() {
    return this.isReleased ? null : this.#crowd;
  }

  /**
   * Brings the view up to date with its crowd. Where nothing changed it does nothing.
   * @returns {boolean} whether the next render shows something else
   */
  sync() {
    const { crowd } = this;
    if (crowd === null || !this.visible) {
      return false;
    }
    const draws = this.#meshes.isStale ? crowdDrawsOf(crowd, this.textures, isPageTexture) : null;
    const bytes = refresh(this.#colors, crowd.colors, crowd.colorVersion !== this.#colorVersion);
    this.#colorVersion = crowd.colorVersion;
    this.#meshes.uploadedBytes += bytes;
    const hasOtherUvs = crowd.uvVersion !== this.#uvVersion;
    this.#uvVersion = crowd.uvVersion;
    return this.#meshes.follow(draws, hasOtherUvs) || bytes > 0;
  }
}

/**
 * Bounds of the vertices that triangles use: those of hidden parts lie in the block as well.
 * @param {import('../crowd.js').Crowd} crowd
 * @param {import('pixi.js').Bounds} out empty ones
 */
function measure({ positions, indices }, out) {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < indices.length; i += 1) {
    const x = positions[indices[i] * 2];
    const y = positions[indices[i] * 2 + 1];
    minX = Math.min(minX, x);
    minY = Math.min(minY, y);
    maxX = Math.max(maxX, x);
    maxY = Math.max(maxY, y);
  }
  if (indices.length > 0) {
    out.addFrame(minX, minY, maxX, maxY);
  }
}
