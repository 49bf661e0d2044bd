// The built page, served below a path, because a page is seldom alone on its host.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { after, before } from 'node:test';
import { openBrowser } from './browser.mjs';
import { root } from './harness.mjs';
import { serve } from './server.mjs';

const dist = path.join(root, 'web/dist');

/**
 * @param {Record<string, string>} [folders] what else is served
 * @param {{ policy?: string }} [options]
 */
export async function serveSite(folders = {}, options = {}) {
  assert.ok(existsSync(path.join(dist, 'index.html')), 'web/dist is missing: node tools/build.mjs web');
  const server = await serve({ ...folders, '/some/where/': dist }, options);
  return { ...server, site: `${server.url}some/where/` };
}

/** The site and a browser for the tests of one file, from before the first until after the last. */
export function useSite() {
  /** @type {Awaited<ReturnType<typeof serveSite>>} */
  let server;
  /** @type {Awaited<ReturnType<typeof openBrowser>>} */
  let browser;
  before(async () => {
    server = await serveSite();
    browser = await openBrowser();
  });
  after(async () => {
    await browser.close();
    await server.close();
  });
  return {
    get url() {
      return server.site;
    },

    /**
     * @param {import('node:test').TestContext} context which closes the page
     * @param {string} address below the site
     * @param {import('playwright-core').BrowserContextOptions} [options]
     */
    async open(context, address, options) {
      const opened = await browser.open(server.site + address, options);
      context.after(opened.close);
      return opened;
    },
  };
}

/** @param {import('playwright-core').Page} page @param {string} name */
export function figure(page, name) {
  return page.locator(`[data-figure="${name}"]`);
}
