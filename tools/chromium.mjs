// Finds a Chromium for the browser tests.
import { existsSync } from 'node:fs';

const usualPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * The path in CHROMIUM_PATH, which must exist if it is set, or the first usual one that does.
 * @returns {string | null}
 */
export function findChromium() {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen !== undefined && chosen !== '') {
    return existsSync(chosen) ? chosen : null;
  }
  return usualPaths.find((path) => existsSync(path)) ?? null;
}
