import { statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

/**
 * @typedef {object} OptionSpec
 * @property {'string' | 'boolean'} type
 * @property {string} [short]
 * @property {string} [value] what stands for the value in the help
 * @property {string} help
 *
 * @typedef {object} Input
 * @property {string[]} files
 * @property {Record<string, string | boolean | undefined>} options
 * @property {boolean} json
 *
 * @typedef {object} Command
 * @property {string} name
 * @property {string} summary one line
 * @property {string} usage
 * @property {string} details
 * @property {Record<string, OptionSpec>} options
 * @property {{ least: number, most: number }} files
 * @property {(input: Input) => Promise<number>} run answers the exit code
 */

/** Wrong use: exit code 2. */
export class UsageError extends Error {}

/** The name that means standard output. */
export const standardOutput = '-';

/** @type {Record<string, OptionSpec>} */
const everywhere = {
  json: { type: 'boolean', help: 'the result as JSON on standard output, errors too' },
  help: { type: 'boolean', short: 'h', help: 'this text' },
};

/** @type {Record<string, OptionSpec>} */
export const poseOptions = {
  clip: { type: 'string', value: 'NAME|INDEX', help: 'the clip to show; with ANIM or --time, the first' },
  time: { type: 'string', value: 'T', help: 'seconds into the clip; 0' },
  pose: { type: 'string', value: 'POSE.json', help: 'transforms and offsets by hand (see below)' },
};

export const poseHelp = `POSE.json is { "bones": { "<bone>": { "x", "y", "rot", "sx", "sy" } | null }, "deform": { "<part>": [dx0, dy0, ...] } }.
Values are local; what is missing keeps its bind value. null takes the bone away: its own vertices rest, its
children hang on the nearest bone above it. Angles are radians. Offsets are in the file's order of vertices.`;

/**
 * @param {Command} command
 * @param {string[]} words
 * @returns {Input}
 */
export function parse(command, words) {
  const options = { ...command.options, ...everywhere };
  let parsed;
  try {
    parsed = parseArgs({
      args: words,
      options: Object.fromEntries(Object.entries(options).map(([name, { type, short }]) => [name, short === undefined ? { type } : { type, short }])),
      allowPositionals: true,
    });
  } catch (error) {
    throw new UsageError(`${parseMessage(/** @type {Error} */ (error).message)}; see marrow ${command.name} --help`);
  }
  const { least, most } = command.files;
  const count = parsed.positionals.length;
  if (count < least || count > most) {
    const wanted = least === most ? `${least}` : most === Infinity ? `at least ${least}` : `${least} to ${most}`;
    throw new UsageError(`${command.name} takes ${wanted} file${least === 1 ? '' : 's'}, not ${count}; usage: ${command.usage}`);
  }
  if (parsed.positionals.includes('')) {
    throw new UsageError(`${command.name}: the name of a file is empty`);
  }
  return { files: parsed.positionals, options: parsed.values, json: parsed.values.json === true };
}

/** @param {string} message of `parseArgs` */
function parseMessage(message) {
  const ambiguous = /^Option '([^']*)' argument is ambiguous/.exec(message);
  return ambiguous === null
    ? message.split(/\. |\n/)[0].replace(/^./, (letter) => letter.toLowerCase())
    : `${ambiguous[1]} needs a value; one that begins with a dash is written ${ambiguous[1].split(' ').at(-1)}=-VALUE`;
}

/** @param {Command} command */
export function usageOf(command) {
  const rows = Object.entries({ ...command.options, ...everywhere }).map(([name, { short, value, help }]) => {
    const flags = `${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
    return `  ${flags.padEnd(31)} ${help}`;
  });
  return [`${command.summary}`, '', `usage: ${command.usage}`, '', ...rows, ...(command.details === '' ? [] : ['', command.details])].join('\n');
}

/**
 * The value of an option as a number.
 * @param {Input} input
 * @param {string} name
 * @param {{ least?: number, most?: number, integer?: boolean }} [bounds]
 * @returns {number | undefined}
 */
export function numberOption(input, name, { least = -Infinity, most = Infinity, integer = false } = {}) {
  const text = input.options[name];
  if (text === undefined) {
    return undefined;
  }
  const value = String(text).trim() === '' ? NaN : Number(text);
  if (!Number.isFinite(Math.fround(value)) || value < least || value > most || (integer && !Number.isInteger(value))) {
    const range = least > -Infinity && most < Infinity ? ` from ${least} to ${most}` : least > -Infinity ? ` of at least ${least}` : '';
    throw new UsageError(`--${name} takes ${integer ? 'a whole number' : 'a number'}${range}, not "${text}"`);
  }
  return value;
}

/**
 * @param {Input} input
 * @param {string} name
 * @returns {string | undefined}
 */
export function textOption(input, name) {
  const value = input.options[name];
  return typeof value === 'string' ? value : undefined;
}

/**
 * Where the result goes.
 * @param {Input} input
 * @param {string[]} endings that the name may have; without any the command looks itself
 */
export function outputOption(input, ...endings) {
  const output = textOption(input, 'output');
  if (output === undefined || output === '') {
    throw new UsageError('-o OUT is missing: where should the result go?');
  }
  if (output !== standardOutput) {
    checkEnding('-o', output, endings);
  } else if (input.json) {
    throw new UsageError('-o - and --json both write to standard output: choose one');
  }
  return output;
}

/**
 * A name says what is in the file.
 * @param {string} flag
 * @param {string} output
 * @param {string[]} endings
 */
export function checkEnding(flag, output, endings) {
  if (endings.length > 0 && !endings.some((ending) => output.toLowerCase().endsWith(ending))) {
    throw new UsageError(`${flag} ${output}: the name must end in ${endings.join(' or ')}`);
  }
}

/**
 * Refuses to write over what is read.
 * @param {string} output
 * @param {string[]} inputs
 */
export function keepInputs(output, inputs) {
  const written = identity(output);
  if (output !== standardOutput && inputs.some((input) => identity(input) === written)) {
    throw new UsageError(`${output} is read, so it is not written over: give the result another name`);
  }
}

/** @param {string} file */
function identity(file) {
  try {
    const stat = statSync(file, { bigint: true });
    return `${stat.dev} ${stat.ino}`;
  } catch {
    return path.resolve(file);
  }
}
