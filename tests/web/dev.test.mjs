// The page as `npm start` serves it.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { createServer } from 'vite';
import { openBrowser } from './support/browser.mjs';
import { root } from './support/harness.mjs';

test('a fresh development server finds all packages at once, and never loads the page again', async (context) => {
  const cacheDir = mkdtempSync(path.join(tmpdir(), 'marrow-dev-'));
  const server = await createServer({ root: path.join(root, 'web'), cacheDir, logLevel: 'silent', server: { port: 0, host: '127.0.0.1' } });
  await server.listen();
  const browser = await openBrowser();
  context.after(async () => {
    await browser.close();
    await server.close();
    rmSync(cacheDir, { recursive: true });
  });
  const { page, assertQuiet } = await browser.open(`${server.resolvedUrls?.local[0]}?rig=kit&play=0`);
  await page.evaluate(() => Object.assign(window, { isSame: true }));
  await page.keyboard.press('2');
  await page.locator('#stage-world canvas').waitFor();
  await page.locator('#save').click();
  await page.getByRole('menuitem', { name: /Loop/ }).click();
  const dialog = page.locator('dialog[open]');
  await dialog.locator('#estimate', { hasText: 'frames' }).waitFor();
  await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Save' }).click()]);
  assert.equal(await page.evaluate(() => 'isSame' in window), true, 'the page was loaded again');
  assert.equal((await page.request.get(`${server.resolvedUrls?.local[0]}nobody/nobody.rig2d.json`)).status(), 404);
  assertQuiet();
});
