import { FileError } from './files.js';
import { listNames } from './names.js';

/** @typedef {Omit<import('./panels/cards.jsx').CardData, 'id'>} Note */
/** @typedef {import('./workspace.js').Scene} Scene */
/** @typedef {import('./files.js').OwnPicture} OwnPicture */

/**
 * What there is to say of the pictures of a scene.
 * @param {Scene} scene
 * @param {{ use: (picture: OwnPicture, guid: string) => void, make: (picture: OwnPicture) => void }} acts
 * @returns {Note[]}
 */
export function notePictures({ name, model, missing, spare }, { use, make }) {
  const notes = spare.map((picture) => noteSpare(picture, missing, use, make));
  if (model.sprites.length === 0 && model.parts.some(({ triangleCount }) => triangleCount > 0)) {
    notes.push(note(name, 'This rig names no picture, so its mesh is shown with squares.', 'Give its parts a "sprite" to see one.'));
  } else if (missing.length > 0 && spare.length === 0) {
    const wanted = missing.map(({ guid, path, parts }) => `${listNames(parts)} (${path ?? guid})`);
    notes.push(note(name, `No picture for ${listNames(wanted, '; ')}: squares are shown instead.`, 'Drop the missing pictures onto the page.'));
  }
  if (model.parts.every(({ triangleCount }) => triangleCount === 0)) {
    notes.push(note(name, 'No part has a triangle, so there is nothing to draw.', 'Its bones are shown instead.'));
  }
  return notes;
}

/**
 * @param {OwnPicture} picture that no sprite asked for
 * @param {readonly import('./workspace.js').Missing[]} missing
 * @param {(picture: OwnPicture, guid: string) => void} use
 * @param {(picture: OwnPicture) => void} make
 * @returns {Note}
 */
function noteSpare(picture, missing, use, make) {
  const wanted = missing.flatMap(({ path }) => path ?? []);
  const asked = wanted.length > 0 ? ` The rig asks for ${listNames(wanted)}.` : '';
  return {
    ...(missing.length > 0 ? note(picture.name, `No part asks for a picture of this name.${asked}`, 'Say whose it is, or rename it as the rig names it.')
      : note(picture.name, 'Every part has its picture already, so this one is not used.', null)),
    choices: [
      ...missing.slice(0, 6).map(({ guid, parts }) => ({ label: `Use for ${listNames(parts)}`, act: () => use(picture, guid) })),
      { label: 'Make a rig of it', act: () => make(picture) },
    ],
  };
}

/**
 * Repairs, and what was left out: two of each file, and how many more there are.
 * @param {Scene} scene
 * @returns {Note[]}
 */
export function noteFaults({ faults }) {
  return [...new Set(faults.map(({ file }) => file))].flatMap((file) => {
    const all = faults.filter((each) => each.file === file);
    return [
      ...all.slice(0, 2).map(({ path, message, advice }) => ({ ...note(file, message, advice), path })),
      ...(all.length > 2 ? [note(file, `${all.length - 2} more repairs.`, `marrow check ${file} lists them.`)] : []),
    ];
  });
}

/**
 * Characters that came with the one that is shown.
 * @template {{ name: string }} T
 * @param {readonly T[]} others
 * @param {(other: T) => void} show
 * @returns {Note}
 */
export function noteOthers(others, show) {
  return {
    ...note(others.length === 1 ? others[0].name : `${others.length} more characters`, 'Opened too, and in the list of characters at the top left.', null),
    choices: others.slice(0, 6).map((other) => ({ label: `Show ${other.name}`, act: () => show(other) })),
  };
}

/**
 * Something in the address that means nothing.
 * @param {import('./url.js').Unknown} unknown
 * @returns {Note}
 */
export function noteUnknown({ name, value, known }) {
  return { ...note('The address', `${name} can be: ${known}.`, null), path: `${name}=${value}` };
}

/** Errors that are worth a card of their own. */
const mostErrors = 8;

/**
 * @param {readonly FileError[]} errors
 * @returns {readonly FileError[]} few enough to be read
 */
export function groupErrors(errors) {
  const [first, rest] = [errors.slice(0, mostErrors), errors.slice(mostErrors)];
  return rest.length === 0 ? first
    : [...first, new FileError(`${rest.length} more files`, new Error(`could not be opened: ${rest.map(({ file }) => file).join(', ')}`))];
}

/**
 * @param {string} title
 * @param {string} text
 * @param {string | null} advice
 * @returns {Note}
 */
function note(title, text, advice) {
  return { kind: 'note', title, path: null, text, advice, choices: [] };
}
