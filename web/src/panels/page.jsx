import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';

/**
 * What every panel reaches.
 * @typedef {object} Page
 * @property {ReturnType<typeof import('../state.js').createState<import('../state.js').AppState>>} state
 * @property {import('../actions/actions.js').Actions} actions
 * @property {ReturnType<typeof import('../loop.js').createLoop>} loop
 * @property {import('../workspace.js').Workspace} workspace
 * @property {readonly import('../keys.js').Key[]} keys
 * @property {() => import('../stages/stage.js').Stage} stage the one that is seen
 */

export const PageContext = createContext(/** @type {Page} */ (/** @type {unknown} */ (null)));

export function usePage() {
  return useContext(PageContext);
}

/**
 * A piece of the state. The panel is drawn again only when the piece changes.
 * @template T
 * @param {(state: import('../state.js').AppState) => T} select
 */
export function useSelected(select) {
  const { state } = usePage();
  const [selected, setSelected] = useState(() => select(state.value));
  useEffect(() => state.subscribe((value) => setSelected(() => select(value))), [state]);
  return selected;
}

/**
 * Something that may change with every frame, as a plain value. The panel is drawn again only when it does.
 * @template {string | number | boolean} T
 * @param {() => T} read
 * @param {readonly unknown[]} [inputs] what `read` depends on, apart from the frame
 */
export function useLive(read, inputs = []) {
  const { loop } = usePage();
  const [value, setValue] = useState(read);
  useEffect(() => {
    setValue(read);
    return loop.listen(() => setValue(read));
  }, inputs);
  return value;
}

/**
 * Something of the instance that is open, as `useLive` gives it.
 * @template {string | number | boolean} T
 * @param {(hero: import('marrow2d').Instance) => T} read
 * @param {T} none while nothing is open
 * @param {readonly unknown[]} [inputs] what `read` depends on
 */
export function useHero(read, none, inputs = []) {
  const scene = useSelected((state) => state.scene);
  // A scene that was closed is still asked until the panel has been drawn again.
  return useLive(() => (scene === null || scene.hero.isDisposed ? none : read(scene.hero)), [scene, ...inputs]);
}
