// Sets up, then builds what the package and the page are made of. Usage: node tools/build.mjs [wasm] [types] [lib] [web]; without
// names, all.
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { tidyDeclarations } from './declarations.mjs';
import { root, run, runPackage } from './run.mjs';

/** @param {string} preset */
export function buildPreset(preset) {
  run('cmake', ['--preset', preset]);
  run('cmake', ['--build', '--preset', preset, '--parallel', String(availableParallelism())]);
}

/** The binaries alone, without the C tests of their presets. */
export function buildWasm() {
  for (const [preset, ...targets] of [['wasm', 'mrw_wasm', 'mrw_wasm_author'], ['wasm-simd', 'mrw_wasm_simd']]) {
    run('cmake', ['--preset', preset]);
    run('cmake', ['--build', '--preset', preset, '--target', ...targets, '--parallel', String(availableParallelism())]);
  }
}

/**
 * What TypeScript writes from wasm-api/js. What an earlier build left goes first: everything in the folder is packed.
 * @param {string} project
 * @param {string} out
 */
function emit(project, out) {
  rmSync(path.join(root, out), { recursive: true, force: true });
  runPackage('typescript/bin/tsc', ['--project', project]);
}

export function buildTypes() {
  emit('tsconfig.json', 'wasm-api/dist/types');
  tidyDeclarations(path.join(root, 'wasm-api/dist/types'), path.join(root, 'wasm-api/js'), ['index.d.ts', 'pixi.d.ts', 'three.d.ts', 'author.d.ts']);
}

/** The modules that users import: those of wasm-api/js without their comments, which the declarations have as well. */
export function buildLib() {
  emit('wasm-api/tsconfig.json', 'wasm-api/lib');
}

export function buildWeb() {
  runPackage('vite/bin/vite.js', ['build', 'web']);
}

if (process.argv[1] === import.meta.filename) {
  const parts = { wasm: buildWasm, types: buildTypes, lib: buildLib, web: buildWeb };
  const chosen = process.argv.slice(2);
  const unknown = chosen.filter((name) => !Object.hasOwn(parts, name));
  if (unknown.length > 0) {
    console.error(`unknown: ${unknown.join(' ')}\nusage: node tools/build.mjs [${Object.keys(parts).join('] [')}]`);
    process.exit(2);
  }
  run(process.execPath, ['tools/setup.mjs']);
  for (const [name, build] of Object.entries(parts)) {
    if (chosen.length === 0 || chosen.includes(name)) {
      build();
    }
  }
}
