import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { MarrowError } from '../errors.js';
import { standardOutput } from './command.js';

/** @param {string} text */
export function print(text) {
  process.stdout.write(`${plain(text)}\n`);
}

/**
 * Names in files may hold what drives a terminal; it is shown as JSON writes it.
 * @param {string} text
 */
function plain(text) {
  return text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** @param {string} text for people, beside the result */
export function note(text) {
  process.stderr.write(`${plain(text)}\n`);
}

/** @param {unknown} value */
export function printJson(value) {
  print(JSON.stringify(value, null, 2));
}

/**
 * Writes a result, and makes its folder where there is none.
 * @param {string} file
 * @param {string | Uint8Array} content
 */
export async function writeOutput(file, content) {
  if (file === standardOutput) {
    process.stdout.write(content);
    return;
  }
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  } catch (cause) {
    throw new MarrowError('WRITE', `cannot write ${file} (${/** @type {any} */ (cause).code})`, { cause });
  }
}

/** Whoever reads the output may stop early, as `head` does: that is no failure. A full disk is. */
export function watchStandardOutput() {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error) => {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      if (code !== 'EPIPE') {
        note(`marrow: cannot write to standard output (${code})`);
        process.exit(1);
      }
    });
  }
}

/**
 * Reports what went wrong.
 * @param {unknown} error
 * @param {string} command
 * @param {boolean} asJson
 * @param {number} exitCode
 * @returns {number} the exit code
 */
export function printError(error, command, asJson, exitCode) {
  if (!(error instanceof Error)) {
    throw error;
  }
  if (asJson) {
    printJson({ error: errorData(error, exitCode) });
  } else {
    note(`marrow${command === '' ? '' : ` ${command}`}: ${error.message}`);
  }
  return exitCode;
}

/**
 * @param {Error} error
 * @param {number} exitCode
 */
export function errorData(error, exitCode = 1) {
  const fallback = exitCode === 2 ? 'USAGE' : 'FAILED';
  if (!(error instanceof MarrowError)) {
    return { code: /** @type {any} */ (error).code ?? fallback, message: error.message, path: null, line: null, column: null, offset: null };
  }
  const { code, message, path, line, column, offset } = error;
  return { code, message, path, line, column, offset };
}

/** Says how far long work is, on a terminal only. */
export class Progress {
  #what;
  #shown = 0;

  /** @param {string} what */
  constructor(what) {
    this.#what = what;
  }

  /**
   * @param {number} done
   * @param {number} total
   */
  at(done, total) {
    const now = performance.now();
    if (process.stderr.isTTY && (now - this.#shown > 100 || done === total)) {
      this.#shown = now;
      process.stderr.write(`\r${this.#what} ${done}/${total}${done === total ? '\n' : ''}`);
    }
  }
}

/**
 * Lines of columns, as wide as their widest cell; numbers to the right.
 * @param {string[]} head
 * @param {(string | number)[][]} rows
 */
export function table(head, rows) {
  const texts = [head, ...rows.map((row) => row.map((cell) => String(cell)))];
  const widths = head.map((_, column) => Math.max(...texts.map((row) => row[column].length)));
  const isNumber = head.map((_, column) => rows.every((row) => typeof row[column] === 'number'));
  return texts.map((row) => `  ${row.map((cell, column) => (isNumber[column] ? cell.padStart(widths[column]) : cell.padEnd(widths[column])))
    .join('  ').trimEnd()}`).join('\n');
}

/** @param {number} bytes */
export function size(bytes) {
  return bytes < 10240 ? `${bytes} bytes` : bytes < 10 * 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

/**
 * The shortest decimal that reads back as the same 32-bit float.
 * @param {number} value
 */
export function shortFloat(value) {
  for (let digits = 6; digits < 9; digits += 1) {
    const rounded = Number(value.toPrecision(digits));
    if (Math.fround(rounded) === value) {
      return rounded;
    }
  }
  return Number(value.toPrecision(9));
}

/**
 * @param {string} word
 * @param {number} count
 */
export function plural(word, count) {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
