import { MarrowError } from '../errors.js';
import { UsageError, numberOption, textOption } from './command.js';
import { inFile, readFileBytes } from './files.js';

/** @typedef {import('../instance.js').Instance} Instance */
/** @typedef {import('../model.js').Model} Model */
/** @typedef {{ x?: number, y?: number, rot?: number, sx?: number, sy?: number }} BonePose */

const fieldNames = /** @type {const} */ ({ x: 'x', y: 'y', rot: 'rotation', sx: 'scaleX', sy: 'scaleY' });

/**
 * The clip that the options ask for, and its time; null for the bind pose.
 * @param {import('./command.js').Input} input
 * @param {Model} model
 * @param {number[]} given clips that were named on the command line
 * @param {boolean} [moving] the first clip when nothing is asked for
 */
export function chosenClip(input, model, given, moving = false) {
  const name = textOption(input, 'clip');
  const time = numberOption(input, 'time');
  if (name === undefined && given.length === 0 && time === undefined && !moving) {
    return null;
  }
  if (model.clips.length === 0 && model.clipTable.length === 0) {
    throw new UsageError('there is no clip: name an .anim.json after the rig');
  }
  if (name === undefined) {
    return { index: given[0] ?? clipAt(model, 0), time: time ?? 0 };
  }
  const isIndex = /^\d+$/.test(name) && !model.clips.some((clip) => clip.name === name);
  return { index: isIndex ? clipAt(model, Number(name)) : clipNamed(model, name), time: time ?? 0 };
}

/**
 * Clips count as the rig's own table has them, whether they are there or not; then come the others.
 * @param {Model} model
 * @param {number} place
 */
function clipAt(model, place) {
  const clip = model.clipTable[place] ?? place - model.clipTable.filter((each) => typeof each === 'string').length;
  if (typeof clip === 'string') {
    throw new MarrowError('NOT_FOUND', clip);
  }
  return model.clipIndex(clip);
}

/**
 * @param {Model} model
 * @param {string} name
 */
function clipNamed(model, name) {
  try {
    return model.clipIndex(name);
  } catch (error) {
    const lost = model.clipTable.filter((each) => typeof each === 'string');
    throw lost.length === 0 ? error : new MarrowError('NOT_FOUND', [/** @type {Error} */ (error).message, ...lost].join('; '));
  }
}

/**
 * The POSE.json that the options name, or null.
 * @param {import('./command.js').Input} input
 */
export async function chosenPose(input) {
  const file = textOption(input, 'pose');
  if (file === undefined) {
    return null;
  }
  const text = (await readFileBytes(file)).toString().replace(/^\ufeff/, '');
  try {
    return { file, ...checkedPose(JSON.parse(text)) };
  } catch (error) {
    throw error instanceof MarrowError ? inFile(file, error) : new MarrowError('BAD_JSON', `${file}: not valid JSON (${plain(error)})`);
  }
}

/**
 * What the engine says of bad JSON, without the text that it quotes.
 * @param {unknown} error
 */
function plain(error) {
  return /** @type {Error} */ (error).message.split(',')[0].replace(/[^ -~]+/g, '?');
}

/**
 * @param {any} value
 * @returns {{ bones: Record<string, BonePose | null>, deform: Record<string, number[]> }}
 */
function checkedPose(value) {
  const bones = checkedMap(value, 'bones');
  for (const member of Object.keys(value)) {
    if (member !== 'bones' && member !== 'deform') {
      throw bad('UNKNOWN', `$.${member}`, 'expected bones or deform');
    }
  }
  for (const [name, pose] of Object.entries(bones)) {
    if (pose !== null && (typeof pose !== 'object' || Array.isArray(pose))) {
      throw bad('BAD_TYPE', `$.bones["${name}"]`, 'expected an object or null');
    }
    for (const [field, number] of Object.entries(pose ?? {})) {
      if (!Object.hasOwn(fieldNames, field)) {
        throw bad('UNKNOWN', `$.bones["${name}"].${field}`, `expected one of ${Object.keys(fieldNames).join(', ')}`);
      }
      if (typeof number !== 'number') {
        throw bad('BAD_TYPE', `$.bones["${name}"].${field}`, 'expected a number');
      }
    }
  }
  const deform = checkedMap(value, 'deform');
  for (const [name, offsets] of Object.entries(deform)) {
    if (!Array.isArray(offsets) || !offsets.every((offset) => typeof offset === 'number')) {
      throw bad('BAD_TYPE', `$.deform["${name}"]`, 'expected an array of numbers');
    }
  }
  return { bones, deform };
}

/**
 * @param {any} value
 * @param {string} member
 * @returns {Record<string, any>}
 */
function checkedMap(value, member) {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw bad('BAD_TYPE', '$', 'expected an object');
  }
  const map = value[member] ?? {};
  if (typeof map !== 'object' || Array.isArray(map)) {
    throw bad('BAD_TYPE', `$.${member}`, 'expected an object');
  }
  return map;
}

/**
 * @param {string} code
 * @param {string} place
 * @param {string} message
 */
function bad(code, place, message) {
  return new MarrowError(code, `${place}: ${message}`, { path: place });
}

/**
 * Shows a clip at a time, then a pose by hand over it.
 * @param {Instance} hero
 * @param {{ index: number, time: number } | null} clip
 * @param {Awaited<ReturnType<typeof chosenPose>>} pose
 */
export function strike(hero, clip, pose) {
  if (clip !== null) {
    hero.play(clip.index, { loop: false }).seek(clip.time);
  }
  if (pose !== null) {
    try {
      lay(hero, pose);
    } catch (error) {
      throw inFile(pose.file, error);
    }
  }
  hero.world.update(0);
}

/**
 * @param {Instance} hero
 * @param {ReturnType<typeof checkedPose>} pose
 */
function lay(hero, pose) {
  const bones = Object.entries(pose.bones).map(([name, values]) => ({ node: known(hero, name), values }));
  for (const { node, values } of bones) {
    if (values !== null) {
      node.override(Object.fromEntries(Object.entries(values).map(([field, number]) => [fieldNames[/** @type {keyof BonePose} */ (field)], number])));
    }
  }
  for (const { node, values } of bones) {
    if (values === null) {
      node.remove();
    }
  }
  for (const [part, offsets] of Object.entries(pose.deform)) {
    hero.setDeform(part, offsets);
  }
}

/**
 * @param {Instance} hero
 * @param {string} name
 */
function known(hero, name) {
  const node = hero.findNode(name);
  if (node === null) {
    throw bad('BAD_REFERENCE', `$.bones["${name}"]`, 'the rig has no bone of that name');
  }
  return node;
}
