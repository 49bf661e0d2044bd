import { dominantBones, weightField } from 'marrow2d/author';

/** @typedef {import('marrow2d').Instance} Instance */
/** @typedef {import('marrow2d').Model} Model */

/** Slots that the core's weight calls take for each vertex. */
const slotCount = 4;

/**
 * Who moves each vertex of a figure. What is asked for comes in the order of the instance's vertices, as the GPU needs it.
 */
export class Influences {
  #hero;
  #model;
  /** By part, in draw order; vertices in the file's order.
   *  @type {ReturnType<Model['influences']>[]} */
  #parts;

  /**
   * @param {Instance} hero
   * @param {Model} model of that instance
   */
  constructor(hero, model) {
    this.#hero = hero;
    this.#model = model;
    this.#parts = model.parts.map((_, index) => strongestFirst(model.influences(index)));
  }

  /**
   * The weight of one bone at each vertex, 0..1; 0 in the slack between parts.
   * @param {number} bone index in the file
   */
  weights(bone) {
    return this.#byVertex(new Float32Array(this.#hero.vertexCount), (part) => {
      const { length } = part.first;
      const sums = new Array(length - 1).fill(0);
      for (let round = 0; round < roundsOf(part); round += 1) {
        weightField(slotsOf(part, round), bone).forEach((weight, vertex) => {
          sums[vertex] += weight;
        });
      }
      return sums;
    });
  }

  /** The bone (index in the file) that moves each vertex most. */
  dominants() {
    return this.#byVertex(new Uint32Array(this.#hero.vertexCount), (part) => dominantBones(slotsOf(part, 0)));
  }

  /**
   * The bones that each bone meets in the map of strongest bones.
   * @param {Uint32Array} dominants of each vertex
   * @param {readonly number[]} parents of each bone, -1 none: they meet at a joint
   * @returns {Set<number>[]}
   */
  neighbors(dominants, parents) {
    /** @type {Set<number>[]} */
    const sets = parents.map(() => new Set());
    const meet = (/** @type {number} */ a, /** @type {number} */ b) => {
      if (a !== b) {
        sets[a]?.add(b);
        sets[b]?.add(a);
      }
    };
    const { indices } = this.#hero;
    for (let at = 0; at < indices.length; at += 3) {
      const [a, b, c] = [dominants[indices[at]], dominants[indices[at + 1]], dominants[indices[at + 2]]];
      meet(a, b);
      meet(b, c);
      meet(c, a);
    }
    parents.forEach((parent, bone) => meet(bone, parent < 0 ? bone : parent));
    return sets;
  }

  /**
   * The bone (index in the file) that moves a triangle most.
   * @param {number} part index in draw order
   * @param {number} triangle within the part
   * @returns {number} -1: none does
   */
  strongest(part, triangle) {
    const { indices, firstVertex, vertexMap } = this.#hero.parts[part];
    const { first, joints, weights } = this.#parts[part];
    const sums = new Float64Array(this.#model.bones.length);
    for (const corner of indices.subarray(triangle * 3, triangle * 3 + 3)) {
      const vertex = vertexMap[corner - firstVertex];
      for (let at = first[vertex]; at < first[vertex + 1]; at += 1) {
        sums[joints[at]] += weights[at];
      }
    }
    const most = sums.reduce((a, b) => Math.max(a, b), 0);
    return most > 0 ? sums.indexOf(most) : -1;
  }

  /**
   * @template {Float32Array | Uint32Array} T
   * @param {T} out
   * @param {(part: ReturnType<Model['influences']>) => number[]} compute in the file's order
   */
  #byVertex(out, compute) {
    this.#parts.forEach((part, index) => {
      const { firstVertex, vertexMap } = this.#hero.parts[index];
      const values = compute(part);
      vertexMap.forEach((vertex, at) => {
        out[firstVertex + at] = values[vertex];
      });
    });
    return out;
  }
}

/** @param {ReturnType<Model['influences']>} part */
function roundsOf({ first }) {
  let most = 1;
  for (let vertex = 0; vertex + 1 < first.length; vertex += 1) {
    most = Math.max(most, first[vertex + 1] - first[vertex]);
  }
  return Math.ceil(most / slotCount);
}

/**
 * Any number of influences in groups of four, as the core's weight calls take them.
 * @param {ReturnType<Model['influences']>} part
 * @param {number} round which group
 */
function slotsOf({ first, joints, weights }, round) {
  const vertexCount = first.length - 1;
  const skinIndices = new Array(vertexCount * slotCount).fill(0);
  const skinWeights = new Array(vertexCount * slotCount).fill(0);
  for (let vertex = 0; vertex < vertexCount; vertex += 1) {
    const from = first[vertex] + round * slotCount;
    for (let slot = 0; slot < slotCount && from + slot < first[vertex + 1]; slot += 1) {
      skinIndices[vertex * slotCount + slot] = joints[from + slot];
      skinWeights[vertex * slotCount + slot] = weights[from + slot];
    }
  }
  return { skinIndices, skinWeights };
}

/**
 * The same, with each vertex's influences from the strongest to the weakest; equal ones stay as they were.
 * @param {ReturnType<Model['influences']>} part
 */
function strongestFirst({ first, joints, weights }) {
  const order = Array.from(joints, (_, at) => at);
  for (let vertex = 0; vertex + 1 < first.length; vertex += 1) {
    const [from, to] = [first[vertex], first[vertex + 1]];
    order.slice(from, to).sort((a, b) => weights[b] - weights[a]).forEach((at, place) => {
      order[from + place] = at;
    });
  }
  return { first, joints: joints.map((_, at) => joints[order[at]]), weights: weights.map((_, at) => weights[order[at]]) };
}
