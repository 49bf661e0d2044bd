import { readPicture } from './pictures.js';

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
 * @typedef {{ name: string, text: string }} TextFile
 * @typedef {import('./pictures.js').Picture} Picture
 * @typedef {{ rig: TextFile | null, clips: TextFile[], pictures: Picture[], problems: FileError[] }} Opened problems: files that are none of
 *   these, or cannot be read
 */

/**
 * Tells rigs, clips and pictures apart, by name where it says so and else by content. One file that is no good keeps none of the others.
 * @param {Iterable<File>} files
 * @returns {Promise<Opened>}
 */
export async function readFiles(files) {
  /** @type {Opened} */
  const opened = { rig: null, clips: [], pictures: [], problems: [] };
  for (const file of files) {
    if (file.type.startsWith('image/') || /\.(png|webp|jpe?g)$/i.test(file.name)) {
      try {
        opened.pictures.push(await readPicture(file.name, file));
      } catch (cause) {
        opened.problems.push(new FileError(file.name, new Error('the browser cannot read this picture', { cause }), 'Save it as PNG and drop it again.'));
      }
    } else if (isClip(file.name, await file.text())) {
      opened.clips.push({ name: file.name, text: await file.text() });
    } else if (/\.json$/i.test(file.name)) {
      opened.rig = { name: file.name, text: await file.text() };
    } else {
      opened.problems.push(new FileError(file.name, new Error('this is neither a picture nor a rig nor a clip'),
        'Drop a PNG, WebP or JPEG, a .rig2d.json, or an .anim.json.'));
    }
  }
  return opened;
}

/**
 * @param {string} name
 * @param {string} text
 */
function isClip(name, text) {
  return /\.anim\.json$/i.test(name) || (/\.json$/i.test(name) && !/\.rig2d\.json$/i.test(name) && /"tracks"\s*:/.test(text));
}

/**
 * The picture of each sprite of a model: named in the file's own table, named like the GUID, of exactly the bytes that the GUID stands
 * for, or the only one there is.
 * @param {import('marrow2d').Model} model
 * @param {Picture[]} pictures
 * @returns {Promise<{ matched: Map<string, Picture>, spare: Picture[] }>} by GUID; spare: what no sprite asked for
 */
export async function matchPictures(model, pictures) {
  const { guidOf } = await import('marrow2d/author');
  /** @type {Map<string, Picture>} */
  const matched = new Map();
  for (const { guid } of model.sprites) {
    const path = model.assets.find((asset) => asset.guid === guid)?.path ?? guid;
    const found = pictures.find(({ name }) => isNamed(name, path)) ?? pictures.find(({ bytes }) => guidOf(bytes) === guid)
      ?? (model.sprites.length === 1 && pictures.length === 1 ? pictures[0] : undefined);
    if (found !== undefined) {
      matched.set(guid, found);
    }
  }
  const used = new Set(matched.values());
  return { matched, spare: pictures.filter((picture) => !used.has(picture)) };
}

/**
 * @param {string} file
 * @param {string} path
 */
function isNamed(file, path) {
  const wanted = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return file.toLowerCase() === wanted || file.toLowerCase().replace(/\.[^.]+$/, '') === wanted;
}
