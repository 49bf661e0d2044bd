import { MarrowError } from './errors.js';
import { absoluteUrl, readBytes } from './io.js';

/** @typedef {import('./types.js').ManifestEntry} ManifestEntry */

const clipEnding = /\.anim\.json$/i;
const laterEnding = /\.(gltf|glb|character\.json)$/i;

/**
 * Fetches a rig and what it names. A file that something names and that cannot be read is an error; a GUID that nothing resolves is not,
 * because its picture may be the host's.
 * @param {import('./index.js').Marrow} marrow
 * @param {string | URL} source
 * @param {import('./types.js').LoadOptions} options
 */
export async function loadModel(marrow, source, { clips = [], images = true, strict = false, read = readBytes }) {
  const listed = marrow.assets.entry(String(source));
  const url = listed?.url ?? absoluteUrl(source, marrow.base);
  const ending = laterEnding.exec(url.replace(/[?#].*$/, ''));
  if (ending !== null) {
    throw new MarrowError('UNSUPPORTED', `this version reads .rig2d.json, not .${ending[1]}`);
  }
  const bytes = new Uint8Array(await read(url));
  const model = marrow.loadRig2d(bytes, { strict });
  model.url = url;
  try {
    const rig = listed ?? (model.id === null ? null : marrow.assets.entry(model.id));
    for (const address of clipAddresses(marrow, model, url, [...(rig?.clips ?? []), ...clips])) {
      model.addClip(new Uint8Array(await read(address)), { strict });
    }
    await loadImages(marrow, model, url, images, read);
  } catch (error) {
    model.dispose();
    throw error;
  }
  return model;
}

/**
 * Clips that the file's own table names, then those that were asked for.
 * @param {import('./index.js').Marrow} marrow
 * @param {import('./model.js').Model} model
 * @param {string} url
 * @param {string[]} asked
 */
function clipAddresses(marrow, model, url, asked) {
  const own = model.assets.filter(({ path }) => clipEnding.test(path)).map(({ guid, path }) => marrow.assets.entry(guid)?.url ?? path);
  return new Set([...own, ...asked.map((clip) => marrow.assets.entry(clip)?.url ?? clip)].map((clip) => absoluteUrl(clip, url)));
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
   *  @type {Map<string, { page: number, url: string, certain: boolean, sprites: { index: number, entry: ManifestEntry }[] }>} */
  const pages = new Map();
  for (const [index, sprite] of model.sprites.entries()) {
    const found = resolveSprite(marrow, model, url, sprite);
    if (found !== null) {
      const key = found.entry.page ?? found.entry.url;
      const page = pages.get(key) ?? { page: index, url: found.entry.url, certain: found.certain, sprites: [] };
      page.sprites.push({ index, entry: found.entry });
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
      const image = await readImage(page.url, read, page.certain && images !== 'optional');
      if (image === null) {
        return;
      }
      await setPixels(model, page.page, image);
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
  if (own !== undefined) {
    return { entry: { url: absoluteUrl(own.path, url) }, certain: true };
  }
  if (!isGuid) {
    return guid === '' ? null : { entry: { url: absoluteUrl(guid, url) }, certain: true };
  }
  const beside = model.sprites.length === 1 ? url.replace(/(\.rig2d)?\.json([?#].*)?$/i, '.png') : new URL(`${guid}.png`, url).href;
  return beside === url ? null : { entry: { url: beside }, certain: false };
}

/**
 * @param {string} url
 * @param {(url: string) => Promise<Uint8Array | ArrayBuffer>} read
 * @param {boolean} mustBeThere
 */
async function readImage(url, read, mustBeThere) {
  try {
    return new Uint8Array(await read(url));
  } catch (error) {
    if (mustBeThere) {
      throw error;
    }
    return null;
  }
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
    const { decodePng } = await import('./author/image.js');
    model.setImage(page, decodePng(bytes));
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
