// The page for everyone: names, roles, contrast and focus, measured by axe and by the keyboard.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { openBrowser } from './support/browser.mjs';
import { root } from './support/harness.mjs';
import { serve } from './support/server.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** @type {Awaited<ReturnType<typeof serve>>} */
let server;
/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let browser;
before(async () => {
  server = await serve({ '/': path.join(root, 'web/dist') });
  browser = await openBrowser();
});
after(async () => {
  await browser.close();
  await server.close();
});

/** @param {import('playwright-core').Page} page */
async function violations(page) {
  await page.evaluate(axe);
  const { violations: found, passes } = await page.evaluate(() => /** @type {any} */ (globalThis).axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'best-practice'],
  }));
  // A tool that looked at nothing finds nothing.
  assert.ok(passes.some((/** @type {{ id: string }} */ { id }) => id === 'color-contrast'), 'axe measured no contrast');
  return found.map((/** @type {any} */ { id, nodes }) => `${id}: ${nodes.map((/** @type {any} */ node) => `${node.target} ${node.failureSummary}`).join(' | ')}`);
}

const states = {
  'a bone selected, heat map': '?rig=kit&play=0&overlay=weights,bones&bone=head',
  '2.5D': '?rig=kit&play=0&stage=2.5d',
  ground: '?rig=koi&play=0&stage=ground',
  'a broken address': '?rig=nowhere.rig2d.json&play=0',
};
for (const theme of ['dark', 'light']) {
  for (const [name, query] of Object.entries(states)) {
    test(`axe finds nothing: ${theme}, ${name}`, async (context) => {
      const { page, close } = await browser.open(`${server.url}${query}&theme=${theme}`);
      context.after(close);
      assert.deepEqual(await violations(page), []);
    });
  }

  test(`axe finds nothing: ${theme}, the help and the Save menu`, async (context) => {
    const { page, close } = await browser.open(`${server.url}?rig=kit&play=0&theme=${theme}`);
    context.after(close);
    await page.keyboard.press('?');
    await page.locator('dialog[open]').waitFor();
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Escape');
    await page.locator('#save').click();
    await page.locator('#save-menu').waitFor();
    assert.deepEqual(await violations(page), []);
  });

  test(`axe finds nothing: ${theme}, the stress page and a narrow page with a drawer`, async (context) => {
    const stress = await browser.open(`${server.url}stress.html?n=10&play=0&theme=${theme}`);
    context.after(stress.close);
    assert.deepEqual(await violations(stress.page), []);
    const narrow = await browser.open(`${server.url}?rig=kit&play=0&theme=${theme}`, { viewport: { width: 390, height: 844 } });
    context.after(narrow.close);
    for (const drawer of ['Bones and parts', 'Selection, view and figures']) {
      await narrow.page.getByRole('button', { name: drawer }).click();
      assert.deepEqual(await violations(narrow.page), []);
      await narrow.page.getByRole('button', { name: drawer }).click();
    }
  });
}

test('whatever has the focus shows it', async (context) => {
  const { page, close } = await browser.open(`${server.url}?rig=kit&play=0&bone=head`);
  context.after(close);
  const seen = new Set();
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      if (element === null || element === document.body) {
        return null;
      }
      // A hidden input shows its focus on the label around it.
      const shows = [element, element.closest('label')].some((each) => each !== null && getComputedStyle(each).outlineStyle !== 'none'
        && parseFloat(getComputedStyle(each).outlineWidth) >= 2);
      return { name: element.outerHTML.slice(0, 120), shows };
    });
    if (focused !== null) {
      assert.ok(focused.shows, `no focus ring on ${focused.name}`);
      seen.add(focused.name);
    }
  }
  assert.ok(seen.size > 30, `only ${seen.size} controls`);
});
