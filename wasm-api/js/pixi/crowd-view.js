import { Bounds, Container } from 'pixi.js';
import { textureOf } from '../draws.js';
import { RangeMesh, refresh, vertexBuffer } from './buffers.js';
import { Pages, isPageTexture } from './pages.js';

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
export class CrowdView extends Container {
  /** @type {import('../crowd.js').Crowd | null} */
  #crowd;
  #textures;
  #meshes = new Container({ label: 'marrow-crowd', interactiveChildren: false });
  #pages = new Pages(true);
  #positions;
  #uvs;
  #colors;
  /** @type {RangeMesh[]} */
  #runs = [];
  /** @type {Uint32Array} */
  #indices;
  #bounds = new Bounds();
  #version = -1;
  #structureVersion = -1;
  #colorVersion = -1;
  #boundsStamp = -1;
  #uploadedBytes = 0;
  #forget;

  /**
   * @param {import('../crowd.js').Crowd} crowd
   * @param {import('./rig-view.js').PixiTextures} textures
   * @param {import('pixi.js').ContainerOptions} [options] of the container
   */
  constructor(crowd, textures, options = {}) {
    super({ label: 'crowd', ...options });
    this.#crowd = crowd;
    this.#textures = textures;
    this.#positions = vertexBuffer(crowd.positions, 'marrow-positions');
    this.#uvs = vertexBuffer(crowd.uvs, 'marrow-uvs');
    this.#colors = vertexBuffer(crowd.colors, 'marrow-colors');
    this.#indices = crowd.indices;
    this.addChild(this.#meshes);
    this.#meshes.onRender = () => this.sync();
    this.#forget = crowd.on('dispose', () => this.#release());
    this.sync();
  }

  /** The crowd, or null once it was disposed. */
  get crowd() {
    return this.#crowd;
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
   * Brings the view up to date with its crowd. Where nothing changed it does nothing.
   * @returns {boolean} whether the next render shows something else
   */
  sync() {
    const crowd = this.#crowd;
    if (crowd === null || !this.visible) {
      return false;
    }
    const restructured = crowd.structureVersion !== this.#structureVersion;
    const indices = crowd.indices;
    let bytes = refresh(this.#positions, crowd.positions, crowd.version !== this.#version || restructured);
    bytes += refresh(this.#uvs, crowd.uvs, restructured);
    bytes += refresh(this.#colors, crowd.colors, crowd.colorVersion !== this.#colorVersion || restructured);
    if (restructured || indices !== this.#indices) {
      bytes += this.#dress(crowd, indices);
    }
    this.#version = crowd.version;
    this.#structureVersion = crowd.structureVersion;
    this.#colorVersion = crowd.colorVersion;
    this.#indices = indices;
    this.#uploadedBytes += bytes;
    return bytes > 0 || restructured;
  }

  /** The crowd is about to go, or the view: drops everything that looks at linear memory. */
  #release() {
    this.#crowd = null;
    for (const run of this.#runs) {
      run.destroy();
    }
    this.#runs = [];
    this.#positions.destroy();
    this.#uvs.destroy();
    this.#colors.destroy();
    this.#pages.destroy();
  }

  /** @param {import('pixi.js').DestroyOptions} [options] for the user's children; the textures are never destroyed */
  destroy(options) {
    if (this.destroyed) {
      return;
    }
    if (this.#crowd !== null) {
      this.#forget();
      this.#release();
    }
    this.#meshes.destroy();
    super.destroy(options);
  }

  /**
   * One mesh for each run. Those that are too many stay, hidden.
   * @param {import('../crowd.js').Crowd} crowd
   * @param {Uint32Array} indices
   */
  #dress(crowd, indices) {
    let bytes = 0;
    let used = 0;
    for (const run of crowd.runs) {
      const part = partOf(crowd, run);
      const texture = part === null ? null : textureOf(this.#textures, part, isPageTexture);
      if (texture !== null) {
        const { mesh } = this.#runAt(used);
        this.#pages.apply(mesh, texture);
        mesh.blendMode = run.blend === 'normal' ? 'inherit' : run.blend;
        mesh.visible = true;
        bytes += this.#runs[used].setRange(indices, run.firstIndex, run.indexCount);
        used += 1;
      }
    }
    for (const { mesh } of this.#runs.slice(used)) {
      mesh.visible = false;
    }
    return bytes;
  }

  /** @param {number} index */
  #runAt(index) {
    if (this.#runs.length === index) {
      const run = new RangeMesh({
        aPosition: { buffer: this.#positions, format: 'float32x2' },
        aUV: { buffer: this.#uvs, format: 'float32x2' },
        aColor: { buffer: this.#colors, format: 'unorm8x4' },
      }, () => this.#crowdBounds());
      this.#runs.push(run);
      this.#meshes.addChild(run.mesh);
    }
    return this.#runs[index];
  }

  /** Asked for seldom (culling, `getBounds`), so that nobody pays for it in each frame. */
  #crowdBounds() {
    const crowd = this.#crowd;
    const stamp = crowd === null ? this.#boundsStamp : crowd.version + crowd.structureVersion;
    if (crowd !== null && stamp !== this.#boundsStamp) {
      this.#boundsStamp = stamp;
      this.#bounds.clear();
      measure(crowd, this.#bounds);
    }
    return this.#bounds;
  }
}

/**
 * The part whose vertices a run begins with: what it shows, all of the run shows.
 * @param {import('../crowd.js').Crowd} crowd
 * @param {import('../types.js').Run} run
 */
function partOf({ members, positions }, { firstVertex }) {
  for (const member of members) {
    // Members write side by side into the crowd's vertices, two floats each.
    const first = firstVertex - (member.positionsAddress - positions.byteOffset) / 8;
    const part = first >= 0 && first < member.vertexCount ? member.parts.find((each) => each.firstVertex === first) : undefined;
    if (part !== undefined) {
      return part;
    }
  }
  return null;
}

/**
 * Bounds of the vertices that triangles use: those of hidden parts lie in the block as well.
 * @param {import('../crowd.js').Crowd} crowd
 * @param {Bounds} out
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
  out.clear();
  if (indices.length > 0) {
    out.addFrame(minX, minY, maxX, maxY);
  }
}
