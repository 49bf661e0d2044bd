import { unproject } from '../stages/stage.js';
import { drag, handleAt, sizes, toFrame } from './gizmo.js';
import { toLocalOf } from './local-space.js';

/** @typedef {import('../state.js').AppState} AppState */
/** @typedef {import('./gizmo.js').Grip} Grip */
/** @typedef {import('./gizmo.js').Handle} Handle */
/** @typedef {{ x: number, y: number }} Point */

/** CSS pixels: how near a joint counts, how far a pointer goes before it drags, how far from a joint a direction can be told. */
const reach = { mouse: 7, touch: 16 };
const [dragStart, clickSlack, leastArm] = [3, 4, 8];

/**
 * What lies under the pointer and can be dragged.
 * @typedef {object} Target
 * @property {Handle | null} handle of the selected bone; null: a joint
 * @property {number} slot of the bone
 */

/**
 * A pointer that is down.
 * @typedef {object} Press
 * @property {number} id
 * @property {Point} at where it went down, CSS pixels of the stage
 * @property {Target | null} target null: the press is the stage's, but it may turn out to be a click
 * @property {boolean} isMove with Shift a joint is moved, not turned
 * @property {boolean} hasMoved
 * @property {import('./overlay.js').Figure | null} figure what was there; the press means nothing to another
 */

/**
 * The pointer over the stage: shows what it is on, selects bones, drags handles and joints. Presses on anything else are left to the stage.
 */
export class Hand {
  #element;
  #state;
  #actions;
  #overlay;
  /** @type {Press | null} */
  #press = null;
  #frame = { x: 0, y: 0, cos: 1, sin: 0, unit: 1 };
  #rig = { x: 0, y: 0 };
  /** Rises when something that is drawn changed. */
  version = 0;
  /** @type {Handle | null} held, or under the pointer */
  handle = null;
  /** @type {Grip | null} while a bone is dragged */
  grip = null;
  /** What a drag does, in numbers; drawn beside x, y. */
  readout = '';
  x = 0;
  y = 0;

  /**
   * @param {HTMLElement} element around the stages
   * @param {ReturnType<typeof import('../state.js').createState<AppState>>} state
   * @param {import('../actions/actions.js').Actions} actions
   * @param {import('./overlay.js').Overlay} overlay
   */
  constructor(element, state, actions, overlay) {
    this.#element = element;
    this.#state = state;
    this.#actions = actions;
    this.#overlay = overlay;
    // On the way down, so that a stage does not see what is taken here.
    element.addEventListener('pointerdown', (event) => this.#down(event), { capture: true });
    element.addEventListener('pointermove', (event) => this.#move(event), { capture: true });
    element.addEventListener('pointerup', (event) => this.#up(event, true), { capture: true });
    element.addEventListener('pointercancel', (event) => this.#up(event, false), { capture: true });
    element.addEventListener('pointerleave', () => this.#hover(null));
    window.addEventListener('keydown', (event) => this.#cancel(event), { capture: true });
    // A stage that was clicked has the focus, but only one that the keyboard reached shows it.
    element.addEventListener('pointerdown', () => element.toggleAttribute('data-pointed', true), { capture: true });
    element.addEventListener('focusout', () => element.removeAttribute('data-pointed'));
  }

  // -------------------------------------------------------------------------------------------- what is where

  /** @param {PointerEvent} event @returns {Point} CSS pixels of the stage */
  #pointOf({ clientX, clientY }) {
    const { left, top } = this.#element.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }

  /** @param {Point} point CSS pixels @returns {Point | null} in the rig's plane */
  #onRig({ x, y }) {
    return unproject(this.#overlay.homography, x, y, this.#rig) ? { ...this.#rig } : null;
  }

  /** @param {Point} point @param {boolean} isTouch @returns {number} slot, or -1 */
  #jointAt({ x, y }, isTouch) {
    const { figure } = this.#overlay;
    if (figure === null) {
      return -1;
    }
    const { skeleton } = figure;
    skeleton.measure(this.#overlay.homography);
    const { bone } = this.#state.value;
    return skeleton.slots[skeleton.jointAt(x, y, isTouch ? reach.touch : reach.mouse, skeleton.indexOf(bone))] ?? -1;
  }

  /**
   * A joint first, then what moves the figure most there.
   * @param {Point} point
   * @param {boolean} isTouch
   * @returns {number | null} slot
   */
  #boneAt(point, isTouch) {
    const { figure } = this.#overlay;
    const joint = this.#jointAt(point, isTouch);
    const onRig = this.#onRig(point);
    if (joint >= 0 || figure === null || onRig === null) {
      return joint < 0 ? null : joint;
    }
    const hit = figure.hero.hitTest(onRig.x, onRig.y);
    return hit === null ? null : figure.skeleton.slots[figure.influences.strongest(hit.part.index, hit.triangle)] ?? null;
  }

  /** @param {Point} point @param {boolean} isTouch @returns {Target | null} */
  #targetAt(point, isTouch) {
    const { bone, tool, overlay } = this.#state.value;
    const onRig = this.#onRig(point);
    if (bone !== null && onRig !== null && this.#overlay.placeGizmo(this.#frame)) {
      const handle = handleAt(tool, toFrame(this.#frame, onRig), isTouch ? reach.touch : sizes.tolerance);
      if (handle !== null) {
        return { handle, slot: bone };
      }
    }
    const slot = this.#jointAt(point, isTouch);
    // A finger has not seen the joints that only a hovering pointer shows.
    return slot >= 0 && (!isTouch || slot === bone || overlay.includes('bones')) ? { handle: null, slot } : null;
  }

  // -------------------------------------------------------------------------------------------- what happens

  /** @param {PointerEvent} event */
  #down(event) {
    if (!event.isPrimary || event.button !== 0) {
      // A second finger means the stage, and no click.
      if (this.#press !== null && this.grip === null) {
        this.#press.hasMoved = true;
      }
      return;
    }
    const at = this.#pointOf(event);
    const target = this.#targetAt(at, event.pointerType === 'touch');
    this.#press = { id: event.pointerId, at, target, isMove: event.shiftKey, hasMoved: false, figure: this.#overlay.figure };
    if (target !== null) {
      event.stopPropagation();
      this.#element.setPointerCapture(event.pointerId);
    }
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const press = this.#press;
    const point = this.#pointOf(event);
    if (press === null) {
      if (event.buttons === 0 && event.pointerType !== 'touch') {
        this.#hover(point);
      }
    } else if (event.pointerId === press.id) {
      const distance = Math.hypot(point.x - press.at.x, point.y - press.at.y);
      press.hasMoved ||= distance >= (press.target === null ? clickSlack : dragStart);
      if (press.target !== null && press.hasMoved && press.figure === this.#overlay.figure) {
        for (const each of stepsOf(event)) {
          this.#drag(press, press.target, this.#pointOf(each), each.shiftKey);
        }
      }
    }
  }

  /** @param {PointerEvent} event @param {boolean} isMeant */
  #up(event, isMeant) {
    const press = this.#press;
    if (press === null || event.pointerId !== press.id) {
      return;
    }
    this.#press = null;
    if (this.grip !== null) {
      this.#release();
    } else if (isMeant && !press.hasMoved) {
      const bone = this.#boneAt(press.at, event.pointerType === 'touch');
      // A handle over nothing is no reason to let its bone go.
      if (bone !== null || press.target === null) {
        this.#actions.select(bone);
      }
    }
    this.#hover(event.pointerType === 'touch' ? null : this.#pointOf(event));
  }

  /** Escape takes a drag back. @param {KeyboardEvent} event */
  #cancel(event) {
    if (event.key === 'Escape' && this.grip !== null) {
      event.preventDefault();
      const hasPosed = this.readout !== '';
      this.#press = null;
      this.#release();
      if (hasPosed) {
        this.#actions.undo();
      }
    }
  }

  #release() {
    this.grip = null;
    this.readout = '';
    this.version += 1;
    this.#actions.endStep();
  }

  /** @param {Point | null} point null: the pointer is elsewhere */
  #hover(point) {
    if (this.#press !== null) {
      return;
    }
    const target = point === null ? null : this.#targetAt(point, false);
    const bone = point === null || target?.handle ? null : this.#boneAt(point, false);
    this.#actions.hover(bone);
    this.#setHandle(target?.handle ?? null);
    this.#element.style.cursor = target !== null ? 'grab' : bone !== null ? 'pointer' : '';
  }

  /** @param {Handle | null} handle */
  #setHandle(handle) {
    if (handle !== this.handle) {
      this.handle = handle;
      this.version += 1;
    }
  }

  /**
   * @param {Press} press
   * @param {Target} target
   * @param {Point} point CSS pixels
   * @param {boolean} isShift
   */
  #drag(press, target, point, isShift) {
    this.grip ??= this.#grab(press, target);
    const to = this.#onRig(point);
    if (this.grip === null || to === null) {
      return;
    }
    if (target.handle === null && !press.isMove && this.grip.from === null && !this.#isFarFrom(target.slot, point)) {
      return;
    }
    const isSnapped = isShift && !(target.handle === null && press.isMove);
    const fields = drag(this.grip, to, isSnapped);
    if (fields !== null) {
      this.#actions.pose(target.slot, fields, true);
      this.readout = describe(this.grip, fields);
    }
    this.x = point.x;
    this.y = point.y;
    this.version += 1;
  }

  /** @param {number} slot @param {Point} point */
  #isFarFrom(slot, { x, y }) {
    const { figure } = this.#overlay;
    if (figure === null) {
      return false;
    }
    const { skeleton } = figure;
    skeleton.measure(this.#overlay.homography);
    const at = skeleton.indexOf(slot) * 4;
    return Math.hypot(skeleton.points[at] - x, skeleton.points[at + 1] - y) >= leastArm;
  }

  /**
   * Begins a drag.
   * @param {Press} press
   * @param {Target} target
   * @returns {Grip | null}
   */
  #grab(press, { handle, slot }) {
    const { figure } = this.#overlay;
    if (figure === null) {
      return null;
    }
    const { hero, model } = figure;
    if (slot !== this.#state.value.bone) {
      this.#actions.select(slot);
    }
    this.#actions.endStep();
    hero.pause();
    const local = this.#actions.localOf(slot);
    const node = hero.nodeAt(slot);
    if (local === null) {
      return null;
    }
    this.#overlay.placeGizmo(this.#frame);
    const [, , , , x, y] = node.matrix;
    const isTurnedByJoint = handle === null && !press.isMove;
    const used = handle ?? (press.isMove ? 'free' : 'ring');
    this.#element.style.cursor = 'grabbing';
    this.#setHandle(handle);
    return {
      handle: used, frame: { ...this.#frame, x, y }, local, turned: 0,
      toLocal: toLocalOf(node, model.bones[figure.skeleton.indexOf(slot)]?.noScale ?? false),
      from: isTurnedByJoint ? null : this.#onRig(press.at),
    };
  }
}

/**
 * A slow frame brings all that the pointer did since the last one as one event. Each step counts: a turn begins with the first, and the others
 * tell a whole turn from none.
 * @param {PointerEvent} event
 */
function stepsOf(event) {
  // Pages without TLS are not told.
  const steps = event.getCoalescedEvents?.() ?? [];
  return steps.length > 0 ? steps : [event];
}

/**
 * @param {Grip} grip
 * @param {Partial<import('../pose.js').Local>} fields
 */
function describe({ turned, handle }, { x, y, rotation, scaleX, scaleY }) {
  if (handle === 'ring') {
    return `${number(((rotation ?? 0) * 180) / Math.PI, 1)}°  (${turned < 0 ? '' : '+'}${number((turned * 180) / Math.PI, 1)}°)`;
  }
  if (handle === 'corner' || handle === 'uniform') {
    const factors = [scaleX === undefined ? '' : `x × ${number(scaleX, 2)}`, scaleY === undefined ? '' : `y × ${number(scaleY, 2)}`];
    return factors.filter((text) => text !== '').join('   ');
  }
  return `x ${number(x ?? 0, 1)}   y ${number(y ?? 0, 1)}`;
}

/** @param {number} value @param {number} digits */
function number(value, digits) {
  return value.toFixed(digits).replace('-', '−');
}
