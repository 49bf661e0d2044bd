import { createCards } from './cards.js';
import { createOpening } from './opening.js';
import { createPlayback } from './playback.js';
import { createPosing } from './posing.js';
import { createViewing } from './viewing.js';

/**
 * All that a person can do, for panels, keys and the pointer alike.
 *
 * @param {ReturnType<typeof import('../state.js').createState<import('../state.js').AppState>>} state
 * @param {import('../workspace.js').Workspace} workspace
 * @param {() => import('../stages/stage.js').Stage} stage which one is seen
 * @param {import('../pose.js').Poses} poses
 */
export function createActions(state, workspace, stage, poses) {
  const cards = createCards(state);
  return {
    ...cards,
    ...createOpening(state, workspace, cards),
    ...createPlayback(state),
    ...createViewing(state, stage),
    ...createPosing(state, workspace, poses, cards.showError),
  };
}

/** @typedef {ReturnType<typeof createActions>} Actions */
