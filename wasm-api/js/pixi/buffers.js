import { Buffer, BufferUsage, Geometry, Mesh } from 'pixi.js';

/** @typedef {Mesh<Geometry, import('pixi.js').Shader>} RunMesh */

/**
 * A GPU buffer over a view of linear memory. It is never shrunk on the GPU, so that a mesh that hides and shows parts keeps its buffers.
 * @internal
 * @param {Float32Array | Uint32Array} data
 * @param {string} label
 */
export function vertexBuffer(data, label) {
  return new Buffer({ data, label, usage: BufferUsage.VERTEX | BufferUsage.COPY_DST, shrinkToFit: false });
}

/**
 * Gives a buffer the present view of its data and marks it for upload if it is a new one or its bytes changed.
 * @internal
 * @param {Buffer} buffer
 * @param {Float32Array | Uint32Array} view
 * @param {boolean} changed
 * @returns {number} bytes to upload
 */
export function refresh(buffer, view, changed) {
  if (buffer.data !== view) {
    buffer.data = view;
  } else if (changed) {
    buffer.update();
  } else {
    return 0;
  }
  return view.byteLength;
}

/** Vertices that several meshes share, with the bounds that the core measured instead of a loop over them. */
class SharedGeometry extends Geometry {
  #bounds;

  /**
   * @param {Record<string, import('pixi.js').AttributeOption>} attributes
   * @param {Buffer} indexBuffer
   * @param {() => import('pixi.js').Bounds} bounds
   */
  constructor(attributes, indexBuffer, bounds) {
    super({ attributes, indexBuffer });
    this.#bounds = bounds;
  }

  get bounds() {
    return this.#bounds();
  }
}

/** One mesh over a range of an index list. */
export class RangeMesh {
  #buffer;
  #geometry;

  /**
   * @param {Record<string, import('pixi.js').AttributeOption>} attributes
   * @param {() => import('pixi.js').Bounds} bounds
   */
  constructor(attributes, bounds) {
    this.#buffer = new Buffer({
      data: new Uint32Array(0), label: 'marrow-indices', usage: BufferUsage.INDEX | BufferUsage.COPY_DST, shrinkToFit: false,
    });
    this.#geometry = new SharedGeometry(attributes, this.#buffer, bounds);
    /** @type {RunMesh} */
    this.mesh = new Mesh({ geometry: this.#geometry, label: 'marrow-run' });
  }

  /**
   * @param {Uint32Array} indices the whole list
   * @param {number} first
   * @param {number} count
   * @returns {number} bytes to upload
   */
  setRange(indices, first, count) {
    return refresh(this.#buffer, indices.subarray(first, first + count), true);
  }

  destroy() {
    this.mesh.destroy();
    // Its vertices belong to the view; its indices do not.
    this.#geometry.destroy(false);
    this.#buffer.destroy();
  }
}
