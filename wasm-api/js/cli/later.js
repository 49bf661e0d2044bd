import { UsageError } from './command.js';

/** @type {import('./command.js').Command} */
export const compile = {
  name: 'compile',
  summary: 'make a surface atlas (in a later version)',
  usage: 'marrow compile SURFACE.json [--material M.png] [--size N] [--segments] -o ATLAS.png',
  details: 'This version does not compile surfaces yet; the command answers exit code 2.',
  options: {
    material: { type: 'string', value: 'M.png', help: 'texture' },
    size: { type: 'string', value: 'N', help: 'side of the atlas' },
    segments: { type: 'boolean', help: 'one segment each' },
    output: { type: 'string', short: 'o', value: 'ATLAS.png', help: 'where the result goes' },
  },
  files: { least: 0, most: 1 },
  async run() {
    throw new UsageError('surfaces are compiled by a later version; this one only bends 2D rigs');
  },
};
