import { BoundsCache, hitTest } from './bounds.js';
import { MarrowError, argumentError, checkClass, checkFloat, checkType, staleError, throwFirst } from './errors.js';
import { InstanceEvents } from './events.js';
import { CachedView } from './heap.js';
import { INSTANCE, PART } from './layout.js';
import { rootNode } from './node.js';
import { Part } from './part.js';
import { RunList } from './runs.js';
import { LiveTree } from './tree.js';
import { BaseFields, ShownFields } from './view.js';

/** @typedef {import('./node.js').RigNode} RigNode */
/** @typedef {(event: import('./types.js').PlaybackEvent) => void} PlaybackListener */

/**
 * One character: a model with a pose of its own. Typed arrays are views over linear memory: the same object from frame to frame, made
 * again when memory grew or the data moved, so read them from here each time and keep none.
 */
export class Instance {
  #world;
  #heap;
  #handle;
  #address;
  #isLeaving = false;
  /** @type {import('./model.js').Model | null} */
  #model;
  #guid;
  #epoch = 0;
  /** @type {Part[]} */
  #parts = [];
  /** @type {string[]} */
  #layers = [];
  /** @type {{ clip: string | number, options: import('./types.js').PlayOptions } | null} */
  #awaitedPlay = null;
  #bounds;
  #events;
  #tree;
  #positions;
  #uvs;
  #indices;
  #matrix;
  #runs;

  /** What the host calls it; free text. */
  name;
  /** The host's own. */
  data = /** @type {unknown} */ (undefined);

  /**
   * @param {import('./world.js').World} world
   * @param {number} handle
   * @param {import('./model.js').Model | null} model null while it waits for `guid`
   * @param {string | null} guid
   * @param {import('./crowd.js').Crowd | null} crowd
   * @param {import('./types.js').InstanceOptions} options
   */
  constructor(world, handle, model, guid, crowd, options) {
    this.#world = world;
    this.#heap = world.heap;
    this.#handle = handle;
    this.#address = this.#heap.calls.instance_state(handle);
    this.#model = model;
    this.#guid = guid;
    this.crowd = crowd;
    this.name = options.name ?? '';
    this.view = new BaseFields(this);
    this.shown = new ShownFields(this);
    this.#positions = new CachedView(this.#heap, Float32Array);
    this.#uvs = new CachedView(this.#heap, Float32Array);
    this.#indices = new CachedView(this.#heap, Uint32Array);
    this.#matrix = new CachedView(this.#heap, Float32Array);
    this.#runs = new RunList(this.#heap);
    this.#bounds = new BoundsCache(this);
    this.#events = new InstanceEvents(this);
    this.#tree = new LiveTree(this);
    model?.instances.add(this);
  }

  // -------------------------------------------------------------------------------------------- identity

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

  /** @internal Rises when the model is replaced. */
  get epoch() {
    return this.#epoch;
  }

  get world() {
    return this.#world;
  }

  /** Null while the asset that it names has not arrived. */
  get model() {
    return this.#model;
  }

  /** @internal */
  get loadedModel() {
    if (this.#model === null) {
      throw this.#address === 0 ? staleError('instance') : new MarrowError('NOT_FOUND', `the asset ${this.#guid} has not arrived yet`);
    }
    return this.#model;
  }

  /** The asset it follows, or null. */
  get guid() {
    return this.#guid;
  }

  get isDisposed() {
    return this.#handle === 0;
  }

  /** True while the asset that it names has not arrived; there is nothing to see then. */
  get pending() {
    return this.#word(INSTANCE.pending) !== 0;
  }

  /** @param {number} offset */
  #word(offset) {
    return this.#heap.u32[(this.address + offset) >>> 2];
  }

  /** @param {number} offset */
  #float(offset) {
    return this.#heap.f32[(this.address + offset) >>> 2];
  }

  // -------------------------------------------------------------------------------------------- versions and geometry

  /** Rises when a vertex changed. */
  get version() {
    return this.#word(INSTANCE.version);
  }

  /** Rises when an array moved, or a run, an index, a uv or the list of parts changed. */
  get structureVersion() {
    return this.#word(INSTANCE.structureVersion);
  }

  /** Rises when a node moved. */
  get poseVersion() {
    return this.#word(INSTANCE.poseVersion);
  }

  /** Rises when `shown` changed. */
  get viewVersion() {
    return this.#word(INSTANCE.viewVersion);
  }

  get vertexCount() {
    return this.#word(INSTANCE.vertexCount);
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
    return this.#indices.at(this.indicesAddress, this.#word(INSTANCE.indexCount));
  }

  /** Spans of consecutive visible parts that share page, blend mode, color and opacity. The objects are used again. */
  get runs() {
    return this.#runs.at(this.structureVersion, this.#word(INSTANCE.runs), this.#word(INSTANCE.runCount));
  }

  /** @internal */
  get positionsAddress() {
    return this.#word(INSTANCE.positions);
  }

  /** @internal */
  get uvsAddress() {
    return this.#word(INSTANCE.uvs);
  }

  /** @internal */
  get indicesAddress() {
    return this.#word(INSTANCE.indices);
  }

  /**
   * @internal
   * @param {number} index
   */
  partAddress(index) {
    if (index >= this.#word(INSTANCE.partCount)) {
      throw staleError('part');
    }
    return this.#word(INSTANCE.parts) + index * PART.size;
  }

  /** Parts in draw order. */
  get parts() {
    const count = this.#word(INSTANCE.partCount);
    if (this.#parts.length !== count) {
      this.#parts = Array.from({ length: count }, (_, index) => new Part(this, index));
    }
    return this.#parts;
  }

  /**
   * @param {string | number} part name, or index in draw order
   * @returns {Part}
   */
  part(part) {
    return this.parts[this.loadedModel.partIndex(part)];
  }

  // -------------------------------------------------------------------------------------------- root, view, activity

  /**
   * Sets its root transform in its world, in its crowd, or on its carrier.
   * @param {import('./types.js').Placement} placement
   */
  place(placement) {
    checkType('place', placement, 'object');
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
    return this.#float(INSTANCE.root);
  }

  set x(value) {
    this.#setFloat(INSTANCE.root, value);
  }

  get y() {
    return this.#float(INSTANCE.root + 4);
  }

  set y(value) {
    this.#setFloat(INSTANCE.root + 4, value);
  }

  get rotation() {
    return this.#float(INSTANCE.root + 8);
  }

  set rotation(value) {
    this.#setFloat(INSTANCE.root + 8, value);
  }

  get scaleX() {
    return this.#float(INSTANCE.root + 12);
  }

  set scaleX(value) {
    this.#setFloat(INSTANCE.root + 12, value);
  }

  get scaleY() {
    return this.#float(INSTANCE.root + 16);
  }

  set scaleY(value) {
    this.#setFloat(INSTANCE.root + 16, value);
  }

  /** Order in a crowd: lower is behind; ties by age. */
  get order() {
    return this.#float(INSTANCE.order);
  }

  set order(value) {
    this.#setFloat(INSTANCE.order, value);
  }

  /** Where it is after the last update, what carries it included: [a, b, c, d, e, f]. */
  get matrix() {
    return this.#matrix.at(this.address + INSTANCE.matrix, 6);
  }

  /** False keeps time but skips pose and skinning. */
  get active() {
    return this.#word(INSTANCE.active) !== 0;
  }

  set active(value) {
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
    const at = INSTANCE.bindBounds;
    return { minX: this.#float(at), minY: this.#float(at + 4), maxX: this.#float(at + 8), maxY: this.#float(at + 12) };
  }

  /**
   * The topmost visible part at a point (in the space of `positions`), or null.
   * @param {number} x
   * @param {number} y
   * @param {number} [threshold] the picture's alpha there must exceed it; where the pixels are not known it counts as 1
   */
  hitTest(x, y, threshold = 0) {
    return hitTest(this, x, y, threshold);
  }

  // -------------------------------------------------------------------------------------------- nodes

  /** @internal Handles to the live nodes. */
  get tree() {
    if (this.#handle === 0) {
      throw staleError('instance');
    }
    return this.#tree;
  }

  /**
   * @param {string} name of equal names, the node created last
   * @returns {RigNode}
   */
  node(name) {
    return this.tree.get(name);
  }

  /**
   * @param {string} name
   * @returns {RigNode}
   */
  bone(name) {
    const node = this.tree.get(name);
    if (!node.isBone) {
      throw new MarrowError('NOT_FOUND', `node "${name}" is not a bone`);
    }
    return node;
  }

  /**
   * Like `node`, but null when there is none.
   * @param {string} name
   */
  findNode(name) {
    return this.tree.find(name);
  }

  /**
   * @param {number} slot as `Model.bones` tells it, as long as the tree was not changed
   */
  nodeAt(slot) {
    return this.tree.at(slot);
  }

  /** All live nodes, by slot. */
  get nodes() {
    return this.tree.list();
  }

  /**
   * Adds a node; a bone moves what is weighted to a bone of its name.
   * @param {{ name: string, parent?: RigNode | string | null, bone?: boolean } & import('./types.js').TransformFields} options
   */
  addNode(options) {
    checkType('addNode', options, 'object');
    const { name, parent = null, bone = false, ...transform } = options;
    const node = this.tree.add(name, parent, bone);
    try {
      return node.set(transform);
    } catch (error) {
      node.remove();
      throw error;
    }
  }

  /**
   * Mounts another instance of the same world on this one.
   * @param {Instance} child
   */
  attach(child) {
    this.carry(child, rootNode);
    return this;
  }

  /** Takes it off what carries it; its root transform stays as it is. */
  detach() {
    this.#heap.check(this.#heap.calls.instance_mount(this.handle, 0, rootNode));
    return this;
  }

  /**
   * @internal
   * @param {Instance} child
   * @param {number} node
   */
  carry(child, node) {
    checkClass('attach', child, Instance);
    if (child.world !== this.#world) {
      throw argumentError('attach', 'the instance lives in another world');
    }
    this.#heap.check(this.#heap.calls.instance_mount(child.handle, this.handle, node));
  }

  // -------------------------------------------------------------------------------------------- playback

  /** Time of the main clip in seconds. */
  get time() {
    return this.#heap.f64[(this.address + INSTANCE.time) >>> 3];
  }

  /** Name of the main clip, or null. */
  get clip() {
    const index = this.#heap.i32[(this.address + INSTANCE.clip) >>> 2];
    return index < 0 ? null : this.loadedModel.clips[index].name;
  }

  get playing() {
    return this.#word(INSTANCE.playing) !== 0;
  }

  /** Rises when a clip starts, ends or loops. */
  get clipVersion() {
    return this.#word(INSTANCE.clipVersion);
  }

  /**
   * Starts a clip. While the model has not arrived, the wish is kept.
   * @param {string | number} clip
   * @param {import('./types.js').PlayOptions} [options]
   */
  play(clip, options = {}) {
    checkType('play', options, 'object');
    const { heap, handle } = this;
    if (this.#model === null) {
      this.#awaitedPlay = { clip, options };
      return this;
    }
    const { loop = true, speed = 1, fade = 0, keepTime = false, oneSidedFull = false } = options;
    heap.check(heap.calls.instance_play(handle, this.#model.clipIndex(clip), speed, fade, Number(!loop), Number(keepTime),
      Number(oneSidedFull)));
    if (speed === 0) {
      this.setSpeed(0);
    }
    return this;
  }

  /** @param {number} time seconds; fires no events */
  seek(time) {
    checkFloat('seek', time);
    this.#heap.check(this.#heap.calls.instance_seek(this.handle, time));
    return this;
  }

  /** @param {boolean} [paused] */
  pause(paused = true) {
    this.#heap.check(this.#heap.calls.instance_pause(this.handle, Number(paused)));
    return this;
  }

  resume() {
    return this.pause(false);
  }

  /** @param {number} speed */
  setSpeed(speed) {
    checkFloat('setSpeed', speed);
    this.#heap.check(this.#heap.calls.instance_set_speed(this.handle, speed));
    return this;
  }

  /** Ends the main clip; what is seen goes back to the base. */
  stop() {
    this.#awaitedPlay = null;
    this.#heap.check(this.#heap.calls.instance_stop(this.handle));
    return this;
  }

  /**
   * Adds or replaces a layer over the main clip; without `clip`, changes the weight of one that is there. Layers apply in the order of
   * their first appearance.
   * @param {string} name
   * @param {import('./types.js').LayerOptions} options
   */
  layer(name, options) {
    checkType('layer', options, 'object');
    const { clip, weight = 1, mask, additive = false, loop = true, speed = 1 } = options;
    const { heap, handle } = this;
    if (clip === undefined) {
      heap.check(heap.calls.instance_set_layer_weight(handle, heap.scratchText(name), weight));
      return this;
    }
    const index = this.loadedModel.clipIndex(clip);
    if (mask !== undefined) {
      checkClass('mask', mask, Array);
    }
    const nodes = mask?.map((node) => this.#tree.handleOf(node)) ?? [];
    heap.borrow(() => {
      const list = mask === undefined ? 0 : heap.copyIn(Int32Array.from(nodes));
      heap.check(heap.calls.instance_set_layer(handle, heap.takeText(name), index, weight, speed, Number(!loop), Number(additive), list,
        nodes.length));
    });
    if (!this.#layers.includes(name)) {
      this.#layers.push(name);
    }
    return this;
  }

  /** @param {string} name */
  clearLayer(name) {
    this.#heap.check(this.#heap.calls.instance_clear_layer(this.handle, this.#heap.scratchText(name)));
    this.#layers = this.#layers.filter((each) => each !== name);
    return this;
  }

  /**
   * Moves vertices of a part before they are skinned, instead of the clip's deform of that part.
   * @param {string | number} part
   * @param {ArrayLike<number> | null} offsets dx, dy of each vertex in the file's order, in the mesh's units; missing ones count as 0.
   *   Null gives the part back to the clip.
   */
  setDeform(part, offsets) {
    const { heap, handle } = this;
    const index = typeof part === 'number' ? part : this.loadedModel.partIndex(part);
    if (offsets === null) {
      heap.check(heap.calls.instance_set_deform(handle, index, 0, 0));
      return this;
    }
    checkType('setDeform', offsets, 'object');
    const at = heap.scratch(offsets.length * 4);
    heap.f32.set(offsets, at >>> 2);
    heap.check(heap.calls.instance_set_deform(handle, index, at, offsets.length));
    return this;
  }

  // -------------------------------------------------------------------------------------------- events

  /**
   * Calls `listener` after an update in which the playing clips crossed an event, wrapped, or ended; 'dispose': before its memory goes.
   * @overload
   * @param {import('./events.js').PlaybackEventType} type
   * @param {PlaybackListener} listener
   * @returns {() => void} ends it
   *
   * @overload
   * @param {'dispose'} type
   * @param {(instance: Instance) => void} listener
   * @returns {() => void} ends it
   *
   * @param {string} type
   * @param {(event: any) => void} listener
   */
  on(type, listener) {
    return this.#events.on(type, listener);
  }

  /**
   * @param {string} type
   * @param {(event: any) => void} listener
   */
  off(type, listener) {
    this.#events.off(type, listener);
  }

  /**
   * Hands what the last update crossed to the listeners.
   * @internal
   * @param {unknown[]} failures what listeners throw is added to it
   */
  deliverEvents(failures) {
    this.#events.deliver(this.#layers, failures);
  }

  // -------------------------------------------------------------------------------------------- life

  /**
   * The model arrived, or another took its place.
   * @internal
   * @param {import('./model.js').Model} model
   */
  rebind(model) {
    this.#model?.instances.delete(this);
    this.#model = model;
    model.instances.add(this);
    this.#epoch += 1;
    this.#tree.reset();
    this.#parts = [];
    this.#bounds.reset();
    this.#runs.reset();
    const awaited = this.#awaitedPlay;
    this.#awaitedPlay = null;
    if (awaited !== null) {
      this.play(awaited.clip, awaited.options);
    }
  }

  /** Tells its views, then releases it. Its memory is used again only after that. */
  dispose() {
    if (this.#handle === 0 || this.#isLeaving) {
      return;
    }
    this.#isLeaving = true;
    /** @type {unknown[]} */
    const failures = [];
    this.#events.emit('dispose', this, failures);
    this.#events.clear();
    this.#model?.instances.delete(this);
    this.#world.forget(this);
    this.crowd?.forget(this);
    if (!this.#heap.isDead) {
      this.#heap.check(this.#heap.calls.instance_release(this.#handle));
    }
    this.#handle = 0;
    this.#address = 0;
    this.#model = null;
    throwFirst(failures);
  }
}
