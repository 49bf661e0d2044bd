import path from 'node:path';
import { canonical, guidOf, prefab } from '../author.js';
import { UsageError, outputOption, standardOutput } from './command.js';
import { core, inFile, locate, readFileBytes } from './files.js';
import { note, printJson, writeOutput } from './output.js';

/** @typedef {{ text: string, dropped: string[], warnings: import('../types.js').WarningData[] }} Converted */

/** @type {import('./command.js').Command} */
export const convert = {
  name: 'convert',
  summary: 'rewrite a file, or turn it into another format',
  usage: 'marrow convert IN -o OUT [--json]',
  details: `The ending of OUT decides:
  IN .rig2d.json  -> .rig2d.json   canonical form, repaired; members that the format does not know are kept
  IN .rig2d.json  -> .prefab.json  an entity that shows the rig and one for each bone
  IN .anim.json   -> .anim.json    canonical form, repaired
-o - writes the canonical form to standard output.
What the other format cannot hold is said. glTF and Re2D come with later versions.`,
  options: { output: { type: 'string', short: 'o', value: 'OUT', help: 'where the result goes' } },
  files: { least: 1, most: 1 },
  async run(input) {
    const output = outputOption(input);
    if (/\.(gltf|glb|character\.json)$/i.test(output)) {
      throw new UsageError(`${path.basename(output)}: that format is written by a later version`);
    }
    await core();
    const { rig: file } = locate(input.files[0]);
    const bytes = await readFileBytes(file);
    let converted;
    try {
      converted = convertBytes(file, bytes, output);
    } catch (error) {
      throw inFile(file, error);
    }
    await writeOutput(output, converted.text);
    if (input.json) {
      printJson({ input: file, output, dropped: converted.dropped, warnings: converted.warnings });
    } else {
      for (const { path: place, message } of converted.warnings) {
        note(`repaired: ${place}: ${message}`);
      }
      note(`wrote ${output}: ${converted.dropped.length === 0 ? 'nothing was dropped' : `dropped ${converted.dropped.join(', ')}`}`);
    }
    return 0;
  },
};

/**
 * @param {string} file
 * @param {Uint8Array} bytes
 * @param {string} output
 * @returns {Converted}
 */
function convertBytes(file, bytes, output) {
  const isClip = /\.anim\.json$/i.test(file);
  if (/\.prefab\.json$/i.test(output) && !isClip) {
    const { text, warnings } = canonical('rig2d', bytes);
    const name = path.basename(output).replace(/\.prefab\.json$/i, '');
    const made = prefab(JSON.parse(text), { name, guid: guidOf(`prefab ${guidOf(bytes)} ${name}`) });
    return { text: `${JSON.stringify(made, null, 2)}\n`, warnings, dropped: ['meshes and weights (the prefab names the rig by its id)'] };
  }
  const wanted = isClip ? '.anim.json' : '.rig2d.json';
  if (output !== standardOutput && !output.toLowerCase().endsWith(wanted)) {
    throw new UsageError(`${path.basename(file)} can become ${isClip ? wanted : `${wanted} or .prefab.json`}, not ${path.basename(output)}`);
  }
  const { text, warnings } = canonical(isClip ? 'anim' : 'rig2d', bytes);
  return { text, warnings, dropped: [] };
}
