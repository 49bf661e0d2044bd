import { hitTest } from './bounds.js';
import { MarrowError, argumentError, checkClass, checkFloat, checkIndex, checkOptions, checkType, staleError, throwFirst } from './errors.js';
import { InstanceEvents } from './events.js';
import { InstanceState } from './instance-state.js';
import { INSTANCE } from './layout.js';
import { rootNode } from './node.js';
import { Part } from './part.js';
import { LiveTree } from './tree.js';

/** @typedef {import('./node.js').RigNode} RigNode */
/** @typedef {(event: import('./types.js').PlaybackEvent) => void} PlaybackListener */

/**
 * One character: a model with a pose of its own. Typed arrays are views over linear memory: the same object from frame to frame, made
 * again when memory grew or the data moved, so read them from here each time and keep none.
 */
export class Instance extends InstanceState {
  #heap;
  #isLeaving = false;
  /** @type {import('./model.js').Model | null} */
  #model;
  #guid;
  #epoch = 0;
  /** @type {Part[]} */
  #parts = [];
  /** @type {{ clip: string | number, options: import('./types.js').PlayOptions } | null} */
  #awaitedPlay = null;
  #events;
  #tree;

  /** What the host calls it; free text. */
  name;
  /** The host's own. */
  data = /** @type {unknown} */ (undefined);

  /**
   * @internal
   * @param {import('./world.js').World} world
   * @param {number} handle
   * @param {import('./model.js').Model | null} model null while it waits for `guid`
   * @param {string | null} guid
   * @param {import('./crowd.js').Crowd | null} crowd
   * @param {import('./types.js').InstanceOptions} options
   */
  constructor(world, handle, model, guid, crowd, options) {
    super(world, handle);
    this.#heap = world.heap;
    this.#model = model;
    this.#guid = guid;
    this.crowd = crowd;
    this.name = options.name ?? '';
    this.#events = new InstanceEvents(this);
    this.#tree = new LiveTree(this);
    model?.instances.add(this);
  }

  // -------------------------------------------------------------------------------------------- identity

  /** @internal Rises when the model is replaced. */
  get epoch() {
    return this.#epoch;
  }

  /** Null while the asset that it names has not arrived. */
  get model() {
    return this.#model;
  }

  /** @internal */
  get loadedModel() {
    if (this.#model === null) {
      throw this.isDisposed ? staleError('instance') : new MarrowError('NOT_FOUND', `the asset ${this.#guid} has not arrived yet`);
    }
    return this.#model;
  }

  /** The asset it follows, or null. */
  get guid() {
    return this.#guid;
  }

  // -------------------------------------------------------------------------------------------- parts

  /** Parts in draw order. */
  get parts() {
    const count = this.word(INSTANCE.partCount);
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
    if (this.isDisposed) {
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
    checkIndex('nodeAt', slot);
    return this.tree.liveAt(slot);
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
    if (child.world !== this.world) {
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
    return this.word(INSTANCE.playing) !== 0;
  }

  /** Rises when a clip starts, ends or loops. */
  get clipVersion() {
    return this.word(INSTANCE.clipVersion);
  }

  /**
   * Starts a clip. While the model has not arrived, the wish is kept.
   * @param {string | number} clip
   * @param {import('./types.js').PlayOptions} [options]
   */
  play(clip, options = {}) {
    checkOptions('play', options, ['loop', 'speed', 'fade', 'keepTime', 'oneSidedFull']);
    const { loop = true, speed = 1, fade = 0, keepTime = false, oneSidedFull = false } = options;
    checkFloat('speed', speed);
    checkFloat('fade', fade, 0);
    const { heap, handle } = this;
    if (this.#model === null) {
      this.#awaitedPlay = { clip, options };
      return this;
    }
    heap.check(heap.calls.instance_play(handle, this.#model.clipIndex(clip), speed, fade, Number(!loop), Number(!!keepTime),
      Number(!!oneSidedFull)));
    if (speed === 0) {
      this.setSpeed(0);
    }
    return this;
  }

  /** @param {number} time seconds; fires no events */
  seek(time) {
    checkFloat('seek', time);
    this.#checkPlays('seek');
    this.#heap.check(this.#heap.calls.instance_seek(this.handle, time));
    return this;
  }

  /** @param {boolean} [paused] */
  pause(paused = true) {
    checkType('pause', paused, 'boolean');
    this.#heap.check(this.#heap.calls.instance_pause(this.handle, Number(paused)));
    return this;
  }

  resume() {
    return this.pause(false);
  }

  /** @param {number} speed */
  setSpeed(speed) {
    checkFloat('setSpeed', speed);
    this.#checkPlays('setSpeed');
    this.#heap.check(this.#heap.calls.instance_set_speed(this.handle, speed));
    return this;
  }

  /** @param {string} where */
  #checkPlays(where) {
    if (this.clip === null) {
      throw new MarrowError('NOT_FOUND', `${where}: no clip plays`);
    }
  }

  /** Ends the main clip; what is seen goes back to the base. */
  stop() {
    this.#awaitedPlay = null;
    this.#heap.check(this.#heap.calls.instance_stop(this.handle));
    return this;
  }

  /**
   * Adds or replaces a layer over the main clip; without `clip`, changes the weight of one that is there. Layers apply in the order of
   * their first appearance. An instance holds 256 of them.
   * @param {string} name
   * @param {import('./types.js').LayerOptions} options
   */
  layer(name, options) {
    checkOptions('layer', options, ['clip', 'weight', 'mask', 'additive', 'loop', 'speed']);
    const { clip, weight = 1, mask, additive = false, loop = true, speed = 1 } = options;
    checkFloat('weight', weight, 0, 1);
    checkFloat('speed', speed);
    const { heap, handle } = this;
    if (clip === undefined) {
      heap.check(heap.calls.instance_set_layer_weight(handle, heap.scratchText(name), weight), 'layer', name);
      return this;
    }
    const index = this.loadedModel.clipIndex(clip);
    if (mask !== undefined) {
      checkClass('mask', mask, Array);
    }
    const nodes = mask?.map((node) => this.#tree.handleOf(node)) ?? [];
    heap.borrow(() => {
      const list = mask === undefined ? 0 : heap.copyIn(Int32Array.from(nodes));
      heap.check(heap.calls.instance_set_layer(handle, heap.takeText(name), index, weight, speed, Number(!loop), Number(!!additive), list,
        nodes.length), 'layer', name);
    });
    return this;
  }

  /** @param {string} name */
  clearLayer(name) {
    this.#heap.check(this.#heap.calls.instance_clear_layer(this.handle, this.#heap.scratchText(name)), 'layer', name);
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
    const index = this.loadedModel.partIndex(part);
    if (offsets === null) {
      heap.check(heap.calls.instance_set_deform(handle, index, 0, 0));
      return this;
    }
    checkType('setDeform', offsets, 'object');
    checkIndex('setDeform: length', offsets.length);
    const at = heap.scratch(offsets.length * 4);
    try {
      heap.f32.set(offsets, at >>> 2);
    } catch {
      throw argumentError('setDeform', 'not all numbers');
    }
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
    this.#events.deliver(failures);
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
    this.forgetContents();
    const awaited = this.#awaitedPlay;
    this.#awaitedPlay = null;
    if (awaited !== null) {
      this.play(awaited.clip, awaited.options);
    }
  }

  /** Tells its views, then releases it. Its memory is used again only after that. */
  dispose() {
    if (this.isDisposed || this.#isLeaving) {
      return;
    }
    this.#isLeaving = true;
    /** @type {unknown[]} */
    const failures = [];
    this.#events.close(failures);
    this.#model?.instances.delete(this);
    this.world.forget(this);
    this.crowd?.forget(this);
    if (!this.#heap.isDead) {
      this.#heap.check(this.#heap.calls.instance_release(this.handle));
    }
    this.forgetMemory();
    this.#model = null;
    throwFirst(failures);
  }
}
