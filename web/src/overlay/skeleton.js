import { affine } from 'marrow2d/author';
import { project } from '../stages/stage.js';

/** @typedef {import('marrow2d').Instance} Instance */

const scratch = { x: 0, y: 0 };

/**
 * The bones of a figure as they are drawn and picked. Bones of a rig have no length, so each gets a tip: the joint of the child that the
 * chain goes on with, or, at the end of a chain, the far side of what it moves. Indices are those of the model's bones.
 */
export class Skeleton {
  #hero;
  #bySlot;
  /** Node of each bone. */
  slots;
  /** Index of each bone's parent, -1 none. */
  parents;
  /** The child whose joint is the tip, -1 none. */
  next;
  /** Tip of a bone without `next`, in its own space: x, y. */
  #tips;
  /** Joint and tip of each bone in CSS pixels of the stage: x, y, tip x, tip y. NaN when it is behind the camera. */
  points;
  /** Of all bones, in CSS pixels; an array, since it changes with every frame. */
  meanLength = new Float64Array(1);

  /**
   * @param {import('marrow2d').Marrow} marrow
   * @param {Instance} hero
   * @param {import('marrow2d').Model} model of that instance
   * @param {Uint32Array} dominants the bone that moves each vertex most
   */
  constructor(marrow, hero, model, dominants) {
    const { bones } = model;
    this.#hero = hero;
    this.slots = bones.map(({ node }) => node);
    this.#bySlot = new Map(this.slots.map((slot, bone) => [slot, bone]));
    this.parents = this.slots.map((slot) => this.indexOf(hero.nodeAt(slot).parent?.slot ?? null));
    this.next = longestChains(this.parents);
    this.#tips = findTips(marrow, model, this, dominants);
    this.points = new Float64Array(bones.length * 4);
  }

  get count() {
    return this.slots.length;
  }

  /** @param {number | null} slot */
  indexOf(slot) {
    return slot === null ? -1 : this.#bySlot.get(slot) ?? -1;
  }

  /** @param {number} bone */
  node(bone) {
    return this.#hero.nodeAt(this.slots[bone]);
  }

  /**
   * Whether a bone lies on the way from another to its root, itself included.
   * @param {number} bone
   * @param {number} below
   */
  isAbove(bone, below) {
    for (let up = below; up >= 0; up = this.parents[up]) {
      if (up === bone) {
        return true;
      }
    }
    return false;
  }

  /**
   * Finds all points on the stage again.
   * @param {Float64Array} homography
   */
  measure(homography) {
    const { points, meanLength } = this;
    for (let bone = 0; bone < this.count; bone += 1) {
      const m = this.node(bone).matrix;
      points[bone * 4] = m[4];
      points[bone * 4 + 1] = m[5];
      const x = this.#tips[bone * 2];
      const y = this.#tips[bone * 2 + 1];
      points[bone * 4 + 2] = m[0] * x + m[2] * y + m[4];
      points[bone * 4 + 3] = m[1] * x + m[3] * y + m[5];
    }
    for (let at = 0; at < points.length; at += 2) {
      see(points, at, homography);
    }
    meanLength[0] = 0;
    for (let bone = 0; bone < this.count; bone += 1) {
      const next = this.next[bone];
      const at = bone * 4;
      if (next >= 0) {
        points[at + 2] = points[next * 4];
        points[at + 3] = points[next * 4 + 1];
      }
      const dx = points[at + 2] - points[at];
      const dy = points[at + 3] - points[at + 1];
      const length = Math.sqrt(dx * dx + dy * dy);
      if (length > 0) {
        meanLength[0] += length / this.count;
      }
    }
  }

  /**
   * The joint next to a point of the stage. Of those equally near, the one that is selected counts, else the last.
   * @param {number} x CSS pixels
   * @param {number} y
   * @param {number} reach
   * @param {number} selected index
   * @returns {number} index, -1 none
   */
  jointAt(x, y, reach, selected) {
    let nearest = reach;
    let found = -1;
    for (let bone = 0; bone < this.count; bone += 1) {
      const distance = Math.hypot(this.points[bone * 4] - x, this.points[bone * 4 + 1] - y);
      if (distance < nearest || (distance === nearest && found !== selected)) {
        nearest = distance;
        found = bone;
      }
    }
    return found;
  }
}

/**
 * From the rig's plane to the stage.
 * @param {Float64Array} points
 * @param {number} at which is replaced
 * @param {Float64Array} homography
 */
function see(points, at, homography) {
  if (project(homography, points[at], points[at + 1], scratch)) {
    points[at] = scratch.x;
    points[at + 1] = scratch.y;
  } else {
    points.fill(NaN, at, at + 2);
  }
}

/**
 * The only child, or the one with most below it; of equals the first. A bone from which nothing but single bones branch off, as ears from a
 * head, ends a chain.
 * @param {readonly number[]} parents
 * @returns {number[]}
 */
function longestChains(parents) {
  const below = parents.map(() => 1);
  const children = parents.map(() => 0);
  const next = parents.map(() => -1);
  parents.forEach((parent, bone) => {
    children[parent] += 1;
    for (let up = parent; up >= 0; up = parents[up]) {
      below[up] += 1;
    }
  });
  parents.forEach((parent, bone) => {
    const isChain = parent >= 0 && (children[parent] === 1 || below[bone] > 1);
    if (isChain && (next[parent] < 0 || below[bone] > below[next[parent]])) {
      next[parent] = bone;
    }
  });
  return next;
}

/**
 * Tips of bones at the end of a chain, from the rest pose: towards the middle of what the bone moves, as far as that goes.
 * @param {import('marrow2d').Marrow} marrow
 * @param {import('marrow2d').Model} model
 * @param {Skeleton} skeleton
 * @param {Uint32Array} dominants
 */
function findTips(marrow, model, { slots, parents, next }, dominants) {
  const tips = new Float64Array(slots.length * 2);
  const world = marrow.createWorld();
  const resting = world.add(model);
  world.update(0);
  slots.forEach((slot, bone) => {
    if (next[bone] >= 0) {
      return;
    }
    const toBone = affine.invert(resting.nodeAt(slot).matrix);
    const points = ownVertices(resting, dominants, bone).map(([x, y]) => affine.apply(toBone, x, y));
    let tip = farSide(points);
    if (points.length === 0 && parents[bone] >= 0) {
      // It moves nothing: half as long as the bone before it, straight on.
      const m = resting.nodeAt(slots[parents[bone]]).matrix;
      const [x, y] = affine.apply(toBone, m[4], m[5]);
      tip = [-x / 2, -y / 2];
    }
    tips.set(tip, bone * 2);
  });
  world.dispose();
  return tips;
}

/**
 * @param {Instance} hero
 * @param {Uint32Array} dominants
 * @param {number} bone
 */
function ownVertices({ parts, positions }, dominants, bone) {
  /** @type {[number, number][]} */
  const points = [];
  for (const { firstVertex, vertexCount } of parts) {
    for (let vertex = firstVertex; vertex < firstVertex + vertexCount; vertex += 1) {
      if (dominants[vertex] === bone) {
        points.push([positions[vertex * 2], positions[vertex * 2 + 1]]);
      }
    }
  }
  return points;
}

/**
 * Towards the middle of the points and on to their other side; nowhere when they lie all round.
 * @param {number[][]} points about the origin
 */
function farSide(points) {
  let [x, y] = [0, 0];
  for (const point of points) {
    x += point[0] / points.length;
    y += point[1] / points.length;
  }
  const length = Math.hypot(x, y);
  if (length === 0) {
    return [0, 0];
  }
  const farthest = points.reduce((most, point) => Math.max(most, (point[0] * x + point[1] * y) / length), 0);
  const along = length < farthest / 4 ? 0 : Math.min(0.95 * farthest, 2 * length);
  return [(x / length) * along, (y / length) * along];
}
