import { drawInstance, encodePng } from '../author.js';
import { MarrowError } from '../errors.js';
import { UsageError, keepInputs, outputOption, poseHelp, poseOptions, textOption } from './command.js';
import { core, fileOf, open } from './files.js';
import { encodeGif, gifRate } from './gif.js';
import { Progress, note, printJson, writeOutput } from './output.js';
import { chosenClip, chosenPose, strike } from './stage.js';

/** @typedef {import('../types.js').Bounds} Bounds */
/** @typedef {{ width: number, height: number, data: Uint8Array }} Image */

const margin = 2;
const largestByDefault = 2048;
const largestSide = 16384;
const mostPixels = 64e6;
const mostMoments = 1000;

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
    if (sheet !== null && sheet[0] * sheet[1] > mostMoments) {
      throw new UsageError(`--sheet ${sheet[0]}x${sheet[1]} has ${sheet[0] * sheet[1]} cells, more than ${mostMoments}`);
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
    const duration = chosen === null ? 0 : model.clips[chosen.index].duration;
    if (asGif) {
      const shots = new Shots(hero, moments(duration, gifFrames(duration)), size, background);
      await writeOutput(output, await encodeGif(shots));
      report(input.json, output, shots, shots.count);
    } else if (sheet !== null) {
      const shots = new Shots(hero, moments(duration, sheet[0] * sheet[1]), size, background);
      const picture = joined(shots, sheet[0], sheet[1]);
      await writeOutput(output, encodePng(picture));
      report(input.json, output, picture, shots.count);
    } else {
      const [picture] = new Shots(hero, [null], size, background);
      await writeOutput(output, encodePng(picture));
      report(input.json, output, picture, 1);
    }
    return 0;
  },
};

/** @param {number} duration */
function gifFrames(duration) {
  const wanted = Math.max(1, Math.round(duration * gifRate));
  if (wanted > mostMoments) {
    note(`the clip lasts ${Math.round(duration)} seconds; its GIF has ${mostMoments} frames and so plays faster`);
  }
  return Math.min(mostMoments, wanted);
}

/**
 * Moments of a clip that loops: the end is the beginning, so it is left out.
 * @param {number} duration
 * @param {number} count
 */
function moments(duration, count) {
  return Array.from({ length: count }, (_, index) => (duration * index) / count);
}

/** Pictures of an instance at several times (null: as it is), all in one frame of reference and drawn when they are asked for. */
class Shots {
  #hero;
  #times;
  #background;
  #matrix;

  /**
   * @param {import('../instance.js').Instance} hero
   * @param {(number | null)[]} times
   * @param {SizeChoice} size
   * @param {number} background
   */
  constructor(hero, times, size, background) {
    this.#hero = hero;
    this.#times = times;
    this.#background = background;
    let bounds = /** @type {Bounds | null} */ (null);
    for (const time of times) {
      this.#show(time);
      bounds = united(bounds, hero.bounds);
    }
    if (bounds === null || bounds.empty) {
      throw new MarrowError('BAD_COUNT', 'there is nothing to draw: no visible part has vertices');
    }
    const { width, height, matrix } = fit(bounds, size);
    if (width * height > mostPixels) {
      throw new UsageError(`the picture would have ${width} x ${height} pixels, more than ${mostPixels} in all: take a smaller --size`);
    }
    this.width = width;
    this.height = height;
    this.#matrix = matrix;
  }

  get count() {
    return this.#times.length;
  }

  /** @param {number | null} time */
  #show(time) {
    if (time !== null) {
      this.#hero.seek(time);
      this.#hero.world.update(0);
    }
  }

  /** @returns {Generator<Image>} */
  * [Symbol.iterator]() {
    const progress = new Progress('drawing');
    for (const [index, time] of this.#times.entries()) {
      this.#show(time);
      progress.at(index + 1, this.count);
      yield drawInstance(this.#hero, { width: this.width, height: this.height, matrix: this.#matrix, background: this.#background });
    }
  }
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
 * @param {Shots} shots
 * @param {number} columns
 * @param {number} rows
 * @returns {Image}
 */
function joined(shots, columns, rows) {
  const { width, height } = shots;
  if (width * columns > largestSide || height * rows > largestSide || width * columns * height * rows > mostPixels) {
    throw new UsageError(`the sheet would have ${width * columns} x ${height * rows} pixels, more than ${largestSide} on a side or `
      + `${mostPixels} in all: take a smaller --size`);
  }
  const data = new Uint8Array(width * columns * height * rows * 4);
  let index = 0;
  for (const frame of shots) {
    const left = (index % columns) * width;
    const top = Math.floor(index / columns) * height;
    for (let y = 0; y < height; y += 1) {
      data.set(frame.data.subarray(y * width * 4, (y + 1) * width * 4), ((top + y) * width * columns + left) * 4);
    }
    index += 1;
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
