// npm start: sets up, builds the binaries and serves the page.
import { buildWasm } from './build.mjs';
import { root, run } from './run.mjs';
import path from 'node:path';

run(process.execPath, ['tools/setup.mjs']);
buildWasm();
// Only now: before the set-up Vite may not be installed.
const { createServer } = await import('vite');
const server = await createServer({ root: path.join(root, 'web') });
await server.listen();
server.printUrls();
