import { encodePng } from '../author.js';
import { GifWriter, SheetWriter, drawMoment, gifMoments, largestByDefault, moments, mostGifFrames, planMoments } from '../author/moments.js';
import { UsageError, keepInputs, outputOption, poseHelp, poseOptions, textOption } from './command.js';
import { core, fileOf, open } from './files.js';
import { Progress, note, printJson, writeOutput } from './output.js';
import { chosenClip, chosenPose, strike } from './stage.js';

/** @typedef {import('../author/moments.js').SizeChoice} SizeChoice */

const largestSide = 16384;
const mostPixels = 64e6;
const mostCells = 1000;
/** Frames of a GIF a second. */
const gifRate = 25;

/** @type {import('./command.js').Command} */
export const render = {
  name: 'render',
  summary: 'draw a pose, a sheet of poses, or an animated GIF',
  usage: 'marrow render FILE [ANIM...] [--clip NAME|INDEX --time T] [--pose POSE.json] [--size WxH|N] [--view X,Y,S] [--sheet CxR | --gif] -o OUT',
  details: `Without --size, one unit is one pixel, at most ${largestByDefault} on a side. --size N makes the longer side N, --size WxH
fits the picture into W x H; for --sheet it is the size of one cell. --sheet 4x2 draws eight moments of the clip, row by row;
--gif draws all of it, ${gifRate} frames a second. --view puts a point of the rig in the middle,
at S pixels a unit, instead of fitting what is seen; it is what the viewer's address calls view. Pictures are found through the rig's "assets" table, else in its folder.
${poseHelp}`,
  options: {
    ...poseOptions,
    size: { type: 'string', value: 'WxH|N', help: 'size in pixels' },
    view: { type: 'string', value: 'X,Y,S', help: 'the point in the middle and pixels a unit; needs --size WxH' },
    background: { type: 'string', value: 'RRGGBB[AA]', help: 'colour behind; default transparent' },
    sheet: { type: 'string', value: 'CxR', help: 'C columns and R rows of moments' },
    gif: { type: 'boolean', help: 'the whole clip as an animated GIF' },
    yaw: { type: 'string', value: 'A', help: 'of Re2D sprites (a later version)' },
    pitch: { type: 'string', value: 'B', help: 'of Re2D sprites (a later version)' },
    output: { type: 'string', short: 'o', value: 'OUT', help: 'the .png, with --gif the .gif; - is standard output' },
  },
  files: { least: 1, most: Infinity },
  async run(input) {
    const asGif = input.options.gif === true;
    const output = outputOption(input, asGif ? '.gif' : '.png');
    if (input.options.yaw !== undefined || input.options.pitch !== undefined) {
      throw new UsageError('--yaw and --pitch turn Re2D sprites, which come with a later version; a 2D rig has one side only');
    }
    const size = sizeOption(textOption(input, 'size'));
    const view = viewOption(textOption(input, 'view'), size);
    const sheet = pairOption('sheet', textOption(input, 'sheet'));
    const background = colorOption(textOption(input, 'background'));
    if (sheet !== null && sheet[0] * sheet[1] > mostCells) {
      throw new UsageError(`--sheet ${sheet[0]}x${sheet[1]} has ${sheet[0] * sheet[1]} cells, more than ${mostCells}`);
    }
    if (asGif && sheet !== null) {
      throw new UsageError('--sheet and --gif exclude each other');
    }
    const marrow = await core();
    const { model, rig, given, missing } = await open(marrow, input.files[0], { clips: input.files.slice(1) });
    const pictures = model.images.flatMap((image) => fileOf(image?.url) ?? []);
    keepInputs(output, [rig, ...input.files.slice(1), textOption(input, 'pose') ?? rig, ...pictures]);
    for (const guid of missing) {
      note(`no picture for sprite ${guid}: it is drawn white`);
    }
    const moving = asGif || sheet !== null;
    if (moving && model.clips.length === 0 && model.clipTable.length === 0) {
      throw new UsageError(`${asGif ? '--gif' : '--sheet'} shows a clip: name an .anim.json after the rig`);
    }
    const chosen = chosenClip(input, model, given, moving);
    const byHand = await chosenPose(input);
    const hero = marrow.createWorld().add(model);
    strike(hero, chosen, byHand);
    if (chosen === null || !moving) {
      const picture = drawMoment(hero, null, checked(view ?? planMoments(hero, [null], size)), background);
      await writeOutput(output, encodePng(picture));
      report(input.json, output, picture, 1);
      return 0;
    }
    const { duration } = model.clips[chosen.index];
    const times = sheet === null ? gifMoments(duration, gifRate) : moments(duration, sheet[0] * sheet[1]);
    if (sheet === null && times.length === mostGifFrames && duration * gifRate > mostGifFrames) {
      note(`the clip lasts ${Math.round(duration)} seconds; its GIF has ${mostGifFrames} frames and so plays faster`);
    }
    const frame = checked(view ?? planMoments(hero, times, size));
    const picture = sheet === null ? frame : checked({ width: frame.width * sheet[0], height: frame.height * sheet[1] });
    const writer = sheet === null ? await GifWriter.open(gifRate) : new SheetWriter(frame, sheet[0], sheet[1]);
    const progress = new Progress('drawing');
    for (const [index, time] of times.entries()) {
      writer.add(drawMoment(hero, time, frame, background));
      progress.at(index + 1, times.length);
    }
    await writeOutput(output, writer.finish());
    report(input.json, output, picture, times.length);
    return 0;
  },
};

/**
 * @template {{ width: number, height: number }} T
 * @param {T} picture
 */
function checked(picture) {
  const { width, height } = picture;
  if (width > largestSide || height > largestSide || width * height > mostPixels) {
    throw new UsageError(`the picture would have ${width} x ${height} pixels, more than ${largestSide} on a side or more than ${mostPixels} in all: `
      + 'take a smaller --size');
  }
  return picture;
}

/**
 * @param {string | undefined} text
 * @returns {SizeChoice}
 */
function sizeOption(text) {
  if (text === undefined) {
    return {};
  }
  if (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= largestSide) {
    return { longest: Number(text) };
  }
  const [width, height] = pairOption('size', text) ?? [0, 0];
  return { width, height };
}

/**
 * @param {string | undefined} text
 * @param {SizeChoice} size
 * @returns {import('../author/moments.js').Frame | null}
 */
function viewOption(text, { width, height }) {
  if (text === undefined) {
    return null;
  }
  const numbers = text.split(',').map((each) => (each.trim() === '' ? NaN : Number(each)));
  const [x, y, scale] = numbers;
  if (numbers.length !== 3 || !numbers.every(Number.isFinite) || scale <= 0) {
    throw new UsageError(`--view takes three numbers like 0,-120,1.5, the last above zero, not "${text}"`);
  }
  if (width === undefined || height === undefined) {
    throw new UsageError('--view needs --size WxH');
  }
  return { width, height, matrix: [scale, 0, 0, scale, width / 2 - x * scale, height / 2 - y * scale] };
}

/**
 * @param {string} name
 * @param {string | undefined} text
 * @returns {[number, number] | null}
 */
function pairOption(name, text) {
  if (text === undefined) {
    return null;
  }
  const found = /^(\d+)x(\d+)$/i.exec(text);
  const pair = /** @type {[number, number]} */ ([Number(found?.[1]), Number(found?.[2])]);
  if (!pair.every((value) => value >= 1 && value <= largestSide)) {
    throw new UsageError(`--${name} takes ${name === 'size' ? 'N or ' : ''}two numbers from 1 to ${largestSide} like 4x2, not "${text}"`);
  }
  return pair;
}

/** @param {string | undefined} text */
function colorOption(text) {
  if (text === undefined) {
    return 0;
  }
  if (!/^#?([0-9a-f]{6}|[0-9a-f]{8})$/i.test(text)) {
    throw new UsageError(`--background takes RRGGBB or RRGGBBAA, not "${text}"`);
  }
  const digits = text.replace('#', '');
  return parseInt(digits.length === 6 ? `${digits}ff` : digits, 16);
}

/**
 * @param {boolean} json
 * @param {string} output
 * @param {{ width: number, height: number }} picture
 * @param {number} frames
 */
function report(json, output, { width, height }, frames) {
  if (json) {
    printJson({ output, width, height, frames });
  } else {
    note(`wrote ${output}: ${width} x ${height}${frames > 1 ? `, ${frames} frames` : ''}`);
  }
}
