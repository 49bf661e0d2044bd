// npm run bench: measures the kernels and the package against JavaScript rivals and native builds of the same source.
//   --quick          a smoke run: few short rounds, figures mean nothing
//   --only NAME,...  some cases (see CASES in cases.mjs)
//   --csv [FILE]     CSV to a file, or to standard output instead of the table
//   --write          writes docs/performance.md
//   --no-build       takes what was built before
import { spawnSync } from 'node:child_process';
import { availableParallelism, cpus } from 'node:os';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createMarrow } from '../../wasm-api/js/index.js';
import { root } from '../../tools/run.mjs';
import { CASES } from './cases.mjs';
import { createRandom } from './character.mjs';
import { loadKernels } from './contestants.mjs';
import { toCsv, toMarkdownTable, toTable } from './report.mjs';

const FULL = { rounds: 31, seconds: 0.0015, warmUp: 0.2, repeats: 3 };
const QUICK = { rounds: 3, seconds: 0.0002, warmUp: 0.001, repeats: 1 };
const PAGE = path.join(root, 'docs/performance.md');

/** What is built tells of it on standard error: standard output is for the figures. @param {string[]} args */
function cmake(args) {
  const { status } = spawnSync('cmake', args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`cmake ${args.join(' ')} failed`);
}

function build() {
  for (const [preset, ...targets] of [['wasm-simd', 'mrw_bench_wasm'], ['release', 'mrw_bench', 'mrw_bench_avx2']]) {
    cmake(['--preset', preset]);
    cmake(['--build', '--preset', preset, '--parallel', String(availableParallelism()), '--target', ...targets]);
  }
}

/** Replaces what stands between the marks of the page. @param {import('./cases.mjs').Row[]} rows */
function writePage(rows) {
  const machine = `${cpus()[0].model.trim()}, ${cpus().length} cores, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}`;
  const [begin, end] = ['<!-- figures -->', '<!-- end of figures -->'];
  const page = readFileSync(PAGE, 'utf8');
  const from = page.indexOf(begin), to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${PAGE} has no marks for the figures`);
  writeFileSync(PAGE, `${page.slice(0, from + begin.length)}\n\n${machine}\n\n${toMarkdownTable(rows)}\n\n${page.slice(to)}`);
}

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    csv: { type: 'string' },
    write: { type: 'boolean', default: false },
    'no-build': { type: 'boolean', default: false },
  },
  args: process.argv.slice(2).flatMap((argument, i, all) => (argument === '--csv' && (all[i + 1] ?? '--').startsWith('--') ? ['--csv', '-'] : [argument])),
});
const names = values.only === undefined ? Object.keys(CASES) : values.only.split(',');
const unknown = names.filter((name) => !Object.hasOwn(CASES, name));
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(' ')}\nthere are ${Object.keys(CASES).join(' ')}`);
  process.exit(2);
}
if (!values['no-build']) build();
const bench = {
  kernels: await loadKernels(path.join(root, 'build/wasm-simd/tests/bench/mrw_bench_wasm.wasm')),
  natives: { sse: path.join(root, 'build/release/tests/bench/mrw_bench'), avx: path.join(root, 'build/release/tests/bench/mrw_bench_avx2') },
  marrow: () => createMarrow(),
  options: { ...(values.quick ? QUICK : FULL), random: createRandom(3) },
};
/** @type {import('./cases.mjs').Row[]} */
const rows = [];
for (const name of names) {
  console.error(`${name} ...`);
  rows.push(...(await CASES[/** @type {keyof typeof CASES} */ (name)](bench)));
}
if (values.csv === '-') process.stdout.write(toCsv(rows));
else console.log(toTable(rows));
if (values.csv !== undefined && values.csv !== '-') writeFileSync(values.csv, toCsv(rows));
if (values.write) writePage(rows);
