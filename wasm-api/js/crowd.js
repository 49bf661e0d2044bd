import { argumentError, checkClass, checkOptions, checkType, named, runAll, staleError, throwFirst } from './errors.js';
import { CachedView } from './heap.js';
import { placementNames } from './instance-state.js';
import { Instance } from './instance.js';
import { CROWD } from './layout.js';
import { Model } from './model.js';
import { RunList } from './runs.js';

/**
 * Instances whose vertices lie side by side in one space, so that all members on one page are one mesh. Typed arrays are views over
 * linear memory, as those of an instance.
 */
export class Crowd {
  #world;
  #heap;
  #handle;
  #address;
  /** @type {Set<Instance>} */
  #members = new Set();
  /** @type {((crowd: Crowd) => void)[]} */
  #listeners = [];
  #isLeaving = false;
  #positions;
  #uvs;
  #colors;
  #indices;
  #runs;

  /**
   * @internal
   * @param {import('./world.js').World} world
   * @param {number} handle
   */
  constructor(world, handle) {
    this.#world = world;
    this.#heap = world.heap;
    this.#handle = handle;
    this.#address = this.#heap.calls.crowd_state(handle);
    this.#positions = new CachedView(this.#heap, Float32Array);
    this.#uvs = new CachedView(this.#heap, Float32Array);
    this.#colors = new CachedView(this.#heap, Uint32Array);
    this.#indices = new CachedView(this.#heap, Uint32Array);
    this.#runs = new RunList(this.#heap);
  }

  /** @param {number} offset */
  #word(offset) {
    if (this.#address === 0) {
      throw staleError('crowd');
    }
    return this.#heap.u32[(this.#address + offset) >>> 2];
  }

  get world() {
    return this.#world;
  }

  get isDisposed() {
    return this.#handle === 0;
  }

  /** @returns {ReadonlySet<Instance>} */
  get members() {
    return this.#members;
  }

  /**
   * @param {import('./model.js').Model} model
   * @param {import('./types.js').Placement} [options]
   */
  add(model, options = {}) {
    if (this.#handle === 0) {
      throw staleError('crowd');
    }
    checkClass('add', model, Model);
    checkOptions('add', options, placementNames);
    if (model.marrow !== this.#world.marrow) {
      throw argumentError('add', 'the model belongs to another Marrow');
    }
    this.#heap.check(this.#heap.calls.crowd_add(this.#handle, model.handle));
    const member = new Instance(this.#world, this.#heap.word(0), model, null, this, options);
    this.#members.add(member);
    return this.#world.remember(member, options);
  }

  /** Rises when a vertex of any member changed. */
  get version() {
    return this.#word(CROWD.version);
  }

  /** Rises when an array moved, or indices, runs or uvs changed. */
  get structureVersion() {
    return this.#word(CROWD.structureVersion);
  }

  /** Rises when a color changed. */
  get colorVersion() {
    return this.#word(CROWD.colorVersion);
  }

  /** Rises when a uv changed. */
  get uvVersion() {
    return this.#word(CROWD.uvVersion);
  }

  get vertexCount() {
    return this.#word(CROWD.vertexCount);
  }

  get positions() {
    return this.#positions.at(this.#word(CROWD.positions), this.vertexCount * 2);
  }

  get uvs() {
    return this.#uvs.at(this.#word(CROWD.uvs), this.vertexCount * 2);
  }

  /** RGBA of each vertex, r in the low byte, straight alpha. */
  get colors() {
    return this.#colors.at(this.#word(CROWD.colors), this.vertexCount);
  }

  /** Triangles of all members' parts in draw order; those of what is hidden have no extent. */
  get indices() {
    return this.#indices.at(this.#word(CROWD.indices), this.#word(CROWD.indexCount));
  }

  get runs() {
    return this.#runs.at(this.structureVersion, this.#word(CROWD.runs), this.#word(CROWD.runCount));
  }

  /**
   * @param {'dispose'} type called before its memory goes
   * @param {(crowd: Crowd) => void} listener
   * @returns {() => void} ends it
   */
  on(type, listener) {
    if (this.#handle === 0 || this.#isLeaving) {
      throw staleError('crowd');
    }
    if (type !== 'dispose') {
      throw argumentError('on', `${named(type)} is not dispose`);
    }
    checkType('on', listener, 'function');
    this.#listeners.push(listener);
    return () => {
      this.#listeners = this.#listeners.filter((each) => each !== listener);
    };
  }

  /**
   * @internal
   * @param {Instance} member
   */
  forget(member) {
    this.#members.delete(member);
  }

  /** Tells its views, then disposes its members and itself. */
  dispose() {
    if (this.#handle === 0 || this.#isLeaving) {
      return;
    }
    this.#isLeaving = true;
    /** @type {unknown[]} */
    const failures = [];
    runAll(failures, this.#listeners, (listener) => listener(this));
    runAll(failures, [...this.#members], (member) => member.dispose());
    this.#world.forgetCrowd(this);
    if (!this.#heap.isDead) {
      this.#heap.check(this.#heap.calls.crowd_release(this.#handle));
    }
    this.#handle = 0;
    this.#address = 0;
    throwFirst(failures);
  }
}
