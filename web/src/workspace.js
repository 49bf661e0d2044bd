import { repairOf, tryClips } from './clips.js';
import { FileError, matchPictures, namelessSprite, pathOf } from './files.js';
import { disposePicture, dress, pixelsOf, readPicture } from './pictures.js';
import { rigPicture } from './rig-picture.js';
import { swayClip } from './sway.js';

/** @typedef {import('./clips.js').Fault} Fault */
/** @typedef {import('./files.js').Brought} Brought */
/** @typedef {import('./files.js').Found} Found */
/** @typedef {import('./files.js').OwnPicture} OwnPicture */
/** @typedef {import('./files.js').TextFile} TextFile */
/** @typedef {import('./pictures.js').Picture} Picture */

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
 * @property {ReturnType<typeof dress>} textures
 * @property {Missing[]} missing
 * @property {OwnPicture[]} spare pictures that no sprite asked for
 * @property {Fault[]} faults what was repaired
 * @property {boolean} isMade here, for one picture: another one is no better picture for it
 *
 * A sprite without a picture.
 * @typedef {object} Missing
 * @property {string} guid
 * @property {string | null} path what the rig calls the file
 * @property {string[]} parts that wear it
 *
 * A rig with all that belongs to it.
 * @typedef {{ rig: TextFile, model: import('marrow2d').Model, matched: Map<string, OwnPicture> } & ReturnType<typeof tryClips>} Gathered
 *   model: has taken the clips, also those that move nothing
 *
 * What a person brought, by character. The first is shown.
 * @typedef {{ name: string, files: Brought[] }[]} Characters
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
      images: false,
      async read(file) {
        const bytes = await (await fetchFile(file)).arrayBuffer();
        texts.push({ name: fileName(file), text: new TextDecoder().decode(bytes) });
        return bytes;
      },
    }).catch((cause) => {
      throw cause instanceof FileError ? cause : new FileError(name, cause);
    });
    try {
      const [rig, ...read] = texts;
      refuseOthers(name, model, rig.text);
      const { clips, faults } = this.#tellApart(rig, read, model);
      /** @type {Map<string, Picture>} */
      const pictures = new Map();
      await Promise.all(model.sprites.map(async (sprite) => {
        const image = model.images[sprite.page]?.url;
        try {
          if (image) {
            const picture = await readPicture(fileName(image), await (await fetchFile(image)).blob());
            model.setImage(sprite.guid, pixelsOf(picture));
            pictures.set(sprite.guid, picture);
          }
        } catch (error) {
          // What nothing names is only looked for.
          if (pathOf(model, sprite) !== null) {
            faults.push({ file: fileName(/** @type {string} */ (image)), path: null, message: /** @type {Error} */ (error).message, advice: null });
          }
        }
      }));
      return this.#show({ name, address, rig, clips, model, pictures, spare: [], faults, isMade: false });
    } catch (error) {
      model.dispose();
      throw error;
    }
  }

  /**
   * Dropped or picked files: rigs with pictures and clips, more of them for what is open, or pictures to rig.
   * @param {Found} found what is no good joins its problems
   * @param {Scene | null} scene what is open
   * @returns {Promise<{ scene: Scene, characters: Characters }>} the scene is of the same GUID as what is open, when that was only added to; then
   *   there are no new characters
   */
  async openFiles(found, scene) {
    const { rigs, clips, pictures, problems } = found;
    if (rigs.length > 0) {
      return this.#openRigs(found);
    }
    const added = scene === null ? null : this.#addTo(scene, found);
    if (added !== null) {
      return { scene: added, characters: [] };
    }
    if (pictures.length > 0) {
      return this.#openPictures(found);
    }
    throw problems.shift() ?? new FileError(clips[0].name, new Error('a clip moves a rig: open the rig first, or drop both together'));
  }

  /**
   * @param {Found} found
   * @returns {{ scene: Scene, characters: Characters }}
   */
  #openRigs({ rigs, clips, pictures, problems }) {
    const hasUnread = problems.length > 0;
    /** @type {Gathered[]} */
    const opened = [];
    for (const rig of rigs) {
      try {
        const gathered = this.#gather(rig, clips, pictures);
        if (opened.length > 0) {
          gathered.model.dispose();
        }
        opened.push(gathered);
      } catch (error) {
        problems.push(/** @type {FileError} */ (error));
      }
    }
    if (opened.length === 0) {
      const first = /** @type {FileError} */ (problems.shift());
      throw hasUnread || clips.length + pictures.length === 0 ? first
        : new FileError(first.file, first, 'Mend it and drop it again, together with the files that came with it: they wait for their rig. What was open still is.');
    }
    for (const clip of clips) {
      if (opened.every(({ good }) => !good.includes(clip))) {
        problems.push(/** @type {FileError} */ (opened[0].bad.get(clip)));
      }
    }
    const [shown] = opened;
    const { matched } = shown;
    const taken = new Set(opened.flatMap((each) => [...each.matched.values()]));
    const spare = pictures.filter((picture) => !taken.has(picture));
    const scene = this.#open(shown, { name: shown.rig.name, pictures: matched, spare, isMade: false });
    pictures.filter((picture) => !spare.includes(picture) && ![...matched.values()].includes(picture)).forEach(disposePicture);
    return {
      scene,
      characters: opened.map((each) => ({
        name: each.rig.name,
        files: [each.rig, ...each.good, ...each.matched.values()].flatMap(({ brought }) => brought ?? []),
      })),
    };
  }

  /**
   * What belongs to a rig.
   * @param {TextFile} rig
   * @param {readonly TextFile[]} clips
   * @param {readonly OwnPicture[]} pictures
   * @returns {Gathered}
   */
  #gather(rig, clips, pictures) {
    const model = this.#read(rig);
    try {
      const matched = matchPictures(model, rig.name, pictures);
      const nameless = namelessSprite(model);
      if (matched.size === 0 && pictures.length === 1 && nameless !== null) {
        matched.set(nameless, pictures[0]);
      }
      const own = model.warnings.map((warning) => repairOf(rig.name, warning));
      const tried = tryClips(model, clips, rig.name);
      return { rig, model, matched, ...tried, faults: [...own, ...tried.faults] };
    } catch (error) {
      model.dispose();
      throw error;
    }
  }

  /**
   * Clips and pictures for what is open.
   * @param {Scene} scene
   * @param {Found} found
   * @returns {Scene | null} null: the pictures are none of its, and it lacks none
   */
  #addTo(scene, { clips, pictures, problems }) {
    const { model, missing, rig } = scene;
    // A person's own rig may get a better picture; of others only the gaps are filled.
    const isOwn = scene.address === null && !scene.isMade;
    const lacking = model.sprites.filter(({ guid }) => missing.some((each) => each.guid === guid));
    const matched = matchPictures(model, rig.name, pictures, isOwn ? model.sprites : lacking);
    const nameless = namelessSprite(model);
    if (matched.size === 0 && pictures.length === 1 && lacking.length === 1 && nameless !== null) {
      matched.set(nameless, pictures[0]);
    }
    if (pictures.length > 0 && matched.size === 0 && missing.length === 0) {
      return null;
    }
    const { good, bad, faults } = clips.length === 0 ? { good: [], bad: new Map(), faults: [] } : this.#tryBeside(rig, clips);
    problems.push(...bad.values());
    if (good.length + pictures.length === 0) {
      throw /** @type {FileError} */ (problems.shift());
    }
    good.forEach(({ text }) => model.addClip(text));
    const used = new Set(matched.values());
    let added = {
      ...scene, faults, clips: [...scene.clips, ...good],
      spare: [...scene.spare, ...pictures.filter((picture) => !used.has(picture))],
    };
    for (const [guid, picture] of matched) {
      added = this.usePicture(added, picture, guid);
    }
    // Who was told of a spare picture once need not hear of it again.
    return added.missing.length > 0 ? added : { ...added, spare: added.spare.filter((picture) => pictures.some((each) => each === picture)) };
  }

  /**
   * Tries clips on a copy of a rig: what a model has taken it keeps.
   * @param {TextFile} rig
   * @param {readonly TextFile[]} clips
   */
  #tryBeside(rig, clips) {
    const copy = this.#read(rig);
    try {
      const own = copy.warnings.map((warning) => repairOf(rig.name, warning));
      return { own, ...tryClips(copy, clips, rig.name) };
    } finally {
      copy.dispose();
    }
  }

  /**
   * Each picture is a character of its own.
   * @param {Found} found
   * @returns {Promise<{ scene: Scene, characters: Characters }>}
   */
  async #openPictures({ clips, pictures, problems }) {
    const [seen, clear] = [true, false].map((has) => pictures.filter(({ study }) => study.mask.inside.some((each) => each !== 0) === has));
    problems.push(...clear.map(({ name }) => new FileError(name, new Error('every pixel of this picture is transparent, so there is nothing to rig'),
      'Save it with what it should show. What was open still is.')));
    clear.forEach(disposePicture);
    if (seen.length === 0) {
      throw /** @type {FileError} */ (problems.shift());
    }
    const [picture, ...others] = seen;
    const rig = await rigPicture(picture);
    const gathered = this.#gather(rig, clips, []);
    problems.push(...gathered.bad.values());
    const scene = this.#open(gathered, { name: picture.name, pictures: new Map([[picture.study.guid, picture]]), spare: [], isMade: true });
    others.forEach(disposePicture);
    return { scene, characters: seen.map(({ name, brought }) => ({ name, files: [brought] })) };
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
      ...scene, pictures, textures: dress(scene.model, pictures),
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

  /**
   * Lets go of the pictures that a scene no longer shows, once it is drawn without them.
   * @param {Scene} before
   * @param {Scene} after
   */
  tidy({ pictures, spare }, after) {
    const kept = [...after.pictures.values(), ...after.spare];
    [...pictures.values(), ...spare].filter((picture) => !kept.includes(picture)).forEach(disposePicture);
  }

  /** @param {TextFile} rig */
  #read({ name, text }) {
    let model;
    try {
      model = this.#marrow.loadRig2d(text);
    } catch (cause) {
      throw new FileError(name, cause);
    }
    try {
      refuseOthers(name, model, text);
      return model;
    } catch (error) {
      model.dispose();
      throw error;
    }
  }

  /**
   * Which clips of a rig from the web can be read, and what there is to say of which file: a model knows only what, not where.
   * @param {TextFile} rig
   * @param {TextFile[]} clips
   * @param {import('marrow2d').Model} model that took them
   * @returns {{ clips: TextFile[], faults: Fault[] }}
   */
  #tellApart(rig, clips, model) {
    if (model.warnings.length === 0) {
      return { clips, faults: [] };
    }
    const { own, bad, faults } = this.#tryBeside(rig, clips);
    const left = [...bad.values()].map(({ file, path, message }) => ({ file, path, message, advice: null }));
    const unread = model.warnings.filter(({ code }) => code === 'FETCH').map(({ path, message }) => ({ file: rig.name, path, message, advice: null }));
    // What moves nothing is in the model all the same.
    return { clips: clips.filter((clip) => (bad.get(clip)?.code ?? null) === null), faults: [...own, ...faults, ...left, ...unread] };
  }

  /**
   * @param {Gathered} gathered
   * @param {Pick<Scene, 'name' | 'pictures' | 'spare' | 'isMade'>} more
   * @returns {Scene}
   */
  #open({ rig, good, bad, faults, ...gathered }, more) {
    let { model } = gathered;
    if (bad.size > 0) {
      model.dispose();
      model = this.#read(rig);
      good.forEach(({ text }) => model.addClip(text));
    }
    try {
      for (const [guid, picture] of more.pictures) {
        model.setImage(guid, pixelsOf(picture));
      }
      return this.#show({ ...more, rig, clips: good, faults, address: null, model });
    } catch (error) {
      model.dispose();
      throw error;
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
    return { ...parts, guid, hero, textures: dress(model, pictures), missing: missingOf(model, pictures) };
  }
}

/** @param {string} url */
function fileName(url) {
  return url.slice(url.lastIndexOf('/') + 1);
}

/** @param {string} url */
async function fetchFile(url) {
  // Under a policy of the host, and ours is one, the browser would refuse it all the same.
  if (new URL(url).origin !== location.origin) {
    throw new FileError(fileName(url), new Error(`this page opens files of its own site only, and ${url} is on another`),
      'Save the rig with its pictures and clips, and drop them here together.');
  }
  /** @type {Response} */
  let response;
  try {
    response = await fetch(url);
  } catch (cause) {
    throw new FileError(fileName(url), new Error(`cannot fetch ${url}: nothing answers there`, { cause }));
  }
  if (!response.ok) {
    throw new Error(`cannot fetch ${url}: the server answered ${response.status}`);
  }
  return response;
}

/**
 * The core makes the best of whatever is JSON. A person who drops something else means something else.
 * @param {string} name
 * @param {import('marrow2d').Model} model
 * @param {string} text
 */
function refuseOthers(name, { bones, parts, warnings }, text) {
  const advice = 'What was open still is.';
  if (warnings.some(({ code, path }) => code === 'BAD_TYPE' && path === '$')) {
    const value = JSON.parse(text);
    const found = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
    throw new FileError(name, new Error(`this is no rig: a rig is a JSON object, and this is ${found}`), advice);
  }
  if (bones.length === 0 && parts.every(({ triangleCount }) => triangleCount === 0)) {
    throw new FileError(name, new Error('this is no rig: it has neither a bone nor a triangle'), advice);
  }
}

/**
 * @param {import('marrow2d').Model} model
 * @param {ReadonlyMap<string, Picture>} pictures
 * @returns {Missing[]}
 */
function missingOf(model, pictures) {
  return model.sprites
    .map((each, index) => ({
      guid: each.guid, path: pathOf(model, each), parts: model.parts.filter(({ sprite }) => sprite === index).map(({ name }) => name),
    }))
    .filter(({ guid, parts }) => parts.length > 0 && !pictures.has(guid));
}
