import { FileError, matchPictures } from './files.js';
import { disposePicture, pixelsOf, readPicture, texturesOf } from './pictures.js';
import { swayClip } from './sway.js';

/** @typedef {import('./pictures.js').Picture} Picture */
/** @typedef {import('./files.js').TextFile} TextFile */

/**
 * What is open: a model, the one instance that all stages show, and its pictures.
 * @typedef {object} Scene
 * @property {string} name
 * @property {string | null} address what a link names it by; null for a person's own files
 * @property {TextFile} rig
 * @property {TextFile[]} clips
 * @property {string} guid under which the instance finds its model, so that an edited one can take its place
 * @property {import('marrow2d').Model} model
 * @property {import('marrow2d').Instance} hero
 * @property {Map<string, Picture>} pictures by GUID
 * @property {ReturnType<typeof texturesOf>} textures
 * @property {{ guid: string, parts: string[] }[]} missing sprites without a picture, and who wears them
 * @property {Picture[]} spare pictures that no sprite asked for
 */

/** Opens things. Whatever fails leaves what was open as it was. */
export class Workspace {
  #marrow;
  #world;

  /** @param {import('marrow2d').Marrow} marrow */
  constructor(marrow) {
    this.#marrow = marrow;
    this.#world = marrow.createWorld();
  }

  get marrow() {
    return this.#marrow;
  }

  get world() {
    return this.#world;
  }

  /**
   * A rig on the web with all that it names.
   * @param {string} url
   * @param {string} address what a link calls it
   * @returns {Promise<Scene>}
   */
  async openUrl(url, address) {
    const name = fileName(url);
    /** @type {TextFile[]} */
    const texts = [];
    const model = await this.#marrow.load(url, {
      images: 'optional',
      async read(file) {
        const response = await fetch(file);
        if (!response.ok) {
          throw new Error(`cannot fetch ${file}: the server answered ${response.status}`);
        }
        const bytes = await response.arrayBuffer();
        if (file.endsWith('.json')) {
          texts.push({ name: fileName(file), text: new TextDecoder().decode(bytes) });
        }
        return bytes;
      },
    }).catch((cause) => {
      throw new FileError(name, cause);
    });
    /** @type {Map<string, Picture>} */
    const pictures = new Map();
    await Promise.all(model.sprites.map(async ({ guid, page }) => {
      const image = model.images[page]?.url;
      if (image) {
        pictures.set(guid, await readPicture(fileName(image), await (await fetch(image)).blob()));
      }
    }));
    const [rig, ...clips] = texts;
    return this.#show({ name, address, rig, clips, model, pictures, spare: [] });
  }

  /**
   * Dropped or picked files: a rig with pictures and clips, clips for what is open, or a picture to rig.
   * @param {import('./files.js').Opened} files clips that cannot be read join its problems
   * @param {Scene | null} scene what is open
   * @returns {Promise<Scene>} of the same GUID as what is open, when that was only added to
   */
  async openFiles({ rig, clips, pictures, problems }, scene) {
    if (rig === null && scene !== null && (pictures.length === 0 || scene.missing.length > 0)) {
      const good = addClips(scene.model, clips, problems);
      if (good.length + pictures.length === 0 && problems.length > 0) {
        throw /** @type {FileError} */ (problems.shift());
      }
      const { matched, spare } = await matchPictures(scene.model, pictures);
      let added = { ...scene, clips: [...scene.clips, ...good], spare: [...scene.spare, ...spare] };
      for (const [guid, picture] of matched) {
        added = this.usePicture(added, picture, guid);
      }
      return added;
    }
    if (rig === null && pictures.length === 0) {
      throw problems.shift() ?? new FileError(clips[0].name, new Error('a clip moves a rig: open the rig first, or drop both together'));
    }
    const source = rig ?? await rigPicture(pictures[0]);
    const model = this.#read(source);
    try {
      const good = addClips(model, clips, problems);
      const { matched, spare } = await matchPictures(model, pictures);
      for (const [guid, picture] of matched) {
        model.setImage(guid, pixelsOf(picture));
      }
      return this.#show({ name: rig?.name ?? pictures[0].name, address: null, rig: source, clips: good, model, pictures: matched, spare });
    } catch (error) {
      model.dispose();
      throw error;
    }
  }

  /**
   * Gives a sprite a picture that was at hand.
   * @param {Scene} scene
   * @param {Picture} picture
   * @param {string} guid
   * @returns {Scene}
   */
  usePicture(scene, picture, guid) {
    scene.model.setImage(guid, pixelsOf(picture));
    const pictures = new Map([...scene.pictures, [guid, picture]]);
    return {
      ...scene, pictures, textures: texturesOf(pictures),
      missing: scene.missing.filter((each) => each.guid !== guid), spare: scene.spare.filter((each) => each !== picture),
    };
  }

  /**
   * Puts the parts of a rig into another draw order. The instance goes on where it was: pose, clip and time stay.
   * @param {Scene} scene
   * @param {readonly number[]} order file indices of all parts, from behind to the front
   * @returns {Scene}
   */
  reorderParts(scene, order) {
    const document = JSON.parse(scene.rig.text);
    order.forEach((fileIndex, position) => {
      document.parts[fileIndex].order = position;
    });
    const rig = { name: scene.rig.name, text: JSON.stringify(document) };
    const model = this.#read(rig);
    for (const { guid } of model.sprites) {
      const picture = scene.pictures.get(guid);
      if (picture !== undefined) {
        model.setImage(guid, pixelsOf(picture));
      }
    }
    scene.clips.forEach(({ text }) => model.addClip(text));
    this.#marrow.assets.provide(scene.guid, model);
    scene.model.dispose();
    return { ...scene, rig, model };
  }

  /** @param {Scene} scene */
  close({ model, pictures, spare }) {
    // The instances go with their model, and take the views' geometry along.
    model.dispose();
    for (const picture of new Set([...pictures.values(), ...spare])) {
      disposePicture(picture);
    }
  }

  /** @param {TextFile} rig */
  #read({ name, text }) {
    try {
      return this.#marrow.loadRig2d(text);
    } catch (cause) {
      throw new FileError(name, cause);
    }
  }

  /**
   * @param {Omit<Scene, 'guid' | 'hero' | 'textures' | 'missing'>} parts
   * @returns {Scene}
   */
  #show(parts) {
    const { name, model, clips, pictures } = parts;
    if (model.clips.length === 0 && model.bones.length > 0) {
      const sway = { name: 'sway.anim.json', text: JSON.stringify(swayClip(model.bones)) };
      clips.push(sway);
      model.addClip(sway.text);
    }
    const guid = crypto.randomUUID();
    this.#marrow.assets.provide(guid, model);
    const hero = this.#world.add(guid, { name });
    this.#world.update(0);
    return { ...parts, guid, hero, textures: texturesOf(pictures), missing: missingOf(model, pictures) };
  }
}

/** @param {string} url */
function fileName(url) {
  return url.slice(url.lastIndexOf('/') + 1);
}

/**
 * @param {import('marrow2d').Model} model
 * @param {ReadonlyMap<string, Picture>} pictures
 */
function missingOf(model, pictures) {
  return model.sprites
    .map(({ guid }, index) => ({ guid, parts: model.parts.filter(({ sprite }) => sprite === index).map(({ name }) => name) }))
    .filter(({ guid, parts }) => parts.length > 0 && !pictures.has(guid));
}

/**
 * @param {import('marrow2d').Model} model
 * @param {readonly TextFile[]} clips
 * @param {FileError[]} problems where those go that cannot be read
 * @returns {TextFile[]} the others
 */
function addClips(model, clips, problems) {
  return clips.filter(({ name, text }) => {
    try {
      model.addClip(text);
      return true;
    } catch (cause) {
      problems.push(new FileError(name, cause));
      return false;
    }
  });
}

/**
 * A rig for a picture, in the words of a file.
 * @param {Picture} picture
 * @returns {Promise<TextFile>}
 */
async function rigPicture(picture) {
  const { name, width, height, bytes } = picture;
  const { alphaMask, buildRig, guidOf, suggestBones } = await import('marrow2d/author');
  try {
    const mask = alphaMask(pixelsOf(picture));
    const bones = fromTheGround(suggestBones({ width, height, mask }));
    const rig = buildRig({ width, height, mask, sprite: guidOf(bytes), bones });
    return { name: name.replace(/\.[^.]+$/, '.rig2d.json'), text: JSON.stringify(rig) };
  } catch (cause) {
    throw new FileError(name, cause);
  }
}

/**
 * The chain that is suggested for a tall picture begins at the top. Turned round, a standing figure sways from its feet.
 * @param {import('../../wasm-api/js/author/data.js').FileBone[]} bones a chain
 */
function fromTheGround(bones) {
  /** @type {{ x: number, y: number }[]} */
  const joints = [];
  for (const { x = 0, y = 0 } of bones) {
    const last = joints.at(-1) ?? { x: 0, y: 0 };
    joints.push({ x: last.x + x, y: last.y + y });
  }
  const [first, last] = [joints[0], joints[joints.length - 1]];
  if (last.y - first.y <= Math.abs(last.x - first.x)) {
    return bones;
  }
  joints.reverse();
  return bones.map((bone, index) => ({
    ...bone, x: joints[index].x - (joints[index - 1]?.x ?? 0), y: joints[index].y - (joints[index - 1]?.y ?? 0),
  }));
}
