import { Bounds, Container } from 'pixi.js';
import { recolorDraws } from '../draws.js';
import { RangeMesh, refresh, vertexBuffer } from './buffers.js';
import { Pages } from './pages.js';

/** @typedef {import('../instance.js').Instance | import('../crowd.js').Crowd} Source what is shown */
/** @typedef {import('../draws.js').Draw<import('./pages.js').PageTexture>} PageDraw */

/** The meshes of a view: one for each draw, in their order, all over the vertices of one instance or crowd. */
export class RunMeshes {
  /** @type {Source | null} */
  #source;
  #pages;
  #positions;
  #uvs;
  #colors;
  #attributes;
  #measure;
  /** @type {RangeMesh[]} */
  #runs = [];
  /** @type {PageDraw[]} */
  #draws = [];
  /** @type {Uint32Array} */
  #indices;
  #bounds = new Bounds();
  #version = -1;
  #structureVersion = -1;
  #measuredAt = -1;

  /** Bytes given to the GPU. */
  uploadedBytes = 0;

  /**
   * @param {Source} source
   * @param {string} label of the container
   * @param {import('pixi.js').Buffer | null} colors of the vertices; the meshes destroy it
   * @param {(out: Bounds) => void} measure fills empty bounds with those of the vertices
   */
  constructor(source, label, colors, measure) {
    this.#source = source;
    this.container = new Container({ label, interactiveChildren: false });
    this.#pages = new Pages(colors !== null, () => this.#dropPages());
    this.#positions = vertexBuffer(source.positions, 'marrow-positions');
    this.#uvs = vertexBuffer(source.uvs, 'marrow-uvs');
    this.#colors = colors;
    /** @type {Record<string, import('pixi.js').AttributeOption>} */
    this.#attributes = {
      aPosition: { buffer: this.#positions, format: 'float32x2' },
      aUV: { buffer: this.#uvs, format: 'float32x2' },
      ...(colors === null ? {} : { aColor: { buffer: colors, format: 'unorm8x4' } }),
    };
    this.#measure = measure;
    this.#indices = source.indices;
  }

  /** Whether the draws have to be made anew, since the structure of the source is another. */
  get isStale() {
    return this.#source !== null && this.#source.structureVersion !== this.#structureVersion;
  }

  /** Other pictures: the draws have to be made anew. */
  invalidate() {
    this.#structureVersion = -1;
  }

  /**
   * Brings the meshes up to date.
   * @param {PageDraw[] | null} draws new ones, when the meshes were stale
   * @param {boolean} hasOtherUvs
   * @returns {boolean} whether they look different
   */
  follow(draws, hasOtherUvs) {
    const source = this.#source;
    if (source === null) {
      return false;
    }
    const isNew = draws !== null;
    const { indices } = source;
    let bytes = refresh(this.#positions, source.positions, source.version !== this.#version)
      + refresh(this.#uvs, source.uvs, hasOtherUvs);
    if (isNew) {
      this.#dress(draws);
    }
    if (isNew || indices !== this.#indices) {
      for (let index = 0; index < this.#draws.length; index += 1) {
        const { firstIndex, indexCount } = this.#draws[index];
        bytes += this.#runs[index].setRange(indices, firstIndex, indexCount);
      }
    }
    this.#version = source.version;
    this.#structureVersion = source.structureVersion;
    this.#indices = indices;
    this.uploadedBytes += bytes;
    return isNew || bytes > 0;
  }

  /**
   * Takes over other colors where the draws are the same.
   * @param {import('../instance.js').Instance} instance
   */
  recolor(instance) {
    recolorDraws(instance, this.#draws);
    for (let index = 0; index < this.#draws.length; index += 1) {
      tint(this.#runs[index].mesh, this.#draws[index]);
    }
  }

  /** Drops everything that looks at linear memory; the container stays. */
  release() {
    this.#source = null;
    for (const run of this.#runs) {
      run.destroy();
    }
    this.#runs = [];
    this.#draws = [];
    this.#positions.destroy();
    this.#uvs.destroy();
    this.#colors?.destroy();
    this.#pages.destroy();
  }

  /**
   * One mesh for each draw. Those that are too many stay, hidden: a blinking eye needs them again.
   * @param {PageDraw[]} draws
   */
  #dress(draws) {
    this.#draws = draws;
    while (this.#runs.length < draws.length) {
      const run = new RangeMesh(this.#attributes, () => this.#measured());
      this.#runs.push(run);
      this.container.addChild(run.mesh);
    }
    this.#runs.forEach(({ mesh }, index) => {
      const draw = draws[index];
      mesh.visible = draw !== undefined;
      if (draw !== undefined) {
        this.#pages.apply(mesh, draw.texture);
        tint(mesh, draw);
        mesh.blendMode = draw.blend === 'normal' ? 'inherit' : draw.blend;
      }
    });
  }

  /** A page went: what is drawn from where has to be asked again, and nothing may look at it until then. */
  #dropPages() {
    for (const { mesh } of this.#runs) {
      mesh.visible = false;
      Pages.clear(mesh);
    }
    this.invalidate();
  }

  /** Bounds of all vertices. Asked for seldom (culling, `getBounds`), so that nobody pays for them in each frame. */
  #measured() {
    const source = this.#source;
    // Both only rise, so their sum changes when one does. Hiding a part changes the structure alone.
    const stamp = source === null ? this.#measuredAt : source.version + source.structureVersion;
    if (stamp !== this.#measuredAt) {
      this.#measuredAt = stamp;
      this.#bounds.clear();
      this.#measure(this.#bounds);
    }
    return this.#bounds;
  }
}

/**
 * @param {import('./buffers.js').RunMesh} mesh
 * @param {PageDraw} draw
 */
function tint(mesh, { color, opacity }) {
  // PixiJS takes a tint apart whenever it is set.
  if (mesh.tint !== color) {
    mesh.tint = color;
  }
  mesh.alpha = opacity;
}
