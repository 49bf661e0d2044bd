/** @typedef {import('../state.js').AppState} AppState */

/**
 * How it is looked at.
 * @param {ReturnType<typeof import('../state.js').createState<AppState>>} state
 * @param {() => import('../stages/stage.js').Stage} stage which one is seen
 */
export function createViewing(state, stage) {
  return {
    /** @param {AppState['stage']} name */
    setStage: (name) => state.set({ stage: name }),

    /** @param {AppState['overlay'][number]} name */
    toggleOverlay(name) {
      const { overlay } = state.value;
      // Two maps of the same triangles would hide each other.
      const other = name === 'weights' ? 'dominant' : name === 'dominant' ? 'weights' : null;
      state.set({ overlay: overlay.includes(name) ? overlay.filter((each) => each !== name) : [...overlay.filter((each) => each !== other), name] });
    },

    /** @param {Partial<Pick<AppState, 'tool' | 'axes' | 'facing' | 'heading' | 'theme' | 'backdrop' | 'drawer'>>} patch */
    set: (patch) => state.set(patch),

    toggleAxes: () => state.set({ axes: state.value.axes === 'local' ? 'world' : 'local' }),

    fit: () => stage().fit(),

    /** @param {number} factor */
    zoom: (factor) => stage().zoom(factor),
  };
}
