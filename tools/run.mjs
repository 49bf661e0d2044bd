// Runs programs for the other tools, from the root of the clone and with their output shown.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/**
 * Throws unless the program ends with 0.
 * @param {string} program
 * @param {string[]} args
 * @param {Record<string, string>} [environment] added to the present one
 */
export function run(program, args, environment = {}) {
  const result = spawnSync(program, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...environment } });
  if (result.error !== undefined) {
    throw new Error(`${program} could not be started: ${result.error.message}`);
  }
  if (result.status !== 0) {
    throw new Error(`${program} ${args.join(' ')} ended with ${result.status ?? result.signal}`);
  }
}

/**
 * Runs a tool of node_modules by its package's `bin` file, which works where no shell finds it.
 * @param {string} file below node_modules
 * @param {string[]} args
 */
export function runPackage(file, args) {
  run(process.execPath, [path.join(root, 'node_modules', file), ...args]);
}
