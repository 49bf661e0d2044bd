import { readFile } from 'node:fs/promises';
import { MarrowError } from '../errors.js';
import { UsageError, numberOption, textOption } from './command.js';
import { inFile } from './files.js';

/** @typedef {import('../instance.js').Instance} Instance */
/** @typedef {import('../model.js').Model} Model */
/** @typedef {{ x?: number, y?: number, rot?: number, sx?: number, sy?: number }} BonePose */

const fieldNames = /** @type {const} */ ({ x: 'x', y: 'y', rot: 'rotation', sx: 'scaleX', sy: 'scaleY' });

/**
 * The clip that the options ask for, and its time; null for the bind pose.
 * @param {import('./command.js').Input} input
 * @param {Model} model
 * @param {number[]} given clips that were named on the command line
 */
export function chosenClip(input, model, given) {
  const name = textOption(input, 'clip');
  const time = numberOption(input, 'time');
  if (name === undefined && given.length === 0 && time === undefined) {
    return null;
  }
  if (model.clips.length === 0) {
    throw new UsageError('there is no clip: name an .anim.json after the rig');
  }
  const isIndex = name !== undefined && /^\d+$/.test(name) && !model.clips.some((clip) => clip.name === name);
  const index = name === undefined ? given[0] ?? 0 : model.clipIndex(isIndex ? Number(name) : name);
  return { index, time: time ?? 0 };
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
  let text;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw new MarrowError('FETCH', `cannot read ${file} (${/** @type {any} */ (cause).code})`, { cause });
  }
  try {
    return checkedPose(JSON.parse(text));
  } catch (error) {
    throw error instanceof MarrowError ? inFile(file, error) : new MarrowError('BAD_JSON', `${file}: ${/** @type {Error} */ (error).message}`);
  }
}

/**
 * @param {any} value
 * @returns {{ bones: Record<string, BonePose | null>, deform: Record<string, number[]> }}
 */
function checkedPose(value) {
  const bones = checkedMap(value, 'bones');
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
  hero.world.update(0);
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
