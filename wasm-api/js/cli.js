#!/usr/bin/env node
import { bench } from './cli/bench.js';
import { check } from './cli/check.js';
import { UsageError, parse, usageOf } from './cli/command.js';
import { convert } from './cli/convert.js';
import { info } from './cli/info.js';
import { compile } from './cli/later.js';
import { print, printError, watchStandardOutput } from './cli/output.js';
import { pose } from './cli/pose.js';
import { render } from './cli/render.js';
import { rig } from './cli/rig.js';
import { version } from './cli/version.js';
import { MarrowError } from './errors.js';

/** @type {import('./cli/command.js').Command[]} */
const commands = [info, check, pose, rig, render, convert, compile, bench];

const overview = `marrow bends 2D characters: it rigs a picture, checks rigs, poses them, draws them.

usage: marrow COMMAND ...

${commands.map(({ name, summary }) => `  ${name.padEnd(9)}${summary}`).join('\n')}

FILE is a .rig2d.json, or a folder that holds one (its clips then come along). ANIM is an .anim.json.
Every command takes --json (the result as JSON, errors too) and --help.
Exit codes: 0 good, 1 the input is bad, 2 wrong use or not supported by this version.

Try it:
  marrow rig hero.png -o hero.rig2d.json     a rig for a picture
  marrow check --strict hero.rig2d.json      is it right?
  marrow render hero.rig2d.json -o out.png   what does it look like?

marrow COMMAND --help tells more.`;

watchStandardOutput();
process.exitCode = await main(process.argv.slice(2));

/**
 * @param {string[]} words
 * @returns {Promise<number>} the exit code
 */
async function main(words) {
  const [name, ...rest] = words;
  const asJson = words.includes('--json');
  try {
    if (name === undefined || name === '--help' || name === '-h' || (name === 'help' && rest.length === 0)) {
      print(overview);
      return name === undefined ? 2 : 0;
    }
    if (name === '--version' || name === '-v') {
      print(version());
      return 0;
    }
    const wanted = name === 'help' ? rest[0] : name;
    const command = commands.find((each) => each.name === wanted);
    if (wanted.startsWith('-')) {
      throw new UsageError(`a command comes first, not "${wanted}"; marrow --help lists them`);
    }
    if (command === undefined) {
      throw new UsageError(`there is no command "${wanted}"; marrow --help lists them`);
    }
    if (name === 'help' || rest.includes('--help') || rest.includes('-h')) {
      print(usageOf(command));
      return 0;
    }
    return await command.run(parse(command, rest));
  } catch (error) {
    return printError(error, name ?? '', asJson, exitCodeOf(error));
  }
}

/** @param {unknown} error */
function exitCodeOf(error) {
  return error instanceof UsageError || (error instanceof MarrowError && error.code === 'UNSUPPORTED') ? 2 : 1;
}
