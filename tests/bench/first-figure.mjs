// How long a person waits for the first figure: the viewer in Chromium, loaded again and again after everything was seen once.
import path from 'node:path';
import { root } from '../../tools/run.mjs';
import { keptOffline, openBrowser } from '../web/support/browser.mjs';
import { serve } from '../web/support/server.mjs';

/**
 * @param {number} rounds
 * @returns {Promise<number[]>} milliseconds from the navigation to the first drawn frame, ascending
 */
export async function measureFirstFigure(rounds) {
  const server = await serve({ '/': path.join(root, 'web/dist') });
  const browser = await openBrowser();
  try {
    const { page, assertQuiet } = await browser.open(`${server.url}?rig=kit`);
    await keptOffline(page);
    const times = [];
    for (let round = 0; round < rounds; round += 1) {
      await page.reload();
      await page.waitForSelector('html[data-ready="yes"]', { state: 'attached' });
      times.push(await page.evaluate(() => performance.getEntriesByName('first-frame')[0].startTime));
    }
    assertQuiet();
    return times.sort((a, b) => a - b);
  } finally {
    await browser.close();
    await server.close();
  }
}
