import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vite';

const root = path.dirname(import.meta.dirname);

/**
 * Every HTML file at the root is a page.
 * @returns {import('vite').Plugin}
 */
function pages() {
  return {
    name: 'pages',
    config({ root: folder = import.meta.dirname }) {
      const names = readdirSync(folder).filter((name) => name.endsWith('.html'));
      return { build: { rollupOptions: { input: names.map((name) => path.join(folder, name)) } } };
    },
  };
}

/** What pages fetch; the drawings and texts beside them are for people who make them. */
const kept = /\.(html|js|css|wasm|json|png)$/;

/**
 * Writes the service worker of a build, which keeps exactly the files of that build.
 * @returns {import('vite').Plugin}
 */
function offline() {
  let folder = '';
  return {
    name: 'offline',
    apply: 'build',
    enforce: 'post',
    configResolved({ root: from, build }) {
      folder = path.resolve(from, build.outDir);
    },
    closeBundle() {
      const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.split(path.sep).join('/'))
        .filter((name) => kept.test(name) && name !== 'sw.js').sort();
      const files = Object.fromEntries(names.map((name) => [name, `sha256-${createHash('sha256').update(readFileSync(path.join(folder, name))).digest('base64')}`]));
      const source = readFileSync(path.join(import.meta.dirname, 'src/offline-worker.js'), 'utf8');
      writeFileSync(path.join(folder, 'sw.js'), `self.files = ${JSON.stringify(files)};\n${source}`);
    },
  };
}

export default defineConfig({
  // Relative, so that the built page runs below any path.
  base: './',
  // What is not there is answered by 404, also while developing, not by a page.
  appType: 'mpa',
  publicDir: path.join(root, 'assets'),
  plugins: [pages(), offline()],
  resolve: {
    alias: [{ find: /^marrow2d$/, replacement: path.join(root, 'wasm-api/js/index.js') },
      { find: /^marrow2d\/(\w+)$/, replacement: path.join(root, 'wasm-api/js/$1.js') }],
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // A package that is found only once a worker asks for it makes the development server load the page again.
  optimizeDeps: { entries: ['*.html', 'src/**/*worker.js'] },
  server: { fs: { allow: [root] } },
  worker: { format: 'es' },
  build: { target: 'es2022', chunkSizeWarningLimit: 600 },
});
