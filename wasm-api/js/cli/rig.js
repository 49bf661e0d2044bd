import path from 'node:path';
import { alphaMask, autoRig, autoWeights, canonical, decodePng, drawInstance, encodePng, generateGrid, guidOf, suggestBones } from '../author.js';
import { MarrowError } from '../errors.js';
import { isInside } from '../load.js';
import { UsageError, checkEnding, keepInputs, numberOption, outputOption, textOption } from './command.js';
import { core, inFile, readFileBytes } from './files.js';
import { note, plural, printJson, writeOutput } from './output.js';
import { drawSkeleton } from './overlay.js';
import { fit } from '../author/moments.js';

/** @typedef {{ file: string, guid: string, image: ReturnType<typeof decodePng> }} Picture */

const defaultCell = 48;
const mostCells = 24;

/** @type {import('./command.js').Command} */
export const rig = {
  name: 'rig',
  summary: 'make a rig for a picture',
  usage: 'marrow rig IMAGE.png... -o OUT.rig2d.json [--bones N] [--cols N --rows N | --cell N] [--preview OUT.png] [--json]',
  details: `Lays a grid over the opaque pixels, a chain of bones along the longer side, and weights by the distance to the joints.
Several pictures of one size become the parts of one rig, the first behind. The sprite's GUID is made from the picture's bytes,
and the rig's "assets" table says where the picture lies, relative to OUT. A picture from outside the folder of OUT is copied into it.
--method contour (outline, triangulation, limbs) comes with a later version, and with it --density and --softness.`,
  options: {
    output: { type: 'string', short: 'o', value: 'OUT.rig2d.json', help: 'where the rig goes; - is standard output' },
    method: { type: 'string', value: 'contour|grid', help: 'how; grid is what this version does' },
    bones: { type: 'string', value: 'N', help: '2 to 6 bones; default by the size' },
    cols: { type: 'string', value: 'N', help: 'columns of the grid' },
    rows: { type: 'string', value: 'N', help: 'rows of the grid' },
    cell: { type: 'string', value: 'N', help: `size of a cell in pixels; ${defaultCell}` },
    density: { type: 'string', value: 'light|normal|fine', help: 'of the contour method' },
    softness: { type: 'string', value: 'R', help: 'of the contour method' },
    preview: { type: 'string', value: 'OUT.png', help: 'draw the result with its mesh and bones' },
  },
  files: { least: 1, most: Infinity },
  async run(input) {
    const output = outputOption(input, '.rig2d.json');
    const preview = textOption(input, 'preview');
    keepInputs(output, input.files);
    if (preview !== undefined) {
      checkEnding('--preview', preview, ['.png']);
      keepInputs(preview, [...input.files, output]);
    }
    refuseContour(input);
    const choices = {
      boneCount: numberOption(input, 'bones', { least: 2, most: 6, integer: true }),
      columns: numberOption(input, 'cols', { least: 1, most: 1000, integer: true }),
      rows: numberOption(input, 'rows', { least: 1, most: 1000, integer: true }),
      cellSize: numberOption(input, 'cell', { least: 1 }),
    };
    const marrow = await core();
    const pictures = await Promise.all(input.files.map(readPicture));
    const made = pictures.length === 1 ? rigOne(pictures[0], choices) : rigLayers(pictures, choices);
    if (!('mesh' in made ? [made] : made.parts ?? []).every(({ mesh }) => mesh !== undefined && mesh.tris.length > 0)) {
      throw new MarrowError('BAD_VALUE', 'the grid has no cell that covers a pixel: take a smaller --cell or more --cols and --rows');
    }
    /** @type {Record<string, string>} */
    const assets = {};
    for (const picture of pictures) {
      assets[picture.guid] = await placePicture(path.dirname(output), picture);
    }
    const { text } = canonical('rig2d', JSON.stringify({ id: guidOf(`rig ${pictures.map(({ guid }) => guid).join(' ')}`), ...made, assets }));
    await writeOutput(output, text);

    const model = marrow.loadRig2d(text);
    if (preview !== undefined) {
      await writeOutput(preview, encodePng(drawPreview(marrow, model, pictures)));
    }
    report(input.json, output, preview, model);
    return 0;
  },
};

/** @param {import('./command.js').Input} input */
function refuseContour(input) {
  const method = textOption(input, 'method') ?? 'grid';
  if (method === 'contour') {
    throw new UsageError('--method contour comes with a later version; this one has --method grid');
  }
  if (method !== 'grid') {
    throw new UsageError(`--method takes contour or grid, not "${method}"`);
  }
  for (const name of ['density', 'softness']) {
    if (input.options[name] !== undefined) {
      throw new UsageError(`--${name} belongs to --method contour, which comes with a later version`);
    }
  }
}

/**
 * @param {string} file
 * @returns {Promise<Picture>}
 */
async function readPicture(file) {
  const bytes = await readFileBytes(file);
  try {
    const image = decodePng(bytes);
    return { file, guid: guidOf(bytes), image };
  } catch (error) {
    throw inFile(file, error);
  }
}

/** @typedef {{ boneCount?: number, columns?: number, rows?: number, cellSize?: number }} Choices */

/**
 * @param {Picture} picture
 * @param {Choices} choices
 */
function rigOne({ file, guid, image }, choices) {
  const mask = maskOf(file, image);
  return autoRig({ width: image.width, height: image.height, sprite: guid, mask, ...choices });
}

/**
 * Layers of one picture: a skeleton for all of them together, a mesh each.
 * @param {Picture[]} pictures
 * @param {Choices} choices
 */
function rigLayers(pictures, { boneCount, columns, rows, cellSize = defaultCell }) {
  const { width, height } = pictures[0].image;
  const other = pictures.find(({ image }) => image.width !== width || image.height !== height);
  if (other !== undefined) {
    throw new MarrowError('BAD_VALUE', `${other.file} has ${other.image.width} x ${other.image.height} pixels, ${pictures[0].file} has `
      + `${width} x ${height}: the layers of one rig must have the same size`);
  }
  const masks = pictures.map(({ file, image }) => maskOf(file, image));
  const together = { ...masks[0], inside: masks[0].inside.map((_, cell) => Number(masks.some(({ inside }) => inside[cell] !== 0))) };
  const bones = suggestBones({ width, height, mask: together, count: boneCount });
  const cells = {
    columns: columns ?? cellCount(width, cellSize),
    rows: rows ?? cellCount(height, cellSize),
  };
  const parts = pictures.map(({ file, guid }, index) => {
    const mesh = generateGrid({ width, height, ...cells, mask: masks[index] });
    return { name: path.basename(file, path.extname(file)), sprite: guid, mesh, ...autoWeights(mesh.verts, bones), order: index };
  });
  return { version: 2, bones, parts };
}

/**
 * @param {number} side
 * @param {number} cellSize
 */
function cellCount(side, cellSize) {
  return Math.min(mostCells, Math.max(1, Math.round(side / cellSize)));
}

/**
 * @param {string} file
 * @param {Picture['image']} image
 */
function maskOf(file, image) {
  const mask = alphaMask(image);
  if (!mask.inside.some((cell) => cell !== 0)) {
    throw new MarrowError('BAD_IMAGE', `${file}: every pixel is transparent, there is nothing to rig`);
  }
  return mask;
}

/**
 * The way from the rig's folder to a picture. One from elsewhere is copied into the folder, which no path of a rig may leave, under the
 * name by which it is found there without a table, too: its GUID.
 * @param {string} folder
 * @param {Picture} picture
 */
async function placePicture(folder, { file, guid }) {
  const direct = path.relative(folder, file).split(path.sep).join('/');
  if (isInside(direct)) {
    return direct;
  }
  const name = `${guid}.png`;
  await writeOutput(path.join(folder, name), await readFileBytes(file));
  note(`copied ${file} to ${path.join(folder, name)}, beside the rig`);
  return name;
}

/**
 * @param {import('../index.js').Marrow} marrow
 * @param {import('../index.js').Model} model
 * @param {Picture[]} pictures
 */
function drawPreview(marrow, model, pictures) {
  for (const { guid, image } of pictures) {
    model.setImage(guid, image);
  }
  const hero = marrow.createWorld().add(model);
  hero.world.update(0);
  const { width, height, matrix } = fit(hero.bounds, {});
  const image = drawInstance(hero, { width, height, matrix, background: 0xffffffff });
  drawSkeleton(image, hero, matrix);
  return image;
}

/**
 * @param {boolean} json
 * @param {string} output
 * @param {string | undefined} preview
 * @param {import('../index.js').Model} model
 */
function report(json, output, preview, model) {
  const { bones, parts } = model;
  const vertices = parts.reduce((sum, part) => sum + part.vertexCount, 0);
  const triangles = parts.reduce((sum, part) => sum + part.triangleCount, 0);
  if (json) {
    printJson({
      output, preview: preview ?? null, method: 'grid', id: model.id, bones: bones.map(({ name }) => name), parts: parts.map(({ name }) => name),
      vertices, triangles, sprites: model.sprites.map(({ guid }) => guid),
    });
  } else {
    note(`wrote ${output}: ${plural('bone', bones.length)}, ${plural('part', parts.length)}, ${vertices} vertices, ${plural('triangle', triangles)} `
      + '(method grid; contour comes with a later version)');
    if (preview !== undefined) {
      note(`wrote ${preview}`);
    }
  }
}
