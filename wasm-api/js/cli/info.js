import { existsSync } from 'node:fs';
import path from 'node:path';
import { isInside } from '../load.js';
import { core, fileOf, open } from './files.js';
import { plural, print, printJson, size, table } from './output.js';

/** @type {import('./command.js').Command} */
export const info = {
  name: 'info',
  summary: 'what a rig holds and what it depends on',
  usage: 'marrow info FILE [ANIM...] [--json]',
  details: 'Lists bones, parts, clips, influences, bounds, memory, repairs, and the files that the rig names.',
  options: {},
  files: { least: 1, most: Infinity },
  async run({ files, json }) {
    const marrow = await core();
    const { model, rig, missing } = await open(marrow, files[0], { clips: files.slice(1) });
    const data = model.describe();
    const pictures = data.sprites.map(({ guid, page }) => ({
      guid,
      file: fileOf(model.images[page]?.url),
      found: !missing.includes(guid),
    }));
    const others = data.assets.filter(({ guid }) => !pictures.some((picture) => picture.guid === guid)).map((asset) => {
      const file = path.join(path.dirname(rig), asset.path);
      return { guid: asset.guid, file, found: isInside(asset.path) && existsSync(file) };
    });
    const dependencies = [...pictures, ...others];
    if (json) {
      printJson({ file: rig, format: 'rig2d', ...data, dependencies });
    } else {
      print(text(rig, data, dependencies));
    }
    return 0;
  },
};

/**
 * @param {string} rig
 * @param {import('../types.js').ModelData} data
 * @param {{ guid: string, file: string | null, found: boolean }[]} dependencies
 */
function text(rig, data, dependencies) {
  const { bones, parts, clips, bounds, warnings } = data;
  const roots = bones.filter(({ parent }) => bones[parent] === undefined).length;
  const triangles = parts.reduce((sum, part) => sum + part.triangleCount, 0);
  const vertices = parts.reduce((sum, part) => sum + part.vertexCount, 0);
  const lines = [
    `${path.basename(rig)}: 2D rig, version ${data.fileVersion}${data.id === null ? '' : `, id ${data.id}`}`,
    '',
    `${plural('bone', bones.length)}, ${plural('root', roots)}`,
    ...(bones.length === 0 ? [] : [table(['bone', 'parent', 'x', 'y', 'degrees'], bones.map((bone) => [
      bone.name, bones[bone.parent]?.name ?? '-', round(bone.x), round(bone.y), round((bone.rotation * 180) / Math.PI),
    ]))]),
    '',
    `${plural('part', parts.length)} in draw order, ${plural('vertex', vertices).replace('vertexs', 'vertices')}, ${plural('triangle', triangles)}`,
    table(['part', 'order', 'vertices', 'triangles', 'influences', 'visible', 'sprite'], parts.map((part) => [
      part.name, part.order, part.vertexCount, part.triangleCount, part.maxInfluences, part.visible ? 'yes' : 'no',
      data.sprites[part.sprite]?.guid ?? '-',
    ])),
    '',
    plural('clip', clips.length),
    ...(clips.length === 0 ? [] : [table(['clip', 'seconds', 'tracks', 'deforms', 'events', 'loop'], clips.map((clip) => [
      clip.name, round(clip.duration), clip.tracks.length, clip.deformTracks.length, clip.events.length, clip.loop ? 'yes' : 'no',
    ]))]),
    '',
    `influences  ${data.influenceCount} in all, at most ${data.maxInfluences} a vertex`,
    `bounds      ${round(bounds.minX)}, ${round(bounds.minY)} to ${round(bounds.maxX)}, ${round(bounds.maxY)} (bind pose)`,
    `memory      ${size(data.memory)}, shared by all instances`,
    '',
    dependencies.length === 0 ? 'depends on no other file' : 'depends on',
    ...dependencies.map(({ guid, file, found }) => `  ${guid}  ${found ? file : `not found${file === null ? '' : ` (${file})`}`}`),
    ...(warnings.length === 0 ? [] : ['', `${plural('repair', warnings.length)} (marrow check tells more)`]),
  ];
  return lines.join('\n');
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 1000) / 1000 + 0;
}
