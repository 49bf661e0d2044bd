import { argumentError, checkType, named, runAll, staleError } from './errors.js';
import { EVENT, EXCHANGE, INSTANCE } from './layout.js';

/** @typedef {'event' | 'loop' | 'end'} PlaybackEventType */

/** @type {PlaybackEventType[]} */
const playbackTypes = ['event', 'loop', 'end'];
const ok = 0;

/** Who listens to one instance. */
export class InstanceEvents {
  #instance;
  /** @type {Map<string, ((event: any) => void)[]>} */
  #listeners = new Map();
  #isClosing = false;

  /** @param {import('./instance.js').Instance} instance */
  constructor(instance) {
    this.#instance = instance;
  }

  /**
   * @param {string} type
   * @param {(event: any) => void} listener
   * @returns {() => void}
   */
  on(type, listener) {
    if (this.#instance.isDisposed || this.#isClosing) {
      throw staleError('instance');
    }
    const isPlayback = playbackTypes.includes(/** @type {PlaybackEventType} */ (type));
    if (!isPlayback && type !== 'dispose') {
      throw argumentError('on', `${named(type)} is none of ${playbackTypes.join(', ')}, dispose`);
    }
    checkType('on', listener, 'function');
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
    if (isPlayback) {
      this.#instance.world.listen(this.#instance);
    }
    return () => this.off(type, listener);
  }

  /**
   * @param {string} type
   * @param {(event: any) => void} listener
   */
  off(type, listener) {
    this.#listeners.set(type, (this.#listeners.get(type) ?? []).filter((each) => each !== listener));
  }

  /**
   * @param {string} type
   * @param {any} event
   * @param {unknown[]} failures what listeners throw is added to it
   */
  emit(type, event, failures) {
    runAll(failures, this.#listeners.get(type) ?? [], (listener) => listener(event));
  }

  /**
   * Tells of the end. Who would listen from now on would never be told.
   * @param {unknown[]} failures what listeners throw is added to it
   */
  close(failures) {
    this.#isClosing = true;
    this.emit('dispose', this.#instance, failures);
    this.#listeners.clear();
  }

  /**
   * Hands what the last update crossed to the listeners.
   * @param {unknown[]} failures what listeners throw is added to it
   */
  deliver(failures) {
    const instance = this.#instance;
    const { calls, exchange } = instance.heap;
    while (!instance.isDisposed && instance.word(INSTANCE.eventPending) !== 0 && calls.instance_next_event(instance.handle) === ok) {
      const { u32, i32, f64 } = instance.heap;
      const at = exchange + EXCHANGE.event;
      const type = playbackTypes[u32[(at + EVENT.kind) >>> 2]];
      const clip = instance.loadedModel.clips[u32[(at + EVENT.clip) >>> 2]];
      const mark = clip.events[i32[(at + EVENT.event) >>> 2]];
      const layer = calls.instance_layer_name(instance.handle, i32[(at + EVENT.layer) >>> 2]);
      this.emit(type, {
        type,
        clip: clip.name,
        time: f64[(at + EVENT.time) >>> 3],
        count: f64[(at + EVENT.count) >>> 3],
        layer: layer === 0 ? null : instance.heap.text(layer),
        name: mark?.name ?? null,
        data: mark?.data ?? null,
      }, failures);
    }
  }
}
