// The command line, run as a user runs it.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { PNG } from 'pngjs';
import { asset, golden, near, positionTolerance, precise, readAsset, root } from './support.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'marrow-cli-'));
after(() => rmSync(folder, { recursive: true }));
const at = (/** @type {string} */ name) => path.join(folder, name);

/** @param {string[]} words */
function marrow(...words) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(root, 'wasm-api/js/cli.js'), ...words], { encoding: 'utf8', cwd: folder });
  return { status, stdout, stderr, json: () => JSON.parse(stdout) };
}

/** @param {string[]} words */
function good(...words) {
  const run = marrow(...words);
  assert.equal(run.status, 0, `marrow ${words.join(' ')}\n${run.stdout}${run.stderr}`);
  return run;
}

/** @param {number} status @param {RegExp} message @param {string[]} words */
function fails(status, message, ...words) {
  const run = marrow(...words);
  assert.equal(run.status, status, `marrow ${words.join(' ')}\n${run.stdout}${run.stderr}`);
  assert.match(run.stderr, message);
  assert.doesNotMatch(run.stderr, /\n\s+at /, 'no stack');
  const asJson = marrow(...words, '--json');
  assert.equal(asJson.status, status);
  assert.match(asJson.json().error.message, message);
  return asJson.json().error;
}

/** @param {string} file */
function readPng(file) {
  return PNG.sync.read(readFileSync(at(file)));
}

const bar = asset('bar/bar.rig2d.json');
const sway = asset('bar/bar.anim.json');
const commands = ['info', 'check', 'pose', 'rig', 'render', 'convert', 'compile', 'bench'];

test('help needs no manual', () => {
  const { stdout } = good('--help');
  commands.forEach((name) => assert.match(stdout, new RegExp(`^  ${name} `, 'm')));
  assert.equal(marrow().status, 2);
  assert.equal(marrow().stdout, stdout);
  for (const name of commands) {
    const text = good(name, '--help').stdout;
    assert.match(text, new RegExp(`usage: marrow ${name}`));
    assert.match(text, /--json/);
    assert.equal(good('help', name).stdout, text);
  }
  assert.equal(good('--version').stdout.trim(), JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).version);
});

test('wrong use is exit code 2, with a sentence', () => {
  fails(2, /no command "dance"/, 'dance');
  fails(2, /--colour/, 'info', bar, '--colour');
  fails(2, /takes at least 1 file/, 'info');
  fails(2, /takes a number/, 'pose', bar, sway, '--time', 'noon');
  fails(2, /-o OUT is missing/, 'rig', asset('bar/bar.png'));
  fails(2, /2 to 6/, 'rig', asset('bar/bar.png'), '-o', 'x.rig2d.json', '--bones', '99');
  fails(2, /two numbers/, 'render', bar, '--size', 'big', '-o', 'x.png');
  writeFileSync(at('plain.rig2d.json'), '{"bones":[{"name":"root"}]}');
  fails(2, /there is no clip/, 'pose', 'plain.rig2d.json', '--clip', 'sway');
});

test('what comes later says so, with exit code 2', () => {
  writeFileSync(at('a.glb'), '');
  writeFileSync(at('a.gltf'), '{}');
  writeFileSync(at('crate.character.json'), '{"atlas":"a.png","rig":{"bones":[]}}');
  writeFileSync(at('crate.json'), '{"atlas":"a.png","rig":{"bones":[]}}');
  for (const file of ['a.glb', 'a.gltf', 'crate.character.json', 'crate.json']) {
    for (const command of ['info', 'check', 'pose']) {
      fails(2, /does not read yet/, command, file);
    }
  }
  fails(2, /later version/, 'rig', asset('bar/bar.png'), '-o', 'x.rig2d.json', '--method', 'contour');
  fails(2, /later version/, 'rig', asset('bar/bar.png'), '-o', 'x.rig2d.json', '--softness', '1');
  fails(2, /later version/, 'compile', 'a.surface.json', '-o', 'x.png');
  fails(2, /later version/, 'render', bar, '--yaw', '30', '-o', 'x.png');
  fails(2, /later version/, 'convert', bar, '-o', 'x.glb');
});

test('bad input is exit code 1, with its place', () => {
  fails(1, /cannot read nothing\.rig2d\.json/, 'info', 'nothing.rig2d.json');
  writeFileSync(at('bad.rig2d.json'), '{\n  "bones": [,]\n}');
  const error = fails(1, /line 2, column 13/, 'info', 'bad.rig2d.json');
  assert.deepEqual([error.code, error.line, error.column], ['BAD_JSON', 2, 13]);
  writeFileSync(at('empty.png'), '');
  fails(1, /empty\.png/, 'rig', 'empty.png', '-o', 'x.rig2d.json');
  assert.equal(existsSync(at('x.rig2d.json')), false);
  mkdirSync(at('nothing'));
  fails(1, /holds no/, 'info', 'nothing');
  writeFileSync(at('pose.json'), '{"bones":{"nobody":{"rot":1}}}');
  fails(1, /no bone of that name/, 'pose', bar, '--pose', 'pose.json');
  writeFileSync(at('pose.json'), '{"bones":{"mid":{"angle":1}}}');
  fails(1, /\$\.bones\["mid"\]\.angle/, 'pose', bar, '--pose', 'pose.json');
  writeFileSync(at('pose.json'), '{"bones"');
  fails(1, /pose\.json/, 'pose', bar, '--pose', 'pose.json');
  fails(1, /no clip "run"/, 'pose', bar, '--clip', 'run');
  fails(1, /by-hand\.json: \$\.bones\["nobody"\]/, 'pose', bar, '--pose', pose({ bones: { nobody: {} } }));
  fails(1, /by-hand\.json: \$\.bone: expected bones or deform/, 'pose', bar, '--pose', pose({ bone: {} }));
  writeFileSync(at('marked.json'), '\ufeff{"bones":{"mid":{"rot":1}}}');
  good('pose', bar, '--pose', 'marked.json');
  fails(2, /--time takes a number/, 'pose', bar, sway, '--time', '1e308');
  assert.match(good('info', asset('kit')).stdout, /kit\.png[^]*walk\.anim\.json/);
  writeFileSync(at('loud.rig2d.json'), JSON.stringify({ version: 2, bones: [{ name: 'a\u001b[31m\u0007', parent: -1, x: 0, y: 0, rot: 0 }], parts: [] }));
  assert.match(good('info', 'loud.rig2d.json').stdout, /a\\u001b\[31m\\u0007/);
  fails(1, /no part "cape"/, 'pose', bar, '--pose', pose({ deform: { cape: [1] } }));
});

/** @param {object} value @returns {string} file */
function pose(value) {
  writeFileSync(at('by-hand.json'), JSON.stringify(value));
  return 'by-hand.json';
}

test('info tells what a rig holds and depends on', () => {
  const { stdout } = good('info', bar);
  for (const text of [/3 bones, 1 root/, /27 vertices/, /32 triangles/, /bar\.png/, /sway/]) {
    assert.match(stdout, text);
  }
  const data = good('info', bar, '--json').json();
  assert.deepEqual(data.bones.map((/** @type {any} */ bone) => bone.name), ['base', 'mid', 'tip']);
  assert.equal(data.format, 'rig2d');
  assert.deepEqual(data.dependencies.map((/** @type {any} */ each) => [each.found, path.basename(each.file)]), [[true, 'bar.png'], [true, 'bar.anim.json']]);
  assert.deepEqual(good('info', asset('bar'), '--json').json().clips.map((/** @type {any} */ clip) => clip.name), ['sway'], 'a folder');
  writeFileSync(at('lost.rig2d.json'), JSON.stringify({ ...JSON.parse(readAsset('bar/bar.rig2d.json')), assets: {} }));
  assert.equal(good('info', 'lost.rig2d.json', '--json').json().dependencies[0].found, false);
  assert.match(good('info', 'lost.rig2d.json').stdout, /not found/);
  // A picture under another name is known by its bytes.
  copyFileSync(asset('bar/bar.png'), at('other-name.png'));
  assert.match(good('info', 'lost.rig2d.json', '--json').json().dependencies[0].file, /other-name\.png$/);
  rmSync(at('other-name.png'));
});

test('check reports repairs, strict refuses them, fix mends them', () => {
  good('check', '--strict', bar, sway);
  assert.deepEqual(good('check', bar, sway, '--strict', '--json').json().ok, true);
  writeFileSync(at('odd.rig2d.json'), JSON.stringify({ ...JSON.parse(readAsset('bar/bar.rig2d.json')), assets: undefined, sprite: '', skinIndices: [9], 'my own': { kept: [1] } }));
  const report = good('check', 'odd.rig2d.json', '--json').json();
  assert.ok(report.files[0].warnings.some((/** @type {any} */ warning) => warning.path === '$.skinIndices[0]'), JSON.stringify(report));
  assert.equal(marrow('check', 'odd.rig2d.json', '--strict').status, 1);
  assert.match(good('check', 'odd.rig2d.json').stdout, /odd\.rig2d\.json: warning \w+: \$\.skinIndices/);
  good('check', 'odd.rig2d.json', '--fix', 'mended.rig2d.json');
  assert.deepEqual(JSON.parse(readFileSync(at('mended.rig2d.json'), 'utf8'))['my own'], { kept: [1] });
  writeFileSync(at('stray.anim.json'), JSON.stringify({ ...JSON.parse(readAsset('bar/bar.anim.json')), tracks: [{ path: 'nobody', trait: 'Transform', field: 'rz', keys: [{ t: 0, v: 1 }] }] }));
  const stray = good('check', bar, 'stray.anim.json', '--json').json();
  assert.ok(stray.files[1].warnings.length > 0, 'a track that drives nothing');
  const broken = marrow('check', bar, 'bad.rig2d.json', '--json');
  assert.equal(broken.status, 1);
  assert.deepEqual(broken.json().files.map((/** @type {any} */ file) => file.errors.length), [0, 1]);
  writeFileSync(at('lost2.rig2d.json'), JSON.stringify({ ...JSON.parse(readAsset('bar/bar.rig2d.json')), assets: { '90e2bbac-b916-86fc-8134-bee4e6eb5936': 'gone.png' } }));
  assert.equal(marrow('check', 'lost2.rig2d.json', '--strict').status, 1, 'a file that is not there');
});

test('what fix writes is right under strict, but for what has no one right repair', () => {
  const mesh = { verts: [[0, 0], [9, 0], [0, 9]], uvs: [[0, 0], [1, 0], [0, 1]], tris: [0, 1, 2] };
  const bones = [[1, 'a'], [0, 'b'], [7, 'c']].map(([parent, name]) => ({ name, parent, x: 0, y: 0, rot: 0 }));
  // Vertex 0 has 2 in all, vertex 1 nothing, vertex 2 is not there.
  const part = { name: 'p', sprite: '', mesh, skinIndices: [0, 1, 0, 0, 1, 0, 0, 0], skinWeights: [0.5, 1.5, 0, 0, 0, 0, 0, 0] };
  writeFileSync(at('sick.rig2d.json'), JSON.stringify({ version: 2, bones, parts: [part], mine: 1 }));
  assert.equal(marrow('check', '--strict', 'sick.rig2d.json').status, 1);
  const { stderr } = good('check', '--strict', 'sick.rig2d.json', '--fix', 'well.rig2d.json');
  assert.match(stderr, /wrote well\.rig2d\.json/);
  good('check', '--strict', 'well.rig2d.json');
  const well = JSON.parse(readFileSync(at('well.rig2d.json'), 'utf8'));
  assert.deepEqual(well.parts[0].skinWeights, [0.25, 0.75, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
  assert.equal(well.mine, 1);
  const show = (/** @type {string} */ file) => good('pose', file, '--json').json();
  assert.deepEqual(show('well.rig2d.json'), show('sick.rig2d.json'), 'the reader repairs in the same way');

  writeFileSync(at('twins.rig2d.json'), JSON.stringify({ version: 2, bones: [{ name: 'a', parent: -1, x: 0, y: 0, rot: 0 }, { name: 'a', parent: 0, x: 0, y: 0, rot: 0 }], parts: [] }));
  const kept = marrow('check', '--strict', 'twins.rig2d.json', '--fix', 'twins2.rig2d.json');
  assert.equal(kept.status, 1);
  assert.match(kept.stdout, /twins2\.rig2d\.json: error DUPLICATE: \$\.bones\[1\]\.name/);
  assert.match(kept.stderr, /1 error, 0 warnings/);
  assert.deepEqual(marrow('check', '--strict', 'twins.rig2d.json', '--fix', 'twins2.rig2d.json', '--json').json().fixed.warnings.length, 1);
  good('check', 'twins.rig2d.json', '--fix', 'twins2.rig2d.json');
  assert.match(marrow('check', '--strict', 'twins.rig2d.json').stderr, /1 error, 0 warnings/);
});

test('pose prints the file\'s own order, and agrees with the reference', () => {
  const { rig, cases, invBind } = golden('lbs-s03');
  writeFileSync(at('lbs.rig2d.json'), JSON.stringify(rig));
  for (const { bones, deform, expected } of cases) {
    const byName = Object.fromEntries(rig.bones.map((/** @type {any} */ bone, /** @type {number} */ index) => {
      const values = bones[index];
      return [bone.name, values === null ? null : { x: values[0], y: values[1], rot: values[2], sx: values[3], sy: values[4] }];
    }));
    const result = good('pose', 'lbs.rig2d.json', '--pose', pose({ bones: byName, deform }), '--json').json();
    assert.deepEqual(result.bones.map((/** @type {any} */ bone) => [bone.name, bone.index]), rig.bones.map((/** @type {any} */ bone, /** @type {number} */ index) => [bone.name, index]));
    assert.deepEqual(result.bones.map((/** @type {any} */ bone) => bone.matrix === null), bones.map((/** @type {any} */ bone) => bone === null));
    assert.deepEqual(result.parts.map((/** @type {any} */ part) => part.name), rig.parts.map((/** @type {any} */ part) => part.name), 'parts in file order');
    for (const part of result.parts) {
      const { positions } = expected.find((/** @type {any} */ each) => each.name === part.name);
      near(part.positions, positions, positionTolerance(positions), part.name);
    }
  }
  assert.equal(invBind.length, rig.bones.length);
});

test('pose shows a clip at a time, with a pose by hand over it', () => {
  const atKey = good('pose', bar, sway, '--time', '0.5', '--json').json();
  near(atKey.bones[1].matrix, [Math.cos(0.35), Math.sin(0.35), -Math.sin(0.35), Math.cos(0.35), 0, 0], precise, 'mid');
  assert.deepEqual(good('pose', bar, '--clip', '0', '--time', '0.5', '--json').json(), atKey, 'the clip that the rig names');
  const over = good('pose', bar, sway, '--time', '0.5', '--pose', pose({ bones: { mid: { rot: 0 }, tip: null } }), '-o', 'out.json', '--json');
  near(over.json().bones[1].matrix, [1, 0, 0, 1, 0, 0], 1e-6, 'mid by hand');
  assert.equal(over.json().bones[2].matrix, null);
  assert.deepEqual(JSON.parse(readFileSync(at('out.json'), 'utf8')), over.json());
  assert.match(good('pose', bar).stdout, /mid .* 0 /);
});

test('a picture becomes a rig that passes check --strict', () => {
  mkdirSync(at('art'));
  copyFileSync(asset('bar/bar.png'), at('art/stick.png'));
  const result = good('rig', 'art/stick.png', '-o', 'rigs/stick.rig2d.json', '--preview', 'preview.png', '--json').json();
  assert.equal(result.method, 'grid');
  const rig = JSON.parse(readFileSync(at('rigs/stick.rig2d.json'), 'utf8'));
  assert.deepEqual(rig.assets, { [rig.sprite]: `${rig.sprite}.png` }, 'copied, since no path of a rig leaves its folder');
  assert.deepEqual(readFileSync(at(`rigs/${rig.sprite}.png`)), readFileSync(at('art/stick.png')));
  assert.match(rig.sprite, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  good('check', '--strict', 'rigs/stick.rig2d.json');
  assert.match(good('rig', 'art/stick.png', '-o', 'again.rig2d.json', '--bones', '4', '--cols', '2', '--rows', '5').stderr, /grid; contour comes with a later version/);
  const again = JSON.parse(readFileSync(at('again.rig2d.json'), 'utf8'));
  assert.deepEqual(again.assets, { [rig.sprite]: 'art/stick.png' }, 'what lies below the rig stays where it is');
  assert.equal(again.bones.length, 4);
  assert.equal(again.mesh.verts.length, 3 * 6);
  const preview = readPng('preview.png');
  assert.deepEqual([preview.width, preview.height], [68, 260]);
  const clear = new PNG({ width: 8, height: 8 });
  writeFileSync(at('clear.png'), PNG.sync.write(clear));
  fails(1, /every pixel is transparent/, 'rig', 'clear.png', '-o', 'x.rig2d.json');
  const dot = new PNG({ width: 64, height: 64, fill: true });
  dot.data[(31 * 64 + 31) * 4 + 3] = 255;
  writeFileSync(at('dot.png'), PNG.sync.write(dot));
  fails(1, /no cell that covers a pixel/, 'rig', 'dot.png', '-o', 'none.rig2d.json', '--cell', '1e9');
  assert.ok(!existsSync(at('none.rig2d.json')));
});

test('several pictures become the layers of one rig', () => {
  const layer = (/** @type {string} */ name, /** @type {number} */ left) => {
    const image = new PNG({ width: 64, height: 64 });
    for (let y = 0; y < 64; y += 1) {
      image.data.fill(255, (y * 64 + left) * 4, (y * 64 + left + 16) * 4);
    }
    writeFileSync(at(name), PNG.sync.write(image));
  };
  layer('back.png', 0);
  layer('front.png', 48);
  good('rig', 'back.png', 'front.png', '-o', 'layers.rig2d.json', '--cell', '16');
  good('check', '--strict', 'layers.rig2d.json');
  const { parts } = good('info', 'layers.rig2d.json', '--json').json();
  assert.deepEqual(parts.map((/** @type {any} */ part) => part.name), ['back', 'front']);
  good('render', 'layers.rig2d.json', '-o', 'layers.png');
  const drawn = readPng('layers.png');
  assert.equal(drawn.data[(32 * drawn.width + 8) * 4 + 3], 255);
  assert.equal(drawn.data[(32 * drawn.width + 34) * 4 + 3], 0);
  fails(1, /must have the same size/, 'rig', 'back.png', asset('bar/bar.png'), '-o', 'x.rig2d.json');
});

const lost = 'aaaaaaaa-0000-8000-8000-000000000001';
const away = 'bbbbbbbb-0000-8000-8000-000000000002';

test('a clip of the rig\'s table that is not there is a warning, until it is asked for', () => {
  const rig = JSON.parse(readAsset('bar/bar.rig2d.json'));
  const [picture, clip] = Object.entries(rig.assets);
  copyFileSync(asset('bar/bar.png'), at('bar.png'));
  copyFileSync(sway, at('bar.anim.json'));
  writeFileSync(at('half.rig2d.json'), JSON.stringify({ ...rig, assets: Object.fromEntries([picture, [lost, 'gone.anim.json'], clip]) }));
  for (const words of [['info'], ['pose'], ['render', '-o', 'half.png'], ['pose', '--clip', 'sway'], ['pose', '--clip', '1', '--time', '0.5']]) {
    assert.match(good(words[0], 'half.rig2d.json', ...words.slice(1)).stderr, /warning: .*gone\.anim\.json.*ENOENT/);
  }
  const { warnings, clips } = good('info', 'half.rig2d.json', '--json').json();
  assert.deepEqual(warnings.map((/** @type {any} */ each) => [each.code, each.path]), [['FETCH', `$.assets["${lost}"]`]]);
  assert.deepEqual(clips.map((/** @type {any} */ each) => each.name), ['sway']);
  assert.deepEqual(good('pose', 'half.rig2d.json', '--clip', '1', '--time', '0.5', '--json').json(), good('pose', bar, sway, '--time', '0.5', '--json').json());
  // The first clip is the one that is not there.
  fails(1, /gone\.anim\.json/, 'pose', 'half.rig2d.json', '--clip', '0');
  fails(1, /gone\.anim\.json/, 'pose', 'half.rig2d.json', '--time', '1');
  fails(1, /gone\.anim\.json/, 'render', 'half.rig2d.json', '--gif', '-o', 'half.gif');
  fails(1, /no clip "run".*gone\.anim\.json/, 'pose', 'half.rig2d.json', '--clip', 'run');
  fails(1, /cannot read .*gone\.anim\.json/, 'pose', 'half.rig2d.json', 'gone.anim.json');
  assert.equal(marrow('check', '--strict', 'half.rig2d.json').status, 1);
  writeFileSync(at('gone.anim.json'), '{"tracks":[');
  assert.match(good('info', 'half.rig2d.json').stderr, /gone\.anim\.json is left out: .*line 1/);
  rmSync(at('gone.anim.json'));
});

test('paths that leave the rig\'s folder are warnings, and are not followed', () => {
  mkdirSync(at('inner'));
  const rig = JSON.parse(readAsset('bar/bar.rig2d.json'));
  const [[picture]] = Object.entries(rig.assets);
  const place = `$.assets["${away}"]`;
  for (const file of ['../bar.png', '../../../etc/passwd', at('bar.png'), 'C:\\bar.png', 'https://example.org/bar.png', '..%2f..%2fx/../../y', '.%2e/bar.png']) {
    writeFileSync(at('inner/far.rig2d.json'), JSON.stringify({ ...rig, assets: { [away]: file } }));
    const { files } = good('check', 'inner/far.rig2d.json', '--json').json();
    assert.deepEqual(files[0].warnings.map((/** @type {any} */ each) => [each.code, each.path]), [['BAD_REFERENCE', place]], file);
    assert.equal(marrow('check', '--strict', 'inner/far.rig2d.json').status, 1, file);
  }
  writeFileSync(at('inner/far.rig2d.json'), JSON.stringify({ ...rig, assets: { [picture]: '../bar.png', [away]: '../bar.anim.json' } }));
  assert.match(good('render', 'inner/far.rig2d.json', '-o', 'far.png').stderr, /no picture for sprite/);
  fails(1, /bar\.anim\.json is not in the rig's folder/, 'pose', 'inner/far.rig2d.json', '--clip', '0');
});

test('a picture that cannot be decoded is left out', () => {
  mkdirSync(at('spoilt'));
  copyFileSync(bar, at('spoilt/bar.rig2d.json'));
  copyFileSync(sway, at('spoilt/bar.anim.json'));
  writeFileSync(at('spoilt/bar.png'), readFileSync(asset('bar/bar.png')).subarray(0, 60));
  mkdirSync(at('spoilt/folder.png'));
  assert.equal(good('info', 'spoilt/bar.rig2d.json', '--json').json().dependencies[0].found, false);
  assert.match(good('render', 'spoilt/bar.rig2d.json', '-o', 'white.png').stderr, /no picture for sprite/);
});

test('a rig is no clip, and a clip no rig', () => {
  fails(1, /bar\.rig2d\.json: \$: a rig .* where a clip/, 'pose', bar, bar);
  fails(1, /bar\.anim\.json: \$: a clip .* where a rig/, 'pose', sway);
  fails(1, /bar\.anim\.json: \$: a clip .* where a rig/, 'info', sway);
  fails(1, /a rig .* where a clip/, 'render', bar, bar, '-o', 'x.png');
});

test('nothing that is read is written over', () => {
  mkdirSync(at('own'));
  for (const name of ['bar.png', 'bar.rig2d.json', 'bar.anim.json']) {
    copyFileSync(asset(`bar/${name}`), at(`own/${name}`));
  }
  fails(2, /must end in \.rig2d\.json/, 'rig', 'own/bar.png', '-o', './own/bar.png');
  fails(2, /is read/, 'rig', 'own/bar.png', '-o', 'own/new.rig2d.json', '--preview', 'own/bar.png');
  fails(2, /must end in \.png/, 'render', 'own', '-o', 'own/bar.rig2d.json');
  fails(2, /is read/, 'render', 'own/bar.rig2d.json', '-o', 'own/bar.png');
  fails(2, /is read/, 'pose', 'own/bar.rig2d.json', 'own/bar.anim.json', '-o', 'own/bar.anim.json');
  for (const name of ['bar.png', 'bar.rig2d.json', 'bar.anim.json']) {
    assert.deepEqual(readFileSync(at(`own/${name}`)), readFileSync(asset(`bar/${name}`)), name);
  }
  // Canonical form in place is what `convert` is for.
  good('convert', 'own/bar.rig2d.json', '-o', 'own/bar.rig2d.json');
});

test('results that cannot be written say so', () => {
  mkdirSync(at('taken/taken.png'), { recursive: true });
  mkdirSync(at('taken/taken.json'), { recursive: true });
  fails(1, /cannot write taken.taken\.png \(EISDIR\)/, 'render', bar, '-o', 'taken/taken.png');
  fails(1, /cannot write taken.taken\.json \(EISDIR\)/, 'pose', bar, '-o', 'taken/taken.json');
  fails(1, /cannot write bar\.png.x\.png/, 'render', bar, '-o', 'bar.png/x.png');
  fails(1, /cannot write bar\.png[\\/]x\.rig2d\.json \((ENOTDIR|EEXIST)\)/, 'convert', bar, '-o', 'bar.png/x.rig2d.json');
  assert.equal(fails(1, /cannot write/, 'convert', bar, '-o', 'bar.png/x.rig2d.json').code, 'WRITE');
  good('pose', bar, '-o', 'new/folder/pose.json');
});

test('a name that says something else than the file holds is wrong use', () => {
  mkdirSync(at('copied'));
  copyFileSync(asset('bar/bar.png'), at('copied/bar.png'));
  for (const [message, ...words] of /** @type {[RegExp, ...string[]][]} */ ([
    [/x\.jpg: the name must end in \.png/, 'render', bar, '-o', 'x.jpg'], [/x\.png: the name must end in \.gif/, 'render', bar, '--gif', '-o', 'x.png'],
    [/must end in \.png/, 'render', bar, '-o', 'x.gif'], [/must end in \.json/, 'pose', bar, '-o', 'x.txt'],
    [/must end in \.rig2d\.json/, 'rig', 'copied/bar.png', '-o', 'x.json'], [/must end in \.png/, 'rig', 'copied/bar.png', '-o', 'x.rig2d.json', '--preview', 'x.jpg'],
    [/must end in \.rig2d\.json/, 'check', bar, '--fix', 'x.anim.json'], [/must end in \.anim\.json/, 'check', sway, '--fix', 'x.json'],
  ])) {
    fails(2, message, ...words);
  }
  ['x.jpg', 'x.png', 'x.gif', 'x.txt', 'x.json', 'x.anim.json', 'x.rig2d.json'].forEach((name) => assert.ok(!existsSync(at(name)), name));
  good('render', bar, '-o', 'LOUD.PNG');
  fails(2, /the name of a file is empty/, 'info', '');
});

test('-o - writes the result alone to standard output', () => {
  const bytes = (/** @type {string[]} */ ...words) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(root, 'wasm-api/js/cli.js'), ...words, '-o', '-'], { cwd: folder });
    assert.equal(status, 0, String(stderr));
    return stdout;
  };
  for (const [name, ...words] of [['piped.png', 'render', bar], ['piped.gif', 'render', bar, '--gif', '--size', '32'], ['piped.json', 'pose', bar, '--clip', 'sway'],
    ['piped.rig2d.json', 'rig', 'copied/bar.png'], ['piped.rig2d.json', 'convert', bar], ['piped.anim.json', 'convert', sway]]) {
    good(...words, '-o', name);
    assert.deepEqual(bytes(...words), readFileSync(at(name)), words.join(' '));
  }
  const both = marrow('pose', bar, '-o', '-', '--json');
  assert.equal(both.status, 2);
  assert.match(both.json().error.message, /both write to standard output/);
  assert.ok(!existsSync(at('-')));
});

test('numbers that lead nowhere are wrong use', () => {
  for (const time of ['nan', 'Infinity', '1e400', '']) {
    fails(2, /--time takes a number/, 'pose', bar, sway, '--time', time);
  }
  fails(2, /--size takes/, 'render', bar, '-o', 'x.png', '--size', '0');
  fails(2, /--size takes/, 'render', bar, '-o', 'x.png', '--size', '0x10');
  fails(2, /more than 64000000/, 'render', bar, '-o', 'x.png', '--size', '16384x16384');
  fails(2, /--size needs a value; .*--size=-VALUE/, 'render', bar, '-o', 'x.png', '--size', '-5');
  fails(2, /more than 1000/, 'render', bar, '-o', 'x.png', '--sheet', '300x300');
  fails(2, /more than 16384 on a side/, 'render', bar, '-o', 'x.png', '--sheet', '20x1', '--size', '1000x1000');
  fails(1, /no clip 7, this model has 1/, 'pose', bar, '--clip', '7');
  fails(2, /a command comes first/, '--strict');
});

test('what overflows is clamped, and JSON stays numbers', () => {
  const huge = { x: 3e38, y: -3e38, sx: 1e30, sy: -1e30 };
  writeFileSync(at('wild.rig2d.json'), readAsset('bar/bar.rig2d.json').replace('[-32,-128]', '[-3e38,3e38]'));
  const byHand = pose({ bones: { base: huge, mid: huge, tip: huge }, deform: { main: [3e38, 3e38] } });
  const { bones, parts } = good('pose', 'wild.rig2d.json', '--pose', byHand, '--json').json();
  for (const value of [...bones.flatMap((/** @type {any} */ bone) => bone.matrix), ...parts[0].positions]) {
    assert.ok(Number.isFinite(value), String(value));
  }
  good('render', 'wild.rig2d.json', '--pose', byHand, '--size', '64', '-o', 'wild.png');
  const { bounds, warnings } = good('info', 'wild.rig2d.json', '--json').json();
  assert.deepEqual([bounds.minX, bounds.maxY], [-1e9, 1e9]);
  assert.equal(warnings.length, 2);
});

test('names may hold anything', () => {
  const name = 'ünï #1 50%?.png';
  mkdirSync(at('odd'));
  copyFileSync(asset('bar/bar.png'), at(`odd/${name}`));
  good('rig', `odd/${name}`, '-o', 'odd/ü %20.rig2d.json');
  assert.deepEqual(Object.values(JSON.parse(readFileSync(at('odd/ü %20.rig2d.json'), 'utf8')).assets), [name]);
  good('check', '--strict', 'odd/ü %20.rig2d.json');
  const { dependencies } = good('info', 'odd/ü %20.rig2d.json', '--json').json();
  assert.deepEqual([dependencies[0].found, path.basename(dependencies[0].file)], [true, name]);
  good('render', 'odd/ü %20.rig2d.json', '-o', 'odd/#?.png');
  assert.ok(existsSync(at('odd/#?.png')));
});

test('what is no rig, picture or pose is told apart in one line', () => {
  writeFileSync(at('noise.bin'), Buffer.from([0x89, 0x50, 0x0a, 0xff, 0x00, 0x1b, 0x5b]));
  writeFileSync(at('void'), '');
  for (const file of ['noise.bin', 'void', 'taken']) {
    for (const words of [['info', file], ['pose', file], ['render', file, '-o', 'x.png'], ['rig', file, '-o', 'x.rig2d.json'], ['pose', bar, file], ['pose', bar, '--pose', file]]) {
      assert.match(fails(1, new RegExp(file), ...words).message, /^[ -~]+$/, words.join(' '));
    }
  }
  // A header that announces 2^31 - 1 pixels a side.
  const header = Buffer.from('89504e470d0a1a0a0000000d494844527fffffff7fffffff08060000000000000000000049454e44ae426082', 'hex');
  header.writeUInt32BE(crc32(header.subarray(12, 29)), 29);
  writeFileSync(at('huge.png'), header);
  assert.equal(fails(1, /huge\.png/, 'rig', 'huge.png', '-o', 'x.rig2d.json').code, 'LIMIT');
});

test('who reads the output may stop early', async () => {
  const child = spawn(process.execPath, [path.join(root, 'wasm-api/js/cli.js'), 'pose', asset('kit/kit.rig2d.json'), '--json'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  let told = '';
  child.stderr.on('data', (text) => { told += text; });
  const [status] = await once(child, 'close');
  assert.deepEqual([status, told], [0, '']);
});

test('a full disk is told in one line', { skip: existsSync('/dev/full') ? false : 'this system has no /dev/full' }, () => {
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [path.join(root, 'wasm-api/js/cli.js'), 'info', bar], { stdio: ['ignore', full, 'pipe'], encoding: 'utf8' });
  closeSync(full);
  assert.deepEqual([status, stderr], [1, 'marrow: cannot write to standard output (ENOSPC)\n']);
});

test('render draws the picture itself at bind', () => {
  good('render', bar, '-o', 'bar.png');
  const [drawn, source] = [readPng('bar.png'), PNG.sync.read(readFileSync(asset('bar/bar.png')))];
  assert.deepEqual([drawn.width, drawn.height], [source.width + 4, source.height + 4]);
  let worst = 0;
  for (let y = 1; y < source.height - 1; y += 1) {
    for (let x = 1; x < source.width - 1; x += 1) {
      for (let channel = 0; channel < 4; channel += 1) {
        worst = Math.max(worst, Math.abs(drawn.data[((y + 2) * drawn.width + x + 2) * 4 + channel] - source.data[(y * source.width + x) * 4 + channel]));
      }
    }
  }
  assert.ok(worst <= 1, `differs by ${worst}`);
});

test('render: size, background, sheet and GIF', () => {
  good('render', bar, '--size', '100', '-o', 'small.png');
  assert.equal(readPng('small.png').height, 100);
  good('render', bar, '--size', '80x50', '--background', '102030', '-o', 'boxed.png');
  const boxed = readPng('boxed.png');
  assert.deepEqual([boxed.width, boxed.height, ...boxed.data.subarray(0, 4)], [80, 50, 0x10, 0x20, 0x30, 255]);
  assert.deepEqual(good('render', bar, sway, '--sheet', '3x2', '--size', '40x60', '-o', 'sheet.png', '--json').json(), { output: 'sheet.png', width: 120, height: 120, frames: 6 });
  const sheet = readPng('sheet.png');
  const cell = (/** @type {number} */ column, /** @type {number} */ row) => Buffer.concat(Array.from({ length: 60 }, (_, y) => (
    sheet.data.subarray(((row * 60 + y) * 120 + column * 40) * 4, ((row * 60 + y) * 120 + column * 40 + 40) * 4))));
  assert.notDeepEqual(cell(0, 0), cell(1, 0), 'the clip moves');
  const { frames } = good('render', bar, sway, '--gif', '--size', '64', '-o', 'sway.gif', '--json').json();
  assert.equal(frames, 50);
  const gif = readFileSync(at('sway.gif'));
  assert.equal(gif.toString('latin1', 0, 6), 'GIF89a');
  assert.equal(gif.readUInt16LE(8), 64);
  fails(2, /shows a clip/, 'render', 'plain.rig2d.json', '--gif', '-o', 'x.gif');
  assert.match(good('render', 'lost.rig2d.json', '-o', 'white.png').stderr, /no picture for sprite/);
});

test('convert writes canonical files and prefabs, and says what it dropped', () => {
  good('convert', bar, '-o', 'same.rig2d.json');
  assert.deepEqual(JSON.parse(readFileSync(at('same.rig2d.json'), 'utf8')), JSON.parse(readAsset('bar/bar.rig2d.json')));
  good('convert', sway, '-o', 'same.anim.json');
  const run = good('convert', bar, '-o', 'bar.prefab.json', '--json').json();
  assert.match(run.dropped[0], /meshes/);
  const text = readFileSync(at('bar.prefab.json'), 'utf8');
  for (const word of ['SkinnedSprite2D', '09904aa7-d843-8247-8f09-5fda99be5600', 'Bone2D', '"tip"']) {
    assert.ok(text.includes(word), word);
  }
  fails(2, /can become/, 'convert', sway, '-o', 'x.rig2d.json');
});

test('bench prints this machine\'s figures', () => {
  const { results } = good('bench', '--json').json();
  assert.equal(results.length, 8);
  results.forEach((/** @type {any} */ each) => assert.ok(each.microseconds > 0 && each.microseconds < 1e5));
});

const sprites = path.join(root, '../shared/data/sprites');
if (existsSync(sprites)) {
  for (const [name, file] of [['drawing1', 'drawing1/sprite.png'], ['wizarding', 'wizarding.png']]) {
    test(`${name}: a real picture, from rig to render`, () => {
      const output = `${name}.rig2d.json`;
      good('rig', path.join(sprites, file), '-o', output);
      good('check', '--strict', output);
      const { parts } = good('pose', output, '--json').json();
      assert.ok(parts[0].positions.length > 20);
      good('render', output, '-o', `${name}.png`);
      const [drawn, source] = [readPng(`${name}.png`), PNG.sync.read(readFileSync(path.join(sprites, file)))];
      // The mesh covers every opaque pixel of the picture: as much colour comes out as went in.
      const opaque = (/** @type {PNG} */ image) => image.data.reduce((sum, value, index) => sum + (index % 4 === 3 ? value : 0), 0);
      near([opaque(drawn)], [opaque(source)], opaque(source) * 0.005, 'opaque pixels');
    });
  }
} else {
  console.log(`${sprites} is not here: the two real pictures are not tried`);
}
