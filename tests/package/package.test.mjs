// The package as a user gets it: packed, installed into an empty folder, and used from Node, TypeScript, a bundler and a page without one.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { PNG } from 'pngjs';
import { build } from 'vite';
import { findChromium } from '../../tools/chromium.mjs';
import { documentTypes } from '../../tools/declarations.mjs';
import { commandsOf, htmlOf, readBlocks } from './readme.mjs';

const root = path.dirname(path.dirname(import.meta.dirname));
const folder = mkdtempSync(path.join(tmpdir(), 'marrow-package-'));
const app = path.join(folder, 'app');
const installed = path.join(app, 'node_modules/marrow2d');
const rig = readFileSync(path.join(root, 'assets/bar/bar.rig2d.json'), 'utf8');
after(() => rmSync(folder, { recursive: true }));

/** What may come over the wire, in bytes: the tarball, each binary gzipped, the main entry minified and gzipped. */
const budgets = {
  tarball: 250_000, script: 12 * 1024,
  binaries: { 'marrow.wasm': 50 * 1024, 'marrow.scalar.wasm': 50 * 1024, 'marrow.author.wasm': 40_500 },
};

/** The quarter turn by hand that every consumer must get: vertex 0 of the bar with mid turned a quarter. */
const expected = [128, -32];
const barVertices = JSON.parse(rig).mesh.verts.length;

/**
 * @param {string} program
 * @param {string[]} words
 * @param {string} cwd
 */
function run(program, words, cwd = app) {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd, encoding: 'utf8' });
  assert.equal(status, 0, `${program} ${words.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}

/** @type {{ size: number, filename: string, files: { path: string }[] }} */
let packed;

before(() => {
  // Packing makes the binaries that are not there.
  rmSync(path.join(root, 'wasm-api/dist/marrow.wasm'), { force: true });
  [packed] = JSON.parse(run('npm', ['pack', '--json', '--silent', '--pack-destination', folder], root));
  mkdirSync(app);
  writeFileSync(path.join(app, 'package.json'), JSON.stringify({ name: 'app', version: '1.0.0', type: 'module', private: true }));
  // What the package depends on comes from this clone, so that no network is needed.
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--install-links', path.join(folder, packed.filename), path.join(root, 'node_modules/gifenc')]);
});

test('the tarball holds what it should, and no more', () => {
  const names = packed.files.map((file) => file.path).sort();
  const strays = names.filter((name) => !/^wasm-api\/(dist\/marrow(\.scalar|\.author)?\.wasm|dist\/types\/.*\.d\.ts|lib\/.*\.js)$/.test(name)
    && !['package.json', 'README.md', 'LICENSE'].includes(name));
  assert.deepEqual(strays, []);
  for (const name of ['wasm-api/dist/marrow.wasm', 'wasm-api/dist/marrow.scalar.wasm', 'wasm-api/dist/marrow.author.wasm', 'wasm-api/dist/types/index.d.ts', 'wasm-api/lib/cli.js', 'LICENSE']) {
    assert.ok(names.includes(name), `${name} is missing`);
  }
});

test('building begins with the set-up', () => {
  const clone = path.join(folder, 'clone');
  for (const name of ['package.json', 'package-lock.json', 'tools']) {
    cpSync(path.join(root, name), path.join(clone, name), { recursive: true });
  }
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  for (const name of ['build', 'types', 'prepack', 'bench', 'fuzz', 'start', 'test']) {
    assert.ok(name in scripts, name);
    const { status, stderr } = spawnSync('npm', ['run', name], { cwd: clone, encoding: 'utf8', env: { ...process.env, SETUP_NO_INSTALL: '1' } });
    assert.equal(status, 1, name);
    assert.match(stderr, /setup: npm packages: run\n {4}npm ci/, name);
  }
});

test('every declaration can be reached from a way in, and types say what they are', () => {
  const { exports } = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'));
  const reached = new Set(Object.values(exports).flatMap((each) => (each.types === undefined ? [] : [path.posix.join(each.types)])));
  for (const name of reached) {
    for (const [, other] of readFileSync(path.join(installed, name), 'utf8').matchAll(/['"](\.[^'"]*)\.js['"]/g)) {
      reached.add(path.posix.join(path.posix.dirname(name), `${other}.d.ts`));
    }
  }
  const declared = packed.files.map((file) => file.path).filter((name) => name.endsWith('.d.ts'));
  assert.ok(declared.length > 30);
  assert.deepEqual(declared.sort(), [...reached].sort());
  for (const name of declared) {
    assert.doesNotMatch(readFileSync(path.join(installed, name), 'utf8'), /@typedef/, name);
  }
  assert.match(readFileSync(path.join(installed, 'wasm-api/dist/types/types.d.ts'), 'utf8'),
    /\/\*\* A repair that a reader made\. \*\/\nexport type WarningData = \{/);
  const source = ['/**', ' * Above.', ' * @template T', ' * @typedef {{ a: T }} One behind', ' */', '/** @typedef {number} Two */', ''].join('\n');
  const emitted = '/** @typedef {number} Two */\n/** Stays. */\nexport declare const three: Two;\nexport type One<T> = {};\nexport type Two = number;\n';
  assert.equal(documentTypes(emitted, source),
    '/** Stays. */\nexport declare const three: Two;\n/** Above. behind */\nexport type One<T> = {};\nexport type Two = number;\n');
});

test('its pages point to nothing that it does not hold; the front page may point into the repository', () => {
  const names = packed.files.map((file) => file.path);
  for (const page of names.filter((name) => name.endsWith('.md'))) {
    const links = [...readFileSync(path.join(installed, page), 'utf8').matchAll(/\]\(([^)#\s]+)/g)].map((found) => found[1]);
    const local = links.filter((link) => !/^https?:/.test(link)).map((link) => path.posix.join(path.posix.dirname(page), link));
    const isThere = (/** @type {string} */ name) => names.includes(name) || (page === 'README.md' && existsSync(path.join(root, name)));
    assert.deepEqual(local.filter((name) => !isThere(name)), [], page);
  }
});

test('stack traces of the modules can be read', () => {
  const lines = readFileSync(path.join(installed, 'wasm-api/lib/heap.js'), 'utf8').split('\n');
  assert.ok(lines.length > 200 && Math.max(...lines.map((line) => line.length)) < 200);
  assert.doesNotMatch(lines.join('\n'), /\/\*\*/);
});

test('sizes', async () => {
  const binaries = Object.entries(budgets.binaries).map(([name, most]) => (
    { name, most, size: gzipSync(readFileSync(path.join(installed, 'wasm-api/dist', name)), { level: 9 }).length }));
  const entry = path.join(app, 'entry.js');
  writeFileSync(entry, "export * from 'marrow2d';\n");
  const result = /** @type {any} */ (await build({
    root: app,
    logLevel: 'error',
    configFile: false,
    build: { write: false, lib: { entry, formats: ['es'] }, minify: true, rollupOptions: { output: { minify: true } } },
  }));
  /** @type {Map<string, any>} */
  const chunks = new Map(result[0].output.filter((/** @type {any} */ each) => each.type === 'chunk').map((/** @type {any} */ each) => [each.fileName, each]));
  const loaded = new Set([...chunks.values()].filter((each) => each.isEntry));
  for (const chunk of loaded) {
    chunk.imports.forEach((/** @type {string} */ name) => loaded.add(chunks.get(name)));
  }
  const code = [...loaded].map((chunk) => chunk.code).join('\n');
  // A library build writes the binaries into the code as data; they are counted by themselves.
  const script = gzipSync(code.replace(/data:application\/wasm;base64,[A-Za-z0-9+/=]+/g, ''), { level: 9 }).length;
  console.log(`tarball ${packed.size} bytes, ${binaries.map(({ name, size }) => `${name} ${size}`).join(', ')} gzipped, main entry ${script} bytes minified and gzipped`);
  assert.ok(packed.size <= budgets.tarball, `the tarball has ${packed.size} bytes`);
  assert.ok(script <= budgets.script, `the main entry has ${script} bytes`);
  for (const { name, most, size } of binaries) {
    assert.ok(size <= most, `${name} has ${size} bytes`);
  }
});

test('Node imports it, and every declared way in exists', () => {
  writeFileSync(path.join(app, 'bar.rig2d.json'), rig);
  writeFileSync(path.join(app, 'use.js'), `
    import { createMarrow, MarrowError } from 'marrow2d';
    import { autoRig } from 'marrow2d/author';
    const marrow = await createMarrow();
    const model = await marrow.load('bar.rig2d.json', { images: false, read: async () => new TextEncoder().encode(${JSON.stringify(rig.replace(/"de43c994[^\n]*\n/, '').replace('"bar.png",', '"bar.png"'))}) });
    const world = marrow.createWorld();
    const hero = world.add(model);
    hero.bone('mid').rotation = Math.PI / 2;
    world.update(0);
    const [part] = hero.parts;
    const vertex = part.vertexMap.indexOf(0);
    console.log(JSON.stringify([Math.round(part.positions[vertex * 2]), Math.round(part.positions[vertex * 2 + 1])]));
    if (autoRig({ width: 10, height: 10, sprite: '' }).bones.length < 2 || MarrowError.name !== 'MarrowError') process.exit(1);
  `);
  assert.deepEqual(JSON.parse(run(process.execPath, ['use.js'])), expected);
  const { exports } = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'));
  for (const target of Object.values(exports).flatMap((each) => (typeof each === 'string' ? [each] : Object.values(each)))) {
    assert.ok(statSync(path.join(installed, target)).size > 0, target);
  }
});

test('the command is on the path', () => {
  assert.match(run(path.join(app, 'node_modules/.bin/marrow'), ['--help']), /usage: marrow/);
  assert.match(run('npx', ['--no-install', 'marrow', 'info', path.join(root, 'assets/bar/bar.rig2d.json')]), /3 bones/);
});

test('TypeScript consumers get types', () => {
  writeFileSync(path.join(app, 'consumer.ts'), `
    import { createMarrow, MarrowError, type Instance, type Model } from 'marrow2d';
    import { autoRig, curves } from 'marrow2d/author';
    export async function show(url: string): Promise<Float32Array> {
      const marrow = await createMarrow({ simd: 'auto', limits: { nodes: 100 } });
      const model: Model = await marrow.load(url);
      const hero: Instance = marrow.createWorld().add(model, { name: 'hero', x: 1 });
      hero.play('walk', { fade: 0.2 });
      hero.bone('head').rotation += 0.1;
      hero.on('event', ({ name, data }) => console.log(name, data));
      hero.view.mode = 'spherical';
      const names: string[] = model.bones.map((bone) => bone.name);
      const rig = autoRig({ width: 1, height: 1, sprite: names[0] ?? '' });
      const value: number = curves.sample([{ t: 0, v: 1 }], 0);
      if (rig.bones === undefined || value < 0) throw new MarrowError('NOT_FOUND', 'nothing');
      // @ts-expect-error there is no such mode
      hero.view.mode = 'sideways';
      // @ts-expect-error positions are not text
      const wrong: string = hero.positions;
      return hero.positions;
    }
  `);
  writeFileSync(path.join(app, 'tsconfig.json'), JSON.stringify({
    compilerOptions: { strict: true, noEmit: true, module: 'nodenext', target: 'es2022', lib: ['es2023', 'dom'], types: [], skipLibCheck: false },
    files: ['consumer.ts'],
  }));
  run(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), '-p', app]);
});

const page = (/** @type {string} */ script) => htmlOf('', script);
/** What a page or a worker does with the package: a quarter turn by hand, and a GUID, which comes from the other binary. */
const script = (/** @type {string} */ main, /** @type {string} */ author) => `
  import { createMarrow } from '${main}';
  import { guidOf } from '${author}';
  const marrow = await createMarrow();
  const world = marrow.createWorld();
  const hero = world.add(marrow.loadRig2d(${JSON.stringify(rig)}));
  hero.bone('mid').rotation = Math.PI / 2;
  world.update(0);
  const [part] = hero.parts;
  const vertex = part.vertexMap.indexOf(0);
  const seen = { vertex: [Math.round(part.positions[vertex * 2]), Math.round(part.positions[vertex * 2 + 1])], guid: guidOf('abc') };
`;
const pageScript = (/** @type {string} */ main, /** @type {string} */ author) => `${script(main, author)}
  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  const fromWorker = await new Promise((resolve, reject) => { worker.onmessage = ({ data }) => resolve(data); worker.onerror = reject; });
  document.body.textContent = JSON.stringify({ page: seen, worker: fromWorker });
  document.documentElement.dataset.ready = '';
`;
const workerScript = (/** @type {string} */ main, /** @type {string} */ author) => `${script(main, author)}
  postMessage(seen);
`;
/** The first bits of the SHA-256 of "abc", with the version and the variant of a UUIDv8. */
const expectedSeen = { vertex: expected, guid: 'ba7816bf-8f01-8fea-8141-40de5dae2223' };
const expectedBoth = { page: expectedSeen, worker: expectedSeen };

const types = /** @type {Record<string, string>} */ ({
  '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm', '.json': 'application/json', '.png': 'image/png',
});
const strictPolicy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; img-src 'self' data:";

/**
 * Serves a folder, and answers what `see` finds on a page of it that has become ready without an error.
 * @template T
 * @param {string} served
 * @param {(tab: import('playwright-core').Page) => Promise<T>} see
 * @param {{ typeOf?: (extension: string) => string, policy?: Record<string, string>, name?: string }} [options]
 */
async function visit(served, see, { typeOf = (extension) => types[extension] ?? 'application/octet-stream', policy = {}, name = '' } = {}) {
  const server = createServer((request, response) => {
    const file = path.join(served, decodeURIComponent(new URL(request.url ?? '', 'http://x').pathname).replace(/\/$/, '/index.html'));
    try {
      const body = readFileSync(file);
      response.writeHead(200, { 'content-type': typeOf(path.extname(file)), ...policy }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const executablePath = findChromium();
  assert.ok(executablePath !== null, 'no Chromium: set CHROMIUM_PATH');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] });
  try {
    const tab = await browser.newPage({ viewport: { width: 800, height: 720 } });
    /** @type {string[]} */
    const problems = [];
    tab.on('pageerror', (error) => problems.push(error.message));
    tab.on('console', (message) => { if (message.type() === 'error') problems.push(message.text()); });
    await tab.goto(`http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}/${name}`);
    await tab.waitForSelector('html[data-ready]', { state: 'attached', timeout: 60000 }).catch(() => assert.fail(problems.join('\n') || 'the page never got ready'));
    const seen = await see(tab);
    assert.deepEqual(problems, []);
    return seen;
  } finally {
    await browser.close();
    server.close();
  }
}

/**
 * What a page wrote, under a strict policy.
 * @param {string} served
 * @param {(extension: string) => string} [typeOf]
 */
function shown(served, typeOf) {
  return visit(served, async (tab) => JSON.parse(await tab.textContent('body') ?? ''), { typeOf, policy: { 'content-security-policy': strictPolicy } });
}

test('a plain page under a strict policy, without a bundler', async () => {
  const from = /** @type {const} */ (['./node_modules/marrow2d/wasm-api/lib/index.js', './node_modules/marrow2d/wasm-api/lib/author.js']);
  writeFileSync(path.join(app, 'index.html'), page('./main.js'));
  writeFileSync(path.join(app, 'main.js'), pageScript(...from));
  writeFileSync(path.join(app, 'worker.js'), workerScript(...from));
  assert.deepEqual(await shown(app), expectedBoth);
  // A server that does not know .wasm: streaming is refused, the fallback is not.
  assert.deepEqual(await shown(app, (extension) => (extension === '.wasm' ? 'application/octet-stream' : types[extension] ?? 'text/plain')),
    expectedBoth);
});

test('a worker that Vite packs as it does by default, into a classic script', async () => {
  const source = path.join(app, 'vite-worker');
  mkdirSync(source);
  writeFileSync(path.join(source, 'index.html'), page('./main.js'));
  writeFileSync(path.join(source, 'main.js'), `
    const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
    worker.postMessage(new URL('./', location).href);
    document.body.textContent = JSON.stringify(await new Promise((resolve, reject) => { worker.onmessage = ({ data }) => resolve(data); worker.onerror = reject; }));
    document.documentElement.dataset.ready = '';
  `);
  writeFileSync(path.join(source, 'worker.js'), `
    import { createMarrow } from 'marrow2d';
    onmessage = async ({ data: base }) => {
      const marrow = await createMarrow({ base });
      const model = await marrow.load('bar.rig2d.json');
      postMessage([model.parts[0].vertexCount, model.images[0].width]);
    };
  `);
  writeFileSync(path.join(source, 'package.json'), '{"type":"module","private":true}');
  mkdirSync(path.join(source, 'public'));
  ['bar.rig2d.json', 'bar.anim.json', 'bar.png'].forEach((name) => copyFileSync(path.join(root, 'assets/bar', name), path.join(source, 'public', name)));
  await build({ root: source, base: './', configFile: false, logLevel: 'error' });
  assert.deepEqual(await shown(path.join(source, 'dist')), [barVertices, 64]);
});

test('a Vite build, worker and binaries included', async () => {
  const source = path.join(app, 'vite-app');
  mkdirSync(source);
  writeFileSync(path.join(source, 'index.html'), page('./main.js'));
  writeFileSync(path.join(source, 'main.js'), pageScript('marrow2d', 'marrow2d/author'));
  writeFileSync(path.join(source, 'worker.js'), workerScript('marrow2d', 'marrow2d/author'));
  writeFileSync(path.join(source, 'package.json'), '{"type":"module","private":true}');
  /** @type {string[]} */
  const warnings = [];
  await build({
    root: source,
    base: './',
    configFile: false,
    logLevel: 'warn',
    customLogger: /** @type {any} */ ({ info() {}, warn: (/** @type {string} */ text) => warnings.push(text), warnOnce: (/** @type {string} */ text) => warnings.push(text), error: (/** @type {string} */ text) => warnings.push(text), clearScreen() {}, hasErrorLogged: () => false, hasWarned: false }),
    build: { target: 'es2022', emptyOutDir: true },
    worker: { format: 'es' },
  });
  assert.deepEqual(warnings, []);
  const out = path.join(source, 'dist');
  const assets = readdirSync(path.join(out, 'assets'));
  assert.equal(assets.filter((name) => name.endsWith('.wasm')).length, 3, assets.join(' '));
  assert.deepEqual(await shown(out), expectedBoth);
});

test('a server imports the renderers\' views only when they are there', async () => {
  const { createMarrow } = await import(pathToFileURL(path.join(installed, 'wasm-api/lib/index.js')).href);
  assert.equal(typeof createMarrow, 'function');
  const source = readdirSync(path.join(installed, 'wasm-api/lib')).filter((name) => name.endsWith('.js') && !['pixi.js', 'three.js', 'cli.js'].includes(name))
    .map((name) => readFileSync(path.join(installed, 'wasm-api/lib', name), 'utf8')).join('\n');
  assert.doesNotMatch(source, /from '(pixi\.js|three)'/);
  assert.doesNotMatch(source, /\beval\(|new Function\(/);
});

test('the front page: what runs in a shell and in Node', () => {
  const { start, install, first, node, cli } = readBlocks(root);
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  // These two take minutes and are run by whoever runs this.
  assert.deepEqual(commandsOf(start), ['npm start', 'npm test']);
  assert.ok('start' in scripts && 'test' in scripts);
  assert.deepEqual(commandsOf(install), ['npm install marrow2d']);
  cpSync(path.join(root, 'assets/kit'), path.join(app, 'kit'), { recursive: true });
  copyFileSync(path.join(root, 'assets/bar/bar.png'), path.join(app, 'hero.png'));
  run('sh', ['-e', '-c', cli]);
  const begins = (/** @type {string} */ file, /** @type {string} */ text) => assert.equal(readFileSync(path.join(app, file), 'latin1').slice(0, text.length), text);
  ['out.png', 'walk.png'].forEach((name) => begins(name, '\x89PNG'));
  begins('walk.gif', 'GIF89a');
  for (const text of [first, node]) {
    writeFileSync(path.join(app, 'sample.js'), text);
    assert.match(run(process.execPath, ['sample.js']), text === first ? /Float32Array/ : /minX.*\[\]/s);
  }
});

test('the front page: what draws, with Vite and without', async () => {
  const { first, importMap, pixi, crowd, three } = readBlocks(root);
  ['kit', 'public/kit'].forEach((name) => cpSync(path.join(root, 'assets/kit'), path.join(app, name), { recursive: true }));
  ['pixi.js', 'three'].forEach((name) => symlinkSync(path.join(root, 'node_modules', name), path.join(app, 'node_modules', name)));
  // One whole module after the other, as a reader pastes them; the last line tells that all of it ran.
  const ready = "requestAnimationFrame(() => requestAnimationFrame(() => { document.documentElement.dataset.ready = ''; }));\n";
  const samples = { pixi: [first, pixi], crowd: [first, pixi, crowd], three: [first, three] };
  for (const [name, parts] of Object.entries(samples)) {
    writeFileSync(path.join(app, `${name}.js`), [...parts, ready].join(''));
    writeFileSync(path.join(app, `${name}.html`), htmlOf(importMap, `./${name}.js`));
    writeFileSync(path.join(app, `${name}-vite.html`), htmlOf('', `./${name}.js`));
  }
  await build({
    root: app, base: './', configFile: false, logLevel: 'error',
    build: { chunkSizeWarningLimit: 5000, rollupOptions: { input: Object.keys(samples).map((name) => path.join(app, `${name}-vite.html`)) } },
  });
  for (const name of Object.keys(samples)) {
    for (const [served, file] of [[app, `${name}.html`], [path.join(app, 'dist'), `${name}-vite.html`]]) {
      const picture = PNG.sync.read(await visit(served, (tab) => tab.locator('canvas').screenshot(), { name: file }));
      // Kit's fur, which nothing else on these pages has.
      let orange = 0;
      for (let at = 0; at < picture.data.length; at += 4) {
        orange += Number(picture.data[at] > 200 && picture.data[at + 1] > 90 && picture.data[at + 1] < 160 && picture.data[at + 2] < 100);
      }
      assert.ok(orange > 3000, `${file}: ${orange} pixels of Kit`);
    }
  }
});
