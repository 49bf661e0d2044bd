// Makes the characters: from assets/<name>/<name>.svg the page <name>.png, the rig <name>.rig2d.json and its clips <clip>.anim.json.
// Usage: node tools/make-characters.mjs [--check] [NAME...]      --check compares with the files that are there and changes nothing
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { PNG } from 'pngjs';
import { banner } from './characters/banner.mjs';
import { kit } from './characters/kit.mjs';
import { koi } from './characters/koi.mjs';
import { isSamePage, packPage, partsOfPage } from './characters/page.mjs';
import { drawParts } from './characters/picture.mjs';
import { meshParts, rigDocument } from './characters/rig.mjs';
import { format, guidOf } from './document.mjs';

/**
 * @typedef {object} Character
 * @property {string} folder
 * @property {number} pageWidth
 * @property {import('./characters/skeleton.mjs').Skeleton} skeleton
 * @property {Record<string, import('./characters/rig.mjs').Skin>} skins by part, or by part and piece
 * @property {(skeleton: import('./characters/skeleton.mjs').Skeleton, parts: import('./characters/rig.mjs').RigPart[]) => import('./characters/clip.mjs').Clip[]} makeClips
 */

/** @type {Record<string, Character>} */
const characters = { kit, koi, banner };
const root = new URL('../', import.meta.url);
const check = process.argv.includes('--check');
const chosen = process.argv.slice(2).filter((argument) => argument !== '--check');
const unknown = chosen.filter((name) => !Object.hasOwn(characters, name));
let stale = false;

/**
 * @param {string} path
 * @param {string | Buffer} content
 * @param {(old: Buffer) => boolean} isSame
 */
function put(path, content, isSame) {
  const file = new URL(path, root);
  if (existsSync(file) && isSame(readFileSync(file))) {
    return;
  }
  if (check) {
    console.error(`${path} is not what tools/make-characters.mjs makes`);
    stale = true;
    return;
  }
  writeFileSync(file, content);
  console.log(`wrote ${path}`);
}

/**
 * @param {string} path
 * @param {unknown} value
 */
function putDocument(path, value) {
  const text = `${format(value)}\n`;
  put(path, text, (old) => old.toString() === text);
}

/**
 * @param {string} name
 * @param {Character} character
 */
async function make(name, { folder, pageWidth, skeleton, skins, makeClips }) {
  const { picture, parts: drawn } = packPage(await drawParts(new URL(`${folder}/${name}.svg`, root)), pageWidth);
  // Two zlibs pack the same pixels differently and two browsers draw edges differently, and the sprite's name hangs on the file's
  // bytes: a page that looks the same is kept, and the meshes are made for the page that is there.
  put(`${folder}/${name}.png`, PNG.sync.write(picture), (old) => isSamePage(PNG.sync.read(old), picture));
  const bytes = readFileSync(new URL(`${folder}/${name}.png`, root));
  const sprite = guidOf(bytes);
  const page = PNG.sync.read(bytes);
  if (page.width !== picture.width || page.height !== picture.height) {
    return;
  }
  const parts = meshParts(skeleton, skins, partsOfPage(drawn, page), page);
  const clips = makeClips(skeleton, parts);
  putDocument(`${folder}/${name}.rig2d.json`, rigDocument(folder, skeleton, parts, sprite, clips.map((clip) => clip.name)));
  for (const clip of clips) {
    const path = `${folder}/${clip.name}.anim.json`;
    putDocument(path, clip.document(path));
  }
  const verts = parts.reduce((sum, { mesh }) => sum + mesh.verts.length, 0);
  console.log(`${name}: ${skeleton.bones.length} bones, ${parts.length} parts, ${verts} vertices, page ${page.width} x ${page.height}, ${clips.length} clips`);
}

if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(' ')}\nusage: node tools/make-characters.mjs [--check] [${Object.keys(characters).join('] [')}]`);
  process.exit(2);
}
for (const [name, character] of Object.entries(characters)) {
  if (chosen.length === 0 || chosen.includes(name)) {
    await make(name, character);
  }
}
process.exitCode = stale ? 1 : 0;
