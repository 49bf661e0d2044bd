import { MarrowError, argumentError, checkClass, checkOptions, checkType, named } from './errors.js';
import { absoluteUrl, readBytes } from './io.js';

/** @typedef {import('./types.js').ManifestEntry} ManifestEntry */

const clipEnding = /\.anim\.json$/i;
const laterEnding = /\.(gltf|glb|character\.json)$/i;

/** Codes of failures that have nothing to do with what a file says. */
const fatal = new Set(['NO_MEMORY', 'STALE', 'ABORTED']);
/** Of an address in a message: a data URL is the whole file. */
const longestName = 200;

/**
 * @typedef {object} Source
 * @property {import('./index.js').Marrow} marrow
 * @property {import('./model.js').Model} model
 * @property {string} url of the rig
 * @property {(url: string) => Promise<Uint8Array | ArrayBuffer>} read
 * @property {boolean} strict
 */

/**
 * Fetches a rig and what it names. A clip that only the rig's own table names may be missing or broken: that is a warning. A picture that
 * something names, and a clip that was asked for, must be there; a GUID that nothing resolves need not, because its picture may be the
 * host's.
 * @param {import('./index.js').Marrow} marrow
 * @param {string | URL} source
 * @param {import('./types.js').LoadOptions} options
 */
export async function loadModel(marrow, source, options) {
  const address = typeof source === 'string' ? source : source?.href;
  if (typeof address !== 'string' || address === '') {
    throw argumentError('load', `${named(source)} is no address`);
  }
  checkOptions('load', options, ['clips', 'images', 'strict', 'read']);
  const { clips = [], images = true, strict = false, read = readBytes } = options;
  checkClass('load: clips', clips, Array);
  checkType('load: read', read, 'function');
  if (images !== 'optional') {
    checkType('load: images', images, 'boolean');
  }
  const listed = marrow.assets.entry(String(source));
  const url = listed?.url ?? absoluteUrl(source, marrow.base);
  const ending = laterEnding.exec(url.replace(/[?#].*$/, ''));
  if (ending !== null) {
    throw new MarrowError('UNSUPPORTED', `this version reads .rig2d.json, not .${ending[1]}`);
  }
  const model = await saying(url, async () => marrow.loadRig2d(await read(url), { strict }));
  model.url = url;
  try {
    const rig = listed ?? (model.id === null ? null : marrow.assets.entry(model.id));
    await loadClips({ marrow, model, url, read, strict }, [...(rig?.clips ?? []), ...clips]);
    await loadImages(marrow, model, url, images, read);
  } catch (error) {
    model.dispose();
    throw error;
  }
  return model;
}

/**
 * Adds the clips that the rig's own table names, then those that were asked for.
 * @param {Source} source
 * @param {string[]} asked
 */
async function loadClips(source, asked) {
  const { marrow, model, url, strict } = source;
  const rest = new Set(asked.map((clip) => absoluteUrl(marrow.assets.entry(clip)?.url ?? clip, url)));
  const own = model.assets.filter(({ path }) => clipEnding.test(path))
    .map((asset) => ({ asset, address: marrow.assets.entry(asset.guid)?.url ?? assetUrl(asset.path, url) }));
  const at = { ...source, read: readAtOnce(source.read, [...own.flatMap(({ address }) => address ?? []), ...rest]) };
  /** @type {Map<string, number | string>} */
  const known = new Map();
  for (const { asset, address } of own) {
    if (address === null) {
      model.clipTable.push(`the clip ${asset.path} is not in the rig's folder`);
      continue;
    }
    const clip = known.get(address)
      ?? (rest.delete(address) || strict ? await addNeededClip(at, address) : await addOptionalClip(at, address, asset));
    known.set(address, clip);
    model.clipTable.push(clip);
  }
  for (const address of rest) {
    await addNeededClip(at, address);
  }
}

/**
 * Lets a failure say in which file it lies.
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} act
 */
async function saying(file, act) {
  try {
    return await act();
  } catch (error) {
    throw inFile(file, error);
  }
}

/**
 * The error with the file in `file` and in the message; one of FETCH names it by itself.
 * @param {string} file
 * @param {unknown} error
 */
function inFile(file, error) {
  if (!(error instanceof MarrowError) || fatal.has(error.code)) {
    return error;
  }
  const { code, message, path, line, column, offset } = error;
  const name = file.length > longestName ? `${file.slice(0, longestName)}...` : file;
  return new MarrowError(code, code === 'FETCH' ? message : `${name}: ${message}`, { file, path, line, column, offset, cause: error });
}

/**
 * Begins to read all addresses now, so that one does not wait for the other. What fails, fails when it is asked for.
 * @param {Source['read']} read
 * @param {string[]} addresses
 * @returns {Source['read']}
 */
function readAtOnce(read, addresses) {
  const reading = new Map([...new Set(addresses)].map((address) => {
    const bytes = Promise.resolve(address).then(read);
    bytes.catch(() => undefined);
    return [address, bytes];
  }));
  return (address) => /** @type {ReturnType<Source['read']>} */ (reading.get(address));
}

/**
 * @param {Source} source
 * @param {string} address
 * @returns {Promise<number>} its index
 */
async function addClip({ model, read, strict }, address) {
  return model.clipIndex(model.addClip(await read(address), { strict }));
}

/**
 * @param {Source} source
 * @param {string} address
 */
function addNeededClip(source, address) {
  return saying(address, () => addClip(source, address));
}

/**
 * @param {Source} source
 * @param {string} address
 * @param {{ guid: string, path: string }} asset
 * @returns {Promise<number | string>} its index, or why it is not there
 */
async function addOptionalClip(source, address, { guid, path }) {
  try {
    return await addClip(source, address);
  } catch (error) {
    return leaveOut(source.model, guid, `the clip ${path}`, error);
  }
}

/**
 * Turns the failure of something that a rig can do without into a warning.
 * @param {import('./model.js').Model} model
 * @param {string} guid
 * @param {string} what
 * @param {unknown} error
 * @returns {string} the message
 */
function leaveOut(model, guid, what, error) {
  const code = error instanceof MarrowError ? error.code : 'FETCH';
  if (fatal.has(code)) {
    throw error;
  }
  const message = `${what} is left out: ${/** @type {Error} */ (error).message}`;
  model.addWarning({ code, path: assetPlace(guid), message });
  return message;
}

/**
 * The place of an entry in the rig's own table.
 * @param {string} guid
 */
export function assetPlace(guid) {
  return /^[a-z_$][a-z0-9_$]*$/i.test(guid) ? `$.assets.${guid}` : `$.assets["${guid}"]`;
}

/**
 * Whether a path names something in the rig's folder or below it, as asset_path.h has it.
 * @param {string} path
 */
export function isInside(path) {
  if (path === '' || /^[ /\\]|^[a-z][a-z0-9+.-]*:|^[a-z]\||[\0-\x1f]/i.test(path)) {
    return false;
  }
  let depth = 0;
  for (const step of path.replace(/%2e/gi, '.').split(/[/\\]/)) {
    depth += step === '..' ? -1 : Number(step !== '.' && step !== '');
    if (depth < 0) {
      return false;
    }
  }
  return true;
}

/**
 * The address of a path that a rig names, or null when it leads out of the rig's folder: only the host's manifest may do that.
 * @param {string} path
 * @param {string} url of the rig
 */
function assetUrl(path, url) {
  return isInside(path) ? absoluteUrl(path.replace(/[%?#]/g, encodeURIComponent), url) : null;
}

/**
 * @param {import('./index.js').Marrow} marrow
 * @param {import('./model.js').Model} model
 * @param {string} url
 * @param {boolean | 'optional'} images
 * @param {(url: string) => Promise<Uint8Array | ArrayBuffer>} read
 */
async function loadImages(marrow, model, url, images, read) {
  /** Sprites that share a page, by what the page is called. A whole image has the number of its sprite.
   *  @type {Map<string, { page: number, url: string, certain: boolean, sprites: { guid: string, index: number, entry: ManifestEntry }[] }>} */
  const pages = new Map();
  for (const [index, sprite] of model.sprites.entries()) {
    const found = resolveSprite(marrow, model, url, sprite);
    if (found !== null) {
      const key = found.entry.page ?? found.entry.url;
      const page = pages.get(key) ?? { page: index, url: found.entry.url, certain: found.certain, sprites: [] };
      page.sprites.push({ guid: sprite.guid, index, entry: found.entry });
      pages.set(key, page);
    }
  }
  await Promise.all([...pages].map(async ([key, page]) => {
    const framed = page.sprites.length > 1 || page.sprites[0].entry.rect !== undefined;
    if (framed) {
      page.page = marrow.assets.pageNumber(key, model.sprites.length);
    }
    const size = page.sprites.find(({ entry }) => entry.size !== undefined)?.entry.size;
    if (images !== false || (framed && size === undefined)) {
      try {
        if (!(await takeImage(model, page, read))) {
          return;
        }
      } catch (error) {
        if (images !== 'optional') {
          throw inFile(page.url, error);
        }
        leaveOut(model, page.sprites[0].guid, `the picture ${page.url}`, error);
        return;
      }
    }
    model.setImageUrl(page.page, page.url);
    if (framed) {
      setFrames(model, page, size ?? model.images[page.page] ?? { width: 0, height: 0 });
    }
  }));
}

/**
 * The host's manifest decides, then the file's own table, then the folder of the rig.
 * @param {import('./index.js').Marrow} marrow
 * @param {import('./model.js').Model} model
 * @param {string} url
 * @param {import('./types.js').SpriteData} sprite
 * @returns {{ entry: ManifestEntry, certain: boolean } | null} certain: something names the file
 */
function resolveSprite(marrow, model, url, { guid, isGuid }) {
  const listed = marrow.assets.entry(guid);
  if (listed !== null) {
    return { entry: listed, certain: true };
  }
  const own = model.assets.find((asset) => asset.guid === guid);
  const path = own?.path ?? (isGuid ? '' : guid);
  const named = assetUrl(path, url);
  if (named !== null) {
    return { entry: { url: named }, certain: true };
  }
  if (!isGuid) {
    return null;
  }
  const beside = model.sprites.length === 1 ? url.replace(/(\.rig2d)?\.json([?#].*)?$/i, '.png') : new URL(`${guid}.png`, url).href;
  return beside === url ? null : { entry: { url: beside }, certain: false };
}

/**
 * Reads a page's picture. One that is only looked for, since nothing names it, need not be there.
 * @param {import('./model.js').Model} model
 * @param {{ page: number, url: string, certain: boolean }} page
 * @param {(url: string) => Promise<Uint8Array | ArrayBuffer>} read
 * @returns {Promise<boolean>} whether it is there
 */
async function takeImage(model, { page, url, certain }, read) {
  let bytes;
  try {
    bytes = new Uint8Array(await read(url));
  } catch (error) {
    if (certain) {
      throw error;
    }
    return false;
  }
  await setPixels(model, page, bytes);
  return true;
}

/**
 * Browsers and workers decode pictures themselves. Elsewhere a PNG is decoded by the binary of authoring, which only then is loaded, and
 * other pictures stay without pixels.
 * @param {import('./model.js').Model} model
 * @param {number} page
 * @param {Uint8Array} bytes
 */
async function setPixels(model, page, bytes) {
  const isPng = bytes[0] === 0x89 && bytes[1] === 0x50 && bytes[2] === 0x4e && bytes[3] === 0x47;
  if (typeof createImageBitmap === 'function' && typeof OffscreenCanvas === 'function') {
    model.setImage(page, await decode(bytes));
  } else if (isPng) {
    const { readPng } = await import('./author/image.js');
    model.setImage(page, await readPng(bytes));
  }
}

/** @param {Uint8Array} bytes */
async function decode(bytes) {
  let bitmap;
  try {
    bitmap = await createImageBitmap(new Blob([/** @type {BlobPart} */ (bytes)]), { premultiplyAlpha: 'none', colorSpaceConversion: 'none' });
  } catch (cause) {
    throw new MarrowError('BAD_IMAGE', 'the browser cannot decode the picture', { cause });
  }
  const { width, height } = bitmap;
  const drawing = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true }));
  drawing.drawImage(bitmap, 0, 0);
  bitmap.close();
  return drawing.getImageData(0, 0, width, height);
}

/**
 * @param {import('./model.js').Model} model
 * @param {{ page: number, url: string, sprites: { index: number, entry: ManifestEntry }[] }} page
 * @param {{ width: number, height: number }} size
 */
function setFrames(model, { page, url, sprites }, { width, height }) {
  if (!(width > 0 && height > 0)) {
    throw new MarrowError('BAD_REFERENCE', `the size of ${url} is not known: give "size" in the manifest`);
  }
  for (const { index, entry } of sprites) {
    const rect = entry.rect ?? { x: 0, y: 0, width, height };
    model.setFrame(index, { ...rect, page, pageWidth: width, pageHeight: height, rotated: entry.rotated, trim: entry.trim });
  }
}
