// The front page's samples, cut out of it, so that they are run as they stand there.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** @typedef {{ language: string, text: string }} Block */

/** @param {string} root */
export function readBlocks(root) {
  const page = readFileSync(path.join(root, 'README.md'), 'utf8');
  const blocks = [...page.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language, text]) => ({ language, text }));
  // A new block needs a place here, or it would stay untried.
  assert.deepEqual(blocks.map(({ language }) => language), ['sh', 'sh', 'js', 'html', 'js', 'js', 'js', 'js', 'sh']);
  const [start, install, first, importMap, pixi, crowd, three, node, cli] = blocks.map(({ text }) => text);
  return { start, install, first, importMap, pixi, crowd, three, node, cli };
}

/** @param {string} text of a shell block */
export function commandsOf(text) {
  return text.split('\n').map((line) => line.replace(/\s+#.*/, '')).filter((line) => line !== '');
}

/**
 * A page of a module that says when it is through.
 * @param {string} head
 * @param {string} script its address
 */
export function htmlOf(head, script) {
  return `<!doctype html><html><head><meta charset="utf-8"><link rel="icon" href="data:,">${head}</head><body><script type="module" src="${script}"></script></body></html>`;
}
