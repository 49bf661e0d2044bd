import { mostPixels, readPicture } from './pictures.js';
import { Studies } from './studies.js';

/** Something that a person can put right, with the file it is about. */
export class FileError extends Error {
  /**
   * @param {string} file
   * @param {unknown} cause
   * @param {string | null} [advice] what to do
   */
  constructor(file, cause, advice = null) {
    const { code, path, message } = /** @type {{ code?: string, path?: string | null, message?: string }} */ (cause ?? {});
    super(message ?? String(cause), { cause });
    this.file = file;
    this.code = code ?? null;
    this.path = path ?? null;
    this.advice = advice ?? (this.path === null ? null : 'Mend the file at this place and drop it again. What was open still is.');
  }
}

/**
 * A file that a person brought.
 * @typedef {{ file: File, path: string }} Brought path: from the folder that was dropped; else the name alone
 *
 * @typedef {{ name: string, text: string, brought?: Brought }} TextFile without `brought` it came from the web, or was made here
 * @typedef {import('./pictures.js').Picture & { brought: Brought, study: import('./studies.js').Study }} OwnPicture
 * @typedef {{ rigs: TextFile[], clips: TextFile[], pictures: OwnPicture[], problems: FileError[] }} Found problems: files that are none of
 *   these, or cannot be read
 */

/**
 * Tells rigs, clips and pictures apart, by name where it says so and else by content. One file that is no good keeps none of the others.
 * @param {Iterable<Brought>} files
 * @returns {Promise<Found>}
 */
export async function readFiles(files) {
  /** @type {Found} */
  const found = { rigs: [], clips: [], pictures: [], problems: [] };
  const studies = new Studies();
  for (const brought of files) {
    try {
      await readFile(brought, found, studies);
    } catch (error) {
      found.problems.push(error instanceof FileError ? error : new FileError(brought.path, error));
    }
  }
  studies.end();
  return found;
}

/**
 * @param {Brought} brought
 * @param {Found} found
 * @param {Studies} studies
 */
async function readFile(brought, { rigs, clips, pictures }, studies) {
  const { file, path } = brought;
  if (/\.(gltf|glb|character\.json)$/i.test(file.name)) {
    throw new FileError(path, new Error('this version reads .rig2d.json, and neither glTF nor .character.json'));
  }
  if (file.type.startsWith('image/') || /\.(png|webp|jpe?g)$/i.test(file.name)) {
    try {
      const picture = await readPicture(path, file);
      pictures.push({ ...picture, brought, study: await studies.of(file) });
    } catch (cause) {
      throw new FileError(path, cause, `Save it as a PNG of at most ${mostPixels / 1e6} million pixels and drop it again.`);
    }
  } else if (/\.json$/i.test(file.name)) {
    const text = await file.text();
    const list = isClip(file.name, text) ? clips : rigs;
    list.push({ name: list.some(({ name }) => name === file.name) ? path : file.name, text, brought });
  } else {
    throw new FileError(path, new Error('this is neither a picture nor a rig nor a clip'), 'Drop a PNG, WebP or JPEG, a .rig2d.json, or an .anim.json.');
  }
}

/**
 * @param {string} name
 * @param {string} text
 */
function isClip(name, text) {
  return /\.anim\.json$/i.test(name) || (!/\.rig2d\.json$/i.test(name) && /"tracks"\s*:/.test(text));
}

/**
 * The files of a drop, with those of the folders among them that can be opened.
 * @param {DataTransfer} data as the event has it: it is empty when this has returned
 * @returns {Promise<{ files: Brought[], problems: FileError[] }>}
 */
export async function filesOf(data) {
  const entries = [...data.items].filter(({ kind }) => kind === 'file').map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  /** @type {Brought[]} */
  const files = [];
  /** @type {FileError[]} */
  const problems = [];
  for (const { entry, file } of entries) {
    if (entry !== null && entry.isDirectory) {
      try {
        files.push(...await collect(/** @type {FileSystemDirectoryEntry} */ (entry)));
      } catch (error) {
        problems.push(error instanceof FileError ? error : new FileError(entry.name, error));
      }
    } else if (file !== null) {
      files.push({ file, path: file.name });
    }
  }
  return { files, problems };
}

/** Files that are taken from folders: whoever drops a whole disk should not wait for it. */
const mostFiles = 500;

/**
 * @param {FileSystemDirectoryEntry} folder
 * @returns {Promise<Brought[]>}
 */
async function collect(folder) {
  /** @type {Brought[]} */
  const files = [];
  /** @type {FileSystemEntry[]} */
  const rest = [folder];
  for (let entry = rest.shift(); entry !== undefined; entry = rest.shift()) {
    if (entry.isDirectory) {
      rest.push(...await entriesOf(/** @type {FileSystemDirectoryEntry} */ (entry)));
    } else if (/\.(png|webp|jpe?g|json)$/i.test(entry.name)) {
      const { fullPath } = entry;
      const file = await new Promise((resolve, reject) => /** @type {FileSystemFileEntry} */ (entry).file(resolve, reject));
      files.push({ file, path: fullPath.replace(/^\//, '') });
    }
    if (files.length > mostFiles) {
      throw new FileError(folder.name, new Error(`this folder holds more than ${mostFiles} pictures, rigs and clips`), 'Drop the folder of one character.');
    }
  }
  if (files.length === 0) {
    throw new FileError(folder.name, new Error('this folder holds no picture, no rig and no clip'), 'PNG, WebP, JPEG, .rig2d.json and .anim.json are taken.');
  }
  return files;
}

/**
 * @param {FileSystemDirectoryEntry} folder
 * @returns {Promise<FileSystemEntry[]>} by name, as a listing shows them
 */
async function entriesOf(folder) {
  const reader = folder.createReader();
  /** @type {FileSystemEntry[]} */
  const all = [];
  // A reader hands out its entries in pieces, and an empty one at the end.
  for (;;) {
    /** @type {FileSystemEntry[]} */
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) {
      return all.sort((a, b) => (a.name < b.name ? -1 : 1));
    }
    all.push(...some);
  }
}

/**
 * The picture of each sprite of a model: named in the file's own table, named like the GUID, of exactly the bytes that the GUID stands
 * for, or named like a rig that has one sprite only.
 * @param {import('marrow2d').Model} model
 * @param {string} rigName
 * @param {readonly OwnPicture[]} pictures
 * @param {readonly import('../../wasm-api/js/types.js').SpriteData[]} [wanted] the sprites that look for one
 * @returns {Map<string, OwnPicture>} by GUID
 */
export function matchPictures(model, rigName, pictures, wanted = model.sprites) {
  /** @type {Map<string, OwnPicture>} */
  const matched = new Map();
  for (const sprite of wanted) {
    const { guid } = sprite;
    const path = pathOf(model, sprite);
    const found = findPicture(path ?? guid, pictures) ?? pictures.find(({ study }) => study.guid === guid)
      ?? (path === null && model.sprites.length === 1 ? findPicture(rigName.replace(/(\.rig2d)?\.json$/i, ''), pictures) : undefined);
    if (found !== undefined) {
      matched.set(guid, found);
    }
  }
  return matched;
}

/**
 * The sprite that a picture may be taken for without a question: the only one, where the rig names nothing that could be looked for.
 * @param {import('marrow2d').Model} model
 * @returns {string | null} its GUID
 */
export function namelessSprite(model) {
  const [sprite] = model.sprites;
  return model.sprites.length === 1 && pathOf(model, sprite) === null ? sprite.guid : null;
}

/**
 * What a rig calls the file of a sprite, or null.
 * @param {import('marrow2d').Model} model
 * @param {{ guid: string, isGuid: boolean }} sprite
 */
export function pathOf(model, { guid, isGuid }) {
  return model.assets.find((asset) => asset.guid === guid)?.path ?? (isGuid ? null : guid);
}

/**
 * The whole path counts more than the name alone, and the name more than one with another ending.
 * @param {string} path
 * @param {readonly OwnPicture[]} pictures
 */
function findPicture(path, pictures) {
  const wanted = path.toLowerCase();
  const last = (/** @type {string} */ text) => text.slice(text.lastIndexOf('/') + 1);
  const stem = (/** @type {string} */ text) => last(text).replace(/\.(png|webp|jpe?g)$/, '');
  const named = pictures.map((picture) => ({ picture, name: picture.name.toLowerCase() }));
  return (named.find(({ name }) => `/${name}`.endsWith(`/${wanted}`)) ?? named.find(({ name }) => last(name) === last(wanted))
    ?? named.find(({ name }) => stem(name) === stem(wanted)))?.picture;
}
