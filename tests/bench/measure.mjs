// Paired measuring: each round runs every contestant once, in a new order, for about the same time. A ratio is the median of the
// rounds' own ratios, so a machine that slows down for a while slows both sides of it.
import { setTimeout } from 'node:timers/promises';

/**
 * `run` may return a promise of its own seconds.
 * @typedef {{ name: string, run: (iterations: number) => void | Promise<number> }} Contestant
 * @typedef {{ rounds: number, seconds: number, warmUp: number, repeats: number, random: () => number }} Options `seconds`: of a
 *   contestant's turn; `warmUp`: seconds of each of three spells before the first round; everything is done `repeats` times
 */

/** @param {number[]} numbers */
function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** @param {Contestant} contestant @param {number} iterations */
async function time(contestant, iterations) {
  const start = process.hrtime.bigint();
  const own = contestant.run(iterations);
  const seconds = Number(process.hrtime.bigint() - start) * 1e-9;
  return own instanceof Promise ? own : seconds;
}

/** Runs for `spell` seconds in turns of about `seconds` and returns the iterations of the last. @param {Contestant} contestant */
async function runFor(contestant, /** @type {number} */ seconds, /** @type {number} */ spell, iterations = 1) {
  for (let spent = 0, last = 0; spent < spell; spent += last) {
    last = await time(contestant, iterations);
    if (last > 0) iterations = Math.max(1, Math.round(iterations * Math.min(10, Math.max(0.1, seconds / last))));
  }
  return iterations;
}

/**
 * Iterations of a turn for each, found once the code is hot: engines compile in the background, so between two spells they are left
 * in peace.
 * @param {Contestant[]} contestants @param {Options} options
 */
async function warmUp(contestants, { seconds, warmUp: spell }) {
  /** @type {Map<string, number>} */
  const iterations = new Map();
  for (let pass = 0; pass < 3; pass++) {
    for (const contestant of contestants) {
      iterations.set(contestant.name, await runFor(contestant, seconds, spell, iterations.get(contestant.name)));
    }
    await setTimeout(spell * 1000);
  }
  return iterations;
}

/** @template T @param {T[]} items @param {() => number} random */
function shuffle(items, random) {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [items[i], items[j]] = [items[j], items[i]];
  }
  return items;
}

/** @param {Contestant[]} contestants @param {Options} options */
export async function compare(contestants, options) {
  const iterations = await warmUp(contestants, options);
  /** @type {Record<string, number>[][]} seconds of one iteration, by repeat, round and name */
  const repeats = [];
  for (let repeat = 0; repeat < options.repeats; repeat++) {
    const rounds = [];
    for (let round = 0; round < options.rounds; round++) {
      /** @type {Record<string, number>} */
      const times = {};
      for (const contestant of shuffle([...contestants], options.random)) {
        const count = iterations.get(contestant.name) ?? 1;
        times[contestant.name] = (await time(contestant, count)) / count;
      }
      rounds.push(times);
    }
    repeats.push(rounds);
  }
  const extremes = (/** @type {number[]} */ numbers) => [Math.min(...numbers), Math.max(...numbers)];
  const seconds = (/** @type {string} */ name) => repeats.map((rounds) => median(rounds.map((times) => times[name])));
  return {
    /** The least median of the repeats. */
    seconds: (/** @type {string} */ name) => Math.min(...seconds(name)),
    extremes: (/** @type {string} */ name) => extremes(seconds(name)),
    /** The median over the repeats of time `slow` over time `fast`, and the least and the largest. */
    ratio(/** @type {string} */ slow, /** @type {string} */ fast) {
      const ratios = repeats.map((rounds) => median(rounds.map((times) => times[slow] / times[fast])));
      return { ratio: median(ratios), spread: extremes(ratios) };
    },
  };
}
