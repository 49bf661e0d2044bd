import path from 'node:path';
import { defineConfig } from 'vite';

const root = path.dirname(import.meta.dirname);

export default defineConfig({
  // Relative, so that the built page runs below any path.
  base: './',
  publicDir: path.join(root, 'assets'),
  resolve: {
    alias: [{ find: /^marrow2d$/, replacement: path.join(root, 'wasm-api/js/index.js') },
      { find: /^marrow2d\/(\w+)$/, replacement: path.join(root, 'wasm-api/js/$1.js') }],
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  server: { fs: { allow: [root] } },
  build: { target: 'es2022', chunkSizeWarningLimit: 2000 },
});
