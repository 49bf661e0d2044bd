import { accessSync, constants, readFileSync, readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { decodePng, guidOf } from '../author.js';
import { MarrowError } from '../errors.js';
import { createMarrow } from '../index.js';
import { note } from './output.js';

/** @typedef {import('../index.js').Marrow} Marrow */
/** @typedef {import('../index.js').Model} Model */

const rigEnding = '.rig2d.json';
const clipEnding = '.anim.json';

/** @returns {Promise<Marrow>} */
export function core() {
  return createMarrow();
}

/**
 * The rig that FILE names, and the clips of its folder when FILE is a folder.
 * @param {string} file
 * @returns {{ rig: string, clips: string[] }}
 */
export function locate(file) {
  let stat;
  try {
    stat = statSync(file);
  } catch (cause) {
    throw unreadable(file, cause);
  }
  if (!stat.isDirectory()) {
    refuseLater(file);
    return { rig: file, clips: [] };
  }
  const names = readdirSync(file).sort();
  const rigs = names.filter((name) => name.endsWith(rigEnding));
  if (rigs.length !== 1) {
    const later = names.find((name) => isLater(name));
    if (rigs.length === 0 && later !== undefined) {
      refuseLater(path.join(file, later));
    }
    throw new MarrowError('NOT_FOUND', rigs.length === 0
      ? `${file} holds no ${rigEnding} file`
      : `${file} holds ${rigs.length} rigs: name one of ${rigs.join(', ')}`);
  }
  return { rig: path.join(file, rigs[0]), clips: names.filter((name) => name.endsWith(clipEnding)).map((name) => path.join(file, name)) };
}

/** @param {string} file */
function isLater(file) {
  return /\.(gltf|glb)$/i.test(file) || /\.character\.json$/i.test(file);
}

/**
 * Formats that a later version reads answer "not supported" and not "bad input".
 * @param {string} file
 */
function refuseLater(file) {
  const name = path.basename(file);
  if (/\.(gltf|glb)$/i.test(file)) {
    throw new MarrowError('UNSUPPORTED', `${name} is glTF, which this version does not read yet`);
  }
  if (isLater(file) || looksLikeSprite(file)) {
    throw new MarrowError('UNSUPPORTED', `${name} is a Re2D character, which this version does not read yet`);
  }
}

/**
 * A Re2D character names its atlas and holds a rig with parts on bones.
 * @param {string} file
 */
function looksLikeSprite(file) {
  if (!/\.json$/i.test(file) || file.endsWith(rigEnding)) {
    return false;
  }
  try {
    const value = JSON.parse(readFileSync(file, 'utf8'));
    return typeof value?.atlas === 'string' && Array.isArray(value?.rig?.bones);
  } catch {
    return false;
  }
}

/**
 * @typedef {object} Opened
 * @property {Model} model
 * @property {string} rig
 * @property {number[]} given indices of the clips that were asked for
 * @property {string[]} missing sprites whose picture was not found
 */

/**
 * Reads a rig with its clips and pictures. Clips of its own table that are not there are noted.
 * @param {Marrow} marrow
 * @param {string} file
 * @param {{ clips?: string[], images?: boolean }} [options] clips: files to add
 * @returns {Promise<Opened>}
 */
export async function open(marrow, file, { clips = [], images = true } = {}) {
  const found = locate(file);
  const model = await marrow.load(pathToFileURL(found.rig), { images: images ? 'optional' : false }).catch((error) => {
    throw inFile(found.rig, error);
  });
  model.clipTable.filter((clip) => typeof clip === 'string').forEach((lost) => note(`warning: ${lost}`));
  for (const clip of found.clips) {
    addClipFile(model, clip, await readFileBytes(clip));
  }
  const given = [];
  for (const clip of clips) {
    const name = addClipFile(model, clip, await readFileBytes(clip));
    given.push(model.clipIndex(name));
  }
  const missing = images ? findPictures(model, path.dirname(found.rig)) : [];
  return { model, rig: found.rig, given, missing };
}

/**
 * Adds a clip; an error says in which file.
 * @param {Model} model
 * @param {string} file
 * @param {Uint8Array} bytes
 */
export function addClipFile(model, file, bytes) {
  try {
    return model.addClip(bytes);
  } catch (error) {
    throw inFile(file, error);
  }
}

/**
 * Names the file as the user wrote it; what `load` says of another one, in the same way.
 * @param {string} file
 * @param {unknown} error
 */
export function inFile(file, error) {
  if (!(error instanceof MarrowError) || error.code === 'FETCH') {
    return error;
  }
  const { code, path: place, line, column, offset, cause } = error;
  const isNamed = error.file !== null && cause instanceof MarrowError;
  const name = isNamed && error.file !== pathToFileURL(file).href ? fileOf(error.file) : file;
  return new MarrowError(code, `${name}: ${isNamed ? cause.message : error.message}`, { path: place, line, column, offset, cause: error });
}

/**
 * Pictures that the rig's folder holds under another name: a sprite's GUID may be that of the bytes.
 * @param {Model} model
 * @param {string} folder
 * @returns {string[]} sprites whose picture was not found
 */
function findPictures(model, folder) {
  const wanted = model.sprites.filter(({ page }) => (model.images[page] ?? null) === null);
  if (wanted.length > 0) {
    for (const file of picturesIn(folder)) {
      const bytes = readFileSync(file);
      const guid = guidOf(bytes);
      const sprite = wanted.find((each) => each.guid === guid);
      if (sprite !== undefined) {
        model.setImage(sprite.page, decodePng(bytes));
        model.setImageUrl(sprite.page, pathToFileURL(file).href);
      }
    }
  }
  return wanted.filter(({ page }) => (model.images[page] ?? null) === null).map(({ guid }) => guid);
}

/**
 * The PNGs of a folder that can be read.
 * @param {string} folder
 */
function picturesIn(folder) {
  return readdirSync(folder).filter((name) => /\.png$/i.test(name)).map((name) => path.join(folder, name)).filter((file) => {
    try {
      accessSync(file, constants.R_OK);
      return statSync(file).isFile();
    } catch {
      return false;
    }
  });
}

/**
 * The file of a page's picture as people write it.
 * @param {string | null | undefined} url
 */
export function fileOf(url) {
  return url?.startsWith('file:') ? path.relative('', fileURLToPath(url)) : url ?? null;
}

/**
 * @param {string} file
 * @returns {Promise<Buffer>}
 */
export async function readFileBytes(file) {
  try {
    return await readFile(file);
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

/**
 * Names the file as the user wrote it.
 * @param {string} file
 * @param {any} cause
 */
function unreadable(file, cause) {
  return new MarrowError('FETCH', `cannot read ${file} (${cause.code})`, { cause });
}
