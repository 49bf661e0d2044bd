// A static host that serves folders under a strict content security policy, as a careful web host does.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';

export const strictPolicy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
  + "img-src 'self' data: blob:; worker-src 'self' blob:";

/** @type {Record<string, string>} */
const types = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css', '.json': 'application/json',
  '.png': 'image/png', '.wasm': 'application/wasm',
};

/**
 * Allows exactly the inline scripts that a page holds: an import map cannot be a file.
 * @param {string} policy
 * @param {string} html
 */
function withInlineScripts(policy, html) {
  const hashes = [...html.matchAll(/<script type="importmap">([^]*?)<\/script>/g)]
    .map(([, text]) => ` 'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  return policy.replace("'wasm-unsafe-eval'", `'wasm-unsafe-eval'${hashes.join('')}`);
}

/**
 * @param {Record<string, string>} folders by the path they are served at, which ends with a slash; the first that fits counts
 * @param {{ policy?: string }} [options]
 */
export async function serve(folders, { policy = strictPolicy } = {}) {
  const server = createServer(async (request, response) => {
    const pathname = decodeURIComponent(new URL(request.url ?? '/', 'http://host').pathname);
    const prefix = Object.keys(folders).find((each) => pathname.startsWith(each));
    const file = prefix === undefined ? '' : path.join(folders[prefix], pathname.endsWith('/') ? `${pathname.slice(prefix.length)}index.html` : pathname.slice(prefix.length));
    try {
      const bytes = await readFile(file);
      const html = file.endsWith('.html');
      response.writeHead(200, {
        'Content-Type': types[path.extname(file)] ?? 'application/octet-stream',
        'Cache-Control': 'no-store',
        ...(html ? { 'Content-Security-Policy': withInlineScripts(policy, bytes.toString()) } : {}),
      });
      response.end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${address.port}/`,
    close: () => new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    }),
  };
}
