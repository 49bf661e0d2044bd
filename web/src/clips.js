import { FileError } from './files.js';
import { listNames } from './names.js';

/** @typedef {import('./files.js').TextFile} TextFile */

/**
 * What is wrong with something that is open all the same.
 * @typedef {{ file: string, path: string | null, message: string, advice: string | null }} Fault
 */

/**
 * @param {string} file
 * @param {{ path: string, message: string }} warning
 * @returns {Fault}
 */
export function repairOf(file, { path, message }) {
  return { file, path, message, advice: 'It was repaired while it was read.' };
}

/** Where a clip names what it moves. */
const target = /^\$\.(tracks|deformTracks)\[\d+\]\.(path|field|type|part)$/;

/**
 * Adds clips to a rig, to learn what there is to say of them. The model keeps whatever can be read.
 * @param {import('marrow2d').Model} model
 * @param {readonly TextFile[]} clips
 * @param {string} rigName
 * @returns {{ good: TextFile[], faults: Fault[], bad: Map<TextFile, FileError> }} bad: what cannot be read, or moves nothing there
 */
export function tryClips(model, clips, rigName) {
  /** @type {ReturnType<typeof tryClips>} */
  const tried = { good: [], faults: [], bad: new Map() };
  for (const clip of clips) {
    try {
      tried.faults.push(...tryClip(model, clip, rigName));
      tried.good.push(clip);
    } catch (error) {
      if (!(error instanceof FileError)) {
        throw error;
      }
      tried.bad.set(clip, error);
    }
  }
  return tried;
}

/**
 * @param {import('marrow2d').Model} model
 * @param {TextFile} clip
 * @param {string} rigName
 * @returns {Fault[]}
 */
function tryClip(model, { name, text }, rigName) {
  const before = model.warnings.length;
  let index;
  try {
    index = model.clipIndex(model.addClip(text));
  } catch (cause) {
    throw new FileError(name, cause);
  }
  const added = model.clips[index];
  const warnings = model.warnings.slice(before);
  const prefix = `clip "${added.name}": `;
  const lost = warnings.filter(({ path, message }) => target.test(path) && message.startsWith(prefix));
  const { tracks, deformTracks } = added;
  const count = tracks.length + deformTracks.length;
  const faults = warnings.map(({ path, message }) => repairOf(name, { path, message: message.replace(prefix, '') }));
  if (!/"(tracks|deformTracks|events)"\s*:/.test(text)) {
    throw new FileError(name, new Error('this is no clip: it has neither tracks nor events'), 'What was open still is.');
  }
  if (count > 0 && lost.length >= count) {
    const wanted = new Set([...tracks.map(({ path, field }) => path || field), ...deformTracks.map(({ part }) => part)]);
    const bones = model.bones.length === 0 ? 'There are no bones.' : `The bones there are ${listNames(model.bones.map((bone) => bone.name))}.`;
    throw new FileError(name, new Error(`this clip moves ${listNames([...wanted])}, and ${rigName} has nothing of that`),
      `It was not added. ${bones} Drop the clip together with the rig that it is for.`);
  }
  return faults;
}
