import { Crowd } from './crowd.js';
import { argumentError, checkClass, checkOptions, named, runAll, staleError, throwFirst } from './errors.js';
import { placementNames } from './instance-state.js';
import { Instance } from './instance.js';
import { WORLD } from './layout.js';
import { Model } from './model.js';

const isGuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Instances that are updated together. Worlds know nothing of each other. */
export class World {
  #marrow;
  #handle;
  #address;
  /** @type {Map<number, Instance>} */
  #instances = new Map();
  /** @type {Set<Crowd>} */
  #crowds = new Set();
  /** @type {Set<Instance>} */
  #listening = new Set();
  /** @type {Instance[]} */
  #changed = [];
  /** What listeners of the last update threw.
   *  @type {unknown[]} */
  #failures = [];
  #updates = 0;
  #isLeaving = false;
  #changedAt = 0;

  /**
   * @internal
   * @param {import('./index.js').Marrow} marrow
   * @param {number} handle
   */
  constructor(marrow, handle) {
    this.#marrow = marrow;
    this.#handle = handle;
    this.#address = marrow.heap.calls.world_state(handle);
  }

  /** @internal */
  get heap() {
    return this.#marrow.heap;
  }

  /** @internal */
  get handle() {
    if (this.#handle === 0) {
      throw staleError('world');
    }
    return this.#handle;
  }

  get marrow() {
    return this.#marrow;
  }

  get isDisposed() {
    return this.#handle === 0;
  }

  /**
   * Adds an instance of a model, or of an asset that may arrive later: a GUID, or another name that was provided or stands in the manifest.
   * @param {import('./model.js').Model | string} modelOrGuid
   * @param {import('./types.js').InstanceOptions} [options]
   */
  add(modelOrGuid, options = {}) {
    const { heap } = this;
    checkOptions('add', options, [...placementNames, 'nodes']);
    const { nodes, ...placement } = options;
    const guid = typeof modelOrGuid === 'string' ? modelOrGuid : null;
    const model = typeof modelOrGuid === 'string' ? this.#marrow.assets.find(modelOrGuid) : modelOrGuid;
    if (guid !== null && model === null && !isGuid.test(guid) && this.#marrow.assets.entry(guid) === null) {
      throw argumentError('add', `"${guid}" is no GUID and not known`);
    }
    if (model !== null || guid === null) {
      checkClass('add', model, Model);
    }
    if (model !== null && model.marrow !== this.#marrow) {
      throw argumentError('add', 'the model belongs to another Marrow');
    }
    heap.check(heap.calls.instance_create(this.handle, guid === null && model !== null ? model.handle : 0,
      guid === null ? 0 : heap.scratchText(guid), Number(nodes === false)));
    return this.remember(new Instance(this, heap.word(0), model, guid, null, options), placement);
  }

  createCrowd() {
    this.heap.check(this.heap.calls.crowd_create(this.handle));
    const crowd = new Crowd(this, this.heap.word(0));
    this.#crowds.add(crowd);
    return crowd;
  }

  /**
   * Advances time by `dt` seconds and brings every instance up to date, in one call of the core; then delivers the events. Where a
   * listener throws, the others are called all the same, and the first error is thrown at the end.
   * @param {number} dt
   */
  update(dt) {
    const { heap } = this;
    if (typeof dt !== 'number' || !(dt >= 0 && dt < Infinity)) {
      throw argumentError('update', `${named(dt)} is not a number of seconds, 0 or more`);
    }
    heap.check(heap.calls.world_update(this.handle, dt));
    this.#updates += 1;
    if (this.#listening.size > 0) {
      for (const instance of this.#listening) {
        instance.deliverEvents(this.#failures);
      }
      throwFirst(this.#failures);
    }
  }

  /** @param {number} offset */
  #word(offset) {
    if (this.#address === 0) {
      throw staleError('world');
    }
    return this.heap.u32[(this.#address + offset) >>> 2];
  }

  /** Instances whose vertices, nodes or runs the last update changed. The array is used again. */
  get changed() {
    if (this.#changedAt !== this.#updates) {
      this.#changedAt = this.#updates;
      const list = this.#word(WORLD.changed) >>> 2;
      let count = 0;
      for (let index = 0; index < this.#word(WORLD.changedCount); index += 1) {
        const instance = this.#instances.get(this.heap.u32[list + index]);
        if (instance !== undefined) {
          this.#changed[count] = instance;
          count += 1;
        }
      }
      // Emptying it first would throw its storage away.
      if (this.#changed.length !== count) {
        this.#changed.length = count;
      }
    }
    return this.#changed;
  }

  /** Vertices that the last update wrote. */
  get verticesWritten() {
    return this.#word(WORLD.verticesWritten);
  }

  get instancesSkinned() {
    return this.#word(WORLD.instancesSkinned);
  }

  get nodesChanged() {
    return this.#word(WORLD.nodesChanged);
  }

  /** Sum of all `dt`. */
  get time() {
    this.#word(0);
    return this.heap.f64[(this.#address + WORLD.time) >>> 3];
  }

  /** All instances, members of crowds too. */
  get instances() {
    return [...this.#instances.values()];
  }

  /** State of every instance, as bytes. */
  snapshot() {
    this.heap.check(this.heap.calls.world_snapshot(this.handle));
    return this.heap.takeOutBytes();
  }

  /**
   * Goes back to a snapshot of the same instances.
   * @param {Uint8Array} bytes
   */
  restore(bytes) {
    const { heap } = this;
    heap.borrow(() => heap.check(heap.calls.world_restore(this.handle, heap.copyIn(bytes), bytes.length)));
  }

  /**
   * @internal
   * @param {Instance} instance a new one
   * @param {import('./types.js').Placement} placement
   */
  remember(instance, placement) {
    this.#instances.set(instance.handle, instance);
    try {
      return instance.place(placement);
    } catch (error) {
      instance.dispose();
      throw error;
    }
  }

  /**
   * @internal
   * @param {Instance} instance
   */
  listen(instance) {
    this.#listening.add(instance);
  }

  /**
   * @internal
   * @param {Instance} instance
   */
  forget(instance) {
    this.#instances.delete(instance.handle);
    this.#listening.delete(instance);
  }

  /**
   * @internal
   * @param {Crowd} crowd
   */
  forgetCrowd(crowd) {
    this.#crowds.delete(crowd);
  }

  /** Disposes its instances and crowds, then itself. */
  dispose() {
    if (this.#handle === 0 || this.#isLeaving) {
      return;
    }
    this.#isLeaving = true;
    /** @type {unknown[]} */
    const failures = [];
    runAll(failures, [...this.#crowds, ...this.instances], (each) => each.dispose());
    this.#marrow.forgetWorld(this);
    if (!this.heap.isDead) {
      this.heap.check(this.heap.calls.world_release(this.#handle));
    }
    this.#handle = 0;
    this.#address = 0;
    throwFirst(failures);
  }
}
