// A Chromium with software rendering, and pages that remember what went wrong on them.
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';
import { findChromium } from '../../../tools/chromium.mjs';

export async function openBrowser() {
  const executablePath = findChromium();
  assert.ok(executablePath, 'no Chromium: install one, or set CHROMIUM_PATH');
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
      '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--force-color-profile=srgb'],
  });
  return {
    close: () => browser.close(),

    /**
     * @param {string} url
     * @param {import('playwright-core').BrowserContextOptions} [options]
     */
    async open(url, options = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
      const page = await context.newPage();
      /** @type {string[]} */
      const problems = [];
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') {
          problems.push(`${message.type()}: ${message.text()}`);
        }
      });
      page.on('pageerror', (error) => problems.push(String(error.stack ?? error)));
      await page.goto(url);
      await page.waitForSelector('html[data-ready]', { state: 'attached' });
      return {
        page,
        /** What the console said, as an assertion: nothing may stay unread. */
        assertQuiet() {
          assert.deepEqual(problems, []);
        },
        /** @param {RegExp} expected removes what a test provoked */
        forgive(expected) {
          problems.splice(0, problems.length, ...problems.filter((each) => !expected.test(each)));
        },
        close: () => context.close(),
      };
    },
  };
}

/**
 * Until the page's worker keeps everything and answers for the page.
 * @param {import('playwright-core').Page} page
 */
export async function keptOffline(page) {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (navigator.serviceWorker.controller === null) {
      await new Promise((resolve) => {
        navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true });
      });
    }
  });
}

/**
 * A real drag of files from disk onto the page.
 * @param {import('playwright-core').Page} page
 * @param {string[]} files
 */
export async function drag(page, files) {
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of /** @type {const} */ (['dragEnter', 'dragOver', 'drop'])) {
    await devtools.send('Input.dispatchDragEvent', { type, x: 400, y: 400, data });
  }
  await devtools.detach();
}
