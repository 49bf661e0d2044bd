// Draws animations beside the page. Everything else is loaded on the first message: a message that comes while a module is still waiting
// for its binary would be lost.

/** @type {Promise<import('marrow2d').Instance> | null} */
let hero = null;

/** @typedef {import('./make.js').Question} Question */
/** @typedef {import('./make.js').Answer} Answer */

/** @param {Answer} message */
function answer(message) {
  postMessage(message);
}

/** One after the other: all of them move the same figure. */
let queue = Promise.resolve();

addEventListener('message', (/** @type {MessageEvent<Question>} */ { data }) => {
  if ('source' in data) {
    hero = import('./make.js').then(({ openSource }) => openSource(data.source));
    // Whoever asks for something is told.
    hero.catch(() => undefined);
  } else {
    queue = queue.then(() => handle(data));
  }
});

/** @param {Exclude<Question, { source: unknown }>} question */
async function handle({ id, job, what }) {
  try {
    const { make, plan } = await import('./make.js');
    if (hero === null) {
      throw new Error('there is nothing to draw yet');
    }
    if (what === 'plan') {
      answer({ id, plan: await plan(await hero, job) });
    } else {
      answer({ id, file: await make(await hero, job, (done, total) => answer({ id, done, total })) });
    }
  } catch (error) {
    answer({ id, failed: error instanceof Error ? error.message : String(error) });
  }
}

export {};
