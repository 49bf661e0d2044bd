import { BoundsCache } from './bounds.js';
import { checkFloat, checkIndex, checkOptions, checkType, staleError } from './errors.js';
import { CachedView } from './heap.js';
import { INSTANCE, PART } from './layout.js';
import { RunList } from './runs.js';
import { ViewFields } from './view.js';

/** Of `Placement`. */
export const placementNames = ['name', 'x', 'y', 'rotation', 'scaleX', 'scaleY', 'order'];

/**
 * What linear memory holds of an instance: versions, arrays, root transform and bounds. Typed arrays are views: the same object from frame
 * to frame, made again when memory grew or the data moved, so read them from here each time and keep none.
 */
export class InstanceState {
  #world;
  #heap;
  #handle;
  #address;
  #positions;
  #uvs;
  #indices;
  #matrix;
  #runs;
  #bounds;

  /**
   * @internal
   * @param {import('./world.js').World} world
   * @param {number} handle
   */
  constructor(world, handle) {
    this.#world = world;
    this.#heap = world.heap;
    this.#handle = handle;
    this.#address = this.#heap.calls.instance_state(handle);
    this.#positions = new CachedView(this.#heap, Float32Array);
    this.#uvs = new CachedView(this.#heap, Float32Array);
    this.#indices = new CachedView(this.#heap, Uint32Array);
    this.#matrix = new CachedView(this.#heap, Float32Array);
    this.#runs = new RunList(this.#heap);
    this.#bounds = new BoundsCache(this);
    /** What it shows beside its model, to be read and written; a clip may show something else. */
    this.view = new ViewFields(this, INSTANCE.view);
    /** What is seen after the last update: clips over `view`. */
    this.shown = /** @type {Readonly<ViewFields>} */ (new ViewFields(this, INSTANCE.shown));
  }

  /** @internal Address of the state; throws after dispose. */
  get address() {
    if (this.#address === 0) {
      throw staleError('instance');
    }
    return this.#address;
  }

  /** @internal */
  get handle() {
    if (this.#handle === 0) {
      throw staleError('instance');
    }
    return this.#handle;
  }

  /** @internal */
  get heap() {
    return this.#heap;
  }

  get world() {
    return this.#world;
  }

  get isDisposed() {
    return this.#handle === 0;
  }

  /** True while the asset that it names has not arrived; there is nothing to see then. */
  get pending() {
    return this.word(INSTANCE.pending) !== 0;
  }

  /**
   * @internal
   * @param {number} offset
   */
  word(offset) {
    return this.#heap.u32[(this.address + offset) >>> 2];
  }

  /**
   * @internal
   * @param {number} offset
   */
  float(offset) {
    return this.#heap.f32[(this.address + offset) >>> 2];
  }

  /** @internal What was read belongs to another model. */
  forgetContents() {
    this.#bounds.reset();
    this.#runs.reset();
  }

  /** @internal The core has released it: every later use throws. */
  forgetMemory() {
    this.#handle = 0;
    this.#address = 0;
  }

  // -------------------------------------------------------------------------------------------- versions and geometry

  /** Rises when a vertex changed. */
  get version() {
    return this.word(INSTANCE.version);
  }

  /** Rises when an array moved, or a run, an index, a uv or the list of parts changed; not for colors alone. */
  get structureVersion() {
    return this.word(INSTANCE.structureVersion);
  }

  /** Rises when the color or the opacity of a run changed. */
  get colorVersion() {
    return this.word(INSTANCE.colorVersion);
  }

  /** Rises when a node moved. */
  get poseVersion() {
    return this.word(INSTANCE.poseVersion);
  }

  /** Rises when `shown` changed. */
  get viewVersion() {
    return this.word(INSTANCE.viewVersion);
  }

  get vertexCount() {
    return this.word(INSTANCE.vertexCount);
  }

  /** x, y of all vertices, in the instance's own space (a crowd's member: in the crowd's). Between parts lies slack. */
  get positions() {
    return this.#positions.at(this.positionsAddress, this.vertexCount * 2);
  }

  /** u, v on the page of each vertex. */
  get uvs() {
    return this.#uvs.at(this.uvsAddress, this.vertexCount * 2);
  }

  /** Triangles of all parts, in draw order. `runs` tells which of them are seen. */
  get indices() {
    return this.#indices.at(this.indicesAddress, this.word(INSTANCE.indexCount));
  }

  /** Spans of consecutive visible parts that share page, blend mode, color and opacity. The objects are used again. */
  get runs() {
    // Both only rise, so their sum changes when one does.
    return this.#runs.at(this.structureVersion + this.colorVersion, this.word(INSTANCE.runs), this.word(INSTANCE.runCount));
  }

  /** @internal */
  get positionsAddress() {
    return this.word(INSTANCE.positions);
  }

  /** @internal */
  get uvsAddress() {
    return this.word(INSTANCE.uvs);
  }

  /** @internal */
  get indicesAddress() {
    return this.word(INSTANCE.indices);
  }

  /**
   * @internal
   * @param {number} index
   */
  partAddress(index) {
    if (index >= this.word(INSTANCE.partCount)) {
      throw staleError('part');
    }
    return this.word(INSTANCE.parts) + index * PART.size;
  }

  // -------------------------------------------------------------------------------------------- root, view, activity

  /**
   * Sets its root transform in its world, in its crowd, or on its carrier.
   * @param {import('./types.js').Placement} placement
   */
  place(placement) {
    checkOptions('place', placement, placementNames);
    const { x, y, rotation, scaleX, scaleY, order } = placement;
    if (x !== undefined) this.x = x;
    if (y !== undefined) this.y = y;
    if (rotation !== undefined) this.rotation = rotation;
    if (scaleX !== undefined) this.scaleX = scaleX;
    if (scaleY !== undefined) this.scaleY = scaleY;
    if (order !== undefined) this.order = order;
    return this;
  }

  /**
   * @param {number} offset
   * @param {number} value
   */
  #setFloat(offset, value) {
    checkFloat('instance', value);
    const at = this.address;
    this.#heap.f32[(at + offset) >>> 2] = value;
    this.#heap.u32[(at + INSTANCE.dirty) >>> 2] = 1;
  }

  get x() {
    return this.float(INSTANCE.root);
  }

  set x(value) {
    this.#setFloat(INSTANCE.root, value);
  }

  get y() {
    return this.float(INSTANCE.root + 4);
  }

  set y(value) {
    this.#setFloat(INSTANCE.root + 4, value);
  }

  get rotation() {
    return this.float(INSTANCE.root + 8);
  }

  set rotation(value) {
    this.#setFloat(INSTANCE.root + 8, value);
  }

  get scaleX() {
    return this.float(INSTANCE.root + 12);
  }

  set scaleX(value) {
    this.#setFloat(INSTANCE.root + 12, value);
  }

  get scaleY() {
    return this.float(INSTANCE.root + 16);
  }

  set scaleY(value) {
    this.#setFloat(INSTANCE.root + 16, value);
  }

  /** Order in a crowd: lower is behind; ties by age. */
  get order() {
    return this.float(INSTANCE.order);
  }

  set order(value) {
    this.#setFloat(INSTANCE.order, value);
  }

  /** Where it is after the last update, what carries it included: [a, b, c, d, e, f]. */
  get matrix() {
    return this.#matrix.at(this.address + INSTANCE.matrix, 6);
  }

  /** False keeps time but skips pose and skinning, but once where the model or uvs are new. */
  get active() {
    return this.word(INSTANCE.active) !== 0;
  }

  set active(value) {
    checkType('active', value, 'boolean');
    const at = this.address;
    this.#heap.u32[(at + INSTANCE.active) >>> 2] = Number(value);
    this.#heap.u32[(at + INSTANCE.dirty) >>> 2] = 1;
  }

  // -------------------------------------------------------------------------------------------- bounds and hits

  /** Bounds of the posed vertices of visible parts. */
  get bounds() {
    return this.boundsOf(-1);
  }

  /**
   * @param {number} part index in draw order, -1 all
   * @returns {import('./types.js').Bounds}
   */
  boundsOf(part) {
    checkIndex('boundsOf', part, -1);
    return this.#bounds.of(part);
  }

  /**
   * @internal Like `boundsOf`, into an object of the caller's: views ask in each frame.
   * @param {number} part
   * @param {import('./types.js').Bounds} out
   */
  readBounds(part, out) {
    return this.#bounds.read(part, out);
  }

  /** Extent of all parts' bind vertices, hidden ones included. */
  get bindBounds() {
    return this.readBindBounds({ minX: 0, minY: 0, maxX: 0, maxY: 0 });
  }

  /**
   * @internal Like `bindBounds`, into an object of the caller's.
   * @param {import('./types.js').Extent} out
   */
  readBindBounds(out) {
    const { f32 } = this.#heap;
    const at = (this.address + INSTANCE.bindBounds) >>> 2;
    out.minX = f32[at];
    out.minY = f32[at + 1];
    out.maxX = f32[at + 2];
    out.maxY = f32[at + 3];
    return out;
  }
}
