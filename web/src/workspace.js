import { alphaMask, buildRig, guidOf, suggestBones } from 'marrow2d/author';
import { FileError, matchPictures } from './files.js';
import { disposePicture, pixelsOf, readPicture } from './pictures.js';
import { swayClip } from './sway.js';

/**
 * What is open: a model, the one instance that all stages show, and its pictures by GUID.
 * @typedef {object} Scene
 * @property {string} name
 * @property {import('marrow2d').Model} model
 * @property {import('marrow2d').Instance} hero
 * @property {Map<string, import('./pictures.js').Picture>} pictures
 * @property {string[]} missing parts without a picture
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
   * @returns {Promise<Scene>}
   */
  async openUrl(url) {
    const name = url.slice(url.lastIndexOf('/') + 1);
    const model = await this.#marrow.load(url).catch((cause) => {
      throw new FileError(name, cause);
    });
    /** @type {Map<string, import('./pictures.js').Picture>} */
    const pictures = new Map();
    for (const { guid, page } of model.sprites) {
      const image = model.images[page]?.url;
      if (image) {
        pictures.set(guid, await readPicture(image, await (await fetch(image)).blob()));
      }
    }
    return this.#show(name, model, pictures, []);
  }

  /**
   * Dropped or picked files: a rig with pictures and clips, clips for what is open, or a picture to rig.
   * @param {import('./files.js').Opened} files
   * @param {Scene | null} scene what is open
   * @returns {Promise<Scene | null>} null: what is open was added to
   */
  async openFiles({ rig, clips, pictures }, scene) {
    if (rig === null && pictures.length === 0) {
      if (scene !== null) {
        addClips(scene.model, clips);
      }
      return null;
    }
    const model = rig === null ? this.#rigPicture(pictures[0]) : this.#read(rig);
    try {
      addClips(model, clips);
      const { matched, missing } = matchPictures(model, pictures);
      for (const [guid, picture] of matched) {
        model.setImage(guid, pixelsOf(picture));
      }
      pictures.filter((picture) => ![...matched.values()].includes(picture)).forEach(disposePicture);
      return this.#show(rig?.name ?? pictures[0].name, model, matched, missing);
    } catch (error) {
      model.dispose();
      throw error;
    }
  }

  /** @param {Scene} scene */
  close({ model, pictures }) {
    // The instances go with their model, and take the views' geometry along.
    model.dispose();
    for (const picture of new Set(pictures.values())) {
      disposePicture(picture);
    }
  }

  /** @param {import('./files.js').TextFile} rig */
  #read({ name, text }) {
    try {
      return this.#marrow.loadRig2d(text);
    } catch (cause) {
      throw new FileError(name, cause);
    }
  }

  /** @param {import('./pictures.js').Picture} picture */
  #rigPicture(picture) {
    const { name, width, height, bytes } = picture;
    try {
      const mask = alphaMask(pixelsOf(picture));
      const bones = suggestBones({ width, height, mask });
      return this.#marrow.loadRig2d(JSON.stringify(buildRig({ width, height, mask, sprite: guidOf(bytes), bones: fromTheGround(bones) })));
    } catch (cause) {
      throw new FileError(name, cause);
    }
  }

  /**
   * @param {string} name
   * @param {import('marrow2d').Model} model
   * @param {Map<string, import('./pictures.js').Picture>} pictures
   * @param {string[]} missing
   * @returns {Scene}
   */
  #show(name, model, pictures, missing) {
    if (model.clips.length === 0 && model.bones.length > 0) {
      model.addClip(JSON.stringify(swayClip(model.bones)));
    }
    const hero = this.#world.add(model, { name });
    if (model.clips.length > 0) {
      hero.play(0);
    }
    this.#world.update(0);
    return { name, model, hero, pictures, missing };
  }
}

/**
 * @param {import('marrow2d').Model} model
 * @param {import('./files.js').TextFile[]} clips
 */
function addClips(model, clips) {
  for (const { name, text } of clips) {
    try {
      model.addClip(text);
    } catch (cause) {
      throw new FileError(name, cause);
    }
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
