import { readFileSync } from 'node:fs';

/** Version of this package. */
export function version() {
  return JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')).version;
}
