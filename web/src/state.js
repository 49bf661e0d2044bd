/**
 * One plain object with subscriptions. Who changes it calls `set`; who shows it subscribes.
 *
 * @template {object} T
 * @param {T} initial
 */
export function createState(initial) {
  let value = initial;
  /** @type {Set<(value: T, before: T) => void>} */
  const listeners = new Set();
  return {
    get value() {
      return value;
    },

    /** @param {Partial<T>} patch */
    set(patch) {
      const before = value;
      value = { ...value, ...patch };
      for (const listener of listeners) {
        listener(value, before);
      }
    },

    /** @param {(value: T, before: T) => void} listener */
    subscribe(listener) {
      listeners.add(listener);
      listener(value, value);
      return () => listeners.delete(listener);
    },
  };
}
