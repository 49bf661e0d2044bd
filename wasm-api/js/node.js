import { MarrowError, checkFloat, checkOptions } from './errors.js';
import { INSTANCE } from './layout.js';

/** Order of the fields in the value arrays. */
const fields = ['x', 'y', 'rotation', 'scaleX', 'scaleY'];
const identity = [0, 0, 0, 1, 1];
const indexBits = 20;
/** What stands for "no node". */
export const rootNode = -1;

/**
 * A bone or a plain node of one instance. Fields read and write its base: what was last set by hand, else its rest. Clips show over
 * the base and never change it; `local` and `matrix` tell what the last update used.
 */
export class RigNode {
  #instance;
  #heap;
  #slot;
  #generation;
  #epoch;
  #name;
  /** @type {Float32Array | null} */
  #matrix = null;
  #matrixAddress = 0;
  #matrixGeneration = 0;

  /**
   * @internal
   * @param {import('./instance.js').Instance} instance
   * @param {number} slot
   */
  constructor(instance, slot) {
    this.#instance = instance;
    this.#heap = instance.heap;
    this.#slot = slot;
    this.#generation = this.#flags(instance.address) >>> 8;
    this.#epoch = instance.epoch;
    this.#name = instance.tree.nameOf(this.#handle);
  }

  /** @param {number} address of the instance's state */
  #flags(address) {
    const { u32 } = this.#heap;
    return u32[(u32[(address + INSTANCE.nodeFlags) >>> 2] >>> 2) + this.#slot];
  }

  get #handle() {
    return this.#slot | (this.#generation << indexBits);
  }

  /** Address of the instance's state. Finds the node again when the model was replaced; throws when it is gone. */
  #live() {
    const { address, epoch } = this.#instance;
    if (epoch !== this.#epoch) {
      const slot = this.#instance.tree.slotOf(this.#name);
      if (slot < 0) {
        throw new MarrowError('STALE', `node "${this.#name}" is not in the new model`);
      }
      this.#slot = slot;
      this.#epoch = epoch;
      this.#generation = this.#flags(address) >>> 8;
    }
    const flags = this.#flags(address);
    if ((flags & 1) === 0 || flags >>> 8 !== this.#generation) {
      throw new MarrowError('STALE', `node "${this.#name}" was removed`);
    }
    return address;
  }

  get instance() {
    return this.#instance;
  }

  /** @internal What calls of the core take. */
  get handle() {
    this.#live();
    return this.#handle;
  }

  /** @internal */
  get slot() {
    this.#live();
    return this.#slot;
  }

  get isAlive() {
    if (this.#instance.isDisposed) {
      return false;
    }
    if (this.#epoch !== this.#instance.epoch) {
      return this.#instance.tree.slotOf(this.#name) >= 0;
    }
    const flags = this.#flags(this.#instance.address);
    return (flags & 1) === 1 && flags >>> 8 === this.#generation;
  }

  get isBone() {
    return (this.#flags(this.#live()) & 2) !== 0;
  }

  get name() {
    return this.#name;
  }

  set name(name) {
    this.#heap.check(this.#heap.calls.instance_rename_node(this.#instance.handle, this.handle, this.#heap.scratchText(name)));
    this.#name = name;
    this.#instance.tree.forgetNames();
  }

  // -------------------------------------------------------------------------------------------- transform

  /** @param {number} field */
  #get(field) {
    const { u32, f32 } = this.#heap;
    const at = this.#live();
    return f32[(u32[(at + INSTANCE.base) >>> 2] >>> 2) + field * u32[(at + INSTANCE.nodeStride) >>> 2] + this.#slot];
  }

  /**
   * @param {number} field
   * @param {number} value
   */
  #set(field, value) {
    checkFloat(fields[field], value);
    const { u32, f32 } = this.#heap;
    const at = this.#live();
    f32[(u32[(at + INSTANCE.base) >>> 2] >>> 2) + field * u32[(at + INSTANCE.nodeStride) >>> 2] + this.#slot] = value;
    u32[(at + INSTANCE.dirty) >>> 2] = 1;
  }

  get x() {
    return this.#get(0);
  }

  set x(value) {
    this.#set(0, value);
  }

  get y() {
    return this.#get(1);
  }

  set y(value) {
    this.#set(1, value);
  }

  /** Radians; positive turns +x towards +y. */
  get rotation() {
    return this.#get(2);
  }

  set rotation(value) {
    this.#set(2, value);
  }

  get scaleX() {
    return this.#get(3);
  }

  set scaleX(value) {
    this.#set(3, value);
  }

  get scaleY() {
    return this.#get(4);
  }

  set scaleY(value) {
    this.#set(4, value);
  }

  /**
   * Sets several fields at once.
   * @param {import('./types.js').TransformFields} values
   */
  set(values) {
    checkOptions('set', values, fields);
    for (let field = 0; field < fields.length; field += 1) {
      const value = values[/** @type {keyof import('./types.js').TransformFields} */ (fields[field])];
      if (value !== undefined) {
        this.#set(field, value);
      }
    }
    return this;
  }

  /** What the last update used: base, clips, layers and overrides together. */
  get local() {
    const { u32, f32 } = this.#heap;
    const at = this.#live();
    const row = (u32[(at + INSTANCE.local) >>> 2] >>> 2) + this.#slot;
    const stride = u32[(at + INSTANCE.nodeStride) >>> 2];
    return {
      x: f32[row],
      y: f32[row + stride],
      rotation: f32[row + 2 * stride],
      scaleX: f32[row + 3 * stride],
      scaleY: f32[row + 4 * stride],
    };
  }

  /** The node in the instance's space after the last update: [a, b, c, d, e, f], a view over linear memory. */
  get matrix() {
    const at = this.#live();
    const address = this.#heap.u32[(at + INSTANCE.world) >>> 2] + this.#slot * 32;
    if (this.#matrix === null || address !== this.#matrixAddress || this.#matrixGeneration !== this.#heap.generation) {
      this.#matrix = new Float32Array(this.#heap.u8.buffer, address, 6);
      this.#matrixAddress = address;
      this.#matrixGeneration = this.#heap.generation;
    }
    return this.#matrix;
  }

  /**
   * Lays values over everything else, clips too, until they are cleared. Fields that are not given stay as they are; null clears all.
   * @param {import('./types.js').TransformFields | null} values
   */
  override(values) {
    const { u8, u32, f32 } = this.#heap;
    const at = this.#live();
    const mask = u32[(at + INSTANCE.overrideMask) >>> 2] + this.#slot;
    const row = (u32[(at + INSTANCE.overrideValues) >>> 2] >>> 2) + this.#slot;
    const stride = u32[(at + INSTANCE.nodeStride) >>> 2];
    if (values === null) {
      u8[mask] = 0;
    } else {
      checkOptions('override', values, fields);
      for (let field = 0; field < fields.length; field += 1) {
        const value = values[/** @type {keyof import('./types.js').TransformFields} */ (fields[field])];
        if (value !== undefined) {
          checkFloat(fields[field], value);
          f32[row + field * stride] = value;
          u8[mask] |= 1 << field;
        }
      }
    }
    u32[(at + INSTANCE.dirty) >>> 2] = 1;
    return this;
  }

  /** Back to rest: the base that the model gives, without overrides. */
  reset() {
    const rest = this.#instance.tree.restOf(this.slot, this.#generation, this.#name) ?? identity;
    for (let field = 0; field < fields.length; field += 1) {
      this.#set(field, rest[field]);
    }
    return this.override(null);
  }

  // -------------------------------------------------------------------------------------------- tree

  /** @returns {RigNode | null} null below the instance itself */
  get parent() {
    const { u32, i32 } = this.#heap;
    const parent = i32[(u32[(this.#live() + INSTANCE.nodeParents) >>> 2] >>> 2) + this.#slot];
    return parent < 0 ? null : this.#instance.tree.at(parent);
  }

  /**
   * Hangs the node on another, or on the instance itself (null). Local values stay.
   * @param {RigNode | string | null} parent
   */
  setParent(parent) {
    const target = parent === null ? rootNode : this.#instance.tree.handleOf(parent);
    this.#heap.check(this.#heap.calls.instance_reparent_node(this.#instance.handle, this.handle, target));
    return this;
  }

  /** Removes the node; its children hang on its parent and keep their local values. */
  remove() {
    this.#heap.check(this.#heap.calls.instance_remove_node(this.#instance.handle, this.handle));
    this.#instance.tree.forgetNames();
  }

  /**
   * Mounts another instance of the same world on this node: its own transform is then relative to the node.
   * @param {import('./instance.js').Instance} child
   */
  attach(child) {
    this.#instance.carry(child, this.handle);
    return this;
  }
}
