// Posing by hand: what a person sets lies over clips and layers until it is taken off again, so that a figure can be posed in the middle of
// a walk and the walk goes on below. Each change is a step that can be undone.

/** @typedef {import('marrow2d').Instance} Instance */
/** @typedef {{ x: number, y: number, rotation: number, scaleX: number, scaleY: number }} Local */
/** @typedef {ReadonlyMap<number, Partial<Local>>} Overrides what is set by hand, by slot of the bone */

const mostSteps = 100;
/** How far values may be from zero: beyond every figure, and far from where single precision ends. */
export const limits = { x: 1e6, y: 1e6, rotation: 200 * Math.PI, scaleX: 1000, scaleY: 1000 };

/** What is set by hand on a figure, and what was before. Another figure begins anew. */
export class Poses {
  /** @type {Instance | null} */
  #hero = null;
  /** @type {Overrides} */
  #now = new Map();
  /** @type {Overrides[]} */
  #past = [];
  /** @type {Overrides[]} */
  #future = [];
  /** What the last step did, while more of the same still belongs to it. */
  #open = '';
  #onChange;

  /** @param {() => void} onChange the next frame shows something else */
  constructor(onChange) {
    this.#onChange = onChange;
  }

  /**
   * @param {Instance} hero
   * @param {number} slot of a bone
   * @param {Partial<Local>} fields
   */
  set(hero, slot, fields) {
    this.#follow(hero);
    hero.nodeAt(slot).override(fields);
    const step = `${slot} ${Object.keys(fields)}`;
    this.#note(new Map(this.#now).set(slot, { ...this.#now.get(slot), ...fields }), step === this.#open);
    this.#open = step;
  }

  /**
   * Where a bone is now. Hands may be faster than frames, so that the last update can lie behind what was done since.
   * @param {Instance} hero
   * @param {number} slot
   * @returns {Local}
   */
  localOf(hero, slot) {
    hero.world.update(0);
    return hero.nodeAt(slot).local;
  }

  /** @param {Instance} hero @returns {Overrides} */
  overridesOf(hero) {
    this.#follow(hero);
    return this.#now;
  }

  /**
   * Begins with a pose that is no step of its own.
   * @param {Instance} hero
   * @param {Overrides} overrides
   */
  begin(hero, overrides) {
    this.#follow(hero);
    this.#now = overrides;
    overrides.forEach((fields, slot) => hero.nodeAt(slot).override(fields));
    this.#onChange();
  }

  /** What comes next is another step, even if it sets the same fields. */
  endStep() {
    this.#open = '';
  }

  /**
   * @param {Instance} hero
   * @param {number} slot
   */
  reset(hero, slot) {
    this.#follow(hero);
    hero.nodeAt(slot).reset();
    this.#without([slot]);
  }

  /** @param {Instance} hero */
  resetAll(hero) {
    this.#follow(hero);
    for (const node of hero.nodes) {
      node.reset();
    }
    this.#without([...this.#now.keys()]);
  }

  /** @param {Instance} hero */
  undo(hero) {
    this.#follow(hero);
    this.#step(hero, this.#past, this.#future);
  }

  /** @param {Instance} hero */
  redo(hero) {
    this.#follow(hero);
    this.#step(hero, this.#future, this.#past);
  }

  /** @param {Instance} hero */
  #follow(hero) {
    if (hero !== this.#hero) {
      this.#hero = hero;
      this.#now = new Map();
      this.#past = [];
      this.#future = [];
      this.#open = '';
    }
  }

  /** @param {readonly number[]} slots */
  #without(slots) {
    this.#open = '';
    if (slots.some((slot) => this.#now.has(slot))) {
      const next = new Map(this.#now);
      slots.forEach((slot) => next.delete(slot));
      this.#note(next, false);
    }
  }

  /** @param {Overrides} next @param {boolean} joins the step before */
  #note(next, joins) {
    if (!joins) {
      this.#past = [...this.#past, this.#now].slice(-mostSteps);
      this.#future = [];
    }
    this.#now = next;
    this.#onChange();
  }

  /**
   * @param {Instance} hero
   * @param {Overrides[]} from its last becomes what is set
   * @param {Overrides[]} to what was set is kept there
   */
  #step(hero, from, to) {
    const next = from.pop();
    this.#open = '';
    if (next === undefined) {
      return;
    }
    for (const slot of this.#now.keys()) {
      hero.nodeAt(slot).override(null);
    }
    for (const [slot, fields] of next) {
      hero.nodeAt(slot).override(fields);
    }
    to.push(this.#now);
    this.#now = next;
    this.#onChange();
  }
}
