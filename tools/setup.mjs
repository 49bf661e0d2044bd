// Makes this clone ready to build, and says what it does: Node's version, npm packages, tools, third-party C sources.
// Doing it again costs nothing. SETUP_NO_INSTALL=1 only reports what is missing.
import { spawnSync } from 'node:child_process';
import {
  cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findChromium } from './chromium.mjs';
import { root } from './run.mjs';

const mayInstall = process.env.SETUP_NO_INSTALL !== '1';
const oldestNode = [20, 19];

/** Each tool, the program that shows it is there, and the Debian packages that bring it. */
const tools = [
  { name: 'CMake', found: () => hasProgram('cmake'), packages: ['cmake'] },
  { name: 'Ninja', found: () => hasProgram('ninja'), packages: ['ninja-build'] },
  { name: 'gcc', found: () => hasProgram('gcc'), packages: ['gcc', 'libc6-dev'] },
  { name: 'clang with its sanitizer runtime', found: hasClangRuntime, packages: ['clang', 'libclang-rt-dev'] },
  { name: 'clang-format', found: () => hasProgram('clang-format'), packages: ['clang-format'] },
  { name: 'Emscripten', found: () => emsdkCompiler() !== null || hasProgram('emcc'), packages: ['emscripten'] },
  { name: 'Chromium', found: () => findChromium() !== null, packages: ['chromium'] },
  // Only what apt fetches is unpacked by it; elsewhere CMake fetches the C sources.
  { name: 'dpkg-source', found: () => hasProgram('dpkg-source') || !hasProgram('apt-get') || absentSources().length === 0, packages: ['dpkg-dev'] },
];

/** Where Debian's source packages are unpacked to, and the file that shows each is complete. */
const sources = [
  { name: 'cjson', file: 'cJSON.c' },
  { name: 'libstb', file: 'stb_image.h' },
];

/** @type {string[]} */
const problems = [];

/** @param {string} text */
function say(text) {
  console.log(`setup: ${text}`);
}

/**
 * @param {string} what
 * @param {string} line what to type
 */
function missing(what, line) {
  problems.push(`${what}: run\n    ${line}`);
}

/** @param {string} name */
function hasProgram(name) {
  return (process.env.PATH ?? '').split(path.delimiter).some((folder) => folder !== '' && existsSync(path.join(folder, name)));
}

function emsdkCompiler() {
  const compiler = path.join(process.env.EMSDK ?? '', 'upstream/emscripten/emcc');
  return process.env.EMSDK !== undefined && existsSync(compiler) ? compiler : null;
}

function hasClangRuntime() {
  if (!hasProgram('clang')) {
    return false;
  }
  if (process.platform !== 'linux') {
    return true;
  }
  // A bare name comes back when clang does not have the file.
  const machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
  const found = spawnSync('clang', [`-print-file-name=libclang_rt.fuzzer-${machine}.a`], { encoding: 'utf8' });
  return path.isAbsolute(found.stdout.trim());
}

/**
 * Runs a program and returns whether it succeeded; its output is shown.
 * @param {string} program
 * @param {string[]} args
 * @param {import('node:child_process').SpawnSyncOptions} [options]
 */
function run(program, args, options = {}) {
  return spawnSync(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], ...options }).status === 0;
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1])) {
    console.error(`setup: Node ${process.versions.node} is too old: ${oldestNode.join('.')} or newer is needed (https://nodejs.org)`);
    process.exit(1);
  }
}

function installPackages() {
  const lock = path.join(root, 'package-lock.json');
  const installed = path.join(root, 'node_modules/.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) {
    return;
  }
  if (!mayInstall) {
    missing('npm packages', 'npm ci');
    return;
  }
  say('installing npm packages');
  if (!run('npm', ['ci', '--no-progress'])) {
    missing('npm packages could not be installed', 'npm ci');
    return;
  }
  utimesSync(installed, new Date(), new Date());
}

function installTools() {
  const chromium = process.env.CHROMIUM_PATH;
  if (chromium !== undefined && chromium !== '' && !existsSync(chromium)) {
    missing(`CHROMIUM_PATH names ${chromium}, which does not exist`, 'unset CHROMIUM_PATH');
    return;
  }
  const absent = tools.filter((tool) => !tool.found());
  if (absent.length === 0) {
    return;
  }
  const names = absent.map((tool) => tool.name).join(', ');
  if (process.platform === 'darwin') {
    missing(`missing ${names}`, 'xcode-select --install; brew install cmake ninja clang-format emscripten && brew install --cask chromium');
    return;
  }
  const packages = absent.flatMap((tool) => tool.packages);
  const isRoot = process.getuid?.() === 0;
  // sudo does not hand the environment on.
  const prefix = [...(isRoot ? [] : ['sudo']), 'env', 'DEBIAN_FRONTEND=noninteractive'];
  const update = [...prefix, 'apt-get', 'update'];
  const install = [...prefix, 'apt-get', 'install', '-y', '--no-install-recommends', ...packages];
  const line = `${update.join(' ')} && ${install.join(' ')}`;
  if (!hasProgram('apt-get')) {
    missing(`missing ${names}; this system has no apt-get: install what these Debian packages hold`, line);
    return;
  }
  if (!mayInstall || (!isRoot && !hasProgram('sudo'))) {
    missing(`missing ${names}`, line);
    return;
  }
  say(`installing ${packages.join(' ')}`);
  const options = { stdio: /** @type {'inherit'} */ ('inherit') };
  run(update[0], update.slice(1), options);
  run(install[0], install.slice(1), options);
  const still = tools.filter((tool) => !tool.found());
  if (still.length > 0) {
    missing(`still missing ${still.map((tool) => tool.name).join(', ')}`, line);
  }
}

/**
 * Writes the system's package sources, turned into sources of source packages, to `parts`. The system's own lists stay as they are.
 * @param {string} parts
 */
function writeSourceLists(parts) {
  const etc = '/etc/apt';
  const extra = existsSync(`${etc}/sources.list.d`) ? readdirSync(`${etc}/sources.list.d`) : [];
  for (const name of extra.filter((file) => file.endsWith('.sources'))) {
    const text = readFileSync(`${etc}/sources.list.d/${name}`, 'utf8');
    writeFileSync(path.join(parts, name), text.replace(/^Types:.*$/gm, 'Types: deb-src'));
  }
  const lists = extra.filter((file) => file.endsWith('.list')).map((file) => `${etc}/sources.list.d/${file}`);
  for (const file of [`${etc}/sources.list`, ...lists].filter((name) => existsSync(name))) {
    const lines = readFileSync(file, 'utf8').split('\n').filter((line) => /^deb(-src)?\s/.test(line));
    const unique = new Set(lines.map((line) => line.replace(/^deb(-src)?\s+/, 'deb-src ')));
    writeFileSync(path.join(parts, path.basename(file)), [...unique, ''].join('\n'));
  }
}

/**
 * Downloads Debian source packages into a folder of their own and unpacks them; needs no root and no deb-src entry.
 * @param {string[]} names
 */
function fetchSourcePackages(names) {
  const temporary = mkdtempSync(path.join(tmpdir(), 'marrow-sources-'));
  const folder = (/** @type {string} */ name) => {
    mkdirSync(path.join(temporary, name), { recursive: true });
    return path.join(temporary, name);
  };
  try {
    writeSourceLists(folder('parts'));
    folder('lists/partial');
    folder('cache/archives/partial');
    const apt = ['-q', '-q', '-o', 'Dir::Etc::sourcelist=/dev/null', '-o', `Dir::Etc::sourceparts=${folder('parts')}`,
      '-o', `Dir::State::lists=${folder('lists')}`, '-o', `Dir::Cache=${folder('cache')}`, '-o', 'APT::Sandbox::User=root'];
    const quiet = { cwd: folder('src'), stdio: /** @type {['ignore', 'ignore', 'inherit']} */ (['ignore', 'ignore', 'inherit']) };
    if (!run('apt-get', [...apt, 'update'], quiet) || !run('apt-get', [...apt, 'source', '--download-only', ...names], quiet)) {
      return false;
    }
    for (const file of readdirSync(folder('src')).filter((name) => name.endsWith('.dsc'))) {
      const name = file.split('_')[0];
      if (!run('dpkg-source', ['--no-check', '-x', file, name], quiet)) {
        return false;
      }
      const target = path.join(root, 'third_party/src', name);
      rmSync(target, { recursive: true, force: true });
      mkdirSync(path.dirname(target), { recursive: true });
      cpSync(path.join(folder('src'), name), `${target}.partial`, { recursive: true });
      renameSync(`${target}.partial`, target);
    }
    return true;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function absentSources() {
  return sources.filter(({ name, file }) => !existsSync(path.join(root, 'third_party/src', name, file)));
}

function fetchSources() {
  const absent = absentSources();
  if (absent.length === 0) {
    return;
  }
  const names = absent.map(({ name }) => name);
  if (!hasProgram('apt-get')) {
    say(`C sources (${names.join(', ')}) will be fetched by CMake`);
    return;
  }
  if (!mayInstall) {
    missing(`missing C sources: ${names.join(', ')}`, 'node tools/setup.mjs');
    return;
  }
  say(`fetching C sources: ${names.join(', ')}`);
  if (!fetchSourcePackages(names)) {
    say('the distribution has no source packages to give; CMake will fetch the C sources');
  }
}

checkNode();
installTools();
installPackages();
fetchSources();
if (problems.length > 0) {
  for (const problem of problems) {
    console.error(`setup: ${problem}`);
  }
  process.exit(1);
}
say('everything is there');
