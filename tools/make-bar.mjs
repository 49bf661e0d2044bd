// Makes the smallest rig with everything in it: assets/bar/bar.rig2d.json, bar.png and bar.anim.json. Its numbers are chosen so
// that a bend can be worked out by hand; tests/unit/test_bar.c does.
// Usage: node tools/make-bar.mjs [--check]      --check compares with the files that are there and changes nothing
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PNG } from 'pngjs';
import { format, guidOf } from './document.mjs';

const WIDTH = 64;
const HEIGHT = 256;
const COLUMNS = 2;
const ROWS = 8;

/** Bones from the bottom up, each at the end of the one before: rig space has its origin in the middle and +y down. */
const BONES = [
  { name: 'base', parent: -1, x: 0, y: 128, rot: 0 },
  { name: 'mid', parent: 0, x: 0, y: -128, rot: 0 },
  { name: 'tip', parent: 1, x: 0, y: -128, rot: 0 },
];

/** Weights of base, mid and tip by row of vertices, from the top: all are exact in binary. */
const ROW_WEIGHTS = [
  [0, 0, 1],
  [0, 0.5, 0.5],
  [0, 0.75, 0.25],
  [0.25, 0.625, 0.125],
  [0.5, 0.5, 0],
  [0.75, 0.25, 0],
  [1, 0, 0],
  [1, 0, 0],
  [1, 0, 0],
];

/** Colors of the stripes from the top, 32 pixels high; the left half is darker, so that a mirrored picture shows. */
const STRIPES = [0xe6483d, 0xf2953b, 0xf4d03f, 0x58b368, 0x2fa4a9, 0x3f7fd6, 0x7a5bd0, 0xd05ba3];

function makePicture() {
  const picture = new PNG({ width: WIDTH, height: HEIGHT });
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const color = STRIPES[Math.floor(y / (HEIGHT / STRIPES.length))];
      const at = (y * WIDTH + x) * 4;
      for (let channel = 0; channel < 3; channel++) {
        const value = (color >> (16 - channel * 8)) & 0xff;
        picture.data[at + channel] = x < WIDTH / 2 ? Math.floor(value / 2) : value;
      }
      picture.data[at + 3] = 255;
    }
  }
  return picture;
}

/** @param {string} sprite */
function makeRig(sprite) {
  const verts = [];
  const uvs = [];
  const tris = [];
  const skinIndices = [];
  const skinWeights = [];
  for (let row = 0; row <= ROWS; row++) {
    for (let column = 0; column <= COLUMNS; column++) {
      const u = column / COLUMNS;
      const v = row / ROWS;
      verts.push([(u - 0.5) * WIDTH, (v - 0.5) * HEIGHT]);
      uvs.push([u, v]);
      skinIndices.push(0, 1, 2, 0);
      skinWeights.push(...ROW_WEIGHTS[row], 0);
      if (row < ROWS && column < COLUMNS) {
        const a = row * (COLUMNS + 1) + column;
        const d = a + COLUMNS + 1;
        tris.push(a, d, a + 1, a + 1, d, d + 1);
      }
    }
  }
  const assets = { [sprite]: 'bar.png', [clipId]: 'bar.anim.json' };
  return { id: guidOf('assets/bar/bar.rig2d.json'), version: 1, sprite, bones: BONES, mesh: { verts, uvs, tris }, skinIndices, skinWeights, assets };
}

const clipId = guidOf('assets/bar/bar.anim.json');

/** A sway to both sides; the tip follows later than the middle. */
function makeClip() {
  const swing = { path: 'base/mid', times: [0, 0.5, 1, 1.5, 2], values: [0, 0.35, 0, -0.35, 0] };
  const follow = { path: 'base/mid/tip', times: [0, 0.25, 0.75, 1.25, 1.75, 2], values: [-0.2, 0, 0.4, 0, -0.4, -0.2] };
  const tracks = [swing, follow].map(({ path, times, values }) => ({
    path,
    trait: 'Transform',
    field: 'rz',
    type: 'number',
    keys: times.map((t, i) => {
      // Around the loop: the slope at both ends is that of the whole period.
      const last = times.length - 1;
      const before = i === 0 ? times[last - 1] - times[last] : times[i - 1];
      const after = i === last ? times[last] + times[1] : times[i + 1];
      const slope = (values[i === last ? 1 : i + 1] - values[i === 0 ? last - 1 : i - 1]) / (after - before);
      return { t, v: values[i], inTangent: slope, outTangent: slope, tangentMode: 'free' };
    }),
  }));
  return { id: clipId, name: 'sway', duration: 2, frameRate: 60, loop: true, tracks };
}

const folder = new URL('../assets/bar/', import.meta.url);
const check = process.argv.includes('--check');
let stale = false;

/**
 * @param {string} name
 * @param {string | Buffer} content
 * @param {(old: Buffer) => boolean} isSame
 */
function put(name, content, isSame) {
  const file = new URL(name, folder);
  if (existsSync(file) && isSame(readFileSync(file))) {
    return;
  }
  if (check) {
    console.error(`${fileURLToPath(file)} is not what tools/make-bar.mjs makes`);
    stale = true;
    return;
  }
  writeFileSync(file, content);
  console.log(`wrote ${fileURLToPath(file)}`);
}

mkdirSync(folder, { recursive: true });
const picture = makePicture();
// Two zlibs may pack the same pixels differently, and the sprite's name hangs on the file's bytes: equal pixels keep the file.
put('bar.png', PNG.sync.write(picture), (old) => PNG.sync.read(old).data.equals(picture.data));
const sprite = existsSync(new URL('bar.png', folder)) ? guidOf(readFileSync(new URL('bar.png', folder))) : '';
for (const [name, value] of /** @type {const} */ ([['bar.rig2d.json', makeRig(sprite)], ['bar.anim.json', makeClip()]])) {
  const text = `${format(value)}\n`;
  put(name, text, (old) => old.toString() === text);
}
process.exitCode = stale ? 1 : 0;
