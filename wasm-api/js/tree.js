import { MarrowError, argumentError, checkClass } from './errors.js';
import { INSTANCE } from './layout.js';
import { RigNode, rootNode } from './node.js';

const ok = 0;
const slotMask = 0xfffff;

/** Handles to the live nodes of one instance: the same object for a node as long as the node is there. */
export class LiveTree {
  #instance;
  #heap;
  #restGeneration = -1;
  /** @type {Map<string, RigNode>} */
  #byName = new Map();
  /** @type {Map<number, RigNode>} */
  #bySlot = new Map();

  /** @param {import('./instance.js').Instance} instance */
  constructor(instance) {
    this.#instance = instance;
    this.#heap = instance.heap;
    this.#noteRest();
  }

  /** Nodes that the model makes all begin with one generation. */
  #noteRest() {
    const { u32 } = this.#heap;
    const { address } = this.#instance;
    const count = u32[(address + INSTANCE.nodeCount) >>> 2];
    this.#restGeneration = count === 0 ? -1 : u32[u32[(address + INSTANCE.nodeFlags) >>> 2] >>> 2] >>> 8;
  }

  /** Another model: every slot may be another node. */
  reset() {
    this.#byName.clear();
    this.#bySlot.clear();
    this.#noteRest();
  }

  /** Names changed. */
  forgetNames() {
    this.#byName.clear();
  }

  /**
   * @param {string} name
   * @returns {RigNode}
   */
  get(name) {
    const node = this.#byName.get(name) ?? this.find(name);
    if (node === null) {
      throw new MarrowError('NOT_FOUND', `there is no node "${name}"`);
    }
    return node;
  }

  /**
   * @param {string} name
   * @returns {RigNode | null}
   */
  find(name) {
    const slot = this.slotOf(name);
    if (slot < 0) {
      return null;
    }
    const node = this.at(slot);
    this.#byName.set(name, node);
    return node;
  }

  /**
   * @param {number} slot
   * @returns {RigNode}
   */
  at(slot) {
    let node = this.#bySlot.get(slot);
    if (node === undefined || !node.isAlive) {
      node = new RigNode(this.#instance, slot);
      this.#bySlot.set(slot, node);
    }
    return node;
  }

  /**
   * Like `at`, for a slot that may be empty.
   * @param {number} slot
   */
  liveAt(slot) {
    const { u32 } = this.#heap;
    const { address } = this.#instance;
    const flags = u32[(address + INSTANCE.nodeFlags) >>> 2] >>> 2;
    if (slot >= u32[(address + INSTANCE.nodeCount) >>> 2] || (u32[flags + slot] & 1) === 0) {
      throw new MarrowError('NOT_FOUND', `there is no node in slot ${slot}`);
    }
    return this.at(slot);
  }

  /** All live nodes, by slot. */
  list() {
    const { u32 } = this.#heap;
    const { address } = this.#instance;
    const flags = u32[(address + INSTANCE.nodeFlags) >>> 2] >>> 2;
    const nodes = [];
    for (let slot = 0; slot < u32[(address + INSTANCE.nodeCount) >>> 2]; slot += 1) {
      if ((u32[flags + slot] & 1) !== 0) {
        nodes.push(this.at(slot));
      }
    }
    return nodes;
  }

  /**
   * @param {string} name
   * @param {RigNode | string | null} parent
   * @param {boolean} bone
   */
  add(name, parent, bone) {
    const { heap, handle } = this.#instance;
    const target = parent === null ? rootNode : this.handleOf(parent);
    heap.check(heap.calls.instance_add_node(handle, heap.scratchText(name), target, Number(bone)));
    this.forgetNames();
    return this.at(heap.word(0) & slotMask);
  }

  /** @param {RigNode | string} node */
  handleOf(node) {
    const found = typeof node === 'string' ? this.get(node) : node;
    checkClass('node', found, RigNode);
    if (found.instance !== this.#instance) {
      throw argumentError('node', `"${found.name}" belongs to another instance`);
    }
    return found.handle;
  }

  /**
   * @param {string} name
   * @returns {number} -1 when there is none
   */
  slotOf(name) {
    const { heap, handle } = this.#instance;
    return heap.calls.instance_find_node(handle, heap.scratchText(name)) === ok ? heap.word(0) & slotMask : -1;
  }

  /** @param {number} node */
  nameOf(node) {
    return this.#heap.text(this.#heap.calls.instance_node_name(this.#instance.handle, node));
  }

  /**
   * Rest of a node that the model made, in the order of the value arrays; null for others.
   * @param {number} slot
   * @param {number} generation
   * @param {string} name
   */
  restOf(slot, generation, name) {
    // A tree that was changed by hand keeps its slots when the model is replaced; from then on names tell.
    const isReplaced = this.#instance.epoch > 0;
    const bone = generation === this.#restGeneration || isReplaced
      ? this.#instance.model?.bones.findLast((each) => (isReplaced ? each.name === name : each.node === slot))
      : undefined;
    return bone === undefined ? null : [bone.x, bone.y, bone.rotation, bone.scaleX, bone.scaleY];
  }
}
