import { keepInputs, outputOption, poseHelp, poseOptions, textOption } from './command.js';
import { core, open } from './files.js';
import { note, print, shortFloat, table, writeOutput } from './output.js';
import { chosenClip, chosenPose, strike } from './stage.js';

/** @type {import('./command.js').Command} */
export const pose = {
  name: 'pose',
  summary: 'bones and deformed vertices of a pose, as numbers',
  usage: 'marrow pose FILE [ANIM...] [--clip NAME|INDEX --time T] [--pose POSE.json] [-o OUT.json] [--json]',
  details: `${poseHelp}
With --json or -o:
{ "bones": [ { "name", "index", "matrix": [a, b, c, d, e, f] } ],       root-local; null for a bone that is not there
  "parts": [ { "name", "order", "visible", "positions": [x0, y0, ...] } ] }
in the file's own order of bones, parts and vertices. Without either, a table.`,
  options: {
    ...poseOptions,
    output: { type: 'string', short: 'o', value: 'OUT.json', help: 'write the JSON there; - is standard output' },
  },
  files: { least: 1, most: Infinity },
  async run(input) {
    const output = input.options.output === undefined ? undefined : outputOption(input, '.json');
    const marrow = await core();
    const { model, rig, given } = await open(marrow, input.files[0], { clips: input.files.slice(1), images: false });
    if (output !== undefined) {
      keepInputs(output, [rig, ...input.files.slice(1), textOption(input, 'pose') ?? rig]);
    }
    const clip = chosenClip(input, model, given);
    const byHand = await chosenPose(input);
    const hero = marrow.createWorld().add(model);
    const bones = model.bones.map(({ node }) => hero.nodeAt(node));
    strike(hero, clip, byHand);
    const result = {
      bones: bones.map((bone, index) => ({ name: bone.name, index, matrix: bone.isAlive ? Array.from(bone.matrix, shortFloat) : null })),
      parts: [...hero.parts].sort((a, b) => a.fileIndex - b.fileIndex).map((part) => ({
        name: part.name,
        order: shortFloat(part.order),
        visible: part.visible,
        positions: filePositions(part),
      })),
    };
    if (output !== undefined) {
      await writeOutput(output, `${format(result)}\n`);
      note(`wrote ${output}`);
    }
    if (input.json) {
      print(format(result));
    } else if (output === undefined) {
      print(text(result));
    }
    return 0;
  },
};

/**
 * @param {import('../part.js').Part} part
 * @returns {number[]} in the file's order of vertices
 */
export function filePositions(part) {
  const { positions, vertexMap } = part;
  const result = new Array(positions.length);
  for (let index = 0; index < vertexMap.length; index += 1) {
    result[vertexMap[index] * 2] = shortFloat(positions[index * 2]);
    result[vertexMap[index] * 2 + 1] = shortFloat(positions[index * 2 + 1]);
  }
  return result;
}

/**
 * One line a bone, one a part.
 * @param {{ bones: object[], parts: object[] }} result
 */
function format({ bones, parts }) {
  /** @param {object[]} list */
  const lines = (list) => (list.length === 0 ? '[]' : `[\n${list.map((each) => `    ${JSON.stringify(each)}`).join(',\n')}\n  ]`);
  return `{\n  "bones": ${lines(bones)},\n  "parts": ${lines(parts)}\n}`;
}

/**
 * @param {{ bones: { name: string, matrix: number[] | null }[], parts: { name: string, order: number, visible: boolean, positions: number[] }[] }} result
 */
function text({ bones, parts }) {
  const boneRows = bones.map(({ name, matrix }) => (matrix === null
    ? [name, '-', '-', '-']
    : [name, round(matrix[4]), round(matrix[5]), round((Math.atan2(matrix[1], matrix[0]) * 180) / Math.PI)]));
  const partRows = parts.map(({ name, order, visible, positions }) => [name, order, visible ? 'yes' : 'no', positions.length / 2, extent(positions)]);
  return [
    table(['bone', 'x', 'y', 'degrees'], boneRows), '',
    table(['part', 'order', 'visible', 'vertices', 'extent'], partRows),
  ].join('\n');
}

/** @param {number[]} positions */
function extent(positions) {
  if (positions.length === 0) {
    return '-';
  }
  const low = [Infinity, Infinity];
  const high = [-Infinity, -Infinity];
  positions.forEach((value, index) => {
    low[index % 2] = Math.min(low[index % 2], value);
    high[index % 2] = Math.max(high[index % 2], value);
  });
  return `${round(low[0])}, ${round(low[1])} to ${round(high[0])}, ${round(high[1])}`;
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 1000) / 1000 + 0;
}
