import { writeFile } from 'node:fs/promises';
import { drawInstance, encodePng } from '../author.js';
import { MarrowError } from '../errors.js';
import { UsageError, outputOption, poseHelp, poseOptions, textOption } from './command.js';
import { core, open } from './files.js';
import { encodeGif, gifRate } from './gif.js';
import { Progress, note, printJson } from './output.js';
import { chosenClip, chosenPose, strike } from './stage.js';

/** @typedef {import('../types.js').Bounds} Bounds */
/** @typedef {{ width: number, height: number, data: Uint8Array }} Image */

const margin = 2;
const largestByDefault = 2048;
const largestSide = 16384;
const mostGifFrames = 1000;

/** @type {import('./command.js').Command} */
export const render = {
  name: 'render',
  summary: 'draw a pose, a sheet of poses, or an animated GIF',
  usage: 'marrow render FILE [ANIM...] [--clip NAME|INDEX --time T] [--pose POSE.json] [--size WxH|N] [--sheet CxR | --gif] -o OUT',
  details: `Without --size, one unit is one pixel, at most ${largestByDefault} on a side. --size N makes the longer side N, --size WxH
fits the picture into W x H; for --sheet it is the size of one cell. --sheet 4x2 draws eight moments of the clip, row by row;
--gif draws all of it, ${gifRate} frames a second. Pictures are found through the rig's "assets" table, else in its folder.
${poseHelp}`,
  options: {
    ...poseOptions,
    size: { type: 'string', value: 'WxH|N', help: 'size in pixels' },
    background: { type: 'string', value: 'RRGGBB[AA]', help: 'colour behind; default transparent' },
    sheet: { type: 'string', value: 'CxR', help: 'C columns and R rows of moments' },
    gif: { type: 'boolean', help: 'the whole clip as an animated GIF' },
    yaw: { type: 'string', value: 'A', help: 'of Re2D sprites (a later version)' },
    pitch: { type: 'string', value: 'B', help: 'of Re2D sprites (a later version)' },
    output: { type: 'string', short: 'o', value: 'OUT', help: 'where the picture goes' },
  },
  files: { least: 1, most: Infinity },
  async run(input) {
    const output = outputOption(input);
    if (input.options.yaw !== undefined || input.options.pitch !== undefined) {
      throw new UsageError('--yaw and --pitch turn Re2D sprites, which come with a later version; a 2D rig has one side only');
    }
    const size = sizeOption(textOption(input, 'size'));
    const sheet = pairOption('sheet', textOption(input, 'sheet'));
    const background = colorOption(textOption(input, 'background'));
    const asGif = input.options.gif === true;
    if (asGif && sheet !== null) {
      throw new UsageError('--sheet and --gif exclude each other');
    }
    const marrow = await core();
    const { model, given, missing } = await open(marrow, input.files[0], { clips: input.files.slice(1) });
    for (const guid of missing) {
      note(`no picture for sprite ${guid}: it is drawn white`);
    }
    const moving = asGif || sheet !== null;
    const chosen = chosenClip(input, model, given) ?? (moving && model.clips.length > 0 ? { index: 0, time: 0 } : null);
    if (moving && chosen === null) {
      throw new UsageError(`${asGif ? '--gif' : '--sheet'} shows a clip: name an .anim.json after the rig`);
    }
    const byHand = await chosenPose(input);
    const hero = marrow.createWorld().add(model);
    if (chosen === null || !moving) {
      strike(hero, chosen, byHand);
      const picture = drawMoments(hero, [null], size, background)[0];
      await writeFile(output, encodePng(picture));
      report(input.json, output, picture, 1);
      return 0;
    }
    strike(hero, chosen, byHand);
    const { duration } = model.clips[chosen.index];
    const count = asGif ? Math.min(mostGifFrames, Math.max(1, Math.round(duration * gifRate))) : sheet === null ? 1 : sheet[0] * sheet[1];
    const frames = drawMoments(hero, moments(duration, count), size, background);
    if (sheet === null) {
      await writeFile(output, await encodeGif(frames));
      report(input.json, output, frames[0], count);
    } else {
      const picture = joined(frames, sheet[0], sheet[1]);
      await writeFile(output, encodePng(picture));
      report(input.json, output, picture, count);
    }
    return 0;
  },
};

/**
 * Moments of a clip that loops: the end is the beginning, so it is left out.
 * @param {number} duration
 * @param {number} count
 */
function moments(duration, count) {
  return Array.from({ length: count }, (_, index) => (duration * index) / count);
}

/**
 * Draws the instance at each time (null: as it is), all in one frame of reference.
 * @param {import('../instance.js').Instance} hero
 * @param {(number | null)[]} times
 * @param {SizeChoice} size
 * @param {number} background
 * @returns {Image[]}
 */
function drawMoments(hero, times, size, background) {
  /** @param {number | null} time */
  const show = (time) => {
    if (time !== null) {
      hero.seek(time);
      hero.world.update(0);
    }
  };
  let bounds = /** @type {Bounds | null} */ (null);
  for (const time of times) {
    show(time);
    bounds = united(bounds, hero.bounds);
  }
  if (bounds === null || bounds.empty) {
    throw new MarrowError('BAD_COUNT', 'there is nothing to draw: no visible part has vertices');
  }
  const { width, height, matrix } = fit(bounds, size);
  const progress = new Progress('drawing');
  return times.map((time, index) => {
    show(time);
    progress.at(index + 1, times.length);
    return drawInstance(hero, { width, height, matrix, background });
  });
}

/**
 * @param {Bounds | null} a
 * @param {Bounds} b
 * @returns {Bounds}
 */
function united(a, b) {
  if (a === null || a.empty) {
    return b;
  }
  return b.empty ? a : {
    ...a,
    minX: Math.min(a.minX, b.minX),
    minY: Math.min(a.minY, b.minY),
    maxX: Math.max(a.maxX, b.maxX),
    maxY: Math.max(a.maxY, b.maxY),
  };
}

/** @typedef {{ width?: number, height?: number, longest?: number }} SizeChoice */

/**
 * Size of a picture that shows `bounds`, and the way from there to pixels.
 * @param {Bounds} bounds
 * @param {SizeChoice} size
 */
export function fit({ minX, minY, maxX, maxY }, { width, height, longest }) {
  const spanX = Math.max(1e-6, maxX - minX);
  const spanY = Math.max(1e-6, maxY - minY);
  const wanted = longest ?? Math.min(largestByDefault, Math.max(spanX, spanY) + 2 * margin);
  const scale = width !== undefined && height !== undefined
    ? Math.min(Math.max(1, width - 2 * margin) / spanX, Math.max(1, height - 2 * margin) / spanY)
    : longest === undefined && wanted < largestByDefault ? 1 : Math.max(1, wanted - 2 * margin) / Math.max(spanX, spanY);
  const pixelsX = width ?? side(spanX * scale);
  const pixelsY = height ?? side(spanY * scale);
  return {
    width: pixelsX,
    height: pixelsY,
    matrix: [scale, 0, 0, scale, (pixelsX - (minX + maxX) * scale) / 2, (pixelsY - (minY + maxY) * scale) / 2],
  };
}

/** @param {number} length */
function side(length) {
  // A length that is whole but for rounding stays what it is.
  return Math.max(1, Math.ceil(length - 1e-3) + 2 * margin);
}

/**
 * @param {Image[]} frames of one size
 * @param {number} columns
 * @param {number} rows
 * @returns {Image}
 */
function joined(frames, columns, rows) {
  const { width, height } = frames[0];
  if (width * columns > largestSide || height * rows > largestSide) {
    throw new UsageError(`the sheet would have ${width * columns} x ${height * rows} pixels, more than ${largestSide} on a side: take a smaller --size`);
  }
  const data = new Uint8Array(width * columns * height * rows * 4);
  for (const [index, frame] of frames.entries()) {
    const left = (index % columns) * width;
    const top = Math.floor(index / columns) * height;
    for (let y = 0; y < height; y += 1) {
      data.set(frame.data.subarray(y * width * 4, (y + 1) * width * 4), ((top + y) * width * columns + left) * 4);
    }
  }
  return { width: width * columns, height: height * rows, data };
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
 * @param {Image} picture
 * @param {number} frames
 */
function report(json, output, { width, height }, frames) {
  if (json) {
    printJson({ output, width, height, frames });
  } else {
    note(`wrote ${output}: ${width} x ${height}${frames > 1 ? `, ${frames} frames` : ''}`);
  }
}
