import { stageNames } from './state.js';

/**
 * Every key of the page, which is also what the help lists.
 * @typedef {object} Key
 * @property {string} keys as a person reads them
 * @property {string} does
 * @property {(event: KeyboardEvent) => boolean} matches
 * @property {(actions: import('./actions/actions.js').Actions, event: KeyboardEvent) => void} act
 */

/** @param {string} key @param {boolean} [shift] */
function plain(key, shift = false) {
  return (/** @type {KeyboardEvent} */ event) => event.key.toLowerCase() === key && event.shiftKey === shift && !isCommand(event);
}

/** @param {string} key any state of Shift: some layouts need it to type the sign */
function sign(key) {
  return (/** @type {KeyboardEvent} */ event) => event.key === key && !isCommand(event);
}

/** @param {KeyboardEvent} event */
function isCommand(event) {
  return event.ctrlKey || event.metaKey || event.altKey;
}

/** @param {KeyboardEvent} event */
function isUndo(event) {
  return (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'z';
}

/** @param {KeyboardEvent} event */
function isOnStage({ target }) {
  return target instanceof HTMLElement && target.classList.contains('stage');
}

/** @type {Record<string, readonly [number, number]>} */
const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @param {import('./actions/actions.js').Actions} actions @param {KeyboardEvent} event */
function nudge(actions, { key, shiftKey }) {
  const [x, y] = arrows[key];
  const units = shiftKey ? 10 : 1;
  void actions.nudge(x * units, y * units);
}

/**
 * @param {() => void} showHelp
 * @returns {Key[]}
 */
export function createKeys(showHelp) {
  return [
    { keys: 'Space', does: 'Play or pause', matches: plain(' '), act: (actions) => actions.togglePlay() },
    { keys: ',  .', does: 'Step a frame back or on', matches: (event) => sign(',')(event) || sign('.')(event), act: (actions, { key }) => actions.step(key === ',' ? -1 : 1) },
    { keys: '1 … 3', does: 'Stage: 2D, 2.5D, Ground', matches: (event) => !isCommand(event) && stageNames[Number(event.key) - 1] !== undefined, act: (actions, { key }) => actions.setStage(stageNames[Number(key) - 1]) },
    { keys: 'F', does: 'Fit the figure into the stage', matches: plain('f'), act: (actions) => actions.fit() },
    { keys: '+  −', does: 'Nearer, farther', matches: (event) => sign('+')(event) || sign('-')(event), act: (actions, { key }) => actions.zoom(key === '+' ? 1.25 : 0.8) },
    { keys: 'B', does: 'Bones', matches: plain('b'), act: (actions) => actions.toggleOverlay('bones') },
    { keys: 'W', does: 'Wireframe', matches: plain('w'), act: (actions) => actions.toggleOverlay('wireframe') },
    { keys: 'H', does: 'Weights of the selected bone', matches: plain('h'), act: (actions) => actions.toggleOverlay('weights') },
    { keys: 'D', does: 'Strongest bone of each vertex', matches: plain('d'), act: (actions) => actions.toggleOverlay('dominant') },
    { keys: 'X', does: 'Bounds', matches: plain('x'), act: (actions) => actions.toggleOverlay('bounds') },
    { keys: 'M  T  S', does: 'Gizmo: move, turn, scale', matches: (event) => plain('m')(event) || plain('t')(event) || plain('s')(event),
      act: (actions, { key }) => actions.set({ tool: /** @type {const} */ ({ m: 'move', t: 'turn', s: 'scale' })[/** @type {'m'} */ (key.toLowerCase())] }) },
    { keys: 'L', does: 'Gizmo along the bone, or along the sheet', matches: plain('l'), act: (actions) => actions.toggleAxes() },
    { keys: '↑ ↓ ← →', does: 'In the tree of bones: select another. On the stage: nudge the bone, with Shift farther',
      matches: (event) => isOnStage(event) && arrows[event.key] !== undefined && !isCommand(event), act: nudge },
    { keys: 'Ctrl Z', does: 'Undo a change of the pose; with Shift, do it again', matches: (event) => isUndo(event),
      act: (actions, { shiftKey }) => (shiftKey ? actions.redo() : actions.undo()) },
    { keys: 'R', does: 'Reset the bone', matches: plain('r'), act: (actions) => actions.resetBone() },
    { keys: 'Shift R', does: 'Reset the whole pose', matches: plain('r', true), act: (actions) => actions.resetPose() },
    { keys: 'Esc', does: 'Select nothing', matches: sign('Escape'), act: (actions) => actions.select(null) },
    { keys: '?', does: 'This list', matches: sign('?'), act: showHelp },
  ];
}

/**
 * @param {readonly Key[]} keys
 * @param {import('./actions/actions.js').Actions} actions
 */
export function listenForKeys(keys, actions) {
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && event.target instanceof HTMLInputElement) {
      event.target.blur();
      return;
    }
    if (event.defaultPrevented || isTyping(event) || document.querySelector('dialog[open]') !== null) {
      return;
    }
    const found = keys.find(({ matches }) => matches(event));
    if (found !== undefined) {
      event.preventDefault();
      found.act(actions, event);
    }
  });
}

/** Letters belong to a field that is typed in, and Space to a control that it presses. @param {KeyboardEvent} event */
function isTyping({ target, key }) {
  if (target instanceof HTMLInputElement) {
    return !['checkbox', 'radio', 'range'].includes(target.type) || key.startsWith('Arrow') || (key === ' ' && target.type !== 'range');
  }
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
    || ((target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement) && (key === ' ' || key === 'Enter'));
}
