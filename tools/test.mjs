// npm test: everything that must hold, in steps; the first that fails ends the run. `npm test -- asan js` runs only the
// named ones, after the set-up.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { buildLib, buildPreset, buildTypes, buildWasm, buildWeb } from './build.mjs';
import { root, run, runPackage } from './run.mjs';

/** @param {string} preset */
function testPreset(preset) {
  buildPreset(preset);
  run('ctest', ['--preset', preset, '--parallel', String(availableParallelism())]);
}

/**
 * Runs the *.test.mjs files of a folder; a folder without any is a failure, not a success.
 * @param {string} folder
 * @param {Record<string, string>} [environment]
 */
function testNode(folder, environment) {
  const files = existsSync(path.join(root, folder)) ? readdirSync(path.join(root, folder)) : [];
  const tests = files.filter((name) => name.endsWith('.test.mjs')).sort().map((name) => path.join(folder, name));
  if (tests.length === 0) {
    throw new Error(`${folder} has no *.test.mjs file`);
  }
  run(process.execPath, ['--test', ...tests], environment);
}

function checkFormat() {
  const listed = spawnSync('git', ['ls-files', 'src/*.[ch]', 'tests/*.[ch]', 'wasm-api/*.[ch]'], { cwd: root, encoding: 'utf8' });
  const files = listed.stdout.split('\n').filter((name) => name !== '' && existsSync(path.join(root, name)));
  if (listed.status !== 0 || files.length === 0) {
    throw new Error('git lists no C files to check');
  }
  run('clang-format', ['--dry-run', '-Werror', ...files]);
  console.log(`${files.length} files are formatted as .clang-format says`);
}

function checkTypes() {
  buildTypes();
  buildLib();
  run(process.execPath, ['tools/make-api.mjs', '--check']);
  runPackage('typescript/bin/tsc', ['--project', 'tools/tsconfig.json']);
  runPackage('typescript/bin/tsc', ['--project', 'web/tsconfig.json']);
  runPackage('typescript/bin/tsc', ['--project', 'tests/tsconfig.json']);
}

/** @type {{ name: string, title: string, act: () => void }[]} */
const steps = [
  { name: 'format', title: 'C sources are formatted', act: checkFormat },
  { name: 'asan', title: 'C tests: clang, address and undefined-behaviour sanitizers, SIMD', act: () => testPreset('asan') },
  { name: 'debug', title: 'C tests: gcc, unoptimised, scalar', act: () => testPreset('debug') },
  { name: 'release', title: 'C tests: gcc, optimised, SIMD', act: () => testPreset('release') },
  { name: 'wasm', title: 'C tests: WebAssembly, scalar', act: () => testPreset('wasm') },
  { name: 'wasm-simd', title: 'C tests: WebAssembly, SIMD', act: () => testPreset('wasm-simd') },
  { name: 'types', title: 'JavaScript types', act: checkTypes },
  { name: 'js-simd', title: 'JavaScript package, SIMD binary', act: () => testNode('tests/js', { MARROW_SIMD: '1' }) },
  { name: 'js-scalar', title: 'JavaScript package, scalar binary', act: () => testNode('tests/js', { MARROW_SIMD: '0' }) },
  { name: 'bench', title: 'Benchmarks, a smoke run', act: () => { buildWeb(); testNode('tests/bench'); } },
  { name: 'package', title: 'The package as a user installs it', act: () => testNode('tests/package') },
  { name: 'web', title: 'Page and renderers in a browser', act: () => { buildWeb(); testNode('tests/web'); } },
];

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !steps.some((step) => step.name === name));
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(' ')}\nsteps: ${steps.map((step) => step.name).join(' ')}`);
  process.exit(2);
}
run(process.execPath, ['tools/setup.mjs']);
const selected = steps.filter((step) => chosen.length === 0 || chosen.includes(step.name));
const needsBinaries = selected.some((step) => ['js-simd', 'js-scalar', 'bench', 'package', 'web'].includes(step.name));
if (chosen.length > 0 && needsBinaries) {
  buildWasm();
  buildLib();
}
let took = '';
for (const [index, step] of selected.entries()) {
  console.log(`${took}\n=== ${index + 1}/${selected.length} ${step.name}: ${step.title}`);
  const start = performance.now();
  try {
    step.act();
  } catch (error) {
    console.error(`\n=== failed: ${step.name}: ${error instanceof Error ? error.message : error}`);
    process.exit(1);
  }
  took = `=== ${step.name} took ${((performance.now() - start) / 1000).toFixed(1)} s\n`;
}
