import { readAddress, writeAddress } from './url.js';

/** Milliseconds between two writings of the address. */
const addressPause = 250;

/**
 * Keeps the address of the page that of what is seen. Another character or another stage is a step that the browser's Back undoes; all
 * else is the same step, further on.
 * @param {ReturnType<typeof import('./state.js').createState<import('./state.js').AppState>>} state
 * @param {import('./state.js').AppState} fresh
 * @param {() => import('./stages/stage.js').Stage} stage
 * @param {import('./pose.js').Poses} poses
 * @param {(wish: import('./url.js').Wish, own: string | null) => Promise<void>} show what an address asks for; own: the name of something
 *   that a person brought, which has no address
 */
export function keepHistory(state, fresh, stage, poses, show) {
  /** Steps back that are still being shown. */
  let returning = 0;
  const ownOf = () => (state.value.scene?.address === null ? state.value.scene.name : null);
  const stepOf = () => JSON.stringify([state.value.scene?.address ?? null, ownOf(), state.value.stage]);
  let step = stepOf();
  history.replaceState({ own: ownOf() }, '');

  setInterval(() => {
    if (returning > 0) {
      return;
    }
    const address = writeAddress(state.value, fresh, stage().view, poses);
    const now = stepOf();
    if (now !== step) {
      history.pushState({ own: ownOf() }, '', address === '' ? location.pathname : address);
    } else if (address !== location.search) {
      history.replaceState(history.state, '', address === '' ? location.pathname : address);
    }
    step = now;
  }, addressPause);

  addEventListener('popstate', async ({ state: entry }) => {
    returning += 1;
    try {
      await show(readAddress(new URLSearchParams(location.search)), entry?.own ?? null);
    } finally {
      returning -= 1;
      step = stepOf();
    }
  });
}
